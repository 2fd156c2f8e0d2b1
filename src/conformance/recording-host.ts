import type { ChannelEvent, LinkReport, ProviderMessageId } from "../contract/events.ts";
import type { Http, HttpRequest } from "../contract/http.ts";
import { type KeyStore, KeyStoreLost } from "../contract/key-store.ts";
import type { ChannelHost } from "../contract/plugin.ts";
import { othersServed } from "../kernel/clock.ts";
import { createLog } from "../kernel/log.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { seededRandom } from "./seeded-random.ts";

export type RecordingHost = ChannelHost & {
  readonly clock: ManualClock;
  readonly reports: LinkReport[];
  readonly events: ChannelEvent[];
  /** How the connections ended that it told of. */
  readonly endings: string[];
  readonly logLines: string[];
  /** How often the link touched the vault or the network. */
  readonly touches: number;
  /** Events handed over whose `emit` has not resolved. */
  readonly openEmits: number;
  readonly isEmitPaused: boolean;
  /** From now on `emit` resolves only when `release` is called. */
  hold(): void;
  release(): void;
  /** The rows of its key ring, by kind and id. */
  readonly keyRows: ReadonlyMap<string, string>;
  /**
   * From now on answers of the network, and the key ring, are kept from the link: `met` resolves when the first has
   * come, `pass` lets them through.
   */
  holdAnswers(): { met: Promise<void>; pass(): void };
  /** From now on a write to the key ring that tells such a thing fails as a whole. */
  refuse(isRefused: (event: ChannelEvent) => boolean): void;
  /** From now on the vault cannot be read. */
  breakVault(): void;
  /**
   * Resolves when nothing the link started is under way: no request but those that can be called off (long polls), no
   * vault access.
   */
  settled(): Promise<void>;
  /** Resolves when the condition holds; it is looked at whenever the link reports or emits. */
  until(condition: () => boolean): Promise<void>;
};

export type HostOptions = {
  http: Http;
  vault: Record<string, string>;
  keyRows?: ReadonlyMap<string, string>;
  seed?: number;
  channelId?: string;
  clock?: ManualClock;
};

/** A host that keeps what a link says, with a clock that stands still, seeded randomness and a vault in memory. */
export const recordingHost = ({
  http,
  vault,
  keyRows: givenRows = new Map(),
  seed = 1,
  channelId = "6f1b6f0e-6c1f-4b0a-8d55-0d6d2f8f3b11",
  clock = manualClock(),
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
  const tell = () => {
    for (const look of waiting) look();
  };
  const take = async (event: ChannelEvent): Promise<void> => {
    openEmits.add(event);
    events.push(event);
    tell();
    await gate?.promise;
    openEmits.delete(event);
  };
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
      write: ({ wipe = false, rows = [], messages: kept = [], events: told = [] }) =>
        track(
          (async () => {
            if (mine !== epoch) throw new KeyStoreLost();
            if (told.some(isRefused)) throw new Error("it cannot be taken in");
            if (wipe) keyRows.clear();
            for (const { kind, id, value } of rows) {
              if (value === null) keyRows.delete(`${kind}/${id}`);
              else keyRows.set(`${kind}/${id}`, value);
            }
            for (const { key, value } of kept) messages.set(key, value);
            for (const event of told) await take(event);
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
    webhookUrl: `https://recado.example/gateway/v1/upstream-webhook/${channelId}`,
    clock,
    random: seededRandom(seed),
    log: createLog("debug", { write: (line) => void logLines.push(line) }),
    http: {
      guarded: tracked(http.guarded),
      trusted: tracked(http.trusted),
      guardedStream: tracked(http.guardedStream),
      trustedStream: tracked(http.trustedStream),
    },
    vault: {
      read: () => track(readVault()),
      write: (next) => track(Promise.resolve().then(() => void (fields = { ...fields, ...next }))),
      openKeyStore: () => track(answered(openKeyStore())),
    },
    reports,
    events,
    endings,
    logLines,
    keyRows,
    get touches() {
      return touches;
    },
    get openEmits() {
      return openEmits.size;
    },
    get isEmitPaused() {
      return gate !== undefined;
    },
    emit: take,
    report(report) {
      reports.push(report);
      tell();
    },
    ended: (why) => void endings.push(why),
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

/** One turn of the event loop: everything that was ready to run has run. */
export const nextTurn = othersServed;
