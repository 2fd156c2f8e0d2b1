import type {
  CreateTemplateRequest,
  NewTemplateComponent,
  Template,
  TemplateCategory,
  TemplateComponent,
  UpdateTemplateRequest,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { examplesOf } from "../../parts/messages/template-parts.ts";
import { cardsDraftOf, carouselFor, type DraftCards, NO_CARDS } from "./cards.ts";
import { bodyFor, buttonFor, buttonOf, type DraftBody, type DraftButton, type Loose, textOf } from "./parts.ts";

export const HEADERS = ["none", "TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION", "PRODUCT"] as const;
export type HeaderKind = (typeof HEADERS)[number];
export const MOST_BUTTONS = 10;

/** A template while it is being written. */
export type Draft = DraftBody &
  DraftCards & {
    name: string;
    language: string;
    category: TemplateCategory;
    header: HeaderKind;
    headerText: string;
    sampleUrl: string;
    appId: string;
    footer: string;
    buttons: readonly DraftButton[];
    /** What 1,000 deliveries may cost at most, as money of the business account; empty: without a limit. */
    maxPrice: string;
  };

/** The languages that people choose most, by the network's codes. */
export const LANGUAGES = [
  "pt_BR",
  "es",
  "en",
  "en_US",
  "es_AR",
  "es_MX",
  "es_ES",
  "pt_PT",
  "fr",
  "it",
  "de",
  "en_GB",
] as const;
const DEFAULT_LANGUAGES = { pt: "pt_BR", es: "es", en: "en_US" } as const;

export const newDraft = (language: keyof typeof DEFAULT_LANGUAGES): Draft => ({
  name: "",
  language: DEFAULT_LANGUAGES[language],
  category: "UTILITY",
  header: "none",
  headerText: "",
  sampleUrl: "",
  appId: "",
  body: "",
  examples: {},
  footer: "",
  buttons: [],
  maxPrice: "",
  ...NO_CARDS,
});

/** The draft of an existing template. The form asks for its example file again, because the network keeps it. */
export const draftOf = (template: Template): Draft => {
  const { name, language, category, components } = template;
  const part = (type: string): Loose => components.find((component) => component.type === type) ?? {};
  const format = textOf(part("HEADER")["format"]);
  const buttons = part("BUTTONS")["buttons"];
  return {
    ...newDraft("en"),
    name,
    language,
    category: category === "UNKNOWN" ? "UTILITY" : category,
    header: HEADERS.find((one) => one === format) ?? "none",
    headerText: textOf(part("HEADER")["text"]),
    body: textOf(part("BODY")["text"]),
    examples: examplesOf(components),
    footer: textOf(part("FOOTER")["text"]),
    buttons: Array.isArray(buttons) ? (buttons as Loose[]).flatMap(buttonOf) : [],
    ...cardsDraftOf(template),
  };
};

export const isMedia = (header: HeaderKind): header is "IMAGE" | "VIDEO" | "DOCUMENT" =>
  header === "IMAGE" || header === "VIDEO" || header === "DOCUMENT";

/** The network's names of the example files of a draft: of its header, and of its cards by their order. */
export type Samples = { header?: string | undefined; cards?: readonly string[] };

/** The components in the network's form. */
const componentsOf = (draft: Draft, samples: Samples): NewTemplateComponent[] => {
  const { footer } = draft;
  const buttons = buttonsFor(draft);
  return [
    ...headerOf(draft, samples.header),
    bodyFor(draft),
    ...(footer.trim() === "" ? [] : [{ type: "FOOTER" as const, text: footer.trim() }]),
    ...(buttons.length === 0 ? [] : [{ type: "BUTTONS" as const, buttons }]),
    ...carouselFor(draft, samples.cards ?? []),
  ];
};

/** What shows the product of a header. The network has its text in each language. */
const VIEW_PRODUCT = { type: "SPM", text: "View" } as const;

/** The buttons of a draft, before `others` that the form does not know. */
const buttonsFor = ({ header, buttons }: Draft, others: readonly Loose[] = []): Loose[] => {
  const kept = others.filter(({ type }) => type !== VIEW_PRODUCT.type || header === "PRODUCT");
  const isShown = header !== "PRODUCT" || kept.some(({ type }) => type === VIEW_PRODUCT.type);
  return [...(isShown ? [] : [VIEW_PRODUCT]), ...buttons.map(buttonFor), ...kept];
};

/** The value of a field for money in hundredths; undefined for an empty one, and for no money. */
const hundredthsOf = (text: string): number | undefined => {
  const money = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !(money > 0) ? undefined : Math.round(money * 100);
};

const priceOf = ({ category, maxPrice }: Draft): { maxPricePer1000?: number } => {
  const maxPricePer1000 = category === "MARKETING" ? hundredthsOf(maxPrice) : undefined;
  return maxPricePer1000 === undefined ? {} : { maxPricePer1000 };
};

const headerOf = ({ header, headerText }: Draft, handle: string | undefined): NewTemplateComponent[] => {
  if (header === "none") return [];
  if (header === "TEXT") return [{ type: "HEADER", format: "TEXT", text: headerText.trim() }];
  return [
    { type: "HEADER", format: header, ...(handle === undefined ? {} : { example: { header_handle: [handle] } }) },
  ];
};

/** The draft in the form of the preview. */
export const previewOf = (draft: Draft): TemplateComponent[] => componentsOf(draft, {});

export const templateRequest = (draft: Draft, phoneId: string, samples: Samples): CreateTemplateRequest => ({
  phoneId,
  name: draft.name.trim(),
  language: draft.language,
  category: draft.category,
  components: componentsOf(draft, samples),
  ...priceOf(draft),
});

const PARTS = ["HEADER", "BODY", "FOOTER", "BUTTONS", "CAROUSEL"] as const;
type Part = (typeof PARTS)[number];

/** The value of a part of a draft, to compare two drafts. */
const saidOf = (draft: Draft, part: Part): string => {
  const { header, headerText, sampleUrl, body, examples, footer, buttons, cardFormat, cards } = draft;
  const said = {
    HEADER: [header, headerText, sampleUrl],
    BODY: [body, examples],
    FOOTER: footer,
    BUTTONS: [buttons, header === "PRODUCT"],
    CAROUSEL: [cards.length > 0 && cardFormat, cards],
  };
  return JSON.stringify(said[part]);
};

/** The buttons of a kind that the form does not have. */
const foreignButtons = (from: Template): Loose[] => {
  const buttons = from.components.find(({ type }) => type === "BUTTONS")?.["buttons"];
  return Array.isArray(buttons) ? (buttons as Loose[]).filter((button) => buttonOf(button).length === 0) : [];
};

/**
 * The change of a template. An unchanged part is sent in its stored form. So are parts that the form does not know,
 * such as cards of products or a button that copies a code.
 */
export const changeOf = (draft: Draft, from: Template, samples: Samples): UpdateTemplateRequest => {
  const [made, opened] = [componentsOf(draft, samples), draftOf(from)];
  const stored = from.components as readonly NewTemplateComponent[];
  const partOf = (part: Part): NewTemplateComponent[] => {
    const isSame = saidOf(draft, part) === saidOf(opened, part);
    const found = (isSame ? stored : made).filter(({ type }) => type === part);
    const foreign = part === "BUTTONS" && !isSame ? foreignButtons(from) : [];
    const buttons = buttonsFor(draft, foreign);
    return foreign.length === 0 ? found : buttons.length === 0 ? [] : [{ type: part, buttons }];
  };
  const others = stored.filter(({ type }) => !PARTS.some((part) => part === type));
  return {
    ...(draft.category === from.category ? {} : { category: draft.category }),
    components: [...PARTS.flatMap(partOf), ...others],
    ...priceOf(draft),
  };
};
