// Prints what the code defines as a table: npm run list -- jobs
//   bun scripts/list.ts <name>         without a name: the names of all lists

/** TABLE: each list, as rows below the names of their columns. A list is loaded on request. */
const LISTS: Readonly<Record<string, () => Promise<string[][]>>> = {
  errors: async () => (await import("./list/errors.ts")).errorRows(),
  events: async () => (await import("./list/events.ts")).eventRows(),
  jobs: async () => (await import("./list/jobs.ts")).jobRows(),
  "phone-settings": async () => (await import("./list/phone-settings.ts")).phoneSettingRows(),
  routes: async () => (await import("./list/routes.ts")).routeRows(),
  settings: async () => (await import("./list/settings.ts")).settingRows(),
  tables: async () => (await import("./list/tables.ts")).tableRows(),
};

/** The rows as lines of text with aligned columns. */
export const tableText = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .join("\n");
};

if (import.meta.main) {
  const [name = ""] = process.argv.slice(2);
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (list) console.log(tableText(await list()));
  else {
    console.error(`npm run list -- ${Object.keys(LISTS).join(" | ")}`);
    process.exitCode = 1;
  }
}
