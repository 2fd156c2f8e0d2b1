import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../src/conformance/recording-host.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { callsOf, PERSON, telegramChannel } from "../../support/networks/telegram-channel.ts";

const channel = telegramChannel();
const states = () =>
  channel().host.reports.map(({ state, reason }) => (reason === undefined ? state : `${state} ${reason}`));
const polls = () => callsOf(channel(), "getUpdates");
const say = (text: string) => channel().bot.people.say({ text }, { from: PERSON });
const isWaiting = () => channel().telegram.until(() => channel().bot.updates.isPolled);

describe("connecting", () => {
  test("asks who the bot is, takes a webhook off, and is connected when the first question was answered", async () => {
    await channel().connect();
    expect(
      channel()
        .telegram.journal.slice(0, 3)
        .map(({ method }) => method),
    ).toEqual(["getMe", "deleteWebhook", "getUpdates"]);
    expect(channel().host.reports).toEqual([
      { state: "CONNECTING" },
      { state: "CONNECTED", profile: { telegramBotId: "7012345678", telegramUsername: "PadariaBot" } },
    ]);
    expect(polls()[0]?.fields).toEqual({
      limit: 50,
      timeout: 0,
      allowed_updates: [
        "message",
        "edited_message",
        "channel_post",
        "edited_channel_post",
        "business_connection",
        "business_message",
        "edited_business_message",
        "deleted_business_messages",
        "callback_query",
        "message_reaction",
        "my_chat_member",
        "poll",
        "poll_answer",
      ],
    });
    expect(channel().link.lastReceivedAt).toBe(channel().host.clock.now());
  });

  test("a webhook that was set elsewhere is taken off, and what waited comes", async () => {
    channel().bot.updates.setWebhook({ url: "https://elsewhere.example.com", secret: "" }, false);
    say("oi");
    await channel().connect();
    await channel().host.until(() => channel().host.events.length === 1);
  });

  test("a token that the network does not know is TOKEN_EXPIRED, and is not asked about again", async () => {
    channel().bot.isRevoked = true;
    channel().link.connect();
    await channel().host.settled();
    expect(states()).toEqual(["CONNECTING", "TOKEN_EXPIRED TOKEN_EXPIRED"]);
    expect(channel().host.clock.pendingTimers).toBe(0);
  });

  test("a network that is away is asked ever less often; after ten times the channel is disconnected", async () => {
    channel().telegram.failNext(/^getMe$/, { kind: "cut", isTaken: false }, 10);
    channel().link.connect();
    for (let tries = 1; tries <= 10; tries++) {
      await channel().telegram.until(() => callsOf(channel(), "getMe").length === tries);
      await channel().host.settled();
      expect(channel().host.clock.pendingTimers).toBe(1);
      if (tries === 9) expect(states()).toEqual(["CONNECTING"]);
      if (tries < 10) channel().host.clock.advance(61 * SECOND_MS);
    }
    expect(states()).toEqual(["CONNECTING", "DISCONNECTED CONNECTION_LOST"]);
    channel().host.clock.advance(61 * SECOND_MS);
    await channel().host.until(() => channel().host.state === "CONNECTED");
  });

  test("waits as long as the network says when it asks to slow down", async () => {
    channel().telegram.failNext(/^getMe$/, {
      kind: "refuse",
      status: 429,
      description: "Too Many Requests: retry after 90",
      parameters: { retry_after: 90 },
    });
    channel().link.connect();
    await channel().host.settled();
    channel().host.clock.advance(89 * SECOND_MS);
    await channel().host.settled();
    expect(callsOf(channel(), "getMe").length).toBe(1);
    channel().host.clock.advance(SECOND_MS);
    await channel().host.until(() => channel().host.state === "CONNECTED");
  });
});

describe("updates", () => {
  test("are confirmed by the next question, when their events are on disk", async () => {
    const { host, bot, telegram } = channel();
    await channel().connect();
    await isWaiting();
    const { update } = say("um");
    await telegram.until(() => polls().at(-1)?.fields["offset"] === update.update_id + 1);
    expect(host.events.map(({ kind }) => kind)).toEqual(["received"]);
    expect(bot.updates.confirmed).toBe(1);
  });

  /** From now on the host stores no event that `isRefused` names; the names of all events that it was given. */
  const refuseEvents = (isRefused: (name: string) => boolean): string[] => {
    const { host } = channel();
    const emit = host.emit.bind(host);
    const given: string[] = [];
    Object.assign(host, {
      emit: (event: Parameters<typeof emit>[0]) => {
        const name = "key" in event && event.key !== undefined ? event.key : event.kind;
        given.push(name);
        return isRefused(name) ? Promise.reject(new Error("the disk is full")) : emit(event);
      },
    });
    return given;
  };
  /** Resolves when the link has connected so often, and has handed over what came then. */
  const untilConnected = async (times: number) => {
    await channel().host.until(() => states().filter((state) => state === "CONNECTED").length === times);
    await channel().host.settled();
  };
  const connectFor = async (tries: number) => {
    channel().link.connect();
    await untilConnected(1);
    for (let times = 2; times <= tries; times++) {
      channel().host.clock.advance(5 * SECOND_MS);
      await untilConnected(times);
    }
  };

  test("that could not be stored are asked for again, and none after them is stored before", async () => {
    const { host, bot } = channel();
    let refusals = 1;
    const given = refuseEvents(() => refusals-- > 0);
    say("um");
    say("dois");
    await connectFor(1);
    expect([given.length, host.events.length, bot.updates.confirmed]).toEqual([1, 0, 0]);
    host.clock.advance(5 * SECOND_MS);
    await host.until(() => host.events.length === 2);
    expect(given).toEqual([`${PERSON}:101`, `${PERSON}:101`, `${PERSON}:102`]);
  });

  test("that can never be stored are skipped at the fifth try, logged and counted; the next one comes", async () => {
    const { host, bot } = channel();
    const given = refuseEvents((name) => name === `${PERSON}:101`);
    const { update } = say("um");
    say("dois");
    await connectFor(4);
    expect([given.length, host.events.length, bot.updates.confirmed]).toEqual([4, 0, 0]);
    host.clock.advance(5 * SECOND_MS);
    await host.until(() => host.events.length === 2);
    expect(host.events).toMatchObject([
      { kind: "unknown", what: "update that cannot be stored" },
      { kind: "received", key: `${PERSON}:102` },
    ]);
    await channel().telegram.until(() => bot.updates.confirmed === 2);
    expect(given.filter((name) => name === `${PERSON}:101`).length).toBe(5);
    const line = host.logLines.map((text) => JSON.parse(text)).find(({ msg }) => msg.endsWith("is skipped"));
    expect(line).toMatchObject({ updateId: update.update_id, tries: 5 });
  });

  test("are never skipped while nothing at all can be stored", async () => {
    const { host, bot } = channel();
    let isDiskFull = true;
    const given = refuseEvents(() => isDiskFull);
    say("um");
    await connectFor(8);
    expect(given.filter((name) => name === `${PERSON}:101`).length).toBe(8);
    expect([host.events.length, bot.updates.confirmed]).toEqual([0, 0]);
    isDiskFull = false;
    host.clock.advance(5 * SECOND_MS);
    await host.until(() => host.events.length === 1);
    expect(host.events).toMatchObject([{ kind: "received", key: `${PERSON}:101` }]);
  });

  test("come again after a restart where nobody confirmed them, under the same key", async () => {
    const { host, link, open, connect, bot } = channel();
    await connect();
    await isWaiting();
    say("um");
    await host.until(() => host.events.length === 1);
    await link.close();
    bot.updates.endPoll();
    const other = open();
    await connect(other);
    say("dois");
    await other.host.until(() => other.host.events.some((event) => "key" in event && event.key === `${PERSON}:102`));
    expect(other.host.events.length).toBeLessThanOrEqual(2);
  });

  test("an answer that is too long to read is asked for in parts", async () => {
    await channel().connect();
    await isWaiting();
    channel().telegram.failNext(/^getUpdates$/, { kind: "garble" });
    say("um");
    await channel().host.until(() => channel().host.events.length === 1);
    say("dois");
    await channel().host.until(() => channel().host.state === "CONNECTING");
    channel().host.clock.advance(5 * SECOND_MS);
    await channel().host.until(() => channel().host.events.length === 2);
    expect(polls().some(({ fields }) => fields["limit"] === 1)).toBe(true);
  });

  test("a button that is pressed is answered, so that its wheel stops turning", async () => {
    const { bot, telegram, host } = channel();
    await channel().send({ type: "button", content: { text: "Confirma?", buttons: [{ id: "yes", text: "Sim" }] } });
    await channel().connect();
    await isWaiting();
    bot.people.press(101, "yes", { from: PERSON, id: "4382" });
    await telegram.until(() => callsOf(channel(), "answerCallbackQuery").length === 1);
    expect(host.events[0]).toMatchObject({
      content: { type: "button_reply", content: { selectedId: "yes", text: "Sim" } },
      quotedProviderMessageId: `${PERSON}:101`,
    });
  });
});

describe("interruptions", () => {
  test("an open question that breaks off is an interruption, and is counted", async () => {
    await channel().connect();
    await isWaiting();
    channel().telegram.failNext(/^getUpdates$/, { kind: "cut", isTaken: false });
    say("um"); // ends the open question; the next one is cut
    await channel().host.until(() => channel().host.state === "CONNECTING");
    expect(channel().host.endings).toEqual(["retry"]);
    channel().host.clock.advance(5 * SECOND_MS);
    await channel().host.until(() => channel().host.state === "CONNECTED");
    expect(states()).toEqual(["CONNECTING", "CONNECTED", "CONNECTING", "CONNECTED"]);
  });

  test("a second program that takes the updates disconnects the channel at the third time", async () => {
    const { open, host } = channel();
    await channel().connect();
    for (let times = 1; times <= 3; times++) {
      await isWaiting();
      const rival = open();
      rival.link.connect();
      await host.until(() => host.endings.length === times);
      await rival.link.close();
      if (times === 3) break;
      host.clock.advance(61 * SECOND_MS);
      await host.until(() => channel().host.state === "CONNECTED");
    }
    expect(host.endings).toEqual(["conflict", "conflict", "conflict"]);
    expect(host.reports.at(-1)).toEqual({ state: "DISCONNECTED", reason: "POLLING_CONFLICT" });
    expect(host.clock.pendingTimers).toBe(0);
  });

  test("a token that is revoked while a question is open ends the connection", async () => {
    await channel().connect();
    await isWaiting();
    channel().bot.isRevoked = true;
    say("um");
    await channel().host.until(() => channel().host.state === "TOKEN_EXPIRED");
    expect(channel().host.endings).toEqual(["token"]);
  });

  test("closing calls the open question off, so that the next to ask is not refused", async () => {
    const { link, bot, open, connect } = channel();
    await connect();
    await isWaiting();
    await link.close();
    const other = open();
    await connect(other);
    expect(other.host.reports.map(({ state }) => state)).toEqual(["CONNECTING", "CONNECTED"]);
    expect(bot.updates.confirmed).toBe(0);
    await nextTurn();
    expect(link.lastReceivedAt).toBeUndefined();
  });

  test("what an older connection meets counts no more", async () => {
    const { link, host, connect } = channel();
    await connect();
    link.connect();
    link.connect();
    await host.settled();
    expect(host.state).toBe("CONNECTED");
    expect(host.endings).toEqual([]);
  });
});
