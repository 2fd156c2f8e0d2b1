import { sha256 } from "../../../kernel/crypto.ts";
import type { Json } from "../../../kernel/texts/json.ts";
import { SourceFault } from "../found.ts";
import { hasTable, onPostgres, openPostgres, type PostgresPlace } from "../postgres.ts";
import { type FoundHistory, gatheredPages, type HistorySize, type Place, type PlacedRow, ROW_CHARS } from "./found.ts";

/** The server hands over some rows at a time. */
const FETCH = "FETCH 50 FROM history";
/** Ids of Prisma and of networks: they stand in the text of a query, where a cursor takes no parameters. */
const ID = /^[\w.@:+-]{1,100}$/;
const MAX_SESSIONS = 10_000;

/** A value within a query. @throws SourceFault for a text of another form */
const literal = (value: string): string => {
  if (value !== "" && !ID.test(value)) throw new SourceFault("the PostgreSQL database has an id that is not valid");
  return `'${value}'`;
};

/** The pictures within a message, and copies of its file: the file itself is fetched from the network. */
const WITHOUT = [
  "{message,base64}",
  "{contextInfo,externalAdReply,thumbnail}",
  ...["imageMessage", "videoMessage", "ptvMessage", "documentMessage", "locationMessage", "liveLocationMessage"].map(
    (part) => `{message,${part},jpegThumbnail}`,
  ),
];

/** TABLE: the queries of a format. `of` limits them to a session; `since` is in seconds. */
type Queries = {
  /** The row of a message whose `message` may have the file in base64. */
  encoded?(id: string): string;
  /** The rows after a place, as `at`, `id` and `text`, in their order. */
  rows(place: Place, since: number): string;
  size(since: number): Record<keyof HistorySize, string>;
};

const evolutionQueries = (schema: string, instanceId: string, hasMedia: boolean): Queries => {
  const of = `"instanceId" = ${literal(instanceId)}`;
  const table = (name: string): string => `"${schema}"."${name}"`;
  const people = `(SELECT "id", jsonb_build_object('remoteJid', "remoteJid", 'pushName', "pushName")::text AS text
      FROM ${table("Contact")} WHERE ${of}
    UNION ALL SELECT "id", jsonb_build_object('remoteJid', "remoteJid", 'name', "name")::text
      FROM ${table("Chat")} WHERE ${of} AND "name" IS NOT NULL) AS people`;
  const text = `(to_jsonb(m)${WITHOUT.map((path) => ` #- '${path}'`).join("")})::text`;
  const messages = (since: number): string => `${table("Message")} AS m WHERE ${of} AND "messageTimestamp" >= ${since}`;
  const name = hasMedia
    ? `(SELECT left(f."fileName", 500) FROM ${table("Media")} AS f WHERE f."messageId" = m."id" LIMIT 1)`
    : "NULL";
  const file = `m."key" ->> 'id' AS key, ${name} AS name, length(rtrim(m."message" ->> 'base64', '=')) AS encoded`;
  return {
    encoded: (id) => `FROM ${table("Message")} WHERE "id" = ${literal(id)}`,
    rows: ({ kind, at, id }, since) =>
      kind === "person"
        ? `SELECT 0 AS at, "id" AS id, left(text, ${ROW_CHARS + 1}) AS text FROM ${people}
            WHERE "id" > ${literal(id)} ORDER BY "id"`
        : `SELECT "messageTimestamp" AS at, "id" AS id, left(${text}, ${ROW_CHARS + 1}) AS text, ${file}
            FROM ${messages(since)}
            AND ("messageTimestamp", "id") > (${at}, ${literal(id)}) ORDER BY "messageTimestamp", "id"`,
    size: (since) => ({
      person: `SELECT count(*) AS n FROM ${people}`,
      message: `SELECT count(*) AS n FROM ${messages(since)}`,
    }),
  };
};

/** The NOWEB store of WAHA: one database for each session. */
const wahaQueries = (schema: string, hasLids: boolean): Queries => {
  const table = (name: string): string => `"${schema}"."${name}"`;
  const pn = hasLids ? `LEFT JOIN ${table("lid_map")} AS l ON l.id = c.id` : "";
  const person = `(c.data::jsonb || jsonb_build_object('id', c.id${hasLids ? ", 'pn', l.pn" : ""}))::text`;
  const messages = (since: number): string => `${table("messages")} WHERE "messageTimestamp" >= ${since}`;
  return {
    rows: ({ kind, at, id }, since) =>
      kind === "person"
        ? `SELECT 0 AS at, c.id AS id, left(${person}, ${ROW_CHARS + 1}) AS text FROM ${table("contacts")} AS c ${pn}
            WHERE c.id > ${literal(id)} ORDER BY c.id`
        : `SELECT "messageTimestamp" AS at, id, left(data::text, ${ROW_CHARS + 1}) AS text FROM ${messages(since)}
            AND ("messageTimestamp", id) > (${at}, ${literal(id)}) ORDER BY "messageTimestamp", id`,
    size: (since) => ({
      person: `SELECT count(*) AS n FROM ${table("contacts")}`,
      message: `SELECT count(*) AS n FROM ${messages(since)}`,
    }),
  };
};

const historyIn = (url: string, place: PostgresPlace, found: Found, queries: Queries): FoundHistory => ({
  name: found.name,
  format: found.format,
  source: sha256([found.format, place.server, place.schema, found.id].join("\n")),
  phoneNumber: found.phoneNumber,
  size: (since) =>
    onPostgres(url, async ({ rows }) => {
      const { person, message } = queries.size(since);
      const count = async (query: string): Promise<number> => Number((await rows(query))[0]?.["n"] ?? 0);
      return { person: await count(person), message: await count(message) };
    }),
  pages: (after, since) =>
    gatheredPages({ after, since }, (phase) => rowsAfter(url, queries, queries.rows(phase, since))),
});

/** The rows of a query, a few at a time, from a cursor of the server. */
async function* rowsAfter(url: string, queries: Queries, query: string): AsyncGenerator<PlacedRow, void> {
  const { rows, close } = await openPostgres(url);
  try {
    await rows(`DECLARE history NO SCROLL CURSOR FOR ${query}`);
    for (let some = await rows(FETCH); some.length > 0; some = await rows(FETCH))
      yield* some.map((row) => placedRow(url, queries, row));
  } finally {
    await close();
  }
}

const placedRow = (url: string, queries: Queries, { at, id, text, key, name, encoded }: Json): PlacedRow => {
  const row = { at: Number(at), id: String(id), text: String(text) };
  const chars = Number(encoded ?? 0);
  const from = chars > 0 ? queries.encoded?.(row.id) : undefined;
  if (typeof key !== "string" || (typeof name !== "string" && from === undefined)) return row;
  const inside =
    from === undefined ? {} : { inside: { sizeBytes: Math.floor((chars * 3) / 4), body: () => decoded(url, from) } };
  return { ...row, file: { key, ...(typeof name === "string" ? { name } : {}), ...inside } };
};

/** Characters of base64 that are read at once: whole groups of four. */
const ENCODED_CHARS = 1024 * 1024;

/** The file that a message has in base64, a part at a time. */
async function* decoded(url: string, from: string): AsyncGenerator<Uint8Array, void> {
  const { rows, close } = await openPostgres(url);
  try {
    for (let at = 1; ; at += ENCODED_CHARS) {
      const [row] = await rows(`SELECT substr("message" ->> 'base64', ${at}, ${ENCODED_CHARS}) AS part ${from}`);
      const part = row?.["part"];
      if (typeof part !== "string" || part === "") return;
      yield Buffer.from(part, "base64");
      if (part.length < ENCODED_CHARS) return;
    }
  } finally {
    await close();
  }
}

type Found = { id: string; name: string; format: string; phoneNumber: string | undefined };

const numberIn = (...texts: readonly unknown[]): string | undefined => {
  for (const text of texts) {
    const [digits] = typeof text === "string" ? (/^\+?(\d{5,20})(?=$|[:@])/.exec(text)?.slice(1) ?? []) : [];
    if (digits !== undefined) return digits;
  }
  return undefined;
};

/**
 * The histories of a PostgreSQL database: of each instance of Evolution, or of the session of WAHA whose NOWEB store it
 * is. `id`: of the instance, as sessions name it.
 * @throws SourceFault
 */
export const historiesOfPostgres = (url: string): Promise<{ id: string; history: FoundHistory }[]> =>
  onPostgres(url, async (reader) => {
    const { place, rows } = reader;
    const { schema } = place;
    const has = (name: string): Promise<boolean> => hasTable(reader, name);
    if (await has("Message")) {
      for (const table of ["Instance", "Contact", "Chat"]) if (!(await has(table))) return [];
      const hasMedia = await has("Media");
      return (await rows(instancesIn(schema))).map(({ id, name, jid, number }) => {
        const found = { id: String(id), name: String(name), format: "evolution", phoneNumber: numberIn(jid, number) };
        return { id: found.id, history: historyIn(url, place, found, evolutionQueries(schema, found.id, hasMedia)) };
      });
    }
    if (!(await has("messages")) || !(await has("contacts"))) return [];
    const found = { id: "", name: place.database, format: "waha", phoneNumber: undefined };
    return [{ id: "", history: historyIn(url, place, found, wahaQueries(schema, await has("lid_map"))) }];
  });

/** The instances that have messages. Columns that a version lacks are null. */
const instancesIn = (schema: string): string =>
  `SELECT "id" AS id, "name" AS name, to_jsonb(i) ->> 'ownerJid' AS jid, to_jsonb(i) ->> 'number' AS number
    FROM "${schema}"."Instance" AS i
    WHERE EXISTS (SELECT 1 FROM "${schema}"."Message" AS m WHERE m."instanceId" = i."id")
    ORDER BY "id" LIMIT ${MAX_SESSIONS}`;
