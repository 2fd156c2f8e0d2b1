import type { NetworkTemplate } from "../../../contract/content/templates.ts";
import { TEMPLATE_STATUSES, type TemplateChanged } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, claimTemplateSync } from "../../../store/tables/channels/channels.ts";
import {
  findTemplateByName,
  findTemplateByNativeId,
  insertTemplate,
  type TemplateRow,
  updateTemplate,
} from "../../../store/tables/messaging/templates.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireCredentials, requireValue } from "../../channels/links/upstream.ts";
import { requireChannel } from "../../channels/refusals.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";
import { NO_REASON, requireTemplateApi } from "./templates.ts";

/**
 * Records the network's report of a template, and publishes a change. An unknown template comes with the next sync. A
 * report older than the last one changes nothing.
 */
export const recordTemplateChange = async (
  env: MessagingEnv,
  tx: Tx,
  channel: ChannelRow,
  event: TemplateChanged,
): Promise<void> => {
  const { nativeId, status, category, reason, at } = event;
  const template =
    (await findTemplateByNativeId(tx, channel.id, nativeId)) ?? (await findUnanswered(tx, channel, event));
  if (!template)
    return env.log.info(
      { channelId: channel.id, status },
      "the network reports a template that is not known here; a sync brings it",
    );
  if (status !== undefined && at < (template.providerUpdatedAt ?? 0)) return;
  const update = { nativeId, status: status ?? template.status, category: category ?? template.category, reason };
  await recordUpdate(
    env,
    tx,
    { channel, template },
    // a review may have been of other components
    { ...update, ...(status === undefined ? {} : { providerUpdatedAt: at, componentsListedAt: null }) },
  );
};

/**
 * The template of this name whose submission the network has not answered with an id. A refused template stays refused:
 * only the end of its former template is published.
 */
const findUnanswered = async (
  tx: Tx,
  channel: ChannelRow,
  event: TemplateChanged,
): Promise<TemplateRow | undefined> => {
  const template = await findTemplateByName(tx, channel.id, event);
  const isRefusedAgain = template?.status === "REJECTED" && event.status === "REJECTED";
  return template?.nativeId === null && !isRefusedAgain ? template : undefined;
};

type Known = { channel: ChannelRow; template: TemplateRow };
type TemplateUpdate = Pick<TemplateRow, "status" | "category"> &
  Pick<NetworkTemplate, "nativeId"> &
  Partial<Pick<TemplateRow, "components" | "providerUpdatedAt" | "componentsListedAt">> & {
    reason: string | undefined;
  };

/**
 * Publishes another status or category. The acceptance of a submission is not published, because the answer to the
 * submission reports it.
 */
const recordUpdate = async (
  env: MessagingEnv,
  tx: Tx,
  { channel, template }: Known,
  { reason, ...update }: TemplateUpdate,
): Promise<void> => {
  const { status, category } = update;
  const rejectionReason = status === "REJECTED" ? (reason ?? template.rejectionReason ?? NO_REASON) : null;
  await updateTemplate(tx, template.id, TEMPLATE_STATUSES, { ...update, rejectionReason, updatedAt: env.clock.now() });
  const isTaken = template.status === "DRAFT" && status === "PENDING";
  if (isTaken || (status === template.status && category === template.category)) return;
  const { id: templateId, name, language } = template;
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel },
    { type: "template.changed", templateId, name, language, category, status, rejectionReason },
  );
};

/** Enough pages for as many templates as an account may have. */
const MAX_PAGES = 60;
/** The time limit of a sync: many clients and proxies give up after a minute without an answer. */
const SYNC_MS = 40 * SECOND_MS;

/** `hidden`: kinds whose channels do not exist for the caller. For a test key no network has templates. */
type Asking = { hidden?: readonly ChannelKind[]; environment?: Environment };

/** `total`: how many templates the account has at the network. */
export type SyncReport = { created: number; updated: number; total: number };

/**
 * Fetches all templates of the channel's account at the network, page by page. Templates that the network does not have
 * stay unchanged. Pages stored before an error stay.
 * @throws AppError CHANNEL_NOT_FOUND, CREDENTIALS_MISSING, CREDENTIALS_INCOMPLETE, and what the network's answer means
 */
export const syncTemplates = async (
  env: MessagingEnv,
  scope: TenantScope,
  channelId: string,
  { hidden, environment }: Asking = {},
): Promise<SyncReport> => {
  const channel = await getChannel(env, scope, channelId, hidden);
  const api = requireTemplateApi(env, channel, environment);
  await requireCredentials(env, channel);
  const now = env.clock.now();
  await env.db.write((tx) => claimTemplateSync(tx, channel.id, { nowMs: now, sinceMs: now }));
  const until = env.clock.now() + SYNC_MS;
  const report: SyncReport = { created: 0, updated: 0, total: 0 };
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const askedAt = env.clock.now();
    if (askedAt > until)
      throw new AppError("UPSTREAM_UNAVAILABLE", {
        message: "The network is too slow; the templates received so far are stored.",
      });
    const { templates, next } = requireValue(await api.list(after));
    const created = await env.db.write((tx) => ingestPage(env, tx, channel, { templates, askedAt }));
    report.created += created;
    report.updated += templates.length - created;
    report.total += templates.length;
    if (next === undefined) return report;
    after = next;
  }
  env.log.warn({ channelId, total: report.total }, "the network has more templates than a sync reads");
  return report;
};

/** Stores a page. Returns the number of its templates that are new here. */
const ingestPage = async (
  env: MessagingEnv,
  tx: Tx,
  { tenantId, id }: ChannelRow,
  { templates, askedAt }: { templates: readonly NetworkTemplate[]; askedAt: number },
): Promise<number> => {
  const channel = await requireChannel(tx, { tenantId }, id);
  let created = 0;
  for (const listed of templates) {
    const template = await findTemplateByName(tx, channel.id, listed);
    if (!template) {
      created++;
      await insertTemplate(tx, newTemplateRow(env, channel, { ...listed, componentsListedAt: askedAt }));
    }
    const { name: _, language: __, reason, ...update } = listed;
    // otherwise the network has sent a newer report
    const isOutdated = template !== undefined && template.updatedAt <= askedAt;
    if (isOutdated)
      await recordUpdate(env, tx, { channel, template }, { ...update, reason, componentsListedAt: askedAt });
  }
  return created;
};

const newTemplateRow = (
  env: MessagingEnv,
  { tenantId, id: channelId }: ChannelRow,
  { reason, ...listed }: NetworkTemplate & Pick<TemplateRow, "componentsListedAt">,
): TemplateRow => {
  const now = env.clock.now();
  const rejectionReason = listed.status === "REJECTED" ? (reason ?? NO_REASON) : null;
  return {
    id: newId(env),
    tenantId,
    channelId,
    ...listed,
    rejectionReason,
    maxPricePer1000: null,
    providerUpdatedAt: null,
    createdAt: now,
    updatedAt: now,
  };
};
