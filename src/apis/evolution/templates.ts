import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { Component } from "../../contract/content/template-components.ts";
import { TEMPLATE_CATEGORIES } from "../../contract/events.ts";
import { nextTemplates } from "../../core/messaging/templates/own-templates.ts";
import {
  createTemplate,
  editTemplate,
  removeTemplates,
  type Template,
  templateById,
} from "../../core/messaging/templates/templates.ts";
import { iso } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { recordOf } from "../../kernel/texts/json.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { networkRefusal } from "./errors.ts";
import { routeOptions } from "./route-options.ts";

/** As many as an account may have. */
const MOST_LISTED = 5000;

const Components = Type.Array(Component, { minItems: 1 });
const Category = OneOf(TEMPLATE_CATEGORIES);

const CreateBody = Type.Object({
  name: Type.String({
    pattern: "^[a-z0-9_]{1,120}$",
    description: "must be 1 to 120 lower-case letters, digits and underscores",
  }),
  category: Category,
  allowCategoryChange: Type.Optional(Type.Boolean()),
  language: Text(2, 20),
  components: Components,
  webhookUrl: Type.Optional(Type.String()),
});
const EditBody = Type.Object({
  templateId: Text(1, 128),
  category: Type.Optional(Category),
  allowCategoryChange: Type.Optional(Type.Boolean()),
  ttl: Type.Optional(Type.Integer()),
  components: Type.Optional(Components),
});
const DeleteBody = Type.Object({ name: Text(1, 512), hsmId: Type.Optional(Text(0, 128)) });

/** The id that the network has for a template. A template that it refused at once has only ours. */
const idOf = ({ id, nativeId }: Template): string => nativeId ?? id;

/** A template that is being submitted counts as waiting for its review. */
const statusOf = ({ status: said }: Template): string => (said === "DRAFT" ? "PENDING" : said);

/** A template as the network lists it, which Evolution hands on. */
const nodeOf = (template: Template) => ({
  name: template.name,
  components: template.components,
  language: template.language,
  status: statusOf(template),
  category: template.category,
  id: idOf(template),
  ...(template.status === "REJECTED" ? { rejected_reason: template.rejectionReason ?? "NONE" } : {}),
});

/** A template as Evolution stores it after it was made, with the network's answer. */
const madeView = (template: Template, instanceId: string) => ({
  id: template.id,
  templateId: idOf(template),
  name: template.name,
  template: { id: idOf(template), status: statusOf(template), category: template.category },
  webhookUrl: null,
  createdAt: iso(template.createdAt),
  updatedAt: iso(template.updatedAt),
  instanceId,
});

/**
 * The instance of a request, whose network reviews templates.
 * @throws AppError TEMPLATE_UNSUPPORTED for a session, and any other instance without templates
 */
const reviewedInstance = ({ registry }: EvolutionEnv, request: Request): ChannelId => {
  const { id, kind } = instanceOf(request);
  if (registry.declared(kind)?.capabilities.templates) return id;
  throw new AppError("TEMPLATE_UNSUPPORTED", { message: "The network of this channel has no templates." });
};

/** The templates of official instances: the network reviews them. */
export const templates = (env: EvolutionEnv, auth: EvolutionAuth) => {
  /** Answers the network's own refusal in the shape that Evolution gives it. */
  const refusedBy = (context: string) => (refusal: unknown) => {
    if (!(refusal instanceof AppError) || refusal.code !== "UPSTREAM_REFUSED") throw refusal;
    return networkRefusal(recordOf(refusal.details["upstreamError"]), { context, at: env.clock.now() });
  };
  const create = async (principal: Principal, request: Request, body: Static<typeof CreateBody>) => {
    const { webhookUrl: _, ...order } = body;
    const channelId = reviewedInstance(env, request);
    const made = await createTemplate(env, principal, {
      ...order,
      channelId,
      allowCategoryChange: order.allowCategoryChange ?? false,
    });
    return status(201, madeView(made, channelId));
  };
  const edit = async (principal: Principal, request: Request, { templateId, ...given }: Static<typeof EditBody>) => {
    const channelId = reviewedInstance(env, request);
    const { category, components, ttl } = given;
    if (category === undefined && components === undefined && ttl === undefined)
      throw invalid(issue("components", "required", "is required, or category, or ttl: nothing else can be changed"));
    const template = await templateById(env, principal, { channelId, id: templateId });
    await editTemplate(env, principal, template.id, {
      ...(category === undefined ? {} : { category }),
      ...(components === undefined ? {} : { components }),
      ...(ttl === undefined ? {} : { messageSendTtlSeconds: ttl }),
    });
    return { success: true };
  };
  const remove = async (principal: Principal, request: Request, { name, hsmId }: Static<typeof DeleteBody>) => {
    const channelId = reviewedInstance(env, request);
    const gone = hsmId
      ? [await templateById(env, principal, { channelId, id: hsmId })]
      : await nextTemplates(env, principal, { channelId, name, limit: MOST_LISTED });
    if (gone.length === 0 || gone.some((one) => one.name !== name))
      throw new AppError("TEMPLATE_NOT_FOUND", { message: "There is no such template." });
    await removeTemplates(env, principal, gone);
    return { success: true };
  };
  const write = { ...routeOptions({ scope: "templates.write" }) };

  return new Elysia({ prefix: "/template" })
    .use(auth)
    .get(
      "/find/:instance",
      async ({ principal, request }) => {
        const channelId = reviewedInstance(env, request);
        return (await nextTemplates(env, principal, { channelId, limit: MOST_LISTED })).map(nodeOf);
      },
      { detail: { ...routeOptions({ scope: "templates.read" }) } },
    )
    .post(
      "/create/:instance",
      ({ principal, request, body }) => create(principal, request, body).catch(refusedBy("template_creation")),
      { body: CreateBody, detail: write },
    )
    .post(
      "/edit/:instance",
      ({ principal, request, body }) => edit(principal, request, body).catch(refusedBy("template_edit")),
      { body: EditBody, detail: write },
    )
    .delete(
      "/delete/:instance",
      ({ principal, request, body }) => remove(principal, request, body).catch(refusedBy("template_delete")),
      { body: DeleteBody, detail: write },
    );
};
