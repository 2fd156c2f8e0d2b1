import { S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import type { OwnProfile, PeopleApi, ProfilePicture } from "../../../src/contract/abilities/people.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { type ActiveSocket, childOf, childrenOf } from "../active-socket.ts";
import { userOf } from "../address.ts";
import type { AppState } from "../app-state/sync.ts";
import { ask, Ended, failureOf, iq, node, onSocket, refusal } from "../ask.ts";
import { completed, namesOf, personOf } from "../inbound/people.ts";
import { personAt } from "../outbound/addressing.ts";
import type { Numbers, Resolved } from "../outbound/numbers.ts";
import { setPicture } from "./pictures.ts";
import type { Watching } from "./watching.ts";

type Deps = {
  activeSocket(): ActiveSocket | undefined;
  numbers: Numbers;
  watching: Watching;
  appState: Pick<AppState, "set">;
};

/** The public data of a session's account, and the people that it has blocked. */
export const createPeople = (host: ChannelHost, { activeSocket, numbers, watching, appState }: Deps): PeopleApi => {
  const open = <Value>(call: (active: ActiveSocket) => Promise<Value>) => onSocket(activeSocket(), call);
  const jidOfKey = async (active: ActiveSocket, to: string) => (await addressOf(numbers, active, to)).jid;
  return {
    show: (presence, to) =>
      open(async (active): Promise<true> => {
        if (presence === "available" || presence === "unavailable") await showOwn(active, presence);
        else await showInChat(active, presence, await jidOfKey(active, to ?? ""));
        return true;
      }),
    watch: (to) =>
      open(async (active): Promise<true> => {
        await watching.add(active, await jidOfKey(active, to));
        return true;
      }),
    blocked: () =>
      open(async ({ sock, keyStore }) => {
        const answer = await ask(sock, iq("get", BLOCKS));
        const people = childrenOf(childOf(answer, "list")).map(({ attrs }) => personOf(attrs["jid"], attrs["pn_jid"]));
        const named = await Promise.all(people.map((person) => completed(keyStore, person)));
        return named.flatMap((person) => namesOf(person)[0] ?? []);
      }),
    setBlocked: (to, isBlocked) =>
      open(async (active) => setBlocked(active, await addressOf(numbers, active, to), isBlocked)),
    profile: () => open(ownProfile),
    changeProfile: ({ name, about, picture }) =>
      open(async (active): Promise<true> => {
        const { sock } = active;
        if (name !== undefined) await setName(active, { name, appState, at: host.clock.now() });
        if (about !== undefined) {
          const content = [node("status", {}, Buffer.from(about))];
          await ask(sock, iq("set", { xmlns: "status", to: S_WHATSAPP_NET }, content));
        }
        if (picture !== undefined) await setPicture(host, sock, picture);
        return true;
      }),
    about: (to) =>
      open(async (active) => {
        const [first] = (await active.sock.fetchStatus(await jidOfKey(active, to))) ?? [];
        const { status } = (first?.["status"] ?? {}) as { status?: string | null };
        return status || null;
      }),
    picture: (to) => open(async (active) => keptPicture(host, active, await jidOfKey(active, to))),
  };
};

const BLOCKS = { xmlns: "blocklist", to: S_WHATSAPP_NET };

/** @throws Ended if the network does not have the person */
const addressOf = async (numbers: Numbers, active: ActiveSocket, to: string): Promise<Resolved> => {
  const found = await numbers.resolve(active, to);
  if (found.ok) return found;
  throw new Ended(found.kind === "refused" ? refusal(found.reason) : unavailable(found.reason));
};

const showOwn = async ({ sock }: ActiveSocket, type: "available" | "unavailable"): Promise<void> => {
  const name = sock.authState.creds.me?.name;
  if (!name) throw new Ended(refusal("the network has not given the account's name yet"));
  await sock.sendPresenceUpdate(type);
};

const showInChat = async (
  { sock }: ActiveSocket,
  shown: "composing" | "recording" | "paused",
  to: string,
): Promise<void> => sock.sendPresenceUpdate(shown, to);

/**
 * Blocks by LID, with the number beside it: the network takes no other form. A person with only a known LID can be
 * unblocked, but not blocked.
 */
const setBlocked = async (active: ActiveSocket, resolved: Resolved, isBlocked: boolean): Promise<true> => {
  const { pn, lid } = await personAt(active.keyStore, resolved);
  if (lid === undefined) throw new Ended(refusal("the network names no LID of this person, which a block needs"));
  if (isBlocked && pn === undefined)
    throw new Ended(refusal("the number of this person is not known, which a block needs"));
  const jid = `${lid}@lid`;
  const item = isBlocked ? { action: "block", jid, pn_jid: `${pn}@s.whatsapp.net` } : { action: "unblock", jid };
  await ask(active.sock, iq("set", BLOCKS, [node("item", item)]));
  return true;
};

const ownProfile = async (active: ActiveSocket): Promise<OwnProfile> => {
  const { me } = active.sock.authState.creds;
  const jid = `${userOf(me?.id ?? "")}@s.whatsapp.net`;
  const picture = await pictureOf(active, jid);
  const [first] = (await active.sock.fetchStatus(jid)) ?? [];
  const { status } = (first?.["status"] ?? {}) as { status?: string | null };
  return { name: me?.name ?? null, about: status || null, pictureUrl: picture.url };
};

/**
 * The name is a value of the app state, as it is for the owner's own apps. The library is told of it: it puts the name
 * on its presence.
 */
const setName = async (
  active: ActiveSocket,
  { name, appState, at }: { name: string; appState: Pick<AppState, "set">; at: number },
): Promise<void> => {
  const value = { pushNameSetting: { name }, timestamp: at };
  const written = [{ index: ["setting_pushName"], version: 1, value }];
  await appState.set(active, "critical_block", async () => ({ written }));
  const { me } = active.sock.authState.creds;
  if (me) active.sock.ev.emit("creds.update", { me: { ...me, name } });
};

const HIDDEN: ReadonlySet<number> = new Set([401, 403]);

/**
 * The library attaches a privacy token if it has one, but never for the account itself: that request would get no
 * answer.
 */
const pictureOf = async ({ sock }: ActiveSocket, jid: string): Promise<ProfilePicture> => {
  try {
    const url = await sock.profilePictureUrl(jid, "image");
    return url ? { url } : { url: null, reason: "none" };
  } catch (thrown) {
    const failure = failureOf(thrown);
    const code = failure.kind === "refused" ? failure.error.code : null;
    if (code === 404) return { url: null, reason: "none" };
    if (code !== null && HIDDEN.has(code)) return { url: null, reason: "hidden" };
    throw thrown;
  }
};

const PICTURE = "picture";

const keptPicture = async ({ clock }: ChannelHost, active: ActiveSocket, jid: string): Promise<ProfilePicture> => {
  const [kept] = (await active.keyStore.read(PICTURE, [jid])).values();
  const row = kept === undefined ? undefined : (JSON.parse(kept) as ProfilePicture & { until: number }); // written here
  if (row && row.until > clock.now()) return row.url === null ? { url: null, reason: row.reason } : { url: row.url };
  const fresh = await pictureOf(active, jid);
  const until = clock.now() + DAY_MS;
  const value = JSON.stringify({ ...fresh, until });
  await active.keyStore.write({ rows: [{ kind: PICTURE, id: jid, value, until }] });
  return fresh;
};
