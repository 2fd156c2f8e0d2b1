import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import type { ClientVersion } from "./client/client-version.ts";
import type { Engine } from "./engine.ts";
import { lateGroups } from "./groups/late.ts";
import type { CodeNumbers } from "./lifecycle/code-numbers.ts";
import type { ConnectLimiter } from "./lifecycle/connect-limiter.ts";
import { createSessionManager } from "./lifecycle/session-manager.ts";
import { providerMessageIdFor } from "./message-ids.ts";
import { createLimits } from "./outbound/limits.ts";
import type { SessionSettings } from "./plugin.ts";

/** What all sessions of the process share. */
export type Shared = { connectLimiter: ConnectLimiter; codeNumbers: CodeNumbers; client: ClientVersion };

/** One session's link: its connection, and what it sends and receives. */
export const sessionLink = (
  host: ChannelHost,
  settings: SessionSettings,
  { client, ...shared }: Shared,
): ChannelLink => {
  const limits = createLimits(host, settings.perMinute, settings);
  let loading: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    loading ??= import("./engine.ts").then(({ createEngine }) =>
      createEngine(host, settings, {
        limits,
        client,
        activeSocket: () => sessionManager.activeSocket,
        restrictionChanged: () => sessionManager.restrictionChanged(),
      }),
    );
    return loading;
  };
  const sessionManager = createSessionManager(host, { engine, ...shared, restriction: limits.restriction });

  return {
    get state() {
      return sessionManager.state;
    },
    get lastReceivedAt() {
      return sessionManager.lastReceivedAt;
    },
    connect: sessionManager.connect,
    async close() {
      await sessionManager.close();
      const loaded = await loading;
      loaded?.history.close();
      loaded?.inbox.close();
      loaded?.sender.close();
    },
    forget: sessionManager.forget,
    pairing: sessionManager.pairing,
    history: { request: async (request) => (await engine()).history.request(request) },
    people: {
      show: async (presence, to) => (await engine()).people.show(presence, to),
      watch: async (to) => (await engine()).people.watch(to),
      blocked: async () => (await engine()).people.blocked(),
      setBlocked: async (to, isBlocked) => (await engine()).people.setBlocked(to, isBlocked),
      profile: async () => (await engine()).people.profile(),
      changeProfile: async (changes) => (await engine()).people.changeProfile(changes),
      picture: async (to) => (await engine()).people.picture(to),
    },
    lookup: {
      known: async (numbers) => (await engine()).sender.lookup.known(numbers),
      find: async (numbers) => (await engine()).sender.lookup.find(numbers),
    },
    groups: lateGroups(async () => (await engine()).groups),
    media: { open: async (nativeId) => (await engine()).inbox.media.open(nativeId) },
    quota: { read: async () => (await engine()).sender.quota.read() },
    providerMessageIdFor,
    operate: async (operation) => (await engine()).sender.operate(operation),
    paceMs: limits.pace.waitMs,
    send: async (order) => (await engine()).sender.send(order),
  };
};
