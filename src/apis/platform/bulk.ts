import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { takesIds } from "../../core/channels/channel.ts";
import {
  BATCH_STATUSES,
  type Batch,
  batchesPage,
  cancelBatch,
  createBatch,
  getBatch,
  totalOf,
} from "../../core/messaging/bulk.ts";
import { checkedBatch } from "../../core/messaging/bulk-input.ts";
import { validateNumbers } from "../../core/messaging/bulk-validate.ts";
import { limitsOf } from "../../core/tenancy/plans.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { pageOf } from "../../kernel/page.ts";
import { AnyText, Nullable, OneOf, Text } from "../../kernel/schema.ts";
import { describedAs } from "../shared/openapi.ts";
import type { PlatformAuth } from "./auth.ts";
import { shownChannel } from "./channels.ts";
import type { PlatformEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { Instant, InstantOrNull, Meta, metaOf, NUMBER_PATTERN, PAGE, REFUSALS } from "./schemas.ts";

const MOST_RECIPIENTS = 1000;
const SHORTEST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 3_600_000;

const Variables = Type.Record(Type.String(), AnyText(), { description: "A value for each variable of the text" });
const Digits = Type.Unsafe<string>({ ...AnyText(), ...describedAs({ pattern: NUMBER_PATTERN }) });
const Recipient = Type.Union([Type.Object({ to: Digits, variables: Type.Optional(Variables) }), Digits], {
  description: "8 to 15 digits with country code, alone or as to",
});
const CreateBody = Type.Object({
  channelId: AnyText(),
  name: Type.Optional(Text(1, 100)),
  text: Text(1, 4096, "May hold variables: {{name}}"),
  recipients: Type.Array(Recipient, { minItems: 1, maxItems: MOST_RECIPIENTS }),
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
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  channelId: Type.Optional(Type.String()),
});

const CreatedView = Type.Object({
  batchId: Type.String(),
  channelId: Type.String(),
  status: OneOf(["QUEUED"]),
  total: Type.Integer(),
  createdAt: Instant,
});
const BatchView = Type.Object({
  batchId: Type.String(),
  channelId: Type.String(),
  name: Nullable(Type.String()),
  status: OneOf(BATCH_STATUSES),
  total: Type.Integer(),
  sent: Type.Integer({ description: "Taken by the network" }),
  failed: Type.Integer(),
  pending: Type.Integer({ description: "Not sent yet, or being sent" }),
  cancelled: Type.Integer(),
  delay: Type.Integer(),
  jitter: Type.Number(),
  createdAt: Instant,
  startedAt: InstantOrNull,
  finishedAt: InstantOrNull,
  waitingSince: Nullable(
    Type.String({
      format: "date-time",
      description: "Since when its channel has not been connected; after 24 hours the batch fails",
    }),
  ),
});
const ErrorView = Type.Object({ to: Type.String(), code: Type.String(), message: Type.String() });
const DetailView = Type.Composite([BatchView, Type.Object({ errors: Type.Array(ErrorView) })]);
const CancelledView = Type.Object({
  batchId: Type.String(),
  status: OneOf(["CANCELLED"]),
  sent: Type.Integer(),
  cancelled: Type.Integer(),
});

const batchView = ({
  id,
  channelId,
  name,
  status,
  counts,
  delayMs,
  jitter,
  createdAt,
  startedAt,
  finishedAt,
  waitingSince,
}: Batch): Static<typeof BatchView> => ({
  batchId: id,
  channelId,
  name,
  status,
  total: totalOf(counts),
  sent: counts.SENT,
  failed: counts.FAILED,
  pending: counts.PENDING + counts.QUEUED,
  cancelled: counts.CANCELLED,
  delay: delayMs,
  jitter,
  createdAt: iso(createdAt),
  startedAt: isoOrNull(startedAt),
  finishedAt: isoOrNull(finishedAt),
  waitingSince: isoOrNull(waitingSince),
});

/** The routes of bulk sends: one text to many recipients, at a limited rate. */
export const bulk = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/bulk", tags: ["bulk"] })
    .use(writing(env, auth))
    .use(reading(env, auth))
    .use(validation(env, auth));

const writing = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { environment, plan } = principal;
        const input = checkedBatch(body, { takesIds: (await takesIds(env, principal, body.channelId)) === true });
        await shownChannel(env, principal, body.channelId);
        const { id, channelId, counts, createdAt } = await createBatch(env, principal, input, {
          environment,
          messagesPerDay: limitsOf(plan).messagesPerDay,
        });
        return status(202, {
          batchId: id,
          channelId,
          status: "QUEUED" as const,
          total: totalOf(counts),
          createdAt: iso(createdAt),
        });
      },
      {
        perMinute: 10,
        permission: "bulk-send.write",
        body: CreateBody,
        response: { 202: CreatedView, ...REFUSALS },
        detail: { operationId: "createBatch", summary: "Send a text to up to 1000 people, one after the other" },
      },
    )
    .post(
      "/:batchId/cancel",
      async ({ principal, params }) => {
        const { id, counts } = await cancelBatch(env, principal, params.batchId);
        return { batchId: id, status: "CANCELLED" as const, sent: counts.SENT, cancelled: counts.CANCELLED };
      },
      {
        perMinute: 10,
        permission: "bulk-send.write",
        response: { 200: CancelledView, ...REFUSALS },
        detail: { operationId: "cancelBatch", summary: "Cancel a batch; what was sent stays sent" },
      },
    );

const reading = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
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
        response: { 200: Type.Object({ data: Type.Array(BatchView), meta: Meta }), ...REFUSALS },
        detail: { operationId: "listBatches", summary: "List batches, newest first" },
      },
    )
    .get(
      "/:batchId",
      async ({ principal, params }) => {
        const batch = await getBatch(env, principal, params.batchId);
        return {
          ...batchView(batch),
          errors: batch.errors.map(({ recipient: to, code, message }) => ({ to, code, message })),
        };
      },
      {
        perMinute: 60,
        permission: "bulk-send.read",
        response: { 200: DetailView, ...REFUSALS },
        detail: { operationId: "getBatch", summary: "Get a batch, and who could not be written to" },
      },
    );

const ValidateBody = Type.Object({
  numbers: Type.Array(AnyText(), { minItems: 1, maxItems: MOST_RECIPIENTS }),
  channelId: Type.Optional(AnyText()),
});
const ValidatedView = Type.Object({
  total: Type.Integer(),
  valid: Type.Array(Type.String()),
  invalid: Type.Array(Type.Object({ number: Type.String(), reason: OneOf(["invalid_format", "not_on_network"]) })),
  unchecked: Type.Optional(
    Type.Array(Type.String(), {
      description: "Valid ones of which the network says nothing now; absent where it was not asked",
    }),
  ),
});

const validation = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia().use(auth).post(
    "/validate",
    async ({ principal, body: { numbers, channelId } }) => {
      const channel = channelId === undefined ? undefined : await shownChannel(env, principal, channelId);
      return { total: numbers.length, ...(await validateNumbers(env, numbers, channel, principal.environment)) };
    },
    {
      permission: "bulk-send.write",
      body: ValidateBody,
      response: { 200: ValidatedView, ...REFUSALS },
      detail: {
        ...routeOptions({ link: "optional" }),
        operationId: "validateNumbers",
        summary: "Check numbers before a batch: their form, and through a connected CHAT_SESSION whether they exist",
      },
    },
  );
