import type { INodeProperties, INodePropertyOption } from "n8n-workflow";
import { MESSAGE_TYPES } from "../../generated/options.ts";
import { TYPES_WITH_FIELDS } from "./content.ts";
import { FILTERS } from "./filters.ts";
import { OPERATIONS } from "./operations.ts";

type Shown = Record<string, readonly unknown[]>;

/** The fields for some resources, operations or types alone. */
const shownFor = (show: Shown, fields: INodeProperties[]): INodeProperties[] =>
  fields.map((field) => ({ ...field, displayOptions: { show } }));

const RESOURCES: INodePropertyOption[] = [
  { name: "Chat", value: "chat" },
  { name: "Contact", value: "contact" },
  { name: "Event", value: "event" },
  { name: "Message", value: "message" },
  { name: "Phone", value: "phone" },
  { name: "Template", value: "template" },
];

/** TABLE: how the operations read, by resource. */
const WORDS: Readonly<Record<string, Readonly<Record<string, [name: string, action: string]>>>> = {
  message: {
    send: ["Send", "Send a message"],
    reply: ["Reply in Chat", "Reply in a chat"],
    react: ["React", "React to a message"],
    markRead: ["Mark as Read", "Mark a message as read"],
    get: ["Get", "Get a message that was sent"],
    getMany: ["Get Many", "Get many messages"],
  },
  chat: {
    get: ["Get", "Get a chat"],
    getMany: ["Get Many", "Get many chats"],
    getMessages: ["Get Messages", "Get the messages of a chat"],
    handOver: ["Hand Over", "Hand a chat over"],
  },
  phone: {
    get: ["Get", "Get a phone"],
    getMany: ["Get Many", "Get many phones"],
    getQuota: ["Get Quota", "Get what a phone may still send"],
  },
  contact: { get: ["Get", "Get a contact"], getMany: ["Get Many", "Get many contacts"] },
  template: { get: ["Get", "Get a template"], getMany: ["Get Many", "Get many templates"] },
  event: {
    get: ["Get", "Get an event"],
    getMany: ["Get Many", "Get many events"],
    replay: ["Replay", "Send an event to its webhooks again"],
  },
};

const operationsOf = ([resource, operations]: [string, (typeof WORDS)[string]]): INodeProperties => ({
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options: Object.entries(operations).map(([value, [name, action]]) => ({ name, value, action })),
  default: Object.keys(operations)[0] ?? "",
});

const PHONE: INodeProperties = {
  displayName: "Phone Name or ID",
  name: "phoneId",
  type: "options",
  typeOptions: { loadOptionsMethod: "getPhones" },
  default: "",
  required: true,
  description:
    'Choose from the list, or give an ID by an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const idField = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: "string",
  default: "",
  required: true,
  description,
});

const text = (displayName: string, name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
  displayName,
  name,
  type: "string",
  default: "",
  ...more,
});
const several = (displayName: string, name: string, description: string): INodeProperties =>
  text(displayName, name, { default: [], typeOptions: { multipleValues: true }, required: true, description });

const FILE_TYPES = ["image", "video", "audio", "document", "sticker"];
const MULTILINE = { typeOptions: { rows: 4 } };

/** TABLE: the fields of a message's content, and the types that have them. */
const CONTENT_FIELDS: [types: readonly string[], field: INodeProperties][] = [
  [["text", "button"], text("Text", "text", { ...MULTILINE, required: true })],
  [
    FILE_TYPES,
    text("File URL", "mediaUrl", {
      required: true,
      description: "A public HTTPS address, from which the file is taken",
    }),
  ],
  [["image", "video", "document"], text("Caption", "caption")],
  [["document"], text("File Name", "filename", { description: "The name that people see" })],
  [["audio"], { displayName: "Voice Note", name: "ptt", type: "boolean", default: false }],
  [["location"], { displayName: "Latitude", name: "latitude", type: "number", default: 0, ...precise(90) }],
  [["location"], { displayName: "Longitude", name: "longitude", type: "number", default: 0, ...precise(180) }],
  [["location"], text("Place Name", "locationName")],
  [["location"], text("Address", "address")],
  [
    ["template"],
    {
      displayName: "Template Name or ID",
      name: "template",
      type: "options",
      typeOptions: { loadOptionsMethod: "getTemplates", loadOptionsDependsOn: ["phoneId"] },
      default: "",
      required: true,
      description: "Choose from the list, or give name:language by an expression",
    },
  ],
  [
    ["template"],
    { ...several("Variables", "variables", "The values of {{1}}, {{2}} and so on, in order"), required: false },
  ],
  [["poll"], text("Question", "question", { required: true })],
  [["poll"], several("Choices", "choices", "2 to 12, all different")],
  [["contact"], text("Contact Name", "contactName", { required: true })],
  [["contact"], text("Contact Phone", "contactPhone", { required: true })],
  [["button"], several("Buttons", "buttons", "1 to 3 texts; each comes back as the ID of the answer")],
];

function precise(bound: number): Pick<INodeProperties, "typeOptions"> {
  return { typeOptions: { minValue: -bound, maxValue: bound, numberPrecision: 6 } };
}

const SENDS = { resource: ["message"], operation: ["send", "reply"] };

const contentFields = (): INodeProperties[] => {
  const others = MESSAGE_TYPES.map(({ value }) => String(value)).filter((type) => !TYPES_WITH_FIELDS.includes(type));
  const content: INodeProperties = {
    displayName: "Content",
    name: "content",
    type: "json",
    default: "{}",
    required: true,
    description: "The content as the description of the API has it for this type",
  };
  return [
    ...shownFor(SENDS, [
      { displayName: "Message Type", name: "type", type: "options", options: MESSAGE_TYPES, default: "text" },
    ]),
    ...CONTENT_FIELDS.flatMap(([types, field]) => shownFor({ ...SENDS, type: types }, [field])),
    ...shownFor({ ...SENDS, type: others }, [content]),
    ...shownFor(SENDS, [
      {
        displayName: "Options",
        name: "sendOptions",
        type: "collection",
        default: {},
        options: [
          text("Quoted Message ID", "quotedMessageId", { description: "The messageId that this message replies to" }),
          {
            displayName: "Dry Run",
            name: "dryRun",
            type: "boolean",
            default: false,
            description: "Whether everything is checked and nothing is sent",
          },
        ],
      },
    ]),
  ];
};

const HAND_OVER: INodeProperties[] = [
  {
    displayName: "Hand Over To",
    name: "handTo",
    type: "options",
    options: [
      { name: "App", value: "app" },
      { name: "Agent", value: "agent" },
      { name: "Person", value: "person" },
      { name: "Nobody", value: "nobody" },
    ],
    default: "person",
  },
  {
    displayName: "Options",
    name: "handOverOptions",
    type: "collection",
    default: {},
    options: [
      text("Reason", "reason", { description: "For a person: why the agent hands off" }),
      text("Role", "role", { description: "For an app: the role that shall lead the chat" }),
      text("Metadata", "metadata", { description: "A text for the app that leads the chat next" }),
    ],
  },
];

const LIMITS: INodeProperties[] = [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    default: 50,
    typeOptions: { minValue: 1 },
    description: "Max number of results to return",
  },
];

/** What can be limited: every list. */
const limitFields = (): INodeProperties[] =>
  Object.entries(OPERATIONS).flatMap(([resource, operations]) => {
    const operation = Object.keys(operations).filter((name) => operations[name]?.isList);
    const [all, limit] = LIMITS.map((field) => shownFor({ resource: [resource], operation }, [field]));
    const shown = shownFor({ resource: [resource], operation, returnAll: [false] }, limit ?? []);
    return [...(all ?? []), ...shown];
  });

const filterFields = (): INodeProperties[] =>
  FILTERS.map(({ resource, operation, fields }) => ({
    displayName: "Filters",
    name: "filters",
    type: "collection",
    default: {},
    displayOptions: { show: { resource: [resource], operation } },
    options: fields,
  }));

/** All fields of the node, in the order in which people see them. */
export const FIELDS: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: RESOURCES,
    default: "message",
  },
  ...Object.entries(WORDS).map(operationsOf),
  ...shownFor({ resource: ["message"], operation: ["send", "react", "markRead"] }, [PHONE]),
  ...shownFor({ resource: ["phone"], operation: ["get", "getQuota"] }, [PHONE]),
  ...shownFor({ resource: ["message"], operation: ["send"] }, [
    idField("To", "to", "A number with country code, a chat address, a user ID or a canonical key"),
  ]),
  ...shownFor({ resource: ["message"], operation: ["reply"] }, [idField("Chat ID", "chatId", "The ID of the chat")]),
  ...shownFor({ resource: ["chat"], operation: ["get", "getMessages", "handOver"] }, [
    idField("Chat ID", "chatId", "The ID of the chat"),
  ]),
  ...shownFor({ resource: ["message"], operation: ["react", "markRead", "get"] }, [
    idField("Message ID", "messageId", "The messageId of the message"),
  ]),
  ...shownFor({ resource: ["message"], operation: ["react"] }, [
    text("Emoji", "emoji", { description: "An empty text removes the reaction" }),
  ]),
  ...shownFor({ resource: ["contact"], operation: ["get"] }, [idField("Contact ID", "contactId", "Its ID")]),
  ...shownFor({ resource: ["template"], operation: ["get"] }, [idField("Template ID", "templateId", "Its ID")]),
  ...shownFor({ resource: ["event"], operation: ["get", "replay"] }, [idField("Event ID", "eventId", "Its ID")]),
  ...contentFields(),
  ...shownFor({ resource: ["chat"], operation: ["handOver"] }, HAND_OVER),
  ...limitFields(),
  ...filterFields(),
];
