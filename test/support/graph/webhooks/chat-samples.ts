import type { Fields } from "../shape.ts";

/** The owner of the webhooks: ids and number of the phone, and a user's number. */
export type SampleOwner = {
  businessAccountId: string;
  phoneNumberId: string;
  displayPhoneNumber: string;
  user: string;
};

/** The time of all events, in seconds. */
export const AT = 1_739_321_024;
const BSUID = "US.13491208655302741918";
const WAMID = "wamid.HBgLMTY0NjcwNDM1OTUVAgARGBIyNDlBOEI5QUQ4NDc0N0FCNjMA";
const GROUP = "Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD";
const CALL = "wacid.HBgLMTIxODU1NTI4MjgVAgARGCAyODRQIAFRoA";

export const digitsOf = ({ displayPhoneNumber }: SampleOwner): string => displayPhoneNumber.replace(/\D/g, "");

/** Values of one field, each under `<field> <label>`; the label is the event by default. */
export const named = (
  field: string,
  values: readonly Fields[],
  label: (value: Fields) => string = ({ event }) => String(event),
): Record<string, Fields> => Object.fromEntries(values.map((value) => [`${field} ${label(value)}`, value]));

/** The values about users, chats, groups and calls of one number. Each names the number. */
export const chatValues = (owner: SampleOwner): Record<string, Fields> => {
  const head = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: digitsOf(owner), phone_number_id: owner.phoneNumberId },
  };
  const values = {
    ...userValues(owner),
    ...historyValues(owner),
    ...echoValues(owner),
    ...groupValues(owner),
    ...callValues(owner),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { ...head, ...value }]));
};

const userValues = ({ user }: SampleOwner): Record<string, Fields> => {
  const contacts = [{ profile: { name: "Sheena Nelson" }, wa_id: user, user_id: BSUID }];
  const preference = { wa_id: user, user_id: BSUID, category: "marketing_messages", timestamp: AT };
  const update = {
    wa_id: user,
    detail: "User id for Sheena Nelson has been updated.",
    user_id: { previous: BSUID, current: "US.24817305912873645029" },
    timestamp: AT,
  };
  const chosen = (value: string): Fields => ({
    contacts,
    user_preferences: [{ ...preference, value, detail: `User requested to ${value} marketing messages` }],
  });
  return {
    "user_preferences stop": chosen("stop"),
    "user_preferences resume": chosen("resume"),
    "user_preferences signup": chosen("signup"),
    user_id_update: { contacts, user_id_update: [update] },
  };
};

const historyValues = (owner: SampleOwner): Record<string, Fields> => {
  const { user } = owner;
  const chatted = { id: WAMID, timestamp: String(AT) };
  const sent = {
    ...chatted,
    from: digitsOf(owner),
    to: user,
    type: "text",
    text: { body: "Here's the info you requested!" },
    history_context: { status: "READ" },
  };
  const placeholder = {
    ...chatted,
    id: `${WAMID}2`,
    from: user,
    type: "media_placeholder",
    history_context: { status: "PLAYED" },
  };
  const image = {
    caption: "Black Prince echeveria",
    mime_type: "image/jpeg",
    sha256: "3f9d94d399fa61c191bc1d4ca71375a035cd9b9f5b1128e1f0963a415c16b0cc",
    id: "24230790383178626",
  };
  const title = "History sync is turned off by the business from the WhatsApp Business App";
  const declined = {
    code: 2_593_109,
    title,
    message: title,
    error_data: { details: "History sharing is turned off by the business" },
  };
  const contact = { type: "contact", metadata: { timestamp: String(AT) } };
  return {
    "history (chunk)": {
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 55 },
          threads: [{ id: user, messages: [sent, placeholder] }],
        },
      ],
    },
    "history (media)": { messages: [{ ...chatted, id: `${WAMID}2`, from: user, type: "image", image }] },
    "history (declined)": { history: [{ errors: [declined] }] },
    "smb_app_state_sync add": {
      state_sync: [
        { ...contact, action: "add", contact: { full_name: "Pablo Morales", first_name: "Pablo", phone_number: user } },
      ],
    },
    "smb_app_state_sync remove": { state_sync: [{ ...contact, action: "remove", contact: { phone_number: user } }] },
  };
};

const echoValues = (owner: SampleOwner): Record<string, Fields> => {
  const echo = { from: digitsOf(owner), to: owner.user, to_user_id: BSUID, id: `${WAMID}3`, timestamp: String(AT) };
  const edited = { original_message_id: WAMID, message: { type: "text", text: { body: "corrected" } } };
  const echoes = [
    { ...echo, type: "text", text: { body: "written in the app" } },
    { ...echo, type: "edit", edit: edited },
    { ...echo, type: "revoke", revoke: { original_message_id: WAMID } },
  ];
  return Object.fromEntries(echoes.map((one) => [`smb_message_echoes ${one.type}`, { message_echoes: [one] }]));
};

const groupValues = ({ user }: SampleOwner): Record<string, Fields> => {
  const group = { timestamp: String(AT), group_id: GROUP, request_id: "dh1NtZQ7HZ" };
  const person = { wa_id: user, user_id: BSUID };
  const created = {
    subject: "Book club",
    description: "Thursdays",
    invite_link: "https://chat.whatsapp.com/LINK",
    join_approval_mode: "auto_approve",
  };
  const failed = {
    errors: [
      {
        code: 131_204,
        message: "Too many participants",
        title: "Too many participants",
        error_data: { details: "The group is full." },
      },
    ],
  };
  const lists: Record<string, Fields[]> = {
    group_lifecycle_update: [{ type: "group_create", ...created }, { type: "group_delete" }],
    group_participants_update: [
      { type: "group_participants_add", reason: "invite_link", added_participants: [person] },
      {
        type: "group_participants_remove",
        initiated_by: "business",
        removed_participants: [{ input: user }],
        failed_participants: [{ input: "1", ...failed }],
      },
      { type: "group_join_request_created", join_request_id: "JR1", ...person },
      { type: "group_join_request_revoked", join_request_id: "JR1", ...person },
    ],
    group_settings_update: [
      { type: "group_settings_update", group_subject: { text: "Film club", update_successful: true } },
    ],
    group_status_update: [{ type: "group_suspend" }, { type: "group_suspend_cleared" }],
  };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, all]) =>
      all.map((one) => [`${field} ${String(one["type"])}`, { groups: [{ ...group, ...one }] }]),
    ),
  );
};

const callValues = (owner: SampleOwner): Record<string, Fields> => {
  const call = { id: CALL, from: owner.user, to: digitsOf(owner), timestamp: String(AT), direction: "USER_INITIATED" };
  const times = { status: "COMPLETED", start_time: String(AT), end_time: String(AT + 8), duration: "8" };
  const status = {
    id: CALL,
    type: "call",
    status: "RINGING",
    timestamp: String(AT),
    recipient_id: owner.user,
    recipient_user_id: BSUID,
  };
  return {
    "calls connect": {
      contacts: [{ profile: { name: "Sheena Nelson" }, wa_id: owner.user }],
      calls: [{ ...call, event: "connect", session: { sdp_type: "offer", sdp: "v=0\r\n" } }],
    },
    "calls terminate": { calls: [{ ...call, event: "terminate", ...times }] },
    "calls (missed)": {
      calls: [{ ...call, event: "terminate", status: "FAILED" }],
      errors: [{ code: 138_021, title: "No media", message: "No media" }],
    },
    "calls RINGING": { statuses: [status] },
  };
};
