import type { Template } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import type { BatchFallback, FallbackReason } from "../../../../../../clients/typescript/src/generated/platform.ts";
import { needsOf } from "../../../../../contract/content/template-needs.ts";
import { hasAllValues, type TypedValues, templateContent } from "../../../parts/messages/template-values.ts";

/** A template of a phone while its values are written. */
export type TemplateDraft = {
  phoneId: string;
  template: Template | undefined;
  /** The id of the template that is chosen once the templates are known. */
  wantedTemplate: string;
  /** The values of the template, by the keys of its fields. */
  values: TypedValues;
};

export const NO_VALUES: TypedValues = {};
export const NO_TEMPLATE = { template: undefined, wantedTemplate: "", values: NO_VALUES } as const;

/** What another phone sends, while it is being written. */
export type FallbackDraft = TemplateDraft & {
  isOn: boolean;
  afterMinutes: string;
  reasons: readonly FallbackReason[];
  mayArriveTwice: boolean;
};

export const REASONS = ["lost", "restricted", "silent"] as const satisfies readonly FallbackReason[];
export const MOST_MINUTES = 1440;

export const newFallback = (): FallbackDraft => ({
  isOn: false,
  phoneId: "",
  ...NO_TEMPLATE,
  afterMinutes: "10",
  reasons: REASONS,
  mayArriveTwice: false,
});

/** The content of a template with its typed values; undefined without a template. */
export const contentOf = ({ template, values }: TemplateDraft) => {
  if (!template) return undefined;
  const { name, language, components } = template;
  return { name, language, ...templateContent(needsOf(components), values) };
};

/** Whether a template is chosen and has all its values. */
export const isWhole = ({ template, values }: TemplateDraft): boolean =>
  template !== undefined && hasAllValues(needsOf(template.components), values);

/** Whether the fallback can be sent, or is not wanted. `firstId`: the phone of the batch. */
export const isFallbackRight = (fallback: FallbackDraft, firstId: string): boolean => {
  const { isOn, phoneId, afterMinutes, reasons } = fallback;
  const minutes = Number(afterMinutes);
  const hasTime = Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES;
  return !isOn || (phoneId !== "" && phoneId !== firstId && isWhole(fallback) && hasTime && reasons.length > 0);
};

/** The texts in which variables of the file may stand. */
export const fallbackValues = ({ isOn, values }: FallbackDraft): string[] => (isOn ? Object.values(values) : []);

/** The fallback of a request; nothing if it is not wanted. */
export const fallbackOf = (fallback: FallbackDraft): { fallback?: BatchFallback } => {
  const { isOn, phoneId, afterMinutes, reasons, mayArriveTwice } = fallback;
  const template = contentOf(fallback);
  if (!isOn || !template) return {};
  return {
    fallback: {
      channelId: phoneId,
      template,
      afterMinutes: Number(afterMinutes),
      when: REASONS.filter((reason) => reasons.includes(reason)),
      mayArriveTwice,
    },
  };
};
