import type { TemplateCategory, TemplateChanged, TemplateStatus } from "../../../src/contract/events.ts";
import { type Json, recordOf } from "../../../src/kernel/texts/json.ts";
import { textOf } from "../../meta/json.ts";
import { knownStatusOf, templateCategoryOf, templateLanguageOf } from "../templates.ts";
import { type ChangeReader, nameOf, unknownEvent } from "./change.ts";

/**
 * Reads the fields of templates by their content, because official samples confuse the names. A quality without a new
 * state becomes an `unknown` event.
 */
export const templateChange: ChangeReader = ({ at, field, value }) => {
  const [nativeId, name] = [textOf(value["message_template_id"]), textOf(value["message_template_name"])];
  const status = knownStatusOf(value["event"]);
  const isOfQuality = textOf(value["new_quality_score"]) !== undefined;
  if (
    nativeId === undefined ||
    name === undefined ||
    isOfQuality ||
    (status === undefined && value["event"] !== undefined)
  )
    return [unknownEvent(at, `${field} ${nameOf(value["event"] ?? value["new_quality_score"])}`)];
  const changed: TemplateChanged = {
    kind: "template",
    at,
    nativeId,
    name,
    language: templateLanguageOf(value["message_template_language"]) ?? "",
    ...categoryOf(value),
  };
  return [status === undefined ? changed : { ...changed, status, ...reasonOf(status, value) }];
};

/** The present category: in an announced change, `new_category` names the present one. */
const categoryOf = (value: Json): { category?: TemplateCategory } => {
  const name = value["new_category"] ?? value["message_template_category"];
  const category = templateCategoryOf(name);
  return category === undefined ? {} : { category };
};

/** Why it cannot be used; the network sends `NONE` without a reason. */
const reasonOf = (status: TemplateStatus, value: Json): { reason?: string } => {
  if (status === "APPROVED" || status === "PENDING") return {};
  const reasons = [
    value["reason"],
    recordOf(value["rejection_info"])["reason"],
    recordOf(value["other_info"])["title"],
    recordOf(value["other_info"])["description"],
  ];
  const words = reasons.map(textOf).filter((word) => word !== undefined && word !== "NONE");
  return { reason: [...new Set(words)].join(": ") || nameOf(value["event"]) };
};

/**
 * Ids of templates come as numbers that are too long for a number here: they become texts before the envelope is
 * parsed.
 */
export const withTextIds = (rawBody: string): string =>
  rawBody.replaceAll(/("message_template_id"\s*:\s*)(\d+)(?=\s*[,}])/g, '$1"$2"');
