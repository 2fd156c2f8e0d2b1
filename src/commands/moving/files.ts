import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { StoredEntry } from "../../contract/abilities/moving.ts";
import { isDeeperThan } from "../../kernel/texts/json.ts";
import { LIMITS, SourceFault } from "./found.ts";

// Other programs' files are read as hostile: no links are followed, only regular files are opened, everything is
// bounded.

const MAX_NAME_CHARS = 300;

/**
 * The bytes of a regular file.
 * @throws SourceFault for a link, a device, or a file of more than `maxBytes`
 */
export const readBounded = async (path: string, maxBytes: number): Promise<Buffer> => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((cause: unknown) => {
    throw new SourceFault(`${path} cannot be opened (${codeOf(cause)}); links are not followed`, { cause });
  });
  try {
    const { size } = await file.stat().then((stat) => {
      if (!stat.isFile()) throw new SourceFault(`${path} is not a regular file`);
      return stat;
    });
    if (size > maxBytes) throw new SourceFault(`${path} has ${size} bytes, more than the ${maxBytes} that are read`);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "unreadable";

/** The JSON of a file. @throws SourceFault for other contents, or JSON that is nested too deeply */
export const readJsonFile = async (path: string): Promise<unknown> => {
  const text = (await readBounded(path, LIMITS.fileBytes)).toString("utf8");
  return jsonIn(text, path);
};

/** The JSON of a text; `where` names it in the refusal. @throws SourceFault */
const jsonIn = (text: string, where: string): unknown => {
  if (isDeeperThan(text, LIMITS.jsonDepth))
    throw new SourceFault(`${where} is nested deeper than ${LIMITS.jsonDepth} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceFault(`${where} is no JSON`);
  }
};

/** The kind of a path; `missing` if there is nothing. Links count as `other`. */
export const readPathKind = async (path: string): Promise<"folder" | "file" | "other" | "missing"> => {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat) return "missing";
  if (stat.isDirectory()) return "folder";
  return stat.isFile() ? "file" : "other";
};

/**
 * The `.json` files of a folder as entries.
 * @throws SourceFault for a link among them, and for too many or too large files
 */
export const entriesIn = async (folder: string): Promise<StoredEntry[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  if (names.length > LIMITS.entries) throw new SourceFault(`${folder} has more than ${LIMITS.entries} files`);
  const entries: StoredEntry[] = [];
  let bytes = 0;
  for (const name of names.toSorted()) {
    if (name.length > MAX_NAME_CHARS) throw new SourceFault(`${folder} has a file with a name that is too long`);
    const text = (await readBounded(join(folder, name), LIMITS.keyBytes)).toString("utf8");
    bytes += text.length;
    if (bytes > LIMITS.sessionBytes) throw new SourceFault(`${folder} has more than ${LIMITS.sessionBytes} bytes`);
    entries.push({ name, text });
  }
  return entries;
};

/**
 * The folders at or below `folder` that hold this file, without following links.
 * @throws SourceFault for too many
 */
export const foldersWith = async (folder: string, file: string): Promise<string[]> => {
  const found: string[] = [];
  let looked = 0;
  const look = async (at: string, depth: number): Promise<void> => {
    looked += 1;
    if (looked > LIMITS.folders) throw new SourceFault(`${folder} has more than ${LIMITS.folders} folders`);
    const inside = await readdir(at, { withFileTypes: true });
    if (inside.some((one) => one.isFile() && one.name === file)) {
      found.push(at);
      return;
    }
    if (depth === LIMITS.folderDepth) return;
    for (const one of inside.filter((each) => each.isDirectory()).toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      await look(join(at, one.name), depth + 1);
  };
  await look(folder, 0);
  return found;
};

/** The last part of a path, as the name of a session. */
export const sessionName = (path: string): string => basename(path);
