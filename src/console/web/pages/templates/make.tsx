import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { PhoneType, Template } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { language } from "../../frame/texts/languages.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button } from "../../parts/button.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Bubble } from "../../parts/messages/bubble.tsx";
import { bubbleOf } from "../../parts/messages/template-parts.ts";
import { useTemplateTypes } from "../../parts/messages/template-phones.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { noPhones } from "../../parts/phones/no-phones.tsx";
import { Empty, Failure, Loaded, Notice } from "../../parts/states.tsx";
import { ButtonFields } from "./button-fields.tsx";
import { CardFields } from "./card-fields.tsx";
import {
  changeOf,
  type Draft,
  draftOf,
  isMedia,
  MOST_BUTTONS,
  newDraft,
  previewOf,
  type Samples,
  templateRequest,
} from "./draft.ts";
import { BodyFields, HeaderFields, NameFields } from "./fields.tsx";
import { templatesTexts } from "./texts.ts";

/** A new template, or a new version of an existing one, beside its preview. */
export const MakeTemplate = ({ fromId }: { fromId?: string }) => {
  const t = templatesTexts();
  const types = useTemplateTypes();
  return (
    <Loaded query={types}>
      {(official) => {
        if (fromId !== undefined) return <Changing id={fromId} types={official} />;
        if (official.length > 0) return <Writing types={official} />;
        return (
          <>
            <PageHeader title={t.make} back={{ path: "/templates", name: pageNames().templates }} />
            <Empty {...noPhones(t.noPhones, t.noPhonesHint)} />
          </>
        );
      }}
    </Loaded>
  );
};

const Changing = ({ id, types }: { id: string; types: readonly PhoneType[] }) => {
  const template = useQuery(`templates/one/${id}`, (signal) => gateway.templates.get(id, { signal }));
  return <Loaded query={template}>{(data) => <Writing types={types} from={data} />}</Loaded>;
};

const TYPES = { IMAGE: "image/jpeg", VIDEO: "video/mp4", DOCUMENT: "application/pdf" };

/** Gives the network an example file. Resolves with the network's name of it. */
const sampleAt = async (url: string, format: keyof typeof TYPES, app: { appId: string; phoneId: string }) => {
  const fileName = new URL(url).pathname.split("/").at(-1) || "example";
  const mimeType = /\.png$/i.test(fileName) ? "image/png" : TYPES[format];
  const file = { mediaUrl: url, mimeType, fileName, appId: app.appId };
  const { handle } = await gateway.media.uploadResumable(file, { headers: { "X-Phone-Id": app.phoneId } });
  return handle;
};

/** Gives the network the example files of a draft. */
const samplesOf = async ({ header, sampleUrl, cards, cardFormat, appId }: Draft, phoneId: string): Promise<Samples> => {
  const app = { appId, phoneId };
  const ofHeader = isMedia(header) ? await sampleAt(sampleUrl, header, app) : undefined;
  const ofCards: string[] = [];
  for (const card of cards) ofCards.push(await sampleAt(card.sampleUrl, cardFormat, app));
  return { header: ofHeader, cards: ofCards };
};

/** In place of the example files for a check, which gives the network nothing. */
const placeholdersOf = ({ header, cards }: Draft): Samples => ({
  header: isMedia(header) ? "example" : undefined,
  cards: cards.map(() => "example"),
});

const Writing = ({ types, from }: { types: readonly PhoneType[]; from?: Template }) => {
  const t = templatesTexts();
  const { route } = useLocation();
  const [draft, setDraft] = useState<Draft>(() => (from ? draftOf(from) : newDraft(language.peek())));
  const [phoneId, setPhoneId] = useState(from?.phoneId ?? "");
  const [isChecked, setChecked] = useState(false);
  const change = (changed: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...changed }));
    setChecked(false);
  };
  const submit = useAct<[FormData]>(async () => {
    const samples = await samplesOf(draft, phoneId);
    const { id } = from
      ? await gateway.templates.update(from.id, changeOf(draft, from, samples))
      : await gateway.templates.create(templateRequest(draft, phoneId, samples));
    refresh("templates/");
    route(href(`/templates/${id}`));
  });
  const check = useAct(async () => {
    const samples = placeholdersOf(draft);
    await (from
      ? gateway.templates.update(from.id, changeOf(draft, from, samples), { query: { dryRun: true } })
      : gateway.templates.create(templateRequest(draft, phoneId, samples), { query: { dryRun: true } }));
    setChecked(true);
  });
  const back = from
    ? { path: `/templates/${from.id}`, name: from.name }
    : { path: "/templates", name: pageNames().templates };
  const props = { draft, onChange: change };
  const ofCards = draft.cards.map(({ examples }) => examples);
  return (
    <>
      <PageHeader title={from ? t.form.again(from.name) : t.form.title} back={back} />
      <div class="template-columns">
        <Card>
          <Form act={submit} submit={t.form.submit}>
            <NameFields {...props} isNew={!from} types={types} phoneId={phoneId} onPhone={setPhoneId} />
            <HeaderFields {...props} />
            <BodyFields {...props} />
            <ButtonFields buttons={draft.buttons} most={MOST_BUTTONS} onChange={(buttons) => change({ buttons })} />
            <CardFields {...props} />
            {isChecked && <Notice tone="good">{t.form.checked}</Notice>}
            {check.error !== undefined && <Failure error={check.error} />}
            <div>
              <Button isBusy={check.isRunning} disabled={phoneId === ""} onClick={() => void check.run()}>
                {t.form.check}
              </Button>
            </div>
          </Form>
        </Card>
        <div class="message-preview">
          <h2>{t.form.preview}</h2>
          <Bubble label={t.form.preview} {...bubbleOf(previewOf(draft), draft.examples, ofCards)} />
        </div>
      </div>
    </>
  );
};
