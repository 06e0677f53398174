// The page: reads the replay in it, shows it and listens to the user.
import { Charts, shortNumber } from './charts';
import { Player } from './player';
import { readReplay, type Replay } from './replay';
import { DataError } from './schema';
import { Show } from './show';
import { DARK, LIGHT } from './stage';

/** What tests and scripts may ask of the page. */
export interface PageApi {
  frames: number;
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
}
declare global {
  interface Window {
    uzawa?: PageApi;
  }
}

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function tell(text: string, isFatal: boolean): void {
  const box = element('message');
  element('message-text').textContent = text;
  box.className = isFatal ? 'fatal' : 'banner';
  box.hidden = text === '';
}

type Toggle = { id: string; key: string; on: boolean; apply: (on: boolean) => void };

class Page {
  private readonly player: Player;
  private readonly charts: Charts;
  private readonly toggles: Toggle[];
  private last = 0;
  /** Something is to be drawn anew; while the replay plays, everything is. */
  private stale = true;
  private wasPlaying = false;

  constructor(
    private readonly replay: Replay,
    private readonly show: Show,
  ) {
    this.player = new Player(replay.time);
    this.charts = new Charts(element('charts'), replay, (time) => this.seek(time));
    const { contacts, bodies, trail, stage } = show;
    this.toggles = [
      { id: 'points', key: 'p', on: false, apply: (on) => (contacts.showPoints = on) },
      { id: 'forces', key: 'f', on: false, apply: (on) => this.showForces(on) },
      { id: 'trail', key: 't', on: true, apply: (on) => (trail.group.visible = on) },
      { id: 'follow', key: 'o', on: false, apply: (on) => (show.following = on) },
      { id: 'color', key: 'c', on: false, apply: (on) => bodies.colorByBody(on) },
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
    this.resize();
    stage.reset();
  }

  private describe(): void {
    const { scene } = this.replay;
    document.title = `${scene.name} – uzawa`;
    element('name').textContent = scene.name;
    const facts = [
      scene.links.length === 1 ? '1 body' : `${scene.links.length} bodies`,
      `solver ${scene.solver}`,
      `step ${shortNumber(1e3 * scene.dt)} ms`,
      `grid ${shortNumber(this.show.stage.cell)} m`,
      scene.parameters,
      this.replay.interrupted ? 'interrupted' : '',
    ];
    element('facts').textContent = facts.filter((fact) => fact !== '').join('  ·  ');
    tell(this.replay.warning, false);
  }

  private listen(): void {
    const canvas = element<HTMLCanvasElement>('view');
    const scrub = element<HTMLInputElement>('scrub');
    scrub.max = String(this.replay.frames - 1);
    scrub.addEventListener('input', () => this.seek(this.replay.time[Number(scrub.value)]));
    element('play').addEventListener('click', () => this.player.toggle());
    element<HTMLSelectElement>('speed').addEventListener('change', (event) => {
      this.player.speed = Number((event.target as HTMLSelectElement).value);
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
      void this.select(this.show.pick((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height));
    });
    window.addEventListener('resize', () => this.resize());
    window.addEventListener('keydown', (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = event.shiftKey ? 10 : 1;
    const frame = this.replay.frameAt(this.player.time);
    const actions: Record<string, () => void> = {
      ' ': () => this.player.toggle(),
      ArrowLeft: () => this.seekFrame(frame - step),
      ArrowRight: () => this.seekFrame(frame + step),
      ArrowUp: () => this.changeSpeed(1),
      ArrowDown: () => this.changeSpeed(-1),
      Home: () => this.seekFrame(0),
      End: () => this.seekFrame(this.replay.frames - 1),
      r: () => this.show.stage.reset(),
      Escape: () => {
        element('help').hidden = true;
        void this.select(-1);
      },
      '?': () => element('help-button').click(),
    };
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
    choice.selectedIndex = Math.min(choice.length - 1, Math.max(0, choice.selectedIndex + by));
    this.player.speed = Number(choice.value);
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
    this.player.seek(time);
    this.stale = true;
  }
  private seekFrame(frame: number): void {
    this.player.playing = false;
    this.seek(this.replay.time[Math.min(this.replay.frames - 1, Math.max(0, frame))]);
  }

  private async select(link: number): Promise<void> {
    const card = element('selection');
    card.hidden = link < 0;
    if (link >= 0) element('selection-name').textContent = this.replay.scene.links[link].name || `body ${link}`;
    this.stale = true;
    await this.show.select(link); // its way takes a while in a long replay
    this.stale = true;
  }

  private resize(): void {
    const canvas = element('view');
    const charts = element('charts');
    const covered = charts.hidden || charts.clientWidth > 0.5 * canvas.clientWidth ? 0 : charts.clientWidth;
    this.show.stage.resize(canvas.clientWidth, canvas.clientHeight, covered, document.querySelector('footer')!.clientHeight);
    this.charts.draw();
    this.stale = true;
  }

  private draw(): void {
    this.stale = !this.show.at(this.player.time); // its block is being unpacked: once more
    this.show.stage.draw();
    const { frame } = this.show;
    this.charts.show(frame, this.player.time);
    element<HTMLInputElement>('scrub').value = String(frame);
    element('clock').textContent = `${this.player.time.toFixed(2)} / ${this.player.end.toFixed(2)} s`;
    element('play').setAttribute('aria-pressed', String(this.player.playing));
    if (this.show.selected >= 0) {
      const { links } = this.replay.scene;
      const place = this.show.linkPosition(this.show.selected).toArray();
      element('selection-facts').textContent =
        `${shortNumber(links[this.show.selected].mass)} kg  ·  at ${place.map((x) => (Math.round(1e4 * x) / 1e4 + 0).toFixed(4)).join('  ')} m`;
    }
  }

  run(): void {
    const tick = (now: number) => {
      // A tab that was hidden must not jump ahead.
      this.player.advance(Math.min(0.1, Math.max(0, (now - this.last) / 1000)));
      this.last = now;
      this.show.stage.controls.update();
      if (this.player.playing || this.stale || this.wasPlaying) this.draw();
      this.wasPlaying = this.player.playing;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame((now) => {
      this.last = now;
      tick(now);
    });
  }

  api(): PageApi {
    const { replay, show, player } = this;
    const names = replay.scene.links.map((link) => link.name);
    return {
      frames: replay.frames,
      times: replay.time,
      names,
      warning: replay.warning,
      seek: async (frame) => {
        await replay.wait(frame);
        this.seekFrame(frame);
        this.draw();
      },
      play: () => {
        if (!player.playing) player.toggle();
      },
      pause: () => void (player.playing = false),
      select: (name) => this.select(names.indexOf(name)),
      set: (id, on) => {
        const toggle = this.toggles.find((candidate) => candidate.id === id);
        if (toggle) this.set(toggle, on);
      },
      state: () => ({
        frame: show.frame,
        time: player.time,
        playing: player.playing,
        positions: names.map((_, link) => show.linkPosition(link).toArray()),
        contactsShown: show.contactsShown,
        selected: names[show.selected] ?? '',
        drawCalls: show.stage.renderer.info.render.calls,
      }),
      geomPosition: (geom) => show.bodies.geomPosition(geom),
      frameCost: (count) => {
        const begin = performance.now();
        for (let i = 0; i < count; ++i) show.at(player.begin + ((i + 0.5) / count) * (player.end - player.begin));
        return (performance.now() - begin) / count;
      },
    };
  }
}

async function start(): Promise<void> {
  const replay = await readReplay(document, (share) => {
    element('loading').textContent = `Loading: ${Math.round(100 * share)} %`;
  });
  if (!replay) throw new DataError('There is no run in this page.');
  const show = await Show.make(replay, element<HTMLCanvasElement>('view')).catch((error: unknown) => {
    if (error instanceof Error && /WebGL/i.test(error.message)) throw new DataError('This page needs WebGL 2, which this browser has not or has turned off.');
    throw error;
  });
  element('app').hidden = false;
  const page = new Page(replay, show);
  element('loading').hidden = true;
  window.uzawa = page.api();
  page.run();
}

document.addEventListener('DOMContentLoaded', () => {
  start().catch((error: unknown) => {
    element('loading').hidden = true;
    tell(error instanceof DataError ? error.message : `Something went wrong in this page: ${String(error)}`, true);
    if (!(error instanceof DataError)) console.error(error);
  });
});
