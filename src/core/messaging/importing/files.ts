import { type InboundContent, isFile } from "../../../contract/content/inbound-content.ts";
import type { InboundMedia, ProviderMessageId, Received } from "../../../contract/events.ts";
import type { TempFile } from "../../../contract/ports/files.ts";
import { deadlineIn } from "../../../kernel/async.ts";
import { MINUTE_MS } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { cleanFilename } from "../../../kernel/texts/file-names.ts";
import { isMediaType, UNKNOWN_TYPE } from "../../../kernel/texts/media-types.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { findInbound } from "../../../store/tables/channels/inbox.ts";
import { listReceived } from "../../../store/tables/conversations/received.ts";
import { insertMedia, listFilesOf, takeMedia } from "../../../store/tables/media.ts";
import {
  findAddedAt,
  forgetItem,
  type HistoryImportRow,
  hasAddedSince,
  putHistoryImport,
  recordAdded,
} from "../../../store/tables/messaging/history-imports.ts";
import { inboundMaxBytes } from "../../media/checks.ts";
import { judgedFile } from "../../media/fetch.ts";
import { eraseFile, fileKeyOf } from "../../media/media.ts";
import { NO_STORAGE, recordFile, ttlOf } from "../../media/received.ts";
import { hasStorage } from "../../tenancy/accounts/collections.ts";
import type { MessagingEnv } from "../env.ts";
import { forgetEarlier } from "./earlier.ts";
import { channelOf, type HistoryHome, type HistorySource, historianOf, requireImport } from "./imports.ts";

/** How long the sender of one file may take. */
const TIMEOUT_MS = 10 * MINUTE_MS;

/**
 * A message that has no file here, and what its network has said of the file. `key`: the network's id of the message.
 * `sizeBytes` and `sha256` (in hexadecimal) are null where it has not said them. `maxBytes`: a larger file is not kept.
 */
export type WantedFile = {
  key: string;
  contentType: string;
  sizeBytes: number | null;
  sha256: string | null;
  maxBytes: number;
};

const wantedOf = (type: InboundContent["type"], key: string, file: InboundMedia): WantedFile => ({
  key,
  contentType: file.contentType,
  sizeBytes: file.sizeBytes ?? null,
  sha256: file.sha256 ?? null,
  maxBytes: inboundMaxBytes(type),
});

/** The files that a history could have, before anything is known of the channel. */
export const filesOf = (events: readonly Received[]): WantedFile[] =>
  events.flatMap(({ key, content, media }) => (media ? [wantedOf(content.type, key, media)] : []));

/** A stored message of the channel, and whether its file is missing. `mediaId`: of a file that an import left halfway. */
type Place = { messageId: MessageId; type: InboundContent["type"]; filename: string | undefined; mediaId?: string };

/** The message of this id, if it has no file. A file that has expired or was acknowledged does not come back. */
const placeOf = async (
  r: Reader,
  { id: channelId, tenantId }: ChannelRow,
  key: ProviderMessageId,
): Promise<Place | undefined> => {
  const inbound = await findInbound(r, channelId, key);
  const [message] = inbound ? await listReceived(r, { tenantId }, [inbound.messageId]) : [];
  if (message?.channelId !== channelId) return undefined;
  const { type } = message;
  if (!isFile({ type, content: message.content } as InboundContent)) return undefined;
  const { filename } = message.content as { filename?: string };
  const place = { messageId: message.id, type, filename };
  const [file] = await listFilesOf(r, { tenantId }, [message.id]);
  if (!file) return place;
  const isHalfway =
    file.storedAt === null && (await findAddedAt(r, channelId, { kind: "file", ref: file.id })) !== undefined;
  return isHalfway ? { ...place, mediaId: file.id } : undefined;
};

/** The files that messages of a history have not got in this channel. `withNew`: also those of messages that are not here. */
export const wantedFiles = async (
  r: Reader,
  channel: ChannelRow,
  events: readonly Received[],
  { withNew }: { withNew: boolean },
): Promise<WantedFile[]> => {
  const wanted: WantedFile[] = [];
  for (const { key, content, media } of events) {
    if (!media) continue;
    const isNew = withNew && (await findInbound(r, channel.id, key)) === undefined;
    if (isNew || (await placeOf(r, channel, key))) wanted.push(wantedOf(content.type, key, media));
  }
  return wanted;
};

/** A file of another program. `key`: the network's id of its message. */
type HistoryFile = {
  key: ProviderMessageId;
  contentType: string;
  sha256?: string | undefined;
  body: AsyncIterable<Uint8Array>;
};

/** The size of a kept file, or why it is not kept, in words for the operator. */
export type FileTaken = { sizeBytes: number; reason: null } | { sizeBytes: null; reason: string };

const notKept = (reason: string): FileTaken => ({ sizeBytes: null, reason });
const NO_MESSAGE = "the message is not here, or has had a file";
const TOO_LARGE = "the file is too large";
const EMPTY = "the file is empty";

/**
 * Keeps the file of a message that an import finds without one, with the limits of received files. Its term begins now.
 * Nothing is published. A repeat after an interruption replaces what was left halfway; of several at once, the attempt
 * that began last is kept.
 * @throws AppError as `takeHistory`, and VALIDATION for a body that breaks off
 */
export const takeHistoryFile = async (
  env: MessagingEnv,
  home: HistoryHome,
  { format, source, run }: HistorySource,
  { key, contentType, sha256, body }: HistoryFile,
): Promise<FileTaken> => {
  const channel = await channelOf(env, historianOf(env, format), home);
  const { tenantId } = channel;
  const found = await env.db.read(async (reader) => {
    await requireImport(reader, channel.id, { source, run });
    return { place: await placeOf(reader, channel, key), hasRoom: await hasStorage(env, reader, tenantId, 1) };
  });
  const { place } = found;
  if (!place) return notKept(NO_MESSAGE);
  if (!found.hasRoom) return notKept(NO_STORAGE.reason);
  return env.uploads.run(tenantId, async () => {
    const deadline = deadlineIn(env.clock, TIMEOUT_MS);
    const tempFile = await env.files
      .writeTempFile(deadline.cut(body), { maxBytes: inboundMaxBytes(place.type) })
      .finally(deadline.end);
    if (!tempFile.ok) {
      if (tempFile.failure === "too-large") return notKept(TOO_LARGE);
      throw invalid(issue("", "format", "the body broke off before it was whole"));
    }
    try {
      return await keep(env, channel, { place, source, run, tempFile, announced: { key, contentType, sha256 } });
    } finally {
      await tempFile.dispose();
    }
  });
};

type Keeping = Pick<HistorySource, "source" | "run"> & {
  place: Place;
  tempFile: TempFile;
  announced: Omit<HistoryFile, "body">;
};

const keep = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { place: { type, filename }, source, run, tempFile, announced: { key, contentType: declared, sha256 } }: Keeping,
): Promise<FileTaken> => {
  const { sizeBytes } = tempFile;
  if (sizeBytes === 0) return notKept(EMPTY);
  const file = {
    nativeId: key,
    contentType: isMediaType(declared) ? declared : UNKNOWN_TYPE,
    ...(filename === undefined ? {} : { filename }),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
  const judged = await judgedFile(type, file, { file: {}, tempFile });
  if (!judged.ok) return notKept(judged.reason);
  const begun = await env.db.write(async (tx) => {
    const row = await requireImport(tx, channel.id, { source, run });
    const place = await placeOf(tx, channel, key);
    return place && { row, ...(await beginFile(env, tx, channel, { place, row })) };
  });
  if (!begun) return notKept(NO_MESSAGE);
  if (begun.isFirst) await forgetEarlier(env, begun.row);
  const { id: channelId, kind: channelKind, tenantId } = channel;
  const { mediaId } = begun;
  const { contentType } = judged;
  await env.files.store.put(fileKeyOf({ tenantId, id: mediaId }), tempFile.stream(), { contentType, sizeBytes });
  return env.db.write(async (tx) => {
    const pending = { mediaId, tenantId, channelId, channelKind, environment: "live", file } as const;
    const recorded = await recordFile(env, tx, pending, { contentType, sizeBytes, sha256: tempFile.sha256.hex });
    if (recorded.ok) return { sizeBytes, reason: null };
    // the account is full, or meanwhile the import was taken back, or the file was sent once more
    await takeMedia(tx, channelId, mediaId);
    eraseFile(env, tx, { tenantId, id: mediaId });
    return notKept(recorded.why?.reason ?? NO_MESSAGE);
  });
};

/**
 * Writes the row of a file before its bytes, so that an undo finds all files. It replaces the row of an attempt that was
 * left halfway or is still under way, whose bytes are then not kept: no two attempts write to one place. `isFirst`:
 * nothing was added by this import before.
 */
const beginFile = async (
  env: MessagingEnv,
  tx: Tx,
  { id: channelId, tenantId }: ChannelRow,
  { place, row }: { place: Place; row: HistoryImportRow },
): Promise<{ mediaId: string; isFirst: boolean }> => {
  if (place.mediaId !== undefined) {
    const earlier = await takeMedia(tx, channelId, place.mediaId);
    if (earlier) eraseFile(env, tx, earlier);
    forgetItem(tx, channelId, { kind: "file", ref: place.mediaId });
  }
  const mediaId = newId(env);
  const createdAt = env.clock.now();
  await insertMedia(tx, {
    id: mediaId,
    tenantId,
    channelId,
    messageId: place.messageId,
    contentType: UNKNOWN_TYPE, // until its bytes are there
    filename: (place.filename === undefined ? undefined : cleanFilename(place.filename)) ?? null,
    createdAt,
    expiresAt: createdAt + ttlOf(env),
  });
  const isFirst = !(await hasAddedSince(tx, channelId, row.startedAt));
  const addedAt = Math.max(createdAt, row.startedAt);
  recordAdded(tx, channelId, [{ kind: "file", ref: mediaId }], addedAt);
  await putHistoryImport(tx, { ...row, updatedAt: Math.max(row.updatedAt, addedAt) });
  return { mediaId, isFirst };
};
