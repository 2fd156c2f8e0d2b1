import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { reconnectChannel } from "../../../core/channels/links/connection.ts";
import { packEntries, unpackEntries } from "../../../core/channels/moving/move-archive.ts";
import { inspectMoveIn, type MoveIn, type MoveInReport, moveIn } from "../../../core/channels/moving/move-in.ts";
import { moveOut } from "../../../core/channels/moving/move-out.ts";
import { described, Nullable, Text } from "../../../kernel/schema.ts";
import { IDS, Id } from "../../shared/fields.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { webhookInput } from "../phones/phones.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT, WebhookBlock } from "../schemas.ts";

const SESSION_TEXT =
  "The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential";

const SessionFields = {
  format: described(Text(1, 40), "How the other program stores it: `baileys` or `whatsmeow`", "bullet"),
  session: Type.String({
    minLength: 1,
    description: SESSION_TEXT,
    examples: ["H4sIAAAAAAAAA6tWKkpVslIqSyzKTEzOKS1W0lFQKkgsLi5PLUpRslIyNDAEAHYgU4QkAAAA"],
  }),
  isLastState: Type.Optional(
    Type.Boolean({
      description: "True only if the other program has not run since: open chats then keep their keys",
    }),
  ),
};
const InspectBody = Type.Object(SessionFields);
const ImportBody = Type.Object({
  ...SessionFields,
  accountId: Type.String({ description: "The account or institution that gets the phone", examples: [IDS.account] }),
  label: Type.Optional(described(Text(1, 120), "A name for the account's own people", "Loja Centro")),
  webhook: Type.Optional(
    described(WebhookBlock, "Where the events of the new phone go", {
      url: "https://padaria-estrela.example/eventos",
      secret: "segredo-de-exemplo",
      events: ["message:received"],
    }),
  ),
  oldServerStopped: Type.Literal(true, { description: "The other program does not run any more" }),
});
const ReportView = Type.Object(
  {
    phoneNumber: Nullable(
      Type.String({
        description: "Digits with country code; null or absent if unknown",
        examples: ["5511999990001"],
      }),
    ),
    keys: Type.Record(Type.String(), Type.Integer(), {
      description: "How many keys were found, by kind",
      examples: [{ "pre-key": 30, session: 4 }],
    }),
    notes: Type.Array(Type.String(), { description: "Further remarks", examples: [[]] }),
    problems: Type.Array(Type.String(), {
      description: "Why it cannot be imported; empty if it can",
      examples: [[]],
    }),
  },
  { title: "SessionReport" },
);
const ImportView = Type.Composite([Type.Object({ id: Id("The id of the phone that was made") }), ReportView], {
  title: "ImportedSession",
});
const ExportBody = Type.Object({
  phone: described(Text(1, 64), "The id of a phone, or a number that one phone has", "5511999990001"),
  stop: Type.Optional(Type.Boolean({ description: "Pause the phone first if it is connected" })),
});
const ExportView = Type.Object(
  {
    id: Id("The id of the phone"),
    phoneNumber: Nullable(
      Type.String({
        description: "Digits with country code; null or absent if unknown",
        examples: ["5511999990001"],
      }),
    ),
    format: Type.String({ description: "How the other program stores it", examples: ["baileys"] }),
    session: Type.String({
      description: SESSION_TEXT,
      examples: ["H4sIAAAAAAAAA6tWKkpVslIqSyzKTEzOKS1W0lFQKkgsLi5PLUpRslIyNDAEAHYgU4QkAAAA"],
    }),
  },
  { title: "ExportedSession" },
);

const moveInOf = async ({ format, session, isLastState = false }: Static<typeof InspectBody>): Promise<MoveIn> => ({
  stored: { format, entries: await unpackEntries(session) },
  isLastState,
});

const reportView = ({ phoneNumber, keys, notes, problems }: MoveInReport): Static<typeof ReportView> => ({
  phoneNumber,
  keys: { ...keys },
  notes: [...notes],
  problems: [...problems],
});

/** Moves paired phones in from other programs, and out to them. */
export const adminMoving = (env: GatewayEnv) =>
  new Elysia()
    .post("/imports/inspect", async ({ body }) => reportView(await inspectMoveIn(env, await moveInOf(body))), {
      body: InspectBody,
      response: { 200: ReportView, ...ADMIN_REFUSALS },
      detail: {
        ...route({
          operationId: "inspectImport",
          acts: "none: no change",
          isolation: "administrator",
          maxBodyBytes: MAX_LONG_BODY_BYTES,
        }),
        summary: "Look into a session of another program",
        description: "Nothing is stored.",
      },
    })
    .post(
      "/imports",
      async ({ body, request, status }) => {
        const { accountId, label, webhook } = body;
        const home = { accountId, label, webhook: webhook && webhookInput(webhook) };
        const { channel, report } = await moveIn(env, administratorOf(request), home, await moveInOf(body));
        await reconnectChannel(env, channel, channel.id);
        return status(201, { id: channel.id, ...reportView(report) });
      },
      {
        body: ImportBody,
        response: { 201: ImportView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({
            operationId: "importSession",
            acts: ["channel.move-in"],
            isolation: "administrator",
            maxBodyBytes: MAX_LONG_BODY_BYTES,
          }),
          summary: "Make a phone from a session of another program",
          description: "It connects without a new QR code. The other program must not run any more.",
        },
      },
    )
    .post(
      "/exports",
      async ({ body: { phone, stop = false }, request, set }) => {
        requireFreshProof(env, request); // the answer is a credential that outlives the person's session
        const { channel, stored } = await moveOut(env, administratorOf(request), { phone, stops: stop });
        set.headers["cache-control"] = "no-store";
        const { id, phoneNumber } = channel;
        return { id, phoneNumber, format: stored.format, session: await packEntries(stored.entries) };
      },
      {
        body: ExportBody,
        response: { 200: ExportView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({ operationId: "exportSession", acts: ["channel.move-out"], isolation: "administrator" }),
          summary: "Export the session of a phone for another program",
          description: "The answer is a credential. The phone is paused until it is connected again.",
        },
      },
    );
