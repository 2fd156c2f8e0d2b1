import { listRoutesOf } from "../../store/channels.ts";
import type { Reader } from "../../store/db.ts";
import { PERSONAL, type Personal, type PersonalRow, type Somebody } from "../../store/personal.ts";
import type { Env } from "../env.ts";
import type { Reach } from "./person.ts";

/** Rows that are looked at at once: a few may be long. */
const PAGE = 100;

/** Whose rows are looked for, and which rows may be a tenant's. */
export type Search = { who: Somebody; isInReach(row: PersonalRow): boolean };

/** A row that names a tenant is that one's; of another one of its channels' ids must stand in it. */
export const searchFor = async (r: Reader, tenantId: Reach, who: Somebody): Promise<Search> => {
  if (tenantId === undefined) return { who, isInReach: () => true };
  const marks = [tenantId as string, ...(await listRoutesOf(r, tenantId))];
  const tells = (row: PersonalRow): boolean => marks.some((mark) => ["payload", "body"].some((column) => String(row[column] ?? "").includes(mark)));
  return { who, isInReach: (row) => (row.tenantId === null ? tells(row) : row.tenantId === tenantId) };
};

/** Opens what is sealed, as text; what was sealed under another key stays closed. */
const opened = ({ secrets }: Pick<Env, "secrets">, { sealed }: Personal, row: PersonalRow): PersonalRow => {
  if (!sealed) return row;
  try {
    return { ...row, opened: secrets.open(sealed(row), String(row["sealed"])) };
  } catch {
    return row;
  }
};

export type Found = { row: PersonalRow; isTheirs: boolean };

/** The rows of the next page that are somebody's, or name them. `next`: after which row to go on; undefined at the end. */
export const findPage = async (
  env: Pick<Env, "db" | "secrets">,
  { table, after }: { table: string; after: number },
  { who, isInReach }: Search,
): Promise<{ found: Found[]; next: number | undefined }> => {
  const personal = PERSONAL[table];
  if (!personal) throw new Error(`${table} holds nothing of people`);
  const page = await env.db.read((reader) => reader.rows<PersonalRow>(personal.page, [after, PAGE]));
  const found: Found[] = [];
  for (const one of page) {
    const row = opened(env, personal, one);
    const isTheirs = personal.isOf(row, who);
    const isNamed = isTheirs || (personal.texts ?? []).some((column) => who.mentions(row[column]));
    if (isNamed && isInReach(row)) found.push({ row, isTheirs });
  }
  return { found, next: page.length === PAGE ? page.at(-1)?.at : undefined };
};
