// The requirements of programs outside npm for a webhook, from their public sources (November 2026). Each gives the
// faults of a body; an empty list for a body that the program takes.

type Check = (value: any) => string[];

const text =
  (name: string): Check =>
  (value) =>
    typeof value?.[name] === "string" ? [] : [`${name} is no text`];
const number =
  (name: string): Check =>
  (value) =>
    typeof value?.[name] === "number" ? [] : [`${name} is no number`];
const maybe =
  (name: string, check: Check): Check =>
  (value) =>
    value?.[name] === undefined ? [] : within(name, check)(value);
const within =
  (name: string, check: Check): Check =>
  (value) =>
    check(value?.[name]).map((fault) => `${name}: ${fault}`);
const each =
  (name: string, check: Check): Check =>
  (value) =>
    Array.isArray(value?.[name]) ? value[name].flatMap(check) : [`${name} is no list`];
const all =
  (...checks: Check[]): Check =>
  (value) =>
    checks.flatMap((check) => check(value));

const file = all(text("id"), text("mime_type"));
const choice = all(text("id"), text("title"));

/**
 * TABLE: the types that Typebot knows, and the fields that it needs of each. Any other type makes it refuse the whole
 * body.
 */
const TYPEBOT_TYPES: Readonly<Record<string, Check>> = {
  text: within("text", text("body")),
  button: within("button", all(text("text"), text("payload"))),
  interactive: within("interactive", (value) => {
    if (value?.type === "button_reply") return within("button_reply", choice)(value);
    return value?.type === "list_reply" ? within("list_reply", choice)(value) : [`type ${value?.type} is not known`];
  }),
  image: within("image", file),
  video: within("video", file),
  audio: within("audio", file),
  document: within("document", file),
  sticker: within("sticker", file),
  location: within("location", all(number("latitude"), number("longitude"))),
  reaction: within("reaction", (value) => (typeof value === "object" ? [] : ["is missing"])),
  contacts: each("contacts", maybe("name", text("formatted_name"))),
  unsupported: () => [],
  system: within("system", text("body")),
};

const typebotMessage: Check = (message) => {
  const check = TYPEBOT_TYPES[message?.type];
  return all(
    text("from"),
    text("timestamp"),
  )(message).concat(check ? check(message) : [`type ${message?.type} is not known`]);
};
const metaError = all(number("code"), text("title"), within("error_data", text("details")));
const typebotStatus = all(
  text("recipient_id"),
  maybe("errors", (errors) => errors.flatMap(metaError)),
);

/** Typebot answers 400 to a body with a fault. */
export const typebotFaults: Check = each(
  "entry",
  each(
    "changes",
    within(
      "value",
      all(
        maybe("metadata", text("phone_number_id")),
        maybe("contacts", (contacts) => contacts.flatMap(within("profile", text("name")))),
        maybe("messages", (messages) => messages.flatMap(typebotMessage)),
        maybe("statuses", (statuses) => statuses.flatMap(typebotStatus)),
      ),
    ),
  ),
);

const DIGITS = /^\d{1,15}$/;
const CHATWOOT_STATUSES = ["sent", "delivered", "read", "failed"];
/** The types of which it makes no message. */
const CHATWOOT_SKIPS = ["reaction", "ephemeral", "unsupported"];
const CHATWOOT_FILES = ["image", "audio", "voice", "video", "document", "sticker"];
const CHATWOOT_OTHERS = ["text", "button", "interactive", "location", "contacts"];

/**
 * Chatwoot answers 200 to all, and drops or fails at a body with a fault. It reads only the first item of each list.
 */
export const chatwootFaults =
  (inbox: { number: string; phoneNumberId: string }): Check =>
  (body) => {
    if (body?.object !== "whatsapp_business_account") return ["object is another"];
    const value = body.entry?.[0]?.changes?.[0]?.value;
    if (value?.metadata?.display_phone_number !== inbox.number) return ["the inbox is not found by its number"];
    if (value.metadata.phone_number_id !== inbox.phoneNumberId) return ["the phone number id is another"];
    return [
      ...(value.messages ? chatwootMessage(value) : []),
      ...(value.statuses && !CHATWOOT_STATUSES.includes(value.statuses[0]?.status) ? ["the status is not known"] : []),
    ];
  };

const chatwootMessage: Check = ({ contacts, messages: [message] }) => {
  if (CHATWOOT_SKIPS.includes(message.type)) return [];
  const [contact] = contacts ?? [];
  return [
    ...text("name")(contact?.profile),
    ...(DIGITS.test(contact?.wa_id) ? [] : ["wa_id is no number"]),
    ...(DIGITS.test(message.from) ? [] : ["from is no number"]),
    ...(message.errors === undefined ? [] : ["a message with errors makes no message"]),
    ...([...CHATWOOT_FILES, ...CHATWOOT_OTHERS].includes(message.type) ? [] : [`type ${message.type} is no file`]),
    ...(CHATWOOT_FILES.includes(message.type) ? text("id")(message[message.type]) : []),
  ];
};

/** pywa refuses a body with a fault: it reads one item, and needs a complete price. */
export const pywaFaults: Check = (body) => {
  const value = body?.entry?.[0]?.changes?.[0]?.value;
  const [status] = value?.statuses ?? [];
  return [
    ...(status?.pricing === undefined ? [] : all(text("pricing_model"), text("category"))(status.pricing)),
    ...(value?.messages ? all(text("id"), text("timestamp"), text("type"))(value.messages[0]) : []),
  ];
};
