import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { HISTORY_ROWS, type StoredHistory } from "../../../contract/abilities/moving.ts";
import { unpackEntries } from "../../../core/channels/moving/move-archive.ts";
import {
  beginHistory,
  type HistoryAnswer,
  inspectHistory,
  takeHistory,
} from "../../../core/messaging/importing/history.ts";
import type { HistorySource } from "../../../core/messaging/importing/imports.ts";
import { undoHistory } from "../../../core/messaging/importing/undo.ts";
import { invalid } from "../../../kernel/errors.ts";
import { described, issue, Nullable, Text } from "../../../kernel/schema.ts";
import { IDS, Id } from "../../shared/fields.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT } from "../schemas.ts";

const HISTORY_FORMAT = described(
  Text(1, 40),
  "The program that has written the rows: `evolution` or `waha`",
  "evolution",
);
const HISTORY_ROWS_TEXT =
  "Rows of the other program: a line of JSON {name, text} for each, gzipped, in base64. `name` is `message` or `person`, " +
  "`text` the JSON of the row";
const Rows = Type.String({
  minLength: 1,
  description: HISTORY_ROWS_TEXT,
  examples: ["H4sIAAAAAAAAA6tWKkpVslIqSyzKTEzOKS1W0lFQKkgsLi5PLUpRslIyNDAEAHYgU4QkAAAA"],
});
export const HomeFields = {
  accountId: Type.String({ description: "The account or institution that has the phone", examples: [IDS.account] }),
  phone: described(
    Text(1, 64),
    "The id of a phone that was linked before, or a number that one phone of the account has",
    "5511999990001",
  ),
};
export const SourceFields = {
  format: HISTORY_FORMAT,
  source: described(
    Text(1, 128),
    "The same for the same source, so that an interrupted import goes on: a hash without secrets",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ),
  run: described(
    Text(1, 64),
    "The same for all imports that are undone together; rows are for the import that was begun last",
    "2026-11-30T07:30:00Z",
  ),
};
const InspectHistoryBody = Type.Object({
  format: HISTORY_FORMAT,
  rows: Rows,
  accountId: Type.Optional(HomeFields.accountId),
  phone: Type.Optional(HomeFields.phone),
  withFiles: Type.Optional(
    Type.Boolean({ description: "True to hear which messages have no file here, though they had one at the network" }),
  ),
});
const BeginHistoryBody = Type.Object({ ...HomeFields, ...SourceFields });
const Place = (text: string) => described(Text(0, 200), text, "1764486000 cm2x8k1p0");
const HistoryBody = Type.Object({
  ...HomeFields,
  ...SourceFields,
  rows: Type.Optional(Rows),
  from: Place("The place in the source after which these rows lie: `cursor` of the answer before"),
  to: Place("The place of the last of these rows"),
  isLast: Type.Optional(Type.Boolean({ description: "True if no rows follow" })),
  withFiles: Type.Optional(
    Type.Boolean({
      description:
        "True to hear in `files` which messages have no file here. If there are some, the place stays at `from`: send " +
        "the files, then no rows with the same `from` and `to`",
    }),
  ),
});
const BegunView = Type.Object(
  {
    phoneId: Id("The phone that gets the messages"),
    cursor: Type.String({
      description: "The place in the source after which the import goes on; empty at its beginning",
      examples: [""],
    }),
  },
  { title: "HistoryImport" },
);
export const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const WantedFileView = Type.Object(
  {
    key: Type.String({ description: "The network's id of the message", examples: ["3EB0C127D7BACB07"] }),
    contentType: Type.String({ description: "The media type that the message says", examples: ["image/jpeg"] }),
    sizeBytes: Nullable(
      Type.Integer({ description: "The size that the message says; null if it says none", examples: [48213] }),
    ),
    sha256: Nullable(
      Type.String({
        description: "The digest that the message says, in hexadecimal; null if it says none",
        examples: [SHA256],
      }),
    ),
    maxBytes: Type.Integer({ description: "A larger file is not kept", examples: [8388608] }),
  },
  { title: "HistoryFile" },
);
const CountsView = Type.Object(
  {
    messages: Type.Integer({ description: "Messages that are new here", examples: [180] }),
    contacts: Type.Integer({ description: "Contacts that are new here, or get a name", examples: [12] }),
    known: Type.Integer({ description: "Rows that change nothing, because they are known", examples: [0] }),
    leftOut: Type.Record(Type.String(), Type.Integer(), {
      description: "How many rows cannot be taken over, by reason",
      examples: [{ "a message of a group": 8 }],
    }),
    files: Type.Optional(
      Type.Array(WantedFileView, { description: "The files that messages of these rows have not got here" }),
    ),
  },
  { title: "HistoryCounts" },
);
const UndoBody = Type.Object({
  accountId: Type.String({
    description: "The account or institution whose last import is taken back, if it can be undone",
    examples: [IDS.account],
  }),
});
const UndoneView = Type.Object(
  {
    messages: Type.Integer({ description: "Messages that were removed now", examples: [4000] }),
    contacts: Type.Integer({ description: "Contacts that were removed now", examples: [0] }),
    conversations: Type.Integer({ description: "Conversations that were removed now", examples: [0] }),
    files: Type.Integer({ description: "Files of messages that were removed now", examples: [120] }),
    isDone: Type.Boolean({ description: "False if more is left: ask again" }),
  },
  { title: "UndoneImport" },
);

const historyOf = async (format: string, rows: string | undefined): Promise<StoredHistory> => ({
  format,
  rows: (rows === undefined ? [] : await unpackEntries(rows, "rows")).map(({ name, text }) => {
    const kind = HISTORY_ROWS.find((one) => one === name);
    if (!kind) throw invalid(issue("rows", "enum", `must have names among ${HISTORY_ROWS.join(", ")}`));
    return { kind, text };
  }),
});

const sourceOf = ({ format, source, run }: HistorySource): HistorySource => ({ format, source, run });

const answerOf = ({ files, ...counts }: HistoryAnswer) => ({ ...counts, ...(files ? { files: [...files] } : {}) });

/** Takes over messages and contacts of other programs, and takes the last import back. */
export const adminHistory = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/imports/history/inspect",
      async ({ body: { format, rows, accountId, phone, withFiles } }) => {
        const home = accountId === undefined || phone === undefined ? undefined : { accountId, phone };
        return answerOf(await inspectHistory(env, await historyOf(format, rows), { home, withFiles }));
      },
      {
        body: InspectHistoryBody,
        response: { 200: CountsView, ...ADMIN_REFUSALS },
        detail: {
          ...route({
            operationId: "inspectHistory",
            acts: "none: no change",
            isolation: "administrator",
            maxBodyBytes: MAX_LONG_BODY_BYTES,
          }),
          summary: "Look into messages and contacts of another program",
          description: "Nothing is stored. With an account and a phone it says what is known there.",
        },
      },
    )
    .post(
      "/imports/history",
      async ({ body, request }) => {
        const { channelId, cursor } = await beginHistory(env, administratorOf(request), body, sourceOf(body));
        return { phoneId: channelId, cursor };
      },
      {
        body: BeginHistoryBody,
        response: { 200: BegunView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({
            operationId: "beginHistoryImport",
            acts: ["channel.import-history"],
            isolation: "administrator",
          }),
          summary: "Begin to import messages and contacts of another program into a phone",
          description: "An interrupted import from the same source goes on at `cursor`.",
        },
      },
    )
    .post(
      "/imports/history/rows",
      async ({ body }) => {
        const { from, to, isLast = false, withFiles, format, rows } = body;
        const part = { stored: await historyOf(format, rows), from, to, isLast, withFiles };
        return answerOf(await takeHistory(env, body, sourceOf(body), part));
      },
      {
        body: HistoryBody,
        response: { 200: CountsView, ...ADMIN_REFUSALS, 409: CONFLICT },
        detail: {
          ...route({
            operationId: "importHistory",
            acts: "none: part of another",
            isolation: "administrator",
            maxBodyBytes: MAX_LONG_BODY_BYTES,
          }),
          summary: "Import the next messages and contacts of another program",
          description: "They are stored at their places in time. No event is published, and nothing is unread.",
        },
      },
    )
    .post("/imports/history/undo", async ({ body, request }) => undoHistory(env, administratorOf(request), body), {
      body: UndoBody,
      response: { 200: UndoneView, ...ADMIN_REFUSALS },
      detail: {
        ...route({
          operationId: "undoHistoryImport",
          acts: ["channel.undo-import"],
          isolation: "administrator",
        }),
        summary: "Take back what the last import of histories has added to an account",
        description: "What people have added since stays.",
      },
    });
