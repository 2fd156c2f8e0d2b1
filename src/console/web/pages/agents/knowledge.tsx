import { FileText, Globe, Text, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Document } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { IconButton } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card } from "../../parts/layout.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { AddDocument } from "./add-document.tsx";
import { documentsKey } from "./documents-key.ts";
import { documentFaultsTexts } from "./fault-texts.ts";
import { agentsTexts } from "./texts.ts";

const ICONS = { OBJECT_FILE: FileText, TEXT_INLINE: Text, URL: Globe } as const;
const TONES: Record<Document["status"], BadgeTone> = {
  PENDING: "neutral",
  PROCESSING: "busy",
  READY: "good",
  FAILED: "bad",
};
/** No event says that a document is being read, so the page asks until its end. */
const READING_MS = 2000;

const useDocuments = (phoneId: string) => {
  const [isReading, setReading] = useState(false);
  const query = useQuery(documentsKey(phoneId), (signal) => gateway.ai.listDocuments(phoneId, {}, { signal }).page(), {
    on: ["agent:document"],
    ...(isReading ? { everyMs: READING_MS } : {}),
  });
  const areOpen = query.data?.some(({ status }) => status === "PENDING" || status === "PROCESSING") ?? false;
  if (areOpen !== isReading) setReading(areOpen);
  return query;
};

/** The documents of an agent, with the ways to add one. */
export const Knowledge = ({ phoneId }: { phoneId: string }) => {
  const t = agentsTexts();
  const documents = useDocuments(phoneId);
  return (
    <Card title={t.knowledge} hint={t.knowledgeHint}>
      {may("ai.write") && <AddDocument phoneId={phoneId} />}
      <Loaded query={documents} lines={3}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={FileText} title={t.noDocuments} hint={t.noDocumentsHint} />
          ) : (
            <ul class="documents" aria-label={t.knowledge}>
              {found.map((document) => (
                <DocumentItem key={document.id} phoneId={phoneId} document={document} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
};

/** The source of a document, such as its address. A file has only its title. */
const originOf = ({ source, sourceRef }: Document): string | null => (source === "URL" ? sourceRef : null);

const DocumentItem = ({ phoneId, document }: { phoneId: string; document: Document }) => {
  const t = agentsTexts();
  const { status, source, chunkCount, createdAt, sendable } = document;
  const Icon = ICONS[source];
  const name = document.title || originOf(document) || t.untitled;
  return (
    <li>
      <Icon size={20} aria-hidden="true" />
      <div class="document">
        <p class="document-name">{name}</p>
        <p class="small soft">
          <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>{" "}
          {status === "READY" && `${t.passages(chunkCount)} · `}
          {sendable && `${t.isSendable} · `}
          <When at={createdAt} />
        </p>
        {status === "FAILED" && <Fault reason={document.errorReason} />}
      </div>
      {may("ai.write") && <Forget phoneId={phoneId} id={document.id} name={name} />}
    </li>
  );
};

/** `reason`: a code and a few words, such as `EMPTY: it has no text`. The words matter if they are the provider's. */
const Fault = ({ reason }: { reason: string | null }) => {
  const faults = documentFaultsTexts();
  const [code = "", ...words] = (reason ?? "").split(": ");
  const text = code in faults ? faults[code as keyof typeof faults] : undefined;
  const detail = text === undefined || code === "PROVIDER_ERROR" || code === "UNREACHABLE" ? words.join(": ") : "";
  return (
    <p class="small document-fault">
      {text} {detail && <span class="soft">{detail}</span>}
    </p>
  );
};

const Forget = ({ phoneId, id, name }: { phoneId: string; id: string; name: string }) => {
  const t = agentsTexts();
  const [isAsking, setAsking] = useState(false);
  const act = useAct(async () => {
    await gateway.ai.deleteDocument(phoneId, id);
    refresh(documentsKey(phoneId));
    refresh("agents/");
  });
  return (
    <>
      <IconButton label={`${t.forget}: ${name}`} icon={Trash2} onClick={() => setAsking(true)} />
      {isAsking && (
        <Confirm title={t.forgetTitle} yes={t.forget} act={act} onNo={() => setAsking(false)}>
          <p>{t.forgetHint(name)}</p>
        </Confirm>
      )}
    </>
  );
};
