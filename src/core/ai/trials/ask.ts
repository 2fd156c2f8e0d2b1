import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type AgentRow, findAgent } from "../../../store/tables/ai/agents.ts";
import {
  endTrialRun,
  findTrialRun,
  nextTrialQuestion,
  putTrialResult,
  type TrialResultRow,
  type TrialRunRow,
} from "../../../store/tables/ai/trials.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { channelOrRest, publish } from "../../events/publish.ts";
import { findRefusal } from "../../tenancy/accounts/accounts.ts";
import type { AiEnv } from "../env.ts";
import { allowToolTest } from "../tools/tools.ts";
import { answerTo } from "../trial.ts";
import { failTrialRun } from "./ends.ts";
import { judge } from "./judging.ts";
import { comparedResults } from "./runs.ts";

type AskPayload = { tenantId: TenantId; channelId: ChannelId; runId: string; callTools: boolean };

/** The refusals that every question of a run would get: a wrong key, no credit, an unknown model. */
const OF_ALL: readonly unknown[] = [401, 402, 403, 404, 429];
/** How often a provider in trouble is asked again in one run. */
const MAX_ATTEMPTS = 10;

/**
 * `full`: the account has no test of tools left before this time, in ms. `ended`: why no further question can be asked.
 */
type Asked =
  | { is: "answered"; result: Partial<TrialResultRow> }
  | { is: "later"; reason: string }
  | { is: "full"; untilMs: number }
  | { is: "ended"; reason: string };

/**
 * Asks the next question of a run, and returns for the one after it. One write stores the result and returns the job:
 * after a crash only the question that was being answered is asked again. A deleted run, or that of a deleted agent,
 * asks nothing more. That of a suspended or inactive account fails. Each question that may call tools is a test of them
 * within the account's limit. A run with answers that were right in the run before is published.
 */
export const askTrialQuestion = async (env: AiEnv, job: Job<AskPayload>): Promise<JobOutcome> => {
  const { channelId, runId, callTools } = job.payload;
  const found = await env.db.read(async (reader) => {
    const agent = await findAgent(reader, EVERY_TENANT, channelId);
    const run = await findTrialRun(reader, EVERY_TENANT, channelId, runId);
    if (!agent || run?.status !== "RUNNING") return undefined;
    const refusal = await findRefusal(reader, agent.tenantId);
    return { agent, run, refusal, next: await nextTrialQuestion(reader, runId) };
  });
  if (!found) return { is: "done" };
  const { agent, run, refusal, next } = found;
  if (!next) {
    await env.db.write(async (tx) => {
      const ended = { status: "DONE", errorReason: null, endedAt: env.clock.now() } as const;
      if (await endTrialRun(tx, runId, ended)) await publishIfWorse(env, tx, run);
      job.end(tx);
    });
    return { is: "settled" };
  }
  const asked = refusal ? refused(refusal) : await ask(env, agent, next, { callTools });
  await env.db.write(async (tx) => {
    const now = env.clock.now();
    if (asked.is === "answered") {
      if (await putTrialResult(tx, next, asked.result)) job.snooze(tx, now);
      else job.end(tx);
    } else if (asked.is === "full") {
      job.snooze(tx, asked.untilMs);
    } else if (asked.is === "later" && job.attempt < MAX_ATTEMPTS) {
      job.retry(tx, now + job.attempt * 30 * SECOND_MS, { error: asked.reason });
    } else {
      await failTrialRun(env, tx, runId, asked.reason);
      job.end(tx);
    }
  });
  return { is: "settled" };
};

const refused = (refusal: string): Asked => ({
  is: "ended",
  reason: `${refusal}: the account was suspended or inactive, so its provider was asked nothing more`,
});

const ask = async (
  env: AiEnv,
  agent: AgentRow,
  question: TrialResultRow,
  { callTools }: { callTools: boolean },
): Promise<Asked> => {
  const tests = callTools ? allowToolTest(env, agent) : undefined;
  if (tests?.isExceeded) return { is: "full", untilMs: tests.resetAt };
  try {
    const asked = { message: question.question, withKnowledge: true, callTools };
    const { text, usage, passages } = await answerTo(env, agent, asked);
    const { hasPassed, missing, saysUnknown } = judge(text, { ...question, facts: question.expected });
    return {
      is: "answered",
      result: {
        outcome: hasPassed ? "PASSED" : "FAILED",
        answer: text,
        missing,
        saysUnknown,
        passages: passages.map(({ id, documentId, title }) => ({ id, documentId, title })),
        tokens: usage.promptTokens + usage.completionTokens,
      },
    };
  } catch (error) {
    if (error instanceof AppError) return troubleOf(error);
    throw error;
  }
};

const troubleOf = ({ code, message, details }: AppError): Asked => {
  const reason = typeof details["reason"] === "string" ? details["reason"] : message;
  if (code === "OVERLOADED") return { is: "later", reason: `PROVIDER_ERROR: ${message}` };
  if (code === "LLM_BUDGET_EXHAUSTED") return { is: "ended", reason: `BUDGET_EXHAUSTED: ${message}` };
  if (code === "LLM_KEY_REQUIRED") return { is: "ended", reason: `NO_PROVIDER_KEY: ${message}` };
  if (details["retryable"] === true) return { is: "later", reason: `PROVIDER_ERROR: ${reason}` };
  if (OF_ALL.includes(details["status"])) return { is: "ended", reason: `PROVIDER_ERROR: ${reason}` };
  return { is: "answered", result: { outcome: "ERROR", errorReason: reason } };
};

/** The most questions that an event names. */
const MOST_NAMED = 10;

/** Publishes that answers of a run are wrong which were right in the run before. */
const publishIfWorse = async (env: AiEnv, tx: Tx, run: TrialRunRow): Promise<void> => {
  const { before, results } = await comparedResults(tx, run);
  const broken = results.filter(({ change }) => change === "BROKEN");
  if (!before || broken.length === 0) return;
  const { id: runId, tenantId, channelId, cause } = run;
  await publish(
    env,
    tx,
    { tenantId, channel: await channelOrRest(tx, channelId) },
    {
      type: "agent.worsened",
      runId,
      comparedWith: before.id,
      cause,
      questionCount: results.length,
      passedCount: results.filter(({ outcome }) => outcome === "PASSED").length,
      brokenCount: broken.length,
      broken: broken.slice(0, MOST_NAMED).map(({ question, missing }) => ({ question, missing })),
    },
  );
};
