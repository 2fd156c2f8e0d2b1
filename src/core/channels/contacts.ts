import { ONBOARDING_FIELDS } from "../../contract/abilities/onboarding.ts";
import type { ContactsSynced, SyncProgress } from "../../contract/events.ts";
import { iso } from "../../kernel/clock.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type ChannelRow, updateChannel } from "../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { publish } from "../events/publish.ts";
import type { ChannelsEnv } from "./env.ts";
import { type InboundContext, learnIdentity } from "./identity.ts";
import { isFirst } from "./links/repeats.ts";

/**
 * Receives entries of the owner's address book. Learns the people in it with the owner's name for them, and publishes
 * all entries once.
 */
export const receiveContacts = async (
  env: ChannelsEnv,
  tx: Tx,
  context: InboundContext,
  event: ContactsSynced,
): Promise<void> => {
  const { channel, environment } = context;
  if (!(await isFirst(env, tx, context, { providerMessageId: `contacts/${event.nativeId}` }))) return;
  const contacts: ContactsSynced["contacts"] = [];
  for (const contact of event.contacts) {
    const name = contact.action === "add" ? contact.name : null;
    contacts.push({
      ...contact,
      identity: await learnIdentity(tx, context, { identity: contact.identity, at: event.at, name }),
    });
  }
  await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, { type: "contacts.synced", contacts });
};

/**
 * Records that a sync is complete. Its progress before that, or the owner's refusal, is only logged for the operator.
 */
export const recordSync = async (
  env: ChannelsEnv,
  tx: Tx,
  channel: ChannelRow,
  { what, at, percent, refusal, imported }: SyncProgress,
): Promise<void> => {
  if (imported !== undefined) return recordImport(env, tx, channel, { percent, imported, at });
  env.log.info(
    { channelId: channel.id, what, percent, ...(refusal === undefined ? {} : { refusal }) },
    "sync with the network's own app",
  );
  if (percent < 100) return;
  await updateChannel(tx, EVERY_TENANT, channel.id, {
    profile: { ...channel.profile, [ONBOARDING_FIELDS.syncedAt[what]]: iso(at) },
  });
};

/** The progress of a channel's history import, as its profile stores it. */
export type ImportProgress = { percent: number; imported: number; updatedAt: string };

/** The phone continues its count: a piece that was requested later does not set the progress back. */
const recordImport = async (
  env: ChannelsEnv,
  tx: Tx,
  channel: ChannelRow,
  { percent, imported, at }: { percent: number; imported: number; at: number },
): Promise<void> => {
  const before = importOf(channel);
  const progress: ImportProgress = {
    percent: Math.max(before?.percent ?? 0, percent),
    imported: (before?.imported ?? 0) + imported,
    updatedAt: iso(at),
  };
  await updateChannel(tx, EVERY_TENANT, channel.id, { profile: { ...channel.profile, historyImport: progress } });
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel },
    { type: "history.progressed", percent: progress.percent, imported },
  );
};

/** Null before the first piece of history. */
export const importOf = ({ profile }: Pick<ChannelRow, "profile">): ImportProgress | null =>
  (profile["historyImport"] as ImportProgress | undefined) ?? null; // `recordImport` alone writes it
