// Light: our own, or that of the model's file.
import * as THREE from 'three';
import { placeLight } from './mounts';
import type { AppearanceMessage, LightMessage } from './schema';

const MOST_SHADOWS = 2; // of the file's lights
const SHADOW_PIXELS = 2048;

function castShadow(light: THREE.DirectionalLight | THREE.SpotLight, radius: number): void {
  light.castShadow = true;
  light.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
  light.shadow.bias = -0.0002;
  light.shadow.normalBias = 0.004 * radius;
  if (light instanceof THREE.SpotLight) return;
  const camera = light.shadow.camera;
  camera.left = camera.bottom = -2.2 * radius;
  camera.right = camera.top = 2.2 * radius;
  camera.near = 0.1 * radius;
  camera.far = 14 * radius;
}

/** A sun and the light of the sky, which suit every scene. */
export class OwnLights {
  readonly group = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);

  constructor(private readonly focus: THREE.Sphere) {
    castShadow(this.sun, focus.radius);
    this.group.add(new THREE.HemisphereLight(0xffffff, 0xa7adb5, 1.5), this.sun, this.sun.target);
  }

  /** Where the shadows are. */
  aim(at: THREE.Vector3): void {
    this.sun.target.position.copy(at);
    this.sun.position.set(1.6, -1.1, 3.2).normalize().multiplyScalar(6 * this.focus.radius).add(at);
  }
  get aimedAt(): THREE.Vector3 {
    return this.sun.target.position;
  }
  /** Along which shadows fall; of length 1. */
  get direction(): THREE.Vector3 {
    return this.sun.target.position.clone().sub(this.sun.position).normalize();
  }
}

// MuJoCo multiplies colours as they are shown, three.js the light that they stand for, which a surface spreads over a half
// sphere (pi).
const colorOf = (rgb: readonly number[]) => new THREE.Color().setRGB(rgb[0], rgb[1], rgb[2], THREE.SRGBColorSpace);

export class FileLights {
  readonly group = new THREE.Group();
  private readonly list: { message: LightMessage; light: THREE.DirectionalLight | THREE.SpotLight }[] = [];
  private readonly direction = new THREE.Vector3();

  constructor(
    { lights, headlight }: AppearanceMessage,
    private readonly focus: THREE.Sphere,
  ) {
    let shadows = 0;
    const ambient = [0, 0, 0];
    for (const message of headlight ? [headlight, ...lights] : lights) {
      const light = message.directional ? new THREE.DirectionalLight() : new THREE.SpotLight();
      light.color.copy(colorOf(message.diffuse));
      light.intensity = Math.PI;
      if (light instanceof THREE.SpotLight) {
        light.angle = (Math.min(message.cutoff, 89) * Math.PI) / 180;
        light.penumbra = 1;
        light.decay = message.attenuation[2] > 0 ? 2 : message.attenuation[1] > 0 ? 1 : 0;
      }
      if (message.shadow && shadows++ < MOST_SHADOWS) castShadow(light, focus.radius);
      message.ambient.forEach((part, k) => (ambient[k] += part));
      this.list.push({ message, light });
      this.group.add(light, light.target);
    }
    this.group.add(new THREE.AmbientLight(colorOf(ambient), Math.PI));
    this.group.visible = false;
  }

  get any(): boolean {
    return this.list.length > 0;
  }

  place(links: THREE.Matrix4[], camera: THREE.Camera): void {
    if (!this.group.visible) return;
    for (const { message, light } of this.list) {
      placeLight(message, links, camera, light.position, this.direction);
      light.target.position.copy(light.position).add(this.direction);
      if (!message.directional) continue;
      // Sun that comes from anywhere: its shadows are wanted where the bodies are.
      light.target.position.copy(this.focus.center);
      light.position.copy(this.focus.center).addScaledVector(this.direction, -6 * this.focus.radius);
    }
  }
}
