import { proto } from "@whiskeysockets/baileys";
import type { Log } from "../../../src/kernel/log.ts";
import { fieldsIn } from "../wire.ts";
import { isSilent } from "./content.ts";
import { DEEPEST } from "./wrappers.ts";

/** More bytes of a message are not kept. The network's apps write texts of up to 64 KiB. */
const MOST_RAW_BYTES = 128 * 1024;
/** So many parts are named in the log; senders choose the number. */
const MOST_NAMED = 100;

/**
 * The number of the first field that the library does not know, in an encoded message or in those that it wraps. The
 * library drops such a field, so that its message looks like one without content.
 */
const unknownFieldIn = (message: Uint8Array, depth = 0): number | undefined => {
  const silent = new Set<number>();
  for (const { number, whole, value } of fieldsIn(message)) {
    if (silent.has(number)) continue;
    const [name] = Object.keys(proto.Message.decode(whole));
    if (name === undefined) return number;
    if (isSilent(name)) silent.add(number);
    else if (value) {
      const inner = innerOf(name, value);
      const unknown = depth === DEEPEST ? number : inner && unknownFieldIn(inner, depth + 1);
      if (unknown !== undefined) return unknown;
    }
  }
  return undefined;
};

/** The message in a wrapper: its first field, but for the wrapper that names a chat first. */
const innerOf = (name: string, wrapper: Uint8Array): Uint8Array | undefined => {
  const wanted = name === "deviceSentMessage" ? 2 : 1;
  return [...fieldsIn(wrapper)].findLast(({ number }) => number === wanted)?.value;
};

/** A name for the part of a message that the library does not know; undefined for a message without content. */
export const unknownPartIn = (message: Uint8Array): string | undefined => {
  const field = unknownFieldIn(message);
  return field === undefined ? undefined : `field${field}`;
};

/** The bytes of a message that could not be read, as its event holds them; nothing for one that is too long. */
export const rawOf = (bytes: Uint8Array): { raw?: string } =>
  bytes.length > MOST_RAW_BYTES ? {} : { raw: Buffer.from(bytes).toString("base64") };

export type Unknowns = { note(part: string): void };

/** Names each part that the library does not know once in the log. */
export const createUnknowns = (log: Pick<Log, "info">): Unknowns => {
  const named = new Set<string>();
  return {
    note(part) {
      if (named.has(part) || named.size === MOST_NAMED) return;
      named.add(part);
      log.info({ part }, "a message came of a type that this version does not know: it is published as unsupported");
    },
  };
};
