import { MAX_STATE_CHARS } from "../contract/adapter-state.ts";
import type { ChannelEvent, LinkReport, LinkState, ProviderMessageId } from "../contract/events.ts";
import type { ChannelHost } from "../contract/plugin.ts";
import type { Http, HttpRequest } from "../contract/ports/http.ts";
import { type KeyStore, KeyStoreLost } from "../contract/ports/key-store.ts";
import { othersServed } from "../kernel/clock.ts";
import { createLog } from "../kernel/log.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { seededRandom } from "./seeded-random.ts";

export type RecordingHost = ChannelHost & {
  readonly clock: ManualClock;
  readonly reports: LinkReport[];
  /** The state that was reported last; PENDING before. */
  readonly state: LinkState;
  readonly events: ChannelEvent[];
  /** The names of what the link did not know. */
  readonly unknowns: string[];
  /** The reasons of ended connections that the link has reported. */
  readonly endings: string[];
  readonly logLines: string[];
  /** The number of uses of the vault or the network by the link. */
  readonly touches: number;
  /** Events whose `emit` has not resolved. */
  readonly openEmits: number;
  /** Whether `hold` is in effect. */
  readonly isHeld: boolean;
  /** Makes `emit` resolve only after `release`. */
  hold(): void;
  release(): void;
  /** The rows of the key store, by kind and id. */
  readonly keyRows: ReadonlyMap<string, string>;
  /**
   * Withholds answers of the network, and the key store, from the link. `met` resolves when the first has arrived;
   * `pass` releases them.
   */
  holdAnswers(): { met: Promise<void>; pass(): void };
  /** Makes writes to the key store with such an event fail as a whole. */
  refuse(isRefused: (event: ChannelEvent) => boolean): void;
  /** The values that the adapter's channels share, by name. */
  readonly shared: Map<string, string>;
  /** Makes the vault unreadable. */
  breakVault(): void;
  /**
   * Resolves when no request and no vault access of the link is in flight. Requests with a signal (long polls) do not
   * count.
   */
  settled(): Promise<void>;
  /** Resolves when the condition holds; it is tested whenever the link reports or emits. */
  until(condition: () => boolean): Promise<void>;
};

export type HostOptions = {
  http: Http;
  vault: Record<string, string>;
  keyRows?: ReadonlyMap<string, string>;
  seed?: number;
  channelId?: string;
  clock?: ManualClock;
  makeVoice?: ChannelHost["makeVoice"];
  makeSticker?: ChannelHost["makeSticker"];
  makeThumbnail?: ChannelHost["makeThumbnail"];
  makeStandard?: ChannelHost["makeStandard"];
  openFile?: ChannelHost["openFile"];
  openProxy?: ChannelHost["openProxy"];
};

const CHANNEL_ID = "6f1b6f0e-6c1f-4b0a-8d55-0d6d2f8f3b11";
/** The address at which the network would reach a channel of the laws. */
export const webhookUrlOf = (channelId = CHANNEL_ID): string =>
  `https://recado.example/gateway/v1/upstream-webhook/${channelId}`;

/** A host that records what a link reports and emits, with a manual clock, seeded randomness and a vault in memory. */
export const recordingHost = ({
  http,
  vault,
  keyRows: givenRows = new Map(),
  seed = 1,
  channelId = CHANNEL_ID,
  clock = manualClock(),
  makeVoice,
  makeSticker,
  makeThumbnail,
  makeStandard,
  openFile,
  openProxy,
}: HostOptions): RecordingHost => {
  let fields = { ...vault };
  let touches = 0;
  let isVaultBroken = false;
  let gate: PromiseWithResolvers<void> | undefined;
  let met: PromiseWithResolvers<void> | undefined;
  let passed: PromiseWithResolvers<void> | undefined;
  const underWay = new Set<Promise<unknown>>();
  const openEmits = new Set<object>();
  const reports: LinkReport[] = [];
  const events: ChannelEvent[] = [];
  const endings: string[] = [];
  const unknowns: string[] = [];
  const logLines: string[] = [];
  const waiting = new Set<() => void>();

  const track = <T>(promise: Promise<T>, isWaiting = false): Promise<T> => {
    touches += 1;
    if (!isWaiting) underWay.add(promise);
    const done = () => void underWay.delete(promise);
    promise.then(done, done);
    return promise;
  };
  const answered = async <Answer>(answer: Promise<Answer>) => {
    const result = await answer;
    met?.resolve();
    await passed?.promise;
    return result;
  };
  const tracked =
    <Request extends HttpRequest, Answer>(send: (request: Request) => Promise<Answer>) =>
    (request: Request) =>
      track(answered(send(request)), request.signal !== undefined);
  const notify = () => {
    for (const look of waiting) look();
  };
  const emit = async (event: ChannelEvent): Promise<void> => {
    openEmits.add(event);
    events.push(event);
    notify();
    await gate?.promise;
    openEmits.delete(event);
  };
  const shared = new Map<string, string>();
  const keyRows = new Map<string, string>(givenRows);
  const messages = new Map<ProviderMessageId, string>();
  let isRefused: (event: ChannelEvent) => boolean = () => false;
  let epoch = 0;
  const openKeyStore = async (): Promise<KeyStore> => {
    if (isVaultBroken) throw new Error("the vault is sealed under another key");
    epoch += 1;
    const mine = epoch;
    return {
      read: async (kind, ids) =>
        new Map(
          ids.flatMap((id) => (keyRows.has(`${kind}/${id}`) ? [[id, keyRows.get(`${kind}/${id}`) as string]] : [])),
        ),
      cachedMessage: async (key) => messages.get(key),
      write: ({ wipe = false, rows = [], messages: cached = [], events: written = [] }) =>
        track(
          (async () => {
            if (mine !== epoch) throw new KeyStoreLost();
            if (written.some(isRefused)) throw new Error("the event cannot be received");
            if (wipe) keyRows.clear();
            for (const { kind, id, value } of rows) {
              if (value === null) keyRows.delete(`${kind}/${id}`);
              else keyRows.set(`${kind}/${id}`, value);
            }
            for (const { key, value } of cached) messages.set(key, value);
            for (const event of written) await emit(event);
          })(),
        ),
    };
  };
  const readVault = async () => {
    if (isVaultBroken) throw new Error("the vault is sealed under another key");
    return { ...fields };
  };

  return {
    channelId,
    webhookUrl: webhookUrlOf(channelId),
    clock,
    random: seededRandom(seed),
    log: createLog("debug", { write: (line) => void logLines.push(line) }),
    http: {
      guarded: tracked(http.guarded),
      trusted: tracked(http.trusted),
      guardedStream: tracked(http.guardedStream),
      trustedStream: tracked(http.trustedStream),
    },
    adapterState: {
      read: async (name) => shared.get(name),
      async change(name, changed) {
        const next = changed(shared.get(name));
        // as the guard of a server does
        if (typeof next !== "string" || next.length > MAX_STATE_CHARS)
          throw new Error(`adapterState.change: a value must be a text of at most ${MAX_STATE_CHARS} characters`);
        shared.set(name, next);
      },
    },
    ...(openProxy ? { openProxy } : {}),
    vault: {
      read: () => track(readVault()),
      write: (next) => track(Promise.resolve().then(() => void (fields = { ...fields, ...next }))),
      openKeyStore: () => track(answered(openKeyStore())),
    },
    reports,
    get state() {
      return reports.at(-1)?.state ?? "PENDING";
    },
    events,
    endings,
    unknowns,
    logLines,
    keyRows,
    shared,
    get touches() {
      return touches;
    },
    get openEmits() {
      return openEmits.size;
    },
    get isHeld() {
      return gate !== undefined;
    },
    emit,
    report(report) {
      reports.push(report);
      notify();
    },
    ...(makeVoice ? { makeVoice } : {}),
    ...(makeSticker ? { makeSticker } : {}),
    ...(makeThumbnail ? { makeThumbnail } : {}),
    ...(makeStandard ? { makeStandard } : {}),
    ...(openFile ? { openFile } : {}),
    ended: (why) => void endings.push(why),
    unknown: (name) => void unknowns.push(name),
    hold() {
      gate = Promise.withResolvers<void>();
    },
    release() {
      gate?.resolve();
      gate = undefined;
    },
    holdAnswers() {
      met = Promise.withResolvers<void>();
      passed = Promise.withResolvers<void>();
      return { met: met.promise, pass: passed.resolve };
    },
    refuse(isMeant) {
      isRefused = isMeant;
    },
    breakVault() {
      isVaultBroken = true;
    },
    async settled() {
      do {
        await Promise.allSettled(underWay);
        await nextTurn();
      } while (underWay.size > 0);
    },
    async until(condition) {
      if (condition()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => condition() && resolve();
      waiting.add(look);
      await promise.finally(() => waiting.delete(look));
    },
  };
};

/** Resolves after one turn of the event loop: everything that was ready has run. */
export const nextTurn = othersServed;
