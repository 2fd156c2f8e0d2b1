import { type Reply, refusal } from "./replies.ts";

/**
 * The limits of the simulated provider's models. `seeing`: those of `chat` that take pictures. `hearing`, `speaking`:
 * for sounds in and out, with their `voices` and the forms of their `sounds`.
 */
export type Models = {
  chat: Set<string>;
  seeing: Set<string>;
  embedding: Set<string>;
  formats: Set<"json_schema" | "json_object">;
  hearing: Set<string>;
  /** Whether the models that hear take nothing but WAV, as the server of whisper.cpp. */
  takesWavAlone: boolean;
  speaking: Set<string>;
  voices: Set<string>;
  sounds: Set<string>;
};

export const someModels = (): Models => ({
  chat: new Set(["gpt-4o-mini", "gpt-4o", "gpt-5-mini"]),
  embedding: new Set(["text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"]),
  formats: new Set(["json_schema", "json_object"]),
  seeing: new Set(["gpt-4o-mini", "gpt-4o"]),
  hearing: new Set(["whisper-1", "gpt-4o-mini-transcribe"]),
  takesWavAlone: false,
  speaking: new Set(["gpt-4o-mini-tts", "tts-1"]),
  voices: new Set(["alloy", "coral", "nova"]),
  sounds: new Set(["mp3", "opus", "wav"]),
});

export type Refusal = Extract<Reply, { is: "error" }>;
export type Body = Record<string, any>;

const CHAT_FIELDS = [
  "model",
  "messages",
  "temperature",
  "max_tokens",
  "max_completion_tokens",
  "response_format",
  "stream",
  "user",
  "tools",
  "tool_choice",
];
const EMBEDDING_FIELDS = ["model", "input", "dimensions", "encoding_format", "user"];
const ROLES = ["system", "developer", "user", "assistant", "tool"];
const MAX_INPUTS = 2048;
const MAX_INPUT_CHARACTERS = 32_000; // 8192 tokens

export const bad = (message: string, param: string | null = null, code: string | null = null): Refusal =>
  refusal(400, message, { param, code });

export const unknownField = (body: Body, known: readonly string[]): Refusal | undefined => {
  const stranger = Object.keys(body).find((name) => !known.includes(name));
  return stranger === undefined ? undefined : bad(`Unrecognized request argument supplied: ${stranger}`);
};

export const unknownModel = (model: unknown, known: Set<string>): Refusal | undefined => {
  if (typeof model !== "string" || model === "") return bad("you must provide a model parameter");
  return known.has(model)
    ? undefined
    : refusal(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
        param: "model",
        code: "model_not_found",
      });
};

/** The provider's refusal of a body for chat completions; undefined if it accepts the body. */
export const chatRefusal = (body: Body, models: Models): Refusal | undefined =>
  unknownField(body, CHAT_FIELDS) ??
  unknownModel(body["model"], models.chat) ??
  messagesRefusal(body["messages"], models.seeing.has(body["model"])) ??
  callsRefusal(body["messages"]) ??
  toolsRefusal(body) ??
  formatRefusal(body, models);

const messagesRefusal = (messages: unknown, sees: boolean): Refusal | undefined => {
  if (!Array.isArray(messages) || messages.length === 0)
    return bad("Invalid 'messages': empty array. Expected an array with minimum length 1.", "messages");
  const isRight = ({ role, content, tool_calls: calls }: Body) =>
    ROLES.includes(role) &&
    (typeof content === "string" || (content === null && calls) || (role === "user" && areParts(content)));
  const at = messages.findIndex((message: Body) => !isRight(message));
  if (at !== -1) return bad(`Invalid value for 'messages[${at}]'.`, `messages[${at}]`);
  return !sees && messages.some(({ content }: Body) => Array.isArray(content))
    ? bad("Invalid content type. image_url is only supported by certain models.", "messages", "invalid_value")
    : undefined;
};

/** The refusal of calls without an answer each, and of answers without a call. */
const callsRefusal = (messages: Body[]): Refusal | undefined => {
  let open: string[] = [];
  for (const { role, tool_calls: calls = [], tool_call_id: id } of messages) {
    if (role === "tool" && !open.includes(id))
      return bad("messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", "messages");
    if (role !== "tool" && open.length > 0) break;
    open = role === "tool" ? open.filter((one) => one !== id) : calls.map((call: Body) => call["id"]);
    if (calls.some((call: Body) => typeof call["function"]?.arguments !== "string"))
      return bad("Invalid type for 'messages.tool_calls.function.arguments': expected a string.", "messages");
  }
  return open.length === 0
    ? undefined
    : bad("An assistant message with 'tool_calls' must be followed by tool messages to each 'tool_call_id'.");
};

const toolsRefusal = ({ tools, tool_choice: choice = "auto" }: Body): Refusal | undefined => {
  if (tools === undefined) return undefined;
  if (tools.length === 0) return bad("Invalid 'tools': empty array.", "tools");
  const isWrong = ({ type, function: asked }: Body) => type !== "function" || !/^[\w-]{1,64}$/.test(asked?.name);
  if (tools.some(isWrong)) return bad("Invalid 'tools[0].function.name': string does not match pattern.", "tools");
  const isLong = ({ function: asked }: Body) => asked.description.length > 1024;
  if (tools.some(isLong))
    return bad("Invalid 'tools[0].function.description': string too long. Expected a maximum length of 1024.", "tools");
  const isBare = ({ function: { parameters } }: Body) =>
    parameters !== undefined && (parameters.type !== "object" || parameters.properties === undefined);
  if (tools.some(isBare))
    return bad("Invalid schema for function: In context=(), object schema missing properties.", "tools");
  return ["auto", "none", "required"].includes(choice) ? undefined : bad("Invalid 'tool_choice'.", "tool_choice");
};

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/;

/** Whether a content is a list of texts and pictures: https://developers.openai.com/api/docs/guides/images-vision */
const areParts = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every(
    ({ type, text, image_url: image }: Body) =>
      (type === "text" && typeof text === "string" && text !== "") ||
      (type === "image_url" && PICTURE.test(image?.url ?? "")),
  );

/** The texts of a message, without its pictures; "" without a content. */
export const wordsIn = ({ content }: Body): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }: Body) => text).join("");

/** A strict provider's refusal of the order of the roles, and of blank messages. */
export const orderRefusal = ({ messages }: Body): Refusal | undefined => {
  const plain = messages.filter(({ role, tool_calls: calls }: Body) => role !== "tool" && calls === undefined);
  const said = plain[0]?.role === "system" ? plain.slice(1) : plain;
  const isWrong = ({ role }: Body, at: number) => role !== (at % 2 === 0 ? "user" : "assistant");
  if (said.some(isWrong) || said.at(-1)?.role !== "user")
    return bad("This model does not support successive user or assistant messages.", "messages");
  return messages.some((message: Body) => typeof message["content"] === "string" && wordsIn(message).trim() === "")
    ? bad("Each message must have content that is not blank.", "messages")
    : undefined;
};

const formatRefusal = ({ response_format: format, messages }: Body, { formats }: Models): Refusal | undefined => {
  if (format === undefined || format.type === "text") return undefined;
  if (!formats.has(format.type))
    return bad(
      `Invalid parameter: 'response_format' of type '${format.type}' is not supported with this model.`,
      "response_format",
    );
  if (format.type === "json_schema") return schemaRefusal(format.json_schema);
  const saysJson = messages.some((message: Body) => /json/i.test(wordsIn(message)));
  return saysJson
    ? undefined
    : bad(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        "messages",
      );
};

const schemaRefusal = (named: Body | undefined): Refusal | undefined => {
  if (!/^[\w-]{1,64}$/.test(named?.["name"] ?? ""))
    return bad("Missing required parameter: 'response_format.json_schema.name'.", "response_format.json_schema.name");
  const fault = named?.["strict"] === true ? strictFault(named["schema"]) : undefined;
  return fault === undefined
    ? undefined
    : bad(`Invalid schema for response_format '${named?.["name"]}': ${fault}`, "response_format");
};

/** Why a schema is not strict: every object must be closed and require all that it names. */
const strictFault = (schema: Body | undefined): string | undefined => {
  if (schema === undefined) return "schema is missing";
  if (schema["type"] === "object") {
    const names = Object.keys(schema["properties"] ?? {});
    if (schema["additionalProperties"] !== false)
      return "'additionalProperties' is required to be supplied and to be false.";
    if (names.some((name) => !schema["required"]?.includes(name)))
      return "'required' is required to be supplied and to be an array including every key in properties.";
  }
  const parts: Body[] = [
    ...Object.values<Body>(schema["properties"] ?? {}),
    ...(schema["anyOf"] ?? []),
    ...(schema["items"] ? [schema["items"]] : []),
  ];
  return parts.map(strictFault).find((fault) => fault !== undefined);
};

/** The provider's refusal of a body for embeddings; undefined if it accepts the body. */
export const embeddingRefusal = (body: Body, models: Models): Refusal | undefined => {
  const { model, dimensions, encoding_format: encoding = "float" } = body;
  const refused =
    unknownField(body, EMBEDDING_FIELDS) ?? unknownModel(model, models.embedding) ?? inputRefusal(textsOf(body));
  if (refused) return refused;
  if (dimensions !== undefined && model === "text-embedding-ada-002")
    return bad("This model does not support specifying dimensions.", "dimensions");
  return ["float", "base64"].includes(encoding)
    ? undefined
    : bad("Invalid value for 'encoding_format'.", "encoding_format");
};

export const textsOf = ({ input }: Body): string[] => (Array.isArray(input) ? input : [input]);

const inputRefusal = (texts: readonly unknown[]): Refusal | undefined => {
  if (texts.length === 0 || texts.length > MAX_INPUTS) return bad("'$.input' is invalid.", "input");
  if (texts.some((text) => typeof text !== "string" || text === "")) return bad("'$.input' is invalid.", "input");
  return texts.some((text) => String(text).length > MAX_INPUT_CHARACTERS)
    ? bad("This model's maximum context length is 8192 tokens.", "input")
    : undefined;
};
