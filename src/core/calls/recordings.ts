import type { TempFile } from "../../contract/ports/files.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { idBoundAt, newId, type TenantId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import { essenceOf, isMediaType } from "../../kernel/texts/media-types.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type CallRow, findCall, type Recording, setRecording, takeOldRecordings } from "../../store/tables/calls.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { insertStored } from "../../store/tables/collections.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { unknownChannel } from "../channels/refusals.ts";
import { checkLink, type LinkEnv, type Signed, signedLink } from "../media/links.ts";
import { takeFile } from "../media/taking.ts";
import { storageRefusal } from "../tenancy/accounts/collections.ts";
import { invalidState } from "./call-states.ts";
import { getCall } from "./calls.ts";
import type { CallsEnv } from "./env.ts";

export const RECORDING_MAX_BYTES = 50 * 1024 * 1024;
const KEPT_MS = 90 * DAY_MS;
const BATCH = 50;
const TYPES: ReadonlySet<string> = new Set(["audio/webm", "audio/mp4", "audio/mpeg", "audio/mp3", "audio/ogg"]);

const unknownRecording = () =>
  new AppError("RECORDING_NOT_FOUND", { message: "The call has no recording, or its 90 days are over." });

/** The recording of a call, until its retention ends. */
export const recordingOf = (env: Pick<CallsEnv, "clock">, { recording }: CallRow): Recording | null =>
  recording !== null && env.clock.now() < recording.storedAt + KEPT_MS ? recording : null;

export type Upload = { contentType: string; body: AsyncIterable<Uint8Array> };

/**
 * Stores a recording of a call, and replaces the earlier one.
 *
 * @throws AppError VALIDATION for a file that is not audio, CALL_NOT_FOUND, CHANNEL_NOT_FOUND, CALL_INVALID_STATE for a
 * call without an id at the network, what `takeFile` throws, RECORDING_EMPTY, and STORAGE_QUOTA_EXCEEDED.
 */
export const storeRecording = async (
  env: CallsEnv,
  scope: TenantScope,
  id: string,
  { contentType, body }: Upload,
): Promise<Recording & { callId: string }> => {
  checkType(contentType);
  const call = await getCall(env, scope, id);
  await getChannel(env, scope, call.channelId);
  if (call.upstreamCallId === null) throw invalidState(call);
  return takeFile(env, scope, { body, maxBytes: RECORDING_MAX_BYTES }, async (tempFile) => {
    if (tempFile.sizeBytes === 0) throw new AppError("RECORDING_EMPTY", { message: "The recording is empty." });
    return { callId: call.id, ...(await keep(env, call, { contentType, tempFile })) };
  });
};

const checkType = (contentType: string): void => {
  if (!isMediaType(contentType) || !TYPES.has(essenceOf(contentType)))
    throw invalid(issue("Content-Type", "enum", `must be one of ${[...TYPES].join(", ")}`));
};

/** Each recording has its own key: the URL of an earlier one never serves another file. */
const keep = async (
  env: CallsEnv,
  { id, tenantId }: CallRow,
  { contentType, tempFile }: { contentType: string; tempFile: TempFile },
): Promise<Recording> => {
  const { sizeBytes } = tempFile;
  const recording: Recording = {
    objectKey: keyOf({ tenantId, callId: id, fileId: newId(env) }),
    sizeBytes,
    contentType,
    storedAt: env.clock.now(),
  };
  await env.files.store.put(recording.objectKey, tempFile.stream(), { contentType, sizeBytes });
  const refusal = await env.db.write((tx) => replaceRecording(env, tx, id, recording));
  if (refusal) throw refusal;
  return recording;
};

/**
 * Erases a file that is no longer needed: the earlier recording, or this one if it is refused because its channel was
 * deleted meanwhile or the quota is used up.
 */
const replaceRecording = async (
  env: CallsEnv,
  tx: Tx,
  id: string,
  recording: Recording,
): Promise<AppError | undefined> => {
  const call = await findCall(tx, EVERY_TENANT, id);
  const refusal =
    call && (await findChannel(tx, EVERY_TENANT, call.channelId))
      ? await storageRefusal(env, tx, call.tenantId, recording.sizeBytes)
      : unknownChannel();
  if (call && !refusal) {
    await setRecording(tx, id, recording);
    await insertStored(tx, { key: recording.objectKey, tenantId: call.tenantId, sizeBytes: recording.sizeBytes });
  }
  const gone = refusal ? recording : call?.recording;
  if (gone) env.jobs.enqueue(tx, "media.erase", { key: gone.objectKey });
  return refusal;
};

/** The location of a recording; its URL contains it. */
export type RecordingLocation = { tenantId: string; callId: string; fileId: string };
const keyOf = ({ tenantId, callId, fileId }: RecordingLocation): string => `${tenantId}/recordings/${callId}/${fileId}`;

/** A URL of a call's recording, valid for ten minutes. Throws CALL_NOT_FOUND and RECORDING_NOT_FOUND. */
export const recordingLink = async (env: LinkEnv, scope: TenantScope, id: string): Promise<string> => {
  const recording = recordingOf(env, await getCall(env, scope, id));
  if (!recording) throw unknownRecording();
  return signedLink(env, recording.objectKey, { contentType: recording.contentType, filename: null });
};

/**
 * The recording of a signed URL. Throws what `checkLink` throws, and RECORDING_NOT_FOUND when it was deleted meanwhile.
 */
export const openRecording = async (
  env: LinkEnv,
  place: RecordingLocation,
  signed: Signed,
): Promise<{ recording: Recording; body: ReadableStream<Uint8Array> }> => {
  const key = keyOf(place);
  checkLink(env, key, signed);
  const call = await env.db.read((reader) => findCall(reader, { tenantId: place.tenantId as TenantId }, place.callId));
  const recording = call && recordingOf(env, call);
  const file = recording?.objectKey === key ? await env.files.store.read(key) : undefined;
  if (!recording || !file) throw unknownRecording();
  return { recording, body: file.body };
};

/** Deletes recordings that are older than 90 days, in batches, until none is left. */
export const expireRecordings = async (env: CallsEnv, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const storedBefore = env.clock.now() - KEPT_MS;
    const keys = await takeOldRecordings(tx, { beforeId: idBoundAt(storedBefore), storedBefore, limit: BATCH });
    for (const key of keys) env.jobs.enqueue(tx, "media.erase", { key });
    if (keys.length === BATCH) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
