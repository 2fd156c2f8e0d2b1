import type { CallPermission } from "../../contract/abilities/calls.ts";
import type { CallPermissionUpdate } from "../../contract/events.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import type { ChannelId, MessageId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { findPermission, putPermission } from "../../store/tables/calls.ts";
import type { AskedBy } from "../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { type InboundContext, learnIdentity, readContactOn } from "../channels/identity.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import { contactOf } from "../domain-event.ts";
import { acceptMessage } from "../messaging/sending/accept.ts";
import type { CallsEnv } from "./env.ts";
import { requireCallable, requireCallsApi } from "./people.ts";

/** How long a stored permission is used without asking the network again. */
const BELIEVED_MS = 7 * DAY_MS;

/** The canonical key of a person, under which their permission is stored. */
export const knownAs = async (r: Reader, channelId: ChannelId, key: string): Promise<string> =>
  (await readContactOn(r, channelId, key)).canonicalKey;

/** Stores a person's decision about calls, and replaces the earlier one. */
export const recordPermission = async (
  _env: CallsEnv,
  tx: Tx,
  context: InboundContext,
  { from, at, isGranted, expiresAt }: CallPermissionUpdate,
): Promise<void> => {
  const { canonicalKey: peer } = contactOf(await learnIdentity(tx, context, { identity: from, at }));
  const known = await findPermission(tx, context.channel.id, peer);
  if (known && (known.grantedAt ?? 0) > at) return;
  await putPermission(tx, {
    channelId: context.channel.id,
    peer,
    isGranted,
    grantedAt: at,
    expiresAt: isGranted ? expiresAt : null,
  });
};

/**
 * Whether a person may be called: by their own recent decision, else by the network's answer.
 *
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM, RECIPIENT_INVALID, and what `requireValue` throws.
 */
export const getPermission = async (
  env: CallsEnv,
  scope: TenantScope,
  { channelId, to }: { channelId: string; to: string },
): Promise<CallPermission> => {
  const channel = await getChannel(env, scope, channelId);
  const api = requireCallsApi(env, channel);
  if (!api.permission) throw notOffered("ask for permission to call");
  const person = await requireCallable(env, channel, to);
  const said = await env.db.read(async (reader) =>
    findPermission(reader, channel.id, await knownAs(reader, channel.id, person)),
  );
  const now = env.clock.now();
  const isBelieved =
    said?.isGranted && now < (said.expiresAt ?? Number.POSITIVE_INFINITY) && now < (said.grantedAt ?? 0) + BELIEVED_MS;
  return isBelieved
    ? { granted: true, grantedAt: said.grantedAt, expiresAt: said.expiresAt }
    : requireValue(await api.permission(person));
};

/**
 * Sends a person the network's request for permission to call, like any message.
 *
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM, RECIPIENT_INVALID, and what `acceptMessage` throws.
 */
export const requestPermission = async (
  env: CallsEnv,
  scope: TenantScope,
  { channelId, to }: { channelId: string; to: string },
  askedBy: AskedBy,
): Promise<MessageId> => {
  const channel = await getChannel(env, scope, channelId);
  if (!requireCallsApi(env, channel).permission) throw notOffered("ask for permission to call");
  const envelope = {
    channelId,
    to: await requireCallable(env, channel, to),
    type: "call_permission_request",
    content: {},
  } as const;
  const options = { environment: "live", mustBeConnected: true, ...askedBy } as const;
  return (await acceptMessage(env, scope, envelope, options)).messageId;
};
