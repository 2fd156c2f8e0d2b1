import type { TemplateValues } from "../../contract/content/template-content.ts";
import { type ButtonAction, needsOf, type TemplateNeeds } from "../../contract/content/template-needs.ts";
import { getChannel } from "../../core/channels/channel.ts";
import { templateByName } from "../../core/messaging/templates/own-templates.ts";
import { type Json, listOf, recordOf } from "../../kernel/texts/json.ts";
import { filled, OF_TEMPLATES } from "../../kernel/texts/texts.ts";
import type { Principal } from "./auth.ts";
import type { CoreContent } from "./contents.ts";
import type { CloudEnv } from "./env.ts";
import { Refused } from "./errors.ts";

/** Why a phone whose network has no templates does not send them. */
export const NO_TEMPLATES =
  "The network of this phone has no templates. Its owner can choose in Recado that templates are kept here and sent as " +
  "their text.";

/** Whether the network of the token's phone reviews templates itself. */
export const hasTemplates = async (env: CloudEnv, { tenantId, channelId }: Principal): Promise<boolean> => {
  const { kind } = await getChannel(env, { tenantId }, channelId);
  return env.registry.declared(kind)?.capabilities.templates === true;
};

/**
 * The message itself, or the text of its template if the phone's network has no templates and its owner has chosen to
 * send them as text.
 * @throws AppError TEMPLATE_NOT_APPROVED for a template that the phone does not have; Refused for missing values, and
 *   if the owner has not chosen it
 */
export const textInPlaceOfTemplate = async (
  env: CloudEnv,
  principal: Principal,
  message: CoreContent,
): Promise<CoreContent> => {
  if (message.type !== "template" || (await hasTemplates(env, principal))) return message;
  if (!principal.number.templatesAsText) throw new Refused("template", NO_TEMPLATES);
  const { tenantId, channelId } = principal;
  const values = message.content as TemplateValues & { language: string }; // as `templateContent` made it
  const { components } = await templateByName(env, { tenantId }, { ...values, channelId });
  requireShown(needsOf(components));
  return rendered(components.map(recordOf), values);
};

/** TABLE: the buttons that a text cannot stand for. */
const UNSHOWN: ReadonlySet<ButtonAction | null> = new Set([
  "flow",
  "catalog",
  "mpm",
  "order_details",
  "voice_call",
] as const);

/** @throws Refused for a template with a part that no text can stand for */
const requireShown = ({ header, buttons, cards, expires }: TemplateNeeds): void => {
  const [button] = buttons.filter(({ action }) => UNSHOWN.has(action));
  const part =
    (cards.length > 0 && "its carousel") ||
    (header?.is === "product" && "its product") ||
    (expires && "the end of its offer") ||
    (button && `its button ${button.index} (${button.label})`);
  if (part) throw new Refused("type", `The network of this phone does not show a part of the template: ${part}.`);
};

const partOf = (components: readonly Json[], type: string): Json =>
  components.find((one) => String(one["type"]).toUpperCase() === type) ?? {};
const textOf = (part: Json): string => (typeof part["text"] === "string" ? part["text"] : "");

/**
 * The maximum that the values may add to a part of a template: a longer text cannot be sent, and would fill the memory.
 */
const MOST_ADDED = 16_384;

/** A text with the result of `valueOf` for each variable. @throws Refused for far more than a message may have */
const replaced = (text: string, valueOf: (name: string) => string): string => {
  let added = 0;
  return filled(OF_TEMPLATES, text, (name) => {
    const value = valueOf(name);
    added += value.length;
    if (added > MOST_ADDED) throw new Refused("templateTooLong", "The template's text is too long with these values.");
    return value;
  });
};

/** A text with its values, by their places or by their names. */
const withValues = (text: string, { variables = [], namedVariables = {} }: TemplateValues): string =>
  replaced(text, (name) => {
    const value = /^\d+$/.test(name) ? variables[Number(name) - 1] : undefined;
    const given = value ?? (Object.hasOwn(namedVariables, name) ? namedVariables[name] : undefined);
    if (given === undefined) throw new Refused("templateParameters", `The template needs a value for {{${name}}}.`);
    return given;
  });

const rendered = (components: readonly Json[], values: TemplateValues): CoreContent => {
  const body = withValues(textOf(partOf(components, "BODY")), values);
  if (body === "") throw new Refused("template", "The template has no text of its own that could be sent.");
  const header = partOf(components, "HEADER");
  const { headerMedia, headerText } = values;
  const shownHeader =
    headerText === undefined ? withValues(textOf(header), { ...values, variables: [] }) : headed(header, headerText);
  const footer = textOf(partOf(components, "FOOTER"));
  const buttons = listOf(partOf(components, "BUTTONS")["buttons"]).map(recordOf);
  const lines = buttons.flatMap((button, at) => lineOf(button, at, values));
  const text = [shownHeader, placeIn(values), body, footer, lines.join("\n")].filter(Boolean).join("\n\n");
  if (headerMedia === undefined) return { type: "text", content: { text } };
  const { type, url, mediaHandle, filename } = headerMedia;
  const source = mediaHandle === undefined ? { mediaUrl: url } : { mediaHandle };
  return { type, content: { ...source, caption: text, ...(filename === undefined ? {} : { filename }) } };
};

const headed = (header: Json, value: string): string => replaced(textOf(header), () => value);

/** A place in words, with an address that maps open. */
const placeIn = ({ headerLocation: place }: TemplateValues): string => {
  if (!place) return "";
  const link = `https://maps.google.com/?q=${place.latitude},${place.longitude}`;
  return [place.name, place.address, link].filter(Boolean).join("\n");
};

/** The line of a button in a text. A quick reply is only its text, which a person may write. */
const lineOf = (button: Json, at: number, { buttons = [] }: TemplateValues): string[] => {
  const label = textOf(button);
  const [value = ""] = buttons.find(({ index = 0 }) => index === at)?.parameters ?? [];
  switch (String(button["type"]).toUpperCase()) {
    case "URL":
      return [`${label}: ${replaced(String(button["url"]), () => value)}`];
    case "PHONE_NUMBER":
      return [`${label}: ${String(button["phone_number"])}`];
    case "COPY_CODE":
    case "OTP":
      return value === "" ? [] : [value];
    case "QUICK_REPLY":
      return [`- ${label}`];
    default:
      return [];
  }
};
