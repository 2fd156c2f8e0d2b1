import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ChannelId } from "../../../../../src/kernel/ids.ts";
import { updateChannel } from "../../../../../src/store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../../../src/store/tables/scope.ts";
import { receivedBy } from "../../../../support/customers/customer.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { startWorld, untilConnected, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let w: World;
const dir = mkdtempSync(join(tmpdir(), "recado-switchboard-"));
beforeAll(async () => {
  const from = resolve(import.meta.dir, "../../../../support/adapters/switchboard");
  cpSync(from, join(dir, "switchboard"), { recursive: true });
  w = await startWorld({ env: { RECADO_PLUGIN_DIR: dir } });
});
afterAll(async () => {
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

type Credentials = { account: string; key: string; number: string };
/** A connected channel, and what its customer got. */
const newChannel = async (key: string, credentials: Credentials) => {
  const hook = w.receiver();
  const webhook = { url: hook.url, secret: WEBHOOK_SECRET };
  const { id } = made(
    await w.gateway("/v1/phones", { key, body: { type: "SWITCHBOARD", label: "Line", credentials, webhook } }),
    201,
  );
  await untilConnected(w, id);
  return { id: id as string, texts: () => receivedBy(hook, "message:received").map(({ content }) => content.text) };
};

let counter = 0;
const unique = (what: string) => `${what}-${++counter}`;
type Item = { number?: string; said: string };

/** The network calls an address with items, signed with a key of an account. */
const call = async (id: string, key: string, ...items: Item[]): Promise<number> => {
  const body = JSON.stringify(items.map((item) => ({ ...item, id: unique("in"), from: "5511999990001" })));
  const signature = createHmac("sha256", key).update(body).digest("hex");
  const answer = await fetch(`${w.app.url}/gateway/v1/upstream-webhook/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-switchboard": signature },
    body,
  });
  await answer.arrayBuffer();
  await w.settle();
  return answer.status;
};

/** An account at the network with two numbers, whose channels one tenant has. */
const newAccount = async () => {
  const { key: tenant } = await w.account();
  const account = { account: unique("acc"), key: unique("key") };
  const numbers = [unique("n"), unique("n")] as const;
  const first = await newChannel(tenant, { ...account, number: numbers[0] });
  const second = await newChannel(tenant, { ...account, number: numbers[1] });
  return { tenant, ...account, numbers, first, second };
};
const addressOf = (account: string): string | undefined =>
  (globalThis as unknown as { switchboardAddresses: Map<string, string> }).switchboardAddresses.get(account);

describe("one address serves all numbers of an account", () => {
  test("each event reaches the channel of its number, by the address of either", async () => {
    const { key, numbers, first, second } = await newAccount();
    const items = [
      { number: numbers[0], said: "to the first" },
      { number: numbers[1], said: "to the second" },
      { said: "to the address" },
    ];
    expect(await call(second.id, key, ...items)).toBe(200);
    expect([first.texts(), second.texts()]).toEqual([["to the first"], ["to the second", "to the address"]]);
    expect(await call(first.id, key, { number: numbers[1], said: "again" })).toBe(200);
    expect(second.texts()).toEqual(["to the second", "to the address", "again"]);
  });

  test("an event for a number without a channel reaches nobody, and holds nothing up", async () => {
    const { key, numbers, first, second } = await newAccount();
    expect(await call(first.id, key, { number: "nobody", said: "lost" }, { number: numbers[0], said: "hi" })).toBe(200);
    expect([first.texts(), second.texts()]).toEqual([["hi"], []]);
  });

  test("when the channel of the address is deleted, another one of the account registers its own", async () => {
    const { tenant, account, key, numbers, first, second } = await newAccount();
    expect(addressOf(account)).toEndWith(second.id);
    await w.gateway(`/v1/phones/${second.id}`, { key: tenant, method: "DELETE" });
    await untilTrue(async () => addressOf(account)?.endsWith(first.id) === true);
    expect(await call(first.id, key, { number: numbers[0], said: "still here" })).toBe(200);
    expect(first.texts()).toEqual(["still here"]);
    await w.gateway(`/v1/phones/${first.id}`, { key: tenant, method: "DELETE" });
    await untilTrue(async () => addressOf(account) === undefined);
  });
});

describe("what one tenant's secret signs never reaches another tenant's channel", () => {
  /** TABLE: what a stranger claims of the other's account and number. The stranger's own key is always another one. */
  const CLAIMS: [string, (theirs: Awaited<ReturnType<typeof newAccount>>) => Credentials][] = [
    ["nothing", () => ({ account: unique("acc"), key: unique("key"), number: unique("n") })],
    ["the account", ({ account }) => ({ account, key: unique("key"), number: unique("n") })],
    ["the number", ({ numbers }) => ({ account: unique("acc"), key: unique("key"), number: numbers[0] })],
    ["the account and the number", ({ account, numbers }) => ({ account, key: unique("key"), number: numbers[0] })],
  ];
  /** A stranger's channel with that claim. A held number is refused to a new channel, but older databases have two. */
  const newStranger = async (claimed: Credentials) => {
    const stranger = await newChannel((await w.account()).key, { ...claimed, number: unique("n") });
    await w.app.env.db.write((tx) =>
      updateChannel(tx, EVERY_TENANT, stranger.id as ChannelId, { numberId: claimed.number }),
    );
    return stranger;
  };
  test.each(CLAIMS)("from the stranger's own address, who claims %s", async (_, claim) => {
    const theirs = await newAccount();
    const claimed = claim(theirs);
    const stranger = await newStranger(claimed);
    for (const number of theirs.numbers)
      expect(await call(stranger.id, claimed.key, { number, said: "forged" })).toBe(200);
    expect([theirs.first.texts(), theirs.second.texts()]).toEqual([[], []]);
  });

  test.each(CLAIMS)("to the other's address, where the stranger claims %s", async (_, claim) => {
    const theirs = await newAccount();
    const claimed = claim(theirs);
    await newStranger(claimed);
    for (const { id } of [theirs.first, theirs.second])
      expect(await call(id, claimed.key, { number: theirs.numbers[0], said: "forged" })).toBe(403);
    expect([theirs.first.texts(), theirs.second.texts()]).toEqual([[], []]);
  });

  test.each(CLAIMS)("and the stranger who claims %s reads nothing of the other", async (_, claim) => {
    const theirs = await newAccount();
    const claimed = claim(theirs);
    const stranger = await newStranger(claimed);
    const items = [...theirs.numbers, claimed.number].map((number) => ({ number, said: "secret" }));
    expect(await call(theirs.first.id, theirs.key, ...items)).toBe(200);
    expect(stranger.texts()).toEqual([]);
  });

  test("nor another account of the same tenant", async () => {
    const theirs = await newAccount();
    const own = { account: unique("acc"), key: unique("key"), number: unique("n") };
    const other = await newChannel(theirs.tenant, own);
    expect(await call(other.id, own.key, { number: theirs.numbers[0], said: "forged" })).toBe(200);
    expect([theirs.first.texts(), theirs.second.texts()]).toEqual([[], []]);
  });

  test("nor does a deletion by a stranger who claims the account move the address", async () => {
    const theirs = await newAccount();
    const tenant = (await w.account()).key;
    const stranger = await newChannel(tenant, { account: theirs.account, key: unique("key"), number: unique("n") });
    await w.gateway(`/v1/phones/${stranger.id}`, { key: tenant, method: "DELETE" });
    await w.settle();
    expect(await call(theirs.first.id, theirs.key, { number: theirs.numbers[1], said: "hi" })).toBe(200);
    expect(theirs.second.texts()).toEqual(["hi"]);
  });
});
