import { TABLE_LAWS } from "../../src/store/laws/table-list.ts";
import type { TableLaws } from "../../src/store/tables/table-laws.ts";

const personalOf = ({ personal }: TableLaws): string => {
  if ("none" in personal) return `no: ${personal.none}`;
  return personal.by.length > 0 ? `by ${personal.by.join(", ")}` : "by what a row says";
};

const joiningOf = ({ joins }: TableLaws): string => {
  if (joins === "of no tenant") return "";
  if ("stay" in joins) return `stays: ${joins.stay}`;
  if (!joins.later) return "at once";
  return joins.now === "none" ? "later" : "some at once, the others later";
};

const filesOf = ({ files }: TableLaws): string =>
  Object.entries(files === "none" ? {} : files)
    .flatMap(([column, file]) => (typeof file === "string" ? [] : [`${column} by ${[file].flat()[0]?.by}`]))
    .join(", ");

/** The rows of `npm run list -- tables`: the laws of each table, with the names of their columns before them. */
export const tableRows = (): string[][] => [
  ["table", "group", "setting", "rows stay", "personal", "joining", "sealed columns", "limit", "names files", "backup"],
  ...TABLE_LAWS.map((one) => [
    one.table,
    one.keeps.group,
    one.keeps.setting,
    one.keeps.rule,
    personalOf(one),
    joiningOf(one),
    one.sealed === "nothing" ? "" : Object.keys(one.sealed).join(", "),
    "limit" in one.grows ? one.grows.limit : `none: ${one.grows.bound}`,
    filesOf(one),
    typeof one.backup === "string" ? one.backup : one.backup.rows,
  ]).toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
];
