import type { TenantId } from "../../kernel/ids.ts";

/**
 * The tenant whose rows may be read. Every store function for a tenant's rows requires a scope. A row out of scope
 * counts as missing.
 */
export type Scope = TenantScope | EveryTenant;
export type TenantScope = { readonly tenantId: TenantId };
export type EveryTenant = { readonly tenantId: undefined };

/** The caller who reads a tenant's rows: a test key sees only the test environment, all others see everything. */
export type Viewer = TenantScope & { readonly environment: "live" | "test" };

/** For Recado's own workers and its administrator, never for a tenant's request. */
export const EVERY_TENANT: EveryTenant = { tenantId: undefined };

/** SQL: the condition that limits a statement to the scope, with the parameter `:tenantId`; nothing for every tenant. */
export const inScope = ({ tenantId }: Scope, column = "tenant_id"): string =>
  tenantId === undefined ? "" : `AND ${column} = :tenantId`;

/** The same for a row found by its id, whose query is built once for every scope: undefined out of scope. */
export const ifWithin = <Row extends { tenantId: TenantId }>(row: Row | undefined, scope: Scope): Row | undefined =>
  row && (scope.tenantId === undefined || row.tenantId === scope.tenantId) ? row : undefined;

/**
 * SQL: the condition that limits a statement to the rows that the viewer may see. The value is a literal, because only
 * then SQLite uses a partial index.
 */
export const inSightOf = ({ environment }: Pick<Viewer, "environment">): string =>
  environment === "test" ? "AND environment = 'test'" : "";

/** The same for a row found by its id. */
export const ifSeen = <Row extends { tenantId: TenantId; environment: "live" | "test" }>(
  row: Row | undefined,
  viewer: Viewer,
): Row | undefined =>
  viewer.environment === "live" || row?.environment === "test" ? ifWithin(row, viewer) : undefined;
