// A run on the page, or two: what is shown and what the user does.
import { Vector3 } from 'three';
import { BodyPanel } from './body_panel';
import { Charts } from './charts';
import { Cameras } from './cameras';
import { element, tell } from './dom';
import { describe } from './facts';
import { filming } from './film';
import { ForcePanel } from './force_panel';
import { Keys, type KeyActions } from './keys';
import type { LiveConnection } from './live';
import { LivePanel } from './live_panel';
import type { Look, PageApi } from './page_api';
import { LiveClock, Player, type Clock } from './player';
import { Pull } from './pull';
import { bodyNames, type Run } from './run';
import type { StatusMessage } from './schema';
import type { Show } from './show';
import { DARK, LIGHT } from './stage';
import { TimeLink } from './time_link';

/** A run and its drawing. */
export interface Shown {
  run: Run;
  show: Show;
}

const CHART_INTERVAL = 100; // ms
const NARROW = 760; // px, of a phone
const MOST_COVERED = 0.7; // share of a drawing's width; where charts cover more, they are over it

type Toggle = { id: string; key: string; on: boolean; apply: (on: boolean) => void };

export class Page {
  private readonly run: Run;
  private readonly show: Show;
  private readonly shows: Show[];
  private readonly clock: Clock;
  private readonly charts: Charts;
  private readonly bodies: BodyPanel;
  private readonly forces: ForcePanel;
  private readonly links: TimeLink;
  private readonly cameras: Cameras;
  private readonly toggles: Toggle[];
  private readonly digits: number; // of the clock
  private last = 0;
  /** Something is to be drawn anew; while a replay plays, everything is. */
  private stale = true;
  private wasPlaying = false;
  private readonly panel: LivePanel | null = null;
  private readonly pull: Pull | null = null;
  private chartsDrawn = 0; // ms
  private trouble = '';

  /** `views`: one, or two replays that are shown side by side. */
  constructor(
    private readonly views: Shown[],
    private readonly live: LiveConnection | null,
  ) {
    ({ run: this.run, show: this.show } = views[0]);
    this.shows = views.map(({ show }) => show);
    const runs = views.map(({ run }) => run);
    const { time } = this.run;
    this.clock = live?.run ? new LiveClock(live.run, live) : new Player(time[0], Math.max(...runs.map((run) => run.time[run.frames - 1])));
    this.digits = this.run.scene.dt < 1e-3 ? 4 : 3;
    this.charts = new Charts(element('chart-list'), runs, (at) => this.seek(at));
    this.bodies = new BodyPanel(this.run, this.show, (body) => void this.select(body));
    this.forces = new ForcePanel(this.shows, () => (this.stale = true));
    this.links = new TimeLink((at) => this.jump(at));
    this.cameras = new Cameras(this.views, () => (this.stale = true));
    this.toggles = this.makeToggles();
    element('collision').hidden = !this.shows.some(({ bodies }) => bodies.hasCollision);
    element('textures').hidden = !this.shows.some(({ textures }) => textures.any);
    element('lights').hidden = !this.shows.some(({ stage }) => stage.fileLights.any);
    for (const toggle of this.toggles) {
      element(toggle.id).addEventListener('click', () => this.flip(toggle));
      if (toggle.id !== 'collision') this.set(toggle, toggle.on);
    }
    this.show.stage.controls.addEventListener('change', () => (this.stale = true));
    describe(this.views, live !== null);
    this.listen();
    if (live) {
      this.panel = new LivePanel(live);
      this.pull = new Pull(element<HTMLCanvasElement>('view'), this.show, live, () => (this.stale = true));
    }
    this.resize();
    this.show.stage.reset();
    live?.listen({
      status: (status) => this.showStatus(status),
      frame: () => (this.stale = true),
      tell: (text, lasts) => tell(text, { lasts }),
    });
    if (!live) this.links.read();
  }

  private makeToggles(): Toggle[] {
    const all = (apply: (show: Show, on: boolean) => void) => (on: boolean) => this.shows.forEach((show) => apply(show, on));
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const dark: Toggle = { id: 'dark', key: 'd', on: system.matches, apply: (on) => this.dark(on) };
    system.addEventListener('change', ({ matches }) => this.set(dark, matches));
    return [
      { id: 'points', key: 'p', on: false, apply: all((show, on) => (show.contacts.showPoints = on)) },
      { id: 'forces', key: 'f', on: false, apply: (on) => this.forces.show(on) },
      { id: 'trail', key: 't', on: true, apply: all((show, on) => (show.trail.group.visible = on)) },
      { id: 'follow', key: 'o', on: false, apply: (on) => (this.show.following = on) },
      { id: 'color', key: 'c', on: false, apply: all((show, on) => show.colorByBody(on)) },
      { id: 'collision', key: 'g', on: false, apply: all((show, on) => show.bodies.showCollision(on)) },
      { id: 'textures', key: 'x', on: true, apply: all((show, on) => show.stage.showTextures(on)) },
      { id: 'lights', key: 'l', on: false, apply: all((show, on) => show.stage.showFileLights(on)) },
      { id: 'plots', key: 'h', on: window.innerWidth > NARROW, apply: (on) => this.showCharts(on) },
      dark,
    ];
  }

  private showStatus(status: StatusMessage): void {
    this.panel?.show(status);
    this.stale = true;
    if (status.trouble !== this.trouble) tell(status.trouble && `It stands still: ${status.trouble}. Reset, or change something.`);
    this.trouble = status.trouble;
  }

  private listen(): void {
    const scrub = element<HTMLInputElement>('scrub');
    scrub.addEventListener('input', () => this.seek(this.run.time[Number(scrub.value)]));
    element('play').addEventListener('click', () => this.clock.toggle());
    element<HTMLSelectElement>('speed').addEventListener('change', (event) => {
      this.clock.setSpeed(Number((event.target as HTMLSelectElement).value));
      (event.target as HTMLSelectElement).blur();
    });
    element('home').addEventListener('click', () => this.resetView());
    element('help-button').addEventListener('click', () => (element('help').hidden = !element('help').hidden));
    element('help-close').addEventListener('click', () => (element('help').hidden = true));
    element('message-close').addEventListener('click', () => tell(''));
    element('csv').addEventListener('click', () => this.charts.download(this.run.scene.name));
    element('link').hidden = this.live !== null;
    element('link').addEventListener('click', () => this.links.copy(this.clock.time, this.digits));
    const stage = element('stage'); // the camera's controls capture the pointer here, so that clicks come here, too
    let pressed: [number, number] = [0, 0];
    stage.addEventListener('pointerdown', (event) => (pressed = [event.clientX, event.clientY]));
    stage.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return; // the camera was turned
      void this.select(this.bodyAt(event.clientX, event.clientY));
    });
    window.addEventListener('resize', () => this.resize());
    new Keys((step) => this.keyActions(step));
  }

  /** Of the first run, at a place in the window; also by its name where it is seen in the second. */
  private bodyAt(x: number, y: number): number {
    for (const { run, show } of this.views) {
      const box = show.stage.renderer.domElement.getBoundingClientRect();
      const [right, down] = [(x - box.left) / box.width, (y - box.top) / box.height];
      if (Math.min(right, down) < 0 || Math.max(right, down) > 1) continue;
      const body = show.pick(show.ray(right, down))?.body ?? -1;
      return show === this.show || body < 0 ? body : bodyNames(this.run.scene).indexOf(bodyNames(run.scene)[body]);
    }
    return -1;
  }

  private keyActions(step: number): KeyActions {
    const frame = this.run.frameAt(this.clock.time);
    const actions: KeyActions = {
      ' ': () => this.clock.toggle(),
      ArrowLeft: () => this.seekFrame(frame - step),
      ArrowRight: () => (frame + step < this.run.frames ? this.seekFrame(frame + step) : this.stepOn(step)),
      ArrowUp: () => this.changeSpeed(1),
      ArrowDown: () => this.changeSpeed(-1),
      Home: () => this.seekFrame(0),
      End: () => this.jump(this.clock.end),
      n: () => void this.select(this.bodies.neighbour(1)),
      b: () => void this.select(this.bodies.neighbour(-1)),
      r: () => this.resetView(),
      '[': () => this.cameras.step(-1),
      ']': () => this.cameras.step(1),
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
    return actions;
  }

  private changeSpeed(by: number): void {
    const choice = element<HTMLSelectElement>('speed');
    const most = [...choice.options].filter((option) => !option.hidden).length - 1;
    choice.selectedIndex = Math.min(most, Math.max(0, choice.selectedIndex + by));
    this.clock.setSpeed(Number(choice.value));
  }

  private resetView(): void {
    this.cameras.choose(-1);
    this.show.stage.reset();
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

  private present(look: Look): boolean {
    document.documentElement.classList.toggle('bare', !look.panels);
    for (const [id, on] of Object.entries(look.toggles)) this.setById(id, on);
    this.resize();
    this.show.stage.reset(look.azimuth, look.elevation, look.zoom);
    const found = this.cameras.chooseByName(look.camera);
    this.draw();
    return found;
  }

  private showCharts(on: boolean): void {
    element('charts').hidden = !on;
    this.resize();
  }
  private dark(on: boolean): void {
    document.documentElement.classList.toggle('dark', on);
    for (const { stage } of this.shows) stage.apply(on ? DARK : LIGHT);
    this.charts.draw();
  }

  private seek(time: number): void {
    this.clock.seek(time);
    this.stale = true;
  }
  private jump(time: number): void {
    this.clock.pause();
    this.seek(time);
  }
  private stepOn(count: number): void {
    this.clock.stepOn(count);
    if (!this.live) this.jump(this.clock.end);
  }
  private seekFrame(frame: number): void {
    this.jump(this.run.time[Math.min(this.run.frames - 1, Math.max(0, frame))]);
  }

  private async select(body: number): Promise<void> {
    this.stale = true;
    const name = bodyNames(this.run.scene)[body];
    this.forces.select(body, body < 0 ? '' : this.bodies.nameOf(body));
    const [first, ...others] = this.views;
    // Its way takes a while in a long replay.
    await Promise.all([first.show.select(body), ...others.map(({ run, show }) => show.select(body < 0 ? -1 : bodyNames(run.scene).indexOf(name)))]);
    this.stale = true;
  }

  private resize(): void {
    const charts = element('charts');
    const footer = document.querySelector('footer')!;
    document.documentElement.style.setProperty('--footer', `${footer.offsetHeight}px`); // what is above it begins there
    const below = footer.clientHeight || element('legend').clientHeight; // a picture has no footer
    document.documentElement.classList.toggle('pair', this.views.length > 1);
    this.shows.forEach(({ stage }, i) => {
      const { clientWidth: width, clientHeight: height } = stage.renderer.domElement;
      const covered = charts.hidden || charts.clientWidth > MOST_COVERED * width ? 0 : charts.clientWidth;
      const isLast = i === this.shows.length - 1; // the charts are over it; of all, the size is the same
      stage.resize(width, height, isLast ? covered : 0, below, covered);
    });
    this.charts.draw();
    this.stale = true;
  }

  /** `follows`: as the last picture, but for what has moved. */
  private draw(follows = false): void {
    const { time } = this.clock;
    const drawn = this.shows.map((show) => show.at(time));
    this.stale = drawn.includes(false); // its block is being unpacked: once more
    this.pull?.update();
    this.shows.forEach((show, i) => {
      if (i > 0) show.stage.lookAs(this.show.stage);
      show.draw(follows);
    });
    this.live?.drawn();
    this.drawLiveCharts();
    this.charts.show(time);
    const scrub = element<HTMLInputElement>('scrub');
    scrub.max = String(this.run.frames - 1);
    scrub.value = String(this.show.frame);
    const clock = `${time.toFixed(this.digits)} / ${this.clock.end.toFixed(this.digits)} s`;
    element('clock').textContent = clock;
    scrub.setAttribute('aria-valuetext', clock);
    element('play').setAttribute('aria-pressed', String(this.clock.playing));
    this.bodies.update();
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

  /** Draws a frame at once. `follows`: as the last picture, but for what has moved. */
  private async drawFrame(frame: number, follows = false): Promise<void> {
    const time = this.run.time[frame];
    await Promise.all(this.views.map(({ run }) => run.wait(run.frameAt(time))));
    const same = follows && !this.stale; // nothing else has changed
    this.seekFrame(frame);
    this.draw(same);
  }

  api(): PageApi {
    const { run, show, clock, live } = this;
    const names = bodyNames(run.scene);
    const positions = (view: Shown | undefined) => (view ? bodyNames(view.run.scene).map((_, body) => view.show.position(body).toArray()) : []);
    return {
      get frames() {
        return run.frames;
      },
      times: run.time,
      names,
      cameras: this.cameras.names,
      warning: run.warning,
      seek: (frame) => this.drawFrame(frame),
      seekTime: (time) => this.jump(time),
      play: () => {
        if (!clock.playing) clock.toggle();
      },
      pause: () => clock.pause(),
      select: (name) => this.select(names.indexOf(name)),
      lookThrough: (name) => this.cameras.chooseByName(name),
      set: (id, on) => this.setById(id, on),
      state: () => ({
        frame: show.frame,
        time: show.time,
        playing: clock.playing,
        positions: positions(this.views[0]),
        secondPositions: positions(this.views[1]),
        joints: run.scene.joints.map((_, joint) => show.jointValue(joint)),
        contactsShown: show.contactsShown,
        forceScale: show.contacts.scale,
        selected: names[show.selected] ?? '',
        drawCalls: show.stage.renderer.info.render.calls,
        camera: show.stage.camera.position.toArray(),
        cameraAhead: show.stage.camera.getWorldDirection(new Vector3()).toArray(),
        fieldOfView: show.stage.camera.fov,
      }),
      netForce: () => show.netForce(show.selected)?.toArray() ?? null,
      charts: () => this.charts.state(),
      geomPosition: (geom) => show.bodies.geomPosition(geom),
      frameCost: (count) => {
        const begin = performance.now();
        for (let i = 0; i < count; ++i) show.at(clock.begin + ((i + 0.5) / count) * (clock.end - clock.begin));
        return (performance.now() - begin) / count;
      },
      present: (look) => this.present(look),
      ...filming(
        (frame) => this.drawFrame(frame, true).then(() => show.time),
        this.shows.map(({ stage }) => stage.renderer.domElement),
      ),
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
