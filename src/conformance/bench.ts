import { ok } from "node:assert/strict";
import type { Operation } from "../contract/abilities/operations.ts";
import { linksKeptFiles } from "../contract/capabilities.ts";
import type { Content } from "../contract/content/content.ts";
import type { ChannelEvent } from "../contract/events.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../contract/plugin.ts";
import type { Http } from "../contract/ports/http.ts";
import { keptPart, type WebhookHead, type WebhookRequest } from "../contract/webhooks.ts";
import { explainedLink, explainedPlugin } from "./explained.ts";
import { START_MS } from "./manual-clock.ts";
import { type KnownKeys, operationsOn } from "./promised-operations.ts";
import { type RecordingHost, recordingHost, webhookUrlOf } from "./recording-host.ts";
import { SAMPLES } from "./samples.ts";

/** The simulated network of an adapter. Its author's function makes a new one for every law. */
export type Setup = {
  /** The vault's fields of a channel that connects. */
  vault: Record<string, string>;
  /** The rows of the key store of a channel that connects, new for each channel. Missing if links have no key store. */
  newKeyStore?(): Promise<ReadonlyMap<string, string>>;
  /** Values of the vault, the key store and the settings that must never leave the adapter. */
  secrets: readonly string[];
  /** A recipient that accepts messages, as a client writes it. */
  recipient: string;
  /** Texts that are not recipients. @default texts that are not phone numbers */
  wrongRecipients?: readonly string[];
  /**
   * Makes the outcome of the next send unknown: the network accepts it and does not answer. Returns the recipient.
   */
  makeUnknowable(): string | Promise<string>;
  /** Makes the network refuse the channel's credentials from now on. Missing if channels have none. */
  refuseToken?(): void | Promise<void>;
  /** The options of a send, all of them, with values that the network takes. Missing if `recipient` takes none. */
  options?: Readonly<Record<string, string>>;
  /**
   * Makes the network refuse the next send, because its recipient opted out. Returns the recipient. Missing if the
   * network knows no opt-outs.
   */
  refuseOptedOut?(): string | Promise<string>;
  /** Requests by which the network reports an opt-out. Missing if it reports none. */
  optOut?: SampleWebhook | readonly SampleWebhook[];
  /** Makes the network unreachable. Missing if the adapter has no network. */
  makeUnreachable?(): Promise<void>;
  /** Makes the link emit two or more events of one chat, the same every time. Missing if links emit nothing. */
  provoke?(link: ChannelLink, host: RecordingHost): Promise<void>;
  /** The number of inbound events that the network has seen acknowledged, if links acknowledge. */
  acknowledged?(): number;
  /**
   * Two or more events of one chat, in order, and their keys: in one request or in a list of requests. Missing if the
   * network calls no webhook.
   */
  webhook?: SampleWebhook | readonly SampleWebhook[];
  close(): Promise<void>;
};

/** A request of the simulated network. */
export type SampleWebhook = {
  rawBody: string | Uint8Array;
  headers: Headers;
  /** The query, such as `token=x&part=1`. */
  query?: string;
  keys: readonly string[];
  /** For a `webhook` adapter: true if the request signs the body, false if it only shows a secret. @default false */
  isSigned?: boolean;
  /** Where requests carry a time: after how many milliseconds the same request is refused. */
  expiresAfterMs?: number;
  /** Where the adapter has `handshake`: the queries of a GET that it answers, and of a GET that it refuses. */
  handshake?: { query: string; wrongQuery: string };
};

/** The requests of the set-up, in their order. */
const samplesOf = (webhook: Setup["webhook"]): readonly SampleWebhook[] =>
  webhook === undefined ? [] : [webhook].flat();

/** What a webhook of the set-up may contain: the address that it calls, and the time at which it comes. */
export type Given = { webhookUrl: string; now: number };
export const GIVEN: Given = { webhookUrl: webhookUrlOf(), now: START_MS };

/** A set-up with the adapter that is tested and its HTTP client. */
export type Pupil = Setup & { plugin: ChannelPlugin; http: Http };

/** Parts of an adapter that decide whether a law applies to it. */
export type Traits = {
  hasUpstream: boolean;
  hasReceiver: boolean;
  linkEmits: boolean;
  refusesToken: boolean;
  hasOptions: boolean;
  /** The core puts links in the place of kept files. */
  getsLinks: boolean;
  refusesOptedOut: boolean;
  reportsOptOuts: boolean;
};

export const traitsOf = ({ makeUnreachable, webhook, provoke, refuseToken, ...pupil }: Pupil): Traits => ({
  hasUpstream: makeUnreachable !== undefined,
  hasReceiver: samplesOf(webhook).length > 0,
  linkEmits: provoke !== undefined,
  refusesToken: refuseToken !== undefined,
  hasOptions: pupil.options !== undefined,
  getsLinks: linksKeptFiles(pupil.plugin.capabilities),
  refusesOptedOut: pupil.refuseOptedOut !== undefined,
  reportsOptOuts: pupil.optOut !== undefined,
});

export const TEXT: Content = { type: "text", content: SAMPLES.text };
const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";
const CONNECT_ENDS: readonly string[] = ["CONNECTED", "FAILED", "TOKEN_EXPIRED"];
const WRONG_RECIPIENTS = ["", "+5511999990000", "abc", "1", "55 11 99999"];

/** One adapter with one link, and the tools of a law that tests them. */
export type Bench = ReturnType<typeof benchOf>;

/** Opens a link of the adapter on a host that records everything. */
export const openBench = async (pupil: Pupil, folder: string): Promise<Bench> => {
  const newHost = async () => {
    const keyRows = await pupil.newKeyStore?.();
    return recordingHost({ http: pupil.http, vault: pupil.vault, ...(keyRows ? { keyRows } : {}) });
  };
  const host = await newHost();
  const plugin = explainedPlugin(pupil.plugin, folder);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // a law that ends before has no use for it
  const link = explainedLink(plugin.open(host), folder, failed.reject);
  return benchOf({ pupil: { ...pupil, plugin }, folder, host, link, newHost, failed: failed.promise });
};

type Parts = {
  pupil: Pupil;
  folder: string;
  host: RecordingHost;
  link: ChannelLink;
  newHost(): Promise<RecordingHost>;
  /** Rejects with what `connect` threw, at once or later. */
  failed: Promise<never>;
};

const benchOf = ({ pupil, folder, host, link, newHost, failed }: Parts) => {
  let made = 0;
  const { plugin } = pupil;
  const newMessageId = () => `0198a000-1111-4222-8333-${String(++made).padStart(12, "0")}`;
  const addressOf = async (to: string): Promise<string> => {
    const address = await plugin.address(to);
    if (!address.ok) throw new Error(`the adapter refuses the recipient ${to} of its own set-up`);
    return address.to;
  };
  const order = async (content: Content = TEXT, to = pupil.recipient): Promise<SendOrder> => ({
    ...content,
    messageId: MESSAGE_ID,
    to: await addressOf(to),
    ...(link.providerMessageIdFor ? { key: link.providerMessageIdFor(newMessageId()) } : {}),
  });
  const { parsed, inbound, consents } = inboundOf({ pupil, host, newHost });
  /** The keys of a received message and a sent one, if the adapter has them. */
  const known = async (): Promise<KnownKeys> => {
    const received = (await inbound()).find((event) => event.kind === "received");
    const sent = await link.send(await order());
    return { ...(received ? { inbound: received.key } : {}), ...(sent.ok ? { outbound: sent.key } : {}) };
  };
  return {
    pupil,
    plugin,
    folder,
    host,
    link,
    order,
    parsed,
    inbound,
    consents,
    samples: samplesOf(pupil.webhook),
    receiver: receiverOf({ pupil, host }),
    wrongRecipients: pupil.wrongRecipients ?? WRONG_RECIPIENTS,
    failed,
    /** Connects, and resolves when the link has reported CONNECTED. Throws when it reports that it cannot. */
    async connect() {
      link.connect();
      await host.until(() => CONNECT_ENDS.includes(host.reports.at(-1)?.state ?? ""));
      const { state, reason = "no reason" } = host.reports.at(-1) ?? {};
      ok(state === "CONNECTED", `connect reported ${state} (${reason}), not CONNECTED`);
    },
    /** The operations that the adapter declares, one for every side that it names. */
    promisedOperations: async (): Promise<Operation[]> =>
      operationsOn(plugin.capabilities.operations, await known(), await addressOf(pupil.recipient)),
    async close() {
      await link.close();
      await pupil.close();
    },
  };
};

/** A request of the set-up as the network would send it to the channel of the bench. */
const sampleRequest = (sample: SampleWebhook, host: Pick<RecordingHost, "clock" | "webhookUrl">): WebhookRequest => {
  const { rawBody, headers, query = "" } = sample;
  return {
    method: "POST",
    ...locationOf(host.webhookUrl, query),
    headers,
    receivedAt: host.clock.now(),
    rawBody: Buffer.from(rawBody),
  };
};

const locationOf = (address: string, query: string): Pick<WebhookHead, "url" | "query"> => ({
  url: query === "" ? address : `${address}?${query}`,
  query: new URLSearchParams(query),
});

/** The events in the set-up's requests, and those that a separate link emits. */
const inboundOf = ({ pupil, host, newHost }: Pick<Parts, "pupil" | "host" | "newHost">) => {
  const { plugin } = pupil;
  /** `parse` gets what is stored of a request. */
  const eventsIn = async (sample: SampleWebhook): Promise<ChannelEvent[]> => {
    const { receiver, webhook } = plugin;
    const request = keptPart(sampleRequest(sample, host), (webhook ?? receiver)?.keeps);
    if (webhook) return (await webhook.parse(request)).map((item) => ("event" in item ? item.event : item));
    return ((await receiver?.parse(request)) ?? []).map(({ event }) => event);
  };
  const eventsOf = async (samples: Setup["webhook"]): Promise<ChannelEvent[]> => {
    const events: ChannelEvent[] = [];
    for (const sample of samplesOf(samples)) events.push(...(await eventsIn(sample)));
    return events;
  };
  const parsed = () => eventsOf(pupil.webhook);
  /** What the requests of `optOut` say of people's wishes. */
  const consents = async () => (await eventsOf(pupil.optOut)).filter((event) => event.kind === "consent");
  const emitted = async (): Promise<ChannelEvent[]> => {
    const other = await newHost();
    const otherLink = plugin.open(other);
    await pupil.provoke?.(otherLink, other);
    await otherLink.close();
    return [...other.events];
  };
  const inbound = async (): Promise<ChannelEvent[]> => [...(await parsed()), ...(await emitted())];
  return { parsed, inbound, consents };
};

/** What the adapter says of requests: whether they are its network's, and how it answers a handshake. */
const receiverOf = ({ pupil, host }: Pick<Parts, "pupil" | "host">) => {
  const { plugin, vault } = pupil;
  const { receiver, webhook } = plugin;
  const headOf = (query: string): WebhookHead => ({
    method: "GET",
    ...locationOf(host.webhookUrl, query),
    headers: new Headers(),
    receivedAt: host.clock.now(),
  });
  return {
    isConfigured: webhook !== undefined || receiver?.isConfigured === true,
    /** A signature covers the body; a secret beside it does not. */
    coversBody: ({ isSigned = false }: SampleWebhook): boolean => receiver !== undefined || isSigned,
    hasHandshake: (webhook ?? receiver)?.handshake !== undefined,
    /** Whether the adapter takes a request of the set-up with these changes. */
    async takes(sample: SampleWebhook, changes: Partial<WebhookRequest> = {}): Promise<boolean> {
      const request = { ...sampleRequest(sample, host), ...changes };
      if (webhook) return (await webhook.isSigned(request)) && (await webhook.verify(request, vault));
      return (await receiver?.isSigned(request)) === true && (await receiver?.verify(request)) === true;
    },
    /** Whether the adapter answers a GET with this query. */
    async answers(query: string): Promise<boolean> {
      const head = headOf(query);
      if (webhook) return (await webhook.handshake?.(head, vault)) !== undefined;
      return (await receiver?.handshake?.(head))?.isOperators === true;
    },
    answer: (sample: SampleWebhook) => (webhook ?? receiver)?.answer?.(sampleRequest(sample, host)),
  };
};
