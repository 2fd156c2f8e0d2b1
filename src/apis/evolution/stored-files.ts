import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { HistoryMessage } from "../../core/conversations/history.ts";
import { linkOfMessage } from "../../core/media/links.ts";
import { DAY_MS, HOUR_MS, iso, SECOND_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue, Text } from "../../kernel/schema.ts";
import { wireMessage } from "../shared/compatible/wire-messages.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { messageOn, storedRecord } from "./history.ts";
import { routeOptions } from "./route-options.ts";

const Id = Type.Optional(Text(1, 256));
/** Evolution's seconds, which some clients write as a text. */
const Expiry = Type.Optional(
  Type.Union([
    Type.Integer({ minimum: 1, maximum: (7 * DAY_MS) / SECOND_MS }),
    Type.String({ pattern: "^[1-9]\\d{0,5}$", description: "must be a number of seconds, at most 604800" }),
  ]),
);
const LONGEST_MS = 7 * DAY_MS;

const gone = () => new AppError("MEDIA_NOT_FOUND", { message: "The message has no file, or it is gone." });

const fileView = (message: HistoryMessage) => {
  if (!message.media) throw gone();
  const { messageType } = wireMessage(message);
  return {
    id: message.id,
    fileName: message.media.filename ?? message.media.mediaId,
    type: messageType.replace(/Message$/, ""),
    mimetype: message.media.contentType,
    createdAt: iso(message.createdAt),
    Message: storedRecord(message),
  };
};

/** The files of messages by their addresses, as Evolution gives those on its S3. A file has the id of its message. */
export const storedFiles = (env: EvolutionEnv, auth: EvolutionAuth) => {
  const fileIn = async (
    principal: Principal,
    request: Request,
    { id, messageId = id }: { id?: string; messageId?: string },
  ) => {
    if (messageId === undefined) throw invalid(issue("id", "required", "must be the id of the message"));
    return fileView(await messageOn(env, principal, { channelId: instanceOf(request).id, id: messageId }));
  };
  const read = { ...routeOptions({ scope: "media.read" }) };

  return new Elysia({ prefix: "/s3" })
    .use(auth)
    .post(
      "/getMedia/:instance",
      async ({ principal, request, body }) => status(201, [await fileIn(principal, request, body)]),
      { body: Type.Object({ id: Id, messageId: Id }), detail: read },
    )
    .post(
      "/getMediaUrl/:instance",
      async ({ principal, request, body: { expiry, ...named } }) => {
        const file = await fileIn(principal, request, named);
        const forMs = expiry === undefined ? HOUR_MS : Math.min(Number(expiry) * SECOND_MS, LONGEST_MS);
        const mediaUrl = await linkOfMessage(env, principal, file.id, forMs);
        if (mediaUrl === undefined) throw gone();
        return { mediaUrl, ...file };
      },
      { body: Type.Object({ id: Id, messageId: Id, expiry: Expiry }), detail: read },
    );
};
