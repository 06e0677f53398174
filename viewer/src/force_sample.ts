// A sample of the contact forces of a run, to find out how long their arrows should be.
import { bodyOf } from './run';
import type { Block, SceneMessage } from './schema';

const A_BLOCK = 5000; // contacts of a block that are looked at, at the most
const TYPICAL = 0.9; // share of the forces that are no larger than the typical one

export class ForceSample {
  private readonly size: number[] = []; // N
  private readonly bodies: [number, number][] = [];

  constructor(private readonly scene: SceneMessage) {}

  add(block: Block): void {
    const contacts = block.contactForce.length / 3;
    const stride = Math.max(1, Math.floor(contacts / A_BLOCK));
    for (let c = 0; c < contacts; c += stride) {
      const size = Math.hypot(...block.contactForce.subarray(3 * c, 3 * c + 3));
      if (!(size > 0) || !Number.isFinite(size)) continue;
      this.size.push(size);
      const geoms = block.contactGeoms.subarray(2 * c, 2 * c + 2);
      this.bodies.push([bodyOf(this.scene, this.scene.geoms[geoms[0]]), bodyOf(this.scene, this.scene.geoms[geoms[1]])]);
    }
  }

  /** N: what most forces on a body (-1: on any) do not exceed; 0: there are none. */
  typical(body: number): number {
    const sorted = this.size.filter((_, i) => body < 0 || this.bodies[i].includes(body)).sort((a, b) => a - b);
    return sorted[Math.floor(TYPICAL * sorted.length)] ?? 0;
  }
}
