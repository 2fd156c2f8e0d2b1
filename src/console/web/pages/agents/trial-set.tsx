import { Upload } from "lucide-preact";
import { useId, useState } from "preact/hooks";
import type { TrialSet } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { decodeText } from "../../../../kernel/texts/charsets.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { linesOf, questionsOf, separatorOf } from "./trial-lines.ts";
import { trialsTexts } from "./trials-texts.ts";

/** The reader is loaded with the first change. */
const reader = () => import("../../../../kernel/texts/csv.ts");

/** The questions that an agent is tried with, as lines that can be written, pasted or read from a file. */
export const TrialQuestions = ({ phoneId }: { phoneId: string }) => {
  const t = trialsTexts();
  const set = useQuery(`trials/${phoneId}/set`, (signal) => gateway.ai.getTrialSet(phoneId, { signal }));
  return (
    <Card title={t.questions} hint={t.questionsHint}>
      <Loaded query={set} lines={4}>
        {(found) => <Lines key={found.updatedAt} phoneId={phoneId} set={found} />}
      </Loaded>
    </Card>
  );
};

const Lines = ({ phoneId, set }: { phoneId: string; set: TrialSet }) => {
  const t = trialsTexts();
  const id = useId();
  const [lines, setLines] = useState(linesOf(set.questions));
  const isWriter = may("ai.write");
  const save = useAct(async (form: FormData) => {
    const { readCsv } = await reader();
    const text = textIn(form, "questions");
    await gateway.ai.putTrialSet(phoneId, { questions: questionsOf(readCsv(text, separatorOf(text))) });
    refresh(`trials/${phoneId}`);
    notify(t.saved);
  });
  const open = useAct(async (file: File | undefined) => {
    if (!file) return;
    const { readCsv } = await reader();
    const { text } = decodeText(new Uint8Array(await file.arrayBuffer()));
    setLines(linesOf(questionsOf(readCsv(text)).map(({ text: question, facts = [] }) => ({ text: question, facts }))));
  });
  const area = (
    <TextArea
      label={t.lines}
      hint={t.linesHint}
      name="questions"
      rows={10}
      value={lines}
      onInput={({ currentTarget }) => setLines(currentTarget.value)}
      disabled={!isWriter}
      isOptional
    />
  );
  if (!isWriter) return area;
  return (
    <>
      <Form act={save} submit={t.save}>
        {area}
      </Form>
      <label class="button file" for={id}>
        <Upload size={16} aria-hidden="true" />
        <span>{t.open}</span>
        <input
          id={id}
          type="file"
          accept=".csv,.txt,.tsv"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            void open.run(file).then(() => {
              currentTarget.value = "";
            });
          }}
        />
      </label>
      {open.error !== undefined && <Failure error={open.error} />}
    </>
  );
};
