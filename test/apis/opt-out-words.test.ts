import { describe, expect, test } from "bun:test";
import type { Received } from "../../src/contract/events.ts";
import { rowsOf } from "../support/customers/customer.ts";
import { sessionNetwork, textFrom } from "../support/session/scripted-sends.ts";
import { bulkSender, numbers, useSender } from "../support/tenants/bulk.ts";
import { gatewayKeyOf, made, webhookAt } from "../support/tenants/platform.ts";
import { useEach, useWorld } from "../support/use-world.ts";

const { w, network, who } = useSender();
const g = useEach(async () => ({ key: await gatewayKeyOf(w, who) }));

const [ANA = "", BIA = ""] = numbers(2);
const set = async (settings: object) =>
  made(await w.gateway(`/v1/phones/${who.channelId}/settings`, { key: g.key, method: "PATCH", body: settings }), 200);
const writes = async (text: string, fields: Partial<Received> = {}) => {
  await network.notify(
    who.channelId,
    textFrom(ANA, { at: w.clock.now(), content: { type: "text", content: { text } }, ...fields }),
  );
  await w.settle();
};
const optedOut = async () =>
  (
    await rowsOf<{ by: string | null }>(w, "SELECT opted_out_by AS by FROM contacts WHERE tenant_id = ?1", [who.id])
  ).map(({ by }) => by);

describe("a phone that reads the words of an opt-out", () => {
  test.each([
    "STOP",
    "stop.",
    " Parar! ",
    "SAÍR",
    "cancelar",
    "Descadastrar 🙏",
    "Baja",
    "¡ALTO!",
    "opt-out",
    "Revoke",
    "salir",
  ])("takes %p as one", async (text) => {
    await set({ optOutWords: "on" });
    await writes(text);
    expect(await optedOut()).toEqual(["word"]);
  });

  test.each(["não pare", "quero cancelar o pedido", "stop it please", "", "🛑"])(
    "takes %p as a message alone",
    async (text) => {
      await set({ optOutWords: "on" });
      await writes(text);
      expect(await optedOut()).toEqual([null]);
    },
  );

  test.each(["START", "voltar", "Alta!"])("lets %p end it", async (text) => {
    await set({ optOutWords: "on" });
    await writes("SAIR");
    await w.advance(1000);
    await writes(text);
    expect(await optedOut()).toEqual([null]);
  });

  test("takes the button that a person chose", async () => {
    await set({ optOutWords: "on" });
    const content = { type: "button_reply", content: { selectedId: "1", text: "Parar" } } as const;
    await writes("", { content });
    expect(await optedOut()).toEqual(["word"]);
  });

  test("takes its own words too, as they are written between commas", async () => {
    await set({ optOutWords: "on", ownOptOutWords: "Não quero, remover" });
    await writes("nao quero!");
    expect(await optedOut()).toEqual(["word"]);
    await w.advance(1000);
    await writes("VOLTAR");
    await set({ ownOptOutWords: null });
    await writes("remover");
    expect(await optedOut()).toEqual([null]);
  });

  test("still publishes the message, then the opt-out with its word", async () => {
    await set({ optOutWords: "on" });
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, { events: ["message.received", "contact.opted_out"] });
    await writes("Sair!");
    expect(hook.arrived.map(({ body }) => [body.type, body.word])).toEqual([
      ["message.received", undefined],
      ["contact.opted_out", "Sair!"],
    ]);
  });

  test("reads neither groups, nor the past, nor its owner's own messages", async () => {
    await set({ optOutWords: "on" });
    await writes("oi");
    await writes("STOP", { chat: { group: "1203" } });
    await writes("STOP", { isHistory: true });
    await writes("STOP", { isOwn: true, from: { pn: BIA }, chat: { pn: ANA } });
    expect(await optedOut()).toEqual([null]);
  });
});

test("a person who wrote a word gets an answer that quotes it, and no other message, also in a trial", async () => {
  await set({ optOutWords: "on" });
  await writes("PARAR");
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(
    w,
    "SELECT id FROM received_messages WHERE tenant_id = ?1",
    [who.id],
  );
  const send = async (query: string, more: object = {}) => {
    const body = { phoneId: who.channelId, to: ANA, type: "text", content: { text: "olá" }, ...more };
    return (await w.gateway(`/v1/messages${query}`, { key: g.key, body })).status;
  };
  for (const query of ["", "?dryRun=true"]) {
    expect(await send(query)).toBe(409);
    expect(await send(query, { quotedMessageId: id })).toBeLessThan(300);
  }
  await w.settle();
  expect(network.sent.filter(({ channelId }) => channelId === who.channelId)).toHaveLength(1);
});

test("a phone without the setting reads no words", async () => {
  await writes("STOP");
  expect(await optedOut()).toEqual([null]);
});

describe("a network whose people refuse messages by words", () => {
  const other = sessionNetwork();
  const traits = { ...other.plugin.network, optOutWords: true };
  const sms = useWorld({ plugins: [{ ...other.plugin, network: traits }] });
  const writesThere = async (settings: object) => {
    const sender = await bulkSender(sms);
    const key = await gatewayKeyOf(sms, sender);
    const path = `/v1/phones/${sender.channelId}/settings`;
    made(await sms.gateway(path, { key, method: "PATCH", body: settings }), 200);
    const text = { type: "text", content: { text: "STOP" } } as const;
    await other.notify(sender.channelId, textFrom(ANA, { at: sms.clock.now(), content: text }));
    await sms.settle();
    const [contact] = made(await sms.platform("/v1/contacts", { key: sender.key }), 200).data;
    return contact.optedOutBy;
  };

  test("has phones that read them, unless the setting forbids it", async () => {
    expect(await writesThere({ optOutWords: null })).toBe("word");
    expect(await writesThere({ optOutWords: "off" })).toBeNull();
  });
});
