import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Erasure, erasePerson, getErasure } from "../../../core/people/erase.ts";
import { exportPerson } from "../../../core/people/export.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { IDS, Id, inPath } from "../../shared/fields.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { toView } from "../../shared/view.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, answerAs, Instant, InstantOrNull, refusalsOf } from "../schemas.ts";

const PersonBody = Type.Object(
  {
    person: described(
      Text(1, 200),
      "A number, a LID, a user id, `@username`, or a canonical key such as `pn:5511999990001`",
      "pn:5511988887777",
    ),
    accountId: Type.Optional(
      Type.String({
        description: "Only the data that this account or institution has of the person; the data of all if absent",
        examples: [IDS.account],
      }),
    ),
  },
  { title: "PersonRequest" },
);

const PersonExport = Type.Object(
  {
    names: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "The names of the person, by network",
    }),
    tables: Type.Record(Type.String(), Type.Array(Type.Object({}, { additionalProperties: true })), {
      description: "The rows of each table that concern the person",
    }),
  },
  { title: "PersonExport" },
);

const ErasureView = Type.Object(
  {
    id: Id("The erasure's id"),
    status: OneOf(["RUNNING", "DONE"], { description: "DONE: everything is erased" }),
    person: Type.String({
      description: "A keyed hash of the person, as the audit log names them",
      examples: ["pn:5511988887777"],
    }),
    accountId: Nullable(Id("The account whose data is erased; null means every account", "account")),
    rows: Type.Integer({ description: "Rows erased or changed so far", examples: [42] }),
    createdAt: described(Instant, "When the erasure was requested"),
    finishedAt: described(InstantOrNull, "When it ended; null before", "2026-11-22T12:05:00.000Z"),
  },
  { title: "Erasure" },
);

const erasureView = (erasure: Erasure) =>
  toView(ErasureView, erasure, {
    status: erasure.finishedAt === null ? "RUNNING" : "DONE",
    accountId: erasure.tenantId,
  });

const askedOf = ({ person, accountId }: Static<typeof PersonBody>) => ({
  person,
  tenantId: accountId as TenantId | undefined,
});

/** Streams one page at a time, so that a slow client costs no more memory than a page of rows. */
const streamOf = (pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await pieces.return()),
  });
};

/** Access to and erasure of one person's data, for privacy laws such as the LGPD. */
export const adminPeople = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/people",
    detail: inPath({ id: Id("The erasure, as the request that began it was answered") }),
  })
    .post(
      "/export",
      async ({ body, request }) =>
        new Response(streamOf(await exportPerson(env, administratorOf(request), askedOf(body))), {
          headers: { "content-type": "application/json", "cache-control": "no-store" },
        }),
      {
        body: PersonBody,
        detail: {
          ...route({ operationId: "exportPerson", acts: ["person.export"], isolation: "administrator" }),
          summary: "Get all that is stored of one person",
          description: "As one JSON document, of one account or of all.",
          responses: {
            200: answerAs("`names`, and `tables` with the rows of each", PersonExport),
            ...refusalsOf(400, 403, 404, 413, 429, 503),
          },
        },
      },
    )
    .post(
      "/erase",
      async ({ body, request, status }) => {
        requireFreshProof(env, request);
        return status(202, erasureView(await erasePerson(env, administratorOf(request), askedOf(body))));
      },
      {
        body: PersonBody,
        response: { 202: ErasureView, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "erasePerson", acts: ["person.erase"], isolation: "administrator" }),
          summary: "Erase all that is stored of one person",
          description:
            "It is done afterwards. Their waiting messages and deliveries are dropped. Earlier backups still " +
            "have the data.",
        },
      },
    )
    .get("/erasures/:id", async ({ params }) => erasureView(await getErasure(env, params.id)), {
      response: { 200: ErasureView, ...ADMIN_REFUSALS },
      detail: {
        ...route({ operationId: "getErasure", isolation: "administrator" }),
        summary: "Get the progress of an erasure",
        description: "An erasure is done in the background.",
      },
    });
