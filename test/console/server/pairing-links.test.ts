import { beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../src/kernel/ids.ts";
import { updateChannel } from "../../../src/store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import { made } from "../../support/tenants/platform.ts";
import { useWorld } from "../../support/use-world.ts";
import { type Answer, untilStatus } from "../../support/world.ts";

const w = useWorld();
let key: string;
let phoneId: string;

beforeEach(async () => {
  ({ key } = await w.account());
  phoneId = made(await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "Secret label" } }), 201).id;
  await untilStatus(w, phoneId, "PENDING_QR");
});

const links = `/v1/phones/`;
const create = (body: object = {}): Promise<Answer> => w.gateway(`${links}${phoneId}/pairing-links`, { key, body });
const newLink = async (body: object = {}): Promise<{ id: string; path: string }> => {
  const { id, url } = made(await create(body), 201);
  return { id, path: new URL(url).pathname };
};
const listed = async () => (await w.gateway(`${links}${phoneId}/pairing-links`, { key })).body.items;

/** A request as the phone's owner sends it: without any cookie or header of ours. */
const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(w.app.url + path, init);
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
};
const stateOf = async ({ path }: { path: string }) => (await ask(`${path}/state`)).body;

describe("a pairing link", () => {
  test("shows its label, the codes and the state, and ends when the phone is paired", async () => {
    const link = await newLink({ label: "Shop <b>" });
    const page = await ask(link.path, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("x-robots-tag"), page.headers.get("referrer-policy")]).toEqual([
      200,
      "noindex, nofollow",
      "no-referrer",
    ]);
    expect(page.text).not.toContain("Shop");
    const first = await stateOf(link);
    expect(first).toMatchObject({
      state: "waiting",
      label: "Shop <b>",
      dataUrl: expect.stringMatching(/^data:image\/png/),
    });
    expect(JSON.stringify(first)).not.toContain("Secret label");
    expect(JSON.stringify(first)).not.toContain(phoneId);
    await w.sessions.of(phoneId).scan("5511999990001");
    w.sessions.of(phoneId).open();
    await untilStatus(w, phoneId, "CONNECTED");
    expect(await stateOf(link)).toMatchObject({ state: "paired", dataUrl: null, code: null });
    expect(await listed()).toMatchObject([{ id: link.id, state: "paired", openedAt: expect.any(String) }]);
    const refused = await create();
    expect([refused.status, refused.body.error.code]).toEqual([409, "ALREADY_CONNECTED"]);
  });

  test("waits for something else than was seen", async () => {
    const link = await newLink();
    const { version } = await stateOf(link);
    const waiting = ask(`${link.path}/state?seen=${version}&wait=20`);
    await w.sessions.of(phoneId).scan("5511999990002");
    await w.advance(2000);
    const { body } = await waiting;
    expect(body.version).not.toBe(version);
  });

  test("lets a code be asked for, with the number of the phone", async () => {
    const link = await newLink();
    const headers = { "content-type": "application/json" };
    const bad = await ask(`${link.path}/code`, { method: "POST", headers, body: '{"phoneNumber":"x"}' });
    expect([bad.status, bad.body.error.code]).toEqual([400, "VALIDATION"]);
    const good = await ask(`${link.path}/code`, { method: "POST", headers, body: '{"phoneNumber":"+5511999990001"}' });
    expect(good.status).toBe(202);
    w.sessions.of(phoneId).makeCode("ABCD1234");
    expect((await stateOf(link)).code).toBe("ABCD1234");
  });

  test("is over after its time, and is listed for a day", async () => {
    const link = await newLink({ minutes: 5 });
    await w.advance(5 * MINUTE_MS);
    const answer = await ask(`${link.path}/state`);
    expect([answer.status, answer.body.error.code]).toEqual([404, "LINK_UNKNOWN"]);
    expect(await listed()).toMatchObject([{ id: link.id, state: "expired" }]);
  });

  test("is taken back at once", async () => {
    const link = await newLink();
    const { status } = await w.gateway(`${links}${phoneId}/pairing-links/${link.id}`, { key, method: "DELETE" });
    expect(status).toBe(204);
    expect((await ask(`${link.path}/state`)).status).toBe(404);
    expect((await ask(`${link.path}/start`, { method: "POST" })).status).toBe(404);
    expect(await listed()).toMatchObject([{ id: link.id, state: "revoked" }]);
    const again = await w.gateway(`${links}${phoneId}/pairing-links/${link.id}`, { key, method: "DELETE" });
    expect(again.status).toBe(404);
  });

  test("of a phone that nobody scanned has codes made again", async () => {
    const link = await newLink();
    const id = phoneId as ChannelId;
    await w.app.env.db.write((tx) => updateChannel(tx, EVERY_TENANT, id, { state: "DISCONNECTED" }));
    expect((await stateOf(link)).state).toBe("asleep");
    expect((await ask(`${link.path}/start`, { method: "POST" })).status).toBe(202);
    await untilStatus(w, phoneId, "PENDING_QR");
  });
});

describe("what is refused", () => {
  test("tokens that nobody gave out, by where they come from, and other methods", async () => {
    const token = "0".repeat(32);
    for (const path of [`/console/pair/${token}/state`, "/console/pair/short/state", "/console/pair/"])
      expect((await ask(path)).status).toBe(404);
    const link = await newLink();
    expect((await ask(`${link.path}/state`, { method: "POST" })).status).toBe(405);
    expect((await ask(`${link.path}/start`)).status).toBe(405);
  });

  test("a phone that is not paired, and more than twenty open links", async () => {
    const waba = await w.wabaPhone(key);
    const other = await w.gateway(`${links}${waba.id}/pairing-links`, { key, body: {} });
    expect([other.status, other.body.error.code]).toEqual([400, "PAIRING_NOT_APPLICABLE"]);
    for (let n = 0; n < 20; n++) made(await create(), 201);
    const tooMany = await create();
    expect([tooMany.status, tooMany.body.error.code]).toEqual([403, "PLAN_LIMIT_EXCEEDED"]);
    expect(await listed()).toHaveLength(20);
  });

  test("no token is stored in clear", async () => {
    const { path } = await newLink();
    const rows = await w.app.env.db.read((reader) => reader.rows("SELECT * FROM pairing_links", []));
    expect(JSON.stringify(rows)).not.toContain(path.split("/").pop() ?? "");
  });
});
