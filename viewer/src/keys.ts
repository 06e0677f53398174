// Keys of the page: each does what it says, unless the user walks through the page with Tab or writes into a field.
import { isSliding, isWriting } from './dom';

export type KeyActions = Record<string, () => void>;

export class Keys {
  private walking = false; // from one button to the next, with the Tab key

  /** `actions`: what keys do now; `step`: 10 with shift, else 1. */
  constructor(private readonly actions: (step: number) => KeyActions) {
    // Only who walks with the Tab key uses the keys of what has the focus. :focus-visible does not tell: any key sets it.
    window.addEventListener('pointerdown', () => (this.walking = false), { capture: true });
    window.addEventListener('keydown', (event) => this.press(event));
  }

  private press(event: KeyboardEvent): void {
    if (event.key === 'Tab') this.walking = true;
    if (event.ctrlKey || event.altKey || event.metaKey || isWriting() || isSliding(event.key)) return;
    const action = this.actions(event.shiftKey ? 10 : 1)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    const focused = document.activeElement;
    // Who walks through the page with the Tab key presses buttons with space and chooses with arrows; of others, space is
    // the play button's.
    if (focused instanceof HTMLElement) {
      const pressed = event.key === ' ' && focused.matches('button, summary, select, input[type=checkbox]');
      const chosen = event.key.startsWith('Arrow') && focused.matches('select');
      if (this.walking && (pressed || chosen)) return;
      if (!this.walking) focused.blur();
    }
    event.preventDefault();
    action();
  }
}
