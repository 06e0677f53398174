// Puts a frame of a run on the stage.
import * as THREE from 'three';
import { Bodies } from './bodies';
import { Changes } from './changes';
import { Contacts } from './contacts';
import type { Hit } from './look';
import { Rods } from './rods';
import { centre, middleOf, type Place, type Run } from './run';
import { ShapeLibrary } from './shapes';
import { SoftBodies, unpackSkin } from './soft_bodies';
import { Stage } from './stage';
import { Textures } from './textures';
import { Trail } from './trail';

const ARROW_SHARE = 0.3; // length of the arrow of a typical force, of the radius of the scene

/** A box around everything that moves in some frames; around what does not, where nothing moves. */
function focusOf(run: Run, library: ShapeLibrary, places: Place[]): THREE.Box3 {
  const box = new THREE.Box3();
  const include = (x: number, y: number, z: number, r: number) => {
    box.expandByPoint(new THREE.Vector3(x - r, y - r, z - r));
    box.expandByPoint(new THREE.Vector3(x + r, y + r, z + r));
  };
  const { links, softs } = run.scene;
  const moving = links.length + softs.length > 0;
  softs.forEach(({ radius }, s) => {
    for (const { block, at } of places) {
      const size = block.skins[s].length / block.frames;
      for (let i = at * size; i < (at + 1) * size; i += 3) {
        const [x, y, z] = block.skins[s].subarray(i, i + 3);
        if (Number.isFinite(x + y + z)) include(x, y, z, radius);
      }
    }
  });
  for (const geom of run.scene.geoms) {
    if (geom.shape === 'plane' || geom.shape === 'skin' || moving !== geom.link >= 0) continue;
    const r = library.radius(geom);
    if (!moving) include(...geom.position, r);
    for (const { block, at } of moving ? places : []) {
      const link = at * block.links + geom.link;
      const local = new THREE.Vector3(...geom.position);
      local.applyQuaternion(new THREE.Quaternion().fromArray(block.orientation, 4 * link).normalize());
      const p = local.add(new THREE.Vector3().fromArray(block.position, 3 * link));
      if (Number.isFinite(p.lengthSq())) include(p.x, p.y, p.z, r);
    }
  }
  return box.isEmpty() ? box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1)) : box;
}

export class Show {
  readonly trail = new Trail();
  private readonly paint = { byBody: false, selected: -1 };
  following = false;
  /** frame and time that are drawn */
  frame = 0;
  time = NaN;
  contactsShown = 0;
  private readonly rotation = [new THREE.Quaternion(), new THREE.Quaternion()];
  private readonly place = [new THREE.Vector3(), new THREE.Vector3()];
  private readonly one = new THREE.Vector3(1, 1, 1);

  private constructor(
    private readonly run: Run,
    readonly stage: Stage,
    readonly bodies: Bodies,
    readonly rods: Rods,
    readonly softs: SoftBodies,
    readonly contacts: Contacts,
    readonly textures: Textures,
    private readonly changes: Changes,
  ) {
    stage.scene.add(bodies.group, rods.group, softs.group, contacts.group, this.trail.group);
    this.repaint();
  }

  /** `surface`: what the mouse turns the view on. */
  static async make(run: Run, canvas: HTMLCanvasElement, surface: HTMLElement): Promise<Show> {
    const library = new ShapeLibrary(run.scene.geoms.length);
    await library.prepare(run.scene);
    const samples = [];
    for (const frame of [0, run.frames - 1]) {
      await run.wait(frame);
      samples.push(run.find(frame)!);
    }
    const textures = await Textures.load(run.scene.appearance);
    const stage = new Stage(canvas, surface, run.scene, focusOf(run, library, samples), textures);
    const { focus } = stage;
    const bodies = new Bodies(run.scene, library, focus, textures);
    const softs = new SoftBodies(run.scene, await Promise.all(run.scene.softs.map(unpackSkin)), focus.radius, textures);
    await run.wait(0);
    const changes = new Changes(run.scene, library, bodies.linkMatrix, softs, stage);
    return new Show(run, stage, bodies, new Rods(run.scene), softs, new Contacts(run.scene, focus.radius), textures, changes);
  }

  /** m of arrow a newton with which the forces on a body (-1: all) can be seen. */
  automaticScale(body: number): number {
    const force = this.run.typicalForce(body);
    return force > 0 ? (ARROW_SHARE * this.stage.focus.radius) / force : 0;
  }

  /** Between two frames, bodies are in between. False where the frame is still being unpacked. */
  at(time: number): boolean {
    const frame = this.run.frameAt(time);
    const here = this.run.find(frame);
    if (!here) return false;
    const there = frame + 1 < this.run.frames ? this.run.find(frame + 1) : null;
    const [begin, end] = [this.run.time[frame], this.run.time[frame + 1]];
    const share = there && end > begin ? Math.min(1, Math.max(0, (time - begin) / (end - begin))) : 0;
    for (let link = 0; link < here.block.links; ++link) {
      this.load(0, here, link);
      if (share > 0 && there) {
        this.load(1, there, link);
        this.place[0].lerp(this.place[1], share);
        this.rotation[0].slerp(this.rotation[1], share);
      }
      this.bodies.linkMatrix[link].compose(this.place[0], this.rotation[0], this.one);
    }
    this.frame = frame;
    this.time = time;
    this.bodies.place();
    this.rods.place(this.bodies.linkMatrix);
    this.softs.place(here, there, share);
    this.contactsShown = this.contacts.update(here.block, here.at, this.selected);
    this.trail.show(frame);
    this.stage.follow(this.following && this.selected >= 0 ? this.position(this.selected) : null);
    this.stage.place(this.bodies.linkMatrix);
    return true;
  }

  /** `follows`: as the last picture but for what has moved, in a film; else everything is drawn. */
  draw(follows: boolean): void {
    const { contacts } = this;
    // What is drawn over the bodies changes with every frame, too.
    const whole = !follows || contacts.showPoints || contacts.showForces || this.selected >= 0;
    if (whole) this.changes.forget();
    this.stage.draw(whole ? null : this.changes.region());
  }

  private load(which: 0 | 1, { block, at }: Place, link: number): void {
    const i = at * block.links + link;
    this.place[which].fromArray(block.position, 3 * i);
    this.rotation[which].fromArray(block.orientation, 4 * i).normalize();
  }

  get selected(): number {
    return this.paint.selected;
  }

  /** m: of a link the origin, of a soft body its middle. */
  position(body: number): THREE.Vector3 {
    const link = this.bodies.linkMatrix[body];
    if (link) return new THREE.Vector3().setFromMatrixPosition(link);
    return new THREE.Vector3().fromArray(middleOf(this.softs.list[body - this.bodies.linkMatrix.length].at));
  }

  /** m/s, of a body, by the frames around the one that is drawn; null: they are not there. */
  velocity(body: number): THREE.Vector3 | null {
    const [before, after] = [Math.max(0, this.frame - 1), Math.min(this.run.frames - 1, this.frame + 1)];
    const ends = [this.run.find(before), this.run.find(after)];
    const time = this.run.time[after] - this.run.time[before];
    if (!ends[0] || !ends[1] || !(time > 0)) return null;
    const [a, b] = ends.map((place) => new THREE.Vector3().fromArray(centre(place!, body)));
    return b.sub(a).divideScalar(time);
  }

  /** N, sum of the contact forces on a body in the frame that is drawn. */
  netForce(body: number): THREE.Vector3 | null {
    const here = this.run.find(this.frame);
    return here && this.contacts.netForce(here.block, here.at, body);
  }

  /** rad or m, of a joint in the frame that is drawn. */
  jointValue(joint: number): number {
    return this.jointAt(this.frame, joint);
  }
  /** rad/s or m/s, by the frames around. */
  jointVelocity(joint: number): number {
    const [before, after] = [Math.max(0, this.frame - 1), Math.min(this.run.frames - 1, this.frame + 1)];
    return (this.jointAt(after, joint) - this.jointAt(before, joint)) / (this.run.time[after] - this.run.time[before]);
  }
  private jointAt(frame: number, joint: number): number {
    const here = this.run.find(frame);
    return here ? here.block.joints[here.at * this.run.scene.joints.length + joint] : NaN;
  }

  private repaint(): void {
    for (const kind of [this.bodies, this.rods, this.softs]) kind.paint(this.paint);
  }
  colorByBody(on: boolean): void {
    this.paint.byBody = on;
    this.repaint();
  }

  /** The way of the selected body, as long as the run is by now. */
  async renewTrail(): Promise<void> {
    const body = this.selected;
    if (body < 0) return;
    const path = await this.run.path(body);
    if (this.selected === body) this.trail.set(path);
  }

  async select(body: number): Promise<void> {
    this.paint.selected = body;
    this.repaint();
    this.trail.set(null);
    await this.renewTrail();
  }

  /** The ray of sight through a point of the canvas, both from 0 to 1. */
  ray(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * x - 1, 1 - 2 * y), this.stage.camera);
    return ray;
  }

  /** What moves and is under a ray; null: nothing. */
  pick(ray: THREE.Raycaster): Hit | null {
    const hits = [this.bodies.pick(ray), this.rods.pick(ray, this.bodies.linkMatrix), this.softs.pick(ray)];
    return hits.reduce((first, hit) => (hit && (!first || hit.distance < first.distance) ? hit : first), null);
  }
}
