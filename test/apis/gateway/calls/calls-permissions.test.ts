import { describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { callsOf, useCalls } from "../../../support/customers/calls.ts";
import { newCustomer, receivedBy, rowsOf, sendsOf, TO, tracesOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { w, c, calls } = useCalls();

const ask = (to = TO) => calls.ask(`/permissions?phoneId=${c.phone.id}&to=${encodeURIComponent(to)}`);
const permission = async (to = TO): Promise<any> => (await ask(to)).body;
const request = (more: object = {}) => calls.post("/permission-request", { phoneId: c.phone.id, to: TO, ...more });
/** The user says whether they may be called, by the clock of the server. */
const says = async (response: "accept" | "reject", more: object = {}) => {
  await w.graph.calls.reply({ to: c.phone.phoneNumberId, from: TO, response, at: w.clock.now(), ...more });
  await w.settle();
};
const asked = () =>
  w.graph.journal.filter(({ path }) => path.endsWith(`/${c.phone.phoneNumberId}/call_permissions`)).length;
const NOT_GRANTED = { granted: false, grantedAt: null, expiresAt: null };

describe("asking for permission", () => {
  test("X-227 EP-X02 the network's own question is sent like any message, and its id answered", async () => {
    const { status, body } = await request();
    expect({ status, body }).toEqual({
      status: 202,
      body: { messageId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: "enqueued" },
    });
    await w.settle();
    const interactive = { type: "call_permission_request", action: { name: "call_permission_request" } };
    expect(sendsOf(w, c)).toMatchObject([
      { to: TO, type: "interactive", interactive, biz_opaque_callback_data: body.messageId },
    ]);
    expect(await c.message(body.messageId)).toMatchObject({ status: "SENT" });
  });

  test("X-227 a refusal of the network is published for the message", async () => {
    await request();
    const { messageId } = (await request()).body;
    await w.settle();
    expect(await c.message(messageId)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("138009"),
    });
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status).toBe("CONNECTED");
  });

  test("X-227 the body is checked, and nothing happens", async () => {
    const before = await tracesOf(w, c);
    for (const [field, value] of [
      ["phoneId", undefined],
      ["phoneId", "phone"],
      ["to", undefined],
      ["to", "5511"],
      ["to", "1".repeat(61)],
    ] as const)
      expect(fieldsOf(await request({ [field]: value }))).toEqual([field]);
    expect(gatewaySays(await request({ to: "somebody" }))).toBe("400 INVALID_TO");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("X-227 a phone that is not connected asks nobody", async () => {
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE channels SET state = 'TOKEN_EXPIRED' WHERE id = ?1", [c.phone.id]),
    );
    expect(gatewaySays(await request())).toBe("409 PHONE_NOT_CONNECTED");
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  });

  test("X-227 no send of a customer's can be one", async () => {
    expect(fieldsOf(await c.send({ type: "call_permission_request", content: {} }))).toEqual(["type"]);
    const payload = { phoneId: c.phone.id, to: TO, type: "call_permission_request", content: {} };
    const scheduled = await w.gateway("/v1/messages/scheduled", {
      key: c.key,
      body: { scheduledAt: iso(w.clock.now() + 60_000), payload },
    });
    expect(fieldsOf(scheduled)).toEqual(["payload"]);
    expect(sendsOf(w, c)).toEqual([]);
  });
});

describe("whether somebody may be called", () => {
  test("X-228 the network is asked as long as they have said nothing", async () => {
    expect(await permission()).toEqual({ phoneId: c.phone.id, to: TO, ...NOT_GRANTED });
    const expiresAt = Math.floor(Date.now() / 1000) * 1000 + 3 * DAY_MS;
    w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user: TO, status: "temporary", expiresAt });
    expect(await permission()).toMatchObject({
      granted: true,
      grantedAt: iso(expiresAt - 7 * DAY_MS),
      expiresAt: iso(expiresAt),
    });
    calls.permit(TO, "permanent");
    expect(await permission()).toMatchObject({ granted: true, grantedAt: null, expiresAt: null });
    expect(asked()).toBe(3);
  });

  test("X-228 X-229 GAP-X26 what they said is known without asking, until it ends", async () => {
    const expiresAt = w.clock.now() + 7 * DAY_MS;
    await says("accept", { expiresAt });
    const granted = { granted: true, grantedAt: iso(w.clock.now()), expiresAt: iso(expiresAt) };
    expect(await permission()).toMatchObject(granted);
    expect(await permission(`+${TO}`)).toMatchObject({ ...granted, to: `+${TO}` });
    expect(receivedBy(c.hook, "message:received")).toMatchObject([
      { type: "call_permission_reply", content: { response: "accept", isPermanent: false } },
    ]);
    await w.advance(7 * DAY_MS - 1);
    expect([(await permission()).granted, asked()]).toEqual([true, 0]);
    w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user: TO, status: "no_permission" });
    await w.advance(1);
    expect([await permission(), asked()]).toMatchObject([NOT_GRANTED, 1]);
  });

  test("X-228 GAP-X26 one for good is believed for 7 days, then the network is asked again", async () => {
    await says("accept", { isPermanent: true });
    expect([await permission(), asked()]).toMatchObject([{ granted: true, expiresAt: null }, 0]);
    await w.advance(7 * DAY_MS);
    expect([await permission(), asked()]).toMatchObject([{ granted: true, grantedAt: null, expiresAt: null }, 1]);
  });

  test("X-228 a refusal or withdrawal ends the permission; the latest reply counts in any order", async () => {
    await says("accept");
    await says("reject", { at: w.clock.now() + 2000 });
    expect((await permission()).granted).toBe(false);
    await w.graph.calls.reply({ to: c.phone.phoneNumberId, from: TO, response: "accept", at: w.clock.now() + 1000 });
    w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user: TO, status: "no_permission" });
    await w.settle();
    expect((await permission()).granted).toBe(false);
  });

  test("X-228 they are one person by their number and by their user id", async () => {
    w.graph.addRecipient({ waId: TO, userId: "BR.4242" });
    await says("accept");
    expect([(await permission("BR.4242")).granted, (await permission("bsuid:BR.4242")).granted, asked()]).toEqual([
      true,
      true,
      0,
    ]);
  });

  test("X-229 a call that is refused ends the belief that they may be called", async () => {
    await says("accept");
    w.graph.calls.permit({ phoneNumberId: c.phone.phoneNumberId, user: TO, status: "no_permission" });
    expect((await permission()).granted).toBe(true);
    expect(gatewaySays(await calls.place())).toBe("400 UPSTREAM_BAD_REQUEST");
    expect((await permission()).granted).toBe(false);
  });

  test("X-228 the query is checked, and the network's refusals are passed on", async () => {
    expect(fieldsOf(await calls.ask(`/permissions?to=${TO}`))).toEqual(["phoneId"]);
    expect(fieldsOf(await calls.ask(`/permissions?phoneId=${c.phone.id}`))).toEqual(["to"]);
    expect(gatewaySays(await ask("somebody"))).toBe("400 INVALID_TO");
    expect(asked()).toBe(0);
    const { phoneNumberId } = c.phone;
    w.graph.failNext(1, { kind: "error", code: 138000 }, { operation: "call.permission", phoneNumberId });
    expect(gatewaySays(await ask())).toBe("400 UPSTREAM_BAD_REQUEST");
    w.graph.failNext(1, { kind: "error", code: 613 }, { operation: "call.permission", phoneNumberId });
    expect(gatewaySays(await ask())).toBe("502 UPSTREAM_UNAVAILABLE");
  });

  test("X-228 what was said to one phone says nothing of another", async () => {
    await says("accept");
    const other = await newCustomer(w);
    expect((await callsOf(w, other).ask(`/permissions?phoneId=${other.phone.id}&to=${TO}`)).body.granted).toBe(false);
  });
});
