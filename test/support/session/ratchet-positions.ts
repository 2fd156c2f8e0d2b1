import { child, children, type Stanza } from "../whatsapp/wire/stanza.ts";

/** Watches the keys of all ciphertexts, and finds a key that was used twice. */
export type RatchetWatch = {
  saw(message: Stanza): void;
  /** The number of different ciphertexts. */
  readonly count: number;
  /** The keys with different ciphertexts: recipient, ratchet, counter. */
  readonly reused: readonly string[];
};

export const watchRatchets = (): RatchetWatch => {
  const ciphertexts = new Map<string, string>();
  const reused: string[] = [];
  const note = (to: string, { attrs, content }: Stanza) => {
    if (!(content instanceof Uint8Array)) throw new Error("a ciphertext has no bytes");
    const position = `${to} ${positionOf(attrs["type"] ?? "", content)}`;
    const ciphertext = Buffer.from(content).toString("hex");
    if ((ciphertexts.get(position) ?? ciphertext) !== ciphertext) reused.push(position);
    ciphertexts.set(position, ciphertext);
  };
  return {
    saw(message) {
      for (const { attrs, ...to } of children(child(message, "participants"), "to"))
        for (const enc of children({ attrs, ...to }, "enc")) note(attrs["jid"] ?? "", enc);
      for (const enc of children(message, "enc"))
        note(`${message.attrs["to"]} ${message.attrs["participant"] ?? ""}`, enc);
    },
    get count() {
      return ciphertexts.size;
    },
    reused,
  };
};

/**
 * The part of a ciphertext that names its key and chain. The first byte is a version; a MAC or a signature comes after
 * the fields.
 */
const positionOf = (type: string, bytes: Uint8Array): string => {
  if (type === "pkmsg") return positionOf("msg", Buffer.from(fieldsOf(bytes.subarray(1)).get(4) ?? "", "hex"));
  const fields = fieldsOf(bytes.subarray(1, type === "skmsg" ? -64 : -8));
  return `${fields.get(1)} ${fields.get(2)}`;
};

/** The fields of a message of Protocol Buffers with only numbers and bytes, bytes in hexadecimal. */
const fieldsOf = (bytes: Uint8Array): Map<number, string> => {
  const fields = new Map<number, string>();
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const value = number();
    const isBytes = (tag & 7) === 2;
    fields.set(tag >>> 3, isBytes ? Buffer.from(bytes.subarray(at, at + value)).toString("hex") : String(value));
    if (isBytes) at += value;
  }
  return fields;
};
