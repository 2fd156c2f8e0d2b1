import type { LlmFailure, LlmProvider } from "../../contract/ports/llm.ts";
import type { AnswerLimits } from "./llm-body.ts";
import type { CallName } from "./llm-endpoint.ts";

/** A request to a provider. `deadline`: the end of the time for all attempts together. */
export type Order = {
  provider: LlmProvider;
  call: CallName;
  body: { model: string } & Record<string, unknown>;
  deadline: number;
  limits: AnswerLimits;
};
export type Answer = { ok: true; value: unknown };
/** Sends an order, at most three times. */
export type Ask = (order: Order) => Promise<Answer | LlmFailure>;
