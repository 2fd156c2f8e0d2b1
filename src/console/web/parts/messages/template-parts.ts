import type { TemplateComponent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { filled, OF_TEMPLATES, variableValue } from "../../../../kernel/texts/texts.ts";
import type { BubbleButton, BubbleCard, BubbleContent, BubbleHeader } from "./bubble-content.ts";

type Loose = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const partOf = (components: readonly TemplateComponent[], type: string): Loose | undefined =>
  components.find((component) => component.type === type);
const buttonsOf = (components: readonly TemplateComponent[]): Loose[] => {
  const buttons = partOf(components, "BUTTONS")?.["buttons"];
  return Array.isArray(buttons) ? (buttons as Loose[]) : [];
};

const MEDIA = { IMAGE: "image", VIDEO: "video", DOCUMENT: "document" } as const;

const BUTTON_KINDS: Readonly<Record<string, BubbleButton["kind"]>> = {
  URL: "url",
  PHONE_NUMBER: "phone",
  QUICK_REPLY: "reply",
};

const headerOf = (header: Loose | undefined): BubbleHeader | undefined => {
  const format = textOf(header?.["format"]);
  if (format === "TEXT") return { kind: "text", text: textOf(header?.["text"]) };
  if (format === "LOCATION") return { kind: "location" };
  if (format === "PRODUCT") return { kind: "product" };
  return Object.hasOwn(MEDIA, format) ? { kind: MEDIA[format as keyof typeof MEDIA] } : undefined;
};

/** A text of a template with these values; a variable without a value, or with an empty one, stays visible. */
export const filledTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  filled(OF_TEMPLATES, text, (name) => variableValue(values, name) || undefined);

/** The components of each card of a template. */
export const cardsOf = (components: readonly TemplateComponent[]): TemplateComponent[][] => {
  const cards = partOf(components, "CAROUSEL")?.["cards"];
  return Array.isArray(cards)
    ? (cards as Loose[]).map((card) =>
        Array.isArray(card["components"]) ? (card["components"] as TemplateComponent[]) : [],
      )
    : [];
};

type Values = Readonly<Record<string, string>>;

/**
 * A template as its recipient will see it. A variable without a value stays unchanged. `ofCards`: the values of its
 * cards, by their order.
 */
export const bubbleOf = (
  components: readonly TemplateComponent[],
  values: Values = {},
  ofCards: readonly Values[] = [],
): BubbleContent => ({
  ...partBubble(components, values),
  footer: textOf(partOf(components, "FOOTER")?.["text"]),
  cards: cardsOf(components).map((card, at) => partBubble(card, ofCards[at] ?? {})),
});

const partBubble = (components: readonly TemplateComponent[], values: Values): BubbleCard => ({
  header: headerOf(partOf(components, "HEADER")),
  body: filledTemplate(textOf(partOf(components, "BODY")?.["text"]), values),
  buttons: buttonsOf(components).map((button) => ({
    kind: BUTTON_KINDS[textOf(button["type"])] ?? "other",
    text: textOf(button["text"]) || textOf(button["type"]),
  })),
});

/** The examples of a template's submission, by the names of its variables. */
export const examplesOf = (components: readonly TemplateComponent[]): Record<string, string> => {
  const example = (partOf(components, "BODY")?.["example"] ?? {}) as {
    body_text?: unknown[][];
    body_text_named_params?: { param_name?: unknown; example?: unknown }[];
  };
  const named = example.body_text_named_params?.map(({ param_name, example: value }) => [
    textOf(param_name),
    textOf(value),
  ]);
  const positional = example.body_text?.[0]?.map((value, index) => [String(index + 1), textOf(value)]);
  return Object.fromEntries(named ?? positional ?? []) as Record<string, string>;
};
