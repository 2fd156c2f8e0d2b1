import type { InboundContent } from "../../contract/content/inbound-content.ts";
import type { UpstreamFile } from "../../contract/content/media.ts";
import type { InboundMedia } from "../../contract/events.ts";
import type { TempFile } from "../../contract/ports/files.ts";
import type { FileFault, UpstreamFailure } from "../../contract/upstream.ts";
import { deadlineIn } from "../../kernel/async.ts";
import { reasonOf } from "../../kernel/errors.ts";
import { leave } from "../../kernel/network/bodies.ts";
import { fileTypesOf } from "../../kernel/texts/file-types.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { MediaFailure } from "../events/definitions/messages.ts";
import { inboundMaxBytes, keptType } from "./checks.ts";
import type { MediaEnv } from "./env.ts";
import { fileKeyOf } from "./media.ts";
import type { FileMetadata, FileOfMessage } from "./received.ts";

/** Why a file is not stored: its published code, and the same in words for the log and the event. */
type NotFetched = { ok: false; failure: MediaFailure; reason: string; isFinal: boolean; awaitsCredentials?: true };
/**
 * A file that is stored now, or why it is not. `isFinal`: a retry would not help. `awaitsCredentials`: it helps only with
 * other credentials of the channel.
 */
export type Fetched = { ok: true; metadata: FileMetadata } | NotFetched;

const never = (failure: MediaFailure, reason: string): NotFetched => ({ ok: false, failure, reason, isFinal: true });
const later = (reason: string): NotFetched => ({ ok: false, failure: "UNAVAILABLE", reason, isFinal: false });
const withOthers = (reason: string): NotFetched => ({
  ok: false,
  failure: "REFUSED",
  reason,
  isFinal: false,
  awaitsCredentials: true,
});

/**
 * Fetches the file of a message from its network and stores it under a key of its own; a second fetch replaces the
 * first. `withinMs` limits the network, and no partial file stays on disk. Never throws: our own faults are logged and
 * may be retried.
 */
export const fetchFile = async (env: MediaEnv, pending: FileOfMessage, withinMs: number): Promise<Fetched> => {
  const deadline = deadlineIn(env.clock, withinMs);
  try {
    const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, pending.channelId));
    const media = channel && env.supervisor.linkOf(channel, pending.environment)?.media;
    if (!media) return never("GONE", "the channel was deleted, or nothing here serves it any more");
    const opened = await deadline.wait(
      media.open(pending.file.nativeId),
      (tooLate) => tooLate.ok && leave(tooLate.value.body),
    );
    if (opened === "late") return later("the network did not answer in time");
    if (!opened.ok) return notOpened(opened);
    return await keep(env, pending, { ...opened.value, body: deadline.cut(opened.value.body) });
  } catch (thrown) {
    env.log.error(
      { channelId: pending.channelId, messageId: pending.message.messageId, error: reasonOf(thrown) },
      "a file could not be kept",
    );
    return later(reasonOf(thrown));
  } finally {
    deadline.end();
  }
};

/** TABLE: the published code of what a network says about a file. */
const FAULTS: Readonly<Record<FileFault, MediaFailure>> = { "too-large": "TOO_LARGE", gone: "GONE" };

const notOpened = (failure: UpstreamFailure): NotFetched => {
  if (failure.kind === "unavailable") return later(failure.reason);
  if (failure.kind !== "refused") return withOthers(failure.reason);
  const { error, fileFault } = failure;
  return never(fileFault === undefined ? "REFUSED" : FAULTS[fileFault], error.message);
};

const keep = async (env: MediaEnv, pending: FileOfMessage, file: UpstreamFile): Promise<Fetched> => {
  const maxBytes = inboundMaxBytes(pending.message.type);
  if (file.sizeBytes !== undefined && file.sizeBytes > maxBytes) {
    leave(file.body);
    return never("TOO_LARGE", `the file has ${file.sizeBytes} bytes, more than ${maxBytes}`);
  }
  const tempFile = await env.files.writeTempFile(file.body, { maxBytes });
  if (!tempFile.ok)
    return tempFile.failure === "too-large" ? never("TOO_LARGE", tempFile.message) : later(tempFile.message);
  try {
    return await store(env, pending, { file, tempFile });
  } finally {
    await tempFile.dispose();
  }
};

const store = async (
  { files }: MediaEnv,
  { mediaId, tenantId, file: announced, message }: FileOfMessage,
  { file, tempFile }: { file: UpstreamFile; tempFile: TempFile },
): Promise<Fetched> => {
  const { sizeBytes, sha256 } = tempFile;
  if (sizeBytes === 0) return later("the file is empty");
  const judged = await judgedFile(message.type, announced, { file, tempFile });
  if (!judged.ok) return never("INVALID", judged.reason);
  const { contentType } = judged;
  await files.store.put(fileKeyOf({ tenantId, id: mediaId }), tempFile.stream(), { contentType, sizeBytes });
  return { ok: true, metadata: { contentType, sizeBytes, sha256: sha256.hex } };
};

/** What is announced of the file of a message. */
type AnnouncedFile = Pick<InboundMedia, "contentType" | "filename" | "sha256">;

/** The type under which the file of a message is stored; else why its bytes are not its file. */
export const judgedFile = async (
  type: InboundContent["type"],
  announced: AnnouncedFile,
  { file, tempFile }: { file: Pick<UpstreamFile, "contentType" | "sha256">; tempFile: TempFile },
): Promise<{ ok: true; contentType: string } | { ok: false; reason: string }> => {
  const { sha256, head } = tempFile;
  if (!isDigest(sha256, announced.sha256) || !isDigest(sha256, file.sha256))
    return { ok: false, reason: "the bytes are not those that were announced" };
  const declared = announced.contentType === UNKNOWN_TYPE ? (file.contentType ?? UNKNOWN_TYPE) : announced.contentType;
  const types = await fileTypesOf({ head, name: announced.filename, declared });
  const contentType = keptType(type, { ...types, declared });
  return contentType === undefined ? { ok: false, reason: `the file is no ${type}` } : { ok: true, contentType };
};

/** Networks announce digests in hexadecimal or in base64. */
const isDigest = ({ hex, base64 }: TempFile["sha256"], announced: string | undefined): boolean =>
  announced === undefined || announced.toLowerCase() === hex || announced === base64;
