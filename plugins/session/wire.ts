/** A field of an encoded message: with its tag, and the bytes of its value if it has a length. */
export type Field = { number: number; whole: Uint8Array; value: Uint8Array | undefined };

const [VARINT, FIXED_64, WITH_LENGTH, FIXED_32] = [0, 1, 2, 5];

/**
 * The fields of an encoded message, in their order (https://protobuf.dev/programming-guides/encoding). A group, which
 * the network's messages do not use, is one field with all later bytes.
 */
export function* fieldsIn(message: Uint8Array): Generator<Field, void> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) throw new Error("the message ends within a number");
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error("the message has a number that does not end");
  };
  while (at < message.length) {
    const start = at;
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    let value: Uint8Array | undefined;
    if (type === VARINT) varint();
    else if (type === FIXED_64) at += 8;
    else if (type === FIXED_32) at += 4;
    else if (type === WITH_LENGTH) {
      const size = varint();
      value = message.subarray(at, at + size);
      at += size;
    } else at = message.length;
    yield { number, whole: message.subarray(start, at), value };
  }
}

const varintOf = (value: number): number[] =>
  value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varintOf(Math.floor(value / 0x80))];

/** An encoded field with this value. */
export const fieldWith = (number: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([...varintOf(number * 8 + WITH_LENGTH), ...varintOf(value.length)]), value]);
