import {
  type BusinessApi,
  type BusinessProfile,
  type NameChange,
  ONBOARDING_FIELDS,
  type ProfileChanges,
  type SyncKind,
} from "../../../contract/abilities/onboarding.ts";
import { isOpenState } from "../../../contract/events.ts";
import type { UpstreamResult } from "../../../contract/upstream.ts";
import { iso } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type ChannelRow, findChannel, updateChannel, writeVault } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import { getChannel, isCoexistent } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { applyReport } from "../links/report.ts";
import { requireValue } from "../links/upstream.ts";
import { notConnected, unknownChannel } from "../refusals.ts";
import { sealedFields } from "./vault.ts";
import { readWebhook } from "./webhooks.ts";

type Business = { channel: ChannelRow; api: BusinessApi };

/**
 * The channel with the business API of its network.
 * @throws AppError CHANNEL_NOT_FOUND, also for a kind without business numbers
 */
const businessOf = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<Business> => {
  const channel = await getChannel(env, scope, id);
  const api = env.supervisor.linkOf(channel, "live")?.business;
  if (!api) throw unknownChannel();
  return { channel, api };
};

/**
 * Replaces the channel's token once the network has accepted the new one; then the channel is connected. After an error
 * the old token stays.
 * @throws AppError CHANNEL_NOT_FOUND, CREDENTIALS_NOT_APPLICABLE for a kind whose token is not rotated so,
 *   TOKEN_REFUSED, and what `requireValue` throws
 */
export const rotateToken = async (
  env: ChannelsEnv,
  caller: Caller,
  id: string,
  accessToken: string,
): Promise<ChannelRow> => {
  const channel = await getChannel(env, caller, id);
  const api = env.supervisor.linkOf(channel, "live")?.business;
  if (!api)
    throw new AppError("CREDENTIALS_NOT_APPLICABLE", {
      message: "The token of a channel of this kind is not rotated by itself: replace its credentials.",
    });
  const checked = await api.checkToken(accessToken);
  if (!checked.ok && (checked.kind === "token" || checked.kind === "refused"))
    throw new AppError("TOKEN_REFUSED", { message: "The network does not accept this token for the phone's number." });
  const report = requireValue(checked);
  await env.db.write(async (tx) => {
    // deleted while the network was asked
    if (!(await applyReport(env, tx, channel.id, report))) throw unknownChannel();
    await writeVault(tx, sealedFields(env, channel.id, { accessToken }));
    await recordAct(env, tx, caller, { action: "channel.rotate-token", target: channel.id, tenantId: caller.tenantId });
    await env.supervisor.connect(tx, channel); // later answers to the old token no longer count
  });
  return getChannel(env, caller, id);
};

/** @throws AppError CHANNEL_NOT_FOUND, CREDENTIALS_MISSING, CHANNEL_NOT_CONNECTED for a session, and what `requireValue` throws */
export const getBusinessProfile = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
): Promise<BusinessProfile> => {
  return requireValue(await (await profilesOf(env, scope, id)).read(), "CREDENTIALS_MISSING");
};

type OwnProfile = Pick<BusinessApi, "changeProfile"> & { read: BusinessApi["profile"] };

/** The channel's own profile, which its provider manages, or the owner's app. */
const profilesOf = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<OwnProfile> => {
  const channel = await getChannel(env, scope, id);
  const { business, businessProfiles } = env.supervisor.linkOf(channel, "live") ?? {};
  if (business) return { read: business.profile, changeProfile: business.changeProfile };
  if (!businessProfiles) throw unknownChannel();
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return {
    changeProfile: businessProfiles.change,
    read: async () => {
      const read = await businessProfiles.own();
      return read.ok ? (read.value === null ? NO_BUSINESS : { ok: true, value: read.value }) : read;
    },
  };
};

const NO_BUSINESS: UpstreamResult<BusinessProfile> = {
  ok: false,
  kind: "refused",
  error: { code: 404, error_subcode: null, message: "the account is no business" },
};

/**
 * Returns the profile after the change.
 * @throws as `getBusinessProfile`
 */
export const changeBusinessProfile = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  changes: ProfileChanges,
): Promise<BusinessProfile> => {
  const { read, changeProfile } = await profilesOf(env, scope, id);
  if (Object.keys(changes).length > 0) requireValue(await changeProfile(changes), "CREDENTIALS_MISSING");
  return requireValue(await read(), "CREDENTIALS_MISSING");
};

/**
 * Asks the network for another display name, which it reviews.
 * @throws AppError CHANNEL_NOT_FOUND, and what `requireValue` throws
 */
export const requestName = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  displayName: string,
): Promise<void> => {
  const { api } = await businessOf(env, scope, id);
  requireValue(await api.requestName(displayName));
};

/**
 * The state of the review.
 * @throws as `requestName`
 */
export const getNameChange = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<NameChange> => {
  const { api } = await businessOf(env, scope, id);
  return requireValue(await api.nameChange());
};

/** `flagPersisted`: whether the phone stores the time of the request. */
export type SyncRequest = { ok: boolean; flagPersisted: boolean; requestId: string | null };

const NOT_REQUESTED: SyncRequest = { ok: false, flagPersisted: false, requestId: null };

/**
 * Requests a sync of a number that its owner's app uses too. Undefined if there is nothing to synchronise, or no
 * webhook to publish it to.
 */
export const requestSync = async (
  env: ChannelsEnv,
  channel: ChannelRow,
  what: SyncKind,
): Promise<UpstreamResult<SyncRequest> | undefined> => {
  const hasWebhook = channel.sharedWebhookId !== null || (await readWebhook(env, channel, channel.id)) !== undefined;
  const api = isCoexistent(channel) && hasWebhook ? env.supervisor.linkOf(channel, "live")?.business : undefined;
  if (!api) return undefined;
  const requested = await api.requestSync(what);
  if (!requested.ok) return requested;
  const flagPersisted = await rememberRequest(env, channel, what);
  return { ok: true, value: { ok: true, flagPersisted, requestId: requested.value } };
};

/** The result of a sync that was refused, or not requested at all. */
export const requestedOf = (result: UpstreamResult<SyncRequest> | undefined): SyncRequest =>
  result?.ok ? result.value : NOT_REQUESTED;

const rememberRequest = (env: ChannelsEnv, { id, tenantId }: ChannelRow, what: SyncKind): Promise<boolean> =>
  env.db.write(async (tx) => {
    const now = env.clock.now();
    const current = await findChannel(tx, { tenantId }, id);
    if (!current) return false;
    await updateChannel(tx, current, id, {
      profile: { ...current.profile, [ONBOARDING_FIELDS.syncedAt[what]]: iso(now) },
      updatedAt: now,
    });
    return true;
  });

/**
 * Requests syncs of a connected number. If the network refuses one sync and accepts the other, the refused one is
 * reported as not requested.
 * @throws AppError CHANNEL_NOT_FOUND, also for a number that no business app uses, CHANNEL_NOT_CONNECTED, and what
 *   `requireValue` throws when the network accepts none
 */
export const syncContacts = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  wanted: Record<SyncKind, boolean>,
): Promise<Record<SyncKind, SyncRequest>> => {
  const { channel } = await businessOf(env, scope, id);
  if (!isCoexistent(channel)) throw unknownChannel();
  if (!isOpenState(channel.state)) throw notConnected(channel);
  const request = async (what: SyncKind) => (wanted[what] ? await requestSync(env, channel, what) : undefined);
  const [contacts, history] = [await request("contacts"), await request("history")];
  const refusal = [contacts, history].find((result) => result?.ok === false);
  if (refusal && !contacts?.ok && !history?.ok) requireValue(refusal);
  return { contacts: requestedOf(contacts), history: requestedOf(history) };
};
