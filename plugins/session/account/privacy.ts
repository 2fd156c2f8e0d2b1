import { S_WHATSAPP_NET, type WASocket } from "@whiskeysockets/baileys";
import type { Privacy, PrivacyApi, PrivacyChanges, PrivacyName } from "../../../src/contract/abilities/privacy.ts";
import { type ActiveSocket, childOf, childrenOf } from "../active-socket.ts";
import { userOf } from "../address.ts";
import { ask, iq, node, onSocket } from "../ask.ts";

/** TABLE: the network's name of each setting. */
const CATEGORIES: Readonly<Record<PrivacyName, string>> = {
  lastSeen: "last",
  online: "online",
  picture: "profile",
  about: "status",
  readReceipts: "readreceipts",
  groupAdd: "groupadd",
  callAdd: "calladd",
};

const PLACE = { xmlns: "privacy", to: S_WHATSAPP_NET };
const DISAPPEARING = "disappearing_mode";

/** The privacy settings of a session's account. */
export const createPrivacy = (activeSocket: () => ActiveSocket | undefined): PrivacyApi => ({
  read: () => onSocket(activeSocket(), ({ sock }) => readAll(sock)),
  change: (changes) =>
    onSocket(activeSocket(), async ({ sock }): Promise<true> => {
      await changeAll(sock, changes);
      return true;
    }),
});

const readAll = async (sock: WASocket): Promise<Privacy> => {
  const answer = await ask(sock, iq("get", PLACE, [node("privacy")]));
  const values = new Map(
    childrenOf(childOf(answer, "privacy")).map(({ attrs }) => [attrs["name"] ?? "", attrs["value"] ?? ""]),
  );
  const settings = Object.fromEntries(
    Object.entries(CATEGORIES).map(([name, category]) => [name, values.get(category) || null]),
  ) as Record<PrivacyName, string | null>;
  return { ...settings, defaultDisappearingSeconds: await disappearingOf(sock) };
};

const disappearingOf = async (sock: WASocket): Promise<number | null> => {
  const own = `${userOf(sock.authState.creds.me?.id ?? "")}@s.whatsapp.net`;
  const [first] = (await sock.fetchDisappearingDuration(own)) ?? [];
  const { duration } = (first?.[DISAPPEARING] ?? {}) as { duration?: number };
  return duration !== undefined && Number.isInteger(duration) ? duration : null;
};

const changeAll = async (
  sock: WASocket,
  { defaultDisappearingSeconds: seconds, ...changes }: PrivacyChanges,
): Promise<void> => {
  for (const [name, value] of Object.entries(changes)) {
    const category = node("category", { name: CATEGORIES[name as PrivacyName], value });
    await ask(sock, iq("set", PLACE, [node("privacy", {}, [category])]));
  }
  if (seconds !== undefined)
    await ask(
      sock,
      iq("set", { xmlns: DISAPPEARING, to: S_WHATSAPP_NET }, [node(DISAPPEARING, { duration: String(seconds) })]),
    );
  // the library keeps it, and decides by it what a receipt of reading says
  if (changes.readReceipts !== undefined) await sock.fetchPrivacySettings(true);
};
