import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Check, Form } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { phoneTexts } from "./phone-texts.ts";

const keyOf = (phoneId: string): string => `phones/settings/${phoneId}`;

/** Whether the phone's received voice notes become text. An agent has a switch of its own. */
export const VoiceNotes = ({ phone: { id } }: { phone: Phone }) => {
  const t = phoneTexts();
  const settings = useQuery(keyOf(id), (signal) => gateway.phones.getSettings(id, { signal }));
  return (
    <Card title={t.voiceNotes} hint={t.voiceNotesHint}>
      <Loaded query={settings} lines={1}>
        {({ transcribeVoice }) => <Transcribed phoneId={id} isOn={transcribeVoice === "voice"} />}
      </Loaded>
    </Card>
  );
};

const Transcribed = ({ phoneId, isOn }: { phoneId: string; isOn: boolean }) => {
  const t = phoneTexts();
  const act = useAct(async (form: FormData) => {
    await gateway.phones.updateSettings(phoneId, { transcribeVoice: form.has("transcribeVoice") ? "voice" : "off" });
    refresh(keyOf(phoneId));
    notify(t.saved);
  });
  if (!may("phones.write")) return <p>{isOn ? t.voiceNotesOn : t.voiceNotesOff}</p>;
  return (
    <Form act={act} submit={t.save}>
      <Check label={t.transcribeVoice} name="transcribeVoice" defaultChecked={isOn} />
    </Form>
  );
};
