import { expect, test } from "bun:test";
import type { Gateway, Pages, Recado, RecadoError } from "../../clients/typescript/src/index.ts";

// The compiler does these tests: a wrong `true` or `false` is an error of `npm run types`.

type Takes<Input, Given> = Given extends Input ? true : false;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Sent = Parameters<Recado["messages"]["send"]>[0];
type Message<Type, Content> = { phoneId: string; to: string; type: Type; content: Content };

type MadePhone = Parameters<Recado["phones"]["create"]>[0];

/** Compiled, never called. */
const tried = (recado: Recado, message: Sent) => recado.messages.send(message, { query: { dryRun: true } });

const asTyped = {
  "a text has a text": true satisfies Takes<Sent, Message<"text", { text: string }>>,
  "a text without a text": false satisfies Takes<Sent, Message<"text", { mediaUrl: string }>>,
  "a type that is not known": false satisfies Takes<Sent, Message<"telegram", { text: string }>>,
  "a list without its rows": false satisfies Takes<Sent, Message<"list", { text: string }>>,
  "a message for nobody": false satisfies Takes<Sent, { phoneId: string; type: "text"; content: { text: string } }>,
  "what is answered follows from dryRun": true satisfies Same<Gateway.DryRunMessage, Awaited<ReturnType<typeof tried>>>,
  "the content follows from the type": true satisfies Same<Extract<Sent, { type: "text" }>["content"]["text"], string>,
  "a list gives its items": true satisfies Takes<Pages<Gateway.Phone>, ReturnType<Recado["phones"]["list"]>>,
  "a code that is not one": false satisfies Takes<RecadoError["code"], "NO_SUCH_CODE">,
  "a code that is one": true satisfies Takes<RecadoError["code"], "PHONE_NOT_FOUND">,
  "a phone of a kind that an adapter brings": true satisfies Takes<
    MadePhone,
    { type: "PAGER"; label: string; credentials: { token: string } }
  >,
  "a phone without a name": false satisfies Takes<MadePhone, { type: "PAGER" }>,
  "a type that an answer has is any text": true satisfies Takes<Gateway.Phone["type"], "PAGER">,
  "an event is narrowed by its type": true satisfies Same<
    Extract<Extract<Gateway.WebhookEvent, { type: "message:received" }>["data"], { type: "text" }>["content"]["text"],
    string
  >,
};

test("the types are as said", () => {
  expect(Object.keys(asTyped)).toHaveLength(14);
});
