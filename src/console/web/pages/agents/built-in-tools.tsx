import type { ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Check } from "../../parts/forms/form.tsx";
import { agentToolTexts } from "./tool-texts.ts";

export const BUILT_IN_TOOLS = [
  "hand_over",
  "send_template",
  "send_file",
  "look_up_contact",
  "set_tag",
  "business_hours",
] as const satisfies readonly ListedAgent["builtInTools"][number][];

/** The switches of Recado's own tools, in the form of an agent. */
export const BuiltInTools = ({ agent: { builtInTools } }: { agent: ListedAgent }) => {
  const t = agentToolTexts();
  return (
    <fieldset>
      <legend>{t.mayDo}</legend>
      {BUILT_IN_TOOLS.map((name) => (
        <Check key={name} label={t.builtIn[name]} name={name} defaultChecked={builtInTools.includes(name)} />
      ))}
    </fieldset>
  );
};
