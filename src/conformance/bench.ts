import { equal } from "node:assert/strict";
import type { Operation } from "../contract/abilities/operations.ts";
import type { Content } from "../contract/content/content.ts";
import type { ChannelEvent } from "../contract/events.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../contract/plugin.ts";
import type { Http } from "../contract/ports/http.ts";
import { type KnownKeys, operationsOn } from "./promised-operations.ts";
import { type RecordingHost, recordingHost } from "./recording-host.ts";
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
  /** Makes the network unreachable. Missing if the adapter has no network. */
  makeUnreachable?(): Promise<void>;
  /** Makes the link emit two or more events of one chat, the same every time. Missing if links emit nothing. */
  provoke?(link: ChannelLink, host: RecordingHost): Promise<void>;
  /** The number of inbound events that the network has seen acknowledged, if links acknowledge. */
  acknowledged?(): number;
  /** A webhook with two or more events of one chat, in order, and their keys. Missing if the network calls none. */
  webhook?: {
    rawBody: string;
    headers: Headers;
    keys: readonly string[];
    /** For a `webhook` adapter: true if the headers sign the body, false if they hold only a secret. @default false */
    isSigned?: boolean;
  };
  close(): Promise<void>;
};

/** A set-up with the adapter that is tested and its HTTP client. */
export type Pupil = Setup & { plugin: ChannelPlugin; http: Http };

/** Parts of an adapter that decide whether a law applies to it. */
export type Traits = { hasUpstream: boolean; hasReceiver: boolean; linkEmits: boolean };

export const traitsOf = ({ makeUnreachable, webhook, provoke }: Setup): Traits => ({
  hasUpstream: makeUnreachable !== undefined,
  hasReceiver: webhook !== undefined,
  linkEmits: provoke !== undefined,
});

export const TEXT: Content = { type: "text", content: SAMPLES.text };
const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";
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
  /** The keys of a received message and a sent one, if the adapter has them. */
  const known = async (): Promise<KnownKeys> => {
    const received = (await inbound()).find((event) => event.kind === "received");
    const sent = await link.send(order());
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
    isVerified: verifierOf(pupil),
    wrongRecipients: pupil.wrongRecipients ?? WRONG_RECIPIENTS,
    /** Connects, and resolves when the link has reported CONNECTED. Throws when it reports FAILED. */
    async connect() {
      link.connect();
      await host.until(() => ["CONNECTED", "FAILED"].includes(host.reports.at(-1)?.state ?? ""));
      equal(host.reports.at(-1)?.state, "CONNECTED");
    },
    /** The operations that the adapter declares, one for every side that it names. */
    promisedOperations: async (): Promise<Operation[]> =>
      operationsOn(plugin.capabilities.operations, await known(), addressOf(pupil.recipient)),
    async close() {
      await link.close();
      await pupil.close();
    },
  };
};

/** The events in the set-up's webhook, and those that a separate link emits. */
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

/** Whether the adapter accepts a body with these headers as sent by its network. */
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
