import type { HistoryOutcome } from "../../contract/abilities/history.ts";
import { isOpenState } from "../../contract/events.ts";
import { AppError } from "../../kernel/errors.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import { findOldestReceived } from "../../store/tables/conversations/received.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { readContactOn } from "../channels/identity.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notConnected, notOffered } from "../channels/refusals.ts";
import { listContactsOfPerson } from "./contacts.ts";
import type { ConversationsEnv } from "./env.ts";

/** `count`: at most 50. */
export type OlderRequest = { channelId: string; chat: string; count: number };

/**
 * Asks the owner's device for messages that are older than the oldest known message of a chat. They are stored in its
 * conversation, and nothing is published. Waits 30 seconds for the device.
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM, CHANNEL_NOT_CONNECTED, RECIPIENT_INVALID, ADDRESS_INVALID,
 *   MESSAGE_NOT_FOUND if no message of the chat is known, UPSTREAM_PACE_REACHED while an earlier request for the chat
 *   waits, and what `requireValue` throws
 */
export const requestOlder = async (
  env: ConversationsEnv,
  scope: TenantScope,
  { channelId, chat: given, count }: OlderRequest,
): Promise<HistoryOutcome> => {
  const channel = await getChannel(env, scope, channelId);
  const api = env.supervisor.linkOf(channel, "live")?.history;
  if (!api) throw notOffered("ask for older messages");
  if (!isOpenState(channel.state)) throw notConnected(channel);
  const address = await env.registry.ofKind(channel.kind)?.address(asDigits(given.trim()));
  if (!address?.ok)
    throw new AppError(address?.code ?? "RECIPIENT_INVALID", {
      message: "This is not a chat.",
      details: { to: given },
    });
  const oldest = await env.db.read(async (reader) => {
    const viewer = { tenantId: channel.tenantId, environment: "live" as const };
    const [contact] = await listContactsOfPerson(reader, viewer, await readContactOn(reader, channel.id, address.to));
    return contact && findOldestReceived(reader, { channelId: channel.id, contactId: contact.id });
  });
  if (!oldest)
    throw new AppError("MESSAGE_NOT_FOUND", {
      message: "No message of this chat is stored here: the owner's device needs one to go back from.",
    });
  const { providerMessageId: key, at, isOwn } = oldest;
  return requireValue(await api.request({ chat: address.to, key, at, isOwn, count }));
};
