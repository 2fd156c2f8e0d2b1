import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { isPaired } from "./kinds.ts";
import { phoneTexts } from "./phone-texts.ts";
import { phonesTexts } from "./texts.ts";

/** The data of the phone, and its own way to the network. */
export const PhoneSettings = ({ phone }: { phone: Phone }) => {
  const t = phoneTexts();
  return (
    <Card title={t.settings}>
      <Details
        items={[
          [t.id, <code key="id">{phone.id}</code>],
          [t.created, <When key="at" at={phone.createdAt} isFull />],
          ...(isPaired(phone) ? [[t.proxy, phone.proxy ?? t.noProxy] as const] : []),
        ]}
      />
      {isPaired(phone) && may("phones.write") && <Proxy phone={phone} />}
    </Card>
  );
};

/** The stored address is shown without its password, so the form begins empty, and an empty one is never saved. */
const Proxy = ({ phone: { id, proxy } }: { phone: Phone }) => {
  const t = phoneTexts();
  const save = async (url: string | null): Promise<void> => {
    await gateway.phones.setProxy(id, { url });
    refresh("phones/");
    notify(t.saved);
  };
  const act = useAct((form: FormData) => save(textIn(form, "url")));
  const remove = useAct(() => save(null));
  return (
    <details>
      <summary>{t.changeProxy}</summary>
      <Form act={act} submit={t.save}>
        <Field label={t.proxy} hint={phonesTexts().proxyHint} name="url" />
      </Form>
      {remove.error !== undefined && <Failure error={remove.error} />}
      {proxy !== null && (
        <Button isBusy={remove.isRunning} onClick={() => void remove.run()}>
          {t.removeProxy}
        </Button>
      )}
    </details>
  );
};
