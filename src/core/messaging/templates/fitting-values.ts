import type { TemplateValues } from "../../../contract/content/template-content.ts";
import { needsOf } from "../../../contract/content/template-needs.ts";
import { completedValues, valueIssues } from "../../../contract/content/template-values.ts";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import type { ListedCategory } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import type { Issue } from "../../../kernel/schema.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import { findTemplateByName, type TemplateRow } from "../../../store/tables/messaging/templates.ts";
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
 * Checks the values of a send against its template. Values that do not fit the known template are compared again after a
 * sync. Only the network's current list refuses them; otherwise the network decides. A dry run asks nobody, and refuses
 * by what is known. If no templates are reviewed, as behind test keys, any template passes.
 * @throws AppError TEMPLATE_NOT_APPROVED, or VALIDATION with the fields that do not fit
 */
export const requireFittingValues = async (
  env: MessagingEnv,
  channel: ChannelRow,
  values: TemplateValues,
  { environment, isDryRun = false, isComparison = false }: Asking,
): Promise<void> => {
  if (!env.registry.of(channel.kind, environment)?.capabilities.templates) return;
  const { name, language = DEFAULT_LANGUAGE } = values;
  const named = { name, language };
  const first = misfitsOf(approved(await ensureTemplate(env, channel, { ...named, mayAsk: !isDryRun }), named), values);
  if (first.length === 0 || isComparison) return;
  if (isDryRun) throw invalid(...first);
  const asked = await askedTemplate(env, channel, { ...named, againAfterMs: LISTED_WITHIN_MS });
  const second = misfitsOf(approved(asked.template, named), values);
  if (asked.isCurrent && second.length > 0) throw invalid(...second);
};

const approved = (template: TemplateRow | undefined, named: { name: string; language: string }): TemplateRow => {
  if (template?.status === "APPROVED") return template;
  throw new AppError("TEMPLATE_NOT_APPROVED", {
    message: "The template is not approved for this channel.",
    details: { ...named, status: template?.status ?? null },
  });
};

/** The fields of a send's values that do not fit the template; empty where all fit. */
export const misfitsOf = ({ components }: Pick<TemplateRow, "components">, given: TemplateValues): Issue[] => {
  const needs = needsOf(components);
  return valueIssues(needs, completedValues(needs, given));
};

/** `templateCategory`: that of the message's template, as the network last reported it. */
type ForNetwork = Pick<MessageRow, "type" | "content"> & { templateCategory?: ListedCategory };

/**
 * A message as its network gets it: a template's values with what the template says of them. They are completed with
 * each attempt, because the template may have changed since the message was accepted.
 */
export const completedMessage = async (
  env: Pick<MessagingEnv, "db" | "registry">,
  kind: ChannelKind,
  { type, content, channelId, environment }: MessageRow,
): Promise<ForNetwork> => {
  if (type !== "template") return { type, content };
  const values = content as TemplateValues; // as it was checked
  const { name, language = DEFAULT_LANGUAGE } = values;
  const template = await env.db.read((reader) => findTemplateByName(reader, channelId, { name, language }));
  if (!template) return { type, content };
  const { category: templateCategory } = template;
  const isReviewed = env.registry.of(kind, environment)?.capabilities.templates === true;
  return isReviewed
    ? { type, content: completedValues(needsOf(template.components), values), templateCategory }
    : { type, content, templateCategory };
};
