import { socialPlugin } from "../../../plugins/social/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import type { Instagram } from "../../support/instagram/index.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import {
  ACCOUNT,
  APP_SECRET,
  seededInstagram,
  settingsFor,
  TOKEN,
  USER,
  VERIFY_TOKEN,
  vaultAt,
} from "../../support/networks/social-channel.ts";

const QUOTED = "aWdfZAG1faXRlbToxQUOTED";

/** A reply, two pictures, a reaction and a receipt of one chat, signed as the upstream signs. */
const webhookOf = async (instagram: Instagram, at: number) => {
  const common = { to: ACCOUNT, from: USER };
  const mid = "aWdfZAG1faXRlbToxPICTURES";
  const { mids, delivery } = await instagram.inbound.batch([
    { kind: "text", ...common, text: "oi", replyTo: QUOTED, at },
    { kind: "attachments", ...common, mid, attachments: [{ type: "image" }, { type: "image" }], at: at + 1000 },
    { kind: "reaction", ...common, messageId: QUOTED, emoji: "❤", at: at + 2000 },
    { kind: "read", ...common, messageId: QUOTED, at: at + 3000 },
  ]);
  const headers = new Headers({ "X-Hub-Signature-256": `sha256=${hmacSha256(APP_SECRET, delivery.body, "hex")}` });
  const asked = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=";
  const handshake = { query: asked + VERIFY_TOKEN, wrongQuery: `${asked}guess` };
  return { rawBody: delivery.body, headers, keys: [mids[0] ?? "", mid, QUOTED, QUOTED], handshake };
};

exercise(
  "social",
  { hasUpstream: true, hasReceiver: true, linkEmits: false, refusesToken: true, getsLinks: true },
  async () => {
    const clock = manualClock();
    const instagram = seededInstagram(clock);
    const http = createHttp({ allow: [], extraCa: undefined });
    return {
      plugin: socialPlugin(settingsFor(instagram)),
      http,
      vault: vaultAt(clock.now()),
      secrets: [TOKEN, APP_SECRET, VERIFY_TOKEN],
      recipient: USER,
      makeUnknowable: () => {
        instagram.failNext(1, { kind: "reset", isAccepted: true });
        return USER;
      },
      refuseToken: () => instagram.invalidateToken(TOKEN),
      makeUnreachable: instagram.stop,
      webhook: await webhookOf(instagram, clock.now()),
      close: async () => {
        http.close();
        await instagram.stop();
      },
    };
  },
);
