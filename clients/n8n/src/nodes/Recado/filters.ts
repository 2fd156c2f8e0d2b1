import type { INodeProperties, INodePropertyOption } from "n8n-workflow";
import {
  CHAT_LEADERS,
  CHAT_STATES,
  EVENT_STATUSES,
  EVENT_TYPES,
  MESSAGE_STATUSES,
  MESSAGE_TYPES,
  TEMPLATE_STATUSES,
} from "../../generated/options.ts";

const choice = (displayName: string, name: string, options: INodePropertyOption[]): INodeProperties => ({
  displayName,
  name,
  type: "options",
  options,
  default: options[0]?.value ?? "",
});

const PHONE: INodeProperties = {
  displayName: "Phone Name or ID",
  name: "phoneId",
  type: "options",
  typeOptions: { loadOptionsMethod: "getPhones" },
  default: "",
  description: "Only entries of this phone",
};
const SINCE: INodeProperties = { displayName: "Since", name: "since", type: "dateTime", default: "" };
const UNTIL: INodeProperties = { displayName: "Until", name: "until", type: "dateTime", default: "" };
const words = (description: string): INodeProperties => ({
  displayName: "Search",
  name: "q",
  type: "string",
  default: "",
  description,
});
const NAMES = "Words of the name, e-mail and tags, or four digits of the number";
const DIRECTIONS = [
  { name: "Inbound", value: "inbound" },
  { name: "Outbound", value: "outbound" },
];

const OF_MESSAGES: INodeProperties[] = [
  choice("Direction", "direction", DIRECTIONS),
  words("Words of the text, or their beginnings"),
  SINCE,
  choice("Status", "status", MESSAGE_STATUSES),
  choice("Type", "type", MESSAGE_TYPES),
  UNTIL,
];

/** TABLE: what lists can be narrowed by. */
export const FILTERS: { resource: string; operation: string[]; fields: INodeProperties[] }[] = [
  {
    resource: "message",
    operation: ["getMany"],
    fields: [
      {
        displayName: "Contact",
        name: "contact",
        type: "string",
        default: "",
        description: "A number, a canonical key, a chat address or the ID of a contact",
      },
      ...OF_MESSAGES,
      PHONE,
    ],
  },
  { resource: "chat", operation: ["getMessages"], fields: OF_MESSAGES },
  {
    resource: "chat",
    operation: ["getMany"],
    fields: [
      choice("Leader", "leader", CHAT_LEADERS),
      PHONE,
      words(NAMES),
      choice("State", "state", CHAT_STATES),
      {
        displayName: "Unread",
        name: "unread",
        type: "boolean",
        default: true,
        description: "Whether to list only unread chats, or only read ones",
      },
    ],
  },
  { resource: "contact", operation: ["getMany"], fields: [words(NAMES)] },
  {
    resource: "template",
    operation: ["getMany"],
    fields: [
      { displayName: "Name", name: "name", type: "string", default: "" },
      PHONE,
      choice("Status", "status", TEMPLATE_STATUSES),
    ],
  },
  {
    resource: "event",
    operation: ["getMany"],
    fields: [
      choice("Include", "include", [{ name: "Data", value: "data" }]),
      PHONE,
      SINCE,
      choice("Status", "status", EVENT_STATUSES),
      choice("Type", "type", EVENT_TYPES),
      UNTIL,
    ],
  },
];
