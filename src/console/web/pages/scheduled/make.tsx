import { useState } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Check, Field, Form, textIn } from "../../parts/forms/form.tsx";
import { localTime, momentOf, zoneName } from "../../parts/forms/local-time.ts";
import { LimitedText } from "../../parts/messages/limited-text.tsx";
import { SendOptions, sendOptionsIn } from "../../parts/messages/send-options.tsx";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { notify } from "../../parts/toasts.tsx";
import { scheduledTexts } from "./texts.ts";

const HOUR_MS = 3_600_000;

/** The moment of the form's field, in the form of the API. */
const timeIn = (form: FormData): string => (momentOf(textIn(form, "scheduledAt")) ?? new Date()).toISOString();

/** The time of sending, and whether it moves to the next opening. */
export const whenIn = (form: FormData): { scheduledAt: string; respectHours: boolean } => ({
  scheduledAt: timeIn(form),
  respectHours: form.has("respectHours"),
});

/** The fields for the time of a message, in the person's zone. */
export const TimeField = ({ at }: { at: string | number }) => (
  <>
    <Field
      label={scheduledTexts().when}
      hint={zoneName()}
      name="scheduledAt"
      type="datetime-local"
      min={localTime(Date.now())}
      defaultValue={localTime(at)}
    />
    <Check label={scheduledTexts().respectHours} hint={scheduledTexts().respectHoursHint} name="respectHours" />
  </>
);

/** A text to one number at a time. Templates and files are scheduled through the API. */
export const MakeScheduled = ({ onClose }: { onClose: () => void }) => {
  const t = scheduledTexts();
  const [phoneId, setPhoneId] = useState("");
  const act = useAct(async (form: FormData) => {
    const payload = {
      phoneId,
      to: textIn(form, "to"),
      type: "text" as const,
      content: { text: textIn(form, "text") },
      ...sendOptionsIn(form),
    };
    await gateway.messages.schedule({ ...whenIn(form), payload });
    notify(t.scheduled);
    refresh("scheduled/");
    onClose();
  });
  return (
    <Dialog title={t.make} onClose={onClose}>
      <Form act={act} submit={t.make} onCancel={onClose}>
        <PhoneSelect label={t.phone} name="phoneId" onChoose={setPhoneId} />
        <Field label={t.to} hint={t.toHint} name="to" type="tel" autocomplete="off" />
        <LimitedText phoneId={phoneId} label={t.text} name="text" />
        <SendOptions phoneId={phoneId} />
        <TimeField at={Date.now() + HOUR_MS} />
      </Form>
    </Dialog>
  );
};
