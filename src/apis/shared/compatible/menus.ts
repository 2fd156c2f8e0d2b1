import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";

/** Texts above each other; an empty text counts as absent. */
export const joined = (...texts: (string | null | undefined)[]): string => texts.filter(Boolean).join("\n\n");

/** A field with a text; an empty text counts as absent. */
export const filled = <Name extends string>(name: Name, text: string | null | undefined) =>
  (text ? { [name]: text } : {}) as { [Key in Name]?: string };

/** A button as programs of others give it. */
export type GivenButton = {
  type: "reply" | "url" | "copy" | "call" | "pix";
  text: string;
  id: string;
  url?: string | null | undefined;
  code?: string | null | undefined;
};

/**
 * Reply buttons, or one button with an address or a code. `common`: what every such content has.
 *
 * @throws AppError VALIDATION for any other button
 */
export const buttonsContent = (common: { text: string }, buttons: readonly GivenButton[]) => {
  const [first] = buttons;
  if (buttons.length === 1 && first?.type === "url")
    return { type: "cta_url" as const, content: { ...common, buttonText: first.text, url: first.url ?? "" } };
  if (buttons.length === 1 && first?.type === "copy")
    return { type: "copy_code" as const, content: { ...common, buttonText: first.text, code: first.code ?? "" } };
  const other = buttons.findIndex(({ type }) => type !== "reply");
  if (other >= 0)
    throw invalid(
      issue(
        `buttons.${other}.type`,
        "enum",
        "is not supported: send up to three reply buttons, or one button of the type url or copy",
      ),
    );
  return { type: "button" as const, content: { ...common, buttons: buttons.map(({ id, text }) => ({ id, text })) } };
};
