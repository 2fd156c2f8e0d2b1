import { describe, expect, test } from "bun:test";
import { askConsole, memberSession, operatorSession } from "../../../support/customers/console-person.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import { scheduled } from "../../../support/customers/scheduled.ts";
import { ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { connectedChannel, customer, gatewayKeyOf, made, sendText } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const items = async (query: Record<string, string> = {}, key = c.key): Promise<any[]> =>
  made(await w.gateway(`/v1/messages?${new URLSearchParams(query).toString()}`, { key }), 200).items;
const byText = (a: string, b: string) => a.localeCompare(b);
const textsBy = async (sentBy: string): Promise<string[]> =>
  (await items({ sentBy })).map(({ content }) => content.text).toSorted(byText);
const authorOf = async (id: string) => (await items()).find((one) => one.id === id)?.sentBy;
const inConsole = (as: string, account: string, phoneId: string, text: string) =>
  askConsole(w, "/gateway/v1/messages", { as, account, body: { phoneId, to: TO, type: "text", content: { text } } });

/** The person writes. */
const writes = async (text: string) => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text, at: w.clock.now() });
  await w.settle();
};
/** The owner writes in the business app, which the network reports. */
const ownerWrites = async (text: string) => {
  const echo = { from: c.phone.number, to: TO, id: `wamid.${text}`, timestamp: "1700000000", type: "text" };
  await post(w, [ofNumber(c, { message_echoes: [{ ...echo, text: { body: text } }] }, "smb_message_echoes")]);
};
/** An operator's message of the console. */
const operatorWrites = async (text: string) => {
  const olga = await operatorSession(w);
  const { status, body } = await inConsole(olga.cookie, c.accountId, c.phone.id, text);
  expect(status).toBe(202);
  await w.settle();
  return { olga, id: body.messageId as string };
};

describe("who wrote a message", () => {
  test("is the key, the operator, the owner's own phone or nobody, in lists, in the timeline and in the chat", async () => {
    await writes("do cliente");
    const byKey = await c.sent({ content: { text: "da chave" } });
    const { olga, id: byOperator } = await operatorWrites("da Olga");
    await ownerWrites("do celular");
    const found = new Map((await items()).map(({ content, sentBy }) => [content.text, sentBy]));
    expect(found.get("do cliente")).toBeNull();
    expect(found.get("da chave")).toEqual({ kind: "key", id: expect.stringMatching(/./), name: expect.any(String) });
    expect(found.get("da Olga")).toEqual({ kind: "operator", id: olga.id, name: "Olga" });
    const phone = made(await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key }), 200);
    expect(found.get("do celular")).toEqual({ kind: "phone", id: c.phone.id, name: phone.label });
    for (const [id, text] of [
      [byKey, "da chave"],
      [byOperator, "da Olga"],
    ] as const) {
      const timeline = made(await w.gateway(`/v1/messages/${id}/timeline`, { key: c.key }), 200);
      expect(timeline.message.sentBy).toEqual(found.get(text));
      expect(timeline.steps.find(({ kind }: any) => kind === "ACCEPTED").by).toEqual(found.get(text));
    }
    const [chat] = made(await w.gateway("/v1/chats", { key: c.key }), 200).items;
    expect(chat.lastMessage).toMatchObject({ text: "do celular", sentBy: found.get("do celular") });
    const inChat = made(await w.gateway(`/v1/chats/${chat.id}/messages`, { key: c.key }), 200).items;
    expect(new Map(inChat.map(({ content, sentBy }: any) => [content.text, sentBy]))).toEqual(found);
  });

  test("is a scheduled message by its id, and nobody in the chat's newest message of the person", async () => {
    const id = await scheduled(w, c, 5000, { content: { text: "na hora" } });
    await w.advance(6000);
    await w.settle();
    const [sent] = await items({ sentBy: "schedule" });
    expect([sent.content.text, sent.sentBy]).toEqual(["na hora", { kind: "schedule", id, name: null }]);
    await writes("obrigada");
    const [chat] = made(await w.gateway("/v1/chats", { key: c.key }), 200).items;
    expect(chat.lastMessage).toMatchObject({ text: "obrigada", sentBy: null });
  });

  test("is still the key by name after the key was revoked", async () => {
    const path = `/v1/admin/accounts/${c.accountId}/api-keys`;
    const { id: keyId, key } = made(await w.gateway(path, { admin: true, body: { name: "Caixa" } }), 201);
    const body = { phoneId: c.phone.id, to: TO, type: "text", content: { text: "do caixa" } };
    const { messageId } = made(await w.gateway("/v1/messages", { key, body }), 202);
    await w.settle();
    const author = { kind: "key", id: keyId, name: "Caixa" };
    expect(await authorOf(messageId)).toEqual(author);
    made(await w.gateway(`/v1/admin/api-keys/${keyId}/revoke`, { admin: true, body: {} }), 200);
    expect(await authorOf(messageId)).toEqual(author);
  });

  test("is the member of an institution on both APIs, and absent on the platform for the person's own words", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    const carla = await memberSession(w, who.userId);
    const { status, body } = await inConsole(carla, who.id, channel.id, "da Carla");
    expect(status).toBe(202);
    const { messageId: byKey } = made(await sendText(w, who.key, channel.id), 202);
    await w.graph.inbound.text({ to: channel.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const key = await gatewayKeyOf(w, who);
    const author = { kind: "user", id: who.userId, name: expect.any(String) };
    const [own] = await items({ sentBy: `user:${who.userId}` }, key);
    expect([own.id, own.sentBy]).toEqual([body.messageId, author]);
    const onPlatform = async (id: string) => made(await w.platform(`/v1/messages/${id}`, { key: who.key }), 200);
    expect((await onPlatform(body.messageId)).sentBy).toEqual(author);
    expect((await onPlatform(byKey)).sentBy).toEqual({ kind: "key", id: expect.any(String), name: expect.any(String) });
    const [received] = await items({ direction: "inbound" }, key);
    expect(Object.keys(await onPlatform(received.id))).not.toContain("sentBy");
  });
});

describe("?sentBy=", () => {
  test("finds a kind of sender, or one sender, and neither the person's messages nor those of others", async () => {
    await writes("do cliente");
    await c.sent({ content: { text: "da chave" } });
    const { olga } = await operatorWrites("da Olga");
    await operatorWrites("da outra Olga");
    await ownerWrites("do celular");
    expect(await textsBy("key")).toEqual(["da chave"]);
    expect(await textsBy("operator")).toEqual(["da Olga", "da outra Olga"]);
    expect(await textsBy(`operator:${olga.id}`)).toEqual(["da Olga"]);
    expect(await textsBy("phone")).toEqual(["do celular"]);
    expect(await textsBy(`phone:${c.phone.id}`)).toEqual(["do celular"]);
    for (const nobody of ["agent", "user", "batch", "chatwoot", "other", "key:nobody", `user:${olga.id}`])
      expect(await textsBy(nobody)).toEqual([]);
    expect((await items({ sentBy: "operator", q: "outra" })).length).toBe(1);
    expect(await items({ sentBy: "phone", direction: "inbound" })).toEqual([]);
  });

  test("finds within one chat, and beside a contact", async () => {
    await c.sent({ content: { text: "um" } });
    await operatorWrites("dois");
    const [{ chatId }] = await items();
    const inChat = made(await w.gateway(`/v1/chats/${chatId}/messages?sentBy=operator`, { key: c.key }), 200).items;
    expect(inChat.map(({ content }: any) => content.text)).toEqual(["dois"]);
    expect((await items({ sentBy: "key", contact: TO })).map(({ content }) => content.text)).toEqual(["um"]);
  });

  test.each(["carla", "user:", "user:a:b", "key: x", "key'--", ""])("refuses %j", async (sentBy) => {
    const asked = await w.gateway(`/v1/messages?${new URLSearchParams({ sentBy }).toString()}`, { key: c.key });
    expect(gatewaySays(asked)).toBe("400 VALIDATION_ERROR");
  });

  test("G-009 names nobody of another account", async () => {
    await operatorWrites("da Olga");
    await c.sent();
    const other = await newCustomer(w);
    for (const { sentBy } of await items())
      expect(await items({ sentBy: `${sentBy.kind}:${sentBy.id}` }, other.key)).toEqual([]);
  });
});
