import { nextTurn } from "../../../src/conformance/recording-host.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { ChannelEvent, ProviderMessageId } from "../../../src/contract/events.ts";
import type { Vault } from "../../../src/contract/plugin.ts";
import { type KeyChanges, type KeyStore, KeyStoreLost } from "../../../src/contract/ports/key-store.ts";

/**
 * The remains of a channel's keys after its process dies: rows, cached messages and the published events. Each
 * `openKeyStore` takes them over from the earlier one.
 */
export type KeyDisk = {
  readonly rows: Map<string, string>;
  readonly events: ChannelEvent[];
  readonly writes: KeyChanges[];
  openKeyStore: Vault["openKeyStore"];
  /**
   * The next write that publishes messages (or `isMeant`) fails: before any byte is on disk, or after all are, so that
   * only the answer is lost.
   */
  failNext(when: "before" | "after", isMeant?: (changes: KeyChanges) => boolean): void;
  /** From now on such writes fail, until the next call. */
  refuse(isMeant: (changes: KeyChanges) => boolean): void;
  /** From now on reads fail. */
  breakReads(): void;
};

/** `yields`: every read and write takes up to so many turns of the event loop. */
export const keyDisk = ({ yields = 0, seed = 1 }: { yields?: number; seed?: number } = {}): KeyDisk => {
  const random = seededRandom(seed);
  const rows = new Map<string, string>();
  const messages = new Map<ProviderMessageId, string>();
  const events: ChannelEvent[] = [];
  const writes: KeyChanges[] = [];
  let epoch = 0;
  let failure: { when: "before" | "after"; isMeant(changes: KeyChanges): boolean } | undefined;
  let isRefused: (changes: KeyChanges) => boolean = () => false;
  let isBroken = false;

  const turns = async () => {
    for (let left = Math.floor(random.float() * (yields + 1)); left > 0; left--) await nextTurn();
  };
  const failIf = (when: "before" | "after", changes: KeyChanges) => {
    if (failure?.when !== when || !failure.isMeant(changes)) return;
    failure = undefined;
    throw new Error(`the disk failed ${when} the write`);
  };
  const take = (changes: KeyChanges) => {
    if (changes.wipe) rows.clear();
    for (const { kind, id, value } of changes.rows ?? []) {
      if (value === null) rows.delete(`${kind}/${id}`);
      else rows.set(`${kind}/${id}`, value);
    }
    for (const { key, value } of changes.messages ?? []) messages.set(key, value);
    events.push(...(changes.events ?? []));
    writes.push(changes);
  };
  const read: KeyStore["read"] = async (kind, ids) => {
    await turns();
    if (isBroken) throw new Error("the disk cannot be read");
    return new Map(ids.flatMap((id) => (rows.has(`${kind}/${id}`) ? [[id, rows.get(`${kind}/${id}`) as string]] : [])));
  };

  return {
    rows,
    events,
    writes,
    failNext: (when, isMeant = ({ events = [] }) => events.length > 0) => {
      failure = { when, isMeant };
    },
    refuse: (isMeant) => {
      isRefused = isMeant;
    },
    breakReads: () => {
      isBroken = true;
    },
    openKeyStore: async () => {
      epoch += 1;
      const mine = epoch;
      return {
        read,
        cachedMessage: async (key) => messages.get(key),
        write: async (changes) => {
          await turns();
          if (mine !== epoch) throw new KeyStoreLost();
          if (isRefused(changes)) throw new Error("the disk refuses the write");
          failIf("before", changes);
          take(changes);
          failIf("after", changes);
          await turns();
        },
      };
    },
  };
};
