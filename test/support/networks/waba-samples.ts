import { CONTACT, change, message, OWN_NUMBER, type Part, status, USER } from "./waba-envelope.ts";

const TEMPLATE = {
  message_template_id: 1689556908129832,
  message_template_name: "order_confirmation",
  message_template_language: "en-US",
};
const MEDIA = {
  id: "2754",
  mime_type: "image/jpeg",
  sha256: Buffer.alloc(32, 1).toString("base64"),
  caption: "a",
  filename: "f.x",
  voice: true,
  animated: false,
};
const ERROR = {
  code: 131051,
  title: "Message type unknown",
  message: "Message type unknown",
  error_data: { details: "Not supported." },
};
const REFERRAL = {
  source_url: "https://fb.me/x",
  source_id: "1",
  source_type: "ad",
  headline: "h",
  ctwa_clid: "c",
  welcome_message: { text: "w" },
};
const interactive = (type: string, reply: Part) => ({ type: "interactive", interactive: { type, [type]: reply } });

/** The variants of a message, beside its head. */
const KINDS: Part[] = [
  {},
  ...["image", "video", "audio", "document", "sticker"].map((type) => ({ type, [type]: MEDIA, referral: REFERRAL })),
  {
    type: "location",
    location: { latitude: -23.5, longitude: "-46.6", name: "Sé", address: "Praça", url: "https://x" },
  },
  { type: "contacts", contacts: [{ name: { formatted_name: "Bia" }, phones: [{ phone: "+55 11 91111-1111" }] }] },
  { type: "button", button: { payload: "P", text: "Pagar" }, context: { from: OWN_NUMBER, id: "wamid.T" } },
  interactive("button_reply", { id: "1", title: "Um" }),
  interactive("list_reply", { id: "1", title: "Um", description: "x" }),
  interactive("nfm_reply", { name: "flow", body: "Sent", response_json: '{"a":1}' }),
  interactive("call_permission_reply", {
    response: "accept",
    is_permanent: false,
    expiration_timestamp: 1750000000,
    response_source: "user_action",
  }),
  { type: "reaction", reaction: { message_id: "wamid.B", emoji: "😀" } },
  {
    type: "edit",
    edit: { original_message_id: "wamid.B", message: { context: { id: "M0" }, type: "text", text: { body: "b" } } },
  },
  { type: "revoke", revoke: { original_message_id: "wamid.B" } },
  {
    type: "order",
    order: {
      catalog_id: "1",
      text: "t",
      product_items: [{ product_retailer_id: "s", quantity: 1, item_price: 2.5, currency: "BRL" }],
    },
  },
  {
    type: "system",
    system: {
      body: "changed",
      wa_id: "12195555358",
      user_id: "US.2",
      previous_user_id: "US.1",
      type: "user_changed_number",
    },
  },
  { type: "request_welcome" },
  { type: "unsupported", unsupported: { type: "poll" }, errors: [ERROR] },
  {
    group_id: "Y2FwaV9ncm91cDo",
    context: {
      forwarded: true,
      frequently_forwarded: true,
      referred_product: { catalog_id: "1", product_retailer_id: "2" },
    },
  },
];

const STATUSES: Part[] = [
  {
    pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "utility" },
    conversation: { id: "c", origin: { type: "utility" } },
  },
  { status: "failed", errors: [ERROR], biz_opaque_callback_data: "0198a000-1111-4222-8333-444455556666" },
  { status: "played", recipient_id: undefined, recipient_user_id: "US.1", recipient_parent_user_id: "US.ENT.2" },
  { status: "read", recipient_type: "group", recipient_id: "Y2Fw", recipient_participant_id: USER },
];

const HISTORY = [
  {
    metadata: { phase: 0, chunk_order: 1, progress: 55 },
    threads: [{ id: USER, messages: [message(), message({ from: OWN_NUMBER, to: USER, type: "media_placeholder" })] }],
  },
];
const BOOK = [
  {
    type: "contact",
    action: "add",
    contact: { full_name: "Pablo", first_name: "Pablo", phone_number: USER },
    metadata: { timestamp: "1739321024" },
  },
];
const ECHO = {
  from: OWN_NUMBER,
  to: USER,
  to_user_id: "US.1",
  id: "wamid.E",
  timestamp: "1",
  type: "text",
  text: { body: "e" },
};

const CALL = {
  id: "wacid.A",
  from: USER,
  to: OWN_NUMBER,
  timestamp: "1750000000",
  biz_opaque_callback_data: "0198a000-1111-4222-8333-444455556666",
};
const CALLS: Part[] = [
  { calls: [{ ...CALL, event: "connect", direction: "USER_INITIATED", session: { sdp_type: "offer", sdp: "v=0" } }] },
  {
    calls: [
      { ...CALL, event: "connect", direction: "BUSINESS_INITIATED", session: { sdp_type: "answer", sdp: "v=0" } },
    ],
  },
  {
    calls: [
      {
        ...CALL,
        event: "terminate",
        status: "COMPLETED",
        start_time: "1750000000",
        end_time: "1750000008",
        duration: "8",
      },
    ],
  },
  { calls: [{ ...CALL, event: "terminate", status: "FAILED" }], errors: [ERROR] },
  {
    statuses: [
      {
        id: "wacid.A",
        type: "call",
        status: "RINGING",
        timestamp: "1750000000",
        recipient_id: USER,
        recipient_user_id: "US.1",
      },
    ],
  },
];

/** A change of every field, in every shape of it that is known. */
export const sampleChanges = (): Part[] => [
  ...KINDS.map((kind) => change({ contacts: [CONTACT], messages: [message({ id: "wamid.X", ...kind })] })),
  ...STATUSES.map((one) => change({ contacts: [CONTACT], statuses: [status(one)], errors: [ERROR] })),
  change({ history: HISTORY }, { field: "history" }),
  change({ history: [{ errors: [{ ...ERROR, code: 2593109 }] }] }, { field: "history" }),
  change({ messages: [message({ type: "image", image: MEDIA })] }, { field: "history" }),
  change({ message_echoes: [ECHO] }, { field: "smb_message_echoes" }),
  change({ state_sync: BOOK }, { field: "smb_app_state_sync" }),
  change(
    { user_id_update: [{ wa_id: USER, user_id: { previous: "US.1", current: "US.2" }, timestamp: 1 }] },
    { field: "user_id_update" },
  ),
  change(
    {
      contacts: [CONTACT],
      user_preferences: [{ wa_id: USER, category: "marketing_messages", value: "stop", timestamp: 1 }],
    },
    { field: "user_preferences" },
  ),
  ...CALLS.map((one) => change({ contacts: [CONTACT], ...one }, { field: "calls" })),
  {
    field: "account_update",
    value: {
      event: "ACCOUNT_RESTRICTION",
      restriction_info: [{ restriction_type: "R", expiration: 1 }],
      waba_info: { waba_id: "1" },
    },
  },
  {
    field: "account_update",
    value: { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: ["DISABLE"] }, phone_number: OWN_NUMBER },
  },
  {
    field: "account_update",
    value: { event: "PARTNER_REMOVED", disconnection_info: { reason: "PRIMARY_INACTIVITY" } },
  },
  {
    field: "message_template_status_update",
    value: { ...TEMPLATE, event: "REJECTED", reason: "INVALID_FORMAT", rejection_info: { reason: "r" } },
  },
  { field: "template_category_update", value: { ...TEMPLATE, new_category: "UTILITY", correct_category: "MARKETING" } },
  {
    field: "phone_number_quality_update",
    value: { display_phone_number: OWN_NUMBER, event: "FLAGGED", current_limit: "TIER_2K" },
  },
  {
    field: "phone_number_name_update",
    value: { display_phone_number: OWN_NUMBER, decision: "APPROVED", requested_verified_name: "N" },
  },
  { field: "business_capability_update", value: { max_daily_conversations_per_business: 2000 } },
  { field: "account_alerts", value: { entity_type: "BUSINESS", alert_info: {} } },
];
