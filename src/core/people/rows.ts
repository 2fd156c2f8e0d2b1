import type { Reader, Tx } from "../../store/engine/db.ts";
import { isNaming, PERSONAL, type Personal, ROWS_A_TURN, readPersonalPage } from "../../store/laws/personal.ts";
import { listRoutesOf } from "../../store/tables/channels/channels.ts";
import type { PersonalRow, Somebody } from "../../store/tables/table-laws.ts";
import type { PeopleEnv } from "./env.ts";
import type { Reach } from "./person.ts";

/** The person whose rows are searched, and the rows that may belong to the tenant. */
export type Search = { who: Somebody; isInReach(row: PersonalRow): boolean };

/**
 * A row with a tenant id belongs to that tenant. A row without a tenant id belongs to the tenant if it contains one of
 * its channels' ids.
 */
export const searchFor = async (r: Reader, tenantId: Reach, who: Somebody): Promise<Search> => {
  if (tenantId === undefined) return { who, isInReach: () => true };
  const marks = [tenantId as string, ...(await listRoutesOf(r, tenantId))];
  const namesTenant = (row: PersonalRow): boolean =>
    marks.some((mark) => ["payload", "body"].some((column) => String(row[column] ?? "").includes(mark)));
  return { who, isInReach: (row) => (row.tenantId === null ? namesTenant(row) : row.tenantId === tenantId) };
};

/** Decrypts sealed columns to text. A column that was sealed under another key stays sealed. */
const opened = ({ secrets }: Pick<PeopleEnv, "secrets">, { sealed }: Personal, row: PersonalRow): PersonalRow => {
  if (!sealed) return row;
  try {
    return { ...row, opened: secrets.open(sealed(row), String(row["sealed"])) };
  } catch {
    return row;
  }
};

export type Found = { row: PersonalRow; isTheirs: boolean };

const personalOf = (table: string): Personal => {
  const personal = PERSONAL[table];
  if (!personal) throw new Error(`${table} holds nothing of people`);
  return personal;
};

/** The decrypted row, if it belongs to the person or names them. */
const foundIn = (
  env: Pick<PeopleEnv, "secrets">,
  personal: Personal,
  one: PersonalRow,
  { who, isInReach }: Search,
): Found | undefined => {
  const row = opened(env, personal, one);
  const isTheirs = personal.isOf(row, who);
  const isNamed = isTheirs || isNaming(personal, row, who);
  return isNamed && isInReach(row) ? { row, isTheirs } : undefined;
};

/**
 * The rows of the next page that belong to the person or name them. `next`: the row to continue after; undefined at the
 * end.
 */
export const findPage = async (
  env: Pick<PeopleEnv, "db" | "secrets">,
  { table, after }: { table: string; after: number },
  search: Search,
): Promise<{ found: Found[]; next: number | undefined }> => {
  const personal = personalOf(table);
  const page = await readPersonalPage(env.db, personal, after);
  const found = page.flatMap((one) => foundIn(env, personal, one, search) ?? []);
  return { found, next: page.length === ROWS_A_TURN ? page.at(-1)?.at : undefined };
};

/**
 * The current state of a row, read in the write that changes it. It may have changed, or been replaced, since it was
 * found.
 */
export const findAgain = async (
  env: Pick<PeopleEnv, "secrets">,
  tx: Tx,
  { table, at }: { table: string; at: number },
  search: Search,
): Promise<Found | undefined> => {
  const personal = personalOf(table);
  const one = await personal.page.get(tx, { after: at - 1, limit: 1 });
  return one?.at === at ? foundIn(env, personal, one, search) : undefined;
};
