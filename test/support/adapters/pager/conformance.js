import { startNetwork } from "./network.js";

const TOKEN = "pager-token-77aa";

export default async () => {
  const network = await startNetwork(TOKEN);
  network.say({ id: "PGin-1", from: "ana", name: "Ana", text: "oi", at: 1_795_000_000_000 });
  network.say({ id: "PGin-2", from: "ana", name: "Ana", text: "tudo bem?", at: 1_795_000_001_000 });
  return {
    settings: { API_URL: network.url },
    vault: { token: TOKEN },
    secrets: [TOKEN],
    recipient: "bia",
    wrongRecipients: ["", "an", "Ana Maria", "+5511999990001", "ana:"],
    makeUnknowable() {
      network.failNext();
      return "duda";
    },
    makeUnreachable: network.stop,
    async provoke(link, host) {
      link.connect();
      await host.until(() => host.events.length >= (host.isEmitPaused ? 1 : 2));
    },
    acknowledged: network.acknowledged,
    close: network.stop,
  };
};
