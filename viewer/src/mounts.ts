// Where the file's cameras and lights are, as bodies move.
import * as THREE from 'three';
import type { CameraMessage, LightMessage, MountMessage } from './schema';

const STILL = new THREE.Matrix4();
const matrixOf = (links: THREE.Matrix4[], link: number | undefined) => links[link ?? -1] ?? STILL;

/** The weighted mean of the points. */
function meanOf({ about }: MountMessage, links: THREE.Matrix4[]): THREE.Vector3 {
  const sum = new THREE.Vector3();
  let weights = 0;
  for (const { link, weight, at } of about ?? []) {
    sum.addScaledVector(new THREE.Vector3(...at).applyMatrix4(matrixOf(links, link)), weight);
    weights += weight;
  }
  return weights > 0 ? sum.divideScalar(weights) : sum;
}

function positionOf(mount: MountMessage, links: THREE.Matrix4[]): THREE.Vector3 {
  const position = new THREE.Vector3(...(mount.position ?? [0, 0, 0]));
  return mount.mode === 'track' ? position.add(meanOf(mount, links)) : position.applyMatrix4(matrixOf(links, mount.link));
}

/** Puts a camera where the file's one is. */
export function placeCamera(camera: THREE.PerspectiveCamera, message: CameraMessage, links: THREE.Matrix4[]): void {
  camera.position.copy(positionOf(message, links));
  const [w, x, y, z] = message.orientation;
  camera.quaternion.set(x, y, z, w);
  if (message.mode === 'target') camera.lookAt(meanOf(message, links));
  else if (message.mode === 'fixed') camera.quaternion.premultiply(new THREE.Quaternion().setFromRotationMatrix(matrixOf(links, message.link)));
  camera.updateMatrixWorld();
}

/** Puts a light and what it shines at where the file's one is. */
export function placeLight(message: LightMessage, links: THREE.Matrix4[], camera: THREE.Camera, position: THREE.Vector3, direction: THREE.Vector3): void {
  if (message.mode === 'camera') {
    position.setFromMatrixPosition(camera.matrixWorld);
    camera.getWorldDirection(direction);
    return;
  }
  position.copy(positionOf(message, links));
  if (message.mode === 'target') direction.copy(meanOf(message, links)).sub(position);
  else {
    direction.set(...(message.direction ?? [0, 0, -1]));
    if (message.mode === 'fixed') direction.transformDirection(matrixOf(links, message.link));
  }
  direction.normalize();
}
