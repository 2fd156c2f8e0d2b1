import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { LISTED_CATEGORIES, TEMPLATE_STATUSES } from "../../contract/events.ts";
import { syncTemplates } from "../../core/messaging/templates/template-updates.ts";
import { type Template, templatesPage } from "../../core/messaging/templates/templates.ts";
import { iso } from "../../kernel/clock.ts";
import { pageOf } from "../../kernel/page.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { Instant, Meta, metaOf, PAGE, REFUSALS } from "./schemas.ts";
import { hiddenKinds } from "./words.ts";

const Query = Type.Object({
  ...PAGE,
  status: Type.Optional(OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus" })),
  name: Type.Optional(Type.String()),
});
const TemplateView = Type.Object(
  {
    id: Type.String(),
    channelId: Type.String(),
    name: Type.String(),
    language: Type.String(),
    category: OneOf(LISTED_CATEGORIES, { title: "ListedTemplateCategory" }),
    status: OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus" }),
    components: Type.Array(
      Type.Object({ type: Type.String() }, { title: "TemplateComponent", additionalProperties: Type.Unknown() }),
      {
        description: "In the network's own form",
      },
    ),
    rejectionReason: Nullable(Type.String()),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Template" },
);
const SyncView = Type.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    total: Type.Integer({ description: "Templates that the business account has at the network" }),
  },
  { title: "TemplateSync" },
);

const templateView = ({
  id,
  channelId,
  name,
  language,
  category,
  status,
  components,
  rejectionReason,
  createdAt,
  updatedAt,
}: Template): Static<typeof TemplateView> => ({
  id,
  channelId,
  name,
  language,
  category,
  status,
  components: [...components],
  rejectionReason: status === "REJECTED" ? rejectionReason : null,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

/**
 * The templates of a channel's business account at the network. They are synchronised when the channel connects, daily,
 * and on request.
 */
export const templates = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/channels/:channelId/templates", tags: ["templates"] })
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
        permission: "channels.read",
        query: Query,
        response: {
          200: Type.Object({ data: Type.Array(TemplateView), meta: Meta }, { title: "TemplatePage" }),
          ...REFUSALS,
        },
        detail: { operationId: "listTemplates", summary: "List the templates of a channel, newest first" },
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
        perMinute: 10,
        permission: "channels.write",
        response: { 200: SyncView, ...REFUSALS, 500: REFUSALS[400], 502: REFUSALS[400] },
        detail: {
          operationId: "syncTemplates",
          summary: "Take in all templates of a channel's business account",
          description: "CHAT_WABA only.",
        },
      },
    );
