import { afterEach, beforeEach, expect, test } from "bun:test";
import { browserAt, type ConsoleBrowser, OPERATOR, setUpConsole } from "../support/customers/console.ts";
import { startWorld, type World } from "../support/world.ts";

let w: World;
let browser: ConsoleBrowser;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "" } });
  browser = await setUpConsole(w);
});
afterEach(() => w.stop());

const figures = async (): Promise<string[]> => {
  w.clock.advance(5000); // the text is kept for five seconds
  const text = await (await fetch(`${w.app.url}/metrics`)).text();
  return text.split("\n").filter((line) => /^recado_(?:console|stream)/.test(line));
};

test("sign-ins, sessions and requests through the doors are figures, without names", async () => {
  const guess = browserAt(w);
  await guess.post("/sign-in", { email: OPERATOR.email, password: "wrong" });
  await guess.post("/sign-in", { email: OPERATOR.email, password: OPERATOR.password });
  await browser.get("/gateway/v1/admin/system");
  await browser.get("/gateway/v1/admin/system");
  await browserAt(w).get("/platform/v1/institutions");
  expect(await figures()).toEqual(
    expect.arrayContaining([
      'recado_console_sign_ins_total{outcome="refused"} 1',
      'recado_console_sign_ins_total{outcome="signed-in"} 1',
      'recado_console_requests_total{door="gateway",outcome="passed"} 2',
      'recado_console_requests_total{door="platform",outcome="refused"} 1',
      "recado_console_sessions 2",
      "recado_stream_clients 0",
    ]),
  );
  await browser.post("/sign-out");
  expect(await figures()).toContain("recado_console_sessions 1");
});

test("acts of an operator in an account are found by name, and the account does not learn from where", async () => {
  const { body } = await browser.get("/session");
  const [account] = body.accounts;
  const operator = `operator:${body.person.id}`;
  const found = await browser.get(`/gateway/v1/admin/audit?actor=${operator}&search=olga`);
  expect(
    found.body.items.map(({ action, actorName }: { action: string; actorName: string }) => [action, actorName]),
  ).toEqual([
    ["session.begin", OPERATOR.name],
    ["account.create", OPERATOR.name],
  ]);
  const own = await browser.ask("GET", "/gateway/v1/audit", undefined, { "x-recado-account": account.id });
  expect(own.body.items).toMatchObject([{ action: "account.create", actor: operator, actorName: OPERATOR.name }]);
  expect(own.body.items[0].details).not.toHaveProperty("address");
});
