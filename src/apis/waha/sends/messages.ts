import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { invalid } from "../../../kernel/errors.ts";
import { issue, Text } from "../../../kernel/schema.ts";
import { readCards } from "../../../kernel/texts/vcards.ts";
import { filled } from "../../shared/compatible/menus.ts";
import { sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { fileBody, optionalFlag, optionalText, send, sendBody, sendFile, sends, sendsFile } from "./sending.ts";

const TextBody = sendBody({
  text: Type.String({ minLength: 1 }),
  linkPreview: optionalFlag,
  linkPreviewHighQuality: optionalFlag,
});

/** A preview is asked for where the client says so; without a word the setting of the phone decides. */
const textContent = ({ text, linkPreview }: { text: string; linkPreview?: boolean | null | undefined }) => ({
  type: "text" as const,
  content: { text, ...(linkPreview === undefined || linkPreview === null ? {} : { linkPreview }) },
});

const Card = Type.Object({
  fullName: optionalText,
  organization: optionalText,
  phoneNumber: optionalText,
  whatsappId: optionalText,
  vcard: optionalText,
});

/** The parts of a card that go out: a name and a number, and the first address of a written card. */
const contactOfCard = ({ fullName, phoneNumber, whatsappId, vcard }: Static<typeof Card>, index: number) => {
  if (!vcard) return { name: fullName ?? "", phone: phoneNumber || whatsappId || "" };
  const [card] = readCards(vcard);
  const [phone] = card?.phones ?? [];
  if (!card || !phone)
    throw invalid(issue(`contacts.${index}.vcard`, "format", "must be a vCard with a telephone number"));
  const [email] = card.emails;
  return { name: card.name || phone.number, phone: phone.waId ?? phone.number, ...filled("email", email) };
};

const PollBody = sendBody({
  poll: Type.Object({
    name: Type.String(),
    options: Type.Array(Type.String(), { minItems: 2, maxItems: 12 }),
    multipleAnswers: optionalFlag,
  }),
});

const LocationBody = sendBody({ latitude: Type.Number(), longitude: Type.Number(), title: optionalText });

/** Sending texts and contents without a file, as WAHA's clients ask for it. */
export const messages = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .post("/sendText", ({ principal, request, body }) => send(env, { principal, request, body }, textContent(body)), {
      body: TextBody,
      detail: sends,
    })
    .post("/reply", ({ principal, request, body }) => send(env, { principal, request, body }, textContent(body)), {
      body: TextBody,
      detail: sends,
    })
    .get(
      "/sendText",
      ({ principal, request, query: { phone, text } }) =>
        send(
          env,
          { principal, request, body: { chatId: phone } },
          { type: "text", content: { text } },
          sessionOf(request),
        ),
      {
        query: Type.Object({
          phone: Text(1, 256),
          text: Type.String({ minLength: 1 }),
          session: Type.Optional(Text(1, 120)),
        }),
        detail: { ...routeOptions({ scope: "messages.write", countsAsSend: true, names: "query" }) },
      },
    )
    .post(
      "/sendLocation",
      ({ principal, request, body }) => {
        const { latitude, longitude, title } = body;
        const content = { latitude, longitude, ...filled("name", title) };
        return send(env, { principal, request, body }, { type: "location", content });
      },
      { body: LocationBody, detail: sends },
    )
    .post(
      "/sendContactVcard",
      ({ principal, request, body }) => {
        const contacts = body.contacts.map(contactOfCard);
        return send(env, { principal, request, body }, { type: "contact", content: { contacts } });
      },
      { body: sendBody({ contacts: Type.Array(Card, { minItems: 1, maxItems: 10 }) }), detail: sends },
    )
    .post(
      "/sendPoll",
      ({ principal, request, body }) => {
        const { name: question, options, multipleAnswers } = body.poll;
        const content = { question, options, maxSelections: multipleAnswers ? options.length : 1 };
        return send(env, { principal, request, body }, { type: "poll", content });
      },
      { body: PollBody, detail: sends },
    );

const CaptionBody = fileBody({ caption: optionalText });

/** Sending files. */
export const fileMessages = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .post(
      "/sendImage",
      ({ principal, request, body }) =>
        sendFile(
          env,
          { principal, request, body, file: body.file },
          { type: "image", content: filled("caption", body.caption) },
        ),
      { body: CaptionBody, detail: sendsFile },
    )
    .post(
      "/sendFile",
      ({ principal, request, body }) => {
        const content = { ...filled("caption", body.caption), ...filled("filename", body.file.filename) };
        return sendFile(env, { principal, request, body, file: body.file }, { type: "document", content });
      },
      { body: CaptionBody, detail: sendsFile },
    )
    .post(
      "/sendVoice",
      ({ principal, request, body }) =>
        sendFile(env, { principal, request, body, file: body.file }, { type: "audio", content: { ptt: true } }),
      { body: fileBody({ convert: optionalFlag }), detail: sendsFile },
    )
    .post(
      "/sendVideo",
      ({ principal, request, body }) => {
        if (body.asNote && body.caption)
          throw invalid(issue("caption", "forbidden", "is not supported: a video note has no text"));
        const content = body.asNote ? { videoNote: true } : filled("caption", body.caption);
        return sendFile(env, { principal, request, body, file: body.file }, { type: "video", content });
      },
      {
        body: fileBody({ caption: optionalText, asNote: optionalFlag, convert: optionalFlag }),
        detail: sendsFile,
      },
    );
