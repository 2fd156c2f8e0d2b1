import { type Fields, fieldsOf, textOf } from "../shape.ts";
import type { Node } from "../views.ts";
import type { Component, Template } from "./model.ts";

/** A template in Graph's view, which differs in parts from the submitted one. */
export const nodeOf = (template: Template): Node => ({
  type: "MessageTemplate",
  fields: {
    id: template.id,
    name: template.name,
    status: template.status,
    category: template.shownCategory ?? template.category,
    language: template.language,
    components: template.components.map((component) => shown(component, template)),
    parameter_format: template.parameterFormat,
    sub_category: template.category === "AUTHENTICATION" ? undefined : "CUSTOM",
    previous_category: undefined,
    quality_score: { score: "UNKNOWN", date: Math.floor(template.createdAt / 1000) },
    rejected_reason: template.rejectedReason,
    message_send_ttl_seconds: template.ttlSeconds,
  },
  shown: ["name", "parameter_format", "components", "language", "status", "category", "message_send_ttl_seconds"],
});

const shown = (component: Component, template: Template): Fields => {
  if (template.category === "AUTHENTICATION") return preset(component, template);
  const example = fieldsOf(component["example"]);
  // the handle is gone: Meta answers an address of its own, which no later edit accepts
  return example["header_handle"] === undefined
    ? component
    : {
        ...component,
        example: { ...example, header_handle: ["https://scontent.whatsapp.net/v/t61.29466-34/sample?ccb=1-7"] },
      };
};

/** Meta's own words in an authentication template, and the link that its OTP button becomes. */
const preset = (component: Fields, { components }: Template): Fields => {
  if (component["type"] === "BODY")
    return { ...component, text: "*{{1}}* is your verification code.", example: { body_text: [["123456"]] } };
  if (component["type"] === "FOOTER")
    return { ...component, text: `This code expires in ${textOf(component["code_expiration_minutes"])} minutes.` };
  const [button] = Array.isArray(component["buttons"]) ? component["buttons"].map(fieldsOf) : [];
  if (button?.["type"] !== "OTP") return component;
  const minutes = components.find((one) => one.type === "FOOTER")?.["code_expiration_minutes"];
  const link = `https://www.whatsapp.com/otp/code/?otp_type=${textOf(button["otp_type"])}${minutes === undefined ? "" : `&code_expiration_minutes=${textOf(minutes)}`}&code=otp`;
  return {
    ...component,
    buttons: [{ type: "URL", text: button["text"] ?? "Copy code", url: `${link}{{1}}`, example: [`${link}123456`] }],
  };
};
