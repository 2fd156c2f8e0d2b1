import { DEFAULT_LANGUAGE } from "../../../src/contract/content/templates.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import { headerFile } from "./files.ts";

type Template = Extract<SendOrder, { type: "template" }>["content"];
type TemplateButton = NonNullable<Template["buttons"]>[number];

/** The object of a template send: the values for its header, its body and its buttons, each only if it is given. */
export const templateOf = ({
  name,
  language = DEFAULT_LANGUAGE,
  headerMedia,
  headerText,
  variables = [],
  namedVariables = {},
  buttons = [],
}: Template): Json => {
  const values: Json[] = [
    ...variables.map((text) => ({ type: "text", text })),
    ...Object.entries(namedVariables).map(([name, text]) => ({ type: "text", parameter_name: name, text })),
  ];
  const components: Json[] = [
    ...(headerMedia
      ? [{ type: "header", parameters: [headerFile(headerMedia.type, headerMedia.url, headerMedia.filename)] }]
      : []),
    ...(headerText === undefined ? [] : [{ type: "header", parameters: [{ type: "text", text: headerText }] }]),
    ...(values.length > 0 ? [{ type: "body", parameters: values }] : []),
    ...buttons.map(buttonOf),
  ];
  return {
    name,
    language: { code: language, policy: "deterministic" },
    ...(components.length > 0 ? { components } : {}),
  };
};

/** Customers send strings; the button decides which parameter they become. Values pass through unchanged. */
const buttonOf = ({ subType = "url", index = 0, parameters }: TemplateButton): Json => ({
  type: "button",
  sub_type: subType,
  index: String(index),
  parameters: parameters.map((value) => PARAMETER[subType](value)),
});

const PARAMETER = {
  url: (text: string): Json => ({ type: "text", text }),
  copy_code: (code: string): Json => ({ type: "coupon_code", coupon_code: code }),
  quick_reply: (payload: string): Json => ({ type: "payload", payload }),
};
