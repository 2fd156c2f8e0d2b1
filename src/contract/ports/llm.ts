/** A provider of language models with OpenAI's chat completions API, as configured by an account. */
export type LlmProvider = { baseUrl: string; apiKey: string };

/** Fields of a provider's own that it wants back with a call, such as a signature of the model's thoughts. */
export type ProviderFields = Readonly<Record<string, unknown>>;

/**
 * A call of a tool by a model. `id`: nine letters and digits, which every provider takes back. `arguments`: null if they
 * are no JSON object. The model wrote name and arguments: both must be checked.
 */
export type ToolCall = {
  id: string;
  name: string;
  arguments: Readonly<Record<string, unknown>> | null;
  own?: ProviderFields;
};

/** A tool that a model may call. `name`: letters, digits, `_` and `-`. `parameters`: a JSON schema of an object. */
export type ToolDefinition = { name: string; description: string; parameters: object };

/** A part of a message: a text, or a picture of this media type. */
export type ChatPart = { type: "text"; text: string } | { type: "image"; contentType: string; bytes: Uint8Array };

/** `tool`: the answer to a call. A message with calls is followed by an answer to each of them. */
export type ChatMessage =
  | { role: "system" | "user" | "assistant"; content: string | readonly ChatPart[] }
  | { role: "assistant"; content: string; toolCalls: readonly ToolCall[]; own?: ProviderFields }
  | { role: "tool"; toolCallId: string; content: string };
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

/**
 * `isCut`: the model had used up its tokens before the end of its text. `toolCalls`: empty without `tools` in the order.
 * `own`: goes into the message with the calls.
 */
export type Completion = {
  text: string;
  model: string;
  usage: LlmUsage;
  isCut: boolean;
  toolCalls: readonly ToolCall[];
  own?: ProviderFields;
};
/** The text of a sound; empty if the provider heard nothing. Without counts of tokens in the answer, `usage` is 0. */
export type Transcription = { text: string; usage: LlmUsage };
export type JsonForm = { name: string; schema: object };

/** A file of sound that goes to a provider. */
export type SoundFile = { bytes: Uint8Array; filename: string; contentType: string };

/** Requests to providers. No function throws. Temporary failures are retried at most twice, all within 30 s. */
export type Llm = {
  /**
   * A completion with a text that is not empty, or with calls of tools. `json`: requests a JSON document of this
   * schema, if the provider supports it. The caller must validate the text. `tools`: the tools that the model may call,
   * in words if its provider takes no tools. `mayCall`: false if it must answer now. `timeoutMs` covers all attempts
   * together. A model that takes no pictures is told in words that one came.
   */
  complete(order: {
    provider: LlmProvider;
    model: string;
    messages: readonly ChatMessage[];
    json?: JsonForm;
    tools?: readonly ToolDefinition[];
    mayCall?: boolean;
    timeoutMs?: number;
  }): Promise<LlmResult<Completion>>;
  /**
   * The text of a sound, by `/audio/transcriptions`. The file's ending must show its format. `asWav`: the same sound as
   * WAV, for a provider that refuses its format; undefined if WAV cannot be made. `language`: two letters of ISO 639-1.
   * All attempts together take at most two minutes.
   */
  transcribe(order: {
    provider: LlmProvider;
    model: string;
    sound: SoundFile;
    asWav?(): Promise<SoundFile | undefined>;
    language?: string;
  }): Promise<LlmResult<Transcription>>;
  /**
   * A sound that speaks a text, by `/audio/speech`: Ogg Opus if the provider makes it, else MP3 or WAV. The caller must
   * check the bytes. All attempts together take at most a minute.
   */
  speak(order: { provider: LlmProvider; model: string; voice: string; text: string }): Promise<LlmResult<Uint8Array>>;
  /** One vector per text, in the same order. The model defines their length. */
  embed(order: {
    provider: LlmProvider;
    model: string;
    texts: readonly string[];
  }): Promise<LlmResult<{ vectors: Float32Array[]; promptTokens: number }>>;
};
