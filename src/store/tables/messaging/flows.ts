import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { FlowStatus } from "../../../contract/abilities/flows.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** Interactive flows. A flow without a native id does not exist at the network yet. */
export const flows = sqliteTable(
  "flows",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    nativeId: text("native_id"),
    name: text().notNull(),
    categories: text({ mode: "json" }).$type<string[]>().notNull(),
    status: text().$type<FlowStatus>().notNull(),
    endpointUrl: text("endpoint_url"),
    validationErrors: text("validation_errors", { mode: "json" }).$type<readonly unknown[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("flows_by_tenant").on(t.tenantId, t.id),
    index("flows_by_channel").on(t.channelId),
    index("flows_by_native_id").on(t.nativeId).where(sql`native_id IS NOT NULL`),
  ],
);
export type FlowRow = typeof flows.$inferSelect;

export const flowsLaws = laws(flows, {
  keeps: { group: "setup", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { none: "the account's own texts" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "flows", where: "tenant_id = :owner" },
  files: { categories: "holds no content of a message", validation_errors: "holds no content of a message" },
  backup: "rows alone",
});

const FLOW = columnsOf(flows);

const insert = insertInto(flows);
export const insertFlow = async (tx: Tx, row: FlowRow): Promise<void> => insert(tx, row);

const byId = statement<FlowRow, { id: string }>("SELECT * FROM flows WHERE id = :id", FLOW);

export const findFlow = async (r: Reader, scope: Scope, id: string): Promise<FlowRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

const byNativeId = statement<FlowRow, { channelId: ChannelId; nativeId: string }>(
  "SELECT * FROM flows WHERE native_id = :nativeId AND native_id IS NOT NULL AND channel_id = :channelId",
  FLOW,
);

/** Finds a channel's flow by the network's id. */
export const findFlowByNativeId = (r: Reader, channelId: ChannelId, nativeId: string): Promise<FlowRow | undefined> =>
  byNativeId.get(r, { channelId, nativeId });

export type FlowFilter = { channelId?: string | undefined; beforeId?: string | undefined; limit: number };

/** Newest first. */
export const listFlows = (r: Reader, scope: Scope, filter: FlowFilter): Promise<FlowRow[]> =>
  statement<FlowRow, FlowFilter & Scope>(
    lines(
      "SELECT * FROM flows WHERE true",
      inScope(scope),
      filter.channelId !== undefined && "AND channel_id = :channelId",
      filter.beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    FLOW,
  ).all(r, { ...filter, tenantId: scope.tenantId });

const update = updateOf<typeof flows, { id: string; tenantId: TenantId | null }>(
  flows,
  "WHERE id = :id AND (:tenantId IS NULL OR tenant_id = :tenantId) RETURNING *",
);

/** The changed row; undefined if no such row is in scope. */
export const updateFlow = async (
  tx: Tx,
  scope: Scope,
  id: string,
  changes: Partial<FlowRow>,
): Promise<FlowRow | undefined> => (await update(tx, changes, { id, tenantId: scope.tenantId ?? null }))[0];

export const deleteFlow = async (tx: Tx, scope: Scope, id: string): Promise<void> =>
  statement<never, { id: string } & Scope>(`DELETE FROM flows WHERE id = :id ${inScope(scope)}`).run(tx, {
    ...scope,
    id,
  });

const removeOf = statement<never, { channelId: ChannelId }>("DELETE FROM flows WHERE channel_id = :channelId");

/** Deletes the flows of a deleted channel. */
export const deleteFlowsOf = async (tx: Tx, channelId: ChannelId): Promise<void> => removeOf.run(tx, { channelId });
