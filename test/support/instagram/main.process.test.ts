import { describe, expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { errorOf, request } from "../graph/fixture.ts";
import { fieldsOf, textOf } from "../graph/shape.ts";
import { ACCOUNT, instagramBench, REDIRECT, TOKEN, USER } from "./fixture.ts";
import { startInstagram } from "./index.ts";

const bench = instagramBench();

describe("a reset", () => {
  test("forgets everything that was set up and done", async () => {
    const { instagram, call, send, act } = bench();
    await send();
    await act("typing_on");
    instagram.failNext(9, { kind: "error", code: 2 }, { operation: "any" });
    instagram.configure({ meAnswer: "data" });
    instagram.reset();
    expect([instagram.sent.size, instagram.actions.length, instagram.tokens.size, instagram.journal.length]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(errorOf(await call("GET", "/me"))["code"]).toBe(190);
    instagram.addAccount({ igUserId: ACCOUNT, tokens: [TOKEN] });
    expect((await call("GET", "/me?fields=user_id")).body["user_id"]).toBe(ACCOUNT);
  });
});

describe("the same seed", () => {
  test("makes the same ids, codes and links", async () => {
    const idsOf = async () => {
      const instagram = startInstagram({ clock: manualClock(), random: seededRandom(7) });
      instagram.addAccount({ igUserId: ACCOUNT, tokens: [TOKEN] });
      const { mid, delivery } = await instagram.inbound.image({ to: ACCOUNT, from: USER });
      const code = instagram.authorize({ redirectUri: REDIRECT });
      const { body } = await request(
        `${instagram.urls.graph}/me/messages`,
        "POST",
        { recipient: { id: USER }, message: { text: "oi" } },
        TOKEN,
      );
      await instagram.stop();
      return [mid, code, body["message_id"], delivery.body.replace(/127\.0\.0\.1:\d+/, "")];
    };
    const ids = await idsOf();
    expect(await idsOf()).toEqual(ids);
    expect(new Set(ids).size).toBe(4);
  });
});

describe("a process of its own", () => {
  test("prints its urls and is driven and read over /_sim", async () => {
    const child = Bun.spawn([process.execPath, Bun.fileURLToPath(import.meta.resolve("./main.ts"))], {
      stdout: "pipe",
      stderr: "inherit",
    });
    try {
      const line = await child.stdout.getReader().read();
      const printed = fieldsOf(JSON.parse(new TextDecoder().decode(line.value)));
      const [url, graph] = [textOf(printed["url"]), textOf(fieldsOf(printed["urls"])["graph"])];
      const order = async (name: string, args: unknown) => {
        const answer = await fetch(`${url}/_sim/${name}`, { method: "POST", body: JSON.stringify(args) });
        return { status: answer.status, ...fieldsOf(await answer.json()) };
      };
      const read = async (name: string) => fieldsOf(await (await fetch(`${url}/_sim/${name}`)).json());
      expect((await order("apps", { appId: "1", appSecret: "s", redirectUris: [REDIRECT] })).status).toBe(200);
      expect((await order("accounts", { igUserId: ACCOUNT, tokens: [TOKEN] })).status).toBe(200);
      expect(await order("codes", { redirectUri: REDIRECT })).toMatchObject({ result: expect.stringMatching(/^AQ/) });
      expect((await order("failures", { failure: { kind: "error", code: 2 } })).status).toBe(200);
      expect(await order("inbound", { events: [{ kind: "text", to: ACCOUNT, from: USER, text: "oi" }] })).toMatchObject(
        { result: { delivery: { url: null } } },
      );
      const send = () =>
        fetch(`${graph}/${ACCOUNT}/messages`, {
          method: "POST",
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          body: JSON.stringify({ recipient: { id: USER }, message: { text: "oi" } }),
        });
      expect([(await send()).status, (await send()).status]).toEqual([500, 200]);
      expect(await read("journal/messages")).toMatchObject({
        result: { count: 1, messages: [{ to: USER, type: "text", count: 1 }] },
      });
      expect(await read("journal")).toMatchObject({ result: [{ status: 500 }, { status: 200 }] });
      expect(await read("journal/tokens")).toMatchObject({ result: [{ value: TOKEN, kind: "long" }] });
      expect((await order("clock/advance", { byMs: 60 * 86_400_000 })).status).toBe(200);
      expect((await send()).status).toBe(401);
      expect((await order("accounts", { igUserID: "slip" })).status).toBe(400);
      expect((await order("nothing", {})).status).toBe(404);
    } finally {
      child.kill();
      await child.exited;
    }
  });
});
