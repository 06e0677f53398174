// The cameras of the model's file, to be chosen from.
import { element } from './dom';
import type { Shown } from './page';

const FREE = -1;

export class Cameras {
  readonly names: string[];
  private readonly list = element<HTMLSelectElement>('camera');

  constructor(
    private readonly views: Shown[],
    private readonly changed: () => void,
  ) {
    const { cameras } = views[0].run.scene.appearance;
    this.names = cameras.map(({ name }, i) => name || `camera ${i}`);
    this.list.hidden = cameras.length === 0;
    ['Free camera', ...this.names].forEach((name, i) => this.list.add(new Option(name, String(i - 1))));
    this.list.addEventListener('change', () => {
      this.choose(Number(this.list.value));
      this.list.blur();
    });
    for (const { show } of views) show.stage.onFree = () => this.choose(FREE);
  }

  /** By its number in the file; -1: the one that the user turns. In a second run it is the one of the same name. */
  choose(camera: number): void {
    this.list.value = String(camera);
    for (const { run, show } of this.views) {
      const { cameras } = run.scene.appearance;
      const own = this.views[0].run === run ? cameras[camera] : cameras.find(({ name }) => name === this.names[camera]);
      show.stage.lookThrough(own ?? null);
    }
    this.changed();
  }

  /** False: there is none of this name. */
  chooseByName(name: string): boolean {
    const camera = this.names.indexOf(name);
    if (camera >= 0 || name === '') this.choose(camera);
    return camera >= 0 || name === '';
  }

  /** The next one, or the one before. */
  step(by: 1 | -1): void {
    const count = this.names.length + 1;
    this.choose(((Number(this.list.value) + 1 + by + count) % count) - 1);
  }
}
