import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { acceptMessage } from "../../core/messaging/sending/accept.ts";
import { MOST_VIEWERS, statusEnvelope } from "../../core/messaging/statuses.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { jidOfKey, numberOf } from "../shared/compatible/addresses.ts";
import { type FileSource, withFile } from "../shared/compatible/files.ts";
import { askedBy, MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { messageView } from "./message-views.ts";
import { routeOptions } from "./route-options.ts";

/** Some clients write the number of a font as a text. */
const StatusBody = Type.Object({
  type: OneOf(["text", "image", "video", "audio"]),
  content: Type.String({ minLength: 1 }),
  caption: Type.Optional(Type.String()),
  backgroundColor: Type.Optional(
    Type.String({ pattern: "^(#[0-9A-Fa-f]{6})?$", description: "must be # and 6 digits" }),
  ),
  font: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10 }), Type.String({ pattern: "^(\\d|10)?$" })])),
  allContacts: Type.Optional(Type.Boolean()),
  statusJidList: Type.Optional(Type.Array(Text(1, 256), { maxItems: MOST_VIEWERS })),
});
type Given = Static<typeof StatusBody>;

const contentOfFile = ({ type, caption }: Given, source: FileSource) =>
  type === "audio" ? { ...source, ptt: true } : { ...source, ...(caption ? { caption } : {}) };

type Asked = { principal: Principal; request: Request; body: Given };

const post = async (env: EvolutionEnv, { principal, request, body }: Asked, content: object) => {
  const { type, backgroundColor, font, allContacts = false, statusJidList = [] } = body;
  const { id: instanceId } = instanceOf(request);
  const envelope = await statusEnvelope(env, principal, {
    channelId: instanceId,
    type,
    content,
    ...(allContacts ? {} : { audience: statusJidList.map(numberOf) }),
    ...(backgroundColor ? { backgroundColor } : {}),
    ...(font === undefined || font === "" ? {} : { font: Number(font) }),
  });
  const { messageId, recipient } = await acceptMessage(env, principal, envelope, {
    environment: "live",
    mustBeConnected: true,
    ...askedBy(principal, request),
  });
  const key = { remoteJid: jidOfKey(recipient), fromMe: true, id: messageId };
  const said = { type, content };
  return status(201, messageView({ key, pushName: null, status: "PENDING", said, at: env.clock.now(), instanceId }));
};

/** Posting statuses, as Evolution's clients ask for it. */
export const statuses = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/message" }).use(auth).post(
    "/sendStatus/:instance",
    ({ principal, request, body }) => {
      const { type, content, allContacts = false, statusJidList = [] } = body;
      if (!allContacts && statusJidList.length === 0)
        throw invalid(issue("statusJidList", "required", "is required without allContacts"));
      const asked = { principal, request, body };
      if (type === "text") return post(env, asked, { text: content });
      return withFile(env, principal, { field: "content", file: content }, (source) =>
        post(env, asked, contentOfFile(body, source)),
      );
    },
    {
      body: StatusBody,
      detail: { ...routeOptions({ scope: "messages.write", countsAsSend: true, maxBodyBytes: MAX_LONG_BODY_BYTES }) },
    },
  );
