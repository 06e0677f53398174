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
