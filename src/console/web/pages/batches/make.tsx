import { Smartphone } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { pageNames } from "../../frame/page-names.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { useTemplatePhones } from "../../parts/template-phones.ts";
import { checkedOf, type Draft, newDraft } from "./draft.ts";
import { Faults } from "./faults.tsx";
import { FileCard } from "./file.tsx";
import { numbersIn } from "./mapping.ts";
import { MessageCard } from "./message.tsx";
import { SendingCard } from "./sending.tsx";
import { batchesTexts } from "./texts.ts";

/** A batch is made on one page: the file, the message, the sending. */
export const MakeBatch = () => {
  const t = batchesTexts();
  const phones = useTemplatePhones();
  return (
    <>
      <PageHeader title={t.make} lead={t.lead} back={{ path: "/batches", name: pageNames().batches }} />
      <Loaded query={phones}>
        {({ all, official }) =>
          all.length === 0 ? (
            <Empty icon={Smartphone} title={t.noPhones} hint={t.noPhonesHint}>
              <ButtonLink tone="primary" path="/phones">
                {t.toPhones}
              </ButtonLink>
            </Empty>
          ) : (
            <Making phones={all} official={official} />
          )
        }
      </Loaded>
    </>
  );
};

/** The draft of a person who comes from a template: its phone and itself are chosen. */
const begun = ({ phone, template }: Record<string, string>, official: readonly Phone[]): Draft => {
  const known = official.find(({ id }) => id === phone);
  return known && template !== undefined
    ? { ...newDraft(), phoneId: known.id, kind: "template", wantedTemplate: template }
    : newDraft();
};

const Making = ({ phones, official }: { phones: readonly Phone[]; official: readonly Phone[] }) => {
  const { query } = useLocation();
  const [written, setDraft] = useState(() => begun(query, official));
  const byDefault = phones.find(({ status }) => status === "CONNECTED") ?? phones[0];
  const draft: Draft = { ...written, phoneId: written.phoneId || (byDefault?.id ?? "") };
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const { file, country, kind, text, values } = draft;
  const numbers = useMemo(() => (file ? numbersIn(file.sheet, country) : []), [file, country]);
  const found = useMemo(() => checkedOf(draft, numbers), [file, numbers, kind, text, values]);
  return (
    <div class="stack">
      <FileCard draft={draft} onChange={change} />
      {file && file.csv.records.length > 0 && <Faults file={file} found={found} />}
      <MessageCard draft={draft} found={found} phones={phones} official={official} onChange={change} />
      <SendingCard draft={draft} found={found} onChange={change} />
    </div>
  );
};
