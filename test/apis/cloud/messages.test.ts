import { describe, expect, test } from "bun:test";
import { wamidOf } from "../../../src/apis/cloud/ids.ts";
import { changeAppNumber } from "../../../src/core/channels/settings/app-numbers.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { CLOUD_PHONES, type CloudCustomer, errorOf, useCloud } from "../../support/apis/cloud.ts";
import { receivedBy, rowsOf, sendsOf, TO } from "../../support/customers/customer.ts";
import { storedFile } from "../../support/customers/media.ts";
import { knownTemplate } from "../../support/customers/templates.ts";
import { textFrom } from "../../support/session/scripted-sends.ts";
import { useEach } from "../../support/use-world.ts";

const { w, network, customer } = useCloud();

/** What the network of the phone was sent: bodies of the Graph API, or orders to the session's link. */
const sentBy = (c: CloudCustomer): any[] =>
  c.phone.phoneNumberId === ""
    ? network.sent.filter(({ channelId }) => channelId === c.phone.id).map(({ order }) => order)
    : sendsOf(w, c);

const messagesOf = ({ accountId }: CloudCustomer) =>
  rowsOf<{ type: string; content: string; callback_data: string | null }>(
    w,
    "SELECT type, content, callback_data FROM messages WHERE tenant_id = ?1 ORDER BY id",
    [accountId],
  );

/** Bodies as clients send them, and the content that the core keeps of each. */
const BOTH: Record<string, [body: Record<string, unknown>, type: string, content: object]> = {
  "a text": [{ type: "text", text: { body: "olá", preview_url: true } }, "text", { text: "olá" }],
  "a text without a type": [{ type: undefined, text: { body: "olá" } }, "text", { text: "olá" }],
  "a text of chatwoot": [{ context: null, type: "text", text: { body: "olá" } }, "text", { text: "olá" }],
  "an image by its address": [
    { type: "image", image: { link: "https://example.com/a.jpg", caption: "a" } },
    "image",
    { mediaUrl: "https://example.com/a.jpg", caption: "a" },
  ],
  "a document": [
    { type: "document", document: { link: "https://example.com/a.pdf", filename: "a.pdf" } },
    "document",
    { mediaUrl: "https://example.com/a.pdf", filename: "a.pdf" },
  ],
  "a voice note": [
    { type: "audio", audio: { link: "https://example.com/a.ogg", voice: true } },
    "audio",
    { mediaUrl: "https://example.com/a.ogg", ptt: true },
  ],
  "a location with numbers as texts": [
    { type: "location", location: { latitude: "-23.5", longitude: -46.6, name: "Sé" } },
    "location",
    { latitude: -23.5, longitude: -46.6, name: "Sé" },
  ],
  "a card": [
    { type: "contacts", contacts: [{ name: { formatted_name: "Ana" }, phones: [{ phone: "+5511988887777" }] }] },
    "contact",
    { contacts: [{ name: "Ana", phone: "+5511988887777" }] },
  ],
  "buttons with a header": [
    {
      type: "interactive",
      interactive: {
        type: "button",
        header: { type: "text", text: "Loja" },
        body: { text: "E então?" },
        footer: { text: "obrigado" },
        action: { buttons: [{ type: "reply", reply: { id: "s", title: "Sim" } }] },
      },
    },
    "button",
    {
      text: "E então?",
      footer: "obrigado",
      header: { type: "text", text: "Loja" },
      buttons: [{ id: "s", text: "Sim" }],
    },
  ],
  "a list whose action is a JSON text (rule 5)": [
    {
      type: "interactive",
      interactive: {
        type: "list",
        body: { text: "Qual?" },
        action: JSON.stringify({ button: "Ver", sections: [{ rows: [{ id: "1", title: "Um" }] }] }),
      },
    },
    "list",
    { text: "Qual?", buttonText: "Ver", sections: [{ title: "Ver", rows: [{ id: "1", title: "Um" }] }] },
  ],
};

describe.each(CLOUD_PHONES)("POST /{number}/messages on a phone of the kind %s", (kind) => {
  const c = useEach(() => customer(kind));

  test("rule 6: the answer has the recipient as it was written, and the message's id", async () => {
    const { status, body } = await c.client.send({ to: "+55 (11) 99999-0001" });
    expect([status, body]).toEqual([
      200,
      {
        messaging_product: "whatsapp",
        contacts: [{ input: "+55 (11) 99999-0001", wa_id: TO }],
        messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9_-]{22}$/) }],
      },
    ]);
    await w.settle();
    expect(sentBy(c).length).toBe(1);
  });

  test.each(Object.entries(BOTH))("%s is sent", async (_, [sent, type, content]) => {
    const { status, text } = await c.client.send({ text: undefined, ...sent });
    expect([status, text]).toEqual([200, expect.stringContaining("wamid.")]);
    const [message] = await messagesOf(c);
    expect([message?.type, JSON.parse(message?.content ?? "")]).toEqual([type, content]);
    await w.settle();
    expect(sentBy(c).length).toBe(1);
  });

  test("rule 4: what the API does not know is ignored", async () => {
    const { status } = await c.client.send({ recipient_type: "individual", appsecret_proof: "x", biz: { a: [1] } });
    expect(status).toBe(200);
  });

  test("rule 5: a form is as good as JSON", async () => {
    const form = new URLSearchParams({ messaging_product: "whatsapp", to: TO, type: "text", text: '{"body":"olá"}' });
    const { status } = await c.client.ask(`/${c.client.number.numberId}/messages`, { raw: form });
    expect([status, (await messagesOf(c)).length]).toEqual([200, 1]);
  });

  test("rule 7: the same body twice is two messages", async () => {
    const ids = await Promise.all([c.client.send(), c.client.send()]);
    expect(new Set(ids.map(({ body }) => body.messages[0].id)).size).toBe(2);
  });

  test("rule 6: an id that was given is taken as the message that another answers", async () => {
    const first = await c.client.send();
    await w.settle();
    const { status } = await c.client.send({ context: { message_id: first.body.messages[0].id } });
    await w.settle();
    expect(status).toBe(200);
    const last = sentBy(c).at(-1);
    expect(last.context?.message_id ?? last.quotedProviderMessageId).toBeTruthy();
  });

  test("a client's callback text is kept, up to its limit", async () => {
    expect((await c.client.send({ biz_opaque_callback_data: "pedido 1" })).status).toBe(200);
    expect((await messagesOf(c))[0]?.callback_data).toBe("pedido 1");
    const long = await c.client.send({ biz_opaque_callback_data: "x".repeat(513) });
    expect(errorOf(long)).toEqual([400, 131009, undefined]);
  });

  /** The recipient writes to the phone. Gives the id of the message. */
  const writes = async (text = "oi"): Promise<string> => {
    if (kind === "official") await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
    else
      await network.notify(
        c.phone.id,
        textFrom(TO, { at: w.clock.now(), content: { type: "text", content: { text } } }),
      );
    await w.settle();
    return receivedBy(c.hook, "message:received").at(-1).messageId;
  };
  const optsOut = async () => {
    const contact = await w.gateway("/v1/contacts", { key: c.key });
    await w.gateway(`/v1/contacts/${contact.body.items[0].id}/opt-out`, { key: c.key, method: "PUT" });
  };

  test("a person who opted out gets no message, and an answer that quotes one of theirs", async () => {
    const [first, theirs] = [await c.client.send(), await writes()];
    await w.settle();
    await optsOut();
    const sent = sentBy(c).length;
    for (const context of [null, { message_id: first.body.messages[0].id }])
      expect(errorOf(await c.client.send({ context }))).toEqual([400, 131026, undefined]);
    await w.settle();
    expect([await messagesOf(c), sentBy(c)].map(({ length }) => length)).toEqual([1, sent]);
    const answer = await c.client.send({ context: { message_id: wamidOf(theirs) } });
    expect(answer.status).toBe(200);
  });

  test("a person who wrote after the opt-out gets answers for a day, but no template", async () => {
    await c.client.send();
    await w.settle();
    await optsOut();
    await w.advance(1000);
    await writes("e o meu pedido?");
    expect((await c.client.send()).status).toBe(200);
    const template = { type: "template", template: { name: "hello", language: { code: "pt_BR" } }, text: undefined };
    await knownTemplate(w, c.phone.id);
    await changeAppNumber(w.app.env, { tenantId: c.accountId as TenantId }, c.phone.id, { templatesAsText: true });
    expect(errorOf(await c.client.send(template))).toEqual([400, 131026, undefined]);
    await w.advance(DAY_MS);
    expect(errorOf(await c.client.send())).toEqual([400, 131026, undefined]);
  });

  test("a person who says STOP, and says it again, opens no time for answers", async () => {
    const settings = { key: c.key, method: "PATCH", body: { optOutWords: "on" } };
    expect((await w.gateway(`/v1/phones/${c.phone.id}/settings`, settings)).status).toBe(200);
    for (const text of ["oi", "SAIR", "sair!"]) {
      await w.advance(1000);
      await writes(text);
    }
    expect(errorOf(await c.client.send())).toEqual([400, 131026, undefined]);
    await w.settle();
    expect([await messagesOf(c), sentBy(c)]).toEqual([[], []]);
  });

  test("a reaction to a message is done and has an id", async () => {
    const first = await c.client.send();
    await w.settle();
    const id = first.body.messages[0].id;
    const { status, body } = await c.client.send({ type: "reaction", reaction: { message_id: id, emoji: "👍" } });
    expect([status, body.messages[0].id]).toEqual([200, expect.stringMatching(/^wamid\./)]);
  });

  const REFUSED: Record<string, [body: Record<string, unknown>, code: number, said: string]> = {
    "no recipient": [{ to: undefined }, 131008, "to is required"],
    "a recipient that is no number": [{ to: "nobody" }, 131009, "recipient"],
    "a type that nobody has": [{ type: "hologram" }, 131051, "hologram"],
    "a text without its body": [{ text: {} }, 131008, "text.body"],
    "a text that is too long": [{ text: { body: "x".repeat(4097) } }, 131009, "text"],
    "a file without an address": [{ type: "image", image: {} }, 131008, "image.link"],
    "a file's address that must not be asked (rule 10)": [
      { type: "image", image: { link: "http://10.0.0.1/a.jpg" } },
      131009,
      "link",
    ],
    "the id of no file": [{ type: "image", image: { id: "123" } }, 131009, "image.id"],
    "an answer to no message": [{ context: { message_id: "wamid.HBgL" } }, 131009, "context.message_id"],
    "a list that is no list": [{ type: "contacts", contacts: "x" }, 131009, "contacts"],
    "a user id that is none": [{ to: undefined, recipient: "x y" }, 131009, "recipient"],
  };
  test.each(Object.entries(REFUSED))("%s is refused, and nothing is kept", async (_, [sent, code, said]) => {
    const answer = await c.client.send(sent);
    expect(answer.body.error.error_data.details).toContain(said);
    expect([answer.body.error.code, answer.body.error.type]).toEqual([code, "OAuthException"]);
    await w.settle();
    expect([await messagesOf(c), sentBy(c)]).toEqual([[], []]);
  });

  test("rule 2: another phone's id is refused, and nothing is kept", async () => {
    const other = await customer(kind);
    const body = { messaging_product: "whatsapp", to: TO, text: { body: "olá" } };
    const answer = await c.client.ask(`/${other.client.number.numberId}/messages`, { body });
    expect(errorOf(answer)).toEqual([400, 100, 33]);
    expect([await messagesOf(c), await messagesOf(other)]).toEqual([[], []]);
  });
});

describe("marks of a message that came in", () => {
  const marked = (id: string) => ({ messaging_product: "whatsapp", status: "read", message_id: id });
  const post = ({ client: { ask, number } }: CloudCustomer, body: object) =>
    ask(`/${number.numberId}/messages`, { body });

  test("rule 21: an official phone reads it, and shows that somebody writes", async () => {
    const c = await customer("official");
    const { messageId } = await storedFile(w, c);
    const typing = { ...marked(wamidOf(messageId)), typing_indicator: { type: "text" } };
    expect((await post(c, typing)).body).toEqual({ success: true });
    await w.settle();
    expect(sendsOf(w, c).at(-1)).toMatchObject({ status: "read", typing_indicator: { type: "text" } });
  });

  test("rule 21: a session reads it, and no more", async () => {
    const c = await customer("session");
    await network.notify(c.phone.id, textFrom(TO));
    await w.settle();
    const { messageId } = receivedBy(c.hook, "message:received")[0];
    const before = network.operated.length;
    const typing = { ...marked(wamidOf(messageId)), typing_indicator: { type: "text" } };
    expect((await post(c, typing)).body).toEqual({ success: true });
    await w.settle();
    expect(network.operated.slice(before).map(({ name }) => name)).toEqual(["read"]);
  });

  test("of no message, or of another phone's, are refused and done to nothing", async () => {
    const c = await customer("session");
    const other = await customer("session");
    await network.notify(other.phone.id, textFrom(TO));
    await w.settle();
    const { messageId } = receivedBy(other.hook, "message:received")[0];
    const before = network.operated.length;
    for (const id of [wamidOf(messageId), "wamid.x", ""])
      expect(errorOf(await post(c, marked(id)))).toEqual([400, 131009, undefined]);
    expect(errorOf(await post(c, { ...marked(wamidOf(messageId)), status: "delivered" }))).toEqual([
      400,
      131009,
      undefined,
    ]);
    await w.settle();
    expect(network.operated.length).toBe(before);
  });
});

test("headers of buttons and lists reach the official network as its own", async () => {
  const c = await customer("official");
  const header = { type: "text", text: "Loja" };
  const buttons = [{ type: "reply", reply: { id: "s", title: "Sim" } }];
  const sections = [{ title: "Bolos", rows: [{ id: "1", title: "Um" }] }];
  for (const [type, action] of [
    ["button", { buttons }],
    ["list", { button: "Ver", sections }],
  ] as const)
    await c.client.send({ type: "interactive", interactive: { type, header, body: { text: "Qual?" }, action } });
  await w.settle();
  expect(sendsOf(w, c).map(({ interactive }) => interactive)).toEqual([
    { type: "button", header, body: { text: "Qual?" }, action: { buttons } },
    { type: "list", header, body: { text: "Qual?" }, action: { button: "Ver", sections } },
  ]);
});

describe("what a session cannot do", () => {
  const c = useEach(() => customer("session"));

  test.each([
    ["location_request_message", { name: "send_location" }],
    ["flow", { name: "flow", parameters: { flow_id: "1", flow_cta: "Abrir" } }],
  ])("%s is refused with the network's code", async (type, action) => {
    const answer = await c.client.send({ type: "interactive", interactive: { type, body: { text: "a" }, action } });
    expect(errorOf(answer)).toEqual([400, 131051, undefined]);
    expect(await messagesOf(c)).toEqual([]);
  });

  test("a template is refused as one that does not exist", async () => {
    const template = { name: "pedido", language: { code: "pt_BR", policy: "deterministic" } };
    const answer = await c.client.send({ type: "template", template });
    expect(errorOf(answer)).toEqual([404, 132001, undefined]);
    expect(answer.body.error.error_data.details).toContain("can choose in Recado that templates are kept here");
    expect(await messagesOf(c)).toEqual([]);
  });
});

describe("a phone that is not connected", () => {
  test("is refused as one that is not ready", async () => {
    const c = await customer("session");
    network.report(c.phone.id, { state: "DISCONNECTED", reason: "LOGGED_OUT" } as never);
    await w.settle();
    expect(errorOf(await c.client.send())).toEqual([503, 131016, undefined]);
  });
});
