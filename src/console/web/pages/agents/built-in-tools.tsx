import type { AgentBuiltInTool, ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Check } from "../../parts/forms/form.tsx";
import { agentToolTexts } from "./tool-texts.ts";

/** Recado's own tools of an agent: each has a text, which the compiler asks for. */
export const builtInTools = (): AgentBuiltInTool[] => {
  const texts: Record<AgentBuiltInTool, string> = agentToolTexts().builtIn;
  return Object.keys(texts) as AgentBuiltInTool[];
};

/** The switches of Recado's own tools, in the form of an agent. */
export const BuiltInTools = ({ agent }: { agent: ListedAgent }) => {
  const t = agentToolTexts();
  return (
    <fieldset>
      <legend>{t.mayDo}</legend>
      {builtInTools().map((name) => (
        <Check key={name} label={t.builtIn[name]} name={name} defaultChecked={agent.builtInTools.includes(name)} />
      ))}
    </fieldset>
  );
};
