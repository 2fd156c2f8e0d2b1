import { proto } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import { fieldsIn, fieldWith } from "../../wire.ts";
import { isSilent } from "./content.ts";
import { DEEPEST, isWrapper } from "./wrappers.ts";

/** Bytes of a message above this limit are not kept. The network's apps write texts of up to 64 KiB. */
const MOST_RAW_BYTES = 128 * 1024;
const NO_BYTES = new Uint8Array();

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

/** The field of a wrapper that has its message: the first field, except in the wrapper that names a chat first. */
const innerNumberOf = (name: string): number => (name === "deviceSentMessage" ? 2 : 1);

const innerOf = (name: string, wrapper: Uint8Array): Uint8Array | undefined =>
  [...fieldsIn(wrapper)].findLast(({ number }) => number === innerNumberOf(name))?.value;

/** A name for the part of a message that the library does not know; undefined for a message without content. */
export const unknownPartIn = (message: Uint8Array): string | undefined => {
  const field = unknownFieldIn(message);
  return field === undefined ? undefined : `field${field}`;
};

/** Silent parts hold keys of groups and devices, and the secret of their message. A call has the key of its sound. */
const isSecret = (name: string): boolean => isSilent(name) || name === "call";

const decoded = (bytes: Uint8Array): proto.IMessage | undefined => {
  try {
    return proto.Message.decode(bytes);
  } catch {
    return undefined; // it is not a message
  }
};

/** The fields of a part that has only a message: it is a wrapper, possibly of an unknown type. */
const fieldsOfWrapper = ([name, part]: [string, unknown] | [], value: Uint8Array) => {
  if (name !== undefined) return isWrapper(part) || name === "deviceSentMessage" ? [...fieldsIn(value)] : undefined;
  const [only, ...others] = decoded(value) ? fieldsIn(value) : [];
  return only?.number === 1 && only.value && others.length === 0 && decoded(only.value) ? [only] : undefined;
};

/** A message without its secrets, which are stored encrypted or not at all. */
const withoutSecrets = (message: Uint8Array, depth = 0): Uint8Array => {
  const kept = [...fieldsIn(message)].flatMap(({ number, whole, value }) => {
    const [entry = []] = Object.entries(decoded(whole) ?? {});
    const [name] = entry;
    if (name !== undefined && isSecret(name)) return [];
    const fields = value && depth < DEEPEST ? fieldsOfWrapper(entry, value) : undefined;
    if (!fields) return [whole];
    const inner = fields.map((field) =>
      field.value && field.number === innerNumberOf(name ?? "")
        ? fieldWith(field.number, withoutSecrets(field.value, depth + 1))
        : field.whole,
    );
    return [fieldWith(number, Buffer.concat(inner))];
  });
  return Buffer.concat(kept);
};

/**
 * The bytes of an unreadable message, as its event holds them: without secrets, because they are kept unchanged.
 * Nothing for a message that is too long, or has no other content.
 */
export const rawOf = (bytes: Uint8Array): { raw?: string } => {
  const kept = bytes.length > MOST_RAW_BYTES ? NO_BYTES : withoutSecrets(bytes);
  return kept.length === 0 ? {} : { raw: Buffer.from(kept).toString("base64") };
};

export type Unknowns = { note(part: string): void };

/** Counts the parts that this version does not know, by their names. Their messages are published as unsupported. */
export const createUnknowns = (host: Pick<ChannelHost, "unknown">): Unknowns => ({
  note: (part) => host.unknown(`message:${part}`),
});
