import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { refusedParameter } from "./refusals.ts";

/** The cards of a CAROUSEL, each as its components. */
export const cardsOf = (component: Fields): Fields[][] => {
  const cards = Array.isArray(component["cards"]) ? component["cards"].map(fieldsOf) : [];
  return cards.map((card) => (Array.isArray(card["components"]) ? card["components"].map(fieldsOf) : []));
};

/** Throws for cards that Graph would not take; `checkCard` looks at the components of each. */
export const checkCarousel = (component: Fields, checkCard: (components: Fields[]) => void): void => {
  const cards = cardsOf(component);
  for (const card of cards) {
    checkCard(card);
    const header = card.find((one) => one["type"] === "HEADER");
    if (!["IMAGE", "VIDEO", "PRODUCT"].includes(textOf(header?.["format"])))
      throw refusedParameter("A card must have a header of format IMAGE, VIDEO or PRODUCT.");
    const buttons = card.find((one) => one["type"] === "BUTTONS");
    if (!buttons || (Array.isArray(buttons["buttons"]) && buttons["buttons"].length > 2))
      throw refusedParameter("A card must have one or two buttons.");
  }
  if (new Set(cards.map(outlineOf)).size > 1)
    throw refusedParameter("All cards must have the same components and the same buttons.");
};

const outlineOf = (card: Fields[]): string =>
  card
    .map(({ type, format, buttons }) =>
      [
        textOf(type),
        textOf(format),
        ...(Array.isArray(buttons) ? buttons.map((button) => textOf(fieldsOf(button)["type"])) : []),
      ].join(":"),
    )
    .sort()
    .join(" ");
