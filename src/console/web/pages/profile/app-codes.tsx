import { Smartphone } from "lucide-preact";
import { useState } from "preact/hooks";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { type Profile, refreshProfile } from "./profile.ts";
import { profileTexts } from "./texts.ts";

type Begun = { secret: string; qr: string };

/** The QR code for the app, and the first code of the app. */
const SetUp = ({
  begun,
  onDone,
  onClose,
}: {
  begun: Begun;
  onDone: (codes: string[]) => void;
  onClose: () => void;
}) => {
  const t = profileTexts();
  const act = useAct(async (form: FormData) => {
    const code = textIn(form, "code");
    const { recoveryCodes } = await askConsole<{ recoveryCodes: string[] }>("POST", "/profile/totp/confirm", { code });
    onDone(recoveryCodes);
  });
  return (
    <Dialog title={t.setUpApp} onClose={onClose} isHeld>
      <p>{t.scan}</p>
      <img class="qr" src={begun.qr} alt={t.key} width={200} height={200} />
      <CopyLine text={begun.secret} />
      <Form act={act} submit={t.confirm} onCancel={onClose}>
        <Field label={t.code} name="code" inputMode="numeric" autocomplete="one-time-code" maxLength={12} autoFocus />
      </Form>
    </Dialog>
  );
};

/** The authenticator app of a person. `onCodes`: shows recovery codes that came with it. */
export const AppCodes = ({ totp, onCodes }: Pick<Profile, "totp"> & { onCodes: (codes: string[]) => void }) => {
  const t = profileTexts();
  const [begun, setBegun] = useState<Begun | undefined>(undefined);
  const [isStopping, setStopping] = useState(false);
  const begin = useAct(async () => setBegun(await askConsole<Begun>("POST", "/profile/totp", {})));
  const stop = useAct(async () => {
    await askConsole("DELETE", "/profile/totp");
    setStopping(false);
    refreshProfile();
  });
  const done = (codes: string[]): void => {
    setBegun(undefined);
    refreshProfile();
    notify(t.appIsOn);
    if (codes.length > 0) onCodes(codes);
  };
  return (
    <Card
      title={t.app}
      hint={t.appHint}
      actions={
        totp ? (
          <Button onClick={() => setStopping(true)}>{t.stopApp}</Button>
        ) : (
          <Button icon={Smartphone} isBusy={begin.isRunning} onClick={() => void begin.run()}>
            {t.setUpApp}
          </Button>
        )
      }
    >
      <p>
        <Badge tone={totp ? "good" : "neutral"}>{totp ? t.isOn : t.isOff}</Badge>
        {totp && (
          <span class="soft small">
            {" "}
            {t.since} <When at={totp.since} isFull />
          </span>
        )}
      </p>
      {begin.error !== undefined && <Failure error={begin.error} />}
      {begun && <SetUp begun={begun} onDone={done} onClose={() => setBegun(undefined)} />}
      {isStopping && (
        <Confirm title={t.stopAppTitle} yes={t.stopApp} act={stop} onNo={() => setStopping(false)}>
          <p>{t.stopAppLoses}</p>
        </Confirm>
      )}
    </Card>
  );
};
