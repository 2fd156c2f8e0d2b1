import { beforeEach, describe, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, type EvolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { type Customer, newCustomer, TO } from "../../support/customers/customer.ts";
import { arrives, FILES } from "../../support/customers/media.ts";
import { postInbound } from "../../support/networks/waba-posts.ts";
import { newSessionCustomer, sessionNetwork, textFrom } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: EVOLUTION_ENV, plugins: [network.plugin] });
const ANA = "5511999990001";

describe("an official number", () => {
  let c: Customer;
  let client: EvolutionClient;
  beforeEach(async () => {
    c = await newCustomer(w);
    client = clientOf(w, c);
  });

  test("sends through the same routes, and says what it is", async () => {
    const answer = await client.on("/message/sendText", { body: { number: TO, text: "olá" } });
    expect(answer.status).toBe(201);
    await w.settle();
    expect(await c.message(answer.body.key.id)).toMatchObject({ status: "SENT" });
    expect((await client.ask("/instance/fetchInstances")).body).toMatchObject([
      { id: c.phone.id, integration: "WHATSAPP-BUSINESS", connectionStatus: "open" },
    ]);
  });

  test("a file that came in is read in base64, with what it is", async () => {
    await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "nota" });
    await w.settle();
    const records = (await client.on("/chat/findMessages", { body: { page: 1, offset: 10 } })).body.messages.records;
    expect(records).toMatchObject([{ messageType: "imageMessage", message: { imageMessage: { caption: "nota" } } }]);
    const { id } = records[0].key;
    const answer = await client.on("/chat/getBase64FromMediaMessage", { body: { message: { key: { id } } } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      mediaType: "imageMessage",
      mimetype: "image/png",
      caption: "nota",
      buffer: null,
    });
    expect(Buffer.from(answer.body.base64, "base64")).toEqual(Buffer.from(FILES.png));
  });

  test("a file that came in has signed addresses, in lists and by the routes of an S3; a text has none", async () => {
    await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "nota" });
    await postInbound(w, c);
    await w.settle();
    const { records } = (await client.on("/chat/findMessages", { body: {} })).body.messages;
    const picture = records.find((one: any) => one.messageType === "imageMessage");
    const text = records.find((one: any) => one.messageType === "conversation");
    const bytesAt = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
    expect(await bytesAt(picture.message.mediaUrl)).toEqual(FILES.png);
    expect(text.message).not.toHaveProperty("mediaUrl");

    const { id } = picture.key;
    const file = { id, type: "image", mimetype: "image/png", Message: { key: picture.key } };
    const found = await client.on("/s3/getMedia", { body: { messageId: id } });
    expect([found.status, found.body]).toMatchObject([201, [file]]);
    const { body } = await client.on("/s3/getMediaUrl", { body: { id, expiry: "60" } });
    expect(body).toMatchObject(file);
    expect(await bytesAt(body.mediaUrl)).toEqual(FILES.png);
    await w.advance(60_000);
    expect((await fetch(body.mediaUrl)).status).toBe(403);

    expect((await client.on("/s3/getMediaUrl", { body: { id: text.key.id } })).status).toBe(404);
    expect(evolutionSays(await client.on("/s3/getMedia", { body: {} }))).toBe("400 id must be the id of the message");
    const stranger = clientOf(w, await newCustomer(w));
    expect((await stranger.on("/s3/getMediaUrl", { body: { id } })).status).toBe(404);
  });

  test("a message that was deleted for everyone is what phones exchange in its place", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.THEIRS", text: { body: "um segredo" } });
    const revoke = { type: "revoke", text: undefined, revoke: { original_message_id: "wamid.THEIRS" } };
    await postInbound(w, c, { pn: TO }, revoke);
    const { records } = (await client.on("/chat/findMessages", { body: {} })).body.messages;
    expect(records).toMatchObject([
      { key: { fromMe: false }, messageType: "protocolMessage", message: { protocolMessage: { type: "REVOKE" } } },
    ]);
    expect(JSON.stringify(records)).not.toContain("segredo");
  });

  test("what its network has not is refused, and nothing happens", async () => {
    const numbers = await client.on("/chat/whatsappNumbers", { body: { numbers: [TO] } });
    expect(numbers.status).toBe(400);
    expect(
      (await client.on("/chat/sendPresence", { body: { number: TO, presence: "composing" } })).status,
    ).toBeGreaterThan(399);
    expect((await client.on("/instance/setPresence", { body: { presence: "available" } })).status).toBeGreaterThan(399);
  });
});

describe("a session", () => {
  let c: Customer;
  let client: EvolutionClient;
  beforeEach(async () => {
    c = await newSessionCustomer(w);
    client = clientOf(w, c);
    network.operated.length = 0;
    network.asked.length = 0;
  });
  const received = async () => {
    await network.notify(c.phone.id, textFrom(ANA));
    await w.settle();
    return (await client.on("/chat/findMessages", { body: {} })).body.messages.records[0].key;
  };

  test("numbers are looked up within the request, once, in the order of the question", async () => {
    const numbers = ["9995511", ANA, "120363041234567890@g.us"];
    const answer = await client.on("/chat/whatsappNumbers", { body: { numbers } });
    expect(answer.body).toEqual([
      { jid: "9995511@s.whatsapp.net", exists: false, number: "9995511" },
      { jid: `${ANA}@s.whatsapp.net`, exists: true, number: ANA },
      { jid: "120363041234567890@g.us", exists: false, number: "120363041234567890@g.us" },
    ]);
    await client.on("/chat/whatsappNumbers", { body: { numbers } });
    expect(network.asked).toHaveLength(1);
  });

  test("a network that allows no more questions is waited for by the client", async () => {
    network.answers.push({ ok: false, kind: "unavailable", reason: "too many", retryAfterMs: 7000 } as never);
    const answer = await client.on("/chat/whatsappNumbers", { body: { numbers: ["5511900001111"] } });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
  });

  test("a message that came in is found by its chat, and marked as read", async () => {
    const key = await received();
    expect(key).toMatchObject({ remoteJid: `${ANA}@s.whatsapp.net`, fromMe: false });
    const byChat = { where: { key: { remoteJid: `${ANA}@s.whatsapp.net` } } };
    expect((await client.on("/chat/findMessages", { body: byChat })).body.messages.records).toHaveLength(1);
    const other = { where: { key: { remoteJid: "5511900009999@s.whatsapp.net" } } };
    expect((await client.on("/chat/findMessages", { body: other })).body.messages.records).toHaveLength(0);
    expect((await client.on("/chat/markMessageAsRead", { body: { readMessages: [key] } })).status).toBe(201);
    await w.settle();
    expect(network.operated).toMatchObject([{ name: "read" }]);
    expect((await client.on("/chat/findChats", { body: {} })).body).toMatchObject([
      { remoteJid: `${ANA}@s.whatsapp.net`, pushName: "Ana" },
    ]);
    const chatsWith = async (remoteJid: string) =>
      (await client.on("/chat/findChats", { body: { where: { remoteJid } } })).body.length;
    expect([await chatsWith(`${ANA}@s.whatsapp.net`), await chatsWith("5511900009999@s.whatsapp.net")]).toEqual([1, 0]);
  });

  test("voice notes that came in are marked as played, and own messages are left out", async () => {
    const key = await received();
    const sent = await client.on("/message/sendText", { body: { number: ANA, text: "oi" } });
    await w.settle();
    const answer = await client.on("/chat/markMessageAsPlayed", {
      body: { playedMessages: [key, sent.body.key, { id: "00000000-0000-4000-8000-000000000000" }] },
    });
    expect([answer.status, answer.body]).toEqual([201, { message: "Played messages", played: "success" }]);
    await w.settle();
    expect(network.operated).toMatchObject([{ name: "played" }]);
    expect(network.operated).toHaveLength(1);
    expect((await client.on("/chat/markMessageAsPlayed", { body: { playedMessages: [] } })).status).toBe(400);
  });

  test("a page beyond the newest 1000 is refused", async () => {
    expect(evolutionSays(await client.on("/chat/findMessages", { body: { page: 30, offset: 50 } }))).toBe(
      "400 page must stay within the newest 1000",
    );
  });

  test.each([
    ["updateMessage", { key: { id: "nothing" }, text: "x" }, "POST"],
    ["deleteMessageForEveryone", { id: "nothing" }, "DELETE"],
  ])("%s of an unknown message is refused", async (name, body, method) => {
    expect((await client.on(`/chat/${name}`, { method, body })).status).toBe(404);
    await w.settle();
    expect(network.operated).toHaveLength(0);
  });
});

test("an address of a picture that is almost all dots is refused at once", async () => {
  const client = clientOf(w, await newSessionCustomer(w));
  const answer = await client.on("/chat/updateProfilePicture", { body: { picture: `http://${".".repeat(300_000)}a` } });
  expect(evolutionSays(answer)).toBe("400 picture must have at most 2048 characters");
});
