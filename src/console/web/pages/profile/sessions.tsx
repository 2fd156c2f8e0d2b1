import { useState } from "preact/hooks";
import { deviceIn } from "../../../../kernel/texts/devices.ts";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card } from "../../parts/layout.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { Failure } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { type Profile, refreshProfile } from "./profile.ts";
import { profileTexts } from "./texts.ts";

/** The open sessions of a person. The person can end each one, or all others at once. */
export const Sessions = ({ sessions }: Pick<Profile, "sessions">) => {
  const t = profileTexts();
  const [isAsking, setAsking] = useState(false);
  const end = useAct(async (id: string) => {
    await askConsole("DELETE", `/profile/sessions/${id}`);
    refreshProfile();
  });
  const endOthers = useAct(async () => {
    await askConsole("DELETE", "/profile/sessions");
    setAsking(false);
    refreshProfile();
  });
  return (
    <Card
      title={t.sessions}
      hint={t.sessionsHint}
      actions={sessions.length > 1 && <Button onClick={() => setAsking(true)}>{t.endOthers}</Button>}
    >
      {end.error !== undefined && <Failure error={end.error} />}
      <Table
        label={`${t.sessions} (${sessions.length})`}
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t.device,
            isMain: true,
            cell: ({ userAgent }) => <span title={userAgent ?? ""}>{deviceIn(userAgent) ?? t.unknownDevice}</span>,
          },
          { title: t.address, cell: ({ address }) => <span class="mono">{address}</span> },
          { title: t.signedIn, isMinor: true, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: t.used, cell: ({ seenAt }) => <When at={seenAt} /> },
          {
            title: t.action,
            cell: ({ id, isCurrent }) =>
              isCurrent ? (
                <Badge tone="good">{t.thisOne}</Badge>
              ) : (
                <Button onClick={() => void end.run(id)}>{t.end}</Button>
              ),
          },
        ]}
      />
      {isAsking && (
        <Confirm title={t.endOthersTitle} yes={t.endOthers} act={endOthers} onNo={() => setAsking(false)}>
          <p>{t.endOthersLoses}</p>
        </Confirm>
      )}
    </Card>
  );
};
