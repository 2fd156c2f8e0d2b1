import { type ChannelEvent, type ContactsSynced, type Identity, isKnown } from "../../../src/contract/events.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { upstreamText } from "../../meta/fault.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { type Change, type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { messageEvent, type Parties } from "./messages.ts";
import { addresseeOf, identityOf, numberFrom, senderOf, userIdFrom } from "./people.ts";

/** The messages that the owner of a number wrote, changed or revoked in the business app. */
export const echoesOf: ChangeReader = ({ value, contacts, own }) =>
  listOf(value["message_echoes"]).map((echo) => {
    const message = recordOf(echo);
    const chat = addresseeOf(message, contacts);
    if (!isKnown(chat)) return unknownEvent(millisecondsOf(message["timestamp"]), "echo without a recipient");
    return messageEvent(message, { from: ownIdentity(own, message), chat, pushName: null, isOwn: true });
  });

const ownIdentity = (own: Identity, message: Json) =>
  isKnown(own) ? own : identityOf({ pn: numberFrom(message["from"]) });

/**
 * The chats of the business app from before it was connected: pieces of them, the files of their messages in envelopes
 * of their own, or the owner's refusal to share them.
 */
export const historyOf: ChangeReader = (change) => [
  ...listOf(change.value["history"]).flatMap((piece) => pieceEvents(change, recordOf(piece))),
  ...listOf(change.value["messages"]).map((message) =>
    messageEvent(recordOf(message), historyParties(change, recordOf(message), {})),
  ),
];

const pieceEvents = (change: Change, piece: Json): ChannelEvent[] => {
  const percent = numberOf(recordOf(piece["metadata"])["progress"]);
  return [
    ...listOf(piece["threads"]).flatMap((thread) => threadEvents(change, recordOf(thread))),
    ...listOf(piece["errors"]).map((error) => refusalOf(change.at, recordOf(error))),
    ...(percent === undefined
      ? []
      : [{ kind: "sync", at: change.at, what: "history", percent: Math.max(0, Math.min(100, percent)) } as const]),
  ];
};

const refusalOf = (at: number, error: Json): ChannelEvent => {
  const refusal = upstreamText(
    numberOf(error["code"]) ?? 0,
    textOf(error["title"]) ?? textOf(error["message"]),
    textOf(recordOf(error["error_data"])["details"]),
  );
  return { kind: "sync", at, what: "history", percent: 0, refusal };
};

const threadEvents = (change: Change, thread: Json): ChannelEvent[] => {
  const id = textOf(thread["id"]) ?? "";
  const other = /^u?[A-Z]{2}\./.test(id) ? identityOf({ bsuid: userIdFrom(id) }) : identityOf({ pn: numberFrom(id) });
  return listOf(thread["messages"]).map((message) =>
    messageEvent(recordOf(message), historyParties(change, recordOf(message), other)),
  );
};

/**
 * The owner's messages come from the channel's own number, and some of them name their recipient; all others are the
 * user's.
 */
const historyParties = ({ own, contacts }: Change, message: Json, other: Identity): Parties => {
  const { identity, pushName } = senderOf(message, contacts);
  const addressee = addresseeOf(message, contacts);
  const isOwn = isKnown(addressee) || (own.pn !== undefined && identity.pn === own.pn);
  if (isOwn)
    return {
      from: ownIdentity(own, message),
      chat: isKnown(other) ? other : addressee,
      pushName: null,
      isOwn,
      isHistory: true,
    };
  const from = isKnown(identity) ? identity : other;
  return { from, chat: from, pushName, isHistory: true };
};

/** The maximum number of entries in one event: a whole address book would be too large to write and to deliver. */
const CONTACTS_AT_ONCE = 100;

/**
 * Changes of the owner's address book. The network does not say when the book is complete: each change brings it up to
 * date.
 */
export const addressBookOf: ChangeReader = ({ at, value }) => {
  const items = listOf(value["state_sync"]).map(recordOf);
  const strange = items
    .filter((item) => !entryOf(item))
    .map(({ type }) => unknownEvent(at, `state sync ${nameOf(type)}`));
  const entries = items.filter(entryOf);
  const events = Array.from({ length: Math.ceil(entries.length / CONTACTS_AT_ONCE) }, (_, index) =>
    contactsEvent(entries.slice(index * CONTACTS_AT_ONCE, (index + 1) * CONTACTS_AT_ONCE), at),
  );
  return [
    ...events,
    ...(events.length > 0 ? [{ kind: "sync", at, what: "contacts", percent: 100 } as const] : []),
    ...strange,
  ];
};

const contactsEvent = (items: readonly Json[], at: number): ContactsSynced => ({
  kind: "contacts",
  nativeId: sha256(JSON.stringify(items)),
  at: Math.max(...items.map((item) => millisecondsOf(recordOf(item["metadata"])["timestamp"]))) || at,
  contacts: items.flatMap((item) => entryOf(item) ?? []),
});

const entryOf = (item: Json): ContactsSynced["contacts"][number] | undefined => {
  const contact = recordOf(item["contact"]);
  const identity = identityOf({ pn: numberFrom(contact["phone_number"]), bsuid: userIdFrom(contact["user_id"]) });
  const action = item["action"] === "remove" ? "remove" : "add";
  return isKnown(identity)
    ? { identity, name: textOf(contact["full_name"]) ?? null, firstName: textOf(contact["first_name"]) ?? null, action }
    : undefined;
};
