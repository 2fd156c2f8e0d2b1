import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { ContentType } from "../../../contract/content/content.ts";
import { acceptMessage } from "../../../core/messaging/sending/accept.ts";
import { acceptOperation } from "../../../core/messaging/sending/operations.ts";
import { MOST_VIEWERS, statusEnvelope } from "../../../core/messaging/statuses.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, Text } from "../../../kernel/schema.ts";
import { numberOf } from "../../shared/compatible/addresses.ts";
import { withFile } from "../../shared/compatible/files.ts";
import { askedBy, MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { chatIdOfKey } from "../addresses.ts";
import { type Principal, sessionOf, type WahaAuth } from "../auth.ts";
import { messageOn } from "../chats/history.ts";
import type { WahaEnv } from "../env.ts";
import { FileBody, fileTextOf, type GivenFile } from "../files.ts";
import { messageView } from "../message-views.ts";
import { routeOptions } from "../route-options.ts";
import { meOf } from "../session-views.ts";

/** Without `contacts` a status is for everybody whom the session knows. */
const common = {
  id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  contacts: Type.Optional(Type.Union([Type.Array(Text(1, 256), { maxItems: MOST_VIEWERS }), Type.Null()])),
};
type Common = Static<ReturnType<typeof Type.Object<typeof common>>>;
const body = <Fields extends TProperties>(fields: Fields) => Type.Object({ ...common, ...fields });

const Colour = Type.Optional(
  Type.Union([Type.String({ pattern: "^(#[0-9A-Fa-f]{6})?$", description: "must be # and 6 digits" }), Type.Null()]),
);
const Caption = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const WithFile = body({ file: FileBody, caption: Caption, convert: Type.Optional(Type.Boolean()) });

type Looks = { backgroundColor?: string | null | undefined; font?: number | undefined };

const send = { ...routeOptions({ scope: "messages.write", countsAsSend: true }) };
const sendFile = {
  ...routeOptions({ scope: "messages.write", countsAsSend: true, maxBodyBytes: MAX_LONG_BODY_BYTES }),
};

type Asked = { principal: Principal; request: Request };
type Posted = { type: ContentType; content: object } & Looks;

/** Posts a status, and answers as WAHA does for a message that was sent. */
const post = async (
  env: WahaEnv,
  { principal, request }: Asked,
  { id, contacts }: Common,
  { type, content, backgroundColor, font }: Posted,
) => {
  if (id) throw invalid(issue("id", "forbidden", "is not supported: one status goes to all contacts at once"));
  const session = sessionOf(request);
  const envelope = await statusEnvelope(env, principal, {
    channelId: session.id,
    type,
    content,
    ...(contacts && contacts.length > 0 ? { audience: contacts.map(numberOf) } : {}),
    ...(backgroundColor ? { backgroundColor } : {}),
    ...(font === undefined ? {} : { font }),
  });
  const { messageId, recipient } = await acceptMessage(env, principal, envelope, {
    environment: "live",
    mustBeConnected: true,
    ...askedBy(principal, request),
  });
  return status(
    201,
    messageView({
      id: messageId,
      chatId: chatIdOfKey(recipient),
      fromMe: true,
      me: meOf(session)?.id ?? null,
      at: env.clock.now(),
      said: { type, content },
      ack: "PENDING",
      source: "api",
    }),
  );
};

type Filed = Common & { file: GivenFile; caption?: string | null | undefined };

/** The same for a file. A refusal names the client's own field. */
const postFile = async (
  env: WahaEnv,
  asked: Asked,
  { file, caption, ...given }: Filed,
  { content = {}, ...posted }: Omit<Posted, "content"> & { content?: object },
) => {
  const field = file.url === undefined ? "file.data" : "file.url";
  const sent = { field, file: fileTextOf(file), mimetype: file.mimetype, fileName: file.filename ?? undefined };
  return withFile(env, asked.principal, sent, (source) =>
    post(env, asked, given, { ...posted, content: { ...source, ...content, ...(caption ? { caption } : {}) } }),
  );
};

/** The statuses (stories) of the session's account. */
export const statuses = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/:session/status" })
    .use(auth)
    .post(
      "/text",
      ({ body: given, ...asked }) =>
        post(env, asked, given, {
          type: "text",
          content: { text: given.text },
          backgroundColor: given.backgroundColor,
          font: given.font ?? undefined,
        }),
      {
        body: body({
          text: Text(1, 4096),
          backgroundColor: Colour,
          font: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10 }), Type.Null()])),
          linkPreview: Type.Optional(Type.Boolean()),
        }),
        detail: send,
      },
    )
    .post("/image", ({ body: given, ...asked }) => postFile(env, asked, given, { type: "image" }), {
      body: WithFile,
      detail: sendFile,
    })
    .post("/video", ({ body: given, ...asked }) => postFile(env, asked, given, { type: "video" }), {
      body: WithFile,
      detail: sendFile,
    })
    .post(
      "/voice",
      ({ body: given, ...asked }) =>
        postFile(env, asked, given, {
          type: "audio",
          content: { ptt: true },
          backgroundColor: given.backgroundColor,
        }),
      {
        body: body({ file: FileBody, backgroundColor: Colour, convert: Type.Optional(Type.Boolean()) }),
        detail: sendFile,
      },
    )
    .post(
      "/delete",
      async ({ principal, request, body: { id } }) => {
        const session = sessionOf(request);
        const message = await messageOn(env, principal, { session, id });
        await acceptOperation(env, principal, {
          channelId: session.id,
          messageId: message.id,
          action: { name: "delete" },
        });
        return status(201, "");
      },
      {
        body: Type.Object({ id: Text(1, 256), contacts: common.contacts }),
        detail: { ...routeOptions({ scope: "messages.write" }) },
      },
    );
