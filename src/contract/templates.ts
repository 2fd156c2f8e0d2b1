import type { TemplateCategory, TemplateStatus } from "./events.ts";
import type { UpstreamResult } from "./upstream.ts";

/** The language of a template where nobody names one. */
export const DEFAULT_LANGUAGE = "pt_BR";

/** A part of a template (header, body, buttons …) in the network's own form. */
export type TemplateComponent = { type: string; [field: string]: unknown };

/**
 * A template for the network to review. `messageSendTtlSeconds`: how long a message made of it may wait for its
 * recipient.
 */
export type TemplateOrder = {
  name: string;
  language: string;
  category: TemplateCategory;
  components: readonly TemplateComponent[];
  /** Whether the network may put it into another category instead of refusing it. */
  allowCategoryChange: boolean;
  messageSendTtlSeconds?: number;
};

/** What is to change of a template; what is absent stays. */
export type TemplateEdit = Partial<Pick<TemplateOrder, "category" | "components" | "messageSendTtlSeconds">>;

/** A template as the network lists it. `reason`: why it is rejected, where the network says so. */
export type NetworkTemplate = Pick<TemplateOrder, "name" | "language" | "category" | "components"> & {
  nativeId: string;
  status: TemplateStatus;
  reason?: string;
};

/** What the network made of a template that it took: `category` where it named one. */
export type TemplateTaken = { nativeId: string; status: TemplateStatus; category?: TemplateCategory };

/** `next`: what to ask with for the templates that follow; absent on the last page. */
export type TemplatePage = { templates: NetworkTemplate[]; next?: string };

/**
 * The management of templates, for networks that review them. Its calls are waited for by a customer: each ends within
 * 20 s, and never throws. A template whose id the network does not give was not taken: that is `unavailable`.
 */
export type TemplateApi = {
  submit(order: TemplateOrder): Promise<UpstreamResult<TemplateTaken>>;
  /** Its review begins anew. */
  edit(nativeId: string, changes: TemplateEdit): Promise<UpstreamResult<Pick<TemplateTaken, "category">>>;
  /** Removes it in its one language. */
  remove(template: { nativeId: string; name: string }): Promise<UpstreamResult<void>>;
  /**
   * Some hundred templates of the channel's account at a time, from the beginning or from `after` on. What it cannot
   * read is left out.
   */
  list(after?: string): Promise<UpstreamResult<TemplatePage>>;
};
