import type { HolderChanged, Identity } from "../../src/contract/events.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { cut, textOf } from "./json.ts";

const MAX_NOTE_LENGTH = 2000;
/** The app of Meta's own inbox of pages. */
export const PAGE_INBOX = "263902037430900";

/** What an app does with a conversation that several apps of a page or account share. */
export type HolderAct = "pass" | "take" | "request";

/** `chatId`: the person's id, as the network names it. `appId`: this app, if it is known. */
type Shared = { at: number; chat: Identity; chatId: string; appId?: string | undefined };

/**
 * Who leads the conversation now. A pass is reported to the app that got it, a take to the app that lost it; if the new
 * leader is named and this app is known, that decides. Meta's inbox is never this app. A request changes nothing yet.
 */
export const holderEvent = (what: HolderAct, { at, chat, chatId, appId }: Shared, control: Json): HolderChanged => {
  const newOwner = textOf(control["new_owner_app_id"]);
  const isUs = newOwner === undefined || appId === undefined ? what === "pass" : newOwner === appId;
  const isOurs = isUs && newOwner !== PAGE_INBOX;
  const note = textOf(control["metadata"]);
  return {
    kind: "holder",
    at,
    nativeId: [what, chatId, at].join("/"),
    chat,
    heldBy: isOurs && what !== "request" ? null : {},
    ...(what === "request" ? { isRequest: true } : {}),
    ...(note === undefined ? {} : { note: cut(note, MAX_NOTE_LENGTH) }),
  };
};
