// A round tube through given points, with round ends.
import * as THREE from 'three';

const CAP = 4; // rings of a round end

/** Geometry of a tube: a cubic spline whose tangent at each knot is the mean of the two chords'. */
export class Tube {
  readonly geometry = new THREE.BufferGeometry();
  /** The stretch between two knots that each ring belongs to. */
  private readonly stretchOfRing: number[] = [];
  private readonly position: Float32Array;
  private readonly normal: Float32Array;
  private readonly stretches: number;
  private ring = 0; // that is written next

  constructor(
    private readonly knots: number,
    private readonly closed: boolean,
    private readonly pieces: number, // of a stretch
    readonly sides: number,
  ) {
    this.stretches = closed ? knots : knots - 1;
    const cap = closed ? 0 : CAP;
    for (let i = 0; i < cap; ++i) this.stretchOfRing.push(0);
    for (let i = 0; i < this.stretches * pieces + (closed ? 0 : 1); ++i) {
      this.stretchOfRing.push(Math.min(this.stretches - 1, Math.floor(i / pieces)));
    }
    for (let i = 0; i < cap; ++i) this.stretchOfRing.push(this.stretches - 1);
    const rings = this.stretchOfRing.length;
    this.position = new Float32Array(3 * rings * sides);
    this.normal = new Float32Array(3 * rings * sides);
    this.geometry.setAttribute('position', new THREE.BufferAttribute(this.position, 3).setUsage(THREE.DynamicDrawUsage));
    this.geometry.setAttribute('normal', new THREE.BufferAttribute(this.normal, 3).setUsage(THREE.DynamicDrawUsage));
    const index: number[] = [];
    for (let r = 0; r < (closed ? rings : rings - 1); ++r) {
      for (let s = 0; s < sides; ++s) {
        const [a, b] = [r * sides + s, r * sides + ((s + 1) % sides)];
        const [c, d] = [((r + 1) % rings) * sides + s, ((r + 1) % rings) * sides + ((s + 1) % sides)];
        index.push(a, b, c, b, d, c);
      }
    }
    this.geometry.setIndex(index);
  }

  get rings(): number {
    return this.stretchOfRing.length;
  }
  stretchOf(vertex: number): number {
    return this.stretchOfRing[Math.floor(vertex / this.sides)];
  }

  /** `sideways`: where the first side of the tube looks at each knot; null: wherever it turns least. */
  update(knots: THREE.Vector3[], sideways: THREE.Vector3[] | null, radius: number): void {
    const tangents = this.tangents(knots);
    const across = sideways ?? transported(tangents);
    const [point, along, side] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.ring = 0;
    if (!this.closed) this.addCap(knots[0], tangents[0], across[0], radius, -1);
    for (let j = 0; j < this.stretches; ++j) {
      const k = (j + 1) % this.knots;
      const size = knots[j].distanceTo(knots[k]);
      const rings = this.pieces + (!this.closed && k === this.knots - 1 ? 1 : 0);
      for (let i = 0; i < rings; ++i) {
        const u = i / this.pieces;
        hermite(knots[j], tangents[j], knots[k], tangents[k], size, u, point, along);
        this.addRing(point, along, side.lerpVectors(across[j], across[k], u), radius, 0);
      }
    }
    const last = this.knots - 1;
    if (!this.closed) this.addCap(knots[last], tangents[last], across[last], radius, 1);
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.getAttribute('normal').needsUpdate = true;
  }

  private tangents(knots: THREE.Vector3[]): THREE.Vector3[] {
    const n = this.knots;
    const chords = Array.from({ length: this.stretches }, (_, j) => knots[(j + 1) % n].clone().sub(knots[j]).normalize());
    const out = knots.map((_, k) => {
      const before = chords[(k - 1 + this.stretches) % this.stretches];
      const after = chords[k % this.stretches];
      const mean = before.clone().add(after);
      return mean.lengthSq() > 1e-12 ? mean.normalize() : after.clone();
    });
    if (!this.closed) {
      // At its ends it goes on as an arc.
      const mirrored = (chord: THREE.Vector3, tangent: THREE.Vector3) => chord.clone().multiplyScalar(2 * chord.dot(tangent)).sub(tangent);
      out[0] = n > 2 ? mirrored(chords[0], out[1]) : chords[0].clone();
      out[n - 1] = n > 2 ? mirrored(chords[n - 2], out[n - 2]) : chords[0].clone();
    }
    return out;
  }

  private addCap(point: THREE.Vector3, tangent: THREE.Vector3, side: THREE.Vector3, radius: number, sign: 1 | -1): void {
    const centre = new THREE.Vector3();
    for (let i = 1; i <= CAP; ++i) {
      const angle = ((sign > 0 ? i : CAP + 1 - i) / CAP) * (Math.PI / 2);
      centre.copy(point).addScaledVector(tangent, sign * radius * Math.sin(angle));
      this.addRing(centre, tangent, side, radius, sign * angle);
    }
  }

  /** A circle of latitude `slant` (rad) of a ball: 0 is one around the tube. */
  private addRing(centre: THREE.Vector3, along: THREE.Vector3, side: THREE.Vector3, radius: number, slant: number): void {
    const x = side.clone().addScaledVector(along, -side.dot(along));
    if (x.lengthSq() < 1e-8) x.copy(perpendicular(along)); // it has turned by half a turn from knot to knot
    x.normalize();
    const y = new THREE.Vector3().crossVectors(along, x);
    const [c, s] = [Math.cos(slant), Math.sin(slant)];
    for (let k = 0; k < this.sides; ++k) {
      const angle = (2 * Math.PI * k) / this.sides;
      const [a, b] = [c * Math.cos(angle), c * Math.sin(angle)];
      const at = 3 * (this.ring * this.sides + k);
      const normal = [a * x.x + b * y.x + s * along.x, a * x.y + b * y.y + s * along.y, a * x.z + b * y.z + s * along.z];
      this.normal.set(normal, at);
      this.position[at] = centre.x + radius * (a * x.x + b * y.x);
      this.position[at + 1] = centre.y + radius * (a * x.y + b * y.y);
      this.position[at + 2] = centre.z + radius * (a * x.z + b * y.z);
    }
    ++this.ring;
  }
}

export function perpendicular(v: THREE.Vector3): THREE.Vector3 {
  const other = Math.abs(v.x) < 0.6 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  return other.cross(v).normalize();
}

/** Directions across that turn with the tangents and not about them. */
function transported(tangents: THREE.Vector3[]): THREE.Vector3[] {
  const out: THREE.Vector3[] = [];
  for (const tangent of tangents) {
    const last = out.at(-1) ?? perpendicular(tangent);
    const next = last.clone().addScaledVector(tangent, -last.dot(tangent));
    out.push(next.lengthSq() > 1e-8 ? next.normalize() : perpendicular(tangent));
  }
  return out;
}

/** Point and unit tangent of the cubic from a to b; tangents are as long as the chord. */
function hermite(a: THREE.Vector3, ta: THREE.Vector3, b: THREE.Vector3, tb: THREE.Vector3, size: number, u: number, point: THREE.Vector3, along: THREE.Vector3): void {
  const [u2, u3] = [u * u, u * u * u];
  point.copy(a).multiplyScalar(2 * u3 - 3 * u2 + 1).addScaledVector(b, 3 * u2 - 2 * u3);
  point.addScaledVector(ta, size * (u3 - 2 * u2 + u)).addScaledVector(tb, size * (u3 - u2));
  along.copy(a).multiplyScalar(6 * u2 - 6 * u).addScaledVector(b, 6 * u - 6 * u2);
  along.addScaledVector(ta, size * (3 * u2 - 4 * u + 1)).addScaledVector(tb, size * (3 * u2 - 2 * u));
  if (along.lengthSq() > 1e-20) along.normalize();
  else along.copy(ta);
}
