import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { openSentFile } from "../../../core/media/sent-links.ts";
import { UNKNOWN_TYPE } from "../../../kernel/texts/media-types.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { fileAnswer } from "../../shared/http/files.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { fileAs, refusalAs } from "../schemas.ts";

/** Serves the files of messages to networks that take files by links alone. The links need no key. */
export const sentFiles = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/sent-files",
    tags: ["media"],
    detail: inPath({ messageId: Id("The message with the file, as the address names it", "message") }),
  }).get(
    "/:messageId",
    async ({ params: { messageId }, query: { file = "", ...signed }, request }) => {
      const {
        body,
        sizeBytes,
        contentType = UNKNOWN_TYPE,
        name,
      } = await openSentFile(env, {
        messageId,
        file,
        ...signed,
      });
      return fileAnswer(request, { body, sizeBytes, contentType, filename: name ?? null });
    },
    {
      query: Type.Object({
        file: Type.Optional(Type.String({ description: "Which file of the message, counted from 0", examples: ["0"] })),
        exp: Type.Optional(Type.String({ description: "When the address ends, in seconds since 1970" })),
        sig: Type.Optional(Type.String({ description: "The signature of the address" })),
      }),
      detail: {
        ...route({ operationId: "getSentFile", isolation: { messageId: "message" }, isUrlSigned: true }),
        summary: "Get the file of a message that a network sends by its link",
        description:
          "Recado gives this address to networks that fetch files themselves. It is good for an hour, and no longer " +
          "than the message. A part of the file is asked for with `Range`.",
        security: [],
        responses: {
          200: fileAs("The file"),
          206: fileAs("The part of the file"),
          404: refusalAs("No such address"),
          410: refusalAs("The address is no longer valid"),
          416: { description: "The file has no such part" },
        },
      },
    },
  );
