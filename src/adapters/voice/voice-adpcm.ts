/** Two kinds of ADPCM in WAV, mixed to mono: https://wiki.multimedia.cx/index.php/IMA_ADPCM and /Microsoft_ADPCM */

import type { Format } from "./voice-wav.ts";

const IMA_INDEX = [-1, -1, -1, -1, 2, 4, 6, 8];
/** Each step is about a tenth larger than the one before, as the standard lists them. */
const IMA_STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
  130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
  1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484,
  7132, 7845, 8630, 9493, 10_442, 11_487, 12_635, 13_899, 15_289, 16_818, 18_500, 20_350, 22_385, 24_623, 27_086,
  29_794, 32_767,
];
const MS_FACTORS = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
] as const;
const MS_ADAPTION = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];
const MIN_MS_STEP = 16;

const clipped = (value: number): number => Math.max(-32_768, Math.min(32_767, value));

/** Turns a block into samples from -1 to 1; undefined for other than 4 bits, more than two channels, or tiny blocks. */
export const adpcmReader = (
  kind: "IMA" | "MS",
  { channels, bits, blockBytes }: Format,
): ((block: Buffer) => Float32Array) | undefined => {
  const headerBytes = (kind === "IMA" ? 4 : 7) * channels;
  if (bits !== 4 || channels < 1 || channels > 2 || blockBytes <= headerBytes) return undefined;
  return (block) => {
    if (block.length < headerBytes) return new Float32Array();
    const [left = [], right] = kind === "IMA" ? imaBlock(block, channels) : msBlock(block, channels);
    return Float32Array.from(left, (one, at) => (right ? (one + (right[at] ?? 0)) / 2 : one) / 32_768);
  };
};

/** The samples of each channel. Groups of four bytes belong to one channel, and the lower half of a byte is first. */
const imaBlock = (block: Buffer, channels: number): number[][] =>
  Array.from({ length: channels }, (_, channel) => {
    let sample = block.readInt16LE(channel * 4);
    let index = Math.min(block[channel * 4 + 2] ?? 0, IMA_STEPS.length - 1);
    const samples = [sample];
    for (let at = (channels + channel) * 4; at < block.length; at += channels * 4)
      for (const byte of block.subarray(at, at + 4))
        for (const nibble of [byte & 15, byte >> 4]) {
          const step = IMA_STEPS[index] ?? 0;
          const change = ((2 * (nibble & 7) + 1) * step) >> 3;
          sample = clipped(sample + (nibble & 8 ? -change : change));
          index = Math.max(0, Math.min(IMA_STEPS.length - 1, index + (IMA_INDEX[nibble & 7] ?? 0)));
          samples.push(sample);
        }
    return samples;
  });

/** The samples of each channel, whose nibbles take turns; the upper half of a byte is first. */
const msBlock = (block: Buffer, channels: number): number[][] => {
  const states = Array.from({ length: channels }, (_, channel) => {
    const [factor, earlierFactor] = MS_FACTORS[block[channel] ?? 0] ?? MS_FACTORS[0];
    const word = (place: number) => block.readInt16LE(channels + 2 * (place * channels + channel));
    const [step, last, earlier] = [word(0), word(1), word(2)];
    return { factor, earlierFactor, step, last, earlier, samples: [earlier, last] };
  });
  let turn = 0;
  for (const byte of block.subarray(7 * channels))
    for (const nibble of [byte >> 4, byte & 15]) {
      const state = states[turn++ % channels];
      if (!state) continue;
      const guess = (state.last * state.factor + state.earlier * state.earlierFactor) >> 8;
      const sample = clipped(guess + (nibble & 8 ? nibble - 16 : nibble) * state.step);
      state.step = Math.max(MIN_MS_STEP, ((MS_ADAPTION[nibble] ?? 0) * state.step) >> 8);
      state.earlier = state.last;
      state.last = sample;
      state.samples.push(sample);
    }
  return states.map(({ samples }) => samples);
};
