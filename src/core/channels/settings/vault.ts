import type { ChannelEvent } from "../../../contract/events.ts";
import type { Vault } from "../../../contract/plugin.ts";
import {
  type KeyChanges,
  type KeyStore,
  KeyStoreLost,
  type RestoredKeyStore,
} from "../../../contract/ports/key-store.ts";
import { MINUTE_MS } from "../../../kernel/clock.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findChannel, readVault, type vault, writeVault } from "../../../store/tables/channels/channels.ts";
import {
  findCopy,
  holdsKeyStore,
  listKeyIds,
  readKeyStore,
  takeKeyStore,
  wipeKeyStore,
  writeCopy,
  writeKeyStore,
} from "../../../store/tables/channels/key-store.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { ChannelsEnv } from "../env.ts";
import { createKeyRows } from "./key-rows.ts";

type SealingEnv = Pick<ChannelsEnv, "db" | "secrets">;
type KeyStoreEnv = SealingEnv & Pick<ChannelsEnv, "clock" | "owners">;

/** The row that a sealed text is bound to: the text opens only in its own row. */
export const vaultRow = (channelId: string, field: string): string => `vault:${channelId}:${field}`;
export const keyStoreRow = (channelId: string, kind: string, id: string): string => `ring:${channelId}:${kind}:${id}`;
export const copyRow = (channelId: string, providerMessageId: string): string =>
  `copy:${channelId}:${providerMessageId}`;

export const sealedFields = (
  { secrets }: Pick<ChannelsEnv, "secrets">,
  channelId: ChannelId,
  fields: Record<string, string>,
): (typeof vault.$inferInsert)[] =>
  Object.entries(fields).map(([field, value]) => ({
    channelId,
    field,
    sealed: secrets.seal(vaultRow(channelId, field), value),
  }));

/**
 * A channel's secrets. A write for a deleted channel is lost with it.
 * @throws Error when reading secrets that were sealed under another master key
 */
export const vaultOf = (env: SealingEnv, channelId: ChannelId): Omit<Vault, "openKeyStore"> => {
  // of the last read: opening costs more than the rest of a read, and every send reads
  let opened = new Map<string, { sealed: string; plain: string }>();
  return {
    async read() {
      const rows = await env.db.read((reader) => readVault(reader, channelId));
      const before = opened;
      opened = new Map(
        rows.map(({ field, sealed }) => {
          const known = before.get(field);
          const plain = known?.sealed === sealed ? known.plain : env.secrets.open(vaultRow(channelId, field), sealed);
          return [field, { sealed, plain }];
        }),
      );
      return Object.fromEntries([...opened].map(([field, { plain }]) => [field, plain]));
    },
    write: (fields) =>
      env.db.write(async (tx) => {
        if (await findChannel(tx, EVERY_TENANT, channelId)) await writeVault(tx, sealedFields(env, channelId, fields));
      }),
  };
};

/** One field of a channel's vault, in a write or a read of the caller; undefined without it. */
export const readVaultField = async (
  { secrets }: Pick<ChannelsEnv, "secrets">,
  r: Reader,
  channelId: ChannelId,
  field: string,
): Promise<string | undefined> => {
  const row = (await readVault(r, channelId)).find((one) => one.field === field);
  return row && secrets.open(vaultRow(channelId, field), row.sealed);
};

type Ingest = (tx: Tx, events: readonly ChannelEvent[]) => Promise<void>;

/**
 * Takes over a channel's key store. `ingest` receives the events that are written with its keys.
 * @throws KeyStoreLost when the channel is gone, or another process owns it
 */
export const openKeyStore = async (env: KeyStoreEnv, channelId: ChannelId, ingest: Ingest): Promise<KeyStore> => {
  const epoch = await env.db.write(async (tx) =>
    (await env.owners.take(tx, channelId)) ? takeKeyStore(tx, channelId) : undefined,
  );
  if (epoch === undefined) throw new KeyStoreLost();
  return keyStoreOf(env, { channelId, epoch }, ingest);
};

/**
 * A channel's key store as it came from a backup.
 * @throws KeyStoreLost when the channel is gone
 */
export const openRestoredKeyStore = async (env: KeyStoreEnv, channelId: ChannelId): Promise<RestoredKeyStore> => ({
  ...(await openKeyStore(env, channelId, async () => {})),
  idsOf: (kind) => env.db.read(async (reader) => listKeyIds(reader, channelId, kind)),
});

/** Reads a channel's keys without taking over its key store. */
export const keyReaderOf = (env: SealingEnv, channelId: ChannelId): Pick<KeyStore, "read"> => ({
  async read(kind, ids) {
    const rows = await env.db.read((reader) => readKeyStore(reader, channelId, kind, ids));
    return new Map(rows.map(({ id, sealed }) => [id, env.secrets.open(keyStoreRow(channelId, kind, id), sealed)]));
  },
});

const keyRows = createKeyRows();
/** How long a row is used although other processes may erase it. */
const SHARED_ROW_MS = MINUTE_MS;

/** Call it when something else than its key store has changed a row. */
export const forgetKeyRows = (): void => keyRows.forget();

const keyStoreOf = (
  env: KeyStoreEnv,
  { channelId, epoch }: { channelId: ChannelId; epoch: number },
  ingest: Ingest,
): KeyStore => {
  const rowsInMemory = keyRows.open(env.db.isShared ? SHARED_ROW_MS : undefined);
  const stored = keyReaderOf(env, channelId);
  const writeNow = (all: () => KeyChanges): Promise<void> =>
    env.db.write(async (tx) => {
      const changes = all();
      if (!(await holdsKeyStore(tx, channelId, epoch))) throw new KeyStoreLost();
      const { rows, messages } = sealedChanges(env, channelId, changes);
      if (changes.wipe) wipeKeyStore(tx, channelId);
      writeKeyStore(tx, channelId, rows);
      for (const copy of messages) writeCopy(tx, copy);
      await ingest(tx, changes.events ?? []);
    });
  const gather = createGathering(writeNow);
  return {
    read: (kind, ids) => rowsInMemory.read(kind, ids, (missing) => stored.read(kind, missing)),
    async cachedMessage(key) {
      const sealed = await env.db.read((reader) => findCopy(reader, channelId, key));
      return sealed === undefined ? undefined : env.secrets.open(copyRow(channelId, key), sealed);
    },
    async write(changes) {
      const end = rowsInMemory.writing(changes);
      try {
        await gather(changes);
        end(true);
      } catch (error) {
        end(false);
        throw error;
      }
    },
  };
};

/** The maximum number of changes in one write. */
const MOST_GATHERED = 100;

/**
 * Joins the changes that come until their write begins into one write, in their order: of the steps of a message's
 * ratchets, and of several messages. A change with events or a wipe is a write of its own, so that it fails alone.
 */
const createGathering = (write: (all: () => KeyChanges) => Promise<void>): KeyStore["write"] => {
  let open: { all: KeyChanges[]; written: Promise<void> } | undefined;
  const begin = () => {
    const all: KeyChanges[] = [];
    const written = write(() => {
      if (open?.all === all) open = undefined;
      return {
        rows: all.flatMap(({ rows = [] }) => rows),
        messages: all.flatMap(({ messages = [] }) => messages),
      };
    });
    // it may be refused before it begins
    written.catch(() => {
      if (open?.all === all) open = undefined;
    });
    return { all, written };
  };
  return (changes) => {
    if (changes.wipe || (changes.events ?? []).length > 0) {
      open = undefined; // later changes are not written before this one
      return write(() => changes);
    }
    if (!open || open.all.length >= MOST_GATHERED) open = begin();
    const { all, written } = open;
    all.push(changes);
    return written;
  };
};

/** If a row has several values, only the last one is sealed. */
const sealedChanges = (
  { secrets, clock }: KeyStoreEnv,
  channelId: ChannelId,
  { rows = [], messages = [] }: KeyChanges,
) => ({
  rows: [...new Map(rows.map((row) => [`${row.kind}/${row.id}`, row])).values()].map(({ kind, id, value, until }) => ({
    kind,
    id,
    sealed: value === null ? null : secrets.seal(keyStoreRow(channelId, kind, id), value),
    until,
  })),
  messages: messages.map(({ key, value }) => ({
    channelId,
    providerMessageId: key,
    sealed: secrets.seal(copyRow(channelId, key), value),
    cachedAt: clock.now(),
  })),
});
