import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { openRecording, RECORDING_MAX_BYTES, recordingLink, storeRecording } from "../../../core/calls/recordings.ts";
import { inlineOf } from "../../../kernel/texts/disposition.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { answerBody } from "../../shared/http/files.ts";
import { redirectTo } from "../../shared/http/redirect.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { fileAs, Nothing, REFUSALS, refusalAs } from "../schemas.ts";

const RecordingView = Type.Object(
  {
    callId: Id("The call that was recorded", "call"),
    objectKey: Type.String({
      description: "The key of the stored file",
      examples: ["knowledge/019a1b2c/cardapio.pdf"],
    }),
    sizeBytes: Type.Integer({ description: "The size of the recording in bytes", examples: [48213] }),
    contentType: Type.String({ description: "The media type of the recording", examples: ["audio/ogg"] }),
  },
  { title: "StoredRecording" },
);
const Sound = { type: "string", format: "binary" } as const;
const SOUNDS = {
  "audio/webm": { schema: Sound },
  "audio/mp4": { schema: Sound },
  "audio/mpeg": { schema: Sound },
  "audio/mp3": { schema: Sound },
  "audio/ogg": { schema: Sound },
};

/** Recordings of calls. Bodies are streamed, never held as a whole. */
export const recordings = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/calls",
    tags: ["calls"],
    detail: inPath({ id: Type.String({ description: "The call's id here, or the network's" }) }),
  })
    .use(auth)
    .post(
      "/:id/recording",
      async ({ principal, params, request, status }) => {
        const contentType = request.headers.get("content-type")?.trim() ?? "";
        const { callId, objectKey, sizeBytes, ...stored } = await storeRecording(env, principal, params.id, {
          contentType,
          body: env.intake.stream(request),
        });
        return status(201, { callId, objectKey, sizeBytes, contentType: stored.contentType });
      },
      {
        parse: "none",
        response: { 201: RecordingView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "uploadRecording",
            acts: "none: daily work",
            isolation: { id: "call" },
            maxBodyBytes: RECORDING_MAX_BYTES,
          }),
          summary: "Store the recording of a call",
          description:
            "The body is the sound itself: WebM, MP4, MP3 or Ogg as its Content-Type says, at most 50 MB. It is " +
            "kept for 90 days; a further one replaces it.",
          requestBody: { required: true, content: SOUNDS },
        },
      },
    )
    .get(
      "/:id/recording",
      async ({ principal, params }) => redirectTo(await recordingLink(env, principal, params.id)),
      {
        response: { 302: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "getRecording", isolation: { id: "call" } }),
          summary: "Get the address of a call's recording",
          description: "The answer redirects to a signed address that is good for ten minutes.",
        },
      },
    );

/** Serves the signed URLs of `GET /v1/calls/{id}/recording`. They need no key. */
export const recordingFiles = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/files",
    tags: ["calls"],
    detail: inPath({
      accountId: Id("The account that owns the file", "account"),
      callId: Id("The call that was recorded", "call"),
      fileId: Id("The recording, as the link names it"),
    }),
  }).get(
    "/:accountId/recordings/:callId/:fileId",
    async ({ params: { accountId, callId, fileId }, query }) => {
      const { recording, body } = await openRecording(env, { tenantId: accountId, callId, fileId }, query);
      const { contentType, sizeBytes } = recording;
      return new Response(answerBody(body), {
        headers: {
          "content-type": contentType,
          "content-length": String(sizeBytes),
          "content-disposition": inlineOf(undefined),
          "x-content-type-options": "nosniff",
          "cache-control": "private, no-store",
        },
      });
    },
    {
      query: Type.Object({
        exp: Type.Optional(Type.String({ description: "When the address ends, in seconds since 1970" })),
        sig: Type.Optional(Type.String({ description: "The signature of the address" })),
      }),
      detail: {
        ...route({
          operationId: "getRecordingFile",
          isolation: { accountId: "account", callId: "call", fileId: "file" },
          isUrlSigned: true,
        }),
        summary: "Get the sound of a signed address",
        description: "The address comes from GET /v1/calls/{id}/recording, is good for ten minutes and needs no key.",
        security: [],
        responses: {
          200: fileAs("The sound"),
          403: refusalAs("The address was altered, or its ten minutes are over"),
          404: refusalAs("No such recording"),
        },
      },
    },
  );
