import type { Edited, NativeKey, Reacted, Revoked } from "../../contract/events.ts";
import type { MessageId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/db.ts";
import { findInbound } from "../../store/inbox.ts";
import { findMessageByNativeKey } from "../../store/messages.ts";
import { contactOn, type Inlet, learnIdentity } from "../channels/identity.ts";
import { isFirst } from "../channels/repeats.ts";
import type { Env } from "../env.ts";
import { type Contact, contactOf, type Fact } from "../events/fact.ts";
import { publish } from "../events/publish.ts";

type Act = Reacted | Edited | Revoked;

/** Takes in what somebody did to a message, received or sent, and tells it once under our id of the message. Messages that are not known are not ours to tell of. */
export const receiveAct = async (env: Env, tx: Tx, inlet: Inlet, event: Act): Promise<void> => {
  const { channel, environment } = inlet;
  const target = await targetOf(tx, inlet, event.key);
  if (!target) return env.log.debug({ channelId: channel.id, kind: event.kind }, "something was done to a message that is not known");
  const from = contactOf(event.isOwn ? event.from : await learnIdentity(tx, inlet, { identity: event.from, at: event.at }));
  const happening = { nativeKey: `${event.kind}/${event.nativeId}`, chat: target.chat.canonicalKey, sender: from.canonicalKey, isOwn: event.isOwn ?? false };
  if (await isFirst(env, tx, inlet, happening)) await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, factOf(event, target, from));
};

type Target = { messageId: MessageId; chat: Contact };

const targetOf = async (tx: Tx, { channel }: Inlet, key: NativeKey): Promise<Target | undefined> => {
  const sent = await findMessageByNativeKey(tx, channel.id, key);
  if (sent) return { messageId: sent.id, chat: await contactOn(tx, channel.id, sent.recipient) };
  const received = await findInbound(tx, channel.id, key);
  return received && { messageId: received.messageId, chat: await contactOn(tx, channel.id, received.chat) };
};

const factOf = (event: Act, { messageId, chat }: Target, from: Contact): Fact => {
  const { at } = event;
  switch (event.kind) {
    case "reacted":
      return { type: "message.reacted", messageId, at, emoji: event.emoji ?? "", chat, from };
    case "edited":
      return { type: "message.edited", messageId, at, text: event.text, chat, from };
    case "revoked":
      return { type: "message.deleted", messageId, at, to: chat, error: null };
  }
};
