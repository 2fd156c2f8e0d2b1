import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { TRANSCRIBE_FIELD } from "../../channels/settings/phone-settings.ts";
import { readVaultField } from "../../channels/settings/vault.ts";
import { isMany, type MessageReceived, type PublishedEvent } from "../../domain-event.ts";
import { conversationWith } from "../conversations/conversations.ts";
import { agentAtWork } from "../conversations/respond.ts";
import { keepPlace } from "../conversations/turn.ts";
import type { AiEnv } from "../env.ts";

/** A voice note, and where it came in. */
export type NoteKey = Pick<PublishedEvent, "tenantId"> & { channelId: ChannelId; contactKey: string };

/**
 * Enqueues the transcription of a voice note, when the phone's setting or its agent asks for it. True if it did: the
 * note's turn follows with its text. Left out are notes of groups, of the phone's owner, of the time before the phone
 * was linked, and those that another app answers.
 */
export const noteVoice = async (
  env: AiEnv,
  tx: Tx,
  { tenantId, channelId, domainEvent }: PublishedEvent & { domainEvent: MessageReceived },
): Promise<boolean> => {
  const { messageId, from, chat, direction, isHistory, content, heldBy, media } = domainEvent;
  const isNote = content.type === "audio" && content.content.voice === true && media !== null;
  if (!isNote || channelId === null || direction !== "inbound") return false;
  if (isHistory || heldBy || isMany(chat)) return false;
  const note = { tenantId, channelId, contactKey: from.canonicalKey };
  if (!(await isTranscribed(env, tx, note))) return false;
  env.jobs.enqueue(tx, "voice.transcribe", { ...note, messageId, at: await keepPlace(env, tx, note) });
  return true;
};

/** Whether the phone, or its agent for this contact, wants the text of voice notes. */
export const isTranscribed = async (env: Pick<AiEnv, "secrets">, r: Reader, note: NoteKey): Promise<boolean> =>
  (await isForAgent(r, note)) || (await readVaultField(env, r, note.channelId, TRANSCRIBE_FIELD)) === "voice";

/** An agent that begins no conversations reads the notes of those that it has. */
export const isForAgent = async (r: Reader, note: NoteKey): Promise<boolean> => {
  const agent = await agentAtWork(r, note.channelId);
  if (!agent?.transcribesVoice) return false;
  if (agent.isEnabled) return true;
  const { known } = await conversationWith(r, note);
  return known !== undefined && known.status !== "CLOSED";
};
