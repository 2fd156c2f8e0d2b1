import { Plus } from "lucide-preact";
import { number } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/forms/form.tsx";
import { Notice } from "../../parts/states.tsx";
import { ButtonFields } from "./button-fields.tsx";
import { CARD_FORMATS, cardsFault, type DraftCard, MOST_CARD_BUTTONS, MOST_CARDS, withMoreCards } from "./cards.ts";
import { isMedia } from "./draft.ts";
import { AppField, type Props } from "./fields.tsx";
import { TextFields } from "./text-fields.tsx";
import { templatesTexts } from "./texts.ts";

/** The cards of a carousel below the text: each with a picture or a film, a text and buttons. */
export const CardFields = ({ draft, onChange }: Props) => {
  const t = templatesTexts().form;
  const { cards, cardFormat, hasOtherCards, header } = draft;
  if (hasOtherCards) return <Notice>{t.otherCards}</Notice>;
  const fault = cardsFault(cards);
  const change = (at: number, changed: Partial<DraftCard>): void =>
    onChange({ cards: cards.map((card, index) => (index === at ? { ...card, ...changed } : card)) });
  return (
    <fieldset class="template-buttons">
      <legend>{t.cards}</legend>
      <p class="small soft">{t.cardsHint}</p>
      {cards.length > 0 && (
        <div class="grid">
          <Select
            label={t.cardFormat}
            value={cardFormat}
            options={CARD_FORMATS.map((one) => [one, t.headers[one]])}
            onChange={({ currentTarget }) => onChange({ cardFormat: currentTarget.value as typeof cardFormat })}
          />
          {!isMedia(header) && <AppField draft={draft} onChange={onChange} />}
        </div>
      )}
      {cards.map((card, at) => (
        <OneCard
          key={at}
          place={number(at + 1)}
          card={card}
          onChange={(changed) => change(at, changed)}
          onRemove={() => onChange({ cards: cards.filter((_, index) => index !== at) })}
        />
      ))}
      {fault && <Notice tone="warning">{t[fault]}</Notice>}
      {cards.length < MOST_CARDS && (
        <div>
          <Button icon={Plus} onClick={() => onChange({ cards: withMoreCards(cards) })}>
            {t.addCard}
          </Button>
        </div>
      )}
    </fieldset>
  );
};

type CardProps = {
  place: string;
  card: DraftCard;
  onChange: (change: Partial<DraftCard>) => void;
  onRemove: () => void;
};

const OneCard = ({ place, card, onChange, onRemove }: CardProps) => {
  const t = templatesTexts().form;
  return (
    <fieldset class="template-buttons">
      <legend>{t.card(place)}</legend>
      <Field
        label={t.sample}
        hint={t.sampleHint}
        type="url"
        placeholder="https://"
        value={card.sampleUrl}
        onInput={({ currentTarget }) => onChange({ sampleUrl: currentTarget.value })}
      />
      <TextFields
        label={t.cardText}
        hint={t.bodyHint}
        rows={3}
        maxLength={160}
        isOptional
        text={card}
        onChange={onChange}
      />
      <ButtonFields buttons={card.buttons} most={MOST_CARD_BUTTONS} onChange={(buttons) => onChange({ buttons })} />
      <div>
        <Button onClick={onRemove}>{t.removeCard(place)}</Button>
      </div>
    </fieldset>
  );
};
