import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { composeOffline } from "./app.ts";
import type { ServerEnv } from "./composition.ts";
import { createLog } from "./kernel/log.ts";
import { type Addresses, addressesOf } from "./kernel/network/addresses.ts";
import { readConfig } from "./kernel/settings/config.ts";
import { mountApis } from "./mounts.ts";

/** Composes a process with default settings on an empty database, gives it to `use`, and removes it. */
export const onEmptyDatabase = async <Value>(
  use: (env: ServerEnv, addresses: Addresses) => Promise<Value>,
): Promise<Value> => {
  const dataDir = mkdtempSync(join(tmpdir(), "recado-description-"));
  try {
    const read = readConfig({ RECADO_DATA_DIR: dataDir });
    if (!read.ok) throw new Error(read.faults.join("; "));
    const toStderr = { write: (line: string) => void process.stderr.write(line) }; // stdout is the command's
    const { env, close } = await composeOffline(read.config, createLog("error", toStderr));
    try {
      return await use(env, addressesOf(read.config, read.config.listen.port));
    } finally {
      await close();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
};

/** The OpenAPI description of an API, as a server with default settings serves it. */
export const descriptionOf = (api: "platform" | "gateway"): Promise<unknown> =>
  onEmptyDatabase(async (env, addresses) => {
    const handle = mountApis({ ...env }, addresses);
    const response = await handle(new Request(`http://localhost/${api}/openapi.json`));
    if (!response.ok) throw new Error(`the description cannot be made: ${await response.text()}`);
    return await response.json();
  });
