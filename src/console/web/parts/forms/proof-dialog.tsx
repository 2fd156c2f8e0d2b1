import { startAuthentication } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-preact";
import { askConsole } from "../../frame/requests/own.ts";
import { proofAsked } from "../../frame/requests/proof.ts";
import { useAct } from "../../frame/requests/query.ts";
import { session } from "../../frame/session.ts";
import { catalogue } from "../../frame/texts/languages.ts";
import { Button } from "../button.tsx";
import { Failure } from "../states.tsx";
import { Dialog } from "./dialog.tsx";
import { Field, Form, typedIn } from "./form.tsx";

const proofTexts = catalogue({
  en: {
    title: "Is it you?",
    why: "This act can do harm. Confirm with your password or a passkey; then you are not asked for ten minutes.",
    password: "Your password",
    go: "Confirm",
    passkey: "Use a passkey",
  },
  pt: {
    title: "É você mesmo?",
    why: "Esta ação pode causar danos. Confirme com sua senha ou uma chave de acesso; depois, por dez minutos, não perguntamos de novo.",
    password: "Sua senha",
    go: "Confirmar",
    passkey: "Usar uma chave de acesso",
  },
  es: {
    title: "¿Eres tú?",
    why: "Esta acción puede causar daños. Confirma con tu contraseña o una llave de acceso; luego no preguntamos durante diez minutos.",
    password: "Tu contraseña",
    go: "Confirmar",
    passkey: "Usar una llave de acceso",
  },
});

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

const Asking = ({ end }: { end(isProven: boolean): void }) => {
  const t = proofTexts();
  const byPassword = useAct(async (form: FormData) => {
    await askConsole("POST", "/profile/proof", { password: typedIn(form, "password") });
    end(true);
  });
  const byPasskey = useAct(async () => {
    const { passkey } = await askConsole<{ passkey: Options }>("POST", "/profile/proof/options", {});
    await askConsole("POST", "/profile/proof", { passkey: await startAuthentication({ optionsJSON: passkey }) });
    end(true);
  });
  return (
    <Dialog title={t.title} onClose={() => end(false)}>
      <p>{t.why}</p>
      <Form act={byPassword} submit={t.go} onCancel={() => end(false)}>
        <Field label={t.password} name="password" type="password" autocomplete="current-password" autoFocus />
      </Form>
      {session.value?.mayHavePasskeys && (
        <div class="proof-passkey">
          <Button icon={KeyRound} isBusy={byPasskey.isRunning} onClick={() => void byPasskey.run()}>
            {t.passkey}
          </Button>
          {byPasskey.error !== undefined && <Failure error={byPasskey.error} />}
        </div>
      )}
    </Dialog>
  );
};

/** Asks for the password or a passkey again, when an act requires it. */
export const ProofDialog = () => (proofAsked.value ? <Asking end={proofAsked.value.end} /> : null);
