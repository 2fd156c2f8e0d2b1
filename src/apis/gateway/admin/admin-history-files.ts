import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ProviderMessageId } from "../../../contract/events.ts";
import { inboundMaxBytes } from "../../../core/media/checks.ts";
import { takeHistoryFile } from "../../../core/messaging/importing/files.ts";
import { described, Nullable, Text } from "../../../kernel/schema.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT } from "../schemas.ts";
import { HomeFields, SHA256, SourceFields } from "./admin-history.ts";

const FileQuery = Type.Object({
  ...HomeFields,
  ...SourceFields,
  key: described(Text(1, 300), "The network's id of the message, as `files` names it", "3EB0C127D7BACB07"),
  sha256: Type.Optional(
    described(Text(44, 64), "The digest of the file, in hexadecimal or base64; other bytes are not kept", SHA256),
  ),
});
const FileTakenView = Type.Object(
  {
    sizeBytes: Nullable(
      Type.Integer({ description: "The size of the kept file; null if it is not kept", examples: [48213] }),
    ),
    reason: Nullable(
      Type.String({ description: "Why the file is not kept; null if it is", examples: ["the file is too large"] }),
    ),
  },
  { title: "HistoryFileTaken" },
);
const BYTES = { "*/*": { schema: { type: "string", format: "binary", description: "The file itself" } as const } };
/** Takes over files of messages of other programs. Bodies are streamed, never held as a whole. */
export const adminHistoryFiles = (env: GatewayEnv) =>
  new Elysia({ prefix: "/v1/admin", tags: ["admin"], detail: { security: [{ adminToken: [] }] } }).post(
    "/imports/history/files",
    async ({ query, request }) => {
      const contentType = request.headers.get("content-type")?.trim() ?? "";
      const { key, sha256 } = query;
      const file = { key: key as ProviderMessageId, contentType, sha256, body: env.intake.stream(request) };
      return { ...(await takeHistoryFile(env, query, query, file)) };
    },
    {
      parse: "none",
      query: FileQuery,
      response: { 200: FileTakenView, ...ADMIN_REFUSALS, 409: CONFLICT },
      detail: {
        ...route({
          operationId: "importHistoryFile",
          acts: "none: part of another",
          isolation: "administrator",
          maxBodyBytes: inboundMaxBytes("document"),
        }),
        summary: "Import the file of a message of another program",
        description:
          "The body is the file itself. Received files have the same limits of size and type. It is kept as long as " +
          "they are, from now on.",
        requestBody: { required: true, content: BYTES },
      },
    },
  );
