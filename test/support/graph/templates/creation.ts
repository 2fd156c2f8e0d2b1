import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { businessAccountOf, type Call, type Effect, ok, required } from "../call.ts";
import { GraphError } from "../errors.ts";
import { newNumericId } from "../ids.ts";
import { uploadedType } from "../media/uploads.ts";
import { textOf } from "../shape.ts";
import type { State } from "../state.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { checkComponents } from "./components.ts";
import { bidOf, categoryOf, componentsOf, parameterFormatOf, ttlOf } from "./draft.ts";
import type { Category, Template } from "./model.ts";
import { refused, refusedParameter } from "./refusals.ts";
import { reviewLater } from "./review.ts";
import { findTemplate, templatesOf } from "./store.ts";

/** The request for a creation. */
type Asked = Pick<
  Template,
  "businessAccountId" | "name" | "language" | "category" | "parameterFormat" | "components" | "ttlSeconds" | "bidAmount"
>;

/** `POST /{account}/message_templates`: a new template, PENDING until it is reviewed. */
export const createTemplate =
  (webhooks: Webhooks) =>
  (call: Call): Effect => {
    const { state } = call;
    const asked = askedOf(call);
    checkComponents(asked, (handle) => uploadedType(state, handle));
    checkRoom(state, asked);
    const run = () => {
      const category = assignedCategory(state, asked.category);
      const template: Template = {
        ...asked,
        id: newNumericId(state.random),
        category,
        status: "PENDING",
        rejectedReason: "NONE",
        createdAt: state.clock.now(),
        editedAt: [],
        lockedUntil: 0,
      };
      state.templates.set(template.id, template);
      return {
        ...ok({ id: template.id, status: template.status, category }),
        after: () => reviewLater(state, webhooks, template),
      };
    };
    return { operation: "template.create", run };
  };

const askedOf = (call: Call): Asked => {
  const { id: businessAccountId } = businessAccountOf(call);
  const { body } = call;
  const library = LIBRARY.get(textOf(body["library_template_name"]));
  if (body["library_template_name"] !== undefined && !library) throw refused("notFound");
  for (const param of ["name", "language", "category", ...(library ? [] : ["components"])])
    if (body[param] === undefined) throw required(param);
  const [name, language, category] = [nameOf(body["name"]), languageOf(body["language"]), categoryOf(body["category"])];
  const ttlSeconds = ttlOf(body["message_send_ttl_seconds"], category);
  const bidAmount = bidOf(body["optimization_spec"], category);
  const parameterFormat = parameterFormatOf(body["parameter_format"]);
  const components = componentsOf(library ?? body["components"]);
  return {
    businessAccountId,
    name,
    language,
    category,
    parameterFormat,
    components,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(bidAmount === undefined ? {} : { bidAmount }),
  };
};

/** The templates of the simulated library. */
const LIBRARY: ReadonlyMap<string, unknown> = new Map([
  [
    "delivery_update_1",
    [
      {
        type: "BODY",
        text: "Your order {{1}} is on its way.",
        example: { body_text: [["12345"]] },
      },
    ],
  ],
]);

const nameOf = (value: unknown): string => {
  const name = textOf(value);
  if (!/^[a-z0-9_]+$/.test(name)) throw refused("name");
  if (name.length > 512) throw refused("tooLong", "A name can have at most 512 characters.");
  return name;
};

const languageOf = (value: unknown): string => {
  const language = textOf(value);
  if (/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)) return language;
  throw new GraphError(100, {
    message: `(#100) Param language must be one of {AF, SQ, AR, PT_BR, EN_US, ...} - got "${language}".`,
  });
};

const assignedCategory = ({ settings }: State, asked: Category): Category =>
  settings.templateCategory === "asked" || asked === "AUTHENTICATION" ? asked : settings.templateCategory;

const NAMES_MAX = 250;
const CREATIONS_PER_HOUR_MAX = 100;

/**
 * Throws if the account has no room for the template: the name is locked, taken or of another category, or there are
 * too many.
 */
const checkRoom = (state: State, { businessAccountId, name, language, category }: Asked): void => {
  const ever = [...state.templates.values()].filter((one) => one.businessAccountId === businessAccountId);
  const now = state.clock.now();
  if (ever.filter((one) => now - one.createdAt < HOUR_MS).length >= CREATIONS_PER_HOUR_MAX) throw new GraphError(80007);
  if (ever.some((one) => one.name === name && one.language === language && one.lockedUntil > now))
    throw refused("beingDeleted");
  if (findTemplate(state, businessAccountId, name, language))
    throw refused(
      "exists",
      `There is already ${language} content for this template. You can create a new template and try again.`,
    );
  const templates = templatesOf(state, businessAccountId);
  const namesake = templates.find((one) => one.name === name);
  if (namesake && namesake.category !== category)
    throw refusedParameter(
      `The category ${category} doesn't match the one that's already associated with this template, ${namesake.category}.`,
    );
  if (!namesake && new Set(templates.map((one) => one.name)).size >= NAMES_MAX) throw refused("tooManyTemplates");
};
