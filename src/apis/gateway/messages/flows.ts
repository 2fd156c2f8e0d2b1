import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { FLOW_STATUSES } from "../../../contract/abilities/flows.ts";
import { createFlowKey, type FlowKey, getFlowKey } from "../../../core/messaging/templates/flow-exchange.ts";
import {
  changeFlow,
  changeFlowStatus,
  createFlow,
  type Flow,
  flowsPage,
  getFlow,
  removeFlow,
  syncFlow,
} from "../../../core/messaging/templates/flows.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Nullable, OneOf, Text, Url, Uuid } from "../../../kernel/schema.ts";
import { CreatedAt, Cursor, IDS, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, Page, PHONE_IN_PATH, QueryLimit, QueryText, UPSTREAM_REFUSALS } from "../schemas.ts";

const Screens = Type.Object(
  {},
  { additionalProperties: Type.Unknown(), description: "The flow's screens, in the network's flow JSON" },
);
const Names = {
  name: described(Text(1, 120), "The account's name for the flow", "Encomenda de bolo"),
  categories: Type.Array(Text(1, 60), {
    minItems: 1,
    maxItems: 20,
    description: "The purposes of the flow, in the network's words",
    examples: [["OTHER"]],
  }),
};
const Rest = {
  json: Type.Optional(Screens),
  endpointUrl: Type.Optional(
    described(
      Url(),
      "The account's HTTPS address that answers the flow; absent for a flow without data exchange",
      "https://padaria-estrela.example/flow",
    ),
  ),
};
const CreateBody = Type.Object({
  phoneId: described(Uuid(), "The phone whose business account gets the flow", IDS.phone),
  ...Names,
  ...Rest,
});
const PatchBody = Type.Object({
  name: Type.Optional(described(Names.name, "The account's name for the flow", "Encomenda de bolo")),
  categories: Type.Optional(described(Names.categories, "The purposes of the flow, in the network's words", ["OTHER"])),
  ...Rest,
});

const FlowView = Type.Object(
  {
    id: Id("The flow's id"),
    phoneId: Id("The phone whose business account has the flow", "phone"),
    upstreamFlowId: Nullable(
      Type.String({ description: "The network's id; null before it has one", examples: ["9876543210"] }),
    ),
    name: Type.String({ description: "The account's name for the flow", examples: ["Encomenda de bolo"] }),
    categories: Type.Array(Type.String(), {
      description: "The purposes of the flow, in the network's words",
      examples: [["OTHER"]],
    }),
    status: OneOf(FLOW_STATUSES, { description: "Only PUBLISHED is sent to everybody" }),
    endpointUrl: Nullable(
      Type.String({
        description: "The account's HTTPS endpoint that answers the flow; null for a flow without data exchange",
        examples: ["https://padaria-estrela.example/flow"],
      }),
    ),
    validationErrors: Type.Array(Type.Unknown(), {
      description: "The errors that the network finds in the JSON",
      examples: [[]],
    }),
    createdAt: CreatedAt("flow"),
    updatedAt: described(Instant, "When the flow last changed"),
  },
  { title: "Flow" },
);

const flowView = (flow: Flow) => toView(FlowView, flow, { phoneId: flow.channelId, upstreamFlowId: flow.nativeId });

const KeyView = Type.Object(
  {
    publicKey: Type.String({
      description: "The public key in PEM",
      examples: ["-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq…\n-----END PUBLIC KEY-----\n"],
    }),
    uploadedAt: described(Instant, "When the network got it"),
  },
  { title: "FlowsKeypair" },
);
const keyView = (key: FlowKey) => toView(KeyView, key);

const one = { 200: FlowView, ...UPSTREAM_REFUSALS };

export const flows = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/flows",
    tags: ["flows"],
    detail: inPath({ id: Id("The flow, as `GET /v1/flows` lists it") }),
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { phoneId, ...input } = body;
        return status(201, flowView(await createFlow(env, principal, { channelId: phoneId, ...input })));
      },
      {
        body: CreateBody,
        response: { 201: FlowView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "createFlow", acts: "none: daily work", isolation: { phoneId: "channel" } }),
          summary: "Create a flow as a draft",
          description: "The network is asked at once. `validationErrors` has the faults of the JSON. WABA only.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query }) => {
        const { items, nextCursor } = await flowsPage(env, principal, {
          channelId: query.phoneId,
          cursor: query.cursor,
          limit: gatewayLimit(query.limit),
        });
        return { items: items.map(flowView), nextCursor };
      },
      {
        query: Type.Object({
          phoneId: Type.Optional(described(Uuid(), "The phone whose flows are listed")),
          limit: QueryLimit(),
          cursor: Cursor(QueryText),
        }),
        response: { 200: Page(FlowView), ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "listFlows", isolation: { phoneId: "channel", cursor: "flow" } }),
          summary: "List flows, newest first",
          description: "Pages follow each other by `cursor`.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => flowView(await getFlow(env, principal, params.id)), {
      response: one,
      detail: {
        ...route({ operationId: "getFlow", isolation: { id: "flow" } }),
        summary: "Get a flow",
        description: "The flow as it was last read from the network; `syncFlow` reads it again.",
      },
    })
    .patch("/:id", async ({ principal, params, body }) => flowView(await changeFlow(env, principal, params.id, body)), {
      body: PatchBody,
      response: one,
      detail: {
        ...route({ operationId: "updateFlow", acts: "none: daily work", isolation: { id: "flow" } }),
        summary: "Change a flow that is a draft",
        description: "A missing field stays unchanged.",
      },
    })
    .post(
      "/:id/publish",
      async ({ principal, params }) => flowView(await changeFlowStatus(env, principal, params.id, "publish")),
      {
        response: one,
        detail: {
          ...route({ operationId: "publishFlow", acts: "none: daily work", isolation: { id: "flow" } }),
          summary: "Publish a flow, so that it can be sent",
          description: "From then on it cannot be changed.",
        },
      },
    )
    .post(
      "/:id/deprecate",
      async ({ principal, params }) => flowView(await changeFlowStatus(env, principal, params.id, "deprecate")),
      {
        response: one,
        detail: {
          ...route({ operationId: "deprecateFlow", acts: "none: daily work", isolation: { id: "flow" } }),
          summary: "Deprecate a published flow",
          description: "It cannot be sent any more.",
        },
      },
    )
    .post("/:id/sync", async ({ principal, params }) => flowView(await syncFlow(env, principal, params.id)), {
      response: one,
      detail: {
        ...route({ operationId: "syncFlow", acts: "none: daily work", isolation: { id: "flow" } }),
        summary: "Update a flow from the network",
        description: "The network's status and its complaints about the flow replace those that are stored.",
      },
    })
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeFlow(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "deleteFlow", acts: "none: daily work", isolation: { id: "flow" } }),
          summary: "Delete a flow",
          description: "The network deletes drafts only; any other flow stays there.",
        },
      },
    );

/** The key that encrypts what users enter into a phone's flows. */
export const flowKeys = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["flows"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/:id/flows-keypair",
      async ({ principal, params, status }) => status(201, keyView(await createFlowKey(env, principal, params.id))),
      {
        response: { 201: KeyView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "createFlowsKeypair", acts: ["flow-key.create"], isolation: { id: "channel" } }),
          summary: "Make a key pair and give the network its public half",
          description: "The old pair works until the network has the new pair. WABA only.",
        },
      },
    )
    .get("/:id/flows-keypair", async ({ principal, params }) => keyView(await getFlowKey(env, principal, params.id)), {
      response: { 200: KeyView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getFlowsKeypair", isolation: { id: "channel" } }),
        summary: "Get the public key of a phone's flows",
        description: "WABA only.",
      },
    });
