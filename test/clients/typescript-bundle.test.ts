import { expect, test } from "bun:test";
import { join } from "node:path";

const index = join(import.meta.dir, "../../clients/typescript/src/index.ts");

/** A program that imports so much of the client, as a browser gets it. */
const bundleOf = async (program: string): Promise<string> => {
  const built = await Bun.build({
    entrypoints: ["/program.ts"],
    files: { "/program.ts": program.replace("@recado/sdk", index) },
    target: "browser",
    minify: true,
  });
  return (await built.outputs[0]?.text()) ?? "";
};

const GATEWAY = `import { Recado } from "@recado/sdk"; globalThis.recado = Recado;`;

test("a program with the gateway's client has at most 15,000 bytes, minified", async () => {
  const { length } = Buffer.from(await bundleOf(GATEWAY));
  expect(length).toBeGreaterThan(5000);
  expect(length).toBeLessThanOrEqual(15_000);
});

test("what a program does not import is not in it", async () => {
  const text = await bundleOf(GATEWAY);
  expect([text.includes("webhook-signature"), text.includes("selectInstitution")]).toEqual([false, false]);
  const verifier = await bundleOf(`import { webhooks } from "@recado/sdk"; globalThis.verify = webhooks.verify;`);
  expect([verifier.length < 3000, verifier.includes("phones")]).toEqual([true, false]);
});

test("nothing in it is of Node.js or Bun alone", async () => {
  const text = await bundleOf(`import * as all from "@recado/sdk"; globalThis.all = all;`);
  expect(text.match(/\b(?:node:|bun:|require\(|process\.|Buffer\.|Bun\.|Deno\.|import\()/g)).toBeNull();
});
