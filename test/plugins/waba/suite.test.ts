import { wabaPlugin } from "../../../plugins/waba/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import { type Graph, startGraph } from "../../support/graph/index.ts";
import { exercise } from "../../support/networks/channel-suite.ts";

const APP_SECRET = "app-secret-5d1c";
const VERIFY_TOKEN = "verify-token-77aa";
const CREDENTIALS = {
  phoneNumberId: "106540352242922",
  businessAccountId: "102290129340398",
  accessToken: "EAAJB-token-0f3e",
  verifyToken: "phone-verify-31cc",
};
const RECIPIENT = "5521912345678";

const seed = (graph: Graph): void => {
  const { phoneNumberId, businessAccountId, accessToken } = CREDENTIALS;
  graph.addNumber({ phoneNumberId, businessAccountId, displayPhoneNumber: "+55 11 98765-4321", tokens: [accessToken] });
  const components = [
    { type: "BODY", text: "Olá {{1}}, o pedido {{2}} saiu.", example: { body_text: [["Ana", "123"]] } },
  ];
  graph.addTemplate({ businessAccountId, name: "order_update", language: "pt_BR", components });
};

/** A reply, an image and a status of one number, signed as the upstream signs. */
const webhookOf = async (graph: Graph) => {
  const common = { to: CREDENTIALS.phoneNumberId, from: RECIPIENT };
  const { wamids, delivery } = await graph.inbound.batch([
    { kind: "text", ...common, text: "oi", quoted: "wamid.QUOTED", at: 1_749_416_383_000 },
    { kind: "image", ...common, caption: "olá", at: 1_749_416_384_000 },
    { kind: "status", ...common, wamid: "wamid.OUT1", status: "delivered", at: 1_749_416_390_000 },
  ]);
  const headers = new Headers({ "X-Hub-Signature-256": `sha256=${hmacSha256(APP_SECRET, delivery.body, "hex")}` });
  const asked = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=";
  const handshake = { query: asked + VERIFY_TOKEN, wrongQuery: `${asked}guess` };
  return { rawBody: delivery.body, headers, keys: wamids, handshake };
};

exercise("waba", { hasUpstream: true, hasReceiver: true, linkEmits: false, refusesToken: true }, async () => {
  const graph = startGraph();
  seed(graph);
  const http = createHttp({ allow: [], extraCa: undefined });
  return {
    plugin: wabaPlugin({
      graphUrl: graph.url,
      graphVersion: "v26.0",
      appSecrets: ["another-secret", APP_SECRET],
      verifyToken: VERIFY_TOKEN,
    }),
    http,
    vault: CREDENTIALS,
    secrets: [CREDENTIALS.accessToken, CREDENTIALS.verifyToken, APP_SECRET, VERIFY_TOKEN],
    recipient: RECIPIENT,
    makeUnknowable: () => {
      graph.failNext(1, { kind: "reset", isAccepted: true });
      return RECIPIENT;
    },
    refuseToken: () => graph.invalidateToken(CREDENTIALS.accessToken),
    makeUnreachable: graph.stop,
    webhook: await webhookOf(graph),
    close: async () => {
      http.close();
      await graph.stop();
    },
  };
});
