import { Download, Eraser } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Contact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { account } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { download } from "../../parts/download.ts";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { contactsTexts } from "./texts.ts";

const EVERY_MS = 1500;

/** The legal rights of a person: a copy of all stored data of theirs, and its erasure. For operators. */
export const PersonData = ({ contact }: { contact: Contact }) => {
  const t = contactsTexts();
  const [isAsking, setAsking] = useState(false);
  const [erasureId, setErasureId] = useState<string | undefined>(undefined);
  const accountId = account.value?.id;
  const body = { person: contact.canonicalKey, ...(accountId === undefined ? {} : { accountId }) };
  const exporting = useAct(async () => {
    download(`${contact.id}.json`, JSON.stringify(await admin.people.export(body), null, 2), "application/json");
  });
  const erasing = useAct(async () => {
    setErasureId((await admin.people.erase(body)).id);
    setAsking(false);
  });
  return (
    <Card title={t.personData} hint={t.personDataHint}>
      {exporting.error !== undefined && <Failure error={exporting.error} />}
      {erasureId !== undefined && <Progress id={erasureId} />}
      <div class="actions">
        <Button icon={Download} isBusy={exporting.isRunning} onClick={() => void exporting.run()}>
          {t.export}
        </Button>
        <Button icon={Eraser} onClick={() => setAsking(true)}>
          {t.erase}
        </Button>
      </div>
      {isAsking && (
        <Confirm title={t.eraseTitle} yes={t.erase} act={erasing} onNo={() => setAsking(false)}>
          <p>{t.eraseWarning}</p>
        </Confirm>
      )}
    </Card>
  );
};

const Progress = ({ id }: { id: string }) => {
  const t = contactsTexts();
  const { data } = useQuery(`erasures/${id}`, (signal) => admin.people.getErasure(id, { signal }), {
    everyMs: EVERY_MS,
  });
  if (!data) return null;
  return (
    <Notice tone={data.status === "DONE" ? "good" : "info"}>{t.erasure(data.status === "DONE", data.rows)}</Notice>
  );
};
