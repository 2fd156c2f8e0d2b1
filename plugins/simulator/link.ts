import type { ChannelEvent, LinkReport, LinkState, ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, ChannelLink, SendOrder } from "../../src/contract/plugin.ts";
import { simulatedNumberOf } from "../../src/contract/simulated-number.ts";
import type { Cancel } from "../../src/kernel/clock.ts";
import { sha256 } from "../../src/kernel/crypto.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import { leave } from "../../src/kernel/network/bodies.ts";
import { identityOf } from "./address.ts";
import { simulatorLookup } from "./lookup.ts";
import { simulatorMedia } from "./media.ts";
import { simulatorTemplates } from "./templates.ts";

const DELIVERED_AFTER_MS = 50;
const READ_AFTER_MS = 150;
const ECHO_AFTER_MS = 250;
const REMEMBERED_KEYS = 1000;
/** The prefix of Recado's own handles. */
const OWN_HANDLE = /^file-/;

const REFUSED: SendOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_BAD_REQUEST",
  reason: "(#131026) Message undeliverable",
  upstreamCode: 131026,
};
const NO_FILE: SendOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_BAD_REQUEST",
  reason: "the file of mediaHandle is not kept any more",
};
const UNKNOWN: SendOutcome = { ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" };
const CLOSED: Extract<SendOutcome, { ok: false }> = {
  ok: false,
  kind: "retry",
  code: "CHANNEL_UNAVAILABLE",
  reason: "the channel is closed",
};

const providerMessageIdFor = (messageId: string): ProviderMessageId =>
  `SIM${sha256(messageId).slice(0, 18).toUpperCase()}` as ProviderMessageId;

/** One simulated channel. Its events come by the clock and in order; a send repeated under its key is recognised. */
export const simulatorLink = (
  host: ChannelHost,
  { echo: isEcho, reviews }: { echo: boolean; reviews: boolean },
): ChannelLink => {
  let state: LinkState = "PENDING";
  let queue: Promise<void> = Promise.resolve();
  let isClosed = false;
  const timers = new Set<Cancel>();
  const taken = new Set<ProviderMessageId>();

  const report = (next: LinkReport): void => {
    state = next.state;
    host.report(next);
  };
  // an event whose predecessor is not on disk yet waits for it, and is dropped if the link closes meanwhile
  const emitLater = (delayMs: number, event: () => ChannelEvent): void => {
    const cancel = host.clock.timer(delayMs, () => {
      queue = queue
        .then(() => (timers.delete(cancel) ? host.emit(event()) : undefined))
        .catch((thrown) => host.log.error({ reason: reasonOf(thrown) }, "simulated event was not taken"));
    });
    timers.add(cancel);
  };
  const newKey = (): ProviderMessageId =>
    `SIM${Buffer.from(host.random.bytes(9)).toString("hex").toUpperCase()}` as ProviderMessageId;

  const answer = (order: SendOrder, key: ProviderMessageId): void => {
    const { messageId } = order;
    const to = identityOf(order.to);
    emitLater(DELIVERED_AFTER_MS, () => ({
      kind: "receipt",
      key,
      at: host.clock.now(),
      status: "delivered",
      messageId,
      to,
    }));
    emitLater(READ_AFTER_MS, () => ({ kind: "receipt", key, at: host.clock.now(), status: "read", messageId, to }));
    if (isEcho && order.type === "text")
      emitLater(ECHO_AFTER_MS, () => echoOf(order.content.text, to, newKey(), host.clock.now()));
  };

  return {
    connect() {
      isClosed = false;
      if (state !== "CONNECTED") report({ state: "CONNECTING" });
      report({ state: "CONNECTED", phoneNumber: simulatedNumberOf(host.channelId) });
    },
    close: async () => {
      isClosed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
    // no network has an identity to delete
    forget: async () => {},
    providerMessageIdFor,
    lookup: simulatorLookup(host.clock),
    media: simulatorMedia(host.random),
    ...(reviews ? { templates: simulatorTemplates(host, emitLater) } : {}),
    async send(order) {
      const failure = isClosed ? CLOSED : (failureTo(order.to) ?? (await failureOfFile(host, order)));
      if (failure) return failure;
      const key = order.key ?? newKey();
      if (!taken.has(key)) answer(order, key);
      remember(taken, key);
      return { ok: true, key, recipient: order.to };
    },
    operate: async () => (isClosed ? CLOSED : { ok: true }),
  };
};

/** A file that the account keeps at Recado must exist, as for the networks that are given its bytes. */
const failureOfFile = async ({ openFile }: ChannelHost, { content }: SendOrder): Promise<SendOutcome | undefined> => {
  const handle = "mediaHandle" in content ? content.mediaHandle : undefined;
  if (!openFile || handle === undefined || !OWN_HANDLE.test(handle)) return undefined;
  const kept = await openFile(handle);
  if (kept) leave(kept.body);
  return kept ? undefined : NO_FILE;
};

const failureTo = (to: string): SendOutcome | undefined => {
  const [, ending] = /^pn:999\d*(000[01])$/.exec(to) ?? [];
  return ending === undefined ? undefined : ending === "0000" ? REFUSED : UNKNOWN;
};

const echoOf = (
  text: string,
  from: ReturnType<typeof identityOf>,
  key: ProviderMessageId,
  at: number,
): ChannelEvent => ({
  kind: "received",
  key,
  at,
  from,
  chat: from,
  pushName: "Simulator",
  content: { type: "text", content: { text: `You said: ${text}` } },
});

const remember = (keys: Set<ProviderMessageId>, key: ProviderMessageId): void => {
  keys.add(key);
  if (keys.size <= REMEMBERED_KEYS) return;
  for (const oldest of keys) {
    keys.delete(oldest);
    return;
  }
};
