import { useState } from "preact/hooks";
import type { Member, MemberRole } from "../../../../../clients/typescript/src/generated/platform.ts";
import { platform } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { account, hasPower, loadSession, session } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { rolesToGive } from "./roles.tsx";
import { teamTexts } from "./texts.ts";

const idOfAccount = (): string => account.value?.id ?? "";
const isOwn = ({ userId }: Member): boolean => userId !== null && userId === session.value?.person.id;
/** Only owners decide about owners; everybody may leave. */
const mayChange = ({ role }: Member): boolean =>
  hasPower("members.write") && (role !== "OWNER" || account.value?.role === "OWNER");

const RoleSelect = ({ member }: { member: Member }) => {
  const t = teamTexts();
  const act = useAct(async (role: MemberRole) => {
    await platform.institutions.changeMemberRole(idOfAccount(), member.userId ?? "", { role });
    notify(t.roleChanged);
    if (isOwn(member)) await loadSession();
  });
  if (member.state === "invited" || !mayChange(member)) return <>{t.roles[member.role]}</>;
  return (
    <>
      <select
        aria-label={`${t.role}: ${member.name ?? member.email}`}
        value={member.role}
        disabled={act.isRunning}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as MemberRole;
          currentTarget.value = member.role; // until the server has agreed
          void act.run(chosen).then(() => refresh("team"));
        }}
      >
        {rolesToGive().map((role) => (
          <option key={role} value={role} selected={role === member.role}>
            {t.roles[role]}
          </option>
        ))}
      </select>
      {act.error !== undefined && <Failure error={act.error} />}
    </>
  );
};

const Removing = ({ member, onClose }: { member: Member; onClose: () => void }) => {
  const t = teamTexts();
  const act = useAct(async () => {
    if (member.invitationId === undefined) await platform.institutions.removeMember(idOfAccount(), member.userId ?? "");
    else await platform.institutions.withdrawInvitation(idOfAccount(), member.invitationId);
    onClose();
    refresh("team");
    if (isOwn(member)) await loadSession();
  });
  const isInvited = member.invitationId !== undefined;
  return (
    <Confirm
      title={isInvited ? t.withdrawTitle(member.email) : t.removeTitle(member.name ?? member.email)}
      yes={isInvited ? t.withdraw : t.remove}
      act={act}
      onNo={onClose}
    >
      <p>{isInvited ? t.withdrawLoses : t.removeLoses}</p>
    </Confirm>
  );
};

/** The members and the invited people, with their roles. */
export const Members = ({ members }: { members: readonly Member[] }) => {
  const t = teamTexts();
  const [removed, setRemoved] = useState<Member | undefined>(undefined);
  const wordFor = (member: Member): string => {
    if (member.state === "invited") return t.withdraw;
    return isOwn(member) ? t.leave : t.remove;
  };
  return (
    <>
      <Table
        label={t.members}
        rows={members}
        keyOf={({ userId, email }) => userId ?? email}
        columns={[
          {
            title: t.person,
            isMain: true,
            cell: (member) => (
              <span class="team-person">
                <span>
                  {member.name ?? member.email}
                  {isOwn(member) && <span class="soft"> ({t.you})</span>}
                </span>
                {member.name !== null && <span class="soft small">{member.email}</span>}
              </span>
            ),
          },
          { title: t.role, cell: (member) => <RoleSelect member={member} /> },
          {
            title: t.state,
            cell: ({ state, expiresAt }) =>
              state === "active" ? (
                <Badge tone="good">{t.active}</Badge>
              ) : (
                <span>
                  <Badge tone="busy">{t.invited}</Badge>{" "}
                  <span class="soft small">
                    {t.until} <When at={expiresAt} isFull />
                  </span>
                </span>
              ),
          },
          {
            title: t.action,
            cell: (member) =>
              (mayChange(member) || isOwn(member)) && (
                <Button onClick={() => setRemoved(member)}>{wordFor(member)}</Button>
              ),
          },
        ]}
      />
      {removed && <Removing member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
};
