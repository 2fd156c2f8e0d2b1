import { and, desc, eq, lt, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { FlowStatus } from "../../../contract/abilities/flows.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type Scope, within } from "../scope.ts";
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
  keeps: { group: "setup", setting: "none", rule: "goes with its channel", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "flows" },
  files: { categories: "holds no content of a message", validation_errors: "holds no content of a message" },
  backup: "rows alone",
});

export const insertFlow = async (tx: Tx, row: FlowRow): Promise<void> => void (await tx.q.insert(flows).values(row));

export const findFlow = (r: Reader, scope: Scope, id: string): Promise<FlowRow | undefined> =>
  r.q
    .select()
    .from(flows)
    .where(and(eq(flows.id, id), within(flows.tenantId, scope)))
    .get();

/** Finds a channel's flow by the network's id. */
export const findFlowByNativeId = (r: Reader, channelId: ChannelId, nativeId: string): Promise<FlowRow | undefined> =>
  r.q
    .select()
    .from(flows)
    .where(and(eq(flows.nativeId, nativeId), sql`native_id IS NOT NULL`, eq(flows.channelId, channelId)))
    .get();

export type FlowFilter = { channelId?: string | undefined; beforeId?: string | undefined; limit: number };

/** Newest first. */
export const listFlows = (r: Reader, scope: Scope, { channelId, beforeId, limit }: FlowFilter): Promise<FlowRow[]> =>
  r.q
    .select()
    .from(flows)
    .where(
      and(
        within(flows.tenantId, scope),
        channelId === undefined ? undefined : eq(flows.channelId, channelId as ChannelId),
        beforeId === undefined ? undefined : lt(flows.id, beforeId),
      ),
    )
    .orderBy(desc(flows.id))
    .limit(limit);

/** The changed row; undefined when there is none in scope. */
export const updateFlow = async (
  tx: Tx,
  scope: Scope,
  id: string,
  changes: Partial<FlowRow>,
): Promise<FlowRow | undefined> =>
  (
    await tx.q
      .update(flows)
      .set(changes)
      .where(and(eq(flows.id, id), within(flows.tenantId, scope)))
      .returning()
  )[0];

export const deleteFlow = async (tx: Tx, scope: Scope, id: string): Promise<void> =>
  void (await tx.q.delete(flows).where(and(eq(flows.id, id), within(flows.tenantId, scope))));

/** Deletes the flows of a deleted channel. */
export const deleteFlowsOf = async (tx: Tx, channelId: ChannelId): Promise<void> =>
  void (await tx.q.delete(flows).where(eq(flows.channelId, channelId)));
