import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, sendsOf, tracesOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { untilStatus } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const NOBODY = "00000000-0000-4000-8000-000000000000";
const statusOf = async (id: string): Promise<string> =>
  (await w.gateway(`/v1/phones/${id}`, { key: c.key })).body.status;
const session = async (): Promise<string> =>
  (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body.id;
const ask = (id: string, what: "qrcode" | "pairing-code") => w.gateway(`/v1/phones/${id}/${what}`, { key: c.key });
const order = (id: string, what: "logout" | "reconnect") =>
  w.gateway(`/v1/phones/${id}/${what}`, { key: c.key, method: "POST" });
const code = (id: string, body: object) => w.gateway(`/v1/phones/${id}/pairing-code`, { key: c.key, body });

describe("pairing a phone that is no session", () => {
  test("G-173 G-174 a QR code is for sessions alone", async () => {
    expect(gatewaySays(await ask(c.phone.id, "qrcode"))).toBe("400 QR_NOT_APPLICABLE");
    expect(gatewaySays(await ask(NOBODY, "qrcode"))).toBe("404 PHONE_NOT_FOUND");
  });

  test("G-191 GAP-G20 so is a pairing code, whether it is made or asked for", async () => {
    expect(gatewaySays(await ask(c.phone.id, "pairing-code"))).toBe("400 PAIRING_NOT_APPLICABLE");
    expect(gatewaySays(await code(c.phone.id, { phoneNumber: "+5511999990001" }))).toBe("400 PAIRING_NOT_APPLICABLE");
    expect(gatewaySays(await code(NOBODY, { phoneNumber: "5511999990001" }))).toBe("404 PHONE_NOT_FOUND");
  });

  test("G-188 G-189 the number of a pairing code has 8 to 20 digits, with or without +", async () => {
    for (const body of [
      {},
      { phoneNumber: "" },
      { phoneNumber: 5511 },
      { phoneNumber: "1234567" },
      { phoneNumber: "1".repeat(21) },
      { phoneNumber: "55.11.99999" },
      { phoneNumber: "++5511999990001" },
    ])
      expect(fieldsOf(await code(c.phone.id, body))).toEqual(["phoneNumber"]);
    for (const phoneNumber of ["12345678", "+12345678", "1".repeat(20)])
      expect(gatewaySays(await code(c.phone.id, { phoneNumber }))).toBe("400 PAIRING_NOT_APPLICABLE");
  });
});

describe("logout of an official number", () => {
  test("G-180 G-186 GAP-G24 it ends the connection, touches nothing upstream, and is published once", async () => {
    const before = w.graph.journal.length;
    const answer = await order(c.phone.id, "logout");
    expect([answer.status, answer.body]).toEqual([202, { status: "logging_out" }]);
    expect(await statusOf(c.phone.id)).toBe("DISCONNECTED");
    expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
    await order(c.phone.id, "logout");
    await w.settle();
    expect(receivedBy(c.hook)).toEqual([{ reason: "LOGOUT" }]);
    expect(w.graph.journal.length).toBe(before);
  });

  test("G-183 G-187 it works from any status, and for no phone of another account", async () => {
    w.graph.expireToken(c.phone.accessToken);
    await c.send();
    await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
    expect((await order(c.phone.id, "logout")).status).toBe(202);
    expect(await statusOf(c.phone.id)).toBe("DISCONNECTED");
    const other = await newCustomer(w);
    expect(gatewaySays(await order(other.phone.id, "logout"))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await order(NOBODY, "logout"))).toBe("404 PHONE_NOT_FOUND");
    expect((await w.gateway(`/v1/phones/${other.phone.id}`, { key: other.key })).body.status).toBe("CONNECTED");
  });
});

describe("reconnecting an official number", () => {
  test("G-199 G-201 G-213 it asks the upstream anew with the credentials it has, shows CONNECTING meanwhile, and sends again", async () => {
    await order(c.phone.id, "logout");
    const answer = await order(c.phone.id, "reconnect");
    expect([answer.status, answer.body]).toEqual([202, { status: "reconnecting" }]);
    expect(["CONNECTING", "CONNECTED"]).toContain(await statusOf(c.phone.id));
    await untilStatus(w, c.phone.id, "CONNECTED");
    expect(receivedBy(c.hook, "channel:connected")).toEqual([{ phoneNumber: c.phone.number }]);
    await c.sent();
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test("GAP-G23 one that is connected is left alone", async () => {
    const before = w.graph.journal.length;
    expect((await order(c.phone.id, "reconnect")).status).toBe(202);
    await w.settle();
    expect(w.graph.journal.length).toBe(before);
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test("GAP-G23 a token that is still refused leaves it TOKEN_EXPIRED, without a second disconnected event", async () => {
    w.graph.expireToken(c.phone.accessToken);
    await c.send();
    await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
    c.hook.arrived.length = 0;
    const asked = () =>
      w.graph.journal.filter(({ method, path }) => method === "GET" && path.endsWith(`/${c.phone.phoneNumberId}`))
        .length;
    const before = asked();
    await order(c.phone.id, "reconnect");
    for (let turn = 0; turn < 5000 && asked() === before; turn++) await w.gateway("/health");
    await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
    expect(asked()).toBe(before + 1);
    expect(receivedBy(c.hook, "channel:disconnected")).toEqual([]);
  });

  test("G-199 unknown phones are not found", async () => {
    expect(gatewaySays(await order(NOBODY, "reconnect"))).toBe("404 PHONE_NOT_FOUND");
  });
});

describe("POST /v1/lookup", () => {
  const look = (body: object) => w.gateway("/v1/lookup", { key: c.key, body });

  test("G-560 G-561 G-562 G-569 the body names a phone and 1 to 100 numbers in E.164", async () => {
    const before = await tracesOf(w, c);
    const phoneId = c.phone.id;
    expect(fieldsOf(await look({ numbers: ["5511999990001"] }))).toEqual(["phoneId"]);
    expect(fieldsOf(await look({ phoneId: "no", numbers: ["5511999990001"] }))).toEqual(["phoneId"]);
    for (const numbers of [
      undefined,
      [],
      "5511999990001",
      ["a"],
      [""],
      [5511],
      ["++5511999990001"],
      Array(101).fill("5511999990001"),
    ])
      expect(fieldsOf(await look({ phoneId, numbers }))).toEqual(["numbers"]);
    for (const numbers of [["+5511999990001"], Array(100).fill("5511999990001")])
      expect(gatewaySays(await look({ phoneId, numbers }))).toBe("400 LOOKUP_UNSUPPORTED_CHANNEL");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("G-566 G-567 G-568 an official number cannot look up, an unknown phone is not found, a session must be connected", async () => {
    expect(gatewaySays(await look({ phoneId: c.phone.id, numbers: ["5511999990001"] }))).toBe(
      "400 LOOKUP_UNSUPPORTED_CHANNEL",
    );
    expect(gatewaySays(await look({ phoneId: NOBODY, numbers: ["5511999990001"] }))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await look({ phoneId: await session(), numbers: ["5511999990001"] }))).toBe(
      "409 PHONE_NOT_CONNECTED",
    );
  });
});
