import { routedEventsOf } from "../../../plugins/waba/inbound.ts";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import type { Route } from "../../../src/contract/webhooks.ts";

/** Envelopes of the official network, and the plugin's events of them. */

export const WABA = "102290129340398";
export const NUMBER_ID = "106540352242922";
export const OWN_NUMBER = "5511987654321";
export const USER = "16505551234";
export const CONTACT = { profile: { name: "Sheena" }, wa_id: USER, user_id: "US.13491208655302741918" };

export type Part = Record<string, unknown>;

export const parse = (body: unknown): { route: Route; event: ChannelEvent }[] =>
  routedEventsOf(typeof body === "string" ? body : JSON.stringify(body));

export const envelope = (...entries: Part[]) => ({ object: "whatsapp_business_account", entry: entries });
export const entry = (...changes: Part[]) => ({ id: WABA, changes });

/** A change that names the number. */
export const change = (value: Part, { field = "messages", numberId = NUMBER_ID } = {}) => ({
  field,
  value: {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: OWN_NUMBER, phone_number_id: numberId },
    ...value,
  },
});

export const message = (more: Part = {}) => ({
  from: USER,
  id: "wamid.A",
  timestamp: "1749416383",
  type: "text",
  text: { body: "oi" },
  ...more,
});
export const status = (more: Part = {}) => ({
  id: "wamid.S",
  status: "sent",
  timestamp: "1750000001",
  recipient_id: USER,
  ...more,
});

/** The events of one change of a field that names the number. */
export const eventsOf = (field: string, value: Part): ChannelEvent[] =>
  parse(envelope(entry(change(value, { field })))).map(({ event }) => event);

/** The events of one change of a field of the account, reported at `time` (seconds). */
export const accountDetails = (field: string, value: unknown, time = 1_739_321_024) =>
  parse(envelope({ id: WABA, time, changes: [{ field, value }] }));

/** The one event of one message with its contact. */
export const received = (more: Part, contacts: Part[] = [CONTACT]): ChannelEvent | undefined =>
  eventsOf("messages", { contacts, messages: [message(more)] })[0];
export const receipt = (more: Part, contacts: Part[] = []): ChannelEvent | undefined =>
  eventsOf("messages", { contacts, statuses: [status(more)] })[0];

/** Route and key of each event, in short. */
export const keys = (body: unknown): string[] =>
  parse(body).map(
    ({ route, event }) =>
      `${route.by}:${route.id} ${"key" in event ? event.key : event.kind === "unknown" ? event.what : event.kind}`,
  );
