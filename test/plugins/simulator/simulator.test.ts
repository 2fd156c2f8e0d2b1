import { describe, expect, test } from "bun:test";
import { compiledPlugins } from "../../../plugins/index.ts";
import { address, identityOf } from "../../../plugins/simulator/address.ts";
import { simulatorPlugin } from "../../../plugins/simulator/plugin.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Found } from "../../../src/contract/abilities/lookup.ts";
import { CONTENT_TYPES, FURTHER_TYPES } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { HttpNoAnswer } from "../../../src/contract/ports/http.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { orderOf } from "../../support/networks/waba-channel.ts";

const nowhere = async (): Promise<HttpNoAnswer> => ({
  ok: false,
  failure: "blocked",
  message: "the simulator makes no requests",
  mayHaveArrived: false,
  durationMs: 0,
});

const open = (settings: { echo?: boolean } = {}, channelId?: string) => {
  const host = recordingHost({
    http: { guarded: nowhere, trusted: nowhere, guardedStream: nowhere, trustedStream: nowhere },
    vault: {},
    ...(channelId ? { channelId } : {}),
  });
  return { host, link: simulatorPlugin(settings).open(host) };
};
const text = (to: string) => orderOf({ type: "text", content: { text: "oi" } }, { to });

describe("the simulator", () => {
  test("connects at once, under a number that is always the same for a channel and nobody's", () => {
    const { host, link } = open();
    link.connect();
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTING", "CONNECTED"]);
    expect(host.reports[1]?.phoneNumber).toMatch(/^999\d{9}$/);
    link.connect();
    expect(host.reports.slice(2)).toEqual([{ state: "CONNECTED", phoneNumber: host.reports[1]?.phoneNumber ?? "" }]);
    const other = open({}, "11111111-1111-4111-8111-111111111111");
    other.link.connect();
    expect(other.host.reports[1]?.phoneNumber).not.toBe(host.reports[1]?.phoneNumber ?? "");
  });

  test("promises every content type", () => {
    expect(Object.keys(simulatorPlugin().capabilities.send).toSorted()).toEqual(
      [...CONTENT_TYPES, ...FURTHER_TYPES, "call_permission_request"].toSorted(),
    );
  });

  test("does whatever is asked of a message, and nothing more once it is closed", async () => {
    const { host, link } = open();
    const about = { key: "SIM00" as ProviderMessageId, chat: "pn:5521912345678", sender: null };
    for (const action of [
      { name: "react", emoji: "" },
      { name: "edit", text: "x" },
      { name: "delete" },
      { name: "read" },
      { name: "typing" },
    ] as const)
      expect(await link.operate?.({ ...about, ...action })).toEqual({ ok: true });
    expect(host.clock.pendingTimers).toBe(0);
    await link.close();
    expect(await link.operate?.({ ...about, name: "read" })).toMatchObject({ ok: false, kind: "retry" });
  });

  test("answers a send with delivered after 50 ms and read after 150 ms, with our messageId", async () => {
    const { host, link } = open();
    const order = text("5521912345678");
    const outcome = await link.send(order);
    if (!outcome.ok) throw new Error(outcome.reason);
    const receipt = {
      kind: "receipt",
      key: outcome.key,
      messageId: order.messageId,
      to: { pn: "5521912345678" },
    } as const;
    const start = host.clock.now();
    host.clock.advance(49);
    expect(host.events).toEqual([]);
    host.clock.advance(1);
    await host.until(() => host.events.length === 1);
    host.clock.advance(100);
    await host.until(() => host.events.length === 2);
    expect(host.events).toEqual([
      { ...receipt, status: "delivered", at: start + 50 },
      { ...receipt, status: "read", at: start + 150 },
    ]);
    host.clock.advance(10_000);
    await host.settled();
    expect(host.events.length).toBe(2);
  });

  test("recognises a send that is repeated under its key: the receipts come once", async () => {
    const { host, link } = open();
    const key = link.providerMessageIdFor?.("a message");
    if (!key) throw new Error("the simulator chooses keys");
    const first = await link.send({ ...text("5521912345678"), key });
    expect(first).toEqual({ ok: true, key, recipient: "5521912345678" });
    expect(await link.send({ ...text("5521912345678"), key })).toEqual(first);
    host.clock.advance(1000);
    await host.until(() => host.events.length === 2);
    await host.settled();
    expect(host.events.length).toBe(2);
  });

  test("refuses 999…0000, has an unknown outcome for 999…0001, and neither brings a receipt", async () => {
    const { host, link } = open();
    expect(await link.send(text("pn:999912340000"))).toMatchObject({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 131026,
    });
    expect(await link.send(text("pn:999912340001"))).toMatchObject({
      ok: false,
      kind: "unknown",
      code: "OUTCOME_UNKNOWN",
    });
    expect(host.clock.pendingTimers).toBe(0);
  });

  test("finds every number but 999…0000, and remembers for seven days which were asked for", async () => {
    const { host, link } = open();
    const there = (number: string) => ({ exists: true, jid: `${number}@s.whatsapp.net` });
    expect(await link.lookup?.known(["5521912345678"])).toEqual(new Map());
    const found = new Map<string, Found>([
      ["5521912345678", there("5521912345678")],
      ["9991230000", { exists: false, jid: null }],
    ]);
    expect(await link.lookup?.find([...found.keys()])).toEqual({ ok: true, value: found });
    host.clock.advance(7 * DAY_MS - 1);
    expect(await link.lookup?.known([...found.keys(), "5521900000000"])).toEqual(found);
    host.clock.advance(1);
    expect(await link.lookup?.known([...found.keys()])).toEqual(new Map());
  });

  test("echoes a text in the demo alone, as a message of its recipient, after the receipts", async () => {
    const { host, link } = open({ echo: true });
    await link.send(text("5521912345678"));
    await link.send(orderOf({ type: "image", content: { mediaUrl: "https://f.example.com/a.jpg" } }));
    host.clock.advance(1000);
    await host.until(() => host.events.length === 5);
    const echoes = host.events.filter(({ kind }) => kind === "received");
    expect(echoes).toMatchObject([
      {
        from: { pn: "5521912345678" },
        chat: { pn: "5521912345678" },
        content: { type: "text", content: { text: "You said: oi" } },
      },
    ]);
  });

  test("drops what it had not said yet when it is closed while the host is slow", async () => {
    const { host, link } = open({ echo: true });
    host.hold();
    await link.send(text("5521912345678"));
    host.clock.advance(1000);
    await host.until(() => host.events.length === 1);
    await link.close();
    host.release();
    await host.settled();
    expect(host.events.length).toBe(1);
  });

  test("takes nothing while it is closed, and takes it after connecting anew", async () => {
    const { host, link } = open();
    await link.close();
    expect(await link.send(text("5521912345678"))).toMatchObject({
      ok: false,
      kind: "retry",
      code: "CHANNEL_UNAVAILABLE",
    });
    expect(host.clock.pendingTimers).toBe(0);
    link.connect();
    expect((await link.send(text("5521912345678"))).ok).toBe(true);
  });

  test("takes the recipients of every network it stands in for, and only those", () => {
    const to = (text: string) => {
      const result = address(text);
      return result.ok ? result.to : result.code;
    };
    expect(["5521912345678", "pn:5521912345678", "5521912345678@s.whatsapp.net"].map(to)).toEqual([
      "pn:5521912345678",
      "pn:5521912345678",
      "pn:5521912345678",
    ]);
    expect(["lid:123456789012345", "bsuid:BR.1", "igsid:17841400000000000", "17841400000000000"].map(to)).toEqual([
      "lid:123456789012345",
      "bsuid:BR.1",
      "igsid:17841400000000000",
      "igsid:17841400000000000",
    ]);
    expect(["abc@", "1@g", "x@s.whatsapp.net"].map(to)).toEqual([
      "ADDRESS_INVALID",
      "ADDRESS_INVALID",
      "ADDRESS_INVALID",
    ]);
    expect(["", "+5521912345678", "12345", "pn:x", "other:1"].map(to)).toEqual([
      "RECIPIENT_INVALID",
      "RECIPIENT_INVALID",
      "RECIPIENT_INVALID",
      "RECIPIENT_INVALID",
      "RECIPIENT_INVALID",
    ]);
    expect(["pn:5521912345678", "lid:12", "bsuid:BR.1", "igsid:17841400000000000"].map(identityOf)).toEqual([
      { pn: "5521912345678" },
      { lid: "12" },
      { bsuid: "BR.1" },
      { igsid: "17841400000000000" },
    ]);
  });
});

test("every adapter that is compiled in has a name and a kind of its own", () => {
  const meta = { graphUrl: "", graphVersion: "", appSecrets: [], verifyToken: undefined };
  const plugins = compiledPlugins({
    session: { url: undefined, root: undefined, perMinute: 20 },
    waba: meta,
    social: { ...meta, appId: undefined, tokenUrl: "", authorizeUrl: "", redirectUris: [] },
    simulator: {},
  });
  expect(plugins.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    "session SESSION",
    "waba WABA",
    "social SOCIAL",
    "simulator SIMULATOR",
  ]);
});
