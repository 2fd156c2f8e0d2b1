import { type Account, accountOf, type Group, jidOf, type Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { child, firstChild, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import { type Refusal, refusal } from "./group-iqs.ts";

type Pictured = { picture?: { id: string; bytes: Uint8Array } | undefined };

const NOT_FOUND = refusal(404, "item-not-found");

const pictureAnswer = (network: Network, { picture }: Pictured): Stanza[] | Refusal =>
  picture
    ? [
        stanza("picture", {
          id: picture.id,
          type: "image",
          url: `https://${network.media.host}${network.media.put(picture.bytes)}`,
        }),
      ]
    : NOT_FOUND;

/**
 * Reads and sets pictures. Nobody asks for their own with a privacy token: the network never answers that (undefined
 * drops it).
 */
export const answerPicture = (network: Network, { account }: Linked, iq: Stanza): Stanza[] | Refusal | "silence" => {
  const { target, type } = iq.attrs;
  const group = network.groups.get(target ?? "");
  const person = group ? undefined : target === undefined ? account : accountOf(network, target);
  if (!group && !person) return NOT_FOUND;
  const owner = { person, group };
  return type === "get" ? readPicture(network, account, iq, owner) : changePicture(network, account, iq, owner);
};

/** The owner of the picture. */
type Owner = { person: Account | undefined; group: Group | undefined };

const readPicture = (network: Network, account: Account, iq: Stanza, { person, group }: Owner) => {
  if (person === account && child(firstChild(iq), "tctoken")) return "silence";
  if (person?.hidesPicture && person !== account) return refusal(401, "not-authorized");
  const isInvited = group !== undefined && child(iq, "picture")?.attrs["invite"] === group.invite;
  if (group && !isInvited && !group.members.has(account)) return refusal(401, "not-authorized");
  return pictureAnswer(network, group ?? person ?? {});
};

const changePicture = (network: Network, account: Account, iq: Stanza, { person, group }: Owner) => {
  if (group ? !group.admins.has(account) : person !== account) return refusal(403, "forbidden");
  const content = child(iq, "picture")?.content;
  const picture = content instanceof Uint8Array ? { id: network.newId(), bytes: content } : undefined;
  if (picture && !isJpeg(picture.bytes)) return refusal(406, "not-acceptable");
  if (group) group.picture = picture;
  else if (picture) account.picture = picture;
  else Reflect.deleteProperty(account, "picture");
  return picture ? [stanza("picture", { id: picture.id })] : [];
};

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/** The block list names people by LID. A block of a person with a number names the number too. */
export const answerBlocks = (network: Network, { account }: Linked, iq: Stanza): Stanza[] | Refusal => {
  account.blocked ??= new Set<Account>();
  const item = child(iq, "item");
  if (item) {
    const { jid = "", action, pn_jid: pnJid } = item.attrs;
    const other = accountOf(network, jid);
    if (!other || !jid.endsWith("@lid")) return refusal(400, "bad-request");
    if (action === "block" && other.pn !== undefined && pnJid !== jidOf(other, "pn"))
      return refusal(400, "bad-request");
    if (action === "block") account.blocked.add(other);
    else account.blocked.delete(other);
  }
  const items = [...account.blocked].map((other) => stanza("item", { jid: jidOf(other, "lid") }));
  return [stanza("list", { matched: "false" }, items)];
};

export const answerStatus = ({ account }: Linked, iq: Stanza): Stanza[] => {
  if (child(iq, "privacy")) {
    const { type, people } = account.statusPrivacy ?? { type: "contacts", people: [] };
    const users = people.map((one) => stanza("user", { jid: jidOf(one, "lid") }));
    return [stanza("privacy", {}, [stanza("list", { type, default: "true" }, users)])];
  }
  const status = child(iq, "status");
  if (status) account.about = textOf(status);
  return [];
};

/** A device's presence, which nobody answers. */
export const takePresence = ({ account }: Linked, shown: Stanza): void => {
  if (shown.tag === "presence") {
    const { type } = shown.attrs;
    // without a type it only gives the account's name
    if (type !== undefined && type !== "subscribe") account.presence = type;
    return;
  }
  account.chatStates ??= [];
  const state = firstChild(shown);
  account.chatStates.push({
    to: shown.attrs["to"] ?? "",
    state: state?.tag ?? "",
    media: state?.attrs["media"],
  });
};

/** A person begins or stops writing, in the view of the people who asked for it. */
export const showTyping = (to: Linked, by: Account, state: "composing" | "paused", media?: string): void =>
  to.link?.send(stanza("chatstate", { from: jidOf(by, by.addressing) }, [stanza(state, { media })]));
