import { type AdapterState, MAX_STATE_CHARS } from "../../../../contract/adapter-state.ts";
import { eventIssues } from "../../../../contract/event-shapes.ts";
import type { ChannelEvent, LinkReport } from "../../../../contract/events.ts";
import { issueLine, reportIssues } from "../../../../contract/outcome-shapes.ts";
import type { ChannelHost, Vault } from "../../../../contract/plugin.ts";
import type { Http, HttpNoAnswer } from "../../../../contract/ports/http.ts";
import type { KeyStore } from "../../../../contract/ports/key-store.ts";
import { createSemaphore } from "../../../../kernel/async.ts";
import { type Cancel, type Clock, SECOND_MS } from "../../../../kernel/clock.ts";
import type { Log } from "../../../../kernel/log.ts";
import { atOnce, type NoteFault } from "./faults.ts";

/** The maximum number of timers of one link at a time. */
const MAX_TIMERS = 1000;
const MAX_REQUESTS = 100;
const MAX_EMITS_WAITING = 1000;
const EMITS_AT_ONCE = 16;
const REPORTS_PER_WINDOW = 20;
const WINDOW_MS = 10 * SECOND_MS;
const LINES_PER_WINDOW = 100;
const MAX_ENDINGS = 20;
const ENDING = /^[a-z][a-z0-9_-]{0,31}$/;

/** Hears of a report; undefined for a report that is not of the contract's form. */
type Listener = (report: LinkReport | undefined) => void;

/**
 * A host for one link of a loaded adapter. `close` ends its timers; afterwards every call is ignored. `isWaiting`:
 * whether the link has a timer, or a request in progress. `onReport` sets who hears of each report.
 */
export type GuardedHost = {
  host: ChannelHost;
  close(): void;
  readonly isWaiting: boolean;
  onReport(listener: Listener): void;
};

/** An adapter asked for more than it may have. The message is for its author. */
class GuardRefusal extends Error {
  override name = "GuardRefusal";
}

/**
 * Limits a link's use of its host. Events and reports of the wrong shape are refused. Timers, requests and waiting
 * events are bounded. Reports and log lines are limited to a rate; the last report always passes.
 */
export const guardHost = (host: ChannelHost, note: NoteFault): GuardedHost => {
  let isClosed = false;
  const isOver = () => isClosed;
  const timers = guardClock(host.clock, note, isOver);
  const reports = guardReports(host, timers.clock, note, isOver);
  const emit = guardEmit(host, note, isOver);
  const http = guardHttp(host.http, note, isOver);
  return {
    host: {
      channelId: host.channelId,
      webhookUrl: host.webhookUrl,
      random: host.random,
      clock: timers.clock,
      vault: resumingAll(guardVault(host.vault, note, isOver), "vault", note),
      http: resumingAll(http.http, "http", note),
      adapterState: resumingAll(guardState(host.adapterState, note, isOver), "adapterState", note),
      ...(host.openProxy ? { openProxy: host.openProxy } : {}),
      log: guardLog(host.log, host.clock, note),
      emit: resuming(emit, "emit", note),
      report: reports.report,
      ...(host.openFile ? { openFile: resuming(host.openFile, "openFile", note) } : {}),
      ...(host.makeVoice ? { makeVoice: resuming(host.makeVoice, "makeVoice", note) } : {}),
      ...(host.makeSticker ? { makeSticker: resuming(host.makeSticker, "makeSticker", note) } : {}),
      ...(host.makeThumbnail ? { makeThumbnail: resuming(host.makeThumbnail, "makeThumbnail", note) } : {}),
      ...(host.makeStandard ? { makeStandard: resuming(host.makeStandard, "makeStandard", note) } : {}),
      ended: guardEnded(host),
      unknown: (name) => host.unknown(String(name)),
    },
    close() {
      isClosed = true;
      timers.cancelAll();
    },
    get isWaiting() {
      return timers.isWaiting() || http.isWaiting();
    },
    onReport: reports.onReport,
  };
};

/** A function of the host. The adapter's work on its answer is measured. */
const resuming =
  <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>, name: string, note: NoteFault) =>
  (...args: Args): Promise<Value> =>
    note.resuming(`after host.${name}`, call(...args));

type Asked = (...args: never[]) => Promise<unknown>;

const resumingAll = <Part extends Record<keyof Part, Asked>>(part: Part, name: string, note: NoteFault): Part => {
  const calls = Object.entries<Asked>(part).map(([key, call]) => [key, resuming(call, `${name}.${key}`, note)]);
  return Object.fromEntries(calls) as Part; // each has its name
};

const guardClock = (clock: Clock, note: NoteFault, isOver: () => boolean) => {
  const waiting = new Set<Cancel>();
  const guarded: Clock = {
    now: clock.now,
    timer(delayMs, fire) {
      if (isOver()) return () => {};
      if (waiting.size >= MAX_TIMERS) {
        note("flooded", "clock.timer", `${MAX_TIMERS} timers wait`);
        throw new GuardRefusal(`at most ${MAX_TIMERS} timers of a link wait at a time`);
      }
      const cancel = clock.timer(Number.isFinite(delayMs) ? Math.max(0, delayMs) : 0, () => {
        waiting.delete(stop);
        const fired = atOnce(note.measuring("clock.timer", fire));
        if (fired.is === "fault") note("threw", "clock.timer", fired.detail);
      });
      const stop: Cancel = () => {
        waiting.delete(stop);
        cancel();
      };
      waiting.add(stop);
      return stop;
    },
  };
  return {
    clock: guarded,
    isWaiting: () => waiting.size > 0,
    cancelAll: () => [...waiting].forEach((stop) => stop()),
  };
};

const guardEmit = (host: ChannelHost, note: NoteFault, isOver: () => boolean): ChannelHost["emit"] => {
  const emits = createSemaphore(EMITS_AT_ONCE);
  let waiting = 0;
  return async (event: ChannelEvent) => {
    if (isOver()) throw new GuardRefusal("the link is closed: nothing is taken in from it");
    if (waiting >= MAX_EMITS_WAITING) {
      note("flooded", "host.emit", `${MAX_EMITS_WAITING} events wait`);
      throw new GuardRefusal(`${MAX_EMITS_WAITING} events wait to be stored: await each emit`);
    }
    const given = snapshot(event);
    const issues = eventIssues(given);
    if (issues.length > 0) {
      note("malformed", "host.emit", issueLine(issues));
      throw new GuardRefusal(`the event is not one of the contract: ${issueLine(issues)}`);
    }
    waiting++;
    try {
      await emits.run(() => host.emit(given as ChannelEvent)); // its shape has been checked
    } finally {
      waiting--;
    }
  };
};

/** A copy that the adapter cannot change after the check; undefined for a value that cannot be copied. */
const snapshot = (value: unknown): unknown => {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
};

const guardReports = (host: ChannelHost, clock: Clock, note: NoteFault, isOver: () => boolean) => {
  let windowEndsAt = 0;
  let count = 0;
  let held: LinkReport | undefined;
  let listener: Listener = () => {};
  const pass = (report: LinkReport) => {
    count++;
    host.report(report);
  };
  const passHeld = () => {
    const report = held;
    held = undefined;
    [windowEndsAt, count] = [clock.now() + WINDOW_MS, 0];
    if (report) pass(report);
  };
  const report = (given: LinkReport): void => {
    if (isOver()) return;
    const copy = snapshot(given) as LinkReport;
    const issues = reportIssues(copy);
    if (issues.length > 0) {
      note("malformed", "host.report", issueLine(issues));
      return listener(undefined);
    }
    listener(copy);
    const now = clock.now();
    if (now >= windowEndsAt && held === undefined) [windowEndsAt, count] = [now + WINDOW_MS, 0];
    if (held === undefined && count < REPORTS_PER_WINDOW) return pass(copy);
    if (held === undefined) {
      note("flooded", "host.report", `more than ${REPORTS_PER_WINDOW} reports in ${WINDOW_MS} ms`);
      clock.timer(Math.max(0, windowEndsAt - now), passHeld);
    }
    held = copy;
  };
  return { report, onReport: (heard: Listener) => void (listener = heard) };
};

const NO_ANSWER: HttpNoAnswer = { ok: false, failure: "aborted", message: "", mayHaveArrived: false, durationMs: 0 };

const guardHttp = (http: Http, note: NoteFault, isOver: () => boolean) => {
  let underWay = 0;
  const bounded =
    <Request, Answer>(send: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer | HttpNoAnswer> => {
      if (isOver()) return { ...NO_ANSWER, message: "the link is closed" };
      if (underWay >= MAX_REQUESTS) {
        note("flooded", "host.http", `${MAX_REQUESTS} requests are under way`);
        return { ...NO_ANSWER, message: `${MAX_REQUESTS} requests of this channel are under way` };
      }
      underWay++;
      try {
        return await send(request);
      } finally {
        underWay--;
      }
    };
  const limited: Http = {
    guarded: bounded(http.guarded),
    trusted: bounded(http.trusted),
    guardedStream: bounded(http.guardedStream),
    trustedStream: bounded(http.trustedStream),
  };
  return { http: limited, isWaiting: () => underWay > 0 };
};

const guardState = (state: AdapterState, note: NoteFault, isOver: () => boolean): AdapterState => ({
  read: state.read,
  async change(name, changed) {
    if (isOver()) throw new GuardRefusal("the link is closed: it changes nothing");
    await state.change(name, (before) => {
      const next: unknown = note.measuring("adapterState.change", () => changed(before))();
      if (typeof next === "string" && next.length <= MAX_STATE_CHARS && name.length <= 64) return next;
      note("malformed", "adapterState.change", `a value must be a text of at most ${MAX_STATE_CHARS} characters`);
      throw new GuardRefusal(`a value has at most ${MAX_STATE_CHARS} characters, its name at most 64`);
    });
  },
});

const MAX_VAULT_CHARS = 256 * 1024;

const guardVault = (vault: Vault, note: NoteFault, isOver: () => boolean): Vault => ({
  read: vault.read,
  async write(fields) {
    if (isOver()) throw new GuardRefusal("the link is closed: it writes no secrets");
    const values = Object.values(fields);
    const isText = values.every((value) => typeof value === "string");
    if (isText && values.reduce((sum, value) => sum + value.length, 0) <= MAX_VAULT_CHARS)
      return vault.write({ ...fields });
    note("malformed", "vault.write", `fields must be texts of at most ${MAX_VAULT_CHARS} characters in all`);
    throw new GuardRefusal(`the vault takes texts, at most ${MAX_VAULT_CHARS} characters in all`);
  },
  async openKeyStore() {
    return guardKeyStore(await vault.openKeyStore(), note, isOver);
  },
});

/** Writes the events of a write together with its keys, or neither. */
const guardKeyStore = (keyStore: KeyStore, note: NoteFault, isOver: () => boolean): KeyStore => ({
  read: (kind, ids) => keyStore.read(kind, ids),
  cachedMessage: (key) => keyStore.cachedMessage(key),
  async write(changes) {
    if (isOver()) throw new GuardRefusal("the link is closed: it writes no keys");
    const events = (changes.events ?? []).map(snapshot);
    const issues = events.flatMap(eventIssues);
    if (issues.length > 0) {
      note("malformed", "ring.write", issueLine(issues));
      throw new GuardRefusal(`an event is not one of the contract: ${issueLine(issues)}`);
    }
    await keyStore.write({ ...changes, events: events as ChannelEvent[] }); // their shape has been checked
  },
});

const guardLog = (log: Log, clock: Clock, note: NoteFault): Log => {
  let windowEndsAt = 0;
  let lines = 0;
  const mayLog = (): boolean => {
    const now = clock.now();
    if (now >= windowEndsAt) [windowEndsAt, lines] = [now + WINDOW_MS, 0];
    if (++lines === LINES_PER_WINDOW + 1)
      note("flooded", "host.log", `more than ${LINES_PER_WINDOW} lines in ${WINDOW_MS} ms`);
    return lines <= LINES_PER_WINDOW;
  };
  const guarded = (plain: Log): Log => {
    const limited =
      (level: "debug" | "info" | "warn" | "error"): Log["info"] =>
      (...said: Parameters<Log["info"]>) => {
        if (mayLog()) plain[level](...said);
      };
    return {
      debug: limited("debug"),
      info: limited("info"),
      warn: limited("warn"),
      error: limited("error"),
      child: (bindings) => guarded(plain.child(bindings)),
    };
  };
  return guarded(log);
};

/** A reason becomes a label of a metric: a few short ones are kept, the others become `other`. */
const guardEnded = (host: ChannelHost): ChannelHost["ended"] => {
  const known = new Set<string>();
  return (why) => {
    const isKnown = typeof why === "string" && ENDING.test(why) && (known.has(why) || known.size < MAX_ENDINGS);
    if (isKnown) known.add(why);
    host.ended(isKnown ? why : "other");
  };
};
