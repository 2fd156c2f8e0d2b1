import type { Operation, OperationOutcome } from "../../src/contract/abilities/operations.ts";
import { type Asking, createAsking, EXPIRED } from "../../src/contract/asking.ts";
import type { LinkReport } from "../../src/contract/events.ts";
import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import { SECOND_MS } from "../../src/kernel/clock.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { isSuccess } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { psidOf } from "./address.ts";
import { type MessengerSettings, type Page, pageOf } from "./calls.ts";
import { FAILURE_WITHOUT } from "./credentials.ts";
import { failureOf, upstreamResult } from "./errors.ts";
import { messengerHandover } from "./handover.ts";
import { messengerMedia } from "./media.ts";
import { learnNames } from "./names.ts";
import { createPace } from "./pace.ts";
import { callMessages, sendOrder } from "./send.ts";
import { messengerUploads } from "./uploads.ts";

const COURTESY_TIMEOUT_MS = 5 * SECOND_MS;

/** The events of a page that this adapter reads: https://developers.facebook.com/docs/graph-api/webhooks/reference/page. */
const FIELDS = [
  "messages",
  "messaging_postbacks",
  "messaging_referrals",
  "message_deliveries",
  "message_reads",
  "message_reactions",
  "message_edits",
  "message_echoes",
  "messaging_handovers",
  "standby",
];

/** One page's link. It holds no connection: connecting means asking the network whether the token is good. */
export const messengerLink = (host: ChannelHost, settings: MessengerSettings): ChannelLink => {
  const asking: Asking = createAsking(host, () => checkPage(host, settings));
  /** A refused token in any call of the core ends the connection as TOKEN_EXPIRED. */
  const page = () => {
    const begun = asking.generation;
    return pageOf(host, settings, () => asking.report(begun, EXPIRED));
  };
  const uploads = messengerUploads(host);
  const pace = createPace(host.clock);
  let names = learnNames(host);
  return {
    connect() {
      names.end();
      names = learnNames(host);
      asking.connect();
    },
    close() {
      names.end();
      return asking.close();
    },
    forget: () => forgetPage(host, settings),
    paceMs: pace.waitMs,
    async send(order) {
      const found = await page();
      if (typeof found === "string") return FAILURE_WITHOUT[found];
      pace.noteMedia(order);
      const outcome = await sendOrder(found, uploads, order);
      if (outcome.ok) void names.learn(found, order.to);
      return outcome;
    },
    async operate(operation) {
      const found = await page();
      return typeof found === "string" ? FAILURE_WITHOUT[found] : operateOn(found, operation);
    },
    handover: messengerHandover(page),
    media: messengerMedia(host),
  };
};

/** The network's report about the page; undefined without an answer yet, so that it is asked again. Never throws. */
const checkPage = async (host: ChannelHost, settings: MessengerSettings): Promise<LinkReport | undefined> => {
  const page = await pageOf(host, settings, () => {});
  if (typeof page === "string") return { state: "FAILED", reason: `CREDENTIALS_${page.toUpperCase()}` };
  const { graph, pageId, accessToken: token } = page;
  const me = upstreamResult(
    await graph({ method: "GET", path: ["me"], token, fields: ["id", "name"] }),
    (json) => json,
  );
  if (!me.ok && me.kind === "token") return EXPIRED;
  if (!me.ok && me.kind === "refused") return { state: "FAILED", reason: me.error.message };
  if (!me.ok) {
    host.log.warn({ channelId: host.channelId, reason: me.reason }, "page could not be checked yet");
    return undefined;
  }
  if (textOf(me.value["id"]) !== pageId)
    return { state: "FAILED", reason: "The access token belongs to another page or to a person." };
  const isSubscribed = await subscribe(host, page);
  if (isSubscribed === undefined) return undefined;
  return {
    state: "CONNECTED",
    profile: {
      messengerPageId: pageId,
      messengerPageName: textOf(me.value["name"]) ?? null,
      messengerWebhookConfigured: isSubscribed,
    },
  };
};

/** Whether the app gets the events of the page; undefined without an answer. Sending works without them. */
const subscribe = async (host: ChannelHost, { graph, pageId, accessToken: token }: Page) => {
  const subscribed = upstreamResult(
    await graph({
      method: "POST",
      path: [pageId, "subscribed_apps"],
      token,
      query: { subscribed_fields: FIELDS.join(",") },
    }),
    isSuccess,
  );
  if (subscribed.ok) return true;
  const reason = subscribed.kind === "refused" ? subscribed.error.message : subscribed.reason;
  host.log.warn({ channelId: host.channelId, reason }, "webhooks of the page could not be subscribed");
  return subscribed.kind === "refused" ? false : undefined;
};

const operateOn = async (page: Page, operation: Operation): Promise<OperationOutcome> => {
  const action = actionOf(operation);
  if (!action)
    return { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: "the network offers no such call" };
  const result = await callMessages(page, { recipient: { id: psidOf(operation.chat) }, ...action });
  return result.ok ? { ok: true } : failureOf(result.fault);
};

/** TABLE: operations. `read` marks the whole conversation: the network has no call for one message. */
const actionOf = (operation: Operation): Json | undefined => {
  switch (operation.name) {
    case "react": {
      const payload = { message_id: operation.key };
      return operation.emoji === ""
        ? { sender_action: "unreact", payload }
        : { sender_action: "react", payload: { ...payload, reaction: operation.emoji } };
    }
    case "read":
      return { sender_action: "mark_seen" };
    case "typing":
      return { sender_action: "typing_on" };
    default:
      return undefined;
  }
};

/** Removes the page's webhooks. A refusal is only logged. */
const forgetPage = async (host: ChannelHost, settings: MessengerSettings): Promise<void> => {
  const page = await pageOf(host, settings, () => {});
  if (typeof page === "string") return;
  const { graph, pageId, accessToken: token } = page;
  const path = [pageId, "subscribed_apps"];
  const result = await graph({ method: "DELETE", path, token, timeoutMs: COURTESY_TIMEOUT_MS });
  if (!result.ok)
    host.log.warn(
      { channelId: host.channelId, reason: failureOf(result.fault).reason },
      "the network did not unsubscribe the page",
    );
};
