import type { Template } from "../../../../../../clients/typescript/src/generated/gateway.ts";

/** The text of a component of a template; empty without a text. */
const textOf = (template: Pick<Template, "components">, type: string): string => {
  const found = template.components.find((component) => component.type.toUpperCase() === type);
  const text = found?.["text"];
  return typeof text === "string" ? text : "";
};

/** The body of a template, with its placeholders. */
export const bodyOf = (template: Pick<Template, "components">): string => textOf(template, "BODY");

/** Head, body and foot of a template in the form of the phone. */
export const partsOf = (template: Pick<Template, "components">): { head: string; body: string; foot: string } => ({
  head: textOf(template, "HEADER"),
  body: bodyOf(template),
  foot: textOf(template, "FOOTER"),
});
