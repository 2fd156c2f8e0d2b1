import type { WebhookInput } from "../../core/channels/settings/webhooks.ts";
import { counterpartsOf } from "./evolution-events.ts";
import type { FoundSession, FoundWebhook } from "./found.ts";

/**
 * The webhook of a new phone, in the form of the admin API, and remarks. No remark repeats a path: it may be a secret.
 */
export type PlannedWebhook = { webhook?: Omit<WebhookInput, "audience">; notes: string[] };

/** `url`: the operator's own; it replaces that of the other program, and gets all events. */
export type WebhookAsked = { url: string | undefined; secret: string | undefined };

/**
 * The webhook to set. The webhook of another program is set only with a secret: then its owner knows that events come
 * in another form.
 */
export const plannedWebhook = ({ webhook }: Pick<FoundSession, "webhook">, asked: WebhookAsked): PlannedWebhook => {
  const { url, secret } = asked;
  if (url !== undefined) return { webhook: { url, ...(secret === undefined ? {} : { secret }) }, notes: [] };
  return webhook ? carriedOver(webhook, secret) : { notes: [] };
};

const carriedOver = ({ url, events: asked }: FoundWebhook, secret: string | undefined): PlannedWebhook => {
  const { events, without } = counterpartsOf(asked);
  const where = URL.canParse(url) ? new URL(url).origin : "an address that is not valid";
  const lost = without.length > 0 ? [`events without a counterpart: ${without.map(shortened).join(", ")}`] : [];
  if (secret === undefined)
    return { notes: [`its webhook at ${where} is not set: give --webhook-secret-file to set it`, ...lost] };
  if (events.length === 0 && asked.length > 0)
    return { notes: [`its webhook at ${where} is not set: none of its events has a counterpart`, ...lost] };
  const names = events.length === 0 ? "all events" : events.join(", ");
  return { webhook: { url, secret, events }, notes: [`webhook at ${where}: ${names}, in Recado's form`, ...lost] };
};

const shortened = (name: string): string => name.replaceAll(/[^\w.:-]/g, "?").slice(0, 60);
