import type { DeliveryOutcome, DeliveryTarget } from "../../contract/ports/delivery-target.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { OWN_JSON, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { findAppSubscription } from "../../store/tables/events/subscriptions.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { ChatwootChange } from "./changes.ts";
import type { ChatwootEnv } from "./env.ts";
import { CHATWOOT, connectionIn, INBOX_SCHEMES, inboxOfUrl, TEST_HEADER, TOKEN_HEADER } from "./inbox.ts";

const REFUSED: DeliveryOutcome = {
  failure: "unsupported",
  error: "the URL is not that of an inbox",
  statusCode: 0,
  response: null,
  retryAfterMs: 0,
  isGone: true,
  durationMs: 0,
};

/** Takes the deliveries to inboxes: each becomes the calls of Chatwoot's API that it needs. */
export const createChatwootTarget = (env: () => ChatwootEnv): DeliveryTarget => ({
  schemes: INBOX_SCHEMES,
  async refusalOf(url) {
    const inbox = inboxOfUrl(url);
    return inbox ? env().http.refusalOf(inbox.base) : "must be the address of an inbox";
  },
  async send({ url, headers, body }) {
    const inbox = inboxOfUrl(url);
    if (!inbox) return REFUSED;
    const startedAt = env().clock.now();
    // a start without a Chatwoot loads neither
    const [{ carryChange }, { chatwootClient }] = await Promise.all([import("./carry.ts"), import("./client.ts")]);
    const client = chatwootClient(env(), { ...inbox, token: headers[TOKEN_HEADER] ?? "" });
    const change = recordOf(parsedJson(body, OWN_JSON)) as ChatwootChange;
    const channelId = change.channelId as ChannelId;
    const app = await env().db.read((reader) =>
      findAppSubscription(reader, EVERY_TENANT, { channelId, audience: CHATWOOT }),
    );
    const connection = app && connectionIn(app);
    // a test makes no message: the inbox alone is looked at
    const outcome =
      connection && !(TEST_HEADER in headers)
        ? await carryChange(env(), { connection, client }, change)
        : (await client.readInbox(inbox.inboxId)).answer.outcome;
    return { ...outcome, durationMs: env().clock.now() - startedAt };
  },
  close: () => {}, // the client serves others too
});
