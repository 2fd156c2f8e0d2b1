import { Globe, Text, Upload } from "lucide-preact";
import { useId, useState } from "preact/hooks";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Check, Field, Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Failure } from "../../parts/states.tsx";
import { documentsKey } from "./documents-key.ts";
import { agentsTexts } from "./texts.ts";

/** TABLE: the types of files by their endings, for browsers that do not know them. */
const TYPES: Readonly<Record<string, string>> = {
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  html: "text/html",
  htm: "text/html",
  csv: "text/csv",
  json: "application/json",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
};
const ACCEPTED = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join(",");

const typed = (file: File): Blob => {
  const ending = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  return new Blob([file], { type: TYPES[ending] ?? (file.type || "text/plain") });
};

/** Uploads a file and has the agent learn it under its name. `sendable`: the agent may send the file to contacts. */
const learnFile = async (phoneId: string, file: File, sendable: boolean): Promise<void> => {
  const { objectKey } = await gateway.ai.uploadKnowledgeFile(phoneId, typed(file));
  const title = file.name.slice(0, 255);
  await gateway.ai.addDocument(phoneId, { source: "OBJECT_FILE", objectKey, title, sendable });
};

/** Three ways to give an agent a document: a file, a text, a page. */
export const AddDocument = ({ phoneId }: { phoneId: string }) => {
  const t = agentsTexts();
  const id = useId();
  const [dialog, setDialog] = useState<"text" | "url" | undefined>();
  const [isSendable, setSendable] = useState(false);
  const upload = useAct(async (files: readonly File[]) => {
    for (const file of files) await learnFile(phoneId, file, isSendable);
    refresh(documentsKey(phoneId));
    refresh("agents/");
  });
  return (
    <>
      <div class="actions add-document">
        <label class="button primary file" for={id}>
          {upload.isRunning ? <span class="spinner" aria-hidden="true" /> : <Upload size={16} aria-hidden="true" />}
          <span>{t.addFile}</span>
          <input
            id={id}
            type="file"
            multiple
            accept={ACCEPTED}
            disabled={upload.isRunning}
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])];
              void upload.run(files).then(() => {
                currentTarget.value = "";
              });
            }}
          />
        </label>
        <Button icon={Text} onClick={() => setDialog("text")}>
          {t.addText}
        </Button>
        <Button icon={Globe} onClick={() => setDialog("url")}>
          {t.addUrl}
        </Button>
      </div>
      <Check
        label={t.sendable}
        hint={t.sendableHint}
        checked={isSendable}
        disabled={upload.isRunning}
        onChange={({ currentTarget }) => setSendable(currentTarget.checked)}
      />
      {upload.error !== undefined && <Failure error={upload.error} />}
      {dialog !== undefined && <WriteDocument phoneId={phoneId} as={dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
};

const WriteDocument = ({ phoneId, as, onClose }: { phoneId: string; as: "text" | "url"; onClose: () => void }) => {
  const t = agentsTexts();
  const act = useAct(async (form: FormData) => {
    const title = textIn(form, "title");
    const content =
      as === "text"
        ? ({ source: "TEXT_INLINE", text: textIn(form, "text") } as const)
        : ({ source: "URL", url: textIn(form, "url") } as const);
    await gateway.ai.addDocument(phoneId, { ...content, ...(title === "" ? {} : { title }) });
    refresh(documentsKey(phoneId));
    refresh("agents/");
    onClose();
  });
  return (
    <Dialog title={as === "text" ? t.addText : t.addUrl} onClose={onClose}>
      <Form act={act} submit={t.learn} onCancel={onClose}>
        {as === "text" ? (
          <TextArea label={t.text} hint={t.textHint} name="text" rows={10} minLength={20} maxLength={200_000} />
        ) : (
          <Field label={t.url} hint={t.urlHint} name="url" type="url" placeholder="https://" />
        )}
        <Field label={t.title} name="title" maxLength={255} isOptional />
      </Form>
    </Dialog>
  );
};
