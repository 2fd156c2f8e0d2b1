import { type Issue, issue } from "../../kernel/schema.ts";
import { actionOf, type TemplateButton, type TemplateCard, type TemplateValues } from "./template-content.ts";
import type { ButtonNeed, HeaderNeed, PartNeeds, TemplateNeeds } from "./template-needs.ts";

// The values of a send beside what its template needs.

/**
 * The values with what the template says of them: the name of a header's variable, the type of each button, the button
 * of a one-time code, and flow buttons, which the network wants named even without a value.
 */
export const completedValues = (needs: TemplateNeeds, values: TemplateValues): TemplateValues => ({
  ...withButtons(needs, withHeaderName(needs, values)),
  ...(values.cards
    ? { cards: values.cards.map((card, at) => (needs.cards[at] ? withButtons(needs.cards[at], card) : card)) }
    : {}),
});

/** The value of a named header may stand among the named variables. */
const withHeaderName = ({ header, variables, isNamed }: TemplateNeeds, values: TemplateValues): TemplateValues => {
  if (!isNamed || header?.is !== "text") return values;
  const { namedVariables = {}, headerText = ownValue(namedVariables, header.variable) } = values;
  if (headerText === undefined) return values;
  const { [header.variable]: _, ...ofBody } = namedVariables;
  return {
    ...values,
    headerText,
    headerName: values.headerName ?? header.variable,
    ...(values.namedVariables ? { namedVariables: variables.includes(header.variable) ? namedVariables : ofBody } : {}),
  };
};

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const withButtons = <Part extends TemplateCard>({ buttons }: PartNeeds, part: Part): Part => {
  const given = (part.buttons ?? []).map((button) => typed(button, buttons));
  const absent = buttons.filter(({ index }) => !given.some((button) => placeOf(button) === index));
  const all = [...given, ...absent.flatMap((need) => impliedButton(need, part))];
  return all.length === 0 ? part : { ...part, buttons: all };
};

const impliedButton = ({ action, index, isCode }: ButtonNeed, { variables = [] }: TemplateCard): TemplateButton[] => {
  if (action === "flow") return [{ subType: "flow", index }];
  const [code] = variables;
  return isCode && code ? [{ subType: "url", index, parameters: [code] }] : [];
};

const placeOf = ({ index = 0 }: TemplateButton): number => index;

const typed = (button: TemplateButton, needs: readonly ButtonNeed[]): TemplateButton => {
  if (button.subType !== undefined) return button;
  const action = needs.find(({ index }) => index === placeOf(button))?.action;
  return { ...button, subType: action ?? actionOf(button) };
};

/** The fields of completed values that do not fit the template; empty where all fit. */
export const valueIssues = (needs: TemplateNeeds, values: TemplateValues): Issue[] => [
  ...partIssues(needs, values, "content"),
  ...textHeaderIssues(needs.header, values),
  ...headerNameIssues(needs, values),
  ...endIssues(needs, values),
  ...cardIssues(needs, values),
];

const partIssues = (needs: PartNeeds, values: TemplateCard, path: string): Issue[] => [
  ...(needs.isNamed ? namedIssues(needs, values, path) : placedIssues(needs, values, path)),
  ...fileIssues(needs.header, values, `${path}.headerMedia`),
  ...productIssues(needs.header, values, `${path}.headerProduct`),
  ...buttonIssues(needs, values, path),
];

const countOf = (names: readonly string[]): string =>
  `must have ${names.length} value${names.length === 1 ? "" : "s"}: the template has ${names.map((name) => `{{${name}}}`).join(", ")}`;

const placedIssues = ({ variables }: PartNeeds, values: TemplateCard, path: string): Issue[] => {
  const { variables: given = [], namedVariables = {} } = values;
  if (Object.keys(namedVariables).length > 0)
    return [issue(`${path}.namedVariables`, "forbidden", "is not for this template: its variables have no names")];
  if (given.length === variables.length) return [];
  const rule = given.length < variables.length ? "minItems" : "maxItems";
  const why = variables.length === 0 ? "must have no values: the template has no variables" : countOf(variables);
  return [issue(`${path}.variables`, rule, why)];
};

const namedIssues = ({ variables }: PartNeeds, values: TemplateCard, path: string): Issue[] => {
  const { variables: given = [], namedVariables = {} } = values;
  if (given.length > 0)
    return [issue(`${path}.variables`, "forbidden", "is not for this template: give namedVariables")];
  return [
    ...variables
      .filter((name) => !Object.hasOwn(namedVariables, name))
      .map((name) =>
        issue(`${path}.namedVariables.${name}`, "required", "is required: the template has this variable"),
      ),
    ...Object.keys(namedVariables)
      .filter((name) => !variables.includes(name))
      .map((name) => issue(`${path}.namedVariables.${name}`, "forbidden", "is no variable of the template")),
  ];
};

const NO_HEADER = "is not for this template: its header takes no such value";

const fileIssues = (need: HeaderNeed | null, { headerMedia }: TemplateCard, path: string): Issue[] => {
  if (need?.is === "unknown") return [];
  if (need?.is !== "media") return headerMedia ? [issue(path, "forbidden", NO_HEADER)] : [];
  if (!headerMedia) return [issue(path, "required", `is required: the template's header is of the type ${need.type}`)];
  return headerMedia.type === need.type
    ? []
    : [issue(`${path}.type`, "enum", `must be ${need.type}, the type of the template's header`)];
};

const productIssues = (need: HeaderNeed | null, { headerProduct }: TemplateCard, path: string): Issue[] =>
  need?.is === "unknown"
    ? []
    : misfit(path, need?.is === "product", headerProduct, "the template's header is a product");

const textHeaderIssues = (need: HeaderNeed | null, values: TemplateValues): Issue[] => {
  if (need?.is === "unknown") return [];
  const { headerText, headerLocation } = values;
  const wanted = { headerText: need?.is === "text", headerLocation: need?.is === "location" };
  return [
    ...misfit("content.headerText", wanted.headerText, headerText, "the template's header has a variable"),
    ...misfit("content.headerLocation", wanted.headerLocation, headerLocation, "the template's header is a place"),
  ];
};

const headerNameIssues = ({ header, isNamed }: TemplateNeeds, { headerName }: TemplateValues): Issue[] => {
  if (headerName === undefined || header?.is === "unknown") return [];
  if (header?.is !== "text") return [issue("content.headerName", "forbidden", NO_HEADER)];
  if (!isNamed)
    return [issue("content.headerName", "forbidden", "is not for this template: its variables have no names")];
  return headerName === header.variable
    ? []
    : [issue("content.headerName", "enum", `must be ${header.variable}, as in the template`)];
};

const misfit = (path: string, isWanted: boolean, value: unknown, why: string): Issue[] => {
  if (isWanted === (value !== undefined)) return [];
  return [isWanted ? issue(path, "required", `is required: ${why}`) : issue(path, "forbidden", NO_HEADER)];
};

const endIssues = ({ expires }: TemplateNeeds, { expiresAt }: TemplateValues): Issue[] => {
  if (expires === (expiresAt !== undefined)) return [];
  return [
    expires
      ? issue("content.expiresAt", "required", "is required: the template's offer ends at a time")
      : issue("content.expiresAt", "forbidden", "is not for this template: it has no offer that ends"),
  ];
};

const cardIssues = ({ cards: needed }: TemplateNeeds, { cards = [] }: TemplateValues): Issue[] => {
  if (cards.length === needed.length)
    return needed.flatMap((needs, at) => partIssues(needs, cards[at] ?? {}, `content.cards.${at}`));
  const rule = cards.length < needed.length ? "minItems" : "maxItems";
  const why = needed.length === 0 ? "must be left out: the template has no cards" : `must have ${needed.length} cards`;
  return [issue("content.cards", rule, why)];
};

const buttonIssues = ({ buttons: needed }: PartNeeds, { buttons = [] }: TemplateCard, path: string): Issue[] => [
  ...buttons.flatMap((button, at) => {
    const need = needed.find(({ index }) => index === placeOf(button));
    return oneButtonIssues(need, button, `${path}.buttons.${at}`);
  }),
  ...needed
    .filter(({ isRequired, index }) => isRequired && !buttons.some((button) => placeOf(button) === index))
    .map(({ index, label }) =>
      issue(`${path}.buttons`, "required", `must have the value of the button ${index} (${label})`),
    ),
];

const oneButtonIssues = (need: ButtonNeed | undefined, button: TemplateButton, path: string): Issue[] => {
  const place = placeOf(button);
  if (!need) return [issue(`${path}.index`, "enum", `must not be ${place}: that button takes no value`)];
  if (need.action === null) return [];
  if (button.subType !== need.action)
    return [issue(`${path}.subType`, "enum", `must be ${need.action}, the type of the button ${place}`)];
  return button.parameters === undefined || button.parameters.length === 1
    ? []
    : [issue(`${path}.parameters`, "maxItems", "must have one value for this button")];
};
