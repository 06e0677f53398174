// A run on the page: what is shown and what the user does.
import { Charts, shortNumber } from './charts';
import { element, tell } from './dom';
import type { LiveConnection } from './live';
import { LivePanel } from './live_panel';
import { LiveClock, Player, type Clock } from './player';
import { Pull } from './pull';
import { bodyMass, bodyNames, type Run } from './run';
import type { Command, StatusMessage } from './schema';
import type { Show } from './show';
import { DARK, LIGHT } from './stage';

/** How a picture is to look. */
export interface Look {
  /** with name, charts and controls */
  panels: boolean;
  /** degrees, from where it is seen; null: as the page has it */
  azimuth: number | null;
  elevation: number | null;
  zoom: number;
  /** on or off, by the id of their button */
  toggles: Record<string, boolean>;
}

/** What tests and scripts may ask of the page. */
export interface PageApi {
  readonly frames: number;
  times: number[];
  names: string[];
  warning: string;
  seek(frame: number): Promise<void>;
  play(): void;
  pause(): void;
  select(name: string): Promise<void>;
  set(toggle: string, on: boolean): void;
  /** what is drawn now */
  state(): {
    frame: number;
    time: number;
    playing: boolean;
    positions: number[][];
    contactsShown: number;
    selected: string;
    drawCalls: number;
  };
  geomPosition(geom: number): number[] | null;
  /** ms of work of the page for a frame, mean of `count` frames: without the work of the graphics card */
  frameCost(count: number): number;
  /** for pictures */
  present(look: Look): void;
  /** m, of a vertex of the skin of a soft body */
  vertexPosition(soft: number, vertex: number): number[];
  /** px, in the window, of the origin of a link, or the middle of a soft body */
  screenPosition(body: number): number[];
  /** of a live run */
  live: { status(): StatusMessage; send(command: Command): void } | null;
}
declare global {
  interface Window {
    uzawa?: PageApi;
  }
}

const CHART_INTERVAL = 100; // ms

/** The keys are those of a field. */
function isWriting(): boolean {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && at.type === 'number';
}

type Toggle = { id: string; key: string; on: boolean; apply: (on: boolean) => void };

export class Page {
  private readonly clock: Clock;
  private readonly charts: Charts;
  private readonly toggles: Toggle[];
  private last = 0;
  /** Something is to be drawn anew; while a replay plays, everything is. */
  private stale = true;
  private wasPlaying = false;
  private readonly panel: LivePanel | null = null;
  private readonly pull: Pull | null = null;
  private chartsDrawn = 0; // ms
  private trouble = '';

  constructor(
    private readonly run: Run,
    private readonly show: Show,
    private readonly live: LiveConnection | null,
  ) {
    this.clock = live?.run ? new LiveClock(live.run, live) : new Player(run.time);
    this.charts = new Charts(element('charts'), run, (time) => this.seek(time));
    const { contacts, bodies, trail, stage } = show;
    this.toggles = [
      { id: 'points', key: 'p', on: false, apply: (on) => (contacts.showPoints = on) },
      { id: 'forces', key: 'f', on: false, apply: (on) => this.showForces(on) },
      { id: 'trail', key: 't', on: true, apply: (on) => (trail.group.visible = on) },
      { id: 'follow', key: 'o', on: false, apply: (on) => (show.following = on) },
      { id: 'color', key: 'c', on: false, apply: (on) => show.colorByBody(on) },
      { id: 'collision', key: 'g', on: false, apply: (on) => bodies.showCollision(on) },
      { id: 'plots', key: 'h', on: window.innerWidth > 760, apply: (on) => this.showCharts(on) },
      { id: 'dark', key: 'd', on: false, apply: (on) => this.dark(on) },
    ];
    element('collision').hidden = !bodies.hasCollision;
    for (const toggle of this.toggles) {
      element(toggle.id).addEventListener('click', () => this.flip(toggle));
      if (toggle.id !== 'collision') this.set(toggle, toggle.on);
    }
    stage.apply(LIGHT);
    stage.controls.addEventListener('change', () => (this.stale = true));
    this.describe();
    this.listen();
    if (live) {
      this.panel = new LivePanel(live);
      this.pull = new Pull(element<HTMLCanvasElement>('view'), show, live, () => (this.stale = true));
    }
    this.resize();
    stage.reset();
    live?.listen({
      status: (status) => this.showStatus(status),
      frame: () => (this.stale = true),
      tell: (text) => tell(text, false),
    });
  }

  private showStatus(status: StatusMessage): void {
    this.panel?.show(status);
    this.stale = true;
    if (status.trouble !== this.trouble) tell(status.trouble && `It stands still: ${status.trouble}. Reset, or change something.`, false);
    this.trouble = status.trouble;
  }

  private describe(): void {
    const { scene } = this.run;
    const bodies = scene.rods.reduce((sum, rod) => sum + 1 - rod.links.length, scene.links.length + scene.softs.length);
    document.title = `${scene.name} – uzawa`;
    element('name').textContent = scene.name;
    const facts = [
      bodies === 1 ? '1 body' : `${bodies} bodies`,
      ...(this.live ? [] : [`solver ${scene.solver}`, `step ${shortNumber(1e3 * scene.dt)} ms`]), // they have a panel
      `grid ${shortNumber(this.show.stage.cell)} m`,
      scene.parameters,
      this.run.interrupted ? 'interrupted' : '',
    ];
    element('facts').textContent = facts.filter((fact) => fact !== '').join('  ·  ');
    tell(this.run.warning, false);
  }

  private listen(): void {
    const canvas = element<HTMLCanvasElement>('view');
    const scrub = element<HTMLInputElement>('scrub');
    scrub.addEventListener('input', () => this.seek(this.run.time[Number(scrub.value)]));
    element('play').addEventListener('click', () => this.clock.toggle());
    element<HTMLSelectElement>('speed').addEventListener('change', (event) => {
      this.clock.setSpeed(Number((event.target as HTMLSelectElement).value));
      (event.target as HTMLSelectElement).blur();
    });
    element('home').addEventListener('click', () => this.show.stage.reset());
    element('help-button').addEventListener('click', () => (element('help').hidden = !element('help').hidden));
    element('message-close').addEventListener('click', () => tell('', false));
    let pressed: [number, number] = [0, 0];
    canvas.addEventListener('pointerdown', (event) => (pressed = [event.clientX, event.clientY]));
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return; // the camera was turned
      const box = canvas.getBoundingClientRect();
      const ray = this.show.ray((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
      void this.select(this.show.pick(ray)?.body ?? -1);
    });
    window.addEventListener('resize', () => this.resize());
    window.addEventListener('keydown', (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || isWriting()) return;
    const step = event.shiftKey ? 10 : 1;
    const frame = this.run.frameAt(this.clock.time);
    const actions: Record<string, () => void> = {
      ' ': () => this.clock.toggle(),
      ArrowLeft: () => this.seekFrame(frame - step),
      ArrowRight: () => (frame + step < this.run.frames ? this.seekFrame(frame + step) : this.stepOn(step)),
      ArrowUp: () => this.changeSpeed(1),
      ArrowDown: () => this.changeSpeed(-1),
      Home: () => this.seekFrame(0),
      End: () => this.seekFrame(this.run.frames - 1),
      r: () => this.show.stage.reset(),
      Escape: () => {
        element('help').hidden = true;
        void this.select(-1);
      },
      '?': () => element('help-button').click(),
    };
    if (this.live) actions.Backspace = () => this.live?.send({ type: 'reset' });
    for (const toggle of this.toggles) {
      if (!element(toggle.id).hidden) actions[toggle.key] = () => this.flip(toggle);
    }
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); // or space presses the button, too
    action();
  }

  private changeSpeed(by: number): void {
    const choice = element<HTMLSelectElement>('speed');
    const most = [...choice.options].filter((option) => !option.hidden).length - 1;
    choice.selectedIndex = Math.min(most, Math.max(0, choice.selectedIndex + by));
    this.clock.setSpeed(Number(choice.value));
  }

  private flip(toggle: Toggle): void {
    this.set(toggle, !toggle.on);
  }
  private set(toggle: Toggle, on: boolean): void {
    toggle.on = on;
    element(toggle.id).setAttribute('aria-pressed', String(on));
    toggle.apply(on);
    this.stale = true;
  }

  private setById(id: string, on: boolean): void {
    const toggle = this.toggles.find((candidate) => candidate.id === id);
    if (toggle) this.set(toggle, on);
  }

  private present(look: Look): void {
    document.documentElement.classList.toggle('bare', !look.panels);
    for (const [id, on] of Object.entries(look.toggles)) this.setById(id, on);
    this.resize();
    this.show.stage.reset(look.azimuth, look.elevation, look.zoom);
    this.draw();
  }

  private showForces(on: boolean): void {
    this.show.contacts.showForces = on;
    const { scale } = this.show.contacts;
    const legend = element('legend');
    legend.hidden = !on || !(scale > 0);
    const length = this.show.stage.cell;
    legend.textContent = `force arrow as long as a cell (${shortNumber(length)} m): ${shortNumber(length / scale)} N`;
  }
  private showCharts(on: boolean): void {
    element('charts').hidden = !on;
    this.resize();
  }
  private dark(on: boolean): void {
    document.documentElement.classList.toggle('dark', on);
    this.show.stage.apply(on ? DARK : LIGHT);
    this.charts.draw();
  }

  private seek(time: number): void {
    this.clock.seek(time);
    this.stale = true;
  }
  private stepOn(count: number): void {
    this.clock.stepOn(count);
    if (!this.live) this.seekFrame(this.run.frames - 1);
  }
  private seekFrame(frame: number): void {
    this.clock.pause();
    this.seek(this.run.time[Math.min(this.run.frames - 1, Math.max(0, frame))]);
  }

  private async select(body: number): Promise<void> {
    const card = element('selection');
    card.hidden = body < 0;
    if (body >= 0) element('selection-name').textContent = this.nameOf(body);
    this.stale = true;
    await this.show.select(body); // its way takes a while in a long replay
    this.stale = true;
  }

  private nameOf(body: number): string {
    const { scene } = this.run;
    const name = bodyNames(scene)[body] || `body ${body}`;
    const rod = scene.rods.find(({ links }) => links.includes(body));
    return rod?.name ? `${rod.name}: ${name}` : name;
  }

  private resize(): void {
    const canvas = element('view');
    const charts = element('charts');
    const covered = charts.hidden || charts.clientWidth > 0.5 * canvas.clientWidth ? 0 : charts.clientWidth;
    const below = document.querySelector('footer')!.clientHeight || element('legend').clientHeight; // a picture has no footer
    this.show.stage.resize(canvas.clientWidth, canvas.clientHeight, covered, below);
    this.charts.draw();
    this.stale = true;
  }

  private draw(): void {
    this.stale = !this.show.at(this.clock.time); // its block is being unpacked: once more
    this.pull?.update();
    this.show.stage.draw();
    this.live?.drawn();
    this.drawLiveCharts();
    const { frame } = this.show;
    this.charts.show(frame, this.clock.time);
    const scrub = element<HTMLInputElement>('scrub');
    scrub.max = String(this.run.frames - 1);
    scrub.value = String(frame);
    element('clock').textContent = `${this.clock.time.toFixed(2)} / ${this.clock.end.toFixed(2)} s`;
    element('play').setAttribute('aria-pressed', String(this.clock.playing));
    if (this.show.selected >= 0) {
      const place = this.show.position(this.show.selected).toArray();
      element('selection-facts').textContent =
        `${shortNumber(bodyMass(this.run.scene, this.show.selected))} kg  ·  at ${place.map((x) => (Math.round(1e4 * x) / 1e4 + 0).toFixed(4)).join('  ')} m`;
    }
  }

  /** A live run is longer than it was. */
  private drawLiveCharts(): void {
    const now = performance.now();
    if (!this.live || now - this.chartsDrawn < CHART_INTERVAL) return;
    this.chartsDrawn = now;
    this.charts.draw();
    void this.show.renewTrail();
  }

  start(): void {
    const tick = (now: number) => {
      // A tab that was hidden must not jump ahead.
      this.clock.advance(Math.min(0.1, Math.max(0, (now - this.last) / 1000)));
      this.last = now;
      this.show.stage.controls.update();
      const moves = this.clock.playing && !this.live; // a live run moves when a frame comes
      if (moves || this.stale || this.wasPlaying) this.draw();
      this.wasPlaying = moves;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame((now) => {
      this.last = now;
      tick(now);
    });
  }

  api(): PageApi {
    const { run, show, clock, live } = this;
    const names = bodyNames(run.scene);
    return {
      get frames() {
        return run.frames;
      },
      times: run.time,
      names,
      warning: run.warning,
      seek: async (frame) => {
        await run.wait(frame);
        this.seekFrame(frame);
        this.draw();
      },
      play: () => {
        if (!clock.playing) clock.toggle();
      },
      pause: () => clock.pause(),
      select: (name) => this.select(names.indexOf(name)),
      set: (id, on) => this.setById(id, on),
      state: () => ({
        frame: show.frame,
        time: show.time,
        playing: clock.playing,
        positions: names.map((_, body) => show.position(body).toArray()),
        contactsShown: show.contactsShown,
        selected: names[show.selected] ?? '',
        drawCalls: show.stage.renderer.info.render.calls,
      }),
      geomPosition: (geom) => show.bodies.geomPosition(geom),
      frameCost: (count) => {
        const begin = performance.now();
        for (let i = 0; i < count; ++i) show.at(clock.begin + ((i + 0.5) / count) * (clock.end - clock.begin));
        return (performance.now() - begin) / count;
      },
      present: (look) => this.present(look),
      vertexPosition: (soft, vertex) => show.softs.list[soft].vertex(vertex).toArray(),
      screenPosition: (body) => {
        const place = show.position(body).project(show.stage.camera);
        const box = element('view').getBoundingClientRect();
        return [box.left + (0.5 + 0.5 * place.x) * box.width, box.top + (0.5 - 0.5 * place.y) * box.height];
      },
      live: live && { status: () => live.status!, send: (command) => live.send(command) },
    };
  }
}
