import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { KEPT_MAX_BYTES, type Kept, keepFile } from "../../../core/media/kept.ts";
import { onePiece } from "../../../kernel/async.ts";
import { described, Nullable, Text } from "../../../kernel/schema.ts";
import { base64Bytes } from "../../shared/http/base64.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { FORM_BYTES, fileIn } from "../../shared/http/files.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, REFUSALS } from "../schemas.ts";

const KeptView = Type.Object(
  {
    mediaHandle: Type.String({
      description: "The value for `content.mediaHandle` of a message",
      examples: ["4::aW1hZ2UvanBlZw==:ARZ9x"],
    }),
    contentType: Type.String({
      description: "The type that the bytes show; otherwise that of the file's name, or the given type",
      examples: ["image/jpeg"],
    }),
    sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
    filename: Nullable(
      Type.String({ description: "The shown name of the file; null without one", examples: ["cardapio.pdf"] }),
    ),
    expiresAt: described(Instant, "The handle works until this time", "2026-11-29T12:00:00.000Z"),
  },
  { title: "KeptFile" },
);
const keptView = (kept: Kept) => toView(KeptView, kept);

const Base64Body = Type.Object(
  {
    base64: Type.String({ minLength: 1, description: "The file in base64", examples: ["iVBORw0KGgo="] }),
    mimeType: Type.Optional(described(Text(1, 120), "The media type; the file's own by default", "image/jpeg")),
    filename: Type.Optional(described(Text(1, 255), "The shown name of the file", "cardapio.pdf")),
  },
  { title: "KeepEncodedFileRequest" },
);

const FILE = { type: "string", format: "binary", description: "The file itself" } as const;
const UPLOADED = {
  "multipart/form-data": { schema: { type: "object" as const, properties: { file: FILE }, required: ["file"] } },
  "*/*": { schema: FILE },
};

/** Files that an account uploads, to be sent by their handles. */
export const keptFiles = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/media", tags: ["media"] })
    .use(auth)
    .post(
      "/files",
      async ({ principal, request, status }) =>
        status(201, keptView(await keepFile(env, principal, await fileIn(env.intake, request)))),
      {
        parse: "none",
        response: { 201: KeptView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "keepFile",
            acts: "none: daily work",
            isolation: "own",
            maxBodyBytes: KEPT_MAX_BYTES + FORM_BYTES,
          }),
          summary: "Upload a file to be sent by its handle",
          description:
            "As a form or as the raw bytes. The handle is good on phones whose capabilities say `takesUploads`; the " +
            "file is kept as long as media are.",
          requestBody: { required: true, content: UPLOADED },
        },
      },
    )
    .post(
      "/files/base64",
      async ({ principal, body: { base64, mimeType = "", filename }, status }) =>
        status(
          201,
          keptView(
            await keepFile(env, principal, {
              body: onePiece(base64Bytes("base64", base64)),
              contentType: mimeType,
              ...(filename === undefined ? {} : { filename }),
            }),
          ),
        ),
      {
        parse: [bodyReaders(env).readJson, "json"], // the second is for the description alone
        body: Base64Body,
        response: { 201: KeptView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "keepEncodedFile",
            acts: "none: daily work",
            isolation: "own",
            maxBodyBytes: MAX_LONG_BODY_BYTES,
          }),
          summary: "Upload a file in base64 to be sent by its handle",
          description: "At most 15 MB. The handle is good on phones whose capabilities say `takesUploads`.",
        },
      },
    );
