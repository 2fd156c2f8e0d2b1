import { existsSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { piecesOfFile } from "../../kernel/local-files.ts";
import type { MediaConfig } from "../../kernel/settings/config.ts";
import { createS3Store } from "./s3-storage.ts";

/**
 * The place of an installation's backups. Names are those of `backupName`. Other files there, such as backups of other
 * installations, are neither listed nor removed.
 */
export type BackupLocation = {
  /** The path at which a backup is made before `keep` stores it. */
  draft: string;
  /**
   * Stores the draft under a name, atomically. Rejects when it cannot be stored or is aborted; the draft may still
   * exist then, and nothing at the location.
   */
  keep(name: string, sizeBytes: number, signal: AbortSignal): Promise<void>;
  /** The names of all stored backups, the oldest first. */
  names(): Promise<string[]>;
  /** The size of a stored backup; undefined when it was removed meanwhile. */
  sizeOf(name: string): Promise<number | undefined>;
  remove(name: string): Promise<void>;
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/;

const prefixOf = (installation: string): string => `recado-${installation}-`;

/** The name of a backup by its time: the names of one installation sort by time. */
export const backupName = (installation: string, madeAtIso: string): string =>
  `${prefixOf(installation)}${madeAtIso.replaceAll(/[:.]/g, "-")}.db`;

/** When a backup was made, by its name. */
export const madeAtOf = (name: string): number => {
  const [, day = "", hour, minute, second, ms] =
    /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.db$/.exec(name) ?? [];
  return Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
};

const ownNames = (names: readonly string[], installation: string): string[] => {
  const prefix = prefixOf(installation);
  return names.filter((name) => name.startsWith(prefix) && TIME.test(name.slice(prefix.length))).sort();
};

const folderLocation = (dir: string, installation: string): BackupLocation => {
  const draft = join(dir, `.${prefixOf(installation)}backup.partial`);
  return {
    draft,
    async keep(name) {
      const path = join(dir, name);
      if (existsSync(path)) throw new Error(`${path} exists already`);
      await rename(draft, path);
      await using folder = await open(dir, "r");
      await folder.sync();
    },
    names: async () => ownNames(await readdir(dir), installation),
    sizeOf: async (name) => (await stat(join(dir, name)).catch(() => undefined))?.size,
    remove: (name) => rm(join(dir, name)),
  };
};

/** A body that ends with an error as soon as it is aborted. */
async function* until(signal: AbortSignal, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    signal.throwIfAborted();
    yield chunk;
  }
}

const bucketLocation = (
  place: Extract<MediaConfig, { kind: "s3" }>,
  { installation, localDraft: draft }: Owner,
): BackupLocation => {
  const store = createS3Store(place);
  return {
    draft,
    async keep(name, sizeBytes, signal) {
      await store.put(name, until(signal, piecesOfFile(draft)), {
        contentType: "application/vnd.sqlite3",
        sizeBytes,
      });
      await rm(draft);
    },
    names: async () => ownNames(await store.names(prefixOf(installation)), installation),
    sizeOf: async (name) => (await store.read(name))?.sizeBytes,
    remove: store.remove,
  };
};

/** `localDraft`: the path of the draft if backups are stored in a bucket. */
type Owner = { installation: string; localDraft: string };

export const backupLocation = (place: MediaConfig, owner: Owner): BackupLocation =>
  place.kind === "disk" ? folderLocation(place.dir, owner.installation) : bucketLocation(place, owner);

/** Removes all but the newest `most`, and never `made`. Returns the number of removed backups. */
export const removeOldest = async (
  { names, remove }: BackupLocation,
  { made, most }: { made: string; most: number },
): Promise<number> => {
  const old = (await names()).slice(0, -most).filter((name) => name !== made);
  for (const name of old) await remove(name);
  return old.length;
};
