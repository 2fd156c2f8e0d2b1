// bun scripts/new-migration.ts <name>: has drizzle-kit write the next migration from the tables in src/store, makes its
// new tables STRICT, and lists all migrations in src/store/engine/migrations.ts, from where they are embedded. Read the SQL
// before you commit it.
import { readdirSync } from "node:fs";

const [name] = process.argv.slice(2);
if (!name) throw new Error("usage: bun scripts/new-migration.ts <name>");

const LIST = "src/store/engine/migrations.ts";
const writeList = (imports: readonly string[], entries: readonly string[]): Promise<number> =>
  Bun.write(
    LIST,
    `${imports.join("\n")}\n\n/** Every migration, oldest first; written by scripts/new-migration.ts. */\nexport const MIGRATIONS: readonly { tag: string; sql: string }[] = [\n${entries.join("\n")}\n];\n`,
  );

const before = await Bun.file(LIST).text();
await writeList([], []); // drizzle-kit loads the imports of tables, and cannot import SQL
const made = Bun.spawnSync([process.execPath, "x", "--bun", "drizzle-kit", "generate", "--name", name], {
  stdout: "inherit",
  stderr: "inherit",
});
if (made.exitCode !== 0) {
  await Bun.write(LIST, before);
  process.exit(made.exitCode);
}

const files = readdirSync("migrations")
  .filter((file) => file.endsWith(".sql"))
  .sort();
const newest = files.at(-1);
if (!newest) throw new Error("drizzle-kit wrote no migration"); // it exits 0 even when it fails
const sql = await Bun.file(`migrations/${newest}`).text();
await Bun.write(
  `migrations/${newest}`,
  (sql.includes("__new_") ? "-- rebuilds a table\n" : "") + sql.replace(/^\);$/gm, ") STRICT;"),
);

const tags = files.map((file) => file.slice(0, -".sql".length));
await writeList(
  tags.map((tag, index) => `import m${index} from "../../../migrations/${tag}.sql" with { type: "text" };`),
  tags.map((tag, index) => `  { tag: "${tag}", sql: m${index} },`),
);
