import { and, desc, inArray, lt } from "drizzle-orm";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import { type TenantScope, within } from "../scope.ts";
import { type ChannelRow, channels } from "./channels.ts";

/** A tenant's channels that are older than one of them, newest first. `ids`: of these alone. */
export const listChannelsBefore = (
  r: Reader,
  scope: TenantScope,
  { before, ids, limit }: { before: string | undefined; ids: readonly string[] | undefined; limit: number },
): Promise<ChannelRow[]> =>
  r.q
    .select()
    .from(channels)
    .where(
      and(
        within(channels.tenantId, scope),
        before === undefined ? undefined : lt(channels.id, before as ChannelId),
        ids && inArray(channels.id, ids as ChannelId[]),
      ),
    )
    .orderBy(desc(channels.id))
    .limit(limit);
