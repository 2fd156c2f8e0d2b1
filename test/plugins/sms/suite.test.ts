import { describe } from "bun:test";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { webhookUrlOf } from "../../../src/conformance/recording-host.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import {
  ALIAS,
  OUR_NUMBER,
  PERSON,
  pluginAt,
  seededSms,
  TWILIO_TOKEN,
  TWILIO_VAULT,
  WEBHOOK_TOKEN,
  ZENVIA_TOKEN,
  ZENVIA_VAULT,
} from "../../support/networks/sms-channel.ts";
import { signedByTwilio } from "../../support/sms/twilio.ts";

/** The traits of a channel of either provider. */
const TRAITS = {
  hasUpstream: true,
  hasReceiver: true,
  linkEmits: false,
  refusesToken: true,
  hasOptions: true,
  getsLinks: true,
};
/** The options of a send, which Twilio takes. */
const OPTIONS = { sender: OUR_NUMBER, validity: "3600" };

describe("with Twilio", () => {
  const STATE_OF = "message=0198a000-1111-4222-8333-444455556666";

  exercise("sms", { ...TRAITS, refusesOptedOut: true, reportsOptOuts: true }, async () => {
    const { sms, twilio } = await seededSms(manualClock());
    const http = createHttp({ allow: [], extraCa: undefined });
    const url = webhookUrlOf();
    const talk = { From: `+${PERSON}`, To: OUR_NUMBER };
    const text = twilio.written({ ...talk, Body: "oi" });
    const pictures = twilio.written({
      ...talk,
      Body: "olha",
      NumMedia: "2",
      MediaUrl0: `${sms.url}/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1`,
      MediaContentType0: "image/jpeg",
      MediaUrl1: `${sms.url}/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME2`,
      MediaContentType1: "image/png",
    });
    const sent = { id: "SM99", from: OUR_NUMBER, to: `+${PERSON}`, text: "olá", links: [], fields: {} };
    const sampleOf = (form: URLSearchParams, keys: readonly string[], query = "") => ({
      rawBody: form.toString(),
      headers: new Headers(signedByTwilio(TWILIO_TOKEN, query === "" ? url : `${url}?${query}`, form)),
      keys,
      isSigned: true,
      ...(query === "" ? {} : { query }),
    });
    const [one = "", two = ""] = [text, pictures].map((form) => form.get("MessageSid") ?? "");
    return {
      plugin: pluginAt(sms.url),
      http,
      vault: TWILIO_VAULT,
      secrets: [TWILIO_TOKEN],
      recipient: PERSON,
      options: OPTIONS,
      makeUnknowable: () => {
        sms.cutNext(/^POST .*\/Messages\.json$/, true);
        return PERSON;
      },
      makeUnreachable: sms.stop,
      refuseOptedOut: () => {
        twilio.optedOut.add(`${OUR_NUMBER}>+${PERSON}`);
        return PERSON;
      },
      optOut: sampleOf(twilio.written({ ...talk, Body: "STOP", OptOutType: "STOP" }), []),
      refuseToken: () => twilio.tokens.clear(),
      webhook: [
        sampleOf(text, [one]),
        sampleOf(pictures, [two]),
        sampleOf(twilio.stateOf(sent, "delivered"), ["SM99"], STATE_OF),
      ],
      close: async () => {
        http.close();
        await sms.stop();
      },
    };
  });
});

describe("with Zenvia", () => {
  const TOKEN_SECRET = "zenvia-token-secret-77aa";

  exercise("sms", TRAITS, async () => {
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
      options: OPTIONS,
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
});
