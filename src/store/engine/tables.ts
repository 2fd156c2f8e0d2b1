const NAMED = /\b(?:from|join|into|update|table)\s+["`[]?(?<table>\w+)/gi;
const MAX_KNOWN = 2000;
const known = new Map<string, readonly string[]>();

/** The tables that a statement names. */
export const tablesOf = (sql: string): readonly string[] => {
  const found = known.get(sql);
  if (found) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const tables = [...new Set(Array.from(sql.matchAll(NAMED), ({ groups }) => groups?.["table"]?.toLowerCase() ?? ""))];
  known.set(sql, tables);
  return tables;
};
