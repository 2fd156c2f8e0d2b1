import type { GroupRules, GroupsApi } from "../../../src/contract/abilities/groups.ts";
import { setPicture } from "../account/pictures.ts";
import { type ActiveSocket, childOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, node, refusal } from "../ask.ts";
import { newKey } from "../message-ids.ts";
import { ALL, about, change, type GroupPorts, metadataOf, type Open, takeTurn } from "./ports.ts";

type Changes = Required<
  Pick<GroupsApi, "update" | "leave" | "setJoinMode" | "setRules" | "setPicture" | "inviteLink" | "resetInviteLink">
>;

/** What a group's invite link begins with. */
export const INVITE_LINK = "https://chat.whatsapp.com/";

/** The changes of a group itself. */
export const groupChanges = (ports: GroupPorts, open: Open): Changes => {
  const changed = (to: string, ...contents: Stanza[]) =>
    open(async (active): Promise<true> => {
      for (const content of contents) await change(ports, active, to, content);
      return true;
    });
  return {
    update: (groupId, { subject, description }) =>
      open(async (active): Promise<true> => {
        if (subject !== undefined) await change(ports, active, groupId, node("subject", {}, Buffer.from(subject)));
        if (description !== undefined) await describeGroup(ports, active, groupId, description);
        return true;
      }),
    leave: (groupId) => changed(ALL, node("leave", {}, [node("group", { id: groupId })])),
    setJoinMode: (groupId, mode) => {
      const join = node("group_join", { state: mode === "APPROVAL_REQUIRED" ? "on" : "off" });
      return changed(groupId, node("membership_approval_mode", {}, [join]));
    },
    setRules: (groupId, rules) => changed(groupId, ...ruleNodes(rules)),
    setPicture: (groupId, picture) =>
      open(({ sock }) => {
        takeTurn(ports);
        return setPicture(ports.host, sock, picture, groupId);
      }),
    inviteLink: (groupId) => open(async ({ sock }) => linkIn(await ask(sock, about("get", groupId, node("invite"))))),
    resetInviteLink: (groupId) => open(async (active) => linkIn(await change(ports, active, groupId, node("invite")))),
  };
};

/** Sets or empties the description. The network requires the id of the previous one. */
export const describeGroup = async (
  ports: GroupPorts,
  active: ActiveSocket,
  groupId: string,
  text: string,
): Promise<void> => {
  const prev = childOf(await metadataOf(active, groupId), "description")?.attrs["id"];
  const attrs: Record<string, string> = text === "" ? { delete: "true" } : { id: newKey(ports.host.random) };
  const body = text === "" ? undefined : [node("body", {}, Buffer.from(text))];
  const asked = node("description", { ...attrs, ...(prev === undefined ? {} : { prev }) }, body);
  await change(ports, active, groupId, asked);
};

const linkIn = (answer: Stanza): string => {
  const code = childOf(answer, "invite")?.attrs["code"];
  if (!code) throw new Ended(refusal("the network gave no invite link"));
  return `${INVITE_LINK}${code}`;
};

const ruleNodes = ({ onlyAdminsSend, onlyAdminsEdit, onlyAdminsAdd }: GroupRules): Stanza[] => [
  ...(onlyAdminsSend === undefined ? [] : [node(onlyAdminsSend ? "announcement" : "not_announcement")]),
  ...(onlyAdminsEdit === undefined ? [] : [node(onlyAdminsEdit ? "locked" : "unlocked")]),
  ...(onlyAdminsAdd === undefined
    ? []
    : [node("member_add_mode", {}, Buffer.from(onlyAdminsAdd ? "admin_add" : "all_member_add"))]),
];
