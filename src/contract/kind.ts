import type { TProperties } from "@sinclair/typebox";
import type { Capabilities } from "./capabilities.ts";
import type { Probe } from "./probe.ts";

/**
 * The version of this contract. An adapter names the one that it was written for (`AdapterModule.contract`); an adapter
 * for another one is not loaded. It grows when an adapter that keeps the contract of before would no longer work; what
 * is added and may be left out does not change it.
 */
export const CONTRACT_VERSION = 1;

/**
 * The name of a kind of channel, such as `SESSION`: what the gateway API shows as `type`, what figures are labelled by,
 * what rows hold. Two to 32 capital letters, digits and underscores, a letter first.
 */
export type ChannelKind = Uppercase<string>;

export const KIND_PATTERN = /^[A-Z][A-Z0-9_]{1,31}$/;

/** How a network behaves: what the core asks instead of asking which network it is. */
export type NetworkTraits = {
  /**
   * True where the link is itself the connection to the network: exactly one process has it, it is opened again when a
   * process starts (once the channel has been connected), and what the network sends while no link is open comes later.
   * False where each call stands alone and the network calls us. Stored with each channel when it is made: a later
   * version of the adapter does not change the channels that exist.
   */
  holdsConnection: boolean;
  /**
   * True where a channel is linked with a device of its owner, by a QR code or a code to type: then its link has
   * `pairing`, and it begins as `PENDING_QR`.
   */
  isPaired: boolean;
  /**
   * `phone-numbers`: what a client names as recipient may be written as people write numbers; `address` gets its
   * digits. `ids`: `address` gets it as it was written, in test sends too.
   */
  recipients: "phone-numbers" | "ids";
  /**
   * `each`: the network reports sent, delivered and read one by one, or never. `latest`: a report implies the ones
   * before it, which are published with it.
   */
  receipts: "each" | "latest";
  /**
   * How many milliseconds after a message its native id can still be acted on. Without it: as long as the message is
   * kept.
   */
  providerMessageIdLifeMs?: number;
  /**
   * True where the network charges for templates; a receipt that says nothing of a price is then taken for one charge
   * per recipient, category and 24 hours.
   */
  chargesForTemplates?: boolean;
  /** True where credentials run out: the link's `refresh` is called for each connected channel once a day. */
  renewsCredentials?: boolean;
};

/** The word of a kind in the platform API. */
export type PlatformWord = {
  /** What `type` says: `CHAT_<KIND>` where nothing is declared. No two listed kinds have the same. */
  type: `CHAT_${string}`;
  /**
   * False where the platform API knows no channels of this kind: it neither makes nor lists nor finds them, and says
   * `type` in events alone.
   */
  isListed: boolean;
};

/** A channel as a view may see it: its ids at the network, and what the link has reported in `profile`. */
export type ViewedChannel = {
  numberId: string | null;
  accountId: string | null;
  profile: Readonly<Record<string, unknown>>;
  isWebhookConfigured: boolean;
};

/** The fields that a phone of this kind shows in the gateway API, beside those that all phones show. */
export type PhoneFields = {
  /** Their schemas, by name. A name that all phones show, or another adapter's field, is refused. */
  schema: TProperties;
  /** Their values. Pure. */
  of(channel: ViewedChannel): Record<string, unknown>;
};

/** What refusals say of this kind because its documents fix it; an adapter of a new kind needs none. */
export type KindRefusals = {
  /** The code for a template where none can be sent. Default CONTENT_UNSUPPORTED, as for any content. */
  template?: "TEMPLATE_UNSUPPORTED";
  /** The code for credentials that are not complete. Default VALIDATION, which names what is missing. */
  credentials?: "CHANNEL_CREDENTIALS_REQUIRED";
  /** The field that names the channel's id at the network. Default `credentials`. */
  numberField?: string;
};

/**
 * What an adapter declares of its kind of channel: data that holds whether or not a link is open, and behind test keys
 * too.
 */
export type KindDeclaration = {
  /**
   * The name of the adapter, in lower case: `host.http` counts by it, and envelopes of its network are stored under it.
   */
  name: string;
  kind: ChannelKind;
  /** What people call such a channel, in the middle of a sentence: `session`, `Telegram bot`. */
  label: string;
  /**
   * True for the simulator alone: it has no channels of its own and stands in for the other adapters where nothing may
   * reach a network.
   */
  standsIn?: true;
  network: NetworkTraits;
  capabilities: Capabilities;
  /** Default: `CHAT_<KIND>`, listed. */
  platform?: PlatformWord;
  refusals?: KindRefusals;
  phoneFields?: PhoneFields;
  /** The words of `host.ended` whose figure is there from the start with 0, so that an alert sees the first. */
  endings?: readonly string[];
  /** What `recado doctor` asks. */
  probes?: readonly Probe[];
};
