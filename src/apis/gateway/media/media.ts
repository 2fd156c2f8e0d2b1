import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { keptFile } from "../../../core/media/kept.ts";
import { fileLink, openFile, openMedia } from "../../../core/media/links.ts";
import { acknowledgeMedia, getMedia, type Media } from "../../../core/media/media.ts";
import { removeUpload, uploadMedia, uploadResumable } from "../../../core/media/upload.ts";
import { invalid } from "../../../kernel/errors.ts";
import { isUuid, lowerIn } from "../../../kernel/ids.ts";
import { described, issue, Nullable, Text, Url } from "../../../kernel/schema.ts";
import { UNKNOWN_TYPE } from "../../../kernel/texts/media-types.ts";
import { IDS, Id, inPath } from "../../shared/fields.ts";
import { answerBody, fileHeaders } from "../../shared/http/files.ts";
import { redirectTo } from "../../shared/http/redirect.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import {
  fileAs,
  GONE,
  Instant,
  InstantOrNull,
  Nothing,
  REFUSALS,
  refusalAs,
  refusalsOf,
  UPSTREAM_REFUSALS,
} from "../schemas.ts";

const MediaView = Type.Object(
  {
    id: Type.String({ description: "The file's id", examples: [IDS.other] }),
    messageId: Type.String({ description: "The message that has the file", examples: [IDS.message] }),
    contentType: Type.String({ description: "The media type of the file", examples: ["image/jpeg"] }),
    sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
    filename: Nullable(
      Type.String({ description: "The shown name; null if none is known", examples: ["cardapio.pdf"] }),
    ),
    expiresAt: described(Instant, "When the file is deleted", "2026-11-29T12:00:00.000Z"),
    ackedAt: described(InstantOrNull, "When the file was taken; null before"),
    deletedAt: described(InstantOrNull, "When it was deleted; null before"),
  },
  { title: "MediaFile" },
);

const mediaView = (media: Media) => toView(MediaView, media);

/** Files of received messages. */
export const media = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/media",
    tags: ["media"],
    detail: inPath({
      id: Id("The file, by its `mediaId`"),
      handle: Type.String({ description: "The `mediaHandle` of a kept file" }),
    }),
  })
    .use(auth)
    .get("/:id", async ({ principal, params }) => redirectTo(await fileLink(env, principal, params.id)), {
      response: { 302: Nothing, ...REFUSALS, 410: GONE },
      detail: {
        ...route({ operationId: "getMedia", isolation: { id: "file" } }),
        summary: "Get the address of a file that came with a message",
        description:
          "The answer redirects to a signed address that is good for ten minutes. Files live for seven days, also where " +
          "their message was deleted for everyone: who was told of a file has the time to fetch it.",
      },
    })
    .get(
      "/:id/content",
      async ({ principal, params }) => {
        const { media: file, body } = await openMedia(env, principal, params.id);
        return new Response(answerBody(body), { headers: fileHeaders(file) });
      },
      {
        detail: {
          ...route({ operationId: "getMediaContent", isolation: { id: "file" } }),
          summary: "Get the bytes of a file that came with a message",
          description: "As GET /v1/media/{id}, in one step and without a signed address.",
          responses: {
            200: fileAs("The file"),
            ...refusalsOf(400, 401, 402, 403, 404, 429),
            410: refusalAs("The file has been deleted"),
          },
        },
      },
    )
    .get(
      "/files/:handle/content",
      async ({ principal, params }) => {
        const { body, sizeBytes, contentType = UNKNOWN_TYPE } = await keptFile(env, principal, params.handle);
        return new Response(answerBody(body), { headers: fileHeaders({ contentType, sizeBytes, filename: null }) });
      },
      {
        detail: {
          ...route({ operationId: "getKeptFileContent", isolation: { handle: "fileHandle" } }),
          summary: "Get the bytes of a file that was uploaded to be sent",
          description: "The content type is that of the file. A handle is good until its `expiresAt`.",
          responses: { 200: fileAs("The file"), ...refusalsOf(400, 401, 402, 403, 404, 429) },
        },
      },
    )
    .get("/:id/info", async ({ principal, params }) => mediaView(await getMedia(env, principal, params.id)), {
      response: { 200: MediaView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getMediaInfo", isolation: { id: "file" } }),
        summary: "Get the details of a file, also of a deleted file",
        description: "A deleted file keeps its entry but has no content.",
      },
    })
    .post(
      "/:id/ack",
      async ({ principal, params, status }) => {
        await acknowledgeMedia(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "ackMedia", acts: "none: daily work", isolation: { id: "file" } }),
          summary: "Confirm that the file was taken, so that it is deleted",
          description: "It is deleted at once. A repeat changes nothing.",
        },
      },
    );

const MediaType = described(Text(1, 120), "The file's media type, such as image/png", "image/jpeg");
const UploadBody = Type.Object({
  mediaUrl: described(Url(), "A public HTTPS address of the file", "https://padaria-estrela.example/bolo.jpg"),
  mimeType: MediaType,
  filename: Type.Optional(described(Text(1, 255), "The shown name of the file", "cardapio.pdf")),
});
const ResumableBody = Type.Object({
  mediaUrl: described(Url(), "A public HTTPS address of the file", "https://padaria-estrela.example/bolo.jpg"),
  mimeType: MediaType,
  fileName: described(Text(1, 255), "The name of the file, with its ending", "cardapio.pdf"),
  appId: described(Text(1, 64), "The id of the network's app", "1029384756"),
});
const HandleView = Type.Object(
  {
    mediaHandle: Type.String({
      description: "The value for `content.mediaHandle` of a message",
      examples: ["4::aW1hZ2UvanBlZw==:ARZ9x"],
    }),
  },
  { title: "MediaHandle" },
);
const ResumableView = Type.Object(
  {
    handle: Type.String({
      description: "The handle for the example of a template's header, or for a message",
      examples: ["4::aW1hZ2UvanBlZw==:ARZ9x"],
    }),
    sessionId: Type.String({
      description: "The network's id of this upload or sign-up",
      examples: ["upload:MTphdHRhY2htZW50"],
    }),
  },
  { title: "ResumableUpload" },
);
const PHONE_ID = {
  in: "header",
  name: "X-Phone-Id",
  required: true,
  description: "The phone whose network has the file",
  schema: { type: "string", format: "uuid" },
} as const;

/** The phone that the request's header names. Throws VALIDATION for an invalid id. */
const phoneIdOf = (request: Request): string => {
  const phoneId = lowerIn(request.headers.get("x-phone-id")?.trim() ?? "");
  if (!isUuid(phoneId)) throw invalid(issue("X-Phone-Id", "format", "must be a UUID"));
  return phoneId;
};

/** Files that are uploaded to the network of a phone. */
export const mediaUploads = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/media",
    tags: ["media"],
    detail: {
      ...routeOptions({ namesPhone: true }),
      ...inPath({ upstreamId: Type.String({ description: "The `mediaHandle` of the upload" }) }),
    },
  })
    .use(auth)
    .derive(({ request }) => ({ phoneId: phoneIdOf(request) }))
    .post(
      "/upload",
      async ({ principal, phoneId, body, status }) =>
        status(201, { mediaHandle: await uploadMedia(env, principal, phoneId, body) }),
      {
        body: UploadBody,
        response: { 201: HandleView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "uploadMedia", acts: "none: daily work", isolation: { "X-Phone-Id": "channel" } }),
          summary: "Upload a file to the phone's network, to be sent by its handle",
          description:
            "The file is fetched from `mediaUrl` now: up to 5 MB for an image, 16 MB for sound and video, 100 MB " +
            "for a document.",
          parameters: [PHONE_ID],
        },
      },
    )
    .post(
      "/upload/resumable",
      async ({ principal, phoneId, body, status }) => {
        const { fileName: filename, ...input } = body;
        return status(201, await uploadResumable(env, principal, phoneId, { ...input, filename }));
      },
      {
        body: ResumableBody,
        response: { 201: ResumableView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "uploadMediaResumable",
            acts: "none: daily work",
            isolation: { "X-Phone-Id": "channel" },
          }),
          summary: "Upload a large file to the network in parts",
          description: "Its handle is the example of a template's header, or the picture of a business profile.",
          parameters: [PHONE_ID],
        },
      },
    )
    .delete(
      "/upstream/:upstreamId",
      async ({ principal, phoneId, params, status }) => {
        await removeUpload(env, principal, phoneId, params.upstreamId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "deleteUpstreamMedia",
            acts: "none: daily work",
            isolation: { "X-Phone-Id": "channel" },
          }),
          summary: "Delete an uploaded file at the network",
          description: "The header X-Phone-Id names the phone that uploaded it.",
          parameters: [PHONE_ID],
        },
      },
    );

/** Serves the signed URLs of `GET /v1/media/{id}`. They need no key. */
export const files = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/files",
    tags: ["media"],
    detail: inPath({
      accountId: Id("The account that owns the file", "account"),
      mediaId: Id("The file, as the link names it"),
    }),
  }).get(
    "/:accountId/:mediaId",
    async ({ params, query }) => {
      const { media: file, body } = await openFile(env, { tenantId: params.accountId, id: params.mediaId, ...query });
      return new Response(answerBody(body), { headers: fileHeaders(file) });
    },
    {
      query: Type.Object({
        exp: Type.Optional(Type.String({ description: "When the address ends, in seconds since 1970" })),
        sig: Type.Optional(Type.String({ description: "The signature of the address" })),
      }),
      detail: {
        ...route({ operationId: "getFile", isolation: { accountId: "account", mediaId: "file" }, isUrlSigned: true }),
        summary: "Get the file of a signed address",
        description: "The address comes from GET /v1/media/{id}, is good for ten minutes and needs no key.",
        security: [],
        responses: {
          200: fileAs("The file"),
          403: refusalAs("The address was altered, or its ten minutes are over"),
          404: refusalAs("No such file"),
          410: refusalAs("The file has been deleted"),
        },
      },
    },
  );
