import type { ChannelHost, ChannelLink } from "../../src/contract/plugin.ts";
import type { ClientVersion } from "./client/client-version.ts";
import type { Engine } from "./engine.ts";
import { late } from "./late.ts";
import type { CodeNumbers } from "./lifecycle/code-numbers.ts";
import type { ConnectLimiter } from "./lifecycle/connect-limiter.ts";
import { createSessionManager } from "./lifecycle/session-manager.ts";
import { providerMessageIdFor } from "./message-ids.ts";
import { createLimits } from "./outbound/limits/limits.ts";
import { createPhoneSettings } from "./phone-settings.ts";
import type { SessionSettings } from "./plugin.ts";

/** The parts that all sessions of the process share. */
export type Shared = { connectLimiter: ConnectLimiter; codeNumbers: CodeNumbers; client: ClientVersion };

const PEOPLE_CALLS = [
  "show",
  "watch",
  "blocked",
  "setBlocked",
  "profile",
  "changeProfile",
  "about",
  "picture",
] as const;
/** The owner talks on the phone: a session neither takes calls nor makes them. */
const CALL_CALLS = ["reject", "createLink"] as const;
const NEWSLETTER_CALLS = [
  "list",
  "read",
  "create",
  "update",
  "remove",
  "follow",
  "unfollow",
  "setMuted",
  "posts",
  "react",
  "watch",
] as const;
const CHAT_CALLS = ["act", "makeLabel", "putLabel", "removeLabel", "resync"] as const;
/** All but `remove`: a session cannot delete a group for everybody. */
const GROUP_CALLS = [
  "create",
  "list",
  "read",
  "update",
  "leave",
  "setJoinMode",
  "setRules",
  "setPicture",
  "promote",
  "demote",
  "addParticipants",
  "removeParticipants",
  "inviteLink",
  "resetInviteLink",
  "look",
  "join",
  "setOwnLabel",
  "joinRequests",
  "approve",
  "reject",
  "send",
] as const;

const COMMUNITY_CALLS = ["create", "linkedGroups", "link", "unlink", "participants", "deactivate"] as const;

/** One session's link: its connection, and what it sends and receives. */
export const sessionLink = (
  host: ChannelHost,
  settings: SessionSettings,
  { client, ...shared }: Shared,
): ChannelLink => {
  const limits = createLimits(host, settings.perMinute, settings);
  const phoneSettings = createPhoneSettings(host);
  let loading: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    loading ??= import("./engine.ts").then(({ createEngine }) =>
      createEngine(host, settings, {
        limits,
        client,
        phoneSettings,
        activeSocket: () => sessionManager.activeSocket,
        restrictionChanged: () => sessionManager.restrictionChanged(),
      }),
    );
    return loading;
  };
  const sessionManager = createSessionManager(host, {
    engine,
    ...shared,
    keepAliveMs: settings.keepAliveMs,
    restriction: limits.restriction,
    bans: { ...limits.ban, row: () => limits.rowOf("ban") },
  });

  return {
    get lastReceivedAt() {
      return sessionManager.lastReceivedAt;
    },
    connect: sessionManager.connect,
    async close() {
      await sessionManager.close();
      const loaded = await loading;
      loaded?.chats.close();
      loaded?.history.close();
      loaded?.inbox.close();
      loaded?.reading.close();
      loaded?.sender.close();
    },
    forget: sessionManager.forget,
    pairing: sessionManager.pairing,
    history: late(async () => (await engine()).history, ["request"]),
    newsletters: late(async () => (await engine()).newsletters, NEWSLETTER_CALLS),
    people: late(async () => (await engine()).people, PEOPLE_CALLS),
    businessProfiles: late(async () => (await engine()).businessProfiles, ["own", "change", "of"]),
    catalog: late(async () => (await engine()).catalog, ["products", "collections", "order"]),
    privacy: late(async () => (await engine()).privacy, ["read", "change"]),
    chats: late(async () => (await engine()).chats, CHAT_CALLS),
    timers: late(async () => (await engine()).sender.timers, ["read", "set"]),
    lookup: late(async () => (await engine()).sender.lookup, ["known", "find"]),
    calls: late(async () => (await engine()).calls, CALL_CALLS),
    settings: {
      changed: async () => {
        phoneSettings.changed();
        return { ok: true, value: true };
      },
    },
    groups: {
      createsWithPeople: true,
      ...late(async () => (await engine()).groups, GROUP_CALLS),
      communities: late(async () => (await engine()).groups.communities, COMMUNITY_CALLS),
    },
    media: late(async () => (await engine()).inbox.media, ["open"]),
    quota: late(async () => (await engine()).sender.quota, ["read"]),
    providerMessageIdFor,
    operate: async (operation) => (await engine()).sender.operate(operation),
    paceMs: limits.pace.waitMs,
    send: async (order) => (await engine()).sender.send(order),
  };
};
