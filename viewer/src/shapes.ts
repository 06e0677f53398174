// Geometry of the shapes: each a unit shape with a scale where that is possible, so that many share one.
import * as THREE from 'three';
import { fromBase64, inflate } from './block';
import { DataError, type GeomMessage, type MeshMessage, type SceneMessage, type Triple } from './schema';

export interface ShapeForm {
  /** equal keys share a geometry */
  key: string;
  make: () => THREE.BufferGeometry;
  scale: THREE.Vector3;
}

async function meshGeometry(mesh: MeshMessage, index: number): Promise<THREE.BufferGeometry> {
  const buffer = await inflate(fromBase64(mesh.data));
  const { vertices, faces, textured } = mesh;
  if (buffer.byteLength !== 12 * (vertices + faces) + (textured ? 24 * faces : 0)) throw new DataError(`mesh ${index} has not the size it states`);
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute('position', new THREE.BufferAttribute(new Float32Array(buffer, 0, 3 * vertices), 3));
  indexed.setIndex(new THREE.BufferAttribute(new Uint32Array(buffer, 12 * vertices, 3 * faces), 1));
  const geometry = creased(indexed);
  if (textured) geometry.setAttribute('uv', new THREE.BufferAttribute(new Float32Array(buffer, 12 * (vertices + faces), 6 * faces), 2));
  return geometry;
}

/** Says that a surface is closed and its faces look outwards. */
function solid(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  geometry.userData.solid = true;
  return geometry;
}
export const isSolid = (geometry: THREE.BufferGeometry) => geometry.userData.solid === true;

const CREASE = Math.cos((35 * Math.PI) / 180);

/** Normals that are smooth over gentle bends and sharp over edges. */
function creased(indexed: THREE.BufferGeometry): THREE.BufferGeometry {
  const index = indexed.index!.array;
  const at = indexed.getAttribute('position').array;
  const count = index.length / 3;
  const faceNormal = new Float32Array(3 * count); // as long as twice the area
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const around = new Map<string, number[]>(); // faces around a place; doubled vertices are one place
  const keyOf = (v: number) => `${at[3 * v].toPrecision(6)},${at[3 * v + 1].toPrecision(6)},${at[3 * v + 2].toPrecision(6)}`;
  const keys: string[] = [];
  const edges = new Set<string>(); // from one place to another, of faces that no other face meets there yet
  let volume = 0; // six times
  for (let v = 0; v < at.length / 3; ++v) keys.push(keyOf(v));
  for (let f = 0; f < count; ++f) {
    a.fromArray(at, 3 * index[3 * f]);
    b.fromArray(at, 3 * index[3 * f + 1]).sub(a);
    c.fromArray(at, 3 * index[3 * f + 2]).sub(a);
    b.cross(c).toArray(faceNormal, 3 * f);
    for (let k = 0; k < 3; ++k) {
      const key = keys[index[3 * f + k]];
      const list = around.get(key);
      if (list) list.push(f);
      else around.set(key, [f]);
      const next = keys[index[3 * f + ((k + 1) % 3)]];
      if (!edges.delete(`${next} ${key}`)) edges.add(`${key} ${next}`);
    }
    volume += a.dot(b);
  }
  const out = indexed.toNonIndexed();
  if (edges.size === 0 && volume > 0) solid(out);
  const normals = new Float32Array(9 * count);
  for (let f = 0; f < count; ++f) {
    a.fromArray(faceNormal, 3 * f).normalize();
    for (let k = 0; k < 3; ++k) {
      c.set(0, 0, 0);
      for (const other of around.get(keys[index[3 * f + k]])!) {
        b.fromArray(faceNormal, 3 * other);
        if (b.dot(a) >= CREASE * b.length()) c.add(b);
      }
      c.normalize().toArray(normals, 9 * f + 3 * k);
    }
  }
  out.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  return out;
}

const upright = (geometry: THREE.BufferGeometry) => geometry.rotateX(Math.PI / 2); // three.js has y up, we have z up

/** Round shapes are drawn with one of these numbers of corners around them: few numbers, so that many geoms share one shape. */
const CORNERS = [10, 12, 16, 20, 24, 36, 48];
const BEND = 1 / 3000; // largest distance of a shape that is drawn from a round one, of the radius of the scene

export class ShapeLibrary {
  private readonly meshes: THREE.BufferGeometry[] = [];
  private readonly mostCorners: number;

  constructor(geoms: number) {
    this.mostCorners = geoms > 400 ? 16 : geoms > 100 ? 24 : 48;
  }

  async prepare(scene: SceneMessage): Promise<void> {
    for (const [index, mesh] of scene.meshes.entries()) this.meshes.push(await meshGeometry(mesh, index));
  }

  /** Around a shape of this radius in a scene of `size`, m. */
  private corners(radius: number, size: number): number {
    const needed = Math.PI / Math.acos(Math.max(0, 1 - (BEND * size) / radius));
    return Math.min(this.mostCorners, CORNERS.find((n) => n >= needed) ?? this.mostCorners);
  }

  /** `size`: m, radius of the scene. */
  form(geom: GeomMessage, size: number): ShapeForm {
    const [x, y, z] = geom.size;
    const n = this.corners(geom.shape === 'ellipsoid' ? Math.max(x, y, z) : x, size);
    switch (geom.shape) {
      case 'sphere':
      case 'ellipsoid':
        return {
          key: `sphere ${n}`,
          make: () => solid(upright(new THREE.SphereGeometry(1, n, n / 2))),
          scale: geom.shape === 'sphere' ? new THREE.Vector3(x, x, x) : new THREE.Vector3(x, y, z),
        };
      case 'box':
        return { key: 'box', make: () => solid(new THREE.BoxGeometry(2, 2, 2)), scale: new THREE.Vector3(x, y, z) };
      case 'cylinder':
        return { key: `cylinder ${n}`, make: () => solid(upright(new THREE.CylinderGeometry(1, 1, 2, 2 * n))), scale: new THREE.Vector3(x, x, y) };
      case 'capsule': {
        const ratio = y / x;
        return {
          key: `capsule ${n} ${ratio.toPrecision(6)}`,
          make: () => solid(upright(new THREE.CapsuleGeometry(1, 2 * ratio, Math.ceil(n / 4), n))),
          scale: new THREE.Vector3(x, x, x),
        };
      }
      case 'mesh':
        return { key: `mesh ${geom.mesh}`, make: () => this.meshes[geom.mesh ?? -1], scale: new THREE.Vector3(1, 1, 1) };
      case 'plane':
      case 'skin':
        throw new DataError('planes are part of the ground, and skins are drawn from their vertices');
    }
  }

  /** Half sizes, m, by which textures are stretched; 0: endless. */
  halfSize(geom: GeomMessage): Triple {
    const [x, y] = geom.size;
    switch (geom.shape) {
      case 'sphere': return [x, x, x];
      case 'capsule': return [x, x, x + y];
      case 'cylinder': return [x, x, y];
      default: return geom.size;
    }
  }

  /** m, radius about the geom's frame. */
  radius(geom: GeomMessage): number {
    const [x, y, z] = geom.size;
    switch (geom.shape) {
      case 'sphere': return x;
      case 'capsule': return x + y;
      case 'cylinder': return Math.hypot(x, y);
      case 'box': return Math.hypot(x, y, z);
      case 'ellipsoid': return Math.max(x, y, z);
      case 'plane':
      case 'skin': return 0;
      case 'mesh': {
        const mesh = this.meshes[geom.mesh ?? -1];
        mesh.computeBoundingSphere();
        return mesh.boundingSphere!.center.length() + mesh.boundingSphere!.radius;
      }
    }
  }
}
