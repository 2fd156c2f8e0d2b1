import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { LISTED_CATEGORIES, TEMPLATE_STATUSES } from "../../contract/events.ts";
import { syncTemplates } from "../../core/messaging/templates/template-updates.ts";
import { type Template, templatesPage } from "../../core/messaging/templates/templates.ts";
import { pageOf } from "../../kernel/page.ts";
import { described, Nullable, OneOf } from "../../kernel/schema.ts";
import { Id, inPath } from "../shared/fields.ts";
import { toView } from "../shared/view.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Instant, Meta, metaOf, PAGE, REFUSALS } from "./schemas.ts";
import { hiddenKinds } from "./words.ts";

const Query = Type.Object({
  ...PAGE,
  status: Type.Optional(
    OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus", description: "Only entries with this status" }),
  ),
  name: Type.Optional(Type.String({ description: "Only entries with this name" })),
});
const TemplateView = Type.Object(
  {
    id: Id("The template's id"),
    channelId: Id("The channel whose business account has the template", "phone"),
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
      {
        description: "The parts of the template, in the form of the official API",
      },
    ),
    maxPricePer1000: Nullable(
      Type.Integer({
        description:
          "The most that 1,000 deliveries may cost, in hundredths of the account's currency, as it was last set here; null if it was not",
        examples: [25000],
      }),
    ),
    rejectionReason: Nullable(
      Type.String({
        description: "Why the network rejected the template; null if it did not",
        examples: ["TAG_CONTENT_MISMATCH"],
      }),
    ),
    createdAt: described(Instant, "When the template was stored here"),
    updatedAt: described(Instant, "When the template last changed"),
  },
  { title: "Template" },
);
const SyncView = Type.Object(
  {
    created: Type.Integer({ description: "How many are new here", examples: [3] }),
    updated: Type.Integer({ description: "How many were changed", examples: [5] }),
    total: Type.Integer({ description: "Templates that the business account has at the network", examples: [8] }),
  },
  { title: "TemplateSync" },
);

const templateView = (template: Template) =>
  toView(TemplateView, template, {
    rejectionReason: template.status === "REJECTED" ? template.rejectionReason : null,
  });

/**
 * The templates of a channel's business account at the network. They are synchronised when the channel connects, daily,
 * and on request.
 */
export const templates = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/channels/:channelId/templates",
    tags: ["templates"],
    detail: inPath({ channelId: Id("The channel, as `GET /v1/channels` lists it", "phone") }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, params: { channelId }, query: { status, name, ...query } }) => {
        const page = pageOf(query);
        const { rows, total } = await templatesPage(env, principal, {
          channelId,
          hidden: hiddenKinds(env.registry),
          status,
          name,
          ...page,
        });
        return { data: rows.map(templateView), meta: metaOf(rows.length, total, page) };
      },
      {
        query: Query,
        response: {
          200: Type.Object(
            {
              data: Type.Array(TemplateView, { description: "The templates of this page, newest first" }),
              meta: described(Meta, "The place of this page in the whole list"),
            },
            { title: "TemplatePage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listTemplates", permission: "channels.read", isolation: { channelId: "channel" } }),
          summary: "List the templates of a channel, newest first",
          description: "`status` and `name` narrow the list.",
        },
      },
    )
    .post(
      "/sync",
      ({ principal, params: { channelId } }) =>
        syncTemplates(env, principal, channelId, {
          hidden: hiddenKinds(env.registry),
          environment: principal.environment,
        }),
      {
        response: { 200: SyncView, ...REFUSALS, 500: REFUSALS[400], 502: REFUSALS[400] },
        detail: {
          ...route({
            operationId: "syncTemplates",
            perMinute: 10,
            permission: "channels.write",
            acts: "none: daily work",
            isolation: { channelId: "channel" },
          }),
          summary: "Import all templates of a channel's business account",
          description: "CHAT_WABA only.",
        },
      },
    );
