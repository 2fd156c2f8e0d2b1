import type { TemplateValues } from "../../../contract/content/template-content.ts";
import { needsOf } from "../../../contract/content/template-needs.ts";
import { completedValues, valueIssues } from "../../../contract/content/template-values.ts";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import type { Issue } from "../../../kernel/schema.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { TemplateRow } from "../../../store/tables/messaging/templates.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import type { MessagingEnv } from "../env.ts";
import { askedTemplate, ensureTemplate } from "./template-sync.ts";

/**
 * The age at which a list no longer refuses values, and the network is asked again: a template may change just after a
 * list, and a client may send many values that do not fit.
 */
const LISTED_WITHIN_MS = 10 * SECOND_MS;

type Asking = { environment: Environment; isDryRun?: boolean; isComparison?: boolean };

/**
 * The values of a send with what its template says of them. Values that do not fit the known template are compared
 * again after a sync. Only the network's current list refuses them; otherwise the network decides. A dry run asks
 * nobody, and refuses by what is known. If no templates are reviewed, as behind test keys, any template passes.
 * @throws AppError TEMPLATE_NOT_APPROVED, or VALIDATION with the fields that do not fit
 */
export const fittingValues = async (
  env: MessagingEnv,
  channel: ChannelRow,
  values: TemplateValues,
  { environment, isDryRun = false, isComparison = false }: Asking,
): Promise<TemplateValues> => {
  if (!env.registry.of(channel.kind, environment)?.capabilities.templates) return values;
  const { name, language = DEFAULT_LANGUAGE } = values;
  const named = { name, language };
  const known = approved(await ensureTemplate(env, channel, { ...named, mayAsk: !isDryRun }), named);
  const first = fitted(known, values);
  if (first.issues.length === 0 || isComparison) return first.values;
  if (isDryRun) throw invalid(...first.issues);
  const asked = await askedTemplate(env, channel, { ...named, againAfterMs: LISTED_WITHIN_MS });
  const second = fitted(approved(asked.template, named), values);
  if (asked.isCurrent && second.issues.length > 0) throw invalid(...second.issues);
  return second.values;
};

const approved = (template: TemplateRow | undefined, named: { name: string; language: string }): TemplateRow => {
  if (template?.status === "APPROVED") return template;
  throw new AppError("TEMPLATE_NOT_APPROVED", {
    message: "The template is not approved for this channel.",
    details: { ...named, status: template?.status ?? null },
  });
};

const fitted = ({ components }: TemplateRow, given: TemplateValues): { values: TemplateValues; issues: Issue[] } => {
  const needs = needsOf(components);
  const values = completedValues(needs, given);
  return { values, issues: valueIssues(needs, values) };
};
