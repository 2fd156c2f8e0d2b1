import type { ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Check, Field } from "../../parts/forms/form.tsx";
import { agentSensesTexts } from "./senses-texts.ts";

/** What an agent reads besides texts, and how it answers voice notes. */
export const Senses = ({ agent: { transcribesVoice, speaks, voice, sees } }: { agent: ListedAgent }) => {
  const t = agentSensesTexts();
  const checks = [
    ["transcribesVoice", t.transcribesVoice, t.transcribesVoiceHint, transcribesVoice],
    ["speaks", t.speaks, t.speaksHint, speaks],
    ["seesImages", t.images, t.imagesHint, sees.images],
    ["seesDocuments", t.documents, t.documentsHint, sees.documents],
  ] as const;
  return (
    <>
      {checks.map(([name, label, hint, isOn]) => (
        <Check key={name} label={label} hint={hint} name={name} defaultChecked={isOn} />
      ))}
      <Field label={t.voice} hint={t.voiceHint} name="voice" defaultValue={voice ?? ""} maxLength={120} isOptional />
    </>
  );
};
