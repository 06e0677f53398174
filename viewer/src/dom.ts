// Elements of the page.
export function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const PASSING = 8000; // ms, that a line stays which only tells of something
let timer = 0;

/** A line for the user; empty: none. `lasts`: until something else is said, or it is closed; else it goes by itself. */
export function tell(text: string, { isFatal = false, lasts = true } = {}): void {
  const box = element('message');
  window.clearTimeout(timer);
  element('message-text').textContent = text;
  box.className = isFatal ? 'fatal' : 'banner';
  box.hidden = text === '';
  if (!lasts) timer = window.setTimeout(() => (box.hidden = true), PASSING);
}

/** The keys are those of a field. */
export function isWriting(): boolean {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && at.type === 'number';
}
/** The keys that move a slider are the slider's. */
export function isSliding(key: string): boolean {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && at.type === 'range' && at.id !== 'scrub' && key.startsWith('Arrow');
}
