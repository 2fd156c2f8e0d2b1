import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  cancelScheduled,
  getScheduled,
  reschedule,
  SCHEDULED_ORDERS,
  SCHEDULED_STATUSES,
  type Scheduled,
  type ScheduledItem,
  scheduledPage,
  scheduleMessage,
} from "../../../core/messaging/scheduled/schedule.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, described, Nullable, OneOf, Text, Time, Uuid } from "../../../kernel/schema.ts";
import { phoneWords } from "../../shared/channel-words.ts";
import { DryRunMessage, DryRunQuery, dryRunMessage, isDryRun } from "../../shared/dry-run.ts";
import { Cursor, IDS, Id, inPath } from "../../shared/fields.ts";
import { requestIdOf } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { codeOf } from "../errors.ts";
import { keyOfAddress } from "../phones/addresses.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, Page, QueryLimit, REFUSALS } from "../schemas.ts";
import { payloadView, withFallback } from "./fallbacks.ts";
import { SendBody } from "./messages.ts";

const respectHours = Type.Optional(
  Type.Boolean({ description: "True: a time outside business hours is moved to the next opening; false by default" }),
);
const ScheduleBody = Type.Object({
  scheduledAt: described(Time(), "When it is sent", "2026-11-23T09:00:00.000Z"),
  respectHours,
  payload: described(SendBody, "The body of `POST /v1/messages` that is sent at that time"),
});
const RescheduleBody = Type.Object({
  scheduledAt: described(Time(), "When it is sent", "2026-11-23T09:00:00.000Z"),
  respectHours,
});
const ListQuery = Type.Object({
  status: Type.Optional(
    OneOf(SCHEDULED_STATUSES, { title: "ScheduledStatus", description: "Only entries with this status" }),
  ),
  from: Type.Optional(described(DateTime(), "From this time on")),
  to: Type.Optional(described(DateTime(), "Before this time")),
  phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
  contact: Type.Optional(Text(1, 256, "A number in any spelling, a canonical key, a chat address or a contact's id")),
  sort: Type.Optional(
    OneOf(SCHEDULED_ORDERS, {
      title: "ScheduledOrder",
      description: "`created`: newest first; `scheduledAt`: by the time of sending, earliest first",
    }),
  ),
  limit: QueryLimit(),
  cursor: Type.Optional(Cursor(Uuid())),
});

const Created = {
  id: Id("The scheduled message's id"),
  scheduledAt: described(Instant, "When it is sent", "2026-11-23T09:00:00.000Z"),
  movedFrom: Type.Optional(
    Type.String({
      format: "date-time",
      description: "The requested time, if it was outside business hours",
      examples: ["2026-11-22T15:00:00.000Z"],
    }),
  ),
  status: OneOf(SCHEDULED_STATUSES, { title: "ScheduledStatus", description: "Whether it still waits to be sent" }),
  createdAt: described(Instant, "When it was scheduled"),
};
const CreatedView = Type.Object(Created, { title: "CreatedScheduledMessage" });
const Listed = {
  ...Created,
  phoneId: Id("The phone that sends", "phone"),
  messageId: Nullable(Id("The message that was sent; null before", "message")),
  failedReason: Nullable(Type.String({ description: "`[CODE]` and why it failed; null otherwise" })),
  updatedAt: described(Instant, "When it last changed"),
};
const ListedView = Type.Object(
  {
    ...Listed,
    to: Type.String({ description: "The number of the recipient, or another address", examples: ["5511988887777"] }),
    type: Type.String({ description: "The type of its content", examples: ["text"] }),
    preview: Nullable(
      Type.String({
        description: "The beginning of its text, its caption or its template's name; null for other content",
        examples: ["Bom dia! A encomenda está pronta."],
      }),
    ),
  },
  { title: "ScheduledMessage" },
);
const ScheduledView = Type.Object(
  {
    ...Listed,
    payload: described(
      Type.Object({}, { additionalProperties: Type.Unknown() }),
      "The body of `POST /v1/messages` that is sent at that time",
      { phoneId: IDS.phone, to: "5511988887777", type: "text", content: { text: "Olá, Maria! Seu bolo está pronto." } },
    ),
  },
  { title: "ScheduledMessageDetails" },
);

type Stored = Omit<Scheduled, "payload" | "requestId">;

const movedFrom = ({ askedFor, scheduledAt }: Stored) => (askedFor === scheduledAt ? null : askedFor);
const createdView = (item: Stored) => toView(CreatedView, item, { movedFrom: movedFrom(item) });

const storedView = (item: Stored) => ({
  movedFrom: movedFrom(item),
  phoneId: item.channelId,
  failedReason: item.failure && `[${codeOf(item.failure.code)}] ${phoneWords(item.failure.reason)}`,
});

const listedView = (item: ScheduledItem) => toView(ListedView, item, storedView(item));

const scheduledView = (row: Scheduled) =>
  toView(ScheduledView, row, {
    ...storedView(row),
    payload: { phoneId: row.channelId, ...payloadView({ ...row.payload }) },
  });

/** The time of a field that its schema has validated. */
const msOf = (datetime: string): number => Date.parse(datetime);

export const scheduled = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/messages/scheduled",
    tags: ["messages"],
    detail: inPath({ id: Id("The scheduled message, as `GET /v1/messages/scheduled` lists it") }),
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, query, request, set, status }) => {
        const { phoneId, ...rest } = body.payload;
        const envelope = { channelId: phoneId, ...withFallback(rest) };
        const isDry = isDryRun(query);
        const { is, row, recipient } = await scheduleMessage(
          env,
          principal,
          { scheduledAt: msOf(body.scheduledAt), envelope, respectHours: body.respectHours ?? false },
          {
            isDryRun: isDry,
            requestId: requestIdOf(request),
            ...storingAnswer(env, request, (made: Scheduled) => ({ status: 201, body: createdView(made) })),
          },
        );
        if (isDry) return status(200, await dryRunMessage(env, principal, envelope, { recipient, is }));
        if (is === "repeat") set.headers["idempotent-replayed"] = "true";
        return status(201, createdView(row));
      },
      {
        body: ScheduleBody,
        query: DryRunQuery,
        response: { 200: DryRunMessage, 201: CreatedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "scheduleMessage",
            acts: "none: daily work",
            isolation: { "payload.phoneId": "channel" },
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary: "Send a message later",
          description:
            "At least 5 seconds and at most a year ahead. `payload` is checked now, and again when it is sent. A " +
            "repeated `idempotencyKey` schedules nothing and answers with the scheduled message as it is now.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query: { status, from, to, phoneId, contact, sort = "created", limit, cursor } }) => {
        const times = {
          from: from === undefined ? undefined : msOf(from),
          to: to === undefined ? undefined : msOf(to),
        };
        const { items, nextCursor } = await scheduledPage(env, principal, {
          status,
          channelId: phoneId,
          contact: contact === undefined ? undefined : keyOfAddress(contact),
          ...times,
          sort,
          cursor,
          limit: gatewayLimit(limit),
        });
        return { items: items.map(listedView), nextCursor };
      },
      {
        query: ListQuery,
        response: { 200: Page(ListedView), ...REFUSALS },
        detail: {
          ...route({
            operationId: "listScheduled",
            isolation: { phoneId: "channel", contact: ["contact", "person"], cursor: "scheduledMessage" },
          }),
          summary: "List scheduled messages",
          description:
            "Newest first, unless `sort` says otherwise. `from` and `to` refer to `scheduledAt`. With `contact`, a page " +
            "may be short, or empty, although `nextCursor` says that more follows.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => scheduledView(await getScheduled(env, principal, params.id)), {
      response: { 200: ScheduledView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getScheduled", isolation: { id: "scheduledMessage" } }),
        summary: "Get a scheduled message with its payload",
        description: "It is shown after its time too; `messageId` then names the message that was sent.",
      },
    })
    .patch(
      "/:id",
      async ({ principal, params, body }) =>
        scheduledView(
          await reschedule(env, principal, {
            id: params.id,
            scheduledAt: msOf(body.scheduledAt),
            respectHours: body.respectHours ?? false,
          }),
        ),
      {
        body: RescheduleBody,
        response: { 200: ScheduledView, ...REFUSALS },
        detail: {
          ...route({ operationId: "reschedule", acts: "none: daily work", isolation: { id: "scheduledMessage" } }),
          summary: "Change when a pending message is sent",
          description: "At least 5 seconds and at most a year ahead. 409 for a message that is no longer PENDING.",
        },
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
        detail: {
          ...route({ operationId: "cancelScheduled", acts: "none: daily work", isolation: { id: "scheduledMessage" } }),
          summary: "Cancel a pending message",
          description: "409 for a message that is no longer PENDING.",
        },
      },
    );
