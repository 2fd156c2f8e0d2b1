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
  recipientTotal,
} from "../../../core/messaging/batches/batches.ts";
import { planLimits } from "../../../core/tenancy/accounts/plans.ts";
import { iso } from "../../../kernel/clock.ts";
import { pageOf, queryNumber, unknownCursor } from "../../../kernel/page.ts";
import { AnyText, described, Nullable, OneOf, Text, Time } from "../../../kernel/schema.ts";
import { SendOptions } from "../../shared/channels/send-options.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { DryRunBatch, DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { FALLBACK_TERMS, fallbackInput, fallbackTerms } from "../../shared/fallback-terms.ts";
import { CreatedAt, IDS, Id, inPath } from "../../shared/fields.ts";
import { requestIdOf } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import type { PlatformAuth } from "../auth.ts";
import { shownChannel } from "../channels.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Meta, metaOf, PAGE, REFUSALS } from "../schemas.ts";
import { batchActs } from "./batch-acts.ts";
import { batchForecast } from "./batch-forecast.ts";
import { BATCH, BatchView, batchView, LONGEST_DELAY_MS, Recipients, SHORTEST_DELAY_MS } from "./batch-schemas.ts";
import { batchValidation } from "./batch-validation.ts";

const MOST_LISTED = 1000;
const DEFAULT_LISTED = 100;

const BatchFallback = Type.Object(
  { channelId: described(AnyText(), "The official channel that sends the template", IDS.phone), ...FALLBACK_TERMS },
  {
    title: "BatchFallback",
    description:
      "The template that another channel sends to people whom this channel does not reach; its values " +
      "may hold variables",
  },
);

const CreateBody = Type.Object({
  channelId: described(AnyText(), "The channel that sends", IDS.phone),
  name: Type.Optional(described(Text(1, 100), "A name for the institution's own people", "Promoção de sábado")),
  text: Type.Optional(
    described(
      Text(1, 4096),
      "The text, which may hold variables: {{name}}",
      "Olá, {{nome}}! Sábado tem bolo de cenoura.",
    ),
  ),
  template: Type.Optional(
    described(
      CONTENT.template,
      "The template that every recipient gets, in place of `text`; each value but `mediaHandle` may hold {{name}}",
    ),
  ),
  startsAt: Type.Optional({
    ...Time(),
    description: "When the first message is sent, at most a year ahead; at once by default",
  }),
  paused: Type.Optional(Type.Boolean({ description: "True: nothing is sent until it is resumed", examples: [false] })),
  respectHours: Type.Optional(
    Type.Boolean({
      description: "True: outside business hours it waits, and resumes at the opening; false by default",
    }),
  ),
  recipients: described(Recipients, "Numbers, or `{to, variables}`"),
  fallback: Type.Optional(described(BatchFallback, "The fallback for messages that do not get through")),
  sendOptions: Type.Optional(described(SendOptions, "What the network lets you say of each send of the batch")),
  delay: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_DELAY_MS,
      maximum: LONGEST_DELAY_MS,
      description: "Milliseconds between two messages; 3000 by default",
      examples: [3000],
    }),
  ),
  jitter: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 0.3,
      description: "The share by which each delay varies at random; 0.3 by default",
    }),
  ),
});
const Query = Type.Object({
  ...PAGE,
  status: Type.Optional(OneOf(BATCH_STATUSES, { title: "BatchStatus", description: "Only entries with this status" })),
  channelId: Type.Optional(Id("Only entries of this channel", "phone")),
});

const CreatedView = Type.Object(
  {
    batchId: Id("The batch, for `GET /v1/bulk/{batchId}`", "batch"),
    channelId: Id("The channel that sends", "phone"),
    status: OneOf(["QUEUED"], { description: "The batch waits to be sent" }),
    total: Type.Integer({ description: "How many recipients the batch has", examples: [2] }),
    createdAt: CreatedAt("batch"),
  },
  { title: "CreatedBatch" },
);
const ErrorView = Type.Object(
  {
    to: Type.String({ description: "The number of the recipient", examples: ["5511988887777"] }),
    code: Type.String({ description: "Why the message failed, as a code", examples: ["NOT_ON_NETWORK"] }),
    message: Type.String({
      description: "Why the message failed, for people",
      examples: ["The number is not on the network."],
    }),
  },
  { title: "BatchFailure" },
);
const DetailView = Type.Object(
  {
    ...BATCH,
    text: Nullable(
      Type.String({
        description: "The text that every recipient gets; null for a template",
        examples: ["Olá, Maria! Seu bolo está pronto."],
      }),
    ),
    template: described(
      Nullable(
        Type.Object({}, { additionalProperties: Type.Unknown(), description: "As it was given; null for a text" }),
      ),
      "The template as it was given; null for a text",
    ),
    fallback: described(
      Type.Unsafe<Static<typeof BatchFallback> | null>(Nullable(BatchFallback)),
      "The fallback for messages that do not get through; null without one",
    ),
    sendOptions: described(Nullable(SendOptions), "What the network lets you say of each send; null without"),
    errors: Type.Array(ErrorView, { description: "The first 1,000 of them" }),
  },
  { title: "BatchDetails" },
);
const RecipientView = Type.Object(
  {
    position: Type.Integer({ description: "The place of the recipient in the batch, from 0", examples: [0] }),
    to: Type.String({ description: "The number of the recipient", examples: ["5511988887777"] }),
    variables: described(
      Nullable(Type.Record(Type.String(), Type.String())),
      "The values of its variables; null without any",
      { nome: "Maria" },
    ),
    status: OneOf(RECIPIENT_STATUSES, {
      title: "BatchRecipientStatus",
      description: "PENDING: not handled yet; QUEUED: accepted, and its outcome is not known yet",
      examples: ["SENT"],
    }),
    messageId: Nullable(Id("The message of the recipient; null if none was sent", "message")),
    messageStatus: described(
      Nullable(OneOf(MESSAGE_STATUSES, { title: "BatchMessageStatus" })),
      "The progress of the message; null without a message, and after the message is deleted",
      "DELIVERED",
    ),
    error: described(
      Nullable(
        Type.Object(
          {
            code: Type.String({ description: "Why, as a code", examples: ["NOT_ON_NETWORK"] }),
            message: Type.String({ description: "Why, for people", examples: ["The number is not on the network."] }),
          },
          { title: "BatchRecipientError" },
        ),
      ),
      "Why it got no message; null: nothing failed",
    ),
  },
  { title: "BatchRecipientState" },
);
const RecipientsQuery = Type.Object({
  status: Type.Optional(
    OneOf(RECIPIENT_STATUSES, { title: "BatchRecipientStatus", description: "Only entries with this status" }),
  ),
  limit: Type.Optional(
    described(
      Type.String(describedAs({ type: "integer", minimum: 1, maximum: MOST_LISTED, default: DEFAULT_LISTED })),
      "How many at most; 100 by default, up to 1,000",
    ),
  ),
  cursor: Type.Optional(Type.String({ description: "The `nextCursor` of the page before; absent for the first" })),
});
const detailView = (batch: BatchDetails): Static<typeof DetailView> => ({
  ...batchView(batch),
  text: batch.template ? null : batch.text,
  template: batch.template,
  fallback: batch.fallback && { channelId: batch.fallback.channelId, ...fallbackTerms(batch.fallback) },
  sendOptions: batch.options,
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
  total: recipientTotal(counts),
  createdAt: iso(createdAt),
});

const dryRunView = ({ channelId, counts }: Batch): Static<typeof DryRunBatch> => {
  const total = recipientTotal(counts);
  return { dryRun: true, channelId, total, valid: counts.PENDING, invalid: total - counts.PENDING };
};

/** The position behind which a page of recipients begins. Throws VALIDATION for a text that is not a cursor. */
const afterOf = (cursor: string | undefined): number | undefined => {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor)) throw unknownCursor();
  return cursor === undefined ? undefined : Number(cursor);
};

/** The routes of bulk sends: one text or template to many recipients, at a limited rate. */
export const batches = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/bulk",
    tags: ["bulk"],
    detail: inPath({ batchId: Id("The batch, as `GET /v1/bulk` lists it", "batch") }),
  })
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
        messagesPerDay: planLimits(plan).messagesPerDay,
        requestId: requestIdOf(request),
        isDryRun: isDry,
        ...storingAnswer(env, request, (made: Batch) => ({ status: 202, body: createdView(made) })),
      });
      return isDry ? status(200, dryRunView(batch)) : status(202, createdView(batch));
    },
    {
      body: CreateBody,
      query: DryRunQuery,
      response: { 200: DryRunBatch, 202: CreatedView, ...REFUSALS },
      detail: {
        ...route({
          operationId: "createBatch",
          perMinute: 10,
          permission: "bulk-send.write",
          acts: "none: daily work",
          isolation: { channelId: "channel" },
          storesAnswer: true,
          takesDryRun: true,
        }),
        summary: "Send a text or a template to many people, one after the other",
        description:
          "Takes either `text` or `template`, for up to 1,000 people at once; add more to the batch later. A " +
          "filled text has 1 to 4,096 characters, and every variable needs a value. A template must be an " +
          "approved template of the channel. A channel runs three batches at most, waiting batches included. " +
          "A batch with more recipients than the rest of the day's limit is refused whole.",
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
        query: RecipientsQuery,
        response: {
          200: Type.Object(
            {
              data: Type.Array(RecipientView, {
                description: "The recipients of this page, in the order of the batch",
              }),
              nextCursor: Nullable(Type.String({ description: "The `cursor` of the next page; null on the last" })),
            },
            { title: "BatchRecipientPage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "listBatchRecipients",
            permission: "bulk-send.read",
            isolation: { batchId: "batch" },
          }),
          summary: "List the recipients of a batch in their order, with the outcome of each",
          description: "`status` narrows the list. Pages follow each other by `cursor`.",
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
        query: Query,
        response: {
          200: Type.Object(
            {
              data: Type.Array(BatchView, { description: "The batches of this page, newest first" }),
              meta: described(Meta, "The place of this page in the whole list"),
            },
            { title: "BatchPage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listBatches", permission: "bulk-send.read", isolation: { channelId: "channel" } }),
          summary: "List batches, newest first",
          description: "`status` and `channelId` narrow the list.",
        },
      },
    )
    .get("/:batchId", async ({ principal, params }) => detailView(await getBatch(env, principal, params.batchId)), {
      response: { 200: DetailView, ...REFUSALS },
      detail: {
        ...route({
          operationId: "getBatch",
          perMinute: 60,
          permission: "bulk-send.read",
          isolation: { batchId: "batch" },
        }),
        summary: "Get a batch, with the recipients who got nothing",
        description: "The counts change while it is being sent. `errors` names who got nothing, and why.",
      },
    });
