import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Found } from "../../../../src/contract/abilities/lookup.ts";
import { reported, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { bulkSender, numbers, type Sender } from "../../../support/tenants/bulk.ts";
import { made, wabaChannel } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

let network: SessionNetwork;
let w: World;
let who: Sender;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  network.asked.length = 0;
  network.answers.length = 0;
  who = await bulkSender(w);
});
afterAll(() => w.stop());

const [ANA = "", BIA = "", CAIO = ""] = numbers(3);
const NOBODY = "9990000000";
const validate = (body: object, key = who.key) => w.platform("/v1/bulk/validate", { key, body });
const verdicts = async (body: object, key = who.key) => made(await validate(body, key), 200);
const there = (number: string): [string, Found] => [number, { exists: true, jid: `${number}@s.whatsapp.net` }];

describe("POST /v1/bulk/validate", () => {
  test("P-343 without a channel 8 to 15 digits are valid; each given number has one verdict, in order", async () => {
    const wrong = ["abc", "+5511999990002", "1234567", "1234567890123456", "", `${ANA}\n`, "01199999000"];
    const body = await verdicts({ numbers: [ANA, ...wrong, "12345678", ANA, "123456789012345"] });
    expect(body).toEqual({
      total: 11,
      valid: [ANA, "12345678", ANA, "123456789012345"],
      invalid: wrong.map((number) => ({ number, reason: "invalid_format" })),
    });
    expect(network.asked).toEqual([]);
  });

  test("P-343 through a connected CHAT_SESSION the network is asked once about each number, and never about other texts", async () => {
    const body = await verdicts({ channelId: who.channelId, numbers: [ANA, "abc", NOBODY, ANA] });
    const invalid = [
      { number: "abc", reason: "invalid_format" },
      { number: NOBODY, reason: "not_on_network" },
    ];
    expect(body).toEqual({ total: 4, valid: [ANA, ANA], invalid, unchecked: [] });
    expect(network.asked).toEqual([[ANA, NOBODY]]);
    expect(await verdicts({ channelId: who.channelId, numbers: [NOBODY, BIA] })).toMatchObject({
      valid: [BIA],
      invalid: [{ number: NOBODY }],
    });
    expect(network.asked.slice(1)).toEqual([[BIA]]);
  });

  test("P-343 a network that answers some of them is asked for the others", async () => {
    network.answers.push({ ok: true, value: new Map([there(ANA)]) }, { ok: true, value: new Map([there(CAIO)]) });
    expect(await verdicts({ channelId: who.channelId, numbers: [ANA, BIA, CAIO] })).toMatchObject({
      valid: [ANA, BIA, CAIO],
      unchecked: [],
    });
    expect(network.asked).toEqual([[ANA, BIA, CAIO], [BIA, CAIO], [BIA]]);
  });

  test("P-343 what the network would not say now is valid by its form, and said to be unchecked", async () => {
    network.answers.push(
      { ok: true, value: new Map([there(ANA)]) },
      { ok: false, kind: "unavailable", reason: "enough for this hour", mayHaveHappened: false, retryAfterMs: 60_000 },
    );
    expect(await verdicts({ channelId: who.channelId, numbers: [ANA, BIA, NOBODY, "abc"] })).toEqual({
      total: 4,
      valid: [ANA, BIA, NOBODY],
      invalid: [{ number: "abc", reason: "invalid_format" }],
      unchecked: [BIA, NOBODY],
    });
    expect(network.asked).toHaveLength(2);
  });

  test("P-343 a network that goes on answering little is not asked for ever", async () => {
    network.answers.push(
      ...Array.from({ length: 50 }, (_, n) => ({ ok: true as const, value: new Map([there(numbers(50)[n] ?? "")]) })),
    );
    expect((await verdicts({ channelId: who.channelId, numbers: numbers(50) })).unchecked).toEqual(
      numbers(50).slice(10),
    );
    expect(network.asked).toHaveLength(10);
  });

  test("P-343 another kind of channel, and one that is not connected, leave it at the form", async () => {
    const waba = await wabaChannel(w, who.key);
    await reported(w, network, who.channelId, { state: "CONNECTING" });
    for (const channelId of [waba.id, who.channelId])
      expect(await verdicts({ channelId, numbers: [NOBODY] })).toEqual({ total: 1, valid: [NOBODY], invalid: [] });
    expect(network.asked).toEqual([]);
  });

  test("P-119 P-343 a test key asks the simulated network alone", async () => {
    const body = await verdicts({ channelId: who.channelId, numbers: [ANA, "999110000"] }, who.testKey);
    expect(body).toEqual({
      total: 2,
      valid: [ANA],
      invalid: [{ number: "999110000", reason: "not_on_network" }],
      unchecked: [],
    });
    expect(network.asked).toEqual([]);
  });

  test("P-119 P-343 a test key asks it through a connection that is simulated, too; a live key sees none", async () => {
    const { id: channelId } = made(
      await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
      201,
    );
    const form = { total: 2, valid: [ANA, "999110000000"], invalid: [] };
    expect(await verdicts({ channelId, numbers: form.valid }, who.testKey)).toEqual(form);
    made(await w.platform(`/v1/sandbox/channels/${channelId}/connect`, { key: who.testKey, method: "POST" }), 200);
    const invalid = [{ number: "999110000000", reason: "not_on_network" }];
    expect(await verdicts({ channelId, numbers: form.valid }, who.testKey)).toEqual({
      total: 2,
      valid: [ANA],
      invalid,
      unchecked: [],
    });
    expect(await verdicts({ channelId, numbers: form.valid })).toEqual(form);
    expect(network.asked).toEqual([]);
  });

  test("P-343 1 to 1000 numbers, each a text; an unknown channel and another institution's are a 404", async () => {
    for (const [fields, path] of [
      [{}, "numbers"],
      [{ numbers: [] }, "numbers"],
      [{ numbers: numbers(1001) }, "numbers"],
      [{ numbers: [ANA, 7] }, "numbers.1"],
      [{ numbers: [ANA], channelId: 7 }, "channelId"],
    ] as const)
      expect(await validate(fields)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", errors: [{ path }] },
      });
    expect((await verdicts({ numbers: numbers(1000) })).valid).toHaveLength(1000);
    const stranger = await bulkSender(w);
    for (const channelId of [stranger.channelId, "none"])
      expect(await validate({ channelId, numbers: [ANA] })).toMatchObject({
        status: 404,
        body: { code: "CHANNEL_NOT_FOUND" },
      });
    expect(network.asked).toEqual([]);
  });
});
