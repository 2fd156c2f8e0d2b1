import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getLookup, type Lookup, startLookup } from "../../../core/messaging/lookup.ts";
import { Nullable, OneOf, PhoneNumber, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { REFUSALS } from "../schemas.ts";

const LookupBody = Type.Object({
  phoneId: Uuid(),
  numbers: Type.Array(PhoneNumber({ min: 6, max: 15, first: "1-9", takesBarePlus: true }), {
    minItems: 1,
    maxItems: 100,
  }),
});
const PendingView = Type.Object({ taskId: Type.String(), status: OneOf(["pending"]) }, { title: "PendingLookup" });
const CachedView = Type.Object(
  { taskId: Type.String(), status: OneOf(["completed"]), cached: Type.Literal(true) },
  { title: "CachedLookup" },
);
const ResultView = Type.Object(
  {
    phoneNumber: Type.String({ description: "E.164 without +" }),
    exists: Type.Boolean(),
    jid: Nullable(Type.String()),
  },
  { title: "LookupResult" },
);
const TaskView = Type.Object(
  {
    status: OneOf(["pending", "completed"]),
    results: Type.Optional(
      Type.Array(ResultView, { description: "One per number, in the order in which they were given" }),
    ),
  },
  { title: "Lookup" },
);

const taskView = ({ results }: Lookup): Static<typeof TaskView> =>
  results ? { status: "completed", results } : { status: "pending" };

export const lookup = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/lookup", tags: ["lookup"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { taskId, isDone } = await startLookup(env, principal, {
          channelId: body.phoneId,
          numbers: body.numbers,
        });
        return isDone
          ? status(201, { taskId, status: "completed", cached: true })
          : status(202, { taskId, status: "pending" });
      },
      {
        body: LookupBody,
        response: { 201: CachedView, 202: PendingView, ...REFUSALS },
        detail: {
          operationId: "startLookup",
          summary: "Ask which numbers are on the network",
          description:
            "201 where all were known within seven days; else 202, and the task has the answer later. SESSION only.",
        },
      },
    )
    .get("/:taskId", async ({ principal, params }) => taskView(await getLookup(env, principal, params.taskId)), {
      response: { 200: TaskView, ...REFUSALS },
      detail: { operationId: "getLookup", summary: "Get a lookup's answer", description: "It is kept for 24 hours." },
    });
