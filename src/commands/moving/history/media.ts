import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { createS3Reader } from "../../../adapters/files/s3-storage.ts";
import { piecesOfFile } from "../../../kernel/local-files.ts";
import { mediaLocation } from "../../../kernel/settings/setting-kinds.ts";
import { readBounded, readPathKind } from "../files.ts";
import { SourceFault } from "../found.ts";

/** A file of another program. */
export type SourceFile = { sizeBytes: number; body(): AsyncIterable<Uint8Array> };

/**
 * Where another program keeps the files of its messages. `open`: the file of this name, with folders by slashes;
 * undefined if there is none. `named`: the names of files in a folder that are `stem` and an ending. `folders`: the
 * folders in it, where they can be listed.
 */
export type MediaPlace = {
  open(name: string): Promise<SourceFile | undefined>;
  named(folder: string, stem: string): Promise<readonly string[]>;
  folders(): Promise<readonly string[]>;
};

const S3 = /^s3:\/\//;
const KEY_BYTES = 1200;

/**
 * The place that `--media` names: a folder, or `s3://bucket/prefix?endpoint=…&region=…` with a file of two lines, the access
 * key and its secret.
 * @throws SourceFault
 */
export const openMediaPlace = async (where: string, keyFile: string | undefined): Promise<MediaPlace> =>
  S3.test(where) ? bucketPlace(where, keyFile) : folderPlace(where);

/** Only names without steps upwards; nothing else is asked for. */
const isPlain = (name: string): boolean =>
  !name.includes("\0") && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

const bucketPlace = async (where: string, keyFile: string | undefined): Promise<MediaPlace> => {
  const place = mediaLocation.parse(where);
  if (place?.kind !== "s3")
    throw new SourceFault("--media must be a folder, or s3://bucket/prefix?endpoint=URL&region=NAME");
  if (keyFile === undefined)
    throw new SourceFault("--media on S3 needs --media-key-file: a file with the access key and its secret");
  const lines = (await readBounded(keyFile, KEY_BYTES)).toString("utf8").split("\n");
  const [accessKeyId = "", secretAccessKey = ""] = lines.map((line) => line.trim());
  if (accessKeyId === "" || secretAccessKey === "")
    throw new SourceFault("--media-key-file must have two lines: the access key and its secret");
  const bucket = createS3Reader({ ...place, accessKeyId, secretAccessKey });
  return {
    async open(name) {
      // the client resolves such steps itself, and would leave the prefix, even the bucket
      const file = isPlain(name) ? await bucket.read(name) : undefined;
      return file && { sizeBytes: file.sizeBytes, body: () => file.body };
    },
    named: async (folder, stem) => bucket.names(folder === "" ? `${stem}.` : `${folder}/${stem}.`),
    folders: async () => [],
  };
};

const folderPlace = async (where: string): Promise<MediaPlace> => {
  const root = await realpath(where).catch((cause: unknown) => {
    throw new SourceFault(`${where} does not exist, or cannot be read`, { cause });
  });
  if ((await readPathKind(root)) !== "folder") throw new SourceFault(`${where} is no folder`);
  const listed = new Map<string, Promise<Map<string, string[]>>>();
  const stemsIn = (folder: string): Promise<Map<string, string[]>> => {
    const known = listed.get(folder) ?? stemsOf(join(root, folder));
    listed.set(folder, known);
    return known;
  };
  return {
    async open(name) {
      const path = join(root, name);
      // no link within the folder leads out of it
      if (!isPlain(name) || (await realpath(path).catch(() => undefined)) !== path) return undefined;
      const sizeBytes = (await readPathKind(path)) === "file" ? Bun.file(path).size : undefined;
      return sizeBytes === undefined ? undefined : { sizeBytes, body: () => piecesOfFile(path) };
    },
    named: async (folder, stem) =>
      ((await stemsIn(folder)).get(stem) ?? []).map((name) => (folder === "" ? name : `${folder}/${name}`)),
    folders: async () =>
      (await readdir(root, { withFileTypes: true })).filter((one) => one.isDirectory()).map(({ name }) => name),
  };
};

/** The names of files in a folder by what stands before their first dot; empty without the folder. */
const stemsOf = async (folder: string): Promise<Map<string, string[]>> => {
  const stems = new Map<string, string[]>();
  for (const one of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const [stem = ""] = one.name.split(".", 1);
    if (one.isFile()) stems.set(stem, [...(stems.get(stem) ?? []), one.name]);
  }
  return stems;
};
