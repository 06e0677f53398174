// Camera, lights, ground and the drawing itself.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SceneMessage } from './schema';
import { localMatrix } from './bodies';

export interface Theme {
  background: number;
  ground: number;
  line: number;
}
export const LIGHT: Theme = { background: 0xeef1f4, ground: 0xe3e7eb, line: 0xb4bcc6 };
export const DARK: Theme = { background: 0x1b1f24, ground: 0x262b32, line: 0x464e59 };

const AZIMUTH = -58; // degrees, from where a scene is seen at first
const ELEVATION = 22;

/** 1, 2 or 5 times a power of ten, close to x. */
function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/** A lit ground that takes shadows, with lines that fade into the distance. */
function groundMaterial(cell: number, reach: number): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0, side: THREE.DoubleSide });
  const line = { value: new THREE.Color() };
  const far = { value: new THREE.Color() };
  material.userData = { line, far };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { gridLine: line, gridFar: far, gridCell: { value: cell }, gridReach: { value: reach } });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vGrid;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGrid = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        varying vec2 vGrid;
        uniform vec3 gridLine, gridFar;
        uniform float gridCell, gridReach;
        float gridLines(float cell, float width) {
          vec2 p = vGrid / cell;
          vec2 w = fwidth(p);
          vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
          float fade = 1.0 - smoothstep(0.15, 0.5, max(w.x, w.y));
          return (1.0 - min(min(d.x, d.y) / width, 1.0)) * fade;
        }`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, gridLine, 0.55 * gridLines(gridCell, 1.0));
        diffuseColor.rgb = mix(diffuseColor.rgb, gridLine, 0.9 * gridLines(10.0 * gridCell, 1.4));`,
      )
      .replace(
        '#include <opaque_fragment>',
        `#include <opaque_fragment>
        gl_FragColor.rgb = mix(gl_FragColor.rgb, gridFar, smoothstep(0.35, 1.0, length(vGrid) / gridReach));`,
      );
  };
  return material;
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly ground: THREE.MeshStandardMaterial;
  /** What is looked at. */
  readonly focus: THREE.Sphere;
  private free: [number, number] = [1, 1]; // share of width and height that nothing covers
  private followed: THREE.Vector3 | null = null;
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
  ) {
    this.focus = bounds.getBoundingSphere(new THREE.Sphere());
    this.focus.radius = Math.max(this.focus.radius, 1e-4);
    const { radius } = this.focus;
    // A picture of the canvas can be taken at any time only where the drawing is kept.
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.cell = roundNumber(radius / 5);
    this.ground = groundMaterial(this.cell, 14 * radius);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, surface);
    this.controls.enableDamping = false;
    this.controls.maxDistance = 40 * radius;
    this.controls.minDistance = 0.02 * radius;
    this.camera.near = radius / 100;
    this.camera.far = 100 * radius;
    this.addLights(radius);
    this.addGround(scene, radius);
  }

  private addLights(radius: number): void {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xa7adb5, 1.5));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0002;
    this.sun.shadow.normalBias = 0.004 * radius;
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -2.2 * radius;
    camera.right = camera.top = 2.2 * radius;
    camera.near = 0.1 * radius;
    camera.far = 14 * radius;
    this.scene.add(this.sun, this.sun.target);
    this.aimSun(this.focus.center);
  }

  private aimSun(at: THREE.Vector3): void {
    this.sun.target.position.copy(at);
    this.sun.position.set(1.6, -1.1, 3.2).normalize().multiplyScalar(6 * this.focus.radius).add(at);
  }

  private addGround(scene: SceneMessage, radius: number): void {
    const planes = scene.geoms.filter((geom) => geom.shape === 'plane');
    const reach = 14 * radius;
    const add = (half: [number, number]): THREE.Mesh => {
      const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * half[0], 2 * half[1]), this.ground);
      mesh.receiveShadow = true;
      this.scene.add(mesh);
      return mesh;
    };
    for (const plane of planes) {
      // An endless plane, or one larger than what is seen of it, ends where the lines have faded.
      const [x, y] = plane.size;
      const half = (s: number) => (s > 0 && s < 3 * radius ? s : reach);
      const mesh = add([half(x), half(y)]);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(localMatrix(plane, new THREE.Vector3(1, 1, 1)));
      const [, qx, qy] = plane.orientation;
      if (Math.hypot(qx, qy) < 1e-3 && plane.position[2] < this.focus.center.z) this.floor = Math.max(this.floor, plane.position[2]);
    }
    if (planes.length === 0) add([reach, reach]).position.z = this.floor = Math.min(0, this.focus.center.z - this.focus.radius);
  }

  /** From below, an opaque floor hides everything. */
  private keepAboveFloor(): void {
    const lowest = this.floor + 0.02 * this.focus.radius;
    if (this.camera.position.z >= lowest) return;
    this.camera.position.z = lowest;
    this.camera.lookAt(this.controls.target);
  }

  /** The view of another stage. */
  lookAs(other: Stage): void {
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.controls.target.copy(other.controls.target);
    this.aimSun(other.sun.target.position);
  }

  apply(theme: Theme): void {
    this.scene.background = new THREE.Color(theme.background);
    this.ground.color.set(theme.ground);
    const { line, far } = this.ground.userData as { line: { value: THREE.Color }; far: { value: THREE.Color } };
    line.value.set(theme.line);
    far.value.set(theme.background);
  }

  /** The whole scene; azimuth and elevation in degrees (null: the usual ones), zoom 2: twice as large. */
  reset(azimuth: number | null = null, elevation: number | null = null, zoom = 1): void {
    this.followed = null;
    const polar = THREE.MathUtils.degToRad(90 - (elevation ?? ELEVATION));
    const turn = THREE.MathUtils.degToRad(azimuth ?? AZIMUTH);
    const back = new THREE.Vector3(Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar));
    this.controls.target.copy(this.focus.center);
    this.camera.position.copy(back).multiplyScalar(this.distance(back) / zoom).add(this.focus.center);
    this.controls.update();
    this.aimSun(this.focus.center);
  }

  /** m, from which the whole box is in the free part of the picture, seen along -back. */
  private distance(back: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, back).normalize();
    const up = new THREE.Vector3().crossVectors(back, right);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const half = this.bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    let distance = 0.1 * this.focus.radius;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new THREE.Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).multiply(half);
      const x = Math.abs(p.dot(right)) / (slope * this.camera.aspect * this.free[0]);
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
      this.camera.position.add(step);
      this.aimSun(this.controls.target);
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
    this.camera.aspect = width / height;
    this.free = [Math.max(0.3, 1 - spared / width), Math.max(0.3, 1 - bottom / height)];
    this.camera.setViewOffset(width, height, right / 2, bottom / 2, width, height);
  }

  draw(): void {
    this.keepAboveFloor();
    this.renderer.render(this.scene, this.camera);
  }
}
