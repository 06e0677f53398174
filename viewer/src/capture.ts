// A picture of what is drawn, without the page around it: much faster than a picture of the page.
import { element } from './dom';

const FONT = 12; // px

/** The canvases side by side, with the line on forces in a corner. */
export function compose(canvases: HTMLCanvasElement[]): HTMLCanvasElement {
  const { width, height } = canvases[0];
  const legend = element('legend').hidden ? '' : element('legend-text').textContent ?? '';
  if (canvases.length === 1 && legend === '') return canvases[0];
  const picture = document.createElement('canvas');
  picture.width = width * canvases.length;
  picture.height = height;
  const pen = picture.getContext('2d')!;
  canvases.forEach((canvas, i) => pen.drawImage(canvas, i * width, 0));
  if (legend === '') return picture;
  const style = getComputedStyle(document.documentElement);
  pen.font = `${FONT}px system-ui, sans-serif`;
  pen.fillStyle = style.getPropertyValue('--card');
  pen.fillRect(6, height - FONT - 14, pen.measureText(legend).width + 12, FONT + 8);
  pen.fillStyle = style.getPropertyValue('--accent');
  pen.fillText(legend, 12, height - 13);
  return picture;
}

const WEBP_QUALITY = 0.6;

/** As base64. */
export function encoded(picture: HTMLCanvasElement, format: 'png' | 'webp'): string {
  const url = picture.toDataURL(`image/${format}`, WEBP_QUALITY);
  return url.slice(url.indexOf(',') + 1);
}
