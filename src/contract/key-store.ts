import type { ChannelEvent, ProviderMessageId } from "./events.ts";

/**
 * Where a link that encrypts end to end keeps its keys, which change with every message, and copies of messages as its
 * network knows them. Sealed at rest. There is one holder at a time: a ring that a later `openRing` took over reads on,
 * and writes no more.
 */
export type KeyStore = {
  /** The values of those rows of a kind that there are, by id. */
  read(kind: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** The copy of a message; undefined when there was none or it is over. */
  cachedMessage(key: ProviderMessageId): Promise<string | undefined>;
  /**
   * One write, on disk when it resolves: keys never change without what was read with them being told. Throws
   * `RingLost` when the ring has been taken over.
   */
  write(changes: KeyChanges): Promise<void>;
};

/**
 * `wipe`: every row goes first; copies stay. A row without value goes. `events` are taken in as by `host.emit`, in
 * order.
 */
export type KeyChanges = {
  wipe?: boolean;
  rows?: readonly KeyRow[];
  messages?: readonly { key: ProviderMessageId; value: string }[];
  events?: readonly ChannelEvent[];
};

/** `until`: from then on nobody needs it, and it may be deleted at any time. */
export type KeyRow = { kind: string; id: string; value: string | null; until?: number };

/** A key ring that comes from a backup, before any link uses it. */
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
