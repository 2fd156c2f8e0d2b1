import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Component } from "../../../contract/content/template-components.ts";
import { LISTED_CATEGORIES, TEMPLATE_CATEGORIES, TEMPLATE_STATUSES } from "../../../contract/events.ts";
import { syncTemplates } from "../../../core/messaging/templates/template-updates.ts";
import {
  createTemplate,
  editTemplate,
  getTemplate,
  removeTemplate,
  type Template,
  templatesOf,
  tryEdit,
  tryTemplate,
} from "../../../core/messaging/templates/templates.ts";
import { iso } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { DryRunQuery, DryRunTemplate, isDryRun } from "../../shared/dry-run.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, Nothing, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const Changeable = {
  category: OneOf(TEMPLATE_CATEGORIES, { title: "TemplateCategory" }),
  components: Type.Array(Component, { minItems: 1 }),
  messageSendTtlSeconds: Type.Optional(
    Type.Integer({
      minimum: -1,
      maximum: 2_592_000,
      description: "AUTHENTICATION 30 to 900, UTILITY 30 to 43200, MARKETING 43200 to 2592000; -1 is 30 days",
    }),
  ),
};
const CreateBody = Type.Object({
  phoneId: Uuid(),
  name: Type.String({
    pattern: "^[a-z0-9_]{1,120}$",
    description: "must be 1 to 120 lower-case letters, digits and underscores",
  }),
  language: Text(2, 20),
  ...Changeable,
  components: Type.Optional(Changeable.components),
  allowCategoryChange: Type.Optional(
    Type.Boolean({ description: "Default true. It is passed on; Meta has ignored it since April 2025" }),
  ),
  parameterFormat: Type.Optional(OneOf(["POSITIONAL", "NAMED"])),
  library: Type.Optional(
    Type.Object({
      name: Text(1, 512),
      buttonInputs: Type.Optional(
        Type.Array(Type.Object({}, { additionalProperties: Type.Unknown() }), { maxItems: 10 }),
      ),
    }),
  ),
});
const PatchBody = Type.Partial(Type.Object(Changeable));
const Filter = Type.Object({
  phoneId: Type.Optional(Uuid()),
  status: Type.Optional(OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus" })),
  name: Type.Optional(Type.String()),
});

const TemplateView = Type.Object(
  {
    id: Type.String(),
    accountId: Type.String(),
    phoneId: Type.String(),
    name: Type.String(),
    language: Type.String(),
    category: OneOf(LISTED_CATEGORIES, { title: "ListedTemplateCategory" }),
    status: OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus" }),
    components: Type.Array(
      Type.Object({ type: Type.String() }, { title: "TemplateComponent", additionalProperties: Type.Unknown() }),
    ),
    upstreamTemplateId: Nullable(Type.String()),
    createdAt: Instant,
    updatedAt: Instant,
    rejectionReason: Type.Optional(Type.String()),
  },
  { title: "Template" },
);
const SyncView = Type.Object(
  { created: Type.Integer(), updated: Type.Integer(), total: Type.Integer() },
  { title: "TemplateSync" },
);

const templateView = ({
  id,
  tenantId,
  channelId,
  name,
  language,
  category,
  status,
  components,
  nativeId,
  createdAt,
  updatedAt,
  rejectionReason,
}: Template): Static<typeof TemplateView> => ({
  id,
  accountId: tenantId,
  phoneId: channelId,
  name,
  language,
  category,
  status,
  components: [...components],
  upstreamTemplateId: nativeId,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  ...(status === "REJECTED" && rejectionReason !== null ? { rejectionReason } : {}),
});

export const templates = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/templates", tags: ["templates"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, query, status }) => {
        const { phoneId: channelId, allowCategoryChange = true, components = [], ...order } = body;
        if (!body.components && !body.library) throw invalid(issue("components", "required", "is required"));
        const submitted = { ...order, channelId, allowCategoryChange, components };
        if (isDryRun(query))
          return status(200, { dryRun: true as const, ...(await tryTemplate(env, principal, submitted)) });
        return status(201, templateView(await createTemplate(env, principal, submitted)));
      },
      {
        body: CreateBody,
        query: DryRunQuery,
        response: { 200: DryRunTemplate, 201: TemplateView, ...UPSTREAM_REFUSALS },
        detail: {
          ...routeOptions({ takesDryRun: true }),
          operationId: "createTemplate",
          summary: "Submit a template for review",
          description:
            "The network is asked at once. `components` have a BODY, or `library` stands in their place. One " +
            "that it refused before is submitted again under the same id. WABA only.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query }) => {
        const { phoneId, ...filter } = query;
        return (await templatesOf(env, principal, { channelId: phoneId, ...filter })).map(templateView);
      },
      {
        query: Filter,
        response: { 200: Type.Array(TemplateView), ...REFUSALS },
        detail: { operationId: "listTemplates", summary: "List templates, newest first" },
      },
    )
    .get("/:id", async ({ principal, params }) => templateView(await getTemplate(env, principal, params.id)), {
      response: { 200: TemplateView, ...REFUSALS },
      detail: { operationId: "getTemplate", summary: "Get a template" },
    })
    .patch(
      "/:id",
      async ({ principal, params, body, query }) =>
        isDryRun(query)
          ? { dryRun: true as const, ...(await tryEdit(env, principal, params.id, body)) }
          : templateView(await editTemplate(env, principal, params.id, body)),
      {
        body: PatchBody,
        query: DryRunQuery,
        response: { 200: Type.Union([TemplateView, DryRunTemplate]), ...UPSTREAM_REFUSALS },
        detail: {
          ...routeOptions({ takesDryRun: true }),
          operationId: "updateTemplate",
          summary: "Change a template, which is then reviewed anew",
          description:
            "A missing field stays. One that the network never took is submitted again, and then takes no " +
            "`messageSendTtlSeconds`.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeTemplate(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          operationId: "deleteTemplate",
          summary: "Delete a template here and at the network",
          description: "It is gone here even where the network does not answer.",
        },
      },
    )
    .post("/sync", ({ principal, body }) => syncTemplates(env, principal, body.phoneId), {
      body: Type.Object({ phoneId: Uuid() }),
      response: { 200: SyncView, ...UPSTREAM_REFUSALS },
      detail: {
        operationId: "syncTemplates",
        summary: "Take in all templates of the phone's business account",
        description: "WABA only.",
      },
    });
