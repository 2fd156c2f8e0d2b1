/** Half the taps of the filter, for a rate that is not above the wanted one. */
const HALF_TAPS = 16;
/** The part of the band that the filter lets pass: the rest would come back as other tones. */
const PASSED = 0.94;

/** Turns samples of one rate into those of another, piece by piece. Values are from -1 to 1. */
export type Resampler = { push(samples: Float32Array): Float32Array; end(): Float32Array };

const unchanged: Resampler = { push: (samples) => samples, end: () => new Float32Array() };

/** Resamples by a windowed sinc, whose taps are computed for each phase between two samples. */
export const createResampler = (fromRate: number, toRate: number): Resampler => {
  if (fromRate === toRate) return unchanged;
  const [step, phases] = ratioOf(fromRate, toRate);
  const half = Math.ceil(HALF_TAPS * Math.max(1, fromRate / toRate));
  const taps = tapsOf({ phases, half, cutoff: Math.min(1, toRate / fromRate) * PASSED });
  let waiting = new Float32Array(half); // silence before the first sample
  let phase = 0;

  const take = (samples: Float32Array): Float32Array => {
    const input = new Float32Array(waiting.length + samples.length);
    input.set(waiting);
    input.set(samples, waiting.length);
    const made = new Float32Array(Math.ceil(((input.length + 1) * phases) / step) + 1);
    let count = 0;
    let at = 0;
    while (at + 2 * half < input.length) {
      const own = taps[phase];
      let sum = 0;
      if (own) for (let tap = 0; tap < 2 * half; tap++) sum += (own[tap] ?? 0) * (input[at + tap] ?? 0);
      made[count++] = sum;
      phase += step;
      at += Math.floor(phase / phases);
      phase %= phases;
    }
    waiting = input.slice(at);
    return made.subarray(0, count);
  };
  return { push: take, end: () => take(new Float32Array(half)) };
};

/** For each phase the weights of the samples around it; they sum up to 1. */
const tapsOf = ({ phases, half, cutoff }: Record<"phases" | "half" | "cutoff", number>): Float64Array[] =>
  Array.from({ length: phases }, (_, phase) => {
    const own = new Float64Array(2 * half);
    for (let tap = 0; tap < own.length; tap++) {
      const distance = tap - half - phase / phases;
      own[tap] = sinc(distance * cutoff) * windowAt(distance / half);
    }
    const sum = own.reduce((all, one) => all + one, 0);
    return own.map((one) => one / sum);
  });

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
/** Blackman's window, from -1 to 1. */
const windowAt = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);

/** The phases of 11,025 Hz. Every other rate that recorders use needs fewer. */
const MOST_PHASES = 640;

/**
 * How far the input moves on for each sample, in parts of the phases. A rate that would need more phases is taken for
 * one that is at most 0.2 % beside it, so that no rate makes a table of 16,000 filters.
 */
export const ratioOf = (fromRate: number, toRate: number): [step: number, phases: number] => {
  const exact = reduced(fromRate, toRate);
  return exact[1] <= MOST_PHASES ? exact : reduced(Math.round((fromRate * MOST_PHASES) / toRate), MOST_PHASES);
};

const reduced = (step: number, phases: number): [number, number] => {
  const divisor = greatestDivisor(step, phases);
  return [step / divisor, phases / divisor];
};

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
