import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getLookup, type Lookup, startLookup } from "../../../core/messaging/lookup.ts";
import { described, Nullable, OneOf, PhoneNumber, Uuid } from "../../../kernel/schema.ts";
import { IDS, Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";

const LookupBody = Type.Object({
  phoneId: described(Uuid(), "The phone that asks the network", IDS.phone),
  numbers: Type.Array(PhoneNumber({ min: 6, max: 15, first: "1-9", takesBarePlus: true }), {
    minItems: 1,
    maxItems: 100,
    description: "The numbers that are looked up",
    examples: [["5511988887777", "5511977776666"]],
  }),
});
const PendingView = Type.Object(
  {
    taskId: Id("The lookup, for `GET /v1/lookup/{taskId}`", "task"),
    status: OneOf(["pending"], { description: "The network is asked soon" }),
  },
  { title: "PendingLookup" },
);
const CachedView = Type.Object(
  {
    taskId: Id("The lookup, for `GET /v1/lookup/{taskId}`", "task"),
    status: OneOf(["completed"], { description: "Every number was known already" }),
    cached: described(Type.Literal(true), "All numbers were known"),
  },
  { title: "CachedLookup" },
);
const ResultView = Type.Object(
  {
    phoneNumber: Type.String({
      description: "The number that was looked up, by E.164 without the plus",
      examples: ["5511999990001"],
    }),
    exists: Type.Boolean({ description: "Whether it is on the network" }),
    jid: Nullable(
      Type.String({
        description: "The chat address of the number; null if the number is not on the network",
        examples: ["5511988887777@s.whatsapp.net"],
      }),
    ),
  },
  { title: "LookupResult" },
);
const TaskView = Type.Object(
  {
    status: OneOf(["pending", "completed"], {
      description: "`results` comes with `completed`",
      examples: ["completed"],
    }),
    results: Type.Optional(Type.Array(ResultView, { description: "One result per number, in the given order" })),
  },
  { title: "Lookup" },
);

const taskView = ({ results }: Lookup): Static<typeof TaskView> =>
  results ? { status: "completed", results } : { status: "pending" };

export const lookup = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/lookup",
    tags: ["lookup"],
    detail: inPath({ taskId: Id("The `taskId` of the lookup", "task") }),
  })
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
          ...route({ operationId: "startLookup", acts: "none: daily work", isolation: { phoneId: "channel" } }),
          summary: "Ask which numbers are on the network",
          description:
            "201 if every number was looked up in the last seven days. Otherwise 202, and the task has the " +
            "answer later. SESSION only.",
        },
      },
    )
    .get("/:taskId", async ({ principal, params }) => taskView(await getLookup(env, principal, params.taskId)), {
      response: { 200: TaskView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getLookup", isolation: { taskId: "lookup" } }),
        summary: "Get a lookup's answer",
        description: "It is kept for 24 hours.",
      },
    });
