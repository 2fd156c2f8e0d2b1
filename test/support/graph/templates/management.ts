import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { businessAccountOf, type Call, type Effect, ok, requireAccount, required, SUCCESS } from "../call.ts";
import { unknownObject } from "../errors.ts";
import { uploadedType } from "../media/uploads.ts";
import type { State } from "../state.ts";
import { pageOf, viewOf } from "../views.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { checkComponents } from "./components.ts";
import { bidOf, categoryOf, componentsOf, ttlOf } from "./draft.ts";
import type { Template, TemplateStatus } from "./model.ts";
import { refused, refusedParameter } from "./refusals.ts";
import { reviewLater } from "./review.ts";
import { templatesOf } from "./store.ts";
import { nodeOf } from "./view.ts";

/** The template a call names. Throws 100/33 if it does not exist, is deleted, or is not this token's. */
const templateOf = (call: Call): Template => {
  const template = call.state.templates.get(call.node);
  if (!template || template.status === "DELETED") throw unknownObject(call.method, call.node);
  requireAccount(call, template.businessAccountId, "whatsapp_business_management");
  return template;
};

/** `GET /{template}?fields=` */
export const getTemplate = (call: Call): Effect => {
  const view = viewOf(nodeOf(templateOf(call)), call.query);
  return { operation: "template.get", run: () => ok(view) };
};

/**
 * `GET /{account}/message_templates`, with `name` (a part of it will do), `status`, `category`, `language`, `limit` and
 * `after`.
 */
export const listTemplates = (call: Call): Effect => {
  const { id } = businessAccountOf(call);
  const asked = (param: string) => call.query.get(param)?.toLowerCase() ?? "";
  const isAsked = (param: string, value: string) => asked(param) === "" || asked(param) === value.toLowerCase();
  const fitting = templatesOf(call.state, id).filter(
    (one) =>
      one.name.includes(asked("name")) &&
      isAsked("status", one.status) &&
      isAsked("category", one.category) &&
      isAsked("language", one.language),
  );
  const page = pageOf(call, fitting.map(nodeOf));
  return { operation: "template.list", run: () => page };
};

const EDITABLE: readonly TemplateStatus[] = ["APPROVED", "REJECTED", "PAUSED"];

/**
 * `POST /{template}`: other components, category or time to live; it is PENDING then. An approved one may change once
 * in 24 hours, ten times in 30 days.
 */
export const editTemplate =
  (webhooks: Webhooks) =>
  (call: Call): Effect => {
    const template = templateOf(call);
    const { state, body } = call;
    if (
      ["components", "category", "message_send_ttl_seconds", "optimization_spec"].every(
        (param) => body[param] === undefined,
      )
    )
      throw required("components");
    if (!EDITABLE.includes(template.status)) throw refused("notEditable");
    if (template.status === "APPROVED") checkEdits(state, template);
    const category = body["category"] === undefined ? template.category : categoryOf(body["category"]);
    if (template.status === "APPROVED" && category !== template.category)
      throw refused("notEditable", "The category of an approved message template can't be changed.");
    const ttlSeconds = ttlOf(body["message_send_ttl_seconds"], category);
    const bidAmount = bidOf(body["optimization_spec"], category);
    const components = body["components"] === undefined ? template.components : componentsOf(body["components"]);
    if (body["components"] !== undefined)
      checkComponents({ ...template, category, components }, (handle) => uploadedType(state, handle));
    const run = () => {
      if (template.status === "APPROVED") template.editedAt.push(state.clock.now());
      Object.assign(
        template,
        { category, components, status: "PENDING", rejectedReason: "NONE" },
        ttlSeconds === undefined ? {} : { ttlSeconds },
        bidAmount === undefined ? {} : { bidAmount },
      );
      return { ...SUCCESS, after: () => reviewLater(state, webhooks, template) };
    };
    return { operation: "template.edit", run };
  };

const checkEdits = ({ clock }: State, { editedAt }: Template): void => {
  const within = (spanMs: number) => editedAt.filter((at) => clock.now() - at < spanMs).length;
  if (within(DAY_MS) >= 1 || within(30 * DAY_MS) >= 10)
    throw refused(
      "notEditable",
      "An approved message template can be edited once in 24 hours and ten times in 30 days.",
    );
};

/**
 * `DELETE /{account}/message_templates?name=`: all languages of the name, or with `hsm_id` the template of that id. The
 * name of an approved one stays locked for 30 days.
 */
export const deleteTemplates = (call: Call): Effect => {
  const { id } = businessAccountOf(call);
  const { state, query } = call;
  const [name, hsmId] = [query.get("name"), query.get("hsm_id")];
  if (!name) throw required("name");
  const doomed = templatesOf(state, id).filter((one) => one.name === name && (hsmId === null || one.id === hsmId));
  if (doomed.length === 0) throw refused("notFound");
  if (doomed.some((one) => one.status === "DISABLED"))
    throw refusedParameter("A disabled message template can't be deleted.");
  const run = () => {
    const lockedUntil = state.clock.now() + 30 * DAY_MS;
    for (const one of doomed)
      Object.assign(one, { status: "DELETED", lockedUntil: one.status === "APPROVED" ? lockedUntil : 0 });
    return SUCCESS;
  };
  return { operation: "template.delete", run };
};
