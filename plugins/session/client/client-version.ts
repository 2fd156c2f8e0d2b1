import { Type } from "@sinclair/typebox";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { issuesOf } from "../../../src/kernel/schema.ts";
import { parsedJson } from "../../../src/kernel/texts/json.ts";
import { numberIn, readSource } from "./version-source.ts";

/**
 * The version that this release is built with: 2.3000.1049833609, which was in use on 9 October 2026. The network
 * may no longer link with the library's own number (26 July). Each release renews it.
 */
export const BUILT_IN = 1_049_833_609;
/** The network increases the number by half a million a week: a number that is further ahead is not the network's. */
const MAX_AHEAD = 40_000_000;
const REFRESH_BEFORE_END_MS = 14 * DAY_MS;
/** The minimum time between requests to the source, after refusals and before an announced end. */
const ASKED_APART_MS = MINUTE_MS;
const LOOKED_APART_MS = DAY_MS;

/**
 * `version`: the operator's, which takes precedence. `source`: a path or an http(s) URL of a possibly newer version.
 */
export type ClientSettings = { version: number | undefined; source: string | undefined };

/** When the network ends a version, in milliseconds; null if it has withdrawn the date. */
export type Expiry = { number: number; at: number | null };

type Host = Pick<ChannelHost, "adapterState" | "http" | "clock" | "log">;

/** The client version of all sessions of the process. */
export type ClientVersion = {
  /** Reads the stored state. Throws if the database cannot be read. */
  load(host: Host): Promise<void>;
  /** The number that the next socket uses. */
  current(): number;
  /**
   * The network refused this number. Resolves to whether a newer one is available now; asks the operator's source for
   * one, at most once a minute. Never throws.
   */
  refused(host: Host, used: number): Promise<boolean>;
  /**
   * The network announces the end of this number; undefined withdraws it. An end only ever comes nearer. Returns the
   * valid end.
   */
  expires(host: Host, used: number, at: number | undefined): Promise<Expiry>;
  /** The known end, of any number. */
  readonly expiry: Expiry | undefined;
};

const NAME = "client-version";
const Stored = Type.Object({
  learned: Type.Optional(Type.Integer({ minimum: 0 })),
  expiry: Type.Optional(Type.Object({ number: Type.Integer(), at: Type.Union([Type.Number(), Type.Null()]) })),
});
type Known = { learned?: number; expiry?: Expiry };

/** The stored state; empty if it has another form. */
const knownIn = (text: string | undefined): Known => {
  const stored = text === undefined ? undefined : parsedJson(text);
  return issuesOf(Stored, stored).length === 0 ? (stored as Known) : {}; // its form has been checked
};

/** Why a number is not accepted; undefined for a usable one. */
const refusalOf = (number: number, least: number): string | undefined => {
  if (number < least) return "it is older than the known one";
  return number > BUILT_IN + MAX_AHEAD ? "it is too far ahead of the built-in one" : undefined;
};

export const createClientVersion = ({ version: fixed, source }: ClientSettings): ClientVersion => {
  let known: Known = {};
  let asking: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => {};
  const newest = () => Math.max(BUILT_IN, known.learned ?? 0);
  const current = () => fixed ?? newest();

  const load = async ({ adapterState }: Host) => {
    known = knownIn(await adapterState.read(NAME));
  };
  const change = ({ adapterState }: Host, changed: (before: Known) => Known) =>
    adapterState.change(NAME, (text) => {
      known = changed(knownIn(text));
      return JSON.stringify(known);
    });

  const ask = async (host: Host, from: string) => {
    askedAt = host.clock.now();
    const answer = await readSource(from, host.http);
    if (!answer.ok) return host.log.warn({ reason: answer.reason }, "the source of client versions could not be read");
    const number = numberIn(answer.text);
    if (number === undefined) return host.log.warn({}, "the source of client versions names none");
    const refusal = refusalOf(number, newest());
    if (refusal !== undefined) return host.log.warn({ number, refusal }, "a client version was not taken");
    if (number === newest()) return;
    await change(host, (before) => ({ ...before, learned: Math.max(number, before.learned ?? 0) }));
    host.log.info({ number }, "a newer client version was learned; the next connections use it");
  };
  /** All concurrent callers wait for one answer. */
  const refresh = async (host: Host) => {
    if (source === undefined || fixed !== undefined) return;
    if (!asking && host.clock.now() - askedAt < ASKED_APART_MS) return;
    asking ??= ask(host, source).finally(() => (asking = undefined));
    await asking;
  };

  const lookLater = (host: Host) => {
    cancel();
    const { expiry } = known;
    if (source === undefined || !expiry?.at || expiry.number !== current()) return;
    const dueAt = Math.max(expiry.at - REFRESH_BEFORE_END_MS, askedAt + LOOKED_APART_MS);
    cancel = host.clock.timer(Math.max(0, dueAt - host.clock.now()), () => {
      const looked = refresh(host).then(() => lookLater(host));
      looked.catch((thrown: unknown) =>
        host.log.warn({ error: String(thrown) }, "no newer client version was learned"),
      );
    });
  };

  return {
    load,
    current,
    async refused(host, used) {
      try {
        await load(host); // another process may have found a newer one
        if (current() <= used) await refresh(host);
      } catch (thrown) {
        host.log.warn({ error: String(thrown) }, "no newer client version was learned");
      }
      return current() > used;
    },
    async expires(host, used, at) {
      const held = known.expiry?.number === used ? known.expiry.at : null;
      const next: Expiry = { number: used, at: at === undefined ? null : Math.min(at, held ?? at) };
      if (!Bun.deepEquals(next, known.expiry)) await change(host, (before) => ({ ...before, expiry: next }));
      lookLater(host);
      return next;
    },
    get expiry() {
      return known.expiry;
    },
  };
};
