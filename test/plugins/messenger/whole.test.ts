import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { CLOUD_ENV, cloudClientOf } from "../../support/apis/cloud.ts";
import { EVOLUTION_ENV, evolutionClient } from "../../support/apis/evolution.ts";
import { receivedBy, rowsOf } from "../../support/customers/customer.ts";
import { type Messenger, startMessenger } from "../../support/messenger/index.ts";
import { PAGE_INBOX } from "../../support/messenger/threads.ts";
import { APP_SECRET, PERSON, pluginAt, VERIFY_TOKEN } from "../../support/networks/messenger-channel.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { customer, gatewayKeyOf, made, webhookAt } from "../../support/tenants/platform.ts";
import { startWorld, untilConnected, untilStatus, untilTrue, WEBHOOK_SECRET, type World } from "../../support/world.ts";

/** What Messenger can say and take, seen through the APIs: one account with a webhook of each. */

let w: World;
let messenger: Messenger;
beforeAll(async () => {
  const clock = manualClock();
  messenger = await startMessenger({ clock });
  w = await startWorld({
    clock,
    plugins: [pluginAt(messenger.url)],
    env: { ...CLOUD_ENV, ...EVOLUTION_ENV },
  });
});
afterAll(async () => {
  await w.stop();
  await messenger.stop();
});

let pages = 0;
type Owner = { who: Awaited<ReturnType<typeof customer>>; key: string };
const newOwner = async (): Promise<Owner> => {
  const who = await customer(w);
  return { who, key: await gatewayKeyOf(w, who) };
};

/** A connected page, the webhook of which Meta has accepted. `appId`: the app that it shares with other pages. */
const newPhone = async (owner?: Owner, appId?: string) => {
  pages += 1;
  const token = `EAAG-page-token-${pages}-0f3e7a21`;
  const ofApp = appId === undefined ? {} : { appId };
  const page = messenger.addPage({ id: `1784140579318${7000 + pages}`, appSecret: APP_SECRET, token, ...ofApp });
  page.addPerson(PERSON);
  const { who, key } = owner ?? (await newOwner());
  const [gateway, platform] = [w.receiver(), w.receiver()];
  await webhookAt(w, who.key, platform, { events: ["message.received", "message.delivered"] });
  const credentials = {
    pageId: page.id,
    accessToken: token,
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    ...ofApp,
  };
  const body = {
    type: "MESSENGER",
    label: "Padaria",
    credentials,
    webhook: { url: gateway.url, secret: WEBHOOK_SECRET },
  };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, id);
  await page.register(`${w.app.url}/gateway/v1/upstream-webhook/${id}`, VERIFY_TOKEN);
  const post = (input: object = {}) =>
    w.gateway("/v1/messages", {
      key,
      body: { phoneId: id, to: PERSON, type: "text", content: { text: "olá" }, ...input },
    });
  const message = async (messageId: string) => (await w.gateway(`/v1/messages/${messageId}`, { key })).body;
  /** What somebody says arrives. */
  const deliver: typeof page.deliver = async (...items) => {
    const status = await page.deliver(...items);
    await w.settle();
    return status;
  };
  return { page, who, key, id, gateway, platform, post, message, deliver };
};

describe("a page", () => {
  test("is made from the form that GET /v1/kinds gives: its fields with their words, three of them secret", async () => {
    const { key } = await newPhone();
    const { items } = (await w.gateway("/v1/kinds", { key })).body;
    const kind = items.find(({ type }: { type: string }) => type === "MESSENGER");
    expect(kind.label).toMatchObject({ pt: "Facebook Messenger" });
    expect(kind.credentials.map(({ name, label, isSecret }: any) => [name, label.pt, isSecret === true])).toEqual([
      ["pageId", "ID da Página", false],
      ["accessToken", "Token de acesso da Página", true],
      ["appSecret", "Chave secreta do app", true],
      ["verifyToken", "Token de verificação", true],
      ["appId", "ID do app", false],
    ]);
  });

  test("shows its page, and no secret", async () => {
    const { key, id, page } = await newPhone();
    const { body, text } = await w.gateway(`/v1/phones/${id}`, { key });
    expect(body).toMatchObject({ messengerPageId: page.id, messengerPageName: "Padaria Estrela", status: "CONNECTED" });
    expect([APP_SECRET, VERIFY_TOKEN].some((secret) => text.includes(secret))).toBe(false);
  });

  test("whose token is refused is TOKEN_EXPIRED, and its message goes out with a new one", async () => {
    const { key, id, page, post, message } = await newPhone();
    page.tokens.clear();
    const { messageId } = made(await post(), 202);
    await w.settle();
    await untilStatus(w, id, "TOKEN_EXPIRED");
    page.tokens.add("EAAG-page-token-new-0f3e7a21");
    const credentials = {
      pageId: page.id,
      accessToken: "EAAG-page-token-new-0f3e7a21",
      appSecret: APP_SECRET,
      verifyToken: VERIFY_TOKEN,
    };
    await w.gateway(`/v1/phones/${id}/credentials`, { key, method: "PUT", body: { credentials } });
    await untilConnected(w, id);
    await w.settle();
    expect(await message(messageId)).toMatchObject({ status: "SENT" });
  });
});

describe("through both APIs", () => {
  test("a message comes in, is answered, and the answer is delivered and read up to a time", async () => {
    const { page, post, message, gateway, platform, deliver } = await newPhone();
    expect(await deliver(page.write(PERSON, { text: "tem bolo?" }))).toBe(200);
    expect(receivedBy(gateway, "message:received")).toMatchObject([
      { type: "text", content: { text: "tem bolo?" }, from: { canonicalKey: `uid:${PERSON}` } },
    ]);
    const { messageId } = made(await post(), 202);
    await w.settle();
    const [sent] = page.sent;
    expect(sent).toMatchObject({ to: PERSON, message: { text: "olá" } });
    const echo = {
      sender: { id: page.id },
      recipient: { id: PERSON },
      message: { mid: sent?.mid, is_echo: true, text: "olá" },
    };
    await deliver({ ...page.act(PERSON, {}), ...echo });
    expect(receivedBy(gateway, "message:received")).toHaveLength(1); // our own message is known
    await deliver(page.act(PERSON, { delivery: { mids: [sent?.mid], watermark: w.clock.now() } }));
    expect(await message(messageId)).toMatchObject({ status: "DELIVERED" });
    const watermark = w.clock.now();
    await deliver(page.act(PERSON, { read: { watermark } }));
    expect(receivedBy(gateway, "message:status").at(-1)).toMatchObject({
      status: "read",
      watermark: new Date(watermark).toISOString(),
      from: { canonicalKey: `uid:${PERSON}` },
    });
    expect(platform.arrived.map(({ body }) => body.event)).toEqual(["message:received", "message:delivered"]);
  });

  test("a delivery without ids delivers everything that was sent to that person before its time, once", async () => {
    const { page, post, message, platform, deliver } = await newPhone();
    const other = page.addPerson("2222222222");
    const send = async (to: string) => {
      const { messageId } = made(await post({ to }), 202);
      await w.settle();
      return messageId;
    };
    const before = [await send(PERSON), await send(PERSON)];
    const toOther = await send(other.psid);
    const watermark = w.clock.now();
    await w.advance(11_000);
    const after = await send(PERSON);
    const statuses = async () => Promise.all([...before, toOther, after].map(async (id) => (await message(id)).status));
    for (let repeat = 0; repeat < 2; repeat += 1) await deliver(page.act(PERSON, { delivery: { watermark } }));
    expect(await statuses()).toEqual(["DELIVERED", "DELIVERED", "SENT", "SENT"]);
    expect(platform.arrived.map(({ body }) => body.event)).toEqual(["message:delivered", "message:delivered"]);
  });

  test("the name of a person, which no webhook brings, is the contact's once the page has answered", async () => {
    const { page, who, post, deliver } = await newPhone();
    const names = async () =>
      made(await w.platform("/v1/contacts", { key: who.key }), 200).data.map((one: any) => one.name);
    await deliver(page.write(PERSON, { text: "oi" }));
    expect(await names()).toEqual([null]);
    made(await post(), 202);
    await untilTrue(async () => {
      await w.settle();
      return (await rowsOf(w, "SELECT id FROM contacts WHERE tenant_id = ? AND name IS NOT NULL", [who.id])).length > 0;
    });
    expect(await names()).toEqual(["Ana Souza"]);
  });

  test("a tap on Get started names the advertisement, and buttons come back with their value", async () => {
    const { page, post, gateway, deliver } = await newPhone();
    const referral = { ref: "natal", ad_id: "6045", source: "ADS", ads_context_data: { ad_title: "Bolos" } };
    await deliver(page.act(PERSON, { postback: { mid: "m_START", title: "Começar", payload: "start", referral } }));
    const buttons = [{ id: "sim", text: "Sim" }];
    made(await post({ type: "button", content: { text: "Quer?", buttons } }), 202);
    await w.settle();
    expect(page.sent[0]?.message["attachment"]).toMatchObject({ payload: { template_type: "button" } });
    await deliver(page.act(PERSON, { postback: { mid: "m_TAP", title: "Sim", payload: "sim" } }));
    expect(receivedBy(gateway, "message:received")).toMatchObject([
      {
        type: "button_reply",
        content: { selectedId: "start", referral: { sourceType: "ad", sourceId: "6045", headline: "Bolos" } },
      },
      { type: "button_reply", content: { selectedId: "sim", text: "Sim" } },
    ]);
  });

  test("a webhook that another app or another page signs is refused, and nothing is stored", async () => {
    const { page, gateway } = await newPhone();
    const item = page.write(PERSON, { text: "oi" });
    const { id, appSecret } = page;
    page.appSecret = "another-secret-of-another-app";
    expect(await page.deliver(item)).toBe(403);
    Object.assign(page, { appSecret, id: "12345678" });
    expect(await page.deliver(item)).toBe(403);
    page.id = id;
    await w.settle();
    expect(receivedBy(gateway, "message:received")).toEqual([]);
  });

  test("the pages of one app share its webhook: each message reaches the channel of its page, and no other tenant's", async () => {
    const [owner, appId] = [await newOwner(), `99060262793${1000 + pages}`];
    const [stranger, first, second] = [
      await newPhone(await newOwner(), appId),
      await newPhone(owner, appId),
      await newPhone(owner, appId),
    ];
    await first.page.register(`${w.app.url}/gateway/v1/upstream-webhook/${first.id}`, VERIFY_TOKEN);
    const written = [first, second, stranger].map(({ page }, at) => ({
      page,
      items: [page.write(PERSON, { text: `oi ${at}` })],
    }));
    expect(await messenger.deliverTogether(...written)).toBe(200);
    await w.settle();
    const texts = [first, second, stranger].map(({ gateway }) =>
      receivedBy(gateway, "message:received").map(({ content }) => content.text),
    );
    expect(texts).toEqual([["oi 0"], ["oi 1"], []]);
  });

  test("the secret of an app that is reset is replaced in place", async () => {
    const { id, key, page } = await newPhone(undefined, `99060262793${1000 + pages}`);
    const [accessToken = ""] = page.tokens;
    page.appSecret = "messenger-app-secret-new-1";
    const credentials = {
      pageId: page.id,
      accessToken,
      appSecret: page.appSecret,
      verifyToken: VERIFY_TOKEN,
      appId: page.appId,
    };
    const replaced = await w.gateway(`/v1/phones/${id}/credentials`, { key, method: "PUT", body: { credentials } });
    expect(replaced.status).toBe(200);
    await untilConnected(w, id);
    expect(await page.deliver(page.write(PERSON, { text: "oi" }))).toBe(200);
  });

  test("after 24 hours only the human-agent tag goes out, and only where the owner says that Meta has granted it", async () => {
    const { page, key, id, post, message } = await newPhone();
    page.hasHumanAgent = true;
    await page.deliver(page.write(PERSON, { text: "oi" }));
    await w.advance(2 * DAY_MS);
    const late = made(await post(), 202);
    await w.settle();
    expect((await message(late.messageId)).failedReason).toContain("outside of allowed window");
    const tagged = { content: { text: "olá", tag: "HUMAN_AGENT" } };
    expect(gatewaySays(await post(tagged))).toStartWith("4");
    made(await w.gateway(`/v1/phones/${id}/settings`, { key, method: "PATCH", body: { humanAgent: "granted" } }), 200);
    made(await post(tagged), 202);
    await w.settle();
    expect(page.sent.map(({ tag }) => tag)).toEqual(["HUMAN_AGENT"]);
  });

  test("a conversation that another app leads is read along and held, and the page takes it back before it answers", async () => {
    const { page, id, key, post, message, gateway, platform, deliver } = await newPhone();
    const control = `/v1/phones/${id}/conversations/${PERSON}/control`;
    const heldBy = async () => (await w.gateway(control, { key })).body.heldBy;
    page.leaders.set(PERSON, PAGE_INBOX);
    await deliver(page.write(PERSON, { text: "oi" }));
    expect(receivedBy(gateway, "message:received")).toEqual([]);
    expect(receivedBy(gateway, "message:standby")).toMatchObject([{ content: { text: "oi" }, heldBy: { role: null } }]);
    expect([await heldBy(), platform.arrived]).toMatchObject([{ role: null }, []]);
    const refused = made(await post(), 202);
    await w.settle();
    expect((await message(refused.messageId)).failedReason).toStartWith("[THREAD_HELD]");
    expect((await w.gateway(control, { key, body: { action: "take" } })).body).toEqual({ heldBy: null });
    made(await post(), 202);
    await w.settle();
    expect(page.sent.map(({ message: sent }) => sent["text"])).toEqual(["olá"]);
    await w.gateway(control, { key, body: { action: "pass", targetRole: "page_inbox" } });
    expect([page.leaders.get(PERSON), await heldBy()]).toMatchObject([PAGE_INBOX, { role: "page_inbox" }]);
    page.leaders.delete(PERSON);
    await w.advance(1000);
    await deliver(page.act(PERSON, { pass_thread_control: { previous_owner_app_id: PAGE_INBOX } }));
    expect(await heldBy()).toBeNull();
  });

  test("a batch reaches its people one by one", async () => {
    const { page, id, who } = await newPhone();
    page.addPerson("2222222222");
    const recipients = [PERSON, "2222222222"];
    made(
      await w.platform("/v1/bulk", {
        key: who.key,
        body: { channelId: id, text: "promoção", recipients, delay: 1000, jitter: 0 },
      }),
      202,
    );
    await w.advance(1000);
    await w.advance(1000);
    expect(page.sent.map(({ to }) => to)).toEqual(recipients);
  });
});

describe("through the APIs of programs", () => {
  test("the Cloud API sends a text to a person of the page", async () => {
    const { page, id, who } = await newPhone();
    const client = await cloudClientOf(w, { accountId: who.id, phone: { id } });
    const answer = await client.send({ to: PERSON });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    await w.settle();
    expect(page.sent).toMatchObject([{ to: PERSON, message: { text: "olá" } }]);
  });

  test("Evolution's API sends a text to a person of the page", async () => {
    const { page, id, key } = await newPhone();
    const client = evolutionClient(w, key, id);
    const answer = await client.on("/message/sendText", { body: { number: PERSON, text: "olá" } });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.any(String)]);
    await w.settle();
    expect(page.sent).toMatchObject([{ to: PERSON, message: { text: "olá" } }]);
  });
});
