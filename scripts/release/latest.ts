import { join } from "node:path";
import { releaseIn } from "../../src/core/updates.ts";
import type { Release } from "./bill.ts";

/**
 * Writes latest.json, by which servers learn of a release: its address is what their RECADO_UPDATE_URL names. `notes`:
 * the address of what has changed. `minimum`: the oldest version that may stay in use.
 * @throws for what servers would not read.
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
