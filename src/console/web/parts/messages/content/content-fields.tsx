import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";
import { Check, Field, Select, TextArea } from "../../forms/form.tsx";
import { localTime, zoneName } from "../../forms/local-time.ts";
import { useKinds } from "../../phones/kind-fields.tsx";
import { usePhone } from "../../phones/phones.tsx";
import { Notice } from "../../states.tsx";
import { SEVERAL } from "./content-in.ts";
import { type FormKind, isOfButtons } from "./kinds.ts";
import { Rows } from "./rows.tsx";
import { contentTexts } from "./texts.ts";

const HOUR_MS = 3_600_000;

const Poll = () => {
  const t = contentTexts();
  return (
    <>
      <Field label={t.question} name="content.question" maxLength={255} autoFocus />
      <Rows legend={t.options} least={2} most={12} add={t.addOption} remove={t.removeOption}>
        {(at) => <Field label={t.option(at + 1)} name={`content.options.${at}`} maxLength={100} />}
      </Rows>
      <Check label={t.several} name={SEVERAL} />
    </>
  );
};

const Contacts = () => {
  const t = contentTexts();
  return (
    <Rows legend={t.people} least={1} most={10} add={t.addPerson} remove={t.removePerson}>
      {(at) => (
        <>
          <Field
            label={t.personName(at + 1)}
            name={`content.contacts.${at}.name`}
            maxLength={120}
            autoFocus={at === 0}
          />
          <Field
            label={t.personPhone(at + 1)}
            name={`content.contacts.${at}.phone`}
            type="tel"
            minLength={5}
            maxLength={30}
            placeholder="+55 11 98888-7777"
          />
          <Field
            label={t.personEmail(at + 1)}
            name={`content.contacts.${at}.email`}
            type="email"
            maxLength={320}
            isOptional
          />
        </>
      )}
    </Rows>
  );
};

/** Maps copy both numbers in one text: it fills in both fields. */
const spread = (event: ClipboardEvent): void => {
  const text = event.clipboardData?.getData("text").trim() ?? "";
  const [, latitude, longitude] = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const form = event.target instanceof HTMLInputElement ? event.target.form : null;
  if (latitude === undefined || longitude === undefined || form === null) return;
  for (const [name, value] of Object.entries({ latitude, longitude })) {
    const field = form.elements.namedItem(`content.${name}`);
    if (!(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

const Location = () => {
  const t = contentTexts();
  return (
    <>
      <div class="grid" onPaste={spread}>
        <Field
          label={t.latitude}
          hint={t.latitudeHint}
          name="content.latitude"
          type="number"
          step="any"
          min={-90}
          max={90}
          placeholder="-23.55052"
          autoFocus
        />
        <Field
          label={t.longitude}
          name="content.longitude"
          type="number"
          step="any"
          min={-180}
          max={180}
          placeholder="-46.633308"
        />
      </div>
      <Field label={t.place} name="content.name" maxLength={120} isOptional />
      <Field label={t.address} name="content.address" maxLength={255} isOptional />
    </>
  );
};

const CalendarEvent = () => {
  const t = contentTexts();
  return (
    <>
      <Field label={t.eventName} name="content.name" maxLength={255} autoFocus />
      <TextArea label={t.eventDescription} name="content.description" rows={2} maxLength={2048} isOptional />
      <div class="grid">
        <Field
          label={t.startsAt}
          hint={zoneName()}
          name="content.startsAt"
          type="datetime-local"
          defaultValue={localTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS)}
        />
        <Field label={t.endsAt} name="content.endsAt" type="datetime-local" isOptional />
      </div>
      <Field label={t.place} name="content.location.name" maxLength={120} isOptional />
      <Field label={t.address} name="content.location.address" maxLength={255} isOptional />
      <Field label={t.callLink} name="content.callLink" type="url" placeholder="https://" maxLength={2048} isOptional />
      <Check label={t.guests} name="content.extraGuestsAllowed" />
    </>
  );
};

const Text = () => <TextArea label={contentTexts().text} name="content.text" rows={3} maxLength={1024} autoFocus />;
const Footer = () => <Field label={contentTexts().footer} name="content.footer" maxLength={60} isOptional />;
const ButtonText = () => <Field label={contentTexts().buttonText} name="content.buttonText" maxLength={20} />;

const Buttons = () => {
  const t = contentTexts();
  return (
    <>
      <Text />
      <Rows legend={t.buttons} least={1} most={3} add={t.addButton} remove={t.removeButton}>
        {(at) => <Field label={t.button(at + 1)} name={`content.buttons.${at}.text`} maxLength={20} />}
      </Rows>
      <Footer />
    </>
  );
};

const ListFields = () => {
  const t = contentTexts();
  return (
    <>
      <Text />
      <ButtonText />
      <Rows legend={t.sections} least={1} most={10} add={t.addSection} remove={t.removeSection}>
        {(section) => (
          <>
            <Field label={t.section(section + 1)} name={`content.sections.${section}.title`} maxLength={24} />
            <Rows legend={t.rowsOf(section + 1)} least={1} most={10} add={t.addRow} remove={t.removeRow}>
              {(at) => {
                const name = `content.sections.${section}.rows.${at}`;
                return (
                  <>
                    <Field label={t.row(at + 1)} name={`${name}.title`} maxLength={24} />
                    <Field label={t.rowText(at + 1)} name={`${name}.description`} maxLength={72} isOptional />
                  </>
                );
              }}
            </Rows>
          </>
        )}
      </Rows>
      <Footer />
    </>
  );
};

/** TABLE: what a button of a card does, with the field that it needs besides its text. */
const CARD_BUTTONS = ["reply", "url", "copy"] as const;

const CardButton = ({ name, place }: { name: string; place: number }) => {
  const t = contentTexts();
  const [type, setType] = useState<string>("reply");
  return (
    <>
      <Select
        label={t.cardButtonType(place)}
        name={`${name}.type`}
        value={type}
        options={CARD_BUTTONS.map((one) => [one, t.cardButtonTypes[one]] as const)}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
      />
      <Field label={t.button(place)} name={`${name}.text`} maxLength={25} />
      {type === "url" && (
        <Field label={t.buttonUrl(place)} name={`${name}.url`} type="url" placeholder="https://" maxLength={2048} />
      )}
      {type === "copy" && <Field label={t.buttonCode(place)} name={`${name}.code`} maxLength={100} />}
    </>
  );
};

const Carousel = () => {
  const t = contentTexts();
  return (
    <>
      <Text />
      <Rows legend={t.cards} least={2} most={10} add={t.addCard} remove={t.removeCard}>
        {(card) => {
          const name = `content.cards.${card}`;
          return (
            <>
              <Select
                label={t.cardFile(card + 1)}
                name={`${name}.header.type`}
                options={[
                  ["image", t.image],
                  ["video", t.video],
                ]}
              />
              <Field
                label={t.cardUrl(card + 1)}
                hint={t.cardUrlHint}
                name={`${name}.header.mediaUrl`}
                type="url"
                placeholder="https://"
                maxLength={2048}
              />
              <Field label={t.cardText(card + 1)} name={`${name}.text`} maxLength={160} />
              <Rows legend={t.cardButtons(card + 1)} least={1} most={3} add={t.addButton} remove={t.removeButton}>
                {(at) => <CardButton name={`${name}.buttons.${at}`} place={at + 1} />}
              </Rows>
            </>
          );
        }}
      </Rows>
      <Footer />
    </>
  );
};

const LinkButton = () => (
  <>
    <Text />
    <ButtonText />
    <Field label={contentTexts().url} name="content.url" type="url" placeholder="https://" maxLength={2048} />
    <Footer />
  </>
);

const CopyCode = () => (
  <>
    <Text />
    <ButtonText />
    <Field label={contentTexts().code} name="content.code" maxLength={100} />
    <Footer />
  </>
);

/** TABLE: the fields of each type. Their names are those of the API, so that each refusal stands at its field. */
const FIELDS: Record<FormKind, FunctionComponent> = {
  poll: Poll,
  contact: Contacts,
  location: Location,
  event: CalendarEvent,
  button: Buttons,
  list: ListFields,
  carousel: Carousel,
  cta_url: LinkButton,
  copy_code: CopyCode,
};

/** The fields of a message of this type, and what the phone's network makes of it. `contentIn` reads them. */
export const ContentFields = ({ kind, phoneId }: { kind: FormKind; phoneId: string }) => {
  const Fields = FIELDS[kind];
  const type = usePhone(phoneId)?.type;
  const settings = useKinds().data?.find((one) => one.type === type)?.settings ?? [];
  const mayBeNumbers = settings.some(({ name }) => name === "nativeButtons");
  return (
    <>
      {mayBeNumbers && isOfButtons(kind) && <Notice>{contentTexts().asNumbers}</Notice>}
      <Fields key={kind} />
    </>
  );
};

const OPTIONS = Array.from({ length: 12 }, (_, at) => `content.options.${at}`);

/** The meaning of the refusals that these fields can get, in the person's language. */
export const contentFaults = (kind: FormKind): Readonly<Record<string, string>> => {
  const t = contentTexts();
  if (kind === "poll") return Object.fromEntries(OPTIONS.map((name) => [name, t.optionTwice]));
  if (kind === "event") return { "content.endsAt": t.endsBefore };
  return {};
};
