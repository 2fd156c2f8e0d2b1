import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../../src/kernel/clock.ts";
import { type Chat, newChat } from "../../../../support/customers/agents/ai-chat.ts";
import { knowledgeOf } from "../../../../support/customers/agents/knowledge.ts";
import { shownCalls, useToolWorld } from "../../../../support/customers/agents/tool-chat.ts";
import { hoursFrom } from "../../../../support/customers/business-hours.ts";
import { receivedBy, rowsOf, sendsOf, TO } from "../../../../support/customers/customer.ts";
import { knownTemplate } from "../../../../support/customers/templates.ts";
import { REPLIES } from "../../../../support/llm/index.ts";

type Call = [string, unknown];
const s = useToolWorld();
const OTHER = "5511999990002";
const withTools = (...builtInTools: string[]) => newChat(s, { builtInTools });
const offered = (): string[] => (s.llm.chats().at(-1)?.body.tools ?? []).map((tool: any) => tool.function.name);
const contactsOf = async (c: Chat): Promise<any[]> => (await s.w.gateway("/v1/contacts", { key: c.key })).body.items;

describe("a built-in tool", () => {
  test("is offered only where it is switched on, and where it can do something", async () => {
    const none = await withTools();
    await none.says("oi");
    expect(offered()).toEqual([]);
    const c = await withTools(
      "hand_over",
      "send_template",
      "send_file",
      "look_up_contact",
      "set_tag",
      "business_hours",
    );
    await c.says("oi");
    expect(offered()).toEqual(["hand_over", "look_up_contact", "set_tag", "business_hours"]);
    s.llm.next(REPLIES.calls(["send_template", { template: "x" }]), "desculpe");
    await c.says("de novo");
    expect(s.toolAnswers()).toEqual(["There is no such tool."]);
  });

  test("X-037 hand_over hands the conversation over after one last answer, with the model's reason", async () => {
    const c = await withTools("hand_over");
    s.llm.next(REPLIES.calls(["hand_over", { reason: "quer desconto" }]), "Já chamo alguém.");
    await c.says("Quero falar com gente");
    expect(c.sent()).toEqual([`${TO}: Já chamo alguém.`]);
    expect(await c.with()).toMatchObject({ status: "HUMAN_HANDOFF", handoffReason: "quer desconto" });
    expect(receivedBy(c.hook, "agent:handoff")).toMatchObject([{ reason: "quer desconto", manual: false }]);
    expect(await shownCalls(c)).toMatchObject([{ tool: "hand_over", kind: "BUILT_IN", outcome: "ANSWERED" }]);
    await c.says("alô?");
    expect(c.sent().length).toBe(1);
  });

  test("hand_over alone holds although the provider fails after it: a person goes on, and nothing is sent or changed", async () => {
    const c = await withTools("hand_over", "set_tag");
    s.llm.next(REPLIES.calls(["set_tag", { tag: "vip" }], ["hand_over", { reason: "difícil" }]), REPLIES.noCredit());
    await c.says("oi");
    expect([c.sent(), (await c.with()).status]).toEqual([[], "HUMAN_HANDOFF"]);
    expect((await contactsOf(c)).map(({ tags }: any) => tags)).toEqual([[]]);
    expect((await shownCalls(c)).map(({ tool }: any) => tool)).toEqual(["hand_over"]);
  });

  test("set_tag changes the contact who wrote, and nobody else, in the write of the answer; without an answer nothing", async () => {
    const c = await withTools("set_tag");
    await c.says("oi", OTHER);
    s.llm.next(REPLIES.calls(["set_tag", { tag: "atacado" }]), "anotado");
    await c.says("sou atacadista");
    const tagged = (await contactsOf(c)).map(({ phoneNumber, tags }: any) => [phoneNumber, tags]);
    expect(Object.fromEntries(tagged)).toEqual({ [TO]: ["atacado"], [OTHER]: [] });
    s.llm.next(REPLIES.calls(["set_tag", { tag: "atacado", remove: true }]), REPLIES.noCredit());
    await c.says("não sou mais");
    expect((await contactsOf(c)).find(({ phoneNumber }: any) => phoneNumber === TO).tags).toEqual(["atacado"]);
  });

  test("look_up_contact says what is known of the contact who wrote, and of nobody else", async () => {
    const c = await withTools("look_up_contact");
    const body = { phoneNumber: OTHER, name: "Segredo de Outra" };
    await s.w.gateway("/v1/contacts", { key: c.key, body });
    await s.w.gateway("/v1/contacts", { key: c.key, body: { phoneNumber: TO, name: "Ana", tags: ["bolos"] } });
    s.llm.next(REPLIES.calls(["look_up_contact", {}]), "Olá, Ana!");
    await c.says("quem sou eu?");
    expect(JSON.parse(s.toolAnswers()[0] ?? "")).toMatchObject({ name: "Ana", tags: ["bolos"] });
    expect(JSON.stringify(s.llm.journal)).not.toContain("Segredo de Outra");
  });

  test("business_hours says whether the business is open, and when it opens", async () => {
    const c = await withTools("business_hours");
    await s.w.gateway("/v1/business-hours", { key: c.key, method: "PUT", body: hoursFrom(s.w, 3 * HOUR_MS) });
    s.llm.next(REPLIES.calls(["business_hours", {}]), "Fechado.");
    await c.says("abrem hoje?");
    expect(JSON.parse(s.toolAnswers()[0] ?? "")).toMatchObject({ isOpen: false, opensAt: expect.any(String) });
  });

  test("send_template sends an approved template of the phone after the answer, with its variables", async () => {
    const c = await withTools("send_template");
    await knownTemplate(s.w, c.phone.id, {
      name: "pedido",
      components: [{ type: "BODY", text: "Pedido {{1}} pronto." }],
    });
    await knownTemplate(s.w, c.phone.id, { name: "recusado", status: "REJECTED" });
    s.llm.next(REPLIES.calls(["send_template", { template: "pedido/pt_BR", variables: ["A-7"] }]), "Segue:");
    await c.says("manda o aviso");
    const sends = sendsOf(s.w, c);
    expect(sends.map(({ to, type }) => [to, type])).toEqual([
      [TO, "text"],
      [TO, "template"],
    ]);
    expect(sends[1].template.name).toBe("pedido");
    expect(JSON.stringify(s.llm.chats()[0]?.body.tools)).not.toContain("recusado");
  });

  test("send_template is described in few words, however many and long the templates are", async () => {
    const c = await withTools("send_template");
    const text = `Olá {{1}}! ${"texto longo 😀 ".repeat(60)}`;
    for (let n = 0; n < 5; n++)
      await knownTemplate(s.w, c.phone.id, { name: `aviso_${n}`, components: [{ type: "BODY", text }] });
    await c.says("oi");
    const [{ function: tool }] = s.llm.chats().at(-1)?.body.tools ?? [];
    const { enum: names, description } = tool.parameters.properties.template;
    expect([tool.description.length < 1000, s.llm.chats().length, names.length]).toEqual([true, 1, 5]);
    expect(description).toContain("aviso_4/pt_BR: Olá {{1}}! texto longo");
    expect(description.isWellFormed()).toBe(true);
  });

  test("send_file sends a file of the knowledge that is marked for it, under its title, and no other", async () => {
    const c = await newChat(s, { builtInTools: ["send_file"], ragTopK: 0 }); // no search asks the provider
    const knowledge = knowledgeOf(s.w, s.llm, c);
    const upload = async (text: string) =>
      (await knowledge.ask("/files", { raw: text, method: "POST", headers: { "content-type": "text/plain" } })).body
        .objectKey;
    const text = "O cardápio tem bolo de milho e pão de queijo todos os dias.";
    await knowledge.learn({ source: "OBJECT_FILE", title: "Cardápio", objectKey: await upload(text), sendable: true });
    await knowledge.learn({ source: "OBJECT_FILE", title: "Salários", objectKey: await upload(`${text} segredo`) });
    s.llm.next(REPLIES.calls(["send_file", { file: "Cardápio.txt" }]), "Segue o cardápio.");
    await c.says("tem cardápio?");
    const sends = sendsOf(s.w, c);
    expect(sends.map(({ to, type }) => [to, type])).toEqual([
      [TO, "text"],
      [TO, "document"],
    ]);
    expect(sends[1].document.filename).toBe("Cardápio.txt");
    expect(JSON.stringify(s.llm.chats()[0]?.body.tools)).not.toContain("Salários");
  });

  test("only a file may be marked to be sent", async () => {
    const c = await withTools("send_file");
    const knowledge = knowledgeOf(s.w, s.llm, c);
    const refused = await knowledge.ask("", { body: { source: "TEXT_INLINE", text: "x".repeat(30), sendable: true } });
    expect([refused.status, refused.body.issues?.[0]?.path ?? refused.text]).toEqual([
      400,
      expect.stringContaining("sendable"),
    ]);
  });

  test("a change of one kind is made a few times for an answer at most", async () => {
    const c = await withTools("send_template");
    await knownTemplate(s.w, c.phone.id, { name: "pedido" });
    const send = (n: number): Call => ["send_template", { template: "pedido/pt_BR", variables: [`A-${n}`] }];
    s.llm.next(REPLIES.calls(send(1), send(2), send(3), send(4)), "pronto");
    await c.says("oi");
    expect(sendsOf(s.w, c).filter(({ type }) => type === "template").length).toBe(3);
    expect(s.toolAnswers().at(-1)).toBe("That is as often as it may be done for one answer.");
  });

  test("a change is made once for an answer, however often its call is repeated, and is one call in the transcript", async () => {
    const c = await withTools("send_template");
    await knownTemplate(s.w, c.phone.id, { name: "pedido" });
    const send: Call = ["send_template", { template: "pedido/pt_BR" }];
    s.llm.next(REPLIES.calls(send, send), REPLIES.calls(send), "pronto");
    await c.says("oi");
    expect(sendsOf(s.w, c).filter(({ type }) => type === "template").length).toBe(1);
    expect(s.toolAnswers()).toEqual(Array(3).fill("The message is sent after your answer."));
    expect((await shownCalls(c)).length).toBe(1);
  });

  test("send_file copies a file for no call beyond the most, nor again for a repeat", async () => {
    const c = await newChat(s, { builtInTools: ["send_file"], ragTopK: 0 });
    const knowledge = knowledgeOf(s.w, s.llm, c);
    for (const title of ["A", "B", "C", "D"]) {
      const raw = `O cardápio ${title} tem bolo de milho e pão de queijo.`;
      const { body } = await knowledge.ask("/files", {
        raw,
        method: "POST",
        headers: { "content-type": "text/plain" },
      });
      await knowledge.learn({ source: "OBJECT_FILE", title, objectKey: body.objectKey, sendable: true });
    }
    const copies = async () =>
      (await rowsOf(s.w, "SELECT 1 FROM stored_items WHERE tenant_id = ?1", [c.accountId])).length;
    const before = await copies();
    const send = (title: string): Call => ["send_file", { file: `${title}.txt` }];
    s.llm.next(REPLIES.calls(send("A"), send("A"), send("B"), send("C"), send("D")), REPLIES.noCredit());
    await c.says("manda");
    expect([(await copies()) - before, c.sent()]).toEqual([3, []]);
  });
});
