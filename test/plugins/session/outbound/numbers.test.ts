import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { isSameUser } from "../../../../plugins/session/address.ts";
import { createAllowance } from "../../../../plugins/session/outbound/limits/allowance.ts";
import { batchesOf } from "../../../../plugins/session/outbound/usync.ts";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { spellingsOf } from "../../../../src/kernel/numbers/phone-numbers.ts";
import { type Session, sendingSession, text } from "../../../support/session/sending.ts";
import { child, children, type Stanza } from "../../../support/whatsapp/wire/stanza.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterEach(() => session.net.faults.clear());
afterAll(() => session.stop());

/** The numbers of every question so far that asked who is on the network. */
const questions = () =>
  session.net.stat.usync.filter(({ protocols }) => protocols.includes("contact")).map(({ users }) => users);
const dropUsync = () => session.net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "usync");
const numbers = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(5, "0")}`);
const find = async (asked: readonly string[]) => {
  const found = await session.sender.lookup.find(asked);
  return found.ok ? Object.fromEntries(found.value) : found;
};

describe("the spellings of a number", () => {
  test.each([
    ["5511999990001", ["5511999990001", "551199990001"]],
    ["551199990001", ["551199990001", "5511999990001"]],
    ["5511959990001", ["5511959990001"]],
    ["551133330001", ["551133330001"]],
    ["5501999990001", ["5501999990001"]],
    ["351912345678", ["351912345678"]],
    ["14155550100", ["14155550100"]],
  ])("%s may be registered as %p", (number, spellings) => {
    expect(spellingsOf(number)).toEqual(spellings);
  });

  test("a question names 50 of them at most", () => {
    expect(batchesOf(numbers(120, "35191000")).map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(batchesOf(numbers(60, "5511980")).map(({ length }) => length)).toEqual([25, 25, 10]);
    expect(batchesOf([])).toEqual([]);
  });
});

describe("a lookup", () => {
  test("G-572 says who is on the network, and at which address", async () => {
    const ana = session.contact({ pn: "351912345678" });
    expect(await find(["351912345678", "351912345679"])).toEqual({
      "351912345678": { exists: true, jid: ana.jid },
      "351912345679": { exists: false, jid: null },
    });
  });

  test("the ninth digit: found under either spelling, at the address that is registered", async () => {
    session.contact({ pn: "551188880001" });
    session.contact({ pn: "5511988880002" });
    expect(await find(["5511988880001", "551188880001", "551188880002"])).toEqual({
      "5511988880001": { exists: true, jid: "551188880001@s.whatsapp.net" },
      "551188880001": { exists: true, jid: "551188880001@s.whatsapp.net" },
      "551188880002": { exists: true, jid: "5511988880002@s.whatsapp.net" },
    });
  });

  test("G-565 what was said holds for seven days, and is not asked again", async () => {
    session.contact({ pn: "351912345001" });
    await find(["351912345001", "351912345002"]);
    const asked = questions().length;
    session.host.clock.advance(7 * DAY_MS - 1);
    expect(
      Object.fromEntries(await session.sender.lookup.known(["351912345001", "351912345002", "351912345003"])),
    ).toEqual({
      "351912345001": { exists: true, jid: "351912345001@s.whatsapp.net" },
      "351912345002": { exists: false, jid: null },
    });
    await find(["351912345001", "351912345002"]);
    expect(questions()).toHaveLength(asked);
    session.host.clock.advance(1);
    expect((await session.sender.lookup.known(["351912345001"])).size).toBe(0);
    await find(["351912345001", "351912345003"]);
    expect(questions().slice(asked)).toEqual([["351912345001", "351912345003"]]);
  });

  test("without an answer nothing is known, and nothing is kept", async () => {
    const heal = dropUsync();
    expect(await find(["351912349001"])).toMatchObject({ ok: false, kind: "unavailable" });
    heal();
    session.contact({ pn: "351912349001" });
    expect((await session.sender.lookup.known(["351912349001"])).size).toBe(0);
    expect(await find(["351912349001"])).toMatchObject({ "351912349001": { exists: true } });
  });

  test("an answer that is an error for one number leaves that one open", async () => {
    session.net.faults.answerIq(
      ({ attrs }) =>
        attrs["xmlns"] === "usync"
          ? {
              tag: "iq",
              attrs: { type: "result" },
              content: [
                {
                  tag: "usync",
                  attrs: {},
                  content: [
                    {
                      tag: "list",
                      attrs: {},
                      content: [
                        userSaying("351912348001", []),
                        userSaying("351912348002", [{ tag: "error", attrs: { code: "404" } }]),
                      ],
                    },
                  ],
                },
              ],
            }
          : undefined,
      { times: 1 },
    );
    expect(await find(["351912348001", "351912348002"])).toEqual({
      "351912348001": { exists: true, jid: "351912348001@s.whatsapp.net" },
    });
  });

  test("G-574 no more than 1,000 numbers an hour, in questions of 50", async () => {
    session.host.clock.advance(HOUR_MS);
    const before = questions().length;
    const found = await find(numbers(1200, "35192000"));
    expect(Object.keys(found)).toHaveLength(1000);
    expect(questions().slice(before)).toHaveLength(20);
    expect(await find(["351930000001"])).toEqual({
      ok: false,
      kind: "unavailable",
      reason: expect.any(String),
      mayHaveHappened: false,
      retryAfterMs: HOUR_MS,
    });
    expect(questions().slice(before)).toHaveLength(20);
    session.host.clock.advance(HOUR_MS);
    expect(await find(["351930000001"])).toMatchObject({ "351930000001": { exists: false } });
  });
});

const userSaying = (number: string, content: { tag: string; attrs: Record<string, string> }[]) => ({
  tag: "user",
  attrs: { jid: `${number}@s.whatsapp.net` },
  content: [{ tag: "contact", attrs: { type: "in" }, ...(content.length > 0 ? { content } : {}) }],
});

describe("what a hour allows", () => {
  test("frees what was spent an hour ago, and says when", () => {
    const clock = manualClock();
    const allowance = createAllowance(clock);
    allowance.spend(600);
    clock.advance(10 * MINUTE_MS);
    allowance.spend(400);
    expect([allowance.left(), allowance.waitMs(1), allowance.waitMs(700)]).toEqual([0, 50 * MINUTE_MS, HOUR_MS]);
    clock.advance(50 * MINUTE_MS);
    expect([allowance.left(), allowance.waitMs(1)]).toEqual([600, 0]);
  });
});

describe("a send to a number", () => {
  test("that is registered without its ninth digit goes to the shorter one, and the other way round", async () => {
    const [old, fresh] = [session.contact({ pn: "551177770001" }), session.contact({ pn: "5511977770002" })];
    expect(await session.send(text("um"), { to: "pn:5511977770001" })).toMatchObject({ ok: true });
    expect(await session.send(text("dois"), { to: "pn:551177770002" })).toMatchObject({ ok: true });
    await old.until(({ text: said }) => said === "um");
    await fresh.until(({ text: said }) => said === "dois");
  });

  test("that is not on the network is refused, and nothing is sent", async () => {
    const sent = session.net.stat.stanzas["message"];
    expect(await session.send(text("?"), { to: "pn:351999999999" })).toMatchObject({
      ok: false,
      kind: "refused",
      code: "RECIPIENT_NOT_ON_NETWORK",
    });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
  });

  test("of which the network says nothing is tried again later", async () => {
    session.contact({ pn: "351999999001" });
    const heal = dropUsync();
    const sent = session.net.stat.stanzas["message"];
    expect(await session.send(text("?"), { to: "pn:351999999001" })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
    heal();
    expect(await session.send(text("!"), { to: "pn:351999999001" })).toMatchObject({ ok: true });
  });

  test("whose devices are not named is tried again later: the network would take a message to nobody", async () => {
    const ana = session.contact({ pn: "351999999002" });
    await find(["351999999002"]);
    const heal = dropUsync();
    const sent = session.net.stat.stanzas["message"];
    expect(await session.send(text("?"), { to: "pn:351999999002" })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
    heal();
    expect(await session.send(text("!"), { to: "pn:351999999002" })).toMatchObject({ ok: true });
    await ana.until(({ text: said }) => said === "!");
  });

  test("whose keys do not come in time is tried once more at once", async () => {
    const ana = session.contact({ pn: "351999999003" });
    // the first message of a socket asks for the keys of the sender's own devices, too
    const isForAna = (iq: Stanza) =>
      children(child(iq, "key"), "user").some(({ attrs }) => isSameUser(attrs["jid"] ?? "", ana.lidJid));
    session.net.faults.dropIq(isForAna, { times: 2 });
    const outcome = await session.send(text("!"), { to: "pn:351999999003" });
    expect(outcome).toMatchObject({ ok: true });
    await ana.until(({ text: said }) => said === "!");
    expect(session.host.logLines.filter((line) => line.includes("tried once more"))).toHaveLength(1);
  });
});
