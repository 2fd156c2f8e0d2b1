import type { Reader } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannelsByRoute } from "../../../store/tables/channels/channels.ts";

/**
 * Whether another channel, of any account, was connected with the number or bot of this one. A claim that the network
 * has not confirmed does not count, because ids are not secret.
 */
export const isHeldByAnother = async (
  r: Reader,
  { id, kind, numberId }: Pick<ChannelRow, "id" | "kind" | "numberId">,
): Promise<boolean> => {
  if (!numberId) return false;
  const holders = await findChannelsByRoute(r, kind, { by: "number", id: numberId });
  return holders.some((holder) => holder.id !== id && holder.validatedAt !== null);
};
