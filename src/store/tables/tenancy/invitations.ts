import { and, asc, eq, gt } from "drizzle-orm";
import { index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { laws } from "../table-laws.ts";
import { tenants } from "./tenants.ts";
import type { Role } from "./users.ts";

/**
 * Pending invitations to an institution, whether or not the e-mail belongs to a user. Only a hash of the link is
 * stored. `isMailed`: only the mailbox's owner got the link.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id")
      .$type<TenantId>()
      .notNull()
      .references(() => tenants.id),
    email: text().notNull(),
    emailKey: text("email_key").notNull(),
    role: text().$type<Role>().notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    isMailed: integer("is_mailed").notNull(),
    /** The inviting user; null for the operator. */
    invitedBy: text("invited_by"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [unique("invitations_of_email").on(t.tenantId, t.emailKey), index("invitations_by_expiry").on(t.expiresAt)],
);
export type InvitationRow = typeof invitations.$inferSelect;

export const invitationsLaws = laws(invitations, {
  keeps: { group: "work", setting: "none", rule: "until they end", isSwept: true },
  personal: { none: "of who uses the product" },
  joins: { stay: "an account of the gateway has no members" },
  sealed: "nothing",
  grows: { bound: "at most 100 pending per institution" },
  files: "none",
  backup: "rows alone",
});

/** The pending invitations of an institution, oldest first. */
export const listInvitations = (r: Reader, tenantId: TenantId, nowMs: number): Promise<InvitationRow[]> =>
  r.q
    .select()
    .from(invitations)
    .where(and(eq(invitations.tenantId, tenantId), gt(invitations.expiresAt, nowMs)))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));

export const findInvitationOf = (r: Reader, tenantId: TenantId, emailKey: string): Promise<InvitationRow | undefined> =>
  r.q
    .select()
    .from(invitations)
    .where(and(eq(invitations.tenantId, tenantId), eq(invitations.emailKey, emailKey)))
    .get();

export const findInvitationByToken = (
  r: Reader,
  tokenHash: string,
  nowMs: number,
): Promise<InvitationRow | undefined> =>
  r.q
    .select()
    .from(invitations)
    .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, nowMs)))
    .get();

/** Inserts an invitation, or replaces the e-mail's earlier one. */
export const putInvitation = async (tx: Tx, { id, tenantId, ...rest }: InvitationRow): Promise<void> =>
  void (await tx.q
    .insert(invitations)
    .values({ id, tenantId, ...rest })
    .onConflictDoUpdate({ target: [invitations.tenantId, invitations.emailKey], set: rest }));

export const deleteInvitation = async (
  tx: Tx,
  { tenantId, id }: Pick<InvitationRow, "tenantId" | "id">,
): Promise<void> =>
  void (await tx.q.delete(invitations).where(and(eq(invitations.tenantId, tenantId), eq(invitations.id, id))));

/** Ends a pending invitation now and gives it; undefined when the institution has none with this id. */
export const endInvitation = (
  tx: Tx,
  { tenantId, id }: Pick<InvitationRow, "tenantId" | "id">,
  nowMs: number,
): Promise<InvitationRow | undefined> =>
  tx.q
    .update(invitations)
    .set({ expiresAt: nowMs })
    .where(and(eq(invitations.tenantId, tenantId), eq(invitations.id, id), gt(invitations.expiresAt, nowMs)))
    .returning()
    .then(([row]) => row);

/** Ends all pending invitations that a member made for an institution. */
export const endInvitationsBy = async (
  tx: Tx,
  { tenantId, userId }: { tenantId: TenantId; userId: string },
  nowMs: number,
): Promise<void> =>
  void (await tx.q
    .update(invitations)
    .set({ expiresAt: nowMs })
    .where(
      and(eq(invitations.tenantId, tenantId), eq(invitations.invitedBy, userId), gt(invitations.expiresAt, nowMs)),
    ));

/** Deletes expired invitations; true when there may be more. */
export const pruneInvitations = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires_at < ?1 LIMIT ?2) RETURNING id",
      [nowMs, limit],
    )
  ).length === limit;
