import type { ChatMessage, Completion, JsonForm, ToolDefinition } from "../../contract/ports/llm.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireBudget } from "./budget.ts";
import { exchangedTexts } from "./conversations/answering.ts";
import type { AiEnv } from "./env.ts";
import { countTokens, llmFailed, type Provider, requireProvider } from "./provider.ts";

/** How long a request waits for its semaphore and for the provider together. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Asks the account's provider, by default for the account's model. Throws LLM_BUDGET_EXHAUSTED and LLM_FAILED. */
export type Ask = (order: {
  model?: string | undefined;
  messages: readonly ChatMessage[];
  json?: JsonForm;
  tools?: readonly ToolDefinition[];
  mayCall?: boolean;
}) => Promise<Completion>;

/**
 * Runs `work` with the account's provider. Two requests of an account run at once; the others wait. The tokens of each
 * answer are counted.
 *
 * @throws AppError LLM_KEY_REQUIRED, LLM_BUDGET_EXHAUSTED, and OVERLOADED after a wait of 30 seconds.
 */
export const withProvider = async <Result>(
  env: AiEnv,
  scope: TenantScope,
  work: (ask: Ask, provider: Provider) => Promise<Result>,
): Promise<Result> => {
  const found = await requireProvider(env, scope);
  const { provider, defaultModel } = found;
  const deadline = env.clock.now() + PATIENCE_MS;
  const ask: Ask = async ({ model = defaultModel, ...order }) => {
    await requireBudget(env, scope);
    const answer = await env.llm.complete({
      provider,
      model,
      timeoutMs: Math.max(1, deadline - env.clock.now()),
      ...order,
    });
    if (!answer.ok) throw llmFailed(answer);
    await env.db.write((tx) =>
      countTokens(env, tx, scope, {
        ...answer.value,
        texts: exchangedTexts(order.messages, answer.value, order.tools),
      }),
    );
    return answer.value;
  };
  return inTurn(env, scope, () => work(ask, found));
};

/** Runs a task when the account's semaphore is free. A request that times out while it waits is not run. */
const inTurn = <Result>(env: AiEnv, { tenantId }: TenantScope, task: () => Promise<Result>): Promise<Result> => {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let isTooLate = false;
  const cancel = env.clock.timer(PATIENCE_MS, () => {
    isTooLate = true;
    reject(
      new AppError("OVERLOADED", {
        message: "Too many of the account's requests wait for its language-model provider.",
        retryAfterSeconds: PATIENCE_MS / SECOND_MS,
      }),
    );
  });
  void env.llmTurns.run(tenantId, async () => {
    if (isTooLate) return;
    cancel();
    await task().then(resolve, reject);
  });
  return promise;
};
