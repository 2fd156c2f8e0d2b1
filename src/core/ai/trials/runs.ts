import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import {
  countTrialResults,
  deleteTrialRun,
  findTrialRun,
  findTrialSet,
  insertTrialRun,
  listTrialResults,
  listTrialRuns,
  type TrialResultRow,
  type TrialRunRow,
} from "../../../store/tables/ai/trials.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { requireAgent } from "../agents.ts";
import { requireBudget } from "../budget.ts";
import type { AiEnv } from "../env.ts";
import { requireProvider } from "../provider.ts";

export { TRIAL_CAUSES, TRIAL_OUTCOMES, TRIAL_RUN_STATUSES } from "../../../store/tables/ai/trials.ts";

/** The runs of an agent that are kept, with the newest. */
const KEPT_RUNS = 20;

/**
 * How many questions of a run have which outcome. `unknown`: answers that say that the agent does not know. `invented`:
 * answers that do not say so, though they should.
 */
export type TrialTotals = Record<
  "questions" | "pending" | "passed" | "failed" | "errors" | "unknown" | "invented",
  number
>;
export type TrialRun = TrialRunRow & { totals: TrialTotals };

/** What became of a question since the run before of the same kind, with or without HTTP tools; `NEW`: that run did not ask it. */
export const TRIAL_CHANGES = ["NEW", "SAME", "FIXED", "BROKEN", "ANSWER_CHANGED"] as const;
export type TrialChange = (typeof TRIAL_CHANGES)[number];
/** `change`: null before the question has an answer, and without a run before. */
export type TrialResult = TrialResultRow & { change: TrialChange | null };

/**
 * Begins a run of an agent's questions; a job asks them one after the other. While a run has not ended, no other
 * begins, and that run is given. With `callTools` the agent's HTTP tools are called, marked as tests.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, VALIDATION for an agent without questions, LLM_KEY_REQUIRED, and
 * LLM_BUDGET_EXHAUSTED.
 */
export const beginTrialRun = async (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  { callTools = false }: { callTools?: boolean | undefined } = {},
): Promise<TrialRun> => {
  await env.db.read((reader) => requireAgent(reader, scope, channelId));
  await requireProvider(env, scope);
  await requireBudget(env, scope);
  return env.db.write(async (tx) => {
    const agent = await requireAgent(tx, scope, channelId);
    const run = (await openRun(tx, agent)) ?? (await insertRun(env, tx, agent, { cause: "REQUEST", callTools }));
    if (!run) throw invalid(issue("questions", "minItems", "the agent has no questions to be tried with"));
    return withTotals(tx, run);
  });
};

/** The run of an agent that has not ended. */
export const openRun = async (r: Reader, { tenantId, channelId }: AgentRow): Promise<TrialRunRow | undefined> =>
  (await listTrialRuns(r, { tenantId }, { channelId, status: "RUNNING", limit: 1 }))[0];

/** Inserts a run with its job, and deletes the oldest runs. Undefined for an agent without questions. */
export const insertRun = async (
  env: Pick<AiEnv, "clock" | "random" | "jobs">,
  tx: Tx,
  { tenantId, channelId, model }: AgentRow,
  { cause, callTools }: Pick<TrialRunRow, "cause" | "callTools">,
): Promise<TrialRunRow | undefined> => {
  const questions = (await findTrialSet(tx, { tenantId }, channelId))?.questions ?? [];
  if (questions.length === 0) return undefined;
  const past = await listTrialRuns(tx, { tenantId }, { channelId, limit: 2 * KEPT_RUNS });
  for (const { id } of past.slice(KEPT_RUNS - 1)) deleteTrialRun(tx, id);
  const now = env.clock.now();
  const run: TrialRunRow = {
    id: newId(env),
    tenantId,
    channelId,
    cause,
    model,
    status: "RUNNING",
    errorReason: null,
    createdAt: now,
    endedAt: null,
    callTools,
  };
  await insertTrialRun(tx, run, questions);
  env.jobs.enqueue(tx, "trials.ask", { tenantId, channelId, runId: run.id, callTools });
  return run;
};

const withTotals = async (r: Reader, run: TrialRunRow): Promise<TrialRun> => {
  const [counted = run] = await allWithTotals(r, [run]);
  return counted as TrialRun;
};

const NONE: TrialTotals = { questions: 0, pending: 0, passed: 0, failed: 0, errors: 0, unknown: 0, invented: 0 };
const NAMES = { PENDING: "pending", PASSED: "passed", FAILED: "failed", ERROR: "errors" } as const;

const allWithTotals = async (r: Reader, runs: readonly TrialRunRow[]): Promise<TrialRun[]> => {
  const counts = await countTrialResults(
    r,
    runs.map(({ id }) => id),
  );
  return runs.map((run) => {
    const totals = { ...NONE };
    for (const { runId, outcome, expectUnknown, saysUnknown, n } of counts) {
      if (runId !== run.id) continue;
      totals.questions += n;
      totals[NAMES[outcome]] += n;
      if (saysUnknown) totals.unknown += n;
      if (expectUnknown && outcome === "FAILED") totals.invented += n;
    }
    return { ...run, totals };
  });
};

/** The runs of an agent that are kept, newest first. Throws CHANNEL_NOT_FOUND and AGENT_NOT_FOUND. */
export const readTrialRuns = (env: Pick<AiEnv, "db">, scope: TenantScope, channelId: string): Promise<TrialRun[]> =>
  env.db.read(async (reader) => {
    const agent = await requireAgent(reader, scope, channelId);
    return allWithTotals(reader, await listTrialRuns(reader, scope, { channelId: agent.channelId, limit: KEPT_RUNS }));
  });

const requireRun = async (r: Reader, scope: TenantScope, channelId: string, id: string): Promise<TrialRunRow> => {
  const agent = await requireAgent(r, scope, channelId);
  const run = await findTrialRun(r, scope, agent.channelId, id);
  if (!run) throw new AppError("TRIAL_RUN_NOT_FOUND", { message: "The agent has no such run of its questions." });
  return run;
};

/** `comparedWith`: the run before that was asked to its end; null without one. */
export type FullTrialRun = TrialRun & { comparedWith: string | null; results: TrialResult[] };

/** `before`: the run before that was asked to its end; undefined without one. */
type Compared = { before: TrialRunRow | undefined; results: TrialResult[] };

/**
 * The results of a run, compared with those of the run before that ended with its last question. A run with HTTP tools is
 * compared with such runs alone: without them an agent knows less, though nothing of it has changed.
 */
export const comparedResults = async (r: Reader, run: TrialRunRow): Promise<Compared> => {
  const { id, tenantId, channelId, callTools } = run;
  const ofItsKind = { channelId, status: "DONE", beforeId: id, callTools, limit: 1 } as const;
  const [before] = await listTrialRuns(r, { tenantId }, ofItsKind);
  const known = new Map(
    (before ? await listTrialResults(r, before.id) : []).map((result) => [result.question, result]),
  );
  const results = (await listTrialResults(r, id)).map((result) => ({
    ...result,
    change: before && result.outcome !== "PENDING" ? changeOf(known.get(result.question), result) : null,
  }));
  return { before, results };
};

const changeOf = (before: TrialResultRow | undefined, now: TrialResultRow): TrialChange => {
  if (!before) return "NEW";
  const [had, has] = [before.outcome === "PASSED", now.outcome === "PASSED"];
  if (had !== has) return has ? "FIXED" : "BROKEN";
  return before.answer === now.answer ? "SAME" : "ANSWER_CHANGED";
};

/**
 * A run with its answers, and what changed since the run before that ended with its last question.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and TRIAL_RUN_NOT_FOUND.
 */
export const getTrialRun = (
  env: Pick<AiEnv, "db">,
  scope: TenantScope,
  channelId: string,
  id: string,
): Promise<FullTrialRun> =>
  env.db.read(async (reader) => {
    const run = await requireRun(reader, scope, channelId, id);
    const { before, results } = await comparedResults(reader, run);
    return { ...(await withTotals(reader, run)), comparedWith: before?.id ?? null, results };
  });

/**
 * Deletes a run with its answers. A run that has not ended asks nothing more.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and TRIAL_RUN_NOT_FOUND.
 */
export const removeTrialRun = (env: AiEnv, scope: TenantScope, channelId: string, id: string): Promise<void> =>
  env.db.write(async (tx) => deleteTrialRun(tx, (await requireRun(tx, scope, channelId, id)).id));
