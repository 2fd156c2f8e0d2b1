import { afterAll, beforeAll, expect, test } from "bun:test";
import { SENDING } from "../../src/console/web/pages/keys/sending.ts";
import { type ConsoleBrowser, setUpConsole } from "../support/customers/console.ts";
import { startWorld, type World } from "../support/world.ts";

let w: World;
let browser: ConsoleBrowser;
let account: string;
let scopes: string[];
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "" } });
  browser = await setUpConsole(w);
  const { body } = await browser.get("/session");
  scopes = body.keyScopes;
  account = body.accounts[0].id;
});
afterAll(() => w.stop());

const made = async (rights: { scopes?: readonly string[]; readOnly?: boolean }) => {
  const acting = { "x-recado-account": account };
  return (await browser.ask("POST", "/gateway/v1/api-keys", { name: "Site", ...rights }, acting)).body;
};

test("the console offers every scope that limits a key, and no other text", async () => {
  const { limitedTo, warnings } = await made({ scopes });
  expect([limitedTo, warnings]).toEqual([scopes, undefined]);
  const reading = (await made({ readOnly: true })).limitedTo;
  expect(reading).toEqual(scopes.filter((scope) => scope.endsWith(".read")));
  expect(scopes).toEqual(reading.flatMap((read: string) => [read, read.replace(".read", ".write")]));
});

test("a key that sends and reads messages has scopes that limit it", async () => {
  expect(scopes).toEqual(expect.arrayContaining([...SENDING]));
  expect((await made({ scopes: SENDING })).limitedTo).toEqual(scopes.filter((one) => SENDING.some((s) => s === one)));
});
