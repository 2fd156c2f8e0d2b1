import type { ListMessagesQuery } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { given } from "../../frame/filters.ts";
import { sinceOf } from "../../parts/lists/since.ts";

/** The filters of the list in the address. */
export const NO_FILTERS = {
  q: "",
  phone: "",
  contact: "",
  chat: "",
  direction: "",
  status: "",
  sentBy: "",
  period: "",
  cursor: "",
};
export type MessageFilters = typeof NO_FILTERS;

const LONGEST_SEARCH = 200;

/** Whether a search is a number in some spelling, with enough digits to be one. */
export const isNumber = (text: string): boolean =>
  /^\+?[\d\s().\-\u2010-\u2015]+$/.test(text) && text.replaceAll(/\D/g, "").length >= 7;

/** An address of a network, such as `pn:5511…` or `@name`, which also searches for a person. */
const isAddress = (text: string): boolean => /^[a-z]{2,8}:\S+$/.test(text) || /^\S+@(s\.whatsapp\.net|lid)$/.test(text);

/** The question to the server for these filters: a text that looks like a number is a person, other texts are words. */
export const messageQuery = ({
  q,
  phone,
  contact,
  chat,
  direction,
  status,
  sentBy,
  period,
  cursor,
}: MessageFilters): ListMessagesQuery => {
  const words = q.trim().slice(0, LONGEST_SEARCH);
  const person = contact || (isNumber(words) || isAddress(words) ? words : "");
  return given({
    limit: "50",
    contact: person,
    q: person === words ? "" : words,
    phoneId: phone,
    chatId: chat,
    direction,
    status,
    sentBy,
    cursor,
    since: sinceOf(period),
  });
};
