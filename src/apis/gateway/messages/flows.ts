import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { FLOW_STATUSES } from "../../../contract/abilities/flows.ts";
import { createFlowKey, type FlowKey, getFlowKey } from "../../../core/messaging/templates/flow-exchange.ts";
import {
  changeFlow,
  createFlow,
  type Flow,
  flowsPage,
  getFlow,
  moveFlow,
  removeFlow,
  syncFlow,
} from "../../../core/messaging/templates/flows.ts";
import { iso } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { Nullable, OneOf, Text, Url, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Instant, Nothing, Page, QueryLimit, QueryText, UPSTREAM_REFUSALS } from "../schemas.ts";

const Screens = Type.Object(
  {},
  { additionalProperties: Type.Unknown(), description: "The flow's screens, in the network's flow JSON" },
);
const Names = { name: Text(1, 120), categories: Type.Array(Text(1, 60), { minItems: 1, maxItems: 20 }) };
const Rest = { json: Type.Optional(Screens), endpointUrl: Type.Optional(Url()) };
const CreateBody = Type.Object({ phoneId: Uuid(), ...Names, ...Rest });
const PatchBody = Type.Object({
  name: Type.Optional(Names.name),
  categories: Type.Optional(Names.categories),
  ...Rest,
});

const FlowView = Type.Object(
  {
    id: Type.String(),
    phoneId: Type.String(),
    upstreamFlowId: Nullable(Type.String()),
    name: Type.String(),
    categories: Type.Array(Type.String()),
    status: OneOf(FLOW_STATUSES),
    endpointUrl: Nullable(Type.String()),
    validationErrors: Type.Array(Type.Unknown()),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Flow" },
);

const flowView = ({
  id,
  channelId,
  nativeId,
  name,
  categories,
  status,
  endpointUrl,
  validationErrors,
  createdAt,
  updatedAt,
}: Flow): Static<typeof FlowView> => ({
  id,
  phoneId: channelId,
  upstreamFlowId: nativeId,
  name,
  categories,
  status,
  endpointUrl,
  validationErrors: [...validationErrors],
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

const KeyView = Type.Object(
  { publicKey: Type.String({ description: "PEM" }), uploadedAt: Instant },
  { title: "FlowsKeypair" },
);
const keyView = ({ publicKey, uploadedAt }: FlowKey): Static<typeof KeyView> => ({
  publicKey,
  uploadedAt: iso(uploadedAt),
});

const one = { 200: FlowView, ...UPSTREAM_REFUSALS };

export const flows = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/flows", tags: ["flows"] })
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
          operationId: "createFlow",
          summary: "Create a flow as a draft",
          description:
            "The network is asked at once. `validationErrors` says what it finds wrong in the JSON. WABA only.",
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
        query: Type.Object({ phoneId: Type.Optional(Uuid()), limit: QueryLimit(), cursor: QueryText }),
        response: { 200: Page(FlowView), ...UPSTREAM_REFUSALS },
        detail: { operationId: "listFlows", summary: "List flows, newest first" },
      },
    )
    .get("/:id", async ({ principal, params }) => flowView(await getFlow(env, principal, params.id)), {
      response: one,
      detail: { operationId: "getFlow", summary: "Get a flow" },
    })
    .patch("/:id", async ({ principal, params, body }) => flowView(await changeFlow(env, principal, params.id, body)), {
      body: PatchBody,
      response: one,
      detail: {
        operationId: "updateFlow",
        summary: "Change a flow that is a draft",
        description: "A missing field stays.",
      },
    })
    .post(
      "/:id/publish",
      async ({ principal, params }) => flowView(await moveFlow(env, principal, params.id, "publish")),
      {
        response: one,
        detail: {
          operationId: "publishFlow",
          summary: "Publish a flow, so that it can be sent",
          description: "From then on it cannot be changed.",
        },
      },
    )
    .post(
      "/:id/deprecate",
      async ({ principal, params }) => flowView(await moveFlow(env, principal, params.id, "deprecate")),
      {
        response: one,
        detail: {
          operationId: "deprecateFlow",
          summary: "Take a published flow out of use",
          description: "It cannot be sent any more.",
        },
      },
    )
    .post("/:id/sync", async ({ principal, params }) => flowView(await syncFlow(env, principal, params.id)), {
      response: one,
      detail: { operationId: "syncFlow", summary: "Take over what the network says of a flow" },
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
          operationId: "deleteFlow",
          summary: "Delete a flow",
          description: "At the network only a draft can be deleted; another one stays there.",
        },
      },
    );

/** The key that encrypts what users enter into a phone's flows. */
export const flowKeys = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["flows"] })
    .use(auth)
    .post(
      "/:id/flows-keypair",
      async ({ principal, params, status }) => status(201, keyView(await createFlowKey(env, principal, params.id))),
      {
        response: { 201: KeyView, ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "createFlowsKeypair",
          summary: "Make a key pair and give the network its public half",
          description: "The old pair is good until the network has the new one. WABA only.",
        },
      },
    )
    .get("/:id/flows-keypair", async ({ principal, params }) => keyView(await getFlowKey(env, principal, params.id)), {
      response: { 200: KeyView, ...UPSTREAM_REFUSALS },
      detail: {
        operationId: "getFlowsKeypair",
        summary: "Get the public key of a phone's flows",
        description: "WABA only.",
      },
    });
