import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  listTrialResults,
  listTrialRuns,
  type TrialResultRow,
  type TrialRunRow,
} from "../../../store/tables/ai/trials.ts";
import { channelOrRest, publish } from "../../events/publish.ts";
import type { AiEnv } from "../env.ts";

/** What became of a question since the run before; `NEW`: that run did not ask it. */
export const TRIAL_CHANGES = ["NEW", "SAME", "FIXED", "BROKEN", "ANSWER_CHANGED"] as const;
export type TrialChange = (typeof TRIAL_CHANGES)[number];
/** `change`: null before the question has an answer, and without a run before. */
export type TrialResult = TrialResultRow & { change: TrialChange | null };

/** `before`: the run before that was asked to its end; undefined without one. */
type Compared = { before: TrialRunRow | undefined; results: TrialResult[] };

/** The results of a run, compared with those of the run before that ended with its last question. */
export const comparedResults = async (r: Reader, { id, tenantId, channelId }: TrialRunRow): Promise<Compared> => {
  const [before] = await listTrialRuns(r, { tenantId }, { channelId, status: "DONE", beforeId: id, limit: 1 });
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

/** The most questions that an event names. */
const MOST_NAMED = 10;

/** Publishes that answers of a run are wrong which were right in the run before. */
export const publishIfWorse = async (env: AiEnv, tx: Tx, run: TrialRunRow): Promise<void> => {
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
