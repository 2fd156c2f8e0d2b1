import fc from "fast-check";

/** One fault of a file. `at` and `length` are parts of its size, up to 10,000. */
export type Fault = {
  kind: "flip" | "cut" | "lose" | "repeat" | "insert" | "fill";
  at: number;
  length: number;
  byte: number;
};

const place = fc.integer({ min: 0, max: 10_000 });

/** Faults of files as transfers and broken programs make them, and as attackers do: sizes within headers are bytes too. */
export const faults: fc.Arbitrary<Fault[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Fault["kind"]>("flip", "flip", "flip", "fill", "cut", "lose", "repeat", "insert"),
    // mostly in the headers
    at: fc.oneof(place, fc.integer({ min: 0, max: 600 })),
    length: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3000 })),
    byte: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff),
  }),
  { minLength: 1, maxLength: 5 },
);

/** A file with faults, one after the other. */
export const withFaults = (bytes: Uint8Array, all: readonly Fault[]): Uint8Array =>
  all.reduce((file, { kind, at: where, length: share, byte }) => {
    const at = Math.floor((where * file.length) / 10_000);
    const length = Math.max(1, Math.floor((share * file.length) / 10_000));
    const [front, part, back] = [file.subarray(0, at), file.subarray(at, at + length), file.subarray(at + length)];
    const changed: Record<Fault["kind"], Uint8Array[]> = {
      flip: [front, part.slice(0, 1).map((one) => one ^ (byte || 1)), part.subarray(1), back],
      fill: [front, new Uint8Array(part.length).fill(byte), back],
      cut: [front],
      lose: [front, back],
      repeat: [front, part, part, back],
      insert: [front, new Uint8Array(length).fill(byte), part, back],
    };
    return Buffer.concat(changed[kind]);
  }, bytes);
