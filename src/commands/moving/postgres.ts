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

/**
 * Evolution's tables in its PostgreSQL, read in one transaction that can change nothing. The URL is Evolution's own
 * (`DATABASE_CONNECTION_URI`), with its `schema`.
 * @throws SourceFault that never repeats the URL
 */
export const readPostgres = async (url: string): Promise<EvolutionTables> => {
  const { plain, schema } = addressIn(url);
  const sql = new SQL({ url: plain, adapter: "postgres", max: 1, connectionTimeout: CONNECTS_WITHIN_SECONDS });
  try {
    return await sql.begin("read only", async (tx) => {
      const tables: EvolutionTables = {};
      for (const name of EVOLUTION_TABLES) {
        const table = `"${schema}"."${name}"`;
        const [there] = rowsIn(await tx.unsafe("SELECT to_regclass($1) IS NOT NULL AS yes", [table]));
        if (there?.["yes"] !== true) continue;
        tables[name] = rowsIn(await tx.unsafe(`SELECT ${COLUMNS[name]} FROM ${table} LIMIT ${LIMITS.sessions + 1}`));
      }
      return tables;
    });
  } catch (thrown) {
    throw new SourceFault(`the PostgreSQL database cannot be read: ${faultIn(thrown)}`);
  } finally {
    await sql.close();
  }
};

const rowsIn = (result: unknown): readonly Json[] => listOf(result).filter(isRecord);

/** The URL without the parts that only Prisma understands, and the schema. */
const addressIn = (text: string): { plain: string; schema: string } => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schema = url?.searchParams.get("schema") ?? "public";
  if (!url || !SCHEMA.test(schema)) throw new SourceFault("the URL of the PostgreSQL database is not valid");
  const { hostname, port, username, password, pathname } = url;
  const ssl = url.searchParams.get("sslmode");
  const user = username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  const plain = `postgres://${user}${hostname}${port === "" ? "" : `:${port}`}${pathname}${ssl === null ? "" : `?sslmode=${encodeURIComponent(ssl)}`}`;
  return { plain, schema };
};

/** The code of a fault: texts of libraries may quote the address. */
const faultIn = (thrown: unknown): string => {
  const { code, errno } =
    isRecord(thrown) || thrown instanceof Error ? (thrown as { code?: unknown; errno?: unknown }) : {};
  return [code, errno].filter((one) => typeof one === "string").join(" ") || "no connection";
};
