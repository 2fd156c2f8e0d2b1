import { SAMPLES } from "../../../src/conformance/samples.ts";
import type { Answer, World } from "../world.ts";
import { RECIPIENT } from "./platform.ts";

const { text, image, video, document, contact } = SAMPLES;

/** Every send of the platform: a good body beside `to`, and the body for the official network. */
export const SENDS: Readonly<Record<string, { body: Record<string, unknown>; upstream: object }>> = {
  text: { body: text, upstream: { type: "text", text: { body: text.text, preview_url: false } } },
  image: { body: image, upstream: { type: "image", image: { link: image.mediaUrl, caption: image.caption } } },
  video: { body: video, upstream: { type: "video", video: { link: video.mediaUrl, caption: video.caption } } },
  audio: {
    body: { ...SAMPLES.audio, ptt: true },
    upstream: { type: "audio", audio: { link: SAMPLES.audio.mediaUrl, voice: true } },
  },
  document: {
    body: { ...document, caption: "a nota" },
    upstream: {
      type: "document",
      document: { link: document.mediaUrl, filename: document.filename, caption: "a nota" },
    },
  },
  contact: {
    body: {
      contacts: [
        { ...contact.contacts[0], email: "ana@example.com" },
        { name: "Bia", phone: "11999990002" },
      ],
    },
    upstream: {
      type: "contacts",
      contacts: [
        {
          name: { formatted_name: "Ana Souza", first_name: "Ana Souza" },
          phones: [{ phone: "+55 11 99999-0001" }],
          emails: [{ email: "ana@example.com" }],
        },
        { name: { formatted_name: "Bia", first_name: "Bia" }, phones: [{ phone: "11999990002" }] },
      ],
    },
  },
  template: {
    body: { name: "order_update", language: "en_US", variables: ["Ana", "123"] },
    upstream: {
      type: "template",
      template: {
        name: "order_update",
        language: { code: "en_US", policy: "deterministic" },
        components: [
          {
            type: "body",
            parameters: [
              { type: "text", text: "Ana" },
              { type: "text", text: "123" },
            ],
          },
        ],
      },
    },
  },
};

/** A good send, changed by `fields`. */
export const sendAs = (
  world: World,
  { key, channelId, type }: { key: string; channelId: string; type: string },
  fields: object = {},
): Promise<Answer> =>
  world.platform(`/v1/channels/${channelId}/messages/${type}`, {
    key,
    body: { to: RECIPIENT, ...SENDS[type]?.body, ...fields },
  });
