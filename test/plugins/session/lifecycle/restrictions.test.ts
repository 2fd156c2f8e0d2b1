import { describe, expect, test } from "bun:test";
import { importedIn } from "../../../../plugins/session/history/messages.ts";
import type { LinkReport, ProviderMessageId } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { stanza } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel({ chatsADay: 3, warmUp: [2, 3] });

/** In seconds; far from now by the machine's clock too. */
const FAR = 4_000_000_000;
const restricted = (until: number, reason = "RESTRICT_ALL_COMPANIONS"): LinkReport => ({
  ...CONNECTED,
  state: "RESTRICTED",
  reason,
  restriction: { reason, until, allows: "replies" },
});
const REFUSED = { ok: false, kind: "refused", code: "UPSTREAM_ACCOUNT_RESTRICTED" };
const waiting = (retryAfterMs: number) => ({
  ok: false,
  kind: "retry",
  code: "UPSTREAM_RATE_LIMIT",
  isRateLimit: true,
  isOfChat: true,
  isQuota: true,
  retryAfterMs,
});

let chats = 0;
/** Somebody on the network who has never written to the channel. */
const stranger = ({ net }: UnpairedChannel) => net.contact({ pn: `55119222${String(++chats).padStart(5, "0")}` });
const send = (to: { pn?: string | undefined }, { link } = channel(), key?: ProviderMessageId) => {
  const order: SendOrder = {
    type: "text",
    content: { text: "olá" },
    messageId: "6a0c2b1e-0000-4000-8000-000000000001",
    to: `pn:${to.pn}`,
    ...(key === undefined ? {} : { key }),
  };
  return link.send(order);
};
/** Somebody who has written to the channel. */
const customer = async () => {
  const { net, phone, host } = channel();
  const ana = stranger(channel());
  await ana.say("oi", { to: phone });
  await host.until(() => host.events.some((event) => event.kind === "received" && event.from.pn === ana.pn));
  expect(net.stat.unhandled).toEqual([]);
  return ana;
};
const questions = () => channel().net.stat.iqs["w:mex"] ?? 0;

describe("a restricted account", () => {
  test("W26-4 is RESTRICTED with the network's own word, answers people who wrote and no strangers", async () => {
    const { net, phone, pair, reported } = channel();
    await pair();
    const [ana, bia] = [await customer(), stranger(channel())];
    phone.restrict({ until: FAR, type: "RESTRICT_ALL_COMPANIONS" });
    await reported(restricted(FAR * 1000));
    const before = net.stat.stanzas["message"] ?? 0;
    expect(await send(bia)).toMatchObject(REFUSED);
    expect(net.stat.stanzas["message"] ?? 0).toBe(before);
    expect(await send(ana)).toMatchObject({ ok: true });
    phone.unrestrict();
    await reported(CONNECTED);
    expect(await send(bia)).toMatchObject({ ok: true });
  });

  test("W26-4 stays so over another link with the same keys, from before the network says it again", async () => {
    const { net, host, link, phone, pair, reported, openAgain } = channel();
    await pair();
    phone.restrict({ until: FAR, type: "BIZ_QUALITY" });
    await reported(restricted(FAR * 1000, "BIZ_QUALITY"));
    await link.close();
    net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "w:mex");
    host.reports.length = 0;
    const again = openAgain();
    again.connect();
    await reported(restricted(FAR * 1000, "BIZ_QUALITY"));
    expect(await send(stranger(channel()), { ...channel(), link: again })).toMatchObject(REFUSED);
  });

  test("W26-4 is free again at its end by the clock, and the network is asked whether it is so", async () => {
    const { host, phone, pair, reported } = channel();
    await pair();
    const until = Math.floor(host.clock.now() / 1000) + 3600;
    phone.restrict({ until });
    await reported(restricted(until * 1000, "DEFAULT"));
    const before = questions();
    host.clock.advance(HOUR_MS);
    await reported(CONNECTED);
    await channel().net.until(() => questions() > before);
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
  });

  test("W26-4 is noticed when a session opens, without a notification", async () => {
    const { net, pair, phone, reported, host, pass } = channel();
    await pair();
    net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "w:mex", { times: 1 });
    phone.account.timelock = { until: FAR, type: "SOMETHING_NEW" };
    host.reports.length = 0;
    net.faults.clear();
    phone.cut();
    await host.until(() => host.reports.some(({ state }) => state === "CONNECTING"));
    await pass();
    await reported(restricted(FAR * 1000, "SOMETHING_NEW"));
  });

  test("W26-4 a restriction without an end is asked about after a minute", async () => {
    const { net, host, phone, pair, reported } = channel();
    await pair();
    const update = JSON.stringify({ data: { xwa2_notify_account_reachout_timelock: { is_active: true } } });
    phone.notify(
      stanza("notification", { from: "s.whatsapp.net", type: "mex", id: "n1", t: "1" }, [
        stanza("update", { op_name: "NotificationUserReachoutTimelockUpdate" }, Buffer.from(update)),
      ]),
    );
    await reported(restricted(host.clock.now() + MINUTE_MS, "DEFAULT"));
    const before = questions();
    host.clock.advance(MINUTE_MS);
    await net.until(() => questions() > before);
    await reported(CONNECTED);
  });
});

describe("the refusal 463", () => {
  test("W26-4 without a restriction means one person's token: the account is not restricted", async () => {
    const { net, host, pair } = channel();
    await pair();
    host.clock.advance(MINUTE_MS);
    net.faults.nack(463, undefined, { times: 1 });
    const bia = stranger(channel());
    expect(await send(bia)).toMatchObject({ kind: "refused", code: "PRIVACY_TOKEN_MISSING", upstreamCode: 463 });
    expect(bia.received).toEqual([]);
    expect(channel().host.state).toBe("CONNECTED");
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
  });

  test("W26-4 of an account that is restricted, which nobody had said yet", async () => {
    const { net, host, phone, pair, reported } = channel();
    await pair();
    await net.until(() => questions() > 0);
    host.clock.advance(MINUTE_MS);
    phone.account.timelock = { until: FAR, type: "WEB_COMPANION_ONLY" };
    net.faults.nack(463, undefined, { times: 1 });
    expect(await send(stranger(channel()))).toMatchObject(REFUSED);
    await reported(restricted(FAR * 1000, "WEB_COMPANION_ONLY"));
  });

  test("W26-4 and no answer why: no further strangers for an hour, and the phone shows that it is not confirmed", async () => {
    const { net, host, pair, reported } = channel();
    await pair();
    await net.until(() => questions() > 0);
    host.clock.advance(MINUTE_MS);
    net.faults.answerIq(({ attrs }) =>
      attrs["xmlns"] === "w:mex" ? stanza("iq", { type: "error" }, [stanza("error", { code: "500" })]) : undefined,
    );
    net.faults.nack(463, undefined, { times: 1 });
    expect(await send(stranger(channel()))).toMatchObject(REFUSED);
    await reported(restricted(host.clock.now() + HOUR_MS, "UNCONFIRMED"));
    expect(await send(stranger(channel()))).toMatchObject(REFUSED);
    host.clock.advance(HOUR_MS);
    expect(host.state).toBe("CONNECTED");
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
  });

  test.each([
    [
      "the account is restricted",
      FAR,
      { code: "UPSTREAM_ACCOUNT_RESTRICTED" },
      { code: "UPSTREAM_ACCOUNT_RESTRICTED" },
    ],
    ["one person's token is missing", 0, { code: "PRIVACY_TOKEN_MISSING" }, { ok: true }],
  ])(
    "W26-4 within a minute of a question waits for the next one, as strangers do: %s",
    async (_, until, said, others) => {
      const { net, host, link, phone, pair } = channel();
      await pair();
      await net.until(() => questions() > 0);
      const ana = await customer();
      host.clock.advance(10 * SECOND_MS);
      phone.account.timelock = { until, type: "WEB_COMPANION_ONLY" };
      net.faults.nack(463, undefined, { times: 1 });
      const [bia, caio] = [stranger(channel()), stranger(channel())];
      const key = link.providerMessageIdFor?.("6a0c2b1e-0000-4000-8000-000000000002");
      const wait = { kind: "retry", isOfChat: true, retryAfterMs: 50 * SECOND_MS };
      expect(await send(bia, channel(), key)).toMatchObject(wait);
      expect(await send(caio)).toMatchObject(wait);
      expect(await send(ana)).toMatchObject({ ok: true });
      const [sent, asked] = [net.stat.stanzas["message"], questions()];
      host.clock.advance(50 * SECOND_MS);
      expect(await send(bia, channel(), key)).toMatchObject(said);
      expect([net.stat.stanzas["message"], questions()]).toEqual([sent, asked + 1]);
      expect(await send(caio)).toMatchObject(others);
      expect(bia.received).toEqual([]);
    },
  );

  test("W26-4 leads to one question a minute at most", async () => {
    const { net, host, pair } = channel();
    await pair();
    await net.until(() => questions() > 0);
    host.clock.advance(MINUTE_MS);
    const ana = await customer();
    const before = questions();
    net.faults.nack(463);
    for (let n = 0; n < 3; n++) expect(await send(ana)).toMatchObject({ code: "PRIVACY_TOKEN_MISSING" });
    expect(questions()).toBe(before + 1);
    host.clock.advance(MINUTE_MS);
    await send(ana);
    expect(questions()).toBe(before + 2);
  });
});

describe("the network's quota of new chats", () => {
  const cycle = (end: number, status = "CAPPED") => ({
    capping_status: status,
    total_quota: "10",
    used_quota: "10",
    cycle_start_timestamp: "1700000000",
    cycle_end_timestamp: String(Math.floor(end / 1000)),
  });

  test("W26-4 475 is a refusal with the cause, and the quota is fetched and shown", async () => {
    const { net, host, link, phone, pair, reported } = channel();
    await pair();
    const ana = await customer();
    const end = host.clock.now() + 10 * DAY_MS;
    const until = Math.floor(end / 1000) * 1000;
    host.clock.advance(MINUTE_MS);
    phone.cap(cycle(end), { isSilent: true });
    net.faults.nack(475, undefined, { times: 1 });
    const outcome = await send(ana);
    expect(outcome).toMatchObject({ ...REFUSED, upstreamCode: 475, reason: expect.stringMatching(/^QUOTA: /) });
    await reported(restricted(until, "NEW_CHAT_QUOTA"));
    expect(await link.quota?.read()).toMatchObject({
      ok: true,
      value: {
        network: { status: "CAPPED", total: 10, used: 10, cycleStartsAt: 1_700_000_000_000, cycleEndsAt: until },
      },
    });
  });

  test("W26-4 475 within a minute of the last answer counts at once: the next first message waits until the network is asked", async () => {
    const { net, host, link, phone, pair, reported } = channel();
    await pair();
    const end = Math.floor((host.clock.now() + 10 * DAY_MS) / 1000) * 1000;
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
    phone.cap(cycle(end), { isSilent: true });
    net.faults.nack(475, undefined, { times: 1 });
    expect(await send(stranger(channel()))).toMatchObject({ ...REFUSED, upstreamCode: 475 });
    const before = net.stat.stanzas["message"] ?? 0;
    expect(await send(stranger(channel()))).toMatchObject({ isQuota: true });
    expect(net.stat.stanzas["message"] ?? 0).toBe(before);
    expect(await link.quota?.read()).toMatchObject({ ok: true, value: { network: { status: "CAPPED" } } });
    expect(host.state).toBe("RESTRICTED");
    host.clock.advance(MINUTE_MS);
    await reported(restricted(end, "NEW_CHAT_QUOTA"));
  });

  test("W26-4 used up: first messages wait for its end, without a stanza, and answers pass", async () => {
    const { net, host, phone, pair, reported } = channel();
    await pair();
    const ana = await customer();
    const end = Math.floor((host.clock.now() + 2 * DAY_MS) / 1000) * 1000;
    phone.cap(cycle(end));
    await reported(restricted(end, "NEW_CHAT_QUOTA"));
    const before = net.stat.stanzas["message"] ?? 0;
    const bia = stranger(channel());
    const held = await send(bia);
    expect(held).toMatchObject(waiting(end - host.clock.now()));
    expect(held).toMatchObject({ reason: expect.stringContaining(iso(end)) });
    expect(net.stat.stanzas["message"] ?? 0).toBe(before);
    expect(await send(ana)).toMatchObject({ ok: true });
    phone.cap(cycle(end, "NONE"));
    await reported(CONNECTED);
    expect(await send(bia)).toMatchObject({ ok: true });
  });

  test("W26-4 is over at its end by the clock, also over another link, and nobody has to write first", async () => {
    const { host, link, phone, pair, reported, openAgain } = channel();
    await pair();
    const end = Math.floor((host.clock.now() + 2 * DAY_MS) / 1000) * 1000;
    phone.cap(cycle(end));
    await reported(restricted(end, "NEW_CHAT_QUOTA"));
    phone.cap(cycle(end, "NONE"), { isSilent: true });
    await link.close();
    host.reports.length = 0;
    openAgain().connect();
    await reported(restricted(end, "NEW_CHAT_QUOTA"));
    host.clock.advance(DAY_MS);
    expect(host.reports.at(-1)).toMatchObject({ state: "RESTRICTED" });
    host.clock.advance(DAY_MS);
    await reported(CONNECTED);
  });

  test("W26-4 answered with an error of GraphQL: nothing is known, and nothing is held back", async () => {
    const { host, link, phone, pair } = channel();
    await pair();
    phone.cap("error");
    host.clock.advance(HOUR_MS);
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
    expect(await link.quota?.read()).toMatchObject({ ok: true, value: { network: null } });
    expect(host.state).toBe("CONNECTED");
  });
});

describe("the operator's number of new chats a day", () => {
  test("W26-4 does not count a first message whose file cannot be had, however often that is tried", async () => {
    const { link, pair } = channel();
    await pair();
    const to = `pn:${stranger(channel()).pn}`;
    const messageId = "6a0c2b1e-0000-4000-8000-000000000002";
    const content = { url: "https://nowhere.invalid/a.png" };
    for (let tries = 0; tries < 3; tries++)
      expect(await link.send({ type: "image", content, messageId, to } as SendOrder)).toMatchObject({ ok: false });
    expect(await link.quota?.read()).toMatchObject({ value: { own: { used: 0 } } });
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
  });

  test("W26-4 does not count chats that the owner's phone or an earlier device has begun", async () => {
    const { net, host, link, phone, pair } = channel();
    await pair();
    const ana = stranger(channel());
    await phone.say("olá", { to: ana });
    await net.until(() => [...host.keyRows.keys()].some((row) => row.includes(`reached/pn:${ana.pn}`)));
    expect(await send(ana)).toMatchObject({ ok: true });
    expect(await link.quota?.read()).toMatchObject({ value: { own: { used: 0 } } });
    const before = (remoteJid: string, fromMe: boolean, id: string) => ({
      key: { remoteJid, fromMe, id },
      message: { conversation: "oi" },
      messageTimestamp: 1_700_000_000,
    });
    const messages = [
      before("5511922200901@s.whatsapp.net", false, "BEFORE01"),
      before("5511922200902@s.whatsapp.net", true, "BEFORE02"),
      before("5511922200902@s.whatsapp.net", true, "BEFORE03"),
    ];
    const keyStore = { read: async () => new Map(), cachedMessage: async () => undefined, write: async () => {} };
    const reading = { host, keyStore, own: { pn: PN }, unknowns: { note: () => {} } };
    const written = messages.map((info) => ({ info, entry: new Uint8Array() }));
    const { rows } = await importedIn(reading, written);
    expect(rows?.map(({ kind, id }) => `${kind}/${id}`)).toEqual(["warm/pn:5511922200901", "reached/pn:5511922200902"]);
  });

  test("W26-4 grows with the days since the linking; what is over waits for the next day", async () => {
    const { net, host, link, pair } = channel();
    await pair();
    const linkedAt = host.clock.now();
    const ana = await customer();
    const first = stranger(channel());
    expect(await send(first)).toMatchObject({ ok: true });
    expect(await send(stranger(channel()))).toMatchObject({ ok: true });
    const before = net.stat.stanzas["message"] ?? 0;
    const third = stranger(channel());
    expect(await send(third)).toMatchObject(waiting(DAY_MS - (host.clock.now() - linkedAt)));
    expect(net.stat.stanzas["message"] ?? 0).toBe(before);
    expect(await send(ana)).toMatchObject({ ok: true });
    expect(await send(first)).toMatchObject({ ok: true }); // a chat that was begun is no new one
    expect(await link.quota?.read()).toMatchObject({ value: { own: { limit: 2, used: 2 } } });
    host.clock.advance(DAY_MS);
    for (const one of [third, stranger(channel()), stranger(channel())])
      expect(await send(one)).toMatchObject({ ok: true });
    expect(await send(stranger(channel()))).toMatchObject({ isQuota: true });
  });

  test("W26-4 is not begun anew by another process", async () => {
    const { host, link, pair, openAgain, reported } = channel();
    await pair();
    for (const one of [stranger(channel()), stranger(channel())]) expect(await send(one)).toMatchObject({ ok: true });
    await link.close();
    host.reports.length = 0;
    const again = openAgain();
    again.connect();
    await reported(CONNECTED);
    expect(await send(stranger(channel()), { ...channel(), link: again })).toMatchObject({ isQuota: true });
  });

  test("W26-4 takes no turn of the pace from the messages that wait for it", async () => {
    const { link, pair } = channel();
    await pair();
    for (const one of [stranger(channel()), stranger(channel())]) expect(await send(one)).toMatchObject({ ok: true });
    for (let n = 0; n < 20; n++) {
      expect(link.paceMs?.("pn:5511900000009")).toBe(0);
      expect(await send(stranger(channel()))).toMatchObject({ isQuota: true });
    }
  });
});

describe("an account that the network has locked", () => {
  test("W26-4 for a while: paused with its end and the reason, and connected after it", async () => {
    const { net, host, phone, pair, pass, reported } = channel();
    await pair();
    net.faults.failLogin({ reason: "402", code: "104", expire: "3600" }, { times: 1 });
    host.reports.length = 0;
    phone.cut();
    await host.until(() => host.reports.length > 0);
    await pass(SECOND_MS);
    await host.until(() => host.reports.at(-1)?.state === "DISCONNECTED");
    const last = host.reports.at(-1);
    expect(last).toMatchObject({
      state: "DISCONNECTED",
      reason: "BANNED",
      restriction: { reason: "SAME_MESSAGE_TO_MANY", allows: "none", until: host.clock.now() + HOUR_MS },
    });
    await pass(HOUR_MS);
    await reported(CONNECTED);
  });

  /** The login is refused so. Resolves when the session is paused, or waits. */
  const refusedWith = async (attrs: Record<string, string>) => {
    const { net, host, phone, pair, pass } = channel();
    await pair();
    const before = net.stat.refused.length;
    net.faults.failLogin(attrs, { times: 1 });
    host.reports.length = 0;
    phone.cut();
    await host.until(() => host.reports.length > 0);
    await pass(SECOND_MS);
    await net.until(() => net.stat.refused.length > before && net.stat.connections === 0);
    await pass(0);
    return host.reports.at(-1);
  };
  /** Another process opens the session: a link that was never connected, over the same keys. */
  const startedAgain = async () => {
    const { host, link, openAgain } = channel();
    await link.close();
    host.reports.length = 0;
    const again = openAgain();
    again.connect();
    await host.until(() => host.reports.length > 0);
    return again;
  };

  test("W26-4 for a while: a restart does not log in before its end", async () => {
    const { net, host, pass, reported } = channel();
    const ban = await refusedWith({ reason: "402", code: "101", expire: "7200" });
    expect(ban).toMatchObject({ state: "DISCONNECTED", reason: "BANNED", restriction: { allows: "none" } });
    const before = net.stat.attempts;
    await pass(HOUR_MS);
    await startedAgain();
    expect(host.reports).toEqual([ban] as never);
    await pass(HOUR_MS - 1);
    expect(net.stat.attempts).toBe(before);
    await pass(1);
    await reported(CONNECTED);
    await startedAgain();
    await reported(CONNECTED);
  });

  test.each([
    ["403", "LOCKED"],
    ["406", "BANNED"],
  ])("W26-4 without an end, by %s: a restart does not log in, its owner may", async (code, reason) => {
    const { net, host, pass, reported } = channel();
    const ban = await refusedWith({ reason: code });
    expect(ban).toEqual({
      state: "DISCONNECTED",
      reason: "BANNED",
      restriction: { reason, until: null, allows: "none" },
    });
    const before = net.stat.attempts;
    const again = await startedAgain();
    await pass(30 * DAY_MS);
    expect(host.reports).toEqual([ban] as never);
    expect(net.stat.attempts).toBe(before);
    again.connect({ isAsked: true });
    await reported(CONNECTED);
  });

  test("W26-4 a login that its owner asks for and that is refused too is kept anew", async () => {
    const { net, host, pass, link } = channel();
    await refusedWith({ reason: "402", expire: "7200" });
    net.faults.failLogin({ reason: "402", expire: "14400" }, { times: 1 });
    const before = net.stat.refused.length;
    link.connect({ isAsked: true });
    await net.until(() => net.stat.refused.length > before && net.stat.connections === 0);
    await pass(0);
    const attempts = net.stat.attempts;
    await startedAgain();
    await pass(2 * HOUR_MS);
    expect(host.reports.map(({ state }) => state)).toEqual(["DISCONNECTED"]);
    expect(net.stat.attempts).toBe(attempts);
  });

  test("W26-4 after 429 a restart waits as well", async () => {
    const { net, host, pass, reported } = channel();
    await refusedWith({ reason: "429" });
    const before = net.stat.attempts;
    await startedAgain();
    await pass(10 * MINUTE_MS - 2 * SECOND_MS);
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTING"]);
    expect(net.stat.attempts).toBe(before);
    await pass(10 * MINUTE_MS);
    await reported(CONNECTED);
  });

  test("W26-4 after 429 no socket is opened for ten minutes, and nothing is wiped", async () => {
    const { net, host, phone, pair, pass, reported } = channel();
    await pair();
    host.reports.length = 0;
    const before = net.stat.attempts;
    phone.streamError("429");
    await host.until(() => host.reports.some(({ state }) => state === "CONNECTING"));
    await pass(10 * MINUTE_MS - 1);
    expect(net.stat.attempts).toBe(before);
    await pass(10 * MINUTE_MS);
    await reported(CONNECTED);
    expect(phone.devices).toHaveLength(1);
  });
});
