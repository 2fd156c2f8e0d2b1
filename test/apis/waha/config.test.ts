import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { WAHA_ENV, type WahaClient, wahaClient, wahaSays } from "../../support/apis/waha.ts";
import { connectProxy } from "../../support/servers/proxies.ts";
import { type SessionWorld, sessionWorld } from "../../support/session/world.ts";
import { made } from "../../support/tenants/platform.ts";

// The config of a session that is not linked, on the simulated network.

let s: SessionWorld;
let client: WahaClient;
let id: string;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
beforeEach(async () => {
  const { key } = await s.w.account();
  client = wahaClient(s.w, key, "loja");
  ({ id } = made(await client.ask("/api/sessions", { body: { name: "loja", start: false } }), 201));
});

const put = (config: object) => client.ask("/api/sessions/{session}", { method: "PUT", body: { config } });
const config = async () => (await client.ask("/api/sessions/{session}")).body.config;
const HOOK = { url: "https://example.com/hook", events: ["message"] };

describe("the proxy of a session", () => {
  test("that is refused changes nothing else that the request names", async () => {
    expect((await put({ webhooks: [HOOK] })).status).toBe(200);
    const before = await config();
    await using dead = await connectProxy({ user: "ana", password: "right" });
    for (const [proxy, status] of [
      [{ server: "10.1.2.3:3128" }, 400],
      [{ server: "ftp://a" }, 400],
      [{ server: `127.0.0.1:${dead.port}` }, 422],
    ] as const) {
      const answer = await put({ webhooks: [], proxy, ignore: { groups: true } });
      expect([answer.status, status === 400 ? wahaSays(answer).slice(0, 23) : ""]).toEqual([
        status,
        status === 400 ? "400 config.proxy.server" : "",
      ]);
      expect(await config()).toEqual(before);
    }
    const refused = { name: "other", start: false, config: { proxy: { server: "10.1.2.3:3128" } } };
    expect(wahaSays(await client.ask("/api/sessions", { body: refused }))).toContain("400 config.proxy.server");
    expect((await client.ask("/api/sessions/other")).status).toBe(404);
  });

  test("gets a new login on the same server, and keeps its login where none is given", async () => {
    const login = { username: "ana", password: "right" };
    await using proxy = await connectProxy({ user: login.username, password: login.password });
    const server = `127.0.0.1:${proxy.port}`;
    expect((await put({ proxy: { server, ...login } })).body.config.proxy).toEqual({ server });
    const asked = proxy.asked.length;
    expect((await put({ proxy: { server } })).status).toBe(200);
    expect(proxy.asked).toHaveLength(asked);
    expect((await put({ proxy: { server, ...login, password: "wrong" } })).status).toBe(422);
    expect((await put({ proxy: { server, ...login } })).status).toBe(200);
    expect(proxy.asked).toHaveLength(asked + 1);
    expect((await put({ proxy: null })).body.config.proxy).toBeNull();
  });
});

describe("the groups that a session ignores", () => {
  const setting = async () =>
    (await s.w.gateway(`/v1/phones/${id}/settings`, { key: client.key })).body.ignoreGroups as string | null;

  test("are the phone's setting, which stays where it is not named", async () => {
    expect([await setting(), (await config()).ignore]).toEqual([null, { groups: false }]);
    expect((await put({ ignore: { groups: true } })).body.config.ignore).toEqual({ groups: true });
    for (const given of [{}, { ignore: { status: true } }]) {
      expect((await put(given)).status).toBe(200);
      expect(await setting()).toBe("on");
    }
    expect((await put({ ignore: { groups: false } })).body.config.ignore).toEqual({ groups: false });
    expect(await setting()).toBeNull();
  });

  test("are named when the session is made, too", async () => {
    const body = { name: "quiet", start: false, config: { ignore: { groups: true } } };
    const answer = await client.ask("/api/sessions", { body });
    expect([answer.status, answer.body.config.ignore]).toEqual([201, { groups: true }]);
  });
});
