import type { MessageId } from "../../../kernel/ids.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { type AppNumberRow, findAppNumber } from "../../../store/tables/channels/app-numbers.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { findInboundByMessage } from "../../../store/tables/channels/inbox.ts";
import { listMediaOf } from "../../../store/tables/media.ts";
import { findMessage, type MessageRow } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { type Contact, contactOfKey, type DomainEvent, type PublishedEvent } from "../../domain-event.ts";

/** What an API of programs says of an event beside the event itself. */
export type EventContext = {
  number: Pick<AppNumberRow, "numberId" | "accountId" | "displayNumber">;
  /** The channel's own number, in digits; null where it has none. */
  phoneNumber: string | null;
  /** The type of the sent message that a person answers; null if the message was not sent from here. */
  quotedType: MessageRow["type"] | null;
  /** SHA-256 of the message's file, in hexadecimal. */
  sha256: string | null;
  /** The message of the event, if it was sent from here. */
  sent: Pick<MessageRow, "pricing"> | null;
  /** The other person wrote the message of the event. */
  isTheirs: boolean;
};

type Said = Pick<EventContext, "quotedType" | "sha256" | "sent" | "isTheirs">;
const NOTHING: Said = { quotedType: null, sha256: null, sent: null, isTheirs: false };

const ofReceived = async (
  r: Reader,
  scope: TenantScope,
  { messageId, quotedMessageId, media }: Extract<DomainEvent, { type: "message.received" }>,
): Promise<Said> => {
  const quoted = quotedMessageId === null ? undefined : await findMessage(r, scope, quotedMessageId);
  const [file] = media ? await listMediaOf(r, scope, [messageId]) : [];
  return { ...NOTHING, quotedType: quoted?.type ?? null, sha256: file?.sha256 ?? null };
};

const ofSent = async (r: Reader, scope: TenantScope, id: MessageId, isDeleted: boolean): Promise<Said> => {
  const inbound = isDeleted ? await findInboundByMessage(r, id) : undefined;
  return {
    ...NOTHING,
    sent: (await findMessage(r, scope, id)) ?? null,
    isTheirs: inbound !== undefined && !inbound.isOwn,
  };
};

const saidOf = async (r: Reader, scope: TenantScope, event: DomainEvent): Promise<Said> => {
  if (event.type === "message.received") return ofReceived(r, scope, event);
  if (!("messageId" in event)) return NOTHING;
  return ofSent(r, scope, event.messageId as MessageId, event.type === "message.deleted");
};

/** Undefined for a channel without ids for such an API: no program uses it. */
export const readEventContext = async (
  r: Reader,
  { tenantId, channelId, domainEvent }: PublishedEvent,
): Promise<EventContext | undefined> => {
  const channel = channelId === null ? undefined : await findChannel(r, EVERY_TENANT, channelId);
  const number = channel && (await findAppNumber(r, channel.id));
  if (!channel || !number) return undefined;
  return { number, phoneNumber: channel.phoneNumber, ...(await saidOf(r, { tenantId }, domainEvent)) };
};

/** The events about a message whose author they do not name. */
const ABOUT: ReadonlySet<DomainEvent["type"]> = new Set([
  "message.reacted",
  "message.deleted",
  "message.poll_vote",
  "message.event_response",
]);

/**
 * Who wrote the message that a reaction, a deletion, a vote or an answer to an event is about. Null for a message of the channel's owner, an unknown
 * message and every other event.
 */
export const authorOfSubject = async (r: Reader, event: DomainEvent): Promise<Contact | null> => {
  if (!ABOUT.has(event.type) || !("messageId" in event)) return null;
  const inbound = await findInboundByMessage(r, event.messageId as MessageId);
  return inbound === undefined || inbound.isOwn || inbound.sender === "" ? null : contactOfKey(inbound.sender);
};
