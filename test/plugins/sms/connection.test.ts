import { describe, expect, test } from "bun:test";
import {
  ACCOUNT_SID,
  ALIAS,
  OUR_NUMBER,
  smsChannel,
  TWILIO_VAULT,
  ZENVIA_TOKEN,
  ZENVIA_VAULT,
} from "../../support/networks/sms-channel.ts";

const channel = smsChannel();
const FORGOTTEN = { deregister: false, isLastOfAccount: true };

describe("a phone at Twilio", () => {
  test("names this server to its number, once more at each connection, and takes it away at the end", async () => {
    const [number] = channel().twilio.owned;
    const { host, link, connected } = channel().open(TWILIO_VAULT);
    expect(await connected()).toEqual({
      state: "CONNECTED",
      phoneNumber: OUR_NUMBER.slice(1),
      profile: { smsProvider: "twilio", smsSender: OUR_NUMBER.slice(1), smsWebhookConfigured: true },
    });
    expect(number?.smsUrl).toBe(host.webhookUrl);
    if (number) number.smsUrl = "https://elsewhere.example";
    await connected();
    expect(number?.smsUrl).toBe(host.webhookUrl);
    await link.forget(FORGOTTEN);
    expect(number?.smsUrl).toBe("");
  });

  test("leaves the address of somebody else alone at its end", async () => {
    const [number] = channel().twilio.owned;
    const { link, connected } = channel().open(TWILIO_VAULT);
    await connected();
    if (number) number.smsUrl = "https://elsewhere.example";
    await link.forget(FORGOTTEN);
    expect(number?.smsUrl).toBe("https://elsewhere.example");
  });

  test("names this server to its short code", async () => {
    const code = channel().twilio.addShortCode("28999");
    const { host, connected } = channel().open({ ...TWILIO_VAULT, sender: "28999" });
    expect((await connected())?.profile).toMatchObject({ smsSender: "28999", smsWebhookConfigured: true });
    expect(code.smsUrl).toBe(host.webhookUrl);
  });

  test.each([
    ["a name", "PADARIA"],
    ["a number of another account", "+551140049999"],
    ["a Messaging Service", `MG${"a".repeat(32)}`],
  ])("with %s connects, and says that nothing comes in", async (_, sender) => {
    const report = await channel()
      .open({ ...TWILIO_VAULT, sender })
      .connected();
    expect([report?.state, report?.profile?.["smsWebhookConfigured"]]).toEqual(["CONNECTED", false]);
  });

  test("whose number has an application of its owner leaves it there", async () => {
    const number = channel().twilio.addNumber("+551140042222", "AP1");
    const { connected } = channel().open({ ...TWILIO_VAULT, sender: number.value });
    expect((await connected())?.profile).toMatchObject({ smsWebhookConfigured: false });
    expect(number.smsUrl).toBe("");
  });

  test.each([
    ["a token that the provider refuses", { token: "another-token-0000" }, "TOKEN_EXPIRED", "TOKEN_EXPIRED"],
    ["no account", { account: "" }, "FAILED", "CREDENTIALS_MISSING"],
    ["no provider", { provider: "" }, "FAILED", "CREDENTIALS_MISSING"],
  ])("with %s does not connect", async (_, more, state, reason) => {
    expect(
      await channel()
        .open({ ...TWILIO_VAULT, ...more })
        .connected(),
    ).toEqual({ state: state as never, reason });
  });

  test("of a suspended account is FAILED, and says why", async () => {
    channel().twilio.status = "suspended";
    expect(await channel().open(TWILIO_VAULT).connected()).toEqual({
      state: "FAILED",
      reason: "the account is suspended",
    });
  });

  test("asks again until the provider answers", async () => {
    const { sms } = channel();
    sms.refuseNext(/Accounts/, 503, { times: 2 });
    const { host, link } = channel().open(TWILIO_VAULT);
    link.connect();
    for (const waitMs of [2000, 10_000]) {
      await host.settled();
      host.clock.advance(waitMs);
    }
    await host.until(() => host.reports.length > 0);
    expect(host.state).toBe("CONNECTED");
  });
});

test.each([
  ["the question for its number", /GET .*IncomingPhoneNumbers/, TWILIO_VAULT],
  ["the address of its number", /POST .*IncomingPhoneNumbers/, TWILIO_VAULT],
  ["the list of its webhooks", /GET .*subscriptions/, ZENVIA_VAULT],
  ["its webhook", /POST .*subscriptions/, ZENVIA_VAULT],
])("a phone asks again when the provider's limit refuses %s", async (_, what, vault) => {
  channel().sms.refuseNext(what, 429);
  const { host, link } = channel().open(vault);
  link.connect();
  await host.settled();
  host.clock.advance(2000);
  await host.until(() => host.reports.length > 0);
  expect(host.reports).toMatchObject([{ state: "CONNECTED", profile: { smsWebhookConfigured: true } }]);
});

describe("a phone at Zenvia", () => {
  test("makes one webhook for messages and one for states, with a secret of its own, and keeps them", async () => {
    const { zenvia } = channel();
    const { host, connected } = channel().open(ZENVIA_VAULT);
    expect(await connected()).toEqual({
      state: "CONNECTED",
      profile: { smsProvider: "zenvia", smsSender: ALIAS, smsWebhookConfigured: true },
    });
    const secret = (await host.vault.read())["webhookToken"] ?? "";
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const before = structuredClone(zenvia.subscriptions);
    expect(before.map(({ eventType, webhook, criteria }) => [eventType, webhook, criteria])).toEqual([
      [
        "MESSAGE",
        { url: `${host.webhookUrl}?account=padaria`, headers: { "x-recado-token": secret } },
        { channel: "sms", direction: "IN" },
      ],
      [
        "MESSAGE_STATUS",
        { url: `${host.webhookUrl}?account=padaria`, headers: { "x-recado-token": secret } },
        { channel: "sms" },
      ],
    ]);
    await connected();
    expect(zenvia.subscriptions).toEqual(before);
  });

  test("revives a webhook that the provider has switched off", async () => {
    const { connected } = channel().open(ZENVIA_VAULT);
    await connected();
    for (const one of channel().zenvia.subscriptions) one.status = "INACTIVE";
    await connected();
    expect(channel().zenvia.subscriptions.map(({ status }) => status)).toEqual(["ACTIVE", "ACTIVE"]);
  });

  test("takes over the webhooks of another phone with its account on this server, and leaves those of others alone", async () => {
    const { zenvia } = channel();
    const subscribed = (id: string, eventType: string, url: string, more: object) =>
      zenvia.subscriptions.push({
        id,
        eventType,
        webhook: { url },
        criteria: { channel: "sms", ...more },
        status: "ACTIVE",
      });
    for (const eventType of ["MESSAGE", "MESSAGE_STATUS"]) {
      subscribed(`theirs-${eventType}`, eventType, "https://crm.example/hook", {});
      subscribed(
        `ours-${eventType}`,
        eventType,
        "https://recado.example/gateway/v1/upstream-webhook/2?account=padaria",
        {},
      );
    }
    const { host, link, connected } = channel().open(ZENVIA_VAULT);
    expect((await connected())?.profile).toMatchObject({ smsWebhookConfigured: true });
    const urls = () => zenvia.subscriptions.map(({ id, webhook }) => `${id} ${webhook["url"].split("?")[0]}`);
    expect(urls()).toEqual([
      "theirs-MESSAGE https://crm.example/hook",
      `ours-MESSAGE ${host.webhookUrl}`,
      "theirs-MESSAGE_STATUS https://crm.example/hook",
      `ours-MESSAGE_STATUS ${host.webhookUrl}`,
    ]);
    await link.forget(FORGOTTEN);
    expect(zenvia.subscriptions.map(({ id }) => id)).toEqual(["theirs-MESSAGE", "theirs-MESSAGE_STATUS"]);
  });

  test("leaves the webhooks of a phone with another name of the account alone, and moves its own to a new name", async () => {
    const { zenvia } = channel();
    const other = "https://recado.example/gateway/v1/upstream-webhook/2?account=outro.alias";
    for (const eventType of ["MESSAGE", "MESSAGE_STATUS"])
      zenvia.subscriptions.push({
        id: eventType,
        eventType,
        webhook: { url: other },
        criteria: { channel: "sms" },
        status: "ACTIVE",
      });
    for (const account of ["", "padaria"]) {
      const { host, connected } = channel().open({ ...ZENVIA_VAULT, account });
      expect((await connected())?.profile).toMatchObject({ smsWebhookConfigured: true });
      const own = `${host.webhookUrl}?account=${account || ALIAS}`;
      expect(zenvia.subscriptions.map(({ webhook }) => webhook["url"])).toEqual([other, other, own, own]);
    }
  });

  test("that may have no further webhook connects, and says that nothing comes in", async () => {
    for (const id of ["a", "b"])
      channel().zenvia.subscriptions.push({
        id,
        eventType: "MESSAGE",
        webhook: { url: `https://${id}.example` },
        criteria: { channel: "sms" },
        status: "ACTIVE",
      });
    const report = await channel().open(ZENVIA_VAULT).connected();
    expect([report?.state, report?.profile?.["smsWebhookConfigured"]]).toEqual(["CONNECTED", false]);
  });

  test("whose token is refused is TOKEN_EXPIRED", async () => {
    channel().zenvia.tokens.delete(ZENVIA_TOKEN);
    expect(await channel().open(ZENVIA_VAULT).connected()).toMatchObject({ state: "TOKEN_EXPIRED" });
  });

  test("whose alias is a number has one id, with and without its plus", async () => {
    const [plain, signed] = ["5511999990000", "+5511999990000"].map((sender) => ({ ...ZENVIA_VAULT, sender }));
    expect(channel().plugin.routeOf?.(signed as never)).toEqual(channel().plugin.routeOf?.(plain as never) as never);
  });

  test("without a name of the account is an account of its own", async () => {
    expect(channel().plugin.routeOf?.({ ...ZENVIA_VAULT, account: "" })).toEqual({
      accountId: ALIAS,
      numberId: `${ALIAS}/${ALIAS}`,
    });
  });
});

describe("a file of a message", () => {
  const bytes = Buffer.from("picture");
  const addressOf = (name: string) =>
    `${channel().sms.url}/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/MM1/Media/${name}`;
  const read = async (vault: Record<string, string>, url: string) => {
    const opened = await channel().open(vault).link.media?.open(url);
    if (!opened?.ok) return opened;
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.value.body) chunks.push(chunk);
    return { ...opened.value, body: Buffer.concat(chunks).toString() };
  };

  test("is fetched with the account's password from the API, and without it from the store that the API names", async () => {
    channel().twilio.addFile("ME1", bytes, "image/jpeg");
    expect(await read(TWILIO_VAULT, addressOf("ME1"))).toMatchObject({ body: "picture", contentType: "image/jpeg" });
  });

  test("that lies elsewhere gets no password", async () => {
    channel().twilio.addFile("ME1", bytes, "image/jpeg");
    const other = addressOf("ME1").replace("127.0.0.1", "localhost");
    expect(await read(TWILIO_VAULT, other)).toMatchObject({ ok: false, kind: "refused" });
  });

  test("that is gone is gone, and one of a refused token waits for another", async () => {
    expect(await read(TWILIO_VAULT, addressOf("ME2"))).toMatchObject({ kind: "refused", fileFault: "gone" });
    expect(await read({ ...TWILIO_VAULT, token: "another-token" }, addressOf("ME2"))).toMatchObject({ kind: "token" });
  });
});
