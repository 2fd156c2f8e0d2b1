import type { CATEGORIES, PARAMETER_FORMATS, TEMPLATE_STATUSES, TemplateSeed } from "../seeds.ts";

export type Category = (typeof CATEGORIES)[number];
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export type Component = TemplateSeed["components"][number];

/** A template that Graph keeps. A deleted one stays, so that its name can be locked and its id unknown. */
export type Template = {
  id: string;
  businessAccountId: string;
  name: string;
  language: string;
  category: Category;
  shownCategory?: string;
  status: TemplateStatus;
  parameterFormat: ParameterFormat;
  components: Component[];
  /** How long a message of it is tried, in seconds. */
  ttlSeconds?: number;
  /** The most that 1,000 deliveries may cost, in minor units. */
  bidAmount?: number;
  /** Why it was rejected; `NONE`. */
  rejectedReason: string;
  createdAt: number;
  /** When it was edited while approved. */
  editedAt: number[];
  /** Of a deleted one: when its name and language are free again. */
  lockedUntil: number;
};
