/**
 * TABLE: events of Evolution, and their counterparts in Recado.
 * https://doc.evolution-api.com/v2/en/configuration/webhooks
 */
const COUNTERPARTS: Readonly<Record<string, readonly string[]>> = {
  MESSAGES_UPSERT: ["message:received"],
  MESSAGES_EDITED: ["message:edited"],
  MESSAGES_UPDATE: ["message:status"],
  MESSAGES_DELETE: ["message:status"],
  SEND_MESSAGE: ["message:status"],
  SEND_MESSAGE_UPDATE: ["message:status"],
  CONNECTION_UPDATE: ["channel:connected", "channel:disconnected"],
  STATUS_INSTANCE: ["channel:connected", "channel:disconnected"],
  LOGOUT_INSTANCE: ["channel:disconnected"],
  QRCODE_UPDATED: ["channel:qrcode"],
};

/** The events to subscribe to, and those that have no counterpart. No events at all mean all events, in both programs. */
export const counterpartsOf = (events: readonly string[]): { events: string[]; without: string[] } => ({
  events: [...new Set(events.flatMap((event) => COUNTERPARTS[event] ?? []))],
  without: events.filter((event) => !Object.hasOwn(COUNTERPARTS, event)),
});
