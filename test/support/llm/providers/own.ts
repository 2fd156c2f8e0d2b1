import {
  ANSWER,
  completion,
  doRolesAlternate,
  embeddings,
  hasAnswer,
  hasSystemRole,
  nativeCall,
  type Provider,
  type Reply,
  refused,
  stream,
  THOUGHT,
  TOOL,
  wordedCall,
} from "./server.ts";

const V1 = { chat: "/v1/chat/completions", embeddings: "/v1/embeddings" };

const bedrock: Provider = {
  name: "Bedrock Access Gateway",
  base: "/api/v1",
  paths: { chat: "/api/v1/chat/completions", embeddings: "/api/v1/embeddings" },
  key: "bearer",
  models: { chat: "anthropic.claude-sonnet", embedding: "amazon.titan-embed-text-v1" },
  quirks: [
    ["Claude wants roles to alternate", "microsoft/semantic-kernel#10277"],
    ["Titan reads one text at a time, and makes 1536 numbers", "aws-samples/bedrock-access-gateway#152"],
    ["errors are FastAPI’s", "aws-samples/bedrock-access-gateway"],
    ["calls in a history need the tools beside them", "BerriAI/litellm#24158"],
  ],
  chats: true,
  learns: true,
  chat: ({ body }) =>
    doRolesAlternate(body)
      ? { body: completion(ANSWER) }
      : { status: 400, body: { detail: "A conversation must alternate between user and assistant roles." } },
  embed: ({ body }) =>
    body.input.length > 1
      ? { status: 400, body: { detail: "Titan embeddings do not support batch inference." } }
      : { body: embeddings({ input: body.input }, 1536) },
  calls: ({ body }) => {
    if (!body.tools) return { status: 400, body: { detail: "The toolConfig field must be defined." } };
    return hasAnswer(body) ? undefined : nativeCall({ id: "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q" });
  },
};

const ollama: Provider = {
  name: "Ollama",
  base: "",
  paths: V1,
  key: "none",
  models: { chat: "qwen3", embedding: "gte-qwen2" },
  quirks: [
    ["its address is known without /v1, and it needs no key", "docs.ollama.com, OpenAI compatibility"],
    ["thoughts are in reasoning", "ollama/ollama#15288"],
    ["base64 is ignored", "arabold/docs-mcp-server#471"],
    ["a model without a template for tools refuses them", "ollama/ollama#6980"],
  ],
  chats: true,
  learns: true,
  chat: () => ({ body: completion(ANSWER, { message: { reasoning: THOUGHT } }) }),
  embed: ({ body }) => ({ body: embeddings({ input: body.input }, 1536) }),
  calls: ({ body }) => {
    if (body.tools) return refused(400, "registry.ollama.ai/library/qwen3:latest does not support tools");
    return hasAnswer(body) ? undefined : wordedCall();
  },
};

const lmStudio: Provider = {
  name: "LM Studio",
  base: "/v1",
  paths: V1,
  key: "none",
  models: { chat: "deepseek-r1", embedding: "nomic-embed-text" },
  quirks: [
    ["errors are a sentence", "lmstudio-ai/lmstudio-bug-tracker#189"],
    ["thoughts are in the text; the template may have opened them", "SciSharp/LLamaSharp#1090"],
    ["vectors of 768 numbers, which a knowledge base cannot hold", "lemonade-sdk/lemonade#3591"],
    ["a call may be in the text", "lmstudio-ai/lmstudio-bug-tracker#2115"],
  ],
  chats: true,
  learns: /^WRONG_DIMENSION: .*768.*1536/,
  chat: () => ({ body: completion(`${THOUGHT}\n</think>\n\n${ANSWER}`) }),
  embed: ({ body }) =>
    body.dimensions === undefined
      ? { body: embeddings({ input: body.input }, 768) }
      : { status: 400, body: { error: "'dimensions' is not supported" } },
  calls: ({ body }) =>
    hasAnswer(body)
      ? undefined
      : wordedCall(
          `${THOUGHT}\n</think>\n<tool_call>\n<function=order_status>\n<parameter=order>\nA-7\n</parameter>\n</function>\n</tool_call>`,
        ),
};

/** vLLM's and llama.cpp's template of Gemma. */
const withoutSystem = (body: unknown, failure: Reply): Reply =>
  hasSystemRole(body) ? failure : { body: completion(ANSWER) };

const vllm: Provider = {
  name: "vLLM",
  base: "/v1",
  paths: V1,
  key: "bearer",
  models: { chat: "gemma-2-9b-it", embedding: "gte-qwen2-1.5b" },
  quirks: [
    ["the template of Gemma has no role of the system", "huggingface/chat-ui#1386"],
    ["the template of Mistral wants roles to alternate", "vllm-project/vllm#6862"],
    ["dimensions are refused unless the model is a Matryoshka", "vllm-project/vllm#16331"],
    ["tools need a parser, which must be set", "langchain4j/langchain4j#3475"],
  ],
  chats: true,
  learns: true,
  chat: ({ body }) => {
    const told = (message: string): Reply => ({
      status: 400,
      body: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
    });
    if (!doRolesAlternate(body)) return told("Conversation roles must alternate user/assistant/user/assistant/...");
    return withoutSystem(body, told("System role not supported"));
  },
  embed: ({ body }) =>
    body.dimensions === undefined
      ? { body: embeddings(body, 1536) }
      : { status: 400, body: { object: "error", message: "does not support matryoshka representation", code: 400 } },
  calls: ({ body }) => {
    const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
    if (body.tools) return { status: 400, body: { object: "error", message, type: "BadRequestError", code: 400 } };
    return hasAnswer(body) ? undefined : wordedCall();
  },
};

const llamaCpp: Provider = {
  name: "llama.cpp",
  base: "/",
  paths: V1,
  key: "bearer",
  models: { chat: "gemma-2-9b", embedding: "gte-qwen2-1.5b" },
  quirks: [
    ["503 while a model is loaded", "mostlygeek/llama-swap#146"],
    ["a template's refusal is a 500", "abetlen/llama-cpp-python#1580"],
    ["texts that exceed its physical batch are a 500", "ggml-org/llama.cpp#12295"],
    ["tools need its templates", "defilantech/LLMKube#126"],
  ],
  chats: true,
  learns: true,
  chat: ({ body, n }) => {
    const failed = (code: number, message: string): Reply => ({
      status: code,
      body: { error: { code, message, type: "server_error" } },
      headers: { "retry-after": "0" },
    });
    if (n === 0) return failed(503, "Loading model");
    return withoutSystem(body, failed(500, "Jinja Exception: System role not supported"));
  },
  embed: ({ body }) =>
    body.input.length > 8
      ? refusedBy(500, "input is too large to process. increase the physical batch size")
      : { body: embeddings({ input: body.input }, 1536), type: "application/json; charset=utf-8" },
  calls: ({ body }) => {
    if (body.tools) return refusedBy(500, "tools param requires --jinja flag");
    return hasAnswer(body) ? undefined : wordedCall(JSON.stringify({ name: TOOL.name, parameters: { order: "A-7" } }));
  },
};

const refusedBy = (code: number, message: string): Reply => ({
  status: code,
  body: { error: { code, message, type: "" } },
  headers: { "retry-after": "0" },
});

const localAi: Provider = {
  name: "LocalAI",
  base: "/v1",
  paths: V1,
  key: "bearer",
  models: { chat: "phi-4", embedding: "gte-qwen2" },
  quirks: [
    ["500 while its backend starts", "mudler/LocalAI#1087"],
    ["usage is not always counted", "mudler/LocalAI#800"],
    ["arguments may be an object, and a name empty", "mudler/LocalAI#10052"],
  ],
  chats: true,
  learns: true,
  chat: ({ n }) =>
    n === 0
      ? refusedBy(500, "could not load model: rpc error: code = Unavailable desc = error reading from server: EOF")
      : { body: completion(ANSWER, { more: { usage: null as unknown as object } }) },
  embed: ({ body }) => ({ body: { ...embeddings(body, 1536), usage: {} } }),
  calls: ({ body }) =>
    hasAnswer(body)
      ? undefined
      : nativeCall(
          { id: undefined },
          {
            given: { order: "A-7" },
            finish: "stop",
            more: [{ type: "function", function: { name: "", arguments: "" } }],
          },
        ),
};

const tei: Provider = {
  name: "Text Embeddings Inference",
  base: "/v1",
  paths: V1,
  key: "bearer",
  models: { chat: "none", embedding: "gte-qwen2-1.5b" },
  quirks: [
    ["at most 32 texts at once", "huggingface/text-embeddings-inference#378"],
    ["base64 was unknown for long", "huggingface/text-embeddings-inference#288"],
    ["it serves no chats", "huggingface/text-embeddings-inference, README"],
  ],
  chats: /404/,
  learns: true,
  chat: () => ({ status: 404, body: "" }),
  embed: ({ body }) =>
    body.input.length > 32
      ? {
          status: 422,
          body: { message: `batch size ${body.input.length} > maximum allowed batch size 32`, type: "Validation" },
        }
      : { body: embeddings({ input: body.input }, 1536) },
};

const litellm: Provider = {
  name: "LiteLLM",
  base: "",
  paths: V1,
  key: "bearer",
  models: { chat: "azure/gpt-4o", embedding: "text-embedding-3-own" },
  quirks: [
    ["a stream comes where a provider behind it forces one", "BerriAI/litellm#34095"],
    ["dimensions are refused with a 500", "BerriAI/litellm#11940"],
    ["every name of an encoding is refused before Vertex AI", "zilliztech/claude-context#185"],
    ["the pieces of a call come in a stream", "platform.openai.com, streaming of function calls"],
  ],
  chats: true,
  learns: true,
  chat: () => ({
    body: stream({ role: "assistant", content: "" }, { content: ANSWER.slice(0, 7) }, { content: ANSWER.slice(7) }),
    type: "text/event-stream; charset=utf-8",
  }),
  embed: ({ body }) => {
    if (body.encoding_format !== undefined)
      return refused(400, "litellm.UnsupportedParamsError: vertex_ai does not support parameters: encoding_format");
    return body.dimensions === undefined
      ? { body: embeddings(body, 1536) }
      : refused(500, "Setting dimensions is not supported for OpenAI `text-embedding-3` and later models.");
  },
  calls: ({ body }) =>
    hasAnswer(body)
      ? undefined
      : {
          body: stream(
            { role: "assistant", content: null },
            {
              tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: TOOL.name, arguments: "" } }],
            },
            { tool_calls: [{ index: 0, function: { arguments: '{"order":' } }] },
            { tool_calls: [{ index: 0, function: { arguments: '"A-7"}' } }] },
          ),
          type: "text/event-stream",
        },
};

/** Servers that people run themselves, and gateways to others. */
export const OWN: readonly Provider[] = [bedrock, ollama, lmStudio, vllm, llamaCpp, localAi, tei, litellm];
