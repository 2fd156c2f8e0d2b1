import type { TSchema } from "@sinclair/typebox";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { CallsApi } from "./calls.ts";
import type { Content } from "./content.ts";
import type { ChannelEvent, LinkReport, LinkState, ProviderMessageId } from "./events.ts";
import type { FlowApi, FlowCipher } from "./flows.ts";
import type { GroupsApi } from "./groups.ts";
import type { Http } from "./http.ts";
import type { KeyStore, RestoredKeyStore } from "./key-store.ts";
import type { KindDeclaration } from "./kind.ts";
import type { LookupApi } from "./lookup.ts";
import type { MediaApi } from "./media.ts";
import type { OAuth } from "./oauth.ts";
import type { BusinessApi, Signup } from "./onboarding.ts";
import type { Operation, OperationOutcome } from "./operations.ts";
import type { SendOutcome } from "./outcome.ts";
import type { PairingApi } from "./pairing.ts";
import type { TemplateApi } from "./templates.ts";
import type { UpstreamResult } from "./upstream.ts";

/**
 * An adapter for one network. Everything it may touch comes through `open(host)`; the laws are in plugins/README.md.
 * How its channels are made follows from it: by pairing where `network.isPaired`, by what `credentials` describes, by
 * `signup`, or by `oauth` alone.
 */
export type ChannelPlugin = KindDeclaration & {
  /**
   * What a client gives to make a channel: an object schema whose properties are texts. Both APIs check it, publish its
   * properties with their `title` in their descriptions and name the property that is wrong (a property's `description`
   * is the sentence that says so, as "must be …"); the texts go to the channel's vault under the same names. Without it
   * credentials are refused.
   */
  credentials?: TSchema;
  /**
   * The ids at the network that credentials name, by which envelopes find the channel (`Route`); without it a channel
   * made by credentials has none. Pure.
   */
  routeOf?(credentials: Record<string, string>): { numberId?: string; accountId?: string; verifyToken?: string };
  /** Makes the link of one channel. No I/O. */
  open(host: ChannelHost): ChannelLink;
  receiver?: UpstreamReceiver;
  /** Present where the network calls one address per channel. */
  webhook?: ChannelWebhook;
  /** Present where the network has a sign-up of its own for business numbers. */
  signup?(http: Http): Signup;
  /** Present where channels are made by their owner's consent at the network. */
  oauth?(ports: Pick<ChannelHost, "http" | "clock">): OAuth;
  /** Present where the network has flows: forms inside a chat. */
  flowCipher?: FlowCipher;
  /**
   * The canonical key (`pn:…`, `bsuid:…`, `uid:…`) of a recipient as a client names it, or what is wrong with it. Sends
   * are addressed by canonical keys, so each of them is its own.
   */
  address(to: string): Address;
  /**
   * Makes a key ring from a backup fit to be used, with keys that have moved on since: whatever would be used a second
   * time goes, and what the network knows the channel by stays. Present where keys change with their use.
   */
  restored?(keyStore: RestoredKeyStore, ports: Pick<ChannelHost, "random">): Promise<void>;
  /** Whether a stored key can be one of this network's; without it every key is believed. */
  isKey?(key: string): boolean;
};

export type Address = { ok: true; to: string } | { ok: false; code: "RECIPIENT_INVALID" | "ADDRESS_INVALID" };

/** One channel's connection to its network. */
export type ChannelLink = {
  /** What it last reported. Never does I/O. */
  readonly state: LinkState;
  /**
   * When the network was last heard on the connection that is open; undefined while none is. Present where a connection
   * stays open.
   */
  readonly lastReceivedAt?: number | undefined;
  /** Starts connecting, or connects anew. Never throws: what comes of it is reported to the host. */
  connect(): void;
  /** Idempotent; ends within 5 s, and nothing is reported or emitted after it. */
  close(): Promise<void>;
  /**
   * Lets go of the identity at the network, as far as the network allows: best effort, never throws, ends within 10 s.
   */
  forget(disconnectOptions: DisconnectOptions): Promise<void>;
  /** Renews credentials that run out, if they can be renewed yet; present where they do run out. */
  refresh?(): Promise<UpstreamResult<true>>;
  /**
   * Acts on a message that is there already; present exactly where `capabilities.operations` names something. Never
   * throws.
   */
  operate?(operation: Operation): Promise<OperationOutcome>;
  /**
   * The native key of a message that is to be sent, the same whenever it is asked for; present exactly where
   * `capabilities.choosesMessageIds`.
   */
  providerMessageIdFor?(messageId: string): ProviderMessageId;
  /** Present exactly where the plugin has a `signup`. */
  readonly business?: BusinessApi;
  /** Present exactly where the plugin has a `flowCipher`. */
  readonly flows?: FlowApi;
  /** Present where a business number can have groups, and can call. */
  readonly groups?: GroupsApi;
  readonly calls?: CallsApi;
  /** Present exactly where `capabilities.lookups`. */
  readonly lookup?: LookupApi;
  /** Present where messages bring files, or may name them by handles. */
  readonly media?: MediaApi;
  /** Present where channels are paired with a device of their owner. */
  readonly pairing?: PairingApi;
  /**
   * How long a send to `to` has to wait for its turn, and all that is behind it on the channel; 0 takes the turn. Asked
   * again when the time is up. Never does I/O. Present where the network punishes haste.
   */
  paceMs?(to: string): number;
  /** Never throws: it returns an outcome. */
  send(order: SendOrder): Promise<SendOutcome>;
  /** Present exactly where `capabilities.templates`. */
  readonly templates?: TemplateApi;
};

/**
 * `deregister`: the owner wants the number off the network altogether. `isLastOfAccount`: no other channel uses this
 * account at the network.
 */
export type DisconnectOptions = { deregister: boolean; isLastOfAccount: boolean };

/** `messageId` is ours; the network carries it along where it can. `key` is what `providerMessageIdFor` gave. */
export type SendOrder = Content & {
  messageId: string;
  to: string;
  key?: ProviderMessageId;
  quotedProviderMessageId?: ProviderMessageId;
};

/** What a channel's link may use of the process. */
export type ChannelHost = {
  readonly channelId: string;
  /**
   * Where the network reaches this channel: what comes there goes to the adapter's `webhook`. Of no use without one.
   */
  readonly webhookUrl: string;
  /** The channel's private state, encrypted at rest: credentials, session keys. The only place for secrets. */
  readonly vault: Vault;
  readonly http: Http;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Resolves when the event is on disk; acknowledge upstream only then. */
  emit(event: ChannelEvent): Promise<void>;
  /** Speaks of health; the only way to do so. Repeating a state changes nothing. */
  report(report: LinkReport): void;
  /**
   * Says that a connection to the network has ended, and what that asks for: one of few words, for the operator's
   * figures.
   */
  ended(why: string): void;
};

export type Vault = {
  read(): Promise<Record<string, string>>;
  write(fields: Record<string, string>): Promise<void>;
  /**
   * Takes over the channel's key ring: what was opened before can no longer write. For networks whose messages are
   * encrypted end to end by the link itself.
   */
  openKeyStore(): Promise<KeyStore>;
};

/**
 * A channel as an envelope names it: its id at the network (`number`), or the account there whose channels are all
 * meant, or the one of them with this phone number.
 */
export type Route = { by: "number" | "account"; id: string; phoneNumber?: string };

/** How webhooks of the upstream are verified and read. Pure: no I/O. */
export type UpstreamReceiver = {
  /** False when the operator has set no secret, so that nothing can be verified. */
  isConfigured: boolean;
  /** Whether an envelope is of this network: several may share an address and a secret. */
  isFor(rawBody: string): boolean;
  /**
   * Whether the headers have a signature at all, in the form of this network: without one the body is not even read.
   */
  isSigned(headers: Headers): boolean;
  /**
   * Whether the signature in the headers was made over exactly these bytes with one of our secrets. (The text that
   * others get is them as UTF-8.)
   */
  verify(rawBody: Uint8Array, headers: Headers): boolean;
  /** The operator's own verify token, for the upstream's handshake. */
  isVerifyToken(token: string): boolean;
  /**
   * Every fact of an envelope with the channel it belongs to. Never throws: what it cannot read is an `unknown` fact.
   */
  parse(rawBody: string): { route: Route; event: ChannelEvent }[];
};

/**
 * How webhooks are verified and read whose address names the channel: `host.webhookUrl`. Pure: no I/O. Their envelope
 * is on disk before they are answered with 200.
 */
export type ChannelWebhook = {
  /**
   * Whether the headers have a signature or secret at all, in the form of this network: without one the body is not
   * even read.
   */
  isSigned(headers: Headers): boolean;
  /** Whether they are those of this channel, whose vault holds `secrets`. Compare secrets with `timingSafeEqual`. */
  verify(rawBody: Uint8Array, headers: Headers, secrets: Readonly<Record<string, string>>): boolean;
  /** Every event of an envelope. Never throws: what it cannot read is an `unknown` fact. */
  parse(rawBody: string): ChannelEvent[];
  /**
   * What the 200 says as JSON, where the network reads it; undefined, and without this function, what Recado says to
   * all. Never throws.
   */
  answer?(rawBody: string): Readonly<Record<string, unknown>> | undefined;
};
