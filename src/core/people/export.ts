import { PERSONAL } from "../../store/laws/personal.ts";
import type { Names } from "../../store/tables/channels/identities.ts";
import type { PersonalRow } from "../../store/tables/table-laws.ts";
import { signedLink } from "../media/links.ts";
import { getAccount } from "../tenancy/accounts/accounts.ts";
import { type Requester, recordAct } from "../tenancy/audit/audit.ts";
import type { PeopleEnv } from "./env.ts";
import { allNames, namesOfKey, personHash, type Reach, somebody } from "./person.ts";
import { findPage, searchFor } from "./rows.ts";

type Asked = { person: string; tenantId: Reach };

/**
 * The person of a request, by all of their identifiers.
 * @throws AppError VALIDATION, TENANT_NOT_FOUND.
 */
export const requirePerson = async (
  env: PeopleEnv,
  { person, tenantId }: Asked,
): Promise<{ first: Names; names: Names[] }> => {
  const first = namesOfKey(person);
  if (tenantId !== undefined) await getAccount(env, tenantId);
  return { first, names: await env.db.read((reader) => allNames(reader, tenantId, first)) };
};

/** Internal columns: the position of a row, sealed texts, and copies of other tables' data. */
const NOT_SHOWN = ["at", "sealed", "isNobodys", "isWaiting", "contactKey", "peer_of_call"];

const shown = (env: PeopleEnv, table: string, row: PersonalRow): Record<string, unknown> => {
  const columns = Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_SHOWN.includes(name)));
  const file = PERSONAL[table]?.effects?.(row).file;
  const isThere =
    file !== undefined && (table !== "media" || (row["stored_at"] !== null && row["deleted_at"] === null));
  return isThere
    ? {
        ...columns,
        fileUrl: signedLink(env, file, {
          contentType: String(row["content_type"] ?? "application/octet-stream"),
          filename: null,
        }),
      }
    : columns;
};

/**
 * All stored data of a person, as the pieces of one JSON document: one page of rows at a time, one row per line. The
 * audit log records the request before the first piece.
 * @throws AppError VALIDATION, TENANT_NOT_FOUND.
 */
export const exportPerson = async (
  env: PeopleEnv,
  by: Requester,
  asked: Asked,
): Promise<AsyncGenerator<string, void>> => {
  const { first, names } = await requirePerson(env, asked);
  const { tenantId } = asked;
  await env.db.write((tx) =>
    recordAct(env, tx, by, { action: "person.export", tenantId, details: { person: personHash(env, first) } }),
  );
  const search = await env.db.read((reader) => searchFor(reader, tenantId, somebody(names)));
  return pieces(env, names, search);
};

const pieces = async function* (
  env: PeopleEnv,
  names: readonly Names[],
  search: Awaited<ReturnType<typeof searchFor>>,
): AsyncGenerator<string, void> {
  yield `{"names":${JSON.stringify(names)},"tables":{`;
  let separator = "";
  for (const table of Object.keys(PERSONAL)) {
    yield `${separator}\n${JSON.stringify(table)}:[`;
    separator = ",";
    let comma = "";
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { found, next }: Awaited<ReturnType<typeof findPage>> = await findPage(env, { table, after }, search);
      for (const { row } of found) {
        yield `${comma}\n${JSON.stringify(shown(env, table, row))}`;
        comma = ",";
      }
      after = next;
    }
    yield "]";
  }
  yield "}}\n";
};
