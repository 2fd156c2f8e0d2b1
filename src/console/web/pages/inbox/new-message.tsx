import { useState } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { LimitedText } from "../../parts/messages/limited-text.tsx";
import { SendOptions, sendOptionsIn } from "../../parts/messages/send-options.tsx";
import { recipientIn } from "../../parts/people/contact-names.ts";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { notify } from "../../parts/toasts.tsx";
import { inboxTexts } from "./texts.ts";

/** Writes to a number that has no chat yet. */
export const NewMessage = ({
  to = "",
  onClose,
  onOpen,
}: {
  to?: string;
  onClose: () => void;
  onOpen: (id: string) => void;
}) => {
  const t = inboxTexts();
  const [phoneId, setPhoneId] = useState("");
  const act = useAct(async (form: FormData) => {
    const number = recipientIn(textIn(form, "to"));
    const content = { text: textIn(form, "content.text") };
    const sent = await gateway.messages.send({ phoneId, to: number, type: "text", content, ...sendOptionsIn(form) });
    const { items } = await gateway.messages.list({ contact: number, phoneId, limit: "20" }).page();
    const chatId = items.find(({ id }) => id === sent.messageId)?.chatId;
    notify(t.accepted);
    onClose();
    if (chatId) onOpen(chatId);
  });
  return (
    <Dialog title={t.newMessage} onClose={onClose}>
      <Form act={act} submit={t.send} onCancel={onClose}>
        <PhoneSelect label={t.from} name="phoneId" onChoose={setPhoneId} />
        <Field label={t.to} name="to" hint={t.toHint} defaultValue={to} inputMode="tel" autoFocus />
        <LimitedText phoneId={phoneId} label={t.message} name="content.text" />
        <SendOptions phoneId={phoneId} />
      </Form>
    </Dialog>
  );
};
