import { unknownCursor } from "../../../kernel/page.ts";
import { walk } from "../../../kernel/walk.ts";
import type { Db, Reader } from "../../../store/engine/db.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import {
  type AuditRow,
  findEntry,
  lastEntryBefore,
  listEntries,
  namesOfIds,
} from "../../../store/tables/tenancy/audit.ts";

/** A search of the audit log. `text` is searched in every part of an entry, and in the names of its ids. */
export type AuditSearch = {
  tenantId?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
  text?: string | undefined;
  cursor: string | undefined;
  limit: number;
};

/** An entry with the present names of the actor, the account and the changed object. */
export type NamedEntry = AuditRow & { actorName: string | null; tenantName: string | null; targetName: string | null };

export type AuditPage = { items: NamedEntry[]; nextCursor: string | null };

/** The maximum number of entries that are read for one page. */
const MOST_LOOKED_AT = 5000;

/** The id in the name of an actor, such as `user:<id>`. */
const idIn = (actor: string): string => actor.slice(actor.indexOf(":") + 1);

const named = async (reader: Reader, rows: readonly AuditRow[]): Promise<NamedEntry[]> => {
  const ids = rows.flatMap(({ actor, tenantId, target }) => [idIn(actor), tenantId ?? "", target ?? ""]);
  const names = await namesOfIds(reader, [...new Set(ids)]);
  return rows.map((row) => ({
    ...row,
    actorName: names.get(idIn(row.actor)) ?? null,
    tenantName: names.get(row.tenantId ?? "") ?? null,
    targetName: names.get(row.target ?? "") ?? null,
  }));
};

const hasText = (entry: NamedEntry, text: string): boolean =>
  [entry.action, entry.actor, entry.actorName, entry.target, entry.targetName, entry.tenantName, entry.details].some(
    (part) => part?.toLowerCase().includes(text),
  );

/** The beginning of the list: below the cursor, or below the first entry that is too recent. */
const beginningOf = async (reader: Reader, { cursor, until }: AuditSearch): Promise<number | undefined> => {
  const from = cursor === undefined || !/^\d{1,15}$/.test(cursor) ? undefined : await findEntry(reader, Number(cursor));
  if (cursor !== undefined && !from) throw unknownCursor();
  if (from) return from.id;
  return until === undefined ? undefined : ((await lastEntryBefore(reader, until)) ?? 0) + 1;
};

/**
 * Entries, newest first. A page reads a bounded part of the log: it may be short although more follows.
 * @throws AppError VALIDATION for a cursor that is not an entry.
 */
export const auditPage = async (
  { db }: { db: Pick<Db, "read"> },
  search: AuditSearch,
  shown: (entry: NamedEntry) => NamedEntry = (entry) => entry,
): Promise<AuditPage> => {
  const { tenantId, action, actor, since = Number.NEGATIVE_INFINITY, limit } = search;
  const text = search.text?.trim().toLowerCase() ?? "";
  const read = async (before: number | undefined, size: number) => {
    const found = await db.read(async (reader) =>
      named(reader, await listEntries(reader, { tenantId, action, beforeId: before, limit: size })),
    );
    const rows = found.filter(({ at }) => at >= since).map(shown);
    const isEnd = found.length < size || rows.length < found.length;
    return { rows, end: isEnd ? undefined : found.at(-1)?.id };
  };
  const { rows, next } = await walk<NamedEntry, number | undefined>({
    from: await db.read((reader) => beginningOf(reader, search)),
    limit,
    most: MOST_LOOKED_AT,
    read,
    placeOf: ({ id }) => id,
    isWanted: (entry) => (actor === undefined || entry.actor === actor) && (text === "" || hasText(entry, text)),
  });
  return { items: rows, nextCursor: next === undefined ? null : String(next) };
};

/** The address of another administrator does not concern the account. */
const withoutAddress = (entry: NamedEntry): NamedEntry => {
  if (/^(?:user|key):/.test(entry.actor)) return entry;
  const { address: _, ...details } = JSON.parse(entry.details) as Record<string, unknown>;
  return { ...entry, details: JSON.stringify(details) };
};

/**
 * The entries about one account, newest first. The address of an operator is left out.
 * @throws AppError VALIDATION for a cursor that is not an entry.
 */
export const auditPageOf = (
  env: { db: Pick<Db, "read"> },
  { tenantId }: TenantScope,
  search: Omit<AuditSearch, "tenantId">,
): Promise<AuditPage> => auditPage(env, { ...search, tenantId }, withoutAddress);
