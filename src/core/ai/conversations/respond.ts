import { dayIn, HOUR_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type MessageId, madeAt } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { type AgentRow, loadAgent } from "../../../store/tables/ai/agents.ts";
import { listAiTurns, markUnanswered, updateAiConversation } from "../../../store/tables/ai/ai-conversations.ts";
import { deletionTime } from "../../../store/tables/messaging/message-acts.ts";
import { keepTranscript } from "../../conversations/acts.ts";
import {
  type DomainEvent,
  isMany,
  type MessageReceived,
  type MessageSent,
  type PublishedEvent,
} from "../../domain-event.ts";
import { readOpenness } from "../../messaging/openness.ts";
import { acceptWithin } from "../../messaging/sending/accept.ts";
import { accountRefusal } from "../../tenancy/accounts/accounts.ts";
import { requireBudget } from "../budget.ts";
import type { AiEnv } from "../env.ts";
import { requireProvider, writeLightly } from "../provider.ts";
import { readableAnswer } from "../readable-answer.ts";
import { markOf, sightOf } from "../sight.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { estimatedTokens, fitted, MAX_POINTS, readableWords, wordsSent } from "../words.ts";
import { answerOf } from "./answering.ts";
import { conversationWith, handOff } from "./conversations.ts";
import { type Outgoing, outgoing, replyOf } from "./outgoing.ts";
import {
  beginTurn,
  findAwaiting,
  noteAnswer,
  noteDeletion,
  noteHeld,
  noteHuman,
  noteMessage,
  noteOwner,
  type Said,
  type Turn,
  type TurnKey,
} from "./turn.ts";

/** The turn to answer. */
type RespondPayload = Omit<Said, "text"> & TurnKey;
type RespondJob = Pick<Job<RespondPayload>, "payload" | "createdAt" | "end">;

/** The agent does not answer a message that has waited longer than this for a failed provider. */
const PATIENCE_MS = HOUR_MS;

/**
 * Records a received message when the channel has an agent, and enqueues the agent's answer if it should answer. A
 * message that the channel's owner wrote in the network's own app is recorded too, and hands the conversation off. A
 * message that came for information, while another app leads the conversation, is only recorded.
 */
export const noteReceived = async (
  env: AiEnv,
  tx: Tx,
  { tenantId, channelId, domainEvent }: PublishedEvent & { domainEvent: MessageReceived },
): Promise<void> => {
  const { messageId, from, chat, direction, isHistory, heldBy } = domainEvent;
  const isOwners = direction === "outbound" && !heldBy;
  if (channelId === null || isHistory || isMany(chat)) return;
  const agent = await agentAtWork(tx, channelId);
  if (!agent) return;
  const words = wordsFor(agent, domainEvent);
  if (words === "" && !isOwners) return;
  // a message is published after its file, so its deletion can come before
  const isDeleted = (await deletionTime(tx, messageId)) !== null;
  const text = isDeleted ? "" : fitted(words, { points: MAX_POINTS });
  const message = { tenantId, channelId, messageId };
  if (isOwners) return noteOwner(env, tx, { ...message, text, contactKey: chat.canonicalKey });
  if (isDeleted) return;
  if (heldBy) {
    const author = direction === "outbound" ? "HUMAN" : "USER";
    return noteHeld(env, tx, { ...message, text, contactKey: chat.canonicalKey }, author);
  }
  const { canonicalKey: contactKey } = from;
  const turn = await noteMessage(env, tx, agent, { ...message, text, contactKey });
  if (turn) env.jobs.enqueue(tx, "agent.respond", { ...message, contactKey, ...turn });
};

/** The words of a received message, with the mark of a file that the agent sees; empty for a message without any. */
const wordsFor = (agent: AgentRow, { content, media, direction }: MessageReceived): string => {
  const mark = media && direction === "inbound" ? markOf(agent, content) : undefined;
  return [mark, readableWords(content)].filter((text) => text !== undefined).join("\n");
};

/** Records a message that a client sent through the API, when the channel has an agent. Skips the agent's messages. */
export const noteSent = async (
  env: AiEnv,
  tx: Tx,
  { tenantId, channelId, domainEvent }: PublishedEvent & { domainEvent: MessageSent },
): Promise<void> => {
  const words = wordsSent(domainEvent.said);
  if (channelId === null || words === undefined || isMany(domainEvent.to) || !(await agentAtWork(tx, channelId)))
    return;
  const said = {
    tenantId,
    channelId,
    contactKey: domainEvent.to.canonicalKey,
    messageId: domainEvent.messageId as MessageId,
    text: fitted(words, { points: MAX_POINTS }),
  };
  await noteHuman(env, tx, said, "api");
};

/** Forgets the text of a message that was deleted for everyone. A group has no conversation with an agent. */
export const noteDeleted = async (
  tx: Tx,
  {
    tenantId,
    channelId,
    domainEvent: { messageId, to },
  }: PublishedEvent & { domainEvent: Extract<DomainEvent, { type: "message.deleted" }> },
): Promise<void> => {
  if (channelId === null || isMany(to)) return;
  const said = { tenantId, channelId, contactKey: to.canonicalKey, messageId: messageId as MessageId };
  await noteDeletion(tx, said);
};

/**
 * Another app leads a conversation from now on. That app answers the contact's earlier messages, also those that the
 * agent has not begun to answer.
 */
export const noteLed = async (
  tx: Tx,
  {
    tenantId,
    channelId,
    domainEvent,
  }: PublishedEvent & { domainEvent: Extract<DomainEvent, { type: "conversation.held" }> },
): Promise<void> => {
  if (channelId === null) return;
  const { known } = await conversationWith(tx, { tenantId, channelId, contactKey: domainEvent.chat.canonicalKey });
  const [last] = known ? await listAiTurns(tx, known.id, { limit: 1 }) : [];
  if (known && last) await updateAiConversation(tx, known.id, [known.status], { answersAfter: last.id });
};

/** The agent of a channel; undefined if it has none, or its account is inactive. */
export const agentAtWork = async (r: Reader, channelId: RespondPayload["channelId"]): Promise<AgentRow | undefined> => {
  const found = await loadAgent(r, channelId);
  return found && accountRefusal(found) === undefined ? found.agent : undefined;
};

/**
 * Answers a message. The greeting of a first contact is sent before the provider is asked. One write records the
 * answer, accepts it as a message and ends the job: after a crash the provider is asked again, and one answer is sent.
 * Without an answer nothing is sent, and the turn says why.
 */
export const respondToMessage = async (env: AiEnv, job: RespondJob): Promise<JobOutcome> => {
  try {
    return await respond(env, job);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "OVERLOADED") throw error;
    const { channelId, messageId, turnId } = job.payload;
    const { kind, status, reason } = error.details;
    env.log.warn({ channelId, messageId, code: error.code, kind, status }, "the agent gave no answer");
    await writeLightly(env, async (tx) => {
      markUnanswered(tx, turnId, typeof reason === "string" ? reason : error.message);
      job.end(tx);
    });
    return { is: "settled" };
  }
};

const respond = async (env: AiEnv, job: RespondJob): Promise<JobOutcome> => {
  const { payload: said } = job;
  const agent = await env.db.read((reader) => agentAtWork(reader, said.channelId));
  if (!agent) return { is: "done" };
  if (env.clock.now() - job.createdAt > PATIENCE_MS)
    throw new AppError("LLM_FAILED", { message: "The message had waited for an hour.", details: { kind: "too late" } });
  if (agent.respectsHours) {
    const { isOpen, hours } = await env.db.read((reader) => readOpenness(reader, said, madeAt(said.turnId)));
    if (!isOpen) return sayClosed(env, job, agent, dayIn(hours?.timeZone ?? "UTC", env.clock.now()));
  }
  const provider = await requireProvider(env, said);
  await requireBudget(env, said);
  const greeting = agent.greeting === null ? undefined : await outgoing(env, said, agent.greeting);
  const turn = await writeLightly(env, async (tx) => {
    const begun = await beginTurn(env, tx, agent, said);
    if (!begun) job.end(tx);
    if (begun?.isGreeted === false && greeting) await say(env, tx, { ...begun, reply: greeting });
    return begun;
  });
  if (!turn) return { is: "settled" };
  const mayAct = async (reader: Reader): Promise<boolean> =>
    (await findAwaiting(env, reader, agent, said)) !== undefined;
  const about = { ...said, contactKey: turn.conversation.contactKey };
  const { openToolbox } = await import("../tools/toolbox.ts"); // few agents have tools
  const toolbox = await openToolbox(env, agent, about, mayAct);
  const sight = await sightOf(env, agent, said);
  const { completion, pieces } = await answerOf(env, { agent, provider, said, turn: { ...turn, sight }, toolbox });
  const text = completion && (await readableAnswer(env, agent, completion));
  const reply = text === undefined ? undefined : await replyOf(env, { agent, provider, said, text });
  await writeLightly(env, async (tx) => {
    const awaiting = await findAwaiting(env, tx, agent, said);
    if (awaiting) {
      const { conversation } = awaiting;
      const retrievedChunkIds = pieces.map(({ id }) => id);
      const took = completion?.usage.completionTokens ?? 0;
      if (reply) await say(env, tx, { conversation, reply, took, retrievedChunkIds });
      if (toolbox) await settle(env, tx, toolbox, { conversation, hasAnswer: reply !== undefined });
    }
    job.end(tx);
  });
  return { is: "settled" };
};

/** Does what the calls of tools asked for, in the write of the answer. The conversation is handed over last. */
const settle = async (
  env: AiEnv,
  tx: Tx,
  toolbox: Toolbox,
  { conversation, hasAnswer }: Pick<Turn, "conversation"> & { hasAnswer: boolean },
): Promise<void> => {
  await toolbox.settle(tx, { hasAnswer });
  const reason = toolbox.handsOver();
  if (reason !== undefined) await handOff(env, tx, conversation, { reason, manual: false });
};

/**
 * Ends the job of a message that came outside business hours: with the agent's text for that, once per chat and day, or
 * without an answer. No model is asked.
 */
const sayClosed = async (env: AiEnv, job: RespondJob, agent: AgentRow, today: string): Promise<JobOutcome> => {
  const { payload: said } = job;
  const reply = agent.closedText === null ? undefined : await outgoing(env, said, agent.closedText);
  await writeLightly(env, async (tx) => {
    const turn = reply && (await beginTurn(env, tx, agent, said));
    if (reply && turn && turn.conversation.closedTextOn !== today) {
      await say(env, tx, { ...turn, reply });
      await updateAiConversation(tx, turn.conversation.id, ["AI"], { closedTextOn: today });
    }
    job.end(tx);
  });
  return { is: "settled" };
};

type Saying = Pick<Turn, "conversation"> & { reply: Outgoing; took?: number; retrievedChunkIds?: string[] };

/** Records the agent's answer and accepts it as a message, in the write that has found its turn awaiting it. */
const say = async (
  env: AiEnv,
  tx: Tx,
  { conversation, reply, took = 0, retrievedChunkIds = [] }: Saying,
): Promise<void> => {
  const { text: content, message } = reply;
  const answer = {
    conversation,
    content,
    tokensEstimate: took || estimatedTokens(content),
    sentMessageId: message.id,
    retrievedChunkIds,
  };
  await noteAnswer(env, tx, answer);
  await acceptWithin(env, tx, reply);
  // people read in the chat what a voice note of the agent says
  const { tenantId, id: messageId, recipient: chat } = message;
  if (message.type === "audio") await keepTranscript(env, tx, { tenantId, messageId, author: "", chat, text: content });
};
