import { type TProperties, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CONTENT, type ContentType } from "../../contract/content/content.ts";
import { PixContent } from "../../contract/content/pix.ts";
import { DEFAULT_LANGUAGE } from "../../contract/content/templates.ts";
import { type Accepted, acceptMessage } from "../../core/messaging/sending/accept.ts";
import { planLimits } from "../../core/tenancy/accounts/plans.ts";
import { described, Text } from "../../kernel/schema.ts";
import { SendOptions } from "../shared/channels/send-options.ts";
import { DryRunMessage, DryRunQuery, dryRunMessage, isDryRun } from "../shared/dry-run.ts";
import { Id, IsAnswer, inPath } from "../shared/fields.ts";
import { askedBy } from "../shared/http/request.ts";
import { storingAnswer } from "../shared/idempotency.ts";
import type { PlatformAuth } from "./auth.ts";
import { checkRecipient, recipientSchema } from "./batches/recipients.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { REFUSALS } from "./schemas.ts";
import { hiddenKinds } from "./words.ts";

const SentView = Type.Object(
  {
    success: Type.Boolean({ description: "True: a refusal has another status" }),
    message: Type.String({
      description: "What happened, for people; the words may change",
      examples: ["The message is queued."],
    }),
    messageId: Id("The message, for `GET /v1/messages/{messageId}`", "message"),
  },
  { title: "SentMessage" },
);

const sentView = ({ messageId }: Accepted) => ({ success: true, message: "The message is queued.", messageId });

const mediaUrl = described(Text(1, 2048), "Where the file is, by HTTPS", "https://padaria-estrela.example/bolo.jpg");
const { caption } = CONTENT.image.properties;
const { name, language: _language, variables, ...otherValues } = CONTENT.template.properties;
const language = Type.Optional({ ...Text(2, 20), default: DEFAULT_LANGUAGE });

type Send = { operationId: string; summary: string; description: string; content: TProperties };

/** TABLE: the message types that can be sent. The fields besides `to` are the content for the core. */
const SENDS = {
  text: {
    operationId: "sendText",
    summary: "Send a text",
    description: "202 means that the message is on disk; webhooks report its progress.",
    content: CONTENT.text.properties,
  },
  image: {
    operationId: "sendImage",
    summary: "Send an image",
    description: "The file is fetched from `mediaUrl` when it is sent; webhooks report its progress.",
    content: {
      mediaUrl,
      caption: described(caption, "A text below the image; at most 1,024 characters", "Bolo de cenoura"),
    },
  },
  video: {
    operationId: "sendVideo",
    summary: "Send a video",
    description: "The file is fetched from `mediaUrl` when it is sent; webhooks report its progress.",
    content: {
      mediaUrl,
      caption: described(caption, "A text below the video; at most 1,024 characters", "Bolo de cenoura"),
    },
  },
  audio: {
    operationId: "sendAudio",
    summary: "Send a recording",
    description: "With `ptt` it plays as a voice note. The file is fetched from `mediaUrl` when it is sent.",
    content: {
      mediaUrl,
      ptt: described(CONTENT.audio.properties.ptt, "Whether it plays as a voice note; false by default"),
    },
  },
  document: {
    operationId: "sendDocument",
    summary: "Send a document",
    description: "The file is fetched from `mediaUrl` when it is sent; webhooks report its progress.",
    content: {
      mediaUrl,
      filename: described(
        CONTENT.document.properties.filename,
        "The shown name: the name of a file alone, without folders",
        "cardapio.pdf",
      ),
      caption: described(caption, "A text below the document; at most 1,024 characters", "Bolo de cenoura"),
    },
  },
  contact: {
    operationId: "sendContact",
    summary: "Send contacts",
    description: "At most ten. Webhooks report the message's progress.",
    content: CONTENT.contact.properties,
  },
  template: {
    operationId: "sendTemplate",
    summary: "Send an approved template",
    description:
      "Through a CHAT_WABA channel. Each value must fit the template: it has one header at most, and each button gives " +
      "what its type needs. Webhooks report the progress.",
    content: {
      name: described(name, "The name of an approved template", "confirmacao_pedido"),
      language: described(language, "A language code, such as pt_BR"),
      variables: described(variables, "Values of {{1}}, {{2}} …, in order", ["Maria", "1042"]),
      ...otherValues,
    },
  },
  pix: {
    operationId: "sendPix",
    summary: "Ask for a payment by Pix",
    description:
      "An official number in Brazil sends an order to be paid; any other channel sends a text, with the " +
      "code on its own line. A wrong `key`, or a `code` of another amount, is refused.",
    content: PixContent.properties,
  },
} as const satisfies Partial<Record<ContentType | "pix", Send>>;

/** Sends through one channel. Messages are queued in any state, and sent when the channel is connected. */
export const messages = (env: PlatformEnv, auth: PlatformAuth) => {
  const recipient = recipientSchema(env.registry);
  const routes = new Elysia({
    prefix: "/v1/channels/:channelId/messages",
    tags: ["messages"],
    detail: inPath({ channelId: Id("The channel, as `GET /v1/channels` lists it", "phone") }),
  }).use(auth);
  for (const type of Object.keys(SENDS) as (keyof typeof SENDS)[]) {
    const { operationId, summary, description, content: fields } = SENDS[type];
    routes.post(
      `/${type}`,
      async ({
        principal,
        params: { channelId },
        body: { to, isAnswer = false, sendOptions, ...content },
        query,
        request,
        status,
      }) => {
        const { environment, plan } = principal;
        await checkRecipient(env, principal, { channelId, to });
        const options = {
          environment,
          mustBeConnected: false,
          hidden: hiddenKinds(env.registry),
          messagesPerDay: planLimits(plan).messagesPerDay,
          isDryRun: isDryRun(query),
          ...askedBy(principal, request),
          ...storingAnswer(env, request, (result: Accepted) => ({ status: 202, body: sentView(result) })),
        };
        const envelope = {
          channelId,
          to,
          type,
          content,
          isAnswer,
          ...(sendOptions === undefined ? {} : { sendOptions }),
        };
        const accepted = await acceptMessage(env, principal, envelope, options);
        return options.isDryRun
          ? status(200, await dryRunMessage(env, principal, envelope, accepted))
          : status(202, sentView(accepted));
      },
      {
        body: Type.Object({
          to: recipient,
          ...fields,
          sendOptions: Type.Optional(SendOptions),
          isAnswer: Type.Optional(IsAnswer),
        }),
        query: DryRunQuery,
        response: { 200: DryRunMessage, 202: SentView, ...REFUSALS },
        detail: {
          ...route({
            operationId,
            permission: "messages.send",
            acts: "none: daily work",
            isolation: { channelId: "channel" },
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary,
          description,
        },
      },
    );
  }
  return routes;
};
