// Rods: the links of each drawn as one tube, with a faint stripe along it that shows how it is twisted.
import * as THREE from 'three';
import { localMatrix } from './bodies';
import { bodyMaterial, firstHit, movingMesh, paintedColor, type Hit, type Paint } from './look';
import type { GeomMessage, RodMessage, SceneMessage } from './schema';
import { Tube } from './tube';

const STRIPE = 0.6; // of the rod's lightness

interface Link {
  link: number;
  geom: GeomMessage;
  /** m, in the link's frame: where it begins and ends */
  ends: [THREE.Vector3, THREE.Vector3];
  /** a direction across, in the link's frame: where the stripe is */
  side: THREE.Vector3;
}

class Rod {
  readonly mesh: THREE.Mesh;
  readonly links: Link[];
  private readonly tube: Tube;
  private readonly closed: boolean;
  private readonly radius: number;
  private readonly knots: THREE.Vector3[];
  private readonly sideways: THREE.Vector3[];
  private isOriented = false;

  constructor(scene: SceneMessage, rod: RodMessage, fine: boolean) {
    this.links = rod.links.map((link, i) => {
      const geom = scene.geoms[rod.geoms[i]];
      const local = localMatrix(geom, new THREE.Vector3(1, 1, 1));
      const half = geom.size[1];
      const [begin, end] = [-half, half].map((z) => new THREE.Vector3(0, 0, z).applyMatrix4(local));
      return { link, geom, ends: [begin, end], side: new THREE.Vector3().setFromMatrixColumn(local, 0) };
    });
    this.closed = rod.closed;
    this.radius = this.links[0].geom.size[0];
    const knots = this.links.length + (rod.closed ? 0 : 1);
    this.tube = new Tube(knots, rod.closed, fine ? 4 : 2, fine ? 14 : 8);
    this.knots = Array.from({ length: knots }, () => new THREE.Vector3());
    this.sideways = Array.from({ length: knots }, () => new THREE.Vector3());
    const material = bodyMaterial(this.links[0].geom.color[3]);
    material.vertexColors = true;
    this.tube.geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * this.tube.rings * this.tube.sides), 3));
    this.mesh = movingMesh(this.tube.geometry, material);
  }

  /** Geoms may look either way: what is nearer to the next link is where a link ends. */
  private orient(matrices: THREE.Matrix4[]): void {
    const place = (i: number, end: number) => this.links[i].ends[end].clone().applyMatrix4(matrices[this.links[i].link]);
    const middle = (i: number) => place(i, 0).lerp(place(i, 1), 0.5);
    this.links.forEach(({ ends }, i) => {
      const isLast = i + 1 === this.links.length;
      const other = middle(isLast ? i - 1 : i + 1);
      if (isLast !== place(i, 1).distanceTo(other) > place(i, 0).distanceTo(other)) ends.reverse();
    });
    this.isOriented = true;
  }

  /** Stretch i of the tube is link i: knot i is where that begins and the one before ends. */
  place(matrices: THREE.Matrix4[]): void {
    if (!this.isOriented) this.orient(matrices);
    const n = this.links.length;
    const scratch = new THREE.Vector3();
    this.knots.forEach((knot, i) => {
      const sideways = this.sideways[i].set(0, 0, 0);
      const before = this.closed ? (i + n - 1) % n : i - 1;
      let count = 0;
      knot.set(0, 0, 0);
      for (const [index, end] of [[before, 1], [i, 0]] as const) {
        if (index < 0 || index >= n) continue;
        const { link, ends, side } = this.links[index];
        knot.add(scratch.copy(ends[end]).applyMatrix4(matrices[link]));
        sideways.add(scratch.copy(side).transformDirection(matrices[link]));
        ++count;
      }
      knot.multiplyScalar(1 / count);
      if (sideways.lengthSq() < 1e-6) sideways.copy(scratch); // half a turn of twist: either side will do
    });
    this.tube.update(this.knots, this.sideways, this.radius);
  }

  paint(paint: Paint): void {
    const color = this.tube.geometry.getAttribute('color');
    const colors = this.links.map(({ geom, link }) => paintedColor(geom, link, paint, this.links[0].link));
    for (let v = 0; v < color.count; ++v) {
      const { r, g, b } = colors[this.tube.stretchOf(v)];
      const light = v % this.tube.sides === 0 ? STRIPE : 1;
      color.setXYZ(v, light * r, light * g, light * b);
    }
    color.needsUpdate = true;
  }

  linkAt(vertex: number): number {
    return this.links[this.tube.stretchOf(vertex)].link;
  }
}

export class Rods {
  readonly group = new THREE.Group();
  private readonly rods: Rod[];

  constructor(private readonly scene: SceneMessage) {
    const links = scene.rods.reduce((sum, rod) => sum + rod.links.length, 0);
    this.rods = scene.rods.map((rod) => new Rod(scene, rod, links <= 600));
    for (const { mesh } of this.rods) this.group.add(mesh);
  }

  place(matrices: THREE.Matrix4[]): void {
    for (const rod of this.rods) rod.place(matrices);
  }
  paint(paint: Paint): void {
    for (const rod of this.rods) rod.paint(paint);
  }

  pick(ray: THREE.Raycaster, matrices: THREE.Matrix4[]): Hit | null {
    const hit = firstHit(ray, this.rods.map(({ mesh }) => mesh));
    const rod = this.rods.find(({ mesh }) => mesh === hit?.object);
    if (!hit?.face || !rod) return null;
    const body = rod.linkAt(hit.face.a);
    const point = hit.point.clone().applyMatrix4(matrices[body].clone().invert());
    const now = () => point.clone().applyMatrix4(matrices[body]);
    return { body, point: hit.point, distance: hit.distance, grip: { link: this.scene.links[body].number, point, now } };
  }
}
