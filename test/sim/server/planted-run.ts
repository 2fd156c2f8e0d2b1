import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PLANTED, type Planted } from "./planted.ts";

// Puts each planted fault into a copy of the tree, and runs seeds there until one of them fails.

const root = resolve(import.meta.dir, "../../..");
const COPIED = ["src", "plugins", "test", "migrations", "scripts", "package.json", "tsconfig.json", "bunfig.toml"];
const MOST_SEEDS = Number(process.env["RECADO_SIMULATION_SEEDS"] ?? 3000);

const plant = ({ file, find, replace, name }: Planted): string => {
  const folder = mkdtempSync(join(tmpdir(), "recado-planted-"));
  for (const one of COPIED) cpSync(join(root, one), join(folder, one), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const text = readFileSync(join(root, file), "utf8");
  if (text.split(find).length !== 2) throw new Error(`${name}: ${file} does not have its text once`);
  unlinkSync(join(folder, file));
  writeFileSync(
    join(folder, file),
    text.replace(find, () => replace),
  );
  return folder;
};

const caught = async (planted: Planted): Promise<string | undefined> => {
  const folder = plant(planted);
  try {
    const simulate = join(folder, "test/sim/server/simulate.ts");
    const child = Bun.spawn([process.execPath, simulate, "--seeds", String(MOST_SEEDS), "--failures", "1"], {
      cwd: folder,
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = await new Response(child.stdout).text();
    const seed = /^seed \d+: .*/m.exec(said)?.[0];
    return (await child.exited) === 1 ? seed : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const only = process.env["RECADO_PLANTED"];
const left = PLANTED.filter(({ name }) => only === undefined || name.includes(only));
let missed = 0;
const work = async () => {
  for (let planted = left.shift(); planted; planted = left.shift()) {
    const found = await caught(planted).catch((error: unknown) => String(error));
    const isCaught = found?.startsWith("seed") === true;
    if (!isCaught) missed++;
    console.log(`${isCaught ? "caught" : "MISSED"}  ${planted.name} (${planted.promise}): ${found ?? ""}`);
  }
};
await Promise.all([work(), work()]);
console.log(`${missed} missed`);
process.exit(missed > 0 ? 1 : 0);
