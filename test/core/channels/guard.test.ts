import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { nextTurn, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { ChannelEvent, LinkReport, ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelHost, ChannelLink, ChannelPlugin } from "../../../src/contract/plugin.ts";
import { guardPlugin } from "../../../src/core/channels/links/guard/guarded-plugin.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";
import { NO_HTTP, ORDER } from "../../support/networks/guarded.ts";
import { webhookRequest } from "../../support/networks/webhook-request.ts";

const EVENT: ChannelEvent = {
  kind: "received",
  key: "in-1" as ProviderMessageId,
  at: 1,
  from: { uid: "ana" },
  chat: { uid: "ana" },
  pushName: null,
  content: { type: "text", content: { text: "oi" } },
};

/** A value of no shape that the contract knows: what a faulty adapter hands over. */
const nonsense = <Value = never>(value: unknown): Value => value as Value;
const boom = (): never => {
  throw new Error("boom");
};
const never = () => new Promise<never>(() => {});

type Faulty = { link?: Partial<ChannelLink>; plugin?: Partial<ChannelPlugin>; onOpen?(host: ChannelHost): void };

/** A guarded adapter with these faults, and one of its links. */
const guarded = ({ link: faults = {}, plugin: declared = {}, onOpen = () => {} }: Faulty) => {
  const clock = manualClock();
  const metrics = createMetrics();
  const host = recordingHost({ http: NO_HTTP, vault: { token: "t" }, clock });
  const { log } = host;
  let inner: ChannelHost = host;
  const plugin: ChannelPlugin = {
    name: "pigeon",
    kind: "PIGEON",
    label: { en: "pigeon", pt: "pigeon", es: "pigeon" },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    address: (to) => ({ ok: true, to: `uid:${to}` }),
    open(given) {
      inner = given;
      onOpen(given);
      return {
        connect: () => given.report({ state: "CONNECTED", profile: { name: "x" } }),
        close: async () => {},
        forget: async () => {},
        send: async () => ({ ok: true, key: "sent-1" as ProviderMessageId }),
        ...faults,
      };
    },
    ...declared,
  };
  const safe = guardPlugin(plugin, { clock, log, metrics });
  const link = safe.open(host);
  const faultsCounted = async () =>
    [...(await metrics.text()).matchAll(/^recado_adapter_faults_total\{plugin="pigeon",fault="(\w+)"\} (\d+)/gm)].map(
      ([, fault, count]) => `${fault} ${count}`,
    );
  return { clock, host, plugin: safe, link, inner: () => inner, faultsCounted };
};

/** What a call comes to when time passes while it hangs. */
const afterLong = async <Value>(g: { clock: ReturnType<typeof manualClock> }, call: Promise<Value>): Promise<Value> => {
  await nextTurn();
  g.clock.advance(HOUR_MS);
  return call;
};

test.each([
  ["throws", { send: boom }, "threw 1"],
  ["rejects", { send: () => Promise.reject(new Error("boom")) }, "threw 1"],
  ["never answers", { send: never }, "hung 1"],
  ["answers nothing", { send: async () => nonsense(undefined) }, "malformed 1"],
  ["answers ok without a key", { send: async () => nonsense({ ok: true }) }, "malformed 1"],
  [
    "answers an unknown kind",
    { send: async () => nonsense({ ok: false, kind: "maybe", code: "X", reason: "" }) },
    "malformed 1",
  ],
  ["answers no promise", { send: () => nonsense("sent") }, "malformed 1"],
])("a send that %s is unknown: bytes may have left", async (_, link, fault) => {
  const g = guarded({ link });
  expect(await afterLong(g, g.link.send(ORDER))).toMatchObject({ ok: false, kind: "unknown", code: "ADAPTER_FAULT" });
  expect(await g.faultsCounted()).toEqual([fault]);
});

test("a good outcome passes as it is, and costs no fault", async () => {
  const g = guarded({});
  expect(await g.link.send(ORDER)).toEqual({ ok: true, key: "sent-1" as ProviderMessageId });
  expect([await g.faultsCounted(), g.clock.pendingTimers]).toEqual([[], 0]);
});

test.each<[string, Partial<ChannelLink>]>([
  ["throws", { operate: boom, refresh: boom, forget: boom, close: boom }],
  ["hangs", { operate: never, refresh: never, forget: never, close: never }],
])(
  "operate, refresh, forget and close of an adapter that %s end with what the contract has for it",
  async (_, link) => {
    const g = guarded({ link });
    const about = { name: "read", key: "in-1" as ProviderMessageId, chat: "uid:ana", sender: "uid:ana" } as const;
    expect(await afterLong(g, g.link.operate?.(about) ?? boom())).toMatchObject({ ok: false, kind: "unknown" });
    expect(await afterLong(g, g.link.refresh?.() ?? boom())).toMatchObject({ ok: false, kind: "unavailable" });
    await afterLong(g, g.link.forget({ deregister: false, isLastOfAccount: true }));
    await afterLong(g, g.link.close());
    expect(g.clock.pendingTimers).toBe(0);
  },
);

test.each<[string, Faulty]>([
  ["throws in open", { onOpen: boom }],
  ["opens nothing", { plugin: { open: () => nonsense(7) } }],
  ["throws in connect", { link: { connect: boom } }],
  ["rejects in connect", { link: { connect: () => nonsense(Promise.reject(new Error("boom"))) } }],
])("the channel of an adapter that %s is FAILED, and nothing else ends", async (_, faulty) => {
  const g = guarded(faulty);
  g.link.connect();
  await nextTurn();
  expect(g.host.reports).toEqual([{ state: "FAILED", reason: "ADAPTER_FAULT" }]);
  await g.link.close();
});

test("a connect that never says anything is FAILED after a minute, and tried again less and less often", async () => {
  let calls = 0;
  const g = guarded({ link: { connect: () => void calls++ } });
  const failed = { state: "FAILED", reason: "ADAPTER_FAULT" } as const;
  g.link.connect();
  g.clock.advance(59 * SECOND_MS);
  expect(g.host.reports).toEqual([]);
  g.clock.advance(SECOND_MS);
  expect([g.host.reports, await g.faultsCounted(), calls]).toEqual([[failed], ["hung 1"], 1]);
  g.clock.advance(MINUTE_MS); // the first try again
  expect(calls).toBe(2);
  g.clock.advance(2 * HOUR_MS);
  expect([calls > 5, calls < 15]).toEqual([true, true]);
  g.inner().report({ state: "CONNECTED" });
  const before = calls;
  g.clock.advance(HOUR_MS);
  expect([calls, g.host.reports.at(-1)?.state, g.clock.pendingTimers]).toEqual([before, "CONNECTED", 0]);
  g.link.connect();
  await g.link.close();
  expect(g.clock.pendingTimers).toBe(0);
});

test("a connect that says no more than CONNECTING is FAILED after a minute too, each time", async () => {
  const g = guarded({ link: { connect: () => g.inner().report({ state: "CONNECTING" }) } });
  g.link.connect();
  g.clock.advance(59 * SECOND_MS);
  g.inner().report({ state: "CONNECTING" });
  g.clock.advance(59 * SECOND_MS);
  expect(g.host.reports.map(({ state }) => state)).toEqual(["CONNECTING", "CONNECTING"]);
  g.clock.advance(SECOND_MS);
  expect([g.host.reports.at(-1), await g.faultsCounted()]).toEqual([
    { state: "FAILED", reason: "ADAPTER_FAULT" },
    ["hung 1"],
  ]);
  g.clock.advance(2 * MINUTE_MS); // the first try again
  expect(g.host.reports.slice(-2).map(({ state }) => state)).toEqual(["CONNECTING", "FAILED"]);
  g.inner().report({ state: "CONNECTED" });
  g.clock.advance(HOUR_MS);
  expect([g.host.reports.at(-1)?.state, g.clock.pendingTimers]).toEqual(["CONNECTED", 0]);
  await g.link.close();
});

test("a link that waits for its network with a timer of its host is left alone", () => {
  const connect = () => {
    const again = () => void g.inner().clock.timer(10 * SECOND_MS, again);
    again();
  };
  const g = guarded({ link: { connect } });
  g.link.connect();
  g.clock.advance(HOUR_MS);
  expect(g.host.reports).toEqual([]);
});

test("a report of no state, where one was due, makes the channel FAILED; beside a sound one it is dropped", async () => {
  const g = guarded({ link: { connect: () => g.inner().report(nonsense({ state: "ASLEEP" })) } });
  g.link.connect();
  expect([g.host.reports, await g.faultsCounted()]).toEqual([
    [{ state: "FAILED", reason: "ADAPTER_FAULT" }],
    ["malformed 1"],
  ]);
  g.inner().report({ state: "CONNECTED" });
  expect(g.clock.pendingTimers).toBe(0); // a link that works is not connected anew
  g.inner().report(nonsense({ state: "ASLEEP" }));
  expect(g.host.reports.map(({ state }) => state)).toEqual(["FAILED", "CONNECTED"]);
  await g.link.close();
  expect(g.clock.pendingTimers).toBe(0);
});

test("an address, a key and a pace that are none are what the contract has for it", async () => {
  const g = guarded({
    plugin: { address: boom, isKey: boom },
    link: { paceMs: () => Number.NaN, providerMessageIdFor: () => nonsense(7) },
  });
  expect(await g.plugin.address("ana")).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
  expect([g.plugin.isKey?.("x"), g.link.paceMs?.("uid:ana")]).toEqual([false, SECOND_MS]);
  expect(() => g.link.providerMessageIdFor?.("m")).toThrow("the adapter gave no key for the message");
});

test.each<[number, number | undefined]>([
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, 31 * DAY_MS],
  [Number.NEGATIVE_INFINITY, 0],
  [-1, 0],
  [32 * DAY_MS, 31 * DAY_MS],
  [nonsense("60"), undefined],
])("a sure failure stays sure with a retryAfterMs of %p, which becomes %p", async (given, expected) => {
  const failure = { ok: false, kind: "retry", code: "UPSTREAM_RATE_LIMIT", reason: "too many" } as const;
  const unavailable = { ok: false, kind: "unavailable", reason: "too many" } as const;
  const advice = { retryAfterMs: given, upstreamCode: Number.NaN };
  const g = guarded({
    link: {
      send: async () => ({ ...failure, ...advice }),
      operate: async () => ({ ...failure, ...advice }),
      refresh: nonsense(async () => ({ ...unavailable, ...advice })),
      quota: nonsense({ read: async () => ({ ...unavailable, ...advice }) }),
    },
  });
  const made = expected === undefined ? {} : { retryAfterMs: expected };
  expect(await g.link.send(ORDER)).toEqual({ ...failure, ...made });
  expect(await g.link.operate?.(nonsense({ name: "read" }))).toEqual({ ...failure, ...made });
  expect<unknown>(await g.link.refresh?.()).toEqual({ ...unavailable, ...made });
  expect(await nonsense<any>(g.link.quota).read()).toEqual({ ...unavailable, ...made });
  expect(await g.faultsCounted()).toEqual(["malformed 4"]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300])(
  "no part of an adapter hands the number %p on",
  async (given) => {
    const instants = { at: given, until: given, expiresAt: given, retryAt: given };
    const g = guarded({
      link: nonsense({
        lastReceivedAt: given,
        paceMs: () => given,
        quota: { read: async () => ({ ok: true, value: { used: [{ most: given === 1e300 ? Number.NaN : given }] } }) },
        lookup: { known: async () => new Map([["uid:ana", { since: given === 1e300 ? Number.NaN : given }]]) },
        pairing: {
          qr: () => ({ text: "x", ...instants }),
          nextQr: async () => ({ text: "x", ...instants }),
          hint: () => ({ code: "WAIT", ...instants }),
          requestCode: () => ({ code: "WAIT", ...instants }),
          passkey: { current: () => ({ id: "1", stage: "s", options: {}, ...instants }) },
        },
      }),
    });
    const link = nonsense<any>(g.link);
    expect([HOUR_MS, SECOND_MS, 0]).toContain(link.paceMs("uid:ana"));
    expect([link.lastReceivedAt, link.pairing.qr(), link.pairing.hint(), link.pairing.requestCode()]).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
    expect([await link.pairing.nextQr(1000), link.pairing.passkey.current()]).toEqual([undefined, undefined]);
    expect(await link.quota.read()).toMatchObject({ ok: false, kind: "unavailable" });
    expect(await link.lookup.known()).toEqual(new Map());
    g.inner().report({ state: "PENDING_QR", pairing: { code: "c", at: given, until: given } });
    expect(g.inner().emit({ ...EVENT, at: given })).rejects.toThrow("at must be");
    await nextTurn();
    expect([g.host.reports.filter(({ pairing }) => pairing), g.host.events]).toEqual([[], []]);
  },
);

test.each([
  ["no object", 7],
  ["of no kind", { kind: "sung", at: 1 }],
  ["without a key", { ...EVENT, key: undefined }],
  ["from nobody", { ...EVENT, from: {} }],
  ["with a content of another type", { ...EVENT, content: { type: "text", content: { sound: "coo" } } }],
  ["at no time", { ...EVENT, at: Number.NaN }],
  ["that cannot be copied", { ...EVENT, pushName: () => {} }],
  ["too large", { ...EVENT, content: { type: "text", content: { text: "x".repeat(300_000) } } }],
])("an event %s is refused, and its adapter gets the reason", async (_, event) => {
  const g = guarded({});
  expect(g.inner().emit(nonsense(event))).rejects.toThrow("the event is not one of the contract");
  await nextTurn();
  expect([g.host.events, await g.faultsCounted()]).toEqual([[], ["malformed 1"]]);
});

test("what an adapter changes in an event after it handed it over changes nothing", async () => {
  const g = guarded({});
  const event = structuredClone(EVENT);
  const emitted = g.inner().emit(event);
  Object.assign(event, { key: 7 });
  await emitted;
  expect(g.host.events).toEqual([EVENT]);
});

test("events that nobody awaits are bounded: those above the limit are refused, the others keep their order", async () => {
  const g = guarded({});
  g.host.hold();
  const emits = Array.from({ length: 1500 }, (_, place) =>
    g.inner().emit({ ...EVENT, key: `in-${place}` as ProviderMessageId }),
  );
  const settled = Promise.allSettled(emits);
  await nextTurn();
  expect(g.host.openEmits).toBeLessThanOrEqual(16);
  g.host.release();
  expect((await settled).filter(({ status }) => status === "rejected").length).toBe(500);
  expect(g.host.events.map((event) => (event.kind === "received" ? String(event.key) : ""))).toEqual(
    Array.from({ length: 1000 }, (_, place) => `in-${place}`),
  );
});

test("reports of no state are dropped, and of a flood the first ones and the last pass", async () => {
  const g = guarded({});
  g.inner().report(nonsense({ state: "ASLEEP" }));
  expect(g.host.reports).toEqual([]);
  const states = Array.from(
    { length: 5000 },
    (_, place): LinkReport => ({ state: place % 2 ? "CONNECTED" : "CONNECTING", reason: `n${place}` }),
  );
  for (const report of states) g.inner().report(report);
  expect(g.host.reports.length).toBe(20);
  g.clock.advance(MINUTE_MS);
  expect(g.host.reports.length).toBe(21);
  expect(g.host.reports.at(-1)).toEqual({ state: "CONNECTED", reason: "n4999" });
  expect((await g.faultsCounted()).toSorted()).toEqual(["flooded 1", "malformed 1"]);
});

test("timers of a link end with it, are bounded, and one that throws ends nothing", async () => {
  const g = guarded({});
  const { clock } = g.inner();
  clock.timer(10, boom);
  g.clock.advance(20);
  for (let set = 0; set < 1000; set++) clock.timer(HOUR_MS, () => g.host.report({ state: "FAILED" }));
  expect(() => clock.timer(1, () => {})).toThrow("at most 1000 timers");
  await g.link.close();
  expect(g.clock.pendingTimers).toBe(0);
  g.clock.advance(2 * HOUR_MS);
  expect([g.host.reports, (await g.faultsCounted()).toSorted()]).toEqual([[], ["flooded 1", "threw 1"]]);
});

test("after close nothing passes: no event, no report, no request, no secret", async () => {
  const g = guarded({});
  const { emit, report, http, vault, clock } = g.inner();
  await g.link.close();
  expect(emit(EVENT)).rejects.toThrow("the link is closed");
  report({ state: "CONNECTED" });
  expect(await http.trusted({ url: "https://example.com", method: "GET" })).toMatchObject({
    ok: false,
    message: "the link is closed",
  });
  expect(vault.write({ token: "other" })).rejects.toThrow("the link is closed");
  clock.timer(1, boom);
  expect(await g.link.send(ORDER)).toMatchObject({ ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE" });
  expect([g.host.events, g.host.reports, g.host.touches, g.clock.pendingTimers]).toEqual([[], [], 0, 0]);
});

test("requests at once, log lines and words of endings are bounded", async () => {
  const g = guarded({});
  const held = g.host.holdAnswers();
  const answers = Array.from({ length: 150 }, () =>
    g.inner().http.guarded({ url: "https://example.com", method: "GET" }),
  );
  await nextTurn();
  held.pass();
  const messages = (await Promise.all(answers)).map((answer) => (answer.ok ? "" : answer.message));
  expect(messages.filter((message) => message.includes("requests of this channel are under way")).length).toBe(50);
  const before = g.host.logLines.length;
  for (let line = 0; line < 1000; line++) g.inner().log.info({ line }, "coo");
  expect(g.host.logLines.length - before).toBe(100);
  for (const why of ["loft_closed", "a whole sentence of the network", "x".repeat(80)]) g.inner().ended(why);
  expect(g.host.endings).toEqual(["loft_closed", "other", "other"]);
});

test("optional parts that throw, hang or answer nonsense give what the contract has for it", async () => {
  const g = guarded({
    link: {
      lookup: { known: boom, find: never },
      media: { open: async () => nonsense({ ok: true, value: 7 }) },
      pairing: nonsense({
        qr: boom,
        nextQr: never,
        endWaits: boom,
        requestCode: boom,
        code: () => 7,
        reset: boom,
        unlinkOld: never,
      }),
    },
  });
  expect(await g.link.lookup?.known(["1"])).toEqual(new Map());
  expect(await afterLong(g, g.link.lookup?.find(["1"]) ?? boom())).toMatchObject({
    ok: false,
    kind: "unavailable",
    mayHaveHappened: true,
  });
  expect(await g.link.media?.open("x")).toMatchObject({ ok: false, kind: "unavailable" });
  expect([g.link.pairing?.qr(), g.link.pairing?.code()]).toEqual([undefined, undefined]);
  expect(await afterLong(g, g.link.pairing?.nextQr(SECOND_MS) ?? boom())).toBeUndefined();
  expect(await afterLong(g, g.link.pairing?.unlinkOld() ?? boom())).toBe(false);
});

test("hints and passkeys that are none are nothing, and a passkey without an answer is refused", async () => {
  const passkey = { current: () => ({ id: 7 }), assert: never, confirm: boom };
  const g = guarded({ link: { pairing: nonsense({ qr: boom, hint: () => 7, requestCode: () => 7, passkey }) } });
  const { pairing } = g.link;
  if (!pairing?.passkey) throw new Error("the parts of a pairing stay");
  expect([pairing.hint?.("qr"), pairing.requestCode("1"), pairing.passkey.current()]).toEqual(Array(3).fill(undefined));
  const refused = { ok: false, code: "REFUSED", reason: "the adapter gave no answer" } as const;
  expect(await afterLong(g, pairing.passkey.assert(nonsense({})))).toEqual(refused);
  expect(await pairing.passkey.confirm()).toEqual(refused);
});

test("a webhook, a route and the fields of a phone that throw or are none say nothing", async () => {
  const g = guarded({
    plugin: {
      routeOf: boom,
      phoneFields: { schema: {}, of: boom },
      webhook: {
        isSigned: boom,
        verify: () => nonsense("yes"),
        parse: () => [EVENT, nonsense({ kind: "sung" }), { ...EVENT, key: "in-2" as ProviderMessageId }],
      },
    },
  });
  const { webhook, routeOf, phoneFields } = g.plugin;
  const request = webhookRequest();
  expect([webhook?.isSigned(request), webhook?.verify(request, {})]).toEqual([false, false]);
  const events = (await webhook?.parse(request)) ?? [];
  expect(events.map((event) => ("key" in event ? String(event.key) : ""))).toEqual(["in-1", "in-2"]);
  expect(routeOf?.({ token: "t" })).toEqual({});
  expect(phoneFields?.of({ numberId: null, accountId: null, profile: {}, isWebhookConfigured: false })).toEqual({});
});

test("of a faulty adapter at most twenty lines a minute are logged; the figure counts all", async () => {
  const g = guarded({ link: { send: boom } });
  for (let send = 0; send < 50; send++) await g.link.send(ORDER);
  const lines = () => g.host.logLines.filter((line) => line.includes("an adapter broke its contract")).length;
  expect([lines(), await g.faultsCounted()]).toEqual([20, ["threw 50"]]);
  g.clock.advance(MINUTE_MS);
  await g.link.send(ORDER);
  expect([lines(), g.host.logLines.at(-1)]).toEqual([21, expect.stringContaining('"omitted":30')]);
});

const ports = () => {
  const clock = manualClock();
  return { clock, metrics: createMetrics(), log: recordingHost({ http: NO_HTTP, vault: {}, clock }).log };
};
const declared: ChannelPlugin = {
  name: "pigeon",
  kind: "PIGEON",
  label: { en: "pigeon", pt: "pigeon", es: "pigeon" },
  network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
  capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
  address: (to) => ({ ok: true, to }),
  open: boom,
};

test("a connect that rejects with something that has no text is a fault, and no unhandled rejection", async () => {
  const host = recordingHost({ http: NO_HTTP, vault: {}, clock: manualClock() });
  const connect = nonsense(async () => Promise.reject(Object.create(null)));
  const link = { connect, close: never, forget: never, send: never } as const;
  guardPlugin({ ...declared, open: () => link }, ports())
    .open(host)
    .connect();
  await nextTurn();
  expect(host.reports.at(-1)).toEqual({ state: "FAILED", reason: "ADAPTER_FAULT" });
});

test("the fields of a phone are those that the adapter declares, and have their types", () => {
  const fieldsOf = (given: Record<string, unknown>) =>
    guardPlugin(
      { ...declared, phoneFields: { schema: { loft: Type.Optional(Type.String()) }, of: () => given } },
      ports(),
    ).phoneFields?.of(nonsense({}));
  expect(fieldsOf({ loft: "a" })).toEqual({ loft: "a" });
  expect(fieldsOf({ loft: 1 })).toEqual({});
  expect(fieldsOf({ id: "another", accountId: "another" })).toEqual({});
});

const webhookOf = (parts: Partial<NonNullable<ChannelPlugin["webhook"]>>) => {
  const given = ports();
  const { webhook } = guardPlugin(
    { ...declared, webhook: { isSigned: () => true, verify: () => true, parse: () => [], ...parts } },
    given,
  );
  if (!webhook) throw new Error("the adapter has a webhook");
  return { ...given, webhook };
};

test("an answer of a webhook that the contract does not know is none", async () => {
  const answerOf = (given: unknown) => webhookOf({ answer: () => nonsense(given) }).webhook.answer?.(webhookRequest());
  const good = { status: 201, contentType: "text/xml", body: "<Response/>" } as const;
  expect(answerOf(good)).toEqual(good);
  expect(await answerOf(Promise.resolve(good))).toEqual(good);
  for (const given of [
    { ...good, status: 302 },
    { ...good, status: 200.5 },
    { ...good, contentType: "text/html" },
    { ...good, body: undefined },
    { ...good, body: "x".repeat(64 * 1024 + 1) },
    "<Response/>",
  ])
    expect(answerOf(given)).toBeUndefined();
});

test("a webhook's answers that come as promises are awaited, and cost no timer once they are there", async () => {
  const { webhook, clock } = webhookOf({
    isSigned: async () => true,
    verify: async () => true,
    parse: async () => [EVENT],
    handshake: async () => ({ body: "42" }),
  });
  const request = webhookRequest();
  expect([await webhook.isSigned(request), await webhook.verify(request, {})]).toEqual([true, true]);
  expect([await webhook.parse(request), await webhook.handshake?.(request, {})]).toEqual([[EVENT], { body: "42" }]);
  expect(clock.pendingTimers).toBe(0);
});

test("a webhook that hangs is refused for now and read again later, and its missing answer is the usual one", async () => {
  const g = webhookOf({ isSigned: never, verify: never, parse: never, handshake: never, answer: never });
  const request = webhookRequest();
  const { webhook } = g;
  const calls = [
    () => webhook.isSigned(request),
    () => webhook.verify(request, {}),
    () => webhook.handshake?.(request, {}),
  ];
  for (const call of calls)
    expect(
      await afterLong(
        g,
        Promise.resolve(call()).catch((error: unknown) => error),
      ),
    ).toMatchObject({
      code: "OVERLOADED",
      retryAfterSeconds: 60,
    });
  expect(await afterLong(g, Promise.resolve(webhook.parse(request)).catch(String))).toContain("has not read");
  expect(await afterLong(g, Promise.resolve(webhook.answer?.(request)))).toBeUndefined();
});

test("an address and a pace that hang are refused for now, and a second", async () => {
  const g = guarded({ plugin: { address: never }, link: { paceMs: never } });
  const address = Promise.resolve(g.plugin.address("ana")).catch((error: unknown) => error);
  expect(await afterLong(g, address)).toMatchObject({ code: "OVERLOADED" });
  expect(await afterLong(g, Promise.resolve(g.link.paceMs?.("uid:ana")))).toBe(SECOND_MS);
  expect(await g.faultsCounted()).toEqual(["hung 2"]);
});

test("an adapter whose moving throws, hangs or answers otherwise reads no identity, has no marks and gives nothing out", async () => {
  const stored = { format: "nest", entries: [] };
  const options = { isLastState: true, at: 0 };
  const readBy = async (read: () => Promise<unknown>) => {
    const moving = {
      formats: ["nest"],
      read: nonsense(read),
      marksOf: async () => nonsense([1]),
      entriesOf: async () => nonsense([{ name: 1 }]),
    };
    const { plugin, clock, host } = guarded({ plugin: { moving } });
    const { moving: safe } = plugin;
    if (!safe) throw new Error("the guard has dropped it");
    const found = await afterLong({ clock }, safe.read(stored, options, host));
    return [found, await safe.marksOf(nonsense({})), await safe.entriesOf(nonsense({}))];
  };
  const refused = { ok: false, problems: ["the adapter gave no answer"], keys: {}, notes: [] };
  const half = {
    ok: true,
    keys: {},
    notes: [],
    phoneNumber: "1",
    marks: ["a"],
    rows: [{ kind: "x", id: "y", value: 1 }],
  };
  for (const read of [boom, never, async () => "yes", async () => half])
    expect(await readBy(read)).toEqual(nonsense([refused, [], undefined]));
});
