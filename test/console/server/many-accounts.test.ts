import { afterEach, beforeEach, expect, test } from "bun:test";
import { browserAt, setUpConsole } from "../../support/customers/console.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "" } });
});
afterEach(() => w.stop());

/** More than an operator's choice of accounts has. */
const MANY = 505;

test("an operator's session has the account in which the tab acts, however many are newer, and says that there are more", async () => {
  const browser = await setUpConsole(w);
  const [first] = (await browser.get("/session")).body.accounts;
  expect((await browser.get("/session")).body.hasMoreAccounts).toBe(false);
  for (let made = 0; made < MANY; made += 1)
    await browser.post("/gateway/v1/admin/accounts", { name: `Account ${made}` });
  const ids = async (account?: string): Promise<string[]> => {
    const headers = account === undefined ? {} : { "x-recado-account": account };
    const { body } = await browser.ask("GET", "/session", undefined, headers);
    expect(body.hasMoreAccounts).toBe(true);
    return body.accounts.map(({ id }: { id: string }) => id);
  };
  expect(await ids()).not.toContain(first.id);
  expect(await ids(first.id)).toContain(first.id);
  expect(await ids("no-such-account")).toEqual(await ids());
  expect((await browserAt(w).ask("GET", "/session", undefined, { "x-recado-account": first.id })).status).toBe(401);
});
