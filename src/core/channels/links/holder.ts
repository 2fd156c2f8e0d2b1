import type { Reader } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannelsByRoute } from "../../../store/tables/channels/channels.ts";
import type { ChannelsEnv } from "../env.ts";

/**
 * Whether another channel, of any account, was connected with the number or bot of this one, and one of the two would
 * take the other's messages. A network that calls one address for all channels serves each of them. A claim that the
 * network has not confirmed does not count, because ids are not secret.
 */
export const isHeldByAnother = async (
  { registry }: Pick<ChannelsEnv, "registry">,
  r: Reader,
  { id, kind, numberId, holdsConnection }: Pick<ChannelRow, "id" | "kind" | "numberId" | "holdsConnection">,
): Promise<boolean> => {
  if (!numberId || !(holdsConnection || registry.declared(kind)?.webhook)) return false;
  const holders = await findChannelsByRoute(r, kind, { by: "number", id: numberId });
  return holders.some((holder) => holder.id !== id && holder.validatedAt !== null);
};
