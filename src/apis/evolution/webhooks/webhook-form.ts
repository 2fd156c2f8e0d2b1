import type { FillBody, FilledEvent } from "../../../core/events/audience.ts";
import { type FileEnv, type LinkEnv, linkOfMessage, smallFileOf } from "../../../core/media/links.ts";
import { HOUR_MS } from "../../../kernel/clock.ts";
import { OWN_JSON, parsedJson, recordOf } from "../../../kernel/texts/json.ts";

/** How a webhook of an instance wants its events: each at an address of its own, and files in base64. */
export type WebhookForm = { byEvents: boolean; base64: boolean };

/** The form as the profile of a subscription. */
export const profileOf = ({ byEvents = false, base64 = false }: Partial<WebhookForm>): string =>
  [byEvents ? "by-events" : "", base64 ? "base64" : ""].filter(Boolean).join(" ");

export const webhookFormOf = (profile: string | null): WebhookForm => {
  const words = (profile ?? "").split(" ");
  return { byEvents: words.includes("by-events"), base64: words.includes("base64") };
};

/** The address of an event: the URL, with the event's name behind its path if the webhook wants it so. */
export const webhookAddress = (url: string, type: string, profile: string | null): string => {
  if (!webhookFormOf(profile).byEvents) return url;
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, "")}/${type.replaceAll(".", "-")}`;
  return address.href;
};

/** The largest file that a webhook gets in base64. */
const MOST_FILE_BYTES = 4 * 1024 * 1024;

/** How long an address in a webhook is good. Each attempt has a new one. */
const LINK_MS = HOUR_MS;

/** Finds the type of a message in a body, so that texts need no search for a file. A text cannot look like it. */
const HAS_FILE = /"messageType":"(?:image|video|audio|document|sticker)Message"/;

export type FillEnv = FileEnv & LinkEnv;

/**
 * Puts the file of a message that comes in into the body: its signed address, as programs know it from Evolution with an
 * S3 (`message.mediaUrl`), and the file itself where the webhook wants it (`message.base64`).
 */
export const filledBy =
  (env: () => FillEnv) =>
  async ({ tenantId, messageId, type, body }: FilledEvent, profile: string | null): Promise<FillBody | undefined> => {
    if (type !== "messages.upsert" || messageId === null || !HAS_FILE.test(body)) return undefined;
    const mediaUrl = await linkOfMessage(env(), { tenantId }, messageId, LINK_MS);
    if (mediaUrl === undefined) return undefined;
    if (!webhookFormOf(profile).base64) return async () => withFile(body, { mediaUrl });
    const read = await smallFileOf(env(), { tenantId }, messageId, MOST_FILE_BYTES);
    return async () => withFile(body, { mediaUrl, file: await read?.() });
  };

type Filling = { mediaUrl: string; file?: Uint8Array | undefined };

const withFile = (body: string, { mediaUrl, file }: Filling): string => {
  const event = recordOf(parsedJson(body, OWN_JSON));
  const data = recordOf(event["data"]);
  const base64 = file === undefined ? {} : { base64: Buffer.from(file).toString("base64") };
  return JSON.stringify({
    ...event,
    data: { ...data, message: { ...recordOf(data["message"]), mediaUrl, ...base64 } },
  });
};
