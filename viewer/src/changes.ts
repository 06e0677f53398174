// What of a picture differs from the last one: for a film, the rest need not be drawn again.
import * as THREE from 'three';
import type { SceneMessage } from './schema';
import type { ShapeLibrary } from './shapes';
import type { SoftBodies } from './soft_bodies';
import type { Stage } from './stage';

const SPARE = 0.01; // of the radius of the scene, around what moves: soft edges of shadows, bends of tubes
const MARGIN = 2; // px, of what is smoothed

interface Ball {
  link: number;
  centre: THREE.Vector3;
  radius: number;
}

/** What was drawn last. */
interface Drawn {
  links: THREE.Matrix4[];
  softs: THREE.Box3[];
  view: THREE.Matrix4;
}

export class Changes {
  private readonly balls: Ball[]; // around the geoms of links, in their frames
  private readonly spare: number;
  private last: Drawn | null = null;
  private readonly point = new THREE.Vector3();
  private readonly corner = new THREE.Vector3();

  constructor(
    scene: SceneMessage,
    library: ShapeLibrary,
    private readonly links: THREE.Matrix4[],
    private readonly softs: SoftBodies,
    private readonly stage: Stage,
  ) {
    this.spare = SPARE * stage.focus.radius;
    this.balls = scene.geoms
      .filter(({ link }) => link >= 0)
      .map((geom) => ({ link: geom.link, centre: new THREE.Vector3(...geom.position), radius: library.radius(geom) + this.spare }));
  }

  /** What will be drawn next is drawn whole. */
  forget(): void {
    this.last = null;
  }

  /** px, from the lower left of the drawing; empty: nothing has changed; null: everything may have. */
  region(): THREE.Box2 | null {
    const { camera } = this.stage;
    camera.updateMatrixWorld();
    const before = this.last;
    const now: Drawn = {
      links: this.links.map((matrix) => matrix.clone()),
      softs: this.softs.list.map((soft) => soft.box().expandByScalar(this.spare)),
      view: camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse),
    };
    this.last = now;
    if (!before || !before.view.equals(now.view)) return null;
    const out = new THREE.Box2();
    let seen = true; // no part of it is beside or behind the eye
    const include = (box: THREE.Box3) => (seen = this.include(box, now.view, out) && seen);
    const box = new THREE.Box3();
    for (const { link, centre, radius } of this.balls) {
      if (before.links[link].equals(now.links[link])) continue;
      for (const { links } of [before, now]) {
        box.setFromCenterAndSize(this.point.copy(centre).applyMatrix4(links[link]), this.corner.setScalar(2 * radius));
        include(box);
      }
    }
    for (const { softs } of [before, now]) softs.forEach(include);
    if (!seen) return null;
    return out.isEmpty() ? out : out.expandByScalar(MARGIN);
  }

  /** A box and all that may be in its shadow. False: that is not in front of the eye. */
  private include(box: THREE.Box3, view: THREE.Matrix4, out: THREE.Box2): boolean {
    const { stage, corner } = this;
    const along = stage.shadowBelow(box.max.z);
    if (!along) return false;
    const size = stage.renderer.getSize(new THREE.Vector2());
    for (let k = 0; k < 16; ++k) {
      corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
      if (k & 8) corner.add(along);
      const { elements: e } = view;
      const depth = e[3] * corner.x + e[7] * corner.y + e[11] * corner.z + e[15];
      if (!(depth > stage.camera.near)) return false;
      corner.applyMatrix4(view);
      out.expandByPoint(new THREE.Vector2(0.5 + 0.5 * corner.x, 0.5 + 0.5 * corner.y).multiply(size));
    }
    return true;
  }
}
