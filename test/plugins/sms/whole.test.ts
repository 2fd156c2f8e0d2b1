import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { CLOUD_ENV, cloudClientOf } from "../../support/apis/cloud.ts";
import { EVOLUTION_ENV, evolutionClient } from "../../support/apis/evolution.ts";
import { receivedBy } from "../../support/customers/customer.ts";
import { FILES } from "../../support/customers/media.ts";
import { PERSON, pluginAt } from "../../support/networks/sms-channel.ts";
import { type Sms, startSms } from "../../support/sms/index.ts";
import type { SentMessage } from "../../support/sms/state.ts";
import { type Customer, customer, gatewayKeyOf, made, webhookAt } from "../../support/tenants/platform.ts";
import { startWorld, untilConnected, untilStatus, untilTrue, WEBHOOK_SECRET, type World } from "../../support/world.ts";

/** SMS through two providers, seen through the APIs: one account of Recado with a webhook of each. */

let w: World;
let sms: Sms;
beforeAll(async () => {
  const clock = manualClock();
  sms = await startSms({ clock });
  w = await startWorld({ clock, plugins: [pluginAt(sms.url)], env: { ...CLOUD_ENV, ...EVOLUTION_ENV } });
});
afterAll(async () => {
  await w.stop();
  await sms.stop();
});

let serial = 0;
const EVENTS = ["message.received", "message.delivered", "contact.opted_out"];

/** A phone with these credentials; its account of Recado has a webhook of each API. */
const newPhone = async (credentials: Record<string, string>, who?: Customer) => {
  const owner = who ?? (await customer(w));
  const key = await gatewayKeyOf(w, owner);
  const [gateway, platform] = [w.receiver(), w.receiver()];
  if (!who) await webhookAt(w, owner.key, platform, { events: EVENTS });
  const webhook = { url: gateway.url, secret: WEBHOOK_SECRET };
  const body = { type: "SMS", label: "Padaria", credentials, webhook };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, id);
  const post = (more: object = {}, to = PERSON) =>
    w.gateway("/v1/messages", { key, body: { phoneId: id, to, type: "text", content: { text: "olá" }, ...more } });
  const message = async (messageId: string) => (await w.gateway(`/v1/messages/${messageId}`, { key })).body;
  const phone = async () => (await w.gateway(`/v1/phones/${id}`, { key })).body;
  return { who: owner, key, id, gateway, platform, post, message, phone };
};

const newTwilio = async () => {
  serial += 1;
  const [sid, token] = [`AC${String(serial).padStart(32, "0")}`, `twilio-auth-token-${serial}`];
  const account = sms.addTwilio({ sid, token });
  const number = account.addNumber(`+5511400400${String(serial).padStart(2, "0")}`);
  const credentials = { provider: "twilio", account: sid, token, sender: number.value };
  const phone = await newPhone(credentials);
  /** A form arrives at the address that the provider has for the number. */
  const arrives = async (form: URLSearchParams, url = number.smsUrl) => {
    const answer = await account.post(url, form);
    await w.settle();
    return answer;
  };
  return {
    ...phone,
    account,
    number,
    credentials,
    write: (fields: Record<string, string>) =>
      arrives(account.written({ From: `+${PERSON}`, To: number.value, ...fields })),
    report: (sent: SentMessage | undefined, status: string, more: Record<string, string> = {}) => {
      if (!sent) throw new Error("nothing was sent");
      return arrives(account.stateOf(sent, status, more), sent.fields["StatusCallback"]);
    },
  };
};

const newZenvia = async () => {
  serial += 1;
  const token = `zenvia-api-token-${serial}`;
  const [alias, other] = [`padaria${serial}`, `outra${serial}`];
  const account = sms.addZenvia({ token, aliases: [alias, other] });
  const credentials = { provider: "zenvia", account: `conta${serial}`, token, sender: alias };
  const phone = await newPhone(credentials);
  const arrives = async (event: object) => {
    const statuses = await account.post(event);
    await w.settle();
    return statuses;
  };
  return {
    ...phone,
    account,
    alias,
    other,
    credentials,
    write: (text: string, to = alias) => arrives(account.written({ from: PERSON, to, text })),
    report: (sent: SentMessage | undefined, code: string) => {
      if (!sent) throw new Error("nothing was sent");
      return arrives(account.stateOf(sent, code));
    },
  };
};

const eventsAt = ({ platform }: { platform: { arrived: readonly { body: any }[] } }) =>
  platform.arrived.map(({ body }) => body.event);

describe("a phone", () => {
  test("is made from the form that GET /v1/kinds gives: a choice of providers, secrets, and words in three languages", async () => {
    const { key } = await newTwilio();
    const { items } = (await w.gateway("/v1/kinds", { key })).body;
    const kind = items.find(({ type }: { type: string }) => type === "SMS");
    expect(kind.credentials.map(({ name, label, isSecret }: any) => [name, label.pt, isSecret === true])).toEqual([
      ["provider", "Provedor", false],
      ["sender", "Remetente", false],
      ["token", "Token de acesso", true],
      ["account", "Conta", false],
      ["tokenSecret", "Segredo do token", true],
    ]);
    for (const { label, help } of kind.credentials)
      for (const language of ["en", "pt", "es"]) expect([label[language], help[language]]).not.toContain(undefined);
    expect(kind.credentials[0].choices.map(({ value }: any) => value)).toEqual(["twilio", "zenvia"]);
  });

  test("shows its provider and sender, and no secret", async () => {
    const { id, key, number, credentials } = await newTwilio();
    const { body, text } = await w.gateway(`/v1/phones/${id}`, { key });
    expect(body).toMatchObject({
      phoneNumber: number.value.slice(1),
      smsProvider: "twilio",
      smsWebhookConfigured: true,
      status: "CONNECTED",
    });
    expect(text).not.toContain(credentials.token);
  });

  test("whose token is refused is TOKEN_EXPIRED, and its message goes out with a new one", async () => {
    const { key, id, account, credentials, post, message } = await newTwilio();
    account.tokens.clear();
    const { messageId } = made(await post(), 202);
    await w.settle();
    await untilStatus(w, id, "TOKEN_EXPIRED");
    account.tokens.add("twilio-auth-token-new");
    const body = { credentials: { ...credentials, token: "twilio-auth-token-new" } };
    made(await w.gateway(`/v1/phones/${id}/credentials`, { key, method: "PUT", body }), 200);
    await untilConnected(w, id);
    await w.settle();
    expect(await message(messageId)).toMatchObject({ status: "SENT" });
  });

  test("with a number that another phone has does not connect a second time", async () => {
    const { credentials, key } = await newTwilio();
    const body = { type: "SMS", label: "Outra", credentials };
    const answer = await w.gateway("/v1/phones", { key, body });
    expect(answer.status).toBe(409);
  });
});

describe("through both APIs, with Twilio", () => {
  test("a message comes in, is answered, and the answer is delivered with its parts", async () => {
    const phone = await newTwilio();
    expect(await phone.write({ Body: "tem bolo?" })).toEqual({ status: 200, text: "<Response/>" });
    expect(receivedBy(phone.gateway, "message:received")).toMatchObject([
      { type: "text", content: { text: "tem bolo?" }, from: { canonicalKey: `pn:${PERSON}`, pn: PERSON } },
    ]);
    const { messageId } = made(await phone.post({ content: { text: "ã".repeat(71) } }), 202);
    await w.settle();
    expect(await phone.message(messageId)).toMatchObject({ status: "SENT", parts: 1 });
    await phone.report(phone.account.sent[0], "delivered", { Price: "-0.015", PriceUnit: "USD", NumSegments: "2" });
    expect(await phone.message(messageId)).toMatchObject({
      status: "DELIVERED",
      parts: 2,
      price: { amountMicros: 15_000, currency: "USD" },
    });
    expect(eventsAt(phone)).toEqual(["message:received", "message:delivered"]);
  });

  test("a message whose answer never came is SENT by a state that names our id", async () => {
    const phone = await newTwilio();
    sms.cutNext(/^POST .*Messages\.json$/, true);
    const { messageId } = made(await phone.post(), 202);
    await w.settle();
    expect(await phone.message(messageId)).not.toMatchObject({ status: "SENT" });
    await phone.report(phone.account.sent[0], "sent");
    expect(await phone.message(messageId)).toMatchObject({ status: "SENT" });
    expect(phone.account.sent).toHaveLength(1);
  });

  test("pictures go out as links, and a send may name another sender and its validity", async () => {
    const phone = await newTwilio();
    phone.account.senders.add("PADARIA");
    const images = ["a", "b"].map((name) => ({ mediaUrl: `https://files.example.com/${name}.jpg` }));
    made(await phone.post({ type: "image", content: { images, caption: "a loja" } }), 202);
    made(await phone.post({ sendOptions: { sender: "PADARIA", validity: "600" } }), 202);
    await w.settle();
    expect(phone.account.sent).toMatchObject([
      { text: "a loja", links: images.map(({ mediaUrl }) => mediaUrl) },
      { from: "PADARIA", fields: { ValidityPeriod: "600" } },
    ]);
    expect((await phone.post({ sendOptions: { validity: "36001" } })).status).toBe(400);
  });

  test("a text longer than both providers take is refused before anything is queued", async () => {
    const phone = await newTwilio();
    expect((await phone.post({ content: { text: "a".repeat(1521) } })).status).toBe(400);
    made(await phone.post({ content: { text: "a".repeat(1520) } }), 202);
  });

  test("at the provider's limit the phone waits as long as it says, and loses nothing", async () => {
    const phone = await newTwilio();
    sms.refuseNext(new RegExp(`^POST .*${phone.account.sid}/Messages`), 429, { code: 20429, retryAfter: 7 });
    const { messageId } = made(await phone.post(), 202);
    await w.settle();
    expect(await phone.message(messageId)).toMatchObject({ status: "QUEUED", failedReason: null });
    await w.advance(6 * SECOND_MS);
    expect(phone.account.sent).toEqual([]);
    await untilTrue(async () => {
      await w.advance(SECOND_MS);
      return phone.account.sent.length > 0;
    });
    expect(await phone.message(messageId)).toMatchObject({ status: "SENT" });
  });

  test("the platform API sends a text", async () => {
    const phone = await newTwilio();
    const body = { to: PERSON, text: "olá" };
    made(await w.platform(`/v1/channels/${phone.id}/messages/text`, { key: phone.who.key, body }), 202);
    await w.settle();
    expect(phone.account.sent).toMatchObject([{ to: `+${PERSON}`, text: "olá" }]);
  });

  test("a state of failure has the provider's number and reason", async () => {
    const phone = await newTwilio();
    const { messageId } = made(await phone.post(), 202);
    await w.settle();
    await phone.report(phone.account.sent[0], "undelivered", { ErrorCode: "30005" });
    expect((await phone.message(messageId)).failedReason).toStartWith("[RECIPIENT_NOT_ON_NETWORK]");
  });

  test("a picture comes in as a file, which is fetched with the account's password", async () => {
    const phone = await newTwilio();
    phone.account.addFile("ME1", Buffer.from(FILES.png), "image/png");
    const MediaUrl0 = `${sms.url}/2010-04-01/Accounts/${phone.account.sid}/Messages/MM1/Media/ME1`;
    await phone.write({ Body: "olha", NumMedia: "1", MediaUrl0, MediaContentType0: "image/png" });
    await untilTrue(async () => {
      await w.settle();
      return receivedBy(phone.gateway, "media:available").length > 0;
    });
    expect(receivedBy(phone.gateway, "message:received")).toMatchObject([
      { type: "image", content: { caption: "olha" } },
    ]);
  });

  test("two pictures of one message come in as two messages of one album", async () => {
    const phone = await newTwilio();
    const addressOf = (name: string) =>
      `${sms.url}/2010-04-01/Accounts/${phone.account.sid}/Messages/MM1/Media/${name}`;
    const files = { MediaUrl0: addressOf("ME1"), MediaUrl1: addressOf("ME2"), NumMedia: "2" };
    await phone.write({ ...files, MediaContentType0: "image/png", MediaContentType1: "image/png", Body: "olha" });
    const [first, second, ...others] = receivedBy(phone.gateway, "message:received");
    expect([first.content.caption, second.content.caption, others]).toEqual(["olha", undefined, []]);
    expect(first.content.album.id).toBe(second.content.album.id);
  });

  test("a request that another token signs is refused, and nothing is stored", async () => {
    const phone = await newTwilio();
    phone.account.tokens = new Set(["another-token"]);
    expect((await phone.write({ Body: "oi" })).status).toBe(403);
    expect(receivedBy(phone.gateway, "message:received")).toEqual([]);
  });
});

describe("people who want no more messages", () => {
  test.each([
    ["by a word", { Body: "Parar" }],
    ["by a word that the provider reads", { Body: "Chega disso", OptOutType: "STOP" }],
  ])("%s: both APIs say so, a batch leaves them out, and START ends it", async (_, words) => {
    const phone = await newTwilio();
    await phone.write(words);
    expect(receivedBy(phone.gateway, "contact:opted-out")).toMatchObject([{ chat: { canonicalKey: `pn:${PERSON}` } }]);
    expect(eventsAt(phone)).toContain("contact:opted_out");
    expect((await phone.post()).body.error).toMatchObject({ code: "RECIPIENT_OPTED_OUT" });
    const recipients = [PERSON, "5511987650002"];
    made(
      await w.platform("/v1/bulk", {
        key: phone.who.key,
        body: { channelId: phone.id, text: "promoção", recipients, delay: 1000, jitter: 0 },
      }),
      202,
    );
    await w.advance(1000);
    await w.advance(1000);
    expect(phone.account.sent.map(({ to }) => to)).toEqual(["+5511987650002"]);
    await phone.write({ Body: "START" });
    made(await phone.post(), 202);
  });

  test("whom only the provider knows are known after its refusal", async () => {
    const phone = await newTwilio();
    phone.account.optedOut.add(`${phone.number.value}>+${PERSON}`);
    const { messageId } = made(await phone.post(), 202);
    await w.settle();
    expect((await phone.message(messageId)).failedReason).toStartWith("[RECIPIENT_OPTED_OUT] (#21610)");
    expect((await phone.post()).body.error).toMatchObject({ code: "RECIPIENT_OPTED_OUT" });
    expect(phone.account.sent).toEqual([]);
  });
});

describe("through both APIs, with Zenvia", () => {
  test("a message comes in, is answered, and the answer is delivered", async () => {
    const phone = await newZenvia();
    expect(await phone.write("tem bolo?")).toEqual([200]);
    expect(receivedBy(phone.gateway, "message:received")).toMatchObject([{ content: { text: "tem bolo?" } }]);
    const { messageId } = made(await phone.post(), 202);
    await w.settle();
    expect(phone.account.sent).toMatchObject([{ from: phone.alias, to: PERSON, text: "olá" }]);
    await phone.report(phone.account.sent[0], "DELIVERED");
    expect(await phone.message(messageId)).toMatchObject({ status: "DELIVERED", parts: 1 });
    expect(eventsAt(phone)).toEqual(["message:received", "message:delivered"]);
  });

  test("two aliases of one account share a webhook, each has its own messages, and one goes on without the other", async () => {
    const first = await newZenvia();
    const second = await newPhone({ ...first.credentials, sender: first.other }, first.who);
    expect(first.account.subscriptions).toHaveLength(2);
    await first.write("para a primeira");
    await first.write("para a outra", first.other);
    const texts = ({ gateway }: Pick<typeof first, "gateway">) =>
      receivedBy(gateway, "message:received").map(({ content }) => content.text);
    expect([texts(first), texts(second)]).toEqual([["para a primeira"], ["para a outra"]]);
    made(await w.gateway(`/v1/phones/${second.id}`, { key: second.key, method: "DELETE" }), 204);
    await untilTrue(async () => {
      await w.settle();
      return first.account.subscriptions.some(({ webhook }) => webhook["url"].includes(first.id));
    });
    await first.write("ainda aí?");
    expect(texts(first)).toEqual(["para a primeira", "ainda aí?"]);
  });

  test("a request without the token that the provider was given is refused", async () => {
    const phone = await newZenvia();
    for (const { webhook } of phone.account.subscriptions) webhook["headers"] = { "x-recado-token": "0".repeat(64) };
    expect(await phone.write("oi")).toEqual([403]);
    expect(receivedBy(phone.gateway, "message:received")).toEqual([]);
  });
});

describe("through the APIs of programs", () => {
  test("the Cloud API sends a text", async () => {
    const { account, id, who } = await newTwilio();
    const client = await cloudClientOf(w, { accountId: who.id, phone: { id } });
    const answer = await client.send({ to: PERSON });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    await w.settle();
    expect(account.sent).toMatchObject([{ to: `+${PERSON}`, text: "olá" }]);
  });

  test("Evolution's API sends a text", async () => {
    const { account, id, key } = await newZenvia();
    const client = evolutionClient(w, key, id);
    const answer = await client.on("/message/sendText", { body: { number: PERSON, text: "olá" } });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.any(String)]);
    await w.settle();
    expect(account.sent).toMatchObject([{ to: PERSON, text: "olá" }]);
  });
});
