import { describe, expect, test } from "bun:test";
import type { Action } from "../../../src/contract/abilities/operations.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { HOUR_MS } from "../../../src/kernel/clock.ts";
import { callsOf, keyOf, PERSON, telegramChannel } from "../../support/networks/telegram-channel.ts";

const channel = telegramChannel();

const operate = (action: Action, key: ProviderMessageId, sender: string | null = null) =>
  channel().link.operate?.({ ...action, key, chat: `uid:${PERSON}`, sender });
const sent = async () => {
  const outcome = await channel().send();
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.key;
};
const stored = (key: string) => channel().bot.messages.get(key);

describe("a reaction", () => {
  test("is set on what came and on what was sent, and taken back", async () => {
    const { messageId } = channel().bot.people.say({ text: "oi" }, { from: PERSON });
    const key = keyOf(PERSON, messageId);
    expect(await operate({ name: "react", emoji: "👍" }, key, `uid:${PERSON}`)).toEqual({ ok: true });
    expect(stored(key)?.reaction).toBe("👍");
    expect(await operate({ name: "react", emoji: "" }, key, `uid:${PERSON}`)).toEqual({ ok: true });
    expect(stored(key)?.reaction).toBeUndefined();
  });

  test("that the network does not offer is refused", async () => {
    expect(await operate({ name: "react", emoji: "🥖" }, await sent())).toMatchObject({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
    });
  });
});

describe("an edit", () => {
  test("changes the text, and asked for twice it is done", async () => {
    const key = await sent();
    expect(await operate({ name: "edit", text: "melhor" }, key)).toEqual({ ok: true });
    expect(await operate({ name: "edit", text: "melhor" }, key)).toEqual({ ok: true });
    expect(stored(key)?.text).toBe("melhor");
  });

  test("changes the caption of a file", async () => {
    await channel().send({ type: "image", content: { mediaUrl: "https://files.example.com/a.jpg", caption: "antes" } });
    expect(await operate({ name: "edit", text: "depois" }, keyOf(PERSON, 101))).toEqual({ ok: true });
    expect(stored(keyOf(PERSON, 101))?.caption).toBe("depois");
  });

  test("of a message that is not there is refused", async () => {
    expect(await operate({ name: "edit", text: "x" }, keyOf(PERSON, 9999))).toMatchObject({
      ok: false,
      kind: "refused",
      upstreamCode: 400,
    });
  });
});

describe("a deletion", () => {
  test("takes the message back, and asked for twice it is done", async () => {
    const key = await sent();
    expect(await operate({ name: "delete" }, key)).toEqual({ ok: true });
    expect(await operate({ name: "delete" }, key)).toEqual({ ok: true });
    expect(stored(key)?.isDeleted).toBe(true);
  });

  test("after 48 hours is refused by the network, and the message stays", async () => {
    const key = await sent();
    channel().host.clock.advance(48 * HOUR_MS + 1);
    expect(await operate({ name: "delete" }, key)).toMatchObject({ ok: false, kind: "refused" });
    expect(stored(key)?.isDeleted).toBe(false);
  });
});

test("typing is shown in the chat", async () => {
  const { messageId } = channel().bot.people.say({ text: "oi" }, { from: PERSON });
  expect(await operate({ name: "typing" }, keyOf(PERSON, messageId), `uid:${PERSON}`)).toEqual({ ok: true });
  expect(callsOf(channel(), "sendChatAction")[0]?.fields).toEqual({ chat_id: PERSON, action: "typing" });
});

test("reading cannot be reported, and a pressed button is no message: nothing is asked", async () => {
  const unsupported = { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED" };
  expect(await operate({ name: "read" }, keyOf(PERSON, 1), `uid:${PERSON}`)).toMatchObject(unsupported);
  expect(
    await operate({ name: "react", emoji: "👍" }, `${PERSON}:q4382` as ProviderMessageId, `uid:${PERSON}`),
  ).toMatchObject(unsupported);
  expect(channel().telegram.journal).toEqual([]);
});

test("no answer is tried again, and so is a rate limit", async () => {
  const key = await sent();
  channel().telegram.failNext(/^deleteMessage$/, { kind: "cut", isTaken: false });
  expect(await operate({ name: "delete" }, key)).toMatchObject({ ok: false, kind: "unknown" });
  channel().telegram.failNext(/^deleteMessage$/, {
    kind: "refuse",
    status: 429,
    description: "Too Many Requests: retry after 3",
    parameters: { retry_after: 3 },
  });
  expect(await operate({ name: "delete" }, key)).toMatchObject({ ok: false, kind: "retry", retryAfterMs: 3000 });
});

test("after the link is closed nothing is asked", async () => {
  const key = await sent();
  await channel().link.close();
  expect(await operate({ name: "delete" }, key)).toMatchObject({
    ok: false,
    kind: "retry",
    code: "CHANNEL_UNAVAILABLE",
  });
  expect(callsOf(channel(), "deleteMessage")).toEqual([]);
});
