import type { PasskeyApi, PasskeyAssertion, PasskeyCeremony } from "../../../contract/abilities/pairing.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { findPasskeyLink, takePasskeyLink } from "../../../store/tables/channels/passkey-links.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { bridgeUrlOf, tokenOf } from "./passkey-link.ts";

/** The owner's step with a passkey, and the page for it. */
export type PasskeyRequest = PasskeyCeremony & { bridgeUrl: string };

const notRequested = () =>
  new AppError("PASSKEY_NOT_REQUESTED", {
    message: "The network does not wait for a passkey of this channel. Scan its QR code, or type its code.",
  });

const apiOf = (env: Pick<ChannelsEnv, "supervisor">, channel: ChannelRow): PasskeyApi | undefined =>
  channel.state === "PENDING_QR" ? env.supervisor.linkOf(channel, "live")?.pairing?.passkey : undefined;

/** The request to sign or the code to compare now. @throws AppError CHANNEL_NOT_FOUND, or PASSKEY_NOT_REQUESTED */
export const getPasskey = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<PasskeyRequest> => {
  const channel = await getChannel(env, scope, id);
  const ceremony = apiOf(env, channel)?.current();
  if (!ceremony) throw notRequested();
  await env.supervisor.recorded(channel.id); // from then on its page is reachable
  return { ...ceremony, bridgeUrl: bridgeUrlOf(env, channel.id, ceremony.id) };
};

/** The page where the owner can use the passkey that the network requires now; undefined if it requires none. */
export const passkeyPageOf = (env: ChannelsEnv, channel: ChannelRow): string | undefined => {
  const ceremony = apiOf(env, channel)?.current();
  return ceremony && bridgeUrlOf(env, channel.id, ceremony.id);
};

/**
 * Passes on the signature of the owner's browser.
 * @throws AppError CHANNEL_NOT_FOUND, PASSKEY_NOT_REQUESTED, or PASSKEY_REFUSED when the network does not accept it
 */
export const assertPasskey = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  assertion: PasskeyAssertion,
): Promise<void> => {
  const channel = await getChannel(env, scope, id);
  const ceremony = apiOf(env, channel)?.current();
  if (ceremony?.stage !== "ASSERTION_REQUIRED") throw notRequested();
  await env.supervisor.recorded(channel.id); // from then on its token can be used up
  await assertOnce(env, channel, tokenOf(env, channel.id, ceremony.id), assertion);
};

/** The page's token is used up first, so that a signature is passed on once, through the page or the API. */
const assertOnce = async (
  env: ChannelsEnv,
  channel: ChannelRow,
  token: string,
  assertion: PasskeyAssertion,
): Promise<void> => {
  const isTaken = await env.db.write((tx) => takePasskeyLink(tx, sha256(token), env.clock.now()));
  if (!isTaken) throw notRequested();
  await settle(apiOf(env, channel)?.assert(assertion));
};

/**
 * Confirms that the owner compared the codes and that they are the same.
 * @throws AppError CHANNEL_NOT_FOUND, PASSKEY_NOT_REQUESTED, or PASSKEY_REFUSED when the network does not accept it
 */
export const confirmPasskey = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<void> =>
  settle(apiOf(env, await getChannel(env, scope, id))?.confirm());

const settle = async (trying: ReturnType<PasskeyApi["assert"]> | undefined): Promise<void> => {
  const outcome = await trying;
  if (outcome?.ok) return;
  if (outcome?.code !== "REFUSED") throw notRequested();
  throw new AppError("PASSKEY_REFUSED", {
    message: `The network did not accept the passkey (${outcome.reason}). Scan the QR code again to start over.`,
  });
};

/** A page by its token: its channel, and the ceremony while it is in progress. */
export type PasskeyPage = { channel: ChannelRow; ceremony: PasskeyCeremony | undefined };

/**
 * The channel of a page's token, wherever its link is.
 * @throws AppError LINK_UNKNOWN for a token that is unknown or has expired
 */
export const passkeyChannel = async (env: ChannelsEnv, token: string): Promise<ChannelRow> =>
  (await linkOf(env, token)).channel;

const linkOf = async (env: ChannelsEnv, token: string) => {
  const found = await env.db.read(async (reader) => {
    const link = await findPasskeyLink(reader, sha256(token), env.clock.now());
    const channel = link && (await findChannel(reader, EVERY_TENANT, link.channelId));
    return link && channel && { link, channel };
  });
  if (!found) throw new AppError("LINK_UNKNOWN", { message: "This link is not known, has expired or was used." });
  return found;
};

/** @throws AppError LINK_UNKNOWN */
export const passkeyPage = async (env: ChannelsEnv, token: string): Promise<PasskeyPage> => {
  const { link, channel } = await linkOf(env, token);
  const ceremony = apiOf(env, channel)?.current();
  return { channel, ceremony: ceremony?.id === link.ceremonyId ? ceremony : undefined };
};

/** @throws AppError LINK_UNKNOWN, PASSKEY_NOT_REQUESTED or PASSKEY_REFUSED */
export const assertOnPage = async (env: ChannelsEnv, token: string, assertion: PasskeyAssertion): Promise<void> => {
  const { channel, ceremony } = await passkeyPage(env, token);
  if (ceremony?.stage !== "ASSERTION_REQUIRED") throw notRequested();
  await assertOnce(env, channel, token, assertion);
};

/** @throws AppError LINK_UNKNOWN, PASSKEY_NOT_REQUESTED or PASSKEY_REFUSED */
export const confirmOnPage = async (env: ChannelsEnv, token: string): Promise<void> => {
  const { channel, ceremony } = await passkeyPage(env, token);
  await settle(ceremony && apiOf(env, channel)?.confirm());
};
