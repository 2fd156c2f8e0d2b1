import { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import { iso } from "../../../../src/kernel/clock.ts";
import { lines, price, productWords } from "./business.ts";

type Part<Name extends keyof proto.IMessage> = NonNullable<proto.IMessage[Name]>;
type Words = { title?: string | null | undefined; text?: string | null | undefined; url?: string | null | undefined };
type Said = InboundContent | undefined;

/** A message with more known fields than a text, and without a shape of its own: its words, and its type's name. */
const worded = (originalType: string, { title, text, url }: Words): Said =>
  title || text || url
    ? {
        type: "unsupported",
        content: { originalType, ...(title ? { title } : {}), ...(text ? { text } : {}), ...(url ? { url } : {}) },
      }
    : undefined;

const INVITE_URL = "https://chat.whatsapp.com/";

/** The network's order names only the basket; its articles are requested by its token. */
export const cartOrderOf = (part: Part<"orderMessage">): Said => {
  const { orderId, token, orderTitle, message, totalAmount1000, totalCurrencyCode } = part;
  const words = lines([orderTitle, message, price(totalAmount1000, totalCurrencyCode)]);
  return {
    type: "order",
    content: {
      catalogId: null,
      ...(orderId ? { orderId } : {}),
      ...(token ? { orderToken: token } : {}),
      ...(words === undefined ? {} : { text: words }),
      items: [],
    },
  };
};

export const productOf = (part: Part<"productMessage">): Said =>
  worded("product", {
    title: part.product?.title ?? part.catalog?.title,
    text: lines(productWords(part)),
    url: part.product?.url,
  });

export const groupInviteOf = ({ groupName, caption, inviteCode }: Part<"groupInviteMessage">): Said =>
  worded("groupInvite", {
    title: groupName,
    text: caption,
    url: inviteCode && /^[\w-]{1,100}$/.test(inviteCode) ? `${INVITE_URL}${inviteCode}` : undefined,
  });

/** The last moment that a Date can hold. */
const LATEST_MS = 8.64e15;

const timeOf = (seconds: { toString(): string } | number | null | undefined): string | undefined => {
  const at = Number(String(seconds ?? "")) * 1000;
  return at > 0 && at <= LATEST_MS ? iso(at) : undefined;
};

export const calendarEventOf = (part: Part<"eventMessage">): Said =>
  worded("event", {
    title: part.name,
    text: lines([
      part.description,
      [timeOf(part.startTime), timeOf(part.endTime)].filter(Boolean).join(" – "),
      part.location?.name,
      part.location?.address,
    ]),
    url: part.joinLink,
  });

const noteOf = (note: proto.IMessage | null | undefined) => note?.extendedTextMessage?.text ?? note?.conversation;

export const paymentRequestOf = ({
  noteMessage,
  amount1000,
  currencyCodeIso4217,
}: Part<"requestPaymentMessage">): Said =>
  worded("requestPayment", { title: price(amount1000, currencyCodeIso4217), text: noteOf(noteMessage) });

export const paymentOf = ({ noteMessage }: Part<"sendPaymentMessage">): Said =>
  worded("sendPayment", { text: noteOf(noteMessage) });

export const pollResultOf = ({ name, pollVotes }: Part<"pollResultSnapshotMessage">): Said =>
  worded("pollResultSnapshot", {
    title: name,
    text: lines(
      (pollVotes ?? []).map((vote) => `${vote.optionName ?? ""}: ${Number(String(vote.optionVoteCount ?? 0))}`),
    ),
  });

const { CallOutcome } = proto.Message.CallLogMessage;

/** A title alone, so that it is not answered: the network's own name of a call's outcome. */
export const callLogOf = ({ isVideo, callOutcome, durationSecs }: Part<"callLogMesssage">): Said => {
  const seconds = Number(String(durationSecs ?? 0));
  const outcome = typeof callOutcome === "number" ? CallOutcome[callOutcome] : undefined;
  return worded("callLog", {
    title: [isVideo ? "video" : "voice", outcome, seconds > 0 ? `${seconds} s` : ""].filter(Boolean).join(", "),
  });
};

/** A reader of parts whose words are in these fields. */
const wordsIn =
  (originalType: string, title: readonly string[], text: readonly string[] = []) =>
  (part: object): Said => {
    const fields = part as Record<string, unknown>;
    const words = (names: readonly string[]) =>
      lines(names.map((name) => fields[name]).filter((value) => typeof value === "string"));
    return worded(originalType, { title: words(title), text: words(text) });
  };

/** TABLE: the parts with words, and no other known fields. */
export const FURTHER_WORDS = {
  invoiceMessage: wordsIn("invoice", [], ["note"]),
  scheduledCallCreationMessage: wordsIn("scheduledCallCreation", ["title"]),
  newsletterAdminInviteMessage: wordsIn("newsletterAdminInvite", ["newsletterName"], ["caption"]),
  newsletterFollowerInviteMessageV2: wordsIn("newsletterFollowerInvite", ["newsletterName"], ["caption"]),
  stickerPackMessage: wordsIn("stickerPack", ["name"], ["publisher", "packDescription", "caption"]),
  bcallMessage: wordsIn("bcall", [], ["caption"]),
  chat: wordsIn("chat", ["displayName"]),
  questionResponseMessage: wordsIn("questionResponse", [], ["text"]),
  statusQuestionAnswerMessage: wordsIn("statusQuestionAnswer", [], ["text"]),
  statusQuotedMessage: wordsIn("statusQuoted", [], ["text"]),
} as const;
