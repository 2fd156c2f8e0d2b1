import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  cancelScheduled,
  getScheduled,
  reschedule,
  SCHEDULED_STATUSES,
  type Scheduled,
  type ScheduledItem,
  scheduledPage,
  scheduleMessage,
} from "../../core/messaging/schedule.ts";
import { iso } from "../../kernel/clock.ts";
import { gatewayLimit } from "../../kernel/page.ts";
import { DateTime, Nullable, OneOf, Time, Uuid } from "../../kernel/schema.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { codeOf, phoneWords } from "./errors.ts";
import { SendBody } from "./messages.ts";
import { Instant, Nothing, Page, REFUSALS } from "./schemas.ts";

const ScheduleBody = Type.Object({ scheduledAt: Time(), payload: SendBody });
const RescheduleBody = Type.Object({ scheduledAt: Time() });
const ListQuery = Type.Object({
  status: Type.Optional(OneOf(SCHEDULED_STATUSES)),
  from: Type.Optional(DateTime()),
  to: Type.Optional(DateTime()),
  phoneId: Type.Optional(Uuid()),
  limit: Type.Optional(Type.String()),
  cursor: Type.Optional(Uuid()),
});

const Created = { id: Type.String(), scheduledAt: Instant, status: OneOf(SCHEDULED_STATUSES), createdAt: Instant };
const CreatedView = Type.Object(Created);
const Listed = {
  ...Created,
  phoneId: Type.String(),
  messageId: Nullable(Type.String()),
  failedReason: Nullable(Type.String()),
  updatedAt: Instant,
};
const ListedView = Type.Object(Listed);
const ScheduledView = Type.Object({
  ...Listed,
  payload: Type.Object({}, { additionalProperties: Type.Unknown(), description: "As in POST /v1/messages" }),
});

const createdView = ({ id, scheduledAt, status, createdAt }: ScheduledItem): Static<typeof CreatedView> => ({
  id,
  scheduledAt: iso(scheduledAt),
  status,
  createdAt: iso(createdAt),
});

const listedView = (item: ScheduledItem): Static<typeof ListedView> => ({
  ...createdView(item),
  phoneId: item.channelId,
  messageId: item.messageId,
  failedReason: item.failure && `[${codeOf(item.failure.code)}] ${phoneWords(item.failure.reason)}`,
  updatedAt: iso(item.updatedAt),
});

const scheduledView = (row: Scheduled): Static<typeof ScheduledView> => ({
  ...listedView(row),
  payload: { phoneId: row.channelId, ...row.payload },
});

/** The time of a field that its schema has validated. */
const msOf = (datetime: string): number => Date.parse(datetime);

export const scheduled = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/messages/scheduled", tags: ["messages"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { phoneId, ...envelope } = body.payload;
        return status(
          201,
          createdView(
            await scheduleMessage(env, principal, {
              scheduledAt: msOf(body.scheduledAt),
              envelope: { channelId: phoneId, ...envelope },
            }),
          ),
        );
      },
      {
        body: ScheduleBody,
        response: { 201: CreatedView, ...REFUSALS },
        detail: {
          operationId: "scheduleMessage",
          summary: "Send a message later, at least 5 s and at most a year ahead",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query: { status, from, to, phoneId, limit, cursor } }) => {
        const times = {
          from: from === undefined ? undefined : msOf(from),
          to: to === undefined ? undefined : msOf(to),
        };
        const { items, nextCursor } = await scheduledPage(env, principal, {
          status,
          channelId: phoneId,
          ...times,
          cursor,
          limit: gatewayLimit(limit),
        });
        return { items: items.map(listedView), nextCursor };
      },
      {
        query: ListQuery,
        response: { 200: Page(ListedView), ...REFUSALS },
        detail: {
          operationId: "listScheduled",
          summary: "List scheduled messages, newest first; `from` and `to` are about scheduledAt",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => scheduledView(await getScheduled(env, principal, params.id)), {
      response: { 200: ScheduledView, ...REFUSALS },
      detail: { operationId: "getScheduled", summary: "Get a scheduled message with its payload" },
    })
    .patch(
      "/:id",
      async ({ principal, params, body }) =>
        scheduledView(await reschedule(env, principal, { id: params.id, scheduledAt: msOf(body.scheduledAt) })),
      {
        body: RescheduleBody,
        response: { 200: ScheduledView, ...REFUSALS },
        detail: { operationId: "reschedule", summary: "Change when a pending message is sent" },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await cancelScheduled(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: { operationId: "cancelScheduled", summary: "Cancel a pending message" },
      },
    );
