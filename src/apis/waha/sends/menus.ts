import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso, SECOND_MS } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, OneOf } from "../../../kernel/schema.ts";
import { type FileSource, withFile } from "../../shared/compatible/files.ts";
import { buttonsContent, filled, joined } from "../../shared/compatible/menus.ts";
import { sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { refusalNaming } from "../errors.ts";
import { FileBody, fileTextOf } from "../files.ts";
import { COMMON, optionalFlag, optionalText, reachingSession, send, sendBody, sends, sendsFile } from "./sending.ts";

const Button = Type.Object({
  type: OneOf(["reply", "url", "call", "copy"]),
  text: Type.String(),
  id: optionalText,
  url: optionalText,
  phoneNumber: optionalText,
  copyCode: optionalText,
});
const ButtonsBody = sendBody({
  header: optionalText,
  headerImage: Type.Optional(Type.Union([FileBody, Type.Null()])),
  body: optionalText,
  footer: optionalText,
  buttons: Type.Array(Button, { minItems: 1, maxItems: 10 }),
});
type Buttons = Static<typeof ButtonsBody>;

/** The picture above the buttons, by its address. @throws AppError VALIDATION for one in base64 */
const headerOf = ({ headerImage }: Buttons): object => {
  if (!headerImage) return {};
  if (headerImage.url === undefined)
    throw invalid(issue("headerImage.url", "required", "is required: a picture above buttons is given by its address"));
  return { header: { type: "image", mediaUrl: headerImage.url } };
};

const buttonsOf = (given: Buttons) => {
  const { header, body, footer, buttons } = given;
  const common = { text: joined(header, body), ...filled("footer", footer), ...headerOf(given) };
  return buttonsContent(
    common,
    buttons.map(({ type, text, id, url, copyCode: code }, at) => ({ type, text, id: id || String(at + 1), url, code })),
  );
};

const ListBody = sendBody({
  message: Type.Object({
    title: optionalText,
    description: optionalText,
    footer: optionalText,
    button: Type.String(),
    sections: Type.Array(
      Type.Object({
        title: Type.String(),
        rows: Type.Array(
          Type.Object({
            title: Type.String(),
            rowId: Type.String(),
            description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          }),
          { minItems: 1, maxItems: 100 },
        ),
      }),
      { minItems: 1, maxItems: 10 },
    ),
  }),
});

const listContent = ({ message: { title, description, footer, button, sections } }: Static<typeof ListBody>) => ({
  type: "list" as const,
  content: {
    text: joined(title, description),
    ...filled("footer", footer),
    buttonText: button,
    sections: sections.map((section) => ({
      title: section.title,
      rows: section.rows.map((row) => ({
        id: row.rowId,
        title: row.title,
        ...filled("description", row.description),
      })),
    })),
  },
});

const Preview = Type.Object({
  url: Type.String(),
  title: Type.String(),
  description: optionalText,
  image: Type.Optional(Type.Union([FileBody, Type.Null()])),
});

const previewOf = ({ url, title, description }: Static<typeof Preview>, image?: FileSource) => ({
  url,
  title,
  ...filled("description", description),
  ...(image ? { image } : {}),
});

const EventBody = Type.Object({
  chatId: COMMON.chatId,
  reply_to: COMMON.reply_to,
  event: Type.Object({
    name: Type.String(),
    description: optionalText,
    startTime: Type.Number(),
    endTime: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    location: Type.Optional(Type.Union([Type.Object({ name: Type.String() }), Type.Null()])),
    extraGuestsAllowed: optionalFlag,
  }),
});

/** A time in seconds; one outside the calendar is refused by the content's own rule. */
const timeOf = (seconds: number): string => (Math.abs(seconds) < 8e9 ? iso(Math.round(seconds) * SECOND_MS) : "");

const eventContent = ({ event }: Static<typeof EventBody>) => ({
  type: "event" as const,
  content: {
    name: event.name,
    ...filled("description", event.description),
    startsAt: timeOf(event.startTime),
    ...(event.endTime === undefined || event.endTime === null ? {} : { endsAt: timeOf(event.endTime) }),
    ...(event.location ? { location: { name: event.location.name } } : {}),
    ...(event.extraGuestsAllowed ? { extraGuestsAllowed: true } : {}),
  },
});

/** TABLE: the core's fields of contents of one button, of lists and of events, as WAHA's clients send them. */
const OF_BUTTON = {
  "content.text": "body",
  "content.buttonText": "buttons.0.text",
  "content.url": "buttons.0.url",
  "content.code": "buttons.0.copyCode",
  "content.header.mediaUrl": "headerImage.url",
};
const OF_LIST = {
  "content.text": "message.description",
  "content.footer": "message.footer",
  "content.buttonText": "message.button",
};
const OF_EVENT = {
  "content.name": "event.name",
  "content.description": "event.description",
  "content.startsAt": "event.startTime",
  "content.endsAt": "event.endTime",
  "content.location.name": "event.location.name",
};

/** Sending buttons, lists, previews and events. */
export const menus = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .post(
      "/sendButtons",
      ({ principal, request, body }) =>
        send(env, { principal, request, body }, buttonsOf(body)).catch(refusalNaming(OF_BUTTON)),
      { body: ButtonsBody, detail: sends },
    )
    .post(
      "/sendList",
      ({ principal, request, body }) =>
        send(env, { principal, request, body }, listContent(body)).catch(refusalNaming(OF_LIST)),
      { body: ListBody, detail: sends },
    )
    .post(
      "/sendLinkPreview",
      ({ principal, request, body }) => {
        const content = { text: `${body.title}\n${body.url}`, linkPreview: true };
        return send(env, { principal, request, body }, { type: "text", content });
      },
      { body: sendBody({ url: Type.String(), title: Type.String() }), detail: sends },
    )
    .post(
      "/send/link-custom-preview",
      async ({ principal, request, body }) => {
        const asked = { principal, request, body };
        const session = await reachingSession(env, asked);
        const post = (image?: FileSource) => {
          const content = { text: body.text, linkPreview: previewOf(body.preview, image) };
          return send(env, asked, { type: "text", content }, session);
        };
        const { image } = body.preview;
        if (!image) return post();
        const field = "preview.image";
        return withFile(env, principal, { field, file: fileTextOf(image, field) }, post);
      },
      {
        body: sendBody({ text: Type.String({ minLength: 1 }), preview: Preview, linkPreviewHighQuality: optionalFlag }),
        detail: sendsFile,
      },
    )
    .post(
      "/:session/events",
      ({ principal, request, body }) =>
        send(env, { principal, request, body }, eventContent(body), sessionOf(request)).catch(refusalNaming(OF_EVENT)),
      { body: EventBody, detail: sends },
    );
