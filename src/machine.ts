import { statSync } from "node:fs";
import { createDoctor } from "./adapters/machine/doctor.ts";
import type { Machine } from "./contract/ports/machine.ts";
import type { Environment } from "./kernel/reading.ts";
import type { Config } from "./kernel/settings/config.ts";
import { showSettings } from "./kernel/settings/described-config.ts";
import { licences } from "./licences.ts";

const sizeOf = (path: string | undefined): number =>
  path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);

/** The data that operators may know about this program and its place. `environment`: the source of its settings. */
export const machineOf = (
  { listen: { host, port }, dataDir, media }: Config,
  environment: Environment,
  { database, wal }: { database?: string; wal?: string },
): Machine => ({
  examine: createDoctor(environment),
  settings: () => showSettings(environment),
  licences,
  place: { listen: `${host}:${port}`, dataDir, media: media.kind },
  databaseBytes: () => (database === undefined ? undefined : { file: sizeOf(database), log: sizeOf(wal) }),
});
