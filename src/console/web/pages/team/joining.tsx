import { useState } from "preact/hooks";
import { platform } from "../../frame/requests/client.ts";
import { refresh } from "../../frame/requests/query.ts";
import { account } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { JoinDialog } from "../../parts/people/joining.tsx";
import { teamTexts } from "./texts.ts";

/** An owner takes over an account of the gateway, with a code that one of its keys made. */
export const JoinCard = () => {
  const t = teamTexts();
  const [isOpen, setOpen] = useState(false);
  const id = account.value?.id ?? "";
  return (
    <Card
      title={t.bothApis}
      hint={t.bothApisHint}
      actions={<Button onClick={() => setOpen(true)}>{t.joinAccount}</Button>}
    >
      {isOpen && (
        <JoinDialog
          title={t.joinAccount}
          label={t.joinCode}
          hint={t.joinCodeHint}
          join={(code, dryRun) => platform.institutions.joinAccount(id, { code }, { query: { dryRun } })}
          onJoined={() => refresh("")}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
};
