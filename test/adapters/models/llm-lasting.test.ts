import { describe, expect, test } from "bun:test";
import { useLlmClient } from "../../support/llm/client.ts";
import { LLM_KEY, REPLIES } from "../../support/llm/index.ts";
import { TOOL } from "../../support/llm/providers/index.ts";

const { sim, llm } = useLlmClient();

const OTHER_KEY = "sk-proj-the-key-of-another-account";
const askWithTools = (apiKey = LLM_KEY) =>
  llm.complete({
    provider: { baseUrl: sim.url, apiKey },
    model: "gpt-4o",
    messages: [{ role: "user", content: "oi" }],
    tools: [TOOL],
  });
const askWithPicture = () =>
  llm.complete({
    provider: { baseUrl: sim.url, apiKey: LLM_KEY },
    model: "gpt-4o",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "que bolo é este?" },
          { type: "image", contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) },
        ],
      },
    ],
  });
const offersTools = () => sim.chats().map(({ body }) => body.tools !== undefined);
const showsPictures = () => sim.chats().map(({ body }) => typeof body.messages.at(-1).content !== "string");

describe("a refusal of tools, or of one of them,", () => {
  test.each([
    [400, "registry.ollama.ai/library/gemma2:latest does not support tools"],
    [404, "No endpoints found that support tool use. To learn more about provider routing, visit: https://x.example"],
    [400, "This model doesn't support tool use."],
    [400, "deepseek-reasoner does not support Function Calling"],
    [400, "litellm.UnsupportedParamsError: does not support parameters: ['tools', 'tool_choice'], for model=x"],
    [400, "Unsupported parameter: 'tools' is not supported with this model."],
    [400, "`tool calling` is not supported with this model"],
    [400, "Function calling is not enabled for models/gemma-3-27b-it"],
    [400, "Unrecognized request argument supplied: tools"],
    [400, 'Invalid JSON payload received. Unknown name "tools": Cannot find field.'],
    [422, "Additional properties are not allowed ('tools' was unexpected)"],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [500, "tools param requires --jinja flag"],
  ])("X-103 is remembered if it says that the model takes none: %d %s", async (status, words) => {
    sim.next(REPLIES.refused(status, words));
    expect(await askWithTools()).toMatchObject({ ok: true });
    expect(await askWithTools()).toMatchObject({ ok: true });
    expect(offersTools()).toEqual([true, false, false]);
  });

  test.each([
    "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got 1400.",
    "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[order].format: only 'enum' and 'date-time' are supported for STRING type",
    "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type",
    "Invalid schema for function 'order_status': In context=(), 'format' is not supported in tools.",
    "Unsupported parameter: 'tools[0].function.strict' is not supported with this model.",
    "This model's maximum context length is 8192 tokens. However, your messages and tools resulted in 9000 tokens.",
    "Parallel tool calls are not supported with this model",
    "Tool choice must be auto",
    "Failed to call a function. Please adjust your prompt.",
  ])("X-103 is forgotten if it is of a field or a value: %s", async (words) => {
    sim.next(REPLIES.refused(400, words));
    expect(await askWithTools()).toMatchObject({ ok: true });
    expect(await askWithTools()).toMatchObject({ ok: true });
    expect(offersTools()).toEqual([true, false, true]);
  });

  test("X-103 has its empty schema omitted where a provider refuses one, from then on without asking", async () => {
    const words =
      "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty for OBJECT type";
    const hours = { name: "business_hours", description: "Says the hours", parameters: { type: "object" } };
    const order = { provider: { baseUrl: sim.url, apiKey: LLM_KEY }, model: "gpt-4o", tools: [TOOL, hours] };
    sim.next(REPLIES.refused(400, words));
    for (const _ of [1, 2])
      expect(await llm.complete({ ...order, messages: [{ role: "user", content: "oi" }] })).toMatchObject({ ok: true });
    const schemas = sim.chats().map(({ body }) => body.tools.map((tool: any) => tool.function.parameters));
    const empty = { type: "object", properties: {} };
    expect(schemas).toEqual([
      [TOOL.parameters, empty],
      [TOOL.parameters, undefined],
      [TOOL.parameters, undefined],
    ]);
  });

  test.each(["gemma2 does not support tools", "litellm: No endpoints found that support tool use"])(
    "X-103 is understood inside a good answer, without any status: %s",
    async (words) => {
      sim.next({ is: "raw", body: JSON.stringify({ error: { message: words } }) });
      expect(await askWithTools()).toMatchObject({ ok: true });
      expect(offersTools()).toEqual([true, false]);
    },
  );

  test("X-103 teaches nothing of another account's key", async () => {
    sim.keys.add(OTHER_KEY);
    sim.next(REPLIES.refused(400, "gemma2 does not support tools"));
    await askWithTools(OTHER_KEY);
    await askWithTools(LLM_KEY);
    await askWithTools(OTHER_KEY);
    expect(offersTools()).toEqual([true, false, true, false]);
  });
});

describe("a refusal of pictures", () => {
  test.each([
    "No endpoints found that support image input",
    "Invalid content type. image_url is only supported by certain models.",
    "mistral-small does not support images.",
    "Model does not support image input",
    "llava-x is not a multimodal model",
    "At most 0 image(s) may be provided in one request.",
    "'messages.1.content' : value must be a string",
    "unknown variant `image_url`, expected `text`",
  ])("is remembered if it says that the model takes none: %s", async (words) => {
    sim.next(REPLIES.refused(400, words));
    expect(await askWithPicture()).toMatchObject({ ok: true });
    expect(await askWithPicture()).toMatchObject({ ok: true });
    expect(showsPictures()).toEqual([true, false, false]);
  });

  test("is understood inside a good answer, without any status", async () => {
    sim.next({ is: "raw", body: JSON.stringify({ error: "llava-x is not a multimodal model" }) });
    expect(await askWithPicture()).toMatchObject({ ok: true });
    expect(showsPictures()).toEqual([true, false]);
  });

  test.each([
    "You uploaded an unsupported image. Please make sure your image is valid.",
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: png, jpeg.",
    "The image must be in one of the supported image formats.",
    "Unsupported content type: image/heic",
    "This model does not support images larger than 5 MB",
    "Image size is not supported",
    "messages.0.content.1.image_url.url must be a string",
  ])("is forgotten if it is of one picture: %s", async (words) => {
    sim.next(REPLIES.refused(400, words));
    expect(await askWithPicture()).toMatchObject({ ok: true });
    expect(await askWithPicture()).toMatchObject({ ok: true });
    expect(showsPictures()).toEqual([true, false, true]);
  });
});
