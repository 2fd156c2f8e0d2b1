import type { Environment } from "../../kernel/reading.ts";
import type { Config } from "../../kernel/settings/config.ts";

/** The setting of Bun for the requests of its client in flight (256 by default). The media store is reached through it. */
const MAX_HTTP_REQUESTS = "BUN_CONFIG_MAX_HTTP_REQUESTS";
/** The setting of Bun for the size of memory that its heap assumes: the smaller, the sooner garbage is collected. */
const HEAP_RAM = "BUN_JSC_forceRAMSize";
/** With less memory than this, memory outside the heap (caches, native libraries, the system) is most of it. */
const SMALL_BYTES = 1.5 * 2 ** 30;

/** The missing settings that Bun needs before the program runs. `memoryBytes`: of the machine, or of the container. */
export const runtimeSettings = (
  { media }: Pick<Config, "media">,
  env: Environment,
  memoryBytes: number,
): Record<string, string> => {
  const wanted = {
    ...(media.kind === "s3" ? { [MAX_HTTP_REQUESTS]: "4096" } : {}),
    ...(memoryBytes < SMALL_BYTES ? { [HEAP_RAM]: String(Math.floor(memoryBytes / 2)) } : {}),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => env[name] === undefined));
};
