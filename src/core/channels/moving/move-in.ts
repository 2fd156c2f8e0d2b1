import type { MovingApi, ReadIdentity, StoredIdentity, StoredSummary } from "../../../contract/abilities/moving.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import type { KeyRow } from "../../../contract/ports/key-store.ts";
import { othersServed } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { type ChannelRow, insertChannel, listByPhoneNumber } from "../../../store/tables/channels/channels.ts";
import { type SealedRow, writeKeyStore } from "../../../store/tables/channels/key-store.ts";
import { insertSubscription } from "../../../store/tables/events/subscriptions.ts";
import { newSubscription } from "../../events/subscriptions.ts";
import { getAccount } from "../../tenancy/accounts/accounts.ts";
import { type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import { newChannelRow, refuseSecondHolder, requireRoomForChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { keyReaderOf, keyStoreRow } from "../settings/vault.ts";
import { checkedWebhook, type WebhookInput } from "../settings/webhooks.ts";

/** An identity from another program. `isLastState`: see `ReadOptions`. */
export type MoveIn = { stored: StoredIdentity; isLastState: boolean };

/** The result of a check before moving in. `problems`: why the identity cannot come in; empty if it can. */
export type MoveInReport = StoredSummary & { phoneNumber: string | null; problems: readonly string[] };

type Mover = ChannelPlugin & { moving: MovingApi };

/** More rows than any account has. */
const MAX_ROWS = 200_000;
/** Rows that are sealed before other work is served. */
const SEALED_AT_ONCE = 500;
/** Rows of one statement. */
const WRITTEN_AT_ONCE = 2000;

/** @throws AppError VALIDATION for a format that no adapter reads */
const moverOf = ({ registry }: Pick<ChannelsEnv, "registry">, format: string): Mover => {
  const isMover = (adapter: ChannelPlugin): adapter is Mover => adapter.moving?.formats.includes(format) === true;
  const found = registry.adapters.find(isMover);
  if (!found) throw invalid(issue("format", "enum", "is not a format that an adapter here reads"));
  return found;
};

const readWith = async (
  env: ChannelsEnv,
  { moving, kind }: Mover,
  { stored, isLastState }: MoveIn,
): Promise<ReadIdentity> => {
  const read = await moving.read(stored, { isLastState, at: env.clock.now() }, env);
  if (!read.ok) return read;
  const { keys, notes, phoneNumber, rows } = read;
  const holder = await holderOf(env, { moving, kind }, read);
  const problems = [
    ...(rows.length > MAX_ROWS ? [`it has more than ${MAX_ROWS} keys`] : []),
    ...(holder ? [`the channel ${holder.id} has this session already: POST …/reconnect connects it`] : []),
  ];
  return problems.length === 0 ? read : { ok: false, keys, notes, phoneNumber, problems };
};

/** The channel with the same identity at the network, whichever tenant it belongs to. */
const holderOf = async (
  env: ChannelsEnv,
  { moving, kind }: Pick<Mover, "moving" | "kind">,
  { phoneNumber, marks }: { phoneNumber: string; marks: readonly string[] },
): Promise<ChannelRow | undefined> => {
  for (const channel of await env.db.read((reader) => listByPhoneNumber(reader, kind, phoneNumber))) {
    const known = await moving.marksOf(keyReaderOf(env, channel.id));
    if (known.some((mark) => marks.includes(mark))) return channel;
  }
  return undefined;
};

/** Describes an identity of another program, and changes nothing. @throws AppError VALIDATION for an unknown format */
export const inspectMoveIn = async (env: ChannelsEnv, given: MoveIn): Promise<MoveInReport> => {
  const read = await readWith(env, moverOf(env, given.stored.format), given);
  const { keys, notes, phoneNumber = null } = read;
  return { keys, notes, phoneNumber, problems: read.ok ? [] : read.problems };
};

/** The owner of the new channel, its name (default: its number), and its webhook. */
export type NewHome = { accountId: string; label?: string | undefined; webhook?: WebhookInput | undefined };

/**
 * Makes a channel from an identity of another program. Everything is one write. The channel is `CONNECTING`: the next
 * start connects it, or `reconnectChannel`.
 * @throws AppError TENANT_NOT_FOUND, VALIDATION with the faults of the identity or the webhook, CHANNEL_EXISTS when
 *   another channel has it, or LIMIT_REACHED
 */
export const moveIn = async (
  env: ChannelsEnv,
  by: Requester,
  { accountId, label, webhook: given }: NewHome,
  asked: MoveIn,
): Promise<{ channel: ChannelRow; report: MoveInReport }> => {
  const { id: tenantId } = await getAccount(env, accountId);
  const mover = moverOf(env, asked.stored.format);
  const webhook = given && (await checkedWebhook(env, given));
  const read = await readWith(env, mover, asked);
  if (!read.ok) throw invalid(...read.problems.map((problem) => issue("session", "format", problem)));
  const { phoneNumber, marks, rows, keys, notes } = read;
  const row = newChannelRow(
    env,
    { tenantId },
    { kind: mover.kind, label: label ?? phoneNumber, state: "CONNECTING" },
    {},
  );
  // with a time of validation it is connected at the next start, and found by its mark
  const channel: ChannelRow = { ...row, phoneNumber, numberId: marks[0] ?? null, validatedAt: row.createdAt };
  const sealed = await sealedRows(env, channel, rows);
  const of = { audience: webhook?.audience ?? "", kind: "phone" } as const;
  const subscription =
    webhook && newSubscription(env, tenantId, of, { ...webhook, name: channel.label, channelId: channel.id });
  await env.db.write(async (tx) => {
    // a newcomer, whatever its mark: of two imports at once one is refused
    await refuseSecondHolder(env, tx, { ...channel, validatedAt: null });
    await requireRoomForChannel(env, tx, { tenantId });
    await insertChannel(tx, channel);
    for (let from = 0; from < sealed.length; from += WRITTEN_AT_ONCE)
      writeKeyStore(tx, channel.id, sealed.slice(from, from + WRITTEN_AT_ONCE));
    if (subscription) await insertSubscription(tx, subscription);
    const details = { kind: channel.kind, format: asked.stored.format };
    await recordAct(env, tx, by, { action: "channel.move-in", target: channel.id, tenantId, details });
  });
  return { channel, report: { keys, notes, phoneNumber, problems: [] } };
};

/** Sealed before the write begins; other work is served in between. */
const sealedRows = async (
  { secrets }: Pick<ChannelsEnv, "secrets">,
  { id: channelId }: ChannelRow,
  rows: readonly KeyRow[],
): Promise<SealedRow[]> => {
  const sealed: SealedRow[] = [];
  for (const { kind, id, value, until } of rows) {
    if (value === null) continue;
    sealed.push({ kind, id, sealed: secrets.seal(keyStoreRow(channelId, kind, id), value), until });
    if (sealed.length % SEALED_AT_ONCE === 0) await othersServed();
  }
  return sealed;
};
