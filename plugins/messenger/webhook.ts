import type { ChannelWebhook } from "../../src/contract/webhooks.ts";
import { hmacSha256, isSameSecret } from "../../src/kernel/crypto.ts";
import { listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { parseRecord, textOf } from "../meta/json.ts";
import { eventsOf } from "./inbound.ts";

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;
const signatureIn = (headers: Headers): string => headers.get("x-hub-signature-256") ?? "";

const bodyOf = (rawBody: Uint8Array): string => new TextDecoder().decode(rawBody);

/** Whether all entries are of this page: people of another page must not appear in its channel. */
const isOfPage = (rawBody: Uint8Array, pageId: string): boolean =>
  listOf(parseRecord(bodyOf(rawBody))?.["entry"]).every((entry) => textOf(recordOf(entry)["id"]) === pageId);

/**
 * Webhooks of an app (https://developers.facebook.com/docs/messenger-platform/webhooks), at the address of one of its
 * pages: each event goes to the channel of its page. A channel that names no app takes envelopes of its own page alone.
 */
export const messengerWebhook = {
  servesAccount: true,
  isSigned: ({ headers }) => SIGNATURE.test(signatureIn(headers)),
  verify({ headers, rawBody }, { appSecret = "", pageId = "", appId = "" }) {
    // anyone could sign with an empty secret
    if (appSecret === "" || !SIGNATURE.test(signatureIn(headers))) return false;
    const isSigned = isSameSecret(signatureIn(headers), `sha256=${hmacSha256(appSecret, rawBody, "hex")}`);
    return isSigned && (appId !== "" || isOfPage(rawBody, pageId));
  },
  handshake({ query }, { verifyToken = "" }) {
    const isOurs = verifyToken !== "" && isSameSecret(query.get("hub.verify_token") ?? "", verifyToken);
    if (query.get("hub.mode") !== "subscribe" || !isOurs) return undefined;
    return { contentType: "text/plain", body: query.get("hub.challenge") ?? "" };
  },
  parse: ({ rawBody }) => eventsOf(bodyOf(rawBody)),
} satisfies ChannelWebhook;
