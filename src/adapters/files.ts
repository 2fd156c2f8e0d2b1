import { join } from "node:path";
import type { Files } from "../core/env.ts";
import type { Config } from "../kernel/config.ts";
import { createDiskStore } from "./disk-storage.ts";
import { createS3Store } from "./s3-storage.ts";
import { sniffedType } from "./sniff.ts";
import { createSpool } from "./spool.ts";

/** Where files lie while they are on their way. */
export const spoolDirOf = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "spool");

/** The files of an installation. What a crash left unfinished is removed, so that only one process may use them. Throws when a directory cannot be had. */
export const createFiles = (config: Pick<Config, "media" | "dataDir">): Files => ({
  store: config.media.kind === "disk" ? createDiskStore(config.media.dir) : createS3Store(config.media),
  spool: createSpool(spoolDirOf(config)),
  sniffedType,
});
