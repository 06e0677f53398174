// What tests and scripts may ask of the page.
import type { Charts } from './charts';
import type { FilmChunk } from './film';
import type { Command, StatusMessage } from './schema';

/** How a picture is to look. */
export interface Look {
  /** with name, charts and controls */
  panels: boolean;
  /** degrees, from where it is seen; null: as the page has it */
  azimuth: number | null;
  elevation: number | null;
  zoom: number;
  /** of the model's file; empty: none */
  camera: string;
  /** on or off, by the id of their button */
  toggles: Record<string, boolean>;
}

export interface Captured {
  /** s */
  time: number;
  /** base64; empty: was not asked for */
  png: string;
  webp: string;
  chunks: FilmChunk[];
}

export interface PageApi {
  readonly frames: number;
  times: number[];
  names: string[];
  /** of the model's file */
  cameras: string[];
  warning: string;
  seek(frame: number): Promise<void>;
  /** s */
  seekTime(time: number): void;
  play(): void;
  pause(): void;
  select(name: string): Promise<void>;
  /** Empty: the free camera. False: the file has none of this name. */
  lookThrough(camera: string): boolean;
  set(toggle: string, on: boolean): void;
  /** what is drawn now */
  state(): {
    frame: number;
    time: number;
    playing: boolean;
    positions: number[][];
    /** of the run beside it, if there is one */
    secondPositions: number[][];
    joints: number[];
    contactsShown: number;
    /** m of arrow a newton */
    forceScale: number;
    selected: string;
    drawCalls: number;
    camera: number[];
    cameraAhead: number[];
    /** degrees */
    fieldOfView: number;
  };
  /** N, on the selected body */
  netForce(): number[] | null;
  charts(): ReturnType<Charts['state']>;
  geomPosition(geom: number): number[] | null;
  /** ms of work of the page for a frame, mean of `count` frames: without the work of the graphics card */
  frameCost(count: number): number;
  /** For pictures. False: the file has no such camera. */
  present(look: Look): boolean;
  /** Draws a frame; the drawing alone, without the page around it, goes into the film, if one was begun. */
  capture(frame: number, as: { png: boolean; webp: boolean }): Promise<Captured>;
  /** px, width and height of what is captured */
  pictureSize(): number[];
  /** Of the frames captured from now on. */
  beginFilm(rate: number, bitsASecond: number): void;
  /** The chunks that are left. */
  endFilm(): Promise<FilmChunk[]>;
  /** m, of a vertex of the skin of a soft body */
  vertexPosition(soft: number, vertex: number): number[];
  /** px, in the window, of the origin of a link, or the middle of a soft body */
  screenPosition(body: number): number[];
  /** of a live run */
  live: { status(): StatusMessage; send(command: Command): void } | null;
}
declare global {
  interface Window {
    uzawa?: PageApi;
  }
}
