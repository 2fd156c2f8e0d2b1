import type { Template } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { CreateBatchRequest } from "../../../../../clients/typescript/src/generated/platform.ts";
import { needsOf } from "../../../../contract/content/template-needs.ts";
import type { Csv, Separator } from "../../../../kernel/texts/csv.ts";
import { language } from "../../frame/texts/languages.ts";
import { momentOf } from "../../parts/forms/local-time.ts";
import { bodyValues, hasAllValues, type TypedValues, templateContent } from "../../parts/messages/template-values.ts";
import { type Checked, checked, filled, type ReadNumber, type Sheet, variablesIn } from "./mapping.ts";

/** The maximum number of recipients of a batch. */
export const MOST_RECIPIENTS = 10_000;

/** The records of a file, and the titles above them. */
export type Table = Omit<Csv, "separator">;
/** A file with the person's choices. `tables`: those of a workbook, by the names of its sheets; `at` is the chosen one. */
export type ChosenFile = {
  name: string;
  table: Table;
  sheet: Sheet;
  source:
    | { is: "text"; text: string; charset: string; separator: Separator }
    | { is: "workbook"; tables: readonly [string, Table][]; at: number };
};

/** A batch while it is being written. */
export type Draft = {
  file: ChosenFile | undefined;
  country: string;
  phoneId: string;
  kind: "text" | "template";
  text: string;
  template: Template | undefined;
  /** The id of the template that is chosen once the templates are known. */
  wantedTemplate: string;
  /** The values of the template, by the keys of its fields. */
  values: TypedValues;
  name: string;
  delayMs: number;
  /** The value of the field for a time; empty: now. */
  startsAt: string;
  isLater: boolean;
  respectHours: boolean;
};

export const NO_VALUES: TypedValues = {};

export const newDraft = (): Draft => ({
  file: undefined,
  country: language.peek() === "pt" ? "55" : "",
  phoneId: "",
  kind: "text",
  text: "",
  template: undefined,
  wantedTemplate: "",
  values: NO_VALUES,
  name: "",
  delayMs: 3000,
  startsAt: "",
  isLater: false,
  respectHours: false,
});

/** The texts in which variables of the file may stand. */
const textsOf = ({ kind, text, values }: Draft): string[] => (kind === "text" ? [text] : Object.values(values));

export const neededBy = (draft: Draft): string[] => variablesIn(...textsOf(draft));

/** The variables that the file has. */
export const draftVariables = ({ file }: Draft): string[] =>
  (file?.sheet.columns ?? []).flatMap(({ role, variable }) => (role === "variable" ? [variable] : []));

/** The variables that the message uses and the file does not have: a fault of the message, not of each line. */
export const unknownIn = (draft: Draft): string[] => {
  const known = draftVariables(draft);
  return draft.file ? neededBy(draft).filter((name) => !known.includes(name)) : [];
};

export const checkedOf = (draft: Draft, numbers: readonly ReadNumber[]): Checked => {
  if (!draft.file) return { good: [], faults: [] };
  const unknown = unknownIn(draft);
  return checked(draft.file.sheet, { numbers, needed: neededBy(draft).filter((name) => !unknown.includes(name)) });
};

/** Whether the draft has content that could be lost. */
export const isBegun = (draft: Draft): boolean =>
  draft.file !== undefined || draft.name.trim() !== "" || textsOf(draft).some((text) => text.trim() !== "");

export type Missing = "file" | "variable" | "phone" | "text" | "template" | "time";

/** The next thing to do before the batch can start; undefined: nothing. */
export const missingIn = (draft: Draft, { good }: Checked): Missing | undefined => {
  if (good.length === 0 || good.length > MOST_RECIPIENTS || draft.file?.table.openQuoteAt !== undefined) return "file";
  if (unknownIn(draft).length > 0) return "variable";
  if (draft.phoneId === "") return "phone";
  if (draft.kind === "text" && draft.text.trim() === "") return "text";
  if (draft.kind === "template" && !(draft.template && hasAllValues(needsOf(draft.template.components), draft.values)))
    return "template";
  const start = momentOf(draft.startsAt);
  return draft.isLater && (!start || start.getTime() <= Date.now()) ? "time" : undefined;
};

/** The request without its recipients. */
export const orderOf = (draft: Draft, defaultName: string): Omit<CreateBatchRequest, "recipients"> => {
  const start = draft.isLater ? momentOf(draft.startsAt) : undefined;
  return {
    channelId: draft.phoneId,
    name: draft.name.trim() || defaultName,
    delay: draft.delayMs,
    ...(start ? { startsAt: start.toISOString() } : {}),
    ...(draft.respectHours ? { respectHours: true } : {}),
    ...messageOf(draft),
  };
};

const messageOf = ({ kind, text, template, values }: Draft): Pick<CreateBatchRequest, "text" | "template"> => {
  if (kind === "text" || !template) return { text: text.trim() };
  const { name, language: tag, components } = template;
  return { template: { name, language: tag, ...templateContent(needsOf(components), values) } };
};

/** The values of a template's body for one line of the file. */
export const valuesFor = (
  { template, values }: Draft,
  line: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bodyValues(needsOf(template?.components ?? []), values)).map(([name, text]) => [
      name,
      filled(text, line),
    ]),
  );
