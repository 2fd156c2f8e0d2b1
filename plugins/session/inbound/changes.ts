import type { Identity } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyChanges, KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import type { Unknowns } from "./content/unknown.ts";

/** The context of reading a message. `own`: the names of the account itself. */
export type Reading = {
  host: Pick<ChannelHost, "clock" | "log">;
  keyStore: KeyStore;
  own: Identity;
  unknowns: Unknowns;
};

export const NOTHING: KeyChanges = {};

/** The changes of several readings, in their order. */
export const merged = (all: readonly KeyChanges[]): KeyChanges => ({
  rows: all.flatMap(({ rows = [] }) => rows),
  messages: all.flatMap(({ messages = [] }) => messages),
  events: all.flatMap(({ events = [] }) => events),
});

/** A reader of the key store that also sees rows that are not written yet. */
export const seeing = (keyStore: Pick<KeyStore, "read">, unwritten: readonly KeyRow[]): Pick<KeyStore, "read"> => ({
  async read(kind, ids) {
    const found = await keyStore.read(kind, ids);
    for (const row of unwritten.filter((one) => one.kind === kind && ids.includes(one.id))) {
      if (row.value === null) found.delete(row.id);
      else found.set(row.id, row.value);
    }
    return found;
  },
});
