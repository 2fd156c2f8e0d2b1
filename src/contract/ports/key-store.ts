import type { ChannelEvent, ProviderMessageId } from "../events.ts";

/**
 * The keys and cached messages of a link with end-to-end encryption, sealed at rest. Keys change with every message. A
 * key store has one owner at a time. After a later `openKeyStore`, the earlier one can read and no longer write.
 */
export type KeyStore = {
  /** The values of the existing rows of a kind, by id. */
  read(kind: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** The cached message; undefined when there is none or it has expired. */
  cachedMessage(key: ProviderMessageId): Promise<string | undefined>;
  /**
   * Writes keys and events in one transaction, which is on disk when this resolves. A key never changes without the
   * event that was read with it.
   * @throws KeyStoreLost after another `openKeyStore` took over.
   */
  write(changes: KeyChanges): Promise<void>;
};

/**
 * `wipe`: deletes every row first; cached messages stay. A row without a value is deleted. `events` are ingested in
 * order, as by `host.emit`.
 */
export type KeyChanges = {
  wipe?: boolean;
  rows?: readonly KeyRow[];
  messages?: readonly { key: ProviderMessageId; value: string }[];
  events?: readonly ChannelEvent[];
};

/** `until`: the row is not needed after this time and may be deleted. */
export type KeyRow = { kind: string; id: string; value: string | null; until?: number };

/** A key store restored from a backup, before any link uses it. */
export type RestoredKeyStore = KeyStore & {
  /** The ids of all rows of a kind. */
  idsOf(kind: string): Promise<string[]>;
};

export class KeyStoreLost extends Error {
  override name = "KeyStoreLost";
  constructor() {
    super("the channel's keys have been taken over by a later link");
  }
}
