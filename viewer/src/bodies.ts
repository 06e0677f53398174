// The bodies of a scene: one instanced mesh for all geoms that share a shape.
import * as THREE from 'three';
import type { GeomMessage, SceneMessage } from './schema';
import type { ShapeLibrary } from './shapes';

const FIRST_COLLISION_GROUP = 3; // MuJoCo's habit: groups 0 to 2 are looked at, the rest collides
const UNCOLORED = 0.5; // MuJoCo's default grey, that is: no colour was given
const WALL_ALPHA = 0.16;
const STATIC_COLOR = new THREE.Color(0x9aa3ad);

interface Item {
  geom: number;
  link: number;
  local: THREE.Matrix4;
  color: THREE.Color;
}

interface Batch {
  mesh: THREE.InstancedMesh;
  items: Item[];
  collision: boolean;
}

/** Well-spread hues: each next one is a golden angle further. */
function bodyColor(link: number): THREE.Color {
  if (link < 0) return STATIC_COLOR.clone();
  const hue = (0.58 + link * 0.381966) % 1;
  const lightness = [0.52, 0.62, 0.44][Math.floor(link / 7) % 3];
  return new THREE.Color().setHSL(hue, 0.7, lightness);
}

function isUncolored(geom: GeomMessage): boolean {
  return geom.color.slice(0, 3).every((c) => Math.abs(c - UNCOLORED) < 2e-3);
}

export function localMatrix(geom: GeomMessage, scale: THREE.Vector3): THREE.Matrix4 {
  const [w, x, y, z] = geom.orientation;
  return new THREE.Matrix4().compose(new THREE.Vector3(...geom.position), new THREE.Quaternion(x, y, z, w), scale);
}

/** A wall that stands in the way of the view: it is fixed, large, and higher than what happens before or behind it. */
function isWall(geom: GeomMessage, local: THREE.Matrix4, library: ShapeLibrary, focus: THREE.Sphere): boolean {
  if (geom.link >= 0 || geom.shape !== 'box' || library.radius(geom) < 0.5 * focus.radius) return false;
  const box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)).applyMatrix4(local);
  return box.max.z > focus.center.z;
}

export class Bodies {
  readonly group = new THREE.Group();
  /** Where the links are drawn. */
  readonly linkMatrix: THREE.Matrix4[];
  private readonly batches: Batch[] = [];
  private selected = -1;
  private colorsByBody = false;
  private readonly scratch = new THREE.Matrix4();

  constructor(
    private readonly scene: SceneMessage,
    library: ShapeLibrary,
    focus: THREE.Sphere,
  ) {
    this.linkMatrix = scene.links.map(() => new THREE.Matrix4());
    const lists = new Map<string, { geometry: THREE.BufferGeometry; alpha: number; items: Item[]; collision: boolean }>();
    scene.geoms.forEach((geom, index) => {
      if (geom.shape === 'plane' || geom.color[3] === 0) return;
      const form = library.form(geom);
      const collision = geom.group >= FIRST_COLLISION_GROUP;
      const local = localMatrix(geom, form.scale);
      const alpha = isWall(geom, local, library, focus) ? WALL_ALPHA : geom.color[3];
      const key = `${form.key}|${alpha}|${collision}`;
      let list = lists.get(key);
      if (!list) {
        list = { geometry: form.make(), alpha, items: [], collision };
        lists.set(key, list);
      }
      list.items.push({ geom: index, link: geom.link, local, color: new THREE.Color() });
    });
    for (const { geometry, alpha, items, collision } of lists.values()) this.addBatch(geometry, alpha, items, collision);
    const anyVisual = this.batches.some((batch) => !batch.collision);
    this.showCollision(!anyVisual);
    this.paint();
  }

  private addBatch(geometry: THREE.BufferGeometry, alpha: number, items: Item[], collision: boolean): void {
    const material = new THREE.MeshPhongMaterial({
      specular: 0x202020,
      shininess: 45,
      side: THREE.DoubleSide,
      shadowSide: THREE.BackSide,
      transparent: alpha < 1,
      opacity: alpha,
      depthWrite: alpha > 0.6,
    });
    const mesh = new THREE.InstancedMesh(geometry, material, items.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false; // its bounds would have to be found again in every frame
    mesh.castShadow = alpha > 0.6;
    mesh.receiveShadow = true;
    items.forEach((item, i) => mesh.setMatrixAt(i, item.local));
    this.batches.push({ mesh, items, collision });
    this.group.add(mesh);
  }

  /** Puts everything where the links are. */
  place(): void {
    for (const { mesh, items } of this.batches) {
      for (let i = 0; i < items.length; ++i) {
        const { link, local } = items[i];
        if (link >= 0) mesh.setMatrixAt(i, this.scratch.multiplyMatrices(this.linkMatrix[link], local));
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  showCollision(shown: boolean): void {
    for (const batch of this.batches) if (batch.collision) batch.mesh.visible = shown;
  }
  get hasCollision(): boolean {
    return this.batches.some((batch) => batch.collision);
  }

  colorByBody(on: boolean): void {
    this.colorsByBody = on;
    this.paint();
  }

  select(link: number): void {
    this.selected = link;
    this.paint();
  }

  private paint(): void {
    const highlight = new THREE.Color(0xff9500);
    for (const { mesh, items } of this.batches) {
      items.forEach((item, i) => {
        const geom = this.scene.geoms[item.geom];
        const [r, g, b] = geom.color;
        if (this.colorsByBody || isUncolored(geom)) item.color.copy(bodyColor(item.link));
        else item.color.setRGB(r, g, b, THREE.SRGBColorSpace);
        if (item.link >= 0 && item.link === this.selected) item.color.lerp(highlight, 0.9);
        mesh.setColorAt(i, item.color);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  /** The link under a ray, and the point of it that is hit; null: nothing that moves. */
  pick(ray: THREE.Raycaster): { link: number; point: THREE.Vector3 } | null {
    const shown = this.batches.filter((batch) => batch.mesh.visible);
    for (const { mesh } of shown) mesh.boundingSphere = null; // they have moved since the last time
    const hit = ray.intersectObjects(shown.map((batch) => batch.mesh), false)[0];
    const batch = shown.find(({ mesh }) => mesh === hit?.object);
    const link = batch && hit.instanceId !== undefined ? batch.items[hit.instanceId].link : -1;
    return link >= 0 ? { link, point: hit.point } : null;
  }

  /** Where a geom is drawn: x, y, z; null: it is not drawn as an instance (a plane). */
  geomPosition(geom: number): number[] | null {
    for (const { mesh, items } of this.batches) {
      const i = items.findIndex((item) => item.geom === geom);
      if (i < 0) continue;
      mesh.getMatrixAt(i, this.scratch);
      return new THREE.Vector3().setFromMatrixPosition(this.scratch).toArray();
    }
    return null;
  }
}
