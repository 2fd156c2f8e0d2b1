import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { ifWithin, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/**
 * Mails, sent or waiting; without a mail server they stay here to be read. `tenantId` is empty for a mail that concerns
 * no tenant. `sealedBody`, instead of `body`, holds a link that grants access.
 */
export const mails = sqliteTable(
  "mails",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    recipient: text(),
    subject: text().notNull(),
    body: text().notNull(),
    sealedBody: text("sealed_body"),
    sentAt: integer("sent_at"),
    lastError: text("last_error"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("mails_by_tenant").on(t.tenantId, t.id)],
);
export type MailRow = typeof mails.$inferSelect;

export const mailsLaws = laws(mails, {
  keeps: { group: "mail", setting: "RECADO_KEEP_MAIL", rule: "the term; an unsent mail stays", isSwept: true },
  personal: { none: "data of the account that pays" },
  joins: { rows: "move", now: "all", later: false },
  sealed: { sealed_body: "mails:{id}:sealed_body" },
  grows: { bound: "made by stages of dunning, and by links to users, which have a rate" },
  files: "none",
  backup: "rows alone",
});

const insert = insertInto(mails);
export const insertMail = async (tx: Tx, row: MailRow): Promise<void> => insert(tx, row);

const byId = statement<MailRow, { id: string }>("SELECT * FROM mails WHERE id = :id", columnsOf(mails));
export const findMail = async (r: Reader, scope: Scope, id: string): Promise<MailRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

const countTo = statement<{ n: number }, { fromId: string; recipient: string }>(
  "SELECT count(*) AS n FROM mails WHERE tenant_id = '' AND id >= :fromId AND recipient = :recipient",
);

/** The number of mails without a tenant to a mailbox since a time; `fromId`: the first id of that time. */
export const countMailsTo = async (r: Reader, recipient: string, fromId: string): Promise<number> =>
  (await countTo.get(r, { recipient, fromId }))?.n ?? 0;

const update = updateOf<typeof mails, { id: string }>(mails, "WHERE id = :id");

export const updateMail = async (
  tx: Tx,
  id: string,
  changes: Pick<MailRow, "sentAt" | "lastError"> & Partial<MailRow>,
): Promise<void> => void (await update(tx, changes, { id }));

/** Deletes old mails. A mail that waits to be sent stays. */
export const pruneMails = deleteOldRows(
  "mails",
  "NOT EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'mail:' || mails.id)",
);
