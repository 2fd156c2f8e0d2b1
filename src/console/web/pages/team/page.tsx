import { UserPlus, UsersRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { platform } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { account, hasPower, isOperator } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Invite } from "./invite.tsx";
import { JoinCard } from "./joining.tsx";
import { Members } from "./members.tsx";
import { Operators } from "./operators.tsx";
import { RoleTable } from "./roles.tsx";
import { teamTexts } from "./texts.ts";

const EVERY_MS = 30_000;

/** The people of the account: members, invitations, roles; for operators also the server's operators. */
export const TeamPage = () => {
  const t = teamTexts();
  const id = account.value?.id ?? "";
  const team = useQuery("team", async () => (await platform.institutions.listMembers(id).page()).data, {
    everyMs: EVERY_MS,
  });
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader title={pageNames().team} lead={t.lead}>
        {hasPower("members.write") && (
          <Button tone="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            {t.invite}
          </Button>
        )}
      </PageHeader>
      <div class="stack">
        <Loaded query={team}>
          {(members) =>
            members.length === 0 ? (
              <Empty icon={UsersRound} title={t.empty} hint={t.emptyHint} />
            ) : (
              <Members members={members} />
            )
          }
        </Loaded>
        <RoleTable />
        {account.value?.isInstitution && hasPower("accounts.join") && <JoinCard />}
        {isOperator.value && <Operators />}
      </div>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  );
};
