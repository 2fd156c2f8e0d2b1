import { isOpenState } from "../../../contract/events.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannelsByRoute } from "../../../store/tables/channels/channels.ts";
import type { ChannelsEnv } from "../env.ts";

/** What a channel says of its number or bot. */
export type Claim = Pick<ChannelRow, "id" | "kind" | "numberId" | "holdsConnection" | "validatedAt">;

/**
 * Whether another channel, of any account, is connected with the number or bot of this one, and one of the two would
 * take the other's messages. A network that calls one address for all channels serves each of them. A claim that the
 * network has not confirmed does not count, because ids are not secret. A connection that ended blocks nobody; one that
 * is made again blocks only a newcomer, else two former holders would lock each other out.
 */
export const isHeldByAnother = async (
  { registry }: Pick<ChannelsEnv, "registry">,
  r: Reader,
  { id, kind, numberId, holdsConnection, validatedAt }: Claim,
): Promise<boolean> => {
  if (!numberId || !(holdsConnection || registry.declared(kind)?.webhook)) return false;
  const isNewcomer = validatedAt === null;
  const holds = ({ state }: ChannelRow) => isOpenState(state) || (isNewcomer && state === "CONNECTING");
  const others = await findChannelsByRoute(r, kind, { by: "number", id: numberId });
  return others.some((other) => other.id !== id && other.validatedAt !== null && holds(other));
};
