import { startAuthentication } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { type Session, takeSession } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { OutsideCard } from "../../parts/outside.tsx";
import { Failure } from "../../parts/states.tsx";
import { signInTexts } from "./texts.ts";

export type PasskeyOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
/** The second step that a sign-in waits for. */
export type Second = { second: ("totp" | "passkey" | "recovery")[]; passkey: PasskeyOptions | null };

const take = async (answer: object): Promise<void> =>
  takeSession(await askConsole<Session>("POST", "/sign-in/second", answer));

/** A code of the app, or a recovery code. */
const CodeForm = ({ isRecovery }: { isRecovery: boolean }) => {
  const t = signInTexts();
  const act = useAct((form: FormData) => {
    const code = textIn(form, "code");
    return take(isRecovery ? { recovery: code } : { totp: code });
  });
  return (
    <Form act={act} submit={t.confirm}>
      <Field
        label={isRecovery ? t.recovery : t.code}
        hint={isRecovery ? t.recoveryHint : t.codeHint}
        name="code"
        autocomplete={isRecovery ? "off" : "one-time-code"}
        {...(isRecovery ? {} : { inputMode: "numeric" as const })}
        autoFocus
      />
    </Form>
  );
};

/** The second step of a sign-in: the app, a passkey, or a recovery code. */
export const SecondStep = ({ wanted, onBack }: { wanted: Second; onBack: () => void }) => {
  const t = signInTexts();
  const { second, passkey } = wanted;
  const [isRecovery, setRecovery] = useState(false);
  const byPasskey = useAct(async () => {
    if (passkey) await take({ passkey: await startAuthentication({ optionsJSON: passkey }) });
  });
  return (
    <OutsideCard title={t.second}>
      {passkey && second.includes("passkey") && (
        <div class="outside-row">
          <Button
            tone={second.includes("totp") ? "plain" : "primary"}
            icon={KeyRound}
            isBusy={byPasskey.isRunning}
            onClick={() => void byPasskey.run()}
          >
            {t.usePasskey}
          </Button>
          {byPasskey.error !== undefined && <Failure error={byPasskey.error} />}
        </div>
      )}
      {(isRecovery || second.includes("totp")) && <CodeForm key={String(isRecovery)} isRecovery={isRecovery} />}
      <div class="outside-links">
        {second.includes("recovery") && (isRecovery ? second.includes("totp") : true) && (
          <Button tone="quiet" onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? t.useCode : t.useRecovery}
          </Button>
        )}
        <Button tone="quiet" onClick={onBack}>
          {t.other}
        </Button>
      </div>
    </OutsideCard>
  );
};
