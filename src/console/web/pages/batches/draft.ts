import type { CreateBatchRequest } from "../../../../../clients/typescript/src/generated/platform.ts";
import { needsOf } from "../../../../contract/content/template-needs.ts";
import type { Csv, Separator } from "../../../../kernel/texts/csv.ts";
import { language } from "../../frame/texts/languages.ts";
import { momentOf } from "../../parts/forms/local-time.ts";
import type { BubbleContent } from "../../parts/messages/bubble-content.ts";
import { bubbleOf } from "../../parts/messages/template-parts.ts";
import { bodyValues, cardValues } from "../../parts/messages/template-values.ts";
import {
  contentOf,
  type FallbackDraft,
  fallbackOf,
  fallbackValues,
  isFallbackRight,
  isWhole,
  NO_TEMPLATE,
  newFallback,
  type TemplateDraft,
} from "./fallback/draft.ts";
import { type Checked, checked, filledLine, type ReadNumber, type Sheet, usedIn } from "./mapping.ts";

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
export type Draft = TemplateDraft & {
  file: ChosenFile | undefined;
  country: string;
  kind: "text" | "template";
  text: string;
  fallback: FallbackDraft;
  name: string;
  delayMs: number;
  /** The value of the field for a time; empty: now. */
  startsAt: string;
  isLater: boolean;
  respectHours: boolean;
};

export const newDraft = (): Draft => ({
  file: undefined,
  country: language.peek() === "pt" ? "55" : "",
  phoneId: "",
  kind: "text",
  text: "",
  ...NO_TEMPLATE,
  fallback: newFallback(),
  name: "",
  delayMs: 3000,
  startsAt: "",
  isLater: false,
  respectHours: false,
});

/** The texts in which variables of the file may stand. */
const textsOf = ({ kind, text, values, fallback }: Draft): string[] => [
  ...(kind === "text" ? [text] : Object.values(values)),
  ...fallbackValues(fallback),
];

export const neededBy = (draft: Draft): string[] => usedIn(...textsOf(draft));

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

export type Missing = "file" | "variable" | "phone" | "text" | "template" | "fallback" | "time";

/** The next thing to do before the batch can start; undefined: nothing. */
export const missingIn = (draft: Draft, { good }: Checked): Missing | undefined => {
  if (good.length === 0 || good.length > MOST_RECIPIENTS || draft.file?.table.openQuoteAt !== undefined) return "file";
  if (unknownIn(draft).length > 0) return "variable";
  if (draft.phoneId === "") return "phone";
  if (draft.kind === "text" && draft.text.trim() === "") return "text";
  if (draft.kind === "template" && !isWhole(draft)) return "template";
  if (!isFallbackRight(draft.fallback, draft.phoneId)) return "fallback";
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
    ...fallbackOf(draft.fallback),
  };
};

const messageOf = (draft: Draft): Pick<CreateBatchRequest, "text" | "template"> => {
  const template = draft.kind === "template" ? contentOf(draft) : undefined;
  return template ? { template } : { text: draft.text.trim() };
};

/** The template of a batch as the person of one line of the file will see it. */
export const templateBubble = ({ template, values }: Draft, line: Readonly<Record<string, string>>): BubbleContent => {
  const components = template?.components ?? [];
  const needs = needsOf(components);
  const ofLine = (typed: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, filledLine(text, line)]));
  return bubbleOf(components, ofLine(bodyValues(needs, values)), cardValues(needs, values).map(ofLine));
};
