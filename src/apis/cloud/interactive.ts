import { AppError } from "../../kernel/errors.ts";
import { type Json, recordOf } from "../../kernel/texts/json.ts";
import {
  given,
  objectIn,
  optionalField,
  requiredList,
  requiredObject,
  requiredText,
  textIn,
} from "../shared/loose-fields.ts";
import type { CoreContent } from "./contents.ts";

/** A message with something to choose or to press: `{"type":"button","body":{…},"action":{…}}`. */
export const interactiveContent = (interactive: Json): CoreContent => {
  const type = requiredText(interactive, "type", "interactive.type");
  const frame = frameOf(interactive);
  const action = requiredObject(interactive, "action", "interactive.action");
  const parameters = recordOf(optionalField(action, "parameters"));
  switch (type) {
    case "button":
      return { type: "button", content: { ...frame, ...headerOf(interactive), buttons: buttonsOf(action) } };
    case "list":
      return { type: "list", content: { ...frame, ...headerOf(interactive), ...listOf(action) } };
    case "cta_url":
      return {
        type: "cta_url",
        content: { ...frame, ...headerOf(interactive), buttonText: parameters["display_text"], url: parameters["url"] },
      };
    case "flow":
      return { type: "flow", content: { ...frame, ...flowOf(parameters) } };
    case "location_request_message":
      return { type: "location_request", content: frame };
    case "address_message":
      return { type: "address_message", content: { ...frame, ...addressOf(parameters) } };
    case "request_contact_info":
      return { type: "phone_number_request", content: frame };
    default:
      throw new AppError("CONTENT_UNSUPPORTED", {
        message: `A phone does not send interactive messages of the type ${type}.`,
      });
  }
};

const frameOf = (interactive: Json): Json => {
  const footer = objectIn(interactive, "footer", "interactive.footer");
  return given({
    text: requiredText(requiredObject(interactive, "body", "interactive.body"), "text", "interactive.body.text"),
    footer: footer && textIn(footer, "text", "interactive.footer.text"),
  });
};

/** The core takes the file of a header only by its address, and refuses a header without one. */
const headerOf = (interactive: Json): Json => {
  const header = objectIn(interactive, "header", "interactive.header");
  if (!header) return {};
  const type = requiredText(header, "type", "interactive.header.type");
  const file = recordOf(optionalField(header, type));
  return {
    header: given({
      type,
      text: type === "text" ? header["text"] : undefined,
      mediaUrl: file["link"],
      filename: file["filename"],
    }),
  };
};

const buttonsOf = (action: Json): Json[] =>
  requiredList(action, "buttons", "interactive.action.buttons").map((button) => {
    const { id, title } = recordOf(recordOf(button)["reply"]);
    return { id, text: title };
  });

/** A single section needs no title here; in the core it needs one. */
const listOf = (action: Json): Json => ({
  buttonText: action["button"],
  sections: requiredList(action, "sections", "interactive.action.sections").map((section) => {
    const { title, rows } = recordOf(section);
    return { title: title || action["button"], rows };
  }),
});

const flowOf = (parameters: Json): Json =>
  given({
    flowId: parameters["flow_id"],
    flowCta: parameters["flow_cta"],
    flowToken: parameters["flow_token"],
    flowMode: parameters["mode"],
    flowAction: parameters["flow_action"],
    flowActionPayload: optionalField(parameters, "flow_action_payload"),
  });

/** The network's names for the parts of an address are those of India; the core's names differ. */
const PART = {
  in_pin_code: "postalCode",
  phone_number: "phoneNumber",
  house_number: "houseNumber",
  floor_number: "floorNumber",
  tower_number: "towerNumber",
  building_name: "buildingName",
  landmark_area: "landmarkArea",
} as const;

const named = (parts: unknown): Json =>
  Object.fromEntries(
    Object.entries(recordOf(parts)).map(([name, value]) => [PART[name as keyof typeof PART] ?? name, value]),
  );

const addressOf = (parameters: Json): Json => {
  const saved = optionalField(parameters, "saved_addresses");
  return given({
    country: parameters["country"],
    values: parameters["values"] === undefined ? undefined : named(optionalField(parameters, "values")),
    savedAddresses: Array.isArray(saved)
      ? saved.map((one) => ({ id: recordOf(one)["id"], value: named(recordOf(one)["value"]) }))
      : undefined,
  });
};
