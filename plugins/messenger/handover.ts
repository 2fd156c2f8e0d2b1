import type {
  HandoverAction,
  HandoverApi,
  HandoverOrder,
  HandoverOutcome,
} from "../../src/contract/abilities/handover.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { NoCredentials } from "../meta/credentials.ts";
import type { GraphResult } from "../meta/graph.ts";
import { PAGE_INBOX } from "../meta/holder.ts";
import { psidOf } from "./address.ts";
import type { Page } from "./calls.ts";
import { FAILURE_WITHOUT } from "./credentials.ts";
import { THREAD_HELD, upstreamResult } from "./errors.ts";

/** TABLE: the calls of https://developers.facebook.com/docs/messenger-platform/conversation-routing. */
const EDGES: Readonly<Record<HandoverAction, string>> = {
  pass: "pass_thread_control",
  take: "take_thread_control",
  release: "release_thread_control",
};

/** TABLE: apps of Meta that have a name here; every other app is named by its id. */
const APPS: ReadonlyMap<string, string> = new Map([["page_inbox", PAGE_INBOX]]);
const APP_ID = /^\d{5,40}$/;

/** The page's settings do not let this app take conversations. */
const ROLE_REFUSED = 27;

/** Who leads a conversation of the page. Each request is made once. */
export const messengerHandover = (page: () => Promise<Page | NoCredentials>): HandoverApi => ({
  async change(order) {
    const target = targetOf(order);
    if (target === undefined)
      return {
        ok: false,
        kind: "unsupported",
        reason: "Messenger passes a conversation to page_inbox, or to an app by its id.",
      };
    const found = await page();
    if (typeof found === "string") return { ok: false, kind: "credentials", reason: FAILURE_WITHOUT[found].reason };
    const { graph, pageId, accessToken: token } = found;
    const { action, to, metadata } = order;
    const body = { recipient: { id: psidOf(to) }, ...target, ...(metadata === undefined ? {} : { metadata }) };
    return outcomeOf(await graph({ method: "POST", path: [pageId, EDGES[action]], token, body }));
  },
});

/** The app that gets the conversation; empty where the network chooses. Undefined if the word names no app. */
const targetOf = ({ action, targetRole }: HandoverOrder): Json | undefined => {
  if (action !== "pass" || targetRole === undefined) return {};
  const appId = APPS.get(targetRole) ?? targetRole;
  return APP_ID.test(appId) ? { target_app_id: appId } : undefined;
};

const outcomeOf = (result: GraphResult): HandoverOutcome => {
  if (!result.ok && result.fault.kind === "error") {
    const { said, text: reason } = result.fault;
    if (said.code === ROLE_REFUSED) return { ok: false, kind: "role", reason };
    if (said.error_subcode === THREAD_HELD) return { ok: false, kind: "held", reason };
  }
  const read = upstreamResult(result, () => true as const);
  return read.ok ? { ok: true } : read;
};
