import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { acceptMessage } from "../../core/messaging/sending/accept.ts";
import { MOST_VIEWERS, statusEnvelope } from "../../core/messaging/statuses.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { jidOfKey, numberOf } from "../shared/compatible/addresses.ts";
import { fileSource } from "../shared/compatible/files.ts";
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

const contentOfStatus = async (env: EvolutionEnv, principal: Principal, { type, content, caption }: Given) => {
  if (type === "text") return { text: content };
  const source = await fileSource(env, principal, { field: "content", file: content });
  if (type === "audio") return { ...source, ptt: true };
  return { ...source, ...(caption ? { caption } : {}) };
};

/** Posting statuses, as Evolution's clients ask for it. */
export const statuses = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/message" }).use(auth).post(
    "/sendStatus/:instance",
    async ({ principal, request, body }) => {
      const { type, backgroundColor, font, allContacts = false, statusJidList = [] } = body;
      if (!allContacts && statusJidList.length === 0)
        throw invalid(issue("statusJidList", "required", "is required without allContacts"));
      const { id: instanceId } = instanceOf(request);
      const content = await contentOfStatus(env, principal, body);
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
      return status(
        201,
        messageView({ key, pushName: null, status: "PENDING", said, at: env.clock.now(), instanceId }),
      );
    },
    {
      body: StatusBody,
      detail: { ...routeOptions({ scope: "messages.write", countsAsSend: true, maxBodyBytes: MAX_LONG_BODY_BYTES }) },
    },
  );
