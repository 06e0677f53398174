// Contact points and forces of a frame, as instances.
import * as THREE from 'three';
import { bodyOf } from './run';
import type { Block, SceneMessage } from './schema';

const POINT_COLOR = 0xd7263d;
export const FORCE_COLOR = 0x1673d1;
export const FRICTION_COLOR = 0xe07a00;
const CROWD = 40; // contacts; of more the arrows are thinner, or they would hide each other
const UP = new THREE.Vector3(0, 0, 1);

function instances(geometry: THREE.BufferGeometry, color: number, capacity: number): THREE.InstancedMesh {
  const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.92 });
  const mesh = new THREE.InstancedMesh(geometry, material, capacity);
  mesh.frustumCulled = false;
  mesh.count = 0;
  mesh.renderOrder = 10;
  return mesh;
}
const along = (geometry: THREE.BufferGeometry) => geometry.translate(0, 0.5, 0).rotateX(Math.PI / 2); // from 0 to 1 along z

/** Arrows of one colour. */
class Arrows {
  readonly shafts: THREE.InstancedMesh;
  readonly heads: THREE.InstancedMesh;
  private count = 0;
  private thickness = 0; // m
  private readonly direction = new THREE.Vector3();
  private readonly tip = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly matrix = new THREE.Matrix4();
  private readonly size = new THREE.Vector3();

  constructor(
    color: number,
    capacity: number,
    /** m, of the scene */
    private readonly radius: number,
  ) {
    this.shafts = instances(along(new THREE.CylinderGeometry(1, 1, 1, 8)), color, capacity);
    this.heads = instances(along(new THREE.ConeGeometry(1, 1, 12)), color, capacity);
  }
  /** `share`: of the usual thickness. */
  clear(share: number): void {
    this.count = 0;
    this.thickness = 0.007 * this.radius * share;
  }
  /** An arrow from `place` along `arrow` (m); too short to be seen: none. */
  add(place: THREE.Vector3, arrow: THREE.Vector3): void {
    const length = Math.min(arrow.length(), 2 * this.radius);
    if (!(length > 1e-4 * this.radius)) return;
    this.direction.copy(arrow).normalize();
    this.turn.setFromUnitVectors(UP, this.direction);
    const head = Math.min(6 * this.thickness, 0.5 * length);
    const width = Math.min(this.thickness, 0.15 * length);
    this.shafts.setMatrixAt(this.count, this.matrix.compose(place, this.turn, this.size.set(width, width, length - head)));
    this.tip.copy(this.direction).multiplyScalar(length - head).add(place);
    this.heads.setMatrixAt(this.count++, this.matrix.compose(this.tip, this.turn, this.size.set(2.6 * width, 2.6 * width, head)));
  }
  finish(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

export class Contacts {
  readonly group = new THREE.Group();
  showPoints = false;
  showForces = false;
  /** Two arrows a contact: its pressure and its friction. */
  split = false;
  /** m of arrow a newton */
  scale = 0;
  private capacity = 0;
  private share = 1; // of the usual size of points and arrows
  private points!: THREE.InstancedMesh;
  private forces!: Arrows;
  private frictions!: Arrows;
  private readonly place = new THREE.Vector3();
  private readonly force = new THREE.Vector3();
  private readonly normal = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(
    private readonly scene: SceneMessage,
    /** m */
    private readonly radius: number,
  ) {
    this.grow(256);
  }

  private grow(capacity: number): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      (child as THREE.InstancedMesh).dispose();
    }
    this.capacity = capacity;
    this.points = instances(new THREE.SphereGeometry(0.0096 * this.radius, 10, 8), POINT_COLOR, capacity);
    this.forces = new Arrows(FORCE_COLOR, capacity, this.radius);
    this.frictions = new Arrows(FRICTION_COLOR, capacity, this.radius);
    this.group.add(this.points, this.forces.shafts, this.forces.heads, this.frictions.shafts, this.frictions.heads);
  }

  /** The contacts of a frame that are to be shown: with a selected body only its own. sign: of the force on what it acts on. */
  private *shown(block: Block, at: number, selected: number): Generator<{ contact: number; sign: number }> {
    for (let contact = block.contactBegin[at]; contact < block.contactBegin[at + 1]; ++contact) {
      const body1 = bodyOf(this.scene, this.scene.geoms[block.contactGeoms[2 * contact]]);
      const body2 = bodyOf(this.scene, this.scene.geoms[block.contactGeoms[2 * contact + 1]]);
      if (selected >= 0 && body1 !== selected && body2 !== selected) continue;
      // The force on what is selected; else on what moves; else on the second geom.
      const first = selected >= 0 ? body1 === selected : body2 < 0;
      yield { contact, sign: first ? -1 : 1 };
    }
  }

  /** Returns how many contacts are drawn. */
  update(block: Block, at: number, selected: number): number {
    const most = block.contactBegin[at + 1] - block.contactBegin[at];
    if (most > this.capacity) this.grow(2 * most);
    this.share = Math.min(1, Math.sqrt(CROWD / Math.max(1, most)));
    this.forces.clear(this.share);
    this.frictions.clear(this.share);
    let count = 0;
    if (this.showPoints || this.showForces) {
      for (const { contact, sign } of this.shown(block, at, selected)) this.put(count++, block, contact, sign);
    }
    this.points.count = this.showPoints ? count : 0;
    this.points.instanceMatrix.needsUpdate = true;
    this.forces.finish();
    this.frictions.finish();
    return count;
  }

  private put(i: number, block: Block, contact: number, sign: number): void {
    this.place.fromArray(block.contactPosition, 3 * contact);
    this.points.setMatrixAt(i, this.matrix.makeScale(this.share, this.share, this.share).setPosition(this.place));
    if (!this.showForces) return;
    this.force.fromArray(block.contactForce, 3 * contact).multiplyScalar(sign * this.scale);
    if (!this.split) {
      this.forces.add(this.place, this.force);
      return;
    }
    this.normal.fromArray(block.contactNormal, 3 * contact);
    this.normal.multiplyScalar(this.force.dot(this.normal));
    this.forces.add(this.place, this.normal);
    this.frictions.add(this.place, this.force.sub(this.normal));
  }

  /** N, the sum of the contact forces on a body. */
  netForce(block: Block, at: number, body: number): THREE.Vector3 {
    const sum = new THREE.Vector3();
    const one = new THREE.Vector3();
    for (const { contact, sign } of this.shown(block, at, body)) {
      sum.addScaledVector(one.fromArray(block.contactForce, 3 * contact), sign);
    }
    return sum;
  }
}
