import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TemplateComponent } from "../../../contract/content/templates.ts";
import type { ListedCategory, TemplateStatus } from "../../../contract/events.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, isWordOf, lines, statement, updateOf } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
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
    /** What 1,000 deliveries may cost at most, in hundredths, as it was last set here: the network does not list it. */
    maxPricePer1000: integer("max_price_per_1000"),
    nativeId: text("native_id"),
    rejectionReason: text("rejection_reason"),
    /** The network's time of its last update of the review. An update with an earlier time is out of date. */
    providerUpdatedAt: integer("provider_updated_at"),
    /** When the network last listed the components; null if it has never done so, or if they may have changed since. */
    componentsListedAt: integer("components_listed_at"),
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
    rule: "until the channel is deleted; a template without an answer of the network stays for an hour",
    isSwept: true,
  },
  personal: { none: "the account's own texts" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "templates", where: "tenant_id = :owner" },
  files: { components: "a template names files by addresses, and by handles of its network" },
  backup: "rows alone",
});

const TEMPLATE = columnsOf(templates);

const insert = insertInto(templates);
export const insertTemplate = async (tx: Tx, row: TemplateRow): Promise<void> => insert(tx, row);

const byId = statement<TemplateRow, { id: string }>("SELECT * FROM templates WHERE id = :id", TEMPLATE);

export const findTemplate = async (r: Reader, scope: Scope, id: string): Promise<TemplateRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

type Name = { name: string; language: string };
const byName = statement<TemplateRow, Name & { channelId: ChannelId }>(
  "SELECT * FROM templates WHERE channel_id = :channelId AND name = :name AND language = :language",
  TEMPLATE,
);

export const findTemplateByName = (
  r: Reader,
  channelId: ChannelId,
  { name, language }: Name,
): Promise<TemplateRow | undefined> => byName.get(r, { channelId, name, language });

const byNativeId = statement<TemplateRow, { channelId: ChannelId; nativeId: string }>(
  "SELECT * FROM templates WHERE channel_id = :channelId AND native_id = :nativeId",
  TEMPLATE,
);

export const findTemplateByNativeId = (
  r: Reader,
  channelId: ChannelId,
  nativeId: string,
): Promise<TemplateRow | undefined> => byNativeId.get(r, { channelId, nativeId });

export type TemplateFilter = {
  channelId?: string | undefined;
  status?: TemplateStatus | undefined;
  name?: string | undefined;
  language?: string | undefined;
};

const matching = (scope: Scope, { channelId, status, name, language }: TemplateFilter): string =>
  lines(
    "FROM templates WHERE true",
    inScope(scope),
    channelId !== undefined && "AND channel_id = :channelId",
    status && "AND status = :status",
    name !== undefined && "AND name = :name",
    language !== undefined && "AND language = :language",
  );

/** Newest first. Bound: the account's limit of templates, and the networks' own. */
export const listTemplates = (r: Reader, scope: Scope, filter: TemplateFilter = {}): Promise<TemplateRow[]> =>
  statement<TemplateRow, TemplateFilter & Scope>(`SELECT * ${matching(scope, filter)} ORDER BY id DESC`, TEMPLATE).all(
    r,
    { ...filter, tenantId: scope.tenantId },
  );

type TemplatePage = TemplateFilter & { channelId: ChannelId; limit: number; offset: number };

/** A page of one channel's templates, newest first, and their number. */
export const pageOfTemplates = async (
  r: Reader,
  scope: Scope,
  page: TemplatePage,
): Promise<{ rows: TemplateRow[]; total: number }> => {
  const asked = matching(scope, page);
  const given = { ...page, tenantId: scope.tenantId };
  const rows = await statement<TemplateRow, TemplatePage & Scope>(
    `SELECT * ${asked} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
    TEMPLATE,
  ).all(r, given);
  const counted = await statement<{ n: number }, TemplateFilter & Scope>(`SELECT count(*) AS n ${asked}`).get(r, given);
  return { rows, total: counted?.n ?? 0 };
};

export type TemplateSearch = TemplateFilter & {
  channelId: ChannelId;
  category?: ListedCategory | undefined;
  /** The last template of the page before. */
  beforeId?: string | undefined;
  limit: number;
};

/** The channel's next templates, newest first. */
export const searchTemplates = (r: Reader, scope: Scope, search: TemplateSearch): Promise<TemplateRow[]> =>
  statement<TemplateRow, TemplateSearch & Scope>(
    lines(
      "SELECT *",
      matching(scope, search),
      search.category && "AND category = :category",
      search.beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    TEMPLATE,
  ).all(r, { ...search, tenantId: scope.tenantId });

const update = updateOf<typeof templates, { id: string; from: readonly TemplateStatus[] }>(
  templates,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
);

/** The changed row; undefined if its status is not in `from`. */
export const updateTemplate = async (
  tx: Tx,
  id: string,
  from: readonly TemplateStatus[],
  changes: Partial<TemplateRow>,
): Promise<TemplateRow | undefined> => (await update(tx, changes, { id, from }))[0];

/** False if no such template is in scope, or if it is being submitted. */
export const deleteTemplate = async (tx: Tx, scope: Scope, id: string): Promise<boolean> => {
  const remove = statement<unknown, { id: string } & Scope>(
    `DELETE FROM templates WHERE id = :id AND status <> 'DRAFT' ${inScope(scope)} RETURNING 1`,
  );
  return (await remove.get(tx, { ...scope, id })) !== undefined;
};

const removeOf = statement<never, { channelId: ChannelId }>("DELETE FROM templates WHERE channel_id = :channelId");

/** The channel is already deleted. All its templates belonged to the same tenant. */
export const deleteTemplatesOf = async (tx: Tx, channelId: ChannelId): Promise<void> => removeOf.run(tx, { channelId });

type Drafts = { id?: string; beforeMs?: number };

/**
 * Reverts submissions without an answer: a new template is deleted, and a template that was refused before is REJECTED
 * again.
 */
export const takeBackDrafts = async (tx: Tx, which: Drafts = {}): Promise<void> => {
  const drafts = lines(
    "WHERE status = 'DRAFT'",
    which.id !== undefined && "AND id = :id",
    which.beforeMs !== undefined && "AND updated_at < :beforeMs",
  );
  statement<never, Drafts>(`DELETE FROM templates ${drafts} AND rejection_reason IS NULL`).run(tx, which);
  statement<never, Drafts>(`UPDATE templates SET status = 'REJECTED' ${drafts}`).run(tx, which);
};
