import {
  ANSWER,
  completion,
  doRolesAlternate,
  embeddings,
  hasAnswer,
  nativeCall,
  type Provider,
  refused,
  schemasIn,
  strangerIn,
  THOUGHT,
  TOOL,
  wordedCall,
} from "./server.ts";

const V1 = { chat: "/v1/chat/completions", embeddings: "/v1/embeddings" };
const within = (prefix: string) => ({ chat: `${prefix}/chat/completions`, embeddings: `${prefix}/embeddings` });
const TOOLS = ["tools", "tool_choice"];
/** Busy at the first request, and for no time at all: the test would wait. */
const BUSY = { "retry-after": "0" };

const openai: Provider = {
  name: "OpenAI",
  base: "/v1",
  paths: V1,
  key: "bearer",
  models: { chat: "gpt-5-mini", embedding: "text-embedding-3-small" },
  quirks: [
    ["models that think refuse max_tokens and any temperature", "decolua/9router#560"],
    ["unknown fields are refused", "platform.openai.com, API reference"],
    ["a rate limit says its wait in milliseconds too", "platform.openai.com, rate limits"],
    ["several calls come at once, and each needs its answer", "platform.openai.com, function calling"],
    ["a schema without properties is refused", "langchain-ai/langchain-mcp-adapters#137"],
  ],
  chats: true,
  learns: true,
  chat: ({ body, n }) => {
    const stranger = strangerIn(
      body,
      "model",
      "messages",
      "stream",
      "response_format",
      "max_completion_tokens",
      ...TOOLS,
    );
    if (stranger) return refused(400, `Unsupported parameter: '${stranger}' is not supported with this model.`);
    if (n === 0)
      return { ...refused(429, "Rate limit reached"), headers: { "retry-after-ms": "0", "retry-after": "9" } };
    return { body: completion(ANSWER, { message: { refusal: null, annotations: [] } }) };
  },
  embed: ({ body }) => {
    const stranger = strangerIn(body, "model", "input", "dimensions", "encoding_format", "user");
    return stranger
      ? refused(400, `Unrecognized request argument: ${stranger}`)
      : { body: embeddings(body, body.dimensions) };
  },
  calls: ({ body }) => {
    if (schemasIn(body).some((schema: any) => schema.properties === undefined))
      return refused(400, "Invalid schema for function: In context=(), object schema missing properties.");
    const answered = body.messages.filter(({ role }: any) => role === "tool").length;
    if (answered === 1)
      return refused(400, "An assistant message with 'tool_calls' must be followed by tool messages.");
    const second = { id: "call_2", type: "function", function: { name: TOOL.name, arguments: '{"order":"A-8"}' } };
    return answered === 0 ? nativeCall({}, { more: [second] }) : undefined;
  },
};

const azure: Provider = {
  name: "Azure OpenAI",
  base: "/openai?api-version=2024-10-21",
  paths: {
    chat: "/openai/deployments/meu-gpt/chat/completions?api-version=2024-10-21",
    embeddings: "/openai/deployments/meus-vetores/embeddings?api-version=2024-10-21",
  },
  key: "api-key",
  models: { chat: "meu-gpt", embedding: "meus-vetores" },
  quirks: [
    [
      "the deployment is in the path, the key in a header of its own",
      "learn.microsoft.com, REST reference of Azure OpenAI",
    ],
    [
      "a deployment has any name, so its model is not known by it: a large one makes 3072 dimensions",
      "learn.microsoft.com, embeddings",
    ],
    ["at most 16 texts at once, for years", "langchain-ai/langchain#10706"],
    ["the wait is said in a sentence", "learn.microsoft.com, quotas of Azure OpenAI"],
    ["results of filters stand beside the answer", "compl-ai/compl-ai#20"],
    ["results of filters stand beside a call", "learn.microsoft.com, function calling"],
  ],
  chats: true,
  learns: true,
  chat: ({ n }) =>
    n === 0
      ? refused(429, "Requests have exceeded the call rate limit. Please retry after 0 seconds.")
      : { body: completion(ANSWER, { choice: { content_filter_results: {} }, more: { prompt_filter_results: [] } }) },
  embed: ({ body }) =>
    body.input.length > 16
      ? refused(400, "Too many inputs. The max number of inputs is 16.")
      : { body: embeddings(body, body.dimensions ?? 3072) },
  calls: ({ body }) => (hasAnswer(body) ? undefined : nativeCall({}, { message: { refusal: null, annotations: [] } })),
};

const mistral: Provider = {
  name: "Mistral",
  base: "/v1/",
  paths: V1,
  key: "bearer",
  models: { chat: "magistral-small", embedding: "codestral-embed" },
  quirks: [
    ["an answer is a list of parts, thoughts among them", "simonw/llm-mistral#39"],
    ["unknown fields are refused, OpenAI's among them", "mistralai/platform-docs-public#7"],
    ["a limit of tokens in one request of embeddings", "nextcloud/context_chat_backend#276"],
    ["base64 is ignored", "arabold/docs-mcp-server#471"],
    ["the id of a call has nine letters and digits", "anomalyco/opencode#1680"],
  ],
  chats: true,
  learns: true,
  chat: ({ body }) => {
    const stranger = strangerIn(
      body,
      "model",
      "messages",
      "stream",
      "temperature",
      "max_tokens",
      "response_format",
      ...TOOLS,
    );
    const detail = [{ type: "extra_forbidden", loc: ["body", stranger], msg: "Extra inputs are not permitted" }];
    if (stranger) return { status: 422, body: { object: "error", message: { detail } } };
    if (!doRolesAlternate(body)) return { status: 400, body: { object: "error", message: "Expected last role User" } };
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: THOUGHT }] },
      { type: "text", text: ANSWER },
    ];
    return { body: completion(parts) };
  },
  embed: ({ body }) => {
    const tokens = body.input.join("").length / 4;
    if (strangerIn(body, "model", "input", "encoding_format", "output_dimension"))
      return {
        status: 422,
        body: { object: "error", message: { detail: [{ msg: "Extra inputs are not permitted" }] } },
      };
    return tokens > 4000
      ? {
          status: 400,
          body: { object: "error", message: "Too many tokens overall, split into more batches.", code: "3210" },
        }
      : { body: embeddings({ input: body.input }, 1536) };
  },
  calls: ({ body }) => {
    const ids: string[] = body.messages.flatMap(({ tool_calls: calls = [] }: any) => calls.map(({ id }: any) => id));
    const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
    if (wrong !== undefined)
      return {
        status: 400,
        body: { object: "error", message: `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.` },
      };
    return hasAnswer(body) ? undefined : nativeCall({ id: "D681PevKs" });
  },
};

const deepseek: Provider = {
  name: "DeepSeek",
  base: "",
  paths: within(""),
  key: "bearer",
  models: { chat: "deepseek-reasoner", embedding: "none" },
  quirks: [
    ["the base URL has no version", "api-docs.deepseek.com, first call"],
    ["empty lines come while the model is busy", "api-docs.deepseek.com, rate limit"],
    ["thoughts are in reasoning_content; roles must alternate", "deepseek-ai/DeepSeek-R1#21"],
    ["there are no embeddings", "api-docs.deepseek.com"],
    ["the thoughts before a call must come back with it", "api-docs.deepseek.com, thinking mode"],
  ],
  chats: true,
  learns: /^PROVIDER_ERROR: /,
  chat: ({ body }) =>
    doRolesAlternate(body)
      ? { body: `\n\n\n${JSON.stringify(completion(ANSWER, { message: { reasoning_content: THOUGHT } }))}` }
      : refused(400, "deepseek-reasoner does not support successive user or assistant messages"),
  embed: () => ({ status: 404, body: "" }),
  calls: ({ body }) => {
    if (!hasAnswer(body)) return nativeCall({}, { message: { reasoning_content: THOUGHT, content: "" } });
    const isWhole = body.messages.every((said: any) => !said.tool_calls || said.reasoning_content === THOUGHT);
    return isWhole ? undefined : refused(400, "Missing `reasoning_content` field in the assistant message");
  },
};

const groq: Provider = {
  name: "Groq",
  base: "/openai/v1",
  paths: within("/openai/v1"),
  key: "bearer",
  models: { chat: "qwen3-32b", embedding: "none" },
  quirks: [
    ["thoughts are in the text of its raw format", "console.groq.com, reasoning"],
    ["status 498 when its capacity is used up", "console.groq.com, error codes"],
    ["there are no embeddings", "console.groq.com, models"],
    ["a call that it cannot read is a 400", "BerriAI/litellm#21242"],
  ],
  chats: true,
  learns: /^PROVIDER_ERROR: Unknown request URL/,
  chat: ({ n }) =>
    n === 0
      ? { ...refused(498, "capacity_exceeded"), headers: BUSY }
      : { body: completion(`<think>\n${THOUGHT}\n</think>\n\n${ANSWER}`) },
  embed: () => refused(404, "Unknown request URL: POST /openai/v1/embeddings", { code: "unknown_url" }),
  calls: ({ body }) => {
    const message = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.";
    if (body.tools) return refused(400, message, { code: "tool_use_failed", failed_generation: "<function" });
    return hasAnswer(body) ? undefined : wordedCall('<function=order_status>{"order":"A-7"}</function>');
  },
};

const openrouter: Provider = {
  name: "OpenRouter",
  base: "/api",
  paths: within("/api/v1"),
  key: "bearer",
  models: { chat: "qwen/qwen3-32b", embedding: "qwen/qwen3-embedding-8b" },
  quirks: [
    ["an error comes inside a 200, with its own code", "Aider-AI/aider#3550"],
    ["thoughts are in fields beside the text", "openrouter.ai, reasoning tokens"],
    ["vectors of 4096 numbers, which can be chosen", "BerriAI/litellm#23119"],
    ["404 if no provider of the model takes tools", "openrouter.ai, tool calling"],
  ],
  chats: true,
  learns: true,
  chat: ({ n }) => {
    const metadata = { headers: { "X-RateLimit-Reset": "0" } };
    return n === 0
      ? { body: { error: { message: "Rate limit exceeded: free-models-per-min", code: 429, metadata } } }
      : {
          body: `   \n${JSON.stringify(completion(ANSWER, { message: { reasoning: THOUGHT, reasoning_details: [] } }))}`,
        };
  },
  embed: ({ body }) => ({ body: embeddings({ input: body.input }, body.dimensions ?? 4096) }),
  calls: ({ body }) => {
    if (body.tools)
      return { status: 404, body: { error: { message: "No endpoints found that support tool use.", code: 404 } } };
    return hasAnswer(body) ? undefined : wordedCall();
  },
};

const gemini: Provider = {
  name: "Gemini’s OpenAI door",
  base: "/v1beta/openai/",
  paths: within("/v1beta/openai"),
  key: "bearer",
  models: { chat: "gemini-2.5-flash", embedding: "gemini-embedding-001" },
  quirks: [
    ["errors are a list, with the wait in their details", "google-gemini/gemini-cli#6454"],
    ["an index of 0 is left out", "samfoy/pi-session-search#13"],
    ["at most 100 texts at once", "geldata/gel#9032"],
    ["vectors of 3072 numbers, which can be chosen", "lancedb/lancedb#3618"],
    ["the id of a call is empty, and its end is `stop`", "microsoft/autogen#4878"],
    ["a tool without arguments must have no schema", "agno-agi/agno#2112"],
    ["the signature of the thoughts must come back with a call", "ai.google.dev, thought signatures"],
  ],
  chats: true,
  learns: true,
  chat: ({ n }) => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0s" }];
    const error = { code: 429, message: "Resource exhausted.", status: "RESOURCE_EXHAUSTED", details };
    return n === 0 ? { status: 429, body: [{ error }] } : { body: completion(ANSWER) };
  },
  embed: ({ body }) => {
    if (body.encoding_format !== undefined) return { status: 400, body: [{ error: { message: "Unknown name" } }] };
    const { data, ...rest } = embeddings(body, body.dimensions ?? 3072);
    return { body: { ...rest, data: data.map(({ index, ...row }) => (index === 0 ? row : { index, ...row })) } };
  },
  calls: ({ body }) => {
    if (schemasIn(body).some(({ properties = {} }: any) => Object.keys(properties).length === 0)) {
      const message = "* GenerateContentRequest.tools[0].parameters.properties: should be non-empty for OBJECT type";
      return { status: 400, body: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }] };
    }
    const signed = { extra_content: { google: { thought_signature: "c2lnbmVk" } } };
    if (!hasAnswer(body)) return nativeCall({ id: "", ...signed }, { finish: "stop" });
    const calls = body.messages.flatMap(({ tool_calls: made = [] }: any) => made);
    const isSigned = calls.every(({ extra_content: extra }: any) => extra?.google?.thought_signature === "c2lnbmVk");
    const error = { code: 400, message: "Function call is missing a thought_signature in functionCall parts." };
    return isSigned ? undefined : { status: 400, body: [{ error }] };
  },
};

export const HOSTED: readonly Provider[] = [openai, azure, mistral, deepseek, groq, openrouter, gemini];
