import { expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { COLLECTION_NAMES, type Collection } from "../../../src/kernel/collections.ts";
import { storeTables } from "../../support/store-tables.ts";

/** TABLE: the table of each limited collection. */
const LIMITED: Record<Collection, string> = {
  institutions: "tenants",
  members: "members",
  keys: "api_keys",
  channels: "channels",
  webhooks: "subscriptions",
  contacts: "contacts",
  scheduled: "scheduled",
  templates: "templates",
  flows: "flows",
  groups: "groups",
  "stored-bytes": "stored_items",
  "keyed-requests": "keyed_requests",
  lookups: "lookups",
  documents: "documents",
  chunks: "chunks",
};

/** TABLE: why a table needs no limit of its own. */
const UNLIMITED: Record<string, string> = {
  activity_hours: "one per channel and hour; kept for 90 days",
  agents: "one per channel",
  alert_notices: "made by troubles, one per kind and minute at most; kept for 90 days",
  troubles: "one per channel, webhook or kind; kept for 90 days after it is over",
  ai_conversations: "made by people who write; closed and forgotten with time",
  ai_turns: "made by people who write, and answers to them",
  attempts: "made by deliveries; kept for 30 days",
  audit_entries: "made by administrative acts, which the rate of requests bounds; kept as evidence",
  batch_recipients: "at most 10,000 per batch",
  batches: "three under way per channel (P-345), ten made per minute (P-350)",
  billing_customers: "one per account",
  business_hours: "one per account, and one per channel",
  processes: "one per process",
  call_permissions: "one per channel and person",
  calls: "made by people who call, and by requests within their rate",
  charge_days: "a few per channel and day, made by receipts",
  charge_windows: "made by messages; kept for days",
  cloud_numbers: "one per channel",
  conversation_holders: "one per channel and person",
  console_people: "one per operator and user",
  console_sessions: "at most 100 per operator and user",
  operator_links: "made by the administrator; an hour",
  operators: "made by the administrator",
  passkeys: "at most 20 per operator and user",
  sign_in_steps: "at most five per person, and made within the rate of requests; ten minutes",
  conversations: "made by messages: one is open per channel and contact",
  cron_runs: "made by the timetable; kept for days",
  daily_sends: "one per account and day",
  discarded_jobs: "made by our own faults; kept for days",
  departed_channels: "one per deleted channel of which messages wait",
  deliveries: "made by events, one per webhook, whose number is limited; kept for 30 days",
  early_acts: "made by networks; at most 1000 per channel, for a day",
  erasures: "made by the administrator; forgotten with time",
  events: "made by what happens; kept for 30 days",
  fallbacks: "at most one per message",
  leases: "one per channel",
  idempotency_keys: "made by sends; kept for a day",
  identities: "made by people of a network",
  inbox: "made by messages that come in; kept for 90 days",
  invitations: "at most 100 pending per institution",
  invoices: "one per account and month, and those of the administrator",
  jobs: "one per thing that is to be done, which has a limit of its own",
  key_stores: "one per channel",
  queues: "one per channel, webhook or account",
  llm_settings: "one per account",
  llm_spending: "one per account, agent, contact and day; kept for 7 days",
  llm_usage: "one per account, day and model",
  mails: "made by the stages of dunning, and by links to users, which have a rate",
  media: "made by messages that come in; their bytes are limited",
  cached_messages: "made by messages; kept for 90 days",
  message_acts: "one reaction and edit of a person per message",
  messages: "made by sends, which have a rate and a limit per day",
  meta: "as many as the program has names",
  pairing_links: "twenty open ones per channel; a day after their end",
  passkey_links: "one per linking that wants a passkey; ten minutes",
  plans: "made by the administrator",
  processor_events: "made by the payment processor; kept for two years",
  rate_windows: "one per account and minute; forgotten after it",
  reported_charges: "a few per channel and day, made by the network's own count",
  received_messages: "made by people who write",
  key_rows: "made by the encryption of a session",
  tenant_counts: "one per account and collection that is counted so",
  upstream_envelopes: "made by networks; kept for days",
  usage_conversations: "made by messages",
  usage_days: "one per account and day",
  user_links: "three per user, purpose and hour, which end",
  user_sessions: "at most 100 per user",
  users: "made by registration, which the operator opens or closes",
  vault: "as many as a channel's kind has secrets",
  wrapped_keys: "a few per rotation of the master key",
};

const tables = async (): Promise<string[]> => (await storeTables()).map((table) => getTableConfig(table).name);

test("every table has a limit, or a reason to need none", async () => {
  const named = await tables();
  expect(named.length).toBeGreaterThan(40);
  const known = [...Object.values(LIMITED), ...Object.keys(UNLIMITED)];
  expect(named.filter((table) => !known.includes(table))).toEqual([]);
  expect(known.filter((table) => !named.includes(table))).toEqual([]);
  expect(Object.keys(LIMITED).toSorted()).toEqual(COLLECTION_NAMES.toSorted());
});
