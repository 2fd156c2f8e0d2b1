import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useField, withLabel } from "../forms/form.tsx";
import { useCapabilities } from "../phones/phones.tsx";
import { lengthText } from "./send-limit-texts.ts";
import { textUse } from "./send-limits.ts";

/** The text of a new message. Below it stands its length, and a form with a longer text than the phone takes stays. */
export const LimitedText = ({
  phoneId,
  label,
  name,
  rows = 4,
  initial = "",
}: {
  phoneId: string;
  label: string;
  name: string;
  rows?: number;
  initial?: string;
}) => {
  const [text, setText] = useState(initial);
  const area = useRef<HTMLTextAreaElement>(null);
  // the server counts what is sent: a text without the blanks around it
  const use = textUse(useCapabilities(phoneId), "text", "text", text.trim());
  const said = lengthText(use);
  const fault = use.isOver ? said : "";
  const field = useField(name, use.isOver ? undefined : said, fault);
  useLayoutEffect(() => area.current?.setCustomValidity(fault), [fault]);
  return withLabel(
    field,
    { label, hint: use.isOver ? undefined : said },
    <textarea
      ref={area}
      rows={rows}
      required
      defaultValue={initial}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      {...field.attributes}
    />,
  );
};
