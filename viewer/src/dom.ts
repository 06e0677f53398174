// Elements of the page.
export function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** A line for the user; empty: none. */
export function tell(text: string, isFatal: boolean): void {
  const box = element('message');
  element('message-text').textContent = text;
  box.className = isFatal ? 'fatal' : 'banner';
  box.hidden = text === '';
}
