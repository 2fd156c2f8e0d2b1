import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { cachedMessage } from "../../../../plugins/session/message-cache.ts";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Session, sendingSession, text, untilWaiting } from "../../../support/session/sending.ts";
import { CAPPING_QUERY } from "../../../support/whatsapp/answers/iqs.ts";
import { child, type Stanza } from "../../../support/whatsapp/wire/stanza.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterEach(() => {
  expect(session.net.stat.unhandled).toEqual([]);
  session.net.faults.clear();
  session.host.clock.advance(MINUTE_MS); // the account's lock is asked for once a minute, and until then strangers wait
});
afterAll(() => session.stop());

const RESTRICTED: SendOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_ACCOUNT_RESTRICTED",
  upstreamCode: 463,
  reason: expect.any(String),
};

/** Whether somebody asks for the account's restriction; the quota of new chats is asked for in the same way. */
const asksForTimelock = (iq: Stanza): boolean =>
  iq.attrs["xmlns"] === "w:mex" && child(iq, "query")?.attrs["query_id"] !== CAPPING_QUERY;

/** What the network says of the account's restriction; no end is named. */
const timelock = (isActive: boolean) => ({
  tag: "iq",
  attrs: { type: "result" },
  content: [
    {
      tag: "result",
      attrs: {},
      content: Buffer.from(JSON.stringify({ data: { xwa2_fetch_account_reachout_timelock: { is_active: isActive } } })),
    },
  ],
});

/**
 * The network refuses the message under this key once. Other messages can be under way: a phone asks again for one of an
 * earlier test that another message overtook.
 */
const nackOnce = (code: number, key: string): void =>
  void session.net.faults.nack(code, ({ attrs }) => attrs["id"] === key, { times: 1 });

/** A send that the network refuses too late, when `release` is called. */
const unanswered = async (code: number) => {
  const ana = session.contact();
  const key = session.newKey();
  const release = session.net.faults.delayAcks();
  session.net.faults.nack(code, ({ attrs }) => attrs["id"] === key);
  const sending = session.send(text("olá"), { to: `pn:${ana.pn}`, key });
  await untilWaiting(session);
  session.host.clock.advance(20 * SECOND_MS);
  expect(await sending).toMatchObject({ kind: "unknown" });
  return { ana, key, release };
};

describe("a send of a session", () => {
  test("is SENT when the network has answered, under the id that was chosen", async () => {
    const ana = session.contact();
    const key = session.newKey();
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: "olá", from: "5511900000001" });
    expect(session.host.clock.pendingTimers).toBe(0);
  });

  test("to a LID goes to the LID", async () => {
    const ana = session.contact({ lid: "777000111222333" });
    expect(await session.send(text("olá"), { to: "lid:777000111222333" })).toMatchObject({ ok: true });
    await ana.until(({ text: said }) => said === "olá");
  });

  test("is in the message cache before anything leaves", async () => {
    const ana = session.contact();
    const key = session.newKey();
    session.net.faults.nack(400);
    await session.send(text("olá"), { to: `pn:${ana.pn}`, key });
    const copy = await cachedMessage(session.keyStore, key);
    expect(copy).toMatchObject({
      key: { remoteJid: ana.lidJid, remoteJidAlt: ana.jid, fromMe: true, id: key },
      sender: session.phone.lidJid,
    });
    expect(copy?.message.extendedTextMessage?.text).toBe("olá");
  });

  test("does not leave before its copy is on disk, however long that takes", async () => {
    const ana = session.contact();
    const { write } = session.keyStore;
    const onDisk = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    session.keyStore.write = async (changes) => {
      if (changes.messages) {
        begun.resolve();
        await onDisk.promise;
      }
      await write(changes);
    };
    const key = session.newKey();
    const sent = session.send(text("slow"), { to: `pn:${ana.pn}`, key });
    await begun.promise;
    // another one, whose copy is on disk, overtakes it
    session.keyStore.write = write;
    expect(await session.send(text("quick"), { to: `pn:${session.contact().pn}` })).toMatchObject({ ok: true });
    expect([ana.received, await cachedMessage(session.keyStore, key)]).toEqual([[], undefined]);
    onDisk.resolve();
    expect(await sent).toEqual({ ok: true, key });
    expect(ana.received.map(({ id }) => id)).toEqual([key]);
  });

  test("whose copy cannot be written does not leave, and is tried again later", async () => {
    const ana = session.contact();
    const { write } = session.keyStore;
    session.keyStore.write = (changes) => (changes.messages ? Promise.reject(new Error("no room")) : write(changes));
    const [key, to] = [session.newKey(), `pn:${ana.pn}`];
    expect(await session.send(text("lost"), { to, key })).toMatchObject({ ok: false, kind: "retry" });
    session.keyStore.write = write;
    expect(ana.received).toEqual([]);
    expect(await session.send(text("again"), { to, key })).toEqual({ ok: true, key });
    expect(ana.received.map(({ text: shown }) => shown)).toEqual(["again"]);
  });

  test("without a connection fails at once, and nothing is tried", async () => {
    const ana = session.contact();
    session.leave();
    const { touches } = session.host;
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}` })).toMatchObject({
      ok: false,
      kind: "retry",
      code: "CHANNEL_UNAVAILABLE",
    });
    expect(await session.sender.lookup.find(["5511911110001"])).toMatchObject({ ok: false, kind: "unavailable" });
    expect(session.host.touches).toBe(touches);
    await session.rejoin();
  });
});

/** What a restart would take back. */
const keptLimits = async () => {
  const rows = await session.keyStore.read("limit", ["pace", "allowance", "timelock"]);
  return Object.fromEntries([...rows].map(([name, value]) => [name, JSON.parse(value)]));
};

describe("the network's answer", () => {
  test("W26-4 463 of an account without a restriction: refused for this person alone", async () => {
    const [ana, bia, key] = [session.contact(), session.contact(), session.newKey()];
    nackOnce(463, key);
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual({
      ...RESTRICTED,
      code: "PRIVACY_TOKEN_MISSING",
    });
    expect(ana.received).toEqual([]);
    expect(await session.send(text("olá"), { to: `pn:${bia.pn}` })).toMatchObject({ ok: true });
  });

  test("463 of a restricted account: until that ends only people who wrote are written to", async () => {
    const [ana, bia, caio] = [session.contact(), session.contact(), session.contact()];
    await session.keyStore.write({ rows: [{ kind: "warm", id: `pn:${caio.pn}`, value: "1" }] });
    session.host.clock.advance(MINUTE_MS); // since the question of before
    const key = session.newKey();
    nackOnce(463, key);
    session.net.faults.answerIq((iq) => (asksForTimelock(iq) ? timelock(true) : undefined), { times: 1 });
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual(RESTRICTED);
    const forbidden = session.newKey();
    expect(await session.send(text("olá"), { to: `pn:${bia.pn}`, key: forbidden })).toEqual(RESTRICTED);
    const left = session.net.stat.destinations.map(({ id }) => id);
    expect([left.includes(key), left.includes(forbidden)]).toEqual([true, false]);
    expect(await session.send(text("olá"), { to: `pn:${caio.pn}` })).toMatchObject({ ok: true });
    expect(await keptLimits()).toMatchObject({
      timelock: { until: session.host.clock.now() + HOUR_MS, reason: "DEFAULT" },
      pace: { turns: 5 },
      allowance: expect.any(Array),
    });
    session.host.clock.advance(HOUR_MS);
    expect(await session.send(text("olá"), { to: `pn:${bia.pn}` })).toMatchObject({ ok: true });
  });

  test("479: the devices are asked for anew, and the message goes once more under its id", async () => {
    const ana = session.contact();
    const key = session.newKey();
    nackOnce(479, key);
    const asked = session.net.stat.usync.length;
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: "olá" });
    expect(session.net.stat.usync.slice(asked).filter(({ protocols }) => protocols.includes("devices"))).toHaveLength(
      2,
    );
  });

  test("479 twice is a refusal", async () => {
    const ana = session.contact();
    session.net.faults.nack(479);
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}` })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 479,
    });
    expect(ana.received).toEqual([]);
  });

  test.each([400, 404, 405, 500])("%d is a refusal with its code", async (code) => {
    const ana = session.contact();
    session.net.faults.nack(code);
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}` })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: code,
    });
    expect(ana.received).toEqual([]);
  });

  test("429 slows the channel down", async () => {
    const ana = session.contact();
    session.net.faults.nack(429);
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}` })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      isRateLimit: true,
    });
  });

  test("lost: unknown after 20 s, and the repeat under the same id reaches the contact once", async () => {
    const ana = session.contact();
    const key = session.newKey();
    const heal = session.net.faults.dropAcks(({ attrs }) => attrs["id"] === key);
    const sending = session.send(text("olá"), { to: `pn:${ana.pn}`, key });
    await ana.until(({ id }) => id === key);
    await untilWaiting(session);
    session.host.clock.advance(20 * SECOND_MS);
    expect(await sending).toMatchObject({ ok: false, kind: "unknown" });
    heal();
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
    expect(ana.received.filter(({ id }) => id === key)).toHaveLength(1);
    expect(session.host.events).toEqual([]);
  });

  test("late: it becomes a receipt", async () => {
    const ana = session.contact();
    const [taken, refused] = [session.newKey(), session.newKey()];
    const release = session.net.faults.delayAcks();
    const sending = Promise.all([
      session.send(text("um"), { to: `pn:${ana.pn}`, key: taken }),
      session.send(text("dois"), { to: `pn:${ana.pn}`, key: refused }),
    ]);
    session.net.faults.nack(400, ({ attrs }) => attrs["id"] === refused);
    await untilWaiting(session, 2);
    session.host.clock.advance(20 * SECOND_MS);
    expect(await sending).toMatchObject([{ kind: "unknown" }, { kind: "unknown" }]);
    release();
    await session.host.until(() => session.host.events.length === 2);
    const receipts = session.host.events.splice(0).map((event) => [event.kind === "receipt" && event.key, event]);
    expect(Object.fromEntries(receipts)).toMatchObject({
      [taken]: { kind: "receipt", status: "sent" }, // in either order
      [refused]: { kind: "receipt", status: "failed", error: { code: 400 } },
    });
  });

  test("late, that the account is restricted: the receipt says so", async () => {
    const { key, release } = await unanswered(463);
    release();
    await session.host.until(() => session.host.events.length === 1);
    expect(session.host.events.splice(0)).toMatchObject([
      { kind: "receipt", key, status: "failed", error: { code: 463, failure: "UPSTREAM_ACCOUNT_RESTRICTED" } },
    ]);
  });

  test.each([406, 421, 429, 479, 503])(
    "late, %d: nothing is published, and the repeat under the same id is taken",
    async (code) => {
      const { ana, key, release } = await unanswered(code);
      const last = await unanswered(400);
      release();
      last.release();
      await session.host.until(() => session.host.events.length > 0);
      expect(session.host.events.splice(0)).toMatchObject([{ key: last.key }]);
      session.net.faults.clear();
      expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
      expect(ana.received.map(({ id }) => id)).toEqual([key]);
    },
  );

  test("of a connection that ends meanwhile will not come: unknown at once", async () => {
    const ana = session.contact();
    const key = session.newKey();
    session.net.faults.dropAcks();
    const sending = session.send(text("olá"), { to: `pn:${ana.pn}`, key });
    await ana.until(({ id }) => id === key);
    session.leave();
    expect(await sending).toMatchObject({ ok: false, kind: "unknown" });
    session.net.faults.clear();
    await session.rejoin();
    expect(await session.send(text("olá"), { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
    expect(ana.received).toHaveLength(1);
  });
});
