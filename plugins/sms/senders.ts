import type { Identity } from "../../src/contract/events.ts";
import type { Address } from "../../src/contract/plugin.ts";

/**
 * What stands at the other end of a message, or at ours. `number`: a telephone number, as digits. `short-code`: three to
 * six digits. `service`: a Messaging Service of Twilio. `name`: letters, an alias, or a masked id.
 */
export type Sender = { kind: "number" | "short-code" | "service" | "name"; value: string };

const NUMBER = /^\+?([1-9]\d{6,14})$/;
const SHORT_CODE = /^\d{3,6}$/;
const SERVICE = /^MG[0-9a-fA-F]{32}$/;

/** People write a number with spaces and dashes: `+55 11 98888-7777`. */
export const senderOf = (text: string): Sender => {
  const digits = NUMBER.exec(text.replaceAll(/[ -]/g, ""))?.[1];
  if (digits !== undefined) return { kind: "number", value: digits };
  if (SHORT_CODE.test(text)) return { kind: "short-code", value: text };
  return { kind: SERVICE.test(text) ? "service" : "name", value: text };
};

const MAX_ID_LENGTH = 64;
const ID = /^[\w.:@+-](?:[\w.:@+ -]{0,62}[\w.:@+-])?$/; // at most MAX_ID_LENGTH

/**
 * Who wrote: a number, or an id of another form, as short codes, names and masked numbers are. The characters that no
 * address of ours may have become `_`: such senders take no answers.
 */
export const identityOf = (from: string): Identity => {
  const sender = senderOf(from.trim());
  if (sender.kind === "number") return { pn: sender.value };
  const id = sender.value.slice(0, MAX_ID_LENGTH).trim();
  return { uid: ID.test(id) ? id : id.replaceAll(/[^\w.:@+-]/g, "_") || "unknown" };
};

/** The canonical key of a recipient: `pn:<digits>`, or `uid:<id>` for an id that came with a message. */
export const address = (to: string): Address => {
  const [, number] = /^(?:pn:)?([1-9]\d{6,14})$/.exec(to) ?? [];
  if (number !== undefined) return { ok: true, to: `pn:${number}` };
  const [, id] = /^uid:(.+)$/.exec(to) ?? [];
  return id !== undefined && ID.test(id) ? { ok: true, to } : { ok: false, code: "RECIPIENT_INVALID" };
};

/** A canonical key as a provider wants it. `plus`: whether numbers begin with one. */
export const recipientOf = (to: string, plus: "" | "+"): string =>
  to.startsWith("pn:") ? plus + to.slice("pn:".length) : to.slice("uid:".length);
