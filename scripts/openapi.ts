// The committed descriptions of both APIs, test/snapshots/openapi.{platform,gateway}.json, as `recado openapi` prints
// them.
//   bun scripts/openapi.ts [--check]      with --check nothing is written: exit code 1 when a snapshot differs
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");
const APIS = ["platform", "gateway"] as const;

/** The output of `recado openapi`. Throws with its stderr if it fails. */
const printed = async (api: string): Promise<string> => {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), "openapi", api], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`recado openapi ${api} ended with ${code}: ${stderr}`);
  return stdout;
};

const args = process.argv.slice(2);
const isCheck = args.length === 1 && args[0] === "--check";
if (args.length > 0 && !isCheck) {
  console.error(`unknown argument ${args.join(" ")}; usage: openapi.ts [--check]`);
  process.exit(2);
}

let differences = 0;
for (const api of APIS) {
  const path = `test/snapshots/openapi.${api}.json`;
  const text = await printed(api);
  const snapshot = Bun.file(join(root, path));
  if ((await snapshot.exists()) && (await snapshot.text()) === text) continue;
  differences++;
  if (!isCheck) await Bun.write(snapshot, text);
  console.error(
    isCheck ? `${path} is not what the code says: run npm run openapi and look at the difference` : `${path} written`,
  );
}
if (isCheck && differences > 0) process.exit(1);
