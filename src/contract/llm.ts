/** A provider of language models that speaks OpenAI's chat completions, as an account pays for it. */
export type LlmProvider = { baseUrl: string; apiKey: string };
export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };
export type LlmUsage = { promptTokens: number; completionTokens: number };

/**
 * Why a provider gave nothing. `refused`: it will not, however often it is asked (a wrong key, an unknown model, no
 * credit). `busy`: it is asked too much. `unavailable`: it could not be reached, did not answer in time, or broke. What
 * it said is for the account's owner; the key is never in it.
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

/**
 * What is asked of providers. None of this throws. Tries that failed for a moment are repeated within, at most twice,
 * and all of them end within 30 s.
 */
export type Llm = {
  /**
   * A completion whose text is not empty; it may have been cut off where it grew too long. `json`: the text is to be a
   * JSON document of this schema, as well as the provider knows how to ask for one: whether it is one is for the caller
   * to see. `timeoutMs` is for all tries together.
   */
  complete(order: {
    provider: LlmProvider;
    model: string;
    messages: readonly ChatMessage[];
    json?: JsonForm;
    timeoutMs?: number;
  }): Promise<LlmResult<Completion>>;
  /** One vector per text, in their order, of whatever length the model has. */
  embed(order: {
    provider: LlmProvider;
    model: string;
    texts: readonly string[];
  }): Promise<LlmResult<{ vectors: Float32Array[]; promptTokens: number }>>;
};
