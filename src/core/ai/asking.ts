import type { ChatMessage, Completion, JsonForm } from "../../contract/llm.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantScope } from "../../store/scope.ts";
import { requireBudget } from "./budget.ts";
import type { AiEnv } from "./env.ts";
import { countTokens, llmFailed, providerOf } from "./provider.ts";

/** For how long a request waits for its turn and for the provider together. */
const PATIENCE_MS = 30 * SECOND_MS;

/**
 * Asks the account's provider; the account's default model where none is named. Throws LLM_BUDGET_EXHAUSTED and
 * LLM_FAILED.
 */
export type Ask = (order: {
  model?: string | undefined;
  messages: readonly ChatMessage[];
  json?: JsonForm;
}) => Promise<Completion>;

/**
 * What a request asks of its account's provider: two requests of an account at once, the others when their turn comes.
 * What an answer took is counted. Throws LLM_KEY_REQUIRED, LLM_BUDGET_EXHAUSTED, and OVERLOADED when its turn does not
 * come in time.
 */
export const withProvider = async <Result>(
  env: AiEnv,
  scope: TenantScope,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> => {
  const { provider, defaultModel } = await providerOf(env, scope);
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
        texts: [...order.messages.map(({ content }) => content), answer.value.text],
      }),
    );
    return answer.value;
  };
  return inTurn(env, scope, () => work(ask));
};

/** Whose time has run out before its turn gives it up to the next. At most a rate window of requests waits. */
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
