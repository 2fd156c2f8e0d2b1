import { AppError } from "../../kernel/errors.ts";
import { isUuid } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel, listByLabel } from "../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { ChannelsEnv } from "./env.ts";
import { unknownChannel } from "./refusals.ts";

/**
 * The tenant's channel with this name (its label) or this id.
 * @throws AppError CHANNEL_NOT_FOUND, or CHANNEL_EXISTS if several channels have the name
 */
export const requireChannelNamed = (
  { db }: Pick<ChannelsEnv, "db">,
  scope: TenantScope,
  name: string,
): Promise<ChannelRow> =>
  db.read(async (reader) => {
    const [channel, other] = await listByLabel(reader, scope, name);
    if (other)
      throw new AppError("CHANNEL_EXISTS", {
        message: `Several channels have the name "${name}": use the channel's id.`,
      });
    const found = channel ?? (isUuid(name) ? await findChannel(reader, scope, name.toLowerCase()) : undefined);
    if (!found) throw unknownChannel();
    return found;
  });

/** @throws AppError CHANNEL_EXISTS if a channel of the tenant has this name */
export const refuseSecondName = async (tx: Tx, { tenantId, label }: Pick<ChannelRow, "tenantId" | "label">) => {
  if ((await listByLabel(tx, { tenantId }, label)).length > 0)
    throw new AppError("CHANNEL_EXISTS", { message: `This name "${label}" is already in use.` });
};
