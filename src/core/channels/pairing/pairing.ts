import type { PairingApi, PairingHint, QrCode } from "../../../contract/abilities/pairing.ts";
import { isOpenState } from "../../../contract/events.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { asDigits, spellingsOf } from "../../../kernel/numbers/phone-numbers.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import { type ChannelRow, findChannel, listByPhoneNumber } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import type { ShownHint } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { changeLinkState } from "../links/report.ts";
import { adapterMissing, alreadyConnected, numberHeld, numberLinked } from "../refusals.ts";
import { shownHint } from "./shown-hint.ts";

type ChannelJob = Job<{ channelId: ChannelId }>;

/** The pairing API of a channel; undefined if its kind is not paired. */
export const pairingOf = (
  env: Pick<ChannelsEnv, "supervisor">,
  channel: Pick<ChannelRow, "id" | "kind">,
): PairingApi | undefined => env.supervisor.linkOf(channel, "live")?.pairing;

const unpairedChannel = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  code: "QR_NOT_APPLICABLE" | "PAIRING_NOT_APPLICABLE",
): Promise<ChannelRow> => {
  const channel = await getChannel(env, scope, id);
  const declared = env.registry.declared(channel.kind);
  if (!declared) throw adapterMissing(channel.kind);
  if (!declared.network.isPaired) throw new AppError(code, { message: "A channel of this kind is not paired." });
  if (isOpenState(channel.state)) throw alreadyConnected();
  return channel;
};

/**
 * The pairing API of a channel that waits to be paired. Undefined for any other channel, because a call would open its
 * link.
 */
const openPairing = (env: ChannelsEnv, channel: ChannelRow): PairingApi | undefined =>
  channel.state === "PENDING_QR" ? pairingOf(env, channel) : undefined;

const inProgress = () =>
  new AppError("PAIRING_IN_PROGRESS", { message: "The channel is being connected: wait, and do not scan again." });
const noCode = () => new AppError("PAIRING_NOT_READY", { message: "No pairing code is ready; ask again in a second." });

/**
 * The QR code of a channel that waits to be paired. A call starts the making of codes. If there is no code, it waits up
 * to `waitMs` for one.
 * @throws AppError CHANNEL_NOT_FOUND, ADAPTER_MISSING, QR_NOT_APPLICABLE for other kinds, CHANNEL_ALREADY_CONNECTED,
 *   PAIRING_IN_PROGRESS while the network handles a scan, or PAIRING_UNAVAILABLE while there is no code
 */
export const getQrCode = async (env: ChannelsEnv, scope: TenantScope, id: string, waitMs = 0): Promise<ShownQrCode> => {
  const channel = await unpairedChannel(env, scope, id, "QR_NOT_APPLICABLE");
  if (channel.state === "CONNECTING") throw inProgress();
  const pairing = openPairing(env, channel);
  const qr = pairing?.qr() ?? (waitMs === 0 ? undefined : await pairing?.nextQr(waitMs));
  if (!pairing || !qr)
    throw new AppError("PAIRING_UNAVAILABLE", { message: "No QR code is ready; ask again in a second." });
  return withHint(env, channel, { pairing, qr });
};

/** `force`: also if the account has linked the number. `isStranger`: who asks may not learn what the account has. */
export type CodeRequest = { phoneNumber: string; force?: boolean | undefined; isStranger?: boolean };

/**
 * Refuses a code for a number that another channel is linked with: the request may end that session.
 * @throws AppError NUMBER_ALREADY_LINKED within the account, unless it is forced, or CHANNEL_EXISTS, which says nothing
 *   of other accounts
 */
const refuseLinked = async (env: ChannelsEnv, channel: ChannelRow, digits: string, request: CodeRequest) => {
  const lists = await env.db.read((reader) =>
    Promise.all(spellingsOf(digits).map((spelling) => listByPhoneNumber(reader, channel.kind, spelling))),
  );
  const linked = lists
    .flat()
    .filter(({ id, state }) => id !== channel.id && (isOpenState(state) || state === "CONNECTING"));
  const own = linked.find(({ tenantId }) => tenantId === channel.tenantId);
  if (linked.some(({ tenantId }) => tenantId !== channel.tenantId) || (own && request.isStranger)) throw numberHeld();
  if (own && request.force !== true) throw numberLinked(own);
};

/**
 * Requests a code to type on the device with this number (digits, with or without `+`). Returns the number as digits.
 * @throws AppError CHANNEL_NOT_FOUND, ADAPTER_MISSING, PAIRING_NOT_APPLICABLE for other kinds,
 *   CHANNEL_ALREADY_CONNECTED, PAIRING_IN_PROGRESS, PAIRING_NOT_READY if nothing can be paired, NUMBER_ALREADY_LINKED,
 *   or CHANNEL_EXISTS
 */
export const requestPairingCode = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  request: CodeRequest,
): Promise<string> => {
  const channel = await unpairedChannel(env, scope, id, "PAIRING_NOT_APPLICABLE");
  if (channel.state === "CONNECTING") throw inProgress();
  const digits = asDigits(request.phoneNumber);
  await refuseLinked(env, channel, digits, request);
  const pairing = openPairing(env, channel);
  if (!pairing) throw noCode();
  const refusal = pairing.requestCode(digits);
  if (refusal) throw codeRefused(env, channel, refusal);
  return digits;
};

/** A code that is not made for a reason that its owner can know. */
const codeRefused = (env: Pick<ChannelsEnv, "clock" | "registry">, channel: ChannelRow, hint: PairingHint) => {
  const shown = shownHint(env, channel, hint);
  return new AppError("PAIRING_NOT_READY", {
    message: shown.en,
    details: { hint: shown },
    ...(hint.retryAt === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil((hint.retryAt - env.clock.now()) / SECOND_MS)) }),
  });
};

/** A QR code with the hint for the person who scans it. */
export type ShownQrCode = QrCode & { hint?: ShownHint };

export const withHint = (
  env: Pick<ChannelsEnv, "registry">,
  channel: ChannelRow,
  { pairing, qr }: { pairing: PairingApi; qr: QrCode },
): ShownQrCode => {
  const hint = pairing.hint?.("qr");
  return hint ? { ...qr, hint: shownHint(env, channel, hint) } : qr;
};

/**
 * The code to type. If a code was requested but is not made yet, it waits up to `waitMs` for it.
 * @throws AppError CHANNEL_NOT_FOUND, ADAPTER_MISSING, PAIRING_NOT_APPLICABLE for other kinds,
 *   CHANNEL_ALREADY_CONNECTED, or PAIRING_NOT_READY while there is none
 */
export const getPairingCode = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  waitMs = 0,
): Promise<{ code: string; hint?: ShownHint }> => {
  const channel = await unpairedChannel(env, scope, id, "PAIRING_NOT_APPLICABLE");
  const pairing = openPairing(env, channel);
  const code = pairing?.code() ?? (waitMs === 0 ? undefined : await pairing?.nextCode?.(waitMs));
  const hint = pairing?.hint?.("code");
  if (code === undefined) throw hint ? codeRefused(env, channel, hint) : noCode();
  return { code, ...(hint ? { hint: shownHint(env, channel, hint) } : {}) };
};

/**
 * Releases a channel's identity, then announces its next QR code. If the owner wants the channel disconnected, its link
 * is closed instead.
 */
export const resetPairing = async (env: ChannelsEnv, job: ChannelJob): Promise<JobOutcome> => {
  const { channelId } = job.payload;
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  await (channel && pairingOf(env, channel))?.reset();
  await env.supervisor.recorded(channelId); // reports of the old identity's link are ignored while this job exists
  await env.db.write(async (tx) => {
    const left = await findChannel(tx, EVERY_TENANT, channelId);
    if (left) env.jobs.replace(tx, "channel.unlink", { channelId });
    if (left?.state === "PENDING_QR") env.jobs.replace(tx, "channel.announce-qr", { channelId });
    else tx.afterCommit(() => void env.supervisor.close(channelId));
    job.end(tx);
  });
  return { is: "settled" };
};

/**
 * The wait between attempts doubles up to the longest. 64 attempts take 14 days, after which the owner's device drops
 * the identity by itself.
 */
const [FIRST_UNLINK_WAIT_MS, LONGEST_UNLINK_WAIT_MS] = [MINUTE_MS, 6 * HOUR_MS];
const MAX_UNLINK_TRIES = 64;

/** Revokes at the network the identities that the channel released while the network was unreachable. */
export const unlinkOldIdentities = async (env: ChannelsEnv, job: ChannelJob): Promise<JobOutcome> => {
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, job.payload.channelId));
  const pairing = channel && pairingOf(env, channel);
  if (!pairing || (await pairing.unlinkOld())) return { is: "done" };
  const waitMs = Math.min(LONGEST_UNLINK_WAIT_MS, FIRST_UNLINK_WAIT_MS * 2 ** (job.attempt - 1));
  return job.attempt <= MAX_UNLINK_TRIES ? { is: "retry", atMs: env.clock.now() + waitMs } : { is: "done" };
};

/**
 * How long an attempt waits for a QR code, how long the pause after it is, and after how many attempts the job ends.
 */
const TRY_MS = 15 * SECOND_MS;
const REST_MS = 5 * SECOND_MS;
const MAX_TRIES = 15;

/** Publishes the QR code for a channel that has lost its identity and must be paired again. */
export const announceQr = async (env: ChannelsEnv, job: ChannelJob): Promise<JobOutcome> => {
  const { channelId } = job.payload;
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  const pairing = channel && openPairing(env, channel);
  if (!pairing) return { is: "done" };
  if (!(await pairing.nextQr(TRY_MS)))
    return job.attempt < MAX_TRIES ? { is: "retry", atMs: env.clock.now() + REST_MS } : { is: "done" };
  await env.db.write(async (tx) => {
    const waiting = await findChannel(tx, EVERY_TENANT, channelId);
    const qr = waiting?.state === "PENDING_QR" ? pairing.qr() : undefined; // it may have been scanned meanwhile
    if (waiting && qr) {
      const { text, ...shown } = withHint(env, waiting, { pairing, qr });
      await publish(
        env,
        tx,
        { tenantId: waiting.tenantId, channel: waiting },
        { type: "channel.qr_issued", qr: text, ...shown },
      );
    }
    job.end(tx);
  });
  return { is: "settled" };
};

/** Disconnects a channel whose QR code was not scanned in time. */
export const giveUpPairing = async (env: ChannelsEnv, job: ChannelJob): Promise<JobOutcome> => {
  const { channelId } = job.payload;
  const waiting = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  const ceremony = waiting && openPairing(env, waiting)?.passkey?.current();
  if (ceremony) return { is: "retry", atMs: ceremony.expiresAt }; // somebody has scanned, and the pairing continues
  await env.db.write(async (tx) => {
    const channel = await findChannel(tx, EVERY_TENANT, channelId);
    if (channel?.state === "PENDING_QR") {
      await changeLinkState(env, tx, channel, { state: "DISCONNECTED", reason: "NOT_SCANNED" });
      tx.afterCommit(() => void env.supervisor.close(channelId));
    }
    job.end(tx);
  });
  return { is: "settled" };
};
