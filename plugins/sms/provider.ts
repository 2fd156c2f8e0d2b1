import type { ContentType } from "../../src/contract/content/content.ts";
import type { MediaApi } from "../../src/contract/content/media.ts";
import type { ChannelEvent, LinkReport } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder } from "../../src/contract/plugin.ts";
import type { ForNumber, WebhookRequest } from "../../src/contract/webhooks.ts";
import type { Credentials, ProviderName } from "./credentials.ts";

/** The base URL of each provider's API, which the operator may set. */
export type Urls = Readonly<Record<ProviderName, string>>;

/** One channel's account at its provider, for one request of the core. */
export type Account = { host: ChannelHost; base: string; credentials: Credentials };

/** The content types of this adapter. */
export const SENT_TYPES = ["text", "image", "video", "audio", "document"] as const satisfies readonly ContentType[];
export type Sendable = Extract<SendOrder, { type: (typeof SENT_TYPES)[number] }>;

/** The longest text that both providers take: https://zenvia.github.io/zenvia-openapi-spec/v2/#section/SMS-limitations. */
export const MAX_TEXT_CHARS = 1520;

/** What a provider does. No function throws. */
export type Provider = {
  /** The report about the account and its sender; undefined without a clear answer, so that it is asked again. */
  check(account: Account): Promise<LinkReport | undefined>;
  send(account: Account, order: Sendable): Promise<SendOutcome>;
  /** Lets the provider forget the address of this channel. */
  forget(account: Account): Promise<void>;
  open(account: Account, nativeId: string): ReturnType<MediaApi["open"]>;
  /** Whether the request shows the secret of this provider's form. */
  isSigned(headers: Headers): boolean;
  verify(request: WebhookRequest, secrets: Readonly<Record<string, string>>): boolean;
  /** The events of a request; undefined if it is not of this provider. */
  eventsOf(request: WebhookRequest): (ChannelEvent | ForNumber)[] | undefined;
};

/** The report of a connected channel. `isTwoWay`: the provider calls this server for the sender's messages. */
export const connectedAs = ({ provider, sender }: Credentials, isTwoWay: boolean): LinkReport => ({
  state: "CONNECTED",
  ...(sender.kind === "number" ? { phoneNumber: sender.value } : {}),
  profile: { smsProvider: provider, smsSender: sender.value, smsWebhookConfigured: isTwoWay },
});

/** The links and the words of a message: a caption is the text beside its files. */
export const partsOf = (order: Sendable): { text: string; links: string[] } => {
  if (order.type === "text") return { text: order.content.text, links: [] };
  const { content } = order;
  const images = "images" in content ? (content.images ?? []) : [];
  const links = [content.mediaUrl, ...images.map(({ mediaUrl }) => mediaUrl)].filter((link) => link !== undefined);
  return { text: ("caption" in content ? content.caption : undefined) ?? "", links };
};
