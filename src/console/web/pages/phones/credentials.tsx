import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Form } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { filledIn, KindFields, useKinds } from "../../parts/phones/kind-fields.tsx";
import { notify } from "../../parts/toasts.tsx";
import { phoneTexts } from "./phone-texts.ts";

const PREFIX = "credentials.";

/** New credentials of a phone, in place of those that were stored. They are never shown, so the form begins empty. */
export const Credentials = ({ phone: { id, type } }: { phone: Phone }) => {
  const t = phoneTexts();
  const fields = useKinds().data?.find((kind) => kind.type === type)?.credentials ?? [];
  const act = useAct(async (form: FormData) => {
    await gateway.phones.setCredentials(id, { credentials: filledIn(form, fields, PREFIX) });
    refresh("phones/");
    notify(t.saved);
  });
  if (fields.length === 0 || !may("phones.write")) return null;
  return (
    <Card title={t.credentials}>
      <details>
        <summary>{t.changeCredentials}</summary>
        <p class="hint">{t.credentialsHint}</p>
        <Form act={act} submit={t.save}>
          <KindFields fields={fields} prefix={PREFIX} />
        </Form>
      </details>
    </Card>
  );
};
