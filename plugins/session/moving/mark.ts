import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";

const [KIND, ID] = ["moved", "in"];

/** The row with the time since when the identity is here, and its original format. */
export const movedRow = (at: number, format: string): KeyRow => ({
  kind: KIND,
  id: ID,
  value: JSON.stringify({ at, format }),
});

/** Whether the identity has come from another program, which may still run. */
export const hasMovedIn = async (keyStore: Pick<KeyStore, "read">): Promise<boolean> =>
  (await keyStore.read(KIND, [ID])).has(ID);
