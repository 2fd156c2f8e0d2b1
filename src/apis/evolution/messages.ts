import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { ContentType } from "../../contract/content/content.ts";
import { acceptMessage } from "../../core/messaging/sending/accept.ts";
import { acceptOperation } from "../../core/messaging/sending/operations.ts";
import { invalid } from "../../kernel/errors.ts";
import { AnyText, issue, OneOf, Text } from "../../kernel/schema.ts";
import { jidOfKey, numberOf } from "../shared/compatible/addresses.ts";
import { fileHashOf, fileSource, refusalOfFile } from "../shared/compatible/files.ts";
import { buttonsContent, filled, joined } from "../shared/compatible/menus.ts";
import { askedBy, MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
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

/** The contents whose text can mention people. */
const MENTIONING: ReadonlySet<ContentType> = new Set(["text", "image", "video", "document"]);

/** @throws AppError VALIDATION for a mention in a content without text, because it would be lost */
const mentionsOf = ({ mentionsEveryOne, mentioned = [] }: Common, type: ContentType): { mentions?: string[] } => {
  if (!mentionsEveryOne && mentioned.length === 0) return {};
  if (MENTIONING.has(type)) return { mentions: [...(mentionsEveryOne ? ["all"] : []), ...mentioned] };
  const field = mentionsEveryOne ? "mentionsEveryOne" : "mentioned";
  throw invalid(issue(field, "forbidden", "is not supported: a message without a text mentions nobody"));
};

/**
 * Accepts a message, and answers as Evolution does for a message that waits to be sent. `fileField`: the client's own
 * field with the file.
 */
const send = async (
  env: EvolutionEnv,
  { principal, request, body: given }: Asked,
  { type, content }: { type: ContentType; content: object },
  fileField = "media",
) => {
  const said = { type, content: { ...content, ...mentionsOf(given, type) } };
  const instance = instanceOf(request);
  const quotedId = given.quoted?.key?.id;
  const file = (given as Record<string, unknown>)[fileField];
  const fileHash = "mediaHandle" in content && typeof file === "string" ? fileHashOf(file) : undefined;
  const { messageId, recipient } = await acceptMessage(
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
  ).catch((refusal: unknown) => {
    throw refusalOfFile(refusal, fileField);
  });
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

const options = { ...routeOptions({ scope: "messages.write", countsAsSend: true }) };
const withFile = {
  ...routeOptions({ scope: "messages.write", countsAsSend: true, maxBodyBytes: MAX_LONG_BODY_BYTES }),
};

const MediaBody = body({
  mediatype: OneOf(["image", "video", "document", "audio"]),
  media: Type.String({ minLength: 1 }),
  /** Some clients write it as a text. */
  gifPlayback: Type.Optional(Type.Union([Type.Boolean(), OneOf(["true", "false"])])),
  ...media,
});

const sendMedia = async (env: EvolutionEnv, { body: given, ...asked }: Asked & { body: Static<typeof MediaBody> }) => {
  const { mediatype, media: file, mimetype, fileName, caption } = given;
  const source = await fileSource(env, asked.principal, { field: "media", file, mimetype, fileName });
  const content = {
    ...source,
    ...filled("mimeType", mimetype),
    ...(mediatype === "audio" ? {} : filled("caption", caption)),
    ...(mediatype === "document" ? filled("filename", fileName) : {}),
    ...(mediatype === "video" && String(given.gifPlayback) === "true" ? { gifPlayback: true } : {}),
  };
  return send(env, { ...asked, body: given }, { type: mediatype, content });
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
      detail: withFile,
    })
    .post(
      "/sendWhatsAppAudio/:instance",
      async ({ principal, request, body }) => {
        const source = await fileSource(env, principal, { field: "audio", file: body.audio });
        return send(env, { principal, request, body }, { type: "audio", content: { ...source, ptt: true } }, "audio");
      },
      { body: body({ audio: Type.String({ minLength: 1 }) }), detail: withFile },
    )
    .post(
      "/sendPtv/:instance",
      async ({ principal, request, body }) => {
        const source = await fileSource(env, principal, { field: "video", file: body.video });
        return send(
          env,
          { principal, request, body },
          { type: "video", content: { ...source, videoNote: true } },
          "video",
        );
      },
      { body: body({ video: Type.String({ minLength: 1 }) }), detail: withFile },
    )
    .post(
      "/sendSticker/:instance",
      async ({ principal, request, body }) => {
        const source = await fileSource(env, principal, { field: "sticker", file: body.sticker });
        return send(env, { principal, request, body }, { type: "sticker", content: source }, "sticker");
      },
      { body: body({ sticker: Type.String({ minLength: 1 }) }), detail: withFile },
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
