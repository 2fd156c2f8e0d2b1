import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Content, contentIssues } from "../../src/contract/content.ts";
import { type ChannelEvent, LINK_STATES } from "../../src/contract/events.ts";
import type { Http } from "../../src/contract/http.ts";
import type { Operation } from "../../src/contract/operations.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../../src/contract/plugin.ts";
import { HOUR_MS } from "../../src/kernel/clock.ts";
import { issuesOf } from "../../src/kernel/schema.ts";
import { globalFaults } from "./architecture.ts";
import { type KnownKeys, operationsOn, promisesIn } from "./promised-operations.ts";
import { nextTurn, type RecordingHost, recordingHost } from "./recording-host.ts";
import { CONTENTS, SAMPLES } from "./samples.ts";

/** A plugin with the upstream it talks to, as a suite test sets them up anew for every test. */
export type Pupil = {
  plugin: ChannelPlugin;
  http: Http;
  /** What the vault of a channel that connects holds. */
  vault: Record<string, string>;
  /** What the key ring of a channel that connects holds, for each channel anew. Missing where links have none. */
  newRing?(): Promise<ReadonlyMap<string, string>>;
  /** Values of the vault, the key ring and the settings that nobody may ever see. */
  secrets: readonly string[];
  /** A number that takes messages, as a customer writes it. */
  recipient: string;
  /** Makes the outcome of the next send unknowable and says whom to send it to. */
  makeUnknowable(): string;
  /** From now on the upstream cannot be reached. Missing where there is no upstream. */
  makeUnreachable?(): Promise<void>;
  /** Lets the link emit at least two events of one chat, the same ones every time. Missing where links emit nothing. */
  provoke?(link: ChannelLink, host: RecordingHost): Promise<void>;
  /** How many inbound events the upstream has seen acknowledged, where links acknowledge. */
  acknowledged?(): number;
  /** A webhook with at least two facts of one number, in order. Missing where there is no receiver. */
  webhook?: { rawBody: string; headers: Headers; keys: readonly string[] };
  close(): Promise<void>;
};

const TEXT: Content = { type: "text", content: SAMPLES.text };
/** Where events carry native ids, for the core alone. */
const NATIVE_FIELDS = ["key", "quotedKey", "nativeId"];
const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";

/** What a plugin is made of: which tests of the suite there is something to look at for. */
export type Traits = { hasUpstream: boolean; hasReceiver: boolean; linkEmits: boolean };

/** Holds a plugin to the fourteen laws of plugins/README.md, one test each, as far as they show from outside. */
export const exercise = (name: string, traits: Traits, setup: () => Pupil | Promise<Pupil>): void => {
  describe(`${name} keeps the laws of channel adapters`, () => {
    let pupil: Pupil;
    let host: RecordingHost;
    let link: ChannelLink;

    const newHost = async () => {
      const ringRows = await pupil.newRing?.();
      return recordingHost({ http: pupil.http, vault: pupil.vault, ...(ringRows ? { ringRows } : {}) });
    };
    const nativeTo = (to: string): string => {
      const address = pupil.plugin.address(to);
      if (!address.ok) throw new Error(`${name} refuses ${to}`);
      return address.to;
    };
    const order = (content: Content = TEXT, to = pupil.recipient): SendOrder => ({
      ...content,
      messageId: MESSAGE_ID,
      to: nativeTo(to),
      ...(link.keyFor ? { key: link.keyFor(crypto.randomUUID()) } : {}),
    });
    const connect = async () => {
      link.connect();
      await host.until(() => host.reports.some(({ state }) => state === "CONNECTED"));
    };
    const parsed = (): ChannelEvent[] => pupil.plugin.receiver?.parse(pupil.webhook?.rawBody ?? "").map(({ event }) => event) ?? [];
    const emitted = async (): Promise<ChannelEvent[]> => {
      const other = await newHost();
      const otherLink = pupil.plugin.open(other);
      await pupil.provoke?.(otherLink, other);
      await otherLink.close();
      return [...other.events];
    };
    const inbound = async (): Promise<ChannelEvent[]> => [...parsed(), ...(await emitted())];
    /** A message that came and one that was sent, where they can be had. */
    const known = async (): Promise<KnownKeys> => {
      const came = (await inbound()).find((event) => event.kind === "received");
      const sent = await link.send(order());
      return { ...(came ? { inbound: came.key } : {}), ...(sent.ok ? { outbound: sent.key } : {}) };
    };
    const promisedOperations = async (): Promise<Operation[]> => operationsOn(pupil.plugin.capabilities.operations, await known(), nativeTo(pupil.recipient));

    beforeEach(async () => {
      pupil = await setup();
      host = await newHost();
      link = pupil.plugin.open(host);
    });
    afterEach(async () => {
      await link.close();
      await pupil.close();
    });

    test("the plugin is what its suite test says it is", () => {
      expect(pupil.plugin.name).toBe(name);
      const { receiver } = pupil.plugin;
      expect({ hasUpstream: pupil.makeUnreachable !== undefined, hasReceiver: receiver !== undefined, linkEmits: pupil.provoke !== undefined }).toEqual(traits);
      expect(pupil.webhook !== undefined).toBe(traits.hasReceiver);
    });

    test("law 1: open does no I/O, sets no timer and says nothing", async () => {
      await nextTurn();
      expect({ touches: host.touches, timers: host.clock.pendingTimers, reports: host.reports, events: host.events }).toEqual({ touches: 0, timers: 0, reports: [], events: [] });
      expect(LINK_STATES).toContain(link.state);
    });

    test("law 2: connect never throws, and what comes of it is reported; state is the last report", async () => {
      await connect();
      expect(link.state).toBe("CONNECTED");
      const { phoneNumber, profile } = host.reports.at(-1) ?? {};
      expect(profile !== undefined || phoneNumber !== undefined).toBe(true);
      if (phoneNumber !== undefined) expect(phoneNumber).toMatch(/^\d{6,15}$/);
      link.connect();
      await host.settled();
      expect(link.state).toBe("CONNECTED");
    });

    if (traits.hasUpstream) {
      test("law 2: a vault that cannot be read and an upstream that is gone do not make connect throw, nor report CONNECTED", async () => {
        await pupil.makeUnreachable?.();
        link.connect();
        await host.settled();
        expect(host.touches).toBeGreaterThan(0);
        host.breakVault();
        link.connect();
        await host.settled();
        expect(host.reports.filter(({ state }) => state === "CONNECTED")).toEqual([]);
      });
    }

    test("law 3: close is idempotent, and nothing is reported, emitted or tried after it", async () => {
      const answers = host.holdAnswers();
      if (traits.hasUpstream) {
        link.connect();
        await answers.met;
      } else await link.send(order());
      await Promise.all([link.close(), link.close()]);
      await link.close();
      const said = [host.reports.length, host.events.length];
      answers.pass();
      await host.settled();
      const touches = host.touches;
      host.clock.advance(HOUR_MS);
      await host.settled();
      expect([host.reports.length, host.events.length]).toEqual(said);
      expect(host.touches).toBe(touches);
      expect(host.clock.pendingTimers).toBe(0);
    });

    test("law 4: send never throws, whatever is broken", async () => {
      await pupil.makeUnreachable?.();
      const unreachable = await link.send(order());
      expect(unreachable.ok ? "ok" : unreachable.kind).toBe(traits.hasUpstream ? "retry" : "ok");
      host.breakVault();
      expect(typeof (await link.send(order())).ok).toBe("boolean");
      await link.close();
      expect(typeof (await link.send(order())).ok).toBe("boolean");
    });

    test("law 4: operate never throws either", async () => {
      const promised = await promisedOperations();
      await pupil.makeUnreachable?.();
      for (const operation of promised) expect(typeof (await link.operate?.(operation))?.ok).toBe("boolean");
      host.breakVault();
      for (const operation of promised) expect(typeof (await link.operate?.(operation))?.ok).toBe("boolean");
      await link.close();
      for (const operation of promised) expect(typeof (await link.operate?.(operation))?.ok).toBe("boolean");
    });

    test("law 5: a send whose bytes may have left and whose answer never came is unknown", async () => {
      await connect();
      const to = pupil.makeUnknowable();
      expect(await link.send(order(TEXT, to))).toMatchObject({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN" });
    });

    test("law 6: the key exists before the send exactly where the plugin says that it chooses keys", async () => {
      expect(link.keyFor !== undefined).toBe(pupil.plugin.capabilities.choosesKeys);
      await connect();
      const first = order();
      const outcome = await link.send(first);
      if (!outcome.ok) throw new Error(outcome.reason);
      if (!link.keyFor) return expect(outcome.key).not.toBe("");
      expect(first.key).toBe(outcome.key);
      expect(await link.send(first)).toEqual(outcome);
      expect(new Set(["one", "other", "one"].map(link.keyFor)).size).toBe(2);
    });

    if (traits.linkEmits) {
      test("law 7: the upstream learns of no event that is not on disk, and the next one waits for it", async () => {
        host.hold();
        await pupil.provoke?.(link, host);
        await nextTurn();
        expect(host.openEmits).toBe(1);
        expect(pupil.acknowledged?.() ?? 0).toBe(0);
        host.release();
        await host.until(() => host.events.length > 1);
      });
    }

    if (traits.hasReceiver) {
      test("law 7: the receiver only reads, so that its caller acknowledges after the commit", async () => {
        expect(parsed().length).toBeGreaterThan(1);
        await nextTurn();
        expect({ touches: host.touches, events: host.events, timers: host.clock.pendingTimers }).toEqual({ touches: 0, events: [], timers: 0 });
      });

      test("a receiver verifies the very bytes and refuses others", () => {
        const { rawBody, headers } = pupil.webhook ?? { rawBody: "", headers: new Headers() };
        const isTaken = (body: string, withHeaders: Headers) => pupil.plugin.receiver?.verify(Buffer.from(body), withHeaders);
        expect(pupil.plugin.receiver?.isConfigured).toBe(true);
        expect([isTaken(rawBody, headers), isTaken(`${rawBody} `, headers), isTaken(rawBody, new Headers())]).toEqual([true, false, false]);
      });
    }

    test("law 8: the same native event has the same key every time", async () => {
      const keys = keysOf(await inbound());
      expect(keys.length).toBeGreaterThan(1);
      expect(keysOf(await inbound())).toEqual(keys);
    });

    test("law 9: the order of a chat's events is the order in which they are handed over", async () => {
      if (pupil.webhook) expect(keysOf(parsed())).toEqual([...pupil.webhook.keys]);
      const times = (await inbound()).map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    });

    test("law 10: time and randomness come from the host alone", async () => {
      const folder = join(import.meta.dir, "../../plugins", name);
      const paths = [...new Bun.Glob("**/*.ts").scanSync({ cwd: folder })];
      expect(paths).toContain("plugin.ts");
      const files = await Promise.all(paths.map(async (path) => ({ path: `plugins/${name}/${path}`, text: await Bun.file(join(folder, path)).text() })));
      expect(files.flatMap(globalFaults)).toEqual([]);
    });

    test("laws 11 and 14: no secret leaves the vault, and logs hold no message text and no whole number", async () => {
      await connect();
      const outcomes: unknown[] = [await link.send(order()), await link.send(order(TEXT, pupil.makeUnknowable()))];
      for (const operation of await promisedOperations()) outcomes.push(await link.operate?.(operation));
      await pupil.makeUnreachable?.();
      outcomes.push(await link.send(order()));
      link.connect();
      await host.settled();
      host.breakVault();
      outcomes.push(await link.send(order()));
      const said = JSON.stringify([host.reports, host.events, outcomes, host.logLines]);
      for (const secret of pupil.secrets) expect(said).not.toContain(secret);
      const logged = host.logLines.join("");
      expect(logged).not.toContain(SAMPLES.text.text.slice(0, 8));
      expect(logged).not.toContain(pupil.recipient);
    });

    test("law 12: everything the capabilities promise is taken, and the credentials have the promised form", async () => {
      await connect();
      const { capabilities, credentials } = pupil.plugin;
      const promised = CONTENTS.filter(({ type }) => capabilities.send[type] !== undefined);
      expect(promised.length).toBe(Object.keys(capabilities.send).length);
      for (const sample of promised) {
        expect(contentIssues(sample.type, sample.content, () => true)).toEqual([]);
        expect({ type: sample.type, outcome: await link.send(order(sample)) }).toMatchObject({ outcome: { ok: true } });
      }
      if (credentials) expect(issuesOf(credentials, pupil.vault)).toEqual([]);
      expect(link.templates !== undefined).toBe(capabilities.templates);
      expect(link.lookup !== undefined).toBe(capabilities.lookups ?? false);
      expect(link.media?.uploads !== undefined).toBe(capabilities.mediaHandles ?? false);
      for (const to of ["", "+5511999990000", "abc", "1", "55 11 99999"]) expect(pupil.plugin.address(to).ok).toBe(false);
    });

    test("law 12: what it can do with messages that are there is done, or refused for want of a call; without any such promise there is no operate", async () => {
      const { operations } = pupil.plugin.capabilities;
      expect(link.operate !== undefined).toBe(Object.keys(operations).length > 0);
      await connect();
      const promised = await promisedOperations();
      expect(promised.length).toBe(promisesIn(operations));
      for (const operation of promised) {
        const outcome = await link.operate?.(operation);
        const isWithoutCall = outcome?.ok === false && outcome.kind === "refused" && outcome.code === "UPSTREAM_UNSUPPORTED";
        expect({ operation, outcome }).toMatchObject({ outcome: isWithoutCall ? {} : { ok: true } });
      }
    });

    test("law 13: native ids stay out of what customers see", async () => {
      const events = await inbound();
      expect(events.length).toBeGreaterThan(1);
      const shown = JSON.stringify(events, (field, value: unknown) => (NATIVE_FIELDS.includes(field) ? undefined : value));
      const nativeIds = events
        .flatMap((event) => (event.kind === "received" ? [event.key, event.quotedKey, event.media?.nativeId] : keysOf([event])))
        .filter((id) => id !== undefined);
      expect(nativeIds.filter((id) => shown.includes(id))).toEqual([]);
    });
  });
};

const keysOf = (events: readonly ChannelEvent[]): string[] => events.flatMap((event) => ("key" in event ? [event.key] : []));
