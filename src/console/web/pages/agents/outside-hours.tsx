import type { ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Check, TextArea } from "../../parts/forms/form.tsx";
import { agentHoursTexts } from "./hours-texts.ts";

/** Whether the agent keeps the business hours, and what it says outside them. */
export const OutsideHours = ({ agent: { respectHours, closedText } }: { agent: ListedAgent }) => {
  const t = agentHoursTexts();
  return (
    <>
      <Check label={t.respectHours} hint={t.respectHoursHint} name="respectHours" defaultChecked={respectHours} />
      <TextArea
        label={t.closedText}
        hint={t.closedTextHint}
        name="closedText"
        rows={2}
        maxLength={4096}
        defaultValue={closedText ?? ""}
        isOptional
      />
    </>
  );
};
