import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { MediaConfig } from "../../kernel/settings/config.ts";
import { checkedKey } from "./file-keys.ts";
import { createS3Store } from "./s3-storage.ts";

type Listed = { key: string; sizeBytes: number | null };

/** Requests to a store at once. */
const AT_ONCE = 16;

/** The size of a stored file; undefined if there is none. Makes no folder. */
const sizeIn = (media: MediaConfig): ((key: string) => Promise<number | undefined>) => {
  if (media.kind === "disk") {
    return async (key) => (await stat(join(media.dir, checkedKey(key))).catch(() => undefined))?.size;
  }
  const store = createS3Store(media);
  return async (key) => (await store.read(key))?.sizeBytes;
};

/** The files that are missing in the store or have another size. Rejects when the store does not answer. */
export const missingFiles = async <File extends Listed>(
  media: MediaConfig,
  files: readonly File[],
): Promise<File[]> => {
  const sizeOf = sizeIn(media);
  const missing: File[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const some = files.slice(start, start + AT_ONCE);
    const sizes = await Promise.all(some.map(({ key }) => sizeOf(key)));
    missing.push(
      ...some.filter(
        ({ sizeBytes }, index) => sizes[index] === undefined || (sizeBytes !== null && sizes[index] !== sizeBytes),
      ),
    );
  }
  return missing;
};
