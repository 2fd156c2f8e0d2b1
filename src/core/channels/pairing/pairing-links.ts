import { isOpenState } from "../../../contract/events.ts";
import { DAY_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import {
  countOpenPairingLinks,
  findPairingLink,
  insertPairingLink,
  listPairingLinks,
  openPairingLink,
  type PairingLinkRow,
  prunePairingLinks,
  revokePairingLink,
} from "../../../store/tables/channels/pairing-links.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { reconnectChannel } from "../links/connection.ts";
import { alreadyConnected } from "../refusals.ts";
import { requestPairingCode } from "./pairing.ts";
import { type PairingView, pairingView } from "./pairing-view.ts";

// A pairing link lets somebody without an account pair one channel: whoever has it sees the channel's code. Its token
// is 128 random bits and is stored as a hash. The link ends when the channel is paired, when it is revoked, or when its
// time is over.

const TOKEN_BYTES = 16;
export const DEFAULT_MINUTES = 30;
export const MOST_MINUTES = 24 * 60;
/** Open links of one channel. */
const MOST_OPEN = 20;
const MOST_LISTED = 50;
/** A link is listed for this long after it has expired. */
const LISTED_MS = DAY_MS;

export type PairingLinkState = "open" | "paired" | "revoked" | "expired";
export type PairingLink = PairingLinkRow & { state: PairingLinkState };

const stateOf = ({ endedAt, isRevoked, expiresAt }: PairingLinkRow, now: number): PairingLinkState => {
  if (endedAt !== null) return isRevoked ? "revoked" : "paired";
  return expiresAt > now ? "open" : "expired";
};

/**
 * Makes a link for a channel that can be paired and is not connected. Its address is shown only now.
 * @throws AppError CHANNEL_NOT_FOUND, PAIRING_NOT_APPLICABLE for other kinds, CHANNEL_ALREADY_CONNECTED, LIMIT_REACHED,
 *   CONSOLE_OFF if no page could be opened
 */
export const createPairingLink = async (
  env: ChannelsEnv,
  caller: Caller,
  channelId: string,
  { label = null, minutes = DEFAULT_MINUTES }: { label?: string | null; minutes?: number },
): Promise<PairingLink & { url: string }> => {
  const channel = await getChannel(env, caller, channelId);
  if (!env.registry.declared(channel.kind)?.network.isPaired)
    throw new AppError("PAIRING_NOT_APPLICABLE", { message: "A channel of this kind is not paired." });
  const token = Buffer.from(env.random.bytes(TOKEN_BYTES)).toString("hex");
  const url = env.pairingPage(token);
  if (url === undefined) throw new AppError("CONSOLE_OFF", { message: "This server has no pages for pairing links." });
  const createdAt = env.clock.now();
  const row: PairingLinkRow = {
    id: newId(env),
    hash: sha256(token),
    tenantId: channel.tenantId,
    channelId: channel.id,
    label,
    createdBy: caller.actor.name,
    createdAt,
    expiresAt: createdAt + minutes * MINUTE_MS,
    openedAt: null,
    endedAt: null,
    isRevoked: false,
  };
  await env.db.write(async (tx) => {
    const now = await findChannel(tx, caller, channel.id);
    if (!now) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });
    if (isOpenState(now.state)) throw alreadyConnected();
    if ((await countOpenPairingLinks(tx, channel.id, createdAt)) >= MOST_OPEN)
      throw new AppError("LIMIT_REACHED", { message: `A channel has at most ${MOST_OPEN} open pairing links.` });
    await insertPairingLink(tx, row);
    await recordAct(env, tx, caller, {
      action: "pairing-link.create",
      target: row.id,
      tenantId: channel.tenantId,
      details: { channelId: channel.id, minutes },
    });
  });
  return { ...row, state: "open", url };
};

/** The channel's links, newest first, recently ended ones included. @throws AppError CHANNEL_NOT_FOUND */
export const readPairingLinks = async (
  env: ChannelsEnv,
  scope: TenantScope,
  channelId: string,
): Promise<PairingLink[]> => {
  const { id, tenantId } = await getChannel(env, scope, channelId);
  const rows = await env.db.read((reader) => listPairingLinks(reader, { tenantId }, id, MOST_LISTED));
  return rows.map((row) => ({ ...row, state: stateOf(row, env.clock.now()) }));
};

/**
 * Revokes a link at once.
 * @throws AppError CHANNEL_NOT_FOUND, LINK_UNKNOWN when there is no such link, or it has ended
 */
export const withdrawPairingLink = async (
  env: ChannelsEnv,
  caller: Caller,
  channelId: string,
  id: string,
): Promise<void> => {
  const channel = await getChannel(env, caller, channelId);
  await env.db.write(async (tx) => {
    const asked = { channelId: channel.id, id, atMs: env.clock.now() };
    if (!(await revokePairingLink(tx, { tenantId: channel.tenantId }, asked))) throw linkUnknown();
    await recordAct(env, tx, caller, {
      action: "pairing-link.revoke",
      target: id,
      tenantId: channel.tenantId,
      details: { channelId: channel.id },
    });
  });
};

const linkUnknown = () =>
  new AppError("LINK_UNKNOWN", { message: "This link is not known, has expired or was taken back." });

type Found = { link: PairingLinkRow; channel: ChannelRow };

const foundBy = async (env: ChannelsEnv, token: string): Promise<Found> => {
  const found = await env.db.read(async (reader) => {
    const link = await findPairingLink(reader, sha256(token), env.clock.now());
    const channel = link && !link.isRevoked && (await findChannel(reader, EVERY_TENANT, link.channelId));
    return link && channel ? { link, channel } : undefined;
  });
  if (!found) throw linkUnknown();
  return found;
};

/**
 * The channel of a token, wherever its live link is.
 * @throws AppError LINK_UNKNOWN
 */
export const channelOfPairingLink = async (env: ChannelsEnv, token: string): Promise<ChannelRow> =>
  (await foundBy(env, token)).channel;

/** The page of a link. A link whose channel is paired no longer shows anything of the channel. */
export type LinkView = { label: string | null; expiresAt: number } & PairingView;

/** The page's content now. Each call keeps codes being made. @throws AppError LINK_UNKNOWN */
export const linkView = async (env: ChannelsEnv, token: string): Promise<LinkView> => {
  const { link, channel } = await foundBy(env, token);
  const shown = { label: link.label, expiresAt: link.expiresAt };
  if (link.endedAt !== null) return { ...shown, state: "paired" };
  if (link.openedAt === null) await env.db.write((tx) => openPairingLink(tx, link.id, env.clock.now()));
  return { ...shown, ...pairingView(env, channel) };
};

const openLink = async (env: ChannelsEnv, token: string): Promise<Found> => {
  const found = await foundBy(env, token);
  if (found.link.endedAt !== null || isOpenState(found.channel.state)) throw alreadyConnected();
  return found;
};

/**
 * Starts the making of codes for a channel that sleeps.
 * @throws AppError LINK_UNKNOWN, CHANNEL_ALREADY_CONNECTED, ADAPTER_MISSING
 */
export const wakePairing = async (env: ChannelsEnv, token: string): Promise<void> => {
  const { channel } = await openLink(env, token);
  await reconnectChannel(env, channel, channel.id);
};

/**
 * Asks for a code to type on the device with this number.
 * @throws AppError LINK_UNKNOWN, CHANNEL_ALREADY_CONNECTED, PAIRING_IN_PROGRESS, PAIRING_NOT_READY, or CHANNEL_EXISTS
 */
export const requestCodeByLink = async (env: ChannelsEnv, token: string, phoneNumber: string): Promise<void> => {
  const { channel } = await openLink(env, token);
  await requestPairingCode(env, channel, channel.id, { phoneNumber, isStranger: true });
};

/** Deletes links that expired long ago; true when there may be more. */
export const pruneLinks = (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  prunePairingLinks(tx, nowMs - LISTED_MS, limit);
