import { simulatorPlugin } from "../../../plugins/simulator/plugin.ts";
import type { HttpNoAnswer } from "../../../src/contract/ports/http.ts";
import { exercise } from "../../support/networks/channel-suite.ts";

const MESSAGE_ID = "0198a000-1111-4222-8333-444455556667";

/** The simulator has no upstream: a request would be a defect. */
const nowhere = async (): Promise<HttpNoAnswer> => ({
  ok: false,
  failure: "blocked",
  message: "the simulator makes no requests",
  mayHaveArrived: false,
  durationMs: 0,
});

exercise("simulator", { hasUpstream: false, hasReceiver: false, linkEmits: true, refusesToken: false }, () => ({
  plugin: simulatorPlugin({ echo: true }),
  http: { guarded: nowhere, trusted: nowhere, guardedStream: nowhere, trustedStream: nowhere },
  vault: {},
  secrets: [],
  recipient: "5511987654321",
  makeUnknowable: () => "999987650001",
  provoke: async (link, host) => {
    await link.send({
      type: "text",
      content: { text: "oi" },
      messageId: MESSAGE_ID,
      to: "5511987654321",
      ...(link.providerMessageIdFor ? { key: link.providerMessageIdFor(MESSAGE_ID) } : {}),
    });
    host.clock.advance(1000);
    await host.until(() => host.events.length === (host.isHeld ? 1 : 3));
  },
  close: async () => {},
}));
