import type { GroupMetadata, proto } from "@whiskeysockets/baileys";
import { broadcastKindOf } from "../../../../src/contract/capabilities.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { asDigits, spellingsOf } from "../../../../src/kernel/numbers/phone-numbers.ts";
import type { ActiveSocket } from "../../active-socket.ts";
import { address, isGroup, isLid, jidOf, userOf } from "../../address.ts";
import { completed, personOf } from "../../inbound/people.ts";
import { groupOn } from "../../lifecycle/group-cache.ts";
import { refused, Unsendable } from "../outcomes.ts";
import { sendFailureOf } from "../relay.ts";

/** The mentions of a message in the network's form, and its text with the addresses that the network wants there. */
export type Mentions = { context: proto.IContextInfo; rewritten(text: string): string };

/** The word for everybody in a group. */
const ALL = "all";

/** A person or group to mention: the names in the client's text, and the name that stands there at the network. */
type Named = { names: readonly string[]; name: string };

/**
 * The mentions of an order; undefined without any. Apps show a mention if the text has `@` and the very address that
 * the mention has: the LID where the chat is written to by LIDs.
 */
export const mentionsOf = (
  activeSocket: ActiveSocket,
  { content }: SendOrder,
  jid: string,
): Promise<Mentions | undefined> =>
  mentionsIn(activeSocket, { given: "mentions" in content ? (content.mentions ?? []) : [], jid }, () => true);

/** The mentions of a message that its new text still names, and that of everybody; undefined without any. */
export const keptMentions = (
  activeSocket: ActiveSocket,
  { mentionedJid, groupMentions, nonJidMentions }: proto.IContextInfo,
  { text, jid }: { text: string; jid: string },
): Promise<Mentions | undefined> => {
  const given = [
    ...(mentionedJid ?? []),
    ...(groupMentions ?? []).flatMap(({ groupJid }) => groupJid ?? []),
    ...(nonJidMentions ? [ALL] : []),
  ];
  const standing = new Set([...text.matchAll(NAME)].map(([, name = ""]) => name));
  return mentionsIn(activeSocket, { given, jid }, ({ names }) => names.some((name) => standing.has(name)));
};

const mentionsIn = async (
  activeSocket: ActiveSocket,
  { given, jid }: { given: readonly string[]; jid: string },
  isWanted: (one: Named) => boolean,
): Promise<Mentions | undefined> => {
  if (given.length === 0) return undefined;
  const group = isGroup(jid) ? await groupWrittenTo(activeSocket, jid) : undefined;
  const keys = given.filter((one) => one !== ALL).map(keyOf);
  const ofPeople = keys.filter((key) => !key.startsWith("group:"));
  const people = (await Promise.all(ofPeople.map((key) => personIn(activeSocket, { jid, group }, key)))).filter(
    isWanted,
  );
  const groups: Awaited<ReturnType<typeof groupNamed>>[] = [];
  for (const key of keys.filter((one) => one.startsWith("group:"))) groups.push(await groupNamed(activeSocket, key));
  const namedGroups = groups.filter(isWanted);
  const isOfAll = given.includes(ALL);
  if (people.length + namedGroups.length === 0 && !isOfAll) return undefined;
  const named = [...people, ...namedGroups].flatMap(({ names, name }: Named) =>
    names.map((one): [string, string] => [one, name]),
  );
  return {
    context: {
      ...(people.length > 0 ? { mentionedJid: [...new Set(people.map((one) => one.jid))] } : {}),
      ...(namedGroups.length > 0 ? { groupMentions: namedGroups.map((one) => one.mention) } : {}),
      ...(isOfAll ? { nonJidMentions: 1 } : {}),
    },
    rewritten: (text) => withNames(text, new Map(named)),
  };
};

/** A refusal of the network is the outcome of the message, as it is without mentions. */
const groupWrittenTo = ({ sock }: ActiveSocket, jid: string): Promise<GroupMetadata> =>
  groupOn(sock, jid).catch((thrown: unknown) => {
    const failure = sendFailureOf(thrown);
    throw failure.kind === "unknown" ? thrown : new Unsendable(failure); // nothing has left
  });

const keyOf = (given: string): string => {
  const found = address(asDigits(given));
  if (!found.ok || broadcastKindOf(found.to) !== undefined)
    throw new Unsendable(refused("a mention is no person and no group of the network"));
  return found.to;
};

type Place = { jid: string; group: GroupMetadata | undefined };

/** A person as the chat names its people. The members of a group are known with both addresses. */
const personIn = async (
  { keyStore }: ActiveSocket,
  { jid, group }: Place,
  key: string,
): Promise<Named & { jid: string }> => {
  const given = userOf(jidOf(key) ?? "");
  const spellings = key.startsWith("pn:") ? spellingsOf(given) : [given];
  const member = group?.participants
    .map((one) => personOf(one.id, one.lid, one.phoneNumber))
    .find((one) => spellings.includes((key.startsWith("pn:") ? one.pn : one.lid) ?? ""));
  const { pn, lid } = member ?? (await completed(keyStore, personOf(jidOf(key))));
  const isByLid = group ? group.addressingMode === "lid" : isLid(jid);
  const server = (isByLid ? lid !== undefined : pn === undefined) ? "lid" : "s.whatsapp.net";
  const user = (server === "lid" ? lid : pn) ?? given;
  const names = [...spellings, ...(pn === undefined ? [] : spellingsOf(pn)), ...(lid === undefined ? [] : [lid])];
  return { names, name: user, jid: `${user}@${server}` };
};

/** A group stands in the text with its whole address. */
const groupNamed = async ({ sock }: ActiveSocket, key: string): Promise<Named & { mention: proto.IGroupMention }> => {
  const groupJid = jidOf(key) ?? "";
  const id = userOf(groupJid);
  const { subject: groupSubject } = await groupOn(sock, groupJid).catch(() => ({ subject: "" }));
  return { names: [id], name: groupJid, mention: { groupJid, groupSubject } };
};

const NAME = /@(\d{5,20}(?:-\d{5,15})?)(?:@(?:s\.whatsapp\.net|lid|g\.us))?(?!\d)/g;

const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(NAME, (whole: string, name: string) => {
    const shown = names.get(name);
    return shown === undefined ? whole : `@${shown}`;
  });
