import { getContentType, normalizeMessageContent, proto } from "@whiskeysockets/baileys";
import type { Action } from "../../../src/contract/abilities/operations.ts";
import type { Voted } from "../../../src/contract/events.ts";
import type { KeyChanges } from "../../../src/contract/ports/key-store.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { userOf } from "../address.ts";
import { KEEP_FOR_ALL, PIN_FOR_ALL, UNDO_KEEP_FOR_ALL, UNPIN_FOR_ALL } from "../inbound/acts.ts";
import { responseNumber } from "../inbound/content/calendar.ts";
import { contextOf } from "../inbound/content/circumstances.ts";
import { countedVote, pollIn, pollOptions } from "../inbound/content/polls.ts";
import { sealed, secretOf, type Use } from "../inbound/hidden/hidden.ts";
import { personOf } from "../inbound/people.ts";
import type { Act, Target } from "./operations.ts";
import { type Failure, refused } from "./outcomes.ts";
import { ownJid } from "./relay.ts";

type ActionOf<Name extends Action["name"]> = Extract<Action, { name: Name }>;

const unsupported = (reason: string): Failure => refused(reason, { code: "UPSTREAM_UNSUPPORTED" });

/** A pin in the chat, for everyone. Its length stands beside it. */
export const pinOf = (key: proto.IMessageKey, seconds: number | null, now: number): Act => ({
  message: {
    pinInChatMessage: { key, type: seconds === null ? UNPIN_FOR_ALL : PIN_FOR_ALL, senderTimestampMs: now },
    messageContextInfo: { messageAddOnDurationInSecs: seconds ?? 0 },
  },
  attributes: { edit: "2" },
});

/** Keeps a message that would disappear. The apps send the undoing of an own message like its revocation. */
export const keepOf = ({ key, copy }: Target, isKept: boolean, now: number): Act | Failure => {
  if (isKept && !disappears(copy.message)) return unsupported("the message does not disappear");
  return {
    message: { keepInChatMessage: { key, keepType: isKept ? KEEP_FOR_ALL : UNDO_KEEP_FOR_ALL, timestampMs: now } },
    ...(!isKept && key.fromMe ? { attributes: { edit: "7" } } : {}),
  };
};

const disappears = (message: proto.IMessage): boolean => {
  const inner = normalizeMessageContent(message);
  return (contextOf(inner?.[getContentType(inner) ?? "conversation"]).expiration ?? 0) > 0;
};

/**
 * Hides content under the secret of a message, by the kind of addresses that the message has. Undefined without a
 * secret: the message came before this device was linked, or is of another kind.
 */
const hiddenUnder = ({ copy, activeSocket, host }: Target, use: Use, plain: Uint8Array) => {
  const secret = secretOf(copy.message);
  if (!secret) return undefined;
  const author = bareJid(copy.sender);
  const under = { target: copy.key.id, use, secret, author, doer: ownJid(activeSocket, author) };
  return sealed(under, plain, host.random);
};

const bareJid = (jid: string): string => `${userOf(jid)}@${jid.split("@")[1] ?? ""}`;

const NO_SECRET = unsupported("this device does not know the secret of the message");

/** A vote, and what it changes: it counts like the vote of any person, and replaces the account's earlier one. */
export const voteOf = (target: Target, { options }: ActionOf<"vote">, now: number): Act | Failure => {
  const { key, copy, activeSocket } = target;
  const poll = pollIn(copy.message);
  if (!poll) return unsupported("the message is no poll");
  const offered = pollOptions(poll);
  if (options.some((option) => !offered.includes(option))) return refused("an option is none of the poll");
  const most = poll.selectableOptionsCount || offered.length; // the network says 0 for any number
  if (options.length > most) return refused(`the poll allows ${most} of its options`);
  const hashes = options.map((option) => Buffer.from(sha256(option), "hex"));
  const vote = hiddenUnder(
    target,
    "Poll Vote",
    proto.Message.PollVoteMessage.encode({ selectedOptions: hashes }).finish(),
  );
  if (!vote) return NO_SECRET;
  const { id, lid } = activeSocket.sock.user ?? {};
  const own = personOf(id, lid);
  const done: Act["done"] = async (nativeId): Promise<KeyChanges> => {
    const ballot = { poll: copy.key.id as Voted["key"], voter: own, hashes, at: now };
    const counted = await countedVote(activeSocket.keyStore, poll, ballot, now);
    if (!counted) return {};
    const event: Voted = {
      kind: "voted",
      key: ballot.poll,
      nativeId,
      at: now,
      from: own,
      isOwn: true,
      ...counted.counted,
    };
    return { rows: counted.rows, events: [event] };
  };
  return {
    message: { pollUpdateMessage: { pollCreationMessageKey: key, vote, senderTimestampMs: now } },
    nodes: [{ tag: "meta", attrs: { polltype: "vote" } }],
    done,
  };
};

/** An answer to a calendar event, which replaces the account's earlier one. */
export const responseOf = (
  target: Target,
  { response, extraGuests }: ActionOf<"respond">,
  now: number,
): Act | Failure => {
  if (!target.copy.message.eventMessage) return unsupported("the message is no event");
  const answer = { response: responseNumber(response), timestampMs: now, extraGuestCount: extraGuests };
  const hidden = hiddenUnder(target, "Event Response", proto.Message.EventResponseMessage.encode(answer).finish());
  if (!hidden) return NO_SECRET;
  return {
    message: { encEventResponseMessage: { eventCreationMessageKey: target.key, ...hidden } },
    nodes: [{ tag: "meta", attrs: { event_type: "response" } }],
  };
};
