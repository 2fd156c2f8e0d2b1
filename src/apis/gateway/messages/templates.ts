import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Component } from "../../../contract/content/template-components.ts";
import { LISTED_CATEGORIES, TEMPLATE_CATEGORIES, TEMPLATE_STATUSES } from "../../../contract/events.ts";
import { syncTemplates } from "../../../core/messaging/templates/template-updates.ts";
import {
  createTemplate,
  editTemplate,
  getTemplate,
  readTemplates,
  removeTemplate,
  type Template,
  tryEdit,
  tryTemplate,
} from "../../../core/messaging/templates/templates.ts";
import { invalid } from "../../../kernel/errors.ts";
import { described, issue, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { DryRunQuery, DryRunTemplate, isDryRun } from "../../shared/dry-run.ts";
import { IDS, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const Changeable = {
  category: OneOf(TEMPLATE_CATEGORIES, {
    title: "TemplateCategory",
    description: "The network's category",
    examples: ["UTILITY"],
  }),
  components: Type.Array(Component, {
    minItems: 1,
    description: "The parts of the template, in the form of the official API",
  }),
  maxPricePer1000: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description:
        "The most that 1,000 deliveries may cost, in hundredths of the account's currency; only for MARKETING, and for " +
        "phones with `marketingMessages`",
      examples: [25000],
    }),
  ),
  messageSendTtlSeconds: Type.Optional(
    Type.Integer({
      minimum: -1,
      maximum: 2_592_000,
      description: "AUTHENTICATION 30 to 900, UTILITY 30 to 43200, MARKETING 43200 to 2592000; -1 is 30 days",
      examples: [600],
    }),
  ),
};
const CreateBody = Type.Object({
  phoneId: described(Uuid(), "The phone whose business account gets the template", IDS.phone),
  name: described(
    Type.String({
      pattern: "^[a-z0-9_]{1,120}$",
      description: "must be 1 to 120 lower-case letters, digits and underscores",
      examples: ["confirmacao_pedido"],
    }),
    "The template's name on the network: 1 to 120 lower-case letters, digits and underscores",
  ),
  language: described(Text(2, 20), "A language code, such as pt_BR", "pt_BR"),
  ...Changeable,
  components: Type.Optional(
    described(Changeable.components, "The parts of the template, in the form of the official API; not with `library`"),
  ),
  allowCategoryChange: Type.Optional(
    Type.Boolean({ description: "True by default. Recado passes it on; Meta has ignored it since April 2025" }),
  ),
  parameterFormat: Type.Optional(
    OneOf(["POSITIONAL", "NAMED"], { description: "How variables are written; POSITIONAL by default" }),
  ),
  library: Type.Optional(
    described(
      Type.Object({
        name: described(Text(1, 512), "The name in the network's library", "order_ready_1"),
        buttonInputs: Type.Optional(
          Type.Array(Type.Object({}, { additionalProperties: Type.Unknown() }), {
            maxItems: 10,
            description: "The values for the library template's buttons",
          }),
        ),
      }),
      "A template of the network's library that is used unchanged",
    ),
  ),
});
const PatchBody = Type.Partial(Type.Object(Changeable));
const Filter = Type.Object({
  phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
  status: Type.Optional(
    OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus", description: "Only entries with this status" }),
  ),
  name: Type.Optional(Type.String({ description: "Only entries with this name" })),
  language: Type.Optional(Type.String({ description: "Only entries in this language, such as pt_BR" })),
});

const TemplateView = Type.Object(
  {
    id: Id("The template's id"),
    accountId: Id("The account that has the template", "account"),
    phoneId: Id("The phone whose business account has the template", "phone"),
    name: Type.String({ description: "The template's name on the network", examples: ["confirmacao_pedido"] }),
    language: Type.String({ description: "A language code, such as pt_BR", examples: ["pt_BR"] }),
    category: OneOf(LISTED_CATEGORIES, {
      title: "ListedTemplateCategory",
      description: "The network's category",
      examples: ["UTILITY"],
    }),
    status: OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus", description: "The network's decision" }),
    components: Type.Array(
      Type.Object(
        {
          type: Type.String({
            description: "The kind of part: HEADER, BODY, FOOTER, BUTTONS or another one of the official API",
            examples: ["BODY"],
          }),
        },
        { title: "TemplateComponent", additionalProperties: Type.Unknown() },
      ),
      { description: "The parts of the template, in the form of the official API" },
    ),
    maxPricePer1000: Nullable(
      Type.Integer({
        description:
          "The most that 1,000 deliveries may cost, in hundredths of the account's currency, as it was last set here; null if it was not",
        examples: [25000],
      }),
    ),
    upstreamTemplateId: Nullable(
      Type.String({ description: "The network's id; null before it has one", examples: ["1234567890123456"] }),
    ),
    createdAt: described(Instant, "When the template was stored here"),
    updatedAt: described(Instant, "When the template last changed"),
    rejectionReason: Type.Optional(
      Type.String({ description: "Why the network rejected it", examples: ["TAG_CONTENT_MISMATCH"] }),
    ),
  },
  { title: "Template" },
);
const SyncView = Type.Object(
  {
    created: Type.Integer({ description: "How many are new here", examples: [3] }),
    updated: Type.Integer({ description: "How many were changed", examples: [5] }),
    total: Type.Integer({ description: "How many the business account has", examples: [8] }),
  },
  { title: "TemplateSync" },
);

const templateView = (template: Template) =>
  toView(TemplateView, template, {
    accountId: template.tenantId,
    phoneId: template.channelId,
    upstreamTemplateId: template.nativeId,
    rejectionReason: template.status === "REJECTED" ? template.rejectionReason : null,
  });

export const templates = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/templates",
    tags: ["templates"],
    detail: inPath({ id: Id("The template, as `GET /v1/templates` lists it") }),
  })
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
          ...route({
            operationId: "createTemplate",
            acts: "none: daily work",
            isolation: { phoneId: "channel", name: "templateName" },
            takesDryRun: true,
          }),
          summary: "Submit a template for review",
          description:
            "The network is asked at once. `components` need a BODY, or `library` replaces them. A template " +
            "that the network refused before is submitted again under the same id. WABA only.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query }) => {
        const { phoneId, ...filter } = query;
        return (await readTemplates(env, principal, { channelId: phoneId, ...filter })).map(templateView);
      },
      {
        query: Filter,
        response: { 200: Type.Array(TemplateView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listTemplates", isolation: { phoneId: "channel", name: "templateName" } }),
          summary: "List templates, newest first",
          description:
            "The answer has every template of the account. `phoneId`, `status`, `name` and `language` narrow the list.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => templateView(await getTemplate(env, principal, params.id)), {
      response: { 200: TemplateView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getTemplate", isolation: { id: "template" } }),
        summary: "Get a template",
        description: "`rejectionReason` is present while the network rejects it.",
      },
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
          ...route({
            operationId: "updateTemplate",
            acts: "none: daily work",
            isolation: { id: "template" },
            takesDryRun: true,
          }),
          summary: "Change a template, which is then reviewed anew",
          description:
            "A missing field stays unchanged. A template that the network never accepted is submitted again; " +
            "it then takes no `messageSendTtlSeconds`.",
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
          ...route({ operationId: "deleteTemplate", acts: "none: daily work", isolation: { id: "template" } }),
          summary: "Delete a template here and at the network",
          description: "It is deleted here even if the network does not answer.",
        },
      },
    )
    .post("/sync", ({ principal, body }) => syncTemplates(env, principal, body.phoneId), {
      body: Type.Object({ phoneId: described(Uuid(), "The phone whose business account is read", IDS.phone) }),
      response: { 200: SyncView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "syncTemplates", acts: "none: daily work", isolation: { phoneId: "channel" } }),
        summary: "Import all templates of the phone's business account",
        description: "WABA only.",
      },
    });
