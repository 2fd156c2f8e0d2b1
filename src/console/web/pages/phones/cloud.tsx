import { useState } from "preact/hooks";
import { RecadoError } from "../../../../../clients/typescript/src/errors.ts";
import type { CloudApi, CloudToken, CloudWebhook } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/client.ts";
import { refresh, useAct, useQuery } from "../../frame/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Field, Form, Select, textIn } from "../../parts/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { cloudTexts } from "./cloud-texts.ts";

const KEY = "phones/cloud";

/** What a program for the Cloud API needs to use the phone: addresses, ids, tokens and its webhook. */
export const CloudCard = ({ phoneId }: { phoneId: string }) => {
  const t = cloudTexts();
  const api = useQuery(`${KEY}/${phoneId}`, (signal) => gateway.phones.getCloudApi(phoneId, { signal }));
  return (
    <Card title={t.title} hint={t.hint}>
      <Loaded query={api}>
        {(found) =>
          found.baseUrl === null ? (
            <p class="soft">{t.off}</p>
          ) : (
            <Values api={found} baseUrl={found.baseUrl} phoneId={phoneId} />
          )
        }
      </Loaded>
    </Card>
  );
};

type OfPhone = { phoneId: string };

const Values = ({ api, baseUrl, phoneId }: OfPhone & { api: CloudApi; baseUrl: string }) => {
  const t = cloudTexts();
  const values = [
    [t.baseUrl, baseUrl],
    [t.numberId, api.phoneNumberId],
    [t.accountId, api.businessAccountId],
    [t.appId, api.appId],
  ] as const;
  return (
    <div class="stack">
      {values.map(([label, text]) => (
        <div key={label}>
          <span class="soft small">{label}</span>
          <CopyLine text={text} />
        </div>
      ))}
      {may("phones.write") && (
        <>
          <Settings api={api} phoneId={phoneId} />
          <Webhook phoneId={phoneId} />
        </>
      )}
      {may("keys.write") && <Tokens phoneId={phoneId} />}
    </div>
  );
};

const Settings = ({ api, phoneId }: OfPhone & { api: CloudApi }) => {
  const t = cloudTexts();
  const act = useAct(async (form: FormData) => {
    const number = textIn(form, "number");
    await gateway.phones.updateCloudApi(phoneId, {
      displayPhoneNumber: number === "" ? null : number,
      templatesAsText: textIn(form, "asText") === "yes",
    });
    refresh(KEY);
    notify(t.saved);
  });
  return (
    <details>
      <summary>{t.settings}</summary>
      <Form act={act} submit={t.save}>
        <Field
          name="number"
          label={t.number}
          hint={t.numberHint}
          inputMode="numeric"
          defaultValue={api.displayPhoneNumber ?? ""}
          isOptional
        />
        <Select
          name="asText"
          label={t.asText}
          defaultValue={api.templatesAsText ? "yes" : "no"}
          options={[
            ["no", t.asTextWays.no],
            ["yes", t.asTextWays.yes],
          ]}
        />
      </Form>
    </details>
  );
};

/** The webhook is asked for when a person opens its part: a phone without one answers 404. */
const Webhook = ({ phoneId }: OfPhone) => {
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

const OpenWebhook = ({ phoneId }: OfPhone) => {
  const t = cloudTexts();
  const key = `${KEY}/webhook/${phoneId}`;
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

const Tokens = ({ phoneId }: OfPhone) => {
  const t = cloudTexts();
  const [made, setMade] = useState<string>();
  const tokens = useQuery(`${KEY}/tokens/${phoneId}`, (signal) =>
    gateway.keys.listCloudTokens(phoneId, {}, { signal }).page(),
  );
  const act = useAct(async (form: FormData) => {
    const { token } = await gateway.keys.createCloudToken(phoneId, { name: textIn(form, "name") });
    setMade(token);
    refresh(KEY);
  });
  return (
    <details>
      <summary>{t.tokens}</summary>
      {made !== undefined && (
        <>
          <Notice tone="warning">{t.once}</Notice>
          <CopyLine text={made} />
        </>
      )}
      <Loaded query={tokens}>
        {({ items }) => (
          <ul class="phone-links">
            {items.map((token) => (
              <Token key={token.id} token={token} phoneId={phoneId} />
            ))}
          </ul>
        )}
      </Loaded>
      <Form act={act} submit={t.make}>
        <Field name="name" label={t.name} maxLength={100} defaultValue="Chatwoot" />
      </Form>
    </details>
  );
};

const Token = ({ token: { id, name, prefix, createdAt }, phoneId }: OfPhone & { token: CloudToken }) => {
  const t = cloudTexts();
  const act = useAct(async () => {
    await gateway.keys.revokeCloudToken(phoneId, id);
    refresh(KEY);
    notify(t.revoked);
  });
  return (
    <li>
      <span class="grow">
        <bdi class="phone-cut">{name}</bdi>
        <span class="soft small">
          <code>{prefix}…</code> <When at={createdAt} />
        </span>
      </span>
      {act.error !== undefined && <Failure error={act.error} />}
      <Button isBusy={act.isRunning} onClick={() => void act.run()}>
        {t.revoke}
      </Button>
    </li>
  );
};
