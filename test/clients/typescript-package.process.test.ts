import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packSdk } from "../../scripts/clients/pack.ts";
import { printed, ROOT, SDK_VERSION, useSdkPackage } from "../support/apis/sdk-package.ts";
import { newCustomer } from "../support/customers/customer.ts";
import { fencesOf, pageText } from "../support/laws/pages.ts";
import { useWorld } from "../support/use-world.ts";
import { WEBHOOK_SECRET } from "../support/world.ts";

const sdk = useSdkPackage();
const w = useWorld();

/** Runs a program in the folder with the package, by Node.js. */
const inNode = async (name: string, text: string, env: Record<string, string> = {}): Promise<unknown> => {
  writeFileSync(join(sdk.folder, name), text);
  return JSON.parse(await printed(["node", name], sdk.folder, env));
};

test("the package has its code, its types, its licence and its page, and nothing else; the same source gives the same bytes", async () => {
  const names = (await printed(["tar", "-tzf", sdk.archive])).split("\n").filter((name) => !/\/$|^$/.test(name));
  const rest = names.filter((name) => !/^package\/dist\/(?:generated\/)?\w+\.(?:js|d\.ts)$/.test(name));
  expect(rest.toSorted()).toEqual(["package/LICENSE", "package/README.md", "package/package.json"]);
  const again = join(sdk.newFolder(), "again.tgz");
  await packSdk({ version: SDK_VERSION, time: 1_700_000_000 }, again);
  expect(Buffer.from(await Bun.file(again).bytes()).equals(await Bun.file(sdk.archive).bytes())).toBe(true);
});

test("its manifest has the released version, and no dependency", async () => {
  const manifest = await Bun.file(join(sdk.folder, "node_modules/@recado/sdk/package.json")).json();
  expect(manifest).toMatchObject({ name: "@recado/sdk", version: SDK_VERSION, sideEffects: false });
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});

const PROGRAM = `
import { Recado, RecadoError, webhooks } from "@recado/sdk";
const { URL_OF_RECADO: url, KEY: apiKey, PHONE: phoneId, HEADERS, RAW, SECRET, NOW } = process.env;
const recado = new Recado({ url, apiKey });
const stream = recado.events.stream({ lastEventId: "nothing", types: ["channel:connected"] });
const phones = await recado.phones.list().toArray();
const { status } = await recado.messages.send({ phoneId, to: "5511999990001", type: "text", content: { text: "olá" } });
const refused = await recado.phones.get("01a1f8d3-ea00-4000-8000-000000000000").catch((error) => error);
const kept = await recado.media.keepFile(new Blob(["a text"], { type: "text/plain" })).catch((error) => error.code);
const event = await webhooks.verify(RAW, JSON.parse(HEADERS), SECRET, { nowMs: Number(NOW) });
const seen = [];
for await (const one of stream) if (one.type !== "gap" && seen.push(one.type) === 1) break;
console.log(JSON.stringify({
  phones: phones.map(({ id }) => id), status, refused: [refused instanceof RecadoError, refused.code],
  kept: typeof kept, event: event.type, seen,
}));`;

test("Node.js runs it: a list, a send, a refusal, an upload, a webhook and the stream", async () => {
  const c = await newCustomer(w);
  await c.sent();
  const [delivery] = await c.hook.received(1);
  const shown = await inNode("program.mjs", PROGRAM, {
    URL_OF_RECADO: w.app.gatewayUrl,
    KEY: c.key,
    PHONE: c.phone.id,
    RAW: delivery?.raw ?? "",
    HEADERS: JSON.stringify(delivery?.headers),
    SECRET: WEBHOOK_SECRET,
    NOW: String(w.clock.now()),
  });
  expect(shown).toMatchObject({
    phones: [c.phone.id],
    status: "QUEUED",
    refused: [true, "PHONE_NOT_FOUND"],
    event: "message:status",
    seen: ["channel:connected"],
  });
});

test("it runs where there is nothing of Node.js: with what a browser has, and no more", async () => {
  const c = await newCustomer(w);
  const entry = join(sdk.folder, "entry.js");
  writeFileSync(entry, `import * as sdk from "@recado/sdk"; globalThis.sdk = sdk;`);
  const built = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife" });
  writeFileSync(join(sdk.folder, "bundle.js.txt"), (await built.outputs[0]?.text()) ?? "");
  const names =
    "fetch Headers Response URL URLSearchParams AbortController TextEncoder TextDecoder crypto setTimeout clearTimeout atob Blob FormData ReadableStream";
  const shown = await inNode(
    "browser.cjs",
    `const vm = require("node:vm");
const { readFileSync } = require("node:fs");
const context = Object.fromEntries("${names}".split(" ").map((name) => [name, globalThis[name]]));
vm.runInNewContext(readFileSync("bundle.js.txt", "utf8"), context);
const { Recado, webhooks } = context.sdk;
const { URL_OF_RECADO: url, KEY: apiKey } = process.env;
(async () => {
  const recado = new Recado({ url, apiKey });
  const phones = await recado.phones.list().toArray();
  const refused = await webhooks.verify("{}", {}, "a secret").catch(({ name }) => name);
  console.log(JSON.stringify({ phones: phones.length, refused }));
})();`,
    { URL_OF_RECADO: w.app.gatewayUrl, KEY: c.key },
  );
  expect(shown).toEqual({ phones: 1, refused: "WebhookVerificationError" });
});

describe("a program in TypeScript, strict, with the types of the package alone", () => {
  const compile = (text: string, name = "program.ts", types: string[] = []): Promise<string> => {
    const folder = sdk.newFolder();
    writeFileSync(join(folder, name), text);
    const paths = { "@recado/sdk": [join(sdk.folder, "node_modules/@recado/sdk/dist/index.d.ts")] };
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: types.length > 0,
      allowJs: true,
      checkJs: true,
      noEmit: true,
      target: "es2022",
      module: "nodenext",
      lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
      types,
      typeRoots: [join(ROOT, "node_modules/@types")],
      paths,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
    return printed([process.execPath, join(ROOT, "node_modules/.bin/tsc"), "-p", folder]).then(
      () => "",
      (error: unknown) => String(error),
    );
  };
  const HEAD = `import { Recado, type Gateway } from "@recado/sdk";
const recado = new Recado({ url: "http://localhost", apiKey: "ak" });
const where = { phoneId: "1", to: "2" };
`;

  test("compiles", async () => {
    expect(
      await compile(`${HEAD}
export const send = () => recado.messages.send({ ...where, type: "text", content: { text: "Bom dia" } });
export const labels = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const phone of recado.phones.list()) found.push(phone.label);
  return found;
};
export const first = async (): Promise<Gateway.WebhookEvent | undefined> => {
  for await (const item of recado.events.stream()) if (item.type !== "gap") return item;
  return undefined;
};
`),
    ).toBe("");
  });

  test.each(["bot.mjs", ""])("a program of docs/clients.md compiles: %s", async (name) => {
    const page = fencesOf(pageText("docs/clients.md"));
    const fence = page.find(({ info, language }) => (name === "" ? language === "ts" : info === name));
    expect(await compile(fence?.text ?? "", name || "program.mts", ["node"])).toBe("");
  });

  test.each([
    [
      "a message without the content of its type",
      `void recado.messages.send({ ...where, type: "text", content: { mediaUrl: "" } });`,
    ],
    [
      "a type of message that does not exist",
      `void recado.messages.send({ ...where, type: "telegram", content: { text: "" } });`,
    ],
    ["a function that does not exist", `void recado.phones.explode("1");`],
    ["an id that is missing", `void recado.phones.get();`],
  ])("does not compile: %s", async (_, line) => {
    expect(await compile(HEAD + line)).toMatch(/program\.ts.*error TS\d+/);
  });
});
