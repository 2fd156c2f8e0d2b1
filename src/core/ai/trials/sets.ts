import { invalid } from "../../../kernel/errors.ts";
import { type Issue, issue } from "../../../kernel/schema.ts";
import { findTrialSet, putTrialSet, type TrialQuestion } from "../../../store/tables/ai/trials.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { requireAgent } from "../agents.ts";
import type { AiEnv } from "../env.ts";
import { termsOf } from "./comparing.ts";

export type { TrialQuestion } from "../../../store/tables/ai/trials.ts";

/** The most questions of an agent. */
export const MAX_QUESTIONS = 100;

/** `updatedAt`: null before the first question. */
export type TrialSet = { questions: readonly TrialQuestion[]; updatedAt: number | null };

/** The questions that a channel's agent is tried with. Throws CHANNEL_NOT_FOUND and AGENT_NOT_FOUND. */
export const getTrialSet = (env: Pick<AiEnv, "db">, scope: TenantScope, channelId: string): Promise<TrialSet> =>
  env.db.read(async (reader) => {
    const agent = await requireAgent(reader, scope, channelId);
    const set = await findTrialSet(reader, scope, agent.channelId);
    return { questions: set?.questions ?? [], updatedAt: set?.updatedAt ?? null };
  });

export type TrialQuestionInput = { text: string; facts?: readonly string[]; expectUnknown?: boolean };

/**
 * Replaces the questions of a channel's agent. Runs that have begun keep their questions.
 *
 * @throws AppError VALIDATION for a question that is given twice, for a question without anything to be judged by or
 * with both ways, and for a fact without a letter or digit; CHANNEL_NOT_FOUND and AGENT_NOT_FOUND.
 */
export const replaceTrialSet = (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  given: readonly TrialQuestionInput[],
): Promise<TrialSet> => {
  const questions = given.map(({ text, facts = [], expectUnknown = false }) => ({
    text: text.trim(),
    facts: facts.map((fact) => fact.trim()),
    expectUnknown,
  }));
  const issues = issuesOf(questions);
  if (issues.length > 0) throw invalid(...issues);
  return env.db.write(async (tx) => {
    const { channelId: id, tenantId } = await requireAgent(tx, scope, channelId);
    const set = { questions, updatedAt: env.clock.now() };
    await putTrialSet(tx, { channelId: id, tenantId, ...set });
    return set;
  });
};

const issuesOf = (questions: readonly TrialQuestion[]): Issue[] => {
  const known = new Set<string>();
  return questions.flatMap(({ text, facts, expectUnknown }, at) => {
    const path = `questions.${at}`;
    const isRepeated = known.has(text);
    known.add(text);
    return [
      ...(text === "" ? [issue(`${path}.text`, "minLength", "must not be blank")] : []),
      ...(isRepeated ? [issue(`${path}.text`, "forbidden", "is a question of the set already")] : []),
      ...(expectUnknown === facts.length > 0
        ? [issue(`${path}.facts`, "required", "give either `facts` or a true `expectUnknown`")]
        : []),
      ...facts.flatMap((fact, index) =>
        termsOf(fact).length === 0 ? [issue(`${path}.facts.${index}`, "pattern", "must have a letter or a digit")] : [],
      ),
    ];
  });
};
