import { DAY_MS, HOUR_MS, MINUTE_MS, utcDayOf } from "../kernel/clock.ts";
import { TABLE_LAWS } from "../store/laws/table-list.ts";
import { pruneAiConversations, pruneAiTurns } from "../store/tables/ai/ai-conversations.ts";
import { pruneSpending } from "../store/tables/ai/llm.ts";
import { pruneToolCalls } from "../store/tables/ai/tools.ts";
import { pruneProcessorEvents } from "../store/tables/billing/processor.ts";
import { pruneChargeWindows } from "../store/tables/billing/usage.ts";
import { pruneCalls } from "../store/tables/calls.ts";
import { pruneChatwootMessages } from "../store/tables/channels/chatwoot.ts";
import { pruneCachedMessages, pruneKeyRows } from "../store/tables/channels/key-store.ts";
import { prunePasskeyLinks } from "../store/tables/channels/passkey-links.ts";
import { pruneEnvelopes } from "../store/tables/channels/upstream.ts";
import { pruneConversations } from "../store/tables/conversations/conversations.ts";
import { pruneMessageLabels } from "../store/tables/conversations/message-labels.ts";
import { pruneReceived } from "../store/tables/conversations/received.ts";
import { pruneErasures } from "../store/tables/erasures.ts";
import { pruneAttempts } from "../store/tables/events/attempts.ts";
import { pruneSecrets, pruneSubscriptions } from "../store/tables/events/subscriptions.ts";
import { pruneGroups } from "../store/tables/groups.ts";
import { pruneJobs } from "../store/tables/jobs.ts";
import { pruneMedia } from "../store/tables/media.ts";
import { pruneBatches } from "../store/tables/messaging/batches.ts";
import { pruneEarlyActs } from "../store/tables/messaging/early-acts.ts";
import { pruneFallbacks } from "../store/tables/messaging/fallbacks.ts";
import { pruneAdded } from "../store/tables/messaging/history-imports.ts";
import { pruneLookups } from "../store/tables/messaging/lookups.ts";
import { pruneMessageActs } from "../store/tables/messaging/message-acts.ts";
import { pruneMessages } from "../store/tables/messaging/messages.ts";
import { pruneScheduled } from "../store/tables/messaging/scheduled.ts";
import { takeBackDrafts } from "../store/tables/messaging/templates.ts";
import type { Keeps } from "../store/tables/table-laws.ts";
import { pruneActivity } from "../store/tables/tenancy/activity.ts";
import { pruneDeparted } from "../store/tables/tenancy/departed.ts";
import { pruneKeyedRequests } from "../store/tables/tenancy/keyed-requests.ts";
import { pruneMails } from "../store/tables/tenancy/mails.ts";
import { pruneRateWindows } from "../store/tables/tenancy/rate-windows.ts";
import { pruneUserLinks } from "../store/tables/tenancy/user-links.ts";
import { pruneTroubles } from "../store/tables/troubles.ts";
import { pruneLinks } from "./channels/pairing/pairing-links.ts";
import { forgetKeyRows } from "./channels/settings/vault.ts";
import type { Env } from "./env.ts";
import {
  before,
  older,
  pruneAllEvents,
  pruneAllSent,
  pruneAllUsage,
  REPEATED_MS,
  UNDELIVERED_MS,
  untilDone,
  walked,
} from "./retention-sweeps.ts";
import { pruneAuditLog } from "./tenancy/audit/audit.ts";
import { pruneEnded } from "./tenancy/people/invitations.ts";
import { pruneConsole } from "./tenancy/sign-in/console-sessions.ts";
import { pruneSessions } from "./tenancy/sign-in/sessions.ts";

/** Deletes what is older than its term. */
type Sweep = (env: Env, now: number) => Promise<void>;

/** Replies and repeats are recognised by these rows. */
const INBOX_MS = 90 * DAY_MS;
const SCHEDULE_MS = 90 * DAY_MS;
/** How long an import of history can be undone. */
const UNDO_MS = 90 * DAY_MS;
const GONE_MEDIA_MS = 90 * DAY_MS;
const DELETED_GROUP_MS = 30 * DAY_MS;
const TROUBLE_MS = 90 * DAY_MS;
const ERASURE_MS = 90 * DAY_MS;
const WORK_MS = 7 * DAY_MS;
const ACTIVITY_MS = 90 * DAY_MS;
/** Longer than a payment can be disputed. */
const PROCESSOR_EVENT_MS = 730 * DAY_MS;

const pruneWebhooks = (env: Env, now: number): Promise<void> =>
  env.db.write(async (tx) => {
    pruneSubscriptions(tx);
    pruneSecrets(tx, now);
  });

const messagesTerm = ({ config }: Env): number => config.keep.messages;

/** TABLE: what deletes the old rows of each table whose laws say that it is swept. */
export const SWEEPS: Readonly<Record<string, Sweep>> = {
  messages: pruneAllSent,
  received_messages: (env, now) => older(env, before(now, messagesTerm(env)), pruneReceived),
  message_acts: (env, now) => older(env, before(now, messagesTerm(env)), pruneMessageActs),
  message_labels: (env, now) => older(env, before(now, messagesTerm(env)), pruneMessageLabels),
  chatwoot_messages: (env, now) => older(env, before(now, messagesTerm(env)), pruneChatwootMessages),
  fallbacks: (env, now) => older(env, before(now, messagesTerm(env)), pruneFallbacks),
  calls: (env, now) => older(env, before(now, messagesTerm(env)), pruneCalls),
  departed_channels: (env) => walked(env, pruneDeparted),
  inbox: (env, now) =>
    untilDone(env, (tx, limit) =>
      pruneMessages(tx, now, before(now, Math.max(REPEATED_MS, Math.min(INBOX_MS, messagesTerm(env)))), limit),
    ),
  early_acts: (env, now) => untilDone(env, (tx, limit) => pruneEarlyActs(tx, now, limit)),
  keyed_requests: (env, now) => untilDone(env, (tx, limit) => pruneKeyedRequests(tx, now, limit)),
  cached_messages: (env, now) =>
    untilDone(env, (tx, limit) => pruneCachedMessages(tx, before(now, Math.min(INBOX_MS, messagesTerm(env))), limit)),
  scheduled: (env, now) =>
    untilDone(env, (tx, limit) => pruneScheduled(tx, before(now, Math.min(SCHEDULE_MS, messagesTerm(env))), limit)),
  lookups: (env, now) => untilDone(env, (tx, limit) => pruneLookups(tx, now, limit)),
  upstream_envelopes: (env, now) => untilDone(env, (tx, limit) => pruneEnvelopes(tx, before(now, REPEATED_MS), limit)),
  events: pruneAllEvents,
  attempts: (env, now) =>
    untilDone(env, (tx, limit) =>
      pruneAttempts(tx, before(now, Math.max(UNDELIVERED_MS, env.config.keep.events)), limit),
    ),
  conversations: (env, now) =>
    untilDone(env, (tx, limit) => pruneConversations(tx, before(now, env.config.keep.conversations), limit)),
  ai_tool_calls: (env, now) => older(env, before(now, env.config.keep.conversations), pruneToolCalls),
  ai_turns: (env, now) => older(env, before(now, env.config.keep.conversations), pruneAiTurns),
  ai_conversations: (env, now) =>
    untilDone(env, (tx, limit) => pruneAiConversations(tx, before(now, env.config.keep.conversations), limit)),
  media: (env, now) =>
    untilDone(env, (tx, limit) =>
      pruneMedia(tx, before(now, Math.max(GONE_MEDIA_MS, env.config.keep.media + WORK_MS)), limit),
    ),
  batches: (env, now) => untilDone(env, (tx, limit) => pruneBatches(tx, before(now, env.config.keep.batches), limit)),
  usage_days: pruneAllUsage,
  activity_hours: (env, now) =>
    untilDone(env, (tx, limit) =>
      pruneActivity(tx, Math.floor(before(now, Math.min(ACTIVITY_MS, env.config.keep.usage)) / HOUR_MS), limit),
    ),
  llm_spending: (env, now) => untilDone(env, (tx, limit) => pruneSpending(tx, utcDayOf(now - WORK_MS), limit)),
  charge_windows: (env, now) => untilDone(env, (tx, limit) => pruneChargeWindows(tx, before(now, REPEATED_MS), limit)),
  processor_events: (env, now) =>
    untilDone(env, (tx, limit) => pruneProcessorEvents(tx, before(now, PROCESSOR_EVENT_MS), limit)),
  audit_entries: (env, now) => pruneAuditLog(env, before(now, env.config.keep.audit)),
  erasures: (env, now) => env.db.write((tx) => pruneErasures(tx, before(now, ERASURE_MS))),
  mails: (env, now) => older(env, before(now, env.config.keep.mail), pruneMails),
  troubles: (env, now) => env.db.write((tx) => pruneTroubles(tx, before(now, TROUBLE_MS))),
  discarded_jobs: (env, now) => env.db.write(async (tx) => pruneJobs(tx, before(now, WORK_MS))),
  rate_windows: (env, now) => untilDone(env, (tx, limit) => pruneRateWindows(tx, Math.floor(now / MINUTE_MS), limit)),
  history_import_items: (env, now) => untilDone(env, (tx, limit) => pruneAdded(tx, before(now, UNDO_MS), limit)),
  groups: (env, now) => untilDone(env, (tx, limit) => pruneGroups(tx, before(now, DELETED_GROUP_MS), limit)),
  key_rows: (env, now) =>
    untilDone(env, (tx, limit) => {
      tx.atCommit(forgetKeyRows);
      return pruneKeyRows(tx, now, limit);
    }),
  subscriptions: pruneWebhooks,
  templates: (env, now) => env.db.write((tx) => takeBackDrafts(tx, { beforeMs: now - HOUR_MS })),
  invitations: (env, now) => untilDone(env, (tx, limit) => pruneEnded(tx, now, limit)),
  user_links: (env, now) => untilDone(env, (tx, limit) => pruneUserLinks(tx, now, limit)),
  pairing_links: (env, now) => untilDone(env, (tx, limit) => pruneLinks(tx, now, limit)),
  passkey_links: (env, now) => untilDone(env, (tx, limit) => prunePasskeyLinks(tx, now, limit)),
  user_sessions: (env, now) => untilDone(env, (tx, limit) => pruneSessions(tx, now, limit)),
  console_sessions: (env, now) => untilDone(env, (tx, limit) => pruneConsole(tx, now, limit)),
};

/** How long the rows of every table stay, and what deletes the old ones of those that are swept. */
export const RETENTION: readonly (Keeps & { table: string; sweep: Sweep | undefined })[] = TABLE_LAWS.map(
  ({ table, keeps }) => ({ table, ...keeps, sweep: keeps.isSwept ? SWEEPS[table] : undefined }),
);

/** The table as Markdown, as docs/settings.md shows it. */
export const retentionTable = (): string => {
  const lines = RETENTION.map(
    ({ table, setting, rule }) => `| \`${table}\` | ${setting === "none" ? "–" : `\`${setting}\``} | ${rule} |`,
  );
  return ["| Table | Setting | How long a row stays |", "|---|---|---|", ...lines].join("\n");
};
