import { type MessageId, newId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import {
  listMessageActs,
  listWordActs,
  type MessageActRow,
  putMessageAct,
} from "../../store/tables/messaging/message-acts.ts";
import type { Scope } from "../../store/tables/scope.ts";
import type { DomainEvent } from "../domain-event.ts";
import type { ConversationsEnv } from "./env.ts";

/** The acts on a message since it was sent. `by`: a canonical key; null for the channel's owner. */
export type MessageActs = {
  reactions: { emoji: string; by: string | null; at: number }[];
  /** The current text of the message. */
  edited: { text: string; at: number } | null;
  deletedAt: number | null;
  /** What a voice note says; null if it was not transcribed. */
  transcript: string | null;
};

export const NO_ACTS: MessageActs = { reactions: [], edited: null, deletedAt: null, transcript: null };

/**
 * Stores a reaction, an edit or a deletion, in the write that publishes it. Every other event changes nothing.
 * `author`: a canonical key; empty for the channel's owner.
 */
export const keepAct = async (
  env: Pick<ConversationsEnv, "clock" | "random">,
  tx: Tx,
  { tenantId }: Pick<ChannelRow, "tenantId">,
  { domainEvent, author }: { domainEvent: DomainEvent; author: string },
): Promise<void> => {
  const act = actOf(domainEvent);
  if (!act) return;
  const { messageId, ...rest } = act;
  await putMessageAct(tx, { id: newId(env), tenantId, messageId: messageId as MessageId, author, ...rest });
};

/** Stores what a voice note says, in place of an earlier transcript. */
export const keepTranscript = (
  env: Pick<ConversationsEnv, "clock" | "random">,
  tx: Tx,
  said: Pick<MessageActRow, "tenantId" | "messageId" | "author" | "chat" | "text">,
): Promise<void> => putMessageAct(tx, { id: newId(env), kind: "transcript", at: env.clock.now(), ...said });

const actOf = (event: DomainEvent) => {
  switch (event.type) {
    case "message.reacted":
      return {
        messageId: event.messageId,
        kind: "reaction" as const,
        chat: event.chat.canonicalKey,
        text: event.emoji,
        at: event.at,
      };
    case "message.edited":
      return {
        messageId: event.messageId,
        kind: "edit" as const,
        chat: event.chat.canonicalKey,
        text: event.text,
        at: event.at,
      };
    case "message.deleted":
      return {
        messageId: event.messageId,
        kind: "deletion" as const,
        chat: event.to.canonicalKey,
        text: "",
        at: event.at,
      };
    default:
      return undefined;
  }
};

/** The acts on these messages. A message without acts is missing. */
export const actsOn = async (
  r: Reader,
  scope: Scope,
  messageIds: readonly MessageId[],
): Promise<ReadonlyMap<string, MessageActs>> => byMessage(await listMessageActs(r, scope, messageIds));

/** The same without reactions, which say nothing of a message's own words. */
export const wordActsOn = async (
  r: Reader,
  scope: Scope,
  messageIds: readonly MessageId[],
): Promise<ReadonlyMap<string, MessageActs>> => byMessage(await listWordActs(r, scope, messageIds));

/** The content of a message as people read it now. */
export const shownContent = <Content extends object>(content: Content, { edited }: Pick<MessageActs, "edited">) =>
  edited ? { ...content, text: edited.text } : content;

const byMessage = (rows: readonly MessageActRow[]): ReadonlyMap<string, MessageActs> => {
  const acts = new Map<string, MessageActs>();
  for (const { messageId, kind, author, text, at } of rows) {
    const known = acts.get(messageId) ?? NO_ACTS;
    if (kind === "deletion") acts.set(messageId, { ...known, deletedAt: at });
    else if (kind === "edit") acts.set(messageId, { ...known, edited: { text, at } });
    else if (kind === "transcript") acts.set(messageId, { ...known, transcript: text });
    else if (text !== "") {
      const reaction = { emoji: text, by: author === "" ? null : author, at };
      acts.set(messageId, { ...known, reactions: [...known.reactions, reaction] });
    }
  }
  return acts;
};
