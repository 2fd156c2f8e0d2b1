import { useState } from "preact/hooks";
import type { Phone, WebhookTestResult } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { span } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { phoneTexts } from "./phone-texts.ts";

/** The phone's own webhook: its address, a test, and its change. */
export const PhoneWebhook = ({ phone }: { phone: Phone }) => {
  const t = phoneTexts();
  const [isChanging, setChanging] = useState(false);
  const close = () => setChanging(false);
  return (
    <Card title={t.webhook} hint={t.webhookHint}>
      {phone.webhookUrl !== null && !isChanging ? (
        <Present phone={phone} url={phone.webhookUrl} onChange={() => setChanging(true)} />
      ) : (
        <Change phone={phone} onDone={close} {...(isChanging ? { onCancel: close } : {})} />
      )}
    </Card>
  );
};

/** A change replaces everything, so it names the link to a shared webhook again. */
const replace = async ({ id, sharedWebhookId }: Phone, webhook: { url?: string; secret?: string }): Promise<void> => {
  await gateway.phones.update(id, { webhook, sharedWebhookId });
  refresh("phones/");
};

const Present = ({ phone, url, onChange }: { phone: Phone; url: string; onChange: () => void }) => {
  const t = phoneTexts();
  const [result, setResult] = useState<WebhookTestResult>();
  const test = useAct(async () => setResult(await gateway.phones.testWebhook(phone.id, {})));
  const remove = useAct(() => replace(phone, {}));
  const error = test.error ?? remove.error;
  return (
    <div class="form">
      <p class="mono">{url}</p>
      {error !== undefined && <Failure error={error} />}
      {result && (
        <Notice tone={result.delivered ? "good" : "bad"}>
          {result.delivered && result.statusCode !== null
            ? t.answered(result.statusCode, span(result.durationMs))
            : `${t.notAnswered} ${result.error ?? ""}`}
        </Notice>
      )}
      <div class="actions">
        <Button isBusy={test.isRunning} onClick={() => void test.run()}>
          {t.tryIt}
        </Button>
        <Button onClick={onChange}>{t.change}</Button>
        <Button isBusy={remove.isRunning} onClick={() => void remove.run()}>
          {t.remove}
        </Button>
      </div>
    </div>
  );
};

const Change = ({ phone, onDone, onCancel }: { phone: Phone; onDone: () => void; onCancel?: () => void }) => {
  const t = phoneTexts();
  const act = useAct(async (form: FormData) => {
    await replace(phone, { url: textIn(form, "url"), secret: textIn(form, "secret") });
    notify(t.saved);
    onDone();
  });
  return (
    <Form act={act} submit={t.save} {...(onCancel ? { onCancel } : {})}>
      <Field label={t.url} name="url" type="url" placeholder="https://" defaultValue={phone.webhookUrl ?? ""} />
      <Field
        label={t.secret}
        hint={t.secretHint}
        name="secret"
        type="password"
        autocomplete="new-password"
        minLength={16}
      />
    </Form>
  );
};
