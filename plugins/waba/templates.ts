import type {
  NetworkTemplate,
  TemplateApi,
  TemplateComponent,
  TemplateEdit,
  TemplateOrder,
  TemplatePage,
  TemplateTaken,
} from "../../src/contract/content/templates.ts";
import { TEMPLATE_CATEGORIES, type TemplateCategory, type TemplateStatus } from "../../src/contract/events.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type Graph, isSuccess, nextPageOf } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { askerOf } from "./credentials.ts";

const FIELDS = ["id", "name", "language", "category", "status", "components", "rejected_reason"];
const PAGE_SIZE = 100;
/** A template with ten cards and their samples takes some 20 KiB. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The templates of the channel's business account. */
export const templateApi = (host: ChannelHost, graph: Graph): TemplateApi => {
  const ask = askerOf(host, graph);
  return {
    submit: (order) =>
      ask(
        ({ businessAccountId }) => ({
          method: "POST",
          path: [businessAccountId, "message_templates"],
          body: orderBody(order),
        }),
        takenFrom,
      ),
    edit: (nativeId, changes) => ask(() => ({ method: "POST", path: [nativeId], body: editBody(changes) }), editedFrom),
    async remove({ nativeId, name }) {
      const query = { hsm_id: nativeId, name }; // without the id it would go in all its languages
      const result = await ask(
        ({ businessAccountId }) => ({ method: "DELETE", path: [businessAccountId, "message_templates"], query }),
        isSuccess,
      );
      return result.ok ? { ok: true, value: undefined } : result;
    },
    list(after) {
      const query = { limit: String(PAGE_SIZE), ...(after === undefined ? {} : { after }) };
      return ask(
        ({ businessAccountId }) => ({
          method: "GET",
          path: [businessAccountId, "message_templates"],
          fields: FIELDS,
          query,
          maxResponseBytes: MAX_PAGE_BYTES,
        }),
        pageFrom,
      );
    },
  };
};

/** The network decides the category by itself since 2025-04, so the call does not say whether it may change. */
const orderBody = ({
  name,
  language,
  allowCategoryChange,
  parameterFormat,
  library,
  components,
  ...rest
}: TemplateOrder): Json => ({
  name,
  language,
  // Meta has ignored it since April 2025; the gateway's document promises to pass it on
  allow_category_change: allowCategoryChange,
  ...(parameterFormat === undefined ? {} : { parameter_format: parameterFormat }),
  ...(library ? libraryBody(library) : {}),
  ...editBody({ ...rest, ...(library ? {} : { components }) }),
});

const libraryBody = ({ name, buttonInputs }: NonNullable<TemplateOrder["library"]>): Json => ({
  library_template_name: name,
  ...(buttonInputs === undefined ? {} : { library_template_button_inputs: buttonInputs }),
});

const editBody = ({ category, components, messageSendTtlSeconds, maxPricePer1000 }: TemplateEdit): Json => ({
  ...(category === undefined ? {} : { category }),
  ...(components === undefined ? {} : { components }),
  ...(messageSendTtlSeconds === undefined ? {} : { message_send_ttl_seconds: messageSendTtlSeconds }),
  ...(maxPricePer1000 === undefined
    ? {}
    : { optimization_spec: { bid_strategy: "LOWEST_COST_WITH_BID_CAP", bid_amount: maxPricePer1000 } }),
});

const takenFrom = (json: Json): TemplateTaken | undefined => {
  const nativeId = textOf(json["id"]);
  return nativeId === undefined
    ? undefined
    : { nativeId, status: templateStatusOf(json["status"] ?? "PENDING"), ...categoryFrom(json) };
};

const editedFrom = (json: Json) => (isSuccess(json) ? categoryFrom(json) : undefined);

const categoryFrom = (json: Json): { category?: TemplateCategory } => {
  const category = templateCategoryOf(json["category"]);
  return category === undefined ? {} : { category };
};

const pageFrom = (json: Json): TemplatePage | undefined => {
  if (!Array.isArray(json["data"])) return undefined;
  const next = nextPageOf(json);
  return { templates: json["data"].flatMap(listedFrom), ...(next === undefined ? {} : { next }) };
};

const listedFrom = (value: unknown): NetworkTemplate[] => {
  const json = recordOf(value);
  const [nativeId, name, language] = [textOf(json["id"]), textOf(json["name"]), templateLanguageOf(json["language"])];
  if (nativeId === undefined || name === undefined || language === undefined) return [];
  const category = templateCategoryOf(json["category"]) ?? UNKNOWN;
  const components = listOf(json["components"]).map(recordOf).filter(isComponent);
  const reason = textOf(json["rejected_reason"]);
  return [
    {
      nativeId,
      name,
      language,
      category,
      components,
      status: category === UNKNOWN ? NOT_SENDABLE : templateStatusOf(json["status"]),
      ...(reason === undefined ? {} : { reason }),
    },
  ];
};

/** A category that is new at the network: the price and the rules of such a template are unknown. */
const UNKNOWN = "UNKNOWN";
const NOT_SENDABLE = "PAUSED";

const isComponent = (json: Json): json is TemplateComponent => typeof json["type"] === "string";

/**
 * TABLE: the states and events of the network's reviews, in ours. A template that cannot be sent for now is PAUSED; one
 * that is gone, or was never accepted, is REJECTED.
 */
const STATUSES: Partial<Record<string, TemplateStatus>> = {
  APPROVED: "APPROVED",
  REINSTATED: "APPROVED",
  UNARCHIVED: "APPROVED",
  PENDING: "PENDING",
  IN_APPEAL: "PENDING",
  PAUSED: "PAUSED",
  FLAGGED: "PAUSED",
  DISABLED: "PAUSED",
  LOCKED: "PAUSED",
  ARCHIVED: "PAUSED",
  REJECTED: "REJECTED",
  LIMIT_EXCEEDED: "REJECTED",
  PENDING_DELETION: "REJECTED",
  DELETED: "REJECTED",
};

/** Undefined for an unknown word. */
export const knownStatusOf = (word: unknown): TemplateStatus | undefined => STATUSES[textOf(word)?.toUpperCase() ?? ""];

/** The state of a listed template. An unknown state counts as one that cannot be sent now: PAUSED. */
const templateStatusOf = (word: unknown): TemplateStatus => knownStatusOf(word) ?? "PAUSED";

export const templateCategoryOf = (word: unknown): TemplateCategory | undefined =>
  TEMPLATE_CATEGORIES.find((category) => category === word);

/** `en-US` and `en_US` are both in use for the same language. */
export const templateLanguageOf = (word: unknown): string | undefined => textOf(word)?.replaceAll("-", "_");
