import { type TProperties, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CONTENT, type ContentType } from "../../contract/content.ts";
import { DEFAULT_LANGUAGE } from "../../contract/templates.ts";
import { acceptMessage } from "../../core/messaging/accept.ts";
import { limitsOf } from "../../core/tenancy/plans.ts";
import { Text } from "../../kernel/schema.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { checkRecipient, recipientSchema } from "./recipients.ts";
import { REFUSALS } from "./schemas.ts";
import { hiddenKinds } from "./words.ts";

const SentView = Type.Object({ success: Type.Boolean(), message: Type.String(), messageId: Type.String() });

const mediaUrl = Text(1, 2048, "Where the file is, by HTTPS");
const { caption } = CONTENT.image.properties;
const { name, variables } = CONTENT.template.properties;
const language = Type.Optional({ ...Text(2, 20), default: DEFAULT_LANGUAGE });

type Send = { operationId: string; summary: string; content: TProperties };

/** TABLE: the message types that can be sent. The fields besides `to` are the content for the core. */
const SENDS = {
  text: { operationId: "sendText", summary: "Send a text", content: CONTENT.text.properties },
  image: { operationId: "sendImage", summary: "Send an image", content: { mediaUrl, caption } },
  video: { operationId: "sendVideo", summary: "Send a video", content: { mediaUrl, caption } },
  audio: {
    operationId: "sendAudio",
    summary: "Send a recording; with `ptt` it plays as a voice note",
    content: { mediaUrl, ptt: CONTENT.audio.properties.ptt },
  },
  document: {
    operationId: "sendDocument",
    summary: "Send a document",
    content: { mediaUrl, filename: CONTENT.document.properties.filename, caption },
  },
  contact: { operationId: "sendContact", summary: "Send contacts", content: CONTENT.contact.properties },
  template: {
    operationId: "sendTemplate",
    summary: "Send an approved template through a CHAT_WABA channel",
    content: { name, language, variables },
  },
} as const satisfies Partial<Record<ContentType, Send>>;

/** Sends through one channel. Messages are queued in any state, and sent when the channel is connected. */
export const messages = (env: PlatformEnv, auth: PlatformAuth) => {
  const recipient = recipientSchema(env.registry);
  const routes = new Elysia({ prefix: "/v1/channels/:channelId/messages", tags: ["messages"] }).use(auth);
  for (const type of Object.keys(SENDS) as (keyof typeof SENDS)[]) {
    const { operationId, summary, content: fields } = SENDS[type];
    routes.post(
      `/${type}`,
      async ({ principal, params: { channelId }, body: { to, ...content }, status }) => {
        const { environment, plan } = principal;
        await checkRecipient(env, principal, { channelId, to });
        const options = {
          environment,
          mustBeConnected: false,
          hidden: hiddenKinds(env.registry),
          messagesPerDay: limitsOf(plan).messagesPerDay,
        };
        const { messageId } = await acceptMessage(env, principal, { channelId, to, type, content }, options);
        return status(202, { success: true, message: "The message is queued.", messageId });
      },
      {
        permission: "messages.send",
        body: Type.Object({ to: recipient, ...fields }),
        response: { 202: SentView, ...REFUSALS },
        detail: { operationId, summary },
      },
    );
  }
  return routes;
};
