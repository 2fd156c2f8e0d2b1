import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import {
  ALIAS,
  PERSON,
  pluginAt,
  seededSms,
  WEBHOOK_TOKEN,
  ZENVIA_TOKEN,
  ZENVIA_VAULT,
} from "../../support/networks/sms-channel.ts";

const TOKEN_SECRET = "zenvia-token-secret-77aa";

exercise("sms", { hasUpstream: true, hasReceiver: true, linkEmits: false, refusesToken: true }, async () => {
  const { sms, zenvia } = await seededSms(manualClock());
  zenvia.tokenSecret = TOKEN_SECRET;
  const http = createHttp({ allow: [], extraCa: undefined });
  const text = zenvia.written({ from: PERSON, to: ALIAS, text: "oi" });
  const other = zenvia.written({ from: PERSON, to: ALIAS, text: "tem bolo?" });
  const sent = { id: "3f1c", from: ALIAS, to: PERSON, text: "olá", links: [], fields: {} };
  const sampleOf = (event: object, key: string) => ({
    rawBody: JSON.stringify(event),
    headers: new Headers({ "content-type": "application/json", "X-Recado-Token": WEBHOOK_TOKEN }),
    query: "account=padaria",
    keys: [key],
  });
  return {
    plugin: pluginAt(sms.url),
    http,
    vault: { ...ZENVIA_VAULT, tokenSecret: TOKEN_SECRET, webhookToken: WEBHOOK_TOKEN },
    secrets: [ZENVIA_TOKEN, TOKEN_SECRET, WEBHOOK_TOKEN],
    recipient: PERSON,
    makeUnknowable: () => {
      sms.cutNext(/^POST .*\/messages$/, true);
      return PERSON;
    },
    makeUnreachable: sms.stop,
    refuseToken: () => zenvia.tokens.clear(),
    webhook: [
      sampleOf(text, text["message"].id),
      sampleOf(other, other["message"].id),
      sampleOf(zenvia.stateOf(sent, "DELIVERED"), "3f1c"),
    ],
    close: async () => {
      http.close();
      await sms.stop();
    },
  };
});
