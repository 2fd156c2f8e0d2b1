import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { packN8n } from "../../scripts/clients/pack-n8n.ts";
import { printed } from "../support/apis/sdk-package.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);

const RELEASE = { version: "1.2.3", time: 1_700_000_000 };

test("the package has the nodes, their icon, its licence and its page; the same source gives the same bytes", async () => {
  const folder = newFolder();
  const [one, other] = [join(folder, "one.tgz"), join(folder, "other.tgz")];
  await packN8n(RELEASE, one);
  await packN8n(RELEASE, other);
  expect(Buffer.from(await Bun.file(one).bytes()).equals(await Bun.file(other).bytes())).toBe(true);
  const names = (await printed(["tar", "-tzf", one])).split("\n").filter((name) => !/\/$|^$/.test(name));
  expect(names.toSorted()).toEqual([
    "package/LICENSE",
    "package/README.md",
    "package/dist/credentials/RecadoApi.credentials.js",
    "package/dist/credentials/recado.svg",
    "package/dist/nodes/Recado/Recado.node.js",
    "package/dist/nodes/Recado/recado.svg",
    "package/dist/nodes/RecadoTrigger/RecadoTrigger.node.js",
    "package/dist/nodes/RecadoTrigger/recado.svg",
    "package/package.json",
  ]);
});

test("its manifest names what it has, and no dependency but n8n's own; its code needs nothing else", async () => {
  const folder = newFolder();
  await packN8n(RELEASE, join(folder, "nodes.tgz"));
  await printed(["tar", "-xzf", "nodes.tgz"], folder);
  const manifest = await Bun.file(join(folder, "package/package.json")).json();
  expect(manifest).toMatchObject({ name: "n8n-nodes-recado", version: "1.2.3" });
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual(["peerDependencies"]);
  for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
    const code = await Bun.file(join(folder, "package", path)).text();
    expect(
      [...new Set(code.match(/\b(?:require|import)\([^)]*\)/g))].filter((one) => !/n8n-workflow/.test(one)),
    ).toEqual([]);
    // what n8n does not allow in nodes of the community
    expect(code).not.toMatch(/\b(?:process\.|setTimeout|setInterval|__dirname|globalThis\.fetch)\b/);
  }
});
