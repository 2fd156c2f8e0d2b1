import { browserSupportsWebAuthn, startAuthentication } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { type Session, signedOut, takeSession } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Field, Form, textIn, typedIn } from "../../parts/forms/form.tsx";
import { OutsideCard } from "../../parts/outside.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { Forgot } from "./forgot.tsx";
import { type PasskeyOptions, type Second, SecondStep } from "./second-step.tsx";
import { signInTexts } from "./texts.ts";

/** Why nobody can sign in here or yet, with the next step. */
const Missing = () => {
  const t = signInTexts();
  const { missing } = signedOut.value;
  if (!isSecureContext) return <Notice tone="bad">{t.needsHttps}</Notice>;
  if (missing === null) return null;
  return (
    <Notice tone="warning">
      <p>{missing === "setup" ? t.missingSetup : t.missingOperator}</p>
      {missing === "operator" && <CopyLine text="recado operator create --email … --name …" />}
    </Notice>
  );
};

const Passkey = () => {
  const t = signInTexts();
  const act = useAct(async () => {
    const { passkey } = await askConsole<{ passkey: PasskeyOptions }>("POST", "/sign-in/passkey", {});
    const answer = { passkey: await startAuthentication({ optionsJSON: passkey }) };
    takeSession(await askConsole<Session>("POST", "/sign-in/second", answer));
  });
  if (!signedOut.value.mayHavePasskeys || !browserSupportsWebAuthn()) return null;
  return (
    <div class="outside-row">
      <p class="outside-or">{t.or}</p>
      <Button icon={KeyRound} isBusy={act.isRunning} onClick={() => void act.run()}>
        {t.passkey}
      </Button>
      {act.error !== undefined && <Failure error={act.error} />}
    </div>
  );
};

export const SignInPage = () => {
  const t = signInTexts();
  const [wanted, setWanted] = useState<Second | undefined>(undefined);
  const [hasForgotten, setForgotten] = useState(false);
  const act = useAct(async (form: FormData) => {
    const credentials = { email: textIn(form, "email"), password: typedIn(form, "password") };
    const answer = await askConsole<Session | Second>("POST", "/sign-in", credentials);
    if ("second" in answer) setWanted(answer);
    else takeSession(answer);
  });
  if (wanted) return <SecondStep wanted={wanted} onBack={() => setWanted(undefined)} />;
  if (hasForgotten) return <Forgot onBack={() => setForgotten(false)} />;
  return (
    <OutsideCard title={t.title} lead={t.lead}>
      <Missing />
      <Form act={act} submit={t.go}>
        <Field label={t.email} name="email" type="email" autocomplete="username" autoFocus />
        <Field label={t.password} name="password" type="password" autocomplete="current-password" />
      </Form>
      <Passkey />
      <div class="outside-links">
        <Button tone="quiet" onClick={() => setForgotten(true)}>
          {t.forgot}
        </Button>
      </div>
    </OutsideCard>
  );
};
