import type { PictureSource } from "../../contract/abilities/groups.ts";
import { publicUrlIssues } from "../../contract/ports/public-url.ts";
import { keepFile } from "../../core/media/kept.ts";
import { onePiece } from "../../kernel/async.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { base64Bytes } from "../shared/http/base64.ts";
import type { Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";

/** A file as clients of Evolution give it: an address, base64, or a data URL. `field`: for refusals. */
type Given = { field: string; file: string; mimetype?: string | undefined; fileName?: string | undefined };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

const isAddress = (file: string): boolean => /^https?:\/\//i.test(file);

const bytesIn = ({ field, file }: Given): { bytes: Uint8Array; contentType: string | undefined } => {
  const [head, contentType] = DATA_URL.exec(file) ?? [""];
  return { bytes: base64Bytes(field, file.slice(head.length)), contentType };
};

/** The longest address of a file, as everywhere else. */
const MOST_OF_URL = 2048;

/**
 * The file in the form of a content. A file in base64 is stored and named by its handle.
 * @throws AppError VALIDATION for a text that is neither an address nor base64, and what `keepFile` throws
 */
export const fileSource = async (
  env: EvolutionEnv,
  principal: Principal,
  given: Given,
): Promise<{ mediaUrl: string } | { mediaHandle: string }> => {
  if (isAddress(given.file)) return { mediaUrl: given.file };
  const { bytes, contentType } = bytesIn(given);
  const { mediaHandle } = await keepFile(env, principal, {
    body: onePiece(bytes),
    contentType: given.mimetype ?? contentType ?? "",
    filename: given.fileName,
  });
  return { mediaHandle };
};

/** The same for a picture of a profile or group. @throws AppError VALIDATION, also for a forbidden address */
export const pictureSource = (env: EvolutionEnv, given: Given): NonNullable<PictureSource> => {
  if (!isAddress(given.file)) return { bytes: bytesIn(given).bytes };
  if (given.file.length > MOST_OF_URL)
    throw invalid(issue(given.field, "maxLength", `must have at most ${MOST_OF_URL} characters`));
  const issues = publicUrlIssues(given.field, given.file, env.http.isUrlAllowed);
  if (issues.length > 0) throw invalid(...issues);
  return { url: given.file };
};
