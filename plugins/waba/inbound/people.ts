import { type Identity, isKnown } from "../../../src/contract/events.ts";
import { type Json, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";

type Person = { identity: Identity; pushName: string | null };

/** The number, as digits. */
export const numberFrom = (value: unknown): string | undefined => textOf(value)?.replace(/\D/g, "") || undefined;

/** Official samples show ids with a superfluous `u` before the country. */
export const userIdFrom = (value: unknown): string | undefined => textOf(value)?.replace(/^u(?=[A-Z]{2}\.)/, "");

/** Samples write an `@` before it, and the network ignores case. */
const usernameFrom = (value: unknown): string | undefined =>
  textOf(value)?.replace(/^@/, "").toLowerCase() || undefined;

export const identityOf = (parts: { [Part in keyof Identity]: string | undefined }): Identity =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== ""));

/**
 * A group member as the group names them: the number, or the user id without one. The name in a call is repeated as
 * `input`.
 */
export const waIdOf = (person: Json): string | undefined =>
  numberFrom(person["wa_id"]) ?? userIdFrom(person["user_id"]) ?? inputOf(textOf(person["input"]));

const inputOf = (input: string | undefined): string | undefined =>
  input !== undefined && /^[+\d\s()-]+$/.test(input) ? numberFrom(input) : input;

/** A person as an entry of `contacts` names them. */
export const contactIdentity = (contact: Json): Identity =>
  identityOf({
    pn: numberFrom(contact["wa_id"]),
    bsuid: userIdFrom(contact["user_id"]),
    parentBsuid: userIdFrom(contact["parent_user_id"]),
    username: usernameFrom(recordOf(contact["profile"])["username"]),
  });

/** Completes an identity from the envelope's contacts: the contact with the same user id or number. */
const completed = (said: Identity, contacts: readonly Json[]): Person => {
  const isSame = (contact: Json) => {
    const { pn, bsuid } = contactIdentity(contact);
    return (said.bsuid !== undefined && bsuid === said.bsuid) || (said.pn !== undefined && pn === said.pn);
  };
  const contact = contacts.find(isSame) ?? {};
  return {
    identity: { ...contactIdentity(contact), ...said },
    pushName: textOf(recordOf(contact["profile"])["name"]) ?? null,
  };
};

/**
 * The sender of a message. A user who adopted a username may come without a number, older envelopes come without a user
 * id, and some name the sender only in the contacts.
 */
export const senderOf = (message: Json, contacts: readonly Json[]): Person => {
  const said = identityOf({
    pn: numberFrom(message["from"]),
    bsuid: userIdFrom(message["from_user_id"]),
    parentBsuid: userIdFrom(message["from_parent_user_id"]),
  });
  const [only, another] = contacts;
  return completed(!isKnown(said) && only && !another ? contactIdentity(only) : said, contacts);
};

/** The recipient of an owner's message. */
export const addresseeOf = (message: Json, contacts: readonly Json[]): Identity => {
  const said = identityOf({
    pn: numberFrom(message["to"]),
    bsuid: userIdFrom(message["to_user_id"]),
    parentBsuid: userIdFrom(message["to_parent_user_id"]),
  });
  return completed(said, contacts).identity;
};

/** The value under the first of these spellings that is in use. */
const anyOf = (fields: Json, ...names: string[]): unknown =>
  names.map((name) => fields[name]).find((value) => textOf(value) !== undefined);

/** Whether a status is of a message to a group, and so about at most one of its participants. */
export const isOfGroup = (status: Json): boolean => status["recipient_type"] === "group";

/** The person of a status: in a group the participant, if one is named. */
export const statusRecipient = (status: Json, contacts: readonly Json[]): Identity => {
  const parentBsuid = userIdFrom(
    anyOf(
      status,
      "recipient_parent_user_id",
      "parent_recipient_user_id",
      "parent_user_id",
      "recipient_participant_parent_user_id",
    ),
  );
  const pn = numberFrom(
    isOfGroup(status) ? anyOf(status, "recipient_participant_id", "participant_recipient_id") : status["recipient_id"],
  );
  const bsuid = userIdFrom(
    isOfGroup(status)
      ? anyOf(status, "recipient_participant_user_id", "participant_recipient_user_id")
      : anyOf(status, "recipient_user_id", "user_id"),
  );
  const said = identityOf({ pn, bsuid });
  return isKnown(said) ? completed({ ...said, ...identityOf({ parentBsuid }) }, contacts).identity : {};
};
