import { beforeEach, describe, expect, test } from "bun:test";
import { askedIn, type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { holdBack, release, rowsOf, TO, wamidOf } from "../../../support/customers/customer.ts";
import { arrives } from "../../../support/customers/media.ts";
import { useLlm } from "../../../support/llm/world.ts";
import { messageFrom, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { fill } from "../../../support/use-world.ts";

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
