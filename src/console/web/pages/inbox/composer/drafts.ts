import { signal } from "@preact/signals";
import { dropKept, keepForAll, keptForAll } from "../../../frame/kept.ts";
import { account, session } from "../../../frame/session.ts";
import { draftListIn, draftNames, draftsAfter } from "./draft-list.ts";

/** How many drafts of an account are kept. */
const MOST = 100;

/** Changes with each draft that begins or ends in this tab. */
const version = signal(0);

/** Those of the person: a tab of somebody who signed out in another tab may still keep one. */
const names = () => draftNames(session.peek()?.person.id ?? "", account.peek()?.id ?? "");
const draftName = (chatId: string): string => names().of(chatId);

/** The begun answer of a chat, which outlives the page until its person is signed out; empty without one. */
export const keptDraft = (chatId: string): string => {
  void version.value;
  return keptForAll(draftName(chatId)) ?? "";
};

/** Keeps the begun answer of a chat; an empty one ends it. */
export const keepDraft = (chatId: string, text: string): void => {
  const isEmpty = text.trim() === "";
  const before = draftListIn(keptForAll(names().list));
  const isKnown = before[0] === chatId;
  if (isEmpty) dropKept(draftName(chatId));
  else keepForAll(draftName(chatId), text);
  if (isKnown && !isEmpty) return; // the next letter of the same draft
  if (isEmpty && !before.includes(chatId)) return;
  const { kept, dropped } = draftsAfter(before, { id: chatId, isEmpty }, MOST);
  for (const one of dropped) dropKept(draftName(one));
  keepForAll(names().list, JSON.stringify(kept));
  version.value += 1;
};
