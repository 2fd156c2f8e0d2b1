import type { TProperties } from "@sinclair/typebox";
import type { HintText } from "./abilities/pairing.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Words } from "./forms.ts";
import type { Probe } from "./probe.ts";

/**
 * The version of this contract: `major.minor`. An adapter names the lowest version that it needs
 * (`AdapterModule.contract`). It is loaded if its major is this one, and its minor is at most this one. The major
 * increases when an existing adapter would no longer work, the minor with each optional addition.
 */
export const CONTRACT_VERSION = "2.0";

/**
 * The name of a kind of channel, such as `SESSION`. The gateway API shows it as `type`; metrics use it as a label; rows
 * store it. Two to 32 capital letters, digits and underscores, a letter first.
 */
export type ChannelKind = Uppercase<string>;

export const KIND_PATTERN = /^[A-Z][A-Z0-9_]{1,31}$/;

/** The behaviour of a network. The core reads it instead of asking which network it is. */
export type NetworkTraits = {
  /**
   * True if the link is the connection to the network. Exactly one process holds it, and a process opens it again at
   * its start once the channel has been connected. The network delivers later what it sent while no link was open.
   * False if each call stands alone and the network calls Recado. The value is stored with each new channel, so a
   * later version of the adapter does not change existing channels.
   */
  holdsConnection: boolean;
  /**
   * True if a channel is linked with its owner's device by a QR code or a typed code. Its link then has `pairing`,
   * and a new channel is `PENDING_QR`.
   */
  isPaired: boolean;
  /**
   * `phone-numbers`: clients may write a recipient as people write numbers, and `address` gets the digits. `ids`:
   * `address` gets the text unchanged, in test sends too.
   */
  recipients: "phone-numbers" | "ids";
  /**
   * True if numbers and hidden ids have the chat addresses of WhatsApp, `<digits>@s.whatsapp.net` and `<digits>@lid`.
   * The gateway API then shows those. It shows the numbers of other networks as digits.
   */
  hasChatAddresses?: boolean;
  /**
   * `each`: the network reports sent, delivered and read separately, or not at all. `latest`: a receipt implies the
   * earlier ones, which are published with it.
   */
  receipts: "each" | "latest";
  /**
   * How long a message can be the object of an operation by its provider message id, in milliseconds. Default: as long
   * as the message is stored.
   */
  messageIdTtlMs?: number;
  /**
   * How long a channel may answer freely after the person's last message, in milliseconds. Later it may send only a
   * template or a message with a tag. Absent if the network has no such window.
   */
  answerWindowMs?: number;
  /**
   * True if the network charges for templates. A receipt without a price then counts as one charge per recipient,
   * category and 24 hours.
   */
  chargesForTemplates?: boolean;
  /**
   * True if several apps may share a number, and one of them leads each conversation. Only then are messages with
   * `heldBy` and events of the kind `holder` expected.
   */
  sharesConversations?: boolean;
  /**
   * The URL that the proxy of a channel has to reach. Present if a channel may have a proxy: its link connects through
   * `host.openProxy`.
   */
  proxiedTo?: string;
  /** True if the history before the link can be imported (`HISTORY_FIELD`). */
  importsHistory?: boolean;
  /** True if credentials expire. The core calls the link's `refresh` once a day for each connected channel. */
  renewsCredentials?: boolean;
  /** True if people refuse messages here by a word such as STOP. A phone reads these words unless its setting forbids. */
  optOutWords?: boolean;
};

/** How the platform API names a kind. */
export type PlatformWord = {
  /** The value of `type`; default `CHAT_<KIND>`. It is unique among listed kinds. */
  type: `CHAT_${string}`;
  /**
   * False if the platform API does not manage channels of this kind: it neither creates nor lists nor finds them.
   * Events still carry the `type`.
   */
  isListed: boolean;
};

/** The part of a channel that a view may read: its ids at the network, and the `profile` that the link reported. */
export type ViewedChannel = {
  numberId: string | null;
  accountId: string | null;
  profile: Readonly<Record<string, unknown>>;
  isWebhookConfigured: boolean;
};

/** The fields that every phone shows in the gateway API. No adapter may declare them. */
export const COMMON_PHONE_FIELDS = [
  "id",
  "accountId",
  "type",
  "label",
  "phoneNumber",
  "status",
  "webhookUrl",
  "webhookEvents",
  "sharedWebhookId",
  "disconnectedAt",
  "stateReason",
  "stateSince",
  "restriction",
  "createdAt",
  "updatedAt",
] as const;

/** The additional fields that a phone of this kind shows in the gateway API. */
export type PhoneFields = {
  /**
   * Their schemas, by name. A name that all phones show, or that another adapter uses, is refused. Every field is shown
   * as optional, because phones of other kinds do not have it.
   */
  schema: TProperties;
  /** Their values. Pure. */
  of(channel: ViewedChannel): Record<string, unknown>;
};

/** The refusals that this kind's documents prescribe. An adapter of a new kind needs none. */
export type KindRefusals = {
  /** The code of the refusal of a template on a channel that cannot send templates. Default CONTENT_UNSUPPORTED. */
  template?: "TEMPLATE_UNSUPPORTED";
  /** The code for incomplete credentials. Default VALIDATION, which names the missing field. */
  credentials?: "CHANNEL_CREDENTIALS_REQUIRED";
  /** The field with the channel's id at the network. Default `credentials`. */
  numberField?: string;
};

/**
 * What an adapter declares about its kind of channel. It applies with and without an open link, and to test keys too.
 */
export type KindDeclaration = {
  /**
   * The adapter's name, in lower case. `host.http` counts requests by it, and envelopes of its network are stored under
   * it.
   */
  name: string;
  kind: ChannelKind;
  /** The name that people read in a list of kinds: `WhatsApp`, `Telegram bot`. */
  label: Words;
  /** What a person reads who chooses a kind: one sentence, and the network's own site. */
  about?: { text?: Words; site?: string };
  /**
   * True only for the simulator. It has no channels of its own and replaces the other adapters where no network may be
   * reached.
   */
  standsIn?: true;
  network: NetworkTraits;
  capabilities: Capabilities;
  /** Default: `CHAT_<KIND>`, listed. */
  platform?: PlatformWord;
  refusals?: KindRefusals;
  phoneFields?: PhoneFields;
  /**
   * The texts for the person who links a channel, by the code of the hint (`PairingHint`). A hint without a text is
   * shown by its code.
   */
  pairingHints?: Readonly<Record<string, HintText>>;
  /** The values of `host.ended`. Their metric begins at 0, so that an alert sees the first increase. */
  endings?: readonly string[];
  /** The addresses that `recado doctor` checks. */
  probes?: readonly Probe[];
};
