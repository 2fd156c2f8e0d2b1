import { equal } from "node:assert/strict";
import type { Content } from "../contract/content.ts";
import type { ChannelEvent } from "../contract/events.ts";
import type { Http } from "../contract/http.ts";
import type { Operation } from "../contract/operations.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../contract/plugin.ts";
import { type KnownKeys, operationsOn } from "./promised-operations.ts";
import { type RecordingHost, recordingHost } from "./recording-host.ts";
import { SAMPLES } from "./samples.ts";

/** The simulated network of an adapter, as its author sets it up for every law anew. */
export type Setup = {
  /** The fields of the vault of a channel that connects. */
  vault: Record<string, string>;
  /**
   * The rows of the key ring of a channel that connects, for each channel anew. Missing where links have no key ring.
   */
  newKeyStore?(): Promise<ReadonlyMap<string, string>>;
  /** Values of the vault, the key ring and the settings that nobody may ever see. */
  secrets: readonly string[];
  /** A recipient that takes messages, as a client writes it. */
  recipient: string;
  /** What no recipient looks like. Default: texts that are no phone number. */
  wrongRecipients?: readonly string[];
  /**
   * Makes the outcome of the next send unknowable: the network takes it and does not answer. Returns whom to send it
   * to.
   */
  makeUnknowable(): string | Promise<string>;
  /** From now on the network cannot be reached. Missing where the adapter has no network. */
  makeUnreachable?(): Promise<void>;
  /** Lets the link emit at least two events of one chat, the same ones every time. Missing where links emit nothing. */
  provoke?(link: ChannelLink, host: RecordingHost): Promise<void>;
  /** How many inbound events the network has seen acknowledged, where links acknowledge. */
  acknowledged?(): number;
  /**
   * A webhook with at least two events of one chat, in order, and their keys. Missing where the network calls nobody.
   */
  webhook?: {
    rawBody: string;
    headers: Headers;
    keys: readonly string[];
    /**
     * Of a `webhook` adapter: true where the headers sign the body, false (the default) where they hold a secret alone.
     */
    isSigned?: boolean;
  };
  close(): Promise<void>;
};

/** A set-up with the adapter that is examined, and what it reaches its network by. */
export type Pupil = Setup & { plugin: ChannelPlugin; http: Http };

/** What an adapter is made of: which laws there is something to look at for. */
export type Traits = { hasUpstream: boolean; hasReceiver: boolean; linkEmits: boolean };

export const traitsOf = ({ makeUnreachable, webhook, provoke }: Setup): Traits => ({
  hasUpstream: makeUnreachable !== undefined,
  hasReceiver: webhook !== undefined,
  linkEmits: provoke !== undefined,
});

export const TEXT: Content = { type: "text", content: SAMPLES.text };
const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";
const WRONG_RECIPIENTS = ["", "+5511999990000", "abc", "1", "55 11 99999"];

/** One adapter with one link of its own, and what a law needs to examine it. */
export type Bench = ReturnType<typeof benchOf>;

/** The bench that a law works at: a link that has just been opened on a host that records everything. */
export const openBench = async (pupil: Pupil, folder: string): Promise<Bench> => {
  const newHost = async () => {
    const keyRows = await pupil.newKeyStore?.();
    return recordingHost({ http: pupil.http, vault: pupil.vault, ...(keyRows ? { keyRows } : {}) });
  };
  const host = await newHost();
  return benchOf({ pupil, folder, host, link: pupil.plugin.open(host), newHost });
};

type Parts = {
  pupil: Pupil;
  folder: string;
  host: RecordingHost;
  link: ChannelLink;
  newHost(): Promise<RecordingHost>;
};

const benchOf = ({ pupil, folder, host, link, newHost }: Parts) => {
  let made = 0;
  const { plugin } = pupil;
  const newMessageId = () => `0198a000-1111-4222-8333-${String(++made).padStart(12, "0")}`;
  const addressOf = (to: string): string => {
    const address = plugin.address(to);
    if (!address.ok) throw new Error(`the adapter refuses the recipient ${to} of its own set-up`);
    return address.to;
  };
  const order = (content: Content = TEXT, to = pupil.recipient): SendOrder => ({
    ...content,
    messageId: MESSAGE_ID,
    to: addressOf(to),
    ...(link.providerMessageIdFor ? { key: link.providerMessageIdFor(newMessageId()) } : {}),
  });
  const { parsed, inbound } = inboundOf({ pupil, newHost });
  /** A message that came and one that was sent, where they can be had. */
  const known = async (): Promise<KnownKeys> => {
    const came = (await inbound()).find((event) => event.kind === "received");
    const sent = await link.send(order());
    return { ...(came ? { inbound: came.key } : {}), ...(sent.ok ? { outbound: sent.key } : {}) };
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
    isVerified: verifierOf(pupil),
    wrongRecipients: pupil.wrongRecipients ?? WRONG_RECIPIENTS,
    /** Connects, and waits until the link has reported that it is connected. Throws where it reports that it failed. */
    async connect() {
      link.connect();
      await host.until(() => ["CONNECTED", "FAILED"].includes(host.reports.at(-1)?.state ?? ""));
      equal(host.reports.at(-1)?.state, "CONNECTED");
    },
    /** What the adapter says can be done with messages, each once on every side that it names. */
    promisedOperations: async (): Promise<Operation[]> =>
      operationsOn(plugin.capabilities.operations, await known(), addressOf(pupil.recipient)),
    async close() {
      await link.close();
      await pupil.close();
    },
  };
};

/** The events that the webhook of the set-up holds, and those that a link of its own emits. */
const inboundOf = ({ pupil, newHost }: Pick<Parts, "pupil" | "newHost">) => {
  const { plugin } = pupil;
  const parsed = (): ChannelEvent[] => {
    const rawBody = pupil.webhook?.rawBody ?? "";
    if (plugin.webhook) return plugin.webhook.parse(rawBody);
    return plugin.receiver?.parse(rawBody).map(({ event }) => event) ?? [];
  };
  const emitted = async (): Promise<ChannelEvent[]> => {
    const other = await newHost();
    const otherLink = plugin.open(other);
    await pupil.provoke?.(otherLink, other);
    await otherLink.close();
    return [...other.events];
  };
  const inbound = async (): Promise<ChannelEvent[]> => [...parsed(), ...(await emitted())];
  return { parsed, inbound };
};

/** Whether the adapter takes a body with these headers for one of its network. */
const verifierOf = ({ plugin, webhook, vault }: Pupil) => ({
  isConfigured: plugin.webhook !== undefined || plugin.receiver?.isConfigured === true,
  /** A signature covers the body; a secret in the headers does not. */
  coversBody: plugin.receiver !== undefined || webhook?.isSigned === true,
  of(body: string, headers: Headers): boolean {
    const bytes = Buffer.from(body);
    if (plugin.webhook) return plugin.webhook.isSigned(headers) && plugin.webhook.verify(bytes, headers, vault);
    return plugin.receiver?.verify(bytes, headers) === true;
  },
});
