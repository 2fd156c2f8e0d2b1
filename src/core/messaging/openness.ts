import { type BusinessHours, type Openness, opennessAt } from "../../kernel/business-hours.ts";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import { findBusinessHours, type HoursOwner } from "../../store/tables/messaging/business-hours.ts";

// Asks for hours, and changes none: whatever sends may ask it.

/** The hours that apply to an account or to one of its channels, and whose they are. */
export const readHoursInForce = async (r: Reader, { tenantId, channelId }: HoursOwner) => {
  const own = channelId && (await findBusinessHours(r, { tenantId, channelId }));
  if (own) return { row: own, source: "CHANNEL" as const };
  const row = await findBusinessHours(r, { tenantId, channelId: undefined });
  return { row, source: row ? ("ACCOUNT" as const) : ("NONE" as const) };
};

/** Whether a channel's business is open at a time, and when it opens next. */
export const readOpenness = async (
  r: Reader,
  { tenantId, channelId }: { tenantId: TenantId; channelId: ChannelId },
  atMs: number,
): Promise<Openness & { hours: BusinessHours | undefined }> => {
  const { row } = await readHoursInForce(r, { tenantId, channelId });
  return { hours: row?.hours, ...opennessAt(row?.hours, atMs) };
};
