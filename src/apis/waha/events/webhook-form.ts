import type { FillBody, FilledEvent } from "../../../core/events/audience.ts";
import { type LinkEnv, linkOfMessage } from "../../../core/media/links.ts";
import { HOUR_MS } from "../../../kernel/clock.ts";
import { type Json, OWN_JSON, parsedJson, recordOf } from "../../../kernel/texts/json.ts";
import { type EventType, nameFor } from "./events.ts";

/**
 * What a webhook of a session was given besides its address: the names that it asked for, the texts that each event
 * repeats, and whether its owner chose the secret.
 */
export type WebhookForm = { events: readonly string[]; metadata: Json | null; hasOwnSecret: boolean };

/** The form as the profile of a subscription. */
export const profileOfForm = (form: WebhookForm): string => JSON.stringify(form);

export const formIn = (profile: string | null): WebhookForm => {
  const { events, metadata, hasOwnSecret } = recordOf(parsedJson(profile ?? "", OWN_JSON));
  return {
    events: Array.isArray(events) ? (events as string[]) : [],
    metadata: metadata === null || metadata === undefined ? null : recordOf(metadata),
    hasOwnSecret: hasOwnSecret === true,
  };
};

/**
 * The body as one webhook gets it: with its texts, and the name that it asked for. A message that was sent is shown as its
 * acknowledgement to those who asked for that alone.
 */
export const adaptedBody = (body: string, profile: string | null): string => {
  const { events, metadata } = formIn(profile);
  const { ack, ...event } = recordOf(parsedJson(body, OWN_JSON));
  const name = nameFor(events, event["event"] as EventType) ?? event["event"];
  const payload = name === "message.ack" && ack !== undefined ? ack : event["payload"];
  return JSON.stringify({ ...event, event: name, metadata, payload });
};

/** How long an address in a webhook is good. Each attempt has a new one. */
const LINK_MS = HOUR_MS;

/** Finds a message with a file in a body. A text cannot look like it, because its quotes are escaped. */
const HAS_FILE = /"hasMedia":true/;

/** Puts the signed address of the file of a message that comes in into the body, as WAHA's `media.url`. */
export const filledBy =
  (env: () => LinkEnv) =>
  async ({ tenantId, messageId, type, body }: FilledEvent, profile: string | null): Promise<FillBody | undefined> => {
    if ((type !== "message" && type !== "message.any") || messageId === null || !HAS_FILE.test(body)) return undefined;
    const url = await linkOfMessage(env(), { tenantId }, messageId, LINK_MS);
    return url === undefined ? undefined : async () => withLink(adaptedBody(body, profile), url);
  };

const withLink = (body: string, url: string): string => {
  const event = recordOf(parsedJson(body, OWN_JSON));
  const payload = recordOf(event["payload"]);
  return JSON.stringify({
    ...event,
    payload: { ...payload, mediaUrl: url, media: { ...recordOf(payload["media"]), url } },
  });
};
