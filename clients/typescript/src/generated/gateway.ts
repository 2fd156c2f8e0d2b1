// Written by npm run clients from the description of the gateway API. Do not edit.
import type { RequestOptions, Upload } from "../http.ts";
import type { Pages } from "../pages.ts";

export type AcceptCallRequest = {
  /** The WebRTC answer of your side */
  sdpAnswer: string;
};

export type AcceptGroupInvitationRequest = {
  /** The phone that joins */
  phoneId: string;
};

export type AcceptedMessage = {
  /** The message, for `GET /v1/messages/{id}` */
  messageId: string;
  /** The message waits to be sent */
  status: "QUEUED";
};

export type AcceptedPasskey = {
  /** The network checks the passkey */
  status: "accepted";
};

export type Account = {
  /** The account's id */
  id: string;
  /** The name of the business */
  name: string;
  /** ACTIVE, CANCELLED, INACTIVE or SUSPENDED */
  status: string;
  /** The stage of the account's late payment */
  dunningStage: AccountDunningStage;
  /** The plan that sets the prices */
  planCode: string;
  /** Where invoices and reminders go; null sends none */
  billingEmail: string | null;
  /** Percent on the network's charge; null is the server's default */
  wabaMarkupPct: number | null;
  /** The institution that took the account over; absent if no institution did */
  joinedInto?: string;
  /** When the account was created */
  createdAt: string;
  /** When the account last changed */
  updatedAt: string;
};

export type AccountAuditEntry = {
  /** The number of the entry */
  id: string;
  /** When it was done */
  at: string;
  /** `admin`, `local` (a command on the server's machine), `setup-link`, `system`, `operator:<id>`, `user:<id>` or `key:<id>` */
  actor: string;
  /** The person or the key, as it is called now; null without one */
  actorName: string | null;
  /** The act, such as account.change */
  action: string;
  /** The changed object: an id, or a name; null without one */
  target: string | null;
  /** The name of the changed object now; null without a name */
  targetName: string | null;
  /** The account or institution concerned; null for the server as a whole */
  tenantId: string | null;
  /** The account, as it is called now; null without one */
  tenantName: string | null;
  /** The details, by kind of act */
  details: Record<string, unknown>;
};

export type AccountAuditEntryPage = {
  /** The entries of this page, in the order of the list */
  items: AccountAuditEntry[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type AccountDunningStage = "NONE" | "WARNING" | "CRITICAL" | "SUSPENDED";

/** The key of this request; for a person in the console, a key with their rights */
export type AccountKey = {
  /** The key's id */
  id: string;
  /** The account's name for the key */
  name: string;
  /** The beginning of the key, by which a person recognises it */
  prefix: string;
  /** The permissions of the key or the app */
  scopes: string[];
  /** The scopes that limit the key; null for a key that may do everything */
  limitedTo: string[] | null;
  /** The key reads, and changes nothing */
  readOnly: boolean;
  /** Empty for a key that may be used from anywhere */
  allowedAddresses: string[];
  /** When the key stops working; null means never */
  expiresAt: string | null;
  /** When the key was last used; null before */
  lastUsedAt: string | null;
  /** When the key was created */
  createdAt: string;
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

export type AccountPlan = {
  /** The plan's short name */
  code: string;
  /** How the plan bills: pay_as_you_go, flat, free_tier or custom */
  kind: string;
  /** The currency of the plan's prices: BRL */
  currency: string;
  /** Cents of BRL a month */
  monthlyFeeCents: number;
  /** Cents of BRL for each phone and month */
  perPhoneMonthCents: number;
  /** Cents of BRL for each message sent */
  perMessageCents: number;
  /** Messages of a month that the fee includes */
  includedMessages: number;
  /** The price of each message beyond the included messages */
  overageCents: number;
};

/** The requests that the account has left in this minute */
export type AccountRate = {
  /** How many are allowed until `resetsAt` */
  limit: number;
  /** How many are left */
  left: number;
  /** When the count begins anew */
  resetsAt: string;
};

export type AccountRates = {
  /** All requests of the account */
  requestsPerMinute: AccountRate;
  /** Requests that send messages */
  sendsPerMinute: AccountRate;
};

export type Adapter = {
  /** The name of the adapter, and of its folder */
  name: string;
  /** Whether its channels are served */
  state: AdapterState;
  /** Why it is not usable; null if it is */
  fault: string | null;
  /** Its own version; null while it is unusable */
  version: string | null;
  /** Who made it; null if it does not say */
  author: string | null;
  /** Where it is described; null if it does not say */
  homepage: string | null;
  /** The kind of its channels; null if it has named none */
  kind: string | null;
  /** What people call such a channel; null while it is unusable */
  label: string | null;
  /** The contract that it needs; null while it is unusable */
  contract: string | null;
  /** The hosts that it may ask through Recado; `*` is any */
  hosts: string[];
  /** The SHA-256 of its folder; null while it is unusable */
  sha256: string | null;
  /** What it declares in vain */
  warnings: string[];
  /** How often it broke its contract since the start */
  faults: number;
};

export type AdapterState = "usable" | "unusable";

/** Needs `url` if the source is URL, `text` if it is TEXT_INLINE, `objectKey` if it is OBJECT_FILE */
export type AddDocumentRequest = {
  /** Which of `url`, `text` and `objectKey` is given */
  source: DocumentSource;
  /** The account's name for the document */
  title?: string;
  /** A public HTTPS address of the document; for the source URL */
  url?: string;
  /** The text itself; for the source TEXT_INLINE */
  text?: string;
  /** The key of an uploaded file; for the source OBJECT_FILE */
  objectKey?: string;
  /** True: the agent may send the file to contacts, with the built-in tool `send_file`, and the file is kept; false by default, for the source OBJECT_FILE */
  sendable?: boolean;
};

export type AddGroupParticipantsResult = {
  /** `code` is the network's own number */
  participants: GroupPersonOutcome[];
};

export type AddedDocument = {
  /** The document's id */
  id: string;
  /** Which of `url`, `text` and `objectKey` is given */
  source: DocumentSource;
  /** The account's name for the document; null without a title */
  title: string | null;
  /** Whether answers already use the document */
  status: DocumentStatus;
  /** When the document was created */
  createdAt: string;
};

export type AddressContent = {
  /** The text above the form */
  text: string;
  /** The country whose form is shown; `BR` by default */
  country?: "BR" | "IN";
  /** Parts of an address that are filled in */
  values?: Record<string, string>;
  /** Addresses that the person can choose from */
  savedAddresses?: SavedAddress[];
};

export type Agent = {
  /** The agent's id */
  id: string;
  /** The phone that the agent answers on */
  phoneId: string;
  /** Who the agent is and how it answers */
  systemPrompt: string;
  /** The language model that answers */
  model: string;
  /** Whether the agent begins conversations; true by default */
  enabled: boolean;
  /** When the agent hands a conversation over to a person */
  handoffRules: AgentHandoffRules;
  /** How many last turns the model sees; 10 by default */
  contextWindowTurns: number;
  /** How many pieces of knowledge an answer may use; 4 by default */
  ragTopK: number;
  /** Days without a turn after which a conversation closes; 30 by default */
  conversationTtlDays: number;
  /** The text that is sent before the first answer to a contact; null sends nothing */
  greeting: string | null;
  /** Whether business hours apply to it */
  respectHours: boolean;
  /** Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the knowledge, look up the contact, set a tag of it, business hours */
  builtInTools: AgentBuiltInTool[];
  /** The text that is sent outside business hours, once per chat and day; null sends nothing */
  closedText: string | null;
  /** Whether its questions are asked again after each change */
  runTrialsOnChange?: boolean;
  /** Whether it reads what voice notes say, and answers them */
  transcribesVoice: boolean;
  /** Whether it answers a voice note by a voice note */
  speaks: boolean;
  /** The voice of its voice notes, by the provider's name; null: `alloy` */
  voice: string | null;
  /** Which files of contacts the agent reads */
  sees: AgentSees;
  /** How many tokens the agent may use */
  budget: AgentBudget;
  /** When the agent was created */
  createdAt: string;
  /** When the agent last changed */
  updatedAt: string;
};

export type AgentBudget = {
  /** Tokens per UTC day for one contact */
  dailyTokensPerContact: number;
  /** Tokens per UTC day for all contacts together */
  dailyTokens: number;
};

export type AgentBudgetExhausted = {
  /** Whose budget is used up */
  budget: "contact" | "agent" | "account";
  /** The agent's conversation; null if the whole account's budget is used up */
  conversationId: string | null;
  /** The contact's canonical key; null if the whole account's budget is used up */
  contactKey: string | null;
  /** How many tokens the budget has per UTC day */
  dailyTokens: number;
  /** Tokens that were used since midnight in UTC */
  usedTokens: number;
  /** When the count begins anew */
  resetsAt: string;
};

export type AgentBudgetExhaustedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "agent:budget_exhausted";
  /** What happened */
  data: AgentBudgetExhausted;
};

export type AgentBuiltInTool = "hand_over" | "send_template" | "send_file" | "look_up_contact" | "set_tag" | "business_hours";

export type AgentDocumentChange = {
  /** The document of the agent */
  documentId: string;
  /** The title of the document; null without one */
  title: string | null;
  /** READY: it is learnt and answers use it */
  status: "READY" | "FAILED";
  /** Into how many pieces it was cut */
  chunkCount: number;
  /** A code and a few words; null once the document is learnt */
  errorReason: string | null;
};

export type AgentDocumentEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "agent:document";
  /** What happened */
  data: AgentDocumentChange;
};

export type AgentHandoff = {
  /** The agent's conversation */
  conversationId: string;
  /** The contact's canonical key */
  contactKey: string;
  /** Why the agent hands over */
  reason: string;
  /** A person asked for it, not the agent */
  manual: boolean;
  /** How many turns it has */
  turnCount: number;
  /** When a person took the conversation over */
  handoffAt: string;
};

export type AgentHandoffEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "agent:handoff";
  /** What happened */
  data: AgentHandoff;
};

export type AgentHandoffRules = {
  /** Words that hand the conversation over when the last message has one of them */
  keywords: string[];
  /** How many turns hand the conversation over; null means never */
  afterTurns: number | null;
};

export type AgentPassage = {
  /** The passage's id */
  id: string;
  /** The document of the agent */
  documentId: string;
  /** The title of the document; null without one */
  title: string | null;
  /** The text of the passage */
  text: string;
  /** How close the passage is to the question: 1 is the same, 0 has nothing in common */
  similarity: number;
};

export type AgentReply = {
  /** The answer that the agent would give */
  reply: string;
  /** The language model that answered */
  model: string;
  /** The tokens that the answer cost */
  usage: TokenUsage;
  /** The passages of documents that the prompt had; absent without `withKnowledge` */
  passages?: AgentPassage[];
  /** The calls of tools for this answer, in the order of time; absent without calls */
  toolCalls?: TriedToolCall[];
};

export type AgentRequest = {
  /** Who the agent is and how it answers */
  systemPrompt: string;
  /** Any model of the provider that completes chats; the account's default if absent */
  model?: string;
  /** Whether the agent begins conversations; true by default */
  enabled?: boolean;
  /** When the agent hands a conversation over to a person */
  handoffRules?: AgentRequestHandoffRules;
  /** How many last turns the model sees; 10 by default */
  contextWindowTurns?: number;
  /** How many pieces of knowledge an answer may use; 4 by default, 0 uses none */
  ragTopK?: number;
  /** Days without a turn after which a conversation closes; 30 by default */
  conversationTtlDays?: number;
  /** Sent before the first answer to a contact; null: none */
  greeting?: string | null;
  /** True: messages outside business hours get `closedText` or no answer; false by default */
  respectHours?: boolean;
  /** Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the knowledge, look up the contact, set a tag of it, business hours; none by default */
  builtInTools?: AgentBuiltInTool[];
  /** The text that is sent outside business hours, once per chat and day, with `respectHours`; null sends nothing */
  closedText?: string | null;
  /** True: the agent's questions are asked again a minute after the last change of its instructions, model or knowledge, at most 10 times per UTC day; false by default */
  runTrialsOnChange?: boolean;
  /** True: the agent reads what voice notes say, and answers them, also where the phone's `transcribeVoice` is `off`; false by default */
  transcribesVoice?: boolean;
  /** True: it answers a voice note by a voice note; false by default */
  speaks?: boolean;
  /** The voice of its voice notes, by the provider's name; null: `alloy` */
  voice?: string | null;
  /** Which files of contacts the agent reads */
  sees?: AgentRequestSees;
  /** How many tokens the agent may use */
  budget?: AgentRequestBudget;
};

/** Tokens that the agent may use per UTC day, for one contact and in all; the server's default if none is given. Beyond the budget no call is made, and agent:budget_exhausted is published */
export type AgentRequestBudget = {
  /** Tokens per UTC day for one contact; null is the server's default */
  dailyTokensPerContact?: number | null;
  /** Tokens per UTC day in all; null is the server's default */
  dailyTokens?: number | null;
};

export type AgentRequestHandoffRules = {
  /** Words that hand the conversation over when the last message has one of them */
  keywords?: string[];
  /** How many turns hand the conversation over; null means never */
  afterTurns?: number | null;
};

export type AgentRequestSees = {
  /** True: its model is shown pictures; false by default */
  images?: boolean;
  /** True: its model is given the text of documents; false by default */
  documents?: boolean;
};

export type AgentSees = {
  /** Whether its model is shown pictures */
  images: boolean;
  /** Whether its model is given the text of documents */
  documents: boolean;
};

export type AgentTool = {
  /** The tool's id */
  id: string;
  /** The phone of the agent */
  phoneId: string;
  /** The name that the model calls */
  name: string;
  /** What the tool does, for the model */
  description: string;
  /** The JSON schema of the arguments */
  parameters: Record<string, unknown>;
  /** The address that takes the calls */
  url: string;
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers: Record<string, string>;
  /** When the tool was created */
  createdAt: string;
  /** When the tool last changed */
  updatedAt: string;
};

export type AgentToolCall = {
  /** The call's id */
  id: string;
  /** The name of the tool */
  tool: string;
  /** HTTP: a tool of the account; BUILT_IN: Recado's */
  kind: AgentToolKind;
  /** The arguments as JSON */
  arguments: string;
  /** What the model was told */
  answer: string;
  /** The status of the answer; null without one */
  httpStatus: number | null;
  /** How long the call took, in milliseconds */
  durationMs: number;
  /** ANSWERED: it did its work; REFUSED: it was not carried out; FAILED: nobody knows more */
  outcome: AgentToolOutcome;
  /** When the call ended */
  createdAt: string;
};

export type AgentToolKind = "HTTP" | "BUILT_IN";

export type AgentToolOutcome = "ANSWERED" | "REFUSED" | "FAILED";

export type AgentToolReplacement = {
  /** The name that the model calls: letters, digits, `_` and `-`; unique among the agent's tools */
  name: string;
  /** What the tool does and when to call it, for the model */
  description: string;
  /** The JSON schema of the arguments: an object of at most 50 fields and 8 KiB, without `format`, `pattern`, `anyOf` and `$ref` */
  parameters: Record<string, unknown>;
  /** The public HTTPS address that takes the calls; redirects are not followed */
  url: string;
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** The key of the HMAC signature; absent: it stays */
  secret?: string;
};

export type AgentToolRequest = {
  /** The name that the model calls: letters, digits, `_` and `-`; unique among the agent's tools */
  name: string;
  /** What the tool does and when to call it, for the model */
  description: string;
  /** The JSON schema of the arguments: an object of at most 50 fields and 8 KiB, without `format`, `pattern`, `anyOf` and `$ref` */
  parameters: Record<string, unknown>;
  /** The public HTTPS address that takes the calls; redirects are not followed */
  url: string;
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** The key of the HMAC signature */
  secret: string;
};

export type AgentToolTest = {
  /** The arguments of the call, of the tool's schema */
  arguments: Record<string, unknown>;
};

export type AgentToolTestResult = {
  /** The id of the call, as its headers had it */
  callId: string;
  /** ANSWERED: it did its work; REFUSED: it was not carried out; FAILED: nobody knows more */
  outcome: AgentToolOutcome;
  /** The status of the answer; null without one */
  httpStatus: number | null;
  /** What a model would be told */
  answer: string;
  /** How long the call took, in milliseconds */
  durationMs: number;
};

export type AgentWorsened = {
  /** The run of the agent's questions, as `GET /v1/phones/{id}/ai-agent/trials/runs` lists it */
  runId: string;
  /** The earlier run in which these answers were right */
  comparedWith: string;
  /** What began the run: a request, or a change of the agent or of its knowledge */
  cause: TrialCause;
  /** All questions of the run */
  questionCount: number;
  /** Answers that are as expected */
  passedCount: number;
  /** Answers that were right in the earlier run, and are not now */
  brokenCount: number;
  /** Their questions, 10 at most */
  broken: BrokenTrial[];
};

export type AgentWorsenedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "agent:worsened";
  /** What happened */
  data: AgentWorsened;
};

export type AiConversation = {
  /** The conversation's id */
  id: string;
  /** The contact's canonical key */
  contactKey: string;
  /** The party that answers: the agent, a person or nobody */
  status: AiConversationStatus;
  /** How many turns it has */
  turnCount: number;
  /** Why a person took the conversation over; null before */
  handoffReason: string | null;
  /** When a person took it over; null before */
  handoffAt: string | null;
  /** When the last turn was written; null before the first turn */
  lastTurnAt: string | null;
  /** When the conversation was closed; null while it is open */
  closedAt: string | null;
  /** When the conversation was created */
  createdAt: string;
  /** The other app that leads the conversation; null if none does */
  heldBy?: Holder | null;
};

export type AiConversationPage = {
  /** The entries of this page, in the order of the list */
  items: AiConversation[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type AiConversationStatus = "AI" | "HUMAN_HANDOFF" | "CLOSED";

export type AiTurn = {
  /** The turn's id */
  id: string;
  /** The conversation of the turn */
  conversationId: string;
  /** USER: the contact; ASSISTANT: the agent; HUMAN: a person of the account */
  role: "USER" | "ASSISTANT" | "HUMAN";
  /** The text of the turn; empty once its message was deleted for everyone */
  content: string;
  /** The approximate number of tokens in the turn */
  tokensEstimate: number;
  /** When the turn was written */
  createdAt: string;
  /** The network's own id of the incoming message; null or absent for other turns */
  chatMessageId?: string | null;
  /** The message of the turn; null if the turn has none */
  messageId?: string | null;
  /** The agent's message that was sent; null for others */
  sentMessageId?: string | null;
  /** Why the agent gave no answer to the turn, in the provider's words; absent if it did or need not */
  unansweredReason?: string;
  /** The calls of tools for the answer to this turn, in the order of time; absent without calls */
  toolCalls?: AgentToolCall[];
  /** The pieces of knowledge that the answer used */
  retrievedChunkIds?: string[];
  /** The same pieces with their documents, the nearest first */
  passages?: UsedPassage[];
};

/** Files of one album have the same id, and so have the contents of a message that had several */
export type Album = {
  /** The id of the album */
  id: string;
};

export type AlertWays = {
  /** The operator gets a mail */
  mail: boolean;
  /** The server sends a request to an address */
  url: boolean;
  /** A Telegram bot writes to the operator */
  telegram: boolean;
};

export type Amount = {
  /** The sum in hundredths of BRL */
  value: number;
  /** Always 100: `value` is in hundredths */
  offset?: 100;
};

/** As the body of a send, without phone and recipient */
export type AnswerChat = {
  /** The type of the answer, which decides what `content` has */
  type: MessageType;
  /** The content of the message; its fields depend on `type` */
  content: Record<string, unknown>;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

/** While the window is closed, the network takes only templates */
export type AnswerWindow = {
  /** Whether free answers are allowed now */
  isOpen: boolean;
  /** When the window ends; null if the person has never written */
  endsAt: string | null;
};

export type ApiKey = {
  /** The key's id */
  id: string;
  /** The account that the key opens */
  accountId: string;
  /** The account's name for the key */
  name: string;
  /** The beginning of the key, to recognise it */
  prefix: string;
  /** The permissions of the key or the app */
  scopes: string[];
  /** The scopes that limit the key; null for a key that may do everything */
  limitedTo: string[] | null;
  /** The key reads, and changes nothing */
  readOnly: boolean;
  /** IP addresses and CIDRs that may use the key; empty means everywhere */
  allowedAddresses: string[];
  /** When the key stops working; null means never */
  expiresAt: string | null;
  /** When the key was last used; null before */
  lastUsedAt: string | null;
  /** When the key was revoked; null while the key is valid */
  revokedAt: string | null;
  /** When the key was created */
  createdAt: string;
};

export type ApiKeyPage = {
  /** The entries of this page, in the order of the list */
  items: ApiKey[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ApproveGroupJoinRequestsResult = {
  /** True, even if `failed` names some requests */
  success: boolean;
  /** Ids of the requests that were approved */
  approved: string[];
  /** Requests that the network did not carry out, and why */
  failed: FailedJoinRequest[];
};

export type AssignChat = {
  /** A member of the account's institution; null removes the assignment */
  userId: string | null;
  /** A note for the new assignee; without a note the earlier note stays */
  note?: string;
};

export type AttemptStatus = "DELIVERED" | "FAILED";

export type AudioContent = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The handle of an uploaded file, in place of `mediaUrl` */
  mediaHandle?: string;
  /** The media type; the file's own by default */
  mimeType?: string;
  /** Whether it plays as a voice note; false by default */
  ptt?: boolean;
  /** How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a template */
  tag?: TextContentTag;
  /** Whether a voice note (`ptt`) can be played once only, if the network has that; false by default */
  viewOnce?: boolean;
};

export type AuditEntry = {
  /** The number of the entry */
  id: string;
  /** When it was done */
  at: string;
  /** `admin`, `local` (a command on the server's machine), `setup-link`, `system`, `operator:<id>`, `user:<id>` or `key:<id>` */
  actor: string;
  /** The person or the key, as it is called now; null without one */
  actorName: string | null;
  /** The act, such as account.change */
  action: string;
  /** The changed object: an id, or a name; null without one */
  target: string | null;
  /** The name of the changed object now; null without a name */
  targetName: string | null;
  /** The account or institution concerned; null for the server as a whole */
  tenantId: string | null;
  /** The account, as it is called now; null without one */
  tenantName: string | null;
  /** The details, by kind of act */
  details: Record<string, unknown>;
  /** SHA-256 over this entry and the hash of the one before it */
  hash: string;
};

export type AuditEntryPage = {
  /** The entries of this page, in the order of the list */
  items: AuditEntry[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type BackupProgress = {
  /** When this backup began */
  startedAt: string;
  /** How much of the database was copied; the copy is checked after that */
  copiedBytes: number;
  /** The size of the database; null if it is on a server */
  totalBytes: number | null;
};

export type BackupTry = {
  /** When it began */
  at: string;
  /** False for an attempt that failed */
  isMade: boolean;
  /** The name of the file; null for a failed attempt */
  name: string | null;
  /** Null for a failed try */
  sizeBytes: number | null;
  /** How long it took, in milliseconds; null for a failed attempt */
  durationMs: number | null;
  /** Why it failed; null if it did not */
  error: string | null;
  /** A problem that did not prevent it; null without one */
  warning: string | null;
};

export type Backups = {
  /** Whether `RECADO_BACKUP` is set */
  isConfigured: boolean;
  /** Where they are stored; null while `RECADO_BACKUP` is not set */
  place: string | null;
  /** The times of the backups, as in a crontab, in UTC; null if none is scheduled */
  schedule: string | null;
  /** How many backups are kept; null while `RECADO_BACKUP` is not set */
  keep: number | null;
  /** Whether they are encrypted under the master key */
  isEncrypted: boolean;
  /** Whether a backup is being made now */
  isRunning: boolean;
  /** The progress of the backup; null while this process makes none */
  progress: BackupProgress | null;
  /** The last try; null before the first */
  last: BackupTry | null;
  /** The last backup that was made; null before the first */
  lastMade: BackupTry | null;
  /** Why the stored backups could not be listed; null if they could */
  fault: string | null;
  /** The stored backups */
  items: StoredBackup[];
};

export type BeginHistoryImportRequest = {
  /** The account or institution that has the phone */
  accountId: string;
  /** The id of a phone that was linked before, or a number that one phone of the account has */
  phone: string;
  /** The program that has written the rows: `evolution` or `waha` */
  format: string;
  /** The same for the same source, so that an interrupted import goes on: a hash without secrets */
  source: string;
  /** The same for all imports that are undone together; rows are for the import that was begun last */
  run: string;
};

export type BillingInvoiceFailedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "billing:invoice.failed";
  /** What happened */
  data: InvoiceFailed;
};

export type BillingInvoicePaidEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "billing:invoice.paid";
  /** What happened */
  data: InvoicePaid;
};

export type BlockList = {
  /** Every person whom the phone blocks */
  items: BlockedContact[];
};

export type BlockedContact = {
  /** The person's key on this network, whatever the number */
  canonicalKey: string;
};

export type BrokenTrial = {
  /** The question, as the set had it */
  question: string;
  /** The facts that the answer has not */
  missing: string[];
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

export type BusinessProfile = {
  /** The line beside the name; null without one */
  about: string | null;
  /** The postal address; null without one */
  address: string | null;
  /** The description of the business; null without a text */
  description: string | null;
  /** The e-mail address for customers; null without one */
  email: string | null;
  /** The line of business, in the network's word; null without one */
  vertical: string | null;
  /** The addresses of the business's pages */
  websites: string[];
  /** The address of the picture; null without one */
  profilePictureUrl: string | null;
};

export type ButtonContent = {
  /** The text above the buttons */
  text: string;
  /** A line of small print */
  footer?: string;
  /** A text or a file above the body */
  header?: MenuHeader;
  /** Each with an `id` of its own */
  buttons: ReplyButton[];
};

export type CachedLookup = {
  /** The lookup, for `GET /v1/lookup/{taskId}` */
  taskId: string;
  /** Every number was known already */
  status: "completed";
  /** All numbers were known */
  cached: true;
};

export type Call = {
  /** The call's id */
  id: string;
  /** The account that the phone belongs to */
  accountId: string;
  /** The phone of the call */
  phoneId: string;
  /** The network's id; null before it has one */
  upstreamCallId: string | null;
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction: CallDirection;
  /** The progress of the call */
  status: CallStatus;
  /** The other person's number or id */
  peer: string;
  /** When it began; null before */
  startedAt: string | null;
  /** When it was taken; null before */
  acceptedAt: string | null;
  /** When it ended; null before */
  endedAt: string | null;
  /** Seconds of talk; null before the end */
  durationSeconds: number | null;
  /** Why the call ended; null if no reason is known */
  endReason: string | null;
  /** The WebRTC offer of an incoming call while it rings; null otherwise */
  sdpOffer: string | null;
  /** The kept sound; null without one */
  recording: CallRecording | null;
  /** When the call was placed or came in */
  createdAt: string;
  /** When the call last changed */
  updatedAt: string;
};

export type CallAcceptedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:accepted";
  /** What happened */
  data: CallChange;
};

export type CallChange = {
  /** The call, as `GET /v1/calls/{id}` answers it */
  callId: string;
  /** The network's id; null before it has one */
  upstreamCallId: string | null;
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction: CallDirection;
  /** The progress of the call */
  status: CallStatus;
  /** The person who calls a session; absent once it no longer rings */
  from?: Peer;
  /** Whether the call that rings has video; only of sessions */
  isVideo?: boolean;
  /** The group that is called; absent for a call to one person */
  group?: string;
  /** Why the call ended */
  reason?: string;
  /** The other side's WebRTC answer */
  sdpAnswer?: string;
  /** How many seconds the people talked */
  durationSeconds?: number;
};

export type CallCompletedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:completed";
  /** What happened */
  data: CallChange;
};

export type CallDirection = "INBOUND" | "OUTBOUND";

export type CallFailedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:failed";
  /** What happened */
  data: CallChange;
};

export type CallInProgressEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:in_progress";
  /** What happened */
  data: CallChange;
};

export type CallLink = {
  /** Who opens it in WhatsApp joins the call */
  url: string;
};

export type CallMissedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:missed";
  /** What happened */
  data: CallChange;
};

export type CallOffer = {
  /** The call, as `GET /v1/calls/{id}` answers it */
  callId: string;
  /** The network's id of the call */
  upstreamCallId: string;
  /** The person who calls */
  from: Peer;
  /** The caller's WebRTC offer */
  sdpOffer: string;
  /** The call can be accepted until this time */
  expiresAt: string;
};

export type CallOfferEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:offer";
  /** What happened */
  data: CallOffer;
};

export type CallPage = {
  /** The entries of this page, in the order of the list */
  items: Call[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type CallPermission = {
  /** The phone that wants to call */
  phoneId: string;
  /** The person who may be called */
  to: string;
  /** Whether the person may be called now */
  granted: boolean;
  /** When the person allowed it; null before */
  grantedAt: string | null;
  /** Null: without an end, or never granted */
  expiresAt: string | null;
};

export type CallRecording = {
  /** The key of the stored file */
  objectKey: string;
  /** The size of the recording in bytes */
  sizeBytes: number;
  /** The media type of the recording */
  contentType: string;
};

export type CallRejectedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:rejected";
  /** What happened */
  data: CallChange;
};

export type CallRingingEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "call:ringing";
  /** What happened */
  data: CallChange;
};

export type CallStatus = "RINGING" | "ACCEPTED" | "IN_PROGRESS" | "COMPLETED" | "REJECTED" | "MISSED" | "FAILED";

export type CannedReply = {
  /** The canned reply's id */
  id: string;
  /** What people type after `/`, in lower case */
  shortcut: string;
  /** The text, with its variables */
  text: string;
  /** Whether everybody in the account has it */
  shared: boolean;
  /** The person or key that made it */
  createdBy: SentBy;
  /** When the canned reply was created */
  createdAt: string;
  /** When it last changed */
  updatedAt: string;
};

export type CannedReplyPage = {
  /** The entries of this page, in the order of the list */
  items: CannedReply[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type Card = {
  /** The file above the card's text */
  header: CardHeader;
  /** The text of the card; 1 to 160 characters */
  text: string;
  /** A line of small print */
  footer?: string;
  /** Each reply with an `id` of its own */
  buttons: CardButton[];
};

export type CardButton = {
  /** `reply` needs `id`, `url` needs `url`, `copy` needs `code` */
  type: CardButtonType;
  /** The text of the button; 1 to 25 characters */
  text: string;
  /** The value that comes back with the answer */
  id?: string;
  /** The page that the button opens */
  url?: string;
  /** The code that the button copies */
  code?: string;
};

export type CardButtonType = "reply" | "url" | "copy";

export type CardHeader = {
  /** The kind of file */
  type: CardHeaderType;
  /** A public HTTPS address of the file */
  mediaUrl: string;
};

export type CardHeaderType = "image" | "video";

export type CarouselContent = {
  /** The text above the cards */
  text: string;
  /** A line of small print */
  footer?: string;
  /** The cards, in their order */
  cards: Card[];
};

export type CatalogCollection = {
  /** The network's id of the collection */
  id: string;
  /** The name of the collection; null without one */
  name: string | null;
  /** The network's review, in its word; null if it names none */
  status: string | null;
  /** The first products of it, at most `limit` */
  products: CatalogProduct[];
};

export type CatalogCollections = {
  /** The collections, at most `limit` */
  items: CatalogCollection[];
};

export type CatalogOrder = {
  /** What the whole order costs; null if the network does not say it */
  total: CatalogPrice | null;
  /** The ordered products */
  items: OrderedProduct[];
};

export type CatalogPrice = {
  /** In units of the currency */
  amount: number;
  /** The currency, by ISO 4217 */
  currency: string;
};

export type CatalogProduct = {
  /** The network's id of the product */
  id: string;
  /** The seller's own id of it; null without one */
  retailerId: string | null;
  /** The name of the product; null without one */
  name: string | null;
  /** What the seller says of it; null without a text */
  description: string | null;
  /** The price of one piece; null if none is named */
  price: CatalogPrice | null;
  /** The seller's page of it; null without one */
  url: string | null;
  /** The address of its picture, for some days; null without one */
  imageUrl: string | null;
  /** In the network's word; null if it names none */
  availability: string | null;
  /** The network's review, in its word; null if it names none */
  reviewStatus: string | null;
  /** Whether customers do not see it */
  isHidden: boolean;
};

export type CatalogProductPage = {
  /** The products of this page */
  items: CatalogProduct[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ChangeCannedReply = {
  /** What people type after `/` to insert it: letters, digits, _ and -; case does not matter */
  shortcut?: string;
  /** The text, perhaps with variables such as `{{contact.firstName}}`, which the console fills in */
  text?: string;
  /** Whether everybody in the account has it, by default true; false: the person who asks. A key has shared ones alone */
  shared?: boolean;
};

export type ChangeChat = {
  /** An archived chat is not pinned any more */
  archived?: boolean;
  /** The app shows pinned chats first */
  pinned?: boolean;
  /** True mutes without an end; false ends the mute */
  muted?: boolean;
  /** Mutes until this time; null ends the mute. Not beside `muted` */
  mutedUntil?: string | null;
  /** The mark of the app; it changes no `unreadCount` */
  markedUnread?: boolean;
};

export type ChangeContact = {
  /** The name that the account's people use for the contact */
  name?: string;
  /** The contact's e-mail address; null removes it */
  email?: string | null;
  /** Words for finding the contact; they replace those before */
  tags?: string[];
  /** Your own data, at most 16 KB */
  metadata?: Record<string, unknown>;
};

export type ChangeConversationControlRequest = {
  /** Whether the lead is passed on, taken or given back; `pass` needs `targetRole` */
  action: "pass" | "take" | "release";
  /** The role that gets the lead; only for `pass` */
  targetRole?: string;
  /** A text for the app that leads the conversation next */
  metadata?: string;
};

export type ChangeLabel = {
  /** The name of the label */
  name?: string;
  /** The place in the palette of the app, from 0 to 19 */
  color?: number;
};

export type ChangeOwnProfileRequest = {
  /** The name that people see; at most 25 characters */
  name?: string;
  /** The line beside the name; at most 139 characters */
  about?: string;
  /** One of `mediaUrl` and `base64`; null removes it */
  picture?: Picture | null;
};

export type ChangedLabel = {
  /** The label's id */
  id: string;
  /** The name of the label; empty while the app has not named it */
  name: string;
  /** The place in the palette of the app, from 0 to 19 */
  color: number;
};

export type ChargeState = "DUE" | "FREE" | "UNRATED" | "UNPRICED" | "STATED";

export type ChargedCounts = {
  /** Messages that were sent */
  sent: number;
  /** Messages of other people */
  received: number;
  /** How many, by category */
  conversations: Record<string, number>;
};

export type Chat = {
  /** The chat's id */
  id: string;
  /** The phone that has the chat */
  phoneId: string;
  /** The other person; null for a chat with a group */
  contact: ChatContact | null;
  /** Whether the chat waits for an answer, is answered or closed */
  state: ChatState;
  /** The contact's messages since the chat was last answered or read */
  unreadCount: number;
  /** Who leads the chat: another app, the agent or a person */
  leader: ChatLeader;
  /** The other app that leads the conversation; null if none does */
  heldBy: Holder | null;
  /** The agent's share in the chat; null if no agent answers */
  agent: ChatAgent | null;
  /** The member of the account's institution who answers; null without one */
  assignedUserId: string | null;
  /** The member who answers, by name; null without one */
  assignee: ChatAssignee | null;
  /** The newest message; null if it is no longer kept */
  lastMessage: ChatMessagePreview | null;
  /** The network takes free answers until this time; null if it has no such limit */
  answerWindow: AnswerWindow | null;
  /** Whether the phone's own app has archived the chat */
  archived: boolean;
  /** Whether the phone's own app shows it first */
  pinned: boolean;
  /** Whether the phone's own app is silent about it */
  muted: boolean;
  /** The end of the mute; null without a mute, and for a mute without an end */
  mutedUntil: string | null;
  /** Whether the owner marked it as unread in the app */
  markedUnread: boolean;
  /** Its labels of WhatsApp Business */
  labels: ChatLabel[];
  /** The note of the last assignment; null without one */
  note: string | null;
  /** When the newest message was sent or came in */
  lastMessageAt: string;
  /** When the chat was created */
  createdAt: string;
  /** When it was closed; null while it is open */
  closedAt: string | null;
  /** The contact's first message that nobody has answered; null if none waits */
  waitingSince: string | null;
  /** When a snoozed chat comes back, unless the contact writes before; null if it is not snoozed */
  snoozedUntil: string | null;
};

/** The state of the phone's agent in the chat */
export type ChatAgent = {
  /** Whether the agent answers in this chat */
  status: AiConversationStatus;
  /** Why a person took the conversation over; null before */
  handoffReason: string | null;
  /** When a person took it over; null before */
  handoffAt: string | null;
};

export type ChatAnswering = {
  /** The chat, as `GET /v1/chats/{id}` answers it */
  conversationId: string;
  /** Who is writing an answer */
  by: SentBy;
  /** When the person wrote */
  timestamp: string;
};

export type ChatAnsweringEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "chat:answering";
  /** What happened */
  data: ChatAnswering;
};

export type ChatAssignee = {
  /** The member who answers */
  userId: string;
  /** The name of the member */
  name: string;
};

export type ChatAssignees = {
  /** Every member who can be assigned */
  items: PossibleAssignee[];
};

export type ChatChange = {
  /** The chat that changed */
  chat: Peer;
  /** What changed; the other fields have the state since then */
  changed: ChatChangeKind[];
  /** Whether the chat is archived in the app */
  archived: boolean;
  /** Whether the chat is pinned in the app */
  pinned: boolean;
  /** Whether the app is silent about the chat */
  muted: boolean;
  /** The end of the mute; null without a mute, and for a mute without an end */
  mutedUntil: string | null;
  /** Whether the owner marked the chat as unread */
  markedUnread: boolean;
  /** When it happened, as the network says */
  timestamp: string;
};

export type ChatChangeKind = "archived" | "pinned" | "muted" | "markedUnread" | "cleared" | "deleted";

export type ChatChangedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "chat:changed";
  /** What happened */
  data: ChatChange;
};

export type ChatContact = {
  /** The contact's id */
  id: string;
  /** The name of the contact; null while no name is known */
  name: string | null;
  /** Digits with country code; null if the network hides the number */
  phoneNumber: string | null;
  /** The recipient of a send to this person */
  canonicalKey: string;
  /** Since when the person wants no messages but answers; null if they want all */
  optedOutAt: string | null;
};

export type ChatCounts = {
  /** How many chats are open and not snoozed */
  open: number;
  /** Closed chats that are still stored */
  closed: number;
  /** Chats with unread messages, closed ones too */
  unread: number;
  /** Those of them without an assignee, among the 5,000 newest */
  unassigned: number;
  /** Those of them of the member in the query; 0 without a member */
  assigned: number;
  /** Chats that are snoozed now */
  snoozed: number;
};

export type ChatLabel = {
  /** The label's id, which the phone's app chose */
  id: string;
  /** The name of the label */
  name: string;
  /** The place in the palette of the app, from 0 to 19 */
  color: number;
};

export type ChatLabelledEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "chat:labelled";
  /** What happened */
  data: LabelledChat;
};

export type ChatLabels = {
  /** Every label that is known here */
  items: ChatLabel[];
};

export type ChatLeader = "app" | "agent" | "person";

export type ChatMessagePreview = {
  /** The message's id */
  id: string;
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction: WebhookDirection;
  /** The type of its content, as in a send or in message:received */
  type: string;
  /** The first 200 characters; null for a message without text, and for a deleted message */
  text: string | null;
  /** The progress of the message; RECEIVED for a message of another person */
  status: ListMessagesStatus;
  /** The person, key or program that sent it; null for a message of the contact, and if it was not recorded */
  sentBy: SentBy | null;
  /** When it was deleted; null before */
  deletedAt: string | null;
  /** When the message was sent or came in */
  createdAt: string;
};

export type ChatOperation = "archive" | "pin" | "mute" | "mark-unread" | "label" | "clear" | "delete";

export type ChatOperationFailedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "chat:operation_failed";
  /** What happened */
  data: FailedChatOperation;
};

export type ChatPage = {
  /** The entries of this page, in the order of the list */
  items: Chat[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ChatPerson = {
  /** The strongest identifier that is known, such as pn:5511999990001 */
  canonicalKey: string;
  /** The kind of that identifier */
  type: string;
  /** The number as a chat address, or as digits where the network is not WhatsApp; null if unknown */
  pn: string | null;
  /** The network's own id as a chat address; null if unknown */
  lid: string | null;
  /** The business-scoped user id; absent if unknown */
  bsuid?: string;
  /** The person's username on the network; absent if none is known */
  username?: string;
};

export type ChatRead = {
  /** The contact's messages since the chat was last answered or read */
  unreadCount: number;
  /** How many messages are marked as read at the network */
  receipts: number;
};

export type ChatRenamed = {
  /** The group, with its new address */
  chat: Peer;
  /** The same group, as it was called before */
  before: Peer;
  /** When it happened, as the network says */
  timestamp: string;
};

export type ChatRenamedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "chat:renamed";
  /** What happened */
  data: ChatRenamed;
};

export type ChatState = "OPEN" | "CLOSED";

export type ChatTimer = {
  /** After how many seconds messages disappear: a day, 7 days or 90 days; 0: they stay */
  seconds: number;
  /** When it was set; null if messages stay */
  setAt: string | null;
};

export type ChatUpdate = {
  /** The chat, as `GET /v1/chats/{id}` answers it */
  conversationId: string;
  /** The person of the chat; null after the contact's deletion */
  chat: Peer | null;
  /** What changed; the other fields have the state since then */
  changed: ChatWork[];
  /** Whether the chat is open */
  state: ChatState;
  /** The member who answers; null without one */
  assignee: EventAssignee | null;
  /** The contact's messages since the chat was last answered or read */
  unreadCount: number;
  /** When a snoozed chat comes back; null if it is not snoozed */
  snoozedUntil: string | null;
  /** Who did it; null if a rule or the time did */
  by: SentBy | null;
  /** When it happened */
  timestamp: string;
};

export type ChatUpdatedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "chat:updated";
  /** What happened */
  data: ChatUpdate;
};

export type ChatWork = "state" | "assignee" | "unread" | "snooze";

export type Chatwoot = {
  /** The webhook that carries what happens to Chatwoot */
  webhookId: string;
  /** The address of the Chatwoot, as people open it */
  url: string;
  /** Chatwoot's number of the account, as in the address of its pages */
  chatwootAccountId: number;
  /** Chatwoot's number of the inbox */
  inboxId: number;
  /** What agents read above the chats of the phone */
  inboxName: string;
  /** Whether Chatwoot takes what happens; IMPORTING while earlier messages come first */
  state: "IMPORTING" | "OK" | "FAILING" | "WAITING" | "PAUSED" | "DISABLED";
  /** How many changes are still to be brought to Chatwoot */
  waiting: number;
  /** How many changes were given up, up to 10,000 */
  lost: number;
  /** Why the last attempt failed, also of an import; null if it did not */
  lastError: string | null;
  /** The messages of how many days the last import took */
  importDays: number;
  /** How many messages it has looked at */
  imported: number;
  /** How many it has to look at; null before they are counted */
  toImport: number | null;
  /** How many of them Chatwoot refused for good */
  leftOut: number;
  /** Whether the person's messages are marked as read at the network once an agent answers, types, or has seen them; true in a new connection */
  markRead: boolean;
  /** Whether the person and the agents see that the other one types, as far as the network shows it; true in a new connection */
  typing: boolean;
  /** Whether messages of batches begin conversations. Otherwise the person's answer begins one, with the message before it; false in a new connection */
  batches: boolean;
};

export type ChatwootInput = {
  /** The address of the Chatwoot, as people open it */
  url: string;
  /** Chatwoot's number of the account, as in the address of its pages */
  chatwootAccountId: number;
  /** The access token of an administrator of that account; by default the stored one stays */
  token?: string;
  /** The name of the inbox, which is made if no API inbox has it; by default the phone's name */
  inboxName?: string;
  /** The messages of how many days are imported first, up to the newest 20,000; 0 by default */
  importDays?: number;
  /** Whether the person's messages are marked as read at the network once an agent answers, types, or has seen them; true in a new connection */
  markRead?: boolean;
  /** Whether the person and the agents see that the other one types, as far as the network shows it; true in a new connection */
  typing?: boolean;
  /** Whether messages of batches begin conversations. Otherwise the person's answer begins one, with the message before it; false in a new connection */
  batches?: boolean;
};

export type ChatwootReceived = {
  /** True: what was to be sent is stored */
  received: boolean;
};

export type CheckOutcome = "ok" | "warning" | "fault" | "skipped";

export type CheckState = "ok" | "error";

export type ClaimUsernameRequest = {
  /** 3 to 35 lower-case letters, digits, dots and underscores */
  username: string;
  /** Whether to take it from another number of the business */
  transfer?: boolean;
};

export type Classification = {
  /** The likeliest of the given ones */
  category: string;
  /** How sure the model is, from 0 to 1 */
  confidence: number;
  /** Other categories, likeliest first */
  alternatives: ClassificationAlternative[];
  /** Why, in the model's words */
  rationale: string;
  /** The language model that answered */
  model: string;
  /** The tokens that the answer cost */
  usage: TokenUsage;
};

export type ClassificationAlternative = {
  /** The likeliest of the given ones */
  category: string;
  /** How sure the model is, from 0 to 1 */
  confidence: number;
};

export type ClassifyRequest = {
  /** The text to classify; at most 8,000 characters */
  text: string;
  /** The choices */
  categories: string[];
  /** The language of the answer; pt_BR by default */
  language?: string;
};

export type ClientExpiring = {
  /** The version that this server speaks to the network */
  version: string;
  /** When the network ends the version; null if it names no end */
  expiresAt: string | null;
};

export type CloudApi = {
  /** The base URL of a program, without a version; null if the server has the API switched off */
  baseUrl: string | null;
  /** The phone number id of the Cloud API */
  phoneNumberId: string;
  /** The id of the WhatsApp Business account */
  businessAccountId: string;
  /** The number that programs see as the app's number */
  appId: string;
  /** The number as programs know it; null: the phone's own */
  displayPhoneNumber: string | null;
  /** Whether templates are sent as text on a phone whose network has no templates */
  templatesAsText: boolean;
};

export type CloudApiChanges = {
  /** The number that programs see, 5 to 15 digits; null shows the phone's own number */
  displayPhoneNumber?: string | null;
  /** Whether templates are sent as their text if the phone's network has no templates */
  templatesAsText?: boolean;
};

export type CloudProgram = "generic" | "chatwoot" | "typebot";

export type CloudToken = {
  /** The token's id */
  id: string;
  /** Which program has the token */
  name: string;
  /** How the token begins */
  prefix: string;
  /** IP addresses and CIDRs that may use the token; without any it works from everywhere */
  allowedAddresses: string[];
  /** When the token stops working; null means never */
  expiresAt: string | null;
  /** When it was last used; null before */
  lastUsedAt: string | null;
  /** When the token was created */
  createdAt: string;
};

export type CloudTokens = {
  /** Every token of the phone */
  items: CloudToken[];
};

export type CloudWebhook = {
  /** The webhook that carries the events */
  webhookId: string;
  /** The address of the program that gets the webhooks */
  url: string;
  /** The program behind the URL: its webhooks have only the fields that it can read. By default, the URL decides */
  program: CloudProgram;
  /** When the URL last answered the handshake; null before */
  verifiedAt: string | null;
  /** Signs the webhooks (`X-Hub-Signature-256`); only in the answer that sets it */
  secret?: string;
};

export type CloudWebhookInput = {
  /** The address of the program that gets the webhooks */
  url: string;
  /** The word that the program expects in the handshake */
  verifyToken: string;
  /** The program behind the URL: its webhooks have only the fields that it can read. By default, the URL decides */
  program?: CloudProgram;
  /** Signs the webhooks (`X-Hub-Signature-256`); by default one is made */
  secret?: string;
};

export type CloudWebhookSecret = {
  /** The new secret, which is shown only now */
  secret: string;
};

export type CommentReceivedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "comment:received";
  /** What happened */
  data: ReceivedComment;
};

export type CommunityParticipants = {
  /** Numbers, or ids of people without a known number */
  waIds: string[];
};

export type ConnectSocialAccountRequest = {
  /** The code that the consent gave */
  code: string;
  /** One of the configured addresses */
  redirectUri: string;
  /** A name for the account's own people */
  label?: string;
  /** Where the phone's events go */
  webhook?: PhoneWebhook;
};

export type ConnectSocialAccountResult = {
  /** The phone's id */
  id: string;
  /** The account that the phone belongs to */
  accountId: string;
  /** The kind of phone, which decides what it can do */
  type: PhoneType;
  /** A name for the account's own people */
  label: string;
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** Whether the phone is connected */
  status: PhoneStatus;
  /** The phone's own webhook; null without one */
  webhookUrl: string | null;
  /** Event types; empty means all */
  webhookEvents: string[];
  /** The linked shared webhook; null without one */
  sharedWebhookId: string | null;
  /** When it was disconnected; null while it is connected */
  disconnectedAt: string | null;
  /** Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is unknown */
  stateReason: string | null;
  /** When the phone got its status; null before the first connection */
  stateSince: string | null;
  /** The network's current restriction of the phone; null without a restriction */
  restriction: Restriction | null;
  /** When the phone was created */
  createdAt: string;
  /** When the phone last changed */
  updatedAt: string;
  /** The account's own hidden id, by which groups mention it; absent before it is known */
  lid?: string;
  /** The proxy that a session connects through, without its user and password */
  proxy?: string;
  /** The network's id of the number; null while unknown */
  wabaPhoneNumberId?: string | null;
  /** The network's id of the business account; null while unknown */
  wabaBusinessAccountId?: string | null;
  /** The speed at which the number may send, in the network's word; null until the network reports it */
  wabaThroughputLevel?: string | null;
  /** GREEN, YELLOW or RED, as the network rates the number; null while it is not rated */
  wabaQualityRating?: string | null;
  /** How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown */
  wabaMessagingLimit?: string | null;
  /** The username of the business on the network; null without one */
  wabaUsername?: string | null;
  /** The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it */
  wabaCanSend?: string | null;
  /** Why the network refuses to send; null if it does not */
  wabaSendProblem?: SendProblem | null;
  /** Whether the network sends us the number's events */
  wabaWebhookConfigured?: boolean;
  /** Whether the owner's business app goes on with the number */
  wabaCoexistence?: boolean;
  /** When the app's contacts were requested; null before */
  wabaContactsSyncAt?: string | null;
  /** When the app's history was requested; null before */
  wabaHistorySyncAt?: string | null;
  /** The account's id; null for other types */
  igUserId?: string | null;
  /** The account's username; null for other types */
  igUsername?: string | null;
  /** The kind of account, in the network's word; null for other types */
  igAccountType?: string | null;
  /** When the account's consent ends; null for other types, and if the end is not known */
  igTokenExpiresAt?: string | null;
  /** Whether the network sends us the account's events */
  igWebhookConfigured?: boolean;
  /** Whether the phone was known here before */
  reconnected: boolean;
};

export type Contact = {
  /** The contact's id */
  id: string;
  /** Null while no name is known */
  name: string | null;
  /** Null if the network hides it */
  phoneNumber: string | null;
  /** The recipient of a send to this person */
  canonicalKey: string;
  /** The contact's e-mail address; null if none is known */
  email: string | null;
  /** Words that the account's people gave the contact */
  tags: string[];
  /** Further data of the client; at most 16 KiB as JSON */
  metadata: Record<string, unknown>;
  /** Since when the person wants no messages but answers; null if they want all */
  optedOutAt: string | null;
  /** What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the console; null without an opt-out */
  optedOutBy: ContactOptOutBy | null;
  /** When the contact was created */
  createdAt: string;
  /** When the contact last changed */
  updatedAt: string;
};

export type ContactAbout = {
  /** The line beside the name; null without one, or if the phone may not see it */
  about: string | null;
};

export type ContactBlockedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "contact:blocked";
  /** What happened */
  data: ContactReach;
};

export type ContactBusinessProfile = {
  /** Whether the person has a business profile */
  isBusiness: boolean;
  /** What the person's app shows of the business; null without one */
  profile: BusinessProfile | null;
};

export type ContactCard = {
  /** The name of the person */
  name: string;
  /** The person's telephone number */
  phone: string;
  /** The person's e-mail address */
  email?: string;
};

export type ContactContent = {
  /** The cards that are sent */
  contacts: ContactCard[];
};

export type ContactOptOut = {
  /** The person's contact */
  contactId: string;
  /** The person */
  chat: Peer;
  /** What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the console */
  by: ContactOptOutBy;
  /** What the person wrote; null without a word */
  word: string | null;
  /** When it happened, as the network says */
  timestamp: string;
};

export type ContactOptOutBy = "word" | "network" | "request";

export type ContactOptedInEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "contact:opted-in";
  /** What happened */
  data: ContactOptOut;
};

export type ContactOptedOutEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "contact:opted-out";
  /** What happened */
  data: ContactOptOut;
};

export type ContactPage = {
  /** The entries of this page, in the order of the list */
  items: Contact[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ContactPicture = {
  /** The address of the picture; null if `reason` says why not */
  url: string | null;
  /** Why there is no address: `none` means no picture, `hidden` that the phone may not see it; absent with an address */
  reason?: "none" | "hidden";
};

export type ContactPresenceEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "contact:presence";
  /** What happened */
  data: PresenceChange;
};

export type ContactReach = {
  /** The person or group */
  chat: Peer;
  /** The network's word; null without one */
  reason: string | null;
  /** When it happened, as the network says */
  timestamp: string;
};

export type ContactSyncedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "contact:synced";
  /** What happened */
  data: ContactsSynced;
};

export type ContactType = "group" | "newsletter" | "broadcast" | "pn" | "lid" | "bsuid" | "igsid" | "uid" | "username";

export type ContactUnblockedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "contact:unblocked";
  /** What happened */
  data: ContactReach;
};

export type ContactsSynced = {
  /** Entries of the address book */
  contacts: SyncedContact[];
};

export type ContentLimit = {
  /** The type of content */
  type: string;
  /** The limit of its text in characters; null without a limit of the network */
  textMaxChars: number | null;
  /** The limit of its text in bytes of UTF-8; null without a limit of the network */
  textMaxBytes: number | null;
  /** The limit of its caption in characters; null without a limit of the network */
  captionMaxChars: number | null;
  /** The limit of its caption in bytes of UTF-8; null without a limit of the network */
  captionMaxBytes: number | null;
  /** The largest file in bytes; null without a limit of the network */
  maxFileBytes: number | null;
  /** The media types of its file, such as `image/png` or `audio/*`; null: any */
  mimeTypes: string[] | null;
  /** The fields of its content that few networks have, and this one has */
  furtherFields: ContentLimitFurtherField[];
};

export type ContentLimitFurtherField = "viewOnce" | "videoNote" | "gifPlayback" | "thumbnail" | "mentions" | "linkPreview" | "quality";

export type ConversationControl = {
  /** The other app that leads the conversation; null if none does */
  heldBy: Holder | null;
};

export type ConversationHeld = {
  /** The chat whose lead changed */
  chat: Peer;
  /** The app that leads the conversation now */
  heldBy: Holder;
  /** Why the lead changed */
  cause: HolderCause;
};

export type ConversationHeldEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "conversation:held";
  /** What happened */
  data: ConversationHeld;
};

export type ConversationReleased = {
  /** The chat whose lead changed */
  chat: Peer;
  /** When the lead changed */
  since: string;
  /** Why the lead changed */
  cause: HolderCause;
};

export type ConversationReleasedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "conversation:released";
  /** What happened */
  data: ConversationReleased;
};

export type CopyCodeContent = {
  /** The text above the button */
  text: string;
  /** A line of small print */
  footer?: string;
  /** The label of the button */
  buttonText: string;
  /** The code that the button copies; 1 to 100 characters */
  code: string;
  /** A text or a file above the body */
  header?: MenuHeader;
};

export type CostEstimate = {
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
  byCountry: CountryEstimate[];
};

export type CountryEstimate = {
  /** The recipients' country, by ISO 3166 */
  country: string;
  /** How many recipients are in the country */
  count: number;
  /** Millionths of the currency */
  amountMicros: number;
};

export type CreateAccountRequest = {
  /** The name of the business */
  name: string;
  /** The plan that sets the prices */
  planCode?: string;
  /** Where invoices and reminders go; null sends none */
  billingEmail?: string | null;
  /** Percent on the network's charge; null is the server's default */
  wabaMarkupPct?: number | null;
};

export type CreateCannedReply = {
  /** What people type after `/` to insert it: letters, digits, _ and -; case does not matter */
  shortcut: string;
  /** The text, perhaps with variables such as `{{contact.firstName}}`, which the console fills in */
  text: string;
  /** Whether everybody in the account has it, by default true; false: the person who asks. A key has shared ones alone */
  shared?: boolean;
};

export type CreateCommunityRequest = {
  /** The phone that makes the community */
  phoneId: string;
  /** The name of the community */
  subject: string;
  /** A text about the community; at most 2,048 characters */
  description?: string;
};

export type CreateContact = {
  /** must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the plus */
  phoneNumber: string;
  /** The name that the account's people use for the contact */
  name: string;
  /** The contact's e-mail address; null removes it */
  email?: string | null;
  /** Words for finding the contact; they replace those before */
  tags?: string[];
  /** Your own data, at most 16 KB */
  metadata?: Record<string, unknown>;
};

export type CreateFlowRequest = {
  /** The phone whose business account gets the flow */
  phoneId: string;
  /** The account's name for the flow */
  name: string;
  /** The purposes of the flow, in the network's words */
  categories: string[];
  /** The flow's screens, in the network's flow JSON */
  json?: Record<string, unknown>;
  /** The account's HTTPS address that answers the flow; absent for a flow without data exchange */
  endpointUrl?: string;
};

export type CreateGroupRequest = {
  /** The phone that creates the group */
  phoneId: string;
  /** The name of the group */
  subject: string;
  /** A text about the group; at most 2,048 characters */
  description?: string;
  /** Whether administrators approve who joins */
  joinApprovalMode?: GroupJoinMode;
  /** The numbers or ids of the people */
  participants?: string[];
  /** The community to make it in, by its id here or the network's; without one by default */
  communityId?: string;
};

export type CreateInvoiceRequest = {
  /** The beginning of the time that is billed; with `periodEnd`, in place of `totalCents` */
  periodStart?: string;
  /** The end of the time that is billed, exclusive, in the same month in UTC */
  periodEnd?: string;
  /** A sum in cents of BRL, in place of a period */
  totalCents?: number;
  /** The last day for paying; in 10 days by default */
  dueDate?: string;
};

export type CreateNewsletterRequest = {
  /** The phone that makes it, and owns it */
  phoneId: string;
  /** The name of the newsletter */
  name: string;
  /** A text about it; at most 2,048 characters */
  description?: string;
};

export type CreateOwnApiKeyRequest = {
  /** The account's name for the key */
  name: string;
  /** The scopes of the key: `.read` or `.write` of phones, messages, chats, media, flows, groups, calls, lookup, templates, webhooks, ai, events, billing, keys, audit. With none of these it may do everything. Other texts are kept, limit nothing, and are named in `warnings`; with `Prefer: handling=strict` they are refused. */
  scopes?: string[];
  /** The key reads, and changes nothing, within its scopes */
  readOnly?: boolean;
  /** IP addresses and CIDRs that may use the key; without any it works from everywhere */
  allowedAddresses?: string[];
  /** When the key stops working, in the future; never by default. A key cannot outlive the key that makes it */
  expiresAt?: string;
};

export type CreatePairingCodeRequest = {
  /** must be 8 to 20 digits with country code, as `5511999990001` or `+55 11 99999-0001` */
  phoneNumber: string;
  /** Also if another phone of the account is linked with the number: the code may end its session */
  force?: boolean;
};

export type CreatePairingCodeResult = {
  /** The code is made soon */
  status: "pending";
  /** The number that the code is for: digits with country code */
  phoneNumber: string;
};

export type CreatePairingLinkRequest = {
  /** The title of the page, which everybody with the link reads; null or absent shows the phone's own label */
  label?: string | null;
  /** For how many minutes the link works */
  minutes?: number;
};

export type CreatePhoneRequest = {
  /** One of the types of `GET /v1/kinds`. It cannot be changed later */
  type: "SESSION" | "WABA" | (string & {});
  /** A name for the account's own people */
  label: string;
  /** Where the phone's events go */
  webhook?: PhoneWebhook;
  /** What the type needs, as `GET /v1/kinds` lists it; else refused */
  credentials?: CreatePhoneRequestCredentials;
  /** A proxy that a session connects through: http:// (CONNECT) or socks5://, with host and port, and user:password@ if the proxy asks for them. User and password are never shown again. Only for SESSION */
  proxy?: string;
  /** How much of the earlier chats is imported; `none` by default. Only for SESSION */
  history?: "none" | "recent" | "full";
};

export type CreatePhoneRequestCredentials = {
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

export type CreatePlanRequest = {
  /** The short name of the plan: 1 to 60 of a-z, 0-9, _ and - */
  code: string;
  /** How the plan bills */
  kind: PlanKind;
  /** The currency of the prices: BRL */
  currency?: "BRL";
  /** Cents of BRL for each message sent */
  perMessageCents?: number;
  /** Cents of BRL for each phone and month */
  perPhoneMonthCents?: number;
  /** Cents of BRL a month */
  monthlyFeeCents?: number;
  /** How many the monthly fee covers */
  includedMessages?: number;
  /** Cents of BRL for each further message */
  overageCents?: number;
  /** Further terms of the plan; at most 16 KiB as JSON */
  metadata?: PlanMetadata;
};

export type CreateSharedWebhook = {
  /** A name for the account's own people */
  label: string;
  /** A public HTTPS address, or that of a message broker */
  url: string;
  /** The key of the HMAC signature */
  secret: string;
  /** Event types; empty means all */
  events?: EventType[];
  /** Whether it gets the events of every phone, also of later ones. */
  allPhones?: boolean;
  /** Phones whose events it gets although they do not link to it. */
  selectedPhoneIds?: string[];
  /** False pauses the webhook: its events are stored, and sent in order once it is true again. */
  active?: boolean;
  /** Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent */
  directions?: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering?: DeliveryOrdering;
};

export type CreateTemplateRequest = {
  /** The phone whose business account gets the template */
  phoneId: string;
  /** The template's name on the network: 1 to 120 lower-case letters, digits and underscores */
  name: string;
  /** A language code, such as pt_BR */
  language: string;
  /** The network's category */
  category: TemplateCategory;
  /** The parts of the template, in the form of the official API; not with `library` */
  components?: NewTemplateComponent[];
  /** The most that 1,000 deliveries may cost, in hundredths of the account's currency; only for MARKETING, and for phones with `marketingMessages` */
  maxPricePer1000?: number;
  /** AUTHENTICATION 30 to 900, UTILITY 30 to 43200, MARKETING 43200 to 2592000; -1 is 30 days */
  messageSendTtlSeconds?: number;
  /** True by default. Recado passes it on; Meta has ignored it since April 2025 */
  allowCategoryChange?: boolean;
  /** How variables are written; POSITIONAL by default */
  parameterFormat?: "POSITIONAL" | "NAMED";
  /** A template of the network's library that is used unchanged */
  library?: CreateTemplateRequestLibrary;
};

export type CreateTemplateRequestLibrary = {
  /** The name in the network's library */
  name: string;
  /** The values for the library template's buttons */
  buttonInputs?: Record<string, unknown>[];
};

export type CreateUserRequest = {
  /** The user's own name */
  name: string;
  /** The e-mail address for signing in */
  email: string;
  /** The name of the new institution, which the user owns */
  institutionName: string;
};

export type CreateUserResult = {
  /** The new user */
  userId: string;
  /** The new institution */
  institutionId: string;
  /** The e-mail address for signing in */
  email: string;
  /** Opens once; absent if it was mailed */
  link: string;
  /** The link opens until this time */
  expiresAt: string;
};

export type CreatedGroup = {
  /** The group's id */
  id: string;
  /** The network's id of the group */
  upstreamGroupId: string;
  /** The phone that is in the group */
  phoneId: string;
  /** The group's name */
  subject: string;
  /** A text about the group; empty without one */
  description: string;
  /** Whether administrators approve who joins */
  joinApprovalMode: GroupJoinMode;
  /** The link for joining; null while the network has given none */
  inviteLink: string | null;
  /** The people in the group */
  participants: GroupParticipant[];
  /** How many people it has */
  totalParticipantCount: number;
  /** Whether the network suspended it */
  suspended: boolean;
  /** When the group was created */
  createdAt: string;
  /** The network's id of the community that it is linked to; null without a community, absent if the network has no communities */
  communityId?: string | null;
  /** Whether it is a community itself; absent if the network has no communities */
  isCommunity?: boolean;
  /** Whether it is the group for the announcements of its community; absent if the network has no communities */
  isAnnouncementGroup?: boolean;
  /** The rights that only administrators have; absent if the network has no such rules */
  rules?: GroupRules;
  /** `code` is the network's own number */
  participantOutcomes?: GroupPersonOutcome[];
};

export type CreatedPhone = {
  /** The phone's id */
  id: string;
  /** The kind of phone, which decides what it can do */
  type: PhoneType;
  /** Whether the phone is connected */
  status: PhoneStatus;
  /** A name for the account's own people */
  label: string;
  /** The phone's own webhook; null without one */
  webhookUrl: string | null;
  /** When the phone was created */
  createdAt: string;
};

export type CreatedScheduledMessage = {
  /** The scheduled message's id */
  id: string;
  /** When it is sent */
  scheduledAt: string;
  /** The requested time, if it was outside business hours */
  movedFrom?: string;
  /** Whether it still waits to be sent */
  status: ScheduledStatus;
  /** When it was scheduled */
  createdAt: string;
};

export type CreationWay = "pairing" | "credentials" | "signup" | "oauth";

export type CtaUrlContent = {
  /** The text above the button */
  text: string;
  /** A line of small print */
  footer?: string;
  /** The label of the button */
  buttonText: string;
  /** The page that the button opens */
  url: string;
  /** A text or a file above the body */
  header?: CtaUrlHeader;
};

export type CtaUrlHeader = {
  /** The kind of header: `text` needs `text`, the others `mediaUrl` */
  type: MenuHeaderType;
  /** The text of a header of type `text`; at most 60 characters */
  text?: string;
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The shown name of a document: the name of a file alone, without folders */
  filename?: string;
};

export type CurrentCosts = {
  /** The time that is counted, in UTC */
  period: Period;
  /** The cost in cents of BRL, with the costs that are passed on */
  costCents: number;
  /** BRL cents: the network's charge, with the account's markup */
  wabaPassthroughCents: number;
  /** Messages that were sent in the period */
  messagesSent: number;
  /** Phones that sent at least one message */
  activePhones: number;
};

export type CutData = {
  /** The message that the event is about, if there is one */
  messageId?: string;
  /** The type of the message, if it has one */
  type?: string;
  /** True: the event was too large, and its data is left out */
  isCut: true;
  /** The size of the whole event in bytes */
  sizeBytes: number;
};

export type CutEvent = EventEnvelope & {
  /** The type of the event */
  type: string;
  /** The rest of the event: where to read it */
  data: CutData;
};

export type DeadLetter = {
  /** The dead letter's id */
  id: string;
  /** The event that was not delivered */
  eventId: string;
  /** The account that the event belongs to */
  accountId: string;
  /** The type of the event that was not delivered */
  type: string;
  /** The address to which the delivery went */
  url: string;
  /** How often delivery was tried */
  attempts: number;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last attempt failed; null if none did */
  lastError: string | null;
  /** When the delivery was given up */
  createdAt: string;
};

export type DeadLetterPage = {
  /** The entries of this page, in the order of the list */
  items: DeadLetter[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type DeletedPhone = {
  /** True: the phone is deleted here */
  deleted: boolean;
  /** A step that only the number's owner can do */
  pending: PendingRemoval;
};

export type Delivery = {
  /** The delivery's id */
  id: string;
  /** The address to which the delivery goes */
  url: string;
  /** The progress of the delivery; DEAD was given up */
  status: DeliveryStatus;
  /** How often delivery was tried */
  attempts: number;
  /** When it is tried next; null if it is not tried again */
  nextRetryAt: string | null;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When the delivery was created */
  createdAt: string;
};

export type DeliveryOrdering = "none" | "chat";

export type DeliveryState = "WAITING" | "HELD" | "DELIVERED" | "DEAD";

export type DeliveryStats = {
  /** Events that reached a webhook */
  delivered: number;
  /** Failed attempts, each counted */
  failedAttempts: number;
  /** Events that were given up after their attempts */
  dead: number;
};

export type DeliveryStatus = "PENDING" | "DELIVERED" | "DEAD";

export type DemoteGroupParticipantsResult = {
  /** `code` is the network's own number */
  participants: GroupPersonOutcome[];
};

export type Disk = {
  /** The remaining room */
  freeBytes: number;
  /** The size of the whole disk in bytes */
  totalBytes: number;
  /** When the disk is full if it fills as in the last week; null while it does not */
  fullAt: string | null;
};

export type DoctorCheck = {
  /** The name of the check, as a short word */
  name: string;
  /** `fault`: it does not work, or soon will not */
  outcome: CheckOutcome;
  /** The finding of the check */
  found: string;
  /** What to do about it; null if there is nothing to do */
  remedy: string | null;
};

export type Document = {
  /** The document's id */
  id: string;
  /** Which of `url`, `text` and `objectKey` is given */
  source: DocumentSource;
  /** The account's name for the document; null without a title */
  title: string | null;
  /** Whether answers already use the document */
  status: DocumentStatus;
  /** When the document was created */
  createdAt: string;
  /** The address or the object's key; null for inline text */
  sourceRef: string | null;
  /** Into how many pieces it was cut */
  chunkCount: number;
  /** Why the document could not be read: a code and a few words; null if nothing failed */
  errorReason: string | null;
  /** The model that learnt it: answers use it with this model alone; null before, while it is learnt anew, and where unknown */
  embeddingModel?: string | null;
  /** Whether the agent may send the file to contacts */
  sendable: boolean;
  /** When the document last changed */
  updatedAt: string;
};

export type DocumentContent = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The handle of an uploaded file, in place of `mediaUrl` */
  mediaHandle?: string;
  /** The media type; the file's own by default */
  mimeType?: string;
  /** A text below the document; at most 1,024 characters */
  caption?: string;
  /** The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same community, or `all`. `@` and the number in the text becomes the name. If the network has mentions */
  mentions?: string[];
  /** How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a template */
  tag?: TextContentTag;
  /** The shown name: the name of a file alone, without folders */
  filename?: string;
  /** A picture of the first page, which is shown small, if the network has that; one of `mediaUrl` and `mediaHandle` */
  thumbnail?: Thumbnail;
};

export type DocumentSource = "URL" | "TEXT_INLINE" | "OBJECT_FILE";

export type DocumentStatus = "PENDING" | "PROCESSING" | "READY" | "FAILED";

export type DryRunCheapest = {
  /** Nothing was done */
  dryRun: true;
  /** The phone that sends, with its price */
  chosen: RouteWay;
  /** The phone of the fallback; null without one */
  fallbackPhoneId: string | null;
  /** Phones that could send it too, cheapest first */
  others: RouteWay[];
  /** Phones that cannot send the message, and why */
  unable: UnablePhone[];
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

export type DryRunTemplate = {
  /** Nothing was done */
  dryRun: true;
  /** The request to the network; `submit-again` is for a template that it has refused */
  action: "submit" | "submit-again" | "edit" | "nothing";
  /** The template's name on the network */
  name: string;
  /** A language code, such as pt_BR */
  language: string;
};

export type EditMessageRequest = {
  /** The phone that the message went through */
  phoneId: string;
  /** The new text; 1 to 4,096 characters */
  text: string;
};

export type EmbeddedSignupRequest = {
  /** The code that the sign-up gave */
  code: string;
  /** The `state` of a sign-up that this account began within a day */
  state?: string;
  /** The network's id of the business account that the sign-up granted */
  wabaId: string;
  /** must be an id of the upstream */
  phoneNumberId?: string;
  /** A name for the account's own people */
  label?: string;
  /** The 6 digits of the number's two-step verification */
  pin?: string;
  /** Accepts a number without coexistence; false by default */
  permitirDedicado?: boolean;
  /** The data that the business app sends of its past; only for coexistence */
  sync?: EmbeddedSignupRequestSync;
  /** Where the phone's events go */
  webhook?: PhoneWebhook;
};

export type EmbeddedSignupRequestSync = {
  /** Whether the app's contacts are requested; false by default */
  contacts?: boolean;
  /** Whether the app's history is requested; false by default */
  history?: boolean;
};

export type EmbeddedSignupResult = {
  /** The phone's id */
  id: string;
  /** The account that the phone belongs to */
  accountId: string;
  /** The kind of phone, which decides what it can do */
  type: PhoneType;
  /** A name for the account's own people */
  label: string;
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** Whether the phone is connected */
  status: PhoneStatus;
  /** The phone's own webhook; null without one */
  webhookUrl: string | null;
  /** Event types; empty means all */
  webhookEvents: string[];
  /** The linked shared webhook; null without one */
  sharedWebhookId: string | null;
  /** When it was disconnected; null while it is connected */
  disconnectedAt: string | null;
  /** Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is unknown */
  stateReason: string | null;
  /** When the phone got its status; null before the first connection */
  stateSince: string | null;
  /** The network's current restriction of the phone; null without a restriction */
  restriction: Restriction | null;
  /** When the phone was created */
  createdAt: string;
  /** When the phone last changed */
  updatedAt: string;
  /** The account's own hidden id, by which groups mention it; absent before it is known */
  lid?: string;
  /** The proxy that a session connects through, without its user and password */
  proxy?: string;
  /** The network's id of the number; null while unknown */
  wabaPhoneNumberId?: string | null;
  /** The network's id of the business account; null while unknown */
  wabaBusinessAccountId?: string | null;
  /** The speed at which the number may send, in the network's word; null until the network reports it */
  wabaThroughputLevel?: string | null;
  /** GREEN, YELLOW or RED, as the network rates the number; null while it is not rated */
  wabaQualityRating?: string | null;
  /** How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown */
  wabaMessagingLimit?: string | null;
  /** The username of the business on the network; null without one */
  wabaUsername?: string | null;
  /** The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it */
  wabaCanSend?: string | null;
  /** Why the network refuses to send; null if it does not */
  wabaSendProblem?: SendProblem | null;
  /** Whether the network sends us the number's events */
  wabaWebhookConfigured?: boolean;
  /** Whether the owner's business app goes on with the number */
  wabaCoexistence?: boolean;
  /** When the app's contacts were requested; null before */
  wabaContactsSyncAt?: string | null;
  /** When the app's history was requested; null before */
  wabaHistorySyncAt?: string | null;
  /** The account's id; null for other types */
  igUserId?: string | null;
  /** The account's username; null for other types */
  igUsername?: string | null;
  /** The kind of account, in the network's word; null for other types */
  igAccountType?: string | null;
  /** When the account's consent ends; null for other types, and if the end is not known */
  igTokenExpiresAt?: string | null;
  /** Whether the network sends us the account's events */
  igWebhookConfigured?: boolean;
  /** The network's answer when the number was registered */
  registration: Registration;
  /** The progress of the requests to the business app */
  sync: SyncRequest;
};

export type EnqueuedChatChange = {
  /** The phone's app shows it soon */
  status: "enqueued";
};

export type EnqueuedOperation = {
  /** The operation is sent soon */
  status: "enqueued";
};

export type EnqueuedPermissionRequest = {
  /** The message that asks the person */
  messageId: string;
  /** The message is sent soon */
  status: "enqueued";
};

export type EnqueuedRetry = {
  /** The webhook's id */
  id: string;
  /** The waiting deliveries are tried soon */
  status: "enqueued";
};

/** The entry that the person tapped to open the chat, in the network's words */
export type EntryPoint = {
  /** Where the person found the chat, in the network's word */
  source: string;
  /** The app that the person came from */
  app?: string;
};

export type Erasure = {
  /** The erasure's id */
  id: string;
  /** DONE: everything is erased */
  status: "RUNNING" | "DONE";
  /** A keyed hash of the person, as the audit log names them */
  person: string;
  /** The account whose data is erased; null means every account */
  accountId: string | null;
  /** Rows erased or changed so far */
  rows: number;
  /** When the erasure was requested */
  createdAt: string;
  /** When it ended; null before */
  finishedAt: string | null;
};

export type Error = {
  /** Why the request was refused */
  error: ErrorInfo;
};

export type ErrorCode = "ACCOUNT_INACTIVE" | "ACCOUNT_NOT_FOUND" | "ACCOUNT_SUSPENDED" | "ADAPTER_MISSING" | "ADMIN_DISABLED" | "ADMIN_FORBIDDEN" | "AGENT_NOT_FOUND" | "AI_BAD_OUTPUT" | "AI_PROVIDER_ERROR" | "ALERTS_NOT_CONFIGURED" | "ALREADY_CONNECTED" | "ALREADY_DELIVERED" | "ALREADY_EXISTS" | "API_KEY_NOT_FOUND" | "AUTH_EXPIRED" | "AUTH_INVALID" | "AUTH_MISSING" | "AUTH_REVOKED" | "BATCH_FINISHED" | "BATCH_LIMIT_REACHED" | "BATCH_NOT_FOUND" | "BATCH_TOO_LARGE" | "CALL_INVALID_STATE" | "CALL_NOT_FOUND" | "CANNED_REPLY_EXISTS" | "CANNED_REPLY_NOT_FOUND" | "CAPTION_TOO_LARGE" | "COEXISTENCE_EXPECTED" | "CONSOLE_OFF" | "CONTACT_NOT_FOUND" | "CONVERSATION_CLOSED" | "CONVERSATION_NOT_FOUND" | "CONVERSATION_OPEN" | "CPF_CNPJ_REQUIRED" | "CREDENTIALS_MISMATCH" | "CREDENTIALS_NOT_APPLICABLE" | "DELIVERY_NOT_FOUND" | "DOC_LIMIT_REACHED" | "DOC_NOT_FOUND" | "EMAIL_NOT_VERIFIED" | "EMPTY_BATCH" | "ERASURE_NOT_FOUND" | "FK_VIOLATION" | "FLOW_ENDPOINT_FAILED" | "FLOW_NOT_FOUND" | "FLOW_NOT_SYNCED" | "FLOW_UNREADABLE" | "FORBIDDEN" | "FORBIDDEN_PERMISSION" | "GROUP_NOT_FOUND" | "GROUP_SUSPENDED" | "HANDSHAKE_REFUSED" | "IDEMPOTENCY_ANSWER_LOST" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "IDENTITY_NOT_FOUND" | "IG_CREDS_MISSING" | "IG_NOT_CONFIGURED" | "INTERNAL_ERROR" | "INVALID_JID" | "INVALID_TO" | "INVALID_TOKEN" | "INVITATION_LIMIT_REACHED" | "INVOICE_NOT_FOUND" | "INVOICE_NOT_OPEN" | "JOIN_REFUSED" | "KEYPAIR_INVALID" | "KEY_ADDRESS_FORBIDDEN" | "KEY_SCOPE_MISSING" | "LAST_MEMBER" | "LAST_OPERATOR" | "LAST_OWNER" | "LINK_NOT_FOUND" | "LLM_BUDGET_EXHAUSTED" | "LLM_KEY_REQUIRED" | "LOOKUP_UNSUPPORTED_CHANNEL" | "MAIL_NOT_CONFIGURED" | "MEDIA_DELETED" | "MEDIA_EXPIRED" | "MEDIA_NOT_FOUND" | "MESSAGE_KEY_NOT_FOUND" | "MESSAGE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "MISSING_PHONE_ID" | "NOT_FOUND" | "NO_INSTITUTION" | "NO_PHONE_CAN_SEND" | "NO_PUBLIC_KEY" | "OPERATOR_NOT_FOUND" | "OVERLOADED" | "PAIRING_IN_PROGRESS" | "PAIRING_NOT_APPLICABLE" | "PAIRING_NOT_READY" | "PASSKEY_NOT_FOUND" | "PASSKEY_NOT_REQUESTED" | "PASSKEY_REFUSED" | "PASSKEY_UNUSABLE" | "PAYLOAD_TOO_LARGE" | "PHONE_ALREADY_LINKED" | "PHONE_NOT_CONNECTED" | "PHONE_NOT_FOUND" | "PLAN_LIMIT_EXCEEDED" | "PLAN_NOT_FOUND" | "PROCESSOR_CONNECTION_ERROR" | "PROCESSOR_NOT_CONFIGURED" | "PROXY_UNREACHABLE" | "QR_NOT_APPLICABLE" | "QR_NOT_READY" | "QUOTED_KEY_INVALID" | "RATE_LIMITED" | "REAUTHENTICATION_NEEDED" | "RECIPIENT_OPTED_OUT" | "RECORDING_EMPTY" | "RECORDING_NOT_FOUND" | "REQUEST_TIMEOUT" | "SCHEDULED_NOT_FOUND" | "SCHEDULED_NOT_PENDING" | "SCHEDULE_QUOTA_EXCEEDED" | "SCHEDULE_TOO_SOON" | "SECOND_STEP_MISSING" | "SECOND_STEP_REFUSED" | "SECOND_STEP_REQUIRED" | "SESSION_NOT_FOUND" | "SIGNATURE_INVALID" | "STORAGE_FULL" | "STORAGE_QUOTA_EXCEEDED" | "TASK_NOT_FOUND" | "TEMPLATE_NOT_APPROVED" | "TEMPLATE_NOT_FOUND" | "TEMPLATE_NOT_SUBMITTED" | "TEMPLATE_NOT_SUPPORTED_SESSION" | "THREAD_HELD" | "THREAD_ROLE_REFUSED" | "TOOL_NOT_FOUND" | "TRIAL_RUN_NOT_FOUND" | "UNSUPPORTED_TYPE" | "UPSTREAM_APP_ID_MISSING" | "UPSTREAM_APP_NOT_CONFIGURED" | "UPSTREAM_BAD_REQUEST" | "UPSTREAM_NO_CALL_ID" | "UPSTREAM_UNAVAILABLE" | "UPSTREAM_UNSUPPORTED" | "URI_TOO_LONG" | "USER_NOT_FOUND" | "VALIDATION_ERROR" | "WABA_CREDENTIALS_REQUIRED" | "WABA_CREDS_INCOMPLETE" | "WABA_CREDS_MISSING" | "WABA_TOKEN_INVALID" | "WEBHOOK_NOT_FOUND";

export type ErrorInfo = {
  /** The failure, as a word */
  code: ErrorCode;
  /** The failure, for people; the words may change */
  message: string;
  /** More about the refusal; its fields depend on `code` */
  details: Record<string, unknown>;
};

export type EstimateCostRequest = {
  /** The phone that would send */
  phoneId: string;
  /** Numbers of the recipients */
  to: string[];
  /** The template that would be sent */
  template?: EstimateCostRequestTemplate;
};

export type EstimateCostRequestTemplate = {
  /** A template of the phone */
  name: string;
  /** A language code, such as pt_BR */
  language?: string;
};

export type EventAnswer = {
  /** The message with the event */
  messageId: string;
  /** The person's answer */
  response: EventResponse;
  /** How many people come along */
  extraGuests: number;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who did this; absent if the network does not say it */
  from?: Peer;
};

export type EventApi = "gateway" | "platform" | "cloud" | "evolution" | "waha" | "chatwoot";

export type EventAssignee = {
  /** The member who answers */
  userId: string;
  /** The name of the member */
  name: string;
};

export type EventContent = {
  /** The name of the event; 1 to 255 characters */
  name: string;
  /** What happens there */
  description?: string;
  /** When it begins */
  startsAt: string;
  /** When it ends; later than it begins */
  endsAt?: string;
  /** Where it takes place */
  location?: EventLocation;
  /** Where people join it from afar */
  callLink?: string;
  /** Whether people may bring others; false by default */
  extraGuestsAllowed?: boolean;
};

export type EventDetails = {
  /** The event's id */
  id: string;
  /** The event's type */
  type: string;
  /** The phone that the event is about; null for an event of the account */
  phoneId: string | null;
  /** The progress of the event's deliveries */
  status: EventStatus;
  /** How often delivery was tried */
  attempts: number;
  /** When it is tried next; null if it is not tried again */
  nextRetryAt: string | null;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When the event happened */
  createdAt: string;
  /** The delivery to each webhook */
  deliveries: Delivery[];
  /** The data of its type, as in GatewayEvent */
  data: ReceivedMessage | (MessageStatusChange | ReadWatermark) | MessageReaction | MessageEdit | MessageTranscript | PollVote | MessagePin | MessageKeep | EventAnswer | PollResults | FailedOperation | FallbackDecision | ReceivedStatus | NewsletterPost | MessageStar | LabelledMessage | MessageDeletedForMe | MessageExpiry | ChatChange | LabelledChat | FailedChatOperation | LabelChange | ChatUpdate | ChatAnswering | PhoneConnected | PhoneDisconnected | Restriction | PhoneUnrestricted | PhoneQrCode | PasskeyRequired | ClientExpiring | MediaAvailable | MediaFailed | MediaExpired | TemplateStatusChange | HistoryProgressed | ContactsSynced | ReceivedComment | ConversationHeld | ConversationReleased | PresenceChange | ContactOptOut | PhoneDelegation | ContactReach | ChatRenamed | AgentHandoff | AgentDocumentChange | AgentWorsened | AgentBudgetExhausted | GroupLifecycle | GroupParticipantsChange | GroupJoinRequestsChange | GroupMemberLabelChange | GroupCommunityChange | GroupSettingsChange | GroupStatusChange | InvoicePaid | InvoiceFailed | WebhookFailure | CallOffer | CallChange | NewsletterChange | NewsletterPostCounts;
};

export type EventEnvelope = {
  /** The event's id; the same for every delivery of the event */
  id: string;
  /** The account that the event belongs to */
  accountId: string;
  /** The phone that the event is about; null for an event of the whole account */
  phoneId: string | null;
  /** When it was published */
  timestamp: string;
};

export type EventLocation = {
  /** The name of the place */
  name?: string;
  /** The postal address of the place */
  address?: string;
  /** Degrees north of the equator */
  latitude?: number;
  /** Degrees east of Greenwich */
  longitude?: number;
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

export type EventResponse = "going" | "maybe" | "not_going";

export type EventStatus = "PENDING" | "DELIVERED" | "DEAD" | "NONE";

export type EventType = "message:received" | "message:standby" | "message:status" | "message:reaction" | "message:edited" | "message:transcribed" | "message:poll-vote" | "message:pinned" | "message:kept" | "message:event-response" | "message:poll-results" | "message:operation_failed" | "message:fallback" | "status:received" | "newsletter:received" | "channel:connected" | "channel:disconnected" | "channel:restricted" | "channel:unrestricted" | "channel:qrcode" | "channel:client-expiring" | "channel:passkey-required" | "media:available" | "media:failed" | "media:expired" | "template:status" | "history:progress" | "message:starred" | "message:labelled" | "message:deleted_for_me" | "message:expired" | "chat:changed" | "chat:labelled" | "chat:operation_failed" | "label:changed" | "contact:synced" | "comment:received" | "conversation:held" | "conversation:released" | "contact:presence" | "chat:updated" | "contact:blocked" | "contact:unblocked" | "contact:opted-out" | "contact:opted-in" | "chat:renamed" | "channel:delegated" | "agent:handoff" | "agent:budget_exhausted" | "agent:document" | "agent:worsened" | "group:lifecycle" | "group:participants" | "group:join-requests" | "group:member-label" | "group:community" | "group:settings" | "group:status" | "newsletter:changed" | "newsletter:counts" | "billing:invoice.paid" | "billing:invoice.failed" | "webhook:failed" | "call:*" | "call:offer" | "call:ringing" | "call:accepted" | "call:in_progress" | "call:completed" | "call:rejected" | "call:missed" | "call:failed";

export type Examination = {
  /** When the checks ended */
  checkedAt: string;
  /** How long it took, in milliseconds */
  tookMs: number;
  /** Whether no check found a fault */
  ok: boolean;
  /** Every check with its result */
  checks: DoctorCheck[];
};

export type ExportSessionRequest = {
  /** The id of a phone, or a number that one phone has */
  phone: string;
  /** Pause the phone first if it is connected */
  stop?: boolean;
};

export type ExportedSession = {
  /** The id of the phone */
  id: string;
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** How the other program stores it */
  format: string;
  /** The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential */
  session: string;
};

export type FailedChatOperation = {
  /** The chat that stayed as it was */
  chat: Peer;
  /** What was requested */
  operation: ChatOperation;
  /** Why it failed, as a code */
  code: string;
  /** The same in words */
  reason: string;
};

export type FailedJoinRequest = {
  /** The network's id of the request to join */
  joinRequestId: string;
  /** Why, in the words of the other side */
  error: string;
};

export type FailedOperation = {
  /** The message that the operation was about */
  messageId: string;
  /** The operation that failed */
  operation: OperationLimitOperation;
  /** An error code of this API */
  code: string;
  /** Why the network did not carry it out */
  reason: string;
};

/** The progress of the send's `fallback`; absent for a send without one */
export type Fallback = {
  /** The phone that sends the template */
  phoneId: string;
  /** The progress of the fallback */
  status: FallbackStatus;
  /** Why a template replaces the message; null if no reason is known */
  reason: FallbackReason | null;
  /** Whether the first message may still have arrived */
  mayHaveArrived: boolean;
  /** The message with the template; null before it is sent */
  messageId: string | null;
  /** Why no template was sent; null if nothing failed */
  error: FallbackRefusal | null;
  /** When it was decided; null while it waits */
  decidedAt: string | null;
};

export type FallbackDecision = {
  /** The message that did not get through */
  messageId: string;
  /** taken: the template is sent; withheld: the first message may have arrived; refused: the template cannot be sent */
  outcome: FallbackOutcome;
  /** Why a template replaces the message; null if no reason is known */
  reason: FallbackReason | null;
  /** Whether the first message may still have arrived */
  mayHaveArrived: boolean;
  /** The message with the template; null unless it is sent */
  fallbackMessageId: string | null;
  /** The phone that the fallback names */
  fallbackPhoneId: string;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who gets the message */
  to: Peer;
  /** Why no template was sent; null if nothing failed */
  error: FallbackRefusal | null;
};

export type FallbackOutcome = "taken" | "withheld" | "refused";

export type FallbackReason = "lost" | "restricted" | "silent";

export type FallbackRefusal = {
  /** An error code of this API */
  code: string;
  /** The same in words */
  message: string;
};

export type FallbackStatus = "WAITING" | "TAKEN" | "NOT_NEEDED" | "WITHHELD" | "REFUSED";

export type Flow = {
  /** The flow's id */
  id: string;
  /** The phone whose business account has the flow */
  phoneId: string;
  /** The network's id; null before it has one */
  upstreamFlowId: string | null;
  /** The account's name for the flow */
  name: string;
  /** The purposes of the flow, in the network's words */
  categories: string[];
  /** Only PUBLISHED is sent to everybody */
  status: "DRAFT" | "PUBLISHED" | "DEPRECATED" | "BLOCKED" | "THROTTLED";
  /** The account's HTTPS endpoint that answers the flow; null for a flow without data exchange */
  endpointUrl: string | null;
  /** The errors that the network finds in the JSON */
  validationErrors: unknown[];
  /** When the flow was created */
  createdAt: string;
  /** When the flow last changed */
  updatedAt: string;
};

export type FlowContent = {
  /** The text above the button */
  text: string;
  /** A line of small print */
  footer?: string;
  /** The flow's id here or at the network */
  flowId: string;
  /** The label of the button that opens the flow */
  flowCta: string;
  /** The action of the button; `navigate` by default */
  flowAction?: "navigate" | "data_exchange";
  /** The value that comes back with the answer */
  flowToken?: string;
  /** The first screen and its data */
  flowActionPayload?: FlowPayload;
  /** Whether the draft or the published flow opens; `published` by default */
  flowMode?: "published" | "draft";
};

export type FlowPage = {
  /** The entries of this page, in the order of the list */
  items: Flow[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type FlowPayload = {
  /** The screen that opens first */
  screen: string;
  /** The data for the screen */
  data?: Record<string, unknown>;
};

export type FlowsKeypair = {
  /** The public key in PEM */
  publicKey: string;
  /** When the network got it */
  uploadedAt: string;
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

export type ForwardMessage = {
  /** The phone of the message, which forwards it */
  phoneId?: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
};

export type GatewayEvent = MessageReceivedEvent | MessageStandbyEvent | MessageStatusEvent | MessageReactionEvent | MessageEditedEvent | MessageTranscribedEvent | MessagePollVoteEvent | MessagePinnedEvent | MessageKeptEvent | MessageEventResponseEvent | MessagePollResultsEvent | MessageOperationFailedEvent | MessageFallbackEvent | StatusReceivedEvent | NewsletterReceivedEvent | MessageStarredEvent | MessageLabelledEvent | MessageDeletedForMeEvent | MessageExpiredEvent | ChatChangedEvent | ChatLabelledEvent | ChatOperationFailedEvent | LabelChangedEvent | ChatUpdatedEvent | ChatAnsweringEvent | PhoneConnectedEvent | PhoneDisconnectedEvent | PhoneRestrictedEvent | PhoneUnrestrictedEvent | PhoneQrcodeEvent | PhonePasskeyRequiredEvent | PhoneClientExpiringEvent | MediaAvailableEvent | MediaFailedEvent | MediaExpiredEvent | TemplateStatusEvent | HistoryProgressEvent | ContactSyncedEvent | CommentReceivedEvent | ConversationHeldEvent | ConversationReleasedEvent | ContactPresenceEvent | ContactOptedOutEvent | ContactOptedInEvent | PhoneDelegatedEvent | ContactBlockedEvent | ContactUnblockedEvent | ChatRenamedEvent | AgentHandoffEvent | AgentDocumentEvent | AgentWorsenedEvent | AgentBudgetExhaustedEvent | GroupLifecycleEvent | GroupParticipantsEvent | GroupJoinRequestsEvent | GroupMemberLabelEvent | GroupCommunityEvent | GroupSettingsEvent | GroupStatusEvent | BillingInvoicePaidEvent | BillingInvoiceFailedEvent | WebhookFailedEvent | CallOfferEvent | CallRingingEvent | CallAcceptedEvent | CallInProgressEvent | CallCompletedEvent | CallRejectedEvent | CallMissedEvent | CallFailedEvent | NewsletterChangedEvent | NewsletterCountsEvent;

export type GetUsageResult = {
  /** The time that is counted, in UTC */
  period: Period;
  /** The cost in cents of BRL, with the costs that are passed on */
  costCents: number;
  /** BRL cents: the network's charge, with the account's markup */
  wabaPassthroughCents: number;
  /** Messages that were sent in the period */
  messagesSent: number;
  /** Phones that sent at least one message */
  activePhones: number;
  /** Messages that came in during the period */
  messagesReceived: number;
  /** The counts of each type of phone */
  breakdown: GetUsageResultBreakdown;
  /** Delivered messages by category: DUE, FREE, UNRATED (no price is known) or UNPRICED (no report of the network yet); and messages whose price the network itself states, on no invoice (STATED) */
  networkCharges: NetworkCharge[];
};

export type GetUsageResultBreakdown = {
  /** The messages of phones of the type SESSION */
  SESSION: MessageCounts;
  /** The messages of phones of the type WABA */
  WABA: ChargedCounts;
  /** The messages of phones of the type SOCIAL */
  SOCIAL: MessageCounts;
};

export type Group = {
  /** The group's id */
  id: string;
  /** The network's id of the group */
  upstreamGroupId: string;
  /** The phone that is in the group */
  phoneId: string;
  /** The group's name */
  subject: string;
  /** A text about the group; empty without one */
  description: string;
  /** Whether administrators approve who joins */
  joinApprovalMode: GroupJoinMode;
  /** The link for joining; null while the network has given none */
  inviteLink: string | null;
  /** The people in the group */
  participants: GroupParticipant[];
  /** How many people it has */
  totalParticipantCount: number;
  /** Whether the network suspended it */
  suspended: boolean;
  /** When the group was created */
  createdAt: string;
  /** The network's id of the community that it is linked to; null without a community, absent if the network has no communities */
  communityId?: string | null;
  /** Whether it is a community itself; absent if the network has no communities */
  isCommunity?: boolean;
  /** Whether it is the group for the announcements of its community; absent if the network has no communities */
  isAnnouncementGroup?: boolean;
  /** The rights that only administrators have; absent if the network has no such rules */
  rules?: GroupRules;
};

export type GroupCommunityChange = {
  /** The group that changed */
  groupId: string;
  /** Whether the group belongs to the community from now on */
  action: "linked" | "unlinked";
  /** The network's id of the community */
  communityId: string;
};

export type GroupCommunityEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:community";
  /** What happened */
  data: GroupCommunityChange;
};

export type GroupInvite = {
  /** Anyone who has it can join */
  inviteLink: string;
};

export type GroupJoinMode = "AUTO_APPROVE" | "APPROVAL_REQUIRED";

export type GroupJoinRequestsChange = {
  /** The group that people want to join */
  groupId: string;
  /** What happened to the requests; approved people are in a group:participants event */
  action: "requested" | "withdrawn" | "rejected";
  /** The people who ask */
  waIds: string[];
  /** How people came, or asked to come; absent if the network does not say */
  way?: GroupJoinWay;
};

export type GroupJoinRequestsEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:join-requests";
  /** What happened */
  data: GroupJoinRequestsChange;
};

export type GroupJoinState = "joined" | "awaiting-approval";

export type GroupJoinWay = "invite-link" | "community" | "member";

export type GroupLifecycle = {
  /** The group that changed */
  groupId: string;
  /** The network's id of the group */
  upstreamGroupId: string;
  /** What happened to the group */
  action: "created" | "deleted" | "suspended" | "unsuspended";
};

export type GroupLifecycleEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:lifecycle";
  /** What happened */
  data: GroupLifecycle;
};

export type GroupMemberLabelChange = {
  /** The group in which the label counts */
  groupId: string;
  /** The member's number or id */
  waId: string;
  /** The label from now on; null if it was removed */
  label: string | null;
};

export type GroupMemberLabelEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:member-label";
  /** What happened */
  data: GroupMemberLabelChange;
};

export type GroupMemberLabelRequest = {
  /** The label, such as a role; null or empty removes it */
  label: string | null;
};

/** A group that the message names */
export type GroupMention = {
  /** The chat address of the group */
  id: string;
  /** The name of the group, as the message has it */
  name?: string;
};

export type GroupOutcome = "done" | "invitation-needed" | "left-recently" | "already" | "blocked" | "not-on-network" | "refused";

export type GroupPage = {
  /** The entries of this page, in the order of the list */
  items: Group[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type GroupParticipant = {
  /** The person's number or id */
  waId: string;
  /** When the person joined; null if unknown */
  joinedAt: string | null;
  /** The person's own label in this group; absent if none is known */
  label?: string;
  /** Whether the person is an administrator of it */
  isAdmin?: boolean;
};

export type GroupParticipantsChange = {
  /** The group that changed */
  groupId: string;
  /** What happened to these people */
  action: "join" | "leave" | "remove" | "promote" | "demote";
  /** Numbers or ids; at most 50 */
  waIds: string[];
  /** How people came, or asked to come; absent if the network does not say */
  way?: GroupJoinWay;
  /** The person who did it; absent if unknown, or if the person did it alone */
  by?: string;
};

export type GroupParticipantsEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:participants";
  /** What happened */
  data: GroupParticipantsChange;
};

export type GroupPeopleRequest = {
  /** Numbers or ids; at most 50 */
  waIds: string[];
};

export type GroupPersonOutcome = {
  /** The person's number or id */
  waId: string;
  /** What happened to this person */
  outcome: GroupOutcome;
  /** The network's own number */
  code?: number;
};

export type GroupRules = {
  /** Whether only they write */
  onlyAdminsSend?: boolean;
  /** Whether only they change the group */
  onlyAdminsEdit?: boolean;
  /** Whether only they add people */
  onlyAdminsAdd?: boolean;
};

export type GroupSettingsChange = {
  /** The group that changed */
  groupId: string;
  /** The group's name */
  subject?: string;
  /** The new text of the group; absent if it did not change */
  description?: string;
  /** Whether administrators approve who joins */
  joinApprovalMode?: GroupJoinMode;
  /** The new rules of the group; absent if they did not change */
  rules?: GroupRules;
  /** The new invite link; absent if it did not change */
  inviteLink?: string;
  /** The person who did it; absent if unknown, or if the person did it alone */
  by?: string;
};

export type GroupSettingsEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:settings";
  /** What happened */
  data: GroupSettingsChange;
};

export type GroupStatusChange = {
  /** The group that changed */
  groupId: string;
  /** SUSPENDED: nothing can be sent to it */
  status: "ACTIVE" | "SUSPENDED";
  /** Whether the network has suspended it */
  suspended: boolean;
};

export type GroupStatusEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "group:status";
  /** What happened */
  data: GroupStatusChange;
};

export type HandChatOver = {
  /** The next leader of the chat */
  to: "app" | "agent" | "person" | "nobody";
  /** The role of the app that gets the lead; only for `app` */
  role?: string;
  /** A text for the app that leads the chat next */
  metadata?: string;
  /** Why the agent hands off; `manual` by default. Only for `person` */
  reason?: string;
};

export type HandOffAiConversationRequest = {
  /** Why a person takes over; `manual` by default */
  reason?: string;
};

export type HangUpCallRequest = {
  /** Why the call is refused; it is stored here and not sent to the network */
  reason?: string;
};

/** The message that came before with the same file in lower quality */
export type HdOf = {
  /** The network's id of that message */
  id: string;
};

export type HealthResult = {
  /** The process answers */
  status: "ok";
};

export type HeldBecause = "WEBHOOK_PAUSED" | "EARLIER_DELIVERY";

export type HistoryCounts = {
  /** Messages that are new here */
  messages: number;
  /** Contacts that are new here, or get a name */
  contacts: number;
  /** Rows that change nothing, because they are known */
  known: number;
  /** How many rows cannot be taken over, by reason */
  leftOut: Record<string, number>;
  /** The files that messages of these rows have not got here */
  files?: HistoryFile[];
};

export type HistoryFile = {
  /** The network's id of the message */
  key: string;
  /** The media type that the message says */
  contentType: string;
  /** The size that the message says; null if it says none */
  sizeBytes: number | null;
  /** The digest that the message says, in hexadecimal; null if it says none */
  sha256: string | null;
  /** A larger file is not kept */
  maxBytes: number;
};

export type HistoryFileTaken = {
  /** The size of the kept file; null if it is not kept */
  sizeBytes: number | null;
  /** Why the file is not kept; null if it is */
  reason: string | null;
};

export type HistoryImport = {
  /** The phone that gets the messages */
  phoneId: string;
  /** The place in the source after which the import goes on; empty at its beginning */
  cursor: string;
};

export type HistoryProgress = {
  /** The phone's own estimate; null before it has sent anything */
  percent: number | null;
  /** How many messages came */
  imported: number;
  /** When the last part came; null before the first */
  updatedAt: string | null;
};

export type HistoryProgressEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "history:progress";
  /** What happened */
  data: HistoryProgressed;
};

export type HistoryProgressed = {
  /** How much the phone has sent */
  percent: number;
  /** How many messages this piece had */
  imported: number;
};

export type HistoryRequest = {
  /** `unanswered`: the phone was silent for 30 seconds */
  status: "answered" | "unanswered";
  /** How many messages came, known messages included */
  imported: number;
};

export type Holder = {
  /** The role of the app at the network; null if unknown */
  role: string | null;
  /** When the app got the lead */
  since: string;
};

export type HolderCause = "message" | "standby" | "handover" | "request" | "idle";

export type IceBreaker = {
  /** A locale such as pt_BR, or default */
  locale: string;
  /** The questions of this language */
  questions: IceBreakerQuestion[];
};

export type IceBreakerQuestion = {
  /** The question that a tap asks; 1 to 80 characters */
  question: string;
  /** The value that comes back when it is tapped */
  payload: string;
};

export type IceBreakers = {
  /** The questions that a new chat offers, one set for each language */
  iceBreakers: IceBreaker[];
};

export type Identity = {
  /** The person's identity on this network, whatever their number */
  canonicalKey: string;
  /** The number as a chat address, or as digits where the network is not WhatsApp; null if unknown */
  pn: string | null;
  /** The hidden id; null if unknown */
  lid: string | null;
  /** The business-scoped user id; null if unknown */
  bsuid: string | null;
  /** The person's username on the network; null if none is known */
  username: string | null;
  /** The user id for the whole portfolio; null if unknown */
  parentBsuid: string | null;
  /** The kind of name in `canonicalKey` */
  type: ContactType;
};

export type ImageContent = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The handle of an uploaded file, in place of `mediaUrl` */
  mediaHandle?: string;
  /** The media type; the file's own by default */
  mimeType?: string;
  /** A text below the file; at most 1,024 characters */
  caption?: string;
  /** How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a template */
  tag?: TextContentTag;
  /** The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same community, or `all`. `@` and the number in the text becomes the name. If the network has mentions */
  mentions?: string[];
  /** Whether it can be opened once only, if the network has that; false by default */
  viewOnce?: boolean;
  /** Several images in one message, in place of mediaUrl, if the network supports it */
  images?: ImageLink[];
  /** `standard`: at most 1600 pixels a side. `hd`: people get that, and the whole picture when they open it. By default the picture goes as it is. If the network has that */
  quality?: "standard" | "hd";
};

export type ImageLink = {
  /** A public HTTPS address of the file */
  mediaUrl: string;
};

export type ImportHistoryRequest = {
  /** The account or institution that has the phone */
  accountId: string;
  /** The id of a phone that was linked before, or a number that one phone of the account has */
  phone: string;
  /** The program that has written the rows: `evolution` or `waha` */
  format: string;
  /** The same for the same source, so that an interrupted import goes on: a hash without secrets */
  source: string;
  /** The same for all imports that are undone together; rows are for the import that was begun last */
  run: string;
  /** Rows of the other program: a line of JSON {name, text} for each, gzipped, in base64. `name` is `message` or `person`, `text` the JSON of the row */
  rows?: string;
  /** The place in the source after which these rows lie: `cursor` of the answer before */
  from: string;
  /** The place of the last of these rows */
  to: string;
  /** True if no rows follow */
  isLast?: boolean;
  /** True to hear in `files` which messages have no file here. If there are some, the place stays at `from`: send the files, then no rows with the same `from` and `to` */
  withFiles?: boolean;
};

export type ImportSessionRequest = {
  /** How the other program stores it: `baileys` or `whatsmeow` */
  format: string;
  /** The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential */
  session: string;
  /** True only if the other program has not run since: open chats then keep their keys */
  isLastState?: boolean;
  /** The account or institution that gets the phone */
  accountId: string;
  /** A name for the account's own people */
  label?: string;
  /** Where the events of the new phone go */
  webhook?: PhoneWebhook;
  /** The other program does not run any more */
  oldServerStopped: true;
};

export type ImportedSession = {
  /** The id of the phone that was made */
  id: string;
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** How many keys were found, by kind */
  keys: Record<string, number>;
  /** Further remarks */
  notes: string[];
  /** Why it cannot be imported; empty if it can */
  problems: string[];
};

export type InspectHistoryRequest = {
  /** The program that has written the rows: `evolution` or `waha` */
  format: string;
  /** Rows of the other program: a line of JSON {name, text} for each, gzipped, in base64. `name` is `message` or `person`, `text` the JSON of the row */
  rows: string;
  /** The account or institution that has the phone */
  accountId?: string;
  /** The id of a phone that was linked before, or a number that one phone of the account has */
  phone?: string;
  /** True to hear which messages have no file here, though they had one at the network */
  withFiles?: boolean;
};

export type InspectImportRequest = {
  /** How the other program stores it: `baileys` or `whatsmeow` */
  format: string;
  /** The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential */
  session: string;
  /** True only if the other program has not run since: open chats then keep their keys */
  isLastState?: boolean;
};

export type InstitutionPlan = "FREE" | "STARTER" | "PROFESSIONAL" | "ENTERPRISE";

export type InviteMemberRequest = {
  /** The invited person */
  email: string;
  /** The role of the person; MEMBER by default */
  role?: MemberRole;
};

export type InviteMemberResult = {
  /** The invited person */
  email: string;
  /** The role of the person */
  role: MemberRole;
  /** `invited` until the person accepts */
  state: "active" | "invited";
  /** Opens once; absent if it was mailed */
  link?: string;
};

export type InvitedGroup = {
  /** The network's id of the group */
  upstreamGroupId: string;
  /** The group's name */
  subject: string;
  /** A text about the group; empty without one */
  description: string;
  /** How many people it has */
  totalParticipantCount: number;
  /** Whether administrators approve who joins */
  joinApprovalMode: GroupJoinMode;
  /** The address of its picture for some days; null if none is shown */
  pictureUrl: string | null;
  /** The network's id of its community; null without a community */
  communityId: string | null;
  /** Whether it is a community itself */
  isCommunity: boolean;
};

export type Invoice = {
  /** The invoice's id */
  id: string;
  /** The account that pays */
  accountId: string;
  /** The beginning of the time that is billed */
  periodStart: string;
  /** The end of the time that is billed, exclusive */
  periodEnd: string;
  /** The sum in cents of BRL */
  totalCents: number;
  /** The parts of the sum, in cents of BRL */
  breakdown: InvoiceBreakdown;
  /** Whether the invoice is paid */
  status: InvoiceStatus;
  /** The last day for paying */
  dueDate: string;
  /** When the payment arrived; null before */
  paidAt: string | null;
  /** The paid amount in cents of BRL, without interest; null before. It differs from `totalCents` if the charge was changed at the processor */
  paidCents: number | null;
  /** The processor; null before a charge */
  gatewayProvider: string | null;
  /** The processor's id of the charge; null before */
  gatewayChargeId: string | null;
  /** The processor's page; null before a charge */
  gatewayInvoiceUrl: string | null;
  /** The Pix QR code as a PNG in base64; null if the charge has none */
  pixQrCode: string | null;
  /** The Pix code as text; null if the charge has none */
  pixCopyPaste: string | null;
  /** The page with the boleto; null if the charge has none */
  boletoUrl: string | null;
  /** The typeable line of the boleto; null if the charge has none */
  boletoBarcode: string | null;
  /** When the invoice was created */
  createdAt: string;
  /** When the invoice last changed */
  updatedAt: string;
};

export type InvoiceBreakdown = {
  /** The part for messages, in cents of BRL */
  messages: number;
  /** The part for phones, in cents of BRL */
  phoneMonths: number;
  /** The network's charges in cents */
  wabaPassthrough: number;
};

export type InvoiceFailed = {
  /** The invoice whose payment failed */
  invoiceId: string;
  /** The processor's own word */
  reason: string;
};

export type InvoiceOfAccount = {
  /** The invoice's id */
  id: string;
  /** The account that pays */
  accountId: string;
  /** The beginning of the time that is billed */
  periodStart: string;
  /** The end of the time that is billed, exclusive */
  periodEnd: string;
  /** The sum in cents of BRL */
  totalCents: number;
  /** The parts of the sum, in cents of BRL */
  breakdown: InvoiceOfAccountBreakdown;
  /** Whether the invoice is paid */
  status: InvoiceStatus;
  /** The last day for paying */
  dueDate: string;
  /** When the payment arrived; null before */
  paidAt: string | null;
  /** The paid amount in cents of BRL, without interest; null before. It differs from `totalCents` if the charge was changed at the processor */
  paidCents: number | null;
  /** The processor; null before a charge */
  gatewayProvider: string | null;
  /** The processor's id of the charge; null before */
  gatewayChargeId: string | null;
  /** The processor's page; null before a charge */
  gatewayInvoiceUrl: string | null;
  /** The Pix QR code as a PNG in base64; null if the charge has none */
  pixQrCode: string | null;
  /** The Pix code as text; null if the charge has none */
  pixCopyPaste: string | null;
  /** The page with the boleto; null if the charge has none */
  boletoUrl: string | null;
  /** The typeable line of the boleto; null if the charge has none */
  boletoBarcode: string | null;
  /** When the invoice was created */
  createdAt: string;
  /** When the invoice last changed */
  updatedAt: string;
  /** The account that pays, as it is called now */
  accountName: string;
};

export type InvoiceOfAccountBreakdown = {
  /** The part for messages, in cents of BRL */
  messages: number;
  /** The part for phones, in cents of BRL */
  phoneMonths: number;
  /** The network's charges in cents */
  wabaPassthrough: number;
};

export type InvoiceOfAccountPage = {
  /** The entries of this page, in the order of the list */
  items: InvoiceOfAccount[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type InvoicePaid = {
  /** The invoice that was paid */
  invoiceId: string;
  /** When the payment arrived */
  paidAt: string;
  /** The sum in cents of BRL */
  totalCents: number;
  /** The paid amount, if it is not the total */
  paidCents?: number;
};

export type InvoiceStatus = "OPEN" | "ISSUED" | "PAID" | "OVERDUE" | "FAILED" | "REFUNDED" | "VOID";

export type IssueApiKeyRequest = {
  /** The account's name for the key */
  name: string;
  /** The scopes of the key: `.read` or `.write` of phones, messages, chats, media, flows, groups, calls, lookup, templates, webhooks, ai, events, billing, keys, audit. With none of these it may do everything. Other texts are kept, limit nothing, and are named in `warnings`; with `Prefer: handling=strict` they are refused. */
  scopes?: string[];
  /** The key reads, and changes nothing, within its scopes */
  readOnly?: boolean;
  /** IP addresses and CIDRs that may use the key; without any it works from everywhere */
  allowedAddresses?: string[];
  /** When the key stops working, in the future; never by default. A key cannot outlive the key that makes it */
  expiresAt?: string;
};

export type IssueInvoiceRequest = {
  /** How it is paid; UNDEFINED by default: the payer chooses */
  billingType?: "BOLETO" | "PIX" | "CREDIT_CARD" | "UNDEFINED";
  /** Days from today; 10 by default */
  dueInDays?: number;
};

export type IssuedApiKey = {
  /** The key's id */
  id: string;
  /** The account that the key opens */
  accountId: string;
  /** The account's name for the key */
  name: string;
  /** The beginning of the key, to recognise it */
  prefix: string;
  /** The permissions of the key or the app */
  scopes: string[];
  /** The scopes that limit the key; null for a key that may do everything */
  limitedTo: string[] | null;
  /** The key reads, and changes nothing */
  readOnly: boolean;
  /** IP addresses and CIDRs that may use the key; empty means everywhere */
  allowedAddresses: string[];
  /** When the key stops working; null means never */
  expiresAt: string | null;
  /** When the key was last used; null before */
  lastUsedAt: string | null;
  /** When the key was revoked; null while the key is valid */
  revokedAt: string | null;
  /** When the key was created */
  createdAt: string;
  /** The key itself, which is shown only now */
  key: string;
  /** The parts of the request without effect; absent if every part has an effect */
  warnings?: string[];
};

export type IssuedInvoice = {
  /** The invoice's id */
  id: string;
  /** Whether the invoice is paid */
  status: InvoiceStatus;
  /** The processor's id of the charge; null before */
  gatewayChargeId: string | null;
  /** The processor's page; null before a charge */
  gatewayInvoiceUrl: string | null;
  /** The Pix QR code as a PNG in base64; null if the charge has none */
  pixQrCode: string | null;
  /** The Pix code as text; null if the charge has none */
  pixCopyPaste: string | null;
  /** The page with the boleto; null if the charge has none */
  boletoUrl: string | null;
  /** The typeable line of the boleto; null if the charge has none */
  boletoBarcode: string | null;
  /** The last day for paying */
  dueDate: string;
};

export type JoinAccountRequest = {
  /** The institution that takes the account over */
  institutionId: string;
};

export type JoinCode = {
  /** The code for an owner of the institution; it gives the whole account away */
  code: string;
  /** When the code stops working */
  expiresAt: string;
};

export type JoinDecisionRequest = {
  /** The requests that are decided; at most 100 */
  joinRequestIds: string[];
};

export type JoinGroupRequest = {
  /** The phone that joins */
  phoneId: string;
  /** The code of the invite link, or the whole link */
  code: string;
};

export type JoinRequest = {
  /** The network's id of the request to join */
  joinRequestId: string;
  /** The person's number or id */
  waId: string;
  /** When the person asked; null if unknown */
  requestedAt: string | null;
};

export type JoinRequestPage = {
  /** The entries of this page, in the order of the list */
  items: JoinRequest[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
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

export type JoinedGroup = {
  /** `awaiting-approval`: an administrator of the group decides */
  status: GroupJoinState;
  /** The network's id of the group */
  upstreamGroupId: string;
  /** The group; null while an administrator has to approve, or if the network did not describe it in time */
  group: Group | null;
};

/** A phone of the account, which keeps its id */
export type JoinedPhone = {
  /** The phone's id */
  id: string;
  /** The account's name for the phone */
  label: string;
};

export type KeepEncodedFileRequest = {
  /** The file in base64 */
  base64: string;
  /** The media type; the file's own by default */
  mimeType?: string;
  /** The shown name of the file */
  filename?: string;
};

export type KeepFileRequest = {
  /** The file itself */
  file: Blob;
};

export type KeptFile = {
  /** The value for `content.mediaHandle` of a message */
  mediaHandle: string;
  /** The type that the bytes show; otherwise that of the file's name, or the given type */
  contentType: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The shown name of the file; null without one */
  filename: string | null;
  /** The handle works until this time */
  expiresAt: string;
};

export type KindCapabilities = {
  /** The types of content that a send may have */
  contentTypes: string[];
  /** The limits of each of these types */
  contentLimits: ContentLimit[];
  /** The operations on a received message */
  onReceived: OperationLimitOperation[];
  /** The operations on a sent message */
  onSent: OperationLimitOperation[];
  /** The operations that only some messages allow */
  operationLimits: OperationLimit[];
  /** Whether a send may name a file that POST /v1/media/files has kept */
  takesUploads: boolean;
  /** The types of content that a post of a newsletter may have; empty without newsletters */
  newsletterTypes: string[];
  /** The types of content that a status may have; empty without statuses */
  statusTypes: string[];
  /** How many images one message may have */
  imagesPerMessage: number;
  /** How many quick replies a text may have */
  quickReplies: number;
  /** The tags with which a message may go out when its answer window is closed */
  tags: string[];
  /** Whether the network reviews templates */
  hasTemplates: boolean;
  /** Whether the network can be asked which numbers it knows */
  hasLookups: boolean;
  /** How many hours after a person's message the phone may answer freely; null means for good */
  answerWindowHours: number | null;
  /** How a send names a person: by a phone number, or by an id of the network */
  recipients: RecipientForm;
};

export type KnowledgeFile = {
  /** The key of the stored file */
  objectKey: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The media type of the file */
  contentType: string;
};

export type KnownBillingCustomer = {
  /** The processor's id of the payer; null before the first charge */
  processorCustomerId: string | null;
  /** The payer's CPF or CNPJ, masked as `***.456.789-**`; null without one */
  cpfCnpj: string | null;
  /** When it was last saved; null before */
  updatedAt: string | null;
};

export type LabelChange = {
  /** The label as it is now; a deleted one as it was */
  label: ChangedLabel;
  /** Whether the label was deleted */
  deleted: boolean;
  /** When it happened, as the network says */
  timestamp: string;
};

export type LabelChangedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "label:changed";
  /** What happened */
  data: LabelChange;
};

export type LabelChat = {
  /** All labels that the chat has then, as `GET /v1/phones/{id}/labels` lists them */
  labels: string[];
};

export type LabelMessageRequest = {
  /** The phone that the message went through */
  phoneId: string;
  /** The label, by its id, as `GET /v1/phones/{id}/labels` lists it */
  label: string;
};

export type LabelledChat = {
  /** The chat that got the label, or lost it */
  chat: Peer;
  /** Its name and color as they are now */
  label: ChangedLabel;
  /** Whether the chat has the label now */
  labelled: boolean;
  /** When it happened, as the network says */
  timestamp: string;
};

export type LabelledMessage = {
  /** The message that got the label, or lost it */
  messageId: string;
  /** Its name and color as they are now */
  label: ChangedLabel;
  /** Whether the message has the label now */
  labelled: boolean;
  /** The person or group of the chat */
  chat: Peer;
  /** When it happened, as the network says */
  timestamp: string;
};

export type LagStats = {
  /** Half of the deliveries arrived within this time after their event */
  p50Ms: number;
  /** 95 % of the deliveries arrived within this time; at most an hour */
  p95Ms: number;
  /** 99 % of the deliveries arrived within this time; at most an hour */
  p99Ms: number;
};

export type Ledger = {
  /** The cost of the messages, by day, phone, country and category */
  lines: LedgerLine[];
  /** The network's own count, if the operator reads it (`RECADO_META_COMPARE`) */
  reported: ReportedCharge[];
  /** Where the network's count differs from Recado's */
  differences: LedgerDifference[];
};

export type LedgerDifference = {
  /** The day of the delivery in `RECADO_BILLING_TZ` */
  day: string;
  /** The phone that sent the messages */
  phoneId: string;
  /** The recipients' country, by ISO 3166; null if the network names none */
  country: string | null;
  /** The network's category; null if it names none */
  category: string | null;
  /** How the network priced the messages, in its word; null if it names none */
  type: string | null;
  /** How many messages Recado counted */
  counted: number;
  /** How many the network counted */
  reported: number;
};

export type LedgerLine = {
  /** The day of the delivery in `RECADO_BILLING_TZ` */
  day: string;
  /** The phone that sent the messages */
  phoneId: string;
  /** The recipients' country, by ISO 3166; null if the network names none */
  country: string | null;
  /** The network's category; null if it names none */
  category: string | null;
  /** How the network priced the messages, in its word; null if it names none */
  type: string | null;
  /** ISO 4217 */
  currency: string;
  /** How many messages */
  count: number;
  /** Whether a price is known and charged */
  state: ChargeState;
  /** Millionths of the currency, without tiers and markup */
  amountMicros: number;
};

export type Licence = {
  /** The name of the package */
  name: string;
  /** The version inside this program */
  version: string;
  /** The name of the licence, as the package declares it */
  licence: string;
  /** The page of the package; null if it names none */
  homepage: string | null;
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

export type LinkedGroup = {
  /** The group's id here; null if the phone is not known to be in it */
  id: string | null;
  /** The network's id of the group */
  upstreamGroupId: string;
  /** The group's name */
  subject: string;
  /** Whether it is the group for the announcements of the community */
  isAnnouncementGroup: boolean;
};

export type ListAdaptersResult = {
  /** Every adapter of the plugin folder */
  items: Adapter[];
};

export type ListAuditEntriesAction = "account.create" | "account.change" | "account.join" | "account.make-institution" | "account.make-join-code" | "account.suspend" | "account.reinstate" | "admin-token.create" | "alerts.test" | "audit.prune" | "backup.create" | "backup.restore" | "channel.change-credentials" | "channel.change-proxy" | "channel.change-settings" | "channel.create" | "channel.delete" | "channel.disconnect" | "channel.import-history" | "channel.logout" | "channel.move-in" | "channel.move-out" | "channel.rotate-token" | "channel.undo-import" | "clock.advance" | "contact.opt-in" | "contact.opt-out" | "dead-letters.replay" | "flow-key.create" | "hours.change" | "institution.add-account" | "institution.change-plan" | "institution.create" | "invoice.create" | "invoice.issue" | "invoice.mark-paid" | "invoice.void" | "job.run" | "key.create" | "key.revoke" | "llm.change" | "master-key.rotate" | "mcp.call" | "member.add" | "member.change-role" | "member.invite" | "member.remove" | "member.withdraw" | "pairing-link.create" | "pairing-link.revoke" | "person.erase" | "person.erased" | "person.export" | "plan.change" | "plan.create" | "operator.change" | "operator.change-password" | "operator.create" | "operator.delete" | "operator.make-link" | "operator.reset" | "passkey.add" | "passkey.remove" | "recovery-codes.create" | "recovery-codes.use" | "session.begin" | "session.end" | "session.end-others" | "tool.change" | "tool.create" | "tool.delete" | "totp.start" | "totp.stop" | "user.change" | "user.change-password" | "user.create" | "user.delete" | "user.make-link" | "user.reset-password" | "user.verify-email" | "webhook.change" | "webhook.create" | "webhook.delete";

export type ListCommunityGroupsResult = {
  /** The groups of the community */
  items: LinkedGroup[];
};

export type ListContent = {
  /** The text above the button that opens the list */
  text: string;
  /** A line of small print */
  footer?: string;
  /** A line above the body */
  header?: TextHeader;
  /** The label of the button */
  buttonText: string;
  /** The rows in groups; row ids are unique in the whole list */
  sections: ListSection[];
};

export type ListLicencesResult = {
  /** Every package inside this program */
  items: Licence[];
};

export type ListMessagesStatus = "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "RECEIVED";

export type ListMonthsResult = {
  /** The months, the oldest first; the current one is the last */
  items: MonthOfAccount[];
};

export type ListNodesResult = {
  /** Every process that shares the database */
  items: Node[];
};

export type ListRow = {
  /** The value that comes back with the answer */
  id: string;
  /** The text of the row; 1 to 24 characters */
  title: string;
  /** A second line of the row; at most 72 characters */
  description?: string;
};

export type ListSection = {
  /** The title above the rows; 1 to 24 characters */
  title: string;
  /** The rows that can be chosen */
  rows: ListRow[];
};

export type ListSettingsResult = {
  /** Every setting, in the order of the documentation */
  items: Setting[];
};

export type ListTroublesResult = {
  /** The current troubles, the oldest first */
  items: Trouble[];
  /** How the operator is notified */
  ways: AlertWays;
};

export type ListUsernameSuggestionsResult = {
  /** Usernames that are free */
  suggestions: string[];
};

export type ListedAgent = {
  /** The agent's id */
  id: string;
  /** The phone that the agent answers on */
  phoneId: string;
  /** Who the agent is and how it answers */
  systemPrompt: string;
  /** The language model that answers */
  model: string;
  /** Whether the agent begins conversations; true by default */
  enabled: boolean;
  /** When the agent hands a conversation over to a person */
  handoffRules: ListedAgentHandoffRules;
  /** How many last turns the model sees; 10 by default */
  contextWindowTurns: number;
  /** How many pieces of knowledge an answer may use; 4 by default */
  ragTopK: number;
  /** Days without a turn after which a conversation closes; 30 by default */
  conversationTtlDays: number;
  /** The text that is sent before the first answer to a contact; null sends nothing */
  greeting: string | null;
  /** Whether business hours apply to it */
  respectHours: boolean;
  /** Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the knowledge, look up the contact, set a tag of it, business hours */
  builtInTools: AgentBuiltInTool[];
  /** The text that is sent outside business hours, once per chat and day; null sends nothing */
  closedText: string | null;
  /** Whether its questions are asked again after each change */
  runTrialsOnChange?: boolean;
  /** Whether it reads what voice notes say, and answers them */
  transcribesVoice: boolean;
  /** Whether it answers a voice note by a voice note */
  speaks: boolean;
  /** The voice of its voice notes, by the provider's name; null: `alloy` */
  voice: string | null;
  /** Which files of contacts the agent reads */
  sees: ListedAgentSees;
  /** How many tokens the agent may use */
  budget: ListedAgentBudget;
  /** When the agent was created */
  createdAt: string;
  /** When the agent last changed */
  updatedAt: string;
  /** How many documents it has, learnt or not */
  documentCount: number;
  /** Tokens that it has used since midnight UTC */
  usedTokens: number;
};

export type ListedAgentBudget = {
  /** Tokens per UTC day for one contact */
  dailyTokensPerContact: number;
  /** Tokens per UTC day for all contacts together */
  dailyTokens: number;
};

export type ListedAgentHandoffRules = {
  /** Words that hand the conversation over when the last message has one of them */
  keywords: string[];
  /** How many turns hand the conversation over; null means never */
  afterTurns: number | null;
};

export type ListedAgentPage = {
  /** The entries of this page, in the order of the list */
  items: ListedAgent[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ListedAgentSees = {
  /** Whether its model is shown pictures */
  images: boolean;
  /** Whether its model is given the text of documents */
  documents: boolean;
};

export type ListedEvent = {
  /** The event's id */
  id: string;
  /** The event's type */
  type: string;
  /** The phone that the event is about; null for an event of the account */
  phoneId: string | null;
  /** The progress of the event's deliveries */
  status: EventStatus;
  /** How often delivery was tried */
  attempts: number;
  /** When it is tried next; null if it is not tried again */
  nextRetryAt: string | null;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When the event happened */
  createdAt: string;
  /** What happened, as the webhook shows it; with include=data */
  data?: Record<string, unknown>;
};

export type ListedEventPage = {
  /** The entries of this page, in the order of the list */
  items: ListedEvent[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ListedNewsletterPost = {
  /** The number of the post in its newsletter */
  serverId: string;
  /** The message, if it was sent through this phone here; else null */
  messageId: string | null;
  /** Whether the phone's account wrote it */
  own: boolean;
  /** When it was posted; null if unknown */
  timestamp: string | null;
  /** The type of its content; null for a deleted post */
  type: ReceivedMessageType | null;
  /** As in newsletter:received; null if deleted */
  content: Record<string, unknown> | null;
  /** How often it was seen; null if the network did not report it */
  views: number | null;
  /** The reactions, counted by emoji; the network names nobody */
  reactions: NewsletterReactionCount[];
  /** The votes of a poll; absent from other posts */
  votes?: NewsletterPollVotes[];
};

export type ListedTemplateCategory = "MARKETING" | "UTILITY" | "AUTHENTICATION" | "UNKNOWN";

export type LlmIntegration = {
  /** Whether there is a key */
  configured: boolean;
  /** The address of the provider's API */
  baseUrl: string;
  /** The last four characters of the key; null without a key */
  keyHint: string | null;
  /** The model for chats if a request names none */
  defaultModel: string;
  /** The model that reads knowledge */
  embeddingModel: string;
  /** The model that turns voice notes into text */
  transcriptionModel: string;
  /** The language of voice notes, in two letters; null lets the provider find it */
  transcriptionLanguage: string | null;
  /** The model that speaks an agent's answers */
  speechModel: string;
  /** Another provider for knowledge; null if it is that of chats */
  embeddingBaseUrl?: string | null;
  /** The last four characters of its own key; null without an own key */
  embeddingKeyHint?: string | null;
  /** The tokens that all calls of the account may use per UTC day */
  dailyTokens: number;
  /** When the account last changed it; null while all is the server's default */
  updatedAt: string | null;
};

export type LocaleMenu = {
  /** A locale such as pt_BR, or default */
  locale: string;
  /** The entries of this language */
  items: LocaleMenuItem[];
};

export type LocaleMenuItem = PostbackItem | WebUrlItem;

export type LocalizedText = {
  /** In English */
  en: string;
  /** In Portuguese */
  pt: string;
  /** In Spanish */
  es: string;
};

export type LocationContent = {
  /** Degrees north of the equator, -90 to 90 */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180 */
  longitude: number;
  /** The name of the place */
  name?: string;
  /** The postal address of the place */
  address?: string;
};

export type LocationRequestContent = {
  /** The text above the button that sends the location */
  text: string;
};

export type LoggedMessage = {
  /** The message's id */
  id: string;
  /** The phone that sent or received it */
  phoneId: string;
  /** The chat of the message; null in a group, and for messages from before chats existed */
  chatId: string | null;
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction: WebhookDirection;
  /** The person who wrote; null for a message of the account */
  from: ChatPerson | null;
  /** The person who gets it; null for an incoming message */
  to: ChatPerson | null;
  /** The person, key or program that sent it; null for a message of another person, and if it was not recorded */
  sentBy: SentBy | null;
  /** As in a send, or as in message:received */
  type: string;
  /** The content of the message; its fields depend on `type`. A deleted message has none */
  content: Record<string, unknown>;
  /** The file of the message; null without one */
  media: MessageFile | null;
  /** The progress of the message; RECEIVED for a message of another person */
  status: ListMessagesStatus;
  /** `[CODE]` and why it failed; null otherwise */
  failedReason: string | null;
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
  /** The message that this one answers; null if it answers none */
  quotedMessageId: string | null;
  /** True for a message that came for information: another app leads the chat */
  isStandby: boolean;
  /** When it was accepted or received */
  createdAt: string;
  /** When the network took it; null before */
  sentAt: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When it was read; null before */
  readAt: string | null;
  /** What the voice note says, in words; null if it was not transcribed, and for other messages */
  transcript: string | null;
  /** The current reactions */
  reactions: ReactionOnMessage[];
  /** The current vote of each person in a poll; empty for other messages */
  votes: VoteOnMessage[];
  /** How often each option of a poll was chosen, by the votes that name their person; null for other messages */
  pollTotals: PollTotal[] | null;
  /** The current answer of each person to a calendar event */
  responses: ResponseToEvent[];
  /** When its pin in the chat ends; null if it is not pinned */
  pinnedUntil: string | null;
  /** Whether it stays when the others of its chat disappear */
  kept: boolean;
  /** When its text was changed; null if it was not */
  editedAt: string | null;
  /** When it was deleted for everyone; null if it was not */
  deletedAt: string | null;
  /** Whether it has a star in the phone's app */
  starred: boolean;
  /** Its labels of WhatsApp Business */
  labels: ChatLabel[];
  /** When the phone's app stopped showing it; null if it shows it */
  deletedForMeAt: string | null;
  /** When its time was over in a chat whose messages disappear; null before, and for a message that stays */
  expiredAt: string | null;
};

export type LoggedMessagePage = {
  /** The entries of this page, in the order of the list */
  items: LoggedMessage[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type LogoutPhoneResult = {
  /** The phone is logged out soon */
  status: "logging_out";
};

export type Lookup = {
  /** `results` comes with `completed` */
  status: "pending" | "completed";
  /** One result per number, in the given order */
  results?: LookupResult[];
};

export type LookupResult = {
  /** The number that was looked up, by E.164 without the plus */
  phoneNumber: string;
  /** Whether it is on the network */
  exists: boolean;
  /** The chat address of the number; null if the number is not on the network */
  jid: string | null;
};

export type MadeInstitution = {
  /** The new institution, which has the same id as the account */
  institutionId: string;
  /** The plan of the new institution */
  plan: InstitutionPlan;
  /** The address to which the owner's invitation was sent */
  email: string;
  /** Opens once; absent if it was mailed */
  link?: string;
};

export type MakeInstitutionRequest = {
  /** The plan of the new institution */
  plan: InstitutionPlan;
  /** The invited owner */
  ownerEmail: string;
};

export type MakeLabel = {
  /** The name of the label */
  name: string;
  /** The place in the palette of the app, from 0 to 19 */
  color?: number;
};

export type MediaAvailable = {
  /** The message that has the file */
  messageId: string;
  /** The file, as `GET /v1/media/{id}` answers it */
  mediaId: string;
  /** The media type of the file */
  contentType: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The shown name; null if none is known */
  filename: string | null;
  /** Leads to the file, with the API key */
  downloadUrl: string;
  /** When the file is deleted */
  expiresAt: string;
};

export type MediaAvailableEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "media:available";
  /** What happened */
  data: MediaAvailable;
};

export type MediaExpired = {
  /** The file that was deleted */
  mediaId: string;
  /** The message that had the file */
  messageId: string;
  /** When the file was deleted */
  expiredAt: string;
};

export type MediaExpiredEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "media:expired";
  /** What happened */
  data: MediaExpired;
};

export type MediaFailed = {
  /** The message without its file, as in its message:received */
  messageId: string;
  /** The chat of the message; null if none is known */
  conversationId: string | null;
  /** The person or group of the chat */
  chat: Peer;
  /** The media type that the network announced */
  contentType: string;
  /** The announced size; null if it names none */
  sizeBytes: number | null;
  /** The shown name; null if none is known */
  filename: string | null;
  /** Why there is no file */
  error: MediaFailure;
  /** The same in words */
  reason: string;
  /** When it was given up */
  timestamp: string;
};

export type MediaFailedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "media:failed";
  /** What happened */
  data: MediaFailed;
};

export type MediaFailure = "TOO_LARGE" | "GONE" | "REFUSED" | "INVALID" | "UNAVAILABLE" | "STORAGE_QUOTA_EXCEEDED";

export type MediaFile = {
  /** The file's id */
  id: string;
  /** The message that has the file */
  messageId: string;
  /** The media type of the file */
  contentType: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The shown name; null if none is known */
  filename: string | null;
  /** When the file is deleted */
  expiresAt: string;
  /** When the file was taken; null before */
  ackedAt: string | null;
  /** When it was deleted; null before */
  deletedAt: string | null;
};

export type MediaHandle = {
  /** The value for `content.mediaHandle` of a message */
  mediaHandle: string;
};

export type MemberRole = "OWNER" | "ADMIN" | "MEMBER" | "VIEWER";

/** A person whom the message names */
export type Mention = {
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** The hidden id; null if unknown */
  lid: string | null;
  /** Whether it is this phone */
  isMe: boolean;
};

export type Menu = {
  /** The entries that every chat offers, one set for each language */
  menu: LocaleMenu[];
};

export type MenuHeader = {
  /** The kind of header: `text` needs `text`, the others `mediaUrl` */
  type: MenuHeaderType;
  /** The text of a header of type `text`; at most 60 characters */
  text?: string;
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The shown name of a document: the name of a file alone, without folders */
  filename?: string;
};

export type MenuHeaderType = "text" | "image" | "video" | "document";

export type Message = {
  /** The message, as the request that sent it was answered */
  messageId: string;
  /** It moves only forward; FAILED is final */
  status: MessageStatus;
  /** When the network took it; null before */
  sentAt: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When it was read; null before */
  readAt: string | null;
  /** `[CODE]` and why it failed; null otherwise */
  failedReason: string | null;
  /** `text`: the network refused the buttons, and the message went out as a text with numbered options; absent otherwise */
  sentAs?: "text";
  /** How often each option of a poll was chosen; absent for other messages */
  pollTotals?: PollTotal[];
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
  /** The fallback of the message; absent without one */
  fallback?: Fallback;
  /** The message in whose place this one was sent; absent for any other */
  fallbackOf?: string;
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

export type MessageCounts = {
  /** Messages that were sent */
  sent: number;
  /** Messages of other people */
  received: number;
};

export type MessageDeletedForMe = {
  /** The message that the phone's app no longer shows */
  messageId: string;
  /** The person or group of the chat */
  chat: Peer;
  /** When it happened, as the network says */
  timestamp: string;
};

export type MessageDeletedForMeEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:deleted_for_me";
  /** What happened */
  data: MessageDeletedForMe;
};

export type MessageDelivery = {
  /** The delivery's id */
  id: string;
  /** The webhook that the delivery goes to */
  webhookId: string;
  /** The account's name for the webhook; null after its deletion */
  webhookName: string | null;
  /** The address to which the delivery goes */
  url: string;
  /** The progress of the delivery */
  state: DeliveryState;
  /** Why the delivery waits; null if nothing holds it */
  heldBecause: HeldBecause | null;
  /** How often delivery was tried */
  attempts: number;
  /** When it is tried next; null if it is not tried again */
  nextRetryAt: string | null;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** The newest attempts, newest first */
  tries: WebhookAttempt[];
};

export type MessageEdit = {
  /** The message that was changed */
  messageId: string;
  /** The new text */
  text: string;
  /** When the text was changed */
  editedAt: string;
  /** The person who did this; absent if the network does not say it */
  from?: Peer;
};

export type MessageEditedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:edited";
  /** What happened */
  data: MessageEdit;
};

export type MessageEvent = {
  /** The event's id */
  id: string;
  /** The API whose form the event has */
  api: EventApi;
  /** The type of the event */
  type: string;
  /** The status that a message:status reports, such as delivered; null for other events */
  status: string | null;
  /** When the event happened */
  createdAt: string;
  /** The delivery to each webhook */
  deliveries: MessageDelivery[];
};

export type MessageEventResponseEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:event-response";
  /** What happened */
  data: EventAnswer;
};

export type MessageExpiredEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:expired";
  /** What happened */
  data: MessageExpiry;
};

export type MessageExpiry = {
  /** The message that its chat no longer shows */
  messageId: string;
  /** The person or group of the chat */
  chat: Peer;
  /** When it happened, as the network says */
  timestamp: string;
};

export type MessageFallbackEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:fallback";
  /** What happened */
  data: FallbackDecision;
};

export type MessageFile = {
  /** The file, as `GET /v1/media/{id}` answers it */
  mediaId: string;
  /** The media type of the file */
  contentType: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The shown name; null if none is known */
  filename: string | null;
  /** A request to it with the API key leads to the file */
  downloadUrl: string;
  /** When the file is deleted */
  expiresAt: string;
};

export type MessageKeep = {
  /** The message that was kept */
  messageId: string;
  /** Whether the message stays when the others of its chat disappear */
  kept: boolean;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who did this; absent if the network does not say it */
  from?: Peer;
};

export type MessageKeptEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:kept";
  /** What happened */
  data: MessageKeep;
};

export type MessageLabelledEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:labelled";
  /** What happened */
  data: LabelledMessage;
};

export type MessageOperationFailedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:operation_failed";
  /** What happened */
  data: FailedOperation;
};

export type MessagePin = {
  /** The message that was pinned */
  messageId: string;
  /** Whether the message is pinned in its chat now */
  pinned: boolean;
  /** When the pin ends; null if the message is no longer pinned */
  until: string | null;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who did this; absent if the network does not say it */
  from?: Peer;
};

export type MessagePinnedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:pinned";
  /** What happened */
  data: MessagePin;
};

export type MessagePollResultsEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:poll-results";
  /** What happened */
  data: PollResults;
};

export type MessagePollVoteEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:poll-vote";
  /** What happened */
  data: PollVote;
};

export type MessagePrice = {
  /** The amount in millionths of the currency */
  amountMicros: number;
  /** The currency, as ISO 4217 has it */
  currency: string;
};

export type MessageReaction = {
  /** The message that the reaction is about */
  messageId: string;
  /** Empty if the reaction was removed */
  emoji: string;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who did this; absent if the network does not say it */
  from?: Peer;
};

export type MessageReactionEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:reaction";
  /** What happened */
  data: MessageReaction;
};

export type MessageReceipts = {
  /** The people with a receipt, in the order of their first receipts */
  items: PersonReceipts[];
};

export type MessageReceivedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:received";
  /** What happened */
  data: ReceivedMessage;
};

export type MessageStandbyEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:standby";
  /** What happened */
  data: ReceivedMessage;
};

export type MessageStar = {
  /** The message with the star */
  messageId: string;
  /** Whether the message has a star now */
  starred: boolean;
  /** The person or group of the chat */
  chat: Peer;
  /** When it happened, as the network says */
  timestamp: string;
};

export type MessageStarredEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:starred";
  /** What happened */
  data: MessageStar;
};

export type MessageStats = {
  /** Messages that were accepted to be sent */
  accepted: number;
  /** Messages that the network accepted */
  sent: number;
  /** Messages that reached a device */
  delivered: number;
  /** Messages that were read, if the network reports it */
  read: number;
  /** Messages that did not get through */
  failed: number;
  /** Messages of other people */
  received: number;
};

export type MessageStatsPoint = {
  /** The beginning of the step */
  at: string;
  /** Messages that were accepted to be sent */
  accepted: number;
  /** Messages that the network accepted */
  sent: number;
  /** Messages that reached a device */
  delivered: number;
  /** Messages that were read, if the network reports it */
  read: number;
  /** Messages that did not get through */
  failed: number;
  /** Messages of other people */
  received: number;
};

export type MessageStatus = "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED";

export type MessageStatusChange = {
  /** The message whose status changed */
  messageId: string;
  /** It moves only forward; failed is final */
  status: "sent" | "delivered" | "read" | "failed" | "deleted";
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who gets the message */
  to: Peer;
  /** Why it failed */
  errors?: MessageStatusError[];
  /** Sent without its quote */
  quoteDropped?: boolean;
  /** `text`: the network refused the buttons, and the message went out as a text with numbered options; absent otherwise */
  sentAs?: "text";
  /** How many parts the network made of it, such as segments of an SMS; absent until it says so */
  parts?: number;
  /** What the network charges the account for it; absent until it says so */
  price?: MessagePrice;
};

export type MessageStatusError = {
  /** The network's number of the failure */
  code: number;
  /** The network's short name of the failure */
  title: string;
  /** The network's text */
  message: string;
};

export type MessageStatusEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:status";
  /** What happened */
  data: MessageStatusChange | ReadWatermark;
};

export type MessageTimeline = {
  /** The message itself */
  message: LoggedMessage;
  /** The id of the request that asked for it; null for a received message */
  requestId: string | null;
  /** The network's own id of the message; null before the network took it */
  networkId: string | null;
  /** Why the message has not been sent yet; null if it does not wait */
  waiting: MessageWait | null;
  /** What happened to it, oldest first */
  steps: TimelineStep[];
  /** The events about it, with the progress of their deliveries */
  events: MessageEvent[];
};

export type MessageTranscribedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "message:transcribed";
  /** What happened */
  data: MessageTranscript;
};

export type MessageTranscript = {
  /** The voice note, as in its message:received */
  messageId: string;
  /** The chat of the note; null if none is known */
  conversationId: string | null;
  /** What the note says, as its sender's words; null if it could not be transcribed */
  text: string | null;
  /** Why it could not be transcribed; null with a text */
  reason: TranscriptionFailure | null;
  /** The same in the provider's words; null without any */
  detail: string | null;
  /** The length of the note; null if its file does not say it */
  seconds: number | null;
  /** The model that read it; null without a text */
  model: string | null;
  /** When it was transcribed, or given up */
  timestamp: string;
  /** The person who sent the note */
  from: Peer;
};

export type MessageType = "text" | "image" | "video" | "audio" | "document" | "sticker" | "location" | "contact" | "button" | "list" | "template" | "cta_url" | "location_request" | "address_message" | "flow" | "poll" | "event" | "copy_code" | "carousel" | "phone_number_request" | "phone_number_share" | "order_details" | "order_status" | "rich_text" | "pix";

export type MessageWait = {
  /** The reason for the wait */
  because: WaitReason;
  /** When it began to wait; null if unknown */
  since: string | null;
  /** When it is tried next; null if unknown */
  nextTryAt: string | null;
  /** The result of the last attempt; null before the first */
  reason: string | null;
};

export type MissingMedia = {
  /** Always null: there is no file to get */
  downloadUrl: null;
  /** Why there is no file; absent while it waits for good credentials, and for messages of long ago */
  error?: MediaFailure;
};

export type MonthOfAccount = {
  /** A calendar month in UTC */
  month: string;
  /** False for the current month, whose numbers still grow */
  isOver: boolean;
  /** Messages that were sent in the month */
  messagesSent: number;
  /** Messages that came in during the month */
  messagesReceived: number;
  /** The network's charges, by category */
  networkCharges: NetworkCharge[];
  /** BRL cents, passed-on charges included */
  costCents: number;
  /** BRL cents: the network's charge, with the account's markup */
  wabaPassthroughCents: number;
  /** Phones that sent at least one message */
  activePhones: number;
};

export type MonthOfAll = {
  /** A calendar month in UTC */
  month: string;
  /** False for the current month, whose numbers still grow */
  isOver: boolean;
  /** Messages that were sent in the month */
  messagesSent: number;
  /** Messages that came in during the month */
  messagesReceived: number;
  /** The network's charges, by category */
  networkCharges: NetworkCharge[];
  /** The invoices of this month, in cents of BRL */
  invoicedCents: number;
  /** The paid part of them, in cents of BRL */
  paidCents: number;
};

export type NameChange = {
  /** The name that customers see now; null until the network reports it */
  displayName: string | null;
  /** The name that was requested; null if none was */
  requestedName: string | null;
  /** The network's decision; NONE if no name was requested */
  status: "NONE" | "PENDING" | "APPROVED" | "REJECTED";
};

export type NamedAmount = {
  /** The sum in hundredths of BRL */
  value: number;
  /** Always 100: `value` is in hundredths */
  offset?: 100;
  /** The purpose of the amount; at most 60 characters */
  description?: string;
};

export type NetworkCharge = {
  /** The network's category */
  category: string;
  /** Whether a price is known and charged */
  state: ChargeState;
  /** ISO 4217 */
  currency: string;
  /** How many messages */
  count: number;
  /** Millionths of the currency */
  amountMicros: number;
};

export type NetworkClient = {
  /** The network that the version is for */
  kind: string;
  /** The version, in the network's numbering */
  version: string;
  /** When the network ends it; null while it names no end */
  expiresAt: string | null;
};

export type NewCallLink = {
  /** True for a call with video, false for one with voice alone */
  video: boolean;
  /** When the call begins; without it, whenever people join */
  startsAt?: string;
};

export type NewCloudToken = {
  /** The token's id */
  id: string;
  /** Which program has the token */
  name: string;
  /** How the token begins */
  prefix: string;
  /** IP addresses and CIDRs that may use the token; without any it works from everywhere */
  allowedAddresses: string[];
  /** When the token stops working; null means never */
  expiresAt: string | null;
  /** When it was last used; null before */
  lastUsedAt: string | null;
  /** When the token was created */
  createdAt: string;
  /** Shown once */
  token: string;
};

export type NewCloudTokenRequest = {
  /** Which program has the token */
  name: string;
  /** The only IP addresses and CIDRs from which the token may be used; empty means anywhere */
  allowedAddresses?: string[];
  /** A time in the future; by default never, or when the key that makes it ends */
  expiresAt?: string;
};

export type NewOperator = {
  /** How the console shows the operator */
  name: string;
  /** The e-mail address for signing in */
  email: string;
};

export type NewPairingLink = {
  /** The link's id */
  id: string;
  /** The title of the page; null shows the phone's own label */
  label: string | null;
  /** `paired`: the phone was connected */
  state: PairingLinkState;
  /** Who made the link: `key:<id>`, `user:<id>` or `operator:<id>` */
  createdBy: string;
  /** When the link was created */
  createdAt: string;
  /** The link opens until this time */
  expiresAt: string;
  /** When its page was first opened; null before */
  openedAt: string | null;
  /** When it was used or taken back; null before */
  endedAt: string | null;
  /** The page to send to the owner of the phone; shown only now */
  url: string;
};

/** In the form of the official API */
export type NewTemplateComponent = {
  /** The kind of part */
  type: TemplateComponentType;
  [key: string]: unknown;
};

export type NewerRelease = {
  /** The number of the release */
  version: string;
  /** When it was released */
  date: string;
  /** The page that says what has changed; null if there is no such page */
  notes: string | null;
  /** Whether the version in use should be replaced */
  isUrgent: boolean;
};

export type Newsletter = {
  /** The network's id; posts go to `<newsletterId>@newsletter` */
  newsletterId: string;
  /** What its followers see it called */
  name: string;
  /** A text about it; empty without one */
  description: string;
  /** The link by which everybody can follow it; null if the network names none */
  inviteLink: string | null;
  /** What the phone is to it; `guest` does not follow it */
  role: NewsletterRole;
  /** Whether the phone muted it */
  muted: boolean;
  /** How many people follow it; null if unknown */
  subscriberCount: number | null;
  /** Whether the network verified its owner */
  verified: boolean;
  /** The emojis with which people may react; null if unknown */
  reactions: NewsletterReactions | null;
  /** Whether it has a picture */
  hasPicture: boolean;
  /** When it was made; null if unknown */
  createdAt: string | null;
};

export type NewsletterChange = {
  /** The network's id of the newsletter */
  newsletterId: string;
  /** What happened to it */
  change: NewsletterChangeType;
  /** When it happened */
  timestamp: string;
  /** Its name; null if the network did not report it */
  name: string | null;
  /** Its description; null if the network did not report it */
  description: string | null;
};

export type NewsletterChangeType = "followed" | "unfollowed" | "muted" | "unmuted" | "updated" | "deleted";

export type NewsletterChangedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "newsletter:changed";
  /** What happened */
  data: NewsletterChange;
};

export type NewsletterCountsEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "newsletter:counts";
  /** What happened */
  data: NewsletterPostCounts;
};

export type NewsletterList = {
  /** Those that the phone follows or owns, at most 1,000 */
  items: Newsletter[];
};

export type NewsletterLiveUpdates = {
  /** For how many seconds events come */
  seconds: number;
};

export type NewsletterPollVotes = {
  /** The text of the option */
  option: string;
  /** How many people chose it */
  votes: number;
};

export type NewsletterPost = {
  /** The network's id of the newsletter; null if it names none */
  newsletterId: string | null;
  /** The type of the content */
  type: ReceivedMessageType;
  /** When it happened, as the network says */
  timestamp: string;
  /** The content of the message, by its type */
  content: ReceivedText | ReceivedFile | ReceivedLocation | ReceivedContacts | ReceivedReply | ReceivedForm | ReceivedOrder | ReceivedCallPermission | ReceivedPoll | ReceivedCalendarEntry | ReceivedNumberRequest | ReceivedNumber | ReceivedPaymentMethod | ReceivedWelcomeRequest | UnsupportedContent;
};

export type NewsletterPostCounts = {
  /** The network's id of the newsletter */
  newsletterId: string;
  /** The number of the post in its newsletter */
  serverId: string;
  /** The post, if it was sent from here; else null */
  messageId: string | null;
  /** When the network counted */
  timestamp: string;
  /** How often it was seen; null if the network did not report it */
  views: number | null;
  /** The reactions, counted by emoji; the network names nobody */
  reactions: NewsletterReactionCount[];
};

export type NewsletterPosts = {
  /** The posts, newest first */
  items: ListedNewsletterPost[];
  /** The `before` of the next page; null at the end */
  nextBefore: string | null;
};

export type NewsletterReaction = {
  /** The phone that reacts */
  phoneId: string;
  /** The emoji; an empty text takes the reaction back */
  emoji: string;
};

export type NewsletterReactionCount = {
  /** The emoji of the reaction */
  emoji: string;
  /** How many people reacted with it */
  count: number;
};

export type NewsletterReactions = "all" | "basic" | "none";

export type NewsletterReceivedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "newsletter:received";
  /** What happened */
  data: NewsletterPost;
};

export type NewsletterRole = "owner" | "admin" | "subscriber" | "guest";

export type Node = {
  /** Every start of a process makes a new id */
  id: string;
  /** Where other nodes reach it; null if they cannot */
  url: string | null;
  /** When the process began to run */
  startedAt: string;
  /** Whether its lease is valid */
  isLive: boolean;
  /** Whether it is the process that answers */
  isSelf: boolean;
  /** How many live links it has */
  channels: number;
};

export type NumberVerification = {
  /** Whether the number can send now */
  isRegistered: boolean;
  /** Why the number is not registered; null or absent if it is */
  reason: "PIN_REJECTED" | "REGISTER_FAILED" | null;
};

export type OpeningTimes = {
  /** When it opens, such as 09:00 */
  from: string;
  /** When it closes; a time that is not later than `from` belongs to the next day */
  to: string;
};

export type OperationLimit = {
  /** The operation that this limits */
  operation: OperationLimitOperation;
  /** The types of sent messages that the operation takes; null means all */
  types: string[] | null;
  /** The age of a message after which the operation is accepted without an effect; null: at no age */
  withinMinutes: number | null;
};

export type OperationLimitOperation = "react" | "edit" | "delete" | "read" | "typing" | "pin" | "keep" | "played" | "vote" | "respond" | "star" | "label" | "delete-for-me" | "forward";

export type Operator = {
  /** The operator's id */
  id: string;
  /** How the console shows the operator */
  name: string;
  /** The e-mail address for signing in */
  email: string;
  /** Whether the operator has chosen a password yet */
  hasPassword: boolean;
  /** Whether signing in takes a code or a passkey too */
  hasSecondStep: boolean;
  /** When the operator was created */
  createdAt: string;
};

export type OperatorLink = {
  /** The operator's id */
  id: string;
  /** The address that the link was made for */
  email: string;
  /** Opens once; absent if it was mailed */
  link: string;
  /** The link opens until this time */
  expiresAt: string;
};

export type OperatorList = {
  /** Every operator, oldest first */
  items: Operator[];
};

export type OperatorReset = {
  /** The e-mail address of the operator */
  email: string;
};

export type OrderDetailsContent = {
  /** The text above the order */
  text: string;
  /** A line of small print */
  footer?: string;
  /** The order's own id: 1 to 35 letters, digits, dashes, dots and underscores */
  referenceId: string;
  /** The kind of goods that are sold */
  goods: TemplateOrderGoods;
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

export type OrderStatusContent = {
  /** The text with the status */
  text: string;
  /** A line of small print */
  footer?: string;
  /** The `referenceId` of the order: 1 to 35 letters, digits, dashes, dots and underscores */
  referenceId: string;
  /** The status of the order */
  status: "pending" | "processing" | "partially-shipped" | "shipped" | "completed" | "canceled";
  /** The new status of the order */
  description?: string;
  /** The details of the payment */
  payment?: OrderStatusContentPayment;
};

export type OrderStatusContentPayment = {
  /** The status of the payment */
  status: "pending" | "captured" | "failed";
  /** When the payment was made, in seconds since 1970 */
  timestamp?: number;
};

export type OrderedProduct = {
  /** The network's id of the product */
  productId: string;
  /** The name of the product; null without one */
  name: string | null;
  /** How many pieces; null if unknown */
  quantity: number | null;
  /** The price of one piece; null if none is named */
  price: CatalogPrice | null;
  /** The address of its picture, for some days; null without one */
  imageUrl: string | null;
};

export type OriginResult = {
  /** Where the request comes from */
  address: string;
  /** Whether it comes from this machine */
  isLocal: boolean;
  /** Whether RECADO_TRUSTED_PROXIES names that proxy */
  isTrusted: boolean;
  /** Whether a proxy passed the request on */
  isProxied: boolean;
};

export type Owed = {
  /** How many invoices */
  count: number;
  /** The sum in cents of BRL */
  cents: number;
};

export type OwnAccount = {
  /** The account's id */
  id: string;
  /** The name of the business */
  name: string;
  /** Always ACTIVE: an account in any other state cannot make requests */
  status: string;
  /** The stage of the account's late payment */
  dunningStage: AccountDunningStage;
  /** When the account was created */
  createdAt: string;
  /** The plan of the account; null without one */
  plan: AccountPlan | null;
  /** The key of this request */
  key: AccountKey;
  /** The two limits of requests in a minute, and the rest of each */
  rates: AccountRates;
  /** The number of objects of each kind in the account, and its limit */
  limits: AccountLimit[];
};

export type OwnDate = {
  /** A day of the calendar, such as 2026-12-24 */
  date: string;
  /** The times of this day, four at most; absent or empty means closed */
  times?: OpeningTimes[];
};

export type OwnProfile = {
  /** The name of the phone's owner; null until the network reports it */
  name: string | null;
  /** The line beside the name; null until the network reports it */
  about: string | null;
  /** The address of the picture; null if none is shown */
  pictureUrl: string | null;
};

export type Pairing = {
  /** A mark that changes whenever the shown content changes */
  version: string;
  /** `asleep`: ask for /reconnect to have codes made. `preparing`: the first code is made. `waiting`: for a scan, or a typed code. `linking`: a code was used. `passkey`: the network wants the owner's passkey */
  state: PairingState;
  /** The text in the QR code; null without a code */
  qr: string | null;
  /** The QR code as a PNG, a base64 data URL; null without a code */
  dataUrl: string | null;
  /** The code to type; null if none was requested, or before it is made */
  code: string | null;
  /** The step that the owner has to take; null if there is none */
  hint: PairingHint | null;
  /** The page where the owner uses the passkey; null if none is needed */
  passkeyUrl: string | null;
};

export type PairingCode = {
  /** The 8 characters that the owner types */
  code: string;
  /** The code with a dash in the middle */
  formatted: string;
  /** The step that the owner has to take; absent if typing the code is enough */
  hint?: PairingHint;
};

/** A hint for the person who links the phone; absent without a hint */
export type PairingHint = {
  /** Such as SCAN_AGAIN or PASSKEY_REQUIRED */
  code: string;
  /** The sentence in English */
  en: string;
  /** The sentence in Portuguese */
  pt: string;
  /** When trying again makes sense */
  retryAt?: string;
};

export type PairingLink = {
  /** The link's id */
  id: string;
  /** The title of the page; null shows the phone's own label */
  label: string | null;
  /** `paired`: the phone was connected */
  state: PairingLinkState;
  /** Who made the link: `key:<id>`, `user:<id>` or `operator:<id>` */
  createdBy: string;
  /** When the link was created */
  createdAt: string;
  /** The link opens until this time */
  expiresAt: string;
  /** When its page was first opened; null before */
  openedAt: string | null;
  /** When it was used or taken back; null before */
  endedAt: string | null;
};

export type PairingLinkList = {
  /** Every link of the phone, newest first */
  items: PairingLink[];
};

export type PairingLinkState = "open" | "paired" | "revoked" | "expired";

export type PairingState = "asleep" | "preparing" | "waiting" | "linking" | "passkey" | "paired";

export type Passkey = {
  /** The next step */
  stage: "ASSERTION_REQUIRED" | "CONFIRMATION_REQUIRED" | "IN_PROGRESS";
  /** WebAuthn's request options as JSON, exactly as the network gave them */
  options: Record<string, unknown>;
  /** A code that the owner compares with the one on the phone */
  code?: string;
  /** The page where the owner can do it; a secret */
  bridgeUrl: string;
  /** The owner can use the passkey until this time */
  expiresAt: string;
};

export type PasskeyAssertion = {
  /** must be base64url */
  id: string;
  /** must be base64url */
  rawId: string;
  /** Always `public-key` */
  type: "public-key";
  /** The answer of the owner's passkey */
  response: PasskeyAssertionResponse;
};

export type PasskeyAssertionResponse = {
  /** must be base64url */
  clientDataJSON: string;
  /** must be base64url */
  authenticatorData: string;
  /** must be base64url */
  signature: string;
  /** The user's handle; null or empty if the key gives none */
  userHandle?: string | null | "";
};

export type PasskeyRequired = {
  /** The page for the owner; a secret */
  bridgeUrl: string;
  /** The owner can confirm until this time */
  expiresAt: string;
  /** The step that the owner has to take */
  hint: PairingHint;
};

export type Peer = {
  /** The person's key on this network, whatever the number */
  canonicalKey: string;
  /** The kind of address that `canonicalKey` has */
  type: ContactType;
  /** The number as a chat address, `<digits>@s.whatsapp.net`, or as digits where the network is not WhatsApp; null if unknown */
  pn: string | null;
  /** The network's id as a chat address, `<digits>@lid`; null if unknown */
  lid: string | null;
  /** The person's id for your business */
  bsuid?: string;
  /** The person's username on the network; absent if none is known */
  username?: string;
};

export type PendingLookup = {
  /** The lookup, for `GET /v1/lookup/{taskId}` */
  taskId: string;
  /** The network is asked soon */
  status: "pending";
};

export type PendingRemoval = {
  /** The steps that the number's owner still has to take */
  action: "DISCONNECT_IN_BUSINESS_APP";
  /** Why the step is needed, for people */
  reason: string;
};

export type Period = {
  /** The beginning, inclusive */
  from: string;
  /** The end, exclusive */
  to: string;
};

export type PersonExport = {
  /** The names of the person, by network */
  names: Record<string, unknown>[];
  /** The rows of each table that concern the person */
  tables: Record<string, Record<string, unknown>[]>;
};

export type PersonReceipts = {
  /** The person whose receipts these are */
  person: ChatPerson;
  /** When the first device of the person got it; null before */
  deliveredAt: string | null;
  /** When the person read it; null if unread, or if the person hides it */
  readAt: string | null;
  /** When the person played the voice note; null if not played */
  playedAt: string | null;
};

export type PersonReference = {
  /** A number, canonical key or chat address */
  to: string;
};

export type PersonRequest = {
  /** A number, a LID, a user id, `@username`, or a canonical key such as `pn:5511999990001` */
  person: string;
  /** Only the data that this account or institution has of the person; the data of all if absent */
  accountId?: string;
};

export type Phone = {
  /** The phone's id */
  id: string;
  /** The account that the phone belongs to */
  accountId: string;
  /** The kind of phone, which decides what it can do */
  type: PhoneType;
  /** A name for the account's own people */
  label: string;
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** Whether the phone is connected */
  status: PhoneStatus;
  /** The phone's own webhook; null without one */
  webhookUrl: string | null;
  /** Event types; empty means all */
  webhookEvents: string[];
  /** The linked shared webhook; null without one */
  sharedWebhookId: string | null;
  /** When it was disconnected; null while it is connected */
  disconnectedAt: string | null;
  /** Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is unknown */
  stateReason: string | null;
  /** When the phone got its status; null before the first connection */
  stateSince: string | null;
  /** The network's current restriction of the phone; null without a restriction */
  restriction: Restriction | null;
  /** When the phone was created */
  createdAt: string;
  /** When the phone last changed */
  updatedAt: string;
  /** The account's own hidden id, by which groups mention it; absent before it is known */
  lid?: string;
  /** The proxy that a session connects through, without its user and password */
  proxy?: string;
  /** The network's id of the number; null while unknown */
  wabaPhoneNumberId?: string | null;
  /** The network's id of the business account; null while unknown */
  wabaBusinessAccountId?: string | null;
  /** The speed at which the number may send, in the network's word; null until the network reports it */
  wabaThroughputLevel?: string | null;
  /** GREEN, YELLOW or RED, as the network rates the number; null while it is not rated */
  wabaQualityRating?: string | null;
  /** How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown */
  wabaMessagingLimit?: string | null;
  /** The username of the business on the network; null without one */
  wabaUsername?: string | null;
  /** The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it */
  wabaCanSend?: string | null;
  /** Why the network refuses to send; null if it does not */
  wabaSendProblem?: SendProblem | null;
  /** Whether the network sends us the number's events */
  wabaWebhookConfigured?: boolean;
  /** Whether the owner's business app goes on with the number */
  wabaCoexistence?: boolean;
  /** When the app's contacts were requested; null before */
  wabaContactsSyncAt?: string | null;
  /** When the app's history was requested; null before */
  wabaHistorySyncAt?: string | null;
  /** The account's id; null for other types */
  igUserId?: string | null;
  /** The account's username; null for other types */
  igUsername?: string | null;
  /** The kind of account, in the network's word; null for other types */
  igAccountType?: string | null;
  /** When the account's consent ends; null for other types, and if the end is not known */
  igTokenExpiresAt?: string | null;
  /** Whether the network sends us the account's events */
  igWebhookConfigured?: boolean;
};

export type PhoneCapabilities = {
  /** The types of content that a send may have */
  contentTypes: string[];
  /** The limits of each of these types */
  contentLimits: ContentLimit[];
  /** The operations on a received message */
  onReceived: OperationLimitOperation[];
  /** The operations on a sent message */
  onSent: OperationLimitOperation[];
  /** The operations that only some messages allow */
  operationLimits: OperationLimit[];
  /** Whether a send may name a file that POST /v1/media/files has kept */
  takesUploads: boolean;
  /** The types of content that a post of a newsletter may have; empty without newsletters */
  newsletterTypes: string[];
  /** The types of content that a status may have; empty without statuses */
  statusTypes: string[];
  /** How many images one message may have */
  imagesPerMessage: number;
  /** How many quick replies a text may have */
  quickReplies: number;
  /** The tags with which a message may go out when its answer window is closed */
  tags: string[];
  /** Whether the network reviews templates */
  hasTemplates: boolean;
  /** Whether the network can be asked which numbers it knows */
  hasLookups: boolean;
  /** How many hours after a person's message the phone may answer freely; null means for good */
  answerWindowHours: number | null;
  /** How a send names a person: by a phone number, or by an id of the network */
  recipients: RecipientForm;
  /** Whether GET /v1/groups and the other routes of groups work with the phone */
  hasGroups: boolean;
  /** Whether people can be called from the phone, and calls taken here */
  hasCalls: boolean;
  /** Whether a call that rings can be rejected here */
  canRejectCalls: boolean;
  /** Whether links of calls can be made */
  hasCallLinks: boolean;
};

export type PhoneClientExpiringEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:client-expiring";
  /** What happened */
  data: ClientExpiring;
};

export type PhoneConnected = {
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
};

export type PhoneConnectedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:connected";
  /** What happened */
  data: PhoneConnected;
};

export type PhoneCount = {
  /** The type of the phones */
  type: string;
  /** The state of these phones */
  status: PhoneStatus;
  /** How many phones there are */
  count: number;
};

export type PhoneDelegatedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:delegated";
  /** What happened */
  data: PhoneDelegation;
};

export type PhoneDelegation = {
  /** The person whose chats they are */
  from: Peer;
  /** The person's name; null if none is known */
  name: string | null;
  /** The connection, which ends the addresses of these chats */
  connectionId: string;
  /** Whether the phone reads these chats now */
  isActive: boolean;
  /** Whether it may answer in them */
  mayWrite: boolean;
  /** When it happened, as the network says */
  timestamp: string;
};

export type PhoneDisconnected = {
  /** Why it is disconnected */
  reason: string;
};

export type PhoneDisconnectedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:disconnected";
  /** What happened */
  data: PhoneDisconnected;
};

export type PhoneKind = {
  /** The `type` of phones of this kind */
  type: PhoneType;
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
  /** The further fields that only a new one takes */
  creationSettings: FormField[];
  /** The settings that may be changed at any time */
  settings: FormField[];
  /** What one can do, connected or not */
  capabilities: KindCapabilities;
};

export type PhoneKindList = {
  /** Every kind of this server */
  items: PhoneKind[];
};

export type PhoneNumberRequestContent = {
  /** The text above the button */
  text?: string;
};

export type PhonePage = {
  /** The entries of this page, in the order of the list */
  items: Phone[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type PhonePasskeyRequiredEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:passkey-required";
  /** What happened */
  data: PasskeyRequired;
};

export type PhoneProxy = {
  /** The proxy without its user and password; null without a proxy */
  proxy: string | null;
};

export type PhoneQrCode = {
  /** The text of the code */
  qr: string;
  /** The code can be scanned until this time */
  expiresAt: string;
  /** The step that the owner has to take; absent if scanning is enough */
  hint?: PairingHint;
};

export type PhoneQrcodeEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:qrcode";
  /** What happened */
  data: PhoneQrCode;
};

export type PhoneReference = {
  /** The phone that the message went through */
  phoneId: string;
};

export type PhoneRestrictedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:restricted";
  /** What happened */
  data: Restriction;
};

export type PhoneSettings = {
  /** `voice`: voice notes of people become text at the account's provider of language models, and an event with the text follows; null is `off`. An agent with `transcribesVoice` reads them in any case */
  transcribeVoice?: "off" | "voice" | null;
  /** `on`: a person who writes only STOP, PARAR, SAIR, BAJA or a like word opts out, and in again by START, VOLTAR or ALTA; null is `on` for a network of SMS, else `off` */
  optOutWords?: PhoneSettingsOptOutWords | null;
  /** Further words of an opt-out, with commas between them, beside the usual; null for none */
  ownOptOutWords?: string | null;
  /** How buttons and lists go out; null is `off`, a text with numbered options. `try` sends the network's own first, whose form it may refuse at any time, and then the text */
  nativeButtons?: "off" | "try" | null;
  /** `on`: a text with a web address gets a preview, for which Recado asks the page; null is `off`. `linkPreview` of a text decides otherwise */
  linkPreviews?: PhoneSettingsOptOutWords | null;
  /** `on`: a label of WhatsApp Business on a chat is a tag of its contact. A tag with the name of a label labels the chats; null is `off` */
  labelsAsTags?: PhoneSettingsOptOutWords | null;
  /** `on`: people see the account as online while the session is connected, and the owner's phone shows no notifications; null is `off` */
  alwaysOnline?: PhoneSettingsOptOutWords | null;
  /** `on`: received messages of people are marked as read, some seconds after they came; null is `off` */
  readAutomatically?: PhoneSettingsOptOutWords | null;
  /** `on`: messages in groups, and acts on them, are neither stored nor published; null is `off` */
  ignoreGroups?: PhoneSettingsOptOutWords | null;
  /** `on`: a call of one person is rejected at once, and stops ringing on the owner's phone; null is `off` */
  rejectCalls?: PhoneSettingsOptOutWords | null;
  /** The text that a rejected caller gets, at most once in ten minutes. It is a send like any other. Null for none */
  rejectCallsText?: string | null;
  /** The messaging account that pays and sends, 1 to 32 digits; null lets the network choose */
  messagingAccountId?: string | null;
  /** How MARKETING templates go out; null is the default, `off` */
  marketingMessages?: "off" | "fallback" | "strict" | null;
  /** What the maximum price of a marketing message is multiplied by, with `marketingMessages`; null for none */
  marketingPriceFactor?: string | null;
  /** The name for messages with the tag UTILITY, which go out without a template; null refuses them */
  directSendName?: string | null;
};

export type PhoneSettingsOptOutWords = "on" | "off";

export type PhoneStatus = "PENDING" | "PENDING_QR" | "PENDING_WEBHOOK" | "CONNECTING" | "CONNECTED" | "RESTRICTED" | "DISCONNECTED" | "TOKEN_EXPIRED" | "FAILED";

export type PhoneType = "SESSION" | "WABA" | "SOCIAL" | (string & {});

export type PhoneUnrestricted = {
  /** The restriction that was lifted */
  reason: string;
};

export type PhoneUnrestrictedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "channel:unrestricted";
  /** What happened */
  data: PhoneUnrestricted;
};

export type PhoneWebhook = {
  /** A public HTTPS address, or that of a message broker; missing: no webhook */
  url?: string;
  /** Key of the HMAC signature; required with `url` */
  secret?: string;
  /** Event types; empty means all */
  events?: EventType[];
};

export type Picture = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** must be base64 of at most 5 MiB */
  base64?: string;
};

export type PinMessageRequest = {
  /** The phone that the message went through */
  phoneId: string;
  /** How long it is pinned; `24h` by default */
  duration?: "24h" | "7d" | "30d";
};

export type PixContent = {
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
};

export type PlaceCallRequest = {
  /** The phone that wants to call */
  phoneId: string;
  /** E.164 number or business-scoped user id */
  to: string;
  /** The WebRTC offer of your side */
  sdpOffer: string;
};

export type Plan = {
  /** The plan's short name */
  code: string;
  /** How the plan bills */
  kind: PlanKind;
  /** The currency of the prices: BRL */
  currency: string;
  /** Cents of BRL for each message sent */
  perMessageCents: number;
  /** Cents of BRL for each phone and month */
  perPhoneMonthCents: number;
  /** Cents of BRL a month */
  monthlyFeeCents: number;
  /** How many the monthly fee covers */
  includedMessages: number;
  /** Cents of BRL for each further message */
  overageCents: number;
  /** `wabaCents`, and what else was stored */
  metadata: Record<string, unknown>;
  /** When the plan was created */
  createdAt: string;
  /** When the plan last changed */
  updatedAt: string;
};

export type PlanKind = "pay_as_you_go" | "flat" | "free_tier" | "custom";

export type PlanMetadata = {
  /** Cents for each message that the network charges for, by its category, with at most four decimals (3.5 is R$ 0.0350). A missing category has the price of the network's list */
  wabaCents?: Record<string, number>;
  [key: string]: unknown;
};

export type PollContent = {
  /** The question of the poll; 1 to 255 characters */
  question: string;
  /** The answers that can be chosen; all different */
  options: string[];
  /** How many options one person may choose, 1 by default; no more than there are */
  maxSelections?: number;
};

export type PollResults = {
  /** The message with the poll */
  messageId: string;
  /** How often each option was chosen */
  totals: PollTotal[];
  /** Whether nobody can vote any more */
  isClosed: boolean;
  /** When it happened, as the network says */
  timestamp: string;
};

export type PollTotal = {
  /** The text of the option */
  option: string;
  /** How many chose it */
  votes: number;
};

export type PollVote = {
  /** The message with the poll */
  messageId: string;
  /** The options that the person chose; empty if the vote was withdrawn */
  options: string[];
  /** How often each option was chosen */
  totals: PollTotal[];
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who did this; absent if the network does not say it */
  from?: Peer;
};

export type PossibleAssignee = {
  /** The member's user id */
  userId: string;
  /** The name of the member */
  name: string;
  /** The role of the member */
  role: MemberRole;
};

export type PostStatus = {
  /** What the status is */
  type: StatusType;
  /** The content, as in a message of the same type */
  content: Record<string, unknown>;
  /** Who may see it: numbers, canonical keys or chat addresses. Without it: everybody the phone knows */
  audience?: string[];
  /** The background of a text or voice note; must be # and six hexadecimal digits */
  backgroundColor?: string;
  /** The font of a text, by the network's number */
  font?: number;
  /** A repeat with the same key and account posts nothing */
  idempotencyKey?: string;
};

export type PostbackItem = {
  /** Always `postback`: tapping sends `payload` */
  type: "postback";
  /** The text of the entry; 1 to 30 characters */
  title: string;
  /** The value that comes back when it is tapped */
  payload: string;
};

export type Presence = "available" | "unavailable" | "composing" | "recording" | "paused";

export type PresenceChange = {
  /** The person whose presence changed */
  contact: Peer;
  /** The chat that the presence holds for */
  chat: Peer;
  /** The person's presence */
  state: Presence;
  /** When it happened, as the network says */
  timestamp: string;
  /** When the person was last online; null if it is not shown */
  lastSeenAt: string | null;
};

export type PrivacyChanges = {
  /** Who sees when the account was last online */
  lastSeen?: PrivacyChangesAbout;
  /** Who sees that the account is online: all, or who sees the last time */
  online?: "all" | "match_last_seen";
  /** Who sees the picture */
  picture?: PrivacyChangesAbout;
  /** Who sees the about text */
  about?: PrivacyChangesAbout;
  /** Whether people learn that their messages were read; `none` hides theirs from the account too */
  readReceipts?: "all" | "none";
  /** Who may add the account to groups */
  groupAdd?: "all" | "contacts" | "contact_blacklist";
  /** Who may call: all, or people whom the account knows */
  callAdd?: "all" | "known";
  /** The seconds after which messages of new chats disappear; 0 if they stay: a day, a week or 90 days */
  defaultDisappearingSeconds?: 0 | 86400 | 604800 | 7776000;
};

export type PrivacyChangesAbout = "all" | "contacts" | "contact_blacklist" | "none";

export type PrivacySettings = {
  /** Who sees when the account was last online; null if the network does not say it */
  lastSeen: PrivacySettingsAbout | null;
  /** Who sees that the account is online: all, or who sees the last time; null if the network does not say it */
  online: ("all" | "match_last_seen" | (string & {})) | null;
  /** Who sees the picture; null if the network does not say it */
  picture: PrivacySettingsAbout | null;
  /** Who sees the about text; null if the network does not say it */
  about: PrivacySettingsAbout | null;
  /** Whether people learn that their messages were read; `none` hides theirs from the account too; null if the network does not say it */
  readReceipts: ("all" | "none" | (string & {})) | null;
  /** Who may add the account to groups; null if the network does not say it */
  groupAdd: ("all" | "contacts" | "contact_blacklist" | (string & {})) | null;
  /** Who may call: all, or people whom the account knows; null if the network does not say it */
  callAdd: ("all" | "known" | (string & {})) | null;
  /** The seconds after which messages of new chats disappear; 0 if they stay; null if the network does not say it */
  defaultDisappearingSeconds: number | null;
};

export type PrivacySettingsAbout = "all" | "contacts" | "contact_blacklist" | "none" | (string & {});

export type PromoteGroupParticipantsResult = {
  /** `code` is the network's own number */
  participants: GroupPersonOutcome[];
};

export type ProxyCheck = {
  /** Whether the network answers through the proxy now; true without a proxy */
  isReached: boolean;
  /** The proxy without its user and password; null without a proxy */
  proxy: string | null;
  /** How long it took; null if it was not reached */
  durationMs: number | null;
  /** Why it was not reached; null if it was */
  reason: string | null;
};

export type PutIceBreakersRequest = {
  /** The questions that a new chat offers, one set for each language */
  iceBreakers: IceBreaker[];
};

export type PutMenuRequest = {
  /** The entries that every chat offers, one set for each language */
  menu: LocaleMenu[];
};

export type QrCode = {
  /** The text in the QR code */
  qr: string;
  /** The code as a PNG, a base64 data URL */
  dataUrl: string;
  /** The step that the owner has to take; absent if scanning is enough */
  hint?: PairingHint;
};

export type QuickReply = {
  /** The value that comes back with the answer */
  id: string;
  /** The text of the quick reply; 1 to 20 characters */
  text: string;
};

export type Quota = {
  /** The network's own limit of new people in a cycle; null if it has none or did not report it */
  network: QuotaNetwork | null;
  /** The limit of the operator's settings for a day; null without one */
  own: QuotaOwn | null;
};

/** The network's quota of new chats; null if it has none or did not report it */
export type QuotaNetwork = {
  /** How near the limit is: NONE, FIRST_WARNING, SECOND_WARNING, CAPPED or another word of the network */
  status: string;
  /** How many new people may be written to in the cycle; null if the network does not say */
  total: number | null;
  /** Null if the network does not say */
  used: number | null;
  /** When the cycle began; null if the network does not say */
  cycleStartsAt: string | null;
  /** When the cycle ends; null if the network does not say */
  cycleEndsAt: string | null;
  /** When the network was asked */
  askedAt: string;
};

/** The limit of RECADO_SESSION_NEW_CHATS_A_DAY and RECADO_SESSION_WARM_UP; null without one */
export type QuotaOwn = {
  /** Chats with new people a day */
  limit: number;
  /** Chats begun since the count began */
  used: number;
  /** When the count begins anew; null while nothing is counted */
  resetsAt: string | null;
};

/** The message that is answered, if Recado does not know it */
export type QuotedMessage = {
  /** The network's id of the quoted message */
  id: string;
  /** The beginning of the quoted message */
  text?: string;
};

export type ReactToMessageRequest = {
  /** The phone that the message went through */
  phoneId: string;
  /** An empty text removes the reaction */
  emoji: string;
};

export type ReactionOnMessage = {
  /** The reaction, as the network reported it */
  emoji: string;
  /** The canonical key of the person; null: the phone itself */
  by: string | null;
  /** When the person reacted */
  at: string;
};

export type ReadEmbeddedSignupEventRequest = {
  /** The message that the sign-up window posted: its text, or the object itself */
  message: ReadEmbeddedSignupEventRequestMessage;
};

export type ReadEmbeddedSignupEventRequestMessage = string | SignupMessage;

export type ReadWatermark = {
  /** Always `read` */
  status: "read";
  /** All messages before this time were read */
  watermark: string;
  /** The person who read */
  from: Peer;
};

export type Readiness = {
  /** `not_ready`: something does not work */
  status: "ready" | "not_ready";
  /** The state of each part */
  checks: ReadinessChecks;
  /** The adapters in the plugin folder that cannot be used; absent if all can */
  degraded?: string[];
};

export type ReadinessChecks = {
  /** The store of everything except media */
  database: CheckState;
  /** The store inside the process */
  cache: CheckState;
  /** The store of media */
  storage: CheckState;
};

export type Received = {
  /** True: the request was stored */
  received: boolean;
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

export type ReceivedCallPermissionMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "call_permission_reply";
  /** The content of the message */
  content: ReceivedCallPermission;
};

export type ReceivedComment = {
  /** The network's id of the comment */
  commentId: string;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who wrote */
  from: Peer;
  /** The text of the comment */
  text: string;
  /** The network's id of the post; null if it names none */
  postId: string | null;
  /** The comment that this one answers; null for a comment on the post itself */
  parentCommentId: string | null;
};

export type ReceivedContactMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "contact";
  /** The content of the message */
  content: ReceivedContacts;
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

export type ReceivedEventMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "event";
  /** The content of the message */
  content: ReceivedCalendarEntry;
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

export type ReceivedFileMessage = ReceivedMessageFields & {
  /** The kind of file */
  type: "image" | "video" | "audio" | "document" | "sticker";
  /** The caption and details of the message's file */
  content: ReceivedFile;
  /** The stored file, or why it is missing */
  media: ReceivedMedia | MissingMedia;
};

export type ReceivedForm = MessageContext & {
  /** The kind of form */
  name: string;
  /** The text that the message shows of the form */
  text?: string;
  /** The entered data; as text if it is not JSON */
  response: unknown;
};

export type ReceivedFormMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "flow_reply";
  /** The content of the message */
  content: ReceivedForm;
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

export type ReceivedLocationMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "location";
  /** The content of the message */
  content: ReceivedLocation;
};

export type ReceivedMedia = {
  /** The file, as `GET /v1/media/{id}` answers it */
  mediaId: string;
  /** The media type of the file */
  contentType: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** The shown name; null if none is known */
  filename: string | null;
  /** Leads to the file, with the API key */
  downloadUrl: string;
  /** When the file is deleted */
  expiresAt: string;
};

export type ReceivedMessage = ReceivedTextMessage | ReceivedFileMessage | ReceivedLocationMessage | ReceivedContactMessage | ReceivedReplyMessage | ReceivedFormMessage | ReceivedOrderMessage | ReceivedCallPermissionMessage | ReceivedPollMessage | ReceivedEventMessage | ReceivedNumberRequestMessage | ReceivedNumberMessage | ReceivedPaymentMethodMessage | ReceivedWelcomeRequestMessage | ReceivedUnsupportedMessage;

export type ReceivedMessageFields = {
  /** The message, for `quotedMessageId` and the routes that act on a message */
  messageId: string;
  /** `outbound`: the owner wrote it in the network's own app */
  direction: WebhookDirection;
  /** When it happened, as the network says */
  timestamp: string;
  /** The person who wrote */
  from: Peer;
  /** The chat that the message was written in */
  chat: Peer;
  /** The name that the person chose; null if none is known */
  pushName: string | null;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** Written before the phone was connected */
  isHistory?: boolean;
  /** The other app that leads the conversation; absent if none does */
  heldBy?: Holder;
};

export type ReceivedMessageType = "text" | "image" | "video" | "audio" | "document" | "sticker" | "location" | "contact" | "button_reply" | "flow_reply" | "order" | "call_permission_reply" | "poll" | "event" | "phone_number_request" | "phone_number_share" | "payment_method" | "request_welcome" | "unsupported";

export type ReceivedNumber = MessageContext & {
  /** Digits; null if the network does not name it here */
  phoneNumber: string | null;
};

export type ReceivedNumberMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "phone_number_share";
  /** The content of the message */
  content: ReceivedNumber;
};

export type ReceivedNumberRequest = MessageContext;

export type ReceivedNumberRequestMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "phone_number_request";
  /** The content of the message */
  content: ReceivedNumberRequest;
};

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

export type ReceivedOrderMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "order";
  /** The content of the message */
  content: ReceivedOrder;
};

export type ReceivedPaymentMethod = MessageContext & {
  /** The `referenceId` of the order */
  referenceId: string;
  /** The card that the person chose; null for other methods */
  credentialId: string | null;
  /** The end of the card's number; null for other methods */
  lastFourDigits: string | null;
};

export type ReceivedPaymentMethodMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "payment_method";
  /** The content of the message */
  content: ReceivedPaymentMethod;
};

export type ReceivedPoll = MessageContext & {
  /** The question of the poll */
  question: string;
  /** The answers that can be chosen */
  options: string[];
  /** How many options each person may choose */
  maxSelections: number;
};

export type ReceivedPollMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "poll";
  /** The content of the message */
  content: ReceivedPoll;
};

export type ReceivedReply = MessageContext & {
  /** The `id` of the button or row that was chosen */
  selectedId: string;
  /** The text of the button or row */
  text: string;
  /** The second line of the row; absent without one */
  description?: string;
};

export type ReceivedReplyMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "button_reply";
  /** The content of the message */
  content: ReceivedReply;
};

export type ReceivedStatus = {
  /** The type of the content */
  type: ReceivedMessageType;
  /** When it happened, as the network says */
  timestamp: string;
  /** The content of the message, by its type */
  content: ReceivedText | ReceivedFile | ReceivedLocation | ReceivedContacts | ReceivedReply | ReceivedForm | ReceivedOrder | ReceivedCallPermission | ReceivedPoll | ReceivedCalendarEntry | ReceivedNumberRequest | ReceivedNumber | ReceivedPaymentMethod | ReceivedWelcomeRequest | UnsupportedContent;
  /** The person who posted the status */
  from: Peer;
  /** The name that the person chose; null if unknown */
  pushName: string | null;
};

export type ReceivedText = MessageContext & {
  /** The text of the message */
  text: string;
  /** The preview of a link, as its sender made it */
  linkPreview?: ReceivedLinkPreview;
};

export type ReceivedTextMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "text";
  /** The content of the message */
  content: ReceivedText;
};

export type ReceivedUnsupportedMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "unsupported";
  /** The content of the message */
  content: UnsupportedContent;
};

export type ReceivedWelcomeRequest = MessageContext;

export type ReceivedWelcomeRequestMessage = ReceivedMessageFields & {
  /** The type of the message, which decides what `content` has */
  type: "request_welcome";
  /** The content of the message */
  content: ReceivedWelcomeRequest;
};

export type RecentAttempt = {
  /** When the attempt ended */
  at: string;
  /** Whether the endpoint answered with a 2xx status */
  delivered: boolean;
  /** The answer of the endpoint; null if it was not reached */
  statusCode: number | null;
  /** How long the attempt took, in milliseconds */
  durationMs: number;
};

export type RecipientForm = "phone-numbers" | "ids";

export type ReconnectPhoneResult = {
  /** The phone connects again soon */
  status: "reconnecting";
};

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

export type Registration = {
  /** Whether the number can send */
  ok: boolean;
  /** Whether the owner's business app goes on with the number */
  coexistence: boolean;
  /** Whether the phone was known here before */
  reconnected: boolean;
  /** The number's earlier place, in the network's word; null if unknown */
  platformType: string | null;
  /** Why it was not registered, or did not need it; null otherwise */
  reason: "ALREADY_ON_OFFICIAL_API" | "COEXISTENT" | "RECONNECTED" | "PIN_REJECTED" | "VERIFICATION_REQUIRED" | "REGISTER_FAILED" | null;
  /** The PIN that was made for the number; shown this once */
  pin?: string;
};

export type RejectCallRequest = {
  /** Why the call is refused; it is stored here and not sent to the network */
  reason?: string;
};

export type RejectGroupJoinRequestsResult = {
  /** True, even if `failed` names some requests */
  success: boolean;
  /** Ids of the requests that were rejected */
  rejected: string[];
  /** Requests that the network did not carry out, and why */
  failed: FailedJoinRequest[];
};

export type RemoveGroupParticipantsResult = {
  /** `code` is the network's own number */
  participants: GroupPersonOutcome[];
};

export type RenewAdminTokenResult = {
  /** The token that the header X-Admin-Token needs from now on */
  token: string;
};

export type RepeatedMessage = {
  /** The message that the first request sent */
  messageId: string;
  /** The first request had the same key */
  status: "SENT";
};

export type ReplayDeadLettersRequest = {
  /** Only dead letters of this account; all accounts by default */
  accountId?: string;
};

export type ReplayDeadLettersResult = {
  /** The deliveries are tried again soon */
  status: "enqueued";
  /** How many deliveries are tried again */
  count: number;
};

export type ReplayEventResult = {
  /** The id of the event */
  id: string;
  /** The event is delivered again soon */
  status: "enqueued";
};

export type ReplyButton = {
  /** The value that comes back with the answer */
  id: string;
  /** The text of the button; 1 to 20 characters */
  text: string;
};

export type ReportedCharge = {
  /** The day of the delivery in `RECADO_BILLING_TZ` */
  day: string;
  /** The phone that sent the messages */
  phoneId: string;
  /** The recipients' country, by ISO 3166; null if the network names none */
  country: string | null;
  /** The network's category; null if it names none */
  category: string | null;
  /** How the network priced the messages, in its word; null if it names none */
  type: string | null;
  /** ISO 4217 */
  currency: string;
  /** How many messages */
  count: number;
  /** The network's volume tier; null without one */
  tier: string | null;
  /** Millionths of the currency; null if no price is known */
  amountMicros: number | null;
};

export type RequestCallPermissionRequest = {
  /** The phone that wants to call */
  phoneId: string;
  /** E.164 number or business-scoped user id */
  to: string;
};

export type RequestHistoryRequest = {
  /** A number, canonical key or chat address */
  chat: string;
  /** How many messages at most; 50 by default */
  count?: number;
};

export type RequestNameChangeRequest = {
  /** The new name that customers see; the network reviews it */
  displayName: string;
};

export type RequestNameChangeResult = {
  /** The network reviews the name */
  status: "pending";
  /** The name that was requested */
  displayName: string;
};

export type RequestNumberCodeRequest = {
  /** How the code comes */
  method: "SMS" | "VOICE";
  /** The language of the message with the code, such as pt_BR */
  language?: string;
};

export type RequestNumberCodeResult = {
  /** `already`: the number is verified */
  status: "sent" | "already";
};

export type RescheduleRequest = {
  /** When it is sent */
  scheduledAt: string;
  /** True: a time outside business hours is moved to the next opening; false by default */
  respectHours?: boolean;
};

export type ResetUserRequest = {
  /** The e-mail address of the user */
  email: string;
};

export type ResetUserResult = {
  /** The e-mail address of the user */
  email: string;
  /** Opens once; absent if it was mailed */
  link: string;
  /** The link opens until this time */
  expiresAt: string;
};

export type RespondToEventRequest = {
  /** The phone that the message went through */
  phoneId: string;
  /** The answer */
  response: EventResponse;
  /** How many people come along; 0 by default */
  extraGuests?: number;
};

export type ResponseToEvent = {
  /** The person's answer */
  response: EventResponse;
  /** How many people come along */
  extraGuests: number;
  /** The canonical key of the person; null: the phone itself */
  by: string | null;
  /** When the person answered */
  at: string;
};

/** The network's restriction of the phone; null if none is known */
export type Restriction = {
  /** One word, in most cases the network's own */
  reason: string;
  /** When it ends; null if unknown */
  until: string | null;
  /** The messages that may still be sent: `replies` allows only answers */
  allows: "replies" | "none";
  /** The network's text for the owner; null without a text */
  text: string | null;
};

export type ResumableUpload = {
  /** The handle for the example of a template's header, or for a message */
  handle: string;
  /** The network's id of this upload or sign-up */
  sessionId: string;
};

export type RetriedDeliveries = {
  /** The deliveries are tried again soon */
  status: "enqueued";
  /** How many deliveries are tried again */
  count: number;
};

export type RetriedDelivery = {
  /** The delivery's id */
  id: string;
  /** The next step. held: its webhook is paused, or an earlier delivery of its chat goes first */
  status: "enqueued" | "held";
};

export type RetriedState = "WAITING" | "DEAD";

export type RetryDeliveries = {
  /** The deliveries that are tried again */
  state: RetriedState;
  /** Only deliveries to this webhook */
  webhookId?: string;
  /** Only deliveries of this phone's events */
  phoneId?: string;
  /** Only deliveries of events about this message */
  messageId?: string;
  /** The name of an event type, of either API */
  type?: string;
  /** Only deliveries of events from this time on */
  since?: string;
  /** Only deliveries of events before this time */
  until?: string;
};

export type RevokeApiKeyResult = {
  /** The key's id */
  id: string;
  /** When the key was revoked */
  revokedAt: string;
};

export type RevokeOwnApiKeyResult = {
  /** The key's id */
  id: string;
  /** When the key was revoked */
  revokedAt: string;
};

export type RichTextButton = {
  /** The text of the button; 1 to 64 characters */
  text: string;
  /** The value that comes back when it is pressed */
  id?: string;
  /** The page that it opens */
  url?: string;
  /** The text that it copies, such as a code */
  copyText?: string;
  /** What it is for; the network's own colour by default */
  style?: "primary" | "success" | "danger";
};

export type RichTextContent = {
  /** The text in Markdown, with headings, lists, tables and quotations; at most 32,768 characters */
  text: string;
  /** Rows of buttons. A line [[buttons]] of the text is the place of a row; the others stand below */
  buttons?: RichTextButton[][];
};

export type RotateTokenRequest = {
  /** The new token of the business account, without spaces */
  accessToken: string;
};

export type RouteContent = "content" | "template";

/** By today's price list; null if the network charges nothing */
export type RouteCost = {
  /** The network's category */
  category: string;
  /** ISO 4217 */
  currency: string;
  /** Millionths of the currency; null if no price is known */
  amountMicros: number | null;
};

export type RouteWay = {
  /** The phone that sends */
  phoneId: string;
  /** Whether `content` or `template` is sent */
  by: RouteContent;
  /** The network's charge; null if no price is known */
  cost: RouteCost | null;
  /** True: a chat with the person is open on this phone */
  isOpenChat: boolean;
};

export type RunJobResult = {
  /** The job runs soon */
  status: "enqueued";
};

export type SampleEventType = "message:received" | "message:standby" | "message:status" | "message:reaction" | "message:edited" | "message:transcribed" | "message:poll-vote" | "message:pinned" | "message:kept" | "message:event-response" | "message:poll-results" | "message:operation_failed" | "message:fallback" | "status:received" | "newsletter:received" | "channel:connected" | "channel:disconnected" | "channel:restricted" | "channel:unrestricted" | "channel:qrcode" | "channel:client-expiring" | "channel:passkey-required" | "media:available" | "media:failed" | "media:expired" | "template:status" | "history:progress" | "message:starred" | "message:labelled" | "message:deleted_for_me" | "message:expired" | "chat:changed" | "chat:labelled" | "chat:operation_failed" | "label:changed" | "contact:synced" | "comment:received" | "conversation:held" | "conversation:released" | "contact:presence" | "chat:updated" | "contact:blocked" | "contact:unblocked" | "contact:opted-out" | "contact:opted-in" | "chat:renamed" | "channel:delegated" | "agent:handoff" | "agent:budget_exhausted" | "agent:document" | "agent:worsened" | "group:lifecycle" | "group:participants" | "group:join-requests" | "group:member-label" | "group:community" | "group:settings" | "group:status" | "newsletter:changed" | "newsletter:counts" | "billing:invoice.paid" | "billing:invoice.failed" | "webhook:failed" | "call:offer" | "call:ringing" | "call:accepted" | "call:in_progress" | "call:completed" | "call:rejected" | "call:missed" | "call:failed";

export type SaveBillingCustomerRequest = {
  /** The payer's CPF or CNPJ: 11 or 14 digits, or a CNPJ with letters; null removes it */
  cpfCnpj?: string | null;
  /** Who pays, as invoices name them */
  name?: string;
  /** The payer's telephone number */
  phone?: string;
  /** The street of the payer */
  addressLine?: string;
  /** The house number of the payer */
  addressNumber?: string;
  /** The district of the payer */
  province?: string;
  /** The payer's CEP */
  postalCode?: string;
};

export type SaveBillingCustomerResult = {
  /** The processor's id of the payer */
  processorCustomerId: string;
};

export type SavedAddress = {
  /** The value that comes back when this address is chosen */
  id: string;
  /** Parts of the address */
  value: Record<string, string>;
};

export type ScheduleMessageRequest = {
  /** When it is sent */
  scheduledAt: string;
  /** True: a time outside business hours is moved to the next opening; false by default */
  respectHours?: boolean;
  /** The body of `POST /v1/messages` that is sent at that time */
  payload: SendMessage;
};

export type ScheduledMessage = {
  /** The scheduled message's id */
  id: string;
  /** When it is sent */
  scheduledAt: string;
  /** The requested time, if it was outside business hours */
  movedFrom?: string;
  /** Whether it still waits to be sent */
  status: ScheduledStatus;
  /** When it was scheduled */
  createdAt: string;
  /** The phone that sends */
  phoneId: string;
  /** The message that was sent; null before */
  messageId: string | null;
  /** `[CODE]` and why it failed; null otherwise */
  failedReason: string | null;
  /** When it last changed */
  updatedAt: string;
  /** The number of the recipient, or another address */
  to: string;
  /** The type of its content */
  type: string;
  /** The beginning of its text, its caption or its template's name; null for other content */
  preview: string | null;
};

export type ScheduledMessageDetails = {
  /** The scheduled message's id */
  id: string;
  /** When it is sent */
  scheduledAt: string;
  /** The requested time, if it was outside business hours */
  movedFrom?: string;
  /** Whether it still waits to be sent */
  status: ScheduledStatus;
  /** When it was scheduled */
  createdAt: string;
  /** The phone that sends */
  phoneId: string;
  /** The message that was sent; null before */
  messageId: string | null;
  /** `[CODE]` and why it failed; null otherwise */
  failedReason: string | null;
  /** When it last changed */
  updatedAt: string;
  /** The body of `POST /v1/messages` that is sent at that time */
  payload: Record<string, unknown>;
};

export type ScheduledMessagePage = {
  /** The entries of this page, in the order of the list */
  items: ScheduledMessage[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type ScheduledOrder = "created" | "scheduledAt";

export type ScheduledStatus = "PENDING" | "PROCESSING" | "SENT" | "FAILED" | "CANCELED";

export type SendAddressMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `address_message`: it decides which fields `content` has */
  type: "address_message";
  /** The content of the message */
  content: AddressContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendAudioMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `audio`: it decides which fields `content` has */
  type: "audio";
  /** The content of the message */
  content: AudioContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendButtonMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `button`: it decides which fields `content` has */
  type: "button";
  /** The content of the message */
  content: ButtonContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendCarouselMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `carousel`: it decides which fields `content` has */
  type: "carousel";
  /** The content of the message */
  content: CarouselContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendCheapest = {
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** The type of the message, which decides what `content` has */
  type: MessageType;
  /** The content of the message; its fields depend on `type` */
  content: Record<string, unknown>;
  /** The template that a phone sends in place of the content, if its network takes only a template */
  template?: TemplateContent;
  /** The phones to choose from; by default the newest 20 of the account */
  phoneIds?: string[];
  /** The next cheapest phone sends the template, if the chosen phone does not get through */
  fallbackAfterMinutes?: number;
};

export type SendContactMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `contact`: it decides which fields `content` has */
  type: "contact";
  /** The content of the message */
  content: ContactContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendCopyCodeMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `copy_code`: it decides which fields `content` has */
  type: "copy_code";
  /** The content of the message */
  content: CopyCodeContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendCtaUrlMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `cta_url`: it decides which fields `content` has */
  type: "cta_url";
  /** The content of the message */
  content: CtaUrlContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendDocumentMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `document`: it decides which fields `content` has */
  type: "document";
  /** The content of the message */
  content: DocumentContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendEventMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `event`: it decides which fields `content` has */
  type: "event";
  /** The content of the message */
  content: EventContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

/** The template that another phone sends if this phone does not get through */
export type SendFallback = {
  /** Another phone, which sends the template, such as an official number */
  phoneId: string;
  /** An approved template of the other phone */
  template: TemplateContent;
  /** How many minutes the first phone has */
  afterMinutes: number;
  /** The cases in which the second way is used; all by default */
  when?: FallbackReason[];
  /** True: the template is sent even if the message may have arrived; false by default */
  mayArriveTwice?: boolean;
};

export type SendFlowMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `flow`: it decides which fields `content` has */
  type: "flow";
  /** The content of the message */
  content: FlowContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendGroupMessageRequest = {
  /** The type of the content, as the network names it */
  type: "text" | "image" | "video" | "audio" | "document" | "sticker" | "template";
  /** The object that the network's own API takes under the name of the type; sent unchanged */
  payload: Record<string, unknown>;
};

export type SendGroupMessageResult = {
  /** The message that was accepted */
  messageId: string;
};

export type SendImageMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `image`: it decides which fields `content` has */
  type: "image";
  /** The content of the message */
  content: ImageContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendListMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `list`: it decides which fields `content` has */
  type: "list";
  /** The content of the message */
  content: ListContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendLocationMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `location`: it decides which fields `content` has */
  type: "location";
  /** The content of the message */
  content: LocationContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendLocationRequestMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `location_request`: it decides which fields `content` has */
  type: "location_request";
  /** The content of the message */
  content: LocationRequestContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendMessage = SendTextMessage | SendImageMessage | SendVideoMessage | SendAudioMessage | SendDocumentMessage | SendStickerMessage | SendLocationMessage | SendContactMessage | SendButtonMessage | SendListMessage | SendTemplateMessage | SendCtaUrlMessage | SendLocationRequestMessage | SendAddressMessage | SendFlowMessage | SendPollMessage | SendEventMessage | SendCopyCodeMessage | SendCarouselMessage | SendPhoneNumberRequestMessage | SendPhoneNumberShareMessage | SendOrderDetailsMessage | SendOrderStatusMessage | SendRichTextMessage | SendPixMessage;

export type SendOrderDetailsMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `order_details`: it decides which fields `content` has */
  type: "order_details";
  /** The content of the message */
  content: OrderDetailsContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendOrderStatusMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `order_status`: it decides which fields `content` has */
  type: "order_status";
  /** The content of the message */
  content: OrderStatusContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendPhoneNumberRequestMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `phone_number_request`: it decides which fields `content` has */
  type: "phone_number_request";
  /** The content of the message */
  content: PhoneNumberRequestContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendPhoneNumberShareMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `phone_number_share`: it decides which fields `content` has */
  type: "phone_number_share";
  /** The content of the message */
  content: Record<string, unknown>;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendPixMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `pix`: it decides which fields `content` has */
  type: "pix";
  /** The content of the message */
  content: PixContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendPollMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `poll`: it decides which fields `content` has */
  type: "poll";
  /** The content of the message */
  content: PollContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendProblem = {
  /** The restriction, in one word */
  reason: string;
  /** The network's own number */
  code: number;
  /** In the network's words */
  message: string;
  /** When the network reported it */
  at: string;
};

export type SendRichTextMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `rich_text`: it decides which fields `content` has */
  type: "rich_text";
  /** The content of the message */
  content: RichTextContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendStickerMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `sticker`: it decides which fields `content` has */
  type: "sticker";
  /** The content of the message */
  content: StickerContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendTemplateMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `template`: it decides which fields `content` has */
  type: "template";
  /** The content of the message */
  content: TemplateContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendTextMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `text`: it decides which fields `content` has */
  type: "text";
  /** The content of the message */
  content: TextContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
};

export type SendVideoMessage = {
  /** The phone that sends */
  phoneId: string;
  /** Digits with country code, a chat address, user id or canonical key */
  to: string;
  /** Always `video`: it decides which fields `content` has */
  type: "video";
  /** The content of the message */
  content: VideoContent;
  /** The `messageId` that this message replies to */
  quotedMessageId?: string;
  /** A comment that this message answers in private; not beside `quotedMessageId` */
  commentId?: string;
  /** Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes the person is an answer too. */
  isAnswer?: boolean;
  /** A repeat with the same key and account sends nothing */
  idempotencyKey?: string;
  /** The fallback, if this phone does not get through */
  fallback?: SendFallback;
  /** What the network lets you say of this send; `sendOptions` of its kind lists the fields */
  sendOptions?: Record<string, unknown>;
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

export type SentCheapest = {
  /** The message that was accepted */
  messageId: string;
  /** The message waits to be sent */
  status: "QUEUED";
  /** The phone that sends, with its price */
  chosen: RouteWay;
  /** The phone of the fallback; null without one */
  fallbackPhoneId: string | null;
  /** Phones that could send it too, cheapest first */
  others: RouteWay[];
  /** Phones that cannot send the message, and why */
  unable: UnablePhone[];
};

export type SentHeader = {
  /** The name of the header */
  name: string;
  /** The value of the header; null for a signature, and for a header of the webhook's owner */
  value: string | null;
};

export type SentRequest = {
  /** The method of the request */
  method: "POST";
  /** Where the request went */
  url: string;
  /** The headers of the request */
  headers: SentHeader[];
  /** The body as it is sent; at most 256 KiB */
  body: string;
};

export type SessionReport = {
  /** Digits with country code; null or absent if unknown */
  phoneNumber: string | null;
  /** How many keys were found, by kind */
  keys: Record<string, number>;
  /** Further remarks */
  notes: string[];
  /** Why it cannot be imported; empty if it can */
  problems: string[];
};

export type SetChatTimer = {
  /** After how many seconds messages disappear: a day, 7 days or 90 days; 0: they stay */
  seconds: 0 | 86400 | 604800 | 7776000;
};

export type SetPhoneCredentialsRequest = {
  /** All credentials of its kind: one that is missing is removed */
  credentials: SetPhoneCredentialsRequestCredentials;
};

export type SetPhoneCredentialsRequestCredentials = {
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

export type SetPhoneProxyRequest = {
  /** The proxy that the session connects through: http:// (CONNECT) or socks5://, with host and port. It may have user:password@, which are never shown again; null removes the proxy */
  url: string | null;
};

export type Setting = {
  /** The name of the environment variable */
  name: string;
  /** The value in use; of a secret `set` or `unset` */
  value: string;
  /** The value while it is not set; null without a default */
  fallback: string | null;
  /** Where the value comes from */
  source: SettingSource;
  /** Whether the value is a secret, which is never shown */
  isSecret: boolean;
  /** Its purpose */
  meaning: string;
};

export type SettingSource = "default" | "environment" | "file" | "credential";

export type SharedWebhook = {
  /** The webhook's id */
  id: string;
  /** A name for the account's own people */
  label: string;
  /** Where the events go */
  url: string;
  /** The types of events that the webhook gets */
  events: string[];
  /** The phones that link to it. */
  phoneIds: string[];
  /** Whether it gets the events of every phone, also of later ones. */
  allPhones: boolean;
  /** Phones whose events it gets although they do not link to it. */
  selectedPhoneIds: string[];
  /** False pauses the webhook: its events are stored, and sent in order once it is true again. */
  active: boolean;
  /** Which messages the webhook gets: incoming, outgoing or both */
  directions: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering: DeliveryOrdering;
  /** When the webhook was created */
  createdAt: string;
  /** When the webhook last changed */
  updatedAt: string;
};

export type ShowPresenceRequest = {
  /** The presence that people see */
  state: Presence;
  /** A number, canonical key or chat address */
  to?: string;
};

export type SignupConfig = {
  /** The id of the network's app */
  appId: string;
  /** The configuration of the sign-up at the network; null if the operator has set none */
  configId: string | null;
  /** The version of the network's API */
  graphVersion: string;
  /** Binds the attempt to this account for a day; send it with the code */
  state: string;
  /** Options for the browser's SDK, to be passed on unchanged */
  extras: SignupConfigExtras;
};

export type SignupConfigExtras = {
  /** Options for the browser's SDK */
  setup: Record<string, unknown>;
  /** Empty in the dedicated flow */
  featureType: string;
  /** An option of the browser's SDK */
  sessionInfoVersion: string;
  /** An option of the browser's SDK */
  version: string;
};

export type SignupEvent = {
  /** The result of the sign-up */
  result: "FINISHED" | "CANCELLED" | "FAILED" | "OTHER";
  /** The window's own word; null if it sent none */
  event: string | null;
  /** The network's id of the business account; null if the window sent none */
  wabaId: string | null;
  /** The network's id of the number; null if the window sent none */
  phoneNumberId: string | null;
  /** The network's id of the business; null if the window sent none */
  businessId: string | null;
  /** Whether the number stays in the business app too */
  isCoexistent: boolean;
  /** The step at which the owner left the window; null if the sign-up was not left */
  step: string | null;
  /** The failure; null without one */
  error: SignupEventError | null;
};

export type SignupEventError = {
  /** The window's own code; null if it sent none */
  code: string | null;
  /** The failure, in the window's words */
  message: string;
  /** The network's id of the sign-up; null if the window sent none */
  sessionId: string | null;
};

export type SignupMessage = {
  /** The type that the window names, such as WA_EMBEDDED_SIGNUP */
  type: string;
  /** The window's own word */
  event?: string;
  /** The data that the window sent */
  data?: Record<string, unknown>;
  [key: string]: unknown;
};

export type SnoozeChat = {
  /** When the chat comes back: later than now, within a year */
  until: string;
};

export type SocialConfig = {
  /** The id of the network's app */
  appId: string;
  /** The address to which the page sends the owner */
  authorizeUrl: string;
  /** The permissions of the key or the app */
  scopes: string[];
  /** The addresses to which the consent may return */
  redirectUris: string[];
};

export type StartLookupRequest = {
  /** The phone that asks the network */
  phoneId: string;
  /** The numbers that are looked up */
  numbers: string[];
};

export type Stats = {
  /** The accounts of the server */
  accounts: StatsAccounts;
  /** The phones of all accounts */
  phones: StatsPhones;
  /** Messages since midnight in UTC */
  today: StatsToday;
  /** Deliveries to webhooks */
  deliveries: StatsDeliveries;
  /** The background work */
  jobs: StatsJobs;
  /** The invoices of all accounts */
  invoices: StatsInvoices;
  /** What happened, as `GET /v1/stats` answers it for one account */
  activity: StatsSeries;
};

export type StatsAccounts = {
  /** All accounts that are not deleted */
  total: number;
  /** How many are suspended */
  suspended: number;
};

export type StatsDeliveries = {
  /** How many deliveries wait */
  pending: number;
  /** Deliveries that were given up */
  dead: number;
};

export type StatsInvoices = {
  /** How many wait to be paid */
  unpaid: number;
};

export type StatsJobs = {
  /** How many wait to run */
  waiting: number;
};

export type StatsNow = {
  /** When it was counted */
  at: string;
  /** How many phones of a type are in a state */
  phones: PhoneCount[];
  /** Messages that are not sent yet */
  messages: WaitingMessages;
  /** Deliveries that are not done yet */
  deliveries: WaitingDeliveries;
};

export type StatsPhones = {
  /** All phones that are not deleted */
  total: number;
  /** How many are connected now */
  connected: number;
};

export type StatsPoint = {
  /** The beginning of the step */
  at: string;
  /** What happened to messages */
  messages: MessageStats;
  /** What happened to deliveries */
  deliveries: DeliveryStats;
  /** The delays of the deliveries, in fixed steps; null if none arrived */
  lag: LagStats | null;
};

export type StatsSeries = {
  /** How long a step is */
  step: StatsStep;
  /** The beginning of the first step, in UTC */
  since: string;
  /** The end of the last step, exclusive */
  until: string;
  /** Over the whole time */
  total: StatsTotal;
  /** Every step in order, also empty steps */
  points: StatsPoint[];
  /** The messages of each type of phone that had any */
  types: TypeStats[];
};

export type StatsStep = "hour" | "day";

export type StatsToday = {
  /** Messages that were sent */
  sent: number;
  /** Messages of other people */
  received: number;
};

export type StatsTotal = {
  /** What happened to messages */
  messages: MessageStats;
  /** What happened to deliveries */
  deliveries: DeliveryStats;
  /** The delays of the deliveries, in fixed steps; null if none arrived */
  lag: LagStats | null;
};

export type StatusReceivedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "status:received";
  /** What happened */
  data: ReceivedStatus;
};

export type StatusType = "text" | "image" | "video" | "audio";

export type StickerContent = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The handle of an uploaded file, in place of `mediaUrl` */
  mediaHandle?: string;
  /** The media type; the file's own by default */
  mimeType?: "image/webp";
};

export type StoredBackup = {
  /** The name of the file */
  name: string;
  /** When the backup was created */
  createdAt: string;
  /** The size of the file in bytes */
  sizeBytes: number;
  /** Whether it was opened and compared with the database */
  isChecked: boolean;
};

export type StoredRecording = {
  /** The call that was recorded */
  callId: string;
  /** The key of the stored file */
  objectKey: string;
  /** The size of the recording in bytes */
  sizeBytes: number;
  /** The media type of the recording */
  contentType: string;
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

export type SummariseRequest = {
  /** The chat, oldest first; not all blank */
  messages: SummariseRequestMessage[];
  /** The form of the summary; `bullet` by default */
  format?: "bullet" | "paragraph";
  /** The language of the summary; pt_BR by default */
  language?: string;
  /** The language model that answers; the account's default without a name */
  model?: string;
};

export type SummariseRequestMessage = {
  /** The person who wrote it */
  from: "user" | "assistant";
  /** The text of the message */
  text: string;
};

export type Summary = {
  /** A summary of the chat, in the requested language */
  summary: string;
  /** The topics of the chat */
  keyTopics: string[];
  /** Questions without an answer */
  openQuestions: string[];
  /** The language model that answered */
  model: string;
  /** The tokens that the answer cost */
  usage: TokenUsage;
};

export type SyncContactsRequest = {
  /** Whether the app's contacts are requested; false by default */
  contacts?: boolean;
  /** Whether the app's history is requested; false by default */
  history?: boolean;
};

export type SyncPart = {
  /** Whether the network took the request */
  ok: boolean;
  /** Whether Recado has stored that the data was requested */
  flagPersisted: boolean;
  /** The network's id of the request; null if no request was made */
  requestId: string | null;
};

export type SyncRequest = {
  /** False by default */
  contacts: SyncPart;
  /** False by default */
  history: SyncPart;
};

export type SyncTemplatesRequest = {
  /** The phone whose business account is read */
  phoneId: string;
};

export type SyncedContact = {
  /** The person of the entry */
  contact: Peer;
  /** The whole name in the address book; null without one */
  name: string | null;
  /** The first name in the address book; null without one */
  firstName: string | null;
  /** Whether the app has it now, or had it */
  action: "add" | "remove";
};

export type System = {
  /** The version of Recado */
  version: string;
  /** The commit that was built */
  commit: string;
  /** When this process was started */
  startedAt: string;
  /** The runtime of the program */
  runtime: string;
  /** The system and the processor */
  platform: string;
  /** The memory of this process */
  memoryBytes: number;
  /** The addresses of the server, and the place of its data */
  addresses: SystemAddresses;
  /** The disk that holds the data */
  disk: Disk;
  /** Where everything except media is stored */
  database: SystemDatabase;
  /** The store of files */
  media: SystemMedia;
  /** The versions spoken to networks */
  clients: NetworkClient[];
  /** The known newer releases; `RECADO_UPDATE_URL` says where the server looks */
  updates: Updates;
};

export type SystemAddresses = {
  /** The address of the gateway API */
  gatewayUrl: string;
  /** The address and port of this process */
  listen: string;
  /** The folder of its data */
  dataDir: string;
};

export type SystemDatabase = {
  /** Whether several nodes may share it */
  isShared: boolean;
  /** The size in bytes; null on a database server */
  sizeBytes: number | null;
  /** The write-ahead log; null on a server */
  logBytes: number | null;
};

export type SystemMedia = {
  /** The folder on this machine, or a bucket */
  place: "disk" | "s3";
  /** The size of the stored media of all accounts */
  sizeBytes: number;
};

export type Takings = {
  /** The unpaid part */
  unpaid: Owed;
  /** The overdue part */
  overdue: Owed;
  /** Every month with its sums, the oldest first */
  months: MonthOfAll[];
};

export type Template = {
  /** The template's id */
  id: string;
  /** The account that has the template */
  accountId: string;
  /** The phone whose business account has the template */
  phoneId: string;
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
  /** The network's id; null before it has one */
  upstreamTemplateId: string | null;
  /** When the template was stored here */
  createdAt: string;
  /** When the template last changed */
  updatedAt: string;
  /** Why the network rejected it */
  rejectionReason?: string;
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

export type TemplateCategory = "MARKETING" | "UTILITY" | "AUTHENTICATION";

export type TemplateComponent = {
  /** The kind of part: HEADER, BODY, FOOTER, BUTTONS or another one of the official API */
  type: string;
  [key: string]: unknown;
};

export type TemplateComponentType = "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | "CAROUSEL" | "LIMITED_TIME_OFFER" | "CALL_PERMISSION_REQUEST";

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
  goods: TemplateOrderGoods;
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

export type TemplateOrderGoods = "digital-goods" | "physical-goods";

export type TemplateSection = {
  /** The heading of these products */
  title: string;
  /** Products of the catalogue, by the seller's own numbers */
  productIds: string[];
};

export type TemplateStatus = "DRAFT" | "PENDING" | "APPROVED" | "REJECTED" | "PAUSED";

export type TemplateStatusChange = {
  /** The template, as `GET /v1/templates/{id}` answers it */
  templateId: string;
  /** The template's name on the network */
  name: string;
  /** A language code, such as pt_BR */
  language: string;
  /** The network's category */
  category: ListedTemplateCategory;
  /** The network's decision */
  status: TemplateStatus;
  /** Why the network rejected the template; null if it did not */
  rejectionReason: string | null;
};

export type TemplateStatusEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "template:status";
  /** What happened */
  data: TemplateStatusChange;
};

export type TemplateSync = {
  /** How many are new here */
  created: number;
  /** How many were changed */
  updated: number;
  /** How many the business account has */
  total: number;
};

export type TestAgentRequest = {
  /** A text that a contact might write */
  message: string;
  /** A prompt that replaces the agent's own, for this test alone */
  systemPromptOverride?: string;
  /** True: answer from the agent's documents, as for a contact; false by default */
  withKnowledge?: boolean;
  /** True: HTTP tools are called, marked as tests; false by default, which names the calls alone */
  callTools?: boolean;
};

export type TestAlertsResult = {
  /** The result of each way of notifying */
  sent: TestedAlert[];
};

export type TestWebhook = {
  /** The type of the event that is sent; an example of it is made */
  type?: SampleEventType;
  /** Signs it with a wrong secret: an endpoint that checks signatures refuses it */
  forged?: boolean;
};

export type TestedAlert = {
  /** How it was sent */
  way: "mail" | "url" | "telegram";
  /** Whether it was sent */
  isSent: boolean;
  /** Why not; null if it was sent */
  reason: string | null;
};

export type TextContent = {
  /** The text to send; 1 to 4,096 characters */
  text: string;
  /** Answers to tap, if the network supports them; each with an `id` of its own */
  quickReplies?: QuickReply[];
  /** How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a template */
  tag?: TextContentTag;
  /** The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same community, or `all`. `@` and the number in the text becomes the name. If the network has mentions */
  mentions?: string[];
  /** The preview of the first address in the text, if the network has that. True: Recado asks the page for its title, text and picture, for five seconds at most. False: none. An object: this one, whose address stands in the text. By default the phone's setting `linkPreviews` decides */
  linkPreview?: TextContentLinkPreview;
};

export type TextContentLinkPreview = boolean | LinkPreview;

export type TextContentTag = "HUMAN_AGENT" | "UTILITY";

export type TextHeader = {
  /** Always `text` */
  type: "text";
  /** The text of the header; 1 to 60 characters */
  text: string;
};

export type Thumbnail = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The handle of an uploaded file, in place of `mediaUrl` */
  mediaHandle?: string;
};

export type TimelineStep = {
  /** When it happened, by the network's clock if the network names it */
  at: string;
  /** What happened */
  kind: TimelineStepKind;
  /** The person or key that did it; null if the server or the network did */
  by: SentBy | null;
  /** Why an attempt, a message or an operation failed, as a code; null if nothing failed */
  code: string | null;
  /** The same in words, or the text that a phone or an act reports; null without a text */
  reason: string | null;
  /** The network's own number of the failure; null if it gave none */
  networkCode: number | null;
  /** The other message that was sent, of an answer or a fallback; null otherwise */
  messageId: string | null;
};

export type TimelineStepKind = "ACCEPTED" | "FALLBACK_FOR" | "FALLBACK_TAKEN" | "FALLBACK_WITHHELD" | "FALLBACK_REFUSED" | "PHONE_DISCONNECTED" | "PHONE_CONNECTED" | "PHONE_RESTRICTED" | "PHONE_UNRESTRICTED" | "TRY_REFUSED" | "TRY_UNCERTAIN" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "WRITTEN" | "RECEIVED" | "FILE_STORED" | "ANSWERED" | "EDITED" | "REACTED" | "VOTED" | "PINNED" | "KEPT" | "RESPONDED" | "OPERATION_FAILED" | "UNPINNED" | "UNKEPT" | "DELETED";

export type TokenUsage = {
  /** Tokens that went to the model */
  promptTokens: number;
  /** Tokens that the model wrote */
  completionTokens: number;
};

/** A part of a group's chat with a name of its own */
export type Topic = {
  /** The network's id of the topic, as the address of its chat ends with it */
  id: string;
  /** The name of the topic; absent where the message does not bring it */
  name?: string;
};

export type TranscriptionFailure = "TOO_LONG" | "UNSUPPORTED_TYPE" | "SILENT" | "FILE_GONE" | "NO_PROVIDER" | "BUDGET_EXHAUSTED" | "REFUSED" | "UNAVAILABLE";

export type TrialCause = "REQUEST" | "CHANGE";

export type TrialChange = "NEW" | "SAME" | "FIXED" | "BROKEN" | "ANSWER_CHANGED";

export type TrialOutcome = "PENDING" | "PASSED" | "FAILED" | "ERROR";

export type TrialPassage = {
  /** The passage's id */
  id: string;
  /** The document of the agent */
  documentId: string;
  /** The title of the document then; null without one */
  title: string | null;
};

export type TrialQuestion = {
  /** The question, as a contact might write it */
  text: string;
  /** Texts that the answer must have */
  facts: string[];
  /** True: the agent is to say that it does not know; such a question has no `facts` */
  expectUnknown: boolean;
};

export type TrialResult = {
  /** The question, as the set had it */
  question: string;
  /** Texts that the answer must have */
  facts: string[];
  /** True: the agent is to say that it does not know; such a question has no `facts` */
  expectUnknown: boolean;
  /** Whether the answer is as expected; ERROR if the provider refused to answer */
  outcome: TrialOutcome;
  /** What became of the question since the run before; null before the answer, or without such a run */
  change: TrialChange | null;
  /** The agent's answer; null without one */
  answer: string | null;
  /** The facts that the answer has not */
  missing: string[];
  /** Whether the answer says that the agent does not know */
  saysUnknown: boolean;
  /** The passages of documents that the prompt had */
  passages: TrialPassage[];
  /** The tokens that the answer cost */
  tokens: number;
  /** Why there is no answer, in the provider's words; null if none */
  errorReason: string | null;
};

export type TrialRun = {
  /** The run's id */
  id: string;
  /** RUNNING while questions are asked; DONE after the last one; FAILED if it could not go on */
  status: TrialRunStatus;
  /** What began the run: a request, or a change of the agent or of its knowledge */
  cause: TrialCause;
  /** The agent's model when the run began */
  model: string;
  /** Whether the agent's HTTP tools are called */
  callTools: boolean;
  /** How many questions have which outcome */
  totals: TrialTotals;
  /** Why the run could not go on: a code and a few words; null if nothing failed */
  errorReason: string | null;
  /** When the run was created */
  createdAt: string;
  /** When the run ended; null before */
  endedAt: string | null;
};

export type TrialRunResults = {
  /** The run's id */
  id: string;
  /** RUNNING while questions are asked; DONE after the last one; FAILED if it could not go on */
  status: TrialRunStatus;
  /** What began the run: a request, or a change of the agent or of its knowledge */
  cause: TrialCause;
  /** The agent's model when the run began */
  model: string;
  /** Whether the agent's HTTP tools are called */
  callTools: boolean;
  /** How many questions have which outcome */
  totals: TrialTotals;
  /** Why the run could not go on: a code and a few words; null if nothing failed */
  errorReason: string | null;
  /** When the run was created */
  createdAt: string;
  /** When the run ended; null before */
  endedAt: string | null;
  /** The earlier run that `change` compares with; null without one */
  comparedWith: string | null;
  /** The questions in their order, with their answers */
  results: TrialResult[];
};

export type TrialRunStatus = "RUNNING" | "DONE" | "FAILED";

export type TrialSet = {
  /** The questions in their order */
  questions: TrialQuestion[];
  /** When the questions last changed; null before the first ones */
  updatedAt: string | null;
};

export type TrialSetRequest = {
  /** All questions of the agent; each text once */
  questions: TrialSetRequestQuestion[];
};

/** A question with `facts`, or with a true `expectUnknown` */
export type TrialSetRequestQuestion = {
  /** The question, as a contact might write it */
  text: string;
  /** Texts that the answer must have; case, accents, spaces and spellings of numbers are alike */
  facts?: string[];
  /** True: the agent is to say that it does not know; such a question has no `facts`; false by default */
  expectUnknown?: boolean;
};

export type TrialTotals = {
  /** All questions of the run */
  questions: number;
  /** Questions that are still to be asked */
  pending: number;
  /** Answers that are as expected */
  passed: number;
  /** Answers that are not */
  failed: number;
  /** Questions that the provider refused to answer */
  errors: number;
  /** Answers that say that the agent does not know */
  unknown: number;
  /** Answers that should say so, and do not */
  invented: number;
};

export type TriedToolCall = {
  /** The name of the tool */
  tool: string;
  /** HTTP: a tool of the account; BUILT_IN: Recado's */
  kind: AgentToolKind;
  /** The arguments as JSON */
  arguments: string;
  /** What the model was told */
  answer: string;
  /** The status of the answer; null without one */
  httpStatus: number | null;
  /** How long the call took, in milliseconds */
  durationMs: number;
  /** As in a conversation; SIMULATED: nothing was done and nobody was called, but for a contact it would be */
  outcome: TriedToolOutcome;
};

export type TriedToolOutcome = "ANSWERED" | "REFUSED" | "FAILED" | "SIMULATED";

export type Trouble = {
  /** The kind of trouble */
  kind: string;
  /** The problem, in a few words */
  title: string;
  /** The id of the phone or account concerned; empty for the installation */
  subject: string;
  /** The problem, in a sentence */
  text: string;
  /** When it began; null if it has just begun */
  since: string | null;
  /** When the operator was notified; null before */
  announcedAt: string | null;
};

export type TypeStats = {
  /** The type of the phones */
  type: string;
  /** Over the whole time */
  total: MessageStats;
  /** Every step in order, also empty steps */
  points: MessageStatsPoint[];
};

export type UnablePhone = {
  /** The phone that cannot send */
  phoneId: string;
  /** Why the phone cannot send */
  reason: UnableReason;
};

export type UnableReason = "NOT_CONNECTED" | "RESTRICTED" | "RECIPIENT_INVALID" | "CONTENT_UNSUPPORTED" | "TEMPLATE_NOT_APPROVED" | "ANSWER_WINDOW_CLOSED";

export type UndoHistoryImportRequest = {
  /** The account or institution whose last import is taken back, if it can be undone */
  accountId: string;
};

export type UndoneImport = {
  /** Messages that were removed now */
  messages: number;
  /** Contacts that were removed now */
  contacts: number;
  /** Conversations that were removed now */
  conversations: number;
  /** Files of messages that were removed now */
  files: number;
  /** False if more is left: ask again */
  isDone: boolean;
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

export type UpdateAccountRequest = {
  /** The new name of the business; absent keeps the present one */
  name?: string;
  /** ACTIVE also ends a suspension */
  status?: "ACTIVE" | "CANCELLED" | "INACTIVE";
  /** The plan that sets the prices */
  planCode?: string;
  /** Where invoices and reminders go; null sends none */
  billingEmail?: string | null;
  /** Percent on the network's charge; null is the server's default */
  wabaMarkupPct?: number | null;
};

export type UpdateBusinessProfileRequest = {
  /** The line beside the name; 1 to 139 characters */
  about?: string;
  /** The postal address; an empty text removes it */
  address?: string;
  /** The description of the business; an empty text removes it */
  description?: string;
  /** The e-mail address for customers; an empty text removes it */
  email?: string;
  /** The line of business, in the network's word */
  vertical?: string;
  /** The addresses of the business's pages; at most 2 */
  websites?: string[];
  /** The handle of an upload by POST /v1/media/upload/resumable */
  profilePictureHandle?: string;
};

export type UpdateFlowRequest = {
  /** The account's name for the flow */
  name?: string;
  /** The purposes of the flow, in the network's words */
  categories?: string[];
  /** The flow's screens, in the network's flow JSON */
  json?: Record<string, unknown>;
  /** The account's HTTPS address that answers the flow; absent for a flow without data exchange */
  endpointUrl?: string;
};

export type UpdateGroupRequest = {
  /** The group's name */
  subject?: string;
  /** A text about the group; at most 2,048 characters */
  description?: string;
  /** Whether administrators approve who joins */
  joinApprovalMode?: GroupJoinMode;
  /** The rights that only administrators have; a missing rule stays unchanged */
  rules?: GroupRules;
};

export type UpdateInstitutionRequest = {
  /** The new plan of the institution */
  plan: InstitutionPlan;
};

export type UpdateInstitutionResult = {
  /** The institution's id */
  id: string;
  /** The name of the business */
  name: string;
  /** The plan that holds from now on */
  plan: InstitutionPlan;
};

export type UpdateLlmIntegrationRequest = {
  /** Without fragment, and without a query except Azure's `api-version`; null is the server's default */
  baseUrl?: string | null;
  /** Visible ASCII; null removes it; never shown again */
  apiKey?: string | null;
  /** The model for chats if a request names none; null is the server's default */
  defaultModel?: string | null;
  /** The model that reads knowledge; null is the server's default */
  embeddingModel?: string | null;
  /** The model that turns voice notes into text; null is the server's default */
  transcriptionModel?: string | null;
  /** The language of voice notes, in two letters; null lets the provider find it */
  transcriptionLanguage?: string | null;
  /** The model that speaks an agent's answers; null is the server's default */
  speechModel?: string | null;
  /** Another provider for knowledge, in the same form as `baseUrl`; null is the provider of chats */
  embeddingBaseUrl?: string | null;
  /** The key of that provider, visible ASCII; null uses `apiKey`; never shown again */
  embeddingApiKey?: string | null;
  /** Tokens that all calls of the account may use per UTC day; null is the server's default */
  dailyTokens?: number | null;
};

export type UpdateNewsletterRequest = {
  /** The phone that changes it */
  phoneId: string;
  /** The name of the newsletter */
  name?: string;
  /** A text about it; at most 2,048 characters */
  description?: string;
  /** One of `mediaUrl` and `base64`; null removes it */
  picture?: Picture | null;
  /** The emojis with which people may react */
  reactions?: NewsletterReactions;
};

export type UpdatePhoneRequest = {
  /** Where the phone's events go; it replaces the earlier block */
  webhook?: PhoneWebhook;
  /** Missing or null unlinks */
  sharedWebhookId?: string | null;
  /** Refused: it cannot be changed */
  type?: unknown;
  /** Refused: it cannot be changed */
  label?: unknown;
};

export type UpdatePlanRequest = {
  /** How the plan bills */
  kind?: PlanKind;
  /** The currency of the prices: BRL */
  currency?: "BRL";
  /** Cents of BRL for each message sent */
  perMessageCents?: number;
  /** Cents of BRL for each phone and month */
  perPhoneMonthCents?: number;
  /** Cents of BRL a month */
  monthlyFeeCents?: number;
  /** How many the monthly fee covers */
  includedMessages?: number;
  /** Cents of BRL for each further message */
  overageCents?: number;
  /** Further terms of the plan; at most 16 KiB as JSON */
  metadata?: PlanMetadata;
};

export type UpdateSharedWebhook = {
  /** A name for the account's own people */
  label?: string;
  /** A public HTTPS address, or that of a message broker */
  url?: string;
  /** The key of the HMAC signature */
  secret?: string;
  /** Event types; empty means all */
  events?: EventType[];
  /** Whether it gets the events of every phone, also of later ones. */
  allPhones?: boolean;
  /** Phones whose events it gets although they do not link to it. */
  selectedPhoneIds?: string[];
  /** False pauses the webhook: its events are stored, and sent in order once it is true again. */
  active?: boolean;
  /** Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent */
  directions?: WebhookDirection[];
  /** Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have asterisks in place of the values. Sending asterisks back keeps the value. */
  headers?: Record<string, string>;
  /** Whether the events of a chat wait for each other */
  ordering?: DeliveryOrdering;
};

export type UpdateTemplateRequest = {
  /** The network's category */
  category?: TemplateCategory;
  /** The parts of the template, in the form of the official API */
  components?: NewTemplateComponent[];
  /** The most that 1,000 deliveries may cost, in hundredths of the account's currency; only for MARKETING, and for phones with `marketingMessages` */
  maxPricePer1000?: number;
  /** AUTHENTICATION 30 to 900, UTILITY 30 to 43200, MARKETING 43200 to 2592000; -1 is 30 days */
  messageSendTtlSeconds?: number;
};

export type Updates = {
  /** Whether the server looks for newer releases */
  isOn: boolean;
  /** When the list of releases was last read; null before */
  readAt: string | null;
  /** Why the last try failed; null if it did not */
  failure: string | null;
  /** The newest release; null if no release is newer than the version in use */
  newer: NewerRelease | null;
};

export type UploadKnowledgeFileRequest = {
  /** Text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, PPTX, ODT, ODS or ODP */
  file: Blob;
};

export type UploadMediaRequest = {
  /** A public HTTPS address of the file */
  mediaUrl: string;
  /** The file's media type, such as image/png */
  mimeType: string;
  /** The shown name of the file */
  filename?: string;
};

export type UploadMediaResumableRequest = {
  /** A public HTTPS address of the file */
  mediaUrl: string;
  /** The file's media type, such as image/png */
  mimeType: string;
  /** The name of the file, with its ending */
  fileName: string;
  /** The id of the network's app */
  appId: string;
};

export type UsedAccount = {
  /** The account's id */
  id: string;
  /** The name of the business */
  name: string;
  /** ACTIVE, CANCELLED, INACTIVE or SUSPENDED */
  status: string;
  /** The stage of the account's late payment */
  dunningStage: AccountDunningStage;
  /** The plan that sets the prices */
  planCode: string;
  /** Where invoices and reminders go; null sends none */
  billingEmail: string | null;
  /** Percent on the network's charge; null is the server's default */
  wabaMarkupPct: number | null;
  /** The institution that took the account over; absent if no institution did */
  joinedInto?: string;
  /** When the account was created */
  createdAt: string;
  /** When the account last changed */
  updatedAt: string;
  /** Whether its sends wait until it has paid */
  isSuspended: boolean;
  /** The plan of an institution; null for another account */
  institutionPlan: InstitutionPlan | null;
  /** Phones, connected or not */
  phones: number;
  /** Phones that are connected */
  connectedPhones: number;
  /** People of the institution */
  members: number;
  /** Sent this month in UTC */
  messagesSent: number;
  /** Received this month in UTC */
  messagesReceived: number;
  /** Unpaid invoices, in cents of BRL */
  owedCents: number;
  /** The overdue part of them, in cents of BRL */
  overdueCents: number;
};

export type UsedAccountPage = {
  /** The entries of this page, in the order of the list */
  items: UsedAccount[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type UsedPassage = {
  /** The passage's id */
  id: string;
  /** Whether its document was deleted, or learnt anew, since the answer */
  deleted: boolean;
  /** The document of the agent; null once deleted */
  documentId: string | null;
  /** The title of the document; null without one */
  title: string | null;
  /** The text of the passage; null once deleted */
  text: string | null;
};

export type Username = {
  /** The username of the business; null without one */
  username: string | null;
  /** Whether the username is only reserved */
  isReserved: boolean;
};

export type VerifyNumberRequest = {
  /** The 4 to 8 digits that the network sent to the number */
  code?: string;
  /** The 6 digits of the number's new two-step verification */
  pin?: string;
};

export type VersionResult = {
  /** The name of the service */
  servico: string;
  /** The commit that was built */
  commit: string;
  /** When it was started */
  subidoEm: string;
};

export type VideoContent = {
  /** A public HTTPS address of the file */
  mediaUrl?: string;
  /** The handle of an uploaded file, in place of `mediaUrl` */
  mediaHandle?: string;
  /** The media type; the file's own by default */
  mimeType?: string;
  /** A text below the file; at most 1,024 characters */
  caption?: string;
  /** How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message without a template */
  tag?: TextContentTag;
  /** The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same community, or `all`. `@` and the number in the text becomes the name. If the network has mentions */
  mentions?: string[];
  /** Whether it can be opened once only, if the network has that; false by default */
  viewOnce?: boolean;
  /** Whether it plays as a round video note, if the network has those; false by default. A note has no caption */
  videoNote?: boolean;
  /** Whether the MP4 plays as a GIF, without sound and again and again, if the network has that; false by default */
  gifPlayback?: boolean;
};

export type VoteInPollRequest = {
  /** The phone that the message went through */
  phoneId: string;
  /** The chosen options, each by its text or by its place, counted from 0 */
  votes: (string | number)[];
};

export type VoteOnMessage = {
  /** The options that the person chose */
  options: string[];
  /** The canonical key of the person; null: the phone itself */
  by: string | null;
  /** When the person voted */
  at: string;
};

export type WaitReason = "IN_TURN" | "SENDING" | "PHONE_AWAY" | "ACCOUNT_SUSPENDED" | "SLOWED_DOWN" | "TRYING_AGAIN" | "OUTCOME_UNKNOWN";

export type WaitingDeliveries = {
  /** Events that wait to be delivered to a webhook */
  waiting: number;
  /** Events that were given up */
  dead: number;
};

export type WaitingMessages = {
  /** Messages that wait to be sent */
  queued: number;
};

export type WebUrlItem = {
  /** Always `web_url`: tapping opens `url` */
  type: "web_url";
  /** The text of the entry; 1 to 30 characters */
  title: string;
  /** The page that tapping opens */
  url: string;
};

export type WebhookAttempt = {
  /** The attempt's id */
  id: string;
  /** The delivery that was tried */
  deliveryId: string;
  /** The type of the event that was delivered */
  eventType: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Whether the endpoint took the event */
  status: AttemptStatus;
  /** The status of the answer; null without one. */
  statusCode: number | null;
  /** How long the attempt took, in milliseconds */
  durationMs: number;
  /** The first 4,096 characters of the answer; null without an answer */
  responseBody: string | null;
  /** Why the attempt failed; null if it did not */
  error: string | null;
  /** When it was tried */
  at: string;
};

export type WebhookAttemptPage = {
  /** The last attempts, newest first */
  items: WebhookAttempt[];
  /** The `cursor` of the next page; null on the last */
  nextCursor: string | null;
};

export type WebhookDelivery = {
  /** The delivery's id */
  id: string;
  /** The event that is delivered */
  eventId: string;
  /** The API whose form the event has */
  api: EventApi;
  /** The type of the event */
  type: string;
  /** The phone that the event is about; null for an event of the account */
  phoneId: string | null;
  /** The message that the event is about; null for other events */
  messageId: string | null;
  /** The webhook that the delivery goes to */
  webhookId: string;
  /** The account's name for the webhook; null after its deletion */
  webhookName: string | null;
  /** The address to which the delivery goes */
  url: string;
  /** The progress of the delivery */
  state: DeliveryState;
  /** Why the delivery waits; null if nothing holds it */
  heldBecause: HeldBecause | null;
  /** How often delivery was tried */
  attempts: number;
  /** When it is tried next; null if it is not tried again */
  nextRetryAt: string | null;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When the event happened */
  createdAt: string;
};

export type WebhookDeliveryDetails = {
  /** The delivery's id */
  id: string;
  /** The event that is delivered */
  eventId: string;
  /** The API whose form the event has */
  api: EventApi;
  /** The type of the event */
  type: string;
  /** The phone that the event is about; null for an event of the account */
  phoneId: string | null;
  /** The message that the event is about; null for other events */
  messageId: string | null;
  /** The webhook that the delivery goes to */
  webhookId: string;
  /** The account's name for the webhook; null after its deletion */
  webhookName: string | null;
  /** The address to which the delivery goes */
  url: string;
  /** The progress of the delivery */
  state: DeliveryState;
  /** Why the delivery waits; null if nothing holds it */
  heldBecause: HeldBecause | null;
  /** How often delivery was tried */
  attempts: number;
  /** When it is tried next; null if it is not tried again */
  nextRetryAt: string | null;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
  /** When it was delivered; null before */
  deliveredAt: string | null;
  /** When the event happened */
  createdAt: string;
  /** The request that was sent last; null before the first attempt */
  request: SentRequest | null;
  /** The newest 50 attempts, newest first */
  tries: WebhookAttempt[];
};

export type WebhookDeliveryPage = {
  /** The entries of this page, in the order of the list */
  items: WebhookDelivery[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type WebhookDirection = "inbound" | "outbound";

export type WebhookFailedEvent = EventEnvelope & {
  /** The type of the event, which decides what `data` has */
  type: "webhook:failed";
  /** What happened */
  data: WebhookFailure;
};

export type WebhookFailure = {
  /** The event that was not delivered */
  eventId: string;
  /** The type of the event that was given up */
  eventType: string;
  /** The address to which the delivery went */
  url: string;
  /** How often delivery was tried */
  attempts: number;
  /** The last answer of the endpoint; null without an answer */
  lastStatusCode: number | null;
  /** Why the last try failed; null if none did */
  lastError: string | null;
};

export type WebhookHealth = {
  /** The webhook, as `GET /v1/webhooks` lists it if it is shared */
  webhookId: string;
  /** The API whose form the events have */
  api: EventApi;
  /** Whether the webhook belongs to one phone, to several, or to the platform API */
  kind: WebhookKind;
  /** The phone whose own webhook it is; null for a webhook of the account */
  phoneId: string | null;
  /** The account's name for the webhook, or for the phone */
  name: string;
  /** Where the events go */
  url: string;
  /** Whether the endpoint takes its events */
  state: WebhookState;
  /** When new deliveries are tried again; null: at once */
  opensAt: string | null;
  /** When a delivery last failed; null before */
  lastFailedAt: string | null;
  /** Successful attempts of the last 24 hours, counted up to 50,000 */
  delivered: number;
  /** Attempts of the last 24 hours that failed */
  failed: number;
  /** How long an attempt took, of the newest 60; null without one */
  medianMs: number | null;
  /** How long the slowest of these took, in milliseconds; null without an attempt */
  slowestMs: number | null;
  /** Deliveries that are still to be sent */
  waiting: number;
  /** Deliveries that wait until the webhook is active again */
  paused: number;
  /** Dead letters, among the account's newest 10,000 */
  dead: number;
  /** The newest 60 attempts of 24 hours, newest first */
  recent: RecentAttempt[];
};

export type WebhookHealthPage = {
  /** The entries of this page, in the order of the list */
  items: WebhookHealth[];
  /** The cursor of the next page; null on the last page */
  nextCursor: string | null;
};

export type WebhookKind = "phone" | "shared" | "account" | "app";

export type WebhookState = "OK" | "FAILING" | "WAITING" | "PAUSED" | "DISABLED";

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

export type WebhookEvent = GatewayEvent;

export type GetFileQuery = {
  /** When the address ends, in seconds since 1970 */
  exp?: string | undefined;
  /** The signature of the address */
  sig?: string | undefined;
};

export type GetSentFileQuery = {
  /** Which file of the message, counted from 0 */
  file?: string | undefined;
  /** When the address ends, in seconds since 1970 */
  exp?: string | undefined;
  /** The signature of the address */
  sig?: string | undefined;
};

export type GetRecordingFileQuery = {
  /** When the address ends, in seconds since 1970 */
  exp?: string | undefined;
  /** The signature of the address */
  sig?: string | undefined;
};

export type ListAccountAuditEntriesQuery = {
  /** Only acts of this kind */
  action?: ListAuditEntriesAction | undefined;
  /** Only acts of this actor, as `actor` names it */
  actor?: string | undefined;
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** The words to search for */
  search?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
};

export type ListOwnApiKeysQuery = {
  /** `true` lists revoked keys too; false by default */
  revoked?: boolean | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type SearchPhonesQuery = {
  /** Words of the name, or four digits of the number */
  q?: string | undefined;
  /** Only these phones: at most 100 ids, separated by commas */
  ids?: string | undefined;
  /** Only phones of this type */
  type?: PhoneType | undefined;
  /** Only phones with this status */
  status?: PhoneStatus | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type DeletePhoneQuery = {
  /** True also removes an official number from the network, irreversibly; false by default */
  deregister?: boolean | undefined;
};

export type ResolveIdentityQuery = {
  /** A canonical key, number, user id, username or chat address */
  key: string;
};

export type GetQrCodeQuery = {
  /** Seconds to wait for the code. Without it a code that is not ready is refused at once. */
  wait?: number | undefined;
};

export type GetPairingCodeQuery = {
  /** Seconds to wait for the code. Without it a code that is not ready is refused at once. */
  wait?: number | undefined;
};

export type GetPairingQuery = {
  /** The `version` of the answer that is shown */
  seen?: string | undefined;
  /** How many seconds to wait for it; none by default */
  wait?: number | undefined;
};

export type ListCatalogProductsQuery = {
  /** The business whose catalogue is read; by default the phone's own */
  of?: string | undefined;
  /** How many at most; 50 by default, up to 100 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before */
  cursor?: string | undefined;
};

export type ListCatalogCollectionsQuery = {
  /** The business whose catalogue is read; by default the phone's own */
  of?: string | undefined;
  /** How many at most; 50 by default, up to 100 */
  limit?: number | undefined;
};

export type GetOrderQuery = {
  /** `content.orderToken` of the message with the order */
  token: string;
};

export type ListMessagesQuery = {
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction?: WebhookDirection | undefined;
  /** Only entries with this status */
  status?: ListMessagesStatus | undefined;
  /** The type of the content, such as text or image */
  type?: string | undefined;
  /** must be a kind of sender (key, user, operator, schedule, batch, agent, other, phone, chatwoot), or one sender: its kind, a colon and its id */
  sentBy?: string | undefined;
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** Words that the message's text or transcript has, or their beginnings */
  q?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** A number in any spelling, a canonical key, a chat address or a contact's id */
  contact?: string | undefined;
  /** Only entries of this chat */
  chatId?: string | undefined;
};

export type DeleteMessageQuery = {
  /** The phone that the message went through */
  phoneId: string;
  /** `me`: only the phone's own app stops showing it; `everyone` by default */
  for?: "everyone" | "me" | undefined;
};

export type CountChatsQuery = {
  /** The member whose chats `assigned` counts */
  assignee?: string | undefined;
};

export type ListChatsQuery = {
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** Only entries in this state */
  state?: ChatState | undefined;
  /** Only chats with unread messages, or only chats without */
  unread?: boolean | undefined;
  /** Only chats that the phone's own app has archived, or only others */
  archived?: boolean | undefined;
  /** Only chats with this label of WhatsApp Business, by its id */
  label?: string | undefined;
  /** Who leads the chat: another app, the agent or a person */
  leader?: ChatLeader | undefined;
  /** The id of a member, or `nobody` */
  assignee?: string | undefined;
  /** Only entries with this contact */
  contactId?: string | undefined;
  /** Words of the contact's name, e-mail and tags, or four digits of the number */
  q?: string | undefined;
  /** Only chats whose contact has exactly this tag */
  tag?: string | undefined;
  /** Only snoozed chats, or only others */
  snoozed?: boolean | undefined;
  /** Only open chats whose contact has waited for an answer for so many hours, up to 720 */
  waitingHours?: number | undefined;
  /** `activity`: the newest message first. `waiting`: only chats that wait, the longest wait first */
  sort?: "activity" | "waiting" | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListChatMessagesQuery = {
  /** INBOUND comes from the contact, OUTBOUND goes to the contact */
  direction?: WebhookDirection | undefined;
  /** Only entries with this status */
  status?: ListMessagesStatus | undefined;
  /** The type of the content, such as text or image */
  type?: string | undefined;
  /** must be a kind of sender (key, user, operator, schedule, batch, agent, other, phone, chatwoot), or one sender: its kind, a colon and its id */
  sentBy?: string | undefined;
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** Words that the message's text or transcript has, or their beginnings */
  q?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListCannedRepliesQuery = {
  /** Words that begin words of the shortcut or of the text */
  q?: string | undefined;
  /** Only those of everybody, or only the person's own; both by default */
  owner?: "shared" | "own" | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListContactsQuery = {
  /** Words of the name, e-mail and tags, or four digits of the number */
  q?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: string | undefined;
  /** Only contacts who opted out, or only those who did not */
  optedOut?: boolean | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type UnstarMessageQuery = {
  /** The phone that the message went through */
  phoneId: string;
};

export type UnpinMessageQuery = {
  /** The phone that the message went through */
  phoneId: string;
};

export type UnlabelMessageQuery = {
  /** The phone that the message went through */
  phoneId: string;
  /** The label, by its id, as `GET /v1/phones/{id}/labels` lists it */
  label: string;
};

export type UnkeepMessageQuery = {
  /** The phone that the message went through */
  phoneId: string;
};

export type WithdrawVoteQuery = {
  /** The phone that the message went through */
  phoneId: string;
};

export type ListScheduledQuery = {
  /** Only entries with this status */
  status?: ScheduledStatus | undefined;
  /** From this time on */
  from?: string | undefined;
  /** Before this time */
  to?: string | undefined;
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** A number in any spelling, a canonical key, a chat address or a contact's id */
  contact?: string | undefined;
  /** `created`: newest first; `scheduledAt`: by the time of sending, earliest first */
  sort?: ScheduledOrder | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListTemplatesQuery = {
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** Only entries with this status */
  status?: TemplateStatus | undefined;
  /** Only entries with this name */
  name?: string | undefined;
  /** Only entries in this language, such as pt_BR */
  language?: string | undefined;
};

export type ListFlowsQuery = {
  /** The phone whose flows are listed */
  phoneId?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListGroupsQuery = {
  /** The phone whose groups are listed */
  phoneId: string;
  /** Includes suspended groups; false by default */
  includeSuspended?: boolean | undefined;
  /** Asks the network first; false by default */
  refresh?: boolean | undefined;
  /** How many at most; 25 by default, up to 100 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type GetGroupQuery = {
  /** Asks the network first; false by default */
  refresh?: boolean | undefined;
};

export type ListGroupJoinRequestsQuery = {
  /** How many at most; 25 by default, up to 100 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before */
  after?: string | undefined;
};

export type GetInvitedGroupQuery = {
  /** The phone that looks */
  phoneId: string;
};

export type GetGroupInvitationQuery = {
  /** The phone that looks */
  phoneId: string;
};

export type ListCommunitiesQuery = {
  /** The phone whose communities are listed */
  phoneId: string;
  /** How many at most; 25 by default, up to 100 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListNewslettersQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type GetNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type DeleteNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type FollowNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type UnfollowNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type MuteNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type UnmuteNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type WatchNewsletterQuery = {
  /** The phone whose account it is */
  phoneId: string;
};

export type ListNewsletterMessagesQuery = {
  /** The phone whose account it is */
  phoneId: string;
  /** How many at most; 25 by default, up to 100 */
  limit?: number | undefined;
  /** Only posts before the one with this `serverId` */
  before?: string | undefined;
};

export type ListCallsQuery = {
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** Only entries with this status */
  status?: CallStatus | undefined;
  /** How many at most; 50 by default, up to 100 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type GetCallPermissionQuery = {
  /** The phone that wants to call */
  phoneId: string;
  /** E.164 number or business-scoped user id */
  to: string;
};

export type ListAgentsQuery = {
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListAiConversationsQuery = {
  /** Only entries with this status */
  status?: AiConversationStatus | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListAiTurnsQuery = {
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The id of a turn: only earlier turns */
  before?: string | undefined;
};

export type BeginTrialRunQuery = {
  /** `true`: the agent's HTTP tools are called, with `isTest` and without a contact; runs after a change never call them */
  callTools?: boolean | undefined;
};

export type ListWebhookAttemptsQuery = {
  /** Only entries with this status */
  status?: AttemptStatus | undefined;
  /** How many, from 1 to 200; 50 by default. */
  limit?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListPhoneWebhookAttemptsQuery = {
  /** Only entries with this status */
  status?: AttemptStatus | undefined;
  /** How many, from 1 to 200; 50 by default. */
  limit?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListWebhookHealthQuery = {
  /** Only this webhook */
  webhookId?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListEventsQuery = {
  /** Only entries with this status */
  status?: EventStatus | undefined;
  /** Only entries of this type */
  type?: "message:received" | "message:standby" | "message:status" | "message:reaction" | "message:edited" | "message:transcribed" | "message:poll-vote" | "message:pinned" | "message:kept" | "message:event-response" | "message:poll-results" | "message:operation_failed" | "message:fallback" | "status:received" | "newsletter:received" | "channel:connected" | "channel:disconnected" | "channel:restricted" | "channel:unrestricted" | "channel:qrcode" | "channel:client-expiring" | "channel:passkey-required" | "media:available" | "media:failed" | "media:expired" | "template:status" | "history:progress" | "message:starred" | "message:labelled" | "message:deleted_for_me" | "message:expired" | "chat:changed" | "chat:labelled" | "chat:operation_failed" | "label:changed" | "contact:synced" | "comment:received" | "conversation:held" | "conversation:released" | "contact:presence" | "chat:updated" | "chat:answering" | "contact:blocked" | "contact:unblocked" | "contact:opted-out" | "contact:opted-in" | "chat:renamed" | "channel:delegated" | "agent:handoff" | "agent:budget_exhausted" | "agent:document" | "agent:worsened" | "group:lifecycle" | "group:participants" | "group:join-requests" | "group:member-label" | "group:community" | "group:settings" | "group:status" | "newsletter:changed" | "newsletter:counts" | "billing:invoice.paid" | "billing:invoice.failed" | "webhook:failed" | "call:*" | "call:offer" | "call:ringing" | "call:accepted" | "call:in_progress" | "call:completed" | "call:rejected" | "call:missed" | "call:failed" | undefined;
  /** Up to ten types, with commas */
  types?: string | undefined;
  /** Only entries of this phone */
  phoneId?: string | undefined;
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** `data`: with the body of each event */
  include?: "data" | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ListDeliveriesQuery = {
  /** Only entries in this state */
  state?: DeliveryState | undefined;
  /** Only deliveries to this webhook */
  webhookId?: string | undefined;
  /** Only deliveries of this phone's events */
  phoneId?: string | undefined;
  /** Only deliveries of events about this message */
  messageId?: string | undefined;
  /** The name of an event type, of either API */
  type?: string | undefined;
  /** Only deliveries of events from this time on */
  since?: string | undefined;
  /** Only deliveries of events before this time */
  until?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type GetActivityQuery = {
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** By hour or by day in UTC; by hour by default */
  step?: StatsStep | undefined;
  /** Only entries of this phone */
  phoneId?: string | undefined;
};

export type GetUsageQuery = {
  /** The first day in UTC; with `to` */
  from?: string | undefined;
  /** The end, exclusive; with `from` */
  to?: string | undefined;
};

export type ListMonthsQuery = {
  /** How many months; 12 by default, up to 24 */
  months?: number | undefined;
};

export type GetLedgerQuery = {
  /** From the day of this time on; with `to` */
  from?: string | undefined;
  /** Until this time, exclusive; with `from` */
  to?: string | undefined;
};

export type ImportHistoryFileQuery = {
  /** The account or institution that has the phone */
  accountId: string;
  /** The id of a phone that was linked before, or a number that one phone of the account has */
  phone: string;
  /** The program that has written the rows: `evolution` or `waha` */
  format: string;
  /** The same for the same source, so that an interrupted import goes on: a hash without secrets */
  source: string;
  /** The same for all imports that are undone together; rows are for the import that was begun last */
  run: string;
  /** The network's id of the message, as `files` names it */
  key: string;
  /** The digest of the file, in hexadecimal or base64; other bytes are not kept */
  sha256?: string | undefined;
};

export type JoinAccountQuery = {
  /** `true`: everything is checked as in the real call and answered with 200, and nothing is done */
  dryRun?: boolean | undefined;
};

export type ListAccountsQuery = {
  /** Only entries with this status */
  status?: "ACTIVE" | "CANCELLED" | "INACTIVE" | "SUSPENDED" | undefined;
  /** The words to search for */
  search?: string | undefined;
  /** Only institutions of the platform, or only other accounts */
  kind?: "account" | "institution" | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
};

export type ListDeadLettersQuery = {
  /** Only entries of this account */
  accountId?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
};

export type ReplayDeadLettersQuery = {
  /** Only entries of this account */
  accountId?: string | undefined;
};

export type GetTakingsQuery = {
  /** How many months; 12 by default, up to 24 */
  months?: number | undefined;
};

export type ListAllInvoicesQuery = {
  /** Only entries of this account */
  accountId?: string | undefined;
  /** Only entries with this status */
  status?: "OPEN" | "ISSUED" | "PAID" | "OVERDUE" | "FAILED" | "REFUNDED" | "VOID" | "UNPAID" | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
};

export type GetStatsQuery = {
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** By hour or by day in UTC; by hour by default */
  step?: StatsStep | undefined;
};

export type ListAuditEntriesQuery = {
  /** Only acts that concern this account or institution */
  tenantId?: string | undefined;
  /** Only acts of this kind */
  action?: ListAuditEntriesAction | undefined;
  /** Only acts of this actor, as `actor` names it */
  actor?: string | undefined;
  /** From this time on */
  since?: string | undefined;
  /** Before this time */
  until?: string | undefined;
  /** The words to search for */
  search?: string | undefined;
  /** The `nextCursor` of the page before; absent for the first */
  cursor?: string | undefined;
  /** How many at most; 50 by default, up to 200 */
  limit?: number | undefined;
};

export interface AccountResource {
  /** Get the account and the key of this request, with their limits. GET /v1/account */
  get(options?: RequestOptions): Promise<OwnAccount>;
}

export interface AiResource {
  /** Get the account's provider of language models. GET /v1/account/integrations/llm */
  getLlmIntegration(options?: RequestOptions): Promise<LlmIntegration>;
  /** Set the account's provider of language models. PATCH /v1/account/integrations/llm */
  updateLlmIntegration(body: UpdateLlmIntegrationRequest, options?: RequestOptions): Promise<LlmIntegration>;
  /** List the agents of the account's phones. GET /v1/ai/agents */
  listAgents(query?: ListAgentsQuery, options?: RequestOptions): Pages<ListedAgent, ListedAgentPage>;
  /** Find the category of a text. POST /v1/ai/classify */
  classify(body: ClassifyRequest, options?: RequestOptions): Promise<Classification>;
  /** Summarise a chat. POST /v1/ai/summary */
  summarise(body: SummariseRequest, options?: RequestOptions): Promise<Summary>;
  /** Set a phone's agent, or replace its configuration. PUT /v1/phones/{id}/ai-agent */
  putAgent(id: string, body: AgentRequest, options?: RequestOptions): Promise<Agent>;
  /** Get a phone's agent. GET /v1/phones/{id}/ai-agent */
  getAgent(id: string, options?: RequestOptions): Promise<Agent>;
  /** Delete a phone's agent with its knowledge and conversations. DELETE /v1/phones/{id}/ai-agent */
  deleteAgent(id: string, options?: RequestOptions): Promise<void>;
  /** List the agent's conversations, newest first. GET /v1/phones/{id}/ai-agent/conversations */
  listConversations(id: string, query?: ListAiConversationsQuery, options?: RequestOptions): Pages<AiConversation, AiConversationPage>;
  /** Get an agent's conversation by its contact. GET /v1/phones/{id}/ai-agent/conversations/{contactKey} */
  getConversation(id: string, contactKey: string, options?: RequestOptions): Promise<AiConversation>;
  /** End a conversation until its contact writes again. POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/close */
  closeConversation(id: string, contactKey: string, options?: RequestOptions): Promise<AiConversation>;
  /** Let a person take over a conversation. POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/handoff */
  handOffConversation(id: string, contactKey: string, body?: HandOffAiConversationRequest, options?: RequestOptions): Promise<AiConversation>;
  /** List the turns of a conversation, in the order of time. GET /v1/phones/{id}/ai-agent/conversations/{contactKey}/messages */
  listTurns(id: string, contactKey: string, query?: ListAiTurnsQuery, options?: RequestOptions): Pages<AiTurn, AiTurn[]>;
  /** Give a conversation back to the agent. POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/release */
  releaseConversation(id: string, contactKey: string, options?: RequestOptions): Promise<AiConversation>;
  /** Stop the agent from beginning conversations. POST /v1/phones/{id}/ai-agent/disable */
  disableAgent(id: string, options?: RequestOptions): Promise<Agent>;
  /** Switch the agent on. POST /v1/phones/{id}/ai-agent/enable */
  enableAgent(id: string, options?: RequestOptions): Promise<Agent>;
  /** Teach an agent a page, a text or an uploaded file. POST /v1/phones/{id}/ai-agent/knowledge */
  addDocument(id: string, body: AddDocumentRequest, options?: RequestOptions): Promise<AddedDocument>;
  /** List the documents of an agent, newest first. GET /v1/phones/{id}/ai-agent/knowledge */
  listDocuments(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<Document, Document[]>;
  /** Upload a file for an agent to learn. POST /v1/phones/{id}/ai-agent/knowledge/files */
  uploadKnowledgeFile(id: string, body: Upload, options?: RequestOptions): Promise<KnowledgeFile>;
  /** Get a document of an agent. GET /v1/phones/{id}/ai-agent/knowledge/{docId} */
  getDocument(id: string, docId: string, options?: RequestOptions): Promise<Document>;
  /** Delete a document of an agent. DELETE /v1/phones/{id}/ai-agent/knowledge/{docId} */
  deleteDocument(id: string, docId: string, options?: RequestOptions): Promise<void>;
  /** Get the agent's answer to a test message. POST /v1/phones/{id}/ai-agent/test */
  testAgent(id: string, body: TestAgentRequest, options?: RequestOptions): Promise<AgentReply>;
  /** List the HTTP tools of an agent, by name. GET /v1/phones/{id}/ai-agent/tools */
  listAgentTools(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<AgentTool, AgentTool[]>;
  /** Let an agent call an HTTP tool. POST /v1/phones/{id}/ai-agent/tools */
  createAgentTool(id: string, body: AgentToolRequest, options?: RequestOptions): Promise<AgentTool>;
  /** Get an HTTP tool of an agent. GET /v1/phones/{id}/ai-agent/tools/{toolId} */
  getAgentTool(id: string, toolId: string, options?: RequestOptions): Promise<AgentTool>;
  /** Replace an HTTP tool of an agent. PUT /v1/phones/{id}/ai-agent/tools/{toolId} */
  replaceAgentTool(id: string, toolId: string, body: AgentToolReplacement, options?: RequestOptions): Promise<AgentTool>;
  /** Delete an HTTP tool of an agent. DELETE /v1/phones/{id}/ai-agent/tools/{toolId} */
  deleteAgentTool(id: string, toolId: string, options?: RequestOptions): Promise<void>;
  /** Call an HTTP tool once, and see its answer. POST /v1/phones/{id}/ai-agent/tools/{toolId}/test */
  testAgentTool(id: string, toolId: string, body: AgentToolTest, options?: RequestOptions): Promise<AgentToolTestResult>;
  /** Get the questions that an agent is tried with. GET /v1/phones/{id}/ai-agent/trials */
  getTrialSet(id: string, options?: RequestOptions): Promise<TrialSet>;
  /** Replace the questions that an agent is tried with. PUT /v1/phones/{id}/ai-agent/trials */
  putTrialSet(id: string, body: TrialSetRequest, options?: RequestOptions): Promise<TrialSet>;
  /** Ask the agent its questions. POST /v1/phones/{id}/ai-agent/trials/runs */
  beginTrialRun(id: string, options?: RequestOptions & { query?: BeginTrialRunQuery }): Promise<TrialRun>;
  /** List the runs of an agent's questions, newest first. GET /v1/phones/{id}/ai-agent/trials/runs */
  listTrialRuns(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<TrialRun, TrialRun[]>;
  /** Get a run with its answers, and what changed since the run before. GET /v1/phones/{id}/ai-agent/trials/runs/{runId} */
  getTrialRun(id: string, runId: string, options?: RequestOptions): Promise<TrialRunResults>;
  /** Delete a run. DELETE /v1/phones/{id}/ai-agent/trials/runs/{runId} */
  deleteTrialRun(id: string, runId: string, options?: RequestOptions): Promise<void>;
}

export interface AuditResource {
  /** List who changed what in the account, newest first. GET /v1/audit */
  listAccountEntries(query?: ListAccountAuditEntriesQuery, options?: RequestOptions): Pages<AccountAuditEntry, AccountAuditEntryPage>;
}

export interface BillingResource {
  /** Get the cost of the current month so far. GET /v1/billing/current */
  getCurrent(options?: RequestOptions): Promise<CurrentCosts>;
  /** Get the payer. GET /v1/billing/customer */
  getCustomer(options?: RequestOptions): Promise<KnownBillingCustomer>;
  /** Set the payer. POST /v1/billing/customer */
  saveCustomer(body?: SaveBillingCustomerRequest, options?: RequestOptions): Promise<SaveBillingCustomerResult>;
  /** Get today's cost of one message to each recipient. POST /v1/billing/estimate */
  estimateCost(body: EstimateCostRequest, options?: RequestOptions): Promise<CostEstimate>;
  /** List the last 24 invoices, newest first. GET /v1/billing/invoices */
  listInvoices(query?: Record<string, never>, options?: RequestOptions): Pages<Invoice, Invoice[]>;
  /** Get an invoice. GET /v1/billing/invoices/{id} */
  getInvoice(id: string, options?: RequestOptions): Promise<Invoice>;
  /** Charge an invoice through the processor. POST /v1/billing/invoices/{id}/issue */
  issueInvoice(id: string, body?: IssueInvoiceRequest, options?: RequestOptions): Promise<IssuedInvoice>;
  /** Get the network's charges for delivered messages, by day. GET /v1/billing/ledger */
  getLedger(options?: RequestOptions & { query?: GetLedgerQuery }): Promise<Ledger>;
  /** Get the cost of each of the last months, the oldest first. GET /v1/billing/months */
  listMonths(query?: ListMonthsQuery, options?: RequestOptions): Pages<MonthOfAccount, ListMonthsResult>;
  /** Get the usage of a period, and its cost. GET /v1/usage */
  getUsage(options?: RequestOptions & { query?: GetUsageQuery }): Promise<GetUsageResult>;
}

export interface BusinessHoursResource {
  /** Get the account's business hours, and whether it is open now. GET /v1/business-hours */
  get(options?: RequestOptions): Promise<BusinessHours>;
  /** Set the account's business hours. PUT /v1/business-hours */
  set(body: BusinessHoursRequest, options?: RequestOptions): Promise<BusinessHours>;
  /** Remove the account's business hours: always open. DELETE /v1/business-hours */
  delete(options?: RequestOptions): Promise<void>;
}

export interface CallsResource {
  /** Get the sound of a signed address. GET /files/{accountId}/recordings/{callId}/{fileId} */
  getRecordingFile(accountId: string, callId: string, fileId: string, options?: RequestOptions & { query?: GetRecordingFileQuery }): Promise<Response>;
  /** Call a person who has allowed it. POST /v1/calls */
  place(body: PlaceCallRequest, options?: RequestOptions): Promise<Call>;
  /** List calls, newest first. GET /v1/calls */
  list(query?: ListCallsQuery, options?: RequestOptions): Pages<Call, CallPage>;
  /** Ask a person for permission to call. POST /v1/calls/permission-request */
  requestPermission(body: RequestCallPermissionRequest, options?: RequestOptions): Promise<EnqueuedPermissionRequest>;
  /** Get whether a person may be called. GET /v1/calls/permissions */
  getPermission(query: GetCallPermissionQuery, options?: RequestOptions): Promise<CallPermission>;
  /** Get a call by its id, or by the network's. GET /v1/calls/{id} */
  get(id: string, options?: RequestOptions): Promise<Call>;
  /** Accept an incoming call. POST /v1/calls/{id}/accept */
  accept(id: string, body: AcceptCallRequest, options?: RequestOptions): Promise<Call>;
  /** End a call. POST /v1/calls/{id}/hangup */
  hangUp(id: string, body?: HangUpCallRequest, options?: RequestOptions): Promise<Call>;
  /** Store the recording of a call. POST /v1/calls/{id}/recording */
  uploadRecording(id: string, body: Upload, options?: RequestOptions): Promise<StoredRecording>;
  /** Get the address of a call's recording. GET /v1/calls/{id}/recording */
  getRecording(id: string, options?: RequestOptions): Promise<Response>;
  /** Reject an incoming call. POST /v1/calls/{id}/reject */
  reject(id: string, body?: RejectCallRequest, options?: RequestOptions): Promise<Call>;
  /** Make a link by which people join a call. POST /v1/phones/{id}/call-links */
  createLink(id: string, body: NewCallLink, options?: RequestOptions): Promise<CallLink>;
}

export interface ChatsResource {
  /** List canned replies by shortcut. GET /v1/canned-replies */
  listCannedReplies(query?: ListCannedRepliesQuery, options?: RequestOptions): Pages<CannedReply, CannedReplyPage>;
  /** Create a canned reply. POST /v1/canned-replies */
  createCannedReply(body: CreateCannedReply, options?: RequestOptions): Promise<CannedReply>;
  /** Get a canned reply. GET /v1/canned-replies/{id} */
  getCannedReply(id: string, options?: RequestOptions): Promise<CannedReply>;
  /** Change a canned reply. PATCH /v1/canned-replies/{id} */
  updateCannedReply(id: string, body: ChangeCannedReply, options?: RequestOptions): Promise<CannedReply>;
  /** Delete a canned reply. DELETE /v1/canned-replies/{id} */
  deleteCannedReply(id: string, options?: RequestOptions): Promise<void>;
  /** List chats, the one with the newest message first. GET /v1/chats */
  list(query?: ListChatsQuery, options?: RequestOptions): Pages<Chat, ChatPage>;
  /** List the members to whom chats may be assigned. GET /v1/chats/assignees */
  listAssignees(query?: Record<string, never>, options?: RequestOptions): Pages<PossibleAssignee, ChatAssignees>;
  /** Count the chats, as the tabs of an inbox show them. GET /v1/chats/counts */
  count(options?: RequestOptions & { query?: CountChatsQuery }): Promise<ChatCounts>;
  /** Get a chat, with the app or person that leads it. GET /v1/chats/{id} */
  get(id: string, options?: RequestOptions): Promise<Chat>;
  /** Change a chat in the phone's own app: archive, pin, mute, mark as unread. PATCH /v1/chats/{id} */
  change(id: string, body: ChangeChat, options?: RequestOptions): Promise<EnqueuedChatChange>;
  /** Delete a chat from the phone's own app. DELETE /v1/chats/{id} */
  delete(id: string, options?: RequestOptions): Promise<EnqueuedChatChange>;
  /** Tell colleagues that you are writing an answer in a chat. POST /v1/chats/{id}/answering */
  noteAnswering(id: string, body?: Record<string, unknown>, options?: RequestOptions): Promise<void>;
  /** Assign a chat to a member, or remove the assignment. POST /v1/chats/{id}/assign */
  assign(id: string, body: AssignChat, options?: RequestOptions): Promise<Chat>;
  /** Remove the messages of a chat from the phone's own app. POST /v1/chats/{id}/clear */
  clear(id: string, body?: Record<string, unknown>, options?: RequestOptions): Promise<EnqueuedChatChange>;
  /** Close a chat. POST /v1/chats/{id}/close */
  close(id: string, body?: Record<string, unknown>, options?: RequestOptions): Promise<Chat>;
  /** Hand a chat over to a person, the phone's agent, another app, or nobody. POST /v1/chats/{id}/handover */
  handOver(id: string, body: HandChatOver, options?: RequestOptions): Promise<Chat>;
  /** Give a chat these labels of WhatsApp Business, and no others. PUT /v1/chats/{id}/labels */
  setLabels(id: string, body: LabelChat, options?: RequestOptions): Promise<EnqueuedChatChange>;
  /** List the messages of a chat, newest first. GET /v1/chats/{id}/messages */
  listMessages(id: string, query?: ListChatMessagesQuery, options?: RequestOptions): Pages<LoggedMessage, LoggedMessagePage>;
  /** Answer in a chat without doing it. POST /v1/chats/{id}/messages */
  answer(id: string, body: AnswerChat, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Answer in a chat. POST /v1/chats/{id}/messages */
  answer(id: string, body: AnswerChat, options?: RequestOptions): Promise<RepeatedMessage | AcceptedMessage>;
  /** Mark a chat as read. POST /v1/chats/{id}/read */
  read(id: string, body?: Record<string, unknown>, options?: RequestOptions): Promise<ChatRead>;
  /** Open a closed chat again. POST /v1/chats/{id}/reopen */
  reopen(id: string, body?: Record<string, unknown>, options?: RequestOptions): Promise<Chat>;
  /** Put an open chat off until a time. PUT /v1/chats/{id}/snooze */
  snooze(id: string, body: SnoozeChat, options?: RequestOptions): Promise<Chat>;
  /** Bring a snoozed chat back now. DELETE /v1/chats/{id}/snooze */
  unsnooze(id: string, options?: RequestOptions): Promise<Chat>;
}

export interface ContactsResource {
  /** List contacts, newest first. GET /v1/contacts */
  list(query?: ListContactsQuery, options?: RequestOptions): Pages<Contact, ContactPage>;
  /** Create a contact. POST /v1/contacts */
  create(body: CreateContact, options?: RequestOptions): Promise<Contact>;
  /** Get a contact. GET /v1/contacts/{id} */
  get(id: string, options?: RequestOptions): Promise<Contact>;
  /** Change a contact. PATCH /v1/contacts/{id} */
  update(id: string, body: ChangeContact, options?: RequestOptions): Promise<Contact>;
  /** Delete a contact. DELETE /v1/contacts/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** Send a contact no messages but answers. PUT /v1/contacts/{id}/opt-out */
  optOut(id: string, options?: RequestOptions): Promise<Contact>;
  /** Send a contact messages again. DELETE /v1/contacts/{id}/opt-out */
  optIn(id: string, options?: RequestOptions): Promise<Contact>;
}

export interface EventsResource {
  /** List deliveries to webhooks, newest event first. GET /v1/deliveries */
  listDeliveries(query?: ListDeliveriesQuery, options?: RequestOptions): Pages<WebhookDelivery, WebhookDeliveryPage>;
  /** Send all matching deliveries again. POST /v1/deliveries/retry */
  retryDeliveries(body: RetryDeliveries, options?: RequestOptions): Promise<RetriedDeliveries>;
  /** Get a delivery with its request and its attempts. GET /v1/deliveries/{id} */
  getDelivery(id: string, options?: RequestOptions): Promise<WebhookDeliveryDetails>;
  /** Send a delivery again at once. POST /v1/deliveries/{id}/retry */
  retryDelivery(id: string, options?: RequestOptions): Promise<RetriedDelivery>;
  /** List events with the progress of their deliveries, newest first. GET /v1/events */
  list(query?: ListEventsQuery, options?: RequestOptions): Pages<ListedEvent, ListedEventPage>;
  /** Get an event with its deliveries. GET /v1/events/{id} */
  get(id: string, options?: RequestOptions): Promise<EventDetails>;
  /** Send an event again to the targets that have not received it. POST /v1/events/{id}/replay */
  replay(id: string, options?: RequestOptions): Promise<ReplayEventResult>;
}

export interface FlowsResource {
  /** Create a flow as a draft. POST /v1/flows */
  create(body: CreateFlowRequest, options?: RequestOptions): Promise<Flow>;
  /** List flows, newest first. GET /v1/flows */
  list(query?: ListFlowsQuery, options?: RequestOptions): Pages<Flow, FlowPage>;
  /** Get a flow. GET /v1/flows/{id} */
  get(id: string, options?: RequestOptions): Promise<Flow>;
  /** Change a flow that is a draft. PATCH /v1/flows/{id} */
  update(id: string, body: UpdateFlowRequest, options?: RequestOptions): Promise<Flow>;
  /** Delete a flow. DELETE /v1/flows/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** Deprecate a published flow. POST /v1/flows/{id}/deprecate */
  deprecate(id: string, options?: RequestOptions): Promise<Flow>;
  /** Publish a flow, so that it can be sent. POST /v1/flows/{id}/publish */
  publish(id: string, options?: RequestOptions): Promise<Flow>;
  /** Update a flow from the network. POST /v1/flows/{id}/sync */
  sync(id: string, options?: RequestOptions): Promise<Flow>;
  /** Make a key pair and give the network its public half. POST /v1/phones/{id}/flows-keypair */
  createKeypair(id: string, options?: RequestOptions): Promise<FlowsKeypair>;
  /** Get the public key of a phone's flows. GET /v1/phones/{id}/flows-keypair */
  getKeypair(id: string, options?: RequestOptions): Promise<FlowsKeypair>;
}

export interface GroupsResource {
  /** Make a community, with its announcement group. POST /v1/communities */
  createCommunity(body: CreateCommunityRequest, options?: RequestOptions): Promise<Group>;
  /** List a phone's communities, newest first. GET /v1/communities */
  listCommunities(query: ListCommunitiesQuery, options?: RequestOptions): Pages<Group, GroupPage>;
  /** End a community. DELETE /v1/communities/{id} */
  deactivateCommunity(id: string, options?: RequestOptions): Promise<void>;
  /** List the groups of a community. GET /v1/communities/{id}/groups */
  listCommunity(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<LinkedGroup, ListCommunityGroupsResult>;
  /** Link a group to a community. PUT /v1/communities/{id}/groups/{groupId} */
  linkCommunity(id: string, groupId: string, options?: RequestOptions): Promise<void>;
  /** Unlink a group from a community. DELETE /v1/communities/{id}/groups/{groupId} */
  unlinkCommunity(id: string, groupId: string, options?: RequestOptions): Promise<void>;
  /** List the people in the groups of a community. GET /v1/communities/{id}/participants */
  listCommunityParticipants(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<string, CommunityParticipants>;
  /** Create a group. POST /v1/groups */
  create(body: CreateGroupRequest, options?: RequestOptions): Promise<CreatedGroup>;
  /** List a phone's groups, newest first. GET /v1/groups */
  list(query: ListGroupsQuery, options?: RequestOptions): Pages<Group, GroupPage>;
  /** See what an invitation in a message leads to, without joining. GET /v1/groups/invitations/{messageId} */
  getInvitation(messageId: string, query: GetGroupInvitationQuery, options?: RequestOptions): Promise<InvitedGroup>;
  /** Join a group by an invitation that a member sent to the phone. POST /v1/groups/invitations/{messageId}/accept */
  acceptInvitation(messageId: string, body: AcceptGroupInvitationRequest, options?: RequestOptions): Promise<JoinedGroup>;
  /** See what an invite link leads to, without joining. GET /v1/groups/invites/{inviteCode} */
  getInvited(inviteCode: string, query: GetInvitedGroupQuery, options?: RequestOptions): Promise<InvitedGroup>;
  /** Join a group by its invite link. POST /v1/groups/join */
  join(body: JoinGroupRequest, options?: RequestOptions): Promise<JoinedGroup>;
  /** Get a group. GET /v1/groups/{id} */
  get(id: string, options?: RequestOptions & { query?: GetGroupQuery }): Promise<Group>;
  /** Change a group's subject, description, join mode or rules. PATCH /v1/groups/{id} */
  update(id: string, body: UpdateGroupRequest, options?: RequestOptions): Promise<Group>;
  /** Delete a group. DELETE /v1/groups/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** Make people administrators of a group. POST /v1/groups/{id}/admins */
  promoteParticipants(id: string, body: GroupPeopleRequest, options?: RequestOptions): Promise<PromoteGroupParticipantsResult | undefined>;
  /** Remove the administrator role from people in a group. DELETE /v1/groups/{id}/admins */
  demoteParticipants(id: string, body: GroupPeopleRequest, options?: RequestOptions): Promise<DemoteGroupParticipantsResult | undefined>;
  /** Change a group's chat in the phone's own app: archive, pin, mute, mark as unread. PATCH /v1/groups/{id}/chat */
  changeChat(id: string, body: ChangeChat, options?: RequestOptions): Promise<EnqueuedChatChange>;
  /** Get the invite link of a group from the network. GET /v1/groups/{id}/invite-link */
  getInviteLink(id: string, options?: RequestOptions): Promise<GroupInvite>;
  /** Get a new invite link. POST /v1/groups/{id}/invite-link/reset */
  resetInviteLink(id: string, options?: RequestOptions): Promise<GroupInvite>;
  /** List the requests to join a group. GET /v1/groups/{id}/join-requests */
  listJoinRequests(id: string, query?: ListGroupJoinRequestsQuery, options?: RequestOptions): Pages<JoinRequest, JoinRequestPage>;
  /** Approve requests to join a group. POST /v1/groups/{id}/join-requests/approve */
  approveJoinRequests(id: string, body: JoinDecisionRequest, options?: RequestOptions): Promise<ApproveGroupJoinRequestsResult>;
  /** Reject requests to join a group. POST /v1/groups/{id}/join-requests/reject */
  rejectJoinRequests(id: string, body: JoinDecisionRequest, options?: RequestOptions): Promise<RejectGroupJoinRequestsResult>;
  /** Leave a group. POST /v1/groups/{id}/leave */
  leave(id: string, options?: RequestOptions): Promise<void>;
  /** Set the phone's own label in a group. PUT /v1/groups/{id}/member-label */
  setMemberLabel(id: string, body: GroupMemberLabelRequest, options?: RequestOptions): Promise<void>;
  /** Send a message to a group, in the network's own format without doing it. POST /v1/groups/{id}/messages */
  sendMessage(id: string, body: SendGroupMessageRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a message to a group, in the network's own format. POST /v1/groups/{id}/messages */
  sendMessage(id: string, body: SendGroupMessageRequest, options?: RequestOptions): Promise<SendGroupMessageResult>;
  /** Add people to a group, or invite people who require an invitation. POST /v1/groups/{id}/participants */
  addParticipants(id: string, body: GroupPeopleRequest, options?: RequestOptions): Promise<AddGroupParticipantsResult | undefined>;
  /** Remove people from a group. DELETE /v1/groups/{id}/participants */
  removeParticipants(id: string, body: GroupPeopleRequest, options?: RequestOptions): Promise<RemoveGroupParticipantsResult | undefined>;
  /** Set a group's picture. PUT /v1/groups/{id}/picture */
  setPicture(id: string, body: Picture, options?: RequestOptions): Promise<void>;
  /** Remove a group's picture. DELETE /v1/groups/{id}/picture */
  removePicture(id: string, options?: RequestOptions): Promise<void>;
  /** List the newsletters that a phone follows or owns. GET /v1/newsletters */
  listNewsletters(query: ListNewslettersQuery, options?: RequestOptions): Pages<Newsletter, NewsletterList>;
  /** Make a newsletter. POST /v1/newsletters */
  createNewsletter(body: CreateNewsletterRequest, options?: RequestOptions): Promise<Newsletter>;
  /** Look at a newsletter, followed or not. GET /v1/newsletters/{newsletterId} */
  getNewsletter(newsletterId: string, query: GetNewsletterQuery, options?: RequestOptions): Promise<Newsletter>;
  /** Change the name, description, picture or reactions of a newsletter. PATCH /v1/newsletters/{newsletterId} */
  updateNewsletter(newsletterId: string, body: UpdateNewsletterRequest, options?: RequestOptions): Promise<void>;
  /** Delete a newsletter for everybody. DELETE /v1/newsletters/{newsletterId} */
  deleteNewsletter(newsletterId: string, query: DeleteNewsletterQuery, options?: RequestOptions): Promise<void>;
  /** Follow a newsletter. PUT /v1/newsletters/{newsletterId}/follow */
  followNewsletter(newsletterId: string, query: FollowNewsletterQuery, options?: RequestOptions): Promise<void>;
  /** Unfollow a newsletter. DELETE /v1/newsletters/{newsletterId}/follow */
  unfollowNewsletter(newsletterId: string, query: UnfollowNewsletterQuery, options?: RequestOptions): Promise<void>;
  /** Get newsletter:counts events for some minutes. POST /v1/newsletters/{newsletterId}/live-updates */
  watchNewsletter(newsletterId: string, query: WatchNewsletterQuery, options?: RequestOptions): Promise<NewsletterLiveUpdates>;
  /** List the posts of a newsletter with their views and reactions. GET /v1/newsletters/{newsletterId}/messages */
  listNewsletterMessages(newsletterId: string, query: ListNewsletterMessagesQuery, options?: RequestOptions): Pages<ListedNewsletterPost, NewsletterPosts>;
  /** React to a post of any newsletter. PUT /v1/newsletters/{newsletterId}/messages/{serverId}/reaction */
  reactToNewsletterMessage(newsletterId: string, serverId: string, body: NewsletterReaction, options?: RequestOptions): Promise<void>;
  /** Mute a newsletter. PUT /v1/newsletters/{newsletterId}/mute */
  muteNewsletter(newsletterId: string, query: MuteNewsletterQuery, options?: RequestOptions): Promise<void>;
  /** Unmute a newsletter. DELETE /v1/newsletters/{newsletterId}/mute */
  unmuteNewsletter(newsletterId: string, query: UnmuteNewsletterQuery, options?: RequestOptions): Promise<void>;
}

export interface KeysResource {
  /** Make a code with which an institution takes the account over. POST /v1/account/join-codes */
  createJoinCode(options?: RequestOptions): Promise<JoinCode>;
  /** Make an API key for the account. POST /v1/api-keys */
  create(body: CreateOwnApiKeyRequest, options?: RequestOptions): Promise<IssuedApiKey>;
  /** List the account's API keys, newest first. GET /v1/api-keys */
  list(query?: ListOwnApiKeysQuery, options?: RequestOptions): Pages<ApiKey, ApiKeyPage>;
  /** Revoke an API key of the account at once. POST /v1/api-keys/{id}/revoke */
  revoke(id: string, options?: RequestOptions): Promise<RevokeOwnApiKeyResult>;
  /** Make a token with which a program for the Cloud API uses a phone. POST /v1/phones/{id}/cloud-api/tokens */
  createCloudToken(id: string, body: NewCloudTokenRequest, options?: RequestOptions): Promise<NewCloudToken>;
  /** List the tokens of a phone for the Cloud API. GET /v1/phones/{id}/cloud-api/tokens */
  listCloudTokens(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<CloudToken, CloudTokens>;
  /** Revoke a token of a phone for the Cloud API at once. DELETE /v1/phones/{id}/cloud-api/tokens/{tokenId} */
  revokeCloudToken(id: string, tokenId: string, options?: RequestOptions): Promise<void>;
}

export interface LookupResource {
  /** Ask which numbers are on the network. POST /v1/lookup */
  start(body: StartLookupRequest, options?: RequestOptions): Promise<CachedLookup | PendingLookup>;
  /** Get a lookup's answer. GET /v1/lookup/{taskId} */
  get(taskId: string, options?: RequestOptions): Promise<Lookup>;
}

export interface MediaResource {
  /** Get the file of a signed address. GET /files/{accountId}/{mediaId} */
  getFile(accountId: string, mediaId: string, options?: RequestOptions & { query?: GetFileQuery }): Promise<Response>;
  /** Get the file of a message that a network sends by its link. GET /sent-files/{messageId} */
  getSentFile(messageId: string, options?: RequestOptions & { query?: GetSentFileQuery }): Promise<Response>;
  /** Upload a file to be sent by its handle. POST /v1/media/files */
  keepFile(body: Upload, options?: RequestOptions): Promise<KeptFile>;
  /** Upload a file in base64 to be sent by its handle. POST /v1/media/files/base64 */
  keepEncodedFile(body: KeepEncodedFileRequest, options?: RequestOptions): Promise<KeptFile>;
  /** Get the bytes of a file that was uploaded to be sent. GET /v1/media/files/{handle}/content */
  getKeptFileContent(handle: string, options?: RequestOptions): Promise<Response>;
  /** Upload a file to the phone's network, to be sent by its handle. POST /v1/media/upload */
  upload(body: UploadMediaRequest, options: RequestOptions & { headers: { "X-Phone-Id": string } }): Promise<MediaHandle>;
  /** Upload a large file to the network in parts. POST /v1/media/upload/resumable */
  uploadResumable(body: UploadMediaResumableRequest, options: RequestOptions & { headers: { "X-Phone-Id": string } }): Promise<ResumableUpload>;
  /** Delete an uploaded file at the network. DELETE /v1/media/upstream/{upstreamId} */
  deleteUpstream(upstreamId: string, options: RequestOptions & { headers: { "X-Phone-Id": string } }): Promise<void>;
  /** Get the address of a file that came with a message. GET /v1/media/{id} */
  get(id: string, options?: RequestOptions): Promise<Response>;
  /** Confirm that the file was taken, so that it is deleted. POST /v1/media/{id}/ack */
  ack(id: string, options?: RequestOptions): Promise<void>;
  /** Get the bytes of a file that came with a message. GET /v1/media/{id}/content */
  getContent(id: string, options?: RequestOptions): Promise<Response>;
  /** Get the details of a file, also of a deleted file. GET /v1/media/{id}/info */
  getInfo(id: string, options?: RequestOptions): Promise<MediaFile>;
}

export interface MessagesResource {
  /** Send a message through any phone without doing it. POST /v1/messages */
  send(body: SendMessage, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a message through any phone. POST /v1/messages */
  send(body: SendMessage, options?: RequestOptions): Promise<RepeatedMessage | AcceptedMessage>;
  /** List sent and received messages, newest first. GET /v1/messages */
  list(query?: ListMessagesQuery, options?: RequestOptions): Pages<LoggedMessage, LoggedMessagePage>;
  /** Send a message through the cheapest phone that can send it without doing it. POST /v1/messages/cheapest */
  sendCheapest(body: SendCheapest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunCheapest>;
  /** Send a message through the cheapest phone that can send it. POST /v1/messages/cheapest */
  sendCheapest(body: SendCheapest, options?: RequestOptions): Promise<SentCheapest>;
  /** Send a message later without doing it. POST /v1/messages/scheduled */
  schedule(body: ScheduleMessageRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Send a message later. POST /v1/messages/scheduled */
  schedule(body: ScheduleMessageRequest, options?: RequestOptions): Promise<CreatedScheduledMessage>;
  /** List scheduled messages. GET /v1/messages/scheduled */
  listScheduled(query?: ListScheduledQuery, options?: RequestOptions): Pages<ScheduledMessage, ScheduledMessagePage>;
  /** Get a scheduled message with its payload. GET /v1/messages/scheduled/{id} */
  getScheduled(id: string, options?: RequestOptions): Promise<ScheduledMessageDetails>;
  /** Change when a pending message is sent. PATCH /v1/messages/scheduled/{id} */
  reschedule(id: string, body: RescheduleRequest, options?: RequestOptions): Promise<ScheduledMessageDetails>;
  /** Cancel a pending message. DELETE /v1/messages/scheduled/{id} */
  cancelScheduled(id: string, options?: RequestOptions): Promise<void>;
  /** Get a message that was sent through the gateway. GET /v1/messages/{id} */
  get(id: string, options?: RequestOptions): Promise<Message>;
  /** Delete a message for everyone, or in the phone's own app alone. DELETE /v1/messages/{id} */
  delete(id: string, query: DeleteMessageQuery, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Change the text or the caption of a message that was sent. POST /v1/messages/{id}/edit */
  edit(id: string, body: EditMessageRequest, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Forward a sent or received message to another chat without doing it. POST /v1/messages/{id}/forward */
  forward(id: string, body: ForwardMessage, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Forward a sent or received message to another chat. POST /v1/messages/{id}/forward */
  forward(id: string, body: ForwardMessage, options?: RequestOptions): Promise<RepeatedMessage | AcceptedMessage>;
  /** Keep a message in a chat whose messages disappear. POST /v1/messages/{id}/keep */
  keep(id: string, body: PhoneReference, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Let a kept message disappear. DELETE /v1/messages/{id}/keep */
  unkeep(id: string, query: UnkeepMessageQuery, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Give a message a label of WhatsApp Business. POST /v1/messages/{id}/label */
  label(id: string, body: LabelMessageRequest, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Take a label of WhatsApp Business from a message. DELETE /v1/messages/{id}/label */
  unlabel(id: string, query: UnlabelMessageQuery, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Pin a message in its chat, for everyone. POST /v1/messages/{id}/pin */
  pin(id: string, body: PinMessageRequest, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Take the pin of a message back. DELETE /v1/messages/{id}/pin */
  unpin(id: string, query: UnpinMessageQuery, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Mark a received voice note as played. POST /v1/messages/{id}/played */
  markPlayed(id: string, body: PhoneReference, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** React to a message, or take the reaction back. POST /v1/messages/{id}/react */
  react(id: string, body: ReactToMessageRequest, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Mark a received message as read. POST /v1/messages/{id}/read */
  markRead(id: string, body: PhoneReference, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** List the people who got, read and played a sent message. GET /v1/messages/{id}/receipts */
  listReceipts(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<PersonReceipts, MessageReceipts>;
  /** Answer a calendar event. POST /v1/messages/{id}/respond */
  respondToEvent(id: string, body: RespondToEventRequest, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Mark a message with a star in the phone's own app. POST /v1/messages/{id}/star */
  star(id: string, body: PhoneReference, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Take the star of a message away. DELETE /v1/messages/{id}/star */
  unstar(id: string, query: UnstarMessageQuery, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Get every step in the life of a sent or received message. GET /v1/messages/{id}/timeline */
  getTimeline(id: string, options?: RequestOptions): Promise<MessageTimeline>;
  /** Show that an answer to a received message is being written. POST /v1/messages/{id}/typing */
  showTyping(id: string, body: PhoneReference, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Vote in a poll that was sent or received. POST /v1/messages/{id}/vote */
  voteInPoll(id: string, body: VoteInPollRequest, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Withdraw the phone's vote in a poll. DELETE /v1/messages/{id}/vote */
  withdrawVote(id: string, query: WithdrawVoteQuery, options?: RequestOptions): Promise<EnqueuedOperation>;
  /** Get the app that leads the conversation with a person. GET /v1/phones/{id}/conversations/{to}/control */
  getConversationControl(id: string, to: string, options?: RequestOptions): Promise<ConversationControl>;
  /** Pass a conversation to another app, take it, or release it. POST /v1/phones/{id}/conversations/{to}/control */
  changeConversationControl(id: string, to: string, body: ChangeConversationControlRequest, options?: RequestOptions): Promise<ConversationControl>;
}

export interface PhonesResource {
  /** List the kinds of phones that this server has. GET /v1/kinds */
  listKinds(query?: Record<string, never>, options?: RequestOptions): Pages<PhoneKind, PhoneKindList>;
  /** Create a phone. POST /v1/phones */
  create(body: CreatePhoneRequest, options?: RequestOptions): Promise<CreatedPhone>;
  /** List the account's phones, newest first. GET /v1/phones */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Phone, Phone[]>;
  /** Search the account's phones, newest first. GET /v1/phones/search */
  search(query?: SearchPhonesQuery, options?: RequestOptions): Pages<Phone, PhonePage>;
  /** Make a phone for an account with its owner's consent. POST /v1/phones/social/oauth */
  connectSocialAccount(body: ConnectSocialAccountRequest, options?: RequestOptions): Promise<ConnectSocialAccountResult>;
  /** Get the configuration with which a page asks an account's owner for consent. GET /v1/phones/social/oauth/config */
  getSocialOAuthConfig(options?: RequestOptions): Promise<SocialConfig>;
  /** Add the number that was just signed up. POST /v1/phones/waba/embedded-signup */
  embeddedSignup(body: EmbeddedSignupRequest, options?: RequestOptions): Promise<EmbeddedSignupResult>;
  /** Get the configuration with which a browser opens the network's sign-up. GET /v1/phones/waba/embedded-signup/config */
  getEmbeddedSignupConfig(options?: RequestOptions): Promise<SignupConfig>;
  /** Read an event that the sign-up window sent to the page that opened it. POST /v1/phones/waba/embedded-signup/events */
  readEmbeddedSignupEvent(body: ReadEmbeddedSignupEventRequest, options?: RequestOptions): Promise<SignupEvent>;
  /** Get a phone. GET /v1/phones/{id} */
  get(id: string, options?: RequestOptions): Promise<Phone>;
  /** Replace a phone's webhook, link or unlink a shared one. PATCH /v1/phones/{id} */
  update(id: string, body: UpdatePhoneRequest, options?: RequestOptions): Promise<Phone>;
  /** Delete a phone for good. DELETE /v1/phones/{id} */
  delete(id: string, options?: RequestOptions & { query?: DeletePhoneQuery }): Promise<DeletedPhone | undefined>;
  /** List the people whom the phone has blocked. GET /v1/phones/{id}/blocks */
  listBlocks(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<BlockedContact, BlockList>;
  /** Block a person. POST /v1/phones/{id}/blocks */
  block(id: string, body: PersonReference, options?: RequestOptions): Promise<void>;
  /** Unblock a person. DELETE /v1/phones/{id}/blocks */
  unblock(id: string, body: PersonReference, options?: RequestOptions): Promise<void>;
  /** Get the business hours that count for a phone, and whether it is open now. GET /v1/phones/{id}/business-hours */
  getBusinessHours(id: string, options?: RequestOptions): Promise<BusinessHours>;
  /** Set a phone's own business hours, in place of the account's. PUT /v1/phones/{id}/business-hours */
  setBusinessHours(id: string, body: BusinessHoursRequest, options?: RequestOptions): Promise<BusinessHours>;
  /** Remove a phone's own hours: the account's count again. DELETE /v1/phones/{id}/business-hours */
  deleteBusinessHours(id: string, options?: RequestOptions): Promise<void>;
  /** Get the profile that customers see of the business. GET /v1/phones/{id}/business-profile */
  getBusinessProfile(id: string, options?: RequestOptions): Promise<BusinessProfile>;
  /** Change the profile that customers see of the business. PATCH /v1/phones/{id}/business-profile */
  updateBusinessProfile(id: string, body: UpdateBusinessProfileRequest, options?: RequestOptions): Promise<BusinessProfile>;
  /** Get the capabilities of a phone's network. GET /v1/phones/{id}/capabilities */
  getCapabilities(id: string, options?: RequestOptions): Promise<PhoneCapabilities>;
  /** List the collections of a business's catalogue. GET /v1/phones/{id}/catalog/collections */
  listCatalogCollections(id: string, query?: ListCatalogCollectionsQuery, options?: RequestOptions): Pages<CatalogCollection, CatalogCollections>;
  /** List the products of a business's catalogue. GET /v1/phones/{id}/catalog/products */
  listCatalogProducts(id: string, query?: ListCatalogProductsQuery, options?: RequestOptions): Pages<CatalogProduct, CatalogProductPage>;
  /** Read again how the phone's app shows its chats. POST /v1/phones/{id}/chats/resync */
  resyncChats(id: string, body?: Record<string, unknown>, options?: RequestOptions): Promise<void>;
  /** Get the time after which the messages of a chat disappear. GET /v1/phones/{id}/chats/{to}/timer */
  getChatTimer(id: string, to: string, options?: RequestOptions): Promise<ChatTimer>;
  /** Set the time after which the messages of a chat disappear. PUT /v1/phones/{id}/chats/{to}/timer */
  setChatTimer(id: string, to: string, body: SetChatTimer, options?: RequestOptions): Promise<ChatTimer>;
  /** Show the Chatwoot that a phone is connected with. GET /v1/phones/{id}/chatwoot */
  getChatwoot(id: string, options?: RequestOptions): Promise<Chatwoot>;
  /** Connect a phone with an inbox of a Chatwoot. PUT /v1/phones/{id}/chatwoot */
  setChatwoot(id: string, body: ChatwootInput, options?: RequestOptions): Promise<Chatwoot>;
  /** Disconnect a phone from its Chatwoot. DELETE /v1/phones/{id}/chatwoot */
  removeChatwoot(id: string, options?: RequestOptions): Promise<void>;
  /** Show how programs for the Cloud API reach a phone. GET /v1/phones/{id}/cloud-api */
  getCloudApi(id: string, options?: RequestOptions): Promise<CloudApi>;
  /** Change how a phone is shown to programs for the Cloud API. PATCH /v1/phones/{id}/cloud-api */
  updateCloudApi(id: string, body: CloudApiChanges, options?: RequestOptions): Promise<CloudApi>;
  /** Show where the Cloud-API webhooks of a phone go. GET /v1/phones/{id}/cloud-api/webhook */
  getCloudWebhook(id: string, options?: RequestOptions): Promise<CloudWebhook>;
  /** Set where the Cloud-API webhooks of a phone go. PUT /v1/phones/{id}/cloud-api/webhook */
  setCloudWebhook(id: string, body: CloudWebhookInput, options?: RequestOptions): Promise<CloudWebhook>;
  /** Remove the Cloud-API webhook of a phone. DELETE /v1/phones/{id}/cloud-api/webhook */
  removeCloudWebhook(id: string, options?: RequestOptions): Promise<void>;
  /** Make a new secret that signs the Cloud-API webhooks. POST /v1/phones/{id}/cloud-api/webhook/secret */
  renewCloudWebhookSecret(id: string, options?: RequestOptions): Promise<CloudWebhookSecret>;
  /** Request the business app's contacts and history. POST /v1/phones/{id}/contacts/sync */
  syncContacts(id: string, body?: SyncContactsRequest, options?: RequestOptions): Promise<SyncRequest>;
  /** Get the about text of a person, as the phone may see it. GET /v1/phones/{id}/contacts/{to}/about */
  getContactAbout(id: string, to: string, options?: RequestOptions): Promise<ContactAbout>;
  /** Get the business profile of a person. GET /v1/phones/{id}/contacts/{to}/business-profile */
  getContactBusinessProfile(id: string, to: string, options?: RequestOptions): Promise<ContactBusinessProfile>;
  /** Get a person's profile picture, as the phone may see it. GET /v1/phones/{id}/contacts/{to}/profile-picture */
  getContactPicture(id: string, to: string, options?: RequestOptions): Promise<ContactPicture>;
  /** Replace a phone's credentials. PUT /v1/phones/{id}/credentials */
  setCredentials(id: string, body: SetPhoneCredentialsRequest, options?: RequestOptions): Promise<Phone>;
  /** Get the progress of the import of a phone's history. GET /v1/phones/{id}/history */
  getHistoryProgress(id: string, options?: RequestOptions): Promise<HistoryProgress>;
  /** Ask the owner's phone for older messages of a chat. POST /v1/phones/{id}/history */
  requestHistory(id: string, body: RequestHistoryRequest, options?: RequestOptions): Promise<HistoryRequest>;
  /** Get the questions that people are offered, by language. GET /v1/phones/{id}/ice-breakers */
  getIceBreakers(id: string, options?: RequestOptions): Promise<IceBreakers>;
  /** Replace the questions that people are offered. PUT /v1/phones/{id}/ice-breakers */
  putIceBreakers(id: string, body: PutIceBreakersRequest, options?: RequestOptions): Promise<IceBreakers>;
  /** Offer no questions. DELETE /v1/phones/{id}/ice-breakers */
  deleteIceBreakers(id: string, options?: RequestOptions): Promise<void>;
  /** Look up a person whom the phone has met. GET /v1/phones/{id}/identities/resolve */
  resolveIdentity(id: string, query: ResolveIdentityQuery, options?: RequestOptions): Promise<Identity>;
  /** List the labels of WhatsApp Business on a phone. GET /v1/phones/{id}/labels */
  listLabels(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<ChatLabel, ChatLabels>;
  /** Make a label on a phone. POST /v1/phones/{id}/labels */
  makeLabel(id: string, body: MakeLabel, options?: RequestOptions): Promise<ChatLabel>;
  /** Rename or recolour a label. PATCH /v1/phones/{id}/labels/{label} */
  changeLabel(id: string, label: string, body: ChangeLabel, options?: RequestOptions): Promise<ChatLabel>;
  /** Delete a label. DELETE /v1/phones/{id}/labels/{label} */
  deleteLabel(id: string, label: string, options?: RequestOptions): Promise<void>;
  /** End a phone's connection. POST /v1/phones/{id}/logout */
  logout(id: string, options?: RequestOptions): Promise<LogoutPhoneResult>;
  /** Get the menu beside the messages, by language. GET /v1/phones/{id}/menu */
  getMenu(id: string, options?: RequestOptions): Promise<Menu>;
  /** Replace the menu beside the messages. PUT /v1/phones/{id}/menu */
  putMenu(id: string, body: PutMenuRequest, options?: RequestOptions): Promise<Menu>;
  /** Show no menu. DELETE /v1/phones/{id}/menu */
  deleteMenu(id: string, options?: RequestOptions): Promise<void>;
  /** Ask the network for another display name. POST /v1/phones/{id}/name-change */
  requestNameChange(id: string, body: RequestNameChangeRequest, options?: RequestOptions): Promise<RequestNameChangeResult>;
  /** Get the status of the requested display name. GET /v1/phones/{id}/name-change */
  getNameChange(id: string, options?: RequestOptions): Promise<NameChange>;
  /** Get what a customer has ordered. GET /v1/phones/{id}/orders/{orderId} */
  getOrder(id: string, orderId: string, query: GetOrderQuery, options?: RequestOptions): Promise<CatalogOrder>;
  /** Get the pairing of a phone as a page shows it: the codes and the state. GET /v1/phones/{id}/pairing */
  getPairing(id: string, options?: RequestOptions & { query?: GetPairingQuery }): Promise<Pairing>;
  /** Get the code to type on the phone instead of scanning. GET /v1/phones/{id}/pairing-code */
  getPairingCode(id: string, options?: RequestOptions & { query?: GetPairingCodeQuery }): Promise<PairingCode>;
  /** Ask for a code to type on the phone instead of scanning. POST /v1/phones/{id}/pairing-code */
  createPairingCode(id: string, body: CreatePairingCodeRequest, options?: RequestOptions): Promise<CreatePairingCodeResult>;
  /** Make a link with which another person pairs the phone. POST /v1/phones/{id}/pairing-links */
  createPairingLink(id: string, body?: CreatePairingLinkRequest, options?: RequestOptions): Promise<NewPairingLink>;
  /** List the phone's pairing links, newest first. GET /v1/phones/{id}/pairing-links */
  listPairingLinks(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<PairingLink, PairingLinkList>;
  /** Revoke a pairing link at once. DELETE /v1/phones/{id}/pairing-links/{linkId} */
  revokePairingLink(id: string, linkId: string, options?: RequestOptions): Promise<void>;
  /** Get the passkey request to sign, or the code to compare. GET /v1/phones/{id}/passkey */
  getPasskey(id: string, options?: RequestOptions): Promise<Passkey>;
  /** Submit the signature of the owner's passkey. POST /v1/phones/{id}/passkey */
  assertPasskey(id: string, body: PasskeyAssertion, options?: RequestOptions): Promise<AcceptedPasskey>;
  /** Confirm that the phone shows the same code. POST /v1/phones/{id}/passkey/confirm */
  confirmPasskey(id: string, options?: RequestOptions): Promise<AcceptedPasskey>;
  /** Show that the phone is online, or writing in a chat. POST /v1/phones/{id}/presence */
  showPresence(id: string, body: ShowPresenceRequest, options?: RequestOptions): Promise<void>;
  /** Get a person's contact:presence events for an hour. POST /v1/phones/{id}/presence/subscriptions */
  watchPresence(id: string, body: PersonReference, options?: RequestOptions): Promise<void>;
  /** Get the privacy settings of the phone's account. GET /v1/phones/{id}/privacy */
  getPrivacySettings(id: string, options?: RequestOptions): Promise<PrivacySettings>;
  /** Change privacy settings of the phone's account. PATCH /v1/phones/{id}/privacy */
  updatePrivacySettings(id: string, body: PrivacyChanges, options?: RequestOptions): Promise<PrivacySettings>;
  /** Get the profile of the phone's account, as the network shows it. GET /v1/phones/{id}/profile */
  getOwnProfile(id: string, options?: RequestOptions): Promise<OwnProfile>;
  /** Change the name, the about text or the picture of the phone's account. PUT /v1/phones/{id}/profile */
  changeOwnProfile(id: string, body: ChangeOwnProfileRequest, options?: RequestOptions): Promise<OwnProfile>;
  /** Set or remove a session's proxy. PUT /v1/phones/{id}/proxy */
  setProxy(id: string, body: SetPhoneProxyRequest, options?: RequestOptions): Promise<PhoneProxy>;
  /** Check whether the network answers through the phone's proxy. POST /v1/phones/{id}/proxy/check */
  checkProxy(id: string, options?: RequestOptions): Promise<ProxyCheck>;
  /** Get the QR code of a session that waits to be paired. GET /v1/phones/{id}/qrcode */
  getQrCode(id: string, options?: RequestOptions & { query?: GetQrCodeQuery }): Promise<QrCode>;
  /** Get how many chats with new people the phone may begin. GET /v1/phones/{id}/quota */
  getQuota(id: string, options?: RequestOptions): Promise<Quota>;
  /** Reconnect a phone with its stored credentials. POST /v1/phones/{id}/reconnect */
  reconnect(id: string, options?: RequestOptions): Promise<ReconnectPhoneResult>;
  /** Replace the phone's token. POST /v1/phones/{id}/rotate-token */
  rotateToken(id: string, body: RotateTokenRequest, options?: RequestOptions): Promise<Phone>;
  /** Get the settings that the phone's type has. GET /v1/phones/{id}/settings */
  getSettings(id: string, options?: RequestOptions): Promise<PhoneSettings>;
  /** Change settings of the phone. PATCH /v1/phones/{id}/settings */
  updateSettings(id: string, body: PhoneSettings, options?: RequestOptions): Promise<PhoneSettings>;
  /** Post a status (story) of the phone's account without doing it. POST /v1/phones/{id}/statuses */
  postStatus(id: string, body: PostStatus, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunMessage>;
  /** Post a status (story) of the phone's account. POST /v1/phones/{id}/statuses */
  postStatus(id: string, body: PostStatus, options?: RequestOptions): Promise<RepeatedMessage | AcceptedMessage>;
  /** Get the username of the number. GET /v1/phones/{id}/username */
  getUsername(id: string, options?: RequestOptions): Promise<Username>;
  /** Claim a username for the number, or reserve it. POST /v1/phones/{id}/username */
  claimUsername(id: string, body: ClaimUsernameRequest, options?: RequestOptions): Promise<Username>;
  /** Release the number's username. DELETE /v1/phones/{id}/username */
  releaseUsername(id: string, options?: RequestOptions): Promise<void>;
  /** List usernames that the network suggests. GET /v1/phones/{id}/username/suggestions */
  listUsernameSuggestions(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<string, ListUsernameSuggestionsResult>;
  /** Request the code that proves who owns the number. POST /v1/phones/{id}/verification */
  requestNumberCode(id: string, body: RequestNumberCodeRequest, options?: RequestOptions): Promise<RequestNumberCodeResult>;
  /** Verify the number by its code, and register it. POST /v1/phones/{id}/verification/confirm */
  verifyNumber(id: string, body?: VerifyNumberRequest, options?: RequestOptions): Promise<NumberVerification>;
  /** List the attempts to deliver to the phone's webhook, newest first. GET /v1/phones/{id}/webhook/attempts */
  listWebhookAttempts(id: string, query?: ListPhoneWebhookAttemptsQuery, options?: RequestOptions): Pages<WebhookAttempt, WebhookAttemptPage>;
  /** Try all waiting deliveries of the phone's webhook now. POST /v1/phones/{id}/webhook/retry */
  retryWebhook(id: string, options?: RequestOptions): Promise<EnqueuedRetry>;
  /** Send a sample event to the phone's webhook. POST /v1/phones/{id}/webhook/test */
  testWebhook(id: string, body?: TestWebhook, options?: RequestOptions): Promise<WebhookTestResult>;
}

export interface StatsResource {
  /** Count messages and deliveries, by hour or day. GET /v1/stats */
  get(options?: RequestOptions & { query?: GetActivityQuery }): Promise<StatsSeries>;
  /** Get the states of phones, and the work that waits now. GET /v1/stats/now */
  now(options?: RequestOptions): Promise<StatsNow>;
}

export interface SystemResource {
  /** Check that the process is alive. GET /health */
  health(options?: RequestOptions): Promise<HealthResult>;
  /** Check that database, in-process store and media storage work. GET /health/ready */
  ready(options?: RequestOptions): Promise<Readiness>;
  /** Show the origin of this request, as the server sees it. GET /origin */
  origin(options?: RequestOptions): Promise<OriginResult>;
  /** Get the commit that this instance serves. GET /versao */
  version(options?: RequestOptions): Promise<VersionResult>;
}

export interface TemplatesResource {
  /** Submit a template for review without doing it. POST /v1/templates */
  create(body: CreateTemplateRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunTemplate>;
  /** Submit a template for review. POST /v1/templates */
  create(body: CreateTemplateRequest, options?: RequestOptions): Promise<Template>;
  /** List templates, newest first. GET /v1/templates */
  list(query?: ListTemplatesQuery, options?: RequestOptions): Pages<Template, Template[]>;
  /** Import all templates of the phone's business account. POST /v1/templates/sync */
  sync(body: SyncTemplatesRequest, options?: RequestOptions): Promise<TemplateSync>;
  /** Get a template. GET /v1/templates/{id} */
  get(id: string, options?: RequestOptions): Promise<Template>;
  /** Change a template, which is then reviewed anew without doing it. PATCH /v1/templates/{id} */
  update(id: string, body: UpdateTemplateRequest, options: RequestOptions & { query: { dryRun: true } }): Promise<DryRunTemplate>;
  /** Change a template, which is then reviewed anew. PATCH /v1/templates/{id} */
  update(id: string, body: UpdateTemplateRequest, options?: RequestOptions): Promise<Template>;
  /** Delete a template here and at the network. DELETE /v1/templates/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
}

export interface WebhooksResource {
  /** Create a shared webhook. POST /v1/webhooks */
  create(body: CreateSharedWebhook, options?: RequestOptions): Promise<SharedWebhook>;
  /** List shared webhooks. GET /v1/webhooks */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<SharedWebhook, SharedWebhook[]>;
  /** List all webhooks of the account with their health. GET /v1/webhooks/health */
  listHealth(query?: ListWebhookHealthQuery, options?: RequestOptions): Pages<WebhookHealth, WebhookHealthPage>;
  /** Get a shared webhook. GET /v1/webhooks/{id} */
  get(id: string, options?: RequestOptions): Promise<SharedWebhook>;
  /** Change a shared webhook. PATCH /v1/webhooks/{id} */
  update(id: string, body: UpdateSharedWebhook, options?: RequestOptions): Promise<SharedWebhook>;
  /** Delete a shared webhook and unlink its phones. DELETE /v1/webhooks/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** List the attempts to deliver to a shared webhook, newest first. GET /v1/webhooks/{id}/attempts */
  listAttempts(id: string, query?: ListWebhookAttemptsQuery, options?: RequestOptions): Pages<WebhookAttempt, WebhookAttemptPage>;
  /** Try all waiting deliveries of a shared webhook now. POST /v1/webhooks/{id}/retry */
  retry(id: string, options?: RequestOptions): Promise<EnqueuedRetry>;
  /** Send a sample event to a shared webhook. POST /v1/webhooks/{id}/test */
  test(id: string, body?: TestWebhook, options?: RequestOptions): Promise<WebhookTestResult>;
}

export abstract class GatewayResources {
  declare readonly account: AccountResource;
  declare readonly ai: AiResource;
  declare readonly audit: AuditResource;
  declare readonly billing: BillingResource;
  declare readonly businessHours: BusinessHoursResource;
  declare readonly calls: CallsResource;
  declare readonly chats: ChatsResource;
  declare readonly contacts: ContactsResource;
  declare readonly events: EventsResource;
  declare readonly flows: FlowsResource;
  declare readonly groups: GroupsResource;
  declare readonly keys: KeysResource;
  declare readonly lookup: LookupResource;
  declare readonly media: MediaResource;
  declare readonly messages: MessagesResource;
  declare readonly phones: PhonesResource;
  declare readonly stats: StatsResource;
  declare readonly system: SystemResource;
  declare readonly templates: TemplatesResource;
  declare readonly webhooks: WebhooksResource;
}

export const GATEWAY_ROUTES =
  "account;get G 0/v1/account|ai;getLlmIntegration G 2/integrations/llm;updateLlmIntegration Hb 4;listAgents Gl 1/ai/agents;classify Pb 2/classify;summarise Pb 2/summary;putAgent Ub 1/phones/*/ai-agent;getAgent G 4;deleteAgent D 4;listConversations Gl 4/conversations;getConversation G 5/*;closeConversation P 6/close;handOffConversation Pb 6/handoff;listTurns Gl 6/messages;releaseConversation P 6/release;disableAgent P 4/disable;enableAgent P 4/enable;addDocument Pb 4/knowledge;listDocuments Gl 5;uploadKnowledgeFile Pr 5/files;getDocument G 5/*;deleteDocument D 6;testAgent Pb 4/test;listAgentTools Gl 4/tools;createAgentTool Pb 5;getAgentTool G 5/*;replaceAgentTool Ub 6;deleteAgentTool D 6;testAgentTool Pb 6/test;getTrialSet G 4/trials;putTrialSet Ub 5;beginTrialRun P 5/runs;listTrialRuns Gl 6;getTrialRun G 6/*;deleteTrialRun D 7|audit;listAccountEntries Gl 1/audit|billing;getCurrent G 1/billing/current;getCustomer G 2/customer;saveCustomer Pb 3;estimateCost Pb 2/estimate;listInvoices Gl 2/invoices;getInvoice G 3/*;issueInvoice Pb 4/issue;getLedger G 2/ledger;listMonths Gl 2/months;getUsage G 1/usage|businessHours;get G 1/business-hours;set Ub 2;delete D 2|calls;getRecordingFile Gf 0/files/*/recordings/*/*;place Pb 0/v1/calls;list Gl 2;requestPermission Pb 2/permission-request;getPermission Gq 2/permissions;get G 2/*;accept Pb 3/accept;hangUp Pb 3/hangup;uploadRecording Pr 3/recording;getRecording Gf 4;reject Pb 3/reject;createLink Pb 1/phones/*/call-links|chats;listCannedReplies Gl 1/canned-replies;createCannedReply Pb 2;getCannedReply G 2/*;updateCannedReply Hb 3;deleteCannedReply D 3;list Gl 1/chats;listAssignees Gl 2/assignees;count G 2/counts;get G 2/*;change Hb 3;delete D 3;noteAnswering Pb 3/answering;assign Pb 3/assign;clear Pb 3/clear;close Pb 3/close;handOver Pb 3/handover;setLabels Ub 3/labels;listMessages Gl 3/messages;answer Pb 4;read Pb 3/read;reopen Pb 3/reopen;snooze Ub 3/snooze;unsnooze D 4|contacts;list Gl 1/contacts;create Pb 2;get G 2/*;update Hb 3;delete D 3;optOut U 3/opt-out;optIn D 4|events;listDeliveries Gl 1/deliveries;retryDeliveries Pb 2/retry;getDelivery G 2/*;retryDelivery P 3/retry;list Gl 1/events;get G 2/*;replay P 3/replay|flows;create Pb 1/flows;list Gl 2;get G 2/*;update Hb 3;delete D 3;deprecate P 3/deprecate;publish P 3/publish;sync P 3/sync;createKeypair P 1/phones/*/flows-keypair;getKeypair G 4|groups;createCommunity Pb 1/communities;listCommunities Gl 2;deactivateCommunity D 2/*;listCommunity Gl 3/groups;linkCommunity U 4/*;unlinkCommunity D 5;listCommunityParticipants Gl 3/participants;create Pb 1/groups;list Gl 2;getInvitation Gq 2/invitations/*;acceptInvitation Pb 4/accept;getInvited Gq 2/invites/*;join Pb 2/join;get G 2/*;update Hb 3;delete D 3;promoteParticipants Pb 3/admins;demoteParticipants Db 4;changeChat Hb 3/chat;getInviteLink G 3/invite-link;resetInviteLink P 4/reset;listJoinRequests Ga 3/join-requests;approveJoinRequests Pb 4/approve;rejectJoinRequests Pb 4/reject;leave P 3/leave;setMemberLabel Ub 3/member-label;sendMessage Pb 3/messages;addParticipants Pb 3/participants;removeParticipants Db 4;setPicture Ub 3/picture;removePicture D 4;listNewsletters Gl 1/newsletters;createNewsletter Pb 2;getNewsletter Gq 2/*;updateNewsletter Hb 3;deleteNewsletter Dq 3;followNewsletter Uq 3/follow;unfollowNewsletter Dq 4;watchNewsletter Pq 3/live-updates;listNewsletterMessages Gl 3/messages;reactToNewsletterMessage Ub 4/*/reaction;muteNewsletter Uq 3/mute;unmuteNewsletter Dq 4|keys;createJoinCode P 1/account/join-codes;create Pb 1/api-keys;list Gl 2;revoke P 2/*/revoke;createCloudToken Pb 1/phones/*/cloud-api/tokens;listCloudTokens Gl 5;revokeCloudToken D 5/*|lookup;start Pb 1/lookup;get G 2/*|media;getFile Gf 0/files/*/*;getSentFile Gf 0/sent-files/*;keepFile Pr 0/v1/media/files;keepEncodedFile Pb 3/base64;getKeptFileContent Gf 3/*/content;upload Pb 2/upload;uploadResumable Pb 3/resumable;deleteUpstream D 2/upstream/*;get Gf 2/*;ack P 3/ack;getContent Gf 3/content;getInfo G 3/info|messages;send Pb 1/messages;list Gl 2;sendCheapest Pb 2/cheapest;schedule Pb 2/scheduled;listScheduled Gl 3;getScheduled G 3/*;reschedule Hb 4;cancelScheduled D 4;get G 2/*;delete Dq 3;edit Pb 3/edit;forward Pb 3/forward;keep Pb 3/keep;unkeep Dq 4;label Pb 3/label;unlabel Dq 4;pin Pb 3/pin;unpin Dq 4;markPlayed Pb 3/played;react Pb 3/react;markRead Pb 3/read;listReceipts Gl 3/receipts;respondToEvent Pb 3/respond;star Pb 3/star;unstar Dq 4;getTimeline G 3/timeline;showTyping Pb 3/typing;voteInPoll Pb 3/vote;withdrawVote Dq 4;getConversationControl G 1/phones/*/conversations/*/control;changeConversationControl Pb 6|phones;listKinds Gl 1/kinds;create Pb 1/phones;list Gl 2;search Gl 2/search;connectSocialAccount Pb 2/social/oauth;getSocialOAuthConfig G 4/config;embeddedSignup Pb 2/waba/embedded-signup;getEmbeddedSignupConfig G 4/config;readEmbeddedSignupEvent Pb 4/events;get G 2/*;update Hb 3;delete D 3;listBlocks Gl 3/blocks;block Pb 4;unblock Db 4;getBusinessHours G 3/business-hours;setBusinessHours Ub 4;deleteBusinessHours D 4;getBusinessProfile G 3/business-profile;updateBusinessProfile Hb 4;getCapabilities G 3/capabilities;listCatalogCollections Gl 3/catalog/collections;listCatalogProducts Gl 4/products;resyncChats Pb 3/chats/resync;getChatTimer G 4/*/timer;setChatTimer Ub 6;getChatwoot G 3/chatwoot;setChatwoot Ub 4;removeChatwoot D 4;getCloudApi G 3/cloud-api;updateCloudApi Hb 4;getCloudWebhook G 4/webhook;setCloudWebhook Ub 5;removeCloudWebhook D 5;renewCloudWebhookSecret P 5/secret;syncContacts Pb 3/contacts/sync;getContactAbout G 4/*/about;getContactBusinessProfile G 5/business-profile;getContactPicture G 5/profile-picture;setCredentials Ub 3/credentials;getHistoryProgress G 3/history;requestHistory Pb 4;getIceBreakers G 3/ice-breakers;putIceBreakers Ub 4;deleteIceBreakers D 4;resolveIdentity Gq 3/identities/resolve;listLabels Gl 3/labels;makeLabel Pb 4;changeLabel Hb 4/*;deleteLabel D 5;logout P 3/logout;getMenu G 3/menu;putMenu Ub 4;deleteMenu D 4;requestNameChange Pb 3/name-change;getNameChange G 4;getOrder Gq 3/orders/*;getPairing G 3/pairing;getPairingCode G 3/pairing-code;createPairingCode Pb 4;createPairingLink Pb 3/pairing-links;listPairingLinks Gl 4;revokePairingLink D 4/*;getPasskey G 3/passkey;assertPasskey Pb 4;confirmPasskey P 4/confirm;showPresence Pb 3/presence;watchPresence Pb 4/subscriptions;getPrivacySettings G 3/privacy;updatePrivacySettings Hb 4;getOwnProfile G 3/profile;changeOwnProfile Ub 4;setProxy Ub 3/proxy;checkProxy P 4/check;getQrCode G 3/qrcode;getQuota G 3/quota;reconnect P 3/reconnect;rotateToken Pb 3/rotate-token;getSettings G 3/settings;updateSettings Hb 4;postStatus Pb 3/statuses;getUsername G 3/username;claimUsername Pb 4;releaseUsername D 4;listUsernameSuggestions Gl 4/suggestions;requestNumberCode Pb 3/verification;verifyNumber Pb 4/confirm;listWebhookAttempts Gl 3/webhook/attempts;retryWebhook P 4/retry;testWebhook Pb 4/test|stats;get G 1/stats;now G 2/now|system;health G 0/health;ready G 1/ready;origin G 0/origin;version G 0/versao|templates;create Pb 0/v1/templates;list Gl 2;sync Pb 2/sync;get G 2/*;update Hb 3;delete D 3|webhooks;create Pb 1/webhooks;list Gl 2;listHealth Gl 2/health;get G 2/*;update Hb 3;delete D 3;listAttempts Gl 3/attempts;retry P 3/retry;test Pb 3/test";

export interface AdminAccountsResource {
  /** Create an account. POST /v1/admin/accounts */
  create(body: CreateAccountRequest, options?: RequestOptions): Promise<Account>;
  /** List accounts, newest first. GET /v1/admin/accounts */
  list(query?: ListAccountsQuery, options?: RequestOptions): Pages<UsedAccount, UsedAccountPage>;
  /** Get an account. GET /v1/admin/accounts/{id} */
  getById(id: string, options?: RequestOptions): Promise<Account>;
  /** Change an account. PATCH /v1/admin/accounts/{id} */
  update(id: string, body: UpdateAccountRequest, options?: RequestOptions): Promise<Account>;
  /** Issue an API key. POST /v1/admin/accounts/{id}/api-keys */
  issueApiKey(id: string, body: IssueApiKeyRequest, options?: RequestOptions): Promise<IssuedApiKey>;
  /** List an account's API keys. GET /v1/admin/accounts/{id}/api-keys */
  listApiKeys(id: string, query?: Record<string, never>, options?: RequestOptions): Pages<ApiKey, ApiKey[]>;
  /** Make an account an institution of the platform too. POST /v1/admin/accounts/{id}/institution */
  makeInstitution(id: string, body: MakeInstitutionRequest, options?: RequestOptions): Promise<MadeInstitution>;
  /** Invoice the cost of a period, or a sum. POST /v1/admin/accounts/{id}/invoices */
  createInvoice(id: string, body: CreateInvoiceRequest, options?: RequestOptions): Promise<Invoice>;
  /** Move everything of an account to an institution. POST /v1/admin/accounts/{id}/join */
  join(id: string, body: JoinAccountRequest, options?: RequestOptions & { query?: JoinAccountQuery }): Promise<JoinedAccount>;
  /** Get an account with its resources and its debts. GET /v1/admin/accounts/{id}/use */
  getUse(id: string, options?: RequestOptions): Promise<UsedAccount>;
}

export interface AdminAdaptersResource {
  /** List the adapters of the plugin folder. GET /v1/admin/adapters */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Adapter, ListAdaptersResult>;
}

export interface AdminAlertsResource {
  /** Send the operator a test message by every way. POST /v1/admin/alerts/test */
  test(options?: RequestOptions): Promise<TestAlertsResult>;
}

export interface AdminApiKeysResource {
  /** Revoke an API key at once. POST /v1/admin/api-keys/{id}/revoke */
  revoke(id: string, options?: RequestOptions): Promise<RevokeApiKeyResult>;
}

export interface AdminAuditResource {
  /** List administrative acts, newest first. GET /v1/admin/audit */
  list(query?: ListAuditEntriesQuery, options?: RequestOptions): Pages<AuditEntry, AuditEntryPage>;
}

export interface AdminBackupsResource {
  /** List the stored backups, and how far the current one is. GET /v1/admin/backups */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<StoredBackup, Backups>;
  /** Make a backup now. POST /v1/admin/backups */
  make(options?: RequestOptions): Promise<Backups>;
}

export interface AdminBillingResource {
  /** Get the debts of all accounts, and their usage by month. GET /v1/admin/billing */
  getTakings(options?: RequestOptions & { query?: GetTakingsQuery }): Promise<Takings>;
}

export interface AdminDeadLettersResource {
  /** List dead letters, newest first. GET /v1/admin/dead-letters */
  list(query?: ListDeadLettersQuery, options?: RequestOptions): Pages<DeadLetter, DeadLetterPage>;
  /** Send dead letters again. POST /v1/admin/dead-letters/replay */
  replay(body?: ReplayDeadLettersRequest, options?: RequestOptions & { query?: ReplayDeadLettersQuery }): Promise<ReplayDeadLettersResult>;
}

export interface AdminDoctorResource {
  /** Find present and coming faults, with their remedies. GET /v1/admin/doctor */
  examine(options?: RequestOptions): Promise<Examination>;
}

export interface AdminExportsResource {
  /** Export the session of a phone for another program. POST /v1/admin/exports */
  create(body: ExportSessionRequest, options?: RequestOptions): Promise<ExportedSession>;
}

export interface AdminImportsResource {
  /** Make a phone from a session of another program. POST /v1/admin/imports */
  create(body: ImportSessionRequest, options?: RequestOptions): Promise<ImportedSession>;
  /** Begin to import messages and contacts of another program into a phone. POST /v1/admin/imports/history */
  beginHistory(body: BeginHistoryImportRequest, options?: RequestOptions): Promise<HistoryImport>;
  /** Import the file of a message of another program. POST /v1/admin/imports/history/files */
  importHistoryFile(body: Upload, options: RequestOptions & { query: ImportHistoryFileQuery }): Promise<HistoryFileTaken>;
  /** Look into messages and contacts of another program. POST /v1/admin/imports/history/inspect */
  inspectHistory(body: InspectHistoryRequest, options?: RequestOptions): Promise<HistoryCounts>;
  /** Import the next messages and contacts of another program. POST /v1/admin/imports/history/rows */
  importHistory(body: ImportHistoryRequest, options?: RequestOptions): Promise<HistoryCounts>;
  /** Take back what the last import of histories has added to an account. POST /v1/admin/imports/history/undo */
  undoHistory(body: UndoHistoryImportRequest, options?: RequestOptions): Promise<UndoneImport>;
  /** Look into a session of another program. POST /v1/admin/imports/inspect */
  inspect(body: InspectImportRequest, options?: RequestOptions): Promise<SessionReport>;
}

export interface AdminInstitutionsResource {
  /** Change the plan of an institution of the platform. PATCH /v1/admin/institutions/{id} */
  update(id: string, body: UpdateInstitutionRequest, options?: RequestOptions): Promise<UpdateInstitutionResult>;
  /** Invite a person to an institution. POST /v1/admin/institutions/{id}/members */
  inviteMember(id: string, body: InviteMemberRequest, options?: RequestOptions): Promise<InviteMemberResult>;
}

export interface AdminInvoicesResource {
  /** List the invoices of all accounts, newest first. GET /v1/admin/invoices */
  listAll(query?: ListAllInvoicesQuery, options?: RequestOptions): Pages<InvoiceOfAccount, InvoiceOfAccountPage>;
  /** Charge any account's invoice through the processor. POST /v1/admin/invoices/{id}/issue */
  issue(id: string, options?: RequestOptions): Promise<Invoice>;
  /** Record that an invoice was paid elsewhere. POST /v1/admin/invoices/{id}/mark-paid */
  markPaid(id: string, options?: RequestOptions): Promise<Invoice>;
  /** Cancel an unpaid invoice and its charge. POST /v1/admin/invoices/{id}/void */
  void(id: string, options?: RequestOptions): Promise<Invoice>;
}

export interface AdminJobsResource {
  /** Run a scheduled job now. POST /v1/admin/jobs/{name}/run */
  run(name: string, options?: RequestOptions): Promise<RunJobResult>;
}

export interface AdminLicencesResource {
  /** List the packages in this program, and their licences. GET /v1/admin/licences */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Licence, ListLicencesResult>;
}

export interface AdminNodesResource {
  /** List the processes that serve this database. GET /v1/admin/nodes */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Node, ListNodesResult>;
}

export interface AdminOperatorsResource {
  /** List the operators, in the order of their creation. GET /v1/admin/operators */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Operator, OperatorList>;
  /** Make an operator, who signs in to the console. POST /v1/admin/operators */
  create(body: NewOperator, options?: RequestOptions): Promise<OperatorLink>;
  /** Make a link with which an operator signs in again. POST /v1/admin/operators/reset */
  reset(body: OperatorReset, options?: RequestOptions): Promise<OperatorLink>;
  /** Delete an operator. DELETE /v1/admin/operators/{id} */
  delete(id: string, options?: RequestOptions): Promise<void>;
}

export interface AdminPeopleResource {
  /** Erase all that is stored of one person. POST /v1/admin/people/erase */
  erase(body: PersonRequest, options?: RequestOptions): Promise<Erasure>;
  /** Get the progress of an erasure. GET /v1/admin/people/erasures/{id} */
  getErasure(id: string, options?: RequestOptions): Promise<Erasure>;
  /** Get all that is stored of one person. POST /v1/admin/people/export */
  export(body: PersonRequest, options?: RequestOptions): Promise<PersonExport>;
}

export interface AdminPlansResource {
  /** List the plans that accounts can have. GET /v1/admin/plans */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Plan, Plan[]>;
  /** Create a plan. POST /v1/admin/plans */
  create(body: CreatePlanRequest, options?: RequestOptions): Promise<Plan>;
  /** Change a plan. PATCH /v1/admin/plans/{code} */
  update(code: string, body: UpdatePlanRequest, options?: RequestOptions): Promise<Plan>;
}

export interface AdminSettingsResource {
  /** List the settings, and where each value comes from. GET /v1/admin/settings */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Setting, ListSettingsResult>;
}

export interface AdminStatsResource {
  /** Get the totals of all accounts. GET /v1/admin/stats */
  get(options?: RequestOptions & { query?: GetStatsQuery }): Promise<Stats>;
}

export interface AdminSystemResource {
  /** Get the versions, the disk and the sizes of this machine. GET /v1/admin/system */
  get(options?: RequestOptions): Promise<System>;
}

export interface AdminTokenResource {
  /** Make a new admin token. POST /v1/admin/token */
  renew(options?: RequestOptions): Promise<RenewAdminTokenResult>;
}

export interface AdminTroublesResource {
  /** List the current troubles, and how the operator is notified. GET /v1/admin/troubles */
  list(query?: Record<string, never>, options?: RequestOptions): Pages<Trouble, ListTroublesResult>;
}

export interface AdminUsersResource {
  /** Make a user of the platform, with an institution. POST /v1/admin/users */
  create(body: CreateUserRequest, options?: RequestOptions): Promise<CreateUserResult>;
  /** Make a link with which a user chooses a new password. POST /v1/admin/users/reset */
  reset(body: ResetUserRequest, options?: RequestOptions): Promise<ResetUserResult>;
}

export abstract class AdminResources {
  declare readonly accounts: AdminAccountsResource;
  declare readonly adapters: AdminAdaptersResource;
  declare readonly alerts: AdminAlertsResource;
  declare readonly apiKeys: AdminApiKeysResource;
  declare readonly audit: AdminAuditResource;
  declare readonly backups: AdminBackupsResource;
  declare readonly billing: AdminBillingResource;
  declare readonly deadLetters: AdminDeadLettersResource;
  declare readonly doctor: AdminDoctorResource;
  declare readonly exports: AdminExportsResource;
  declare readonly imports: AdminImportsResource;
  declare readonly institutions: AdminInstitutionsResource;
  declare readonly invoices: AdminInvoicesResource;
  declare readonly jobs: AdminJobsResource;
  declare readonly licences: AdminLicencesResource;
  declare readonly nodes: AdminNodesResource;
  declare readonly operators: AdminOperatorsResource;
  declare readonly people: AdminPeopleResource;
  declare readonly plans: AdminPlansResource;
  declare readonly settings: AdminSettingsResource;
  declare readonly stats: AdminStatsResource;
  declare readonly system: AdminSystemResource;
  declare readonly token: AdminTokenResource;
  declare readonly troubles: AdminTroublesResource;
  declare readonly users: AdminUsersResource;
}

export const ADMIN_ROUTES =
  "accounts;create Pb 0/v1/admin/accounts;list Gl 3;getById G 3/*;update Hb 4;issueApiKey Pb 4/api-keys;listApiKeys Gl 5;makeInstitution Pb 4/institution;createInvoice Pb 4/invoices;join Pb 4/join;getUse G 4/use|adapters;list Gl 2/adapters|alerts;test P 2/alerts/test|apiKeys;revoke P 2/api-keys/*/revoke|audit;list Gl 2/audit|backups;list Gl 2/backups;make P 3|billing;getTakings G 2/billing|deadLetters;list Gl 2/dead-letters;replay Pb 3/replay|doctor;examine G 2/doctor|exports;create Pb 2/exports|imports;create Pb 2/imports;beginHistory Pb 3/history;importHistoryFile Pr 4/files;inspectHistory Pb 4/inspect;importHistory Pb 4/rows;undoHistory Pb 4/undo;inspect Pb 3/inspect|institutions;update Hb 2/institutions/*;inviteMember Pb 4/members|invoices;listAll Gl 2/invoices;issue P 3/*/issue;markPaid P 4/mark-paid;void P 4/void|jobs;run P 2/jobs/*/run|licences;list Gl 2/licences|nodes;list Gl 2/nodes|operators;list Gl 2/operators;create Pb 3;reset Pb 3/reset;delete D 3/*|people;erase Pb 2/people/erase;getErasure G 3/erasures/*;export Pb 3/export|plans;list Gl 2/plans;create Pb 3;update Hb 3/*|settings;list Gl 2/settings|stats;get G 2/stats|system;get G 2/system|token;renew P 2/token|troubles;list Gl 2/troubles|users;create Pb 2/users;reset Pb 3/reset";
