import { useState } from "preact/hooks";
import type { JoinedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useAct } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../forms/dialog.tsx";
import { Field, Form, textIn } from "../forms/form.tsx";
import { Details } from "../layout.tsx";
import { Failure, Notice } from "../states.tsx";
import { notify } from "../toasts.tsx";
import { joiningTexts } from "./joining-texts.ts";

const Moves = ({ tried }: { tried: JoinedAccount }) => {
  const t = joiningTexts();
  const { phones, keys, webhooks, contacts, mergedContacts, conversations, messages } = tried;
  return (
    <Details
      items={[
        [t.phones, phones.length === 0 ? number(0) : phones.map(({ label }) => label).join(", ")],
        [t.keys, number(keys)],
        [t.webhooks, number(webhooks)],
        [t.contacts, number(contacts)],
        [t.merged, number(mergedContacts)],
        [t.conversations, number(conversations)],
        [t.messages, number(messages)],
      ]}
    />
  );
};

/**
 * Joins an account with an institution. First it shows the rows that would move, then it asks. `join` gets the field's
 * text; a dry run changes nothing.
 */
export const JoinDialog = ({
  title,
  label,
  hint,
  join,
  onJoined,
  onClose,
}: {
  title: string;
  label: string;
  hint: string;
  join: (value: string, dryRun: boolean) => Promise<JoinedAccount>;
  onJoined: () => void;
  onClose: () => void;
}) => {
  const t = joiningTexts();
  const [tried, setTried] = useState<{ value: string; joined: JoinedAccount }>();
  const look = useAct(async (form: FormData) => {
    const value = textIn(form, "value").trim();
    setTried({ value, joined: await join(value, true) });
  });
  const act = useAct(async () => {
    if (!tried) return;
    await join(tried.value, false);
    notify(t.joined);
    onJoined();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {tried === undefined ? (
        <Form act={look} submit={t.check} onCancel={onClose}>
          <Field name="value" label={label} hint={hint} maxLength={300} autocomplete="off" autoFocus />
        </Form>
      ) : (
        <div class="stack">
          <Moves tried={tried.joined} />
          <Notice tone="warning">{t.warning}</Notice>
          {act.error !== undefined && <Failure error={act.error} />}
          <div class="dialog-actions">
            <Button onClick={onClose}>{frameTexts().cancel}</Button>
            <Button tone="danger" isBusy={act.isRunning} onClick={() => void act.run()}>
              {t.join}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
