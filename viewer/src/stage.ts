// Camera, lights, ground and the drawing itself.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { CameraMessage, GeomMessage, SceneMessage } from './schema';
import { localMatrix } from './bodies';
import { groundMaterial } from './ground';
import { FileLights, OwnLights } from './lights';
import { placeCamera } from './mounts';
import { skyMesh, type Textures } from './textures';

export interface Theme {
  background: number;
  ground: number;
  line: number;
}
export const LIGHT: Theme = { background: 0xeef1f4, ground: 0xe3e7eb, line: 0xb4bcc6 };
export const DARK: Theme = { background: 0x1b1f24, ground: 0x262b32, line: 0x464e59 };

const FIELD_OF_VIEW = 40; // degrees, of the height
const AZIMUTH = -58; // degrees, from where a scene is seen at first
const ELEVATION = 22;

/** 1, 2 or 5 times a power of ten, close to x. */
function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly controls: OrbitControls;
  /** what the user turns, and what follows a camera of the file */
  private readonly orbit = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  private readonly mounted = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  private fileCamera: CameraMessage | null = null;
  private readonly own: OwnLights;
  readonly fileLights: FileLights;
  private readonly sky: THREE.Mesh | null;
  private readonly background = new THREE.Color();
  private readonly bare = new THREE.Color(); // ground without texture
  private readonly grounds: THREE.MeshLambertMaterial[] = []; // without and with a texture of the file
  /** The user has turned the view away from a camera of the file. */
  onFree: () => void = () => {};
  /** What is looked at. */
  readonly focus: THREE.Sphere;
  private free: [number, number] = [1, 1]; // share of width and height that nothing covers
  private followed: THREE.Vector3 | null = null;
  private links: THREE.Matrix4[] = [];
  /** m, between the lines of the ground */
  readonly cell: number;
  /** m, height of the floor that the camera stays above; none: there is nothing to look through */
  private floor = -Infinity;

  constructor(
    canvas: HTMLCanvasElement,
    /** what the mouse turns the view on */
    surface: HTMLElement,
    scene: SceneMessage,
    private readonly bounds: THREE.Box3,
    private readonly textures: Textures,
  ) {
    this.focus = bounds.getBoundingSphere(new THREE.Sphere());
    this.focus.radius = Math.max(this.focus.radius, 1e-4);
    const { radius } = this.focus;
    // A picture of the canvas can be taken at any time only where the drawing is kept.
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    textures.fitTo(this.renderer);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.cell = roundNumber(radius / 5);
    for (const camera of [this.orbit, this.mounted]) {
      camera.up.set(0, 0, 1);
      camera.near = radius / 100;
      camera.far = 100 * radius;
    }
    this.controls = new OrbitControls(this.orbit, surface);
    this.controls.enableDamping = false;
    this.controls.maxDistance = 40 * radius;
    this.controls.minDistance = 0.02 * radius;
    this.leaveFileCameraByHand();
    this.own = new OwnLights(this.focus);
    this.own.aim(this.focus.center);
    this.fileLights = new FileLights(scene.appearance, this.focus);
    this.sky = textures.sky && skyMesh(textures.sky);
    if (this.sky) this.scene.add(this.sky);
    this.scene.add(this.own.group, this.fileLights.group);
    this.addGround(scene, radius);
  }

  /** What is seen through. */
  get camera(): THREE.PerspectiveCamera {
    return this.fileCamera ? this.mounted : this.orbit;
  }

  /** Null: the one that the user turns. */
  lookThrough(camera: CameraMessage | null): void {
    this.fileCamera = camera;
    if (!camera) return;
    this.mounted.fov = camera.fovy;
    this.mounted.updateProjectionMatrix();
  }

  /** Who turns the view goes on from where it is. */
  private leaveFileCameraByHand(): void {
    let grasping = false;
    this.controls.addEventListener('start', () => {
      if (!this.fileCamera) return;
      grasping = true;
      const ahead = this.mounted.getWorldDirection(new THREE.Vector3());
      const distance = Math.max(0.1 * this.focus.radius, this.mounted.position.distanceTo(this.focus.center));
      this.orbit.position.copy(this.mounted.position);
      this.controls.target.copy(this.mounted.position).addScaledVector(ahead, distance);
      this.controls.update();
      grasping = false;
    });
    this.controls.addEventListener('change', () => {
      if (grasping || !this.fileCamera) return;
      this.lookThrough(null);
      this.onFree();
    });
  }

  private addGround(scene: SceneMessage, radius: number): void {
    const planes = scene.geoms.filter((geom) => geom.shape === 'plane');
    const reach = 14 * radius;
    const bare = groundMaterial(this.cell, reach);
    this.grounds.push(bare);
    const add = (half: [number, number], material = bare): THREE.Mesh => {
      const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * half[0], 2 * half[1]), material);
      mesh.receiveShadow = true;
      mesh.renderOrder = 1; // what bodies hide is not worth its light
      this.scene.add(mesh);
      return mesh;
    };
    for (const plane of planes) {
      // An endless plane, or one larger than what is seen of it, ends where the lines have faded.
      const [x, y] = plane.size;
      const half = (s: number) => (s > 0 && s < 3 * radius ? s : reach);
      const mesh = add([half(x), half(y)], this.texturedGround(plane, reach) ?? bare);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(localMatrix(plane, new THREE.Vector3(1, 1, 1)));
      const [, qx, qy] = plane.orientation;
      if (Math.hypot(qx, qy) < 1e-3 && plane.position[2] < this.focus.center.z) this.floor = Math.max(this.floor, plane.position[2]);
    }
    if (planes.length === 0) add([reach, reach]).position.z = this.floor = Math.min(0, this.focus.center.z - this.focus.radius);
  }

  /** Null: the file has none for this plane. */
  private texturedGround(plane: GeomMessage, reach: number): THREE.MeshLambertMaterial | null {
    const laid = this.textures.of(plane, [1, 1, 1], plane.size, false);
    if (!laid) return null;
    const material = groundMaterial(this.cell, reach);
    material.userData.color = new THREE.Color().setRGB(plane.color[0], plane.color[1], plane.color[2], THREE.SRGBColorSpace);
    this.textures.apply(material, laid);
    this.grounds.push(material);
    return material;
  }

  /** From below, an opaque floor hides everything. */
  private keepAboveFloor(): void {
    const lowest = this.floor + 0.02 * this.focus.radius;
    if (this.orbit.position.z >= lowest) return;
    this.orbit.position.z = lowest;
    this.orbit.lookAt(this.controls.target);
  }

  /** The view of another stage; through a camera of the file each has its own. */
  lookAs(other: Stage): void {
    this.orbit.position.copy(other.orbit.position);
    this.orbit.quaternion.copy(other.orbit.quaternion);
    this.controls.target.copy(other.controls.target);
    this.own.aim(other.own.aimedAt);
  }

  apply(theme: Theme): void {
    this.background.set(theme.background);
    this.bare.set(theme.ground);
    for (const ground of this.grounds) {
      (ground.userData.line as { value: THREE.Color }).value.set(theme.line);
    }
    this.showTextures(this.textures.share.value > 0);
  }

  /** Textures and sky of the file. */
  showTextures(on: boolean): void {
    this.textures.share.value = on ? 1 : 0;
    if (this.sky) this.sky.visible = on;
    const far = (on && this.textures.horizon) || this.background;
    this.scene.background = this.background;
    for (const ground of this.grounds) {
      (ground.userData.far as { value: THREE.Color }).value.copy(far);
      (ground.userData.lines as { value: number }).value = on && ground.userData.color ? 0 : 1;
      ground.color.copy((on && (ground.userData.color as THREE.Color)) || this.bare);
    }
  }

  /** The light of the file, or ours. */
  showFileLights(on: boolean): void {
    this.fileLights.group.visible = on;
    this.own.group.visible = !on;
  }

  /** The whole scene; azimuth and elevation in degrees (null: the usual ones), zoom 2: twice as large. */
  reset(azimuth: number | null = null, elevation: number | null = null, zoom = 1): void {
    this.followed = null;
    const polar = THREE.MathUtils.degToRad(90 - (elevation ?? ELEVATION));
    const turn = THREE.MathUtils.degToRad(azimuth ?? AZIMUTH);
    const back = new THREE.Vector3(Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar));
    this.controls.target.copy(this.focus.center);
    this.orbit.position.copy(back).multiplyScalar(this.distance(back) / zoom).add(this.focus.center);
    this.controls.update();
    this.own.aim(this.focus.center);
  }

  /** m, from which the whole box is in the free part of the picture, seen along -back. */
  private distance(back: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.orbit.up, back).normalize();
    const up = new THREE.Vector3().crossVectors(back, right);
    const slope = Math.tan((this.orbit.fov * Math.PI) / 360);
    const half = this.bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    let distance = 0.1 * this.focus.radius;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new THREE.Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).multiply(half);
      const x = Math.abs(p.dot(right)) / (slope * this.orbit.aspect * this.free[0]);
      const y = Math.abs(p.dot(up)) / (slope * this.free[1]);
      distance = Math.max(distance, p.dot(back) + 1.15 * Math.max(x, y));
    }
    return distance;
  }

  /** Moves along with a point; null: stays. */
  follow(point: THREE.Vector3 | null): void {
    if (point && this.followed) {
      const step = point.clone().sub(this.followed);
      this.controls.target.add(step);
      this.orbit.position.add(step);
      this.own.aim(this.controls.target);
    }
    this.followed = point ? point.clone() : null;
  }

  /**
   * `right`, `bottom`: px that something else covers; what is looked at is in the middle of the rest. `spared`: px of the
   * width that it does not fill.
   */
  resize(width: number, height: number, right: number, bottom: number, spared: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.free = [Math.max(0.3, 1 - spared / width), Math.max(0.3, 1 - bottom / height)];
    for (const camera of [this.orbit, this.mounted]) {
      camera.aspect = width / height;
      camera.setViewOffset(width, height, right / 2, bottom / 2, width, height);
    }
  }

  /** Camera and lights of the file move with these. */
  place(links: THREE.Matrix4[]): void {
    if (this.fileCamera) placeCamera(this.mounted, this.fileCamera, links);
    this.links = links;
  }

  /** m, from a height to the last place that its shadow can fall on; null: nobody knows. */
  shadowBelow(height: number): THREE.Vector3 | null {
    const lowest = Math.min(this.floor, this.bounds.min.z);
    if (this.fileLights.group.visible || !Number.isFinite(lowest)) return null;
    const along = this.own.direction;
    return along.multiplyScalar(Math.max(0, height - lowest) / -along.z);
  }

  /** `region`: px, from the lower left, where the last drawing has changed; null: everywhere. */
  draw(region: THREE.Box2 | null = null): void {
    if (region?.isEmpty()) return;
    if (!this.fileCamera) this.keepAboveFloor();
    this.camera.updateMatrixWorld();
    this.fileLights.place(this.links, this.camera);
    this.renderer.setScissorTest(region !== null);
    if (region) {
      const [low, high] = [region.min.floor(), region.max.ceil()];
      this.renderer.setScissor(low.x, low.y, high.x - low.x, high.y - low.y);
    }
    this.renderer.render(this.scene, this.camera);
  }
}
