/** The network reviewed a template, or changed it. */
export type TemplateChanged = {
  kind: "template";
  at: number;
  nativeId: string;
  name: string;
  language: string;
  /** Absent if only the category or the components changed. */
  status?: TemplateStatus;
  category?: TemplateCategory;
  reason?: string;
};

export const TEMPLATE_STATUSES = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "PAUSED"] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export const TEMPLATE_CATEGORIES = ["MARKETING", "UTILITY", "AUTHENTICATION"] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];
/** The categories of listed templates. `UNKNOWN`: the network has another one; such a template cannot be sent. */
export const LISTED_CATEGORIES = [...TEMPLATE_CATEGORIES, "UNKNOWN"] as const;
export type ListedCategory = (typeof LISTED_CATEGORIES)[number];
