// The rigid bodies of a scene: one instanced mesh for all geoms that share a shape.
import * as THREE from 'three';
import { bodyMaterial, paintedColor, type Hit, type Paint } from './look';
import type { GeomMessage, SceneMessage } from './schema';
import { isSolid, type ShapeLibrary } from './shapes';
import type { Laid, Textures } from './textures';

const FIRST_COLLISION_GROUP = 3; // MuJoCo's habit: groups 0 to 2 are looked at, the rest collides
const WALL_ALPHA = 0.16;
const COLLISION_ALPHA = 0.4; // over what is looked at

interface Item {
  geom: number;
  link: number;
  local: THREE.Matrix4;
}

/** What is drawn at once: geoms of one shape, one transparency and one texture. */
interface Batched {
  geometry: THREE.BufferGeometry;
  alpha: number;
  items: Item[];
  collision: boolean;
  laid: Laid | null;
}

interface Batch {
  mesh: THREE.InstancedMesh;
  items: Item[];
  collision: boolean;
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
  private readonly scratch = new THREE.Matrix4();

  constructor(
    private readonly scene: SceneMessage,
    library: ShapeLibrary,
    focus: THREE.Sphere,
    private readonly textures: Textures,
  ) {
    this.linkMatrix = scene.links.map(() => new THREE.Matrix4());
    const lists = new Map<string, Batched>();
    const ofTubes = new Set(scene.rods.flatMap((rod) => rod.geoms));
    const isDrawn = (geom: GeomMessage, index: number) =>
      geom.shape !== 'plane' && geom.shape !== 'skin' && geom.color[3] > 0 && !ofTubes.has(index);
    const anyVisual =
      scene.softs.length > 0 || scene.rods.length > 0 || scene.geoms.some((geom, index) => isDrawn(geom, index) && geom.group < FIRST_COLLISION_GROUP);
    scene.geoms.forEach((geom, index) => {
      if (!isDrawn(geom, index)) return;
      const form = library.form(geom, focus.radius);
      const collision = geom.group >= FIRST_COLLISION_GROUP;
      const local = localMatrix(geom, form.scale);
      const own = isWall(geom, local, library, focus) ? WALL_ALPHA : geom.color[3];
      const alpha = collision && anyVisual ? Math.min(own, COLLISION_ALPHA) : own;
      const hasPlaces = geom.mesh !== undefined && scene.meshes[geom.mesh].textured;
      const laid = textures.of(geom, form.scale.toArray(), library.halfSize(geom), hasPlaces);
      const key = `${form.key}|${alpha}|${collision}|${JSON.stringify(laid)}`;
      let list = lists.get(key);
      if (!list) {
        list = { geometry: form.make(), alpha, items: [], collision, laid };
        lists.set(key, list);
      }
      list.items.push({ geom: index, link: geom.link, local });
    });
    for (const list of lists.values()) this.addBatch(list);
    this.showCollision(!anyVisual);
  }

  private addBatch({ geometry, alpha, items, collision, laid }: Batched): void {
    const material = bodyMaterial(alpha, isSolid(geometry));
    if (laid) this.textures.apply(material, laid);
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

  paint(paint: Paint): void {
    for (const { mesh, items } of this.batches) {
      items.forEach(({ geom, link }, i) => mesh.setColorAt(i, paintedColor(this.scene.geoms[geom], link, paint)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  /** What moves and is under a ray; null: nothing. */
  pick(ray: THREE.Raycaster): Hit | null {
    const shown = this.batches.filter((batch) => batch.mesh.visible);
    for (const { mesh } of shown) mesh.boundingSphere = null; // they have moved since the last time
    const hit = ray.intersectObjects(shown.map((batch) => batch.mesh), false)[0];
    const batch = shown.find(({ mesh }) => mesh === hit?.object);
    const link = batch && hit.instanceId !== undefined ? batch.items[hit.instanceId].link : -1;
    if (link < 0) return null;
    const point = hit.point.clone().applyMatrix4(this.linkMatrix[link].clone().invert());
    const now = () => point.clone().applyMatrix4(this.linkMatrix[link]);
    return { body: link, point: hit.point, distance: hit.distance, grip: { link: this.scene.links[link].number, point, now } };
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
