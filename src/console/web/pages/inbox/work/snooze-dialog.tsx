import { gateway } from "../../../frame/requests/client.ts";
import { useAct } from "../../../frame/requests/query.ts";
import { dateMinute } from "../../../frame/texts/format.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../../parts/forms/form.tsx";
import { localTime, momentOf } from "../../../parts/forms/local-time.ts";
import { Failure } from "../../../parts/states.tsx";
import { notify } from "../../../parts/toasts.tsx";
import type { Chat } from "../data.ts";
import { snoozeTimes } from "./snooze-times.ts";
import { workTexts } from "./texts.ts";

/** Asks until when a chat is put off. */
export const SnoozeDialog = ({
  chat,
  onClose,
  onChange,
}: {
  chat: Chat;
  onClose: () => void;
  onChange: () => void;
}) => {
  const t = workTexts();
  const now = new Date();
  const act = useAct(async (at: Date) => {
    await gateway.chats.snooze(chat.id, { until: at.toISOString() });
    notify(t.snoozed(dateMinute(at)));
    onChange();
    onClose();
  });
  const other = useAct(async (form: FormData) => {
    const at = momentOf(textIn(form, "until"));
    if (at) await act.run(at);
  });
  return (
    <Dialog title={t.snoozeTitle} onClose={onClose}>
      <p class="soft">{t.snoozeHint}</p>
      {act.error !== undefined && <Failure error={act.error} />}
      <div class="snooze-times">
        {snoozeTimes(now).map(({ name, at }) => (
          <Button key={name} isBusy={act.isRunning} onClick={() => void act.run(at)}>
            {t.times[name]} <span class="soft">{dateMinute(at)}</span>
          </Button>
        ))}
      </div>
      <Form act={other} submit={t.snoozeUntil}>
        <Field label={t.at} name="until" type="datetime-local" min={localTime(now)} />
      </Form>
    </Dialog>
  );
};
