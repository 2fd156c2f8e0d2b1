import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ACTIONS, type AuditEntry, auditPage } from "../../core/tenancy/audit.ts";
import { iso } from "../../kernel/clock.ts";
import { gatewayLimit } from "../../kernel/page.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import type { GatewayEnv } from "./env.ts";
import { ADMIN_REFUSALS, Instant, Page, QueryText } from "./schemas.ts";

const EntryView = Type.Object({
  id: Type.String(),
  at: Instant,
  actor: Type.String({
    description:
      "`admin`, `local` (a command on the server's machine), `setup-link`, `system`, `user:<id>` or `key:<id>`",
  }),
  action: Type.String(),
  target: Nullable(Type.String()),
  tenantId: Nullable(Type.String()),
  details: Type.Object({}, { additionalProperties: Type.Unknown() }),
  hash: Type.String({ description: "SHA-256 over this entry and the hash of the one before it" }),
});

const entryView = ({ id, at, details, ...entry }: AuditEntry): Static<typeof EntryView> => ({
  ...entry,
  id: String(id),
  at: iso(at),
  details: JSON.parse(details) as object,
});

/** The routes of the audit log. */
export const adminAudit = (env: GatewayEnv) =>
  new Elysia().get(
    "/audit",
    async ({ query: { tenantId, action, cursor, limit } }) => {
      const { items, nextCursor } = await auditPage(env, { tenantId, action, cursor, limit: gatewayLimit(limit) });
      return { items: items.map(entryView), nextCursor };
    },
    {
      query: Type.Object({
        tenantId: QueryText,
        action: Type.Optional(OneOf(ACTIONS)),
        cursor: QueryText,
        limit: QueryText,
      }),
      response: { 200: Page(EntryView), ...ADMIN_REFUSALS },
      detail: { operationId: "listAuditEntries", summary: "List administrative acts, newest first" },
    },
  );
