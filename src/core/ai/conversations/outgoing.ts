import { AppError } from "../../../kernel/errors.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import { getChannel } from "../../channels/channel.ts";
import { prepareMessage } from "../../messaging/sending/accept.ts";
import type { Envelope } from "../../messaging/sending/sendable.ts";
import type { AiEnv } from "../env.ts";
import type { Provider } from "../provider.ts";
import { fitted, MAX_POINTS } from "../words.ts";
import type { Said } from "./turn.ts";

/** The contact to whom an agent writes. */
type Recipient = Pick<Said, "tenantId" | "channelId" | "contactKey">;

/** A message of an agent to its contact, which a write accepts. */
export type Prepared = Awaited<ReturnType<typeof prepareMessage>>;

/** Prepares a message; it is sent when a write accepts it. Throws what `prepareMessage` throws. */
export const preparedFor = (
  env: AiEnv,
  { tenantId, channelId, contactKey }: Recipient,
  { type, content }: Pick<Envelope, "type" | "content">,
): Promise<Prepared> =>
  prepareMessage(
    env,
    { tenantId },
    { channelId, to: contactKey, type, content, isAnswer: true },
    { environment: "live", mustBeConnected: false, acceptedBy: `agent:${channelId}`, requestId: null },
  );

export type Outgoing = Prepared & { text: string };

/** Prepares a text message, cut to what the channel takes. */
export const outgoing = async (env: AiEnv, to: Recipient, words: string): Promise<Outgoing> => {
  const { kind } = await getChannel(env, { tenantId: to.tenantId }, to.channelId);
  const { textMaxChars = MAX_POINTS, textMaxBytes: bytes } = env.registry.declared(kind)?.capabilities.send.text ?? {};
  const text = fitted(words.replaceAll("\0", "").toWellFormed().trim(), {
    points: Math.min(MAX_POINTS, textMaxChars),
    bytes,
  });
  return { text, ...(await preparedFor(env, to, { type: "text", content: { text } })) };
};

type Answer = { agent: AgentRow; provider: Provider; said: Omit<Said, "text">; text: string };

/** Prepares an agent's answer: as a voice note if it speaks and the network takes them, else as a text. */
export const replyOf = async (env: AiEnv, answer: Answer): Promise<Outgoing> =>
  (await spoken(env, answer)) ?? (await outgoing(env, answer.said, answer.text));

const spoken = async (env: AiEnv, answer: Answer): Promise<Outgoing | undefined> => {
  if (!answer.agent.speaks) return undefined;
  const { spokenAnswer } = await import("../voice/spoken-answer.ts");
  const mediaHandle = await spokenAnswer(env, answer);
  if (mediaHandle === undefined) return undefined;
  try {
    const note = { type: "audio", content: { mediaHandle, ptt: true } } as const;
    return { text: answer.text, ...(await preparedFor(env, answer.said, note)) };
  } catch (error) {
    if (error instanceof AppError) return undefined; // a network without voice notes
    throw error;
  }
};
