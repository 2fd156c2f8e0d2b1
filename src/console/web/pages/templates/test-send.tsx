import { useLocation } from "preact-iso";
import type { Template } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { examplesOf, needsOf } from "../../parts/messages/template-parts.ts";
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
  const act = useAct(async (form: FormData) => {
    const values = needs.variables.map((variable) => textIn(form, `variable-${variable}`));
    const { messageId } = await gateway.messages.send({
      phoneId,
      to: textIn(form, "to"),
      type: "template",
      content: {
        name,
        language,
        ...(needs.isNamed
          ? { namedVariables: Object.fromEntries(needs.variables.map((one, index) => [one, values[index] ?? ""])) }
          : { variables: values }),
        ...(needs.media ? { headerMedia: { type: needs.media, url: textIn(form, "media") } } : {}),
        ...(needs.urls.length > 0
          ? { buttons: needs.urls.map(({ index }) => ({ index, parameters: [textIn(form, `url-${index}`)] })) }
          : {}),
      },
    });
    notify(t.one.testSent);
    route(href(`/messages/${messageId}`));
  });
  return (
    <Dialog title={t.one.test} onClose={onClose}>
      <Form act={act} submit={t.one.testSend} onCancel={onClose}>
        <Field label={t.one.testTo} hint={t.one.testHint} name="to" type="tel" />
        {needs.variables.map((variable) => (
          <Field
            key={variable}
            label={`{{${variable}}}`}
            name={`variable-${variable}`}
            defaultValue={examples[variable] ?? ""}
          />
        ))}
        {needs.media && <Field label={t.form.sample} name="media" type="url" placeholder="https://" />}
        {needs.urls.map(({ index, text }) => (
          <Field key={index} label={text} name={`url-${index}`} />
        ))}
      </Form>
    </Dialog>
  );
};
