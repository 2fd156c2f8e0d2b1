import { SESSION } from "../../../plugins/session/kind.ts";
import { providerMessageIdFor } from "../../../plugins/session/message-ids.ts";
import { MOVING } from "../../../plugins/session/moving/api.ts";
import { SessionChannelSettings } from "../../../plugins/session/settings.ts";
import type { PairingApi } from "../../../src/contract/abilities/pairing.ts";
import type { LinkReport, LinkState, ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelHost, ChannelLink, ChannelPlugin } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";

const QR_TTL_MS = 20 * SECOND_MS;
const INTEREST_MS = 5 * MINUTE_MS;
const CODE_TTL_MS = 2 * MINUTE_MS;

/**
 * The network and the owner's phone in the view of one channel; they outlive its links. Each verb throws if it has no
 * meaning now.
 */
export type Device = {
  /** The calls to the link, in order, and the reports that it would have made without its closing. */
  readonly calls: string[];
  /** Of each connect, whether the owner asked for it. */
  readonly asked: boolean[];
  /** The codes it has shown. */
  readonly shown: string[];
  /** The number for which a code was last asked. */
  readonly codeFor: string | undefined;
  showsQr(): boolean;
  /** From now on the network gives no QR code, until `showQr`. */
  hideQr(): void;
  showQr(): void;
  /** From now on a reset takes until `finishReset`. `reached` resolves when one has begun. */
  holdReset(): { reached: Promise<void> };
  finishReset(): void;
  /** The number of further failed requests to take back an old identity, because the network is away. */
  absences: number;
  /** The owner scans the code that is shown: the network takes it in. */
  scan(phoneNumber?: string): Promise<void>;
  /** The code to type is there; the owner types it. */
  makeCode(code: string): void;
  typeCode(): Promise<void>;
  /** The connection opens. */
  open(): void;
  /** The connection is lost, and the link tries again. */
  drop(): void;
  /** The network ends the connection, and the identity stays. */
  end(reason: string): void;
  /** The network sends an event over the open connection. */
  postInbound(): void;
  /** The owner removes the device. */
  logOut(): Promise<void>;
  /** The link reports out of turn. */
  report(report: LinkReport): void;
};

export type ScriptedSessions = {
  plugin: ChannelPlugin;
  /** Whether channels that are made from now on get no QR code before `showQr`. */
  areQrHidden: boolean;
  of(channelId: string): Device;
};

/**
 * A session network without a network. It follows a test's orders and the contract of pairing, and keeps its identity
 * in the channel's key store.
 */
export const scriptedSessions = (): ScriptedSessions => {
  const devices = new Map<string, ScriptedDevice>();
  const deviceOf = (channelId: string): ScriptedDevice => {
    const device = devices.get(channelId) ?? newDevice(channelId, sessions.areQrHidden);
    devices.set(channelId, device);
    return device;
  };
  const plugin: ChannelPlugin = {
    ...SESSION,
    name: "scripted-session",
    channelSettings: SessionChannelSettings,
    capabilities: { ...SESSION.capabilities, operations: {} },
    address: (to) => (/^\d{6,20}$/.test(to) ? { ok: true, to: `pn:${to}` } : { ok: false, code: "RECIPIENT_INVALID" }),
    moving: MOVING,
    open: (host) => linkOf(host, deviceOf(host.channelId)),
  };
  const sessions: ScriptedSessions = { plugin, areQrHidden: false, of: deviceOf };
  return sessions;
};

/** The acts of a device on its link. */
type Grip = {
  say(report: LinkReport): void;
  ended(why: string): void;
  postInbound(): void;
  wake(): void;
  pair(phoneNumber: string): Promise<void>;
  unpair(): Promise<void>;
  showsQr(): boolean;
  useCode(code?: string): void;
};
type ScriptedDevice = Device & {
  grip: Grip | undefined;
  isQrHidden: boolean;
  connectLimiter: PromiseWithResolvers<void> | undefined;
  reached: (() => void) | undefined;
  rounds: number;
  codeFor: string | undefined;
};

const newDevice = (channelId: string, isQrHidden: boolean): ScriptedDevice => {
  const held = (): Grip => {
    if (!device.grip) throw new Error(`${channelId} has no link`);
    return device.grip;
  };
  const device: ScriptedDevice = {
    grip: undefined,
    isQrHidden,
    connectLimiter: undefined,
    reached: undefined,
    rounds: 0,
    absences: 0,
    calls: [],
    asked: [],
    shown: [],
    codeFor: undefined,
    showsQr: () => device.grip?.showsQr() ?? false,
    hideQr: () => void (device.isQrHidden = true),
    showQr() {
      device.isQrHidden = false;
      held().wake();
    },
    holdReset() {
      device.connectLimiter = Promise.withResolvers<void>();
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      device.reached = resolve;
      return { reached };
    },
    finishReset() {
      device.connectLimiter?.resolve();
      device.connectLimiter = undefined;
    },
    async scan(phoneNumber = "5511988887777") {
      if (!held().showsQr()) throw new Error("there is no QR code to scan");
      await held().pair(phoneNumber);
    },
    makeCode: (code) => held().useCode(code),
    async typeCode() {
      held().useCode();
      await held().pair(device.codeFor ?? "");
    },
    open: () => held().say({ state: "CONNECTED", phoneNumber: "5511988887777" }),
    drop() {
      held().ended("retry");
      held().say({ state: "CONNECTING" });
    },
    end(reason) {
      held().ended("park");
      held().say({ state: "DISCONNECTED", reason });
    },
    postInbound: () => held().postInbound(),
    logOut: () => held().unpair(),
    report: (report) => held().say(report),
  };
  return device;
};

const linkOf = (host: ChannelHost, device: ScriptedDevice): ChannelLink => {
  const { clock } = host;
  let state: LinkState = "PENDING_QR";
  let keyStore: Promise<KeyStore> | undefined;
  let generation = 0;
  let isClosed = false;
  let lastReceivedAt = clock.now();
  let round: { begunAt: number; number: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let code: { text: string; madeAt: number } | undefined;
  let renewal: Promise<void> | undefined;
  const waiting = new Set<() => void>();

  const say = (report: LinkReport) => {
    if (isClosed) return void device.calls.push(`${report.state} unsaid`);
    state = report.state;
    host.report(report);
  };
  const keys = () => (keyStore ??= host.vault.openKeyStore());
  const keep = async (value: string, wipe: boolean) =>
    (await keys()).write({ wipe, rows: [{ kind: "creds", id: "creds", value }] });
  const forgetCodes = () => {
    round = undefined;
    code = undefined;
  };
  const beginRound = () => {
    if (device.isQrHidden || state !== "PENDING_QR") return;
    round = { begunAt: clock.now(), number: ++device.rounds };
    for (const notify of waiting) notify();
  };
  const begin = async () => {
    const mine = ++generation;
    const kept = (await (await keys()).read("creds", ["creds"])).get("creds");
    if (mine !== generation || isClosed) return;
    say({ state: kept === "paired" ? "CONNECTING" : "PENDING_QR" });
    if (kept !== "paired") beginRound();
  };
  /** The world may stop meanwhile. */
  const beginSoon = () =>
    void begin().catch((error: unknown) => {
      if (!isClosed) throw error;
    });
  const renew = async () => {
    generation += 1;
    forgetCodes();
    device.reached?.();
    await device.connectLimiter?.promise;
    await keep("new", true);
    await begin();
  };
  const currentQr = () => {
    if (!round) return undefined;
    const place = Math.floor((clock.now() - round.begunAt) / QR_TTL_MS);
    const text = `qr/${host.channelId}/${round.number}/${place}`;
    if (device.shown.at(-1) !== text) device.shown.push(text);
    return { text, expiresAt: round.begunAt + (place + 1) * QR_TTL_MS };
  };
  const pairing: PairingApi = {
    qr() {
      const isNew = clock.now() - askedAt > INTEREST_MS;
      askedAt = clock.now();
      if (!renewal && (isNew || !keyStore)) {
        round = undefined;
        beginSoon();
      }
      return currentQr();
    },
    async nextQr(withinMs) {
      if (!pairing.qr()) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const cancel = clock.timer(withinMs, resolve);
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
        cancel();
      }
      return currentQr();
    },
    endWaits() {
      for (const notify of waiting) notify();
    },
    requestCode(phoneNumber) {
      code = undefined;
      device.codeFor = phoneNumber;
    },
    code: () => (code && clock.now() - code.madeAt <= CODE_TTL_MS ? code.text : undefined),
    async unlinkOld() {
      device.absences -= 1;
      return device.absences < 0;
    },
    async reset() {
      device.calls.push("reset");
      renewal ??= renew().finally(() => (renewal = undefined));
      await renewal;
    },
  };
  device.grip = {
    say,
    ended: host.ended,
    postInbound: () => void (lastReceivedAt = clock.now()),
    wake: beginRound,
    showsQr: () => round !== undefined,
    async pair(phoneNumber) {
      forgetCodes();
      await keep("paired", false);
      say({ state: "CONNECTING", phoneNumber });
    },
    async unpair() {
      await keep("new", true);
      generation += 1;
      say({ state: "PENDING_QR", reason: "LOGGED_OUT" });
      beginRound();
    },
    useCode(text) {
      if (text === undefined && !pairing.code()) throw new Error("there is no code to type");
      code = text === undefined ? undefined : { text, madeAt: clock.now() };
    },
  };
  return {
    get lastReceivedAt() {
      return state === "CONNECTED" ? lastReceivedAt : undefined;
    },
    connect({ isAsked } = { isAsked: false }) {
      device.calls.push("connect");
      device.asked.push(isAsked);
      askedAt = clock.now();
      if (!renewal) beginSoon();
    },
    async close() {
      if (!isClosed) device.calls.push("close");
      isClosed = true;
      forgetCodes();
      for (const notify of waiting) notify();
    },
    forget: async () => void device.calls.push("forget"),
    providerMessageIdFor,
    async send(order) {
      if (state !== "CONNECTED")
        return { ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "the session is not connected" };
      device.calls.push(`send ${order.to}`);
      return { ok: true, key: order.key as ProviderMessageId };
    },
    operate: async () => ({ ok: true }),
    pairing,
  };
};
