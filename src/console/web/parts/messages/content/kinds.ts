import type { Limits } from "../send-limits.ts";

/** TABLE: the types of messages that a person fills in, in the order of a menu. Files and texts have fields of their own. */
export const FORM_KINDS = [
  "contact",
  "poll",
  "event",
  "location",
  "button",
  "list",
  "carousel",
  "cta_url",
  "copy_code",
] as const;
export type FormKind = (typeof FORM_KINDS)[number];

/** The types with a form that a phone's network takes; none until that is known. */
export const formKindsOf = (limits: Limits): FormKind[] =>
  FORM_KINDS.filter((kind) => limits?.contentTypes.includes(kind));

/** The types that a linked WhatsApp sends as numbered options, unless the phone's setting says otherwise. */
export const isOfButtons = (kind: FormKind): boolean =>
  kind === "button" || kind === "list" || kind === "carousel" || kind === "cta_url" || kind === "copy_code";
