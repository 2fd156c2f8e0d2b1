import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { startLookup } from "../../core/messaging/lookup.ts";
import { OneOf, Uuid } from "../../kernel/schema.ts";
import type { FaceEnv } from "../shared/face-env.ts";
import type { GatewayAuth } from "./auth.ts";
import { REFUSALS } from "./schemas.ts";

const E164 = Type.String({ pattern: "^\\+?[1-9]\\d{5,14}$", description: "must be a number in E.164, with or without +" });
const LookupBody = Type.Object({ phoneId: Uuid(), numbers: Type.Array(E164, { minItems: 1, maxItems: 100 }) });
const TaskView = Type.Object({ taskId: Type.String(), status: OneOf(["pending"]) });
export const lookup = (env: FaceEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/lookup", tags: ["lookup"] })
    .use(auth)
    .post("/", ({ principal, body }) => startLookup(env, principal, { channelId: body.phoneId, numbers: body.numbers }), {
      body: LookupBody,
      response: { 202: TaskView, ...REFUSALS },
      detail: { operationId: "startLookup", summary: "Ask which numbers are on the network" },
    });
