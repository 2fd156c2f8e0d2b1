import { TEMPLATE_CATEGORIES, type TemplateCategory, type TemplateChanged, type TemplateStatus } from "../../../src/contract/events.ts";
import { type Json, recordOf, textOf } from "../json.ts";
import { type ChangeReader, nameOf, unknownFact } from "./change.ts";

/** TABLE: the states that the network's reviews know, in ours. What cannot be sent for now is PAUSED; what is gone, or was never taken, is REJECTED. */
const STATUSES: ReadonlyMap<unknown, TemplateStatus> = new Map<string, TemplateStatus>([
  ["APPROVED", "APPROVED"],
  ["REINSTATED", "APPROVED"],
  ["UNARCHIVED", "APPROVED"],
  ["PENDING", "PENDING"],
  ["IN_APPEAL", "PENDING"],
  ["PAUSED", "PAUSED"],
  ["FLAGGED", "PAUSED"],
  ["DISABLED", "PAUSED"],
  ["LOCKED", "PAUSED"],
  ["ARCHIVED", "PAUSED"],
  ["REJECTED", "REJECTED"],
  ["LIMIT_EXCEEDED", "REJECTED"],
  ["PENDING_DELETION", "REJECTED"],
  ["DELETED", "REJECTED"],
]);

/** The fields of templates. What they tell is read from what is in them: samples bear each other's names. A quality without a new state is kept alone. */
export const templateOf: ChangeReader = ({ at, field, value }) => {
  const [nativeId, name] = [textOf(value["message_template_id"]), textOf(value["message_template_name"])];
  const status = STATUSES.get(value["event"]);
  const isOfQuality = textOf(value["new_quality_score"]) !== undefined;
  if (nativeId === undefined || name === undefined || isOfQuality || (status === undefined && value["event"] !== undefined))
    return [unknownFact(at, `${field} ${nameOf(value["event"] ?? value["new_quality_score"])}`)];
  const changed: TemplateChanged = { kind: "template", at, nativeId, name, language: languageOf(value["message_template_language"]), ...categoryOf(value) };
  return [status === undefined ? changed : { ...changed, status, ...reasonOf(status, value) }];
};

/** `pt-BR` and `pt_BR` are one language. */
const languageOf = (language: unknown): string => (textOf(language) ?? "").replaceAll("-", "_");

/** The category as it is now: of a change that is only announced, `new_category` names the present one. */
const categoryOf = (value: Json): { category?: TemplateCategory } => {
  const told = value["new_category"] ?? value["message_template_category"];
  const category = TEMPLATE_CATEGORIES.find((one) => one === told);
  return category === undefined ? {} : { category };
};

/** Why it cannot be used; the network says `NONE` where there is no reason. */
const reasonOf = (status: TemplateStatus, value: Json): { reason?: string } => {
  if (status === "APPROVED" || status === "PENDING") return {};
  const told = [value["reason"], recordOf(value["rejection_info"])["reason"], recordOf(value["other_info"])["title"], recordOf(value["other_info"])["description"]];
  const words = told.map(textOf).filter((word) => word !== undefined && word !== "NONE");
  return { reason: [...new Set(words)].join(": ") || nameOf(value["event"]) };
};
