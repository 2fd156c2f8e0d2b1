import { index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
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
  keeps: { group: "work", setting: "none", rule: "until it expires", isSwept: true },
  personal: { none: "data of the product's own users" },
  joins: { stay: "an account of the gateway has no members" },
  sealed: "nothing",
  grows: { bound: "at most 100 pending per institution" },
  files: "none",
  backup: "rows alone",
});

const INVITATION = columnsOf(invitations);
type Now = { nowMs: number };
type Named = Pick<InvitationRow, "tenantId" | "id">;

const pending = statement<InvitationRow, Now & { tenantId: TenantId }>(
  "SELECT * FROM invitations WHERE tenant_id = :tenantId AND expires_at > :nowMs ORDER BY created_at, id",
  INVITATION,
);

/** The pending invitations of an institution, oldest first. Bound: 100 pending ones per institution. */
export const listInvitations = (r: Reader, tenantId: TenantId, nowMs: number): Promise<InvitationRow[]> =>
  pending.all(r, { tenantId, nowMs });

const ofEmail = statement<InvitationRow, Pick<InvitationRow, "tenantId" | "emailKey">>(
  "SELECT * FROM invitations WHERE tenant_id = :tenantId AND email_key = :emailKey",
  INVITATION,
);

export const findInvitationOf = (r: Reader, tenantId: TenantId, emailKey: string): Promise<InvitationRow | undefined> =>
  ofEmail.get(r, { tenantId, emailKey });

const byToken = statement<InvitationRow, Now & { tokenHash: string }>(
  "SELECT * FROM invitations WHERE token_hash = :tokenHash AND expires_at > :nowMs",
  INVITATION,
);

export const findInvitationByToken = (
  r: Reader,
  tokenHash: string,
  nowMs: number,
): Promise<InvitationRow | undefined> => byToken.get(r, { tokenHash, nowMs });

const put = insertInto(
  invitations,
  `ON CONFLICT (tenant_id, email_key) DO UPDATE SET email = excluded.email, role = excluded.role,
    token_hash = excluded.token_hash, is_mailed = excluded.is_mailed, invited_by = excluded.invited_by,
    created_at = excluded.created_at, expires_at = excluded.expires_at`,
);

/** Inserts an invitation, or replaces the e-mail's earlier one, whose id it keeps. */
export const putInvitation = async (tx: Tx, row: InvitationRow): Promise<void> => put(tx, row);

const remove = statement<never, Named>("DELETE FROM invitations WHERE tenant_id = :tenantId AND id = :id");

export const deleteInvitation = async (tx: Tx, { tenantId, id }: Named): Promise<void> =>
  remove.run(tx, { tenantId, id });

const end = statement<InvitationRow, Named & Now>(
  `UPDATE invitations SET expires_at = :nowMs WHERE tenant_id = :tenantId AND id = :id AND expires_at > :nowMs
    RETURNING *`,
  INVITATION,
);

/** Ends a pending invitation now and gives it; undefined when the institution has none with this id. */
export const endInvitation = (tx: Tx, { tenantId, id }: Named, nowMs: number): Promise<InvitationRow | undefined> =>
  end.get(tx, { tenantId, id, nowMs });

type Member = { tenantId: TenantId; userId: string };
const endBy = statement<never, Member & Now>(
  `UPDATE invitations SET expires_at = :nowMs
    WHERE tenant_id = :tenantId AND invited_by = :userId AND expires_at > :nowMs`,
);

/** Ends all pending invitations that a member made for an institution. */
export const endInvitationsBy = async (tx: Tx, { tenantId, userId }: Member, nowMs: number): Promise<void> =>
  endBy.run(tx, { tenantId, userId, nowMs });

const prune = statement<unknown, Now & { limit: number }>(
  `DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires_at < :nowMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes expired invitations; true when there may be more. */
export const pruneInvitations = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { nowMs, limit })).length === limit;
