import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { webhookUrlOf } from "../../../src/conformance/recording-host.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import {
  OUR_NUMBER,
  PERSON,
  pluginAt,
  seededSms,
  TWILIO_TOKEN,
  TWILIO_VAULT,
} from "../../support/networks/sms-channel.ts";
import { signedByTwilio } from "../../support/sms/twilio.ts";

const STATE_OF = "message=0198a000-1111-4222-8333-444455556666";

exercise("sms", { hasUpstream: true, hasReceiver: true, linkEmits: false, refusesToken: true }, async () => {
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
    makeUnknowable: () => {
      sms.cutNext(/^POST .*\/Messages\.json$/, true);
      return PERSON;
    },
    makeUnreachable: sms.stop,
    refuseToken: () => twilio.tokens.clear(),
    webhook: [
      sampleOf(text, [one]),
      sampleOf(pictures, [two, `${two}#1`]),
      sampleOf(twilio.stateOf(sent, "delivered"), ["SM99"], STATE_OF),
    ],
    close: async () => {
      http.close();
      await sms.stop();
    },
  };
});
