import { describe, expect, test } from "bun:test";
import { type Disconnect, disconnectOf } from "../../../../plugins/session/lifecycle/disconnects.ts";
import { KeyStoreLost } from "../../../../src/contract/ports/key-store.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";

const NOW = 1_800_000_000_000;
/** An error as Baileys gives it. */
const ended = (statusCode: number, data: unknown = null, message = "Connection Failure"): Error =>
  Object.assign(new Error(message), { data, output: { statusCode } });
const withAccount = (error: unknown): Disconnect => disconnectOf(error, { account: {} }, NOW);
const withoutAccount = (error: unknown): Disconnect => disconnectOf(error, {}, NOW);

describe("the end of a socket", () => {
  test("G-214 401 from the network is a logout, as a failure at login and as a removed device", () => {
    expect(withAccount(ended(401, { reason: "401" }))).toEqual({ is: "logged-out" });
    expect(withAccount(ended(401, { tag: "conflict", attrs: { type: "device_removed" } }))).toEqual({
      is: "logged-out",
    });
  });

  test("G-214 401 is no logout where it was Baileys that gave up", () => {
    expect(withAccount(ended(401, null, "Intentional Logout"))).toEqual({ is: "retry" });
    expect(withAccount(ended(401))).toEqual({ is: "retry" });
  });

  test.each([401, 402, 403, 405, 411, 440])(
    "G-214 G-215 a websocket that somebody in between refused with HTTP %i is an interruption",
    (status) => {
      const refused = new Error(`Unexpected server response: ${status}`);
      expect(withAccount(ended(status, refused, `WebSocket Error (${refused.message})`))).toEqual({ is: "retry" });
    },
  );

  test("401 for an identity that no phone has accepted spoils that identity alone", () => {
    expect(withoutAccount(ended(401, { reason: "401" }))).toEqual({ is: "draft" });
  });

  test.each([
    ["says when it ends", { reason: "402", code: "101", expire: "3600" }, 3600 * SECOND_MS],
    ["does not say when it ends", { reason: "402" }, HOUR_MS],
    ["says nonsense", { reason: "402", expire: "soon" }, HOUR_MS],
    ["has no words at all", null, HOUR_MS],
    ["would never end", { reason: "402", expire: "99999999999" }, 30 * 24 * HOUR_MS],
  ])("402 is a ban for a while: one that %s", (_what, data, retryAfterMs) => {
    expect(withAccount(ended(402, data))).toMatchObject({
      is: "park",
      reason: "BANNED",
      retryAfterMs,
      restriction: { until: NOW + retryAfterMs, allows: "none" },
    });
  });

  test.each([
    ["101", "TOO_MANY_STRANGERS", expect.stringContaining("contacts")],
    ["102", "BLOCKED_BY_MANY", expect.stringContaining("blocked")],
    ["103", "GROUPS_WITH_STRANGERS", expect.stringContaining("groups")],
    ["104", "SAME_MESSAGE_TO_MANY", expect.stringContaining("same message")],
    ["106", "BROADCAST_LIST", expect.stringContaining("broadcast")],
    ["199", "TEMPORARY_BAN_199", undefined],
    ["no number", "TEMPORARY_BAN", undefined],
  ])("W26-4 402 with the code %s says why", (code, reason, text) => {
    expect(withAccount(ended(402, { reason: "402", code, expire: "60" }))).toEqual({
      is: "park",
      reason: "BANNED",
      retryAfterMs: 60 * SECOND_MS,
      restriction: {
        reason,
        until: NOW + 60 * SECOND_MS,
        allows: "none",
        ...(text === undefined ? {} : { text }),
      },
    });
  });

  test("W26-4 403 keeps what the network wants the owner to read", () => {
    const said = { reason: "403", logout_message_header: "Conta bloqueada", logout_message_subtext: "Abra o app." };
    expect(withAccount(ended(403, said))).toEqual({
      is: "park",
      reason: "BANNED",
      restriction: { reason: "LOCKED", until: null, allows: "none", text: "Conta bloqueada\nAbra o app." },
    });
    expect(withAccount(ended(403, { reason: "403" }))).toMatchObject({
      restriction: { reason: "LOCKED", until: null },
    });
  });

  test("W26-4 a stream that the network ends for missing acknowledgements is counted as such", () => {
    expect(withAccount(ended(500, { tag: "ack" }, "Stream Errored (ack)"))).toEqual({ is: "retry", isUnacked: true });
  });

  test.each<[number, Disconnect]>([
    [403, { is: "park", reason: "BANNED", restriction: { reason: "LOCKED", until: null, allows: "none" } }],
    [405, { is: "park", reason: "CLIENT_OUTDATED", retryAfterMs: 5 * MINUTE_MS, isOutdated: true }],
    [406, { is: "park", reason: "BANNED", restriction: { reason: "BANNED", until: null, allows: "none" } }],
    [408, { is: "retry" }],
    [409, { is: "park", reason: "CLIENT_OUTDATED" }],
    [411, { is: "park", reason: "CLIENT_OUTDATED" }],
    [413, { is: "park", reason: "CLIENT_OUTDATED" }],
    [414, { is: "park", reason: "CLIENT_OUTDATED" }],
    [415, { is: "park", reason: "CLIENT_OUTDATED" }],
    [418, { is: "park", reason: "CLIENT_OUTDATED" }],
    [428, { is: "retry" }],
    [429, { is: "retry", isTooFast: true }],
    [440, { is: "replaced" }],
    [500, { is: "retry" }],
    [503, { is: "retry", isOutage: true }],
    [515, { is: "restart" }],
    [599, { is: "retry" }],
  ])("G-215 %i wipes nothing", (code, disconnect) => {
    expect(withAccount(ended(code, { reason: String(code) }))).toEqual(disconnect);
    expect(withoutAccount(ended(code, { reason: String(code) }))).toEqual(disconnect);
  });

  test("a key store that was taken over ends it for good", () => {
    expect(withAccount(new KeyStoreLost())).toEqual({ is: "superseded" });
  });

  test("400 with a certificate that is not the network's is tried again, and distinguished", () => {
    expect(withAccount(ended(400, null, "noise intermediate certificate signature invalid"))).toEqual({
      is: "retry",
      isForged: true,
    });
    expect(withAccount(ended(400, null, "bad request"))).toEqual({ is: "retry", isForged: false });
  });

  test.each<[string, unknown]>([
    ["nothing at all", undefined],
    ["null", null],
    ["a text", "401"],
    ["an error of the platform", new Error("socket hang up")],
    ["an error without a code", { output: {} }],
    ["a code that is no number", { output: { statusCode: "401" }, data: {} }],
  ])("%s is an interruption", (_what, error) => {
    expect(withAccount(error)).toEqual({ is: "retry" });
  });
});
