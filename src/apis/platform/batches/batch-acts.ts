import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { takesIds } from "../../../core/channels/channel.ts";
import { addToBatch, pauseBatch, resumeBatch } from "../../../core/messaging/batches/batch-acts.ts";
import { cancelBatch, getBatch } from "../../../core/messaging/batches/batches.ts";
import { planLimits } from "../../../core/tenancy/accounts/plans.ts";
import { described, OneOf } from "../../../kernel/schema.ts";
import { Id } from "../../shared/fields.ts";
import type { PlatformAuth } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";
import { BatchView, batchView, Recipients } from "./batch-schemas.ts";

const CancelledView = Type.Object(
  {
    batchId: Id("The batch that was cancelled", "batch"),
    status: OneOf(["CANCELLED"], { description: "The batch sends nothing more" }),
    sent: Type.Integer({ description: "Messages that the network accepted before", examples: [120] }),
    cancelled: Type.Integer({ description: "Not sent, because the batch was cancelled", examples: [0] }),
  },
  { title: "CancelledBatch" },
);

/** The acts on an existing batch. */
export const batchActs = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/:batchId/pause",
      async ({ principal, params }) => batchView(await pauseBatch(env, principal, params.batchId)),
      {
        response: { 200: BatchView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "pauseBatch",
            perMinute: 30,
            permission: "bulk-send.write",
            acts: "none: daily work",
            isolation: { batchId: "batch" },
          }),
          summary: "Pause a batch until it is resumed",
          description: "Up to five messages that are on their way are still sent. 409 for a batch that has ended.",
        },
      },
    )
    .post(
      "/:batchId/resume",
      async ({ principal, params }) => batchView(await resumeBatch(env, principal, params.batchId)),
      {
        response: { 200: BatchView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "resumeBatch",
            perMinute: 30,
            permission: "bulk-send.write",
            acts: "none: daily work",
            isolation: { batchId: "batch" },
          }),
          summary: "Resume a paused batch",
          description: "At its pace. 409 for a batch that has ended.",
        },
      },
    )
    .post(
      "/:batchId/recipients",
      async ({ principal, params: { batchId }, body: { recipients } }) => {
        const { channelId } = await getBatch(env, principal, batchId);
        const batch = await addToBatch(env, principal, batchId, {
          recipients,
          takesIds: (await takesIds(env, principal, channelId)) === true,
          messagesPerDay: planLimits(principal.plan).messagesPerDay,
        });
        return batchView(batch);
      },
      {
        body: Type.Object({ recipients: described(Recipients, "Numbers, or `{to, variables}`; at most 1,000") }),
        response: { 200: BatchView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "addBatchRecipients",
            perMinute: 60,
            permission: "bulk-send.write",
            acts: "none: daily work",
            isolation: { batchId: "batch" },
          }),
          summary: "Add recipients to a batch, up to 10,000 in all",
          description:
            "They follow the recipients of the batch. A recipient that it already has gets no second message. " +
            "409 for a batch that has ended: make a batch paused, and resume it when all are added.",
        },
      },
    )
    .post(
      "/:batchId/cancel",
      async ({ principal, params }) => {
        const { id, counts } = await cancelBatch(env, principal, params.batchId);
        return { batchId: id, status: "CANCELLED" as const, sent: counts.SENT, cancelled: counts.CANCELLED };
      },
      {
        response: { 200: CancelledView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "cancelBatch",
            perMinute: 10,
            permission: "bulk-send.write",
            acts: "none: daily work",
            isolation: { batchId: "batch" },
          }),
          summary: "Cancel a batch",
          description: "Sent messages stay sent. 409 for a batch that has ended.",
        },
      },
    );
