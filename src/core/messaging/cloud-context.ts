import type { MessageId } from "../../kernel/ids.ts";
import { findChannel } from "../../store/channels.ts";
import { type CloudNumberRow, findCloudNumber } from "../../store/cloud-numbers.ts";
import type { Reader } from "../../store/db.ts";
import { findInboundByMessage } from "../../store/inbox.ts";
import { listMediaOf } from "../../store/media.ts";
import { findMessage, type MessageRow } from "../../store/messages.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { PublishedEvent } from "../domain-event.ts";

/** What a webhook of the Cloud API says of an event beside the event itself. */
export type CloudContext = {
  number: Pick<CloudNumberRow, "numberId" | "accountId" | "displayNumber">;
  /** The channel's own number, in digits; null where it has none. */
  phoneNumber: string | null;
  /** The type of the sent message that a person answers; null where the message was not sent from here. */
  quotedType: MessageRow["type"] | null;
  /** SHA-256 of the message's file, in hexadecimal. */
  sha256: string | null;
  /** The message that the event is about, where it was sent from here. */
  sent: Pick<MessageRow, "pricing"> | null;
  /** The message that the event is about was written by the other person. */
  isTheirs: boolean;
};

/** Undefined for a channel that the API which is compatible with the Cloud API was never asked for. */
export const cloudContextOf = async (
  r: Reader,
  { tenantId, channelId, domainEvent }: PublishedEvent,
): Promise<CloudContext | undefined> => {
  const channel = channelId === null ? undefined : await findChannel(r, EVERY_TENANT, channelId);
  const number = channel && (await findCloudNumber(r, channel.id));
  if (!channel || !number) return undefined;
  const scope = { tenantId };
  const about = "messageId" in domainEvent ? (domainEvent.messageId as MessageId) : undefined;
  const isReceived = domainEvent.type === "message.received";
  const quoted = isReceived ? domainEvent.quotedMessageId : null;
  const [file] = isReceived && domainEvent.media ? await listMediaOf(r, scope, [domainEvent.messageId]) : [];
  const inbound = about && domainEvent.type === "message.deleted" ? await findInboundByMessage(r, about) : undefined;
  return {
    number,
    phoneNumber: channel.phoneNumber,
    quotedType: quoted === null ? null : ((await findMessage(r, scope, quoted))?.type ?? null),
    sha256: file?.sha256 ?? null,
    sent: about !== undefined && !isReceived ? ((await findMessage(r, scope, about)) ?? null) : null,
    isTheirs: inbound !== undefined && !inbound.isOwn,
  };
};
