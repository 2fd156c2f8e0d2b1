import { RETENTION } from "../../src/core/retention.ts";
import { MOVES, STAYS } from "../../src/store/laws/joining.ts";
import { PERSONAL } from "../../src/store/laws/personal.ts";
import { SEALED } from "../../src/store/laws/sealed.ts";

/** How the rows of a table move when its tenant joins an institution. */
const joiningOf = (table: string): string => {
  const rule = MOVES[table];
  if (rule) return rule.isHistory ? "moves later" : "moves";
  return table in STAYS ? "stays" : "";
};

/** The rows of `npm run list -- tables`: what each table's laws say of it, with the names of their columns before them. */
export const tableRows = (): string[][] => [
  ["table", "personal", "sealed columns", "joining", "retention"],
  ...Object.entries(RETENTION)
    .map(([table, { rule }]) => [
      table,
      table in PERSONAL ? "yes" : "no",
      SEALED.filter((place) => place.table === table)
        .map(({ column }) => column)
        .join(", "),
      joiningOf(table),
      rule,
    ])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
];
