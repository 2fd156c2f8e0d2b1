import type { GroupMetadata, proto } from "@whiskeysockets/baileys";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { asDigits, spellingsOf } from "../../../../src/kernel/numbers/phone-numbers.ts";
import type { ActiveSocket } from "../../active-socket.ts";
import { address, isGroup, isLid, jidOf, userOf } from "../../address.ts";
import { completed, personOf } from "../../inbound/people.ts";
import { groupOn } from "../../lifecycle/group-cache.ts";
import { refused, Unsendable } from "../outcomes.ts";

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
export const mentionsOf = async (
  activeSocket: ActiveSocket,
  { content }: SendOrder,
  jid: string,
): Promise<Mentions | undefined> => {
  const given = "mentions" in content ? (content.mentions ?? []) : [];
  if (given.length === 0) return undefined;
  const group = isGroup(jid) ? await groupOn(activeSocket.sock, jid) : undefined;
  const keys = given.filter((one) => one !== ALL).map(keyOf);
  const people = await Promise.all(
    keys.filter((key) => !key.startsWith("group:")).map((key) => personIn(activeSocket, { jid, group }, key)),
  );
  const groups = await Promise.all(
    keys.filter((key) => key.startsWith("group:")).map((key) => groupNamed(activeSocket, key)),
  );
  const named = [...people, ...groups].flatMap(({ names, name }: Named) =>
    names.map((one): [string, string] => [one, name]),
  );
  return {
    context: {
      ...(people.length > 0 ? { mentionedJid: [...new Set(people.map((one) => one.jid))] } : {}),
      ...(groups.length > 0 ? { groupMentions: groups.map((one) => one.mention) } : {}),
      ...(given.includes(ALL) ? { nonJidMentions: 1 } : {}),
    },
    rewritten: (text) => withNames(text, new Map(named)),
  };
};

const keyOf = (given: string): string => {
  const found = address(asDigits(given));
  if (!found.ok) throw new Unsendable(refused("a mention is no number and no address of the network"));
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
  const names = [...spellings, ...[pn, lid].flatMap((one) => one ?? [])];
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
