import type {
  NewTemplateComponent,
  Template,
  TemplateComponent,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { cardsOf, examplesOf } from "../../parts/messages/template-parts.ts";
import {
  bodyFor,
  buttonFor,
  buttonOf,
  type DraftBody,
  type DraftButton,
  hasPlacesAlone,
  type Loose,
  NEW_BUTTON,
  textOf,
} from "./parts.ts";

export const CARD_FORMATS = ["IMAGE", "VIDEO"] as const;
export const MOST_CARDS = 10;
export const MOST_CARD_BUTTONS = 2;

/** `sampleUrl`: where the example of its picture or film is. */
export type DraftCard = DraftBody & { sampleUrl: string; buttons: readonly DraftButton[] };
/** The cards of a draft. `hasOtherCards`: the template has cards of another form, which stay as they are. */
export type DraftCards = {
  cardFormat: (typeof CARD_FORMATS)[number];
  cards: readonly DraftCard[];
  hasOtherCards: boolean;
};
export const NO_CARDS: DraftCards = { cardFormat: "IMAGE", cards: [], hasOtherCards: false };

const partOf = (components: readonly TemplateComponent[], type: string): Loose =>
  components.find((component) => component.type === type) ?? {};
const buttonsIn = (card: readonly TemplateComponent[]): Loose[] => {
  const { buttons } = partOf(card, "BUTTONS");
  return Array.isArray(buttons) ? (buttons as Loose[]) : [];
};
const formatOf = (card: readonly TemplateComponent[]) =>
  CARD_FORMATS.find((one) => one === partOf(card, "HEADER")["format"]);

/** The cards of an existing template, if the form can show all of each. */
export const cardsDraftOf = ({ components }: Pick<Template, "components">): DraftCards => {
  const stored = cardsOf(components);
  const [cardFormat] = stored.map(formatOf);
  const isKnown = (card: readonly TemplateComponent[]): boolean =>
    formatOf(card) === cardFormat &&
    buttonsIn(card).every((button) => buttonOf(button).length > 0) &&
    hasPlacesAlone(textOf(partOf(card, "BODY")["text"]));
  if (!cardFormat || !stored.every(isKnown)) return { ...NO_CARDS, hasOtherCards: stored.length > 0 };
  const cards = stored.map((card) => ({
    sampleUrl: "",
    body: textOf(partOf(card, "BODY")["text"]),
    examples: examplesOf(card),
    buttons: buttonsIn(card).flatMap(buttonOf),
  }));
  return { cardFormat, cards, hasOtherCards: false };
};

/** A card with the buttons of the last one: all cards have the same kinds. The first ones come as a pair. */
export const withMoreCards = (cards: readonly DraftCard[]): DraftCard[] => {
  const buttons = cards.at(-1)?.buttons.map((button) => ({ ...button, value: "", example: "" })) ?? [NEW_BUTTON];
  const card = { sampleUrl: "", body: "", examples: {}, buttons };
  return cards.length === 0 ? [card, card] : [...cards, card];
};

export type CardsFault = "cardsTooFew" | "cardsDiffer";

/** The first fault for which the network would refuse the cards; undefined without one. */
export const cardsFault = (cards: readonly DraftCard[]): CardsFault | undefined => {
  if (cards.length === 1) return "cardsTooFew";
  const forms = cards.map(({ body, buttons }) => [body.trim() !== "", ...buttons.map(({ kind }) => kind)].join());
  return new Set(forms).size > 1 ? "cardsDiffer" : undefined;
};

/** The component of the cards. `handles`: the network's names of their example files, by their order. */
export const carouselFor = (
  { cardFormat, cards }: DraftCards,
  handles: readonly (string | undefined)[],
): NewTemplateComponent[] => {
  if (cards.length === 0) return [];
  const componentsOf = ({ body, examples, buttons }: DraftCard, at: number): NewTemplateComponent[] => {
    const handle = handles[at];
    return [
      { type: "HEADER", format: cardFormat, ...(handle === undefined ? {} : { example: { header_handle: [handle] } }) },
      ...(body.trim() === "" ? [] : [bodyFor({ body, examples })]),
      ...(buttons.length === 0 ? [] : [{ type: "BUTTONS" as const, buttons: buttons.map(buttonFor) }]),
    ];
  };
  return [{ type: "CAROUSEL", cards: cards.map((card, at) => ({ components: componentsOf(card, at) })) }];
};
