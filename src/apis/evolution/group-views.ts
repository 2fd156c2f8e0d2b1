import { addressOfNumber } from "../shared/compatible/addresses.ts";
import { groupView, membersView, type ShownGroup } from "../shared/compatible/groups.ts";

/** The address of a member, whom a group names by digits or by an id. */
export const personJid = (waId: string): string =>
  waId.startsWith("lid:") ? `${waId.slice(4)}@lid` : addressOfNumber(waId);

export const peopleView = (group: Pick<ShownGroup, "participants">) => membersView(group, personJid);

export const withPeople = (group: ShownGroup) => ({ ...groupView(group), participants: peopleView(group) });
