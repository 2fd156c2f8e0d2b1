import { join } from "node:path";
import type { FileStore, Files } from "../../contract/ports/files.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { createDiskStore } from "./disk-storage.ts";
import { createS3Store } from "./s3-storage.ts";
import { createTempFiles } from "./temp-files.ts";

/** The folder of temporary files, such as uploads that are being received. */
export const tempDirOf = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "temp");

/**
 * The files of an installation. Unfinished files of a crash are removed: only one process may use the directories.
 *
 * @throws when a directory cannot be made or written.
 */
export const createFiles = (config: Pick<Config, "media" | "dataDir">, metrics: Metrics): Files => ({
  store: counted(
    config.media.kind === "disk" ? createDiskStore(config.media.dir) : createS3Store(config.media),
    metrics,
  ),
  writeTempFile: createTempFiles(tempDirOf(config)),
});

const counted = (store: FileStore, metrics: Metrics): FileStore => ({
  ...store,
  async put(...file) {
    const stored = await store.put(...file);
    metrics.count("recado_media_stored_bytes_total", {}, stored.sizeBytes);
    return stored;
  },
});
