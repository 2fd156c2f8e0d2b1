import type { Identity } from "../../src/contract/events.ts";
import { type Json, recordOf, textOf } from "./json.ts";

/** Whether an identity says anything at all. */
export const isKnown = (identity: Identity): boolean => Object.keys(identity).length > 0;

/**
 * Who sent a message: what the message says, completed by the contact of the same envelope that has the same user id or
 * number. A user who adopted a username may come without a number, and older envelopes come without a user id.
 */
export const senderOf = (message: Json, contacts: readonly Json[]): { identity: Identity; pushName: string | null } => {
  const from = numberFrom(message["from"]);
  const userId = userIdFrom(message["from_user_id"]);
  const isSender = (contact: Json) => (userId !== undefined && userIdFrom(contact["user_id"]) === userId) || (from !== undefined && numberFrom(contact["wa_id"]) === from);
  const isAnonymous = from === undefined && userId === undefined;
  const contact = contacts.find(isSender) ?? (isAnonymous && contacts.length === 1 ? contacts[0] : undefined) ?? {};
  const profile = recordOf(contact["profile"]);
  const identity = identityOf({
    pn: from ?? numberFrom(contact["wa_id"]),
    bsuid: userId ?? userIdFrom(contact["user_id"]),
    parentBsuid: userIdFrom(message["from_parent_user_id"]) ?? userIdFrom(contact["parent_user_id"]),
    username: textOf(profile["username"])?.replace(/^@/, ""),
  });
  return { identity, pushName: textOf(profile["name"]) ?? null };
};

/** Whom a status is about; nobody where it is a group. Two spellings of the parent id are in use. */
export const recipientOf = (status: Json): Identity => {
  const isGroup = status["recipient_type"] === "group";
  return identityOf({
    pn: isGroup ? undefined : numberFrom(status["recipient_id"]),
    bsuid: isGroup ? undefined : userIdFrom(status["recipient_user_id"]),
    parentBsuid: isGroup ? undefined : userIdFrom(status["recipient_parent_user_id"] ?? status["parent_recipient_user_id"]),
  });
};

const identityOf = (parts: { [Part in keyof Identity]: string | undefined }): Identity => {
  const { pn, bsuid, parentBsuid, username } = parts;
  return { ...(pn ? { pn } : {}), ...(bsuid ? { bsuid } : {}), ...(parentBsuid ? { parentBsuid } : {}), ...(username ? { username } : {}) };
};

const numberFrom = (value: unknown): string | undefined => textOf(value)?.replace(/\D/g, "") || undefined;

/** Official samples show ids with a stray `u` before the country. */
const userIdFrom = (value: unknown): string | undefined => textOf(value)?.replace(/^u(?=[A-Z]{2}\.)/, "");
