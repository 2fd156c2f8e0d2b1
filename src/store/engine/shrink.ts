import type { Db } from "./db.ts";

/** Frees the pages that the connections to a local file keep: up to 80 MB, which the next reads fill again. */
export const shrinkCaches = async (db: Db): Promise<void> => {
  if (db.isShared) return;
  const shrink = "PRAGMA shrink_memory";
  await db.read((reader) => reader.rows(shrink));
  await db.write((tx) => tx.rows(shrink), { isDurable: false });
};
