import type { GroupRules, JoinWay } from "../../../src/contract/abilities/groups.ts";
import type { GroupUpdate } from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";
import { childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { textIn } from "../ask.ts";
import { INVITE_LINK } from "../groups/changes.ts";
import { groupIn, groupJid } from "../groups/group-nodes.ts";
import { participantsIn, waIdOf, waIdsOf } from "../groups/members.ts";
import { millisecondsOf } from "./origin.ts";

type KeyReader = Pick<KeyStore, "read">;
/** The content of an update, without its group and time. */
type Said = GroupUpdate extends infer Update
  ? Update extends GroupUpdate
    ? Omit<Update, "kind" | "at" | "nativeId">
    : never
  : never;

/** TABLE: the settings of a group, by the tag of their notification. */
const RULES: Readonly<Record<string, GroupRules>> = {
  announcement: { onlyAdminsSend: true },
  not_announcement: { onlyAdminsSend: false },
  locked: { onlyAdminsEdit: true },
  unlocked: { onlyAdminsEdit: false },
};

/** TABLE: the network's words for how people come, or ask to come, into a group. */
const WAYS: Readonly<Record<string, JoinWay>> = {
  invite: "invite-link",
  invite_link: "invite-link",
  linked_group_join: "community",
  non_admin_add: "member",
};

/**
 * The announcement of a new group comes within this many seconds. A later one means that we were added to an old group.
 */
const NEW_SECONDS = 60;

/**
 * The updates of a notification about a group. A new group has one id for all reports of it; any other change has the
 * notification's id, which the network repeats with it.
 */
export const groupUpdatesIn = async (keyStore: KeyReader, stanza: Stanza): Promise<GroupUpdate[]> => {
  const { id = "", t, from = "" } = stanza.attrs;
  if (!isGroup(from)) return [];
  const updates = await Promise.all(
    childrenOf(stanza).map(async (change, index) =>
      (await saidIn(keyStore, stanza, change)).map((said, place) => {
        const own = `${from}/${id}/${index}${place > 0 ? `.${place}` : ""}`;
        const nativeId = said.what === "created" && isNew(stanza, change) ? `created/${from}` : own;
        return { kind: "group" as const, at: millisecondsOf(t), nativeId, ...said };
      }),
    ),
  );
  return updates.flat();
};

const isNew = ({ attrs }: Stanza, change: Stanza): boolean =>
  Math.abs(Number(attrs["t"]) - Number(childOf(change, "group")?.attrs["creation"])) < NEW_SECONDS;

const saidIn = async (keyStore: KeyReader, stanza: Stanza, change: Stanza): Promise<Said[]> => {
  const groupId = stanza.attrs["from"] ?? "";
  switch (change.tag) {
    case "create":
      return creation(keyStore, change);
    case "delete":
      return [{ what: "deleted", groupId }];
    case "add":
    case "remove":
    case "leave":
    case "promote":
    case "demote":
      return people(keyStore, stanza, change);
    case "created_membership_requests":
    case "revoked_membership_requests":
      return requests(keyStore, stanza, change);
    case "link":
    case "unlink":
      return communityChanges(groupId, change);
    default: {
      const setting = settingIn(change);
      if (!setting) return [];
      const by = await doerOf(keyStore, stanza);
      return [{ what: "settings", groupId, ...setting, ...(by === undefined ? {} : { by }) }];
    }
  }
};

type Setting = Omit<Extract<Said, { what: "settings" }>, "what" | "groupId" | "by">;

/** The setting of a group that a change names; undefined for other changes. */
const settingIn = (change: Stanza): Setting | undefined => {
  switch (change.tag) {
    case "subject":
      return { subject: change.attrs["subject"] ?? textIn(change) };
    case "description":
      return { description: textIn(childOf(change, "body")) };
    case "invite": {
      const { code } = change.attrs;
      return code ? { inviteLink: `${INVITE_LINK}${code}` } : undefined;
    }
    case "membership_approval_mode": {
      const isAsked = childOf(change, "group_join")?.attrs["state"] === "on";
      return { joinApprovalMode: isAsked ? "APPROVAL_REQUIRED" : "AUTO_APPROVE" };
    }
    case "member_add_mode":
      return { rules: { onlyAdminsAdd: textIn(change) !== "all_member_add" } };
    default: {
      const rules = ownValue(RULES, change.tag);
      return rules && { rules };
    }
  }
};

const creation = async (keyStore: KeyReader, change: Stanza): Promise<Said[]> => {
  const group = await groupIn(keyStore, childOf(change, "group"));
  if (!group) return [];
  const { groupId, subject, description, joinApprovalMode, participants, admins = [], community } = group;
  return [
    {
      what: "created",
      groupId,
      subject,
      description,
      joinApprovalMode,
      participants: [...participants],
      admins: [...admins],
      ...(community ? { community } : {}),
    },
  ];
};

/** The person who did what a notification reports. */
const doerOf = (keyStore: KeyReader, { attrs }: Stanza): Promise<string | undefined> =>
  waIdOf(keyStore, {
    tag: "participant",
    attrs: { jid: attrs["participant"] ?? "", phone_number: attrs["participant_pn"] ?? "" },
  });

/** A person who was not removed by another person has left. */
const people = async (keyStore: KeyReader, stanza: Stanza, change: Stanza): Promise<Said[]> => {
  const waIds = await waIdsOf(keyStore, participantsIn(change));
  if (waIds.length === 0) return [];
  const { tag } = change;
  const doer = await doerOf(keyStore, stanza);
  const isAlone = waIds.length === 1 && waIds[0] === doer;
  const way = tag === "add" ? ownValue(WAYS, change.attrs["reason"] ?? "") : undefined;
  const head = {
    what: "participants" as const,
    groupId: stanza.attrs["from"] ?? "",
    waIds,
    ...(way === undefined ? {} : { way }),
    ...(doer === undefined || isAlone ? {} : { by: doer }),
  };
  if (tag === "promote" || tag === "demote") return [{ ...head, action: tag }];
  if (tag === "add") return [{ ...head, action: "join" }];
  return [{ ...head, action: tag === "leave" || isAlone ? "leave" : "remove" }];
};

/**
 * Requests to join a group, and their end. Who asks by the invite link is the notification's own participant; whom a
 * member wants to add is named in it. A request that somebody else ended was rejected.
 */
const requests = async (keyStore: KeyReader, stanza: Stanza, change: Stanza): Promise<Said[]> => {
  const named = childrenOf(change).filter(({ tag }) => tag === "requested_user" || tag === "participant");
  const doer = await doerOf(keyStore, stanza);
  const waIds = named.length > 0 ? await waIdsOf(keyStore, named) : doer === undefined ? [] : [doer];
  if (waIds.length === 0) return [];
  const head = { what: "join-requests" as const, groupId: stanza.attrs["from"] ?? "", waIds };
  if (change.tag === "created_membership_requests") {
    const way = ownValue(WAYS, change.attrs["request_method"] ?? "");
    return [{ ...head, action: "requested", ...(way === undefined ? {} : { way }) }];
  }
  const isOwn = doer === undefined || (waIds.length === 1 && waIds[0] === doer);
  return [{ ...head, action: isOwn ? "withdrawn" : "rejected" }];
};

/** A community names the groups that are linked to it, a group its community. */
const communityChanges = (groupId: string, change: Stanza): Said[] => {
  const what = change.tag === "link" ? "linked" : "unlinked";
  const kind = change.attrs[`${change.tag}_type`];
  return childrenOf(change).flatMap(({ tag, attrs }): Said[] => {
    const id = attrs["jid"] ?? attrs["id"];
    if (tag !== "group" || id === undefined) return [];
    const other = groupJid(id);
    if (kind === "parent_group") return [{ what, groupId, communityId: other }];
    return kind === "sub_group" ? [{ what, groupId: other, communityId: groupId }] : [];
  });
};
