import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/client.ts";
import { refresh, useAct } from "../../frame/query.ts";
import { may } from "../../frame/session.ts";
import { Field, Form, textIn } from "../../parts/form.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { isPaired } from "./kinds.ts";
import { phoneTexts } from "./phone-texts.ts";
import { phonesTexts } from "./texts.ts";

/** What the phone is, and its own way to the network. */
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
      {isPaired(phone) && may("phones.write") && <Proxy id={phone.id} />}
    </Card>
  );
};

const Proxy = ({ id }: { id: string }) => {
  const t = phoneTexts();
  const act = useAct(async (form: FormData) => {
    const url = textIn(form, "url");
    await gateway.phones.setProxy(id, { url: url === "" ? null : url });
    refresh("phones/");
    notify(t.saved);
  });
  return (
    <details>
      <summary>{t.changeProxy}</summary>
      <Form act={act} submit={t.save}>
        <Field label={t.proxy} hint={phonesTexts().proxyHint} name="url" isOptional />
      </Form>
    </details>
  );
};
