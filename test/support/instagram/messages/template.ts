import { Type } from "@sinclair/typebox";
import { OneOf, Text, Url } from "../../../../src/kernel/schema.ts";
import type { Fields } from "../../graph/shape.ts";
import { invalid } from "../errors.ts";
import { checked } from "../shape.ts";

// The limits are Messenger's; nobody has measured Instagram's.
const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const Button = Type.Object(
  { type: OneOf(["web_url", "postback"]), title: Text(1, 20), url: optional(Url()), payload: optional(Text(1, 1000)) },
  strict,
);
const Buttons = Type.Array(Button, { minItems: 1, maxItems: 3 });
const Element = Type.Object(
  {
    title: Text(1, 80),
    subtitle: optional(Text(0, 80)),
    image_url: optional(Url()),
    default_action: optional(Type.Object({ type: OneOf(["web_url"]), url: Url() }, strict)),
    buttons: optional(Buttons),
  },
  strict,
);
const Generic = Type.Object(
  { template_type: OneOf(["generic"]), elements: Type.Array(Element, { minItems: 1, maxItems: 10 }) },
  strict,
);
const ButtonTemplate = Type.Object({ template_type: OneOf(["button"]), text: Text(1, 640), buttons: Buttons }, strict);

/** Throws 100 unless the payload is a generic or a button template. */
export const checkTemplate = (payload: Fields, param: string): void => {
  if (payload["template_type"] === "button")
    return checkButtons(checked(ButtonTemplate, payload, param).buttons, param);
  for (const { buttons = [] } of checked(Generic, payload, param).elements) checkButtons(buttons, param);
};

/** A link has an address and nothing else, a postback a payload and nothing else. */
const checkButtons = (buttons: readonly { type: string; url?: string; payload?: string }[], param: string): void => {
  for (const { type, url, payload } of buttons) {
    const isWhole =
      type === "web_url" ? url !== undefined && payload === undefined : payload !== undefined && url === undefined;
    if (!isWhole)
      throw invalid(
        `Param ${param} has a button of type ${type} that lacks its ${type === "web_url" ? "url" : "payload"} or has another's.`,
      );
  }
};
