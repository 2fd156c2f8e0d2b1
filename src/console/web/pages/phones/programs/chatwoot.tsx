import { useState } from "preact/hooks";
import { RecadoError } from "../../../../../../clients/typescript/src/errors.ts";
import type { Chatwoot } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../../frame/requests/query.ts";
import { may } from "../../../frame/session.ts";
import { Button } from "../../../parts/button.tsx";
import { Check, Field, Form, textIn } from "../../../parts/forms/form.tsx";
import { Card } from "../../../parts/layout.tsx";
import { Failure, Loaded, Notice } from "../../../parts/states.tsx";
import { notify } from "../../../parts/toasts.tsx";
import { chatwootTexts } from "./chatwoot-texts.ts";

type OfPhone = { phoneId: string };

const keyFor = (phoneId: string): string => `phones/chatwoot/${phoneId}`;

/** A phone without a Chatwoot answers 404. */
const chatwootFor = async (phoneId: string, signal: AbortSignal): Promise<Chatwoot | null> => {
  try {
    return await gateway.phones.getChatwoot(phoneId, { signal });
  } catch (error) {
    if (error instanceof RecadoError && error.code === "WEBHOOK_NOT_FOUND") return null;
    throw error;
  }
};

/** The Chatwoot that the phone is connected with. The page asks for it when a person opens the card's part. */
export const ChatwootCard = ({ phoneId }: OfPhone) => {
  const t = chatwootTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t.title} hint={t.hint}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t.connect}</summary>
        {isOpen && <Opened phoneId={phoneId} />}
      </details>
    </Card>
  );
};

const Opened = ({ phoneId }: OfPhone) => {
  const t = chatwootTexts();
  const found = useQuery(keyFor(phoneId), (signal) => chatwootFor(phoneId, signal));
  return (
    <Loaded query={found}>
      {(chatwoot) => (
        <div class="stack">
          {chatwoot === null ? <p class="soft">{t.none}</p> : <State chatwoot={chatwoot} phoneId={phoneId} />}
          {may("phones.write") && <Connecting chatwoot={chatwoot} phoneId={phoneId} />}
        </div>
      )}
    </Loaded>
  );
};

const State = ({ chatwoot, phoneId }: OfPhone & { chatwoot: Chatwoot }) => {
  const t = chatwootTexts();
  const { state, url, inboxName, waiting, lost, lastError, imported, toImport } = chatwoot;
  const remove = useAct(async () => {
    await gateway.phones.removeChatwoot(phoneId);
    refresh(keyFor(phoneId));
    notify(t.removed);
  });
  const counts = [
    [t.waiting, String(waiting)],
    [t.lost, String(lost)],
    ...(toImport === null ? [] : [[t.imported, `${imported} / ${toImport}`]]),
  ];
  return (
    <div class="stack">
      <p>
        <bdi class="phone-cut">{inboxName}</bdi> <span class="mono small">{url}</span>
      </p>
      <p>{t.states[state]}</p>
      {lastError !== null && <Notice tone="warning">{lastError}</Notice>}
      {counts.map(([label, count]) => (
        <p key={label} class="soft small">
          {label}: {count}
        </p>
      ))}
      {remove.error !== undefined && <Failure error={remove.error} />}
      {may("phones.write") && (
        <div class="actions">
          <Button isBusy={remove.isRunning} onClick={() => void remove.run()}>
            {t.remove}
          </Button>
        </div>
      )}
    </div>
  );
};

const Connecting = ({ chatwoot, phoneId }: OfPhone & { chatwoot: Chatwoot | null }) => {
  const t = chatwootTexts();
  const act = useAct(async (form: FormData) => {
    const token = textIn(form, "token");
    const inboxName = textIn(form, "inboxName");
    await gateway.phones.setChatwoot(phoneId, {
      url: textIn(form, "url"),
      chatwootAccountId: Number(textIn(form, "chatwootAccountId")),
      importDays: Number(textIn(form, "importDays") || "0"),
      markRead: form.has("markRead"),
      typing: form.has("typing"),
      batches: form.has("batches"),
      ...(token === "" ? {} : { token }),
      ...(inboxName === "" ? {} : { inboxName }),
    });
    refresh(keyFor(phoneId));
    notify(t.connected);
  });
  return (
    <Form act={act} submit={t.connect}>
      <Field name="url" type="url" label={t.url} defaultValue={chatwoot?.url ?? ""} />
      <Field
        name="chatwootAccountId"
        label={t.account}
        hint={t.accountHint}
        inputMode="numeric"
        defaultValue={chatwoot ? String(chatwoot.chatwootAccountId) : ""}
      />
      <Field name="token" type="password" label={t.token} hint={t.tokenHint} maxLength={256} isOptional />
      <Field name="inboxName" label={t.inbox} maxLength={100} defaultValue={chatwoot?.inboxName ?? ""} isOptional />
      <Field name="importDays" label={t.days} inputMode="numeric" defaultValue="0" isOptional />
      <Check name="markRead" label={t.markRead} defaultChecked={chatwoot?.markRead ?? true} />
      <Check name="typing" label={t.typing} defaultChecked={chatwoot?.typing ?? true} />
      <Check name="batches" label={t.batches} hint={t.batchesHint} defaultChecked={chatwoot?.batches ?? false} />
    </Form>
  );
};
