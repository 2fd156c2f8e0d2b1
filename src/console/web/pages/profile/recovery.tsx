import { useState } from "preact/hooks";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card } from "../../parts/layout.tsx";
import { type Profile, refreshProfile } from "./profile.ts";
import { profileTexts } from "./texts.ts";

/** The number of unused recovery codes, and a way to new ones. */
export const Recovery = ({
  totp,
  passkeys,
  recoveryCodes,
  onCodes,
}: Pick<Profile, "totp" | "passkeys" | "recoveryCodes"> & { onCodes: (codes: string[]) => void }) => {
  const t = profileTexts();
  const [isAsking, setAsking] = useState(false);
  const act = useAct(async () => {
    const made = await askConsole<{ recoveryCodes: string[] }>("POST", "/profile/recovery-codes", {});
    setAsking(false);
    refreshProfile();
    onCodes(made.recoveryCodes);
  });
  const hasSecondStep = totp !== null || passkeys.length > 0;
  return (
    <Card
      title={t.recovery}
      hint={t.recoveryHint}
      actions={hasSecondStep && <Button onClick={() => setAsking(true)}>{t.renewCodes}</Button>}
    >
      {hasSecondStep ? (
        <p>
          <Badge tone={recoveryCodes > 2 ? "good" : "warning"}>{t.codesLeft(recoveryCodes)}</Badge>
        </p>
      ) : (
        <p class="soft">{t.noCodes}</p>
      )}
      {isAsking && (
        <Confirm title={t.renewCodesTitle} yes={t.renewCodes} act={act} onNo={() => setAsking(false)}>
          <p>{t.renewCodesLoses}</p>
        </Confirm>
      )}
    </Card>
  );
};
