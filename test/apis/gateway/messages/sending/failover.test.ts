import { describe, expect, test } from "bun:test";
import type { LinkState } from "../../../../../src/contract/events.ts";
import type { SendOutcome } from "../../../../../src/contract/outcome.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../../../src/kernel/ids.ts";
import { updateChannel } from "../../../../../src/store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../../../src/store/tables/scope.ts";
import { receivedBy, rowsOf, TO, tracesOf } from "../../../../support/customers/customer.ts";
import {
  AFTER_MINUTES,
  muchLater,
  newTwoPhones,
  type TwoPhones,
  useTwoPhones,
} from "../../../../support/customers/failover.ts";
import { knownTemplate } from "../../../../support/customers/templates.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { reported } from "../../../../support/session/scripted-sends.ts";
import { startWorld } from "../../../../support/world.ts";

const { w, network, c } = useTwoPhones();

const AFTER_MS = AFTER_MINUTES * MINUTE_MS;
const bySession = () => network.sent.filter(({ channelId }) => channelId === c.phone.id);
const fallbackEvents = () => receivedBy(c.hook, "message:fallback");
/** A try whose end nobody knows. */
const SILENT: SendOutcome = { ok: false, kind: "unknown", code: "UPSTREAM_UNAVAILABLE", reason: "no answer came" };
const refused = (code: Extract<SendOutcome, { ok: false }>["code"]): SendOutcome => ({
  ok: false,
  kind: "refused",
  code,
  reason: "the network said no",
});
const stateOf = (phoneId: string, state: LinkState) =>
  w.app.env.db.write((tx) => updateChannel(tx, EVERY_TENANT, phoneId as ChannelId, { state }));
const timelineOf = async (id: string) => (await w.gateway(`/v1/messages/${id}/timeline`, { key: c.key })).body;
const timeline = async (id: string): Promise<string[]> =>
  (await timelineOf(id)).steps.map(({ kind }: { kind: string }) => kind);

describe("a phone that is lost", () => {
  test("a message is accepted while its phone is away, and the template goes out after the time that it had", async () => {
    await c.lost();
    const id = await c.sentWith();
    await w.advance(AFTER_MS - 1);
    expect([c.templates(), await c.message(id)]).toMatchObject([
      [],
      { status: "QUEUED", fallback: { status: "WAITING" } },
    ]);
    await w.advance(1);
    const first = await c.message(id);
    expect(first).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[FALLBACK_TAKEN\] /),
      fallback: { status: "TAKEN", reason: "lost", mayHaveArrived: false, phoneId: c.official.id, error: null },
    });
    const second = first.fallback.messageId as string;
    expect(await c.message(second)).toMatchObject({ status: "SENT", fallbackOf: id });
    const { requestId } = await timelineOf(id);
    expect(requestId).toEqual(expect.any(String));
    expect((await timelineOf(second)).requestId).toBe(requestId);
    expect(c.templates()).toMatchObject([{ type: "template", biz_opaque_callback_data: second }]);
    expect(fallbackEvents()).toMatchObject([
      { messageId: id, outcome: "taken", reason: "lost", mayHaveArrived: false, fallbackMessageId: second },
    ]);
    expect(await timeline(id)).toEqual(["ACCEPTED", "FAILED", "FALLBACK_TAKEN"]);
    expect(await timeline(second)).toEqual(["ACCEPTED", "FALLBACK_FOR", "SENT"]);
  });

  test("the phone that comes back sends nothing, because the template has gone out", async () => {
    await c.lost();
    await c.sentWith();
    await w.advance(AFTER_MS);
    await c.back();
    await muchLater(w);
    expect([bySession(), c.templates().length]).toEqual([[], 1]);
  });

  test("a phone that comes back in time sends the message, and nothing else goes out", async () => {
    await c.lost();
    const id = await c.sentWith({ when: ["lost"] });
    await w.advance(AFTER_MS - 1);
    await c.back();
    await w.settle();
    await muchLater(w);
    expect([bySession().length, c.templates()]).toEqual([1, []]);
    expect(await c.message(id)).toMatchObject({ status: "SENT", fallback: { status: "WAITING", messageId: null } });
  });

  test("a phone that has been away for that long already waits no more", async () => {
    await c.lost();
    await w.advance(AFTER_MS);
    const id = await c.sentWith();
    expect([(await c.message(id)).fallback.status, c.templates().length]).toEqual(["TAKEN", 1]);
  });

  test("a phone that was away and is back has its whole time", async () => {
    await c.lost();
    await w.advance(AFTER_MS - MINUTE_MS);
    network.pace = () => HOUR_MS;
    const id = await c.sentWith();
    await c.back();
    await w.advance(MINUTE_MS);
    expect((await c.message(id)).fallback.status).toBe("WAITING");
    await w.advance(AFTER_MS);
    expect((await c.message(id)).fallback).toMatchObject({ status: "TAKEN", reason: "silent" });
    expect([bySession(), c.templates().length]).toEqual([[], 1]);
  });

  test("without `lost`, a phone that is away is refused as ever, and nothing happens", async () => {
    await c.lost();
    const before = await tracesOf(w, c);
    expect(gatewaySays(await c.send({ fallback: c.fallback({ when: ["silent"] }) }))).toBe("409 PHONE_NOT_CONNECTED");
    expect(await tracesOf(w, c)).toEqual(before);
    expect(await rowsOf(w, "SELECT id FROM fallbacks WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  });

  test("a phone that is deleted meanwhile is lost at once", async () => {
    await c.lost();
    const id = await c.sentWith();
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect((await c.message(id)).fallback).toMatchObject({ status: "TAKEN", reason: "lost" });
    expect(c.templates()).toHaveLength(1);
  });
});

describe("a phone that is restricted", () => {
  test("a refusal of the network sends the template at once", async () => {
    network.outcomes.push(refused("UPSTREAM_ACCOUNT_RESTRICTED"));
    const id = await c.sentWith();
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[UPSTREAM_ACCOUNT_RESTRICTED\] /),
      fallback: { status: "TAKEN", reason: "restricted", mayHaveArrived: false },
    });
    expect(c.templates()).toHaveLength(1);
  });

  test("a restriction that forbids everything sends the template without a wait", async () => {
    const restriction = { reason: "LOCKED", until: null, allows: "none" } as const;
    network.pace = () => HOUR_MS;
    await reported(w, network, c.phone.id, { state: "RESTRICTED", reason: "LOCKED", restriction });
    const id = await c.sentWith({ when: ["restricted"] });
    expect((await c.message(id)).fallback).toMatchObject({ status: "TAKEN", reason: "restricted" });
    expect([bySession(), c.templates().length]).toEqual([[], 1]);
  });

  test("a refusal of the content is none of the fallback's: the message fails, and nothing is sent", async () => {
    network.outcomes.push(refused("UPSTREAM_BAD_REQUEST"));
    const id = await c.sentWith();
    await muchLater(w);
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      fallback: { status: "NOT_NEEDED", messageId: null },
    });
    expect(c.templates()).toEqual([]);
  });
});

describe("a message without a receipt", () => {
  test("that its phone holds back is replaced, because nothing of it has left", async () => {
    network.pace = () => HOUR_MS;
    const id = await c.sentWith();
    await w.advance(AFTER_MS);
    network.pace = () => 0;
    await muchLater(w);
    expect((await c.message(id)).fallback).toMatchObject({ status: "TAKEN", reason: "silent", mayHaveArrived: false });
    expect([bySession(), c.templates().length]).toEqual([[], 1]);
  });

  test("that was sent may have arrived: the template is withheld, and the message says so", async () => {
    const id = await c.sentWith();
    await w.advance(AFTER_MS);
    expect(await c.message(id)).toMatchObject({
      status: "SENT",
      fallback: { status: "WITHHELD", reason: "silent", mayHaveArrived: true, messageId: null },
    });
    await muchLater(w);
    expect(c.templates()).toEqual([]);
    expect(fallbackEvents()).toMatchObject([
      { messageId: id, outcome: "withheld", reason: "silent", mayHaveArrived: true },
    ]);
    expect(await timeline(id)).toEqual(["ACCEPTED", "SENT", "FALLBACK_WITHHELD"]);
  });

  test("whose caller lets both arrive is followed by the template, and both say so", async () => {
    const id = await c.sentWith({ mayArriveTwice: true });
    await w.advance(AFTER_MS);
    expect(await c.message(id)).toMatchObject({
      status: "SENT",
      fallback: { status: "TAKEN", reason: "silent", mayHaveArrived: true },
    });
    expect([bySession().length, c.templates().length]).toEqual([1, 1]);
    await c.receipt(id, "delivered");
    expect((await c.message(id)).status).toBe("DELIVERED");
  });

  test("a receipt in time, or late, leaves nothing to do", async () => {
    const [early, late] = [await c.sentWith({ mayArriveTwice: true }), await c.sentWith()];
    await w.advance(AFTER_MS - 1);
    await c.receipt(early, "delivered");
    await w.advance(1);
    expect((await c.message(late)).fallback.status).toBe("WITHHELD");
    await c.receipt(late, "read");
    await muchLater(w);
    expect([(await c.message(early)).fallback.status, (await c.message(late)).fallback.status]).toEqual([
      "NOT_NEEDED",
      "NOT_NEEDED",
    ]);
    expect(c.templates()).toEqual([]);
  });

  test("a try without an answer may have arrived: the template is withheld, in whatever state the phone is", async () => {
    network.outcomes.push(SILENT);
    const id = await c.sentWith();
    await c.lost();
    await w.advance(AFTER_MS);
    expect((await c.message(id)).fallback).toMatchObject({ status: "WITHHELD", reason: "lost", mayHaveArrived: true });
    await w.advance(2 * DAY_MS);
    expect((await c.message(id)).failedReason).toStartWith("[CHANNEL_UNAVAILABLE]");
    expect([(await c.message(id)).fallback.status, c.templates()]).toEqual(["WITHHELD", []]);
  });

  test("a crash in the middle of a try counts as such a try, even when the next one is refused", async () => {
    network.outcomes.push(SILENT, refused("UPSTREAM_ACCOUNT_RESTRICTED"));
    const id = await c.sentWith();
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE messages SET send_state = 'SENDING', uncertain_attempts = 0 WHERE id = ?1", [id]),
    );
    await w.advance(2 * MINUTE_MS);
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      fallback: { status: "WITHHELD", mayHaveArrived: true },
    });
    await muchLater(w);
    expect(c.templates()).toEqual([]);
  });

  test("a report that the only try failed makes the case certain", async () => {
    const id = await c.sentWith({ when: ["silent", "restricted"] });
    await w.advance(AFTER_MS);
    expect((await c.message(id)).fallback.status).toBe("WITHHELD");
    const [row] = await rowsOf<{ key: string }>(w, "SELECT provider_message_id AS key FROM messages WHERE id = ?1", [
      id,
    ]);
    await network.notify(c.phone.id, {
      kind: "receipt",
      key: row?.key as never,
      status: "failed",
      at: w.app.env.clock.now(),
      error: {
        code: 463,
        reason: "restricted",
        isFormatRefused: false,
        failure: "UPSTREAM_ACCOUNT_RESTRICTED",
      } as never,
    });
    await w.settle();
    expect((await c.message(id)).fallback).toMatchObject({
      status: "TAKEN",
      reason: "restricted",
      mayHaveArrived: false,
    });
    expect(c.templates()).toHaveLength(1);
  });
});

describe("what cannot be sent in its place", () => {
  test.each<[what: string, fallback: (c: TwoPhones) => object, answer: string]>([
    ["the same phone", ({ phone }) => ({ phoneId: phone.id }), "400 VALIDATION_ERROR"],
    ["an unknown phone", () => ({ phoneId: "0198a000-1111-4222-8333-444455556666" }), "404 PHONE_NOT_FOUND"],
    ["an unknown template", () => ({ template: { name: "other" } }), "400 TEMPLATE_NOT_APPROVED"],
    ["no time", () => ({ afterMinutes: 0 }), "400 VALIDATION_ERROR"],
    ["no case", () => ({ when: [] }), "400 VALIDATION_ERROR"],
  ])("%s is refused with the send, and nothing happens", async (_, more, answer) => {
    const before = await tracesOf(w, c);
    expect(gatewaySays(await c.send({ fallback: c.fallback(more(c)) }))).toBe(answer);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("another account's phone does not exist", async () => {
    const stranger = await newTwoPhones(w, network);
    const before = await tracesOf(w, c);
    const said = await c.send({ fallback: c.fallback({ phoneId: stranger.official.id }) });
    expect(gatewaySays(said)).toBe("404 PHONE_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("a person without a number is refused where the fallback needs one", async () => {
    expect(gatewaySays(await c.send({ to: "123456789012345@lid", fallback: c.fallback() }))).toStartWith(
      "400 INVALID_",
    );
  });

  test("a template that is paused meanwhile is refused, and the message still waits for its phone", async () => {
    await c.lost();
    const id = await c.sentWith();
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE templates SET status = 'PAUSED' WHERE channel_id = ?1", [c.official.id]),
    );
    await w.advance(AFTER_MS);
    expect(await c.message(id)).toMatchObject({
      status: "QUEUED",
      fallback: { status: "REFUSED", reason: "lost", error: { code: "TEMPLATE_NOT_APPROVED" }, messageId: null },
    });
    expect(fallbackEvents()).toMatchObject([
      { messageId: id, outcome: "refused", error: { code: "TEMPLATE_NOT_APPROVED" } },
    ]);
    await c.back();
    await w.settle();
    expect([(await c.message(id)).status, bySession().length, c.templates()]).toEqual(["SENT", 1, []]);
  });

  test("an answer to a person who opted out goes out, and anything else is refused", async () => {
    await c.lost();
    const [answer, other] = [await c.sentWith({}, { isAnswer: true }), await c.sentWith()];
    await network.notify(c.phone.id, {
      kind: "consent",
      at: w.clock.now(),
      nativeId: "stop",
      from: { pn: TO },
      state: "opted_out",
    });
    await w.advance(AFTER_MS);
    expect(await c.message(answer)).toMatchObject({ status: "FAILED", fallback: { status: "TAKEN" } });
    expect(await c.message(other)).toMatchObject({
      status: "QUEUED",
      fallback: { status: "REFUSED", error: { code: "RECIPIENT_OPTED_OUT" } },
    });
    expect(c.templates().length).toBe(1);
  });

  test("a second phone that is away too is waited for", async () => {
    await c.lost();
    const id = await c.sentWith();
    await stateOf(c.official.id, "TOKEN_EXPIRED");
    await w.advance(AFTER_MS);
    expect((await c.message(id)).fallback.status).toBe("WAITING");
    await stateOf(c.official.id, "CONNECTED");
    await w.advance(2 * AFTER_MS);
    expect([(await c.message(id)).fallback.status, c.templates().length]).toEqual(["TAKEN", 1]);
  });
});

describe("once and no more", () => {
  test("a repeated request with its idempotency key sends nothing, and another fallback is another request", async () => {
    await c.lost();
    const idempotencyKey = "pedido-1042-pronto";
    const id = await c.sentWith({}, { idempotencyKey });
    expect((await c.send({ fallback: c.fallback(), idempotencyKey })).body).toMatchObject({ messageId: id });
    expect(gatewaySays(await c.send({ fallback: c.fallback({ afterMinutes: 11 }), idempotencyKey }))).toBe(
      "409 IDEMPOTENCY_KEY_REUSED",
    );
    await muchLater(w);
    expect(c.templates()).toHaveLength(1);
  });

  test("a restart at the moment of the decision sends one template", async () => {
    const world = await startWorld({ plugins: [network.plugin] });
    const two = await newTwoPhones(world, network);
    await two.lost();
    const id = await two.sentWith();
    // as a kill in the middle of the look leaves it
    await world.app.env.db.write(async (tx) => {
      tx.run(
        "UPDATE jobs SET owner = 'a dead process', claims = claims + 1, attempts = attempts + 1, run_at = created_at WHERE unique_key = ?1",
        [`fall-back:${id}`],
      );
      tx.run("UPDATE queues SET running = 1, next_at = NULL WHERE key = ?1", [`fallback:${two.phone.id}`]);
    });
    await world.restart();
    await reported(world, network, two.phone.id, { state: "CONNECTING" });
    await world.advance(AFTER_MS);
    await muchLater(world);
    expect([
      network.sent.filter(({ channelId }) => channelId === two.phone.id).length + two.templates().length,
    ]).toEqual([1]);
    await world.stop();
  });

  test("the ledger's count of sent messages counts the one that left", async () => {
    await c.lost();
    await c.sentWith();
    await w.advance(AFTER_MS);
    const rows = await rowsOf<{ sent: number }>(
      w,
      "SELECT coalesce(sum(sent), 0) AS sent FROM usage_days WHERE tenant_id = ?1",
      [c.accountId],
    );
    expect(rows[0]?.sent).toBe(1);
  });

  test("a scheduled message keeps its fallback, and shows it as it was given", async () => {
    await knownTemplate(w, c.official.id, { name: "later" });
    const fallback = c.fallback({ template: { name: "later" }, when: ["lost"], mayArriveTwice: false });
    const made = await w.gateway("/v1/messages/scheduled", {
      key: c.key,
      body: {
        scheduledAt: new Date(w.app.env.clock.now() + HOUR_MS).toISOString(),
        payload: { phoneId: c.phone.id, to: TO, type: "text", content: { text: "olá" }, fallback },
      },
    });
    expect(made.status).toBe(201);
    const shown = await w.gateway(`/v1/messages/scheduled/${made.body.id}`, { key: c.key });
    expect(shown.body.payload.fallback).toEqual(fallback);
    await c.lost();
    await w.advance(HOUR_MS + AFTER_MS);
    expect([bySession(), c.templates()]).toMatchObject([[], [{ template: { name: "later" } }]]);
  });
});
