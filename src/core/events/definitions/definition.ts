import type { Contact } from "../../domain-event.ts";

/**
 * The possible receivers of an event: webhooks and streams of accounts, webhooks of institutions, apps of a channel.
 */
export type Addressee = "accounts" | "institutions" | "apps";

export const TO_ACCOUNTS = ["accounts"] as const;
export const TO_INSTITUTIONS = ["institutions"] as const;
export const TO_ACCOUNTS_AND_APPS = ["accounts", "apps"] as const;
export const TO_ACCOUNTS_AND_INSTITUTIONS = ["accounts", "institutions"] as const;
export const TO_INSTITUTIONS_AND_APPS = ["institutions", "apps"] as const;
export const TO_ALL = ["accounts", "institutions", "apps"] as const;
/** The event only starts work of this server. */
export const TO_NOBODY = [] as const;

/** The direction of a message: received, or sent from here. */
export type Direction = "inbound" | "outbound";

/** The chat that an event belongs to. Events of one key are delivered in their order. `by` names the key for people. */
export type Ordering<Fields> = { by: string; keyOf: (fields: Fields) => string };

export const BY_CHAT: Ordering<{ chat: Contact }> = { by: "chat", keyOf: ({ chat }) => chat.canonicalKey };
export const BY_CHAT_KEY: Ordering<{ chat: string }> = { by: "chat", keyOf: ({ chat }) => chat };
export const BY_SENDER: Ordering<{ from: Contact }> = { by: "sender", keyOf: ({ from }) => from.canonicalKey };
export const BY_RECIPIENT: Ordering<{ to: Contact }> = { by: "recipient", keyOf: ({ to }) => to.canonicalKey };
export const BY_GROUP: Ordering<{ groupId: string }> = { by: "group", keyOf: ({ groupId }) => `group:${groupId}` };
export const BY_CALL: Ordering<{ callId: string }> = { by: "call", keyOf: ({ callId }) => `call:${callId}` };
/** Events without a person: one after the other, beside those of every chat. */
export const BY_CHANNEL: Ordering<object> = { by: "channel", keyOf: () => "channel" };

/** The properties of a domain event wherever it is published. Its fields are those of its type. */
export type Definition<Fields> = {
  ordering: Ordering<Fields>;
  /** The direction of the message of the event; null for every other event. */
  direction: Direction | null | ((fields: Fields) => Direction);
  publishedTo: readonly Addressee[];
  /** Only streams get it, because it is soon over: no webhook does. */
  isForStreams?: true;
  /** The subscription that does not get it. */
  exceptSubscription?: (fields: Fields) => string;
  /** Realistic events: for tests of webhooks, and for docs/events.md. The first stands for all. */
  samples: readonly [Fields, ...Fields[]];
};

/** One definition for each type of event. */
export type Definitions<All> = { readonly [Type in keyof All]: Definition<All[Type]> };
