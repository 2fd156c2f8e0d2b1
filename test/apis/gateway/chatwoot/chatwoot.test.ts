import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import {
  ACCOUNT,
  ADMIN_TOKEN,
  AGENT_TOKEN,
  type SimulatedChatwoot,
  startChatwoot,
} from "../../../support/chatwoot/server.ts";
import { type Customer, rowsOf } from "../../../support/customers/customer.ts";
import { FILES } from "../../../support/customers/media.ts";
import { newSessionCustomer, sessionNetwork, textFrom } from "../../../support/session/scripted-sends.ts";
import { useWorld } from "../../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, plugins: [network.plugin] });
const ANA = "5511999990001";
const DAY = 86_400_000;

let c: Customer;
let chatwoot: SimulatedChatwoot;
beforeEach(async () => {
  network.sent.length = 0;
  network.operated.length = 0;
  chatwoot = startChatwoot();
  c = await newSessionCustomer(w);
});
afterEach(async () => {
  await chatwoot.called();
  await chatwoot.stop();
});

const ask = (method: string, body?: object) =>
  w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key, method, ...(body ? { body } : {}) });
const input = (more: object = {}) => ({
  url: chatwoot.url,
  chatwootAccountId: ACCOUNT,
  token: ADMIN_TOKEN,
  inboxName: "Padaria",
  ...more,
});
const connected = async (more: object = {}) => {
  const answer = await ask("PUT", input(more));
  expect(answer.status).toBe(200);
  await w.settle();
  return answer.body;
};
/** Runs all that is due, with the webhooks that it causes. */
const settled = async () => {
  for (let round = 0; round < 3; round++) {
    await w.settle();
    await chatwoot.called();
  }
  await w.settle();
};
const says = async (text: string, rest: object = {}) => {
  const event = textFrom(ANA, { content: { type: "text", content: { text } }, at: w.clock.now(), ...rest });
  await network.notify(c.phone.id, event);
  await settled();
  return event.key;
};
const conversation = () => chatwoot.conversations.at(-1)?.id ?? 0;
const texts = () =>
  network.sent.map(({ order }) => (order.content as { text?: string; caption?: string }).text ?? order.type);
/** What was deleted on the network; that an answer marks as read is of no interest here. */
const deletions = () => network.operated.filter(({ name }) => name === "delete");
const waiting = async (): Promise<number> => (await ask("GET")).body.waiting;

describe("the connection", () => {
  test("makes an API inbox whose webhook leads back with a secret, and never shows the token", async () => {
    const body = await connected();
    expect(body).toEqual({
      webhookId: expect.any(String),
      url: chatwoot.url,
      chatwootAccountId: ACCOUNT,
      inboxId: chatwoot.inboxes[1]?.id,
      inboxName: "Padaria",
      state: "OK",
      waiting: 0,
      lost: 0,
      lastError: null,
      importDays: 0,
      imported: 0,
      toImport: null,
      leftOut: 0,
      markRead: true,
      typing: true,
      batches: false,
    });
    expect(chatwoot.inboxes[1]).toMatchObject({ name: "Padaria", channel_type: "Channel::Api" });
    expect(chatwoot.inboxes[1]?.webhook_url).toMatch(
      new RegExp(`/v1/chatwoot/${body.webhookId}\\?secret=[\\w-]{16,}$`),
    );
    expect((await ask("GET")).body).toEqual(body);
    const rows = await rowsOf(w, "SELECT * FROM subscriptions WHERE id = ?", [body.webhookId]);
    expect(JSON.stringify(rows)).not.toContain(ADMIN_TOKEN);
  });

  test("is made once: connecting again uses the same inbox, with a new token too", async () => {
    const first = await connected();
    const { token: _, ...rest } = input();
    expect((await ask("PUT", rest)).body).toEqual(first);
    expect((await connected({ inboxName: undefined })).inboxId).toBe(first.inboxId);
    expect(chatwoot.inboxes).toHaveLength(2);
  });

  test.each([
    ["a wrong token", { token: "errado" }, "it refuses the token"],
    ["the token of an agent", { token: AGENT_TOKEN }, "it refuses the token"],
    ["an account that is not there", { chatwootAccountId: 99 }, "it has no such account"],
  ])("is refused with %s, and nothing is stored", async (_what, more, why) => {
    const answer = await ask("PUT", input(more));
    expect([answer.status, answer.body.error.code]).toEqual([422, "HANDSHAKE_REFUSED"]);
    expect(answer.body.error.message).toContain(why);
    expect((await ask("GET")).body.error.code).toBe("WEBHOOK_NOT_FOUND");
    expect(chatwoot.inboxes).toHaveLength(1);
  });

  test("does not ask a forbidden address, nor send the stored token to another host", async () => {
    await connected();
    const before = chatwoot.calls.length;
    const { token: _, ...rest } = input({ url: "http://10.0.0.1" });
    expect((await ask("PUT", rest)).body.error.code).toBe("VALIDATION_ERROR");
    const elsewhere = await ask("PUT", { ...rest, url: chatwoot.url.replace("127.0.0.1", "127.0.0.1.") });
    expect(elsewhere.body.error.code).toBe("VALIDATION_ERROR");
    expect(chatwoot.calls).toHaveLength(before);
  });

  test("ends: nothing goes to Chatwoot any more, and its calls are refused", async () => {
    await connected();
    await says("oi");
    const webhook = chatwoot.inboxes[1]?.webhook_url ?? "";
    expect((await ask("DELETE")).status).toBe(204);
    expect(chatwoot.inboxes[1]?.webhook_url).toBe("");
    const before = chatwoot.messages.length;
    await says("ainda aí?");
    expect(chatwoot.messages).toHaveLength(before);
    const answer = await fetch(webhook, { method: "POST", body: "{}" });
    expect(answer.status).toBe(403);
    expect((await ask("DELETE")).body.error.code).toBe("WEBHOOK_NOT_FOUND");
  });

  test("does not take the inbox of another phone, also of another account", async () => {
    const first = await connected();
    await says("oi da Ana");
    const webhook = chatwoot.inboxes[1]?.webhook_url;
    const other = await newSessionCustomer(w);
    const theirs = (method: string, body?: object) =>
      w.gateway(`/v1/phones/${other.phone.id}/chatwoot`, { key: other.key, method, ...(body ? { body } : {}) });
    const answer = await theirs("PUT", input());
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(answer.body.error)).toMatch(/inboxName.*inbox of another phone/);
    expect((await theirs("GET")).status).toBe(404);
    expect(chatwoot.inboxes[1]?.webhook_url).toBe(webhook);
    chatwoot.agentWrites({ conversationId: conversation(), content: "resposta para Ana" });
    await settled();
    expect(network.sent.map(({ channelId }) => channelId)).toEqual([c.phone.id]);
    // another name is another inbox, and the name is free once the first phone has left it
    expect((await theirs("PUT", input({ inboxName: "Loja" }))).status).toBe(200);
    await ask("DELETE");
    expect((await theirs("PUT", input())).body.inboxId).toBe(first.inboxId);
  });

  test("that ends leaves a webhook that is not its own", async () => {
    await connected();
    const inbox = chatwoot.inboxes[1];
    if (inbox) inbox.webhook_url = "https://outro.example/webhook";
    expect((await ask("DELETE")).status).toBe(204);
    expect(inbox?.webhook_url).toBe("https://outro.example/webhook");
  });

  test("to another inbox ends the calls of the one before", async () => {
    await connected();
    await connected({ inboxName: "Outra" });
    expect(chatwoot.inboxes.slice(1).map(({ name, webhook_url }) => [name, webhook_url !== ""])).toEqual([
      ["Padaria", false],
      ["Outra", true],
    ]);
  });

  test("and its end are in the audit log, without the token", async () => {
    await connected();
    await ask("DELETE");
    const rows = await rowsOf<{ action: string; details: string }>(
      w,
      "SELECT action, details FROM audit_entries WHERE target = ? ORDER BY rowid DESC LIMIT 2",
      [c.phone.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(["webhook.delete", "webhook.change"]);
    expect(JSON.stringify(rows)).not.toContain(ADMIN_TOKEN);
  });

  test("of another account is not seen", async () => {
    await connected();
    const { key } = await w.account();
    const answer = await w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key });
    expect(answer.status).toBe(404);
  });
});

describe("from the network to Chatwoot", () => {
  test("a person's message is incoming, in a conversation with a contact that has name and number", async () => {
    await connected();
    await says("bom dia");
    await says("tem pão?");
    expect(chatwoot.said()).toEqual(["< bom dia", "< tem pão?"]);
    expect(chatwoot.contacts).toMatchObject([{ name: "Ana", phone_number: `+${ANA}`, identifier: `pn:${ANA}` }]);
    expect(chatwoot.conversations).toHaveLength(1);
    expect(network.sent).toHaveLength(0);
  });

  test("a contact that Chatwoot has already is used", async () => {
    await connected();
    chatwoot.contacts.push({ id: 500, name: "Ana Souza", phone_number: `+${ANA}`, identifier: "crm-42" });
    await says("oi");
    expect(chatwoot.contacts).toHaveLength(1);
    expect(chatwoot.conversations).toMatchObject([{ contactId: 500 }]);
  });

  test("a contact whose number has another ninth digit is the same person", async () => {
    await connected();
    chatwoot.contacts.push({ id: 500, name: "Ana", phone_number: `+${ANA}`, identifier: null });
    const event = textFrom("551199990001", { at: w.clock.now() });
    await network.notify(c.phone.id, event);
    await settled();
    expect(chatwoot.conversations).toMatchObject([{ contactId: 500 }]);
  });

  test("a message of the API is outgoing, and its statuses follow", async () => {
    await connected();
    const id = await c.sent({ to: ANA });
    await settled();
    expect(chatwoot.said()).toEqual(["> olá"]);
    expect(chatwoot.messages[0]).toMatchObject({ source_id: id, status: "sent" });
    const key = network.sent[0]?.order.key as ProviderMessageId;
    for (const status of ["delivered", "read"] as const) {
      await network.notify(c.phone.id, { kind: "receipt", key, status, at: w.clock.now() } as never);
      await settled();
      expect(chatwoot.messages.at(0)?.status).toBe(status);
    }
    expect(chatwoot.messages).toHaveLength(1);
    expect(network.sent).toHaveLength(1);
  });

  test("what the owner writes on the phone is outgoing, and is not sent again", async () => {
    await connected();
    await says("oi");
    await says("do celular", { isOwn: true, from: { pn: "5511988887777" } });
    expect(chatwoot.said().at(-1)).toBe("> do celular");
    expect(network.sent).toHaveLength(0);
  });

  test("a group is one contact, and each text begins with its author", async () => {
    await connected();
    await says("reunião às 10", { chat: { group: "120363041234567890" } });
    expect(chatwoot.contacts).toMatchObject([{ phone_number: null, identifier: "group:120363041234567890" }]);
    expect(chatwoot.said()).toEqual([`< **Ana +${ANA}:**\nreunião às 10`]);
  });

  test("an answer quotes what it answers", async () => {
    await connected();
    const key = await says("tem pão?");
    await says("ainda?", { quotedProviderMessageId: key });
    const [first, second] = chatwoot.messages;
    expect(second?.content_attributes["in_reply_to"]).toBe(first?.id);
  });

  test("a conversation that an agent deleted is begun anew", async () => {
    await connected();
    await says("oi");
    chatwoot.agentDeletesConversation(conversation());
    await says("voltei");
    expect(chatwoot.conversations).toHaveLength(1);
    expect(chatwoot.messages.at(-1)).toMatchObject({ content: "voltei", conversationId: conversation() });
  });

  test("what Chatwoot took without an answer is not made twice", async () => {
    await connected();
    await says("oi");
    chatwoot.failNext("POST", /messages$/, { isDone: true });
    await says("uma vez");
    expect(await waiting()).toBe(1);
    await w.advance(10_000);
    await settled();
    expect(chatwoot.said()).toEqual(["< oi", "< uma vez"]);
  });

  test("a Chatwoot that is away gets everything in its order when it is back, and says meanwhile why", async () => {
    await connected();
    chatwoot.failNext("GET", /search/, { status: 503 });
    await says("um");
    await says("dois");
    expect(chatwoot.messages).toHaveLength(0);
    expect((await ask("GET")).body).toMatchObject({ waiting: 2, lastError: "GET /contacts/search: HTTP 503" });
    await w.advance(10_000);
    await settled();
    expect(chatwoot.said()).toEqual(["< um", "< dois"]);
  });

  test("deletions, edits and reactions are in step", async () => {
    await connected();
    const key = await says("pode cancelar");
    await network.notify(c.phone.id, {
      kind: "edited",
      key,
      at: w.clock.now(),
      text: "não cancele",
      from: { pn: ANA },
      nativeId: "act-1",
    } as never);
    await network.notify(c.phone.id, {
      kind: "reacted",
      key,
      at: w.clock.now(),
      emoji: "👍",
      from: { pn: ANA },
      nativeId: "act-2",
    } as never);
    await settled();
    const [first, edit, reaction] = chatwoot.messages;
    expect(edit).toMatchObject({ content: "✏️ não cancele", content_attributes: { in_reply_to: first?.id } });
    expect(reaction).toMatchObject({ content: "👍", content_attributes: { in_reply_to: first?.id } });
    await network.notify(c.phone.id, {
      kind: "revoked",
      key,
      at: w.clock.now(),
      from: { pn: ANA },
      nativeId: "act-3",
    } as never);
    await settled();
    expect(first?.content_attributes).toEqual({ deleted: true });
    expect(deletions()).toHaveLength(0);
  });
});

describe("from Chatwoot to the network", () => {
  test("an agent's text is sent once, with the marks of the network, and does not come back", async () => {
    await connected();
    await says("oi");
    const written = chatwoot.agentWrites({ conversationId: conversation(), content: "**Bom dia**, *Ana*" });
    await settled();
    expect(texts()).toEqual(["*Bom dia*, _Ana_"]);
    expect(network.sent[0]?.order.to).toBe(`pn:${ANA}`);
    expect(chatwoot.messages).toHaveLength(2);
    const key = network.sent[0]?.order.key as ProviderMessageId;
    await network.notify(c.phone.id, { kind: "receipt", key, status: "read", at: w.clock.now() } as never);
    await settled();
    expect(written.status).toBe("read");
  });

  test("a repeated webhook sends nothing twice", async () => {
    await connected();
    await says("oi");
    const webhook = chatwoot.inboxes[1]?.webhook_url ?? "";
    const body = JSON.stringify({
      event: "message_created",
      id: 4242,
      message_type: "outgoing",
      content: "só uma vez",
      conversation: { id: conversation() },
    });
    for (let round = 0; round < 3; round++) {
      expect((await fetch(webhook, { method: "POST", body })).status).toBe(200);
      await settled();
    }
    expect(texts()).toEqual(["só uma vez"]);
  });

  test("a wrong secret, a wrong connection and no secret are refused, and nothing is sent", async () => {
    await connected();
    await says("oi");
    const webhook = chatwoot.inboxes[1]?.webhook_url ?? "";
    const body = JSON.stringify({
      event: "message_created",
      id: 7,
      message_type: "outgoing",
      content: "intruso",
      conversation: { id: conversation() },
    });
    const other = webhook.replace(/chatwoot\/[\w-]+/, "chatwoot/019a1b2c-5555-4a15-8b25-c35d45e55f01");
    for (const address of [`${webhook}x`, webhook.replace(/\?.*/, ""), other])
      expect((await fetch(address, { method: "POST", body })).status).toBe(403);
    await settled();
    expect(network.sent).toHaveLength(0);
  });

  test("notes and messages that Recado made are not sent", async () => {
    await connected();
    await says("oi");
    chatwoot.agentWrites({ conversationId: conversation(), content: "cliente difícil", isPrivate: true });
    await settled();
    expect(network.sent).toHaveLength(0);
    expect(chatwoot.webhooks.every(({ status }) => status === 200)).toBe(true);
  });

  test("an answer quotes, and a deletion deletes for everyone", async () => {
    await connected();
    const key = await says("tem pão?");
    const [asked] = chatwoot.messages;
    const written = chatwoot.agentWrites({ conversationId: conversation(), content: "tem", repliedId: asked?.id ?? 0 });
    await settled();
    expect(JSON.stringify(network.sent[0]?.order)).toContain(key);
    chatwoot.agentDeletes(written.id);
    await settled();
    expect(deletions()).toMatchObject([{ name: "delete", chat: `pn:${ANA}` }]);
    // what a person wrote is not the agent's to take back
    chatwoot.agentDeletes(asked?.id ?? 0);
    await settled();
    expect(deletions()).toHaveLength(1);
  });

  test("a conversation that an agent begins goes to the number of its contact", async () => {
    await connected();
    const inboxId = chatwoot.inboxes[1]?.id ?? 0;
    const begun = chatwoot.agentBegins(inboxId, { name: "Bia", phone_number: "+5511999990002", identifier: null });
    chatwoot.agentWrites({ conversationId: begun.id, content: "Olá, Bia" });
    await settled();
    expect(network.sent.map(({ order }) => order.to)).toEqual(["pn:5511999990002"]);
    await network.notify(c.phone.id, textFrom("5511999990002", { at: w.clock.now() }));
    await settled();
    expect(chatwoot.messages.at(-1)?.conversationId).toBe(begun.id);
  });

  test("files go out with the text as the caption of the first, through redirects", async () => {
    await connected();
    await says("oi");
    const file = (name: string, type: string, bytes: Uint8Array) => ({ type, file: { name, type, bytes } });
    chatwoot.agentWrites({
      conversationId: conversation(),
      content: "o cardápio",
      files: [file("foto.png", "image/png", FILES.png), file("lista.pdf", "application/pdf", FILES.pdf)],
    });
    await settled();
    expect(network.sent.map(({ order }) => [order.type, (order.content as { caption?: string }).caption])).toEqual([
      ["image", "o cardápio"],
      ["document", undefined],
    ]);
    expect(network.sent[0]?.bytes).toBe(Buffer.from(FILES.png).toString("hex"));
    expect(chatwoot.messages).toHaveLength(2);
  });

  test("what cannot be sent is shown as failed, with the reason", async () => {
    await connected();
    const inboxId = chatwoot.inboxes[1]?.id ?? 0;
    const begun = chatwoot.agentBegins(inboxId, { name: "Sem número", phone_number: null, identifier: null });
    const written = chatwoot.agentWrites({ conversationId: begun.id, content: "alguém?" });
    await settled();
    expect(written.status).toBe("failed");
    expect(written.content_attributes["external_error"]).toMatch(/recipient/);
    expect(network.sent).toHaveLength(0);
  });
});

describe("earlier messages", () => {
  test("of the last days come first, in their order, and what comes meanwhile after them", async () => {
    const at = w.clock.now();
    await says("velho demais", { at: at - 40 * DAY });
    await says("segundo", { at: at - DAY });
    await says("primeiro", { at: at - 2 * DAY });
    await c.sent({ to: ANA, content: { text: "resposta" } });
    chatwoot.failNext("POST", /messages$/, { status: 503 });
    await ask("PUT", input({ importDays: 30 }));
    await settled();
    await says("ao vivo");
    expect((await ask("GET")).body).toMatchObject({ state: "IMPORTING", waiting: 1 });
    expect(chatwoot.messages).toHaveLength(0);
    await w.advance(60_000);
    await settled();
    expect(chatwoot.said()).toEqual(["< primeiro", "< segundo", "> resposta", "< ao vivo"]);
    expect(chatwoot.messages[0]?.content_attributes["external_created_at"]).toBe(Math.floor((at - 2 * DAY) / 1000));
    expect((await ask("GET")).body).toMatchObject({
      state: "OK",
      waiting: 0,
      importDays: 30,
      imported: 4,
      toImport: 4,
    });
  });

  test("are not made twice by an import that a stop of the server breaks off", async () => {
    await says("um");
    await says("dois");
    await says("três");
    chatwoot.failNext("POST", /messages$/, { isDone: true }); // the message is made, and its answer is lost
    await ask("PUT", input({ importDays: 30 }));
    await settled();
    chatwoot.failNext("GET", /messages$/, { status: 503 });
    await w.restart({ awayMs: 60_000 });
    await settled();
    await w.advance(60_000);
    await settled();
    expect(chatwoot.said()).toEqual(["< um", "< dois", "< três"]);
  });

  test("are not made twice by an import that begins again", async () => {
    await says("um");
    await says("dois");
    await connected({ importDays: 30 });
    await settled();
    await connected({ importDays: 30 });
    await settled();
    expect(chatwoot.said()).toEqual(["< um", "< dois"]);
  });
});
