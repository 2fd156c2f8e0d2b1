import type { OutgoingFile, UploadApi } from "../../contract/content/media.ts";
import type { TempFile, TempFileResult } from "../../contract/ports/files.ts";
import type { HttpFailure, HttpOpenAnswer } from "../../contract/ports/http.ts";
import type { UpstreamResult } from "../../contract/upstream.ts";
import { deadlineIn } from "../../kernel/async.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { leave } from "../../kernel/network/bodies.ts";
import { issue } from "../../kernel/schema.ts";
import { cleanFilename } from "../../kernel/texts/file-names.ts";
import { fileTypeOf, isMarkup, isTextType } from "../../kernel/texts/file-types.ts";
import { essenceOf, isMediaType, isPlayable } from "../../kernel/texts/media-types.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { RESUMABLE_MAX_BYTES, uploadMaxBytes } from "./checks.ts";
import type { MediaEnv } from "./env.ts";

/** How long the customer's host may take to give a file. */
const FETCH_TIMEOUT_MS = 2 * MINUTE_MS;
const NAMELESS = "file";

export type UploadInput = { mediaUrl: string; mimeType: string; filename?: string };

/**
 * Uploads a file from a customer's address to a channel's network. Returns the file's handle there, for sends.
 * @throws AppError VALIDATION, which names `mediaUrl` for any fault of the file, CHANNEL_NOT_FOUND for a channel
 *   without uploads, UPLOAD_LIMIT_REACHED, and what `requireValue` throws
 */
export const uploadMedia = (
  env: MediaEnv,
  scope: TenantScope,
  channelId: string,
  input: UploadInput,
): Promise<string> =>
  withFile(env, { scope, channelId, input, maxBytes: uploadMaxBytes(input.mimeType) }, (uploads, file) =>
    uploads.upload(file),
  );

/**
 * The same in parts, in the name of the owner's app; the handle is for templates.
 * @throws as `uploadMedia`
 */
export const uploadResumable = (
  env: MediaEnv,
  scope: TenantScope,
  channelId: string,
  { appId, ...input }: UploadInput & { appId: string },
) =>
  withFile(env, { scope, channelId, input, maxBytes: RESUMABLE_MAX_BYTES }, (uploads, file) =>
    uploads.uploadResumable(file, appId),
  );

/**
 * Deletes an uploaded file at the network.
 * @throws AppError CHANNEL_NOT_FOUND, and what `requireValue` throws
 */
export const removeUpload = async (
  env: MediaEnv,
  scope: TenantScope,
  channelId: string,
  handle: string,
): Promise<void> => {
  const uploads = await uploadsOf(env, scope, channelId);
  requireValue(await uploads.remove(handle));
};

/** @throws AppError CHANNEL_NOT_FOUND, also for a kind whose network has no uploads */
const uploadsOf = async (env: MediaEnv, scope: TenantScope, channelId: string): Promise<UploadApi> => {
  const uploads = env.supervisor.linkOf(await getChannel(env, scope, channelId), "live")?.media?.uploads;
  if (!uploads) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that takes files." });
  return uploads;
};

type Upload = { scope: TenantScope; channelId: string; input: UploadInput; maxBytes: number };

/** Fetches the file and passes it on. The file is on our disk only until then. */
const withFile = async <T>(
  env: MediaEnv,
  { scope, channelId, input, maxBytes }: Upload,
  give: (uploads: UploadApi, file: OutgoingFile) => Promise<UpstreamResult<T>>,
): Promise<T> => {
  checkInput(env, input);
  const uploads = await uploadsOf(env, scope, channelId);
  if (env.uploads.isFull(scope.tenantId))
    throw new AppError("UPLOAD_LIMIT_REACHED", {
      message: "Too many files of this account are being uploaded at this moment.",
      retryAfterSeconds: 5,
    });
  return env.uploads.run(scope.tenantId, async () => {
    const tempFile = await fetchedFrom(env, input.mediaUrl, maxBytes);
    try {
      return requireValue(await give(uploads, await outgoingOf(tempFile, input)));
    } finally {
      await tempFile.dispose();
    }
  });
};

const checkInput = (env: MediaEnv, { mediaUrl, mimeType }: UploadInput): void => {
  if (!env.http.isUrlAllowed(mediaUrl)) throw unfit("must be a public HTTPS URL");
  if (!isMediaType(mimeType)) throw invalid(issue("mimeType", "format", "must be a media type such as image/png"));
};

const unfit = (message: string) => invalid(issue("mediaUrl", "format", message));

/** @throws AppError VALIDATION for an empty file, and for HTML, XML or JSON in the place of a picture, film or sound */
const outgoingOf = async (file: TempFile, { mimeType, filename = "" }: UploadInput): Promise<OutgoingFile> => {
  const { stream, sizeBytes, head } = file;
  if (sizeBytes === 0) throw unfit("leads to an empty file");
  // the network itself judges every other type
  const found = essenceOf(await fileTypeOf({ head, name: filename, declared: mimeType }));
  if (isPlayable(mimeType) && isTextType(found) && isMarkup(head))
    throw unfit(`leads to ${found}, such as an error page`);
  return { stream, sizeBytes, contentType: mimeType, filename: cleanFilename(filename) ?? NAMELESS };
};

/** TABLE: why a file could not be fetched, in words that help its owner. */
const UNREACHABLE: Record<HttpFailure, string> = {
  dns: "has a host that is not known",
  connect: "has a host that could not be connected to",
  tls: "has a host whose certificate is not accepted",
  timeout: "did not give the file in time",
  blocked: "has a host that may not be reached from here",
  aborted: "has a host that broke off the connection",
};

/**
 * The file at a customer's address, whole and on our disk.
 * @throws AppError VALIDATION for `mediaUrl`
 */
const fetchedFrom = async ({ clock, http, files }: MediaEnv, url: string, maxBytes: number): Promise<TempFile> => {
  const deadline = deadlineIn(clock, FETCH_TIMEOUT_MS);
  try {
    const asked = http.guardedStream({
      method: "GET",
      url,
      headers: { "user-agent": "Recado" },
      timeoutMs: FETCH_TIMEOUT_MS,
    });
    const answer = await deadline.wait(asked, (tooLate) => tooLate.ok && leave(tooLate.body));
    if (answer === "late") throw unfit(UNREACHABLE.timeout);
    if (!answer.ok) throw unfit(UNREACHABLE[answer.failure]);
    checkHead(answer, maxBytes);
    return wholeOf(await files.writeTempFile(deadline.cut(answer.body), { maxBytes }), maxBytes);
  } finally {
    deadline.end();
  }
};

const tooLarge = (maxBytes: number) =>
  unfit(`leads to a file of more than the ${maxBytes} bytes that one of its type may have`);

/**
 * Checks the head of an answer; cancels the body of a refused one.
 * @throws AppError VALIDATION
 */
const checkHead = ({ status, headers, body }: HttpOpenAnswer, maxBytes: number): void => {
  const isTooLarge = Number(headers["content-length"] ?? 0) > maxBytes;
  if (status === 200 && !isTooLarge) return;
  leave(body);
  if (status === 200) throw tooLarge(maxBytes);
  throw unfit(
    `answered with ${status} instead of the file${status >= 300 && status < 400 ? "; redirects are not followed" : ""}`,
  );
};

const wholeOf = (tempFile: TempFileResult, maxBytes: number): TempFile => {
  if (tempFile.ok) return tempFile;
  throw tempFile.failure === "too-large" ? tooLarge(maxBytes) : unfit("broke off before the file was whole");
};
