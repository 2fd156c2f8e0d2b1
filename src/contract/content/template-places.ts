import { parseIso } from "../../kernel/clock.ts";
import { type Issue, issue } from "../../kernel/schema.ts";

// Values of templates that are numbers or times at the network. Here they may be texts, which a batch can fill.

/** The number, which spreadsheets may write with a comma; undefined for another text. */
export const degreesOf = (value: number | string): number | undefined => {
  if (typeof value === "number") return value;
  return /^\s*-?\d{1,3}([.,]\d{1,20})?\s*$/.test(value) ? Number(value.replace(",", ".")) : undefined;
};

export const degreeIssues = (path: string, value: number | string, most: number): Issue[] => {
  const number = degreesOf(value);
  return number !== undefined && Math.abs(number) <= most
    ? []
    : [issue(path, "format", `must be a number between -${most} and ${most}`)];
};

export const instantIssues = (path: string, value: string): Issue[] =>
  parseIso(value) === undefined ? [issue(path, "format", "must be an ISO 8601 datetime with timezone")] : [];
