import { describe, expect, test } from "bun:test";
import { callsOf, telegramChannel } from "../../support/networks/telegram-channel.ts";

const channel = telegramChannel();
const fail = (method: RegExp, description: string) =>
  channel().telegram.failNext(method, { kind: "refuse", status: 404, description });
const METHOD_UNKNOWN = "Not Found: method not found";

describe("an answer 404", () => {
  test("that names the method of a send refuses this message, and the channel stays connected", async () => {
    await channel().connect();
    fail(/^sendRichMessage$/, METHOD_UNKNOWN);
    expect(await channel().send({ type: "rich_text", content: { text: "**oi**" } })).toMatchObject({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
      upstreamCode: 404,
    });
    expect(channel().host.state).toBe("CONNECTED");
    expect(await channel().send()).toMatchObject({ ok: true });
  });

  test("that names no method lets a send be tried again, and the channel stays connected", async () => {
    await channel().connect();
    fail(/^sendMessage$/, "Not Found");
    expect(await channel().send()).toMatchObject({ ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE" });
    expect(channel().host.state).toBe("CONNECTED");
  });

  test.each([/^getMe$/, /^getUpdates$/])("of %p is a refused token", async (method) => {
    fail(method, "Not Found");
    channel().link.connect();
    await channel().host.until(() => channel().host.state === "TOKEN_EXPIRED");
    expect(callsOf(channel(), "getMe").length).toBe(1);
  });
});

test("a refusal of the old token leaves the connection of the new token alone", async () => {
  const { host, bot, link } = channel();
  await channel().connect();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
  const read = host.vault.read.bind(host.vault);
  let isFirst = true;
  Object.assign(host.vault, {
    async read() {
      const fields = await read();
      if (!isFirst) return fields;
      isFirst = false;
      ask();
      await passed; // the new token comes meanwhile
      return { ...fields, token: `${bot.id}:${"x".repeat(35)}` };
    },
  });
  const sent = channel().send();
  await asked;
  link.connect();
  await host.until(() => host.reports.filter(({ state }) => state === "CONNECTED").length === 2);
  pass();
  expect(await sent).toMatchObject({ ok: false, kind: "retry", code: "CREDENTIALS_REFUSED" });
  expect(host.state).toBe("CONNECTED");
});
