import type { PictureSource } from "../../../contract/abilities/groups.ts";
import { publicUrlIssues } from "../../../contract/ports/public-url.ts";
import { dropKept, keepFile } from "../../../core/media/kept.ts";
import { onePiece } from "../../../kernel/async.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid, reasonOf } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { base64Bytes } from "../http/base64.ts";

/** The environment that keeps a file until it is sent. */
type FilesEnv = Parameters<typeof keepFile>[0];

/** A file as programs made for other APIs give it: an address, base64, or a data URL. `field`: for refusals. */
type Given = { field: string; file: string; mimetype?: string | undefined; fileName?: string | undefined };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

const isAddress = (file: string): boolean => /^https?:\/\//i.test(file);

const bytesIn = ({ field, file }: Given): { bytes: Uint8Array; contentType: string | undefined } => {
  const [head, contentType] = DATA_URL.exec(file) ?? [""];
  return { bytes: base64Bytes(field, file.slice(head.length)), contentType };
};

/** What two requests with the same file in base64 have in common, however each names its type; undefined for an address. */
export const fileHashOf = (file: string): string | undefined =>
  isAddress(file) ? undefined : sha256(file.slice((DATA_URL.exec(file)?.[0] ?? "").length));

/** The longest address of a file, as everywhere else. */
const MOST_OF_URL = 2048;

/** A file in the form of a content: one in base64 is kept, and named by its handle. */
export type FileSource = { mediaUrl: string } | { mediaHandle: string };

const fileSource = async (env: FilesEnv, caller: Parameters<typeof keepFile>[1], given: Given): Promise<FileSource> => {
  if (isAddress(given.file)) return { mediaUrl: given.file };
  const { bytes, contentType } = bytesIn(given);
  const { mediaHandle } = await keepFile(env, caller, {
    body: onePiece(bytes),
    contentType: given.mimetype ?? contentType ?? "",
    filename: given.fileName,
  });
  return { mediaHandle };
};

/**
 * Sends with a file. What was kept for a send that is refused goes at once, and the refusal names the client's own field.
 * @throws AppError VALIDATION for a text that is neither an address nor base64, and what `keepFile` and `send` throw
 */
export const withFile = async <Sent>(
  env: FilesEnv,
  caller: Parameters<typeof keepFile>[1],
  given: Given,
  send: (source: FileSource) => Promise<Sent>,
): Promise<Sent> => {
  const source = await fileSource(env, caller, given);
  try {
    return await send(source);
  } catch (refusal) {
    await dropFile(env, caller, source);
    throw refusalOfFile(refusal, given.field);
  }
};

/** Ends a file that no message needs. One that cannot be ended now goes when its time is over. */
export const dropFile = async (
  env: FilesEnv,
  caller: Parameters<typeof keepFile>[1],
  source: object,
): Promise<void> => {
  if (!("mediaHandle" in source)) return;
  await dropKept(env, caller, String(source.mediaHandle)).catch((thrown: unknown) =>
    env.log.debug({ reason: reasonOf(thrown) }, "a file without a message stays until its end"),
  );
};

/** The same for a picture of a profile or group. @throws AppError VALIDATION, also for a forbidden address */
export const pictureSource = (env: Pick<FilesEnv, "http">, given: Given): NonNullable<PictureSource> => {
  if (!isAddress(given.file)) return { bytes: bytesIn(given).bytes };
  if (given.file.length > MOST_OF_URL)
    throw invalid(issue(given.field, "maxLength", `must have at most ${MOST_OF_URL} characters`));
  const issues = publicUrlIssues(given.field, given.file, env.http.isUrlAllowed);
  if (issues.length > 0) throw invalid(...issues);
  return { url: given.file };
};

const FILE_FIELDS = ["content.mediaUrl", "content.mediaHandle"];

/** A refusal of the file names the field that the client sent, whatever became of its file. */
const refusalOfFile = (refusal: unknown, field: string): unknown =>
  refusal instanceof AppError && refusal.issues.some(({ path }) => FILE_FIELDS.includes(path))
    ? invalid(...refusal.issues.map((one) => (FILE_FIELDS.includes(one.path) ? { ...one, path: field } : one)))
    : refusal;
