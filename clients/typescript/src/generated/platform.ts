// Written by npm run clients from the description of the platform API. Do not edit.
import type { RequestOptions } from "../http.ts";
import type { Pages } from "../pages.ts";

export type AcceptInvitationRequest = {
  /** The token of the mailed link */
  token: string;
};

export type AcceptedMail = {
  /** A mail is sent if the address is known */
  status: "accepted";
};

/** Live messages of this day in UTC */
export type AccountDay = {
  /** How many messages the institution may send in a day; null without a limit */
  limit: number | null;
  /** How many were sent today in UTC */
  used: number;
};

export type AccountLimit = {
  /** The kind of thing that is counted */
  name: string;
  /** How many there are */
  used: number;
  /** How many there may be */
  limit: number;
  /** How many are left */
  left: number;
};

/** The requests that the institution has left in this minute */
export type AccountRate = {
  /** How many are allowed until `resetsAt` */
  limit: number;
  /** How many are left */
  left: number;
  /** When the count begins anew */
  resetsAt: string;
};

export type AddBatchRecipientsRequest = {
  /** Numbers, or `{to, variables}`; at most 1,000 */
  recipients: AddBatchRecipientsRequestRecipient[];
};

/** 8 to 15 digits with country code, alone or as `to` */
export type AddBatchRecipientsRequestRecipient = BatchRecipient | string;

export type AddMemberRequest = {
  /** The invited person */
  email: string;
  /** The role of the person; MEMBER by default */
  role?: MemberRole;
};

/** Files of one album have the same id, and so have the contents of a message that had several */
export type Album = {
  /** The id of the album */
  id: string;
};

export type Amount = {
  /** The sum in hundredths of BRL */
  value: number;
  /** Always 100: `value` is in hundredths */
  offset?: 100;
};

export type ApiKey = {
  /** The key's id */
  id: string;
  /** The institution's name for the key */
  name: string;
  /** The beginning of the key, to recognise it */
  prefix: string;
  /** The permissions of the key */
  permissions: string[];
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
  /** When the key stops working; absent means never */
  expiresAt?: string;
  /** IP addresses and CIDRs that may use the key; empty means everywhere */
  allowedAddresses?: string[];
  /** When the key was created */
  createdAt: string;
  /** When the key was last used; null before */
  lastUsedAt: string | null;
};

export type ApiKeyList = {
  /** Every key of the institution */
  data: ApiKey[];
};

export type AssignConversationRequest = {
  /** The member who answers; null removes the assignment */
  userId: string | null;
};

export type AttemptStatus = "DELIVERED" | "FAILED";

export type Batch = {
  /** The batch, for `GET /v1/bulk/{batchId}` */
  batchId: string;
  /** The channel that sends */
  channelId: string;
  /** The institution's name for the batch; null without a name */
  name: string | null;
  /** The progress of the batch */
  status: BatchStatus;
  /** How many recipients the batch has */
  total: number;
  /** Messages that the network accepted */
  sent: number;
  /** Refused, or never accepted by the network */
  failed: number;
  /** Recipients whose message is not sent yet */
  pending: number;
  /** Recipients who get nothing, because the batch was cancelled */
  cancelled: number;
  /** Milliseconds between two messages */
  delay: number;
  /** The share by which each delay varies at random */
  jitter: number;
  /** When the batch was created */
  createdAt: string;
  /** The chosen time of the first message; null starts at once */
  startsAt: string | null;
  /** When the batch was paused; null while it is not */
  pausedAt: string | null;
  /** When it began; null before */
  startedAt: string | null;
  /** When it ended; null before */
  finishedAt: string | null;
  /** True: it sends in business hours alone */
  respectHours: boolean;
  /** Outside business hours, when sending resumes; null otherwise */
  opensAt: string | null;
  /** When its channel was disconnected; null while it is connected. After 24 hours the batch fails */
  waitingSince: string | null;
};

export type BatchDetails = {
  /** The batch, for `GET /v1/bulk/{batchId}` */
  batchId: string;
  /** The channel that sends */
  channelId: string;
  /** The institution's name for the batch; null without a name */
  name: string | null;
  /** The progress of the batch */
  status: BatchStatus;
  /** How many recipients the batch has */
  total: number;
  /** Messages that the network accepted */
  sent: number;
  /** Refused, or never accepted by the network */
  failed: number;
  /** Recipients whose message is not sent yet */
  pending: number;
  /** Recipients who get nothing, because the batch was cancelled */
  cancelled: number;
  /** Milliseconds between two messages */
  delay: number;
  /** The share by which each delay varies at random */
  jitter: number;
  /** When the batch was created */
  createdAt: string;
  /** The chosen time of the first message; null starts at once */
  startsAt: string | null;
  /** When the batch was paused; null while it is not */
  pausedAt: string | null;
  /** When it began; null before */
  startedAt: string | null;
  /** When it ended; null before */
  finishedAt: string | null;
  /** True: it sends in business hours alone */
  respectHours: boolean;
  /** Outside business hours, when sending resumes; null otherwise */
  opensAt: string | null;
  /** When its channel was disconnected; null while it is connected. After 24 hours the batch fails */
  waitingSince: string | null;
  /** The text that every recipient gets; null for a template */
  text: string | null;
  /** The template as it was given; null for a text */
  template: Record<string, unknown> | null;
  /** The fallback for messages that do not get through; null without one */
  fallback: BatchFallback | null;
  /** What the network lets you say of each send; null without */
  sendOptions: Record<string, unknown> | null;
  /** The first 1,000 of them */
  errors: BatchFailure[];
};

export type BatchFailure = {
  /** The number of the recipient */
  to: string;
  /** Why the message failed, as a code */
  code: string;
  /** Why the message failed, for people */
  message: string;
};

/** The template that another channel sends to people whom this channel does not reach; its values may hold variables */
export type BatchFallback = {
  /** The official channel that sends the template */
  channelId: string;
  /** An approved template of the other phone */
  template: TemplateContent;
  /** How many minutes the first phone has */
  afterMinutes: number;
  /** The cases in which the second way is used; all by default */
  when?: FallbackReason[];
  /** True: the template is sent even if the message may have arrived; false by default */
  mayArriveTwice?: boolean;
};

export type BatchForecast = {
  /** How many people would get a message */
  recipients: number;
  /** Recipients who would be refused, by reason */
  refused: ForecastRefusal[];
  /** The network's charge for all messages */
  cost: ForecastCost;
  /** The maximum price of the fallback, for every recipient; null without a fallback */
  fallbackCost: ForecastCost | null;
  /** When the first message would be sent */
  startsAt: string;
  /** When the last message is sent, at the pace and in business hours */
  endsAt: string;
  /** The end if everybody is new to the phone and its daily limit of new chats applies; null without such a limit */
  latestEndsAt: string | null;
};

export type BatchMessageStatus = "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED";

export type BatchPage = {
  /** The batches of this page, newest first */
  data: Batch[];
  /** The place of this page in the whole list */
  meta: PageInfo;
};

export type BatchRecipient = {
  /** The number of the recipient */
  to: string;
  /** A value for each variable of the text or the template */
  variables?: Record<string, string>;
};

export type BatchRecipientError = {
  /** Why, as a code */
  code: string;
  /** Why, for people */
  message: string;
};

export type BatchRecipientPage = {
  /** The recipients of this page, in the order of the batch */
  data: BatchRecipientState[];
  /** The `cursor` of the next page; null on the last */
  nextCursor: string | null;
};

export type BatchRecipientState = {
  /** The place of the recipient in the batch, from 0 */
  position: number;
  /** The number of the recipient */
  to: string;
  /** The values of its variables; null without any */
  variables: Record<string, string> | null;
  /** PENDING: not handled yet; QUEUED: accepted, and its outcome is not known yet */
  status: BatchRecipientStatus;
  /** The message of the recipient; null if none was sent */
  messageId: string | null;
  /** The progress of the message; null without a message, and after the message is deleted */
  messageStatus: BatchMessageStatus | null;
  /** Why it got no message; null: nothing failed */
  error: BatchRecipientError | null;
};

export type BatchRecipientStatus = "PENDING" | "QUEUED" | "SENT" | "FAILED" | "CANCELLED";

export type BatchStatus = "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";

export type BulkCompletedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "bulk.completed";
  /** The batch, for `GET /v1/bulk/{batchId}` */
  batchId: string;
  /** How the batch ended */
  status: BatchStatus;
  /** How many recipients the batch has */
  total: number;
  /** Messages that the network accepted */
  sent: number;
  /** Messages that were refused, or never accepted by the network */
  failed: number;
};

export type BulkFailedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "bulk.failed";
  /** The batch, for `GET /v1/bulk/{batchId}` */
  batchId: string;
  /** How the batch ended */
  status: BatchStatus;
  /** How many recipients the batch has */
  total: number;
  /** Messages that the network accepted */
  sent: number;
  /** Messages that were refused, or never accepted by the network */
  failed: number;
};

export type BusinessDate = {
  /** A day of the calendar, such as 2026-12-24 */
  date: string;
  /** The times of this day; empty means closed */
  times: OpeningTimes[];
};

export type BusinessHolidays = "NONE" | "NATIONAL" | "AND_OPTIONAL";

export type BusinessHours = {
  /** Whether it is open now; true without hours */
  isOpen: boolean;
  /** When it opens next; null while it is open */
  opensAt: string | null;
  /** Whose hours hold. CHANNEL: the phone's own; ACCOUNT: the account's; NONE: no hours are set */
  source: BusinessHoursSource;
  /** The hours that hold; null without hours */
  hours: WorkingTimes | null;
  /** When the hours last changed; null without hours */
  updatedAt: string | null;
};

export type BusinessHoursRequest = {
  /** A time zone of the IANA database */
  timeZone: string;
  /** The times of each weekday, four at most; a day without times is closed */
  weekly: WeeklyHours;
  /** The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's Tuesday and Corpus Christi too */
  holidays?: BusinessHolidays;
  /** Days with special times, which override the week and the holidays; a day without times is closed */
  dates?: OwnDate[];
};

export type BusinessHoursSource = "CHANNEL" | "ACCOUNT" | "NONE";

export type CancelledBatch = {
  /** The batch that was cancelled */
  batchId: string;
  /** The batch sends nothing more */
  status: "CANCELLED";
  /** Messages that the network accepted before */
  sent: number;
  /** Not sent, because the batch was cancelled */
  cancelled: number;
};

export type ChangeMemberRoleRequest = {
  /** The new role of the member */
  role: MemberRole;
};

export type ChangePasswordRequest = {
  /** The present password of the user */
  currentPassword: string;
  /** At least 8 characters */
  newPassword: string;
};

export type ChangePasswordResult = {
  /** The value for `Authorization: Bearer` from now on */
  token: string;
};

export type Channel = {
  /** The channel's id */
  id: string;
  /** The institution's name for the channel */
  name: string;
  /** The kind of channel, which decides what it can do */
  type: ChannelType;
  /** Whether the channel is connected */
  status: ChannelStatus;
  /** Digits with country code; absent if unknown */
  phoneNumber?: string;
  /** When the channel last connected; present while it is connected */
  connectedAt?: string;
  /** Why it is not connected, such as PARTNER_REMOVED */
  statusReason?: string;
  /** When it got its status */
  statusSince?: string;
  /** When the channel was created */
  createdAt: string;
};

export type ChannelConnectedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "channel.connected";
  /** Whether the channel is connected now */
  status: "CONNECTED";
  /** The number of the channel: digits with country code; null while unknown */
  phoneNumber: string | null;
  /** Why the channel is not connected; null while it is */
  reason: string | null;
};

export type ChannelConnection = {
  /** The channel connects soon */
  status: "CONNECTING";
  /** The QR code as a PNG, a base64 data URL; empty if no scan is needed */
  qrCode: string;
  /** The text in the QR code */
  qr?: string;
  /** What happens next, for people; the words may change */
  message: string;
};

export type ChannelDelegatedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "channel.delegated";
  /** The number of the person, or another address */
  from: string;
  /** The person's name; null if none is known */
  name: string | null;
  /** The connection, which ends the addresses of these chats */
  connectionId: string;
  /** Whether the channel reads these chats now */
  isActive: boolean;
  /** Whether it may answer in them */
  mayWrite: boolean;
  /** When it happened, as the network says */
  happenedAt: string;
};

export type ChannelDisconnectedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "channel.disconnected";
  /** Whether the channel is connected now */
  status: "DISCONNECTED";
  /** The number of the channel: digits with country code; null while unknown */
  phoneNumber: string | null;
  /** Why the channel is not connected; null while it is */
  reason: string | null;
};

export type ChannelList = {
  /** Every channel of the institution */
  data: Channel[];
};

export type ChannelStatus = "DISCONNECTED" | "CONNECTING" | "CONNECTED";

export type ChannelType = "CHAT_SESSION" | "CHAT_WABA" | (string & {});

export type ChannelTypeInfo = {
  /** The `type` of channels of this kind */
  type: ChannelType;
  /** What people call the kind */
  label: LocalizedText;
  /** One sentence for who chooses a kind; null without one */
  about: LocalizedText | null;
  /** The network's own page about it; null without one */
  site: string | null;
  /** How one is made: `pairing` with its owner's device, from `credentials`, by the network's `signup`, or by its owner's consent (`oauth`) */
  ways: CreationWay[];
  /** The fields of `credentials`, in the order of a form */
  credentials: FormField[];
  /** The fields that `options` of a send may have */
  sendOptions: FormField[];
};

export type ChannelTypeList = {
  /** Every type of this server */
  data: ChannelTypeInfo[];
};

export type ChatRenamedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "chat.renamed";
  /** The group, with its new address */
  chat: string;
  /** The same group, as it was called before */
  before: string;
  /** When it happened, as the network says */
  happenedAt: string;
};

export type Contact = {
  /** The contact's id */
  id: string;
  /** Null while no name is known */
  name: string | null;
  /** Digits with country code; null if the network hides the number */
  phoneNumber: string | null;
  /** The contact's e-mail address; null if none is known */
  email: string | null;
  /** Words that the account's people gave the contact */
  tags: string[];
  /** Further data of the client; at most 16 KiB as JSON */
  metadata: Record<string, unknown>;
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
  /** Since when the person wants no messages but answers; null if they want all */
  optedOutAt: string | null;
  /** What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the console; null without an opt-out */
  optedOutBy: ContactOptedOutBy | null;
  /** When the contact was created */
  createdAt: string;
  /** When the contact last changed */
  updatedAt: string;
};

export type ContactBlockedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "contact.blocked";
  /** The number of the person, or another address */
  chat: string;
  /** The network's word; null without one */
  reason: string | null;
  /** When it happened, as the network says */
  happenedAt: string;
};

export type ContactCard = {
  /** The name of the person */
  name: string;
  /** The person's telephone number */
  phone: string;
  /** The person's e-mail address */
  email?: string;
};

export type ContactCreatedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "contact.created";
  /** The contact as it is now */
  contact: Contact;
};

export type ContactOptedInEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "contact.opted_in";
  /** The person's contact, for `GET /v1/contacts/{contactId}` */
  contactId: string;
  /** The number of the person, or another address */
  chat: string;
  /** What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the console */
  by: ContactOptedOutBy;
  /** What the person wrote; null without a word */
  word: string | null;
  /** When it happened, as the network says */
  happenedAt: string;
};

export type ContactOptedOutBy = "word" | "network" | "request";

export type ContactOptedOutEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "contact.opted_out";
  /** The person's contact, for `GET /v1/contacts/{contactId}` */
  contactId: string;
  /** The number of the person, or another address */
  chat: string;
  /** What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the console */
  by: ContactOptedOutBy;
  /** What the person wrote; null without a word */
  word: string | null;
  /** When it happened, as the network says */
  happenedAt: string;
};

export type ContactPage = {
  /** The contacts of this page */
  data: Contact[];
  /** The place of this page in the whole list */
  meta: PageInfo;
};

export type ContactUnblockedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "contact.unblocked";
  /** The number of the person, or another address */
  chat: string;
  /** The network's word; null without one */
  reason: string | null;
  /** When it happened, as the network says */
  happenedAt: string;
};

export type ContactUpdatedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "contact.updated";
  /** The contact as it is now */
  contact: Contact;
};

export type Conversation = {
  /** The conversation's id */
  id: string;
  /** The channel that has the conversation */
  channelId: string;
  /** The other person, as `GET /v1/contacts/{contactId}` answers */
  contactId: string;
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
  /** Whether the conversation is open or closed */
  status: ConversationStatus;
  /** The member who answers; null without one */
  assignedUserId: string | null;
  /** The note of the last transfer; null without one */
  transferNote: string | null;
  /** When the newest message was sent or came in */
  lastMessageAt: string;
  /** When the conversation was created */
  createdAt: string;
  /** When it was closed; null while it is open */
  closedAt: string | null;
  /** The other app that leads the conversation; absent if none does */
  heldBy?: ConversationHolder;
};

export type ConversationClosedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "conversation.closed";
  /** The conversation as it is now */
  conversation: Conversation;
};

export type ConversationCreatedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "conversation.created";
  /** The conversation as it is now */
  conversation: Conversation;
};

/** Present while another app of the same number leads the conversation, such as Meta's Business Agent */
export type ConversationHolder = {
  /** The app's role at the network; null if unknown */
  role: string | null;
  /** When the app got the lead */
  since: string;
};

export type ConversationPage = {
  /** The conversations of this page, the latest message first */
  data: Conversation[];
  /** The place of this page in the whole list */
  meta: PageInfo;
};

export type ConversationStatus = "OPEN" | "CLOSED";

export type CreateApiKeyRequest = {
  /** The institution's name for the key; 3 to 100 characters */
  name: string;
  /** The permissions of the key */
  permissions: Permission[];
  /** Requests a minute; 60 by default */
  rateLimit?: number;
  /** When the key stops working, in the future; never by default */
  expiresAt?: string;
  /** `live` by default; with `test` nothing reaches a network */
  environment?: Environment;
  /** The only IP addresses and CIDRs from which the key may be used */
  allowedAddresses?: string[];
};

export type CreateBatchRequest = {
  /** The channel that sends */
  channelId: string;
  /** A name for the institution's own people */
  name?: string;
  /** The text, which may hold variables: {{name}} */
  text?: string;
  /** The template that every recipient gets, in place of `text`; each value but `mediaHandle` may hold {{name}} */
  template?: TemplateContent;
  /** When the first message is sent, at most a year ahead; at once by default */
  startsAt?: string;
  /** True: nothing is sent until it is resumed */
  paused?: boolean;
  /** True: outside business hours it waits, and resumes at the opening; false by default */
  respectHours?: boolean;
  /** Numbers, or `{to, variables}` */
  recipients: CreateBatchRequestRecipient[];
  /** The fallback for messages that do not get through */
  fallback?: BatchFallback;
  /** What the network lets you say of each send of the batch */
  sendOptions?: Record<string, unknown>;
  /** Milliseconds between two messages; 3000 by default */
  delay?: number;
  /** The share by which each delay varies at random; 0.3 by default */
  jitter?: number;
};

/** 8 to 15 digits with country code, alone or as `to` */
export type CreateBatchRequestRecipient = BatchRecipient | string;

export type CreateChannelRequest = {
  /** The institution's name for the channel */
  name: string;
  /** How much of the earlier chats is imported; `none` by default. Only for CHAT_SESSION */
  history?: "none" | "recent" | "full";
  /** One of the types of `GET /v1/channel-types`. It cannot be changed later */
  type: ChannelType;
  /** The credentials of the channel's type */
  credentials?: CreateChannelRequestCredentials;
};

export type CreateChannelRequestCredentials = {
  /** The network's id of the number */
  phoneNumberId?: string;
  /** The network's id of the business account */
  businessAccountId?: string;
  /** A long-lived token without spaces; never shown again */
  accessToken?: string;
  /** The token that the handshake of the network's webhook has to name */
  verifyToken?: string;
  [key: string]: unknown;
};

export type CreateContactRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus */
  phoneNumber: string;
  /** The institution's name for the contact */
  name: string;
  /** The contact's e-mail address; null removes it */
  email?: string | null;
  /** Words for finding the contact; they replace those before */
  tags?: string[];
  /** Further data of the client; at most 16 KiB as JSON */
  metadata?: Record<string, unknown>;
};

export type CreateGatewayKeyRequest = {
  /** The account's name for the key */
  name: string;
  /** The permissions of the key, as the gateway API names them; without any it may do everything */
  scopes?: string[];
  /** The key reads, and changes nothing */
  readOnly?: boolean;
  /** IP addresses and CIDRs that may use the key; without any it works from everywhere */
  allowedAddresses?: string[];
  /** When the key stops working, in the future; never by default */
  expiresAt?: string;
};

export type CreateInstitutionRequest = {
  /** The name of the business */
  name: string;
};

export type CreateInstitutionResult = {
  /** The institution's id */
  id: string;
  /** The name of the business */
  name: string;
};

export type CreateWebhookRequest = {
  /** The institution's name for the webhook; 3 to 100 characters */
  name: string;
  /** A public HTTPS address, or that of a message broker */
  url: string;
  /** The types of events that the webhook gets */
  events: EventType[];
  /** The key of the signatures; never shown again */
  secret: string;
  /** Whether events are delivered; true by default */
  active?: boolean;
  /** How failed deliveries are retried */
  retryPolicy?: RetryPolicyRequest;
  /** The channels whose events it gets; empty for all. */
  channelIds?: string[];
  /** Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent */
  directions?: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering?: DeliveryOrdering;
};

export type CreatedApiKey = {
  /** The key's id */
  id: string;
  /** The institution's name for the key */
  name: string;
  /** The beginning of the key, to recognise it */
  prefix: string;
  /** The permissions of the key */
  permissions: string[];
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
  /** When the key stops working; absent means never */
  expiresAt?: string;
  /** IP addresses and CIDRs that may use the key; empty means everywhere */
  allowedAddresses?: string[];
  /** When the key was created */
  createdAt: string;
  /** The key itself, which is shown only now */
  key: string;
};

export type CreatedBatch = {
  /** The batch, for `GET /v1/bulk/{batchId}` */
  batchId: string;
  /** The channel that sends */
  channelId: string;
  /** The batch waits to be sent */
  status: "QUEUED";
  /** How many recipients the batch has */
  total: number;
  /** When the batch was created */
  createdAt: string;
};

export type CreatedChannel = {
  /** The channel's id */
  id: string;
  /** The institution's name for the channel */
  name: string;
  /** The kind of channel, which decides what it can do */
  type: ChannelType;
  /** Whether the channel is connected */
  status: ChannelStatus;
  /** When the channel was created */
  createdAt: string;
};

export type CreatedWebhook = {
  /** The webhook's id */
  id: string;
  /** The institution's name for the webhook */
  name: string;
  /** Where the events go */
  url: string;
  /** The types of events that the webhook gets */
  events: string[];
  /** Whether events are delivered; true by default */
  active: boolean;
  /** How failed deliveries are retried */
  retryPolicy: RetryPolicy;
  /** The channels whose events it gets; empty for all. */
  channelIds: string[];
  /** Which messages the webhook gets: incoming, outgoing or both */
  directions: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering: DeliveryOrdering;
  /** When the webhook was created */
  createdAt: string;
  /** Shown only now */
  secret: string;
};

export type CreatedWebhookResult = {
  /** The webhook, with its secret */
  data: CreatedWebhook;
};

export type CreationWay = "pairing" | "credentials" | "signup" | "oauth";

export type DeleteUserRequest = {
  /** The present password of the user */
  password: string;
};

export type DeliveryOrdering = "none" | "chat";

export type DisconnectedChannel = {
  /** The channel is not connected */
  status: "DISCONNECTED";
  /** What happened, for people; the words may change */
  message: string;
};

export type DryRunBatch = {
  /** Nothing was done */
  dryRun: true;
  /** The channel that would send */
  channelId: string;
  /** Recipients of the batch */
  total: number;
  /** Recipients that would be written to */
  valid: number;
  /** Recipients that would be left out, because the batch already has them */
  invalid: number;
};

/** Today's price of the message, by the price list */
export type DryRunCost = {
  /** False if the network does not charge for messages */
  isCharged: boolean;
  /** The network's category of the message */
  category: string;
  /** The currency of the amount, by ISO 4217 */
  currency: string;
  /** Millionths of the currency; null if no price is known */
  amountMicros: number | null;
};

export type DryRunMessage = {
  /** Nothing was done */
  dryRun: true;
  /** The recipient as the channel addresses it */
  to: string;
  /** A message was accepted with this `idempotencyKey`; it would not be sent again */
  isRepeat: boolean;
  /** The price of the message; null if nothing reaches a network, and for groups */
  cost: DryRunCost | null;
};

/** The entry that the person tapped to open the chat, in the network's words */
export type EntryPoint = {
  /** Where the person found the chat, in the network's word */
  source: string;
  /** The app that the person came from */
  app?: string;
};

export type Environment = "live" | "test";

export type Error = {
  /** The failure, for people; the words may change */
  message: string;
  /** The failure, as a word */
  code: ErrorCode;
  /** One for each faulty field */
  errors?: FieldError[];
};

export type ErrorCode = "ACCOUNT_INACTIVE" | "ADAPTER_MISSING" | "AGENT_NOT_FOUND" | "AI_BAD_OUTPUT" | "AI_PROVIDER_ERROR" | "ALERTS_NOT_CONFIGURED" | "ALREADY_DELIVERED" | "ALREADY_EXISTS" | "ALREADY_MEMBER" | "API_KEY_NOT_FOUND" | "AUTHENTICATION_REQUIRED" | "BATCH_FINISHED" | "BATCH_LIMIT_REACHED" | "BATCH_NOT_FOUND" | "BATCH_TOO_LARGE" | "CALL_INVALID_STATE" | "CALL_NOT_FOUND" | "CANNED_REPLY_EXISTS" | "CANNED_REPLY_NOT_FOUND" | "CHANNEL_ALREADY_CONNECTED" | "CHANNEL_EXISTS" | "CHANNEL_NOT_CONNECTED" | "CHANNEL_NOT_FOUND" | "COEXISTENCE_EXPECTED" | "CONSOLE_OFF" | "CONTACT_ALREADY_EXISTS" | "CONTACT_NOT_FOUND" | "CONVERSATION_CLOSED" | "CONVERSATION_NOT_FOUND" | "CONVERSATION_OPEN" | "CPF_CNPJ_REQUIRED" | "CREDENTIALS_MISMATCH" | "CREDENTIALS_NOT_APPLICABLE" | "DOC_LIMIT_REACHED" | "DOC_NOT_FOUND" | "EMAIL_IN_USE" | "EMAIL_NOT_VERIFIED" | "EMPTY_BATCH" | "ERASURE_NOT_FOUND" | "EVENT_NOT_FOUND" | "FLOW_ENDPOINT_FAILED" | "FLOW_NOT_FOUND" | "FLOW_NOT_SYNCED" | "FLOW_UNREADABLE" | "FORBIDDEN" | "FORBIDDEN_PERMISSION" | "GROUP_NOT_FOUND" | "GROUP_SUSPENDED" | "HANDSHAKE_REFUSED" | "IDEMPOTENCY_ANSWER_LOST" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "IDENTITY_NOT_FOUND" | "IG_CREDS_MISSING" | "IG_NOT_CONFIGURED" | "INSTITUTION_NOT_FOUND" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "INVITATION_LIMIT_REACHED" | "INVOICE_NOT_FOUND" | "INVOICE_NOT_OPEN" | "JOIN_REFUSED" | "KEYPAIR_INVALID" | "LAST_MEMBER" | "LAST_OPERATOR" | "LAST_OWNER" | "LINK_NOT_FOUND" | "LLM_BUDGET_EXHAUSTED" | "LLM_KEY_REQUIRED" | "LOOKUP_UNSUPPORTED_CHANNEL" | "MAIL_NOT_CONFIGURED" | "MEDIA_DELETED" | "MEDIA_EXPIRED" | "MEDIA_NOT_FOUND" | "MESSAGE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_CONFIGURED" | "NOT_FOUND" | "NO_INSTITUTION" | "NO_PHONE_CAN_SEND" | "NO_PUBLIC_KEY" | "OPERATOR_NOT_FOUND" | "OVERLOADED" | "PAIRING_IN_PROGRESS" | "PAIRING_NOT_APPLICABLE" | "PAIRING_NOT_READY" | "PASSKEY_NOT_FOUND" | "PASSKEY_NOT_REQUESTED" | "PASSKEY_REFUSED" | "PASSKEY_UNUSABLE" | "PAYLOAD_TOO_LARGE" | "PLAN_LIMIT_EXCEEDED" | "PLAN_NOT_FOUND" | "PROCESSOR_CONNECTION_ERROR" | "PROCESSOR_NOT_CONFIGURED" | "PROXY_UNREACHABLE" | "QR_NOT_APPLICABLE" | "QR_NOT_AVAILABLE" | "QUOTED_KEY_INVALID" | "RATE_LIMIT_EXCEEDED" | "REAUTHENTICATION_NEEDED" | "RECIPIENT_OPTED_OUT" | "RECORDING_EMPTY" | "RECORDING_NOT_FOUND" | "REGISTRATION_CLOSED" | "REQUEST_TIMEOUT" | "SCHEDULED_NOT_FOUND" | "SCHEDULED_NOT_PENDING" | "SCHEDULE_QUOTA_EXCEEDED" | "SCHEDULE_TOO_SOON" | "SECOND_STEP_MISSING" | "SECOND_STEP_REFUSED" | "SECOND_STEP_REQUIRED" | "SESSION_NOT_FOUND" | "SIGNATURE_INVALID" | "STORAGE_FULL" | "STORAGE_QUOTA_EXCEEDED" | "TASK_NOT_FOUND" | "TEMPLATE_EXISTS" | "TEMPLATE_NOT_FOUND" | "TEMPLATE_NOT_SUBMITTED" | "THREAD_HELD" | "THREAD_ROLE_REFUSED" | "TOOL_NOT_FOUND" | "TRIAL_RUN_NOT_FOUND" | "UNAUTHORIZED" | "UNSUPPORTED_TYPE" | "UPSTREAM_APP_ID_MISSING" | "UPSTREAM_APP_NOT_CONFIGURED" | "UPSTREAM_BAD_REQUEST" | "UPSTREAM_NO_CALL_ID" | "UPSTREAM_UNAVAILABLE" | "UPSTREAM_UNSUPPORTED" | "URI_TOO_LONG" | "USER_NOT_FOUND" | "VALIDATION_ERROR" | "WABA_CREDS_INCOMPLETE" | "WABA_CREDS_MISSING" | "WEBHOOK_NOT_FOUND";

export type EventEnvelope = {
  /** The event's id; the same for every delivery of the event */
  id: string;
  /** The type with a colon, as `message:received` */
  event: string;
  /** When it was published */
  timestamp: string;
  /** The institution that the event belongs to */
  institutionId: string;
  /** The channel that the event is about; null for an event of the institution */
  channelId: string | null;
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
};

/** The place of a calendar event */
export type EventPlace = {
  /** The name of the place */
  name?: string;
  /** The postal address of the place */
  address?: string;
  /** Degrees north of the equator */
  latitude?: number;
  /** Degrees east of Greenwich */
  longitude?: number;
};

export type EventType = "message.received" | "message.sent" | "message.delivered" | "message.read" | "conversation.created" | "conversation.closed" | "channel.connected" | "channel.disconnected" | "message.poll_results" | "media.failed" | "channel.delegated" | "contact.blocked" | "contact.unblocked" | "contact.opted_out" | "contact.opted_in" | "chat.renamed" | "contact.created" | "contact.updated" | "bulk.completed" | "bulk.failed";

export type FallbackReason = "lost" | "restricted" | "silent";

export type FieldError = {
  /** Nested names are joined by dots */
  path: string;
  /** The problem */
  message: string;
  /** The short name of the broken rule */
  validation: string;
};

export type ForecastBatchRequest = {
  /** The channel that would send */
  channelId: string;
  /** The numbers of the recipients */
  to: string[];
  /** The template that would be sent */
  template?: ForecastTemplate;
  /** When the first message would be sent, in the future and at most a year ahead */
  startsAt?: string;
  /** Milliseconds between two messages */
  delay?: number;
  /** Whether business hours apply to it */
  respectHours?: boolean;
  /** The fallback for messages that do not get through */
  fallback?: ForecastFallback;
};

/** By the price list of today: an estimate, and never an amount that is due */
export type ForecastCost = {
  /** False if the network does not charge for messages */
  isCharged: boolean;
  /** The network's category of the messages */
  category: string;
  /** The currency of the amounts, by ISO 4217 */
  currency: string;
  /** Millionths of the currency */
  amountMicros: number;
  /** Recipients with a known price */
  rated: number;
  /** Recipients without a known price: they are not in the amount */
  unrated: number;
  /** The cost of each country, the most expensive first */
  byCountry: ForecastCountry[];
};

export type ForecastCountry = {
  /** The recipients' country, by ISO 3166 */
  country: string;
  /** How many recipients are in the country */
  count: number;
  /** Millionths of the currency */
  amountMicros: number;
};

/** The template that another channel may send in place of each message */
export type ForecastFallback = {
  /** The official channel that would send the template */
  channelId: string;
  /** The template that would be sent */
  template: ForecastTemplate;
};

export type ForecastRefusal = {
  /** Why the batch would be refused */
  code: ForecastRefusalCode;
  /** The number of recipients; for a limit, the number above the limit */
  count: number;
  /** True: the batch is refused whole */
  isWhole: boolean;
};

export type ForecastRefusalCode = "RECIPIENT_INVALID" | "DUPLICATE_RECIPIENT" | "TEMPLATE_NOT_APPROVED" | "ANSWER_WINDOW_CLOSED" | "RECIPIENT_OPTED_OUT" | "DAY_LIMIT_REACHED" | "NEW_PEOPLE_LIMIT_REACHED" | "BATCH_LIMIT_REACHED";

/** One of the channel's templates; without one, a text is sent */
export type ForecastTemplate = {
  /** The name of an approved template */
  name: string;
  /** A language code, such as pt_BR */
  language?: string;
};

export type ForgotPasswordRequest = {
  /** The e-mail address of the user */
  email: string;
};

export type FormChoice = {
  /** The value to send */
  value: string;
  /** What people call the value; null: show the value */
  label: LocalizedText | null;
};

export type FormField = {
  /** The name of the field in a request */
  name: string;
  /** What people call the field */
  label: LocalizedText;
  /** Where a person finds the value; null without such a text */
  help: LocalizedText | null;
  /** The network's page about it; null without one */
  helpUrl: string | null;
  /** Whether the value must not be readable on a screen */
  isSecret: boolean;
  /** Whether the field must be there */
  isRequired: boolean;
  /** The regular expression of the value; null for any text */
  pattern: string | null;
  /** The least number of characters; null without a limit */
  minLength: number | null;
  /** The greatest number of characters; null without a limit */
  maxLength: number | null;
  /** The only values; null if the field is not a choice */
  choices: FormChoice[] | null;
};

export type GatewayKey = {
  /** The key's id */
  id: string;
  /** The account's name for the key */
  name: string;
  /** The beginning of the key, to recognise it */
  prefix: string;
  /** The permissions of the key or the app */
  scopes: string[];
  /** The key reads, and changes nothing */
  readOnly: boolean;
  /** IP addresses and CIDRs that may use the key; empty means everywhere */
  allowedAddresses: string[];
  /** When the key stops working; absent means never */
  expiresAt?: string;
  /** When it was last used; null before */
  lastUsedAt: string | null;
  /** When the key was created */
  createdAt: string;
};

export type GatewayKeyList = {
  /** Every key of the account */
  data: GatewayKey[];
};

/** A group that the message names */
export type GroupMention = {
  /** The chat address of the group */
  id: string;
  /** The name of the group, as the message has it */
  name?: string;
};

/** The message that came before with the same file in lower quality */
export type HdOf = {
  /** The network's id of that message */
  id: string;
};

export type Institution = {
  /** The institution's id */
  id: string;
  /** The name of the business */
  name: string;
};

export type InvalidNumber = {
  /** The number as it was given */
  number: string;
  /** Why it cannot be written to */
  reason: "invalid_format" | "not_on_network";
};

export type InvitedMember = {
  /** The user id of the member; null while the person is only invited */
  userId: string | null;
  /** The name of the member; null while the person is only invited */
  name: string | null;
  /** The e-mail address of the member */
  email: string;
  /** The role of the member */
  role: MemberRole;
  /** `invited` until the person accepts */
  state: MemberState;
  /** The id of the invitation; present while the person is only invited */
  invitationId?: string;
  /** When the invitation ends; present while the person is only invited */
  expiresAt?: string;
  /** Opens once; absent if it was mailed */
  link?: string;
};

export type IssuedGatewayKey = {
  /** The key's id */
  id: string;
  /** The account's name for the key */
  name: string;
  /** The beginning of the key, to recognise it */
  prefix: string;
  /** The permissions of the key or the app */
  scopes: string[];
  /** The key reads, and changes nothing */
  readOnly: boolean;
  /** IP addresses and CIDRs that may use the key; empty means everywhere */
  allowedAddresses: string[];
  /** When the key stops working; absent means never */
  expiresAt?: string;
  /** When it was last used; null before */
  lastUsedAt: string | null;
  /** When the key was created */
  createdAt: string;
  /** The key itself, which is shown only now */
  key: string;
  /** The parts of the request without effect; absent if every part has an effect */
  warnings?: string[];
};

export type JoinAccountRequest = {
  /** The code that a key of the account made */
  code: string;
};

export type JoinRequest = {
  /** The token of the mailed link */
  token: string;
  /** The name of the user */
  name: string;
  /** At least 8 characters */
  password: string;
};

export type JoinedAccount = {
  /** True if nothing was done */
  dryRun: boolean;
  /** The account; a record of it stays */
  accountId: string;
  /** The institution, which has everything of the account now */
  institutionId: string;
  /** The phones of the account */
  phones: JoinedPhone[];
  /** API keys, which stay valid */
  keys: number;
  /** Webhooks, which go on */
  webhooks: number;
  /** Contacts of the account */
  contacts: number;
  /** Contacts that both had: the institution's contact stays, with its id */
  mergedContacts: number;
  /** How many conversations the account had */
  conversations: number;
  /** Messages to and from its phones, counted up to 100,000; they follow within minutes */
  messages: number;
  /** Everything that moves immediately, without the history */
  rows: number;
};

/** A phone of the account, which keeps its id */
export type JoinedPhone = {
  /** The phone's id */
  id: string;
  /** The account's name for the phone */
  label: string;
};

export type LinkPreview = {
  /** The title of the preview; at most 200 characters */
  title: string;
  /** The text below the title; at most 500 characters */
  description?: string;
  /** The address that the preview belongs to, as it stands in the text; the first one by default */
  url?: string;
  /** The picture, which is shown small */
  image?: LinkPreviewImage;
};

export type LinkPreviewImage = {
  /** A public HTTPS address of the file */
  mediaUrl: string;
};

export type ListInstitutionsResult = {
  /** Every institution of the user */
  institutions: Institution[];
};

export type ListedTemplateCategory = "MARKETING" | "UTILITY" | "AUTHENTICATION" | "UNKNOWN";

export type LocalizedText = {
  /** In English */
  en: string;
  /** In Portuguese */
  pt: string;
  /** In Spanish */
  es: string;
};

export type LoggedIn = {
  /** The token is good only for choosing one */
  requiresInstitutionSelection?: boolean;
  /** The value for `Authorization: Bearer` */
  token: string;
  /** The user; absent if several institutions can be chosen */
  user?: User;
  /** The institutions of the user; absent if there is only one */
  institutions?: Institution[];
};

export type LoginRequest = {
  /** The e-mail address of the user */
  email: string;
  /** The password of the user */
  password: string;
  /** A code of the user's app, if the user has a second step of sign-in */
  totp?: string;
  /** A recovery code, instead of a code of the app */
  recovery?: string;
};

export type MediaFailedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "media.failed";
  /** The message without its file */
  messageId: string;
  /** The conversation of the message; null for a message to a group */
  conversationId: string | null;
  /** The number of the person, or another address */
  chat: string;
  /** The media type that the network announced */
  contentType: string;
  /** The announced size; null if it names none */
  sizeBytes: number | null;
  /** The shown name; null if none is known */
  filename: string | null;
  /** Why the file is not there */
  mediaError: MediaFailure;
  /** The same in words */
  reason: string;
};

export type MediaFailure = "TOO_LARGE" | "GONE" | "REFUSED" | "INVALID" | "UNAVAILABLE" | "STORAGE_QUOTA_EXCEEDED";

export type Member = {
  /** The user id of the member; null while the person is only invited */
  userId: string | null;
  /** The name of the member; null while the person is only invited */
  name: string | null;
  /** The e-mail address of the member */
  email: string;
  /** The role of the member */
  role: MemberRole;
  /** `invited` until the person accepts */
  state: MemberState;
  /** The id of the invitation; present while the person is only invited */
  invitationId?: string;
  /** When the invitation ends; present while the person is only invited */
  expiresAt?: string;
};

export type MemberList = {
  /** Every member and every invited person */
  data: Member[];
};

export type MemberRole = "OWNER" | "ADMIN" | "MEMBER" | "VIEWER";

export type MemberState = "active" | "invited";

/** A person whom the message names */
export type Mention = {
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** The hidden id; null if unknown */
  lid: string | null;
  /** Whether it is this phone */
  isMe: boolean;
};

export type Message = {
  /** The message's id */
  id: string;
  /** The channel that sent or received it */
  channelId: string;
  /** The conversation of the message; null for a message to a group */
  conversationId: string | null;
  /** The batch that sent it; absent for other messages */
  batchId?: string;
  /** The person, key or program that sent it; absent for an incoming message, and if it was not recorded */
  sentBy?: SentBy;
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction: "INBOUND" | "OUTBOUND";
  /** The type of the content, such as text */
  type: string;
  /** The number of the sender, or another address; null while the channel's number is not known */
  from: string | null;
  /** The number of the recipient, or another address; null for an incoming message */
  to: string | null;
  /** The text of the message; absent for other types */
  text?: string;
  /** The content of the message; absent for a text */
  content?: unknown;
  /** The file of the message; null or absent without one */
  media?: MessageMedia | null;
  /** It moves only forward; FAILED is final */
  status: MessageStatus;
  /** `[CODE]` and why it failed; null otherwise */
  failedReason: string | null;
  /** The other app that leads the conversation; absent if none does */
  heldBy?: MessageHeldBy;
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
  /** When it was accepted or came in: the order of a conversation */
  createdAt: string;
  /** When the network took it; null before. For an incoming message: when it was sent, as the network says */
  sentAt: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When it was read; null before */
  readAt: string | null;
  /** When it was deleted for everyone; null if it was not. Its content is empty then */
  deletedAt: string | null;
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
};

export type MessageContext = {
  /** Why the person sends a contact: `contact_request` answers a request for the number */
  origin?: string;
  /** True: the message was forwarded */
  forwarded?: true;
  /** Forwarded more than five times */
  frequentlyForwarded?: true;
  /** The advertisement, post or link that led to the message */
  referral?: Referral;
  /** The product that the message is about */
  referredProduct?: ReferredProduct;
  /** The people whom the message mentions */
  mentions?: Mention[];
  /** True: the message mentions this phone, or everybody in the group */
  mentionsMe?: true;
  /** True: the message mentions everybody in the group */
  mentionsAll?: true;
  /** The groups of the community that the message mentions */
  groupMentions?: GroupMention[];
  /** The message that this one answers */
  quoted?: QuotedMessage;
  /** The story that the message answers or that mentions the account */
  story?: Story;
  /** The album that the file belongs to, or the other contents of the same message */
  album?: Album;
  /** The message whose file this one is in HD: apps send both */
  hdOf?: HdOf;
  /** Where the person found the chat */
  entryPoint?: EntryPoint;
  /** True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any other answer by the whole group. */
  ephemeral?: true;
  /** The topic of the group that the message was written in */
  topic?: Topic;
  /** Seconds after which the message disappears from the chat */
  disappearsAfter?: number;
};

export type MessageDeliveredEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "message.delivered";
  /** The message, for `GET /v1/messages/{messageId}` */
  messageId: string;
  /** The conversation of the message; null for a message to a group */
  conversationId: string | null;
  /** The type of the content, such as text */
  messageType: string;
  /** The text of the message; absent for other types */
  text?: string;
  /** The event has more than 256 KiB: its content is left out */
  isCut?: true;
  /** The size of the file in bytes; absent without a file */
  sizeBytes?: number;
  /** The progress of the message */
  status: "delivered";
  /** The number of the recipient, or another address */
  to: string;
  /** The content that was sent; absent for a text */
  content?: unknown;
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
};

/** Another app led the conversation: the message was for information */
export type MessageHeldBy = {
  /** The app's role at the network; null if unknown */
  role: string | null;
};

/** The file that came with the message: `url` is the call that leads to it, with the key. Null while no file is available */
export type MessageMedia = {
  /** The call that leads to the file, with the key */
  url: string;
  /** The media type of the file */
  mimeType: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The name of the file, as its sender gave it; null without one */
  filename: string | null;
  /** When the file is deleted */
  expiresAt: string;
};

export type MessagePage = {
  /** The messages of this page, newest first */
  data: Message[];
  /** The place of this page in the whole list */
  meta: PageInfo;
};

export type MessagePollResultsEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "message.poll_results";
  /** The message with the poll, for `GET /v1/messages/{messageId}` */
  messageId: string;
  /** How often each option was chosen */
  totals: PollTotal[];
  /** Whether nobody can vote any more */
  isClosed: boolean;
};

export type MessagePrice = {
  /** The amount in millionths of the currency */
  amountMicros: number;
  /** The currency, as ISO 4217 has it */
  currency: string;
};

export type MessageReadEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "message.read";
  /** The message, for `GET /v1/messages/{messageId}` */
  messageId: string;
  /** The conversation of the message; null for a message to a group */
  conversationId: string | null;
  /** The type of the content, such as text */
  messageType: string;
  /** The text of the message; absent for other types */
  text?: string;
  /** The event has more than 256 KiB: its content is left out */
  isCut?: true;
  /** The size of the file in bytes; absent without a file */
  sizeBytes?: number;
  /** The progress of the message */
  status: "read";
  /** The number of the recipient, or another address */
  to: string;
  /** The content that was sent; absent for a text */
  content?: unknown;
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
};

export type MessageReceivedEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "message.received";
  /** The message, for `GET /v1/messages/{messageId}` */
  messageId: string;
  /** The conversation of the message; null for a message to a group */
  conversationId: string | null;
  /** The type of the content, such as text */
  messageType: string;
  /** The text of the message; absent for other types */
  text?: string;
  /** The event has more than 256 KiB: its content is left out */
  isCut?: true;
  /** The size of the file in bytes; absent without a file */
  sizeBytes?: number;
  /** Always `received` */
  status: "received";
  /** The number of the person who wrote, or another address */
  from: string;
  /** The number of the channel; null if unknown */
  to: string | null;
  /** The group that it was written in */
  chat?: string;
  /** The name that the person chose; null if none is known */
  pushName: string | null;
  /** The content of the message, by its type */
  content?: ReceivedText | ReceivedFile | ReceivedLocation | ReceivedContacts | ReceivedReply | ReceivedForm | ReceivedOrder | ReceivedCallPermission | ReceivedPoll | ReceivedCalendarEntry | ReceivedNumberRequest | ReceivedNumber | ReceivedPaymentMethod | ReceivedWelcomeRequest | UnsupportedContent;
  /** The file of the message; null or absent without one */
  media?: MessageMedia | null;
  /** Why the file is not there; absent if it is, or while it waits for good credentials */
  mediaError?: MediaFailure;
};

export type MessageSentEvent = EventEnvelope & {
  /** The type of the event, which decides its other fields */
  type: "message.sent";
  /** The message, for `GET /v1/messages/{messageId}` */
  messageId: string;
  /** The conversation of the message; null for a message to a group */
  conversationId: string | null;
  /** The type of the content, such as text */
  messageType: string;
  /** The text of the message; absent for other types */
  text?: string;
  /** The event has more than 256 KiB: its content is left out */
  isCut?: true;
  /** The size of the file in bytes; absent without a file */
  sizeBytes?: number;
  /** The progress of the message */
  status: "sent";
  /** The number of the recipient, or another address */
  to: string;
  /** The content that was sent; absent for a text */
  content?: unknown;
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
};

export type MessageStatus = "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "RECEIVED";

export type NamedAmount = {
  /** The sum in hundredths of BRL */
  value: number;
  /** Always 100: `value` is in hundredths */
  offset?: 100;
  /** The purpose of the amount; at most 60 characters */
  description?: string;
};

export type OpeningTimes = {
  /** When it opens, such as 09:00 */
  from: string;
  /** When it closes; a time that is not later than `from` belongs to the next day */
  to: string;
};

export type OrderItem = {
  /** The item's own number at the seller */
  retailerId: string;
  /** The name of the item; 1 to 60 characters */
  name: string;
  /** How many pieces */
  quantity: number;
  /** The price of one piece */
  amount: Amount;
  /** The reduced price of one piece */
  saleAmount?: Amount;
};

export type OrderPayment = {
  /** Each needs fields of its own */
  type: "pix_dynamic_code" | "payment_link" | "boleto" | "offsite_card_pay";
  /** The Pix code; only for pix_dynamic_code */
  code?: string;
  /** The receiver of the money; only for pix_dynamic_code */
  merchantName?: string;
  /** The Pix key; only for pix_dynamic_code */
  key?: string;
  /** The kind of Pix key */
  keyType?: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP";
  /** The page where the order is paid: an https URL; only for payment_link */
  url?: string;
  /** The typeable line of a boleto; only for boleto */
  digitableLine?: string;
  /** The end of the card's number: 4 digits; only for offsite_card_pay */
  lastFourDigits?: string;
  /** The id of the stored card; only for offsite_card_pay */
  credentialId?: string;
};

export type OwnAccount = {
  /** The institution's id */
  id: string;
  /** The name of the business */
  name: string;
  /** ACTIVE, or why the institution does not work */
  status: string;
  /** Null without one */
  plan: "FREE" | "STARTER" | "PROFESSIONAL" | "ENTERPRISE" | null;
  /** When the institution was created */
  createdAt: string;
  /** The user's role; null for an API key */
  role: string | null;
  /** The permissions of the key */
  permissions: string[];
  /** `live`, or `test`, which reaches no network */
  environment: Environment;
  /** The key of this request; null for a request with a user's token */
  key: ApiKey | null;
  /** All requests of the institution in a minute */
  requestsPerMinute: AccountRate;
  /** The institution's sending limits for a day */
  messagesPerDay: AccountDay;
  /** The number of objects of each kind in the account, and its limit */
  limits: AccountLimit[];
};

export type OwnDate = {
  /** A day of the calendar, such as 2026-12-24 */
  date: string;
  /** The times of this day, four at most; absent or empty means closed */
  times?: OpeningTimes[];
};

export type PageInfo = {
  /** How many entries the whole list has */
  total: number;
  /** How many entries a page has at most */
  limit: number;
  /** Items before this page */
  offset: number;
  /** Whether a further page follows */
  hasMore: boolean;
};

export type Permission = "channels.read" | "channels.write" | "messages.send" | "messages.read" | "conversations.read" | "conversations.write" | "contacts.read" | "contacts.write" | "webhooks.read" | "webhooks.write" | "bulk-send.write" | "bulk-send.read" | "sandbox.write";

export type PlatformEvent = MessageReceivedEvent | MessageSentEvent | MessageDeliveredEvent | MessageReadEvent | ConversationCreatedEvent | ConversationClosedEvent | ChannelConnectedEvent | ChannelDisconnectedEvent | MessagePollResultsEvent | MediaFailedEvent | ChannelDelegatedEvent | ContactBlockedEvent | ContactUnblockedEvent | ContactOptedOutEvent | ContactOptedInEvent | ChatRenamedEvent | ContactCreatedEvent | ContactUpdatedEvent | BulkCompletedEvent | BulkFailedEvent;

export type PollTotal = {
  /** The text of the option */
  option: string;
  /** How many chose it */
  votes: number;
};

export type QuickReply = {
  /** The value that comes back with the answer */
  id: string;
  /** The text of the quick reply; 1 to 20 characters */
  text: string;
};

/** The message that is answered, if Recado does not know it */
export type QuotedMessage = {
  /** The network's id of the quoted message */
  id: string;
  /** The beginning of the quoted message */
  text?: string;
};

export type ReceivedCalendarEntry = MessageContext & {
  /** The name of the event */
  name: string;
  /** What happens there */
  description?: string;
  /** When it begins */
  startsAt: string;
  /** When it ends; absent if it says none */
  endsAt?: string;
  /** Where it takes place; absent if it says none */
  location?: EventPlace;
  /** Where people join it from afar; absent without a call */
  callLink?: string;
  /** Whether people may bring others */
  extraGuestsAllowed?: boolean;
  /** Whether it was called off */
  isCanceled?: boolean;
};

export type ReceivedCallPermission = MessageContext & {
  /** Whether the person allows calls */
  response: "accept" | "reject";
  /** Whether the permission has no end */
  isPermanent: boolean;
  /** When the permission ends; null for a permission without an end */
  expiresAt: string | null;
  /** The person's answer, in the network's word */
  source?: string;
};

export type ReceivedContacts = MessageContext & {
  /** The cards, in the form of the network */
  contacts: unknown[];
};

export type ReceivedError = {
  /** The network's own number */
  code: number;
  /** The network's short name of the failure */
  title: string;
  /** More about the failure, in the network's words */
  details?: string;
};

export type ReceivedFile = MessageContext & {
  /** The text below the file; absent without one */
  caption?: string;
  /** The media type of the file */
  mimeType: string;
  /** The name of the file, as the sender gave it */
  filename?: string;
  /** Recorded as a voice note */
  voice?: boolean;
  /** True for a sticker that moves */
  animated?: boolean;
  /** True for a file that its sender wants to be opened once */
  viewOnce?: boolean;
  /** True for a round video note */
  videoNote?: boolean;
  /** True for a film that plays as a GIF */
  gifPlayback?: boolean;
};

export type ReceivedForm = MessageContext & {
  /** The kind of form */
  name: string;
  /** The text that the message shows of the form */
  text?: string;
  /** The entered data; as text if it is not JSON */
  response: unknown;
};

export type ReceivedLinkPreview = {
  /** The address in the text */
  url: string;
  /** The title of the page */
  title?: string;
  /** What the page says of itself */
  description?: string;
};

export type ReceivedLocation = MessageContext & {
  /** Degrees north of the equator, -90 to 90 */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180 */
  longitude: number;
  /** The name of the place */
  name?: string;
  /** The postal address of the place */
  address?: string;
  /** A page about the place */
  url?: string;
  /** True: where the person was when they began to show where they go. What follows does not come */
  live?: true;
};

export type ReceivedNumber = MessageContext & {
  /** Digits; null if the network does not name it here */
  phoneNumber: string | null;
};

export type ReceivedNumberRequest = MessageContext;

export type ReceivedOrder = MessageContext & {
  /** The network's id of the catalogue; null if it names none */
  catalogId: string | null;
  /** The network's id of the order */
  orderId?: string;
  /** What `GET /v1/phones/{id}/orders/{orderId}` wants to read the order's products */
  orderToken?: string;
  /** The text that the person wrote with the order */
  text?: string;
  /** The ordered products */
  items: ReceivedOrderItem[];
};

export type ReceivedOrderItem = {
  /** The seller's id of the product */
  productId: string;
  /** How many pieces; null if the network does not say it */
  quantity: number | null;
  /** The price of one piece; null if none was given */
  price: number | null;
  /** The currency of the price; null if none was given */
  currency: string | null;
};

export type ReceivedPaymentMethod = MessageContext & {
  /** The `referenceId` of the order */
  referenceId: string;
  /** The card that the person chose; null for other methods */
  credentialId: string | null;
  /** The end of the card's number; null for other methods */
  lastFourDigits: string | null;
};

export type ReceivedPoll = MessageContext & {
  /** The question of the poll */
  question: string;
  /** The answers that can be chosen */
  options: string[];
  /** How many options each person may choose */
  maxSelections: number;
};

export type ReceivedReply = MessageContext & {
  /** The `id` of the button or row that was chosen */
  selectedId: string;
  /** The text of the button or row */
  text: string;
  /** The second line of the row; absent without one */
  description?: string;
};

export type ReceivedText = MessageContext & {
  /** The text of the message */
  text: string;
  /** The preview of a link, as its sender made it */
  linkPreview?: ReceivedLinkPreview;
};

export type ReceivedWelcomeRequest = MessageContext;

/** The advertisement, post or link that led the person here */
export type Referral = {
  /** The post or advertisement that led here */
  sourceUrl?: string;
  /** The network's id of the post or advertisement */
  sourceId?: string;
  /** The kind of source, such as ad, post or link */
  sourceType?: string;
  /** The title of the advertisement */
  headline?: string;
  /** The text of the advertisement */
  body?: string;
  /** The kind of its media: an image or a video */
  mediaType?: string;
  /** The address of the advertisement's image */
  imageUrl?: string;
  /** The address of the advertisement's video */
  videoUrl?: string;
  /** The preview of its video */
  thumbnailUrl?: string;
  /** The network's id of the click */
  ctwaClid?: string;
  /** The business's own word in the link or advertisement */
  ref?: string;
  /** The text that greeted the person */
  welcomeText?: string;
};

/** The product that the person asks about */
export type ReferredProduct = {
  /** The network's id of the catalogue; null if it names none */
  catalogId: string | null;
  /** The seller's id of the product */
  productId: string;
};

export type RegisterRequest = {
  /** The name of the user */
  name: string;
  /** The e-mail address for signing in */
  email: string;
  /** At least 8 characters */
  password: string;
  /** The name of the new institution, which the user owns */
  institutionName: string;
};

export type ReplaceWebhookRequest = {
  /** The institution's name for the webhook; 3 to 100 characters */
  name?: string;
  /** A public HTTPS address, or that of a message broker */
  url?: string;
  /** The types of events that the webhook gets */
  events?: EventType[];
  /** The key of the signatures; never shown again */
  secret?: string;
  /** Whether events are delivered; true by default */
  active?: boolean;
  /** How failed deliveries are retried */
  retryPolicy?: RetryPolicyRequest;
  /** The channels whose events it gets; empty for all. */
  channelIds?: string[];
  /** Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent */
  directions?: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering?: DeliveryOrdering;
};

export type ResetPasswordRequest = {
  /** The token of the mailed link */
  token: string;
  /** The new one, of at least 8 characters */
  password: string;
  /** A code of the user's app, if the user has a second step of sign-in */
  totp?: string;
  /** A recovery code, instead of a code of the app */
  recovery?: string;
};

export type RetryPolicy = {
  /** Tries after the first; 5 by default */
  maxRetries: number;
  /** Milliseconds between tries; 30000 by default */
  retryDelay: number;
};

export type RetryPolicyRequest = {
  /** Tries after the first; 5 by default */
  maxRetries?: number;
  /** Milliseconds between tries; 30000 by default */
  retryDelay?: number;
};

export type SelectInstitutionRequest = {
  /** One of the institutions that the login named */
  institutionId: string;
};

export type SendAudioRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** Where the file is, by HTTPS */
  mediaUrl: string;
  /** Whether it plays as a voice note; false by default */
  ptt?: boolean;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendContactRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** The cards that are sent */
  contacts: ContactCard[];
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendDocumentRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** Where the file is, by HTTPS */
  mediaUrl: string;
  /** The shown name: the name of a file alone, without folders */
  filename?: string;
  /** A text below the document; at most 1,024 characters */
  caption?: string;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendImageRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** Where the file is, by HTTPS */
  mediaUrl: string;
  /** A text below the image; at most 1,024 characters */
  caption?: string;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendPixRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** The sum in cents of BRL */
  amountCents: number;
  /** Where the money goes: a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key */
  key: string;
  /** The receiver, at most 25 Latin characters */
  merchantName: string;
  /** The receiver's city, at most 15 Latin characters; not needed with `code` */
  merchantCity?: string;
  /** The charge's own id, 1 to 25 letters and digits; the receiver's bank names it beside the payment */
  txid: string;
  /** The code that the receiver's bank made for this charge; without it, Recado makes a code for `key` */
  code?: string;
  /** The text before the charge */
  text?: string;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendTemplateRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** The name of an approved template */
  name: string;
  /** A language code, such as pt_BR */
  language?: string;
  /** Values of {{1}}, {{2}} …, in order */
  variables?: string[];
  /** Values by name, in place of `variables` */
  namedVariables?: Record<string, string>;
  /** The file of the header, if the template has one */
  headerMedia?: TemplateHeaderMedia;
  /** The product of the header, if the template has one */
  headerProduct?: TemplateHeaderProduct;
  /** The value of the variable in a text header, in place of `headerMedia` */
  headerText?: string;
  /** The name of the variable in a text header; that of the template by default */
  headerName?: string;
  /** The place of the header, if the template has one */
  headerLocation?: TemplateHeaderLocation;
  /** When a limited-time offer ends, in ISO 8601 with timezone */
  expiresAt?: string;
  /** The values of the buttons, if the template has variables in them */
  buttons?: TemplateButton[];
  /** The cards of a carousel, in their order */
  cards?: TemplateCard[];
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendTextRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** The text to send; 1 to 4,096 characters */
  text: string;
  /** Answers to tap, if the network supports them; each with an `id` of its own */
  quickReplies?: QuickReply[];
  /** How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a template */
  tag?: "HUMAN_AGENT" | "UTILITY";
  /** The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same community, or `all`. `@` and the number in the text becomes the name. If the network has mentions */
  mentions?: string[];
  /** The preview of the first address in the text, if the network has that. True: Recado asks the page for its title, text and picture, for five seconds at most. False: none. An object: this one, whose address stands in the text. By default the phone's setting `linkPreviews` decides */
  linkPreview?: SendTextRequestLinkPreview;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SendTextRequestLinkPreview = boolean | LinkPreview;

export type SendVideoRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus; or the address of a person without a number, as `98765432@lid` */
  to: string;
  /** Where the file is, by HTTPS */
  mediaUrl: string;
  /** A text below the video; at most 1,024 characters */
  caption?: string;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
};

export type SenderKind = "key" | "user" | "operator" | "schedule" | "batch" | "agent" | "other" | "phone" | "chatwoot";

export type SentBy = {
  /** The source of the request for the message */
  kind: SenderKind;
  /** The id of the key, person, schedule or batch; of an agent, that of its phone; empty for programs without one */
  id: string;
  /** The name of the sender; null if no name is known */
  name: string | null;
};

export type SentMessage = {
  /** True: a refusal has another status */
  success: boolean;
  /** What happened, for people; the words may change */
  message: string;
  /** The message, for `GET /v1/messages/{messageId}` */
  messageId: string;
};

export type Session = {
  /** The session's id */
  id: string;
  /** Whether it is the session of this request */
  isCurrent: boolean;
  /** The IP address of the sign-in */
  address: string;
  /** The browser that logged in; null if unknown */
  userAgent: string | null;
  /** When the user signed in */
  createdAt: string;
  /** When the session ends */
  expiresAt: string;
};

export type SessionList = {
  /** Every session of the user that has not ended */
  data: Session[];
};

export type SetChannelCredentialsRequest = {
  /** All credentials of its kind: one that is missing is removed */
  credentials: SetChannelCredentialsRequestCredentials;
};

export type SetChannelCredentialsRequestCredentials = {
  /** The network's id of the number */
  phoneNumberId?: string;
  /** The network's id of the business account */
  businessAccountId?: string;
  /** A long-lived token without spaces; never shown again */
  accessToken?: string;
  /** The token that the handshake of the network's webhook has to name */
  verifyToken?: string;
  [key: string]: unknown;
};

export type SignedIn = {
  /** The value for `Authorization: Bearer` */
  token: string;
  /** Who signed in */
  user: User;
  /** The institution that the token is good for */
  institution: Institution;
};

export type SimulateConnectRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus */
  phoneNumber?: string;
};

export type SimulateMessageRequest = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus */
  from: string;
  /** The text of the contact */
  text: string;
};

export type SimulateStatusRequest = {
  /** The next report of the network */
  status: "sent" | "delivered" | "read" | "failed";
};

export type SimulatedConnection = {
  /** The channel is connected */
  status: "CONNECTED";
  /** Digits with country code */
  phoneNumber: string;
};

export type SimulatedDisconnection = {
  /** The channel is not connected */
  status: "DISCONNECTED";
};

export type SimulatedMessage = {
  /** True: a refusal has another status */
  success: boolean;
  /** The message, for `GET /v1/messages/{messageId}` */
  messageId: string;
};

/** A story that the message belongs to */
export type Story = {
  /** `reply` answers the story; `mention` is the person's story, which names the account */
  relation: "reply" | "mention";
  /** The network's id of the story; absent if it names none */
  id?: string;
  /** Where the network shows the story, until the story ends after a day */
  url?: string;
};

export type Template = {
  /** The template's id */
  id: string;
  /** The channel whose business account has the template */
  channelId: string;
  /** The template's name on the network */
  name: string;
  /** A language code, such as pt_BR */
  language: string;
  /** The network's category */
  category: ListedTemplateCategory;
  /** The network's decision */
  status: TemplateStatus;
  /** The parts of the template, in the form of the official API */
  components: TemplateComponent[];
  /** The most that 1,000 deliveries may cost, in hundredths of the account's currency, as it was last set here; null if it was not */
  maxPricePer1000: number | null;
  /** Why the network rejected the template; null if it did not */
  rejectionReason: string | null;
  /** When the template was stored here */
  createdAt: string;
  /** When the template last changed */
  updatedAt: string;
};

export type TemplateButton = {
  /** The action of the button; that of the template's button by default */
  subType?: "url" | "copy_code" | "quick_reply" | "flow" | "catalog" | "mpm" | "order_details" | "voice_call";
  /** The button's place among all, from 0 */
  index?: number;
  /** Values, percent-encoded if they are part of a URL */
  parameters?: string[];
  /** Comes back with the answer of a flow; the message's id by default */
  flowToken?: string;
  /** What the first screen of a flow shows */
  flowData?: Record<string, unknown>;
  /** The product whose picture a catalogue or product list shows */
  thumbnailProductId?: string;
  /** The products of a product list (mpm) */
  sections?: TemplateSection[];
  /** The order that a button of the type order_details shows, to be paid in BRL */
  order?: TemplateOrder;
};

export type TemplateCard = {
  /** Values of {{1}}, {{2}} …, in order */
  variables?: string[];
  /** Values by name, in place of `variables` */
  namedVariables?: Record<string, string>;
  /** The file of the header, if the template has one */
  headerMedia?: TemplateHeaderMedia;
  /** The product of the header, if the template has one */
  headerProduct?: TemplateHeaderProduct;
  /** The values of the card's buttons */
  buttons?: TemplateButton[];
};

export type TemplateComponent = {
  /** The kind of part: HEADER, BODY, FOOTER, BUTTONS or another one of the official API */
  type: string;
  [key: string]: unknown;
};

export type TemplateContent = {
  /** The name of an approved template */
  name: string;
  /** The language of the template; pt_BR by default */
  language?: string;
  /** Values of {{1}}, {{2}} …, in order */
  variables?: string[];
  /** Values by name, in place of `variables` */
  namedVariables?: Record<string, string>;
  /** The file of the header, if the template has one */
  headerMedia?: TemplateHeaderMedia;
  /** The product of the header, if the template has one */
  headerProduct?: TemplateHeaderProduct;
  /** The value of the variable in a text header, in place of `headerMedia` */
  headerText?: string;
  /** The name of the variable in a text header; that of the template by default */
  headerName?: string;
  /** The place of the header, if the template has one */
  headerLocation?: TemplateHeaderLocation;
  /** When a limited-time offer ends, in ISO 8601 with timezone */
  expiresAt?: string;
  /** The values of the buttons, if the template has variables in them */
  buttons?: TemplateButton[];
  /** The cards of a carousel, in their order */
  cards?: TemplateCard[];
};

export type TemplateHeaderLocation = {
  /** Degrees north of the equator, -90 to 90, as a number or its text */
  latitude: number | string;
  /** Degrees east of Greenwich, -180 to 180, as a number or its text */
  longitude: number | string;
  /** The name of the place */
  name?: string;
  /** The postal address of the place */
  address?: string;
};

export type TemplateHeaderMedia = {
  /** The kind of file */
  type: "image" | "video" | "document";
  /** The address of the header's file */
  url?: string;
  /** The handle of an uploaded file, in place of `url`; without variables in a batch */
  mediaHandle?: string;
  /** The shown name: the name of a file alone, without folders */
  filename?: string;
};

export type TemplateHeaderProduct = {
  /** The product, by the seller's own number */
  productId: string;
  /** The network's id of the catalogue that has it */
  catalogId: string;
};

export type TemplateOrder = {
  /** The kind of goods that are sold */
  goods: "digital-goods" | "physical-goods";
  /** The total to be paid */
  totalAmount: Amount;
  /** How the order can be paid; each way needs the fields of its `type` */
  payments: OrderPayment[];
  /** The ordered products */
  items: OrderItem[];
  /** The price of all items */
  subtotal: Amount;
  /** The taxes of the order */
  tax?: NamedAmount;
  /** The price of the delivery */
  shipping?: NamedAmount;
  /** The discount on the price */
  discount?: NamedAmount;
  /** The order's own id: 1 to 35 letters, digits, dashes, dots and underscores */
  referenceId: string;
};

export type TemplatePage = {
  /** The templates of this page, newest first */
  data: Template[];
  /** The place of this page in the whole list */
  meta: PageInfo;
};

export type TemplateSection = {
  /** The heading of these products */
  title: string;
  /** Products of the catalogue, by the seller's own numbers */
  productIds: string[];
};

export type TemplateStatus = "DRAFT" | "PENDING" | "APPROVED" | "REJECTED" | "PAUSED";

export type TemplateSync = {
  /** How many are new here */
  created: number;
  /** How many were changed */
  updated: number;
  /** Templates that the business account has at the network */
  total: number;
};

export type TestWebhook = {
  /** The type of the event that is sent; an example of it is made */
  type?: EventType;
};

export type TestedWebhook = {
  /** The outcome at the endpoint */
  data: WebhookTestResult;
};

export type TextError = {
  /** The failure, for people; the words may change */
  error: string;
  /** Only if a client can act on it */
  code?: string;
};

/** A part of a group's chat with a name of its own */
export type Topic = {
  /** The network's id of the topic, as the address of its chat ends with it */
  id: string;
  /** The name of the topic; absent where the message does not bring it */
  name?: string;
};

export type TransferConversationRequest = {
  /** The member who takes over */
  userId: string;
  /** A note for the member who takes over */
  note?: string;
};

export type UnsupportedContent = MessageContext & {
  /** The network's name of the type */
  originalType: string;
  /** Where the network shows the message, for a while, or where the message leads */
  url?: string;
  /** A description of the message, in a few words */
  title?: string;
  /** The words that can be read in it */
  text?: string;
  /** Why the network did not pass it on */
  errors?: ReceivedError[];
};

export type UpdateContactRequest = {
  /** The institution's name for the contact */
  name?: string;
  /** The contact's e-mail address; null removes it */
  email?: string | null;
  /** Words for finding the contact; they replace those before */
  tags?: string[];
  /** Further data of the client; at most 16 KiB as JSON */
  metadata?: Record<string, unknown>;
};

export type UpdateWebhookRequest = {
  /** The institution's name for the webhook; 3 to 100 characters */
  name?: string;
  /** A public HTTPS address, or that of a message broker */
  url?: string;
  /** The types of events that the webhook gets */
  events?: EventType[];
  /** The key of the signatures; never shown again */
  secret?: string;
  /** Whether events are delivered; true by default */
  active?: boolean;
  /** How failed deliveries are retried */
  retryPolicy?: RetryPolicyRequest;
  /** The channels whose events it gets; empty for all. */
  channelIds?: string[];
  /** Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent */
  directions?: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering?: DeliveryOrdering;
};

export type User = {
  /** The user's id */
  id: string;
  /** The name of the user */
  name: string;
  /** The e-mail address for signing in */
  email: string;
};

export type ValidateNumbersRequest = {
  /** The numbers that are checked; at most 1,000 */
  numbers: string[];
  /** The channel that asks the network; without it only the form is checked */
  channelId?: string;
};

export type ValidatedNumbers = {
  /** How many numbers were checked */
  total: number;
  /** Numbers that can be written to */
  valid: string[];
  /** Numbers that cannot be written to */
  invalid: InvalidNumber[];
  /** Valid numbers about which the network gives no answer now; absent if it was not asked */
  unchecked?: string[];
};

export type VerifyEmailRequest = {
  /** The token of the mailed link */
  token: string;
};

export type Webhook = {
  /** The webhook's id */
  id: string;
  /** The institution's name for the webhook */
  name: string;
  /** Where the events go */
  url: string;
  /** The types of events that the webhook gets */
  events: string[];
  /** Whether events are delivered; true by default */
  active: boolean;
  /** How failed deliveries are retried */
  retryPolicy: RetryPolicy;
  /** The channels whose events it gets; empty for all. */
  channelIds: string[];
  /** Which messages the webhook gets: incoming, outgoing or both */
  directions: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering: DeliveryOrdering;
  /** When the webhook was created */
  createdAt: string;
  /** Failed deliveries in a row; at 5 the webhook is disabled */
  consecutiveFailures: number;
  /** When a delivery last failed; null before */
  lastFailedAt: string | null;
  /** When the webhook last changed */
  updatedAt: string;
};

export type WebhookDirection = "inbound" | "outbound";

export type WebhookError = {
  /** The code of the refusal */
  error: ErrorCode;
  /** The failure, for people; the words may change */
  message: string;
  /** One for each faulty field */
  details?: WebhookFieldError[];
  /** How many seconds to wait before the next request */
  retryAfter?: number;
};

export type WebhookFieldError = {
  /** Nested names are joined by dots */
  field: string;
  /** The problem */
  message: string;
};

export type WebhookList = {
  /** Every webhook of the institution */
  data: Webhook[];
};

export type WebhookLog = {
  /** The attempt's id */
  id: string;
  /** The webhook that was tried */
  webhookId: string;
  /** The event's type */
  event: string;
  /** Whether the endpoint took the event */
  status: AttemptStatus;
  /** The answer of the endpoint */
  statusCode: number;
  /** Milliseconds until the answer */
  responseTime: number;
  /** Which attempt it is, from 1 */
  attempt: number;
  /** Why the attempt failed; null if it did not */
  error: string | null;
  /** When the endpoint took the event; null for a failed attempt */
  deliveredAt: string | null;
  /** When it failed; null otherwise */
  failedAt: string | null;
};

export type WebhookLogPage = {
  /** The attempts of this page, newest first */
  data: WebhookLog[];
  /** The place of this page in the whole list */
  meta: PageInfo;
};

export type WebhookResult = {
  /** The webhook as it is now */
  data: Webhook;
};

export type WebhookRetry = {
  /** The webhook's id */
  id: string;
  /** The waiting deliveries are tried soon */
  status: "enqueued";
};

export type WebhookRetryResult = {
  /** The webhook whose waiting deliveries are tried */
  data: WebhookRetry;
};

export type WebhookTestResult = {
  /** The id of the sample event. */
  eventId: string;
  /** Whether the endpoint answered with a 2xx status. */
  delivered: boolean;
  /** The status of the answer; null without one. */
  statusCode: number | null;
  /** How long the attempt took, in milliseconds */
  durationMs: number;
  /** The first 4,096 characters of the answer; null without an answer */
  responseBody: string | null;
  /** Why the event was not delivered; null if it was */
  error: string | null;
};

export type Week = {
  /** The opening times on sundays; closed without times */
  sunday: OpeningTimes[];
  /** The opening times on mondays; closed without times */
  monday: OpeningTimes[];
  /** The opening times on tuesdays; closed without times */
  tuesday: OpeningTimes[];
  /** The opening times on wednesdays; closed without times */
  wednesday: OpeningTimes[];
  /** The opening times on thursdays; closed without times */
  thursday: OpeningTimes[];
  /** The opening times on fridays; closed without times */
  friday: OpeningTimes[];
  /** The opening times on saturdays; closed without times */
  saturday: OpeningTimes[];
};

export type WeeklyHours = {
  /** The opening times on sundays; closed without times */
  sunday?: OpeningTimes[];
  /** The opening times on mondays; closed without times */
  monday?: OpeningTimes[];
  /** The opening times on tuesdays; closed without times */
  tuesday?: OpeningTimes[];
  /** The opening times on wednesdays; closed without times */
  wednesday?: OpeningTimes[];
  /** The opening times on thursdays; closed without times */
  thursday?: OpeningTimes[];
  /** The opening times on fridays; closed without times */
  friday?: OpeningTimes[];
  /** The opening times on saturdays; closed without times */
  saturday?: OpeningTimes[];
};

export type WorkingTimes = {
  /** A time zone of the IANA database */
  timeZone: string;
  /** The times of each weekday; a day without times is closed */
  weekly: Week;
  /** The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's Tuesday and Corpus Christi too */
  holidays: BusinessHolidays;
  /** Days with special times, which override the week and the holidays; a day without times is closed */
  dates: BusinessDate[];
};

export type WebhookEvent = PlatformEvent;

export type JoinAccountQuery = {
  /** `true`: everything is checked as in the real call and answered with 200, and nothing is done */
  dryRun?: boolean | undefined;
};

export type ListTemplatesQuery = {
  /** The page, from 1 */
  page?: number | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** Only entries with this status */
  status?: TemplateStatus | undefined;
  /** Only entries with this name */
  name?: string | undefined;
};

export type ListBatchesQuery = {
  /** The page, from 1 */
  page?: number | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** Only entries with this status */
  status?: BatchStatus | undefined;
  /** Only entries of this channel */
  channelId?: string | undefined;
};

export type ListBatchRecipientsQuery = {
  /** Only entries with this status */
  status?: BatchRecipientStatus | undefined;
  /** How many at most; 100 by default, up to 1,000 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListConversationsQuery = {
  /** The page, from 1 */
  page?: number | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** Only entries with this status */
  status?: ConversationStatus | undefined;
  /** Only entries of this channel */
  channelId?: string | undefined;
  /** Only entries with this contact */
  contactId?: string | undefined;
};

export type ListMessagesQuery = {
  /** The page, from 1 */
  page?: number | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
};

export type ListContactsQuery = {
  /** The page, from 1 */
  page?: number | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** Words, or their beginnings, of the name, the e-mail address and the tags, or digits of the number: all must be there, at most 10. Case and accents do not matter. */
  search?: string | undefined;
  /** Only contacts who opted out, or only those who did not */
  optedOut?: boolean | undefined;
};

export type ListWebhookLogsQuery = {
  /** The page, from 1 */
  page?: number | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** Only entries with this status */
  status?: AttemptStatus | undefined;
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
};

export interface ApiKeysResource {
  /** Create an API key. POST /v1/api-keys */
  create(body: CreateApiKeyRequest, options?: RequestOptions): Promise<CreatedApiKey>;
  /** List the institution's API keys. GET /v1/api-keys */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<ApiKey, ApiKeyList>;
  /** Revoke an API key at once. DELETE /v1/api-keys/{apiKeyId} */
  revoke(apiKeyId: string, options?: RequestOptions): Promise<void>;
}

export interface AuthResource {
  /** Accept an invitation to the user's own e-mail. POST /v1/auth/accept-invitation */
  acceptInvitation(body: AcceptInvitationRequest, options?: RequestOptions): Promise<SignedIn>;
  /** Change the password. POST /v1/auth/change-password */
  changePassword(body: ChangePasswordRequest, options?: RequestOptions): Promise<ChangePasswordResult>;
  /** Delete the user itself. POST /v1/auth/delete-user */
  deleteUser(body: DeleteUserRequest, options?: RequestOptions): Promise<void>;
  /** Mail a link with which a user chooses a new password. POST /v1/auth/forgot-password */
  forgotPassword(body: ForgotPasswordRequest, options?: RequestOptions): Promise<AcceptedMail>;
  /** List the user's institutions. GET /v1/auth/institutions */
  listInstitutions(query?: Record<string, never>, options?: RequestOptions): Pages<Institution, ListInstitutionsResult>;
  /** Register by the link of an invitation, and accept it. POST /v1/auth/join */
  join(body: JoinRequest, options?: RequestOptions): Promise<SignedIn>;
  /** Log in. POST /v1/auth/login */
  login(body: LoginRequest, options?: RequestOptions): Promise<LoggedIn>;
  /** Register a user together with an institution. POST /v1/auth/register */
  register(body: RegisterRequest, options?: RequestOptions): Promise<SignedIn>;
  /** Mail the link that verifies the user's e-mail again. POST /v1/auth/request-verification */
  requestVerification(options?: RequestOptions): Promise<AcceptedMail>;
  /** Choose a new password by a link. POST /v1/auth/reset-password */
  resetPassword(body: ResetPasswordRequest, options?: RequestOptions): Promise<LoggedIn>;
  /** Choose an institution and get a complete token. POST /v1/auth/select-institution */
  selectInstitution(body: SelectInstitutionRequest, options?: RequestOptions): Promise<SignedIn>;
  /** List the user's sessions. GET /v1/auth/sessions */
  listSessions(query?: Record<string, never>, options?: RequestOptions): Pages<Session, SessionList>;
  /** End a session. DELETE /v1/auth/sessions/{sessionId} */
  endSession(sessionId: string, options?: RequestOptions): Promise<void>;
  /** Verify the user's e-mail by the link in a mail. POST /v1/auth/verify-email */
  verifyEmail(body: VerifyEmailRequest, options?: RequestOptions): Promise<void>;
}

export interface BulkResource {
  /** Send a text or a template to many people, one after the other without doing it. POST /v1/bulk */
  create(body: CreateBatchRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunBatch>;
  /** Send a text or a template to many people, one after the other. POST /v1/bulk */
  create(body: CreateBatchRequest, options?: RequestOptions): Promise<CreatedBatch>;
  /** List batches, newest first. GET /v1/bulk */
  list(query?: ListBatchesQuery, options?: RequestOptions): Pages<Batch, BatchPage>;
  /** Forecast a batch: its price, its time, and what would be refused. POST /v1/bulk/forecast */
  forecast(body: ForecastBatchRequest, options?: RequestOptions): Promise<BatchForecast>;
  /** Check numbers before a batch. POST /v1/bulk/validate */
  validateNumbers(body: ValidateNumbersRequest, options?: RequestOptions): Promise<ValidatedNumbers>;
  /** Get a batch, with the recipients who got nothing. GET /v1/bulk/{batchId} */
  get(batchId: string, options?: RequestOptions): Promise<BatchDetails>;
  /** Cancel a batch. POST /v1/bulk/{batchId}/cancel */
  cancel(batchId: string, options?: RequestOptions): Promise<CancelledBatch>;
  /** Pause a batch until it is resumed. POST /v1/bulk/{batchId}/pause */
  pause(batchId: string, options?: RequestOptions): Promise<Batch>;
  /** Add recipients to a batch, up to 10,000 in all. POST /v1/bulk/{batchId}/recipients */
  addRecipients(batchId: string, body: AddBatchRecipientsRequest, options?: RequestOptions): Promise<Batch>;
  /** List the recipients of a batch in their order, with the outcome of each. GET /v1/bulk/{batchId}/recipients */
  listRecipients(batchId: string, query?: ListBatchRecipientsQuery, options?: RequestOptions): Pages<BatchRecipientState, BatchRecipientPage>;
  /** Resume a paused batch. POST /v1/bulk/{batchId}/resume */
  resume(batchId: string, options?: RequestOptions): Promise<Batch>;
}

export interface BusinessHoursResource {
  /** Get the institution's business hours, and whether it is open now. GET /v1/business-hours */
  get(options?: RequestOptions): Promise<BusinessHours>;
  /** Set the institution's business hours. PUT /v1/business-hours */
  set(body: BusinessHoursRequest, options?: RequestOptions): Promise<BusinessHours>;
}

export interface ChannelsResource {
  /** List the types of channels that this server has. GET /v1/channel-types */
  listTypes(query?: Record<string, never>, options?: RequestOptions): Pages<ChannelTypeInfo, ChannelTypeList>;
  /** Create a channel. POST /v1/channels */
  create(body: CreateChannelRequest, options?: RequestOptions): Promise<CreatedChannel>;
  /** List channels, newest first. GET /v1/channels */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Channel, ChannelList>;
  /** Get a channel and its status. GET /v1/channels/{channelId} */
  get(channelId: string, options?: RequestOptions): Promise<Channel>;
  /** Delete a channel. DELETE /v1/channels/{channelId} */
  delete(channelId: string, options?: RequestOptions): Promise<void>;
  /** Connect a channel. POST /v1/channels/{channelId}/connect */
  connect(channelId: string, options?: RequestOptions): Promise<ChannelConnection>;
  /** Replace a channel's credentials. PUT /v1/channels/{channelId}/credentials */
  setCredentials(channelId: string, body: SetChannelCredentialsRequest, options?: RequestOptions): Promise<Channel>;
  /** Disconnect a channel. POST /v1/channels/{channelId}/disconnect */
  disconnect(channelId: string, options?: RequestOptions): Promise<DisconnectedChannel>;
}

export interface ContactsResource {
  /** Create a contact. POST /v1/contacts */
  create(body: CreateContactRequest, options?: RequestOptions): Promise<Contact>;
  /** List contacts, newest first, or search them. GET /v1/contacts */
  list(query?: ListContactsQuery, options?: RequestOptions): Pages<Contact, ContactPage>;
  /** Get a contact. GET /v1/contacts/{contactId} */
  get(contactId: string, options?: RequestOptions): Promise<Contact>;
  /** Change a contact. PATCH /v1/contacts/{contactId} */
  update(contactId: string, body: UpdateContactRequest, options?: RequestOptions): Promise<Contact>;
  /** Delete a contact. DELETE /v1/contacts/{contactId} */
  delete(contactId: string, options?: RequestOptions): Promise<void>;
  /** Send a contact no messages but answers. PUT /v1/contacts/{contactId}/opt-out */
  optOut(contactId: string, options?: RequestOptions): Promise<Contact>;
  /** Send a contact messages again. DELETE /v1/contacts/{contactId}/opt-out */
  optIn(contactId: string, options?: RequestOptions): Promise<Contact>;
}

export interface ConversationsResource {
  /** List conversations, newest first. GET /v1/conversations */
  list(query?: ListConversationsQuery, options?: RequestOptions): Pages<Conversation, ConversationPage>;
  /** Get a conversation. GET /v1/conversations/{conversationId} */
  get(conversationId: string, options?: RequestOptions): Promise<Conversation>;
  /** Assign a conversation to a member, or remove the assignment. POST /v1/conversations/{conversationId}/assign */
  assign(conversationId: string, body: AssignConversationRequest, options?: RequestOptions): Promise<Conversation>;
  /** Close a conversation. POST /v1/conversations/{conversationId}/close */
  close(conversationId: string, options?: RequestOptions): Promise<Conversation>;
  /** Assign a conversation to another member, with a note. POST /v1/conversations/{conversationId}/transfer */
  transfer(conversationId: string, body: TransferConversationRequest, options?: RequestOptions): Promise<Conversation>;
}

export interface InstitutionsResource {
  /** Get the institution and the credentials of this request, with their limits. GET /v1/account */
  getAccount(options?: RequestOptions): Promise<OwnAccount>;
  /** Create a further institution. POST /v1/institutions */
  create(body: CreateInstitutionRequest, options?: RequestOptions): Promise<CreateInstitutionResult>;
  /** Take over an account of the gateway. POST /v1/institutions/{institutionId}/accounts */
  joinAccount(institutionId: string, body: JoinAccountRequest, options?: RequestOptions & { query?: JoinAccountQuery }): Promise<JoinedAccount>;
  /** Make an API key of the gateway for the institution. POST /v1/institutions/{institutionId}/gateway-keys */
  createGatewayKey(institutionId: string, body: CreateGatewayKeyRequest, options?: RequestOptions): Promise<IssuedGatewayKey>;
  /** List the institution's API keys of the gateway. GET /v1/institutions/{institutionId}/gateway-keys */
  listGatewayKeys(institutionId: string, query?: Record<string, never>, options?: RequestOptions): Pages<GatewayKey, GatewayKeyList>;
  /** Revoke an API key of the gateway at once. DELETE /v1/institutions/{institutionId}/gateway-keys/{apiKeyId} */
  revokeGatewayKey(institutionId: string, apiKeyId: string, options?: RequestOptions): Promise<void>;
  /** Revoke an invitation. DELETE /v1/institutions/{institutionId}/invitations/{invitationId} */
  withdrawInvitation(institutionId: string, invitationId: string, options?: RequestOptions): Promise<void>;
  /** Invite a person to the institution. POST /v1/institutions/{institutionId}/members */
  addMember(institutionId: string, body: AddMemberRequest, options?: RequestOptions): Promise<InvitedMember>;
  /** List the institution's members and invited people. GET /v1/institutions/{institutionId}/members */
  listMembers(institutionId: string, query?: Record<string, never>, options?: RequestOptions): Pages<Member, MemberList>;
  /** Change what a member may do. PATCH /v1/institutions/{institutionId}/members/{userId} */
  changeMemberRole(institutionId: string, userId: string, body: ChangeMemberRoleRequest, options?: RequestOptions): Promise<Member>;
  /** Remove a member, or leave. DELETE /v1/institutions/{institutionId}/members/{userId} */
  removeMember(institutionId: string, userId: string, options?: RequestOptions): Promise<void>;
}

export interface MessagesResource {
  /** Send a recording without doing it. POST /v1/channels/{channelId}/messages/audio */
  sendAudio(channelId: string, body: SendAudioRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a recording. POST /v1/channels/{channelId}/messages/audio */
  sendAudio(channelId: string, body: SendAudioRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Send contacts without doing it. POST /v1/channels/{channelId}/messages/contact */
  sendContact(channelId: string, body: SendContactRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send contacts. POST /v1/channels/{channelId}/messages/contact */
  sendContact(channelId: string, body: SendContactRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Send a document without doing it. POST /v1/channels/{channelId}/messages/document */
  sendDocument(channelId: string, body: SendDocumentRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a document. POST /v1/channels/{channelId}/messages/document */
  sendDocument(channelId: string, body: SendDocumentRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Send an image without doing it. POST /v1/channels/{channelId}/messages/image */
  sendImage(channelId: string, body: SendImageRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send an image. POST /v1/channels/{channelId}/messages/image */
  sendImage(channelId: string, body: SendImageRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Ask for a payment by Pix without doing it. POST /v1/channels/{channelId}/messages/pix */
  sendPix(channelId: string, body: SendPixRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Ask for a payment by Pix. POST /v1/channels/{channelId}/messages/pix */
  sendPix(channelId: string, body: SendPixRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Send an approved template without doing it. POST /v1/channels/{channelId}/messages/template */
  sendTemplate(channelId: string, body: SendTemplateRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send an approved template. POST /v1/channels/{channelId}/messages/template */
  sendTemplate(channelId: string, body: SendTemplateRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Send a text without doing it. POST /v1/channels/{channelId}/messages/text */
  sendText(channelId: string, body: SendTextRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a text. POST /v1/channels/{channelId}/messages/text */
  sendText(channelId: string, body: SendTextRequest, options?: RequestOptions): Promise<SentMessage>;
  /** Send a video without doing it. POST /v1/channels/{channelId}/messages/video */
  sendVideo(channelId: string, body: SendVideoRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a video. POST /v1/channels/{channelId}/messages/video */
  sendVideo(channelId: string, body: SendVideoRequest, options?: RequestOptions): Promise<SentMessage>;
  /** List the messages of a conversation, newest first. GET /v1/conversations/{conversationId}/messages */
  list(conversationId: string, query?: ListMessagesQuery, options?: RequestOptions): Pages<Message, MessagePage>;
  /** Get a message that was sent or received. GET /v1/messages/{messageId} */
  get(messageId: string, options?: RequestOptions): Promise<Message>;
  /** Get the address of a message's file. GET /v1/messages/{messageId}/media */
  getMedia(messageId: string, options?: RequestOptions): Promise<Response>;
}

export interface SandboxResource {
  /** Simulate that a channel connects. POST /v1/sandbox/channels/{channelId}/connect */
  simulateConnect(channelId: string, body?: SimulateConnectRequest, options?: RequestOptions): Promise<SimulatedConnection>;
  /** End a simulated connection. POST /v1/sandbox/channels/{channelId}/disconnect */
  simulateDisconnect(channelId: string, options?: RequestOptions): Promise<SimulatedDisconnection>;
  /** Simulate an incoming message on a channel. POST /v1/sandbox/channels/{channelId}/messages */
  simulateMessage(channelId: string, body: SimulateMessageRequest, options?: RequestOptions): Promise<SimulatedMessage>;
  /** Simulate the outcome of a message that a test key sent. POST /v1/sandbox/messages/{messageId}/status */
  simulateStatus(messageId: string, body: SimulateStatusRequest, options?: RequestOptions): Promise<Message>;
}

export interface TemplatesResource {
  /** List the templates of a channel, newest first. GET /v1/channels/{channelId}/templates */
  list(channelId: string, query?: ListTemplatesQuery, options?: RequestOptions): Pages<Template, TemplatePage>;
  /** Import all templates of a channel's business account. POST /v1/channels/{channelId}/templates/sync */
  sync(channelId: string, options?: RequestOptions): Promise<TemplateSync>;
}

export interface WebhooksResource {
  /** List the institution's webhooks. GET /v1/webhooks */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Webhook, WebhookList>;
  /** Create a webhook. POST /v1/webhooks */
  create(body: CreateWebhookRequest, options?: RequestOptions): Promise<CreatedWebhookResult>;
  /** Get a webhook. GET /v1/webhooks/{id} */
  get(id: string, options?: RequestOptions): Promise<WebhookResult>;
  /** Change a webhook. PATCH /v1/webhooks/{id} */
  update(id: string, body: UpdateWebhookRequest, options?: RequestOptions): Promise<WebhookResult>;
  /** Change a webhook, as PATCH does. PUT /v1/webhooks/{id} */
  replace(id: string, body: ReplaceWebhookRequest, options?: RequestOptions): Promise<WebhookResult>;
  /** Delete a webhook. DELETE /v1/webhooks/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** List the attempts to deliver, newest first. GET /v1/webhooks/{id}/logs */
  listLogs(id: string, query?: ListWebhookLogsQuery, options?: RequestOptions): Pages<WebhookLog, WebhookLogPage>;
  /** Try all waiting deliveries of a webhook now. POST /v1/webhooks/{id}/retry */
  retry(id: string, options?: RequestOptions): Promise<WebhookRetryResult>;
  /** Send a sample event to a webhook. POST /v1/webhooks/{id}/test */
  test(id: string, body?: TestWebhook, options?: RequestOptions): Promise<TestedWebhook>;
}

export abstract class PlatformResources {
  declare readonly apiKeys: ApiKeysResource;
  declare readonly auth: AuthResource;
  declare readonly bulk: BulkResource;
  declare readonly businessHours: BusinessHoursResource;
  declare readonly channels: ChannelsResource;
  declare readonly contacts: ContactsResource;
  declare readonly conversations: ConversationsResource;
  declare readonly institutions: InstitutionsResource;
  declare readonly messages: MessagesResource;
  declare readonly sandbox: SandboxResource;
  declare readonly templates: TemplatesResource;
  declare readonly webhooks: WebhooksResource;
}

export const PLATFORM_ROUTES =
  "apiKeys;create Pb 0/v1/api-keys;list Gl 2;revoke D 2/*|auth;acceptInvitation Pb 1/auth/accept-invitation;changePassword Pb 2/change-password;deleteUser Pb 2/delete-user;forgotPassword Pb 2/forgot-password;listInstitutions Gl 2/institutions;join Pb 2/join;login Pb 2/login;register Pb 2/register;requestVerification P 2/request-verification;resetPassword Pb 2/reset-password;selectInstitution Pb 2/select-institution;listSessions Gl 2/sessions;endSession D 3/*;verifyEmail Pb 2/verify-email|bulk;create Pb 1/bulk;list Gl 2;forecast Pb 2/forecast;validateNumbers Pb 2/validate;get G 2/*;cancel P 3/cancel;pause P 3/pause;addRecipients Pb 3/recipients;listRecipients Gl 4;resume P 3/resume|businessHours;get G 1/business-hours;set Ub 2|channels;listTypes Gl 1/channel-types;create Pb 1/channels;list Gl 2;get G 2/*;delete D 3;connect P 3/connect;setCredentials Ub 3/credentials;disconnect P 3/disconnect|contacts;create Pb 1/contacts;list Gl 2;get G 2/*;update Hb 3;delete D 3;optOut U 3/opt-out;optIn D 4|conversations;list Gl 1/conversations;get G 2/*;assign Pb 3/assign;close P 3/close;transfer Pb 3/transfer|institutions;getAccount G 1/account;create Pb 1/institutions;joinAccount Pb 2/*/accounts;createGatewayKey Pb 3/gateway-keys;listGatewayKeys Gl 4;revokeGatewayKey D 4/*;withdrawInvitation D 3/invitations/*;addMember Pb 3/members;listMembers Gl 4;changeMemberRole Hb 4/*;removeMember D 5|messages;sendAudio Pb 1/channels/*/messages/audio;sendContact Pb 4/contact;sendDocument Pb 4/document;sendImage Pb 4/image;sendPix Pb 4/pix;sendTemplate Pb 4/template;sendText Pb 4/text;sendVideo Pb 4/video;list Gl 1/conversations/*/messages;get G 1/messages/*;getMedia Gf 3/media|sandbox;simulateConnect Pb 1/sandbox/channels/*/connect;simulateDisconnect P 4/disconnect;simulateMessage Pb 4/messages;simulateStatus Pb 2/messages/*/status|templates;list Gl 1/channels/*/templates;sync P 4/sync|webhooks;list Gl 1/webhooks;create Pb 2;get G 2/*;update Hb 3;replace Ub 3;delete D 3;listLogs Gl 3/logs;retry P 3/retry;test Pb 3/test";
