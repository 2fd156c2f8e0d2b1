import { effect, signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { PhoneType } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { account, session } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button } from "../../parts/button.tsx";
import { useTemplateTypes } from "../../parts/messages/template-phones.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { noPhones } from "../../parts/phones/no-phones.tsx";
import { useHowMany } from "../../parts/phones/phones.tsx";
import { Empty, Loaded, Notice } from "../../parts/states.tsx";
import { checkedOf, type Draft, isBegun, newDraft } from "./draft.ts";
import { NO_VALUES } from "./fallback/draft.ts";
import { Faults } from "./faults.tsx";
import { FileCard } from "./file.tsx";
import { numbersIn } from "./mapping.ts";
import { MessageCard } from "./message.tsx";
import { SendingCard } from "./sending.tsx";
import { batchesTexts } from "./texts.ts";

/** A batch is made on one page: the file, the message, the sending. */
export const MakeBatch = () => {
  const t = batchesTexts();
  const phones = useHowMany();
  const types = useTemplateTypes();
  return (
    <>
      <PageHeader title={t.make} lead={t.lead} back={{ path: "/batches", name: pageNames().batches }} />
      <Loaded query={types}>
        {(official) =>
          phones === "none" ? <Empty {...noPhones(t.noPhones, t.noPhonesHint)} /> : <Making types={official} />
        }
      </Loaded>
    </>
  );
};

/** The drafts by account, so that a step back or forward in the browser loses none. */
const left = signal<{ accountId: string; draft: Draft } | undefined>(undefined);
effect(() => {
  if (session.value === null) left.value = undefined;
});

const leftDraft = (): Draft | undefined => {
  const found = left.peek();
  return found?.accountId === account.peek()?.id ? found?.draft : undefined;
};

/** The account's draft, or a new one. If the person comes from a template, the draft has its phone and template. */
const begun = ({ phone, template }: Record<string, string>): Draft => {
  const draft = leftDraft() ?? newDraft();
  return phone !== undefined && template !== undefined
    ? { ...draft, phoneId: phone, kind: "template", values: NO_VALUES, wantedTemplate: template }
    : draft;
};

/** Keeps the draft for this tab; the browser asks before it closes or reloads the page. */
const useKeptDraft = (draft: Draft): void => {
  const isWorth = isBegun(draft);
  const accountId = account.value?.id ?? "";
  useEffect(() => {
    left.value = isWorth ? { accountId, draft } : undefined;
  }, [draft]);
  useEffect(() => {
    if (!isWorth) return;
    const ask = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isWorth]);
};

const Making = ({ types }: { types: readonly PhoneType[] }) => {
  const t = batchesTexts();
  const { query } = useLocation();
  const [draft, setDraft] = useState(() => begun(query));
  const [isResumed, setResumed] = useState(() => leftDraft() !== undefined);
  useKeptDraft(draft);
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const { file, country, kind, text, values, fallback } = draft;
  const numbers = useMemo(() => (file ? numbersIn(file.sheet, country) : []), [file, country]);
  const found = useMemo(() => checkedOf(draft, numbers), [file, numbers, kind, text, values, fallback]);
  return (
    <div class="stack">
      {isResumed && (
        <Notice>
          <p>{t.draftKept}</p>
          <Button
            onClick={() => {
              setDraft(newDraft());
              setResumed(false);
            }}
          >
            {t.startOver}
          </Button>
        </Notice>
      )}
      <FileCard draft={draft} onChange={change} />
      {file && file.table.records.length > 0 && <Faults file={file} found={found} />}
      <MessageCard draft={draft} found={found} types={types} onChange={change} />
      <SendingCard
        draft={draft}
        found={found}
        onChange={change}
        onStarted={() => {
          left.value = undefined;
        }}
      />
    </div>
  );
};
