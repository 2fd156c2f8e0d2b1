/** A tone as 16-bit WAV. */
export const toneWav = ({
  hertz = 440,
  rate = 44_100,
  seconds = 2,
  channels = 1,
  bits = 16,
  loudness = 0.4,
}: {
  hertz?: number;
  rate?: number;
  seconds?: number;
  channels?: number;
  bits?: 16 | 24;
  loudness?: number | ((second: number) => number);
} = {}): Uint8Array<ArrayBuffer> => {
  const frames = Math.round(rate * seconds);
  const frameBytes = (channels * bits) / 8;
  const file = Buffer.alloc(44 + frames * frameBytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * frameBytes, 28);
  file.writeUInt16LE(frameBytes, 32);
  file.writeUInt16LE(bits, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(frames * frameBytes, 40);
  for (let frame = 0; frame < frames; frame++) {
    const height = typeof loudness === "number" ? loudness : loudness(frame / rate);
    const value = Math.round(height * Math.sin((2 * Math.PI * hertz * frame) / rate) * (2 ** (bits - 1) - 1));
    for (let channel = 0; channel < channels; channel++)
      file.writeIntLE(value, 44 + frame * frameBytes + (channel * bits) / 8, bits / 8);
  }
  return new Uint8Array(file);
};

/** The frequency in the middle of the one band that `bandMp3` fills. */
export const BAND_HERTZ = 1125;

/**
 * Sound of MPEG-1, layer I, 48 kHz, mono: one band of 750 Hz with a tone in its middle. Frames of 384 samples, 8 ms.
 * ISO/IEC 11172-3, 2.4.1.
 */
export const bandMp3 = (frames: number): Uint8Array<ArrayBuffer> => {
  const FRAME_BYTES = 256;
  const [BAND, BITS] = [1, 8];
  const file = new Uint8Array(frames * FRAME_BYTES);
  let sample = 0;
  for (let frame = 0; frame < frames; frame++) {
    const bits: string[] = [];
    const put = (value: number, count: number) => bits.push(value.toString(2).padStart(count, "0"));
    put(0xff_ff_84_c0, 32); // layer I without a checksum, 256 kbit/s, 48 kHz, mono
    for (let band = 0; band < 32; band++) put(band === BAND ? BITS - 1 : 0, 4);
    put(6, 6); // a scale of one half
    for (let index = 0; index < 12; index++, sample++) {
      // +, +, -, - is the middle of the band
      const isHigh = sample % 4 < 2;
      put(isHigh ? 200 : 55, BITS);
    }
    const text = bits.join("");
    for (let at = 0; at + 8 <= text.length; at += 8)
      file[frame * FRAME_BYTES + at / 8] = Number.parseInt(text.slice(at, at + 8), 2);
  }
  return file;
};

/** The frequency of a tone, by how often it rises through zero. */
export const hertzOf = (samples: Int16Array, rate: number): number => {
  let rises = 0;
  for (let at = 1; at < samples.length; at++) if ((samples[at - 1] ?? 0) < 0 && (samples[at] ?? 0) >= 0) rises++;
  return (rises * rate) / samples.length;
};

/** How alike two sounds of one length are, from -1 to 1. */
export const likeness = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let [product, ones, others] = [0, 0, 0];
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0];
    product += a * b;
    ones += a * a;
    others += b * b;
  }
  return product / Math.sqrt(ones * others);
};
