// Colours and materials of bodies.
import * as THREE from 'three';
import type { GeomMessage } from './schema';

const UNCOLORED = 0.5; // MuJoCo's default grey, that is: no colour was given
const STATIC_COLOR = new THREE.Color(0x9aa3ad);
const HIGHLIGHT = new THREE.Color(0xff9500);

/** How bodies are to be coloured. */
export interface Paint {
  byBody: boolean;
  /** -1: none */
  selected: number;
}

/** Well-spread hues: each next one is a golden angle further. */
function bodyColor(body: number): THREE.Color {
  if (body < 0) return STATIC_COLOR.clone();
  const hue = (0.58 + body * 0.381966) % 1;
  const lightness = [0.52, 0.62, 0.44][Math.floor(body / 7) % 3];
  return new THREE.Color().setHSL(hue, 0.7, lightness);
}

function isUncolored(color: readonly number[]): boolean {
  return color.slice(0, 3).every((c) => Math.abs(c - UNCOLORED) < 2e-3);
}

/** The colour of a body with this geom (undefined: it has none); `hue`: the body whose hue it takes where colours are by body. */
export function paintedColor(geom: GeomMessage | undefined, body: number, paint: Paint, hue = body): THREE.Color {
  const out = new THREE.Color();
  if (!geom || paint.byBody || isUncolored(geom.color)) out.copy(bodyColor(hue));
  else out.setRGB(geom.color[0], geom.color[1], geom.color[2], THREE.SRGBColorSpace);
  if (body >= 0 && body === paint.selected) out.lerp(HIGHLIGHT, 0.9);
  return out;
}

/** `solid`: its surface is closed, so that the side within is seen only through it. */
export function bodyMaterial(alpha: number, solid = false): THREE.MeshPhongMaterial {
  return new THREE.MeshPhongMaterial({
    specular: 0x202020,
    shininess: 45,
    side: solid && alpha === 1 ? THREE.FrontSide : THREE.DoubleSide,
    shadowSide: THREE.BackSide,
    transparent: alpha < 1,
    opacity: alpha,
    depthWrite: alpha > 0.6,
  });
}

/** A mesh whose vertices change in every frame. */
export function movingMesh(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false; // its bounds would have to be found again in every frame
  mesh.castShadow = material.opacity > 0.6;
  mesh.receiveShadow = true;
  return mesh;
}

/** What is under the mouse. */
export interface Hit {
  body: number;
  /** m, where the ray meets it */
  point: THREE.Vector3;
  distance: number;
  /** by which it can be pulled: a point of a link of the simulation, in the link's frame; null: it is fixed */
  grip: { link: number; point: THREE.Vector3; /** m, where that is drawn by now */ now: () => THREE.Vector3 } | null;
}

/** The first thing that a ray meets, of meshes that have changed since the last time. */
export function firstHit(ray: THREE.Raycaster, meshes: THREE.Mesh[]): THREE.Intersection | undefined {
  for (const mesh of meshes) mesh.geometry.boundingSphere = null;
  return ray.intersectObjects(meshes, false)[0];
}
