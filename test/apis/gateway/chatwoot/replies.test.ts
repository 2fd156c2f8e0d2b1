import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { ACCOUNT, ADMIN_TOKEN, type SimulatedChatwoot, startChatwoot } from "../../../support/chatwoot/server.ts";
import { type Customer, rowsOf } from "../../../support/customers/customer.ts";
import { FILES } from "../../../support/customers/media.ts";
import { tripwire } from "../../../support/servers/hostile.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { newSessionCustomer, reported, sessionNetwork, textFrom } from "../../../support/session/scripted-sends.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";

// what agents write: texts of Chatwoot's editor, people of other programs, and messages that are deleted before they left

const network = sessionNetwork();
const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, plugins: [network.plugin] });
const ANA = "5511999990001";
const DAY = 86_400_000;

let c: Customer;
let chatwoot: SimulatedChatwoot;
beforeEach(async () => {
  network.sent.length = 0;
  network.operated.length = 0;
  network.pace = () => 0;
  chatwoot = startChatwoot();
  c = await newSessionCustomer(w);
});
afterEach(async () => {
  await chatwoot.called();
  await chatwoot.stop();
});

const connected = async () => {
  const body = { url: chatwoot.url, chatwootAccountId: ACCOUNT, token: ADMIN_TOKEN, inboxName: "Padaria" };
  const answer = await w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key, method: "PUT", body });
  expect(answer.status).toBe(200);
  await w.settle();
};
/** Runs all that is due, with the webhooks that it causes. */
const settled = async () => {
  for (let round = 0; round < 3; round++) {
    await w.settle();
    await chatwoot.called();
  }
  await w.settle();
};
const says = async (text: string) => {
  const event = textFrom(ANA, { content: { type: "text", content: { text } }, at: w.clock.now() });
  await network.notify(c.phone.id, event);
  await settled();
};
/** Ana has written, so there is a conversation with her. */
const begun = async (): Promise<{ conversationId: number }> => {
  await connected();
  await says("oi");
  return { conversationId: chatwoot.conversations.at(-1)?.id ?? 0 };
};
const texts = () => network.sent.map(({ order }) => (order.content as { text?: string }).text ?? order.type);
const goes = (report: "DISCONNECTED" | "CONNECTED") =>
  reported(w, network, c.phone.id, { state: report, phoneNumber: "5511988887777" });
const read = (key: ProviderMessageId | undefined, status: "delivered" | "read" = "read") =>
  network.notify(c.phone.id, { kind: "receipt", key, status, at: w.clock.now() } as never);
/** What was deleted on the network; that an answer marks as read is of no interest here. */
const deletions = () => network.operated.filter(({ name }) => name === "delete");
const png = { type: "image/png", file: { name: "foto.png", type: "image/png", bytes: FILES.png } };

test("what an agent of Chatwoot writes has Chatwoot as its sender", async () => {
  const { conversationId } = await begun();
  chatwoot.agentWrites({ conversationId, content: "já vai" });
  await settled();
  const { items } = (await w.gateway("/v1/messages?sentBy=chatwoot", { key: c.key })).body;
  expect(items.map((one: any) => [one.content.text, one.sentBy])).toEqual([
    ["já vai", { kind: "chatwoot", id: "", name: null }],
  ]);
});

describe("what an agent deletes before it left is not sent", () => {
  test("while the phone is not connected", async () => {
    const { conversationId } = await begun();
    await goes("DISCONNECTED");
    const written = chatwoot.agentWrites({ conversationId, content: "a senha é 123" });
    await settled();
    chatwoot.agentDeletes(written.id);
    await settled();
    await goes("CONNECTED");
    await w.advance(60_000);
    await settled();
    expect(network.sent).toHaveLength(0);
    expect(deletions()).toHaveLength(0);
    // it is no failure that the agent has to read of
    expect(written.status).toBe("sent");
    const rows = await rowsOf(w, "SELECT status, failed_reason AS why FROM messages WHERE tenant_id = ?", [
      c.accountId,
    ]);
    expect(rows).toEqual([{ status: "FAILED", why: "[WITHDRAWN] it was deleted in Chatwoot" }]);
  });

  test("and what the agent writes after it is", async () => {
    const { conversationId } = await begun();
    await goes("DISCONNECTED");
    const written = chatwoot.agentWrites({ conversationId, content: "errada" });
    chatwoot.agentWrites({ conversationId, content: "certa" });
    await settled();
    chatwoot.agentDeletes(written.id);
    await settled();
    await goes("CONNECTED");
    await w.advance(60_000);
    await settled();
    expect(texts()).toEqual(["certa"]);
  });

  test("while it waits for its file", async () => {
    const { conversationId } = await begun();
    const written = chatwoot.agentWrites({ conversationId, files: [png] });
    const comeBack = chatwoot.losesFilesOf(written.id);
    await settled();
    chatwoot.agentDeletes(written.id);
    await settled();
    comeBack();
    written.files = [png.file];
    await w.advance(10_000);
    await settled();
    expect(network.sent).toHaveLength(0);
    expect(written.status).toBe("sent");
  });

  test("if the webhook of the deletion comes first, or that of the message again", async () => {
    const { conversationId } = await begun();
    const webhook = chatwoot.inboxes[1]?.webhook_url ?? "";
    const message = { id: 4242, message_type: "outgoing", conversation: { id: conversationId } };
    for (const more of [
      { event: "message_updated", content: "", content_attributes: { deleted: true } },
      { event: "message_created", content: "atrasada" },
      { event: "message_created", content: "atrasada" },
    ]) {
      await fetch(webhook, { method: "POST", body: JSON.stringify({ ...message, ...more }) });
      await settled();
    }
    expect(network.sent).toHaveLength(0);
  });

  test("and what leaves at that moment is deleted for everyone, once", async () => {
    const { conversationId } = await begun();
    const answer = Promise.withResolvers<SendOutcome>();
    network.outcomes.push(answer.promise);
    const written = chatwoot.agentWrites({ conversationId, content: "já foi" });
    await untilTrue(() => network.sent.length === 1);
    chatwoot.agentDeletes(written.id);
    await chatwoot.called();
    expect(deletions()).toHaveLength(0);
    answer.resolve({ ok: true, key: network.sent[0]?.order.key as ProviderMessageId });
    await settled();
    expect(deletions()).toMatchObject([{ name: "delete", chat: `pn:${ANA}` }]);
    await read(network.sent[0]?.order.key);
    await settled();
    expect(deletions()).toHaveLength(1);
  });
});

describe("what an agent writes after a message that waits for its file", () => {
  test("waits for it, and both go in the order in which they were written", async () => {
    const { conversationId } = await begun();
    const first = chatwoot.agentWrites({ conversationId, files: [png] });
    const comeBack = chatwoot.losesFilesOf(first.id);
    await settled();
    for (const content of ["a foto", "é de hoje"]) {
      chatwoot.agentWrites({ conversationId, content });
      await settled();
    }
    expect(texts()).toEqual([]);
    comeBack();
    await w.advance(10_000);
    await settled();
    expect(texts()).toEqual(["image", "a foto", "é de hoje"]);
  });

  test("does not wait in another conversation", async () => {
    const { conversationId } = await begun();
    const first = chatwoot.agentWrites({ conversationId, files: [png] });
    chatwoot.losesFilesOf(first.id);
    await settled();
    const contact = { name: "Bia", phone_number: "+5511999990002", identifier: null };
    const { id } = chatwoot.agentBegins(chatwoot.inboxes[1]?.id ?? 0, contact);
    chatwoot.agentWrites({ conversationId: id, content: "Olá, Bia" });
    await settled();
    expect(texts()).toEqual(["Olá, Bia"]);
  });

  test("overtakes it once it has been waited for half a minute", async () => {
    const { conversationId } = await begun();
    const first = chatwoot.agentWrites({ conversationId, files: [png] });
    chatwoot.losesFilesOf(first.id);
    await settled();
    chatwoot.agentWrites({ conversationId, content: "sem a foto" });
    await settled();
    await w.advance(6000);
    await settled();
    expect(texts()).toEqual([]);
    await w.advance(31_000);
    await settled();
    expect(texts()).toEqual(["sem a foto"]);
    expect(first.status).toBe("sent");
  });

  test("goes with the next attempt if the agent deletes the message that waits", async () => {
    const { conversationId } = await begun();
    const first = chatwoot.agentWrites({ conversationId, files: [png] });
    chatwoot.losesFilesOf(first.id);
    await settled();
    chatwoot.agentWrites({ conversationId, content: "a certa" });
    chatwoot.agentDeletes(first.id);
    await settled();
    await w.advance(6000);
    await settled();
    expect(texts()).toEqual(["a certa"]);
  });
});

describe("the texts of Chatwoot's editor", () => {
  test.each([
    ["lines", "Olá\nlinha dois", "Olá\nlinha dois"],
    ["stars and underlines", "2 * 3 * 4, ok_ok_ok *", "2 * 3 * 4, ok_ok_ok *"],
    ["lists and numbers", "- pão\n# 1\n1. leite", "- pão\n# 1\n1. leite"],
    ["backslashes", String.raw`C:\nota\*fiscal*`, String.raw`C:\nota\*fiscal*`],
    ["brackets, prices and links", "[x] R$ 5 > 4 https://a.example/a_b_c", "[x] R$ 5 > 4 https://a.example/a_b_c"],
  ])("reach people as they were typed: %s", async (_what, typed, sent) => {
    const { conversationId } = await begun();
    chatwoot.agentWrites({ conversationId, typed });
    await settled();
    expect(texts()).toEqual([sent]);
  });

  test("reach people with the marks of the network, but no mark for a star that was typed", async () => {
    const { conversationId } = await begun();
    chatwoot.agentWrites({ conversationId, content: String.raw`**Bom** \*dia\* *Ana*` });
    await settled();
    expect(texts()).toEqual(["*Bom* *dia* _Ana_"]);
  });
});

describe("a conversation that an agent begins", () => {
  test.each(["bia@loja.com.br", "crm:42", "pn:", "uid"])(
    "goes to the number of the contact, whose identifier is of another program: %s",
    async (identifier) => {
      await connected();
      const contact = { name: "Bia", phone_number: "+5511999990002", identifier };
      const { id: conversationId } = chatwoot.agentBegins(chatwoot.inboxes[1]?.id ?? 0, contact);
      const written = chatwoot.agentWrites({ conversationId, content: "Olá" });
      await settled();
      expect(network.sent.map(({ order }) => order.to)).toEqual(["pn:5511999990002"]);
      expect(written.status).toBe("sent");
    },
  );

  test.each([
    ["lid:99887766", "lid:99887766"],
    ["120363041234567890@g.us", "group:120363041234567890"],
  ])("goes to the identifier of a contact without a number: %s", async (identifier, to) => {
    await connected();
    const contact = { name: "Bia", phone_number: null, identifier };
    const { id: conversationId } = chatwoot.agentBegins(chatwoot.inboxes[1]?.id ?? 0, contact);
    chatwoot.agentWrites({ conversationId, content: "Olá" });
    await settled();
    expect(network.sent.map(({ order }) => order.to)).toEqual([to]);
  });
});

describe("a message of before the connection", () => {
  test("does not appear as a new one when somebody gets or reads it", async () => {
    await c.sent({ to: ANA, content: { text: "da semana passada" } });
    await settled();
    await w.advance(7 * DAY);
    await connected();
    for (const status of ["delivered", "read"] as const) {
      await read(network.sent[0]?.order.key, status);
      await settled();
    }
    expect(chatwoot.messages).toHaveLength(0);
    await c.sent({ to: ANA, content: { text: "de hoje" } });
    await settled();
    await read(network.sent[1]?.order.key);
    await settled();
    expect(chatwoot.said()).toEqual(["> de hoje"]);
    expect(chatwoot.messages[0]?.status).toBe("read");
  });

  test("appears if it is sent after it", async () => {
    network.pace = () => 60_000;
    await c.sent({ to: ANA, content: { text: "esperava" } });
    await w.advance(1000);
    await connected();
    expect(network.sent).toHaveLength(0);
    network.pace = () => 0;
    await w.advance(60_000);
    await settled();
    expect(chatwoot.said()).toEqual(["> esperava"]);
  });
});

describe("a file that redirects", () => {
  test("to an address that may not be reached is not sent: nothing asks there, and the agent reads why", async () => {
    await using wire = await tripwire({ hostname: "127.0.0.2" });
    const { conversationId } = await begun();
    const written = chatwoot.agentWrites({ conversationId, files: [png] });
    chatwoot.leadsFilesTo(written.id, `${wire.url}/foto.png`);
    await settled();
    expect([written.status, written.content_attributes["external_error"]]).toEqual([
      "failed",
      "the file could not be read (blocked)",
    ]);
    expect([network.sent.length, wire.connections]).toEqual([0, 0]);
  });

  test("to itself is not sent: it is asked for five times, and the agent reads why", async () => {
    await using circle = fileServer(() => new Response("", { status: 302, headers: { location: "/again" } }));
    const { conversationId } = await begun();
    const written = chatwoot.agentWrites({ conversationId, files: [png] });
    chatwoot.leadsFilesTo(written.id, `${circle.url}/again`);
    await settled();
    expect([written.status, written.content_attributes["external_error"]]).toEqual([
      "failed",
      "the file could not be read (HTTP 302)",
    ]);
    expect([network.sent.length, circle.asked.length]).toEqual([0, 5]);
  });
});
