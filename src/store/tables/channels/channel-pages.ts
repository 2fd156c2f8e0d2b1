import type { Reader } from "../../engine/db.ts";
import { columnsOf, lines, statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { type ChannelRow, channels } from "./channels.ts";

const CHANNEL = columnsOf(channels);

type Page = { before: string | undefined; ids: readonly string[] | undefined; limit: number };

/** The channels of a tenant that are older than a given channel, newest first. `ids`: only these channels. */
export const listChannelsBefore = (r: Reader, scope: TenantScope, page: Page): Promise<ChannelRow[]> =>
  statement<ChannelRow, TenantScope & Page>(
    lines(
      "SELECT * FROM channels WHERE tenant_id = :tenantId",
      page.before !== undefined && "AND id < :before",
      page.ids && "AND id IN (SELECT value FROM json_each(:ids))",
      "ORDER BY id DESC LIMIT :limit",
    ),
    CHANNEL,
  ).all(r, { ...page, tenantId: scope.tenantId });
