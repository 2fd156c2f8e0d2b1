import type { GroupRules } from "../../../src/contract/abilities/groups.ts";
import type { GroupUpdate } from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { textIn } from "../ask.ts";
import { groupIn } from "../groups/group-nodes.ts";
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
    childrenOf(stanza).map(async (change, index) => {
      const said = await saidIn(keyStore, stanza, change);
      const nativeId = said?.what === "created" && isNew(stanza, change) ? `created/${from}` : `${from}/${id}/${index}`;
      return said ? [{ kind: "group" as const, at: millisecondsOf(t), nativeId, ...said }] : [];
    }),
  );
  return updates.flat();
};

const isNew = ({ attrs }: Stanza, change: Stanza): boolean =>
  Math.abs(Number(attrs["t"]) - Number(childOf(change, "group")?.attrs["creation"])) < NEW_SECONDS;

const saidIn = async (keyStore: KeyReader, stanza: Stanza, change: Stanza): Promise<Said | undefined> => {
  const groupId = stanza.attrs["from"] ?? "";
  switch (change.tag) {
    case "create":
      return creation(keyStore, change);
    case "delete":
      return { what: "deleted", groupId };
    case "add":
    case "remove":
    case "leave":
    case "promote":
    case "demote":
      return people(keyStore, stanza, change);
    case "subject":
      return { what: "settings", groupId, subject: change.attrs["subject"] ?? textIn(change) };
    case "description":
      return { what: "settings", groupId, description: textIn(childOf(change, "body")) };
    case "membership_approval_mode": {
      const isAsked = childOf(change, "group_join")?.attrs["state"] === "on";
      return { what: "settings", groupId, joinApprovalMode: isAsked ? "APPROVAL_REQUIRED" : "AUTO_APPROVE" };
    }
    case "member_add_mode":
      return { what: "settings", groupId, rules: { onlyAdminsAdd: textIn(change) !== "all_member_add" } };
    default: {
      const rules = RULES[change.tag];
      return rules && { what: "settings", groupId, rules };
    }
  }
};

const creation = async (keyStore: KeyReader, change: Stanza): Promise<Said | undefined> => {
  const group = await groupIn(keyStore, childOf(change, "group"));
  if (!group) return undefined;
  const { groupId, subject, description, joinApprovalMode, participants, admins = [] } = group;
  return {
    what: "created",
    groupId,
    subject,
    description,
    joinApprovalMode,
    participants: [...participants],
    admins: [...admins],
  };
};

/** A person who was not removed by another person has left. */
const people = async (keyStore: KeyReader, { attrs }: Stanza, change: Stanza): Promise<Said | undefined> => {
  const waIds = await waIdsOf(keyStore, participantsIn(change));
  if (waIds.length === 0) return undefined;
  const groupId = attrs["from"] ?? "";
  const { tag } = change;
  if (tag === "promote" || tag === "demote") return { what: "participants", groupId, action: tag, waIds };
  if (tag === "add") return { what: "participants", groupId, action: "join", waIds };
  const by = await waIdOf(keyStore, {
    tag: "participant",
    attrs: { jid: attrs["participant"] ?? "", phone_number: attrs["participant_pn"] ?? "" },
  });
  const hasLeft = tag === "leave" || (waIds.length === 1 && waIds[0] === by);
  return { what: "participants", groupId, action: hasLeft ? "leave" : "remove", waIds };
};
