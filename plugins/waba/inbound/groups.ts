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
 * The fields of groups: each envelope may hold several groups, and each group several updates. A sample of the documents
 * gives the wrong `type` to a removal, so the type of an update of participants decides nothing.
 */
export const groupsOf: ChangeReader = (change) =>
  listOf(change.value["groups"]).flatMap((group) => groupEvents(change, recordOf(group)));

const groupEvents = (change: Change, group: Json): ChannelEvent[] => {
  const at = millisecondsOf(group["timestamp"]) || change.at;
  const type = nameOf(group["type"]);
  const groupChange = { type, group, groupId: textOf(group["group_id"]), requestId: textOf(group["request_id"]) };
  const updates = updatesIn(change.field, groupChange);
  if (updates.length === 0) return [unknownEvent(at, `${change.field} ${type}`)];
  // the network repeats exactly the same; the first update has had its id without a place since the first version
  return updates.map((said, place) => ({
    kind: "group",
    at,
    nativeId: sha256(JSON.stringify([change.field, group, ...(place > 0 ? [place] : [])])),
    ...said,
  }));
};

/** A refused request makes or deletes no group. Beside a refused part, the group and its other parts may have changed. */
const updatesIn = (field: string, groupChange: GroupChange): Said[] => {
  const { type, groupId, group } = groupChange;
  const refused = refusalsIn(field, groupChange);
  const isRefused = listOf(group["errors"]).length > 0;
  if (groupId === undefined) return refused;
  switch (field) {
    case "group_lifecycle_update":
      if (isRefused) return refused;
      if (type === "group_delete") return [{ what: "deleted", groupId }, ...refused];
      return type === "group_create" ? [created(groupChange, groupId), ...refused] : refused;
    case "group_participants_update":
      return [...peopleIn(group, groupId), ...refused];
    case "group_settings_update":
      return [...settingsIn(group, groupId), ...refused];
    default:
      if (isRefused) return refused;
      if (type === "group_suspend") return [{ what: "suspended", groupId }, ...refused];
      return type === "group_suspend_cleared" ? [{ what: "unsuspended", groupId }, ...refused] : refused;
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

const peopleIn = (group: Json, groupId: string): Said[] => {
  const gone = group["initiated_by"] === "participant" ? "leave" : "remove";
  const changes = [
    { action: gone, waIds: waIdsIn(group["removed_participants"]) },
    { action: "join", waIds: waIdsIn(group["added_participants"]) },
  ] as const;
  return changes.flatMap((change) =>
    change.waIds.length > 0 ? [{ what: "participants" as const, groupId, ...change }] : [],
  );
};

const waIdsIn = (list: unknown): string[] => listOf(list).flatMap((one) => waIdOf(recordOf(one)) ?? []);

const settingsIn = (group: Json, groupId: string): Said[] => {
  const changed = present({
    subject: newText(group["group_subject"]),
    description: newText(group["group_description"]),
  });
  return Object.keys(changed).length === 0 ? [] : [{ what: "settings", groupId, ...changed }];
};

/** A description may have been emptied. */
const newText = (setting: unknown): string | undefined => {
  const { text, update_successful: isSuccessful } = recordOf(setting);
  return typeof text === "string" && isSuccessful !== false ? text : undefined;
};

/** Why a request failed, or parts of it: each reason once. */
const refusalsIn = (field: string, { type, groupId, requestId, group }: GroupChange): Said[] => {
  const parts = ["group_subject", "group_description", "profile_picture"].map((name) => group[name]);
  const errors = [group, ...parts, ...listOf(group["failed_participants"])].flatMap((part) =>
    listOf(recordOf(part)["errors"]).map((error) => errorOf(recordOf(error))),
  );
  const reasons = new Map(errors.map((error) => [JSON.stringify(error), error]));
  const isDeletion = field === "group_lifecycle_update" && type !== "group_create";
  return [...reasons.values()].map((error) => ({
    what: "failed",
    ...present({ groupId, requestId }),
    ...(isDeletion ? { isDeletion } : {}),
    error,
  }));
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
