import { generateWAMessageContent, type proto } from "@whiskeysockets/baileys";
import type { CarouselCard } from "../../../../src/contract/content/interactive.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { DAY_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { ActiveSocket, Stanza } from "../../active-socket.ts";
import { contextOf } from "../../inbound/content/circumstances.ts";
import { FLOW_REFUSED, NOT_ALLOWED, STALE_DEVICES } from "../outcomes.ts";
import type { MenuOrder } from "./choices.ts";
import { type FileOrder, type FilePorts, withFile } from "./contents.ts";
import { type UploadPorts, uploadThrough } from "./upload.ts";

/** The setting of a phone that tries native buttons, and its value. */
export const NATIVE_BUTTONS = "nativeButtons";
export const TRY = "try";

/** The network's refusals of a form of buttons. 479 also means old devices. */
export const FORM_REFUSALS: ReadonlySet<number> = new Set([NOT_ALLOWED, FLOW_REFUSED, STALE_DEVICES]);

type Interactive = proto.Message.IInteractiveMessage;
type Header = NonNullable<Interactive["header"]>;
type Button = { name: string; buttonParamsJson: string };
/** The header of a menu, or of a card. */
type MenuHeader = {
  type: "text" | "image" | "video" | "document";
  text?: string;
  mediaUrl?: string;
  filename?: string;
};
type OneMenu = Exclude<MenuOrder, { type: "carousel" }>;

const button = (name: string, params: object): Button => ({ name, buttonParamsJson: JSON.stringify(params) });

/** The buttons in the network's names. */
const buttonsOf = (order: OneMenu): Button[] => {
  switch (order.type) {
    case "button":
      return order.content.buttons.map(({ id, text }) => button("quick_reply", { display_text: text, id }));
    case "list":
      return [button("single_select", { title: order.content.buttonText, sections: order.content.sections })];
    case "cta_url":
      return [linkButton(order.content.buttonText, order.content.url)];
    case "copy_code":
      return [copyButton(order.content.buttonText, order.content.code)];
  }
};

const linkButton = (text: string, url: string): Button =>
  button("cta_url", { display_text: text, url, merchant_url: url });
const copyButton = (text: string, code: string): Button =>
  button("cta_copy", { display_text: text, id: code, copy_code: code });

const cardButton = ({ type, text, id = "", url = "", code = "" }: CarouselCard["buttons"][number]): Button => {
  if (type === "url") return linkButton(text, url);
  return type === "copy" ? copyButton(text, code) : button("quick_reply", { display_text: text, id });
};

const flowOf = (buttons: Button[]) => ({ buttons, messageParamsJson: "{}", messageVersion: 1 });

type Ports = UploadPorts & FilePorts;

/**
 * The native form of a menu, beside the context of its text: the quote, the chat's timer and the secret. Throws
 * `Unsendable` for a header whose file is unavailable.
 */
export const nativeForm = async (
  ports: Ports,
  activeSocket: ActiveSocket,
  order: MenuOrder,
  text: proto.IMessage,
): Promise<proto.IMessage> => {
  const { text: body, footer } = order.content;
  const { messageContextInfo, extendedTextMessage } = text;
  const make = (header: MenuHeader) => headerOf(ports, activeSocket, order, header);
  return {
    ...(messageContextInfo ? { messageContextInfo } : {}),
    interactiveMessage: {
      ...(await partsOf(order, make)),
      body: { text: body },
      ...(footer ? { footer: { text: footer } } : {}),
      contextInfo: contextOf(extendedTextMessage),
    },
  };
};

type MakeHeader = (header: MenuHeader) => Promise<Header>;

/** The header and the buttons, or the cards. */
const partsOf = async (order: MenuOrder, make: MakeHeader): Promise<Interactive> => {
  if (order.type !== "carousel") {
    const { header } = order.content;
    return { ...(header ? { header: await make(header) } : {}), nativeFlowMessage: flowOf(buttonsOf(order)) };
  }
  const cards: Interactive[] = [];
  // one after the other: each file may be large
  for (const { header, text, footer, buttons } of order.content.cards)
    cards.push({
      header: await make(header),
      body: { text },
      ...(footer ? { footer: { text: footer } } : {}),
      nativeFlowMessage: flowOf(buttons.map(cardButton)),
    });
  return { carouselMessage: { cards, messageVersion: 1 } };
};

const headerOf = async (
  ports: Ports,
  activeSocket: ActiveSocket,
  { messageId, to }: SendOrder,
  { type, text, mediaUrl, filename }: MenuHeader,
): Promise<Header> => {
  if (type === "text" || mediaUrl === undefined) return { title: text ?? "", hasMediaAttachment: false };
  const content = { mediaUrl, ...(filename === undefined ? {} : { filename }) };
  const order = { messageId, to, type, content } as FileOrder; // a header has a file of its type
  const upload = uploadThrough(ports, activeSocket);
  const { imageMessage, videoMessage, documentMessage } = await withFile(ports, order, (file) =>
    generateWAMessageContent(file, { upload }),
  );
  return {
    hasMediaAttachment: true,
    ...(imageMessage ? { imageMessage } : {}),
    ...(videoMessage ? { videoMessage } : {}),
    ...(documentMessage ? { documentMessage } : {}),
  };
};

/** The distance of `privacy_mode_ts` from now; other distances were not measured. */
const PRIVACY_MODE_S = 77_980_457;

/**
 * The stanza's nodes without which the network takes native buttons and shows them to nobody. Apps of two expect the
 * mark of a bot before them.
 */
export const nativeNodes = (nowMs: number, { isGroup }: { isGroup: boolean }): Stanza[] => [
  ...(isGroup ? [] : [{ tag: "bot", attrs: { biz_bot: "1" } }]),
  {
    tag: "biz",
    attrs: {
      actual_actors: "2",
      host_storage: "2",
      privacy_mode_ts: String(Math.floor(nowMs / SECOND_MS) - PRIVACY_MODE_S),
    },
    content: [
      {
        tag: "interactive",
        attrs: { type: "native_flow", v: "1" },
        content: [{ tag: "native_flow", attrs: { v: "9", name: "mixed" } }],
      },
      { tag: "quality_control", attrs: { source_type: "third_party" } },
    ],
  },
];

const KIND = "native";
const REFUSED = "refused";
/** After a refusal every menu is a text for so long: a stanza that is refused again and again draws attention. */
const REFUSED_MS = DAY_MS;

/** The row that remembers a refusal of the native form. */
export const refusalRow = (upstreamCode: number, now: number): KeyRow => ({
  kind: KIND,
  id: REFUSED,
  value: `${upstreamCode} ${now + REFUSED_MS}`,
  until: now + REFUSED_MS,
});

/** The network's code of a refusal within the last day; undefined without one. */
export const lastRefusal = async (keyStore: Pick<KeyStore, "read">, now: number): Promise<number | undefined> => {
  const value = (await keyStore.read(KIND, [REFUSED])).get(REFUSED) ?? "";
  const [upstreamCode, until = 0] = value.split(" ").map(Number); // as it is written above
  return until > now ? upstreamCode : undefined;
};
