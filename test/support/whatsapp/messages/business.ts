import { normalizeMessageContent, type proto } from "@whiskeysockets/baileys";
import { child, type Stanza } from "../wire/stanza.ts";

const LEGACY = 405;
const NAMED = 473;
const BARE = 479;
/** Flows that the network refuses as what apps no longer show. */
const REFUSED_AS_LEGACY: readonly string[] = ["open_webview", "galaxy_message"];

const isDigits = (value: string | undefined): boolean => value !== undefined && /^\d+$/.test(value);

/** Whether a `biz` node has every part that makes the network deliver buttons, as it was measured in August 2026. */
const isWhole = (biz: Stanza): boolean => {
  const interactive = child(biz, "interactive");
  const flow = interactive && child(interactive, "native_flow");
  return (
    biz.attrs["actual_actors"] === "2" &&
    biz.attrs["host_storage"] === "2" &&
    isDigits(biz.attrs["privacy_mode_ts"]) &&
    interactive?.attrs["type"] === "native_flow" &&
    interactive.attrs["v"] === "1" &&
    flow?.attrs["v"] === "9" &&
    flow.attrs["name"] === "mixed" &&
    child(biz, "quality_control")?.attrs["source_type"] === "third_party"
  );
};

/** The code by which the network refuses a message for its `biz` node; undefined if it takes the message. */
export const bizRefusal = (message: Stanza): number | undefined => {
  const biz = child(message, "biz");
  if (!biz) return undefined;
  if (child(biz, "buttons") ?? child(biz, "list")) return LEGACY;
  const interactive = child(biz, "interactive");
  const name = interactive && child(interactive, "native_flow")?.attrs["name"];
  if (name !== undefined && REFUSED_AS_LEGACY.includes(name)) return LEGACY;
  if (name !== undefined && name !== "mixed") return NAMED;
  return isWhole(biz) ? undefined : BARE;
};

/** Whether a `bot` node stands before the `biz` node, as apps want it in a chat of two. */
const isMarked = ({ content }: Stanza): boolean => {
  const tags = Array.isArray(content) ? content.map(({ tag }) => tag) : [];
  return tags.includes("bot") && tags.indexOf("bot") < tags.indexOf("biz");
};

/**
 * Whether an app shows a message. Buttons without their node are taken by the network and shown by nobody, as are
 * buttons in a view-once wrapper.
 */
export const isShown = (message: proto.IMessage, stanza: Stanza): boolean => {
  if (!normalizeMessageContent(message)?.interactiveMessage) return true;
  if (!message.interactiveMessage) return false;
  const biz = child(stanza, "biz");
  const isOfTwo = stanza.attrs["participant"] === undefined;
  return biz !== undefined && isWhole(biz) && (!isOfTwo || isMarked(stanza));
};

type Params = { id?: string; display_text?: string; sections?: { rows: { id: string; title: string }[] }[] };

/** The buttons and rows that a person may tap in a message, by their ids. */
export const optionsIn = (message: proto.IMessage): Map<string, string> => {
  const { nativeFlowMessage, carouselMessage } = message.interactiveMessage ?? {};
  const flows = [nativeFlowMessage, ...(carouselMessage?.cards ?? []).map((card) => card.nativeFlowMessage)];
  const options = flows
    .flatMap((flow) => flow?.buttons ?? [])
    .map(({ buttonParamsJson }) => JSON.parse(buttonParamsJson ?? "{}") as Params)
    .flatMap(({ id, display_text: title, sections = [] }) => [
      ...(id !== undefined && title !== undefined ? [{ id, title }] : []),
      ...sections.flatMap(({ rows }) => rows),
    ]);
  return new Map(options.map(({ id, title }) => [id, title]));
};
