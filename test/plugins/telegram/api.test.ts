import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../support/customers/customer.ts";
import { GROUP, OTHER, PERSON, pluginAt } from "../../support/networks/telegram-channel.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { type SimulatedBot, startTelegram, type Telegram } from "../../support/telegram/index.ts";
import { customer, made } from "../../support/tenants/platform.ts";
import { startWorld, untilConnected, untilTrue, WEBHOOK_SECRET, type World } from "../../support/world.ts";

let w: World;
let telegram: Telegram;
beforeAll(async () => {
  telegram = await startTelegram();
  telegram.addPerson({ id: PERSON, first_name: "Ana", username: "AnaSouza" });
  telegram.addPerson({ id: OTHER, first_name: "Bruno" });
  telegram.addGroup({ id: GROUP, title: "Padeiros" });
  w = await startWorld({ plugins: [pluginAt(telegram.url)] });
});
afterAll(async () => {
  await w.stop();
  await telegram.stop();
});
afterEach(() => telegram.clearFailures());

let bots = 0;
const newBot = (): SimulatedBot => {
  bots += 1;
  return telegram.addBot({
    id: 7_000_000_000 + bots,
    secret: "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    username: `Padaria${bots}Bot`,
  });
};

const create = (key: string, token: string, fields: object = {}) =>
  w.gateway("/v1/phones", { key, body: { type: "TELEGRAM", label: "Padaria", credentials: { token, ...fields } } });

/** A customer with a connected bot, and a receiver of its events. */
const newPhone = async (credentials: object = {}) => {
  const { key } = await w.account();
  const bot = newBot();
  const hook = w.receiver();
  const body = {
    type: "TELEGRAM",
    label: "Padaria",
    credentials: { token: bot.token, ...credentials },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  };
  const { body: phone } = await w.gateway("/v1/phones", { key, body });
  await untilConnected(w, phone.id);
  return { key, bot, hook, phone };
};

type Sender = { key: string; phone: { id: string } };

const send = ({ key, phone }: Sender, type: string, content: object, more: object = {}) =>
  w.gateway("/v1/messages", { key, body: { phoneId: phone.id, to: String(PERSON), type, content, ...more } });

/** The events of a type that a receiver got, as soon as there are so many. Throws when they do not come. */
const untilReceived = async (hook: ReturnType<World["receiver"]>, type: string, count: number) => {
  await untilTrue(async () => {
    await w.settle();
    return receivedBy(hook, type).length >= count;
  });
  return receivedBy(hook, type);
};

describe("a Telegram bot behind the gateway API", () => {
  test("is made with its token alone, connects, and shows its name; the token is shown to nobody", async () => {
    const { key, bot, phone } = await newPhone();
    expect(phone).toMatchObject({ type: "TELEGRAM", status: "CONNECTING" });
    const shown = await w.gateway(`/v1/phones/${phone.id}`, { key });
    expect(shown.body).toMatchObject({
      type: "TELEGRAM",
      status: "CONNECTED",
      phoneNumber: null,
      telegramUsername: bot.username,
      telegramBotId: String(bot.id),
    });
    expect(shown.text).not.toContain(bot.token);
    expect(w.logs.join("")).not.toContain(bot.token);
  });

  test.each([
    ["no token", { token: undefined }],
    ["something else than a token", { token: "secret-canary" }],
    ["a mode that there is not", { token: "7000000000:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", mode: "smoke" }],
  ])("is refused with %s, and nothing is stored", async (_, credentials) => {
    const { id, key } = await w.account();
    const answer = await w.gateway("/v1/phones", { key, body: { type: "TELEGRAM", label: "x", credentials } });
    expect(gatewaySays(answer)).toBe("400 VALIDATION_ERROR");
    expect(answer.text).not.toContain("canary");
    expect(await rowsOf(w, "SELECT id FROM channels WHERE tenant_id = ?1", [id])).toEqual([]);
  });

  test("is connected by one channel alone, also among accounts", async () => {
    const { bot } = await newPhone();
    const { id, key } = await w.account();
    const answer = await create(key, bot.token);
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("EXISTS")]);
    expect(await rowsOf(w, "SELECT id FROM channels WHERE tenant_id = ?1", [id])).toEqual([]);
  });

  test("a wrong token in another's name keeps nobody out", async () => {
    const bot = newBot();
    const stranger = await w.account();
    expect((await create(stranger.key, `${bot.id}:${"x".repeat(35)}`)).status).toBe(201);
    await telegram.until(() => telegram.journal.some(({ token }) => token.endsWith("xxx")));
    const { key } = await w.account();
    const { body } = await create(key, bot.token);
    await untilConnected(w, body.id);
  });

  test("sends, and the status ends at SENT", async () => {
    const { key, bot, hook, phone } = await newPhone();
    const { status, body } = await send({ key, phone }, "text", { text: "Bom dia" });
    expect(status).toBe(202);
    await w.settle();
    expect(bot.sent().map(({ text, chatId }) => [chatId, text])).toEqual([[PERSON, "Bom dia"]]);
    expect((await w.gateway(`/v1/messages/${body.messageId}`, { key })).body).toMatchObject({ status: "SENT" });
    expect(receivedBy(hook, "message:status").map((one) => one.status)).toEqual(["sent"]);
  });

  test("writes to a group, and to nobody by a username", async () => {
    const { key, bot, phone } = await newPhone();
    expect((await send({ key, phone }, "text", { text: "oi" }, { to: String(GROUP) })).status).toBe(202);
    await w.settle();
    expect(bot.sent().map(({ chatId }) => chatId)).toEqual([GROUP]);
    expect(gatewaySays(await send({ key, phone }, "text", { text: "oi" }, { to: "@AnaSouza" }))).toBe("400 INVALID_TO");
    expect(bot.sent().length).toBe(1);
  });

  test("a blocked bot fails the message with the network's words", async () => {
    const { key, hook, phone } = await newPhone();
    telegram.failNext(/^sendMessage$/, {
      kind: "refuse",
      status: 403,
      description: "Forbidden: bot was blocked by the user",
    });
    await send({ key, phone }, "text", { text: "oi" });
    await w.settle();
    expect(receivedBy(hook, "message:status").at(-1)).toMatchObject({ status: "failed" });
    expect(JSON.stringify(receivedBy(hook, "message:status").at(-1))).toContain("blocked by the user");
  });

  test("receives texts, buttons, edits and reactions, each once", async () => {
    const { key, bot, hook, phone } = await newPhone();
    const { messageId } = bot.people.say({ text: "quero pão" }, { from: PERSON });
    const [received] = await untilReceived(hook, "message:received", 1);
    expect(received).toMatchObject({
      content: { text: "quero pão" },
      from: { canonicalKey: `uid:${PERSON}` },
      pushName: "Ana",
    });
    bot.people.edit(messageId, { text: "quero bolo" }, { from: PERSON });
    bot.people.react(messageId, ["👍"], { from: PERSON });
    await send({ key, phone }, "button", { text: "Confirma?", buttons: [{ id: "yes", text: "Sim" }] });
    await w.settle();
    const asked = bot.sent().at(-1)?.messageId ?? 0;
    bot.people.press(asked, "yes", { from: PERSON });
    const [, pressed] = await untilReceived(hook, "message:received", 2);
    expect(pressed).toMatchObject({ content: { selectedId: "yes", text: "Sim" } });
    expect(
      (await untilReceived(hook, "message:edited", 1)).length +
        (await untilReceived(hook, "message:reaction", 1)).length,
    ).toBe(2);
  });

  test("in a group the message names the group and who wrote it", async () => {
    const { bot, hook } = await newPhone();
    bot.people.say({ text: "bom dia a todos" }, { from: OTHER, chat: GROUP });
    const [received] = await untilReceived(hook, "message:received", 1);
    expect(JSON.stringify(received)).toContain(`group:${GROUP}`);
    expect(JSON.stringify(received)).toContain(`uid:${OTHER}`);
  });

  test("brings files, and sends them on", async () => {
    const { bot, hook } = await newPhone();
    const jpeg = Buffer.alloc(400, 7);
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]).copy(jpeg);
    telegram.addFile(`AgAC${bot.id}`, new Uint8Array(jpeg), `photos/${bot.id}.jpg`);
    bot.people.say({ photo: [{ file_id: `AgAC${bot.id}`, file_size: 400 }], caption: "olha" }, { from: PERSON });
    const [received] = await untilReceived(hook, "message:received", 1);
    expect(received).toMatchObject({
      content: { caption: "olha" },
      media: { contentType: "image/jpeg", sizeBytes: 400 },
    });
  });

  test("a received file has the type that its bytes show, whatever its field or its name says", async () => {
    const { bot, hook } = await newPhone();
    const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010806000000", "hex");
    telegram.addFile(`AgAC${bot.id}`, new Uint8Array(png), `photos/${bot.id}.jpg`);
    telegram.addFile(
      `BQAC${bot.id}`,
      new Uint8Array(Buffer.from("%PDF-1.7\n%\xe2\xe3", "latin1")),
      `documents/${bot.id}`,
    );
    bot.people.say({ photo: [{ file_id: `AgAC${bot.id}` }] }, { from: PERSON });
    bot.people.say(
      { document: { file_id: `BQAC${bot.id}`, mime_type: "text/plain", file_name: "a" } },
      { from: PERSON },
    );
    const received = await untilReceived(hook, "message:received", 2);
    const types = new Set(received.map(({ media }) => media.contentType));
    expect(types).toEqual(new Set(["application/pdf", "image/png"]));
  });

  test("in webhook mode is called at its own address, with a secret; a stranger is refused", async () => {
    const { bot, hook, phone } = await newPhone({ mode: "webhook" });
    expect(bot.updates.webhook?.url).toBe(`${w.app.gatewayUrl}/v1/upstream-webhook/${phone.id}`);
    bot.people.say({ text: "por webhook" }, { from: PERSON });
    bot.people.press(101, "yes", { from: PERSON, id: "99" });
    const answers = await bot.updates.deliver();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(JSON.parse(answers[1]?.body ?? "")).toEqual({ method: "answerCallbackQuery", callback_query_id: "99" });
    const received = await untilReceived(hook, "message:received", 2);
    expect(received.map(({ content }) => content.text)).toEqual(["por webhook", "yes"]);
    const path = `/v1/upstream-webhook/${phone.id}`;
    const headers = { "x-telegram-bot-api-secret-token": "x".repeat(43) };
    expect(gatewaySays(await w.gateway(path, { body: { update_id: 5 }, headers }))).toBe("403 SIGNATURE_INVALID");
    await w.settle();
    expect(receivedBy(hook, "message:received").length).toBe(2);
  });

  test("acts on messages: a reaction, an edit, a deletion", async () => {
    const { key, bot, phone } = await newPhone();
    const { body } = await send({ key, phone }, "text", { text: "antes" });
    await w.settle();
    const path = `/v1/messages/${body.messageId}`;
    expect((await w.gateway(`${path}/react`, { key, body: { phoneId: phone.id, emoji: "👍" } })).status).toBeLessThan(
      300,
    );
    await w.settle();
    expect((await w.gateway(`${path}/edit`, { key, body: { phoneId: phone.id, text: "depois" } })).status).toBeLessThan(
      300,
    );
    await w.settle();
    expect(bot.sent()[0]).toMatchObject({ text: "depois", reaction: "👍" });
    expect((await w.gateway(`${path}?phoneId=${phone.id}`, { key, method: "DELETE" })).status).toBeLessThan(300);
    await w.settle();
    expect(bot.sent()[0]?.isDeleted).toBe(true);
  });

  test("a send whose outcome nobody knows fails in the end, and is not sent twice", async () => {
    const { key, bot, phone } = await newPhone();
    telegram.failNext(/^sendMessage$/, { kind: "cut", isTaken: true });
    const { body } = await send({ key, phone }, "text", { text: "uma vez" });
    await w.settle();
    await w.advance(120 * SECOND_MS);
    expect((await w.gateway(`/v1/messages/${body.messageId}`, { key })).body).toMatchObject({ status: "FAILED" });
    expect(bot.sent().length).toBe(1);
  });

  test("goes on after a restart", async () => {
    const { bot, hook, phone } = await newPhone();
    bot.people.say({ text: "um" }, { from: PERSON });
    await untilReceived(hook, "message:received", 1);
    await w.restart();
    await untilConnected(w, phone.id);
    bot.people.say({ text: "dois" }, { from: PERSON });
    const received = await untilReceived(hook, "message:received", 2);
    expect(received.map(({ content }) => content.text)).toEqual(["um", "dois"]);
  });
});

describe("a Telegram bot behind the platform API", () => {
  test("is made, connected, sends, and receives", async () => {
    const { key } = await customer(w);
    const bot = newBot();
    const { id } = made(
      await w.platform("/v1/channels", {
        key,
        body: { name: "Padaria", type: "CHAT_TELEGRAM", credentials: { token: bot.token } },
      }),
      201,
    );
    made(await w.platform(`/v1/channels/${id}/connect`, { key, method: "POST" }), 200);
    await untilConnected(w, id);
    made(await w.platform(`/v1/channels/${id}/messages/text`, { key, body: { to: String(PERSON), text: "oi" } }), 202);
    await w.settle();
    expect(bot.sent().map(({ text }) => text)).toEqual(["oi"]);
    bot.people.say({ text: "olá" }, { from: PERSON });
    await telegram.until(() => bot.updates.confirmed === 1);
    await w.settle();
    expect(made(await w.platform("/v1/conversations", { key }), 200).data).toHaveLength(1);
  });
});
