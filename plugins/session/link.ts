import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import type { Engine } from "./engine.ts";
import type { Gate } from "./life/gate.ts";
import { createLife } from "./life/life.ts";
import { keyFor } from "./native-key.ts";
import { createLimits } from "./outbound/limits.ts";
import type { SessionSettings } from "./plugin.ts";

/** One session's link: its life, and what it sends and receives while it lives. */
export const sessionLink = (host: ChannelHost, settings: SessionSettings, gate: Gate): ChannelLink => {
  const limits = createLimits(host, settings.perMinute);
  let loading: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    loading ??= import("./engine.ts").then(({ createEngine }) => createEngine(host, settings, { limits, wire: () => life.wire }));
    return loading;
  };
  const life = createLife(host, { engine, gate });

  return {
    get state() {
      return life.state;
    },
    get heardAt() {
      return life.heardAt;
    },
    connect: life.connect,
    async close() {
      await life.close();
      (await loading)?.inbox.close();
    },
    forget: life.forget,
    pairing: life.pairing,
    lookup: {
      known: async (numbers) => (await engine()).sender.lookup.known(numbers),
      find: async (numbers) => (await engine()).sender.lookup.find(numbers),
    },
    media: { open: async (nativeId) => (await engine()).inbox.media.open(nativeId) },
    keyFor,
    operate: async (operation) => (await engine()).sender.operate(operation),
    paceMs: limits.pace.waitMs,
    send: async (order) => (await engine()).sender.send(order),
  };
};
