import { useState } from "preact/hooks";
import { RecadoError } from "../../../../../../clients/typescript/src/errors.ts";
import type { CloudWebhook } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../../frame/requests/query.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyLine } from "../../../parts/copy.tsx";
import { Field, Form, textIn } from "../../../parts/forms/form.tsx";
import { Failure, Loaded, Notice } from "../../../parts/states.tsx";
import { notify } from "../../../parts/toasts.tsx";
import { cloudTexts } from "./cloud-texts.ts";

/** The page asks for the webhook when a person opens its part. A phone without a webhook answers 404. */
export const CloudWebhookPart = ({ phoneId }: { phoneId: string }) => {
  const t = cloudTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.webhook}</summary>
      {isOpen && <OpenWebhook phoneId={phoneId} />}
    </details>
  );
};

const webhookOf = async (phoneId: string, signal: AbortSignal): Promise<CloudWebhook | null> => {
  try {
    return await gateway.phones.getCloudWebhook(phoneId, { signal });
  } catch (error) {
    if (error instanceof RecadoError && error.code === "WEBHOOK_NOT_FOUND") return null;
    throw error;
  }
};

const OpenWebhook = ({ phoneId }: { phoneId: string }) => {
  const t = cloudTexts();
  const key = `phones/cloud/webhook/${phoneId}`;
  const webhook = useQuery(key, (signal) => webhookOf(phoneId, signal));
  const [secret, setSecret] = useState<string>();
  const connect = useAct(async (form: FormData) => {
    const saved = await gateway.phones.setCloudWebhook(phoneId, {
      url: textIn(form, "url"),
      verifyToken: textIn(form, "verifyToken"),
    });
    setSecret(saved.secret);
    refresh(key);
    notify(t.connected);
  });
  const remove = useAct(async () => {
    await gateway.phones.removeCloudWebhook(phoneId);
    setSecret(undefined);
    refresh(key);
    notify(t.removed);
  });
  return (
    <>
      <Loaded query={webhook}>
        {(found) =>
          found === null ? (
            <p class="soft">{t.none}</p>
          ) : (
            <div class="form">
              <p class="mono">{found.url}</p>
              {remove.error !== undefined && <Failure error={remove.error} />}
              <div class="actions">
                <Button isBusy={remove.isRunning} onClick={() => void remove.run()}>
                  {t.remove}
                </Button>
              </div>
            </div>
          )
        }
      </Loaded>
      {secret !== undefined && (
        <>
          <Notice tone="warning">{t.secret}</Notice>
          <CopyLine text={secret} />
        </>
      )}
      <Form act={connect} submit={t.connect}>
        <Field name="url" type="url" label={t.url} />
        <Field name="verifyToken" label={t.verifyToken} hint={t.verifyTokenHint} maxLength={256} />
      </Form>
    </>
  );
};
