import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import type { Identity, ProviderMessageId } from "../../../../src/contract/events.ts";
import type { Random } from "../../../../src/kernel/random.ts";
import { jidOf } from "../../address.ts";
import { providerMessageIdOf } from "../../message-cache.ts";
import { namesOf } from "../people.ts";

/**
 * The content that a message hides under the secret of an earlier one, its target. The network's clients derive a key
 * from the secret for each use (https://pkg.go.dev/go.mau.fi/whatsmeow, msgsecret.go).
 */
export type Hidden = { target: ProviderMessageId; use: Use; payload: Uint8Array; iv: Uint8Array; at: number };
export type Use = "Poll Vote" | "Message Edit" | "Enc Reaction" | "Event Response";
type Sealed = { encPayload?: Uint8Array | null; encIv?: Uint8Array | null };

const SECRET_BYTES = 32;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A text has at most 65,536 characters; longer strings are not treated as text. */
const MOST_BYTES = 256 * 1024;
const { MESSAGE_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType;

/** Undefined for a message without hidden content, or with an unknown way of hiding it. */
export const hiddenIn = (message: proto.IMessage): Hidden | undefined => {
  const { pollUpdateMessage: vote, encReactionMessage: reaction, secretEncryptedMessage: other } = message;
  const { encEventResponseMessage: response } = message;
  if (response) return hidden("Event Response", response.eventCreationMessageKey, response);
  if (vote) return hidden("Poll Vote", vote.pollCreationMessageKey, vote.vote, Number(vote.senderTimestampMs ?? 0));
  if (reaction) return hidden("Enc Reaction", reaction.targetMessageKey, reaction);
  return other?.secretEncType === MESSAGE_EDIT ? hidden("Message Edit", other.targetMessageKey, other) : undefined;
};

const hidden = (
  use: Use,
  key: proto.IMessageKey | null | undefined,
  sealed: Sealed | null | undefined,
  at = 0,
): Hidden | undefined => {
  const target = providerMessageIdOf(key?.id);
  const { encPayload: payload, encIv: iv } = sealed ?? {};
  const isWhole = payload && payload.length >= TAG_BYTES && payload.length <= MOST_BYTES && iv?.length === IV_BYTES;
  return target !== undefined && isWhole ? { target, use, payload, iv, at } : undefined;
};

/** The secret of a message; undefined without a secret. */
export const secretOf = ({ messageContextInfo }: proto.IMessage): Uint8Array | undefined => {
  const secret = messageContextInfo?.messageSecret;
  return secret?.length === SECRET_BYTES ? secret : undefined;
};

/** A message without its wrappers, with the secret in one of them, and its association with another message. */
export const withSecretOf = (inner: proto.IMessage, wrappings: readonly (proto.IMessage | null | undefined)[]) => {
  const all = [inner, ...wrappings];
  const messageSecret = all.map((one) => one && secretOf(one)).find(Boolean);
  const messageAssociation = all.map((one) => one?.messageContextInfo?.messageAssociation).find(Boolean);
  if (!messageSecret && !messageAssociation) return inner;
  const more = { ...(messageSecret ? { messageSecret } : {}), ...(messageAssociation ? { messageAssociation } : {}) };
  return { ...inner, messageContextInfo: { ...inner.messageContextInfo, ...more } };
};

/**
 * Opens hidden content. `author` wrote the target, `doer` hid the content under it. Each has up to two addresses, and
 * their apps may use either, so every pair is tried. Undefined if no pair opens it.
 */
export const opened = (
  { target, use, payload, iv }: Hidden,
  { secret, author, doer }: { secret: Uint8Array; author: Identity; doer: Identity },
): Uint8Array | undefined => {
  for (const written of jidsOf(author))
    for (const done of jidsOf(doer)) {
      const key = keyFor({ target, use, secret, author: written, doer: done });
      const plain = decrypted(payload, { key, iv, bound: boundTo(use, target, done) });
      if (plain) return plain;
    }
  return undefined;
};

/** The place of content under a secret: its target, and the addresses of the two people. */
type Under = { target: string; use: Use; secret: Uint8Array; author: string; doer: string };

const keyFor = ({ target, use, secret, author, doer }: Under): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `${target}${author}${doer}${use}`, KEY_BYTES));

/** TABLE: the uses whose content is bound to its target and its doer. */
const BOUND: ReadonlySet<Use> = new Set(["Poll Vote", "Event Response"]);
const boundTo = (use: Use, target: string, doer: string): string => (BOUND.has(use) ? `${target}\0${doer}` : "");

/** Hides content under the secret of a message. */
export const sealed = (
  under: Under,
  plain: Uint8Array,
  random: Pick<Random, "bytes">,
): { encPayload: Uint8Array; encIv: Uint8Array } => {
  const encIv = random.bytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyFor(under), encIv);
  cipher.setAAD(Buffer.from(boundTo(under.use, under.target, under.doer)));
  return { encPayload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]), encIv };
};

const jidsOf = (person: Identity): string[] => namesOf(person).flatMap((name) => jidOf(name) ?? []);

const decrypted = (
  payload: Uint8Array,
  { key, iv, bound }: { key: Uint8Array; iv: Uint8Array; bound: string },
): Uint8Array | undefined => {
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(bound));
  decipher.setAuthTag(payload.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined; // another key than its writer's
  }
};
