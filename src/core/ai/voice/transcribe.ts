import type { LlmFailure } from "../../../contract/ports/llm.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { listReceived, type ReceivedRow } from "../../../store/tables/conversations/received.ts";
import { deletionTime } from "../../../store/tables/messaging/message-acts.ts";
import { readContactOn } from "../../channels/identity.ts";
import { keepTranscript } from "../../conversations/acts.ts";
import type { TranscriptionFailure } from "../../events/definitions/messages.ts";
import { findRefusal } from "../../tenancy/accounts/accounts.ts";
import { requireBudget, type Spender } from "../budget.ts";
import { conversationWith } from "../conversations/conversations.ts";
import { agentAtWork, respondToMessage } from "../conversations/respond.ts";
import { noteMessage, type TurnKey } from "../conversations/turn.ts";
import type { AiEnv } from "../env.ts";
import { UNREADABLE_NOTE } from "../marks.ts";
import { countTokens, requireProvider, writeLightly } from "../provider.ts";
import { fitted, MAX_POINTS, readableWords } from "../words.ts";
import { type NotePayload, publishEnd } from "./note-ends.ts";
import { type NoteFile, readNoteFile, soundAsWav, TOKENS_PER_SECOND } from "./note-file.ts";
import { isForAgent, isTranscribed } from "./notes.ts";

type NoteJob = Job<NotePayload>;

/** Waits between the attempts of a provider that is away. */
const RETRY_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS] as const;
/** A longer transcript is cut: it is more than anybody says in five minutes. */
const MAX_TRANSCRIPT = { points: 16_000 };

type Transcribed =
  | { is: "text"; text: string; model: string; seconds: number | null }
  | { is: "none"; reason: TranscriptionFailure; detail: string | null; seconds: number | null }
  | { is: "later"; atMs: number; failure: LlmFailure };

/**
 * Turns a voice note into text, stores the text with the message, publishes it, and lets the agent answer. A note that
 * cannot be transcribed is published with the reason. Asks nobody for a note that was deleted, or for a suspended
 * account. One write stores the text and the agent's turn: after a crash before it the provider is asked again, after
 * it the agent alone.
 */
export const transcribeVoice = async (env: AiEnv, job: NoteJob): Promise<JobOutcome> => {
  const { turn: noted, ...note } = job.payload;
  if (noted) return respondToMessage(env, { ...job, payload: { ...note, ...noted } });
  if (!(await env.db.read((reader) => isWanted(env, reader, note)))) return { is: "done" };
  const found = await transcribed(env, job);
  if (found.is === "later") return { is: "retry", atMs: found.atMs, error: found.failure.reason };
  const turn = await env.db.write((tx) => settle(env, tx, job, found));
  return turn ? respondToMessage(env, { ...job, payload: { ...note, ...turn } }) : { is: "settled" };
};

/** A note may have been deleted, or its setting or account changed, since it came in. */
const isWanted = async (env: AiEnv, r: Reader, note: NotePayload): Promise<boolean> => {
  if ((await findRefusal(r, note.tenantId)) !== undefined) return false;
  return (await deletionTime(r, note.messageId)) === null && (await isTranscribed(env, r, note));
};

const transcribed = async (env: AiEnv, job: NoteJob): Promise<Transcribed> => {
  const { tenantId, messageId } = job.payload;
  const file = await readNoteFile(env, tenantId, messageId);
  if (!file.ok) return { is: "none", reason: file.reason, detail: null, seconds: file.seconds };
  try {
    return await askedOf(env, job, file);
  } catch (error) {
    const reason = error instanceof AppError ? REFUSALS[error.code] : undefined;
    if (!(error instanceof AppError) || reason === undefined) throw error;
    return { is: "none", reason, detail: error.message, seconds: file.seconds };
  }
};

/** TABLE: the refusals of ours for which a note gets no transcript. */
const REFUSALS: Readonly<Record<string, TranscriptionFailure>> = {
  LLM_KEY_REQUIRED: "NO_PROVIDER",
  LLM_BUDGET_EXHAUSTED: "BUDGET_EXHAUSTED",
};

type Readable = Extract<NoteFile, { ok: true }>;

/** @throws AppError LLM_KEY_REQUIRED, LLM_BUDGET_EXHAUSTED */
const askedOf = async (env: AiEnv, job: NoteJob, { sound, seconds, atMost }: Readable): Promise<Transcribed> => {
  const { tenantId } = job.payload;
  const {
    provider,
    transcriptionModel: model,
    transcriptionLanguage: language,
  } = await requireProvider(env, {
    tenantId,
  });
  const spender = await env.db.read((reader) => spenderOf(reader, job.payload));
  await requireBudget(env, spender);
  const asWav = () => soundAsWav(env, tenantId, sound);
  const answer = await env.llmTurns.run(tenantId, () =>
    env.llm.transcribe({ provider, model, sound, asWav, ...(language === null ? {} : { language }) }),
  );
  if (!answer.ok) return failedWith(env, job, answer, seconds);
  const { text, usage } = answer.value;
  const isCounted = usage.promptTokens + usage.completionTokens > 0;
  const used = isCounted ? usage : { promptTokens: atMost * TOKENS_PER_SECOND, completionTokens: 0 };
  await writeLightly(env, (tx) => countTokens(env, tx, spender, { model, usage: used, texts: [] }));
  const said = fitted(text.replaceAll("\0", "").toWellFormed().trim(), MAX_TRANSCRIPT);
  return said === ""
    ? { is: "none", reason: "SILENT", detail: null, seconds }
    : { is: "text", text: said, model, seconds };
};

/** An agent's note counts against its budgets too; a phone's against the account's alone. */
const spenderOf = async (r: Reader, note: NotePayload): Promise<Spender> => {
  const { tenantId, channelId, contactKey } = note;
  if (!(await isForAgent(r, note))) return { tenantId };
  const { known } = await conversationWith(r, note);
  return known ? { tenantId, channelId, conversationId: known.id, contactKey } : { tenantId, channelId };
};

const failedWith = (env: AiEnv, job: NoteJob, failure: LlmFailure, seconds: number | null): Transcribed => {
  const { kind, reason: detail, retryAfterMs = 0 } = failure;
  const waitMs = RETRY_WAITS_MS[job.attempt - 1];
  const isRefused = kind === "refused";
  if (!isRefused && waitMs !== undefined && retryAfterMs <= (RETRY_WAITS_MS.at(-1) ?? 0))
    return { is: "later", atMs: env.clock.now() + Math.max(waitMs, retryAfterMs), failure };
  env.log.warn({ messageId: job.payload.messageId, kind, status: failure.status }, "a voice note has no transcript");
  return { is: "none", reason: isRefused ? "REFUSED" : "UNAVAILABLE", detail, seconds };
};

/** Gives the agent's turn that is to be answered; without one the job ends. */
const settle = async (
  env: AiEnv,
  tx: Tx,
  job: NoteJob,
  found: Exclude<Transcribed, { is: "later" }>,
): Promise<TurnKey | undefined> => {
  const { tenantId, channelId, contactKey, messageId } = job.payload;
  const [message] = await listReceived(tx, { tenantId }, [messageId]);
  const isGone = !message || (await deletionTime(tx, messageId)) !== null;
  if (isGone) {
    job.end(tx);
    return undefined;
  }
  if (found.is === "text")
    await keepTranscript(env, tx, {
      tenantId,
      messageId,
      author: message.sender,
      chat: (await readContactOn(tx, channelId, contactKey)).canonicalKey,
      text: found.text,
    });
  await publishEnd(env, tx, job.payload, {
    conversationId: message.conversationId,
    text: found.is === "text" ? found.text : null,
    reason: found.is === "text" ? null : found.reason,
    detail: found.is === "text" ? null : found.detail,
    seconds: found.seconds,
    model: found.is === "text" ? found.model : null,
  });
  const turn = await turnOf(env, tx, job.payload, { message, found });
  if (turn) job.saveProgress(tx, { ...job.payload, turn });
  else job.end(tx);
  return turn;
};

type Found = { message: Omit<ReceivedRow, "raw">; found: Exclude<Transcribed, { is: "later" }> };

/** The agent's turn of the note: its words, and those beside it. Without a transcript only if the agent asked for one. */
const turnOf = async (
  env: AiEnv,
  tx: Tx,
  note: NotePayload,
  { message, found }: Found,
): Promise<TurnKey | undefined> => {
  const agent = await agentAtWork(tx, note.channelId);
  if (!agent) return undefined;
  const caption = readableWords(message as Parameters<typeof readableWords>[0]); // stored as it was checked
  const unreadable = agent.transcribesVoice ? UNREADABLE_NOTE : undefined;
  const words = [found.is === "text" ? found.text : unreadable, caption].filter((text) => text !== undefined);
  if (words.length === 0) return undefined;
  return noteMessage(env, tx, agent, { ...note, text: fitted(words.join("\n\n"), { points: MAX_POINTS }) });
};
