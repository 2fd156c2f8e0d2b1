import type { FillBody, FilledEvent } from "../../core/events/audience.ts";
import { type FileEnv, smallFileOf } from "../../core/media/links.ts";
import { OWN_JSON, parsedJson, recordOf } from "../../kernel/texts/json.ts";

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

/** Puts the file of a message that comes in into the body, as Evolution's `message.base64`. */
export const filledBy =
  (env: () => FileEnv) =>
  async ({ tenantId, messageId, type, body }: FilledEvent, profile: string | null): Promise<FillBody | undefined> => {
    if (type !== "messages.upsert" || messageId === null || !webhookFormOf(profile).base64) return undefined;
    const read = await smallFileOf(env(), { tenantId }, messageId, MOST_FILE_BYTES);
    return read && (async () => withFile(body, await read()));
  };

const withFile = (body: string, file: Uint8Array | undefined): string => {
  if (file === undefined) return body;
  const event = recordOf(parsedJson(body, OWN_JSON));
  const data = recordOf(event["data"]);
  const message = { ...recordOf(data["message"]), base64: Buffer.from(file).toString("base64") };
  return JSON.stringify({ ...event, data: { ...data, message } });
};
