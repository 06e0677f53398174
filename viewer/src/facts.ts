// What is shown, in words.
import { shortNumber } from './chart_specs';
import { element, tell } from './dom';
import type { Shown } from './page';
import { bodyCount } from './run';

/** Name, facts and captions of what is shown. */
export function describe(views: Shown[], isLive: boolean): void {
  const [{ run, show }] = views;
  const { scene } = run;
  const bodies = bodyCount(scene);
  const title = [...new Set(views.map(({ run }) => run.scene.name))].join(' and ');
  document.title = `${title} – uzawa`;
  element('name').textContent = title;
  const facts = [
    bodies === 1 ? '1 body' : `${bodies} bodies`,
    ...(isLive || views.length > 1 ? [] : [`solver ${scene.solver}`]), // a live run has a panel, two have captions
    ...(isLive ? [] : [`step ${shortNumber(1e3 * scene.dt)} ms`]),
    `grid ${shortNumber(show.stage.cell)} m`,
    scene.parameters,
    views.some(({ run }) => run.interrupted) ? 'interrupted' : '',
  ];
  element('facts').textContent = facts.filter((fact) => fact !== '').join('  ·  ');
  element('view').setAttribute('aria-label', `${title}: ${bodies} bodies in three dimensions`);
  views.forEach(({ run: { scene: of } }, i) => {
    const caption = element(`caption-${i + 1}`);
    caption.hidden = views.length < 2;
    caption.textContent = `${i === 0 ? '' : '(dashed) '}${of.name}, ${of.solver}, ${shortNumber(1e3 * of.dt)} ms`;
  });
  tell(views.map(({ run }) => run.warning).join(' ').trim());
}
