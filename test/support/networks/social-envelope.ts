import { isSocialEnvelope, routedEventsOf } from "../../../plugins/social/inbound.ts";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import { ACCOUNT, USER } from "./social-channel.ts";

export type Part = Record<string, unknown>;

/** Every event of an envelope. */
export const parse = (body: unknown) => routedEventsOf(typeof body === "string" ? body : JSON.stringify(body));
export const isFor = (body: unknown): boolean => isSocialEnvelope(JSON.stringify(body));

/** The times of the items of these tests, and of their entries. */
export const AT = 1_795_176_000_123;
export const ENTRY_AT = 1_795_176_009_000;

export const envelope = (...entries: Part[]): Part => ({ object: "instagram", entry: entries });
export const entry = (...messaging: Part[]): Part => ({ id: ACCOUNT, time: ENTRY_AT, messaging });
/** An act of the user: `what`, with the user and the time. */
export const fromUser = (what: Part): Part => ({
  sender: { id: USER },
  recipient: { id: ACCOUNT },
  timestamp: AT,
  ...what,
});
/** An act of the account. */
export const fromAccount = (what: Part): Part => ({
  sender: { id: ACCOUNT },
  recipient: { id: USER },
  timestamp: AT,
  ...what,
});

export const eventsOf = (...items: Part[]): ChannelEvent[] =>
  parse(envelope(entry(...items))).map(({ event }) => event);
/** The events of one message of the user's. */
export const messageEvents = (message: Part): ChannelEvent[] =>
  eventsOf(fromUser({ message: { mid: "mid.A", ...message } }));
export const attachment = (type: string, payload: Part = { url: `https://cdn.example.com/${type}` }): Part => ({
  type,
  payload,
});
