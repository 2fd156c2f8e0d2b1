import { expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { nextTurn, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelHost, ChannelLink, ChannelPlugin } from "../../../src/contract/plugin.ts";
import { guardPlugin } from "../../../src/core/channels/links/guard/guarded-plugin.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";
import { NO_HTTP, ORDER } from "../../support/networks/guarded.ts";

// What an adapter's code costs is measured by a meter that its faults move.

const MIB = 2 ** 20;
const meter = { nowMs: 0, rssBytes: 0 };
const block = () => void (meter.nowMs += 1001);
const hoard = () => {
  meter.nowMs += 20;
  meter.rssBytes += 201 * MIB;
};
const SENT = { ok: true, key: "sent-1" as ProviderMessageId } as const;

type Ways = { send?(host: ChannelHost): ReturnType<ChannelLink["send"]>; plugin?: Partial<ChannelPlugin> };

/** A link of a guarded adapter of this name; `named` has its excesses in the log, as the call and the kind of excess. */
const guarded = ({ send = async () => SENT, plugin: more = {} }: Ways, name = "pigeon") => {
  const clock = manualClock();
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = createLog("error", { write: (line) => void lines.push(line) });
  const plugin: ChannelPlugin = {
    name,
    kind: name.toUpperCase() as Uppercase<string>,
    label: { en: name, pt: name, es: name },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    address: (to) => ({ ok: true, to: `uid:${to}` }),
    open: (host) => ({
      connect: () => host.clock.timer(0, block),
      close: async () => {},
      forget: async () => {},
      send: () => send(host),
    }),
    ...more,
  };
  const safe = guardPlugin(plugin, {
    clock,
    log,
    metrics,
    meter: { nowMs: () => meter.nowMs, rssBytes: () => meter.rssBytes },
  });
  const host = recordingHost({ http: NO_HTTP, vault: { token: "t" }, clock });
  return {
    clock,
    plugin: safe,
    link: safe.open(host),
    named: () =>
      lines.map((line) => {
        const said = JSON.parse(line) as { plugin: string; fault: string; what: string };
        return `${said.plugin} ${said.what} ${said.fault}`;
      }),
    counted: async () =>
      [...(await metrics.text()).matchAll(/^recado_adapter_faults_total\{plugin="(\w+)",fault="(\w+)"\} (\d+)/gm)].map(
        ([, who, fault, count]) => `${who} ${fault} ${count}`,
      ),
  };
};

/** Lets the microtasks run that measure. */
const measured = nextTurn;

const viaHelpers = async (host: ChannelHost): Promise<unknown> => (async () => host.vault.read())();

test.each<[string, Ways, string]>([
  [
    "before its first wait in a send",
    {
      send: async () => {
        block();
        return SENT;
      },
    },
    "pigeon send blocked",
  ],
  [
    "after an answer of its network",
    {
      async send(host) {
        await host.http.trusted({ url: "http://127.0.0.1/", method: "GET" });
        block();
        return SENT;
      },
    },
    "pigeon after host.http.trusted blocked",
  ],
  [
    "after a secret that functions of its own have passed on",
    {
      async send(host) {
        await viaHelpers(host);
        block();
        return SENT;
      },
    },
    "pigeon after host.vault.read blocked",
  ],
  [
    "after a promise of the host that was refused",
    {
      async send(host) {
        await host.vault.write({ token: 7 as never }).catch(() => block());
        return SENT;
      },
    },
    "pigeon after host.vault.write blocked",
  ],
  [
    "by the memory that it takes in a send",
    {
      send: async () => {
        hoard();
        return SENT;
      },
    },
    "pigeon send bloated",
  ],
])("an adapter that holds up the server %s is named with the call", async (_, ways, said) => {
  const g = guarded(ways);
  for (let turn = 0; turn < 3; turn++) expect(await g.link.send(ORDER)).toEqual(SENT);
  await measured();
  const faults = g.named().filter((line) => !line.endsWith("malformed"));
  expect(faults).toEqual([said]); // once
  expect(await g.counted()).toContainEqual(said.replace(/ .* /, " ").concat(" 3"));
});

test("an adapter that blocks in a timer, or in a function of its declaration, is named with it", async () => {
  const g = guarded({
    plugin: {
      address(to) {
        block();
        return { ok: true, to: `uid:${to}` };
      },
    },
  });
  expect(g.plugin.address("ana")).toEqual({ ok: true, to: "uid:ana" });
  g.link.connect();
  g.clock.advance(0);
  expect(g.named()).toEqual(["pigeon address blocked", "pigeon clock.timer blocked"]);
});

test("an adapter that takes a second, or 200 MB in all its runs together, is not named", async () => {
  const g = guarded({
    async send(host) {
      meter.nowMs += 1000;
      meter.rssBytes += 150 * MIB;
      await host.vault.read();
      meter.nowMs += 1000;
      meter.rssBytes += 150 * MIB;
      return SENT;
    },
  });
  await g.link.send(ORDER);
  await measured();
  expect([g.named(), await g.counted()]).toEqual([[], []]);
});

test("nobody is named for what others do while the answers of several adapters arrive", async () => {
  const quiet = guarded(
    {
      async send(host) {
        await host.vault.read();
        return SENT;
      },
    },
    "quiet",
  );
  const loud = guarded(
    {
      async send(host) {
        await host.vault.read();
        block();
        return SENT;
      },
    },
    "loud",
  );
  await Promise.all([quiet.link.send(ORDER), loud.link.send(ORDER)]);
  await measured();
  expect([quiet.named(), loud.named()]).toEqual([[], ["loud after host.vault.read blocked"]]);
});
