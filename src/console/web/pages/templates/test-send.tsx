import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Template } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { needsOf } from "../../../../contract/content/template-needs.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { examplesOf } from "../../parts/messages/template-parts.ts";
import { TemplateValueFields } from "../../parts/messages/template-value-fields.tsx";
import { type TypedValues, templateContent } from "../../parts/messages/template-values.ts";
import { notify } from "../../parts/toasts.tsx";
import { templatesTexts } from "./texts.ts";

type Props = {
  template: Pick<Template, "name" | "language" | "components">;
  phoneId: string;
  onClose: () => void;
};

/** Sends the template to one number, and goes to the message. */
export const TestSend = ({ template: { name, language, components }, phoneId, onClose }: Props) => {
  const t = templatesTexts();
  const { route } = useLocation();
  const needs = needsOf(components);
  const examples = examplesOf(components);
  const [values, setValues] = useState<TypedValues>(() =>
    Object.fromEntries(Object.entries(examples).map(([variable, value]) => [`variable.${variable}`, value])),
  );
  const act = useAct(async (form: FormData) => {
    const { messageId } = await gateway.messages.send({
      phoneId,
      to: textIn(form, "to"),
      type: "template",
      content: { name, language, ...templateContent(needs, values) },
    });
    notify(t.one.testSent);
    route(href(`/messages/${messageId}`));
  });
  return (
    <Dialog title={t.one.test} onClose={onClose}>
      <Form act={act} submit={t.one.testSend} onCancel={onClose}>
        <Field label={t.one.testTo} hint={t.one.testHint} name="to" type="tel" />
        <TemplateValueFields needs={needs} values={values} onChange={setValues} />
      </Form>
    </Dialog>
  );
};
