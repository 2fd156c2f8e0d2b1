import type { LlmUsage } from "../../contract/ports/llm.ts";
import { DAY_MS, SECOND_MS, utcDayOf } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { type AgentRow, findAgent } from "../../store/tables/ai/agents.ts";
import { addSpending, type BudgetScope, findLlmSettings, markSpent, spentAt } from "../../store/tables/ai/llm.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { BudgetName } from "../domain-event.ts";
import { channelOrRest, publish } from "../events/publish.ts";
import type { AiEnv } from "./env.ts";
import { estimatedTokens } from "./words.ts";

/** The budgets that a call uses: the account's, and for a call of an agent, the agent's and its conversation's. */
export type Spender = { tenantId: TenantId; channelId?: ChannelId; conversationId?: string; contactKey?: string };

/** Tokens that an agent may use per UTC day, in all and for one contact. */
export type AgentBudget = { dailyTokens: number; dailyTokensPerContact: number };

export const budgetOf = (
  { config: { llmTokens } }: Pick<AiEnv, "config">,
  { dailyTokens, dailyTokensPerContact }: Pick<AgentRow, "dailyTokens" | "dailyTokensPerContact">,
): AgentBudget => ({
  dailyTokens: dailyTokens ?? llmTokens.perAgent,
  dailyTokensPerContact: dailyTokensPerContact ?? llmTokens.perContact,
});

type Budget = { name: BudgetName; counter: BudgetScope; limit: number };
type Exhausted = Budget & { used: number };

const dayOf = ({ clock }: Pick<AiEnv, "clock">): number => utcDayOf(clock.now());

/** The counters of a spender's tokens of today, the narrowest first. */
const countersOf = (
  env: Pick<AiEnv, "clock">,
  { tenantId, channelId, conversationId }: Spender,
): { name: BudgetName; counter: BudgetScope }[] => {
  const account = { day: dayOf(env), tenantId, channelId: "", conversationId: "" };
  const counters: { name: BudgetName; counter: BudgetScope }[] = [{ name: "account", counter: account }];
  if (channelId !== undefined) counters.unshift({ name: "agent", counter: { ...account, channelId } });
  if (channelId !== undefined && conversationId !== undefined)
    counters.unshift({ name: "contact", counter: { ...account, channelId, conversationId } });
  return counters;
};

/**
 * Counts tokens against every budget of the spender. When the provider reports none, `texts` and the tokens of the
 * pictures give an estimate.
 */
export const spend = (
  env: Pick<AiEnv, "clock">,
  tx: Tx,
  spender: Spender,
  { usage, texts, pictureTokens = 0 }: { usage: LlmUsage; texts: readonly string[]; pictureTokens?: number },
): void => {
  const tokens =
    usage.promptTokens + usage.completionTokens ||
    texts.reduce((sum, text) => sum + estimatedTokens(text), pictureTokens);
  for (const { counter } of countersOf(env, spender)) addSpending(tx, counter, tokens);
};

/** The tokens that a channel's agent has used since midnight UTC. */
export const usedToday = (
  env: Pick<AiEnv, "clock">,
  r: Reader,
  { tenantId, channelId }: Pick<AgentRow, "tenantId" | "channelId">,
): Promise<number> => spentAt(r, { day: dayOf(env), tenantId, channelId, conversationId: "" });

/** The narrowest budget of a spender that is used up; undefined when all have tokens left. */
const exhaustedOf = async (
  env: Pick<AiEnv, "clock" | "config">,
  r: Reader,
  spender: Spender,
): Promise<Exhausted | undefined> => {
  const limits = await limitsOf(env, r, spender);
  for (const { name, counter } of countersOf(env, spender)) {
    const used = await spentAt(r, counter);
    if (used >= limits[name]) return { name, counter, limit: limits[name], used };
  }
  return undefined;
};

const limitsOf = async (
  env: Pick<AiEnv, "config">,
  r: Reader,
  { tenantId, channelId }: Spender,
): Promise<Record<BudgetName, number>> => {
  const settings = await findLlmSettings(r, { tenantId });
  const agent = channelId && (await findAgent(r, EVERY_TENANT, channelId));
  const { dailyTokens, dailyTokensPerContact } = budgetOf(
    env,
    agent || { dailyTokens: null, dailyTokensPerContact: null },
  );
  return {
    account: settings?.dailyTokens ?? env.config.llmTokens.perAccount,
    agent: dailyTokens,
    contact: dailyTokensPerContact,
  };
};

/**
 * Refuses a call when a budget of its spender is used up, and publishes the first refusal of a day. A call may exceed
 * the budget, because its tokens are known only afterwards.
 *
 * @throws AppError LLM_BUDGET_EXHAUSTED.
 */
export const requireBudget = async (env: AiEnv, spender: Spender): Promise<void> => {
  const exhausted = await env.db.read((reader) => exhaustedOf(env, reader, spender));
  if (!exhausted) return;
  const resetsAt = (exhausted.counter.day + 1) * DAY_MS;
  await env.db.write((tx) => publishOnce(env, tx, spender, { ...exhausted, resetsAt }));
  env.metrics.count("recado_llm_calls_refused_total", { budget: exhausted.name });
  throw new AppError("LLM_BUDGET_EXHAUSTED", {
    message: `The tokens of language models that the ${exhausted.name} may use today are used up.`,
    details: { budget: exhausted.name, dailyTokens: exhausted.limit },
    retryAfterSeconds: Math.ceil((resetsAt - env.clock.now()) / SECOND_MS),
  });
};

const publishOnce = async (
  env: AiEnv,
  tx: Tx,
  spender: Spender,
  { name: budget, counter, limit, used, resetsAt }: Exhausted & { resetsAt: number },
): Promise<void> => {
  if (!(await markSpent(tx, counter, env.clock.now()))) return;
  const { tenantId, channelId, conversationId = null, contactKey = null } = spender;
  const channel = budget === "account" || channelId === undefined ? null : await channelOrRest(tx, channelId);
  const contact = budget === "contact" ? { conversationId, contactKey } : { conversationId: null, contactKey: null };
  await publish(
    env,
    tx,
    { tenantId, channel },
    { type: "agent.budget_exhausted", budget, ...contact, dailyTokens: limit, usedTokens: used, resetsAt },
  );
};
