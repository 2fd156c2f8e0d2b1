import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { type Customer, newCustomer, receivedBy } from "../../../support/customers/customer.ts";
import { until } from "../../../support/graph/fixture.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

const ACCOUNTS = 25;
const PEOPLE = 4;
/** Of an account's. */
const AT_ONCE = 2;
const SENDS = 40;
const TIME_LIMIT_MS = 60_000;

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());

const numberOf = (n: number): string => `55119999${String(n).padStart(5, "0")}`;

/** Sends some messages, one after the other: each reaches the network before the next one is sent. */
const sendOneByOne = async (c: Pick<Customer, "phone" | "send">, sentBefore: number): Promise<void> => {
  const reached = () =>
    l.w.graph.journal.filter(
      ({ path, method }) => method === "POST" && path.endsWith(`/${c.phone.phoneNumberId}/messages`),
    ).length;
  for (let n = 1; n <= SENDS; n++) {
    expect((await c.send({ to: numberOf(50_000 + n) })).status).toBe(202);
    await until(() => reached() === sentBefore + n);
  }
};

test(
  `X-030 ${ACCOUNTS * PEOPLE} conversations whose provider does not answer delay no other message, of their own phones or of others`,
  async () => {
    const other = await newCustomer(l.w);
    const chats: Chat[] = [];
    for (let n = 0; n < ACCOUNTS; n++) chats.push(await newChat(l));
    const gate = Promise.withResolvers<void>();
    l.llm.answer(() => REPLIES.held(gate.promise));
    const writes = chats.flatMap(({ phone }) =>
      Array.from({ length: PEOPLE }, (_, n) =>
        l.w.graph.inbound.text({ to: phone.phoneNumberId, from: numberOf(n), text: "oi" }),
      ),
    );
    await Promise.all(writes);
    await l.llm.received(ACCOUNTS * AT_ONCE);
    const [busy] = chats as [Chat];
    await sendOneByOne(other, 0);
    await sendOneByOne(busy, 0);
    await until(() => chats.every(({ hook }) => receivedBy(hook, "message:received").length === PEOPLE));
    expect(l.llm.chats().length).toBe(ACCOUNTS * AT_ONCE); // no account's provider is asked more at once
    expect(chats.slice(1).flatMap((chat) => chat.sent())).toEqual([]);
    gate.resolve();
    await l.w.settle();
    expect(chats.map((chat) => chat.sent().filter((said) => said.endsWith(": You said: oi")).length)).toEqual(
      Array<number>(ACCOUNTS).fill(PEOPLE),
    );
  },
  TIME_LIMIT_MS,
);
