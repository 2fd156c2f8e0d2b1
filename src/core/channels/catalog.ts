import type { CatalogApi, Collection, OrderDetails, ProductPage } from "../../contract/abilities/catalog.ts";
import type { BusinessProfile } from "../../contract/abilities/onboarding.ts";
import { isOpenState } from "../../contract/events.ts";
import type { ChannelLink } from "../../contract/plugin.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { requireValue } from "./links/upstream.ts";
import { requirePersonKey } from "./people.ts";
import { notConnected, notOffered } from "./refusals.ts";

type Part = "catalog" | "businessProfiles" | "people";
type Opened<Name extends Part> = { channel: ChannelRow; api: NonNullable<ChannelLink[Name]> };

/** @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM for a kind without it, CHANNEL_NOT_CONNECTED */
const opened = async <Name extends Part>(
  env: ChannelsEnv,
  scope: TenantScope,
  { id, part, what }: { id: string; part: Name; what: string },
): Promise<Opened<Name>> => {
  const channel = await getChannel(env, scope, id);
  const api = env.supervisor.linkOf(channel, "live")?.[part];
  if (!api) throw notOffered(what);
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return { channel, api };
};

/** @throws AppError as `opened`, RECIPIENT_INVALID, ADDRESS_INVALID */
const openedCatalog = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, of }: { id: string; of?: string | undefined },
): Promise<{ api: CatalogApi; seller: { of?: string } }> => {
  const { channel, api } = await opened(env, scope, { id, part: "catalog", what: "read catalogues and orders" });
  return { api, seller: of === undefined ? {} : { of: await requirePersonKey(env, channel, of) } };
};

type Asked = { id: string; of: string | undefined; limit: number };

/** A page of the products of a business, by default the phone's own. Throws as `openedCatalog`, and what `requireValue` throws. */
export const listProducts = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { limit, cursor, ...whose }: Asked & { cursor: string | undefined },
): Promise<ProductPage> => {
  const { api, seller } = await openedCatalog(env, scope, whose);
  return requireValue(await api.products({ ...seller, limit, ...(cursor === undefined ? {} : { cursor }) }));
};

/** The collections of a business, each with its first products. Throws as `listProducts`. */
export const listCollections = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { limit, ...whose }: Asked,
): Promise<Collection[]> => {
  const { api, seller } = await openedCatalog(env, scope, whose);
  return requireValue(await api.collections({ ...seller, limit }));
};

/** What a customer has ordered. Throws as `listProducts`. */
export const readOrder = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, orderId, token }: { id: string; orderId: string; token: string },
): Promise<OrderDetails> => {
  const { api } = await openedCatalog(env, scope, { id });
  return requireValue(await api.order({ orderId, token }));
};

/** The business profile of a person; null for a person who is no business. Throws as `listProducts`. */
export const businessProfileOf = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, to }: { id: string; to: string },
): Promise<BusinessProfile | null> => {
  const what = "read business profiles of others";
  const { channel, api } = await opened(env, scope, { id, part: "businessProfiles", what });
  return requireValue(await api.of(await requirePersonKey(env, channel, to)));
};

/** The about text of a person; null without one, or if the account may not see it. Throws as `listProducts`. */
export const aboutOf = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, to }: { id: string; to: string },
): Promise<string | null> => {
  const what = "read about texts of others";
  const { channel, api } = await opened(env, scope, { id, part: "people", what });
  if (!api.about) throw notOffered(what);
  return requireValue(await api.about(await requirePersonKey(env, channel, to)));
};
