import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { openRecording, RECORDING_MAX_BYTES, recordingLink, storeRecording } from "../../core/calls/recordings.ts";
import { inlineOf } from "../../kernel/disposition.ts";
import { redirectTo } from "../shared/redirect.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { Nothing, REFUSALS } from "./schemas.ts";

const RecordingView = Type.Object({
  callId: Type.String(),
  objectKey: Type.String(),
  sizeBytes: Type.Integer(),
  contentType: Type.String(),
});
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
  new Elysia({ prefix: "/v1/calls", tags: ["calls"] })
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
          ...routeOptions({ maxBodyBytes: RECORDING_MAX_BYTES }),
          operationId: "uploadRecording",
          summary: "Keep the recording of a call, at most 50 MB and for 90 days",
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
          operationId: "getRecording",
          summary: "Where the recording is: a signed address that is good for ten minutes",
        },
      },
    );

/** Serves the signed URLs of `GET /v1/calls/{id}/recording`. They need no key. */
export const recordingFiles = (env: GatewayEnv) =>
  new Elysia({ prefix: "/files", tags: ["calls"] }).get(
    "/:accountId/recordings/:callId/:fileId",
    async ({ params: { accountId, callId, fileId }, query }) => {
      const { recording, body } = await openRecording(env, { tenantId: accountId, callId, fileId }, query);
      const { contentType, sizeBytes } = recording;
      return new Response(body, {
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
      query: Type.Object({ exp: Type.Optional(Type.String()), sig: Type.Optional(Type.String()) }),
      detail: {
        ...routeOptions({ isPathSigned: true }),
        operationId: "getRecordingFile",
        summary: "The sound of a signed address",
        security: [],
        responses: {
          200: { description: "The sound" },
          403: { description: "The address was altered, or its ten minutes are over" },
          404: { description: "No such recording" },
        },
      },
    },
  );
