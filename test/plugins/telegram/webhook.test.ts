import { describe, expect, test } from "bun:test";
import { telegramWebhook } from "../../../plugins/telegram/webhook.ts";
import { callsOf, PERSON, TOKEN, telegramChannel } from "../../support/networks/telegram-channel.ts";
import { webhookRequest } from "../../support/networks/webhook-request.ts";

const channel = telegramChannel();
const HEADER = "X-Telegram-Bot-Api-Secret-Token";

const connected = async () => {
  const one = channel().open({ token: TOKEN, mode: "webhook" });
  await channel().connect(one);
  return one;
};

describe("a channel in webhook mode", () => {
  test("gives the network its address and a secret, which only its vault has; it asks for no updates", async () => {
    const { host } = await connected();
    const { webhook } = channel().bot.updates;
    const { webhookSecret = "" } = await host.vault.read();
    expect(webhook).toEqual({ url: host.webhookUrl, secret: webhookSecret });
    expect(webhookSecret).toMatch(/^[\w-]{43}$/);
    expect(callsOf(channel(), "getUpdates")).toEqual([]);
    expect(JSON.stringify([host.reports, host.logLines])).not.toContain(webhookSecret);
  });

  test("keeps its secret when it connects again", async () => {
    const { host, link } = await connected();
    const before = await host.vault.read();
    link.connect();
    await host.settled();
    expect(await host.vault.read()).toEqual(before);
  });

  test("is FAILED where the network does not take the address, with the network's reason", async () => {
    channel().telegram.failNext(/^setWebhook$/, {
      kind: "refuse",
      status: 400,
      description: "Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
    });
    const { host, link } = channel().open({ token: TOKEN, mode: "webhook" });
    link.connect();
    await host.until(() => host.reports.at(-1)?.state === "FAILED");
    expect(host.reports.at(-1)?.reason).toBe(
      "(#400) Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
    );
    expect(host.clock.pendingTimers).toBe(0);
  });

  test("removes the webhook when the channel is deleted; one that polls has nothing to remove", async () => {
    await channel().link.forget({ deregister: false, isLastOfAccount: true });
    expect(channel().telegram.journal).toEqual([]);
    const { link } = await connected();
    await link.forget({ deregister: false, isLastOfAccount: true });
    expect(channel().bot.updates.webhook).toBeUndefined();
  });
});

describe("its webhooks", () => {
  const secret = "s".repeat(43);
  const headers = (value?: string) => new Headers(value === undefined ? {} : { [HEADER]: value });

  test("count with the channel's secret alone", () => {
    const isTaken = (given: string | undefined, secrets: Record<string, string>) =>
      telegramWebhook.verify(webhookRequest("{}", headers(given)), secrets);
    expect(isTaken(secret, { webhookSecret: secret })).toBe(true);
    expect([
      isTaken("t".repeat(43), { webhookSecret: secret }),
      isTaken(undefined, { webhookSecret: secret }),
      isTaken(undefined, {}),
      isTaken("", { webhookSecret: "" }),
    ]).toEqual([false, false, false, false]);
  });

  test("without a secret in its form are not even read", () => {
    expect([
      telegramWebhook.isSigned(webhookRequest("", headers(secret))),
      telegramWebhook.isSigned(webhookRequest("", headers("x"))),
      telegramWebhook.isSigned(webhookRequest()),
    ]).toEqual([true, false, false]);
  });

  test("are one event each, and a pressed button is answered in the answer to it", async () => {
    await connected();
    const { update } = channel().bot.people.say({ text: "oi" }, { from: PERSON });
    expect(telegramWebhook.parse(webhookRequest(JSON.stringify(update)))).toMatchObject([
      { kind: "received", content: { type: "text" } },
    ]);
    expect(telegramWebhook.answer(webhookRequest(JSON.stringify(update)))).toBeUndefined();
    const press = channel().bot.people.press(101, "yes", { from: PERSON, id: "4382" });
    expect(telegramWebhook.answer(webhookRequest(JSON.stringify(press)))).toEqual({
      body: JSON.stringify({ method: "answerCallbackQuery", callback_query_id: "4382" }),
    });
  });
});
