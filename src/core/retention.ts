import { DAY_MS, HOUR_MS, MINUTE_MS, utcDayOf } from "../kernel/clock.ts";
import type { SettingName } from "../kernel/settings/settings.ts";
import { pruneAiConversations, pruneAiTurns } from "../store/tables/ai/ai-conversations.ts";
import { pruneSpending } from "../store/tables/ai/llm.ts";
import { pruneProcessorEvents } from "../store/tables/billing/processor.ts";
import { pruneChargeWindows } from "../store/tables/billing/usage.ts";
import { pruneCalls } from "../store/tables/calls.ts";
import { pruneCachedMessages, pruneKeyRows } from "../store/tables/channels/key-store.ts";
import { prunePasskeyLinks } from "../store/tables/channels/passkey-links.ts";
import { pruneEnvelopes } from "../store/tables/channels/upstream.ts";
import { pruneConversations } from "../store/tables/conversations/conversations.ts";
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
import { pruneLookups } from "../store/tables/messaging/lookups.ts";
import { pruneMessageActs } from "../store/tables/messaging/message-acts.ts";
import { pruneMessages } from "../store/tables/messaging/messages.ts";
import { pruneScheduled } from "../store/tables/messaging/scheduled.ts";
import { takeBackDrafts } from "../store/tables/messaging/templates.ts";
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
} from "./retention-sweeps.ts";
import { pruneAuditLog } from "./tenancy/audit/audit.ts";
import { pruneEnded } from "./tenancy/people/invitations.ts";
import { pruneConsole } from "./tenancy/sign-in/console-sessions.ts";
import { pruneSessions } from "./tenancy/sign-in/sessions.ts";

/** What a metric of growth stands for: tables that grow for the same reason, and that one setting limits. */
export const GROUPS = [
  "messages",
  "events",
  "conversations",
  "media",
  "batches",
  "usage",
  "audit",
  "mail",
  "work",
  "setup",
] as const;
export type Group = (typeof GROUPS)[number];

/**
 * `rule`: how long rows stay, or why, in the words of the documentation. `prune` deletes expired rows. A table without
 * it loses its rows with those of another table, or keeps them.
 */
export type Retention = {
  group: Group;
  rule: string;
  setting?: SettingName;
  prune?(env: Env, now: number): Promise<void>;
};

/** Replies and repeats are recognised by these rows. */
const INBOX_MS = 90 * DAY_MS;
const SCHEDULE_MS = 90 * DAY_MS;
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

const WITH_CHANNEL = "goes with its channel";
const WITH_TENANT = "an account and what it set up stay until it deletes them";
const FOR_GOOD = "the books are kept for good";
const OF_PROCESS = "goes with the process that wrote it";

/** TABLE: how long the rows of every table stay. Every table of the database has a line. */
export const RETENTION: Readonly<Record<string, Retention>> = {
  messages: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after its last status; waiting ones stay, and sent ones without a receipt for 8 days",
    prune: pruneAllSent,
  },
  received_messages: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term",
    prune: (env, now) => older(env, before(now, messagesTerm(env)), pruneReceived),
  },
  message_acts: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the first act of a person on a message",
    prune: (env, now) => older(env, before(now, messagesTerm(env)), pruneMessageActs),
  },
  fallbacks: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the acceptance of the message; one that waits stays",
    prune: (env, now) => older(env, before(now, messagesTerm(env)), pruneFallbacks),
  },
  calls: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "a call that is not over stays, and one with a recording, which goes after 90 days",
    prune: (env, now) => older(env, before(now, messagesTerm(env)), pruneCalls),
  },
  departed_channels: {
    group: "messages",
    rule: "until no message of the deleted channel waits",
    prune: (env) => env.db.write(async (tx) => pruneDeparted(tx)),
  },
  inbox: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "at least 8 days, at most 90: repeats and replies are recognised by it",
    prune: (env, now) =>
      untilDone(env, (tx, limit) =>
        pruneMessages(tx, now, before(now, Math.max(REPEATED_MS, Math.min(INBOX_MS, messagesTerm(env)))), limit),
      ),
  },
  early_acts: {
    group: "messages",
    rule: "a day: the message that they are about may still come",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneEarlyActs(tx, now, limit)),
  },
  idempotency_keys: {
    group: "messages",
    rule: "24 hours after its message was accepted, or its scheduled message ended; deleted together with the inbox",
  },
  keyed_requests: {
    group: "work",
    rule: "24 hours",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneKeyedRequests(tx, now, limit)),
  },
  cached_messages: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "at most 90 days",
    prune: (env, now) =>
      untilDone(env, (tx, limit) => pruneCachedMessages(tx, before(now, Math.min(INBOX_MS, messagesTerm(env))), limit)),
  },
  scheduled: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "at most 90 days after it was sent, failed or was cancelled",
    prune: (env, now) =>
      untilDone(env, (tx, limit) => pruneScheduled(tx, before(now, Math.min(SCHEDULE_MS, messagesTerm(env))), limit)),
  },
  lookups: {
    group: "messages",
    rule: "24 hours",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneLookups(tx, now, limit)),
  },
  upstream_envelopes: {
    group: "messages",
    rule: "8 days",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneEnvelopes(tx, before(now, REPEATED_MS), limit)),
  },
  events: {
    group: "events",
    setting: "RECADO_KEEP_EVENTS",
    rule: "undelivered ones and dead letters stay at least 30 days",
    prune: pruneAllEvents,
  },
  deliveries: { group: "events", rule: "goes with its event" },
  attempts: {
    group: "events",
    setting: "RECADO_KEEP_EVENTS",
    rule: "at least 30 days",
    prune: (env, now) =>
      untilDone(env, (tx, limit) =>
        pruneAttempts(tx, before(now, Math.max(UNDELIVERED_MS, env.config.keep.events)), limit),
      ),
  },
  conversations: {
    group: "conversations",
    setting: "RECADO_KEEP_CONVERSATIONS",
    rule: "an open one stays; a closed one goes with what was written in it",
    prune: (env, now) =>
      untilDone(env, (tx, limit) => pruneConversations(tx, before(now, env.config.keep.conversations), limit)),
  },
  ai_turns: {
    group: "conversations",
    setting: "RECADO_KEEP_CONVERSATIONS",
    rule: "the term",
    prune: (env, now) => older(env, before(now, env.config.keep.conversations), pruneAiTurns),
  },
  ai_conversations: {
    group: "conversations",
    setting: "RECADO_KEEP_CONVERSATIONS",
    rule: "one that is not closed stays",
    prune: (env, now) =>
      untilDone(env, (tx, limit) => pruneAiConversations(tx, before(now, env.config.keep.conversations), limit)),
  },
  contacts: {
    group: "conversations",
    rule: "an address book stays until its institution deletes from it, or the person is erased",
  },
  contacts_search: { group: "conversations", rule: "goes with its contact" },
  identities: {
    group: "conversations",
    rule: "one row per person; goes with its channel, or when the person is erased: late messages are recognised by it",
  },
  media: {
    group: "media",
    setting: "RECADO_KEEP_MEDIA",
    rule: "files go after the term or their acknowledgement; rows after 90 days, or a week after the term",
    prune: (env, now) =>
      untilDone(env, (tx, limit) =>
        pruneMedia(tx, before(now, Math.max(GONE_MEDIA_MS, env.config.keep.media + WORK_MS)), limit),
      ),
  },
  stored_items: {
    group: "media",
    rule: "goes with its file, or its document; the file of a message that waits stays until the message has ended",
  },
  batches: {
    group: "batches",
    setting: "RECADO_KEEP_BATCHES",
    rule: "one that is not finished stays",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneBatches(tx, before(now, env.config.keep.batches), limit)),
  },
  batch_recipients: { group: "batches", rule: "goes with its batch" },
  usage_days: {
    group: "usage",
    setting: "RECADO_KEEP_USAGE",
    rule: "what was not invoiced stays, and what an unpaid invoice is for",
    prune: pruneAllUsage,
  },
  activity_hours: {
    group: "usage",
    setting: "RECADO_KEEP_USAGE",
    rule: "at most 90 days: they make pictures, and no bill",
    prune: (env, now) =>
      untilDone(env, (tx, limit) =>
        pruneActivity(tx, Math.floor(before(now, Math.min(ACTIVITY_MS, env.config.keep.usage)) / HOUR_MS), limit),
      ),
  },
  usage_conversations: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days" },
  charge_days: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days" },
  reported_charges: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days" },
  llm_spending: {
    group: "usage",
    rule: "7 days: budgets count one day",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneSpending(tx, utcDayOf(now - WORK_MS), limit)),
  },
  llm_usage: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days" },
  daily_sends: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days" },
  charge_windows: {
    group: "usage",
    rule: "8 days: receipts come late",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneChargeWindows(tx, before(now, REPEATED_MS), limit)),
  },
  processor_events: {
    group: "usage",
    rule: "730 days: longer than a payment can be disputed",
    prune: (env, now) =>
      untilDone(env, (tx, limit) => pruneProcessorEvents(tx, before(now, PROCESSOR_EVENT_MS), limit)),
  },
  invoices: { group: "usage", rule: FOR_GOOD },
  billing_customers: { group: "usage", rule: FOR_GOOD },
  audit_entries: {
    group: "audit",
    setting: "RECADO_KEEP_AUDIT",
    rule: "the chain of what stays can still be verified",
    prune: (env, now) => pruneAuditLog(env, before(now, env.config.keep.audit)),
  },
  erasures: {
    group: "audit",
    rule: "90 days after it was done, without names; the audit log has it longer",
    prune: (env, now) => env.db.write((tx) => pruneErasures(tx, before(now, ERASURE_MS))),
  },
  mails: {
    group: "mail",
    setting: "RECADO_KEEP_MAIL",
    rule: "one that is still to be sent stays",
    prune: (env, now) => older(env, before(now, env.config.keep.mail), pruneMails),
  },
  troubles: {
    group: "work",
    rule: "90 days after it is over",
    prune: (env, now) => env.db.write((tx) => pruneTroubles(tx, before(now, TROUBLE_MS))),
  },
  alert_notices: { group: "work", rule: "90 days; deleted together with troubles" },
  jobs: { group: "work", rule: "goes when it is done" },
  discarded_jobs: {
    group: "work",
    rule: "7 days",
    prune: (env, now) => env.db.write(async (tx) => pruneJobs(tx, before(now, WORK_MS))),
  },
  cron_runs: { group: "work", rule: "7 days; deleted together with dead jobs" },
  queues: { group: "work", rule: "one row per queue; those of a channel go with it" },
  rate_windows: {
    group: "work",
    rule: "a minute",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneRateWindows(tx, Math.floor(now / MINUTE_MS), limit)),
  },
  processes: { group: "work", rule: OF_PROCESS },
  leases: { group: "work", rule: OF_PROCESS },
  groups: {
    group: "setup",
    rule: "30 days after its end, and with its channel",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneGroups(tx, before(now, DELETED_GROUP_MS), limit)),
  },
  key_rows: {
    group: "setup",
    rule: "goes with its channel; addresses after 7 days, menus after 3",
    prune: (env, now) =>
      untilDone(env, (tx, limit) => {
        tx.atCommit(forgetKeyRows);
        return pruneKeyRows(tx, now, limit);
      }),
  },
  subscriptions: {
    group: "setup",
    rule: "the webhook of a deleted channel goes once nothing waits for it",
    prune: pruneWebhooks,
  },
  templates: {
    group: "setup",
    rule: "goes with its channel; one that the network never answered after an hour",
    prune: (env, now) => env.db.write((tx) => takeBackDrafts(tx, { beforeMs: now - HOUR_MS })),
  },
  conversation_holders: { group: "conversations", rule: WITH_CHANNEL },
  call_permissions: { group: "setup", rule: WITH_CHANNEL },
  channels: { group: "setup", rule: "stays until it is deleted" },
  key_stores: { group: "setup", rule: WITH_CHANNEL },
  vault: { group: "setup", rule: WITH_CHANNEL },
  cloud_numbers: { group: "setup", rule: WITH_CHANNEL },
  flows: { group: "setup", rule: WITH_CHANNEL },
  agents: { group: "setup", rule: WITH_CHANNEL },
  documents: { group: "setup", rule: "goes with its agent" },
  chunks: { group: "setup", rule: "goes with its document" },
  chunk_bits: { group: "setup", rule: "goes with its document" },
  tenants: { group: "setup", rule: WITH_TENANT },
  users: { group: "setup", rule: WITH_TENANT },
  invitations: {
    group: "work",
    rule: "until they end",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneEnded(tx, now, limit)),
  },
  user_links: {
    group: "work",
    rule: "until they end",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneUserLinks(tx, now, limit)),
  },
  pairing_links: {
    group: "work",
    rule: "until a day after they end",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneLinks(tx, now, limit)),
  },
  passkey_links: {
    group: "work",
    rule: "until they end",
    prune: (env, now) => untilDone(env, (tx, limit) => prunePasskeyLinks(tx, now, limit)),
  },
  user_sessions: {
    group: "work",
    rule: "until its tokens have ended",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneSessions(tx, now, limit)),
  },
  operators: { group: "setup", rule: "until they are deleted" },
  operator_links: { group: "work", rule: "until they end; deleted together with console_sessions" },
  console_people: { group: "setup", rule: "goes with its operator or user" },
  passkeys: { group: "setup", rule: "until they are deleted; goes with its operator or user" },
  console_sessions: {
    group: "work",
    rule: "30 days after its end: it shows from where its person has signed in",
    prune: (env, now) => untilDone(env, (tx, limit) => pruneConsole(tx, now, limit)),
  },
  sign_in_steps: { group: "work", rule: "until they end; deleted together with console_sessions" },
  members: { group: "setup", rule: WITH_TENANT },
  tenant_counts: { group: "setup", rule: WITH_TENANT },
  api_keys: { group: "setup", rule: "a revoked one stays: the audit log names it" },
  llm_settings: { group: "setup", rule: WITH_TENANT },
  business_hours: { group: "setup", rule: WITH_TENANT },
  plans: { group: "setup", rule: "what invoices were made by stays" },
  wrapped_keys: { group: "setup", rule: "a few keys; one that has ended goes at the next rotation" },
  meta: { group: "setup", rule: "a few values of the installation" },
  migrations: { group: "setup", rule: "which migrations were applied" },
};

/** The table as Markdown, as docs/settings.md shows it. */
export const retentionTable = (): string => {
  const line = ([table, { rule, setting }]: [string, Retention]): string =>
    `| \`${table}\` | ${setting === undefined ? "–" : `\`${setting}\``} | ${rule} |`;
  return ["| Table | Setting | Rows stay |", "|---|---|---|", ...Object.entries(RETENTION).map(line)].join("\n");
};
