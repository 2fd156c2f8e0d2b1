import type { TSchema } from "@sinclair/typebox";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { BusinessProfilesApi } from "./abilities/business-profiles.ts";
import type { CallsApi } from "./abilities/calls.ts";
import type { CatalogApi } from "./abilities/catalog.ts";
import type { ChargesApi, RateCards } from "./abilities/charges.ts";
import type { ChatsApi } from "./abilities/chats.ts";
import type { EntriesApi } from "./abilities/entries.ts";
import type { FlowApi, FlowCipher } from "./abilities/flows.ts";
import type { GroupsApi } from "./abilities/groups.ts";
import type { HandoverApi } from "./abilities/handover.ts";
import type { HistoryApi } from "./abilities/history.ts";
import type { LookupApi } from "./abilities/lookup.ts";
import type { MovingApi } from "./abilities/moving.ts";
import type { NewslettersApi } from "./abilities/newsletters.ts";
import type { NumberApi } from "./abilities/number.ts";
import type { OAuth } from "./abilities/oauth.ts";
import type { BusinessApi, Signup } from "./abilities/onboarding.ts";
import type { Operation, OperationOutcome } from "./abilities/operations.ts";
import type { PairingApi } from "./abilities/pairing.ts";
import type { PeopleApi } from "./abilities/people.ts";
import type { PrivacyApi } from "./abilities/privacy.ts";
import type { QuotaApi } from "./abilities/quota.ts";
import type { SettingsApi } from "./abilities/settings.ts";
import type { TimersApi } from "./abilities/timers.ts";
import type { AdapterState } from "./adapter-state.ts";
import type { Content } from "./content/content.ts";
import type { MediaApi } from "./content/media.ts";
import type { TemplateApi } from "./content/templates.ts";
import type { ChannelEvent, LinkReport, ListedCategory, ProviderMessageId } from "./events.ts";
import type { KindDeclaration } from "./kind.ts";
import type { SendOutcome } from "./outcome.ts";
import type { Http } from "./ports/http.ts";
import type { OpenFile } from "./ports/kept-files.ts";
import type { KeyStore, RestoredKeyStore } from "./ports/key-store.ts";
import type { MakeStandard, MakeSticker, MakeThumbnail } from "./ports/pictures.ts";
import type { ProxyRoute } from "./ports/proxy.ts";
import type { MakeVoice } from "./ports/voice.ts";
import type { UpstreamResult } from "./upstream.ts";
import type { Awaitable, ChannelWebhook, UpstreamReceiver } from "./webhooks.ts";

/**
 * An adapter for one network. It gets everything it may use through `open(host)`; plugins/README.md lists the rules.
 * How channels are created follows from it: by pairing (`network.isPaired`), by `credentials`, by `signup` or by
 * `oauth` alone.
 */
export type ChannelPlugin = KindDeclaration & {
  /**
   * What a client gives to create a channel: an object schema of text properties. Both APIs validate it, publish each
   * property's `title` and name the invalid property. A property's `description` is the text of the refusal, as "must
   * be …". Its annotations (`FieldWords`) say how a form shows it. The values go to the channel's vault under the same
   * names. Without it, credentials are refused.
   */
  credentials?: TSchema;
  /**
   * What the owner of a channel may set: an object schema of optional text properties, with the annotations of a form
   * (`FieldWords`). The values go to the vault beside the credentials, so none may have a credential's name. An absent
   * or empty one has its default.
   */
  channelSettings?: TSchema;
  /**
   * What a client may say of one send beside its content: an object schema of optional text properties, with the
   * annotations of a form (`FieldWords`). The core checks the values before anything is queued, and refuses all others.
   */
  options?: TSchema;
  /**
   * The ids at the network that the credentials contain. Envelopes find the channel by them (`Route`). Without it, a
   * channel created by credentials has none. Pure.
   */
  routeOf?(credentials: Record<string, string>): { numberId?: string; accountId?: string; verifyToken?: string };
  /** Creates the link of one channel. No I/O. */
  open(host: ChannelHost): ChannelLink;
  receiver?: UpstreamReceiver;
  /** Present if the network calls one address per channel. */
  webhook?: ChannelWebhook;
  /** Present if the network offers its own sign-up for business numbers. */
  signup?(http: Http): Signup;
  /** Present if channels are created by their owner's consent at the network. */
  oauth?(ports: Pick<ChannelHost, "http" | "clock">): OAuth;
  /** Present if the network charges for messages. */
  rates?: RateCards;
  /** Present if the network has flows: forms inside a chat. */
  flowCipher?: FlowCipher;
  /**
   * The canonical key (`pn:…`, `bsuid:…`, `uid:…`) of a recipient that a client names, or the issue with it. A
   * canonical key is returned unchanged.
   */
  address(to: string): Awaitable<Address>;
  /**
   * Prepares a key store from a backup for use, when the live keys have moved on since. It deletes every key that would
   * be used a second time, and keeps the channel's identity at the network. Present if keys change with their use.
   */
  restored?(keyStore: RestoredKeyStore, ports: Pick<ChannelHost, "random">): Promise<void>;
  /** Present if an identity can be moved in from another program, and out to it. */
  moving?: MovingApi;
  /** Whether a stored provider message id has this network's form. Without it, every id is accepted. */
  isKey?(key: string): boolean;
};

export type Address = { ok: true; to: string } | { ok: false; code: "RECIPIENT_INVALID" | "ADDRESS_INVALID" };

/** One channel's connection to its network. */
export type ChannelLink = {
  /**
   * When the open connection last received something; undefined while none is open. Present if a connection stays
   * open.
   */
  readonly lastReceivedAt?: number | undefined;
  /** Connects, or reconnects. Never throws: the host gets the result as a report. */
  connect(options?: ConnectOptions): void;
  /** Idempotent. Ends within 5 s; nothing is reported or emitted afterwards. */
  close(): Promise<void>;
  /** Releases the identity at the network, as far as the network allows. Never throws; ends within 10 s. */
  forget(disconnectOptions: DisconnectOptions): Promise<void>;
  /** Renews expiring credentials, if they can be renewed yet. Present if they expire. */
  refresh?(): Promise<UpstreamResult<true>>;
  /**
   * Performs an operation on an existing message. Present exactly when `capabilities.operations` names an operation.
   * Never throws.
   */
  operate?(operation: Operation): Promise<OperationOutcome>;
  /**
   * The provider message id for a message to send; the same at every call. Present exactly where
   * `capabilities.choosesMessageIds`.
   */
  providerMessageIdFor?(messageId: string): ProviderMessageId;
  /** Present exactly when the plugin has a `signup`. */
  readonly business?: BusinessApi;
  /** Present if a business number can be verified, registered and named by its owner. */
  readonly number?: NumberApi;
  /** Present exactly when the plugin has a `flowCipher`. */
  readonly flows?: FlowApi;
  /** Present if a channel has groups. */
  readonly groups?: GroupsApi;
  /** Present if calls ring on a channel. */
  readonly calls?: CallsApi;
  /** Present if a link does something at once when the channel's own settings change. */
  readonly settings?: SettingsApi;
  /** Present if the network reports what it has charged. */
  readonly charges?: ChargesApi;
  /** Present exactly when `network.sharesConversations`. */
  readonly handover?: HandoverApi;
  /** Present exactly when `capabilities.lookups`. */
  readonly lookup?: LookupApi;
  /** Present if a channel can offer questions and a menu. */
  readonly entries?: EntriesApi;
  /** Present if messages have files, or may name them by handles. */
  readonly media?: MediaApi;
  /** Present if the chats that a channel may begin are counted. */
  readonly quota?: QuotaApi;
  /** Present if channels are paired with their owner's device. */
  readonly pairing?: PairingApi;
  /** Present if the owner's device gives older messages. */
  readonly history?: HistoryApi;
  /** Present if accounts have profiles, presence and block lists of their own. */
  readonly people?: PeopleApi;
  /** Present if the messages of a chat may disappear after a time. */
  readonly timers?: TimersApi;
  /** Present if accounts have newsletters. `capabilities.broadcasts` says what is sent to them. */
  readonly newsletters?: NewslettersApi;
  /** Present if accounts have privacy settings of their own. */
  readonly privacy?: PrivacyApi;
  /** Present if the devices of an account share how they show its chats: archived, pinned, muted, with labels. */
  readonly chats?: ChatsApi;
  /** Present if accounts have business profiles that no provider manages. */
  readonly businessProfiles?: BusinessProfilesApi;
  /** Present if catalogues and orders can be read. */
  readonly catalog?: CatalogApi;
  /**
   * How many milliseconds a send to `to`, and every send behind it on the channel, must wait. 0 means that it may be
   * sent now and counts it. Called again when the time is up. Never does I/O. Present if the network punishes fast
   * sending.
   */
  paceMs?(to: string): Awaitable<number>;
  /** Sends a message. Never throws: it returns an outcome. */
  send(order: SendOrder): Promise<SendOutcome>;
  /** Present exactly when `capabilities.templates`. */
  readonly templates?: TemplateApi;
};

/**
 * `isAsked`: the owner asks for the connection now, so that a pause which waits for the owner is over. False or absent
 * if a process starts, or anything else of the channel has changed: a pause goes on.
 */
export type ConnectOptions = { isAsked: boolean };

/**
 * `deregister`: the owner wants to remove the number from the network. `isLastOfAccount`: no other channel uses this
 * account at the network.
 */
export type DisconnectOptions = { deregister: boolean; isLastOfAccount: boolean };

/** `messageId` is Recado's id; the network repeats it if it can. `key` is the result of `providerMessageIdFor`. */
export type SendOrder = Content & {
  messageId: string;
  to: string;
  key?: ProviderMessageId;
  quotedProviderMessageId?: ProviderMessageId;
  /**
   * The message that is forwarded, if the kind has the operation `forward`. `content` is its content as people read it
   * now, without its file.
   */
  forwards?: ProviderMessageId;
  /** What the client said of this send, as the adapter's `options` allow it. */
  options?: Readonly<Record<string, string>>;
  /** With a template: its category as the network last reported it. */
  templateCategory?: ListedCategory;
};

/** What the link of a channel may use of the process. */
export type ChannelHost = {
  readonly channelId: string;
  /**
   * The URL at which the network reaches this channel. Requests to it go to the adapter's `webhook`. An adapter without
   * a `webhook` does not use it.
   */
  readonly webhookUrl: string;
  /** The channel's private state, encrypted at rest: credentials and session keys. The only place for secrets. */
  readonly vault: Vault;
  readonly http: Http;
  readonly adapterState: AdapterState;
  /**
   * Opens the route through the channel's proxy, whose URL is in the vault's field `PROXY_FIELD`. Present if the kind
   * has `network.proxiedTo`.
   */
  openProxy?(url: string): ProxyRoute;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Resolves when the event is on disk. Acknowledge the network only then. */
  emit(event: ChannelEvent): Promise<void>;
  /** Reports the channel's health; there is no other way. Repeating a state changes nothing. */
  report(report: LinkReport): void;
  /** Opens a file that the channel's account keeps at Recado. Present if `capabilities.keptFiles`. */
  readonly openFile?: OpenFile;
  /** Makes voice notes in the one form that all phones play. Present if this server can make them. */
  readonly makeVoice?: MakeVoice;
  /** Makes stickers of pictures of other forms. Present if this server can make them. */
  readonly makeSticker?: MakeSticker;
  /** Makes small JPEGs of pictures. Present if this server can make them. */
  readonly makeThumbnail?: MakeThumbnail;
  /** Makes pictures in standard quality. Present if this server can make them. */
  readonly makeStandard?: MakeStandard;
  /** Reports that a connection to the network ended. `why` is one of a few fixed words, used as a metric's label. */
  ended(why: string): void;
  /**
   * Counts something that the network sent and the adapter does not know, by a name such as `stanza:sync`. Recado tells
   * each name once.
   */
  unknown(name: string): void;
};

/** The field of the vault with the URL of the channel's proxy; empty if it has none. */
export const PROXY_FIELD = "proxy";

export type Vault = {
  read(): Promise<Record<string, string>>;
  write(fields: Record<string, string>): Promise<void>;
  /**
   * Acquires the channel's key store; a key store opened earlier can no longer write. For networks with end-to-end
   * encryption in the link itself.
   */
  openKeyStore(): Promise<KeyStore>;
};
