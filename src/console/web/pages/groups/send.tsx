import { useState } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { notify } from "../../parts/toasts.tsx";
import { groupsTexts } from "./texts.ts";

/** A text to a group. */
export const SendToGroup = ({ id }: { id: string }) => {
  const t = groupsTexts();
  const [sent, setSent] = useState(0);
  const act = useAct(async (form: FormData) => {
    await gateway.groups.sendMessage(id, { type: "text", payload: { body: textIn(form, "body") } });
    notify(t.sent);
    setSent(sent + 1); // a new form, with an empty field
  });
  return (
    <Card title={t.send}>
      <Form key={sent} act={act} submit={t.sendNow}>
        <TextArea label={t.text} name="body" rows={3} maxLength={4096} />
      </Form>
    </Card>
  );
};
