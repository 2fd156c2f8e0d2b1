import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { exercise } from "../../support/networks/channel-suite.ts";
import { PERSON, pluginAt, SECRET, seededTelegram, TOKEN, withFiles } from "../../support/networks/telegram-channel.ts";

const AT_MS = Date.parse("2026-11-20T12:00:05Z");

exercise("telegram", { hasUpstream: true, hasReceiver: false, linkEmits: true, refusesToken: true }, async () => {
  const { telegram, bot } = await seededTelegram(manualClock());
  const client = createHttp({ allow: [], extraCa: undefined });
  return {
    plugin: pluginAt(telegram.url),
    http: withFiles(client),
    vault: { token: TOKEN },
    secrets: [TOKEN, SECRET],
    recipient: String(PERSON),
    makeUnknowable: () => {
      telegram.failNext(/^sendMessage$/, { kind: "cut", isTaken: true });
      return String(PERSON);
    },
    refuseToken: () => telegram.failNext(/./, { kind: "refuse", status: 401, description: "Unauthorized" }, 99),
    makeUnreachable: telegram.stop,
    async provoke(link, host) {
      link.connect();
      await host.until(() => host.reports.at(-1)?.state === "CONNECTED");
      bot.people.say({ text: "oi" }, { from: PERSON, messageId: 9001, at: AT_MS });
      bot.people.say(
        { photo: [{ file_id: "AgACAgEAAx", file_size: 1200, width: 90, height: 90 }], caption: "olha" },
        { from: PERSON, messageId: 9002, at: AT_MS + 1000, replyTo: 9001 },
      );
      await host.until(() => host.events.length === (host.isHeld ? 1 : 2));
    },
    acknowledged: () => bot.updates.confirmed,
    async close() {
      await telegram.stop();
      client.close();
    },
  };
});
