import type { proto } from "@whiskeysockets/baileys";
import { isRecord, parsedJson } from "../../../../src/kernel/texts/json.ts";

/** The words of a message, in the order in which apps show them: those of buttons last, each with its target. */
type Words = (string | null | undefined)[];
type Part<Name extends keyof proto.IMessage> = NonNullable<proto.IMessage[Name]>;
type Template = Part<"templateMessage">;
type Interactive = Part<"interactiveMessage">;
type Structured = Part<"highlyStructuredMessage">;
/** The possible parts of a header; one of them may be a file. */
export type Header = Pick<proto.IMessage, "imageMessage" | "videoMessage" | "documentMessage" | "audioMessage">;

/** Further cards, rows or buttons of one message are not read. */
const MOST = 200;

const withTarget = (title: string | null | undefined, target: string | null | undefined): string | undefined =>
  title && target ? `${title}: ${target}` : title || target || undefined;

const structuredWords = (structured: Structured | null | undefined): Words => {
  if (!structured) return [];
  const { hydratedHsm, params, localizableParams } = structured;
  if (hydratedHsm) return templateWords(hydratedHsm);
  return params?.length ? params : (localizableParams ?? []).map((param) => param.default);
};

const hydratedWords = ({
  hydratedTitleText,
  hydratedContentText,
  hydratedFooterText,
  hydratedButtons,
}: proto.Message.TemplateMessage.IHydratedFourRowTemplate): Words => [
  hydratedTitleText,
  hydratedContentText,
  hydratedFooterText,
  ...(hydratedButtons ?? []).map(
    ({ quickReplyButton: reply, urlButton: link, callButton: call }) =>
      reply?.displayText ?? withTarget(link?.displayText ?? call?.displayText, link?.url ?? call?.phoneNumber),
  ),
];

const fourRowWords = (template: proto.Message.TemplateMessage.IFourRowTemplate): Words => [
  ...structuredWords(template.highlyStructuredMessage),
  ...structuredWords(template.content),
  ...structuredWords(template.footer),
  ...(template.buttons ?? []).flatMap(({ quickReplyButton: reply, urlButton: link, callButton: call }) => [
    ...structuredWords((reply ?? link ?? call)?.displayText),
    ...structuredWords(link?.url),
    ...structuredWords(call?.phoneNumber),
  ]),
];

/** A template in any form of the network; each message has one form. */
const templateWords = (template: Template): Words => {
  const hydrated = template.hydratedTemplate ?? template.hydratedFourRowTemplate;
  if (hydrated) return hydratedWords(hydrated);
  if (template.interactiveMessageTemplate) return interactiveWords(template.interactiveMessageTemplate);
  return template.fourRowTemplate ? fourRowWords(template.fourRowTemplate) : [];
};

const buttonsWords = ({ text, contentText, footerText, buttons }: Part<"buttonsMessage">): Words => [
  text,
  contentText,
  footerText,
  ...(buttons ?? []).map(
    ({ buttonText, nativeFlowInfo }) => buttonText?.displayText ?? flowTitle(nativeFlowInfo?.paramsJson),
  ),
];

const listWords = ({ title, description, footerText, sections }: Part<"listMessage">): Words => [
  title,
  description,
  footerText,
  ...(sections ?? []).flatMap((section) => [
    section.title,
    ...(section.rows ?? []).map((row) => withTarget(row.title, row.description)),
  ]),
];

const interactiveWords = ({ header, body, footer, nativeFlowMessage, carouselMessage }: Interactive): Words => [
  header?.title,
  header?.subtitle,
  ...(header?.productMessage ? productWords(header.productMessage) : []),
  body?.text,
  footer?.text,
  ...(nativeFlowMessage?.buttons ?? []).map(({ buttonParamsJson }) => flowTitle(buttonParamsJson)),
  ...(carouselMessage?.cards ?? []).slice(0, MOST).flatMap(interactiveWords),
];

/** The label of a button of the newer kind, with the text that it copies, opens or calls. */
const flowTitle = (json: string | null | undefined): string | undefined => {
  const params = parsedJson(json ?? "");
  if (!isRecord(params)) return undefined;
  const [title, target] = [
    ["display_text", "title"],
    ["copy_code", "url", "phone_number"],
  ].map((names) => names.map((name) => params[name]).find((value) => typeof value === "string" && value !== ""));
  return withTarget(title as string | undefined, target as string | undefined);
};

export const productWords = ({ product, catalog, body, footer }: Part<"productMessage">): Words => [
  body,
  product?.description,
  price(product?.salePriceAmount1000 ?? product?.priceAmount1000, product?.currencyCode),
  catalog?.description,
  footer,
];

/** An amount in thousandths of its currency, as `BRL 12.50`; undefined without an amount. */
export const price = (
  thousandths: number | { toString(): string } | null | undefined,
  currency: string | null | undefined,
): string | undefined => {
  const amount = Number(String(thousandths ?? ""));
  return amount > 0 && Number.isSafeInteger(amount) && currency
    ? `${currency} ${(amount / 1000).toFixed(2)}`
    : undefined;
};

/** TABLE: the parts that are texts of businesses. */
export const WORDS: { [Name in keyof proto.IMessage]?: (part: never) => Words } = {
  templateMessage: templateWords,
  highlyStructuredMessage: structuredWords,
  buttonsMessage: buttonsWords,
  listMessage: listWords,
  interactiveMessage: interactiveWords,
};

/** The words of a part that a business writes, each in a line; undefined for another part, or one without words. */
export const businessText = (message: proto.IMessage): string | undefined => {
  for (const [name, words] of Object.entries(WORDS)) {
    const part = message[name as keyof proto.IMessage];
    if (part) return lines((words as (part: unknown) => Words)(part));
  }
  return undefined;
};

/** The existing words, each in a line; undefined if there are none. */
export const lines = (words: Words): string | undefined => words.filter(Boolean).slice(0, MOST).join("\n") || undefined;

/** The header above the words of a business: possibly a file. */
export const headerOf = (message: proto.IMessage): Header | undefined => {
  const template = message.templateMessage ?? message.highlyStructuredMessage?.hydratedHsm;
  return (
    template?.hydratedTemplate ??
    template?.hydratedFourRowTemplate ??
    template?.fourRowTemplate ??
    message.buttonsMessage ??
    (template?.interactiveMessageTemplate ?? message.interactiveMessage)?.header ??
    undefined
  );
};
