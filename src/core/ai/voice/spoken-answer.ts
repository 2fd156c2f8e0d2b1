import { onePiece } from "../../../kernel/async.ts";
import { AppError } from "../../../kernel/errors.ts";
import { codePoints } from "../../../kernel/schema.ts";
import { inMarks } from "../../../kernel/texts/markdown.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import { listReceived } from "../../../store/tables/conversations/received.ts";
import { keepFile } from "../../media/kept.ts";
import { requireBudget } from "../budget.ts";
import type { Said } from "../conversations/turn.ts";
import type { AiEnv } from "../env.ts";
import { countTokens, type Provider, writeLightly } from "../provider.ts";
import { TOKENS_PER_SECOND } from "./note-file.ts";

/** The voice that most providers have. */
const DEFAULT_VOICE = "alloy";
/** The longest answer that is spoken: about a minute. */
const MAX_SPOKEN_POINTS = 1000;
/** About as many characters are spoken in a second. */
const POINTS_PER_SECOND = 15;
/** An address is to be tapped, not listened to. */
const LINK = /:\/\/|\bwww\./i;

type Answer = { agent: AgentRow; provider: Provider; said: Omit<Said, "text">; text: string };

/**
 * The handle of a voice note that speaks an agent's answer to a voice note. Undefined if the answer goes as text: the
 * person wrote, the answer is long or has a link, or no sound could be made.
 */
export const spokenAnswer = async (env: AiEnv, answer: Answer): Promise<string | undefined> => {
  const { agent, said, text } = answer;
  if (!agent.speaks || codePoints(text) > MAX_SPOKEN_POINTS || LINK.test(text)) return undefined;
  const [message] = await env.db.read((reader) => listReceived(reader, said, [said.messageId]));
  if (!message || !("voice" in message.content) || message.content.voice !== true) return undefined;
  try {
    return await madeNote(env, answer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return withoutSound(env, answer, error.message); // such as a full storage, or a budget that is used up
  }
};

const withoutSound = (env: AiEnv, { said }: Answer, reason: string): undefined => {
  env.log.warn({ channelId: said.channelId, messageId: said.messageId, reason }, "an answer could not be spoken");
};

/** @throws AppError LLM_BUDGET_EXHAUSTED, as the answer itself may have used the rest, and what `keepFile` throws */
const madeNote = async (env: AiEnv, answer: Answer): Promise<string | undefined> => {
  const { agent, provider, said, text } = answer;
  const { speechModel: model } = provider;
  await requireBudget(env, said);
  const spoken = await env.llmTurns.run(said.tenantId, async () =>
    env.llm.speak({
      provider: provider.provider,
      model,
      voice: agent.voice ?? DEFAULT_VOICE,
      text: await inMarks(text, undefined),
    }),
  );
  if (!spoken.ok) return withoutSound(env, answer, spoken.reason);
  const made = await env.makeVoice(said.tenantId, onePiece(spoken.value));
  const note = made.ok ? made.note : undefined;
  try {
    // what is no sound is paid for too
    const seconds = note?.seconds ?? Math.ceil(codePoints(text) / POINTS_PER_SECOND);
    const usage = { promptTokens: 0, completionTokens: seconds * TOKENS_PER_SECOND };
    await writeLightly(env, (tx) => countTokens(env, tx, said, { model, usage, texts: [] }));
    if (!made.ok) return withoutSound(env, answer, `the provider's sound cannot be a voice note: ${made.reason}`);
    const file = { body: made.note.stream(), contentType: "audio/ogg", filename: "voice.ogg" };
    return (await keepFile(env, said, file)).mediaHandle;
  } finally {
    await note?.dispose();
  }
};
