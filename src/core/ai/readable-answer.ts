import type { Completion } from "../../contract/ports/llm.ts";
import { inMarks } from "../../kernel/texts/markdown.ts";
import type { AgentRow } from "../../store/tables/ai/agents.ts";
import { getChannel } from "../channels/channel.ts";
import type { AiEnv } from "./env.ts";
import { ended, fitted, MAX_POINTS } from "./words.ts";

/** The part of an answer that is read: its Markdown takes more room than what becomes of it. */
const READ_POINTS = MAX_POINTS + 1024;

/**
 * A model's answer as people read it on an agent's channel: Markdown becomes the network's own marks. An answer whose
 * tokens were used up ends after its last sentence, or after a word with `…`.
 */
export const readableAnswer = async (
  env: AiEnv,
  { tenantId, channelId }: Pick<AgentRow, "tenantId" | "channelId">,
  { text, isCut }: Pick<Completion, "text" | "isCut">,
): Promise<string> => {
  const answer = isCut ? ended(text) : text;
  const { kind } = await getChannel(env, { tenantId }, channelId);
  const read = await inMarks(fitted(answer, { points: READ_POINTS }), env.registry.declared(kind)?.capabilities.marks);
  return read.trim() === "" ? answer : read; // signs alone, such as `#`
};
