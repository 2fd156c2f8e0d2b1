import type { EventContext } from "../../../core/messaging/receiving/event-context.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { displayNumberOf } from "../ids.ts";

/** The fields that a change may have. They name the events of this audience. */
export const FIELDS = ["messages", "smb_message_echoes", "message_template_status_update", "account_update"] as const;
export type Field = (typeof FIELDS)[number];

/** One change of a webhook: its field and value. */
export type Change = { field: Field; value: Readonly<Record<string, unknown>> };

/** Seconds of an event, as the network writes them: a text. */
export const secondsOf = (atMs: number): string => String(Math.floor(atMs / SECOND_MS));

/**
 * JSON in ASCII, with other characters as `\uXXXX` in small letters. The network signs such bytes, and some clients
 * convert the body to them before they check its signature.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A whole body: one entry with one change. Many programs read only the first item of each list. */
export const bodyOf = ({ number }: EventContext, { field, value }: Change): string =>
  asciiJson({ object: "whatsapp_business_account", entry: [{ id: number.accountId, changes: [{ value, field }] }] });

/** The first fields of every value of a message. The number is the one by which the program knows the phone. */
export const aboutNumber = ({ number, phoneNumber }: EventContext) => ({
  messaging_product: "whatsapp",
  metadata: {
    display_phone_number: displayNumberOf(number, phoneNumber),
    phone_number_id: number.numberId,
  },
});
