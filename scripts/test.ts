// Runs the tests, in random order: those that need npm alone, or those of test/system, which need packages of the operating system.
//   bun scripts/test.ts [--system] [arguments of bun test]
import { resolve } from "node:path";

const args = process.argv.slice(2);
const isSystem = args.includes("--system");
// bunfig.toml leaves test/system out of every run; ignoring nothing takes it in
const selection = isSystem ? ["--path-ignore-patterns", "", "test/system"] : [];
const command = [process.execPath, "test", "--no-orphans", "--randomize", ...selection, ...args.filter((arg) => arg !== "--system")];
const child = Bun.spawn(command, { cwd: resolve(import.meta.dir, ".."), stdio: ["inherit", "inherit", "inherit"] });
const code = await child.exited;
if (!isSystem) console.log("Left out: test/system, which needs the Debian packages that the README names. npm run test:system runs it.");
process.exit(code);
