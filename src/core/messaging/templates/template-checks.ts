import { componentIssues } from "../../../contract/content/template-components.ts";
import { ttlIssues } from "../../../contract/content/template-ttl.ts";
import type { TemplateComponent, TemplateOrder } from "../../../contract/content/templates.ts";
import type { ListedCategory } from "../../../contract/events.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";

/**
 * Checks a template before it is submitted. A template of the network's library has its components there.
 * @throws AppError VALIDATION
 */
export const checkOrder = (order: TemplateOrder): void => {
  const { library, components, category } = order;
  checkTtl(category, order.messageSendTtlSeconds);
  checkMaxPrice(category, order.maxPricePer1000);
  if (!library) return checkComponents(components);
  if (components.length > 0)
    throw invalid(issue("components", "forbidden", "cannot be given beside a template of the library"));
};

/** @throws AppError VALIDATION for a time to live outside the category's bounds */
export const checkTtl = (category: ListedCategory, seconds: number | undefined): void => {
  const issues = ttlIssues(category, seconds);
  if (issues.length > 0) throw invalid(...issues);
};

/** @throws AppError VALIDATION for a maximum price of a template that is not for marketing */
export const checkMaxPrice = (category: ListedCategory, maxPricePer1000: number | undefined): void => {
  if (maxPricePer1000 !== undefined && category !== "MARKETING")
    throw invalid(issue("maxPricePer1000", "forbidden", "is for templates of the category MARKETING"));
};

/** @throws AppError VALIDATION for components that break the documented rules */
export const checkComponents = (components: readonly TemplateComponent[]): void => {
  const issues = componentIssues(components);
  if (issues.length > 0) throw invalid(...issues);
};
