import { useState } from "preact/hooks";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { OutsideCard } from "../../parts/outside.tsx";
import { Notice } from "../../parts/states.tsx";
import { signInTexts } from "./texts.ts";

/** Asks for the mail with which a member chooses a new password. */
export const Forgot = ({ onBack }: { onBack: () => void }) => {
  const t = signInTexts();
  const [isSent, setSent] = useState(false);
  const act = useAct(async (form: FormData) => {
    await askConsole("POST", "/sign-in/forgot", { email: textIn(form, "email") });
    setSent(true);
  });
  return (
    <OutsideCard title={t.forgotTitle} lead={t.forgotLead}>
      {isSent ? (
        <Notice tone="good">
          <p>{t.linkSent}</p>
        </Notice>
      ) : (
        <Form act={act} submit={t.sendLink}>
          <Field label={t.email} name="email" type="email" autocomplete="username" hint={t.forgotOperator} autoFocus />
        </Form>
      )}
      <div class="outside-links">
        <Button tone="quiet" onClick={onBack}>
          {t.back}
        </Button>
      </div>
    </OutsideCard>
  );
};
