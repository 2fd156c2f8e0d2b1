import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import {
  midsOf,
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  sendsOf,
  startSocialWorld,
} from "../../../support/networks/social.ts";

const URL = "https://files.example.com/a.jpg";
const IMAGE = { type: "image", content: { mediaUrl: URL } };
const CAPTIONED = { type: "image", content: { mediaUrl: URL, caption: "a loja" } };

let s: SocialWorld;
let c: SocialCustomer;
beforeAll(async () => {
  s = await startSocialWorld();
});
beforeEach(async () => {
  s.instagram.configure({ echoes: "off" });
  c = await newSocialCustomer(s);
});
afterAll(() => s.stop());

const received = () => c.hook.arrived.map(({ body }) => [body.type, body.data.status ?? body.data.direction]);
const echo = async (mid: string) => {
  await s.instagram.deliverEcho(mid);
  await s.w.settle();
};
/** A send whose answer is lost, and which the network took all the same; the ids on both sides. */
const lost = async (input: Record<string, unknown> = {}) => {
  s.instagram.failNext(1, { kind: "reset", isAccepted: true }, { igUserId: c.igUserId });
  const id = await c.sent(input);
  return { id, mid: midsOf(s, c).at(-1) ?? "" };
};
/** The owner writes in the network's own app. */
const ownerWrites = async (text: string, more: { from?: string } = {}) => {
  await s.instagram.inbound.echo({ to: c.igUserId, from: c.igsid, text, ...more });
  await s.w.settle();
};

describe("an echo of a message that was sent here is never published as received", () => {
  const SENDS: [what: string, input: Record<string, unknown>, count: number][] = [
    ["a text", {}, 1],
    ["a file", IMAGE, 1],
    ["a file with a caption", CAPTIONED, 2],
  ];
  for (const echoes of ["before", "after"] as const) {
    test.each(SENDS)(`when it comes ${echoes} the answer: %s`, async (_, input, count) => {
      s.instagram.configure({ echoes });
      const id = await c.sent(input);
      await s.instagram.webhooks.settled();
      await s.w.settle();
      expect(
        s.instagram.webhooks.journal.filter(({ body }) => body.includes("is_echo") && body.includes(c.igUserId)),
      ).toHaveLength(count);
      expect(received()).toEqual([["message:status", "sent"]]);
      expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null });
      expect(sendsOf(s, c)).toHaveLength(count);
    });
  }

  test("when it comes a day later, and again, in other bytes", async () => {
    const id = await c.sent(CAPTIONED);
    await s.w.advance(DAY_MS);
    for (const mid of [...midsOf(s, c), ...midsOf(s, c)]) await echo(mid);
    expect(received()).toEqual([["message:status", "sent"]]);
    expect((await c.message(id)).status).toBe("SENT");
  });

  test("when the caption failed after the file was sent", async () => {
    s.instagram.configure({ echoes: "after" });
    s.instagram.failNext(1, { kind: "error", code: 551 }, { igUserId: c.igUserId, spared: 1 });
    await c.send(CAPTIONED);
    await s.w.settle();
    await s.instagram.webhooks.settled();
    await echo(midsOf(s, c)[0] ?? "");
    expect(received()).toEqual([["message:status", "failed"]]);
  });
});

describe("a send whose answer was lost", () => {
  test.each([
    ["a text", {}],
    ["a file", IMAGE],
  ])("%s is SENT when its echo comes, once, and is neither failed nor sent again", async (_, input) => {
    const { id, mid } = await lost(input);
    expect((await c.message(id)).status).toBe("QUEUED");
    await echo(mid);
    expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null });
    await s.w.advance(DAY_MS);
    await echo(mid);
    expect(received()).toEqual([["message:status", "sent"]]);
    expect([(await c.message(id)).status, sendsOf(s, c).length]).toEqual(["SENT", 1]);
  });

  test("1/1357046, an error after which the message was sent all the same, is known by its echo", async () => {
    s.instagram.configure({ echoes: "after" });
    s.instagram.failNext(1, { kind: "error", code: 1, subcode: 1_357_046, isAccepted: true }, { igUserId: c.igUserId });
    const id = await c.sent();
    await s.instagram.webhooks.settled();
    await s.w.settle();
    expect((await c.message(id)).status).toBe("SENT");
    expect(received()).toEqual([["message:status", "sent"]]);
  });

  test("is known by an echo that came before the answer was lost", async () => {
    s.instagram.configure({ echoes: "before" });
    const { id } = await lost();
    expect((await c.message(id)).status).toBe("SENT");
    await s.w.advance(DAY_MS);
    expect([received(), sendsOf(s, c).length]).toEqual([[["message:status", "sent"]], 1]);
  });

  test("can be read and answered by the id that its echo gave it", async () => {
    const { id, mid } = await lost();
    await echo(mid);
    await s.instagram.inbound.read({ to: c.igUserId, from: c.igsid, messageId: mid });
    await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "sim", replyTo: mid });
    await s.w.settle();
    expect((await c.message(id)).status).toBe("READ");
    expect(receivedBy(c.hook, "message:received")).toMatchObject([{ quotedMessageId: id }]);
  });

  test("of two equal ones each echo resolves one, the older first", async () => {
    const first = await lost();
    await s.w.advance(1);
    const second = await lost();
    await echo(first.mid);
    expect([(await c.message(first.id)).status, (await c.message(second.id)).status]).toEqual(["SENT", "QUEUED"]);
    await echo(first.mid);
    expect(receivedBy(c.hook, "message:status")).toHaveLength(1);
    await echo(second.mid);
    expect([(await c.message(first.id)).status, (await c.message(second.id)).status]).toEqual(["SENT", "SENT"]);
  });

  test("a file with a caption stays uncertain when the echo of the file alone comes, which is not published either", async () => {
    const { id, mid } = await lost(CAPTIONED);
    await echo(mid);
    expect((await c.message(id)).status).toBe("QUEUED");
    await s.w.advance(MINUTE_MS);
    expect((await c.message(id)).failedReason).toStartWith("[OUTCOME_UNKNOWN] ");
    await echo(mid);
    expect(received()).toEqual([["message:status", "failed"]]);
    expect(sendsOf(s, c)).toHaveLength(1);
  });

  test("after a crash in the midst of the send is known by its echo too", async () => {
    const { id, mid } = await lost();
    // as a kill between the upstream's call and the note of its end leaves it
    await s.w.app.env.db.write(async (tx) => {
      tx.run("UPDATE messages SET send_state = 'SENDING', uncertain_attempts = 0 WHERE id = ?1", [id]);
      tx.run(
        "UPDATE jobs SET owner = 'a dead process', claims = claims + 1, attempts = attempts + 1, run_at = created_at WHERE unique_key = ?1",
        [`message:${id}`],
      );
      tx.run("UPDATE queues SET running = 1, next_at = NULL WHERE key = ?1", [`channel:${c.phoneId}`]);
    });
    await s.restart();
    await s.w.settle();
    await echo(mid);
    expect((await c.message(id)).status).toBe("SENT");
    await s.w.advance(DAY_MS);
    expect([(await c.message(id)).status, sendsOf(s, c).length]).toEqual(["SENT", 1]);
  });
});

describe("what the owner writes in the network's own app", () => {
  test("is published as outbound, in the chat of the user", async () => {
    await ownerWrites("já vai");
    const [data] = receivedBy(c.hook, "message:received");
    expect(data).toMatchObject({
      direction: "outbound",
      content: { text: "já vai" },
      from: { canonicalKey: `igsid:${c.igUserId}` },
      chat: { canonicalKey: `igsid:${c.igsid}` },
    });
  });

  const OTHERS: [what: string, write: () => Promise<void>][] = [
    ["another text", () => ownerWrites("já vai")],
    ["the text to somebody else", () => ownerWrites("olá", { from: "15351486748999" })],
    [
      "a file",
      () =>
        s.instagram.inbound
          .echo({ to: c.igUserId, from: c.igsid, attachments: [{ type: "image" }] })
          .then(() => s.w.settle()),
    ],
  ];
  test.each(OTHERS)("does not resolve an uncertain send: %s", async (_, write) => {
    const { id } = await lost();
    await write();
    expect((await c.message(id)).status).toBe("QUEUED");
    expect(receivedBy(c.hook, "message:received")).toMatchObject([{ direction: "outbound" }]);
  });

  test("nor one of another phone, nor one that has not been tried yet", async () => {
    const other = await newSocialCustomer(s);
    const { id } = await lost();
    await s.instagram.inbound.echo({ to: other.igUserId, from: c.igsid, text: "olá" });
    await s.w.settle();
    expect([(await c.message(id)).status, receivedBy(other.hook, "message:received").length]).toEqual(["QUEUED", 1]);
    s.instagram.failNext(1, { kind: "error", code: 4 }, { igUserId: other.igUserId });
    const waiting = await other.sent();
    await s.instagram.inbound.echo({ to: other.igUserId, from: other.igsid, text: "olá" });
    await s.w.settle();
    expect([(await other.message(waiting)).status, receivedBy(other.hook, "message:received").length]).toEqual([
      "QUEUED",
      2,
    ]);
  });

  test("is published although the same has been sent from here before", async () => {
    await c.sent();
    await ownerWrites("olá");
    expect(received()).toEqual([
      ["message:status", "sent"],
      ["message:received", "outbound"],
    ]);
  });

  test("leaves one row for each of its messages, and none for echoes", async () => {
    await c.sent(CAPTIONED);
    for (const mid of midsOf(s, c)) await echo(mid);
    await ownerWrites("já vai");
    const rows = await rowsOf<{ is_own: number }>(s.w, "SELECT is_own FROM inbox WHERE channel_id = ?1", [c.phoneId]);
    expect(rows).toHaveLength(2); // the caption's id, and what the owner wrote
  });
});
