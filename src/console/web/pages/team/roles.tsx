import type { MemberRole } from "../../../../../clients/typescript/src/generated/platform.ts";
import { account } from "../../frame/session.ts";
import { Card, Details } from "../../parts/layout.tsx";
import { teamTexts } from "./texts.ts";

const ROLES: readonly MemberRole[] = ["OWNER", "ADMIN", "MEMBER", "VIEWER"];

/** The roles that the person may give: only owners make owners. */
export const rolesToGive = (): readonly MemberRole[] =>
  account.value?.role === "OWNER" ? ROLES : ROLES.filter((role) => role !== "OWNER");

/** A choice of roles, each with its rights. */
export const RoleChoice = () => {
  const t = teamTexts();
  return (
    <fieldset class="role-choice choice-cards">
      <legend>{t.role}</legend>
      {rolesToGive()
        .toReversed()
        .map((role) => (
          <label key={role}>
            <input type="radio" name="role" value={role} defaultChecked={role === "MEMBER"} />
            <span>
              <strong>{t.roles[role]}</strong>
              <span class="hint">{t.rolesMay[role]}</span>
            </span>
          </label>
        ))}
    </fieldset>
  );
};

/** The rights of each role. */
export const RoleTable = () => {
  const t = teamTexts();
  return (
    <Card title={t.rolesTitle}>
      <Details items={ROLES.map((role) => [t.roles[role], t.rolesMay[role]] as const)} />
    </Card>
  );
};
