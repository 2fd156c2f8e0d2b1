import { describe, expect, test } from "bun:test";
import { wabaPlugin } from "../../../plugins/waba/plugin.ts";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import { webhookRequest } from "../../support/networks/webhook-request.ts";

const { receiver } = wabaPlugin({
  graphUrl: "http://127.0.0.1:1",
  graphVersion: "v26.0",
  appSecrets: ["first-secret", "second-secret"],
  verifyToken: "handshake",
});

/** Whether a handshake with this token is the operator's. */
const isOperators = async (of: typeof receiver, token: string): Promise<boolean | undefined> => {
  const query = new URLSearchParams({ "hub.mode": "subscribe", "hub.challenge": "1", "hub.verify_token": token });
  return (await of?.handshake?.({ ...webhookRequest(), method: "GET", query }))?.isOperators;
};

describe("the signature of a webhook", () => {
  const body = '{"text":"ol\\u00e1 \\/ olá"}';
  const signed = (secret: string, text = body) => `sha256=${hmacSha256(secret, text, "hex")}`;
  const verify = (signature: string | undefined, text = body) =>
    receiver?.verify(
      webhookRequest(text, new Headers(signature === undefined ? {} : { "x-hub-signature-256": signature })),
    );

  test("is good under any of our secrets, over exactly the bytes that came", () => {
    expect([verify(signed("first-secret")), verify(signed("second-secret"))]).toEqual([true, true]);
    expect(verify(signed("first-secret"), `${body}\n`)).toBe(false);
  });

  test("is refused when it is missing, malformed, of another secret or of the old kind", () => {
    const bare = signed("first-secret").slice("sha256=".length);
    const refused = [
      undefined,
      "",
      "sha256=",
      bare,
      `sha1=${bare.slice(0, 40)}`,
      `sha256=${bare.slice(1)}`,
      `sha256=${bare}00`,
      `SHA256=${bare}`,
      signed("third-secret"),
      signed(""),
    ];
    expect(refused.map((signature) => verify(signature))).toEqual(refused.map(() => false));
  });

  test("without a secret nothing is configured and nothing verifies, also not under an empty one", async () => {
    for (const appSecrets of [[], [""]]) {
      const other = wabaPlugin({ graphUrl: "", graphVersion: "", appSecrets, verifyToken: undefined }).receiver;
      expect([
        other?.isConfigured,
        other?.verify(webhookRequest(body, new Headers({ "x-hub-signature-256": signed("") }))),
      ]).toEqual([false, false]);
      expect([await isOperators(other, ""), await isOperators(other, "undefined")]).toEqual([false, false]);
    }
  });

  test("G-026 the handshake's token is the operator's", async () => {
    expect([
      await isOperators(receiver, "handshake"),
      await isOperators(receiver, "handshak"),
      await isOperators(receiver, ""),
    ]).toEqual([true, false, false]);
  });
});
