import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf, tracesOf } from "../../../support/customers/customer.ts";
import type { Failure } from "../../../support/instagram/index.ts";
import {
  midsOf,
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  sendsOf,
  startSocialWorld,
  tokenOf,
} from "../../../support/networks/social.ts";
import { gatewaySays } from "../../../support/refusals.ts";

const URL = "https://files.example.com/a.jpg";
const image = (caption?: string) => ({
  type: "image",
  content: { mediaUrl: URL, ...(caption === undefined ? {} : { caption }) },
});

let s: SocialWorld;
let c: SocialCustomer;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, logLevel: "debug" });
});
beforeEach(async () => {
  c = await newSocialCustomer(s);
});
afterAll(() => s.stop());

/** The next `count` sends of the customer's phone fail so. */
const failing = (count: number, failure: Failure) => s.instagram.failNext(count, failure, { igUserId: c.igUserId });
/** The user writes, so that they may be written to for 24 hours. */
const userWrites = async () => {
  await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
  await s.w.settle();
};
/** A send that must be refused, and leaves nothing behind. */
const refusal = async (input: Record<string, unknown>) => {
  const before = await tracesOf(s.w, c);
  const answer = await c.send(input);
  expect(await tracesOf(s.w, c)).toEqual(before);
  expect(sendsOf(s, c)).toEqual([]);
  return answer;
};

describe("a send", () => {
  test.each([
    ["a text", { type: "text", content: { text: "olá" } }, { text: "olá" }],
    ["an image", image(), { attachment: { type: "image", payload: { url: URL } } }],
    [
      "a video",
      { type: "video", content: { mediaUrl: URL } },
      { attachment: { type: "video", payload: { url: URL } } },
    ],
    [
      "an audio",
      { type: "audio", content: { mediaUrl: URL } },
      { attachment: { type: "audio", payload: { url: URL } } },
    ],
  ])("G-278 G-301 G-302 of %s goes to the person's scoped id, and is SENT and published", async (_, input, message) => {
    const id = await c.sent(input);
    expect(sendsOf(s, c)).toEqual([message]);
    expect(await c.message(id)).toMatchObject({ status: "SENT", deliveredAt: null, readAt: null, failedReason: null });
    const to = { canonicalKey: `igsid:${c.igsid}`, type: "igsid", pn: null, lid: null };
    expect(receivedBy(c.hook)).toEqual([{ messageId: id, status: "sent", timestamp: expect.any(String), to }]);
  });

  test("G-312 with the link of a private address is refused, allow-listed or not, and nothing happens", async () => {
    for (const mediaUrl of ["http://127.0.0.1:9/a.jpg", "https://10.0.0.1/a.jpg", "https://intranet/a.jpg"]) {
      const answer = await refusal({ type: "image", content: { mediaUrl } });
      expect([gatewaySays(answer), answer.body.error.details.fieldErrors.content]).toEqual([
        "400 VALIDATION_ERROR",
        ["mediaUrl is a private address, which the network that fetches the file cannot reach; use a public address"],
      ]);
    }
  });

  test("G-302 is the same call as for an official number", async () => {
    const waba = await s.w.wabaPhone(c.key);
    const toWaba = await c.send({ phoneId: waba.id, to: "5511999990001" });
    const toSocial = await c.send();
    await s.w.settle();
    expect([toWaba.status, toSocial.status, Object.keys(toWaba.body)]).toEqual([202, 202, Object.keys(toSocial.body)]);
    for (const { body } of [toWaba, toSocial]) expect((await c.message(body.messageId)).status).toBe("SENT");
  });

  test("G-278 takes the canonical key that events name the person by", async () => {
    await c.sent({ to: `igsid:${c.igsid}` });
    expect(s.instagram.sent.get(midsOf(s, c)[0] ?? "")?.igsid).toBe(c.igsid);
  });

  test.each(["ana", "1", "+15351486748", "pn:5511999990001", "igsid:", "group:15351486748"])(
    "G-292 G-301 to %p is INVALID_TO",
    async (to) => {
      expect(gatewaySays(await refusal({ to }))).toBe("400 INVALID_TO");
    },
  );

  test("G-296 GAP-G31 takes 1000 bytes of text or caption, and not one more", async () => {
    const most = "é".repeat(500);
    await c.sent({ content: { text: most } });
    await c.sent(image(most));
    expect(sendsOf(s, c)).toEqual([
      { text: most },
      { attachment: { type: "image", payload: { url: URL } } },
      { text: most },
    ]);
    const answer = await c.send(image(`${most}x`));
    expect([gatewaySays(answer), answer.body.error.details]).toEqual([
      "400 CAPTION_TOO_LARGE",
      { bytes: 1001, maxBytes: 1000, field: "caption" },
    ]);
  });

  test("a repeat under its idempotency key is sent once", async () => {
    const [first, second] = [
      await c.send({ idempotencyKey: "order-4711" }),
      await c.send({ idempotencyKey: "order-4711" }),
    ];
    await s.w.settle();
    expect([first.status, second.status, second.body.messageId]).toEqual([202, 200, first.body.messageId]);
    expect(sendsOf(s, c)).toHaveLength(1);
  });
});

describe("G-297 a phone without credentials", () => {
  const breaking = (sql: string) => s.w.app.env.db.write(async (tx) => tx.run(sql, [c.phoneId]));

  test.each([
    ["no token", "DELETE FROM vault WHERE channel_id = ?1 AND field = 'accessToken'"],
    ["an empty vault", "DELETE FROM vault WHERE channel_id = ?1"],
    ["no account", "UPDATE channels SET number_id = NULL WHERE id = ?1"],
  ])("%s: IG_CREDS_MISSING", async (_, sql) => {
    await breaking(sql);
    expect(gatewaySays(await refusal({}))).toBe("400 IG_CREDS_MISSING");
  });

  test("says so before it says that the phone is not connected, and after what is wrong with the message itself", async () => {
    await s.w.gateway(`/v1/phones/${c.phoneId}/logout`, { key: c.key, method: "POST" });
    expect(gatewaySays(await refusal({}))).toBe("409 PHONE_NOT_CONNECTED");
    await breaking("DELETE FROM vault WHERE channel_id = ?1");
    expect(gatewaySays(await refusal({}))).toBe("400 IG_CREDS_MISSING");
    expect(
      gatewaySays(await refusal({ type: "button", content: { text: "x", buttons: [{ id: "1", text: "y" }] } })),
    ).toBe("400 UNSUPPORTED_TYPE");
    expect(gatewaySays(await refusal({ to: "ana" }))).toBe("400 INVALID_TO");
    expect(gatewaySays(await refusal({ content: {} }))).toBe("400 VALIDATION_ERROR");
  });

  test("that loses them with a message in the queue fails it so", async () => {
    failing(1, { kind: "error", code: 4 });
    const id = await c.sent();
    await breaking("DELETE FROM vault WHERE channel_id = ?1");
    await s.w.advance(30 * SECOND_MS);
    expect((await c.message(id)).failedReason).toStartWith("[IG_CREDS_MISSING] ");
    expect(sendsOf(s, c)).toHaveLength(1);
  });
});

describe("the window of 24 hours", () => {
  test("G-621 G-622 G-643 a message after it ends FAILED at the first try, with the upstream's number and words", async () => {
    await s.w.advance(DAY_MS);
    const id = await c.sent();
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: "[UPSTREAM_BAD_REQUEST] (#10) This message is sent outside of allowed window.",
    });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId: id, status: "failed", errors: [{ code: 10, title: "UPSTREAM_BAD_REQUEST" }] },
    ]);
    await s.w.advance(DAY_MS);
    expect(sendsOf(s, c)).toHaveLength(1);
  });

  test("opens when the user writes", async () => {
    await s.w.advance(DAY_MS);
    await userWrites();
    expect((await c.message(await c.sent())).status).toBe("SENT");
  });
});

describe("a failure upstream", () => {
  test.each([100, 551, 200, 2500])(
    "G-644 %i ends the message FAILED with its number, and is published with it",
    async (code) => {
      failing(9, { kind: "error", code });
      const id = await c.sent();
      s.instagram.clearFailures();
      expect((await c.message(id)).failedReason).toStartWith(`[UPSTREAM_BAD_REQUEST] (#${code}) `);
      expect(receivedBy(c.hook, "message:status")).toMatchObject([{ status: "failed", errors: [{ code }] }]);
      expect(sendsOf(s, c)).toHaveLength(1);
    },
  );

  test.each([4, 17, 613])(
    "G-645 GAP-G39 %i slows the whole phone for 30 s, is logged, and does not count as a try",
    async (code) => {
      const other = await newSocialCustomer(s);
      failing(7, { kind: "error", code });
      const id = await c.sent();
      expect([(await c.message(id)).status, (await other.message(await other.sent())).status]).toEqual([
        "QUEUED",
        "SENT",
      ]);
      for (let turn = 1; turn <= 7; turn++) {
        expect(sendsOf(s, c)).toHaveLength(turn);
        await s.w.advance(30 * SECOND_MS - 1);
        expect(sendsOf(s, c)).toHaveLength(turn);
        await s.w.advance(1);
      }
      expect((await c.message(id)).status).toBe("SENT");
      const logged = s.w.logs
        .map((line): Record<string, unknown> => JSON.parse(line))
        .filter(({ channelId, upstreamCode }) => channelId === c.phoneId && upstreamCode === code);
      expect(new Set(logged.map((line) => line["code"]))).toEqual(new Set(["UPSTREAM_RATE_LIMIT"]));
    },
  );

  test("a restriction of the account is shown and published, and ends with the next message that is accepted", async () => {
    failing(1, { kind: "error", code: 10, subcode: 1893063 });
    const id = await c.sent();
    expect((await c.message(id)).failedReason).toStartWith("[UPSTREAM_ACCOUNT_RESTRICTED] (#10) ");
    expect(receivedBy(c.hook, "channel:restricted")).toMatchObject([
      { reason: "SENDING_RESTRICTED", until: null, allows: "none" },
    ]);
    expect((await c.message(await c.sent())).status).toBe("SENT");
    expect(receivedBy(c.hook, "channel:unrestricted")).toMatchObject([{ reason: "SENDING_RESTRICTED" }]);
  });

  test("G-644 a rate limit that lasts for a day ends the message FAILED with its number", async () => {
    s.instagram.fail({ failure: { kind: "error", code: 17 }, igUserId: c.igUserId, isLasting: true });
    s.instagram.configure({ isWindowEnforced: false });
    const id = await c.sent();
    await s.w.advance(DAY_MS);
    s.instagram.clearFailures();
    s.instagram.configure({ isWindowEnforced: true });
    expect((await c.message(id)).failedReason).toStartWith("[UPSTREAM_RATE_LIMIT] (#17) ");
  });

  test("GAP-G39 trouble that passes is tried again after 2 s", async () => {
    failing(1, { kind: "http", status: 502 });
    const id = await c.sent();
    expect((await c.message(id)).status).toBe("QUEUED");
    await s.w.advance(2 * SECOND_MS);
    expect((await c.message(id)).status).toBe("SENT");
  });

  test("a success without an id is final, since the network may have taken something", async () => {
    failing(1, { kind: "no-id", isAccepted: true });
    const id = await c.sent();
    expect((await c.message(id)).failedReason).toStartWith("[UPSTREAM_NO_ID] ");
    await s.w.advance(DAY_MS);
    expect(sendsOf(s, c)).toHaveLength(1);
  });
});

describe("an error after which the message may have been sent all the same", () => {
  const UNCERTAIN: [what: string, failure: Failure][] = [
    ["1/1357046", { kind: "error", code: 1, subcode: 1_357_046, isAccepted: true }],
    ["2", { kind: "error", code: 2, isAccepted: true }],
    ["a lost answer", { kind: "reset", isAccepted: true }],
    ["half an answer", { kind: "half", isAccepted: true }],
    ["HTTP 504 of somebody in between", { kind: "http", status: 504, isAccepted: true }],
  ];
  test.each(UNCERTAIN)(
    "%s: QUEUED for a minute, then FAILED as OUTCOME_UNKNOWN, and never sent again",
    async (_, failure) => {
      failing(1, failure);
      const id = await c.sent();
      await s.w.advance(MINUTE_MS - 1);
      expect((await c.message(id)).status).toBe("QUEUED");
      await s.w.advance(1);
      expect(await c.message(id)).toMatchObject({
        status: "FAILED",
        failedReason: expect.stringMatching(/^\[OUTCOME_UNKNOWN\] .*may have arrived/),
      });
      expect(receivedBy(c.hook, "message:status")).toMatchObject([
        { messageId: id, status: "failed", errors: [{ code: 0, title: "OUTCOME_UNKNOWN" }] },
      ]);
      await s.w.advance(DAY_MS);
      expect([sendsOf(s, c).length, midsOf(s, c).length]).toEqual([1, 1]);
    },
  );
});

describe("a caption", () => {
  test("follows its file as a text, and the message is SENT once", async () => {
    const id = await c.sent(image("a loja"));
    expect(sendsOf(s, c)).toEqual([{ attachment: { type: "image", payload: { url: URL } } }, { text: "a loja" }]);
    expect((await c.message(id)).status).toBe("SENT");
    expect(receivedBy(c.hook).map(({ status }) => status)).toEqual(["sent"]);
  });

  test("that the user answers is the message's: the reply names it", async () => {
    const id = await c.sent(image("a loja"));
    for (const replyTo of midsOf(s, c))
      await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "linda", replyTo });
    await s.w.settle();
    expect(receivedBy(c.hook, "message:received").map(({ quotedMessageId }) => quotedMessageId)).toEqual([id, id]);
  });

  test("G-621 that fails ends the message FAILED, which says that the file was sent; neither is sent again", async () => {
    s.instagram.failNext(1, { kind: "error", code: 551 }, { igUserId: c.igUserId, spared: 1 }); // the file goes through
    const id = await c.sent(image("a loja"));
    expect((await c.message(id)).failedReason).toBe(
      "[UPSTREAM_BAD_REQUEST] the file was sent, its caption was not: (#551) This person isn't receiving messages from you right now.",
    );
    expect(receivedBy(c.hook)).toMatchObject([
      { status: "failed", errors: [{ code: 551, title: "UPSTREAM_BAD_REQUEST" }] },
    ]);
    await s.w.advance(DAY_MS);
    expect([sendsOf(s, c).length, midsOf(s, c).length]).toEqual([2, 1]);
  });

  test("is not sent where the file was not", async () => {
    failing(1, { kind: "error", code: 100 });
    await c.sent(image("a loja"));
    expect(sendsOf(s, c)).toHaveLength(1);
  });
});

describe("a token that the network does not take any more", () => {
  test.each([458, 460, 467])(
    "G-646 G-625 190/%i at a send makes the phone TOKEN_EXPIRED, which is published; the message waits and further ones are refused",
    async (subcode) => {
      s.instagram.invalidateToken(tokenOf(s, c), subcode);
      const id = await c.sent();
      expect([(await c.phone()).status, (await c.message(id)).status]).toEqual(["TOKEN_EXPIRED", "QUEUED"]);
      expect(c.hook.arrived.map(({ body }) => [body.type, body.data])).toEqual([
        ["channel:disconnected", { reason: "TOKEN_EXPIRED" }],
      ]);
      expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
    },
  );

  test("G-646 the message ends FAILED when 24 hours have passed without a new consent", async () => {
    s.instagram.expireToken(tokenOf(s, c));
    const id = await c.sent();
    await s.w.advance(DAY_MS);
    expect((await c.message(id)).failedReason).toStartWith("[CHANNEL_UNAVAILABLE] ");
    expect(sendsOf(s, c)).toHaveLength(1);
  });
});

test("the tokens are nowhere in what was sent to webhooks, or logged", async () => {
  s.instagram.expireToken(tokenOf(s, c));
  await c.sent();
  const [{ count } = { count: 0 }] = await rowsOf<{ count: number }>(s.w, "SELECT count(*) AS count FROM vault");
  expect(count).toBeGreaterThan(0);
  for (const { value } of s.instagram.tokens.values())
    for (const said of [s.w.logs.join(""), c.hook.arrived.map(({ raw }) => raw).join("")])
      expect(said).not.toContain(value);
});
