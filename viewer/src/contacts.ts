// Contact points and forces of a frame, as instances.
import * as THREE from 'three';
import { bodyOf } from './run';
import type { Block, SceneMessage } from './schema';

const POINT_COLOR = 0xd7263d;
const ARROW_COLOR = 0x1673d1;
const UP = new THREE.Vector3(0, 0, 1);

function instances(geometry: THREE.BufferGeometry, color: number, capacity: number): THREE.InstancedMesh {
  const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.92 });
  const mesh = new THREE.InstancedMesh(geometry, material, capacity);
  mesh.frustumCulled = false;
  mesh.count = 0;
  mesh.renderOrder = 10;
  return mesh;
}

export class Contacts {
  readonly group = new THREE.Group();
  showPoints = false;
  showForces = false;
  private capacity = 0;
  private points!: THREE.InstancedMesh;
  private shafts!: THREE.InstancedMesh;
  private heads!: THREE.InstancedMesh;
  private readonly scratch = {
    place: new THREE.Vector3(),
    arrow: new THREE.Vector3(),
    direction: new THREE.Vector3(),
    turn: new THREE.Quaternion(),
    matrix: new THREE.Matrix4(),
    size: new THREE.Vector3(),
  };

  constructor(
    private readonly scene: SceneMessage,
    /** m */
    private readonly radius: number,
    /** m of arrow a newton */
    readonly scale: number,
  ) {
    this.grow(256);
  }

  private grow(capacity: number): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      (child as THREE.InstancedMesh).dispose();
    }
    this.capacity = capacity;
    const along = (geometry: THREE.BufferGeometry) => geometry.translate(0, 0.5, 0).rotateX(Math.PI / 2); // from 0 to 1 along z
    this.points = instances(new THREE.SphereGeometry(1, 10, 8), POINT_COLOR, capacity);
    this.shafts = instances(along(new THREE.CylinderGeometry(1, 1, 1, 8)), ARROW_COLOR, capacity);
    this.heads = instances(along(new THREE.ConeGeometry(1, 1, 12)), ARROW_COLOR, capacity);
    this.group.add(this.points, this.shafts, this.heads);
  }

  /** The contacts of a frame; with a selected body only its own, and forces as they act on it. Returns how many. */
  update(block: Block, at: number, selected: number): number {
    const [begin, end] = [block.contactBegin[at], block.contactBegin[at + 1]];
    if (end - begin > this.capacity) this.grow(2 * (end - begin));
    let shown = 0;
    for (let c = begin; c < end && (this.showPoints || this.showForces); ++c) {
      const body1 = bodyOf(this.scene, this.scene.geoms[block.contactGeoms[2 * c]]);
      const body2 = bodyOf(this.scene, this.scene.geoms[block.contactGeoms[2 * c + 1]]);
      if (selected >= 0 && body1 !== selected && body2 !== selected) continue;
      // The force on what is selected; else on what moves; else on the second geom.
      const first = selected >= 0 ? body1 === selected : body2 < 0;
      this.put(shown++, block.contactPosition.subarray(3 * c, 3 * c + 3), block.contactForce.subarray(3 * c, 3 * c + 3), first ? -1 : 1);
    }
    for (const [mesh, on] of [[this.points, this.showPoints], [this.shafts, this.showForces], [this.heads, this.showForces]] as const) {
      mesh.count = on ? shown : 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
    return shown;
  }

  private put(i: number, position: ArrayLike<number>, force: ArrayLike<number>, sign: number): void {
    const { place, arrow, direction, turn, matrix, size } = this.scratch;
    place.fromArray(position);
    arrow.fromArray(force).multiplyScalar(sign * this.scale);
    const length = Math.min(arrow.length(), 2 * this.radius);
    const thick = 0.006 * this.radius;
    if (length > 0) turn.setFromUnitVectors(UP, direction.copy(arrow).normalize());
    const head = Math.min(6 * thick, 0.5 * length);
    this.points.setMatrixAt(i, matrix.compose(place, turn, size.setScalar(1.6 * thick)));
    const width = Math.min(thick, 0.15 * length);
    this.shafts.setMatrixAt(i, matrix.compose(place, turn, size.set(width, width, length - head)));
    const tip = arrow.setLength(length - head).add(place);
    this.heads.setMatrixAt(i, matrix.compose(tip, turn, size.set(2.6 * width, 2.6 * width, head)));
  }
}
