import type {
  OwnProfile,
  OwnProfileChanges,
  PeopleApi,
  Presence,
  ProfilePicture,
} from "../../contract/abilities/people.ts";
import { broadcastKindOf } from "../../contract/capabilities.ts";
import { isOpenState, type PresenceChanged } from "../../contract/events.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { contactOf } from "../domain-event.ts";
import { publish } from "../events/publish.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { type InboundContext, learnIdentity } from "./identity.ts";
import { requireValue } from "./links/upstream.ts";
import { notConnected, notOffered } from "./refusals.ts";

type People = { channel: ChannelRow; api: PeopleApi };

/**
 * A connected channel with the people API of its network.
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM for a kind without this API, CHANNEL_NOT_CONNECTED
 */
const requirePeople = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<People> => {
  const channel = await getChannel(env, scope, id);
  const api = env.supervisor.linkOf(channel, "live")?.people;
  if (!api) throw notOffered("show presence, blocks and profiles");
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return { channel, api };
};

/** @throws AppError RECIPIENT_INVALID, ADDRESS_INVALID */
export const requirePersonKey = async (env: ChannelsEnv, { kind }: ChannelRow, to: string): Promise<string> => {
  const address = await env.registry.ofKind(kind)?.address(asDigits(to.trim()));
  if (address?.ok && broadcastKindOf(address.to) !== undefined)
    throw new AppError("ADDRESS_INVALID", { message: "This is no person.", details: { to } });
  if (address?.ok) return address.to;
  throw new AppError(address?.code ?? "RECIPIENT_INVALID", {
    message: "This channel cannot reach this person.",
    details: { to },
  });
};

type ChannelPerson = { id: string; to: string };

/**
 * Shows the account's presence: to everybody (`available`, `unavailable`), or in the chat with `to`.
 * @throws AppError as `requirePeople` and `requirePersonKey`, VALIDATION for a chat's state without a chat, and what
 *   `requireValue` throws
 */
export const showPresence = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, to, presence }: { id: string; to: string | undefined; presence: Presence },
): Promise<void> => {
  const isInChat = presence !== "available" && presence !== "unavailable";
  if (isInChat && to === undefined) throw invalid(issue("to", "required", `is required for ${presence}`));
  const { channel, api } = await requirePeople(env, scope, id);
  const person = isInChat && to !== undefined ? await requirePersonKey(env, channel, to) : undefined;
  requireValue(await api.show(presence, person));
};

/** Publishes a person's presence for one hour. Throws as `showPresence`, and UPSTREAM_PACE_REACHED. */
export const watchPresence = async (env: ChannelsEnv, scope: TenantScope, { id, to }: ChannelPerson): Promise<void> => {
  const { channel, api } = await requirePeople(env, scope, id);
  requireValue(await api.watch(await requirePersonKey(env, channel, to)));
};

/**
 * The canonical keys of the people whom the account has blocked. Throws as `requirePeople`, and what `requireValue`
 * throws.
 */
export const listBlocked = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<readonly string[]> =>
  requireValue(await (await requirePeople(env, scope, id)).api.blocked());

/** Blocks or unblocks a person. Throws as `showPresence`. */
export const setBlocked = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, to, isBlocked }: ChannelPerson & { isBlocked: boolean },
): Promise<void> => {
  const { channel, api } = await requirePeople(env, scope, id);
  requireValue(await api.setBlocked(await requirePersonKey(env, channel, to), isBlocked));
};

/** The profile that the network shows of the account. Throws as `requirePeople`, and what `requireValue` throws. */
export const getOwnProfile = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<OwnProfile> =>
  requireValue(await (await requirePeople(env, scope, id)).api.profile());

/** Changes the profile of the account, and returns it. Throws as `getOwnProfile`. */
export const changeOwnProfile = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, changes }: { id: string; changes: OwnProfileChanges },
): Promise<OwnProfile> => {
  const { api } = await requirePeople(env, scope, id);
  requireValue(await api.changeProfile(changes));
  return requireValue(await api.profile());
};

/** The profile picture of a person, as the account may see it. Throws as `showPresence`. */
export const pictureOfPerson = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, to }: ChannelPerson,
): Promise<ProfilePicture> => {
  const { channel, api } = await requirePeople(env, scope, id);
  return requireValue(await api.picture(await requirePersonKey(env, channel, to)));
};

/** Publishes a person's presence. It is not repeated: a missed presence is over. */
export const receivePresence = async (
  env: ChannelsEnv,
  tx: Tx,
  context: InboundContext,
  { at, from, chat, state, lastSeenAt }: PresenceChanged,
): Promise<void> => {
  const { channel, environment } = context;
  const contact = contactOf(await learnIdentity(tx, context, { identity: from, at }));
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    {
      type: "contact.presence",
      contact,
      chat: chat.group === undefined ? contact : contactOf(chat),
      state,
      at,
      lastSeenAt: lastSeenAt ?? null,
    },
  );
};
