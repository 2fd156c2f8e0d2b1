import { beforeEach, describe, expect, test } from "bun:test";
import { askedIn, type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { noteFrom } from "../../../support/customers/agents/voice-notes.ts";
import { holdBack, release, rowsOf, TO, wamidOf } from "../../../support/customers/customer.ts";
import { arrives } from "../../../support/customers/media.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { giveAgent, useLlm } from "../../../support/llm/world.ts";
import { messageFrom, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { fill } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";

const l = useLlm();
const c = {} as Chat;
beforeEach(async () => void fill(c, await newChat(l)));

const revoke = (key: string) =>
  post(l.w, [
    ofNumber(c, messageFrom({ pn: TO }, { text: undefined, type: "revoke", revoke: { original_message_id: key } })),
  ]);
const said = async () => (await c.turns()).map(({ role, content }) => `${role}: ${content}`);

describe("a message that was deleted for everyone", () => {
  test("is a turn without a text, and in no later prompt", async () => {
    const wamid = await c.says("a senha era k7");
    l.llm.reset();
    await revoke(wamid);
    const [turn] = await c.turns();
    expect(turn).toMatchObject({ role: "USER", content: "", tokensEstimate: 0, chatMessageId: wamid });
    expect(l.llm.chats()).toEqual([]);
    await c.says("e agora?");
    expect(askedIn(l).at(-1)).toEqual({ role: "user", content: "e agora?" });
    expect(askedIn(l).filter(({ role, content }) => role === "user" && content.includes("k7"))).toEqual([]);
  });

  test("is forgotten in the same way when a person of the account wrote it", async () => {
    await c.says("oi");
    const { body } = await c.send({ content: { text: "a senha era k7" } });
    await l.w.settle();
    expect((await said()).at(-1)).toBe("HUMAN: a senha era k7");
    await revoke(wamidOf(l.w, body.messageId));
    expect(await said()).toEqual(["USER: oi", "ASSISTANT: You said: oi", "HUMAN: "]);
    await c.says("e agora?");
    expect(JSON.stringify(askedIn(l))).not.toContain("k7");
  });

  test("gets no answer if the agent had not begun one", async () => {
    await c.says("oi");
    l.llm.reset();
    await holdBack(l.w, `ai:${c.accountId}`);
    await revoke(await c.says("a senha era k7"));
    await release(l.w, `ai:${c.accountId}`);
    expect([l.llm.chats(), c.sent().length]).toEqual([[], 1]);
  });

  test.each([
    ["a text", () => c.says("a senha era k7")],
    ["a voice note", () => noteFrom(l.w, c)],
  ])("gets no answer if it goes while the model answers: %s", async (_, arrive) => {
    await giveAgent(l.w, c, { transcribesVoice: true });
    const gate = Promise.withResolvers<void>();
    l.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? REPLIES.held(gate.promise) : undefined));
    const arrived = arrive();
    await untilTrue(async () => l.llm.chats().length === 1);
    const [{ chatMessageId }] = await c.turns();
    const deleted = revoke(chatMessageId);
    await untilTrue(async () => (await c.turns())[0].content === "");
    gate.resolve();
    await Promise.all([arrived, deleted]);
    expect([await said(), c.sent()]).toEqual([["USER: "], []]);
  });

  test("is no turn if its file came after the deletion", async () => {
    await c.says("oi");
    await arrives(l.w, c, {});
    await l.w.settle();
    await holdBack(l.w, `media:${c.phone.id}`);
    await arrives(l.w, c, { caption: "a senha era k7" });
    await l.w.settle();
    const newest = "SELECT provider_message_id AS wamid FROM inbox WHERE channel_id = ?1 ORDER BY rowid DESC LIMIT 1";
    const [stored] = await rowsOf<{ wamid: string }>(l.w, newest, [c.phone.id]);
    await revoke(stored?.wamid ?? "");
    await release(l.w, `media:${c.phone.id}`);
    expect(await said()).toEqual(["USER: oi", "ASSISTANT: You said: oi"]);
    expect(c.sent()).toHaveLength(1);
  });
});
