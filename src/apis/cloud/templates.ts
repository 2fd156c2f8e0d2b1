import { Elysia } from "elysia";
import { DEFAULT_LANGUAGE, type TemplateComponent } from "../../contract/content/templates.ts";
import {
  LISTED_CATEGORIES,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type TemplateCategory,
  type TemplateStatus,
} from "../../contract/events.ts";
import { keepTemplate, nextTemplates } from "../../core/messaging/templates/own-templates.ts";
import {
  createTemplate,
  editTemplate,
  getTemplate,
  removeTemplate,
  type Template,
} from "../../core/messaging/templates/templates.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { isRecord, type Json } from "../../kernel/texts/json.ts";
import { optionalField, requiredList, requiredText, textIn } from "../shared/loose-fields.ts";
import { type CloudAuth, type Principal, requireAccount, unknownObject } from "./auth.ts";
import { paramsOf } from "./bodies.ts";
import type { CloudEnv } from "./env.ts";
import { Refused } from "./errors.ts";
import { ownTemplateIdOf, templateIdOf } from "./ids.ts";
import { picked } from "./numbers.ts";
import { routeOptions } from "./route-options.ts";
import { hasTemplates, NO_TEMPLATES } from "./template-texts.ts";

const DEFAULT_PAGE = 25;
const MAX_PAGE = 100;

/** Templates of the token's phone: those of its network, or those that its owner stores here. */
export const templates = (env: CloudEnv, auth: CloudAuth) =>
  new Elysia()
    .use(auth)
    .get("/:version/:id/message_templates", async ({ principal, params, request }) => {
      requireAccount(principal, params.id);
      return pageOf(env, principal, request, await paramsOf(env, request));
    })
    .get("/:version/:id/message_templates/:templateId", async ({ principal, params }) => {
      requireAccount(principal, params.id);
      return templateNode(await requireTemplate(env, principal, params.templateId));
    })
    .post(
      "/:version/:id/message_templates",
      async ({ principal, params, request }) => {
        requireAccount(principal, params.id);
        const { id, status, category } = templateNode(await make(env, principal, await paramsOf(env, request)));
        return { id, status, category };
      },
      { detail: routeOptions({ link: "required" }) },
    )
    .delete(
      "/:version/:id/message_templates",
      async ({ principal, params, request }) => {
        requireAccount(principal, params.id);
        return remove(env, principal, await paramsOf(env, request));
      },
      { detail: routeOptions({ link: "required" }) },
    );

/** A template of the token's phone. @throws AppError as `unknownObject` */
export const requireTemplate = async (
  env: CloudEnv,
  { tenantId, channelId }: Principal,
  id: string,
): Promise<Template> => {
  const ownId = ownTemplateIdOf(id);
  const template = ownId && (await getTemplate(env, { tenantId }, ownId).catch(missing));
  if (!template || template.channelId !== channelId) throw unknownObject(id);
  return template;
};

const missing = (refusal: unknown): undefined => {
  if (!(refusal instanceof AppError)) throw refusal;
};

/** Named variables have letters, positional variables only digits. */
const hasNames = (components: readonly TemplateComponent[]): boolean =>
  /\{\{\s*[a-z_]/i.test(JSON.stringify(components));

/** A template that is being submitted counts as waiting for its review. */
export const templateNode = ({ id, name, language, category, status, components, rejectionReason }: Template) => ({
  id: templateIdOf(id),
  name,
  language,
  category,
  status: status === "DRAFT" ? "PENDING" : status,
  components,
  parameter_format: hasNames(components) ? "NAMED" : "POSITIONAL",
  ...(status === "REJECTED" ? { rejected_reason: rejectionReason ?? "NONE" } : {}),
});

const oneOf = <Word extends string>(words: readonly Word[], params: Json, name: string): Word | undefined => {
  const given = textIn(params, name)?.toUpperCase();
  const word = words.find((one) => one === given);
  if (given !== undefined && word === undefined)
    throw invalid(issue(name, "enum", `must be one of ${words.join(", ")}`));
  return word;
};

/** A status of the network that the core does not know gives an empty page. */
const statusIn = (params: Json): TemplateStatus | "none" | undefined => {
  const given = textIn(params, "status")?.toUpperCase();
  return given === undefined ? undefined : (TEMPLATE_STATUSES.find((status) => status === given) ?? "none");
};

/** A page may have at most a hundred templates; a client that asks for more gets the next address. */
const limitIn = (params: Json): number => {
  const limit = Number(textIn(params, "limit") ?? DEFAULT_PAGE);
  if (!Number.isInteger(limit) || limit < 1) throw invalid(issue("limit", "minimum", "must be a whole number from 1"));
  return Math.min(limit, MAX_PAGE);
};

const pageOf = async (env: CloudEnv, principal: Principal, request: Request, params: Json): Promise<object> => {
  const [limit, status, after] = [limitIn(params), statusIn(params), textIn(params, "after")];
  const beforeId = after === undefined ? undefined : ownTemplateIdOf(after);
  if (after !== undefined && beforeId === undefined)
    throw invalid(issue("after", "format", "is not a cursor of this list"));
  const search = {
    channelId: principal.channelId,
    name: textIn(params, "name"),
    category: oneOf(LISTED_CATEGORIES, params, "category"),
    language: textIn(params, "language"),
    beforeId,
    limit: limit + 1,
  };
  const found = status === "none" ? [] : await nextTemplates(env, principal, { ...search, status });
  const data = found.slice(0, limit).map(templateNode);
  const [first, last] = [data[0], data.at(-1)];
  if (!first || !last) return { data: [] };
  const cursors = { before: first.id, after: last.id };
  const next = found.length > limit ? { next: nextUrl(env, principal, request, last.id) } : {};
  return { data: data.map((node) => picked(node, params["fields"])), paging: { cursors, ...next } };
};

/** The absolute address of the next page. It has the token if the client sent it in the query. */
const nextUrl = (env: CloudEnv, { tokenInQuery }: Principal, request: Request, after: string): string => {
  const { pathname, searchParams } = new URL(request.url);
  const below = pathname.slice(new URL(env.cloudUrl() ?? "").pathname.replace(/\/$/, "").length);
  searchParams.set("after", after);
  if (tokenInQuery === undefined) searchParams.delete("access_token");
  return `${env.cloudUrl()}${below}?${searchParams.toString()}`;
};

const make = async (env: CloudEnv, principal: Principal, params: Json): Promise<Template> => {
  const { tenantId, channelId, number } = principal;
  const category = oneOf(TEMPLATE_CATEGORIES, params, "category");
  if (category === undefined) throw invalid(issue("category", "required", "is required"));
  const order = {
    channelId,
    name: nameIn(params),
    language: textIn(params, "language") ?? DEFAULT_LANGUAGE,
    category: category satisfies TemplateCategory,
    components: componentsIn(params),
  };
  if (!(await hasTemplates(env, principal))) {
    if (!number.templatesAsText) throw new Refused("permission", NO_TEMPLATES);
    return keepTemplate(env, { tenantId }, order);
  }
  const format = oneOf(["POSITIONAL", "NAMED"], params, "parameter_format");
  const ttl = textIn(params, "message_send_ttl_seconds");
  return createTemplate(
    env,
    { tenantId },
    {
      ...order,
      allowCategoryChange: true,
      ...(format === undefined ? {} : { parameterFormat: format }),
      ...(ttl === undefined ? {} : { messageSendTtlSeconds: Number(ttl) }),
    },
  );
};

const nameIn = (params: Json): string => {
  const name = requiredText(params, "name");
  if (/^[a-z0-9_]{1,512}$/.test(name)) return name;
  throw invalid(issue("name", "pattern", "must be lower-case letters, digits and underscores"));
};

const componentsIn = (params: Json): TemplateComponent[] =>
  requiredList(params, "components").map((component, at) => {
    if (isRecord(component) && typeof component["type"] === "string")
      return { ...component, type: component["type"].toUpperCase() };
    throw invalid(issue(`components.${at}.type`, "required", "is required"));
  });

/** Changes a template of the network, which reviews it anew. */
export const changeTemplate = async (
  env: CloudEnv,
  principal: Principal,
  id: string,
  params: Json,
): Promise<object> => {
  const template = await requireTemplate(env, principal, id);
  if (!(await hasTemplates(env, principal))) throw new Refused("permission", "Delete the template and make it anew.");
  const category = oneOf(TEMPLATE_CATEGORIES, params, "category");
  const components = optionalField(params, "components") === undefined ? undefined : componentsIn(params);
  await editTemplate(env, principal, template.id, {
    ...(category === undefined ? {} : { category }),
    ...(components === undefined ? {} : { components }),
  });
  return { success: true };
};

/** Every language of a name, or one template by `hsm_id`. */
const remove = async (env: CloudEnv, principal: Principal, params: Json): Promise<object> => {
  const [name, id] = [textIn(params, "name"), textIn(params, "hsm_id")];
  if (name === undefined && id === undefined) throw invalid(issue("name", "required", "is required"));
  const gone =
    id === undefined
      ? await nextTemplates(env, principal, { channelId: principal.channelId, name, limit: MAX_PAGE })
      : [await requireTemplate(env, principal, id)];
  if (gone.length === 0) throw unknownObject(name ?? "");
  for (const template of gone) await removeTemplate(env, principal, template.id);
  return { success: true };
};
