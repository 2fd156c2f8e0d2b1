import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../kernel/ids.ts";

/**
 * Whose rows may be seen. No function of the store reads or changes a tenant's rows without one: what is not in scope
 * is as if it did not exist.
 */
export type Scope = TenantScope | EveryTenant;
export type TenantScope = { readonly tenantId: TenantId };
export type EveryTenant = { readonly tenantId: undefined };

/** Who asks for the tenant's rows: a test key sees those of the test environment alone, everybody else sees all. */
export type Viewer = TenantScope & { readonly environment: "live" | "test" };

/** For the gateway's own workers and its administrator, never on a tenant's request. */
export const EVERY_TENANT: EveryTenant = { tenantId: undefined };

/** The condition that keeps a query within scope; none where every tenant is meant. */
export const within = (column: SQLiteColumn, scope: Scope): SQL | undefined =>
  scope.tenantId === undefined ? undefined : eq(column, scope.tenantId);

/**
 * The same for a row found by its id alone, whose query is built once for every scope: undefined when it is out of
 * scope.
 */
export const ifWithin = <Row extends { tenantId: TenantId }>(row: Row | undefined, scope: Scope): Row | undefined =>
  row && (scope.tenantId === undefined || row.tenantId === scope.tenantId) ? row : undefined;

/**
 * The condition that keeps a query to what its caller may see. The value is a literal: only then is a partial index
 * used.
 */
export const seenBy = (column: SQLiteColumn, { environment }: Pick<Viewer, "environment">): SQL | undefined =>
  environment === "test" ? sql`${column} = 'test'` : undefined;

/** The same for a row found by its id alone. */
export const ifSeen = <Row extends { tenantId: TenantId; environment: "live" | "test" }>(
  row: Row | undefined,
  viewer: Viewer,
): Row | undefined =>
  viewer.environment === "live" || row?.environment === "test" ? ifWithin(row, viewer) : undefined;
