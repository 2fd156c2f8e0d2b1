// Writes the generated parts of the clients from the committed descriptions of the APIs.
//   bun scripts/clients.ts [--check]      with --check nothing is written: exit code 1 when a file differs
import { join, resolve } from "node:path";
import type { Document } from "./clients/document.ts";
import { n8nOptionsOf } from "./clients/n8n.ts";
import { pythonOf } from "./clients/python.ts";
import { PARTS, typescriptOf } from "./clients/typescript.ts";

const root = resolve(import.meta.dir, "..");

const isCheck = process.argv.includes("--check");
let differences = 0;

const keep = async (path: string, text: string): Promise<void> => {
  const file = Bun.file(join(root, path));
  if ((await file.exists()) && (await file.text()) === text) return;
  differences++;
  if (!isCheck) await Bun.write(file, text);
  console.error(isCheck ? `${path} is not what the description says: run npm run clients` : `${path} written`);
};

for (const api of Object.keys(PARTS) as (keyof typeof PARTS)[]) {
  const document = (await Bun.file(join(root, `test/snapshots/openapi.${api}.json`)).json()) as Document;
  await keep(`clients/typescript/src/generated/${api}.ts`, typescriptOf(api, document));
  for (const [path, text] of Object.entries(pythonOf(api, document))) await keep(`clients/python/${path}`, text);
  if (api === "gateway") await keep("clients/n8n/src/generated/options.ts", n8nOptionsOf(document));
}
if (isCheck && differences > 0) process.exit(1);
