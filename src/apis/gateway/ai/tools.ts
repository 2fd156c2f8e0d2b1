import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { toolHeaders } from "../../../core/ai/tools/tool-secrets.ts";
import {
  createTool,
  getTool,
  readTools,
  removeTool,
  replaceTool,
  TOOL_KINDS,
  TOOL_OUTCOMES,
  type Tool,
  testTool,
} from "../../../core/ai/tools/tools.ts";
import { maskedHeaders } from "../../../core/events/own-headers.ts";
import { described, Nullable, OneOf, Text, Url } from "../../../kernel/schema.ts";
import type { Json } from "../../../kernel/texts/json.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import { RequestHeaders } from "../../shared/webhook-fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, PHONE_IN_PATH, REFUSALS, Secret } from "../schemas.ts";

/** An object of any fields; the core checks it. */
const anyObject = (description: string, example: Json) =>
  Type.Unsafe<Json>(
    Type.Object(
      {},
      {
        description,
        examples: [example],
        additionalProperties: Type.Unknown(),
        ...describedAs({ additionalProperties: true }),
      },
    ),
  );

const PARAMETERS = {
  type: "object",
  properties: { order: { type: "string", description: "The number of the order, such as A-1042" } },
  required: ["order"],
};
const Name = Type.String({
  pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
  description: "The name that the model calls: letters, digits, `_` and `-`; unique among the agent's tools",
  examples: ["order_status"],
});
const Parameters = anyObject(
  "The JSON schema of the arguments: an object of at most 50 fields and 8 KiB, without `format`, `pattern`, `anyOf` and `$ref`",
  PARAMETERS,
);

const Declared = {
  name: Name,
  description: described(
    Text(1, 1000),
    "What the tool does and when to call it, for the model",
    "Says where an order of this customer is.",
  ),
  parameters: Parameters,
  url: described(
    Url(),
    "The public HTTPS address that takes the calls; redirects are not followed",
    "https://padaria-estrela.example/tools/order-status",
  ),
  headers: Type.Optional(RequestHeaders),
};
const CreateBody = Type.Object({ ...Declared, secret: Secret }, { title: "AgentToolRequest" });
const ReplaceBody = Type.Object(
  { ...Declared, secret: Type.Optional(described(Secret, "The key of the HMAC signature; absent: it stays")) },
  { title: "AgentToolReplacement" },
);

const ToolView = Type.Object(
  {
    id: Id("The tool's id"),
    phoneId: Id("The phone of the agent", "phone"),
    name: Type.String({ description: "The name that the model calls", examples: ["order_status"] }),
    description: Type.String({
      description: "What the tool does, for the model",
      examples: ["Says where an order of this customer is."],
    }),
    parameters: anyObject("The JSON schema of the arguments", PARAMETERS),
    url: Type.String({
      description: "The address that takes the calls",
      examples: ["https://padaria-estrela.example/tools/order-status"],
    }),
    headers: RequestHeaders,
    createdAt: CreatedAt("tool"),
    updatedAt: described(Instant, "When the tool last changed"),
  },
  { title: "AgentTool" },
);

const toolView = (env: GatewayEnv, tool: Tool): Static<typeof ToolView> =>
  toView(ToolView, tool, { phoneId: tool.channelId, headers: maskedHeaders(env, toolHeaders(tool)) });

export const ToolOutcome = OneOf(TOOL_OUTCOMES, {
  title: "AgentToolOutcome",
  description: "ANSWERED: it did its work; REFUSED: it was not carried out; FAILED: nobody knows more",
});

/** The fields of a call, in a conversation and in a test of an agent. */
export const CallFields = {
  tool: Type.String({ description: "The name of the tool", examples: ["order_status"] }),
  kind: OneOf(TOOL_KINDS, { title: "AgentToolKind", description: "HTTP: a tool of the account; BUILT_IN: Recado's" }),
  arguments: Type.String({ description: "The arguments as JSON", examples: ['{"order":"A-1042"}'] }),
  answer: Type.String({ description: "What the model was told", examples: ['{"status":"shipped"}'] }),
  httpStatus: Nullable(Type.Integer({ description: "The status of the answer; null without one", examples: [200] })),
  durationMs: Type.Integer({ description: "How long the call took, in milliseconds", examples: [84] }),
};

const TestBody = Type.Object(
  { arguments: anyObject("The arguments of the call, of the tool's schema", { order: "A-1042" }) },
  { title: "AgentToolTest" },
);
const TestView = Type.Object(
  {
    callId: Type.String({ description: "The id of the call, as its headers had it" }),
    outcome: ToolOutcome,
    httpStatus: Nullable(Type.Integer({ description: "The status of the answer; null without one", examples: [200] })),
    answer: Type.String({ description: "What a model would be told", examples: ['{"status":"shipped"}'] }),
    durationMs: Type.Integer({ description: "How long the call took, in milliseconds", examples: [84] }),
  },
  { title: "AgentToolTestResult" },
);

const one = { 200: ToolView, ...REFUSALS };
const NAMED = { id: "channel", toolId: "agentTool" } as const;
const keyOf = ({ id, toolId }: { id: string; toolId: string }) => ({ channelId: id, id: toolId });

/** The HTTP tools that an agent may call. */
export const tools = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones/:id/ai-agent/tools",
    tags: ["ai"],
    detail: inPath({
      ...PHONE_IN_PATH,
      toolId: Id("The tool, as `GET /v1/phones/{id}/ai-agent/tools` lists it"),
    }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, params }) => (await readTools(env, principal, params.id)).map((tool) => toolView(env, tool)),
      {
        response: { 200: Type.Array(ToolView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listAgentTools", isolation: { id: "channel" } }),
          summary: "List the HTTP tools of an agent, by name",
          description: "At most ten. Secrets are never shown.",
        },
      },
    )
    .post(
      "/",
      async ({ principal, params, body, status }) =>
        status(201, toolView(env, await createTool(env, principal, params.id, body))),
      {
        body: CreateBody,
        response: { 201: ToolView, ...REFUSALS },
        detail: {
          ...route({ operationId: "createAgentTool", acts: ["tool.create"], isolation: { id: "channel" } }),
          summary: "Let an agent call an HTTP tool",
          description:
            "Calls are POST, signed like webhooks, and answered within 10 seconds. The server sets phone, contact and " +
            "conversation of a call; the model sets `arguments` alone.",
        },
      },
    )
    .get("/:toolId", async ({ principal, params }) => toolView(env, await getTool(env, principal, keyOf(params))), {
      response: one,
      detail: {
        ...route({ operationId: "getAgentTool", isolation: NAMED }),
        summary: "Get an HTTP tool of an agent",
        description: "The values of its headers are asterisks, and its secret is left out.",
      },
    })
    .put(
      "/:toolId",
      async ({ principal, params, body }) => toolView(env, await replaceTool(env, principal, keyOf(params), body)),
      {
        body: ReplaceBody,
        response: one,
        detail: {
          ...route({ operationId: "replaceAgentTool", acts: ["tool.change"], isolation: NAMED }),
          summary: "Replace an HTTP tool of an agent",
          description: "A missing secret stays; missing headers mean none. A header of asterisks keeps its value.",
        },
      },
    )
    .delete(
      "/:toolId",
      async ({ principal, params, status }) => {
        await removeTool(env, principal, keyOf(params));
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deleteAgentTool", acts: ["tool.delete"], isolation: NAMED }),
          summary: "Delete an HTTP tool of an agent",
          description: "Later answers do not call it.",
        },
      },
    )
    .post(
      "/:toolId/test",
      async ({ principal, params, body }) => {
        const { id: callId, ...called } = await testTool(env, principal, keyOf(params), body.arguments);
        return { callId, ...called };
      },
      {
        body: TestBody,
        response: { 200: TestView, ...REFUSALS },
        detail: {
          ...route({ operationId: "testAgentTool", acts: "none: no change", isolation: NAMED }),
          summary: "Call an HTTP tool once, and see its answer",
          description:
            "`data.isTest` and the header `X-Gateway-Test` say that it is a test, for a contact that nobody is. " +
            "Nothing is stored. At most 10 tests per minute.",
        },
      },
    );
