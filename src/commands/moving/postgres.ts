import { SQL } from "bun";
import { isRecord, type Json, listOf } from "../../kernel/texts/json.ts";
import { EVOLUTION_TABLES, type EvolutionTables } from "./evolution.ts";
import { LIMITS, SourceFault } from "./found.ts";

const SCHEMA = /^[A-Za-z_]\w{0,62}$/;
const CONNECTS_WITHIN_SECONDS = 10;

/** TABLE: the columns that are read of each table: no token and no password. */
const COLUMNS: Readonly<Record<(typeof EVOLUTION_TABLES)[number], string>> = {
  Session: `"sessionId", left("creds", ${LIMITS.keyBytes + 1}) AS creds`,
  Instance: `"id", "name"`,
  Webhook: `"instanceId", left("url", 2048) AS url, "enabled", "events"`,
  Setting: `"instanceId", "rejectCall", "groupsIgnore", "alwaysOnline", "readMessages", "readStatus"`,
  Proxy: `"instanceId", "enabled"`,
};

export const POSTGRES = /^postgres(?:ql)?:\/\//;

/** The database without its user: the server with the database's name, that name, and the schema. */
export type PostgresPlace = { server: string; database: string; schema: string };

/** An open database. Its reads see one state of it, and can change nothing. */
export type PostgresReader = {
  place: PostgresPlace;
  /** @throws SourceFault that never repeats the URL */
  rows(query: string, params?: readonly string[]): Promise<readonly Json[]>;
  close(): Promise<void>;
};

/**
 * Opens a PostgreSQL database. The URL is that of the other program, with its `schema`.
 * @throws SourceFault that never repeats the URL
 */
export const openPostgres = async (url: string): Promise<PostgresReader> => {
  const { plain, ...place } = addressIn(url);
  const sql = new SQL({ url: plain, adapter: "postgres", max: 1, connectionTimeout: CONNECTS_WITHIN_SECONDS });
  try {
    const connection = await sql.reserve();
    await connection.unsafe("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return {
      place,
      async rows(query, params = []) {
        try {
          return listOf(await connection.unsafe(query, [...params])).filter(isRecord);
        } catch (thrown) {
          throw unreadable(thrown);
        }
      },
      async close() {
        await connection.release();
        await sql.close();
      },
    };
  } catch (thrown) {
    await sql.close();
    throw unreadable(thrown);
  }
};

const unreadable = (thrown: unknown): SourceFault =>
  new SourceFault(`the PostgreSQL database cannot be read: ${faultIn(thrown)}`);

/** Opens the database for one piece of work. @throws SourceFault */
export const onPostgres = async <Result>(
  url: string,
  work: (reader: PostgresReader) => Promise<Result>,
): Promise<Result> => {
  const reader = await openPostgres(url);
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
};

/** Whether the database has a table. */
export const hasTable = async ({ rows, place }: PostgresReader, name: string): Promise<boolean> => {
  const [there] = await rows("SELECT to_regclass($1) IS NOT NULL AS yes", [`"${place.schema}"."${name}"`]);
  return there?.["yes"] === true;
};

/** Evolution's tables in its PostgreSQL (`DATABASE_CONNECTION_URI`). @throws SourceFault */
export const readPostgres = (url: string): Promise<EvolutionTables> =>
  onPostgres(url, async (reader) => {
    const tables: EvolutionTables = {};
    for (const name of EVOLUTION_TABLES) {
      if (!(await hasTable(reader, name))) continue;
      const table = `"${reader.place.schema}"."${name}"`;
      tables[name] = await reader.rows(`SELECT ${COLUMNS[name]} FROM ${table} LIMIT ${LIMITS.sessions + 1}`);
    }
    return tables;
  });

/** The URL without the parts that only Prisma understands, and the schema. */
const addressIn = (text: string): PostgresPlace & { plain: string } => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schema = url?.searchParams.get("schema") ?? "public";
  if (!url || !SCHEMA.test(schema)) throw new SourceFault("the URL of the PostgreSQL database is not valid");
  const { hostname, port, username, password, pathname } = url;
  const ssl = url.searchParams.get("sslmode");
  const user = username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  const plain = `postgres://${user}${hostname}${port === "" ? "" : `:${port}`}${pathname}${ssl === null ? "" : `?sslmode=${encodeURIComponent(ssl)}`}`;
  const server = `${hostname}:${port || "5432"}${pathname}`;
  return { plain, schema, server, database: pathname.slice(1) };
};

/** The code of a fault: texts of libraries may quote the address. */
const faultIn = (thrown: unknown): string => {
  const { code, errno } =
    isRecord(thrown) || thrown instanceof Error ? (thrown as { code?: unknown; errno?: unknown }) : {};
  return [code, errno].filter((one) => typeof one === "string").join(" ") || "no connection";
};
