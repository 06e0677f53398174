// Textures of the model's file, laid onto bodies as MuJoCo does.
import * as THREE from 'three';
import type { AppearanceMessage, GeomMessage, TextureMessage, Triple } from './schema';

/** A texture on a geom: place = coordinates of the geometry times `scale`, or what the file says of each corner. */
export interface Laid {
  texture: number;
  kind: 'flat' | 'cube';
  scale: Triple;
  /** by the file's own places */
  placed: boolean;
}

async function decode({ png }: TextureMessage): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  return image;
}

/** The squares of a cube. */
function sides(image: HTMLImageElement): HTMLCanvasElement[] {
  const size = image.naturalWidth;
  return [0, 1, 2, 3, 4, 5].map((side) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    canvas.getContext('2d')!.drawImage(image, 0, side * size, size, size, 0, 0, size, size);
    return canvas;
  });
}

/** The mean colour of a sky at the height of the eye. */
function horizonOf(squares: HTMLCanvasElement[]): THREE.Color {
  const size = squares[0].width;
  const sum = [0, 0, 0];
  const around = [0, 1, 4, 5]; // not +y and -y, which are above and below
  for (const side of around) {
    const { data } = squares[side].getContext('2d')!.getImageData(0, size >> 1, size, 1);
    for (let i = 0; i < data.length; ++i) if (i % 4 < 3) sum[i % 4] += data[i] / (255 * size * around.length);
  }
  return new THREE.Color().setRGB(sum[0], sum[1], sum[2], THREE.SRGBColorSpace);
}

export class Textures {
  /** 1: textures are shown, 0: colours alone */
  readonly share = { value: 1 };
  sky: THREE.CubeTexture | null = null;
  horizon: THREE.Color | null = null;
  private readonly list: THREE.Texture[] = [];

  private constructor(private readonly appearance: AppearanceMessage) {}

  static async load(appearance: AppearanceMessage): Promise<Textures> {
    const out = new Textures(appearance);
    for (const message of appearance.textures) {
      const image = await decode(message);
      const squares = message.kind === 'flat' ? [] : sides(image);
      const texture = message.kind === 'flat' ? new THREE.Texture(image) : new THREE.CubeTexture(squares);
      texture.colorSpace = THREE.SRGBColorSpace;
      texture.flipY = false; // the first row is at 0, as in OpenGL
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.anisotropy = 8;
      texture.needsUpdate = true;
      out.list.push(texture);
      if (message.kind !== 'sky') continue;
      out.sky = texture as THREE.CubeTexture;
      out.horizon = horizonOf(squares);
    }
    return out;
  }

  get any(): boolean {
    return this.list.length > 0;
  }

  /** Anisotropic filters keep a floor sharp in the distance; Mesa's llvmpipe draws arcs around large texels with them. */
  fitTo(renderer: THREE.WebGLRenderer): void {
    const gl = renderer.getContext();
    const names = gl.getExtension('WEBGL_debug_renderer_info');
    const name = names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
    if (/llvmpipe/.test(name)) for (const texture of this.list) texture.anisotropy = 1;
  }

  /** `unit`: m of a unit of the geometry; `half`: m, half sizes of the geom. Null: it has no texture. */
  of(geom: GeomMessage, unit: Triple, half: Triple, hasPlaces: boolean): Laid | null {
    const material = geom.material === undefined ? undefined : this.appearance.materials[geom.material];
    const message = material && this.appearance.textures[material.texture];
    if (!material || !message) return null;
    const { uniform, repeat } = material;
    const flat = message.kind === 'flat';
    const scale = unit.map((u, i) => {
      if (flat) return i === 2 ? 0 : (0.5 * repeat[i] * u) / (uniform || !(half[i] > 0) ? 1 : half[i]);
      if (geom.shape === 'mesh') return uniform ? u * half[i] : u;
      return uniform || !(half[i] > 0) ? u : u / half[i];
    }) as Triple;
    return { texture: material.texture, kind: flat ? 'flat' : 'cube', scale, placed: flat && hasPlaces };
  }

  /** Lays a texture onto a material. */
  apply(material: THREE.Material, { texture, kind, scale, placed }: Laid): void {
    const uniforms = { fileTexture: { value: this.list[texture] }, placeScale: { value: new THREE.Vector3(...scale) }, textureShare: this.share };
    const texel = kind === 'cube' ? 'textureCube(fileTexture, vPlace)' : `texture2D(fileTexture, ${placed ? 'vPlace.xy' : 'vec2(vPlace.x - 0.5, -vPlace.y - 0.5)'})`;
    const before = material.onBeforeCompile.bind(material);
    const key = material.customProgramCacheKey();
    material.onBeforeCompile = (shader, renderer) => {
      before(shader, renderer);
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;\nuniform vec3 placeScale;')
        .replace('#include <begin_vertex>', `#include <begin_vertex>\nvPlace = ${placed ? 'vec3(uv, 0.0)' : 'position * placeScale'};`);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\nvarying vec3 vPlace;\nuniform ${kind === 'cube' ? 'samplerCube' : 'sampler2D'} fileTexture;\nuniform float textureShare;`)
        .replace('#include <color_fragment>', `#include <color_fragment>\ndiffuseColor.rgb *= mix(vec3(1.0), ${texel}.rgb, textureShare);`);
    };
    material.customProgramCacheKey = () => `texture ${kind} ${placed} ${key}`;
  }
}

/** What is behind everything: seen along (x, z, -y), as MuJoCo has it. */
export function skyMesh(sky: THREE.CubeTexture): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    uniforms: { sky: { value: sky } },
    vertexShader: 'varying vec3 vRay; void main() { vRay = position; gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0); gl_Position.z = 0.999999 * gl_Position.w; }',
    fragmentShader: 'uniform samplerCube sky; varying vec3 vRay; void main() { gl_FragColor = vec4(textureCube(sky, vec3(vRay.x, vRay.z, -vRay.y)).rgb, 1.0);\n#include <colorspace_fragment>\n}',
    side: THREE.BackSide,
    depthWrite: false,
  });
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = -1;
  return mesh;
}
