import { ExternalLink, FileText, Image, MapPin, Phone, Reply, ShoppingBag, Video } from "lucide-preact";
import type { ComponentChildren } from "preact";
import type { BubbleCard, BubbleContent, BubbleHeader } from "./bubble-content.ts";

const HEADER_ICONS = { image: Image, video: Video, document: FileText, location: MapPin, product: ShoppingBag };
const BUTTON_ICONS = { url: ExternalLink, phone: Phone, reply: Reply, other: Reply };

/** WhatsApp's marks: *bold*, _italic_, ~struck~, ```code```. A mark without its partner is text. */
const MARKS = /```([^`]+)```|\*([^*\n]+)\*|_([^_\n]+)_|~([^~\n]+)~/u;

const formatted = (text: string): ComponentChildren[] => {
  const shown: ComponentChildren[] = [];
  let rest = text;
  for (let found = MARKS.exec(rest); found; found = MARKS.exec(rest)) {
    const [all, code, bold, italic, struck] = found;
    shown.push(rest.slice(0, found.index));
    if (code !== undefined) shown.push(<code>{code}</code>);
    else if (bold !== undefined) shown.push(<b>{formatted(bold)}</b>);
    else if (italic !== undefined) shown.push(<i>{formatted(italic)}</i>);
    else shown.push(<s>{formatted(struck ?? "")}</s>);
    rest = rest.slice(found.index + all.length);
  }
  return [...shown, rest];
};

const Header = ({ header }: { header: BubbleHeader }) => {
  if (header.kind === "text") return <p class="preview-bubble-title">{header.text}</p>;
  const Icon = HEADER_ICONS[header.kind];
  return (
    <div class="preview-bubble-media">
      <Icon size={40} strokeWidth={1.25} aria-hidden="true" />
    </div>
  );
};

/** A message as its recipient will see it. `label`: its name. */
export const Bubble = ({ label, cards = [], ...message }: BubbleContent & { label: string }) => (
  <figure class="preview-bubble-place" aria-label={label}>
    <Part {...message} />
    <BubbleCards cards={cards} />
  </figure>
);

/** The cards of a message; nothing without one. */
export const BubbleCards = ({ cards }: { cards: readonly BubbleCard[] }) =>
  cards.length > 0 && (
    <ul class="preview-bubble-cards">
      {cards.map((card, at) => (
        <li key={at}>
          <Part {...card} />
        </li>
      ))}
    </ul>
  );

const Part = ({ header, body, footer, buttons = [] }: Omit<BubbleContent, "cards">) => (
  <>
    <div class="preview-bubble">
      {header && <Header header={header} />}
      <p class="preview-bubble-body" dir="auto">
        {formatted(body)}
      </p>
      {footer && <p class="preview-bubble-footer">{footer}</p>}
    </div>
    {buttons.length > 0 && (
      <ul class="preview-bubble-buttons">
        {buttons.map(({ kind, text }, index) => {
          const Icon = BUTTON_ICONS[kind];
          return (
            <li key={index}>
              <Icon size={15} aria-hidden="true" />
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    )}
  </>
);
