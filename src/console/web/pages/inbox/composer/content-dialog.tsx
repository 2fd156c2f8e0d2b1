import type { AnswerChat } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { useAct } from "../../../frame/requests/query.ts";
import { Dialog } from "../../../parts/forms/dialog.tsx";
import { Form } from "../../../parts/forms/form.tsx";
import { ContentFields, contentFaults } from "../../../parts/messages/content/content-fields.tsx";
import { contentIn } from "../../../parts/messages/content/content-in.ts";
import type { FormKind } from "../../../parts/messages/content/kinds.ts";
import { formKindNames } from "../../../parts/messages/content/names.ts";
import { SendOptions, sendOptionsIn } from "../../../parts/messages/send-options.tsx";
import type { Chat } from "../data.ts";
import { inboxTexts } from "../texts.ts";

type Props = {
  kind: FormKind;
  chat: Chat;
  quotedMessageId: string | undefined;
  onClose: () => void;
  onSent: () => void;
};

/** Writes an answer that is neither a text nor a file, and sends it. */
export const ContentDialog = ({ kind, chat, quotedMessageId, onClose, onSent }: Props) => {
  const act = useAct(async (form: FormData) => {
    const quote = quotedMessageId === undefined ? {} : { quotedMessageId };
    const answer = { type: kind, content: contentIn(kind, form), ...quote, ...sendOptionsIn(form) };
    await gateway.chats.answer(chat.id, answer satisfies AnswerChat);
    onSent();
    onClose();
  });
  return (
    <Dialog title={formKindNames()[kind]} onClose={onClose}>
      <Form act={act} submit={inboxTexts().send} onCancel={onClose} faultTexts={contentFaults(kind)}>
        <ContentFields kind={kind} phoneId={chat.phoneId} />
        <SendOptions phoneId={chat.phoneId} />
      </Form>
    </Dialog>
  );
};
