import { and, desc, eq, gte, inArray, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../engine/db.ts";
import type { TimeFilter } from "../../engine/time-bounds.ts";
import { type TenantScope, within } from "../scope.ts";
import { deliveries, type EventRow, type EventStatus, events } from "./events.ts";

/**
 * Which events of an audience are listed: `status` is that of the worst delivery; `types` are names, or families such
 * as `call:*`.
 */
export type EventsWanted = {
  audience: string;
  status: EventStatus | undefined;
  types: readonly string[] | undefined;
  channelId: string | undefined;
} & TimeFilter;

/** The next numbers of events to look at, newest first: at most `limit`, before one and after another. */
type SeqSlice = { before: number; after: number; limit: number };

const IN_SLICE = "< ?1 AND";
// literals, because only then SQLite uses the partial indexes
const inStatus = (status: "PENDING" | "DEAD"): string => `SELECT DISTINCT event_seq AS seq FROM deliveries
  WHERE status = '${status}' AND event_seq ${IN_SLICE} event_seq > ?2 AND tenant_id = ?4
  ORDER BY event_seq DESC LIMIT ?3`;
const among = (where: string): string =>
  `SELECT seq FROM events WHERE seq ${IN_SLICE} seq > ?2 AND tenant_id = ?4${where} ORDER BY seq DESC LIMIT ?3`;
const OF_TYPE = among(" AND audience = ?5 AND type = ?6");
const OF_CHANNEL = among(" AND channel_id = ?5");
const OF_TENANT = among("");

/** Neither by their channel nor by a rare status. A family of types has to be replaced by its names then: see `typesIn`. */
export const areFoundByType = ({ status, channelId }: EventsWanted): boolean =>
  channelId === undefined && status !== "DEAD" && status !== "PENDING";

/** The numbers by the index that has fewest of them: that of a rare status, of the phone, of the types, of all. */
const seqsOf = async (
  r: Reader,
  { tenantId }: TenantScope,
  { status, channelId, types, audience }: EventsWanted,
  { before, after, limit }: SeqSlice,
): Promise<number[]> => {
  const read = async (sql: string, ...more: string[]): Promise<number[]> =>
    (await r.rows<{ seq: number }>(sql, [before, after, limit, tenantId, ...more])).map(({ seq }) => seq);
  if (status === "DEAD" || status === "PENDING") return read(inStatus(status));
  if (channelId !== undefined) return read(OF_CHANNEL, channelId);
  if (types === undefined) return read(OF_TENANT);
  const found = new Set<number>();
  for (const type of types) for (const seq of await read(OF_TYPE, audience, type)) found.add(seq);
  return [...found].toSorted((a, b) => b - a).slice(0, limit);
};

const isDelivery = (status?: "PENDING" | "DEAD"): SQL =>
  sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE ${deliveries.eventSeq} = ${events.seq}${
    status === undefined ? sql`` : sql.raw(` AND deliveries.status = '${status}'`)
  })`;

/** DEAD before PENDING before DELIVERED; a paused delivery is none of them. */
const hasStatus = (status: EventStatus | undefined): SQL | undefined => {
  switch (status) {
    case undefined:
    case "DEAD":
      return undefined; // found by it
    case "PENDING":
      return not(isDelivery("DEAD"));
    case "DELIVERED":
      return and(isDelivery(), not(isDelivery("PENDING")), not(isDelivery("DEAD")));
    case "NONE":
      return not(isDelivery());
  }
};

const isFamily = (type: string): boolean => type.endsWith(":*");

const ofType = (type: string): SQL | undefined =>
  isFamily(type)
    ? and(gte(events.type, type.slice(0, -1)), lt(events.type, type.replace(":*", ";")))
    : eq(events.type, type);

/**
 * The wanted ones among the next `limit` events, newest first. `end`: the last one looked at; undefined at the end of
 * the log. A family of types is looked for among all events unless it was replaced by its names: see `typesIn`.
 */
export const sliceOfEvents = async (
  r: Reader,
  scope: TenantScope,
  wanted: EventsWanted,
  slice: SeqSlice,
): Promise<{ rows: EventRow[]; end: number | undefined }> => {
  const seqs = await seqsOf(r, scope, wanted, slice);
  const { audience, types, channelId, sinceMs, untilMs, status } = wanted;
  if (seqs.length === 0) return { rows: [], end: undefined };
  const rows = await r.q
    .select()
    .from(events)
    .where(
      and(
        inArray(events.seq, seqs),
        within(events.tenantId, scope),
        eq(events.audience, audience),
        types && or(...types.map(ofType)),
        channelId === undefined ? undefined : sql`${events.channelId} = ${channelId}`,
        sinceMs === undefined ? undefined : gte(events.createdAt, sinceMs),
        untilMs === undefined ? undefined : lt(events.createdAt, untilMs),
        hasStatus(status),
      ),
    )
    .orderBy(desc(events.seq));
  return { rows, end: seqs.length < slice.limit ? undefined : seqs.at(-1) };
};

const NEXT_TYPE = `SELECT type FROM events WHERE tenant_id = ?1 AND audience = ?2 AND type >= ?3 AND type < ?4
  ORDER BY type LIMIT 1`;

/** The names of the tenant's events that are of these types, where each family stands for all of its names. */
export const typesIn = async (
  r: Reader,
  { tenantId }: TenantScope,
  audience: string,
  types: readonly string[],
): Promise<string[]> => {
  const names = new Set<string>();
  for (const type of types) {
    if (!isFamily(type)) names.add(type);
    for (let from = type.slice(0, -1); isFamily(type); ) {
      const params = [tenantId, audience, from, type.replace(":*", ";")];
      const [next] = await r.rows<{ type: string }>(NEXT_TYPE, params);
      if (next === undefined) break;
      names.add(next.type);
      from = `${next.type}\u0001`; // after this name, and before every other
    }
  }
  return [...names];
};
