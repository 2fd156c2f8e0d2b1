import { and, count, desc, eq, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TemplateComponent } from "../../../contract/content/templates.ts";
import type { ListedCategory, TemplateStatus } from "../../../contract/events.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { hot, hotUpdate, type Reader, type Tx } from "../../engine/db.ts";
import { ifWithin, type Scope, within } from "../scope.ts";
import { laws } from "../table-laws.ts";

/**
 * Message templates at the network. Without a native id, the network never accepted the template or has not answered
 * yet; it is then a DRAFT. A DRAFT with a rejection reason was refused before and is being submitted again; until the
 * answer, its other fields stay.
 */
export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    name: text().notNull(),
    language: text().notNull(),
    category: text().$type<ListedCategory>().notNull(),
    status: text().$type<TemplateStatus>().notNull(),
    components: text({ mode: "json" }).$type<readonly TemplateComponent[]>().notNull(),
    nativeId: text("native_id"),
    rejectionReason: text("rejection_reason"),
    /** The network's time of its last update of the review. An update with an earlier time is out of date. */
    providerUpdatedAt: integer("provider_updated_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("templates_by_name").on(t.channelId, t.name, t.language),
    index("templates_by_tenant").on(t.tenantId, t.id),
    index("templates_by_native_id").on(t.channelId, t.nativeId),
    index("templates_in_flight").on(t.status).where(sql`status = 'DRAFT'`),
  ],
);
export type TemplateRow = typeof templates.$inferSelect;

export const templatesLaws = laws(templates, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "goes with its channel; one that the network never answered after an hour",
    isSwept: true,
  },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "templates" },
  files: { components: "a template names files by addresses, and by handles of its network" },
  backup: "rows alone",
});

const insert = hot((q) =>
  q
    .insert(templates)
    .values({
      id: sql.placeholder("id"),
      tenantId: sql.placeholder("tenantId"),
      channelId: sql.placeholder("channelId"),
      name: sql.placeholder("name"),
      language: sql.placeholder("language"),
      category: sql.placeholder("category"),
      status: sql.placeholder("status"),
      components: sql.placeholder("components"),
      nativeId: sql.placeholder("nativeId"),
      rejectionReason: sql.placeholder("rejectionReason"),
      providerUpdatedAt: sql.placeholder("providerUpdatedAt"),
      createdAt: sql.placeholder("createdAt"),
      updatedAt: sql.placeholder("updatedAt"),
    })
    .prepare(),
);

export const insertTemplate = async (tx: Tx, row: TemplateRow): Promise<void> => void (await insert(tx).run(row));

const byId = hot((q) =>
  q
    .select()
    .from(templates)
    .where(eq(templates.id, sql.placeholder("id")))
    .prepare(),
);

export const findTemplate = async (r: Reader, scope: Scope, id: string): Promise<TemplateRow | undefined> =>
  ifWithin(await byId(r).get({ id }), scope);

const byName = hot((q) =>
  q
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.channelId, sql.placeholder("channelId")),
        eq(templates.name, sql.placeholder("name")),
        eq(templates.language, sql.placeholder("language")),
      ),
    )
    .prepare(),
);

export const findTemplateByName = (
  r: Reader,
  channelId: ChannelId,
  { name, language }: { name: string; language: string },
): Promise<TemplateRow | undefined> => byName(r).get({ channelId, name, language });

const byNativeId = hot((q) =>
  q
    .select()
    .from(templates)
    .where(
      and(eq(templates.channelId, sql.placeholder("channelId")), eq(templates.nativeId, sql.placeholder("nativeId"))),
    )
    .prepare(),
);

export const findTemplateByNativeId = (
  r: Reader,
  channelId: ChannelId,
  nativeId: string,
): Promise<TemplateRow | undefined> => byNativeId(r).get({ channelId, nativeId });

export type TemplateFilter = {
  channelId?: string | undefined;
  status?: TemplateStatus | undefined;
  name?: string | undefined;
};

/** Newest first. */
export const listTemplates = (
  r: Reader,
  scope: Scope,
  { channelId, status, name }: TemplateFilter = {},
): Promise<TemplateRow[]> =>
  r.q
    .select()
    .from(templates)
    .where(
      and(
        within(templates.tenantId, scope),
        channelId === undefined ? undefined : eq(templates.channelId, channelId as ChannelId),
        status && eq(templates.status, status),
        name === undefined ? undefined : eq(templates.name, name),
      ),
    )
    .orderBy(desc(templates.id));

/** A page of one channel's templates, newest first, and their number. */
export const pageOfTemplates = async (
  r: Reader,
  scope: Scope,
  {
    limit,
    offset,
    ...filter
  }: {
    channelId: ChannelId;
    status?: TemplateStatus | undefined;
    name?: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: TemplateRow[]; total: number }> => {
  const asked = and(
    within(templates.tenantId, scope),
    eq(templates.channelId, filter.channelId),
    filter.status && eq(templates.status, filter.status),
    filter.name === undefined ? undefined : eq(templates.name, filter.name),
  );
  const rows = await r.q.select().from(templates).where(asked).orderBy(desc(templates.id)).limit(limit).offset(offset);
  return { rows, total: (await r.q.select({ n: count() }).from(templates).where(asked).get())?.n ?? 0 };
};

export type TemplateSearch = {
  channelId: ChannelId;
  name?: string | undefined;
  status?: TemplateStatus | undefined;
  category?: ListedCategory | undefined;
  language?: string | undefined;
  /** The last template of the page before. */
  beforeId?: string | undefined;
  limit: number;
};

/** The channel's next templates, newest first. */
export const searchTemplates = (
  r: Reader,
  scope: Scope,
  { channelId, name, status, category, language, beforeId, limit }: TemplateSearch,
): Promise<TemplateRow[]> =>
  r.q
    .select()
    .from(templates)
    .where(
      and(
        within(templates.tenantId, scope),
        eq(templates.channelId, channelId),
        name === undefined ? undefined : eq(templates.name, name),
        status && eq(templates.status, status),
        category && eq(templates.category, category),
        language === undefined ? undefined : eq(templates.language, language),
        beforeId === undefined ? undefined : lt(templates.id, beforeId),
      ),
    )
    .orderBy(desc(templates.id))
    .limit(limit);

const update = hotUpdate((q, columns, from) =>
  q
    .update(templates)
    .set(columns as Partial<TemplateRow>) // placeholders, bound by the columns' types
    .where(and(eq(templates.id, sql.placeholder("rowId")), inArray(templates.status, from as TemplateStatus[])))
    .returning()
    .prepare(),
);

/** The changed row; undefined when its status is not in `from`. */
export const updateTemplate = async (
  tx: Tx,
  id: string,
  from: readonly TemplateStatus[],
  changes: Partial<TemplateRow>,
): Promise<TemplateRow | undefined> => (await update(tx, changes, from).all({ ...changes, rowId: id }))[0];

/** False when there is none in scope, or when it is being submitted. */
export const deleteTemplate = async (tx: Tx, scope: Scope, id: string): Promise<boolean> => {
  const gone = await tx.q
    .delete(templates)
    .where(and(eq(templates.id, id), within(templates.tenantId, scope), ne(templates.status, "DRAFT")))
    .returning({ id: templates.id });
  return gone.length > 0;
};

/** The channel is already deleted. All its templates belonged to the same tenant. */
export const deleteTemplatesOf = async (tx: Tx, channelId: ChannelId): Promise<void> =>
  void (await tx.q.delete(templates).where(eq(templates.channelId, channelId)));

/** Reverts submissions without an answer: a new template is deleted, one that was refused before is REJECTED again. */
export const takeBackDrafts = async (
  tx: Tx,
  { id, beforeMs }: { id?: string; beforeMs?: number } = {},
): Promise<void> => {
  const drafts = and(
    sql`status = 'DRAFT'`,
    id === undefined ? undefined : eq(templates.id, id),
    beforeMs === undefined ? undefined : lt(templates.updatedAt, beforeMs),
  );
  await tx.q.delete(templates).where(and(drafts, isNull(templates.rejectionReason)));
  await tx.q.update(templates).set({ status: "REJECTED" }).where(drafts);
};
