/** A provider of language models with OpenAI's chat completions API, as configured by an account. */
export type LlmProvider = { baseUrl: string; apiKey: string };
export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };
export type LlmUsage = { promptTokens: number; completionTokens: number };

/**
 * Why a provider gave no answer. The text is for the account's owner and never contains the key.
 * - `refused`: a retry does not help (a wrong key, an unknown model, no credit).
 * - `busy`: the provider limits the rate.
 * - `unavailable`: it was unreachable, timed out or failed.
 */
export type LlmFailure = {
  ok: false;
  kind: "refused" | "busy" | "unavailable";
  reason: string;
  status?: number;
  retryAfterMs?: number;
};
export type LlmResult<T> = { ok: true; value: T } | LlmFailure;

export type Completion = { text: string; model: string; usage: LlmUsage };
export type JsonForm = { name: string; schema: object };

/** Requests to providers. No function throws. Temporary failures are retried at most twice, all within 30 s. */
export type Llm = {
  /**
   * A completion with a text that is not empty; a long text may be cut. `json`: requests a JSON document of this
   * schema, if the provider supports it. The caller must validate the text. `timeoutMs` covers all attempts together.
   */
  complete(order: {
    provider: LlmProvider;
    model: string;
    messages: readonly ChatMessage[];
    json?: JsonForm;
    timeoutMs?: number;
  }): Promise<LlmResult<Completion>>;
  /** One vector per text, in the same order. The model defines their length. */
  embed(order: {
    provider: LlmProvider;
    model: string;
    texts: readonly string[];
  }): Promise<LlmResult<{ vectors: Float32Array[]; promptTokens: number }>>;
};
