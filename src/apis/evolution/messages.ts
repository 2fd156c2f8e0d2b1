import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { ContentType } from "../../contract/content/content.ts";
import { acceptMessage } from "../../core/messaging/sending/accept.ts";
import { acceptOperation } from "../../core/messaging/sending/operations.ts";
import { invalid } from "../../kernel/errors.ts";
import { AnyText, issue, OneOf, Text } from "../../kernel/schema.ts";
import { jidOfKey, numberOf } from "../shared/compatible/addresses.ts";
import { dropFile, type FileSource, fileHashOf, withFile } from "../shared/compatible/files.ts";
import { buttonsContent, filled, joined } from "../shared/compatible/menus.ts";
import { askedBy, MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
import { valuesIn } from "../shared/templates/values.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { messageView } from "./message-views.ts";
import { routeOptions } from "./route-options.ts";

/** The fields of every send besides its content. `delay` is accepted without effect. */
const common = {
  number: Text(1, 256),
  quoted: Type.Optional(Type.Object({ key: Type.Optional(Type.Object({ id: Type.Optional(AnyText()) })) })),
  mentionsEveryOne: Type.Optional(Type.Boolean()),
  mentioned: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  /** The client's own id of the message. A repeat under it sends nothing. */
  messageId: Type.Optional(Text(0, 128)),
};
const body = <Fields extends TProperties>(fields: Fields) => Type.Object({ ...common, ...fields });
type Common = Static<ReturnType<typeof Type.Object<typeof common>>>;

const optionalText = Type.Optional(Type.String());
const media = { mimetype: optionalText, fileName: optionalText, caption: optionalText };

const Rows = Type.Array(Type.Object({ title: Type.String(), description: optionalText, rowId: Type.String() }), {
  maxItems: 100,
});
const BUTTON = { displayText: optionalText, id: optionalText, url: optionalText, copyCode: optionalText };
const Button = Type.Object({ type: OneOf(["reply", "copy", "url", "call", "pix"]), ...BUTTON });
const CardButton = Type.Object({ type: OneOf(["reply", "copy", "url"]), ...BUTTON });

type Asked = { principal: Principal; request: Request; body: Common };

/** `fileHash`: what a repeated request with the same file in base64 has too. */
type Content = { type: ContentType; content: object; fileHash?: string | undefined };

/** The contents whose text can mention people. */
const MENTIONING: ReadonlySet<ContentType> = new Set(["text", "image", "video", "document"]);

/** @throws AppError VALIDATION for a mention in a content without text, because it would be lost */
const mentionsOf = ({ mentionsEveryOne, mentioned = [] }: Common, type: ContentType): { mentions?: string[] } => {
  if (!mentionsEveryOne && mentioned.length === 0) return {};
  if (MENTIONING.has(type)) return { mentions: [...(mentionsEveryOne ? ["all"] : []), ...mentioned] };
  const field = mentionsEveryOne ? "mentionsEveryOne" : "mentioned";
  throw invalid(issue(field, "forbidden", "is not supported: a message without a text mentions nobody"));
};

/** Accepts a message, and answers as Evolution does for a message that waits to be sent. */
const send = async (
  env: EvolutionEnv,
  { principal, request, body: given }: Asked,
  { type, content, fileHash }: Content,
) => {
  const said = { type, content: { ...content, ...mentionsOf(given, type) } };
  const instance = instanceOf(request);
  const quotedId = given.quoted?.key?.id;
  const { is, messageId, recipient } = await acceptMessage(
    env,
    principal,
    {
      channelId: instance.id,
      to: numberOf(given.number),
      ...said,
      ...(quotedId ? { quotedMessageId: quotedId } : {}),
      // the keys of an account are of all its instances
      ...(given.messageId ? { idempotencyKey: `${instance.id}:${given.messageId}` } : {}),
      ...(fileHash === undefined ? {} : { fileHash }),
    },
    {
      environment: "live",
      mustBeConnected: true,
      infersAnswers: said.type !== "template",
      ...askedBy(principal, request),
    },
  );
  if (is === "repeat") await dropFile(env, principal, content); // the first one has its own
  const key = { remoteJid: jidOfKey(recipient), fromMe: true, id: messageId };
  return status(
    201,
    messageView({
      key,
      pushName: null,
      status: "PENDING",
      said,
      at: env.clock.now(),
      instanceId: instance.id,
      quotedId,
    }),
  );
};

/** The same for a content with a file, which the client's own field has. */
const sendFile = (
  env: EvolutionEnv,
  asked: Asked,
  file: Parameters<typeof withFile>[2],
  contentOf: (source: FileSource) => Content,
) =>
  withFile(env, asked.principal, file, (source) =>
    send(env, asked, { ...contentOf(source), fileHash: fileHashOf(file.file) }),
  );

const options = { ...routeOptions({ scope: "messages.write", countsAsSend: true }) };
const fileOptions = {
  ...routeOptions({ scope: "messages.write", countsAsSend: true, maxBodyBytes: MAX_LONG_BODY_BYTES }),
};

const MediaBody = body({
  mediatype: OneOf(["image", "video", "document", "audio"]),
  media: Type.String({ minLength: 1 }),
  /** Some clients write it as a text. */
  gifPlayback: Type.Optional(Type.Union([Type.Boolean(), OneOf(["true", "false"])])),
  ...media,
});

const sendMedia = (env: EvolutionEnv, asked: Asked & { body: Static<typeof MediaBody> }) => {
  const { mediatype, media: file, mimetype, fileName, caption, gifPlayback } = asked.body;
  return sendFile(env, asked, { field: "media", file, mimetype, fileName }, (source) => ({
    type: mediatype,
    content: {
      ...source,
      ...filled("mimeType", mimetype),
      ...(mediatype === "audio" ? {} : filled("caption", caption)),
      ...(mediatype === "document" ? filled("filename", fileName) : {}),
      ...(mediatype === "video" && String(gifPlayback) === "true" ? { gifPlayback: true } : {}),
    },
  }));
};

const ButtonsBody = body({
  title: optionalText,
  description: optionalText,
  footer: optionalText,
  buttons: Type.Array(Button, { minItems: 1, maxItems: 10 }),
});

const buttonsOf = ({
  title,
  description,
  footer,
  buttons,
}: Pick<Static<typeof ButtonsBody>, "title" | "description" | "footer" | "buttons">) =>
  buttonsContent(
    { text: joined(title, description), ...filled("footer", footer) },
    buttons.map(({ type, displayText: text = "", id = "", url, copyCode: code }) => ({ type, text, id, url, code })),
  );

const Card = Type.Object({
  title: optionalText,
  body: Type.String({ minLength: 1 }),
  footer: optionalText,
  imageUrl: optionalText,
  buttons: Type.Array(CardButton, { minItems: 1, maxItems: 3 }),
});
const CarouselBody = body({
  body: Type.String({ minLength: 1 }),
  cards: Type.Array(Card, { minItems: 1, maxItems: 10 }),
});

/** Cards side by side. As in Evolution, one card without a picture is a message with buttons. */
const carouselContent = ({ body: text, cards }: Pick<Static<typeof CarouselBody>, "body" | "cards">) => {
  const [only] = cards;
  if (cards.length === 1 && only && !only.imageUrl)
    return buttonsOf({ ...only, title: text, description: joined(only.title, only.body) });
  return { type: "carousel" as const, content: { text, cards: cards.map(cardOf) } };
};

const cardOf = ({ title, body: text, footer, imageUrl = "", buttons }: Static<typeof Card>) => ({
  header: { type: "image", mediaUrl: imageUrl },
  text: joined(title, text),
  ...filled("footer", footer),
  buttons: buttons.map(({ type, displayText = "", id, url, copyCode }) => ({
    type,
    text: displayText,
    ...filled("id", id),
    ...filled("url", url),
    ...filled("code", copyCode),
  })),
});

/** Of a text with an address. The network may have no previews, and without a wish the phone's setting holds. */
const previewOf = (
  { registry }: EvolutionEnv,
  request: Request,
  linkPreview: boolean | undefined,
): { linkPreview?: boolean } => {
  const { furtherFields = {} } = registry.declared(instanceOf(request).kind)?.capabilities ?? {};
  return linkPreview === undefined || !furtherFields.text?.includes("linkPreview") ? {} : { linkPreview };
};

/** Components in the network's own form, which hands them on. `webhookUrl` is accepted without effect. */
const TemplateBody = body({
  name: Text(1, 512),
  language: Text(1, 20),
  components: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
});

const templateContent = ({ name, language, components }: Static<typeof TemplateBody>) => ({
  type: "template" as const,
  content: { name, language, ...valuesIn({ components }, { path: "components", handleOf }) },
});

/** @throws AppError VALIDATION, because files that were uploaded to the network are not known here */
const handleOf = (_: string, path: string): never => {
  throw invalid(issue(path, "forbidden", "is not supported: give the file by its link"));
};

const Key = Type.Object({ id: Text(1, 256) });

/** Sending, as Evolution's clients ask for it. */
export const messages = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/message" })
    .use(auth)
    .post(
      "/sendText/:instance",
      ({ principal, request, body }) =>
        send(
          env,
          { principal, request, body },
          { type: "text", content: { text: body.text, ...previewOf(env, request, body.linkPreview) } },
        ),
      {
        body: body({ text: Type.String({ minLength: 1 }), linkPreview: Type.Optional(Type.Boolean()) }),
        detail: options,
      },
    )
    .post("/sendMedia/:instance", ({ principal, request, body }) => sendMedia(env, { principal, request, body }), {
      body: MediaBody,
      detail: fileOptions,
    })
    .post(
      "/sendWhatsAppAudio/:instance",
      ({ principal, request, body }) =>
        sendFile(env, { principal, request, body }, { field: "audio", file: body.audio }, (source) => ({
          type: "audio",
          content: { ...source, ptt: true },
        })),
      { body: body({ audio: Type.String({ minLength: 1 }) }), detail: fileOptions },
    )
    .post(
      "/sendPtv/:instance",
      ({ principal, request, body }) =>
        sendFile(env, { principal, request, body }, { field: "video", file: body.video }, (source) => ({
          type: "video",
          content: { ...source, videoNote: true },
        })),
      { body: body({ video: Type.String({ minLength: 1 }) }), detail: fileOptions },
    )
    .post(
      "/sendSticker/:instance",
      ({ principal, request, body }) =>
        sendFile(env, { principal, request, body }, { field: "sticker", file: body.sticker }, (source) => ({
          type: "sticker",
          content: source,
        })),
      { body: body({ sticker: Type.String({ minLength: 1 }) }), detail: fileOptions },
    )
    .post(
      "/sendLocation/:instance",
      ({ principal, request, body }) => {
        const { latitude, longitude, name, address } = body;
        const content = { latitude, longitude, ...filled("name", name), ...filled("address", address) };
        return send(env, { principal, request, body }, { type: "location", content });
      },
      {
        body: body({ latitude: Type.Number(), longitude: Type.Number(), name: optionalText, address: optionalText }),
        detail: options,
      },
    )
    .post(
      "/sendContact/:instance",
      ({ principal, request, body }) => {
        const contacts = body.contact.map(({ fullName, phoneNumber, wuid, email }) => ({
          name: fullName,
          phone: phoneNumber || wuid || "",
          ...filled("email", email),
        }));
        return send(env, { principal, request, body }, { type: "contact", content: { contacts } });
      },
      {
        body: body({
          contact: Type.Array(
            Type.Object({
              fullName: Type.String(),
              phoneNumber: optionalText,
              wuid: optionalText,
              email: optionalText,
            }),
            { minItems: 1, maxItems: 10 },
          ),
        }),
        detail: options,
      },
    )
    .post(
      "/sendPoll/:instance",
      ({ principal, request, body }) => {
        const { name: question, values, selectableCount } = body;
        // 0 means any number of options
        const content = { question, options: values, maxSelections: selectableCount || values.length };
        return send(env, { principal, request, body }, { type: "poll", content });
      },
      {
        body: body({
          name: Type.String(),
          selectableCount: Type.Integer({ minimum: 0 }),
          values: Type.Array(Type.String(), { minItems: 2, maxItems: 12 }),
        }),
        detail: options,
      },
    )
    .post(
      "/sendList/:instance",
      ({ principal, request, body }) => {
        const { title, description, footerText, buttonText, sections } = body;
        const content = {
          text: joined(title, description),
          ...filled("footer", footerText),
          buttonText,
          sections: sections.map((section) => ({
            title: section.title,
            rows: section.rows.map((row) => ({
              id: row.rowId,
              title: row.title,
              ...filled("description", row.description),
            })),
          })),
        };
        return send(env, { principal, request, body }, { type: "list", content });
      },
      {
        body: body({
          title: optionalText,
          description: optionalText,
          footerText: optionalText,
          buttonText: Type.String(),
          sections: Type.Array(Type.Object({ title: Type.String(), rows: Rows }), { minItems: 1, maxItems: 10 }),
        }),
        detail: options,
      },
    )
    .post(
      "/sendButtons/:instance",
      ({ principal, request, body }) => send(env, { principal, request, body }, buttonsOf(body)),
      { body: ButtonsBody, detail: options },
    )
    .post(
      "/sendCarousel/:instance",
      ({ principal, request, body }) => send(env, { principal, request, body }, carouselContent(body)),
      { body: CarouselBody, detail: options },
    )
    .post(
      "/sendTemplate/:instance",
      ({ principal, request, body }) => send(env, { principal, request, body }, templateContent(body)),
      { body: TemplateBody, detail: options },
    )
    .post(
      "/sendReaction/:instance",
      async ({ principal, request, body: { key, reaction } }) => {
        const { id: instanceId } = instanceOf(request);
        await acceptOperation(env, principal, {
          channelId: instanceId,
          messageId: key.id,
          action: { name: "react", emoji: reaction },
        });
        const said = { type: "reactionMessage", content: { key, text: reaction } };
        const own = { remoteJid: key.remoteJid ?? "", fromMe: true, id: key.id };
        return status(
          201,
          messageView({ key: own, pushName: null, status: "PENDING", said, at: env.clock.now(), instanceId }),
        );
      },
      {
        body: Type.Object({
          key: Type.Composite([Key, Type.Object({ remoteJid: optionalText, fromMe: Type.Optional(Type.Boolean()) })]),
          reaction: Text(0, 20),
        }),
        detail: { ...routeOptions({ scope: "messages.write" }) },
      },
    );
