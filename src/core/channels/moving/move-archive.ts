import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import type { StoredEntry } from "../../../contract/abilities/moving.ts";
import { AppError } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { bytesOfBase64 } from "../../../kernel/texts/base64.ts";
import { isRecord, parsedJson } from "../../../kernel/texts/json.ts";

/** The limits of an archive: its entries, the bytes of all their lines, and the characters of a name. */
const MAX_ENTRIES = 200_000;
const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MAX_NAME_CHARS = 300;

/** `field`: the field of the request that has the text. */
const unreadable = (fault: string, field: string) =>
  new AppError("VALIDATION", { message: "The request is not valid.", issues: [issue(field, "format", fault)] });

/** Entries as one text: a line of JSON for each, gzipped, in base64. */
export const packEntries = async (entries: readonly StoredEntry[]): Promise<string> => {
  const lines = entries.map(({ name, text }) => `${JSON.stringify({ name, text })}\n`).join("");
  return (await promisify(gzip)(lines, { level: constants.Z_BEST_SPEED })).toString("base64");
};

/**
 * The entries of such a text.
 * @throws AppError VALIDATION for any other text, and for more entries than an account has
 */
export const unpackEntries = async (text: string, field = "session"): Promise<StoredEntry[]> => {
  const packed = bytesOfBase64(text);
  if (packed === undefined) throw unreadable("must be base64", field);
  const lines = await promisify(gunzip)(packed, { maxOutputLength: MAX_ARCHIVE_BYTES }).catch(() => {
    throw unreadable(`must be gzip in base64, of at most ${MAX_ARCHIVE_BYTES} bytes`, field);
  });
  const entries = lines.toString("utf8").split("\n");
  if (entries.length > MAX_ENTRIES) throw unreadable(`must have at most ${MAX_ENTRIES} entries`, field);
  return entries.filter((line) => line !== "").map((line) => entryIn(line, field));
};

const entryIn = (line: string, field: string): StoredEntry => {
  const entry = parsedJson(line);
  const { name, text } = isRecord(entry) ? entry : {};
  if (typeof name !== "string" || typeof text !== "string" || name.length > MAX_NAME_CHARS)
    throw unreadable(`must have a line {"name", "text"} for each entry`, field);
  return { name, text };
};
