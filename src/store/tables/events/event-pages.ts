import type { Reader } from "../../engine/db.ts";
import { columnsOf, lines, statement } from "../../engine/statement.ts";
import type { TimeFilter } from "../../engine/time-bounds.ts";
import type { TenantScope } from "../scope.ts";
import { type EventRow, type EventStatus, events } from "./events.ts";

/**
 * The events of an audience to list. `status`: the status of the worst delivery. `types`: names, or families such as
 * `call:*`.
 */
export type EventsWanted = {
  audience: string;
  status: EventStatus | undefined;
  types: readonly string[] | undefined;
  channelId: string | undefined;
} & TimeFilter;

/** The next numbers of events to read, newest first: at most `limit`, before one number and after another. */
type SeqSlice = { before: number; after: number; limit: number };

const EVENT = columnsOf(events);

type Seq = { seq: number };
type Asked = SeqSlice & TenantScope;

// literals, because only then SQLite uses the partial indexes
const inStatus = (status: "PENDING" | "DEAD") =>
  statement<Seq, Asked>(
    `SELECT DISTINCT event_seq AS seq FROM deliveries WHERE status = '${status}' AND event_seq < :before
      AND event_seq > :after AND tenant_id = :tenantId ORDER BY event_seq DESC LIMIT :limit`,
  );
const IN_STATUS = { PENDING: inStatus("PENDING"), DEAD: inStatus("DEAD") };
const among = (where: string): string =>
  `SELECT seq FROM events WHERE seq < :before AND seq > :after AND tenant_id = :tenantId ${where}
    ORDER BY seq DESC LIMIT :limit`;
const ofType = statement<Seq, Asked & { audience: string; type: string }>(
  among("AND audience = :audience AND type = :type"),
);
const ofChannel = statement<Seq, Asked & { channelId: string }>(among("AND channel_id = :channelId"));
const ofTenant = statement<Seq, Asked>(among(""));

/**
 * Whether the types decide which index is read: no channel and no rare status does. A family of types has to be
 * replaced by its names then: see `typesIn`.
 */
export const areFoundByType = ({ status, channelId }: EventsWanted): boolean =>
  channelId === undefined && status !== "DEAD" && status !== "PENDING";

/** The numbers, by the index with the fewest entries: of a rare status, of the phone, of the types, or of all. */
const seqsOf = async (
  r: Reader,
  { tenantId }: TenantScope,
  { status, channelId, types, audience }: EventsWanted,
  slice: SeqSlice,
): Promise<number[]> => {
  const asked = { ...slice, tenantId };
  const numbersOf = (rows: Seq[]) => rows.map(({ seq }) => seq);
  if (status === "DEAD" || status === "PENDING") return numbersOf(await IN_STATUS[status].all(r, asked));
  if (channelId !== undefined) return numbersOf(await ofChannel.all(r, { ...asked, channelId }));
  if (types === undefined) return numbersOf(await ofTenant.all(r, asked));
  const found = new Set<number>();
  for (const type of types) for (const { seq } of await ofType.all(r, { ...asked, audience, type })) found.add(seq);
  return [...found].toSorted((a, b) => b - a).slice(0, slice.limit);
};

const isDelivery = (status?: "PENDING" | "DEAD"): string =>
  `EXISTS (SELECT 1 FROM deliveries WHERE event_seq = events.seq ${status ? `AND status = '${status}'` : ""})`;

/** DEAD before PENDING before DELIVERED. A paused delivery counts as no status. */
const hasStatus = (status: EventStatus | undefined): string | undefined => {
  switch (status) {
    case undefined:
    case "DEAD":
      return undefined; // the index has found it
    case "PENDING":
      return `AND NOT ${isDelivery("DEAD")}`;
    case "DELIVERED":
      return `AND ${isDelivery()} AND NOT ${isDelivery("PENDING")} AND NOT ${isDelivery("DEAD")}`;
    case "NONE":
      return `AND NOT ${isDelivery()}`;
  }
};

const isFamily = (type: string): boolean => type.endsWith(":*");

/** By name, or by a family: the beginning of names. */
const IS_OF_TYPES = `AND (type IN (SELECT value FROM json_each(:types))
  OR EXISTS (SELECT 1 FROM json_each(:families) WHERE substr(type, 1, length(value)) = value))`;

/**
 * The matching events among the next `limit` events, newest first. `end`: the last event that was read; undefined at
 * the end of the log. A family of types is searched among all events, unless the caller replaced it by its names: see
 * `typesIn`. Bound: `limit`.
 */
export const sliceOfEvents = async (
  r: Reader,
  scope: TenantScope,
  wanted: EventsWanted,
  slice: SeqSlice,
): Promise<{ rows: EventRow[]; end: number | undefined }> => {
  const seqs = await seqsOf(r, scope, wanted, slice);
  if (seqs.length === 0) return { rows: [], end: undefined };
  const { types, channelId, sinceMs, untilMs, status } = wanted;
  const rows = await statement<EventRow, EventsWanted & TenantScope & { seqs: number[]; families: string[] }>(
    lines(
      // + keeps SQLite from every index but that of the numbers
      "SELECT * FROM events WHERE seq IN (SELECT value FROM json_each(:seqs)) AND +tenant_id = :tenantId",
      "AND +audience = :audience",
      types && IS_OF_TYPES,
      channelId !== undefined && "AND +channel_id = :channelId",
      sinceMs !== undefined && "AND +created_at >= :sinceMs",
      untilMs !== undefined && "AND +created_at < :untilMs",
      hasStatus(status),
      "ORDER BY seq DESC",
    ),
    EVENT,
  ).all(r, {
    ...wanted,
    seqs,
    families: (types ?? []).filter(isFamily).map((type) => type.slice(0, -1)),
    tenantId: scope.tenantId,
  });
  return { rows, end: seqs.length < slice.limit ? undefined : seqs.at(-1) };
};

const nextType = statement<{ type: string }, TenantScope & { audience: string; from: string; to: string }>(
  `SELECT type FROM events WHERE tenant_id = :tenantId AND audience = :audience AND type >= :from AND type < :to
    ORDER BY type LIMIT 1`,
);

/** The names of the tenant's events of these types. Each family stands for all of its names. */
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
      const next = await nextType.get(r, { tenantId, audience, from, to: type.replace(":*", ";") });
      if (next === undefined) break;
      names.add(next.type);
      from = `${next.type}\u0001`; // after this name, and before every other
    }
  }
  return [...names];
};
