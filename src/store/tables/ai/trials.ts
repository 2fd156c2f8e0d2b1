import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, replacing, statement, updateOf } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** `facts`: texts that the answer must have. `expectUnknown`: the agent is to say that it does not know. */
export type TrialQuestion = { text: string; facts: string[]; expectUnknown: boolean };

/** The questions that a channel's agent is tried with. */
export const trialSets = sqliteTable("trial_sets", {
  channelId: text("channel_id").$type<ChannelId>().primaryKey(),
  tenantId: text("tenant_id").$type<TenantId>().notNull(),
  questions: text({ mode: "json" }).$type<TrialQuestion[]>().notNull(),
  updatedAt: integer("updated_at").notNull(),
});
export type TrialSetRow = typeof trialSets.$inferSelect;

export const trialSetsLaws = laws(trialSets, {
  keeps: { group: "setup", setting: "none", rule: "goes with its agent", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "one per agent, with at most 100 questions" },
  files: { questions: "holds no content of a message" },
  backup: "rows alone",
});

/** What began a run: a request, or a change of the agent. */
export const TRIAL_CAUSES = ["REQUEST", "CHANGE"] as const;
export const TRIAL_RUN_STATUSES = ["RUNNING", "DONE", "FAILED"] as const;
export type TrialRunStatus = (typeof TRIAL_RUN_STATUSES)[number];

/**
 * A run of an agent's questions. `errorReason`: why it ended before its last question. `callTools`: its answers could call
 * the agent's HTTP tools.
 */
export const trialRuns = sqliteTable(
  "trial_runs",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    cause: text().$type<(typeof TRIAL_CAUSES)[number]>().notNull(),
    status: text().$type<TrialRunStatus>().notNull(),
    model: text().notNull(),
    errorReason: text("error_reason"),
    createdAt: integer("created_at").notNull(),
    endedAt: integer("ended_at"),
    callTools: integer("call_tools", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [index("trial_runs_by_channel").on(t.channelId, t.id)],
);
export type TrialRunRow = typeof trialRuns.$inferSelect;

export const trialRunsLaws = laws(trialRuns, {
  keeps: { group: "setup", setting: "none", rule: "the last 20 of an agent; they go with it", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "20 per agent" },
  files: "none",
  backup: "rows alone",
});

/** The outcome of a question: `ERROR` if the provider refused to answer it. */
export const TRIAL_OUTCOMES = ["PENDING", "PASSED", "FAILED", "ERROR"] as const;
export type TrialOutcome = (typeof TRIAL_OUTCOMES)[number];
/** A passage of a document that was in the prompt. */
export type TrialPassage = { id: string; documentId: string; title: string | null };

/** A question of a run with its result. `expected`: its facts; `missing`: those that the answer has not. */
export const trialResults = sqliteTable(
  "trial_results",
  {
    runId: text("run_id").notNull(),
    position: integer().notNull(),
    question: text().notNull(),
    expected: text("facts", { mode: "json" }).$type<string[]>().notNull(),
    expectUnknown: integer("expect_unknown", { mode: "boolean" }).notNull(),
    outcome: text().$type<TrialOutcome>().notNull(),
    answer: text(),
    missing: text({ mode: "json" }).$type<string[]>().notNull(),
    saysUnknown: integer("says_unknown", { mode: "boolean" }).notNull(),
    passages: text({ mode: "json" }).$type<TrialPassage[]>().notNull(),
    tokens: integer().notNull(),
    errorReason: text("error_reason"),
  },
  (t) => [primaryKey({ columns: [t.runId, t.position] })],
);
export type TrialResultRow = typeof trialResults.$inferSelect;

export const trialResultsLaws = laws(trialResults, {
  keeps: { group: "setup", setting: "none", rule: "goes with its run", isSwept: false },
  personal: { none: "a tenant's own writing, and a model's answers to it" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 100 per run" },
  files: {
    [trialResults.expected.name]: "holds no content of a message",
    missing: "holds no content of a message",
    passages: "holds no content of a message",
  },
  backup: "rows alone",
});

type OfChannel = { channelId: ChannelId };

const setOf = statement<TrialSetRow, OfChannel>(
  "SELECT * FROM trial_sets WHERE channel_id = :channelId",
  columnsOf(trialSets),
);
export const findTrialSet = async (r: Reader, scope: Scope, channelId: ChannelId): Promise<TrialSetRow | undefined> =>
  ifWithin(await setOf.get(r, { channelId }), scope);

const putSet = insertInto(trialSets, replacing(trialSets, "(channel_id)"));
/** Inserts the questions of an agent, or replaces the earlier ones. */
export const putTrialSet = async (tx: Tx, row: TrialSetRow): Promise<void> => putSet(tx, row);

const insertRun = insertInto(trialRuns);
const insertResult = insertInto(trialResults);

/** Inserts a run with its questions, none of them answered. */
export const insertTrialRun = async (tx: Tx, run: TrialRunRow, questions: readonly TrialQuestion[]): Promise<void> => {
  insertRun(tx, run);
  for (const [position, { text: question, facts, expectUnknown }] of questions.entries())
    insertResult(tx, {
      runId: run.id,
      position,
      question,
      expected: facts,
      expectUnknown,
      outcome: "PENDING",
      answer: null,
      missing: [],
      saysUnknown: false,
      passages: [],
      tokens: 0,
      errorReason: null,
    });
};

const RUN = columnsOf(trialRuns);
const runById = statement<TrialRunRow, OfChannel & { id: string }>(
  "SELECT * FROM trial_runs WHERE id = :id AND channel_id = :channelId",
  RUN,
);
export const findTrialRun = async (
  r: Reader,
  scope: Scope,
  channelId: ChannelId,
  id: string,
): Promise<TrialRunRow | undefined> => ifWithin(await runById.get(r, { channelId, id }), scope);

type RunFilter = { beforeId?: string | undefined; status?: TrialRunStatus; callTools?: boolean; limit: number };

/** The runs of a channel, newest first. */
export const listTrialRuns = (
  r: Reader,
  scope: Scope,
  { channelId, ...filter }: OfChannel & RunFilter,
): Promise<TrialRunRow[]> =>
  statement<TrialRunRow, Scope & OfChannel & RunFilter>(
    lines(
      "SELECT * FROM trial_runs WHERE channel_id = :channelId",
      inScope(scope),
      filter.beforeId !== undefined && "AND id < :beforeId",
      filter.status && "AND status = :status",
      filter.callTools !== undefined && "AND call_tools = :callTools",
      "ORDER BY id DESC LIMIT :limit",
    ),
    RUN,
  ).all(r, { ...filter, channelId, tenantId: scope.tenantId });

const countSince = statement<{ n: number }, OfChannel & { sinceMs: number }>(
  `SELECT count(*) AS n FROM trial_runs WHERE channel_id = :channelId AND cause = 'CHANGE' AND created_at >= :sinceMs`,
);
/** The number of a channel's kept runs that a change began since this time. */
export const countChangeRuns = async (r: Reader, channelId: ChannelId, sinceMs: number): Promise<number> =>
  (await countSince.get(r, { channelId, sinceMs }))?.n ?? 0;

const updateRun = updateOf<typeof trialRuns, { id: string }>(
  trialRuns,
  "WHERE id = :id AND status = 'RUNNING' RETURNING 1",
);
/** Ends a run; false if it has ended or is deleted. */
export const endTrialRun = async (
  tx: Tx,
  id: string,
  changes: Pick<TrialRunRow, "status" | "errorReason" | "endedAt">,
): Promise<boolean> => (await updateRun(tx, changes, { id })).length > 0;

const RESULT = columnsOf(trialResults);
const resultsOf = statement<TrialResultRow, { runId: string }>(
  "SELECT * FROM trial_results WHERE run_id = :runId ORDER BY position",
  RESULT,
);
/** The questions of a run in their order. Bound: 100 per run. */
export const listTrialResults = (r: Reader, runId: string): Promise<TrialResultRow[]> => resultsOf.all(r, { runId });

const pending = statement<TrialResultRow, { runId: string }>(
  "SELECT * FROM trial_results WHERE run_id = :runId AND outcome = 'PENDING' ORDER BY position LIMIT 1",
  RESULT,
);
/** The first question of a run that has no result. */
export const nextTrialQuestion = (r: Reader, runId: string): Promise<TrialResultRow | undefined> =>
  pending.get(r, { runId });

const updateResult = updateOf<typeof trialResults, { runId: string; position: number }>(
  trialResults,
  "WHERE run_id = :runId AND position = :position AND outcome = 'PENDING' RETURNING 1",
);
/** Stores the result of a question that has none; false if its run is deleted. */
export const putTrialResult = async (
  tx: Tx,
  { runId, position }: Pick<TrialResultRow, "runId" | "position">,
  result: Partial<TrialResultRow>,
): Promise<boolean> => (await updateResult(tx, result, { runId, position })).length > 0;

export type TrialTotals = {
  runId: string;
  outcome: TrialOutcome;
  expectUnknown: boolean;
  saysUnknown: boolean;
  n: number;
};
const totals = statement<TrialTotals, { runIds: readonly string[] }>(
  `SELECT run_id AS runId, outcome, expect_unknown AS expectUnknown, says_unknown AS saysUnknown, count(*) AS n
    FROM json_each(:runIds) CROSS JOIN trial_results ON run_id = json_each.value GROUP BY 1, 2, 3, 4`,
);
/** How many questions of these runs have which outcome. Bound: one row per outcome, for each run of the caller. */
export const countTrialResults = async (r: Reader, runIds: readonly string[]): Promise<TrialTotals[]> =>
  (await totals.all(r, { runIds })).map((row) => ({
    ...row,
    expectUnknown: Boolean(row.expectUnknown),
    saysUnknown: Boolean(row.saysUnknown),
  }));

const removeResults = statement<never, { runId: string }>("DELETE FROM trial_results WHERE run_id = :runId");
const removeRun = statement<never, { runId: string }>("DELETE FROM trial_runs WHERE id = :runId");

/** Deletes a run with its results; its job then ends. */
export const deleteTrialRun = (tx: Tx, runId: string): void => {
  removeResults.run(tx, { runId });
  removeRun.run(tx, { runId });
};
