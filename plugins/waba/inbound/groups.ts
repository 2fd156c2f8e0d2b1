import type { ChannelEvent, GroupUpdate } from "../../../src/contract/events.ts";
import type { UpstreamError } from "../../../src/contract/upstream.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { joinModeOf } from "../groups.ts";
import { type Change, type ChangeReader, millisecondsOf, nameOf, unknownEvent } from "./change.ts";
import { waIdOf } from "./people.ts";

/** The content of each update, without its group and time. */
type Said = GroupUpdate extends infer Update
  ? Update extends GroupUpdate
    ? Omit<Update, "kind" | "at" | "nativeId">
    : never
  : never;
type GroupChange = { type: string; groupId: string | undefined; requestId: string | undefined; group: Json };

/**
 * The fields of groups: each envelope may hold several groups. A sample of the documents gives the wrong `type` to a
 * removal, so its contents are checked first.
 */
export const groupsOf: ChangeReader = (change) =>
  listOf(change.value["groups"]).map((group) => groupEvent(change, recordOf(group)));

const groupEvent = (change: Change, group: Json): ChannelEvent => {
  const at = millisecondsOf(group["timestamp"]) || change.at;
  const type = nameOf(group["type"]);
  const groupChange = { type, group, groupId: textOf(group["group_id"]), requestId: textOf(group["request_id"]) };
  const said = refusalIn(change.field, groupChange) ?? saidIn(change.field, groupChange);
  // the network repeats exactly the same
  return said
    ? { kind: "group", at, nativeId: sha256(JSON.stringify([change.field, group])), ...said }
    : unknownEvent(at, `${change.field} ${type}`);
};

const saidIn = (field: string, groupChange: GroupChange): Said | undefined => {
  const { type, groupId, group } = groupChange;
  if (groupId === undefined) return undefined;
  switch (field) {
    case "group_lifecycle_update":
      return type === "group_delete"
        ? { what: "deleted", groupId }
        : type === "group_create"
          ? created(groupChange, groupId)
          : undefined;
    case "group_participants_update":
      return peopleIn(group, groupId);
    case "group_settings_update":
      return settingsIn(group, groupId);
    default:
      return type === "group_suspend"
        ? { what: "suspended", groupId }
        : type === "group_suspend_cleared"
          ? { what: "unsuspended", groupId }
          : undefined;
  }
};

const created = ({ requestId, group }: GroupChange, groupId: string): Said => ({
  what: "created",
  groupId,
  ...present({
    requestId,
    subject: textOf(group["subject"]),
    description: textOf(group["description"]),
    inviteLink: textOf(group["invite_link"]),
    joinApprovalMode: joinModeOf(group["join_approval_mode"]),
  }),
});

const peopleIn = (group: Json, groupId: string): Said | undefined => {
  const removed = waIdsIn(group["removed_participants"]);
  if (removed.length > 0)
    return {
      what: "participants",
      groupId,
      action: group["initiated_by"] === "participant" ? "leave" : "remove",
      waIds: removed,
    };
  const added = waIdsIn(group["added_participants"]);
  return added.length > 0 ? { what: "participants", groupId, action: "join", waIds: added } : undefined;
};

const waIdsIn = (list: unknown): string[] => listOf(list).flatMap((one) => waIdOf(recordOf(one)) ?? []);

const settingsIn = (group: Json, groupId: string): Said | undefined => {
  const changed = present({
    subject: newText(group["group_subject"]),
    description: newText(group["group_description"]),
  });
  return Object.keys(changed).length === 0 ? undefined : { what: "settings", groupId, ...changed };
};

/** A description may have been emptied. */
const newText = (setting: unknown): string | undefined => {
  const { text, update_successful: isSuccessful } = recordOf(setting);
  return typeof text === "string" && isSuccessful !== false ? text : undefined;
};

/** Why a request failed; undefined if a part of it succeeded, which has its own event. */
const refusalIn = (field: string, { type, groupId, requestId, group }: GroupChange): Said | undefined => {
  const [error] = [group, group["group_subject"], group["group_description"]].flatMap((place) =>
    listOf(recordOf(place)["errors"]),
  );
  const isDone = (peopleIn(group, "") ?? settingsIn(group, "")) !== undefined;
  if (error === undefined || isDone) return undefined;
  const isDeletion = field === "group_lifecycle_update" && type !== "group_create";
  return {
    what: "failed",
    ...present({ groupId, requestId }),
    ...(isDeletion ? { isDeletion } : {}),
    error: errorOf(recordOf(error)),
  };
};

const errorOf = (error: Json): UpstreamError => {
  const details = textOf(recordOf(error["error_data"])["details"]);
  return {
    code: numberOf(error["code"]) ?? null,
    error_subcode: null,
    message: textOf(error["message"]) ?? textOf(error["title"]) ?? "the network gave no reason",
    ...(details === undefined ? {} : { error_user_msg: details }),
  };
};

/** Without the fields that are undefined. */
const present = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
