// Puts a frame of a run on the stage.
import * as THREE from 'three';
import { Bodies } from './bodies';
import { Contacts } from './contacts';
import type { Place, Run } from './run';
import { ShapeLibrary } from './shapes';
import { Stage } from './stage';
import { Trail } from './trail';

const ARROW_SHARE = 0.3; // length of the arrow of a typical force, of the radius of the scene

/** A box around everything that moves in some frames; around what does not, where nothing moves. */
function focusOf(run: Run, library: ShapeLibrary, places: Place[]): THREE.Box3 {
  const box = new THREE.Box3();
  const include = (x: number, y: number, z: number, r: number) => {
    box.expandByPoint(new THREE.Vector3(x - r, y - r, z - r));
    box.expandByPoint(new THREE.Vector3(x + r, y + r, z + r));
  };
  const moving = run.scene.links.length > 0;
  for (const geom of run.scene.geoms) {
    if (geom.shape === 'plane' || moving !== geom.link >= 0) continue;
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
  selected = -1;
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
    readonly contacts: Contacts,
  ) {
    stage.scene.add(bodies.group, contacts.group, this.trail.group);
  }

  static async make(run: Run, canvas: HTMLCanvasElement): Promise<Show> {
    const library = new ShapeLibrary(run.scene.geoms.length);
    await library.prepare(run.scene);
    const samples = [];
    for (const frame of [0, run.frames - 1]) {
      await run.wait(frame);
      samples.push(run.find(frame)!);
    }
    const stage = new Stage(canvas, run.scene, focusOf(run, library, samples));
    const { focus } = stage;
    const bodies = new Bodies(run.scene, library, focus);
    const force = run.typicalForce();
    const scale = force > 0 ? (ARROW_SHARE * focus.radius) / force : 0;
    await run.wait(0);
    return new Show(run, stage, bodies, new Contacts(run.scene, focus.radius, scale));
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
    this.contactsShown = this.contacts.update(here.block, here.at, this.selected);
    this.trail.show(frame);
    this.stage.follow(this.following && this.selected >= 0 ? this.linkPosition(this.selected) : null);
    return true;
  }

  private load(which: 0 | 1, { block, at }: Place, link: number): void {
    const i = at * block.links + link;
    this.place[which].fromArray(block.position, 3 * i);
    this.rotation[which].fromArray(block.orientation, 4 * i).normalize();
  }

  linkPosition(link: number): THREE.Vector3 {
    return new THREE.Vector3().setFromMatrixPosition(this.bodies.linkMatrix[link]);
  }

  /** The way of the selected link, as long as the run is by now. */
  async renewTrail(): Promise<void> {
    const link = this.selected;
    if (link < 0) return;
    const path = await this.run.path(link);
    if (this.selected === link) this.trail.set(path);
  }

  async select(link: number): Promise<void> {
    this.selected = link;
    this.bodies.select(link);
    this.trail.set(null);
    await this.renewTrail();
  }

  /** The ray of sight through a point of the canvas, both from 0 to 1. */
  ray(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * x - 1, 1 - 2 * y), this.stage.camera);
    return ray;
  }
}
