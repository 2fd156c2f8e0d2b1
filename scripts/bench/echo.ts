// The yardstick for accepted sends, a process of its own: a bare Elysia that validates the body of a send and answers
// 202. Prints its port.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { OneOf, Text, Uuid } from "../../src/kernel/schema.ts";

/** Its first line of output. */
export type EchoReady = { port: number };

const SendBody = Type.Object({
  phoneId: Uuid(),
  to: Text(1, 256),
  type: OneOf(["text", "image"]),
  content: Type.Object({}, { additionalProperties: true }),
});
const AcceptedView = Type.Object({ messageId: Type.String(), status: OneOf(["QUEUED"]) });

const app = new Elysia().post(
  "/v1/messages",
  ({ body, status }) => status(202, { messageId: body.phoneId, status: "QUEUED" }),
  {
    body: SendBody,
    response: { 202: AcceptedView },
  },
);
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.compile().fetch });
process.stdout.write(`${JSON.stringify({ port: server.port ?? 0 } satisfies EchoReady)}\n`);
