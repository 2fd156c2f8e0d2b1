import { join } from "node:path";
import type { Files } from "../core/env.ts";
import type { Config } from "../kernel/config.ts";
import { createDiskStore } from "./disk-storage.ts";
import { createS3Store } from "./s3-storage.ts";
import { sniffedType } from "./sniff.ts";
import { createSpool } from "./spool.ts";

/** The files of an installation. What a crash left unfinished is removed, so that only one process may use them. Throws when a directory cannot be had. */
export const createFiles = ({ media, dataDir }: Pick<Config, "media" | "dataDir">): Files => ({
  store: media.kind === "disk" ? createDiskStore(media.dir) : createS3Store(media),
  spool: createSpool(join(dataDir, "spool")),
  sniffedType,
});
