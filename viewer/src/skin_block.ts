// Unpacks the skins of soft bodies: the counterpart of src/log/skin_packing.cpp.
import { checked, type Reader } from './block';
import { DataError } from './schema';

const ORDERS = 3; // of the prediction from the frames before: none, rest, constant speed

function fromZigzag(code: number): number {
  return (code >> 1) ^ -(code & 1);
}

/** x, y, z of every vertex of every frame. */
export function readSkin(input: Reader, frames: number, vertices: number): Float32Array {
  const [step] = input.float64s(1);
  const lowest = input.float64s(checked(3 * frames, input));
  const predictors = input.uint8s(frames);
  const size = 3 * vertices;
  const codes = input.planes(new Uint16Array(checked(frames * size, input)));
  const out = new Float32Array(frames * size);
  let [now, last, beforeLast] = [new Uint16Array(size), new Uint16Array(size), new Uint16Array(size)];
  for (let f = 0; f < frames; ++f) {
    const order = predictors[f] % ORDERS;
    const along = predictors[f] >= ORDERS;
    if (predictors[f] >= 2 * ORDERS) throw new DataError('has a prediction that this version does not know');
    for (let axis = 0, i = 0; axis < 3; ++axis) {
      for (let v = 0, before = 0; v < vertices; ++v, ++i) {
        const error = fromZigzag(codes[f * size + i]) + (along ? before : 0);
        const expected = order === 0 ? 0 : order === 1 ? last[i] : 2 * last[i] - beforeLast[i];
        now[i] = expected + error; // modulo 2^16, as the array has it
        out[f * size + 3 * v + axis] = lowest[3 * f + axis] + step * now[i];
        before = error;
      }
    }
    [now, last, beforeLast] = [beforeLast, now, last];
  }
  return out;
}
