import { useState } from "preact/hooks";
import type { CloudApi, CloudToken } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../../frame/requests/query.ts";
import { may } from "../../../frame/session.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyLine } from "../../../parts/copy.tsx";
import { Field, Form, onlyTouched, Select, type Touched, textIn } from "../../../parts/forms/form.tsx";
import { Card } from "../../../parts/layout.tsx";
import { Failure, Loaded, Notice } from "../../../parts/states.tsx";
import { notify } from "../../../parts/toasts.tsx";
import { When } from "../../../parts/when.tsx";
import { cloudTexts } from "./cloud-texts.ts";
import { CloudWebhookPart } from "./cloud-webhook.tsx";

const KEY = "phones/cloud";

/** The data with which a program for the Cloud API uses the phone: addresses, ids, tokens and its webhook. */
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
          <CloudWebhookPart phoneId={phoneId} />
        </>
      )}
      {may("keys.write") && <Tokens phoneId={phoneId} />}
    </div>
  );
};

const Settings = ({ api, phoneId }: OfPhone & { api: CloudApi }) => {
  const t = cloudTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const fields = {
      displayPhoneNumber: textIn(form, "displayPhoneNumber") || null,
      templatesAsText: textIn(form, "templatesAsText") === "yes",
    };
    await gateway.phones.updateCloudApi(phoneId, onlyTouched(touched, fields));
    refresh(KEY);
    notify(t.saved);
  });
  return (
    <details>
      <summary>{t.settings}</summary>
      <Form act={act} submit={t.save}>
        <Field
          name="displayPhoneNumber"
          label={t.number}
          hint={t.numberHint}
          inputMode="numeric"
          defaultValue={api.displayPhoneNumber ?? ""}
          isOptional
        />
        <Select
          name="templatesAsText"
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
