import type { ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { listReceived } from "../../../store/tables/conversations/received.ts";
import { deletionTime } from "../../../store/tables/messaging/message-acts.ts";
import { readContactOn } from "../../channels/identity.ts";
import type { DomainEvent } from "../../domain-event.ts";
import { channelOrRest, publish } from "../../events/publish.ts";
import type { TurnKey } from "../conversations/turn.ts";
import type { AiEnv } from "../env.ts";

/**
 * The voice note. `at`: its place among the turns with the agent. `turn`: its turn, once it has its text: what is left is
 * the answer.
 */
export type NotePayload = {
  tenantId: TenantId;
  channelId: ChannelId;
  contactKey: string;
  messageId: MessageId;
  at?: number;
  turn?: TurnKey;
};

type Transcribed = Extract<DomainEvent, { type: "message.transcribed" }>;
type End = Pick<Transcribed, "conversationId" | "text" | "reason" | "detail" | "seconds" | "model">;

/** Publishes how the transcription of a note has ended. */
export const publishEnd = async (env: AiEnv, tx: Tx, note: NotePayload, end: End): Promise<void> => {
  const { tenantId, channelId, contactKey, messageId } = note;
  const chat = await readContactOn(tx, channelId, contactKey);
  await publish(
    env,
    tx,
    { tenantId, channel: await channelOrRest(tx, channelId) },
    { type: "message.transcribed", messageId, at: env.clock.now(), chat, ...end },
  );
};

/** Publishes that the note of a discarded job gets no text. A note with a turn has been published, a deleted one is not. */
export const discardNote = async (env: AiEnv, tx: Tx, note: NotePayload): Promise<void> => {
  const { tenantId, messageId, turn } = note;
  const [message] = turn ? [] : await listReceived(tx, { tenantId }, [messageId]);
  if (!message || (await deletionTime(tx, messageId)) !== null) return;
  await publishEnd(env, tx, note, {
    conversationId: message.conversationId,
    text: null,
    reason: "UNAVAILABLE",
    detail: "The server could not process it.",
    seconds: null,
    model: null,
  });
};
