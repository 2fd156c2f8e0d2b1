import { type ChannelEvent, type Identity, isKnown, type ProviderMessageId } from "../../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { readCards } from "../../../src/kernel/texts/vcards.ts";
import { textOf } from "../../meta/json.ts";
import { troubleOf } from "../trouble.ts";
import { permissionUpdateOf } from "./calls.ts";
import { type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { originOf } from "./circumstances.ts";
import { contentOf, mediaOf } from "./content.ts";
import { identityOf, numberFrom, senderOf, userIdFrom } from "./people.ts";
import { statusEvent } from "./statuses.ts";

/** The parties of a message. `chat` may be unknown for a message that completes an earlier one. */
export type Parties = { from: Identity; chat: Identity; pushName: string | null; isOwn?: boolean; isHistory?: boolean };

/** Reads the field `messages`: messages and acts of users, receipts, and errors of the account. */
export const messagesOf: ChangeReader = ({ at, value, contacts }) => [
  ...listOf(value["messages"]).flatMap((message) =>
    inboundEvents(recordOf(message), inboundParties(recordOf(message), contacts)),
  ),
  ...listOf(value["statuses"]).flatMap((status) => statusEvents(recordOf(status), contacts)),
  ...listOf(value["user_actions"]).map((action) => actionEvent(recordOf(action), at)),
  ...listOf(value["errors"]).map((error) => unknownEvent(at, `error ${nameOf(recordOf(error)["code"])}`)),
];

/** A person's act on a marketing message, such as opening its link. No API shows it; its envelope is stored. */
const actionEvent = (action: Json, at: number): ChannelEvent =>
  unknownEvent(millisecondsOf(action["timestamp"]) || at, `user action ${nameOf(action["action_type"])}`);

/** A receipt, and the meaning of its failure for the whole number. */
const statusEvents = (status: Json, contacts: readonly Json[]): ChannelEvent[] => {
  const event = statusEvent(status, contacts);
  const error = event.kind === "receipt" ? event.error : undefined;
  const trouble = error && troubleOf(error.code, { at: event.at, reason: error.reason });
  return trouble ? [event, trouble] : [event];
};

const inboundEvents = (message: Json, parties: Parties): ChannelEvent[] => [
  messageEvent(message, parties),
  ...permissionUpdateOf(message, parties.from),
  ...sharedNumberOf(message, parties),
];

/** A person has answered the request for their number: it belongs to the ids that they write under. */
const sharedNumberOf = (message: Json, { from }: Parties): ChannelEvent[] => {
  if (message["type"] !== "contacts" || originOf(message) !== CONTACT_REQUEST || !isKnown(from)) return [];
  const [contact] = listOf(message["contacts"]).map(recordOf);
  const [phone] = listOf(contact?.["phones"]).map(recordOf);
  const pn = numberFrom(phone?.["wa_id"]) ?? numberFrom(phone?.["phone"]) ?? numberFrom(cardNumberOf(contact));
  if (pn === undefined || (from.pn !== undefined && from.pn !== pn)) return [];
  return [{ kind: "known", at: millisecondsOf(message["timestamp"]), identity: { ...from, pn } }];
};

const CONTACT_REQUEST = "contact_request";

/** The number of a vCard: the id at the network if its telephone has one, else the telephone itself. */
const cardNumberOf = (contact: Json | undefined): string | undefined => {
  const phones = readCards(textOf(contact?.["vcard"]) ?? "").flatMap((card) => card.phones);
  return (
    phones.find(({ waId }) => waId !== undefined)?.waId ??
    phones.flatMap(({ number }) => NUMBER.exec(number)?.[0] ?? []).at(0)
  );
};
/** The beginning of a telephone; an extension or a remark may follow. */
const NUMBER = /^[+\d][\d\s().+-]{5,30}/;

const inboundParties = (message: Json, contacts: readonly Json[]): Parties => {
  const { identity, pushName } = senderOf(message, contacts);
  const group = textOf(message["group_id"]);
  return { from: identity, chat: group === undefined ? identity : { group }, pushName };
};

/** A message, or an act on an earlier one. */
export const messageEvent = (message: Json, parties: Parties): ChannelEvent => {
  const at = millisecondsOf(message["timestamp"]);
  const key = textOf(message["id"]);
  if (key === undefined) return unknownEvent(at, "message without an id");
  if (message["type"] === "system") return systemEvent(message, at);
  if (!isKnown(parties.from)) return unknownEvent(at, "message without a sender");
  return actOf(message, { nativeId: key, at, parties }) ?? receivedOf(message, { key, at, parties });
};

/** A media message of a history stands in for one that may follow, with the same id and the file. */
const PLACEHOLDER = "media_placeholder";

const receivedOf = (
  message: Json,
  { key, at, parties }: { key: string; at: number; parties: Parties },
): ChannelEvent => {
  const media = mediaOf(message);
  const quoted = textOf(recordOf(message["context"])["id"]);
  return {
    kind: "received",
    key: key as ProviderMessageId,
    at,
    ...parties,
    content: contentOf(message, media),
    ...(media ? { media } : {}),
    ...(quoted === undefined ? {} : { quotedProviderMessageId: quoted as ProviderMessageId }),
    ...(message["type"] === PLACEHOLDER ? { isPlaceholder: true } : {}),
  };
};

/** A reaction, an edit or a revocation; undefined for any other message, or if it does not name its target. */
const actOf = (
  message: Json,
  { nativeId, at, parties }: { nativeId: string; at: number; parties: Parties },
): ChannelEvent | undefined => {
  const { from, isOwn } = parties;
  const payload = recordOf(message[textOf(message["type"]) ?? ""]);
  const key = (textOf(payload["original_message_id"]) ?? textOf(payload["message_id"])) as
    | ProviderMessageId
    | undefined;
  if (key === undefined) return undefined;
  const act = { key, nativeId, at, from, ...(isOwn ? { isOwn } : {}) };
  switch (message["type"]) {
    case "reaction":
      return { kind: "reacted", ...act, emoji: textOf(payload["emoji"]) ?? null };
    case "revoke":
      return { kind: "revoked", ...act };
    case "edit": {
      const text = editedText(recordOf(payload["message"]));
      return text === undefined ? undefined : { kind: "edited", ...act, text };
    }
    default:
      return undefined;
  }
};

/** The new text, or the new caption of a file; a removed caption is empty. */
const editedText = (message: Json): string | undefined => {
  const payload = recordOf(message[textOf(message["type"]) ?? ""]);
  const { body, caption } = payload;
  if (typeof body === "string") return body;
  if (typeof caption === "string") return caption;
  return mediaOf(message) ? "" : undefined;
};

/** A user has another number or another id; both change together. `from` and the previous ids are the former ones. */
const systemEvent = (message: Json, at: number): ChannelEvent => {
  const system = recordOf(message["system"]);
  const type = textOf(system["type"]);
  const isChange = type === "user_changed_number" || type === "user_changed_user_id";
  const former = numberFrom(message["from"]);
  const pn = numberFrom(system["wa_id"]);
  const bsuid = userIdFrom(system["user_id"]);
  const identity = identityOf({ pn, bsuid, parentBsuid: userIdFrom(system["parent_user_id"]) });
  const before = identityOf({
    pn: pn === undefined || former === pn ? undefined : former,
    bsuid: userIdFrom(system["previous_user_id"]) ?? otherThan(bsuid, userIdFrom(message["from_user_id"])),
    parentBsuid: userIdFrom(system["previous_parent_user_id"]),
  });
  if (!isChange || !isKnown(identity)) return unknownEvent(at, `system ${nameOf(type)}`);
  // without its new number, a person who changed only the id still has the number that they write from
  const kept = type === "user_changed_user_id" && pn === undefined ? identityOf({ pn: former }) : {};
  return { kind: "known", at, identity: { ...kept, ...identity }, ...(isKnown(before) ? { before } : {}) };
};

const otherThan = (id: string | undefined, other: string | undefined): string | undefined =>
  id === other ? undefined : other;
