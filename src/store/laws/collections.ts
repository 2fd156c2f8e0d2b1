import type { Collection } from "../../kernel/collections.ts";
import type { Reader } from "../engine/db.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { readStoredCount } from "../tables/collections.ts";
import type { CountedCollection, TableLaws } from "../tables/table-laws.ts";
import { TABLE_LAWS } from "./table-list.ts";

type Asked = { owner: string; most: number };
type Count = Statement<{ n: number }, Asked>;

const countOf = ({ table, grows }: TableLaws): [Collection, Count][] => {
  if ("bound" in grows || "isStored" in grows) return [];
  const sql =
    "count" in grows
      ? grows.count
      : `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${grows.where} LIMIT :most)`;
  return [[grows.limit, statement<{ n: number }, Asked>(sql)]];
};

const COUNTS = new Map(TABLE_LAWS.flatMap(countOf));

/** The size of a collection, counted up to `most`. `owner` is the id of the user, tenant or channel with the limit. */
export const countCollection = async (
  r: Reader,
  collection: Collection,
  owner: string,
  most: number,
): Promise<number> => {
  const count = COUNTS.get(collection);
  if (!count) return readStoredCount(r, owner, collection as CountedCollection); // the others have a stored number
  return (await count.get(r, { owner, most }))?.n ?? 0;
};
