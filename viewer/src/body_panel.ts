// The selected body in numbers, and the tree of all bodies with the values of their joints.
import type * as THREE from 'three';
import { shortNumber } from './chart_specs';
import { element } from './dom';
import { bodyMass, bodyNames, type Run } from './run';
import type { JointMessage } from './schema';
import type { Show } from './show';

const INTERVAL = 100; // ms, between changes of the numbers in the tree
const MOST_ROWS = 2000;

function vectorText(vector: THREE.Vector3, digits: number): string {
  const fixed = (x: number) => ((Math.round(x * 10 ** digits) / 10 ** digits || 0) + 0).toFixed(digits);
  return vector.toArray().map(fixed).join('  ');
}

interface Row {
  button: HTMLButtonElement;
  values: HTMLElement;
  joints: number[];
}

export class BodyPanel {
  private rows: Row[] = [];
  private updated = 0; // ms
  private timer = 0; // 0: none
  private readonly jointsOf: number[][];

  constructor(
    private readonly run: Run,
    private readonly show: Show,
    private readonly select: (body: number) => void,
  ) {
    const { scene } = run;
    this.jointsOf = bodyNames(scene).map(() => []);
    scene.joints.forEach(({ link }, joint) => this.jointsOf[link].push(joint));
    const tree = element<HTMLDetailsElement>('tree');
    tree.hidden = bodyNames(scene).length === 0;
    // The toggle event comes a while after the click: until then the list would be empty, or of an earlier frame.
    for (const [at, event] of [[tree.querySelector('summary')!, 'click'], [tree, 'toggle']] as const) {
      at.addEventListener(event, () => {
        this.fill();
        this.writeRows();
      });
    }
  }

  nameOf(body: number): string {
    const { scene } = this.run;
    const name = bodyNames(scene)[body] || `body ${body}`;
    const rod = scene.rods.find(({ links }) => links.includes(body));
    return rod?.name ? `${rod.name}: ${name}` : name;
  }

  /** Rows are made when they are first looked at. */
  private fill(): void {
    if (this.rows.length > 0) return;
    const { links, softs } = this.run.scene;
    const depth: number[] = [];
    links.forEach(({ parent }, link) => (depth[link] = parent < 0 ? 0 : depth[parent] + 1));
    const list = element('tree-list');
    for (let body = 0; body < Math.min(links.length + softs.length, MOST_ROWS); ++body) {
      const button = document.createElement('button');
      button.setAttribute('role', 'treeitem');
      button.setAttribute('aria-level', String((depth[body] ?? 0) + 1));
      button.style.paddingLeft = `${6 + 12 * (depth[body] ?? 0)}px`;
      button.append(this.nameOf(body));
      const values = document.createElement('span');
      button.append(values);
      button.addEventListener('click', () => this.select(this.show.selected === body ? -1 : body));
      list.append(button);
      this.rows.push({ button, values, joints: this.jointsOf[body] });
    }
    if (links.length + softs.length > MOST_ROWS) list.append(`and ${links.length + softs.length - MOST_ROWS} more`);
  }

  private jointText(joint: number, withSpeed: boolean): string {
    const { name, slides } = this.run.scene.joints[joint] as JointMessage;
    const value = this.show.jointValue(joint);
    const text = slides ? `${value.toFixed(4)} m` : `${value.toFixed(3)} rad (${((value * 180) / Math.PI).toFixed(1)}°)`;
    const speed = withSpeed ? `, ${shortNumber(this.show.jointVelocity(joint))} ${slides ? 'm/s' : 'rad/s'}` : '';
    return `${name || `joint ${joint}`} ${text}${speed}`;
  }

  /** The numbers of what is drawn now. */
  update(): void {
    const { selected } = this.show;
    element('selection').hidden = selected < 0;
    if (selected >= 0) this.describe(selected);
    if (!element<HTMLDetailsElement>('tree').open || this.timer !== 0) return;
    const wait = this.updated + INTERVAL - performance.now();
    if (wait <= 0) this.writeRows();
    else this.timer = window.setTimeout(() => this.writeRows(), wait); // what is drawn last is written, too
  }

  private writeRows(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.updated = performance.now();
    this.rows.forEach(({ button, values, joints }, body) => {
      button.setAttribute('aria-selected', String(body === this.show.selected));
      values.textContent = joints.map((joint) => this.jointText(joint, false)).join(', ');
    });
  }

  private describe(body: number): void {
    const { show, run } = this;
    const velocity = show.velocity(body);
    const force = show.netForce(body);
    const lines = [
      `${shortNumber(bodyMass(run.scene, body))} kg  ·  at ${vectorText(show.position(body), 4)} m`,
      velocity ? `moves at ${shortNumber(velocity.length())} m/s:  ${vectorText(velocity, 3)}` : '',
      force ? `contacts push it with ${shortNumber(force.length())} N:  ${vectorText(force, 2)}` : '',
      ...(this.jointsOf[body] ?? []).map((joint) => this.jointText(joint, true)),
    ];
    element('selection-name').textContent = this.nameOf(body);
    element('selection-facts').textContent = lines.filter((line) => line !== '').join('\n');
  }

  /** For the keyboard: the body after or before the selected one, in the order of the tree. */
  neighbour(step: 1 | -1): number {
    const count = bodyNames(this.run.scene).length;
    const { selected } = this.show;
    if (count === 0) return -1;
    return selected < 0 ? (step > 0 ? 0 : count - 1) : (selected + step + count) % count;
  }
}
