import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { envelopeOf } from "../../support/messenger/index.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import {
  APP_SECRET,
  PERSON,
  pluginAt,
  seededMessenger,
  TOKEN,
  VAULT,
  VERIFY_TOKEN,
} from "../../support/networks/messenger-channel.ts";

const QUOTED = "m_QUOTED";
const asked = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=";

exercise("messenger", { hasUpstream: true, hasReceiver: true, linkEmits: false, refusesToken: true }, async () => {
  const clock = manualClock();
  const { messenger, page } = await seededMessenger(clock);
  const http = createHttp({ allow: [], extraCa: undefined });
  const image = { type: "image", payload: { url: "https://scontent.xx.fbcdn.net/a.jpg" } };
  const text = page.write(PERSON, { text: "oi", reply_to: { mid: QUOTED } });
  const pictures = page.write(PERSON, { attachments: [image, image] });
  const { mid } = pictures.message;
  const { body, headers } = envelopeOf(
    page,
    [
      text,
      pictures,
      page.act(PERSON, { reaction: { mid: QUOTED, action: "react", emoji: "❤", reaction: "love" } }),
      page.act(PERSON, { delivery: { mids: [QUOTED], watermark: clock.now() } }),
    ],
    clock.now(),
  );
  return {
    plugin: pluginAt(messenger.url),
    http,
    vault: VAULT,
    secrets: [TOKEN, APP_SECRET, VERIFY_TOKEN],
    recipient: PERSON,
    makeUnknowable: () => {
      messenger.cutNext(/^POST messages$/, true);
      return PERSON;
    },
    makeUnreachable: messenger.stop,
    refuseToken: () => page.tokens.clear(),
    webhook: {
      rawBody: body,
      headers: new Headers(headers),
      keys: [text.message["mid"], mid, QUOTED, QUOTED],
      isSigned: true,
      handshake: { query: asked + VERIFY_TOKEN, wrongQuery: `${asked}guess` },
    },
    close: async () => {
      http.close();
      await messenger.stop();
    },
  };
});
