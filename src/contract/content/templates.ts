import type { ListedCategory, TemplateCategory, TemplateStatus } from "../events.ts";
import type { UpstreamResult } from "../upstream.ts";

/** The default language of a template. */
export const DEFAULT_LANGUAGE = "pt_BR";

/** A part of a template (header, body, buttons …) in the network's own form. */
export type TemplateComponent = { type: string; [field: string]: unknown };

/**
 * A template for the network to review. `messageSendTtlSeconds`: how long a message with this template may wait for
 * delivery.
 */
export type TemplateOrder = {
  name: string;
  language: string;
  category: TemplateCategory;
  components: readonly TemplateComponent[];
  /**
   * Whether the network may choose another category instead of refusing the template. A network that decides so by
   * itself ignores it.
   */
  allowCategoryChange: boolean;
  messageSendTtlSeconds?: number;
  /** The most that 1,000 deliveries of a marketing template may cost, in minor units of the account's currency. */
  maxPricePer1000?: number;
  /** `NAMED`: variables have names, and a send gives them by name. Default `POSITIONAL`. */
  parameterFormat?: "POSITIONAL" | "NAMED";
  /** A template of the network's library to copy; then there are no components. */
  library?: { name: string; buttonInputs?: readonly Record<string, unknown>[] };
};

/** The changes of a template. An absent field stays unchanged. */
export type TemplateEdit = Partial<
  Pick<TemplateOrder, "category" | "components" | "messageSendTtlSeconds" | "maxPricePer1000">
>;

/** A template in the network's list. `reason`: why it was rejected, if the network gives a reason. */
export type NetworkTemplate = Pick<TemplateOrder, "name" | "language" | "components"> & {
  category: ListedCategory;
  nativeId: string;
  status: TemplateStatus;
  reason?: string;
};

/** The result of an accepted template. `category`: the network's category, if it named one. */
export type TemplateTaken = { nativeId: string; status: TemplateStatus; category?: TemplateCategory };

/** `next`: the cursor of the next page; absent on the last one. */
export type TemplatePage = { templates: NetworkTemplate[]; next?: string };

/**
 * Management of templates, for networks that review them. A customer waits for these calls: each ends within 20 s and
 * never throws. Without an id from the network, the template counts as not created: `unavailable`.
 */
export type TemplateApi = {
  submit(order: TemplateOrder): Promise<UpstreamResult<TemplateTaken>>;
  /** Changes a template, which starts a new review. */
  edit(nativeId: string, changes: TemplateEdit): Promise<UpstreamResult<Pick<TemplateTaken, "category">>>;
  /** Removes a template in one language. */
  remove(template: { nativeId: string; name: string }): Promise<UpstreamResult<void>>;
  /**
   * Lists the account's templates, some hundred per page, from the beginning or after `after`. Leaves out templates
   * that it cannot read.
   */
  list(after?: string): Promise<UpstreamResult<TemplatePage>>;
};
