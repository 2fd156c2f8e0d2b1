import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CONTENT } from "../../../contract/content/content.ts";
import { takesIds } from "../../../core/channels/channel.ts";
import { MESSAGE_STATUSES } from "../../../core/conversations/message-log.ts";
import { checkedBatch } from "../../../core/messaging/batches/batch-input.ts";
import {
  BATCH_STATUSES,
  type Batch,
  type BatchDetails,
  type BatchRecipient,
  batchesPage,
  createBatch,
  getBatch,
  RECIPIENT_STATUSES,
  recipientsPage,
  totalOf,
} from "../../../core/messaging/batches/batches.ts";
import { limitsOf } from "../../../core/tenancy/accounts/plans.ts";
import { iso } from "../../../kernel/clock.ts";
import { pageOf, queryNumber, unknownCursor } from "../../../kernel/page.ts";
import { AnyText, Nullable, OneOf, Text, Time } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { DryRunBatch, DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { FALLBACK_TERMS, fallbackInput, fallbackTerms } from "../../shared/fallback-terms.ts";
import { requestIdOf } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import type { PlatformAuth } from "../auth.ts";
import { shownChannel } from "../channels.ts";
import type { PlatformEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, Meta, metaOf, PAGE, REFUSALS } from "../schemas.ts";
import { batchActs } from "./batch-acts.ts";
import { batchForecast } from "./batch-forecast.ts";
import { BATCH, BatchView, batchView, LONGEST_DELAY_MS, Recipients, SHORTEST_DELAY_MS } from "./batch-schemas.ts";
import { batchValidation } from "./batch-validation.ts";

const MOST_LISTED = 1000;
const DEFAULT_LISTED = 100;

const BatchFallback = Type.Object(
  { channelId: AnyText(), ...FALLBACK_TERMS },
  {
    title: "BatchFallback",
    description:
      "The template that another channel sends to whom this one does not reach; its values may hold variables",
  },
);

const CreateBody = Type.Object({
  channelId: AnyText(),
  name: Type.Optional(Text(1, 100)),
  text: Type.Optional(Text(1, 4096, "May hold variables: {{name}}")),
  template: Type.Optional({
    ...CONTENT.template,
    description: "In place of text; each of its values may hold variables: {{name}}",
  }),
  startsAt: Type.Optional({
    ...Time(),
    description: "When the first message is sent, at most a year ahead; at once unless said otherwise",
  }),
  paused: Type.Optional(Type.Boolean({ description: "True: nothing is sent until it is resumed" })),
  respectHours: Type.Optional(
    Type.Boolean({
      description: "True: outside business hours it waits, and goes on at the opening; false unless said otherwise",
    }),
  ),
  recipients: Recipients,
  fallback: Type.Optional(BatchFallback),
  delay: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_DELAY_MS,
      maximum: LONGEST_DELAY_MS,
      description: "Milliseconds between two messages; 3000 unless said otherwise",
    }),
  ),
  jitter: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 0.3,
      description: "By which share of it each delay varies, at random; 0.3 unless said otherwise",
    }),
  ),
});
const Query = Type.Object({
  ...PAGE,
  status: Type.Optional(OneOf(BATCH_STATUSES, { title: "BatchStatus" })),
  channelId: Type.Optional(Type.String()),
});

const CreatedView = Type.Object(
  {
    batchId: Type.String(),
    channelId: Type.String(),
    status: OneOf(["QUEUED"]),
    total: Type.Integer(),
    createdAt: Instant,
  },
  { title: "CreatedBatch" },
);
const ErrorView = Type.Object(
  { to: Type.String(), code: Type.String(), message: Type.String() },
  { title: "BatchFailure" },
);
const DetailView = Type.Object(
  {
    ...BATCH,
    text: Nullable(Type.String({ description: "Null for a template" })),
    template: Nullable(
      Type.Object({}, { additionalProperties: Type.Unknown(), description: "As it was given; null for a text" }),
    ),
    fallback: Type.Unsafe<Static<typeof BatchFallback> | null>(Nullable(BatchFallback)),
    errors: Type.Array(ErrorView, { description: "The first 1,000 of them" }),
  },
  { title: "BatchDetails" },
);
const RecipientView = Type.Object(
  {
    position: Type.Integer({ description: "Its place in the batch, from 0" }),
    to: Type.String(),
    variables: Nullable(Type.Record(Type.String(), Type.String())),
    status: OneOf(RECIPIENT_STATUSES, { title: "BatchRecipientStatus" }),
    messageId: Nullable(Type.String()),
    messageStatus: Nullable(OneOf(MESSAGE_STATUSES, { title: "BatchMessageStatus" })),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }, { title: "BatchRecipientError" })),
  },
  { title: "BatchRecipientState" },
);
const RecipientsQuery = Type.Object({
  status: Type.Optional(OneOf(RECIPIENT_STATUSES, { title: "BatchRecipientStatus" })),
  limit: Type.Optional(
    Type.String(describedAs({ type: "integer", minimum: 1, maximum: MOST_LISTED, default: DEFAULT_LISTED })),
  ),
  cursor: Type.Optional(Type.String()),
});
const detailView = (batch: BatchDetails): Static<typeof DetailView> => ({
  ...batchView(batch),
  text: batch.template ? null : batch.text,
  template: batch.template,
  fallback: batch.fallback && { channelId: batch.fallback.channelId, ...fallbackTerms(batch.fallback) },
  errors: batch.errors.map(({ recipient: to, code, message }) => ({ to, code, message })),
});

const recipientView = ({
  position,
  recipient: to,
  variables,
  status,
  messageId,
  messageStatus,
  errorCode: code,
  errorMessage: message,
}: BatchRecipient): Static<typeof RecipientView> => ({
  position,
  to,
  variables,
  status,
  messageId,
  messageStatus,
  error: code === null ? null : { code, message: message ?? "" },
});

const createdView = ({ id, channelId, counts, createdAt }: Batch): Static<typeof CreatedView> => ({
  batchId: id,
  channelId,
  status: "QUEUED",
  total: totalOf(counts),
  createdAt: iso(createdAt),
});

const dryRunView = ({ channelId, counts }: Batch): Static<typeof DryRunBatch> => {
  const total = totalOf(counts);
  return { dryRun: true, channelId, total, valid: counts.PENDING, invalid: total - counts.PENDING };
};

/** The position that a page of recipients begins behind. Throws VALIDATION for what is no cursor. */
const afterOf = (cursor: string | undefined): number | undefined => {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor)) throw unknownCursor();
  return cursor === undefined ? undefined : Number(cursor);
};

/** The routes of bulk sends: one text or template to many recipients, at a limited rate. */
export const batches = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/bulk", tags: ["bulk"] })
    .use(writing(env, auth))
    .use(batchActs(env, auth))
    .use(reading(env, auth))
    .use(batchValidation(env, auth))
    .use(batchForecast(env, auth));

const writing = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia().use(auth).post(
    "/",
    async ({ principal, body, query, request, status }) => {
      const { environment, plan } = principal;
      const isDry = isDryRun(query);
      const { startsAt, fallback, ...asked } = body;
      const start = startsAt === undefined ? {} : { startsAt: Date.parse(startsAt) };
      const other = fallback ? { fallback: fallbackInput(fallback.channelId, fallback) } : {};
      const input = checkedBatch(
        { ...asked, ...start, ...other },
        { takesIds: (await takesIds(env, principal, body.channelId)) === true },
      );
      await shownChannel(env, principal, body.channelId);
      if (fallback) await shownChannel(env, principal, fallback.channelId);
      const batch = await createBatch(env, principal, input, {
        environment,
        messagesPerDay: limitsOf(plan).messagesPerDay,
        requestId: requestIdOf(request),
        isDryRun: isDry,
        ...storingAnswer(env, request, (made: Batch) => ({ status: 202, body: createdView(made) })),
      });
      return isDry ? status(200, dryRunView(batch)) : status(202, createdView(batch));
    },
    {
      perMinute: 10,
      permission: "bulk-send.write",
      body: CreateBody,
      query: DryRunQuery,
      response: { 200: DryRunBatch, 202: CreatedView, ...REFUSALS },
      detail: {
        ...routeOptions({ storesAnswer: true, takesDryRun: true }),
        operationId: "createBatch",
        summary: "Send a text or a template to many people, one after the other",
        description:
          "Either `text` or `template`, to up to 1,000 people at once; more are added to the batch. A filled text has " +
          "1 to 4,096 characters, and no variable lacks its value. A template is an approved one of the channel. A channel runs three batches at most, with those that wait. One with more recipients " +
          "than the day has left is refused whole.",
      },
    },
  );

const reading = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/:batchId/recipients",
      async ({ principal, params, query: { status, limit, cursor } }) => {
        const { items, nextCursor } = await recipientsPage(env, principal, params.batchId, {
          status,
          after: afterOf(cursor),
          limit: queryNumber("limit", limit, { fallback: DEFAULT_LISTED, min: 1, max: MOST_LISTED }),
        });
        return { data: items.map(recipientView), nextCursor };
      },
      {
        permission: "bulk-send.read",
        query: RecipientsQuery,
        response: {
          200: Type.Object(
            { data: Type.Array(RecipientView), nextCursor: Nullable(Type.String()) },
            { title: "BatchRecipientPage" },
          ),
          ...REFUSALS,
        },
        detail: {
          operationId: "listBatchRecipients",
          summary: "List the recipients of a batch in their order, with what became of each",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query }) => {
        const page = pageOf(query);
        const { batches, total } = await batchesPage(env, principal, {
          ...page,
          status: query.status,
          channelId: query.channelId,
        });
        return { data: batches.map(batchView), meta: metaOf(batches.length, total, page) };
      },
      {
        permission: "bulk-send.read",
        query: Query,
        response: {
          200: Type.Object({ data: Type.Array(BatchView), meta: Meta }, { title: "BatchPage" }),
          ...REFUSALS,
        },
        detail: { operationId: "listBatches", summary: "List batches, newest first" },
      },
    )
    .get("/:batchId", async ({ principal, params }) => detailView(await getBatch(env, principal, params.batchId)), {
      perMinute: 60,
      permission: "bulk-send.read",
      response: { 200: DetailView, ...REFUSALS },
      detail: { operationId: "getBatch", summary: "Get a batch, and who could not be written to" },
    });
