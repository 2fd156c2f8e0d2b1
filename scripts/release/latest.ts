import { join } from "node:path";
import { releaseIn } from "../../src/core/updates.ts";
import type { Release } from "./bill.ts";

/**
 * Writes latest.json, by which servers learn of a release. Their RECADO_UPDATE_URL has its address. `notes`: the
 * address of the changes. `minimum`: the oldest version that may stay in use.
 * @throws if servers could not read it.
 */
export const writeLatest = async (
  folder: string,
  { version, time }: Pick<Release, "version" | "time">,
  more: { notes?: string | undefined; minimum?: string | undefined },
): Promise<void> => {
  const date = new Date(time * 1000).toISOString().slice(0, 10);
  const given = Object.entries(more).filter(([, value]) => value !== undefined);
  const read = releaseIn({ version, date, ...Object.fromEntries(given) });
  if (!read.ok) throw new Error(`latest.json: ${read.reason}`);
  await Bun.write(join(folder, "latest.json"), `${JSON.stringify(read.release, undefined, 2)}\n`);
};
