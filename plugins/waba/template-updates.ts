import type { TemplateChanged } from "../../src/contract/events.ts";
import { type Json, recordOf, textOf } from "./json.ts";
import { templateCategoryOf, templateLanguageOf, templateStatusOf } from "./templates.ts";

/** What a change of this webhook field says of a template; undefined where the field is about something else, or does not say which template is meant. */
export const templateFacts = (field: unknown, value: Json, at: number): TemplateChanged | undefined => {
  const news = newsOf(field, value);
  const [nativeId, name, language] = [textOf(value["message_template_id"]), textOf(value["message_template_name"]), templateLanguageOf(value["message_template_language"])];
  return news && nativeId !== undefined && name !== undefined && language !== undefined ? { kind: "template", at, nativeId, name, language, ...news } : undefined;
};

type News = Pick<TemplateChanged, "status" | "category" | "reason">;

const newsOf = (field: unknown, value: Json): News | undefined => {
  if (field === "message_template_status_update") return { status: templateStatusOf(value["event"]), ...categoryOf(value["message_template_category"]), ...reasonOf(value) };
  return field === "template_category_update" ? categoryOf(value["new_category"]) : undefined; // `correct_category` only announces
};

const categoryOf = (word: unknown): News => {
  const category = templateCategoryOf(word);
  return category === undefined ? {} : { category };
};

const reasonOf = (value: Json): News => {
  const reason = textOf(recordOf(value["rejection_info"])["reason"]) ?? textOf(value["reason"]);
  return reason === undefined ? {} : { reason };
};

/** Ids of templates come as numbers that are too long for a number here: they are made texts before the envelope is parsed. */
export const withTextIds = (rawBody: string): string => rawBody.replaceAll(/("message_template_id"\s*:\s*)(\d+)/g, '$1"$2"');
