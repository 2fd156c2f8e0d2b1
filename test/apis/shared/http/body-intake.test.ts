import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { APP_SECRET, startWorld, untilTrue, type World } from "../../../support/world.ts";

const MIB = 1024 * 1024;
const SECOND_MS = 1000;
const BLANKS = Buffer.alloc(4 * MIB, 32);
const SHAPED = { "content-type": "application/json", "x-hub-signature-256": `sha256=${"0".repeat(64)}` };

let w: World;
let key: string;
let sockets: Socket[];
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_BODY_BUDGET: "32", RECADO_GATEWAY_RATE: "100000" } });
  ({ key } = await w.account());
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await w.stop();
});

/** A request whose body has begun and does not go on; `answer` is what comes back. */
const unfinished = (path: string, headers: Record<string, string>, sent: number, length = 4 * MIB) => {
  const socket = connect(Number(new URL(w.app.url).port), "127.0.0.1");
  sockets.push(socket);
  let text = "";
  const answered = new Promise<string>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString();
      resolve(text);
    });
    socket.on("close", () => resolve(text));
    socket.on("error", () => resolve(text));
  });
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...Object.entries({ ...headers, "content-length": String(length) }).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ];
  socket.write(head.join("\r\n"));
  socket.write(BLANKS.subarray(0, sent));
  return { answered, socket, status: async () => Number((await answered).split(" ")[1]) };
};

const held = () => w.app.env.intake.bytes;
const UPSTREAM = "/gateway/v1/upstream-webhook";

describe("bodies on their way", () => {
  test("of a refused request are taken until nothing more comes for half a second; then the connection ends", async () => {
    const one = unfinished("/gateway/v1/messages", {}, 1000);
    const closed = new Promise<void>((resolve) => one.socket.once("close", () => resolve()));
    expect(await one.status()).toBe(401);
    one.socket.write(BLANKS.subarray(0, 100_000));
    await w.advance(0.4 * SECOND_MS);
    expect(one.socket.readyState).toBe("open");
    await w.advance(0.6 * SECOND_MS);
    await closed;
    expect(held()).toBe(0);
  });

  test("of one address that nobody knows take no more than an eighth of the budget; what is more is 503 OVERLOADED, and others go on", async () => {
    const first = unfinished(UPSTREAM, SHAPED, 3 * MIB);
    await untilTrue(() => held() === 3 * MIB);
    const more = Array.from({ length: 20 }, () => unfinished(UPSTREAM, SHAPED, 3 * MIB));
    expect(await Promise.all(more.map(({ status }) => status()))).toEqual(more.map(() => 503));
    expect((await more[0]?.answered)?.toLowerCase()).toContain("retry-after: 2");
    expect(held()).toBeLessThanOrEqual(4 * MIB);
    const known = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } });
    expect(known.status).toBe(201);
    first.socket.destroy();
    await untilTrue(() => held() === 0);
    const raw = JSON.stringify({ object: "whatsapp_business_account", entry: [], padding: "x".repeat(3 * MIB) });
    const headers = { ...SHAPED, "x-hub-signature-256": `sha256=${hmacSha256(APP_SECRET, raw, "hex")}` };
    expect(await w.gateway("/v1/upstream-webhook", { raw, headers })).toMatchObject({ status: 200 });
    await untilTrue(() => held() === 0);
  });

  test("are not read at all without a key, a token or a signature of the right form", async () => {
    const strangers = [
      unfinished("/gateway/v1/messages", { "content-type": "application/json" }, MIB, MIB),
      unfinished("/platform/v1/channels", { "content-type": "application/json" }, MIB, MIB),
      unfinished("/gateway/v1/payment-webhook", { "content-type": "application/json" }, MIB, MIB),
      unfinished(UPSTREAM, { "content-type": "application/json" }, MIB),
      unfinished(UPSTREAM, { ...SHAPED, "x-hub-signature-256": "sha256=1" }, MIB),
    ];
    const unconfigured = 503; // no processor has a token here
    expect(await Promise.all(strangers.map(({ status }) => status()))).toEqual([401, 401, unconfigured, 403, 403]);
    expect(held()).toBe(0);
  });

  test.each([
    ["small", 10, 100],
    ["large", MIB / 2, MIB],
    ["large, with a little now and then", 64 * 1024, MIB],
  ])("of a client who stops are answered 408 REQUEST_TIMEOUT in time, and given up: %s", async (_, sent, length) => {
    const { answered, status } = unfinished(
      "/gateway/v1/messages",
      { "content-type": "application/json", "x-api-key": key },
      sent,
      length,
    );
    if (length > MIB / 2) await untilTrue(() => held() === sent);
    else await untilTrue(() => held() === length);
    for (let n = 0; n < 3; n++) await w.advance(10 * SECOND_MS);
    expect(await status()).toBe(408);
    expect(await answered).toContain('"code":"REQUEST_TIMEOUT"');
    await untilTrue(() => held() === 0);
  });

  test("of a form that does not come are answered 408 too", async () => {
    const { status } = unfinished(
      "/console/reset-password?token=x",
      { "content-type": "application/x-www-form-urlencoded" },
      10,
      100,
    );
    await untilTrue(() => held() === 100);
    await w.advance(10 * SECOND_MS);
    expect(await status()).toBe(408);
    await untilTrue(() => held() === 0);
  });

  test("may take as long as they like while they go on", async () => {
    const length = MIB;
    const { socket, status } = unfinished(
      "/gateway/v1/messages",
      { "content-type": "application/json", "x-api-key": key },
      0,
      length,
    );
    for (let sent = 0; sent < length; sent += length / 4) {
      socket.write(Buffer.alloc(length / 4, 32));
      await untilTrue(() => held() === sent + length / 4 || sent + length / 4 === length);
      if (sent + length / 4 < length) await w.advance(10 * SECOND_MS);
    }
    expect(await status()).toBe(400); // nothing but blanks
  });

  test("are counted in the metrics", async () => {
    unfinished("/gateway/v1/messages", { "content-type": "application/json", "x-api-key": key }, MIB / 2, MIB);
    await untilTrue(() => held() === MIB / 2);
    expect(await w.app.env.scrape()).toContain(`recado_request_body_bytes ${MIB / 2}`);
  });
});

describe("forged posts of an upstream", () => {
  const forged = (raw = "{}") => w.gateway("/v1/upstream-webhook", { raw, headers: SHAPED });

  test("of one address are refused unread for the rest of the minute once there have been many", async () => {
    await w.stop();
    w = await startWorld({ env: { RECADO_ADDRESS_RATE: "5" } });
    for (let n = 0; n < 5; n++) expect(gatewaySays(await forged())).toBe("403 SIGNATURE_INVALID");
    const refused = await forged();
    expect([gatewaySays(refused), Number(refused.headers.get("retry-after")) > 0]).toEqual(["429 RATE_LIMITED", true]);
    expect(gatewaySays(await w.gateway("/v1/flows/data-exchange/any", { raw: "{}", headers: SHAPED }))).toBe(
      "429 RATE_LIMITED",
    );
    await w.advance(60 * SECOND_MS);
    expect(gatewaySays(await forged())).toBe("403 SIGNATURE_INVALID");
  });

  test("are verified one in a turn of the loop, however many come at once: others are served in between", async () => {
    await w.stop();
    w = await startWorld({ env: { RECADO_BODY_BUDGET: "1024" } }); // so that each of them is looked at
    const verified = new Set<number>();
    let times = 0;
    let turn = 0;
    for (const { receiver } of w.app.env.registry
      .receivers()
      .filter(({ receiver }) => receiver.isConfigured)
      .slice(0, 1)) {
      const verify = receiver.verify.bind(receiver);
      receiver.verify = (...given) => {
        times += 1;
        verified.add(turn);
        return verify(...given);
      };
    }
    let isOver = false;
    const countTurns = (): void => {
      turn += 1;
      if (!isOver) setImmediate(countTurns);
    };
    countTurns();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => unfinished(UPSTREAM, SHAPED, 4 * MIB).status()),
    );
    isOver = true;
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect([times, verified.size]).toEqual([20, 20]);
  });
});
