// The triangles of a skin: normals that are smooth over gentle bends and sharp over edges, a second side for shells.
import * as THREE from 'three';

const CREASE = Math.cos((50 * Math.PI) / 180); // at rest; beyond that an edge is sharp
const FINE = 2000; // faces; where there are fewer, each is drawn as four that are bent

/** Corners of faces (3 f + k) that share a normal: those of faces that meet at an edge that is no crease. */
class Corners {
  private readonly parent: number[];
  constructor(count: number) {
    this.parent = Array.from({ length: count }, (_, i) => i);
  }
  root(i: number): number {
    while (this.parent[i] !== i) i = this.parent[i] = this.parent[this.parent[i]];
    return i;
  }
  join(a: number, b: number): void {
    this.parent[this.root(a)] = this.root(b);
  }
}

function faceNormals(faces: ArrayLike<number>, at: Float32Array, out: Float32Array): void {
  for (let f = 0; 3 * f < faces.length; ++f) {
    const [a, b, c] = [3 * faces[3 * f], 3 * faces[3 * f + 1], 3 * faces[3 * f + 2]];
    const [ux, uy, uz] = [at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2]];
    const [vx, vy, vz] = [at[c] - at[a], at[c + 1] - at[a + 1], at[c + 2] - at[a + 2]];
    out[3 * f] = uy * vz - uz * vy;
    out[3 * f + 1] = uz * vx - ux * vz;
    out[3 * f + 2] = ux * vy - uy * vx;
  }
}

/** Scales triples to length 1; those without a direction stay 0. */
function normalise(triples: Float32Array): void {
  for (let i = 0; i < triples.length; i += 3) {
    const size = Math.hypot(triples[i], triples[i + 1], triples[i + 2]);
    if (size > 0) for (let k = 0; k < 3; ++k) triples[i + k] /= size;
  }
}

function isGentle(normals: Float32Array, f: number, g: number): boolean {
  const [a, b] = [normals.subarray(3 * f, 3 * f + 3), normals.subarray(3 * g, 3 * g + 3)];
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] >= CREASE * Math.hypot(...a) * Math.hypot(...b);
}

export class SkinSurface {
  readonly geometry = new THREE.BufferGeometry();
  /** Of each vertex that is drawn: the one of the skin. */
  readonly vertexOf: number[] = [];
  private readonly pointOf: Uint32Array; // of each corner of a face: the vertex that is drawn, of the first side
  private readonly points: number; // that are drawn, of one side
  private readonly middles: [number, number, boolean][] = []; // points between two others, last of all; whether the edge is bent
  private readonly drawn: number[]; // three points of each triangle of one side
  private readonly rim: [number, number][] = []; // edges of one face: the corners at their ends, with the face to the left
  private readonly texturePlace: number[] = []; // two of each vertex that is drawn
  private readonly faceNormal: Float32Array;
  private readonly vertexNormal: Float32Array;
  private readonly position: Float32Array;
  private readonly normal: Float32Array;

  /**
   * `faces`: three vertices each; `closed`: it has one side; `radius`: m, how thick it is, to each side; `places`: in a texture, two
   * of each corner of a face.
   */
  constructor(
    private readonly faces: Uint32Array,
    rest: Float32Array,
    private readonly closed: boolean,
    private readonly radius: number,
    private readonly places: Float32Array | null = null,
  ) {
    this.faceNormal = new Float32Array(faces.length);
    this.vertexNormal = new Float32Array(rest.length);
    faceNormals(faces, rest, this.faceNormal);
    this.pointOf = this.findPoints();
    this.drawn = faces.length <= 3 * FINE ? this.divide() : [...this.pointOf];
    this.points = this.vertexOf.length;
    if (closed || !(radius > 0)) this.rim = [];
    this.addOtherSide();
    this.position = new Float32Array(3 * this.vertexOf.length);
    this.normal = new Float32Array(3 * this.vertexOf.length);
    this.geometry.setAttribute('position', new THREE.BufferAttribute(this.position, 3).setUsage(THREE.DynamicDrawUsage));
    this.geometry.setAttribute('normal', new THREE.BufferAttribute(this.normal, 3).setUsage(THREE.DynamicDrawUsage));
    if (places) this.geometry.setAttribute('uv', new THREE.BufferAttribute(Float32Array.from(this.texturePlace), 2));
    this.geometry.setIndex(this.triangles());
    this.update(rest);
  }

  private findPoints(): Uint32Array {
    const { faces } = this;
    const edges = new Map<string, [number, number][]>(); // corners at the two ends, of each face
    for (let f = 0; 3 * f < faces.length; ++f) {
      for (let k = 0; k < 3; ++k) {
        const [i, j] = [3 * f + k, 3 * f + ((k + 1) % 3)];
        const [low, high] = faces[i] < faces[j] ? [i, j] : [j, i];
        const key = `${faces[low]} ${faces[high]}`;
        const list = edges.get(key);
        if (list) list.push([low, high]);
        else edges.set(key, [[low, high]]);
      }
    }
    const corners = new Corners(faces.length);
    for (const list of edges.values()) {
      const [first, second] = list;
      const face = Math.floor(first[0] / 3);
      if (list.length === 1) {
        const forward = (first[0] + 1) % 3 === first[1] % 3;
        this.rim.push(forward ? first : [first[1], first[0]]);
      } else if (list.length === 2 && isGentle(this.faceNormal, face, Math.floor(second[0] / 3))) {
        corners.join(first[0], second[0]);
        corners.join(first[1], second[1]);
      }
    }
    const pointOf = new Map<string, number>(); // where a texture has a seam, there is a crease
    return Uint32Array.from(faces, (vertex, corner) => {
      const place = this.places?.subarray(2 * corner, 2 * corner + 2) ?? [];
      const key = [corners.root(corner), ...place].join(' ');
      let point = pointOf.get(key);
      if (point === undefined) {
        point = this.vertexOf.push(vertex) - 1;
        this.texturePlace.push(...place);
        pointOf.set(key, point);
      }
      return point;
    });
  }

  /** What a shell has beside its first side: the other one, and the rim between them. */
  private addOtherSide(): void {
    const { vertexOf, texturePlace, pointOf } = this;
    if (!this.closed) {
      vertexOf.push(...vertexOf);
      texturePlace.push(...texturePlace);
    }
    for (const ends of this.rim) {
      for (const corner of [...ends, ...ends]) {
        vertexOf.push(this.faces[corner]);
        if (this.places) texturePlace.push(...texturePlace.slice(2 * pointOf[corner], 2 * pointOf[corner] + 2));
      }
    }
  }

  /** Four triangles for each face, with a point in the middle of each edge. */
  private divide(): number[] {
    const middleOf = new Map<string, number>(); // of an edge
    const first = this.vertexOf.length;
    const middle = (a: number, b: number): number => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      const known = middleOf.get(key);
      if (known !== undefined) {
        this.middles[known - first][2] = true; // two faces share it: it is no crease and no rim, whose other side would not bend along
        return known;
      }
      this.middles.push([a, b, false]);
      const point = this.vertexOf.push(this.vertexOf[a]) - 1;
      if (this.places) for (const k of [0, 1]) this.texturePlace.push((this.texturePlace[2 * a + k] + this.texturePlace[2 * b + k]) / 2);
      middleOf.set(key, point);
      return point;
    };
    const out: number[] = [];
    for (let i = 0; i < this.pointOf.length; i += 3) {
      const [a, b, c] = this.pointOf.subarray(i, i + 3);
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      out.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
    }
    return out;
  }

  private triangles(): number[] {
    const out = [...this.drawn];
    if (!this.closed) {
      for (let i = 0; i < this.drawn.length; i += 3) out.push(...[0, 2, 1].map((k) => this.points + this.drawn[i + k]));
    }
    this.rim.forEach((_, i) => {
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => 2 * this.points + 4 * i + k); // first side a, b; second side c, d
      out.push(a, c, b, b, c, d);
    });
    return out;
  }

  /** `at`: x, y, z of the vertices. */
  update(at: Float32Array): void {
    const { faces, faceNormal, vertexNormal, normal, position, pointOf, radius } = this;
    faceNormals(faces, at, faceNormal);
    vertexNormal.fill(0);
    normal.fill(0);
    for (let corner = 0; corner < faces.length; ++corner) {
      const f = 3 * Math.floor(corner / 3);
      for (let k = 0; k < 3; ++k) {
        vertexNormal[3 * faces[corner] + k] += faceNormal[f + k];
        normal[3 * pointOf[corner] + k] += faceNormal[f + k];
      }
    }
    normalise(vertexNormal);
    normalise(normal);
    const side = 3 * this.points;
    for (let i = 0; i < side - 3 * this.middles.length; ++i) {
      const from = 3 * this.vertexOf[Math.floor(i / 3)] + (i % 3);
      position[i] = at[from] + radius * vertexNormal[from];
      if (this.closed) continue;
      position[side + i] = at[from] - radius * vertexNormal[from];
      normal[side + i] = -normal[i];
    }
    for (const offset of this.closed ? [0] : [0, this.points]) this.updateMiddles(offset);
    this.updateRim(at);
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.getAttribute('normal').needsUpdate = true;
  }

  /**
   * Where the cubic is that leaves both ends of the edge at right angles to the normals there: Vlachos et al., Curved PN
   * Triangles, 2001. `offset`: the first point of the side.
   */
  private updateMiddles(offset: number): void {
    const { position, normal } = this;
    this.middles.forEach(([from, to, bent], i) => {
      const [a, b] = [3 * (offset + from), 3 * (offset + to)];
      const out = 3 * (offset + this.points - this.middles.length + i);
      let [rise, fall, size] = [0, 0, 0]; // of the chord along the normals; of the sum of the normals
      for (let k = 0; k < 3; ++k) {
        const chord = position[b + k] - position[a + k];
        rise += chord * normal[a + k];
        fall += chord * normal[b + k];
        size += (normal[a + k] + normal[b + k]) ** 2;
      }
      for (let k = 0; k < 3; ++k) {
        const bend = bent ? (fall * normal[b + k] - rise * normal[a + k]) / 8 : 0;
        position[out + k] = 0.5 * (position[a + k] + position[b + k]) + bend;
        normal[out + k] = size > 0 ? (normal[a + k] + normal[b + k]) / Math.sqrt(size) : normal[a + k];
      }
    });
  }

  private updateRim(at: Float32Array): void {
    const [along, up] = [new THREE.Vector3(), new THREE.Vector3()];
    this.rim.forEach((ends, i) => {
      const [a, b] = ends.map((corner) => this.faces[corner]);
      const face = Math.floor(ends[0] / 3);
      along.fromArray(at, 3 * b).sub(up.fromArray(at, 3 * a));
      up.fromArray(this.faceNormal, 3 * face);
      along.cross(up).normalize(); // outwards: the face is to the left of its edge
      [a, b, a, b].forEach((vertex, k) => {
        const to = 6 * this.points + 12 * i + 3 * k;
        const sign = k < 2 ? 1 : -1;
        for (let axis = 0; axis < 3; ++axis) {
          const from = 3 * vertex + axis;
          this.position[to + axis] = at[from] + sign * this.radius * this.vertexNormal[from];
        }
        along.toArray(this.normal, to);
      });
    });
  }
}
