# Written by npm run clients from the description of the gateway API. Do not edit.
"""What the gateway API answers, as models, and what it takes, as dictionaries."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from ._models import Model, OpenModel, Other, OtherEvent, one_of, tagged


class AcceptCallRequest(TypedDict):
    sdp_answer: str
    """The WebRTC answer of your side"""


class AcceptGroupInvitationRequest(TypedDict):
    phone_id: str
    """The phone that joins"""


class AcceptedMessage(Model):
    message_id: str
    """The message, for `GET /v1/messages/{id}`"""
    status: Union[Literal["QUEUED"], str]
    """The message waits to be sent"""


class AcceptedPasskey(Model):
    status: Union[Literal["accepted"], str]
    """The network checks the passkey"""


AccountDunningStage = Literal["NONE", "WARNING", "CRITICAL", "SUSPENDED"]


class Account(Model):
    id: str
    """The account's id"""
    name: str
    """The name of the business"""
    status: str
    """ACTIVE, CANCELLED, INACTIVE or SUSPENDED"""
    dunning_stage: Union[AccountDunningStage, str]
    """The stage of the account's late payment"""
    plan_code: str
    """The plan that sets the prices"""
    billing_email: Optional[str]
    """Where invoices and reminders go; null sends none"""
    waba_markup_pct: Optional[float]
    """Percent on the network's charge; null is the server's default"""
    joined_into: Optional[str] = None
    """The institution that took the account over; absent if no institution did"""
    created_at: datetime
    """When the account was created"""
    updated_at: datetime
    """When the account last changed"""


class AccountAuditEntry(Model):
    id: str
    """The number of the entry"""
    at: datetime
    """When it was done"""
    actor: str
    """`admin`, `local` (a command on the server's machine), `setup-link`, `system`, `operator:<id>`, `user:<id>` or
    `key:<id>`"""
    actor_name: Optional[str]
    """The person or the key, as it is called now; null without one"""
    action: str
    """The act, such as account.change"""
    target: Optional[str]
    """The changed object: an id, or a name; null without one"""
    target_name: Optional[str]
    """The name of the changed object now; null without a name"""
    tenant_id: Optional[str]
    """The account or institution concerned; null for the server as a whole"""
    tenant_name: Optional[str]
    """The account, as it is called now; null without one"""
    details: Dict[str, Any]
    """The details, by kind of act"""


class AccountAuditEntryPage(Model):
    items: List[AccountAuditEntry]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class AccountKey(Model):
    """The key of this request; for a person in the console, a key with their rights"""

    id: str
    """The key's id"""
    name: str
    """The account's name for the key"""
    prefix: str
    """The beginning of the key, by which a person recognises it"""
    scopes: List[str]
    """The permissions of the key or the app"""
    limited_to: Optional[List[str]]
    """The scopes that limit the key; null for a key that may do everything"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """Empty for a key that may be used from anywhere"""
    expires_at: Optional[datetime]
    """When the key stops working; null means never"""
    last_used_at: Optional[datetime]
    """When the key was last used; null before"""
    created_at: datetime
    """When the key was created"""


class AccountLimit(Model):
    name: str
    """The kind of thing that is counted"""
    used: int
    """How many there are"""
    limit: int
    """How many there may be"""
    left: int
    """How many are left"""


class AccountPlan(Model):
    code: str
    """The plan's short name"""
    kind: str
    """How the plan bills: pay_as_you_go, flat, free_tier or custom"""
    currency: str
    """The currency of the plan's prices: BRL"""
    monthly_fee_cents: int
    """Cents of BRL a month"""
    per_phone_month_cents: int
    """Cents of BRL for each phone and month"""
    per_message_cents: int
    """Cents of BRL for each message sent"""
    included_messages: int
    """Messages of a month that the fee includes"""
    overage_cents: int
    """The price of each message beyond the included messages"""


class AccountRate(Model):
    """The requests that the account has left in this minute"""

    limit: int
    """How many are allowed until `resetsAt`"""
    left: int
    """How many are left"""
    resets_at: datetime
    """When the count begins anew"""


class AccountRates(Model):
    requests_per_minute: AccountRate
    """All requests of the account"""
    sends_per_minute: AccountRate
    """Requests that send messages"""


AdapterState = Literal["usable", "unusable"]


class Adapter(Model):
    name: str
    """The name of the adapter, and of its folder"""
    state: Union[AdapterState, str]
    """Whether its channels are served"""
    fault: Optional[str]
    """Why it is not usable; null if it is"""
    version: Optional[str]
    """Its own version; null while it is unusable"""
    author: Optional[str]
    """Who made it; null if it does not say"""
    homepage: Optional[str]
    """Where it is described; null if it does not say"""
    kind: Optional[str]
    """The kind of its channels; null if it has named none"""
    label: Optional[str]
    """What people call such a channel; null while it is unusable"""
    contract: Optional[str]
    """The contract that it needs; null while it is unusable"""
    hosts: List[str]
    """The hosts that it may ask through Recado; `*` is any"""
    sha256: Optional[str]
    """The SHA-256 of its folder; null while it is unusable"""
    warnings: List[str]
    """What it declares in vain"""
    faults: int
    """How often it broke its contract since the start"""


DocumentSource = Literal["URL", "TEXT_INLINE", "OBJECT_FILE"]


class AddDocumentRequest(TypedDict):
    """Needs `url` if the source is URL, `text` if it is TEXT_INLINE, `objectKey` if it is OBJECT_FILE"""

    source: DocumentSource
    """Which of `url`, `text` and `objectKey` is given"""
    title: NotRequired[str]
    """The account's name for the document"""
    url: NotRequired[str]
    """A public HTTPS address of the document; for the source URL"""
    text: NotRequired[str]
    """The text itself; for the source TEXT_INLINE"""
    object_key: NotRequired[str]
    """The key of an uploaded file; for the source OBJECT_FILE"""
    sendable: NotRequired[bool]
    """True: the agent may send the file to contacts, with the built-in tool `send_file`, and the file is kept; false
    by default, for the source OBJECT_FILE"""


GroupOutcome = Literal["done", "invitation-needed", "left-recently", "already", "blocked", "not-on-network", "refused"]


class GroupPersonOutcome(Model):
    wa_id: str
    """The person's number or id"""
    outcome: Union[GroupOutcome, str]
    """What happened to this person"""
    code: Optional[int] = None
    """The network's own number"""


class AddGroupParticipantsResult(Model):
    participants: List[GroupPersonOutcome]
    """`code` is the network's own number"""


DocumentStatus = Literal["PENDING", "PROCESSING", "READY", "FAILED"]


class AddedDocument(Model):
    id: str
    """The document's id"""
    source: Union[DocumentSource, str]
    """Which of `url`, `text` and `objectKey` is given"""
    title: Optional[str]
    """The account's name for the document; null without a title"""
    status: Union[DocumentStatus, str]
    """Whether answers already use the document"""
    created_at: datetime
    """When the document was created"""


class SavedAddress(TypedDict):
    id: str
    """The value that comes back when this address is chosen"""
    value: Dict[str, str]
    """Parts of the address"""


class AddressContent(TypedDict):
    text: str
    """The text above the form"""
    country: NotRequired[Literal["BR", "IN"]]
    """The country whose form is shown; `BR` by default"""
    values: NotRequired[Dict[str, str]]
    """Parts of an address that are filled in"""
    saved_addresses: NotRequired[List[SavedAddress]]
    """Addresses that the person can choose from"""


class AgentHandoffRules(Model):
    keywords: List[str]
    """Words that hand the conversation over when the last message has one of them"""
    after_turns: Optional[int]
    """How many turns hand the conversation over; null means never"""


AgentBuiltInTool = Literal["hand_over", "send_template", "send_file", "look_up_contact", "set_tag", "business_hours"]


class AgentSees(Model):
    images: bool
    """Whether its model is shown pictures"""
    documents: bool
    """Whether its model is given the text of documents"""


class AgentBudget(Model):
    daily_tokens_per_contact: int
    """Tokens per UTC day for one contact"""
    daily_tokens: int
    """Tokens per UTC day for all contacts together"""


class Agent(Model):
    id: str
    """The agent's id"""
    phone_id: str
    """The phone that the agent answers on"""
    system_prompt: str
    """Who the agent is and how it answers"""
    model: str
    """The language model that answers"""
    enabled: bool
    """Whether the agent begins conversations; true by default"""
    handoff_rules: AgentHandoffRules
    """When the agent hands a conversation over to a person"""
    context_window_turns: int
    """How many last turns the model sees; 10 by default"""
    rag_top_k: int
    """How many pieces of knowledge an answer may use; 4 by default"""
    conversation_ttl_days: int
    """Days without a turn after which a conversation closes; 30 by default"""
    greeting: Optional[str]
    """The text that is sent before the first answer to a contact; null sends nothing"""
    respect_hours: bool
    """Whether business hours apply to it"""
    built_in_tools: List[Union[AgentBuiltInTool, str]]
    """Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the
    knowledge, look up the contact, set a tag of it, business hours"""
    closed_text: Optional[str]
    """The text that is sent outside business hours, once per chat and day; null sends nothing"""
    run_trials_on_change: Optional[bool] = None
    """Whether its questions are asked again after each change"""
    transcribes_voice: bool
    """Whether it reads what voice notes say, and answers them"""
    speaks: bool
    """Whether it answers a voice note by a voice note"""
    voice: Optional[str]
    """The voice of its voice notes, by the provider's name; null: `alloy`"""
    sees: AgentSees
    """Which files of contacts the agent reads"""
    budget: AgentBudget
    """How many tokens the agent may use"""
    created_at: datetime
    """When the agent was created"""
    updated_at: datetime
    """When the agent last changed"""


class AgentBudgetExhausted(Model):
    budget: Literal["contact", "agent", "account"]
    """Whose budget is used up"""
    conversation_id: Optional[str]
    """The agent's conversation; null if the whole account's budget is used up"""
    contact_key: Optional[str]
    """The contact's canonical key; null if the whole account's budget is used up"""
    daily_tokens: int
    """How many tokens the budget has per UTC day"""
    used_tokens: int
    """Tokens that were used since midnight in UTC"""
    resets_at: datetime
    """When the count begins anew"""


class AgentBudgetExhaustedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["agent:budget_exhausted"]
    """The type of the event, which decides what `data` has"""
    data: AgentBudgetExhausted
    """What happened"""


class AgentDocumentChange(Model):
    document_id: str
    """The document of the agent"""
    title: Optional[str]
    """The title of the document; null without one"""
    status: Literal["READY", "FAILED"]
    """READY: it is learnt and answers use it"""
    chunk_count: int
    """Into how many pieces it was cut"""
    error_reason: Optional[str]
    """A code and a few words; null once the document is learnt"""


class AgentDocumentEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["agent:document"]
    """The type of the event, which decides what `data` has"""
    data: AgentDocumentChange
    """What happened"""


class AgentHandoff(Model):
    conversation_id: str
    """The agent's conversation"""
    contact_key: str
    """The contact's canonical key"""
    reason: str
    """Why the agent hands over"""
    manual: bool
    """A person asked for it, not the agent"""
    turn_count: int
    """How many turns it has"""
    handoff_at: datetime
    """When a person took the conversation over"""


class AgentHandoffEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["agent:handoff"]
    """The type of the event, which decides what `data` has"""
    data: AgentHandoff
    """What happened"""


class AgentPassage(Model):
    id: str
    """The passage's id"""
    document_id: str
    """The document of the agent"""
    title: Optional[str]
    """The title of the document; null without one"""
    text: str
    """The text of the passage"""
    similarity: float
    """How close the passage is to the question: 1 is the same, 0 has nothing in common"""


class TokenUsage(Model):
    prompt_tokens: int
    """Tokens that went to the model"""
    completion_tokens: int
    """Tokens that the model wrote"""


AgentToolKind = Literal["HTTP", "BUILT_IN"]


TriedToolOutcome = Literal["ANSWERED", "REFUSED", "FAILED", "SIMULATED"]


class TriedToolCall(Model):
    tool: str
    """The name of the tool"""
    kind: Union[AgentToolKind, str]
    """HTTP: a tool of the account; BUILT_IN: Recado's"""
    arguments: str
    """The arguments as JSON"""
    answer: str
    """What the model was told"""
    http_status: Optional[int]
    """The status of the answer; null without one"""
    duration_ms: int
    """How long the call took, in milliseconds"""
    outcome: Union[TriedToolOutcome, str]
    """As in a conversation; SIMULATED: nothing was done and nobody was called, but for a contact it would be"""


class AgentReply(Model):
    reply: str
    """The answer that the agent would give"""
    model: str
    """The language model that answered"""
    usage: TokenUsage
    """The tokens that the answer cost"""
    passages: Optional[List[AgentPassage]] = None
    """The passages of documents that the prompt had; absent without `withKnowledge`"""
    tool_calls: Optional[List[TriedToolCall]] = None
    """The calls of tools for this answer, in the order of time; absent without calls"""


class AgentRequestHandoffRules(TypedDict):
    keywords: NotRequired[List[str]]
    """Words that hand the conversation over when the last message has one of them"""
    after_turns: NotRequired[Optional[int]]
    """How many turns hand the conversation over; null means never"""


class AgentRequestSees(TypedDict):
    images: NotRequired[bool]
    """True: its model is shown pictures; false by default"""
    documents: NotRequired[bool]
    """True: its model is given the text of documents; false by default"""


class AgentRequestBudget(TypedDict):
    """Tokens that the agent may use per UTC day, for one contact and in all; the server's default if none is given.
    Beyond the budget no call is made, and agent:budget_exhausted is published"""

    daily_tokens_per_contact: NotRequired[Optional[int]]
    """Tokens per UTC day for one contact; null is the server's default"""
    daily_tokens: NotRequired[Optional[int]]
    """Tokens per UTC day in all; null is the server's default"""


class AgentRequest(TypedDict):
    system_prompt: str
    """Who the agent is and how it answers"""
    model: NotRequired[str]
    """Any model of the provider that completes chats; the account's default if absent"""
    enabled: NotRequired[bool]
    """Whether the agent begins conversations; true by default"""
    handoff_rules: NotRequired[AgentRequestHandoffRules]
    """When the agent hands a conversation over to a person"""
    context_window_turns: NotRequired[int]
    """How many last turns the model sees; 10 by default"""
    rag_top_k: NotRequired[int]
    """How many pieces of knowledge an answer may use; 4 by default, 0 uses none"""
    conversation_ttl_days: NotRequired[int]
    """Days without a turn after which a conversation closes; 30 by default"""
    greeting: NotRequired[Optional[str]]
    """Sent before the first answer to a contact; null: none"""
    respect_hours: NotRequired[bool]
    """True: messages outside business hours get `closedText` or no answer; false by default"""
    built_in_tools: NotRequired[List[AgentBuiltInTool]]
    """Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the
    knowledge, look up the contact, set a tag of it, business hours; none by default"""
    closed_text: NotRequired[Optional[str]]
    """The text that is sent outside business hours, once per chat and day, with `respectHours`; null sends nothing"""
    run_trials_on_change: NotRequired[bool]
    """True: the agent's questions are asked again a minute after the last change of its instructions, model or
    knowledge, at most 10 times per UTC day; false by default"""
    transcribes_voice: NotRequired[bool]
    """True: the agent reads what voice notes say, and answers them, also where the phone's `transcribeVoice` is
    `off`; false by default"""
    speaks: NotRequired[bool]
    """True: it answers a voice note by a voice note; false by default"""
    voice: NotRequired[Optional[str]]
    """The voice of its voice notes, by the provider's name; null: `alloy`"""
    sees: NotRequired[AgentRequestSees]
    """Which files of contacts the agent reads"""
    budget: NotRequired[AgentRequestBudget]
    """How many tokens the agent may use"""


class AgentTool(Model):
    id: str
    """The tool's id"""
    phone_id: str
    """The phone of the agent"""
    name: str
    """The name that the model calls"""
    description: str
    """What the tool does, for the model"""
    parameters: Dict[str, Any]
    """The JSON schema of the arguments"""
    url: str
    """The address that takes the calls"""
    headers: Dict[str, str]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    created_at: datetime
    """When the tool was created"""
    updated_at: datetime
    """When the tool last changed"""


AgentToolOutcome = Literal["ANSWERED", "REFUSED", "FAILED"]


class AgentToolCall(Model):
    id: str
    """The call's id"""
    tool: str
    """The name of the tool"""
    kind: Union[AgentToolKind, str]
    """HTTP: a tool of the account; BUILT_IN: Recado's"""
    arguments: str
    """The arguments as JSON"""
    answer: str
    """What the model was told"""
    http_status: Optional[int]
    """The status of the answer; null without one"""
    duration_ms: int
    """How long the call took, in milliseconds"""
    outcome: Union[AgentToolOutcome, str]
    """ANSWERED: it did its work; REFUSED: it was not carried out; FAILED: nobody knows more"""
    created_at: datetime
    """When the call ended"""


class AgentToolReplacement(TypedDict):
    name: str
    """The name that the model calls: letters, digits, `_` and `-`; unique among the agent's tools"""
    description: str
    """What the tool does and when to call it, for the model"""
    parameters: Dict[str, Any]
    """The JSON schema of the arguments: an object of at most 50 fields and 8 KiB, without `format`, `pattern`,
    `anyOf` and `$ref`"""
    url: str
    """The public HTTPS address that takes the calls; redirects are not followed"""
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    secret: NotRequired[str]
    """The key of the HMAC signature; absent: it stays"""


class AgentToolRequest(TypedDict):
    name: str
    """The name that the model calls: letters, digits, `_` and `-`; unique among the agent's tools"""
    description: str
    """What the tool does and when to call it, for the model"""
    parameters: Dict[str, Any]
    """The JSON schema of the arguments: an object of at most 50 fields and 8 KiB, without `format`, `pattern`,
    `anyOf` and `$ref`"""
    url: str
    """The public HTTPS address that takes the calls; redirects are not followed"""
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    secret: str
    """The key of the HMAC signature"""


class AgentToolTest(TypedDict):
    arguments: Dict[str, Any]
    """The arguments of the call, of the tool's schema"""


class AgentToolTestResult(Model):
    call_id: str
    """The id of the call, as its headers had it"""
    outcome: Union[AgentToolOutcome, str]
    """ANSWERED: it did its work; REFUSED: it was not carried out; FAILED: nobody knows more"""
    http_status: Optional[int]
    """The status of the answer; null without one"""
    answer: str
    """What a model would be told"""
    duration_ms: int
    """How long the call took, in milliseconds"""


TrialCause = Literal["REQUEST", "CHANGE"]


class BrokenTrial(Model):
    question: str
    """The question, as the set had it"""
    missing: List[str]
    """The facts that the answer has not"""


class AgentWorsened(Model):
    run_id: str
    """The run of the agent's questions, as `GET /v1/phones/{id}/ai-agent/trials/runs` lists it"""
    compared_with: str
    """The earlier run in which these answers were right"""
    cause: Union[TrialCause, str]
    """What began the run: a request, or a change of the agent or of its knowledge"""
    question_count: int
    """All questions of the run"""
    passed_count: int
    """Answers that are as expected"""
    broken_count: int
    """Answers that were right in the earlier run, and are not now"""
    broken: List[BrokenTrial]
    """Their questions, 10 at most"""


class AgentWorsenedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["agent:worsened"]
    """The type of the event, which decides what `data` has"""
    data: AgentWorsened
    """What happened"""


AiConversationStatus = Literal["AI", "HUMAN_HANDOFF", "CLOSED"]


class Holder(Model):
    role: Optional[str]
    """The role of the app at the network; null if unknown"""
    since: datetime
    """When the app got the lead"""


class AiConversation(Model):
    id: str
    """The conversation's id"""
    contact_key: str
    """The contact's canonical key"""
    status: Union[AiConversationStatus, str]
    """The party that answers: the agent, a person or nobody"""
    turn_count: int
    """How many turns it has"""
    handoff_reason: Optional[str]
    """Why a person took the conversation over; null before"""
    handoff_at: Optional[datetime]
    """When a person took it over; null before"""
    last_turn_at: Optional[datetime]
    """When the last turn was written; null before the first turn"""
    closed_at: Optional[datetime]
    """When the conversation was closed; null while it is open"""
    created_at: datetime
    """When the conversation was created"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; null if none does"""


class AiConversationPage(Model):
    items: List[AiConversation]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class UsedPassage(Model):
    id: str
    """The passage's id"""
    deleted: bool
    """Whether its document was deleted, or learnt anew, since the answer"""
    document_id: Optional[str]
    """The document of the agent; null once deleted"""
    title: Optional[str]
    """The title of the document; null without one"""
    text: Optional[str]
    """The text of the passage; null once deleted"""


class AiTurn(Model):
    id: str
    """The turn's id"""
    conversation_id: str
    """The conversation of the turn"""
    role: Union[Literal["USER", "ASSISTANT", "HUMAN"], str]
    """USER: the contact; ASSISTANT: the agent; HUMAN: a person of the account"""
    content: str
    """The text of the turn; empty once its message was deleted for everyone"""
    tokens_estimate: int
    """The approximate number of tokens in the turn"""
    created_at: datetime
    """When the turn was written"""
    chat_message_id: Optional[str] = None
    """The network's own id of the incoming message; null or absent for other turns"""
    message_id: Optional[str] = None
    """The message of the turn; null if the turn has none"""
    sent_message_id: Optional[str] = None
    """The agent's message that was sent; null for others"""
    unanswered_reason: Optional[str] = None
    """Why the agent gave no answer to the turn, in the provider's words; absent if it did or need not"""
    tool_calls: Optional[List[AgentToolCall]] = None
    """The calls of tools for the answer to this turn, in the order of time; absent without calls"""
    retrieved_chunk_ids: Optional[List[str]] = None
    """The pieces of knowledge that the answer used"""
    passages: Optional[List[UsedPassage]] = None
    """The same pieces with their documents, the nearest first"""


class Album(Model):
    """Files of one album have the same id, and so have the contents of a message that had several"""

    id: str
    """The id of the album"""


class AlertWays(Model):
    mail: bool
    """The operator gets a mail"""
    url: bool
    """The server sends a request to an address"""
    telegram: bool
    """A Telegram bot writes to the operator"""


class Amount(TypedDict):
    value: int
    """The sum in hundredths of BRL"""
    offset: NotRequired[Literal[100]]
    """Always 100: `value` is in hundredths"""


MessageType = Literal[
    "text",
    "image",
    "video",
    "audio",
    "document",
    "sticker",
    "location",
    "contact",
    "button",
    "list",
    "template",
    "cta_url",
    "location_request",
    "address_message",
    "flow",
    "poll",
    "event",
    "copy_code",
    "carousel",
    "phone_number_request",
    "phone_number_share",
    "order_details",
    "order_status",
    "rich_text",
    "pix",
]


class AnswerChat(TypedDict):
    """As the body of a send, without phone and recipient"""

    type: MessageType
    """The type of the answer, which decides what `content` has"""
    content: Dict[str, Any]
    """The content of the message; its fields depend on `type`"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class AnswerWindow(Model):
    """While the window is closed, the network takes only templates"""

    is_open: bool
    """Whether free answers are allowed now"""
    ends_at: Optional[datetime]
    """When the window ends; null if the person has never written"""


class ApiKey(Model):
    id: str
    """The key's id"""
    account_id: str
    """The account that the key opens"""
    name: str
    """The account's name for the key"""
    prefix: str
    """The beginning of the key, to recognise it"""
    scopes: List[str]
    """The permissions of the key or the app"""
    limited_to: Optional[List[str]]
    """The scopes that limit the key; null for a key that may do everything"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """IP addresses and CIDRs that may use the key; empty means everywhere"""
    expires_at: Optional[datetime]
    """When the key stops working; null means never"""
    last_used_at: Optional[datetime]
    """When the key was last used; null before"""
    revoked_at: Optional[datetime]
    """When the key was revoked; null while the key is valid"""
    created_at: datetime
    """When the key was created"""


class ApiKeyPage(Model):
    items: List[ApiKey]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class FailedJoinRequest(Model):
    join_request_id: str
    """The network's id of the request to join"""
    error: str
    """Why, in the words of the other side"""


class ApproveGroupJoinRequestsResult(Model):
    success: bool
    """True, even if `failed` names some requests"""
    approved: List[str]
    """Ids of the requests that were approved"""
    failed: List[FailedJoinRequest]
    """Requests that the network did not carry out, and why"""


class AssignChat(TypedDict):
    user_id: Optional[str]
    """A member of the account's institution; null removes the assignment"""
    note: NotRequired[str]
    """A note for the new assignee; without a note the earlier note stays"""


AttemptStatus = Literal["DELIVERED", "FAILED"]


TextContentTag = Literal["HUMAN_AGENT", "UTILITY"]


class AudioContent(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `mediaUrl`"""
    mime_type: NotRequired[str]
    """The media type; the file's own by default"""
    ptt: NotRequired[bool]
    """Whether it plays as a voice note; false by default"""
    tag: NotRequired[TextContentTag]
    """How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message
    without a template"""
    view_once: NotRequired[bool]
    """Whether a voice note (`ptt`) can be played once only, if the network has that; false by default"""


class AuditEntry(Model):
    id: str
    """The number of the entry"""
    at: datetime
    """When it was done"""
    actor: str
    """`admin`, `local` (a command on the server's machine), `setup-link`, `system`, `operator:<id>`, `user:<id>` or
    `key:<id>`"""
    actor_name: Optional[str]
    """The person or the key, as it is called now; null without one"""
    action: str
    """The act, such as account.change"""
    target: Optional[str]
    """The changed object: an id, or a name; null without one"""
    target_name: Optional[str]
    """The name of the changed object now; null without a name"""
    tenant_id: Optional[str]
    """The account or institution concerned; null for the server as a whole"""
    tenant_name: Optional[str]
    """The account, as it is called now; null without one"""
    details: Dict[str, Any]
    """The details, by kind of act"""
    hash: str
    """SHA-256 over this entry and the hash of the one before it"""


class AuditEntryPage(Model):
    items: List[AuditEntry]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class BackupProgress(Model):
    started_at: datetime
    """When this backup began"""
    copied_bytes: int
    """How much of the database was copied; the copy is checked after that"""
    total_bytes: Optional[int]
    """The size of the database; null if it is on a server"""


class BackupTry(Model):
    at: datetime
    """When it began"""
    is_made: bool
    """False for an attempt that failed"""
    name: Optional[str]
    """The name of the file; null for a failed attempt"""
    size_bytes: Optional[int]
    """Null for a failed try"""
    duration_ms: Optional[int]
    """How long it took, in milliseconds; null for a failed attempt"""
    error: Optional[str]
    """Why it failed; null if it did not"""
    warning: Optional[str]
    """A problem that did not prevent it; null without one"""


class StoredBackup(Model):
    name: str
    """The name of the file"""
    created_at: datetime
    """When the backup was created"""
    size_bytes: int
    """The size of the file in bytes"""
    is_checked: bool
    """Whether it was opened and compared with the database"""


class Backups(Model):
    is_configured: bool
    """Whether `RECADO_BACKUP` is set"""
    place: Optional[str]
    """Where they are stored; null while `RECADO_BACKUP` is not set"""
    schedule: Optional[str]
    """The times of the backups, as in a crontab, in UTC; null if none is scheduled"""
    keep: Optional[int]
    """How many backups are kept; null while `RECADO_BACKUP` is not set"""
    is_encrypted: bool
    """Whether they are encrypted under the master key"""
    is_running: bool
    """Whether a backup is being made now"""
    progress: Optional[BackupProgress]
    """The progress of the backup; null while this process makes none"""
    last: Optional[BackupTry]
    """The last try; null before the first"""
    last_made: Optional[BackupTry]
    """The last backup that was made; null before the first"""
    fault: Optional[str]
    """Why the stored backups could not be listed; null if they could"""
    items: List[StoredBackup]
    """The stored backups"""


class BeginHistoryImportRequest(TypedDict):
    account_id: str
    """The account or institution that has the phone"""
    phone: str
    """The id of a phone that was linked before, or a number that one phone of the account has"""
    format: str
    """The program that has written the rows: `evolution` or `waha`"""
    source: str
    """The same for the same source, so that an interrupted import goes on: a hash without secrets"""
    run: str
    """The same for all imports that are undone together; rows are for the import that was begun last"""


class InvoiceFailed(Model):
    invoice_id: str
    """The invoice whose payment failed"""
    reason: str
    """The processor's own word"""


class BillingInvoiceFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["billing:invoice.failed"]
    """The type of the event, which decides what `data` has"""
    data: InvoiceFailed
    """What happened"""


class InvoicePaid(Model):
    invoice_id: str
    """The invoice that was paid"""
    paid_at: datetime
    """When the payment arrived"""
    total_cents: int
    """The sum in cents of BRL"""
    paid_cents: Optional[int] = None
    """The paid amount, if it is not the total"""


class BillingInvoicePaidEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["billing:invoice.paid"]
    """The type of the event, which decides what `data` has"""
    data: InvoicePaid
    """What happened"""


class BlockedContact(Model):
    canonical_key: str
    """The person's key on this network, whatever the number"""


class BlockList(Model):
    items: List[BlockedContact]
    """Every person whom the phone blocks"""


class OpeningTimes(Model):
    from_: str = Field(alias="from")
    """When it opens, such as 09:00"""
    to: str
    """When it closes; a time that is not later than `from` belongs to the next day"""


class BusinessDate(Model):
    date: str
    """A day of the calendar, such as 2026-12-24"""
    times: List[OpeningTimes]
    """The times of this day; empty means closed"""


BusinessHolidays = Literal["NONE", "NATIONAL", "AND_OPTIONAL"]


BusinessHoursSource = Literal["CHANNEL", "ACCOUNT", "NONE"]


class Week(Model):
    sunday: List[OpeningTimes]
    """The opening times on sundays; closed without times"""
    monday: List[OpeningTimes]
    """The opening times on mondays; closed without times"""
    tuesday: List[OpeningTimes]
    """The opening times on tuesdays; closed without times"""
    wednesday: List[OpeningTimes]
    """The opening times on wednesdays; closed without times"""
    thursday: List[OpeningTimes]
    """The opening times on thursdays; closed without times"""
    friday: List[OpeningTimes]
    """The opening times on fridays; closed without times"""
    saturday: List[OpeningTimes]
    """The opening times on saturdays; closed without times"""


class WorkingTimes(Model):
    time_zone: str
    """A time zone of the IANA database"""
    weekly: Week
    """The times of each weekday; a day without times is closed"""
    holidays: Union[BusinessHolidays, str]
    """The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's
    Tuesday and Corpus Christi too"""
    dates: List[BusinessDate]
    """Days with special times, which override the week and the holidays; a day without times is closed"""


class BusinessHours(Model):
    is_open: bool
    """Whether it is open now; true without hours"""
    opens_at: Optional[datetime]
    """When it opens next; null while it is open"""
    source: Union[BusinessHoursSource, str]
    """Whose hours hold. CHANNEL: the phone's own; ACCOUNT: the account's; NONE: no hours are set"""
    hours: Optional[WorkingTimes]
    """The hours that hold; null without hours"""
    updated_at: Optional[datetime]
    """When the hours last changed; null without hours"""


class OpeningTimesInput(TypedDict):
    from_: str
    """When it opens, such as 09:00"""
    to: str
    """When it closes; a time that is not later than `from` belongs to the next day"""


class WeeklyHours(TypedDict):
    sunday: NotRequired[List[OpeningTimesInput]]
    """The opening times on sundays; closed without times"""
    monday: NotRequired[List[OpeningTimesInput]]
    """The opening times on mondays; closed without times"""
    tuesday: NotRequired[List[OpeningTimesInput]]
    """The opening times on tuesdays; closed without times"""
    wednesday: NotRequired[List[OpeningTimesInput]]
    """The opening times on wednesdays; closed without times"""
    thursday: NotRequired[List[OpeningTimesInput]]
    """The opening times on thursdays; closed without times"""
    friday: NotRequired[List[OpeningTimesInput]]
    """The opening times on fridays; closed without times"""
    saturday: NotRequired[List[OpeningTimesInput]]
    """The opening times on saturdays; closed without times"""


class OwnDate(TypedDict):
    date: str
    """A day of the calendar, such as 2026-12-24"""
    times: NotRequired[List[OpeningTimesInput]]
    """The times of this day, four at most; absent or empty means closed"""


class BusinessHoursRequest(TypedDict):
    time_zone: str
    """A time zone of the IANA database"""
    weekly: WeeklyHours
    """The times of each weekday, four at most; a day without times is closed"""
    holidays: NotRequired[BusinessHolidays]
    """The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's
    Tuesday and Corpus Christi too"""
    dates: NotRequired[List[OwnDate]]
    """Days with special times, which override the week and the holidays; a day without times is closed"""


class BusinessProfile(Model):
    about: Optional[str]
    """The line beside the name; null without one"""
    address: Optional[str]
    """The postal address; null without one"""
    description: Optional[str]
    """The description of the business; null without a text"""
    email: Optional[str]
    """The e-mail address for customers; null without one"""
    vertical: Optional[str]
    """The line of business, in the network's word; null without one"""
    websites: List[str]
    """The addresses of the business's pages"""
    profile_picture_url: Optional[str]
    """The address of the picture; null without one"""


MenuHeaderType = Literal["text", "image", "video", "document"]


class MenuHeader(TypedDict):
    type: MenuHeaderType
    """The kind of header: `text` needs `text`, the others `mediaUrl`"""
    text: NotRequired[str]
    """The text of a header of type `text`; at most 60 characters"""
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    filename: NotRequired[str]
    """The shown name of a document: the name of a file alone, without folders"""


class ReplyButton(TypedDict):
    id: str
    """The value that comes back with the answer"""
    text: str
    """The text of the button; 1 to 20 characters"""


class ButtonContent(TypedDict):
    text: str
    """The text above the buttons"""
    footer: NotRequired[str]
    """A line of small print"""
    header: NotRequired[MenuHeader]
    """A text or a file above the body"""
    buttons: List[ReplyButton]
    """Each with an `id` of its own"""


class CachedLookup(Model):
    task_id: str
    """The lookup, for `GET /v1/lookup/{taskId}`"""
    status: Union[Literal["completed"], str]
    """Every number was known already"""
    cached: Literal[True]
    """All numbers were known"""


CallDirection = Literal["INBOUND", "OUTBOUND"]


CallStatus = Literal["RINGING", "ACCEPTED", "IN_PROGRESS", "COMPLETED", "REJECTED", "MISSED", "FAILED"]


class CallRecording(Model):
    object_key: str
    """The key of the stored file"""
    size_bytes: int
    """The size of the recording in bytes"""
    content_type: str
    """The media type of the recording"""


class Call(Model):
    id: str
    """The call's id"""
    account_id: str
    """The account that the phone belongs to"""
    phone_id: str
    """The phone of the call"""
    upstream_call_id: Optional[str]
    """The network's id; null before it has one"""
    direction: Union[CallDirection, str]
    """INBOUND comes from the contact, OUTBOUND goes to the contact"""
    status: Union[CallStatus, str]
    """The progress of the call"""
    peer: str
    """The other person's number or id"""
    started_at: Optional[datetime]
    """When it began; null before"""
    accepted_at: Optional[datetime]
    """When it was taken; null before"""
    ended_at: Optional[datetime]
    """When it ended; null before"""
    duration_seconds: Optional[int]
    """Seconds of talk; null before the end"""
    end_reason: Optional[str]
    """Why the call ended; null if no reason is known"""
    sdp_offer: Optional[str]
    """The WebRTC offer of an incoming call while it rings; null otherwise"""
    recording: Optional[CallRecording]
    """The kept sound; null without one"""
    created_at: datetime
    """When the call was placed or came in"""
    updated_at: datetime
    """When the call last changed"""


ContactType = Literal["group", "newsletter", "broadcast", "pn", "lid", "bsuid", "igsid", "uid", "username"]


class Peer(Model):
    canonical_key: str
    """The person's key on this network, whatever the number"""
    type: Union[ContactType, str]
    """The kind of address that `canonicalKey` has"""
    pn: Optional[str]
    """The number as a chat address, `<digits>@s.whatsapp.net`, or as digits where the network is not WhatsApp; null
    if unknown"""
    lid: Optional[str]
    """The network's id as a chat address, `<digits>@lid`; null if unknown"""
    bsuid: Optional[str] = None
    """The person's id for your business"""
    username: Optional[str] = None
    """The person's username on the network; absent if none is known"""


class CallChange(Model):
    call_id: str
    """The call, as `GET /v1/calls/{id}` answers it"""
    upstream_call_id: Optional[str]
    """The network's id; null before it has one"""
    direction: Union[CallDirection, str]
    """INBOUND comes from the contact, OUTBOUND goes to the contact"""
    status: Union[CallStatus, str]
    """The progress of the call"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who calls a session; absent once it no longer rings"""
    is_video: Optional[bool] = None
    """Whether the call that rings has video; only of sessions"""
    group: Optional[str] = None
    """The group that is called; absent for a call to one person"""
    reason: Optional[str] = None
    """Why the call ended"""
    sdp_answer: Optional[str] = None
    """The other side's WebRTC answer"""
    duration_seconds: Optional[float] = None
    """How many seconds the people talked"""


class CallAcceptedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:accepted"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


class CallCompletedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:completed"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


class CallFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:failed"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


class CallInProgressEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:in_progress"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


class CallLink(Model):
    url: str
    """Who opens it in WhatsApp joins the call"""


class CallMissedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:missed"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


class CallOffer(Model):
    call_id: str
    """The call, as `GET /v1/calls/{id}` answers it"""
    upstream_call_id: str
    """The network's id of the call"""
    from_: Peer = Field(alias="from")
    """The person who calls"""
    sdp_offer: str
    """The caller's WebRTC offer"""
    expires_at: datetime
    """The call can be accepted until this time"""


class CallOfferEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:offer"]
    """The type of the event, which decides what `data` has"""
    data: CallOffer
    """What happened"""


class CallPage(Model):
    items: List[Call]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class CallPermission(Model):
    phone_id: str
    """The phone that wants to call"""
    to: str
    """The person who may be called"""
    granted: bool
    """Whether the person may be called now"""
    granted_at: Optional[datetime]
    """When the person allowed it; null before"""
    expires_at: Optional[datetime]
    """Null: without an end, or never granted"""


class CallRejectedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:rejected"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


class CallRingingEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["call:ringing"]
    """The type of the event, which decides what `data` has"""
    data: CallChange
    """What happened"""


SenderKind = Literal["key", "user", "operator", "schedule", "batch", "agent", "other", "phone", "chatwoot"]


class SentBy(Model):
    kind: Union[SenderKind, str]
    """The source of the request for the message"""
    id: str
    """The id of the key, person, schedule or batch; of an agent, that of its phone; empty for programs without one"""
    name: Optional[str]
    """The name of the sender; null if no name is known"""


class CannedReply(Model):
    id: str
    """The canned reply's id"""
    shortcut: str
    """What people type after `/`, in lower case"""
    text: str
    """The text, with its variables"""
    shared: bool
    """Whether everybody in the account has it"""
    created_by: SentBy
    """The person or key that made it"""
    created_at: datetime
    """When the canned reply was created"""
    updated_at: datetime
    """When it last changed"""


class CannedReplyPage(Model):
    items: List[CannedReply]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


CardHeaderType = Literal["image", "video"]


class CardHeader(TypedDict):
    type: CardHeaderType
    """The kind of file"""
    media_url: str
    """A public HTTPS address of the file"""


CardButtonType = Literal["reply", "url", "copy"]


class CardButton(TypedDict):
    type: CardButtonType
    """`reply` needs `id`, `url` needs `url`, `copy` needs `code`"""
    text: str
    """The text of the button; 1 to 25 characters"""
    id: NotRequired[str]
    """The value that comes back with the answer"""
    url: NotRequired[str]
    """The page that the button opens"""
    code: NotRequired[str]
    """The code that the button copies"""


class Card(TypedDict):
    header: CardHeader
    """The file above the card's text"""
    text: str
    """The text of the card; 1 to 160 characters"""
    footer: NotRequired[str]
    """A line of small print"""
    buttons: List[CardButton]
    """Each reply with an `id` of its own"""


class CarouselContent(TypedDict):
    text: str
    """The text above the cards"""
    footer: NotRequired[str]
    """A line of small print"""
    cards: List[Card]
    """The cards, in their order"""


class CatalogPrice(Model):
    amount: float
    """In units of the currency"""
    currency: str
    """The currency, by ISO 4217"""


class CatalogProduct(Model):
    id: str
    """The network's id of the product"""
    retailer_id: Optional[str]
    """The seller's own id of it; null without one"""
    name: Optional[str]
    """The name of the product; null without one"""
    description: Optional[str]
    """What the seller says of it; null without a text"""
    price: Optional[CatalogPrice]
    """The price of one piece; null if none is named"""
    url: Optional[str]
    """The seller's page of it; null without one"""
    image_url: Optional[str]
    """The address of its picture, for some days; null without one"""
    availability: Optional[str]
    """In the network's word; null if it names none"""
    review_status: Optional[str]
    """The network's review, in its word; null if it names none"""
    is_hidden: bool
    """Whether customers do not see it"""


class CatalogCollection(Model):
    id: str
    """The network's id of the collection"""
    name: Optional[str]
    """The name of the collection; null without one"""
    status: Optional[str]
    """The network's review, in its word; null if it names none"""
    products: List[CatalogProduct]
    """The first products of it, at most `limit`"""


class CatalogCollections(Model):
    items: List[CatalogCollection]
    """The collections, at most `limit`"""


class OrderedProduct(Model):
    product_id: str
    """The network's id of the product"""
    name: Optional[str]
    """The name of the product; null without one"""
    quantity: Optional[float]
    """How many pieces; null if unknown"""
    price: Optional[CatalogPrice]
    """The price of one piece; null if none is named"""
    image_url: Optional[str]
    """The address of its picture, for some days; null without one"""


class CatalogOrder(Model):
    total: Optional[CatalogPrice]
    """What the whole order costs; null if the network does not say it"""
    items: List[OrderedProduct]
    """The ordered products"""


class CatalogProductPage(Model):
    items: List[CatalogProduct]
    """The products of this page"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class ChangeCannedReply(TypedDict):
    shortcut: NotRequired[str]
    """What people type after `/` to insert it: letters, digits, _ and -; case does not matter"""
    text: NotRequired[str]
    """The text, perhaps with variables such as `{{contact.firstName}}`, which the console fills in"""
    shared: NotRequired[bool]
    """Whether everybody in the account has it, by default true; false: the person who asks. A key has shared ones
    alone"""


class ChangeChat(TypedDict):
    archived: NotRequired[bool]
    """An archived chat is not pinned any more"""
    pinned: NotRequired[bool]
    """The app shows pinned chats first"""
    muted: NotRequired[bool]
    """True mutes without an end; false ends the mute"""
    muted_until: NotRequired[Optional[Union[datetime, str]]]
    """Mutes until this time; null ends the mute. Not beside `muted`"""
    marked_unread: NotRequired[bool]
    """The mark of the app; it changes no `unreadCount`"""


class ChangeContact(TypedDict):
    name: NotRequired[str]
    """The name that the account's people use for the contact"""
    email: NotRequired[Optional[str]]
    """The contact's e-mail address; null removes it"""
    tags: NotRequired[List[str]]
    """Words for finding the contact; they replace those before"""
    metadata: NotRequired[Dict[str, Any]]
    """Your own data, at most 16 KB"""


class ChangeConversationControlRequest(TypedDict):
    action: Literal["pass", "take", "release"]
    """Whether the lead is passed on, taken or given back; `pass` needs `targetRole`"""
    target_role: NotRequired[str]
    """The role that gets the lead; only for `pass`"""
    metadata: NotRequired[str]
    """A text for the app that leads the conversation next"""


class ChangeLabel(TypedDict):
    name: NotRequired[str]
    """The name of the label"""
    color: NotRequired[int]
    """The place in the palette of the app, from 0 to 19"""


class Picture(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    base64: NotRequired[str]
    """must be base64 of at most 5 MiB"""


class ChangeOwnProfileRequest(TypedDict):
    name: NotRequired[str]
    """The name that people see; at most 25 characters"""
    about: NotRequired[str]
    """The line beside the name; at most 139 characters"""
    picture: NotRequired[Optional[Picture]]
    """One of `mediaUrl` and `base64`; null removes it"""


class ChangedLabel(Model):
    id: str
    """The label's id"""
    name: str
    """The name of the label; empty while the app has not named it"""
    color: int
    """The place in the palette of the app, from 0 to 19"""


ChargeState = Literal["DUE", "FREE", "UNRATED", "UNPRICED", "STATED"]


class ChargedCounts(Model):
    sent: int
    """Messages that were sent"""
    received: int
    """Messages of other people"""
    conversations: Dict[str, int]
    """How many, by category"""


class ChatContact(Model):
    id: str
    """The contact's id"""
    name: Optional[str]
    """The name of the contact; null while no name is known"""
    phone_number: Optional[str]
    """Digits with country code; null if the network hides the number"""
    canonical_key: str
    """The recipient of a send to this person"""
    opted_out_at: Optional[datetime]
    """Since when the person wants no messages but answers; null if they want all"""


ChatState = Literal["OPEN", "CLOSED"]


ChatLeader = Literal["app", "agent", "person"]


class ChatAgent(Model):
    """The state of the phone's agent in the chat"""

    status: Union[AiConversationStatus, str]
    """Whether the agent answers in this chat"""
    handoff_reason: Optional[str]
    """Why a person took the conversation over; null before"""
    handoff_at: Optional[datetime]
    """When a person took it over; null before"""


class ChatAssignee(Model):
    user_id: str
    """The member who answers"""
    name: str
    """The name of the member"""


WebhookDirection = Literal["inbound", "outbound"]


ListMessagesStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED", "RECEIVED"]


class ChatMessagePreview(Model):
    id: str
    """The message's id"""
    direction: Union[WebhookDirection, str]
    """INBOUND comes from the contact, OUTBOUND goes to the contact"""
    type: str
    """The type of its content, as in a send or in message:received"""
    text: Optional[str]
    """The first 200 characters; null for a message without text, and for a deleted message"""
    status: Union[ListMessagesStatus, str]
    """The progress of the message; RECEIVED for a message of another person"""
    sent_by: Optional[SentBy]
    """The person, key or program that sent it; null for a message of the contact, and if it was not recorded"""
    deleted_at: Optional[datetime]
    """When it was deleted; null before"""
    created_at: datetime
    """When the message was sent or came in"""


class ChatLabel(Model):
    id: str
    """The label's id, which the phone's app chose"""
    name: str
    """The name of the label"""
    color: int
    """The place in the palette of the app, from 0 to 19"""


class Chat(Model):
    id: str
    """The chat's id"""
    phone_id: str
    """The phone that has the chat"""
    contact: Optional[ChatContact]
    """The other person; null for a chat with a group"""
    state: Union[ChatState, str]
    """Whether the chat waits for an answer, is answered or closed"""
    unread_count: int
    """The contact's messages since the chat was last answered or read"""
    leader: Union[ChatLeader, str]
    """Who leads the chat: another app, the agent or a person"""
    held_by: Optional[Holder]
    """The other app that leads the conversation; null if none does"""
    agent: Optional[ChatAgent]
    """The agent's share in the chat; null if no agent answers"""
    assigned_user_id: Optional[str]
    """The member of the account's institution who answers; null without one"""
    assignee: Optional[ChatAssignee]
    """The member who answers, by name; null without one"""
    last_message: Optional[ChatMessagePreview]
    """The newest message; null if it is no longer kept"""
    answer_window: Optional[AnswerWindow]
    """The network takes free answers until this time; null if it has no such limit"""
    archived: bool
    """Whether the phone's own app has archived the chat"""
    pinned: bool
    """Whether the phone's own app shows it first"""
    muted: bool
    """Whether the phone's own app is silent about it"""
    muted_until: Optional[datetime]
    """The end of the mute; null without a mute, and for a mute without an end"""
    marked_unread: bool
    """Whether the owner marked it as unread in the app"""
    labels: List[ChatLabel]
    """Its labels of WhatsApp Business"""
    note: Optional[str]
    """The note of the last assignment; null without one"""
    last_message_at: datetime
    """When the newest message was sent or came in"""
    created_at: datetime
    """When the chat was created"""
    closed_at: Optional[datetime]
    """When it was closed; null while it is open"""
    waiting_since: Optional[datetime]
    """The contact's first message that nobody has answered; null if none waits"""
    snoozed_until: Optional[datetime]
    """When a snoozed chat comes back, unless the contact writes before; null if it is not snoozed"""


class ChatAnswering(Model):
    conversation_id: str
    """The chat, as `GET /v1/chats/{id}` answers it"""
    by: SentBy
    """Who is writing an answer"""
    timestamp: datetime
    """When the person wrote"""


class ChatAnsweringEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["chat:answering"]
    """The type of the event, which decides what `data` has"""
    data: ChatAnswering
    """What happened"""


MemberRole = Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"]


class PossibleAssignee(Model):
    user_id: str
    """The member's user id"""
    name: str
    """The name of the member"""
    role: Union[MemberRole, str]
    """The role of the member"""


class ChatAssignees(Model):
    items: List[PossibleAssignee]
    """Every member who can be assigned"""


ChatChangeKind = Literal["archived", "pinned", "muted", "markedUnread", "cleared", "deleted"]


class ChatChange(Model):
    chat: Peer
    """The chat that changed"""
    changed: List[Union[ChatChangeKind, str]]
    """What changed; the other fields have the state since then"""
    archived: bool
    """Whether the chat is archived in the app"""
    pinned: bool
    """Whether the chat is pinned in the app"""
    muted: bool
    """Whether the app is silent about the chat"""
    muted_until: Optional[datetime]
    """The end of the mute; null without a mute, and for a mute without an end"""
    marked_unread: bool
    """Whether the owner marked the chat as unread"""
    timestamp: datetime
    """When it happened, as the network says"""


class ChatChangedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["chat:changed"]
    """The type of the event, which decides what `data` has"""
    data: ChatChange
    """What happened"""


class ChatCounts(Model):
    open: int
    """How many chats are open and not snoozed"""
    closed: int
    """Closed chats that are still stored"""
    unread: int
    """Chats with unread messages, closed ones too"""
    unassigned: int
    """Those of them without an assignee, among the 5,000 newest"""
    assigned: int
    """Those of them of the member in the query; 0 without a member"""
    snoozed: int
    """Chats that are snoozed now"""


class LabelledChat(Model):
    chat: Peer
    """The chat that got the label, or lost it"""
    label: ChangedLabel
    """Its name and color as they are now"""
    labelled: bool
    """Whether the chat has the label now"""
    timestamp: datetime
    """When it happened, as the network says"""


class ChatLabelledEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["chat:labelled"]
    """The type of the event, which decides what `data` has"""
    data: LabelledChat
    """What happened"""


class ChatLabels(Model):
    items: List[ChatLabel]
    """Every label that is known here"""


ChatOperation = Literal["archive", "pin", "mute", "mark-unread", "label", "clear", "delete"]


class FailedChatOperation(Model):
    chat: Peer
    """The chat that stayed as it was"""
    operation: Union[ChatOperation, str]
    """What was requested"""
    code: str
    """Why it failed, as a code"""
    reason: str
    """The same in words"""


class ChatOperationFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["chat:operation_failed"]
    """The type of the event, which decides what `data` has"""
    data: FailedChatOperation
    """What happened"""


class ChatPage(Model):
    items: List[Chat]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class ChatPerson(Model):
    canonical_key: str
    """The strongest identifier that is known, such as pn:5511999990001"""
    type: str
    """The kind of that identifier"""
    pn: Optional[str]
    """The number as a chat address, or as digits where the network is not WhatsApp; null if unknown"""
    lid: Optional[str]
    """The network's own id as a chat address; null if unknown"""
    bsuid: Optional[str] = None
    """The business-scoped user id; absent if unknown"""
    username: Optional[str] = None
    """The person's username on the network; absent if none is known"""


class ChatRead(Model):
    unread_count: int
    """The contact's messages since the chat was last answered or read"""
    receipts: int
    """How many messages are marked as read at the network"""


class ChatRenamed(Model):
    chat: Peer
    """The group, with its new address"""
    before: Peer
    """The same group, as it was called before"""
    timestamp: datetime
    """When it happened, as the network says"""


class ChatRenamedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["chat:renamed"]
    """The type of the event, which decides what `data` has"""
    data: ChatRenamed
    """What happened"""


class ChatTimer(Model):
    seconds: int
    """After how many seconds messages disappear: a day, 7 days or 90 days; 0: they stay"""
    set_at: Optional[datetime]
    """When it was set; null if messages stay"""


ChatWork = Literal["state", "assignee", "unread", "snooze"]


class EventAssignee(Model):
    user_id: str
    """The member who answers"""
    name: str
    """The name of the member"""


class ChatUpdate(Model):
    conversation_id: str
    """The chat, as `GET /v1/chats/{id}` answers it"""
    chat: Optional[Peer]
    """The person of the chat; null after the contact's deletion"""
    changed: List[Union[ChatWork, str]]
    """What changed; the other fields have the state since then"""
    state: Union[ChatState, str]
    """Whether the chat is open"""
    assignee: Optional[EventAssignee]
    """The member who answers; null without one"""
    unread_count: int
    """The contact's messages since the chat was last answered or read"""
    snoozed_until: Optional[datetime]
    """When a snoozed chat comes back; null if it is not snoozed"""
    by: Optional[SentBy]
    """Who did it; null if a rule or the time did"""
    timestamp: datetime
    """When it happened"""


class ChatUpdatedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["chat:updated"]
    """The type of the event, which decides what `data` has"""
    data: ChatUpdate
    """What happened"""


class Chatwoot(Model):
    webhook_id: str
    """The webhook that carries what happens to Chatwoot"""
    url: str
    """The address of the Chatwoot, as people open it"""
    chatwoot_account_id: int
    """Chatwoot's number of the account, as in the address of its pages"""
    inbox_id: int
    """Chatwoot's number of the inbox"""
    inbox_name: str
    """What agents read above the chats of the phone"""
    state: Union[Literal["IMPORTING", "OK", "FAILING", "WAITING", "PAUSED", "DISABLED"], str]
    """Whether Chatwoot takes what happens; IMPORTING while earlier messages come first"""
    waiting: int
    """How many changes are still to be brought to Chatwoot"""
    lost: int
    """How many changes were given up, up to 10,000"""
    last_error: Optional[str]
    """Why the last attempt failed, also of an import; null if it did not"""
    import_days: int
    """The messages of how many days the last import took"""
    imported: int
    """How many messages it has looked at"""
    to_import: Optional[int]
    """How many it has to look at; null before they are counted"""
    left_out: int
    """How many of them Chatwoot refused for good"""
    mark_read: bool
    """Whether the person's messages are marked as read at the network once an agent answers, types, or has seen them;
    true in a new connection"""
    typing: bool
    """Whether the person and the agents see that the other one types, as far as the network shows it; true in a new
    connection"""
    batches: bool
    """Whether messages of batches begin conversations. Otherwise the person's answer begins one, with the message
    before it; false in a new connection"""


class ChatwootInput(TypedDict):
    url: str
    """The address of the Chatwoot, as people open it"""
    chatwoot_account_id: int
    """Chatwoot's number of the account, as in the address of its pages"""
    token: NotRequired[str]
    """The access token of an administrator of that account; by default the stored one stays"""
    inbox_name: NotRequired[str]
    """The name of the inbox, which is made if no API inbox has it; by default the phone's name"""
    import_days: NotRequired[int]
    """The messages of how many days are imported first, up to the newest 20,000; 0 by default"""
    mark_read: NotRequired[bool]
    """Whether the person's messages are marked as read at the network once an agent answers, types, or has seen them;
    true in a new connection"""
    typing: NotRequired[bool]
    """Whether the person and the agents see that the other one types, as far as the network shows it; true in a new
    connection"""
    batches: NotRequired[bool]
    """Whether messages of batches begin conversations. Otherwise the person's answer begins one, with the message
    before it; false in a new connection"""


class ChatwootReceived(Model):
    received: bool
    """True: what was to be sent is stored"""


CheckOutcome = Literal["ok", "warning", "fault", "skipped"]


CheckState = Literal["ok", "error"]


class ClaimUsernameRequest(TypedDict):
    username: str
    """3 to 35 lower-case letters, digits, dots and underscores"""
    transfer: NotRequired[bool]
    """Whether to take it from another number of the business"""


class ClassificationAlternative(Model):
    category: str
    """The likeliest of the given ones"""
    confidence: float
    """How sure the model is, from 0 to 1"""


class Classification(Model):
    category: str
    """The likeliest of the given ones"""
    confidence: float
    """How sure the model is, from 0 to 1"""
    alternatives: List[ClassificationAlternative]
    """Other categories, likeliest first"""
    rationale: str
    """Why, in the model's words"""
    model: str
    """The language model that answered"""
    usage: TokenUsage
    """The tokens that the answer cost"""


class ClassifyRequest(TypedDict):
    text: str
    """The text to classify; at most 8,000 characters"""
    categories: List[str]
    """The choices"""
    language: NotRequired[str]
    """The language of the answer; pt_BR by default"""


class ClientExpiring(Model):
    version: str
    """The version that this server speaks to the network"""
    expires_at: Optional[datetime]
    """When the network ends the version; null if it names no end"""


class CloudApi(Model):
    base_url: Optional[str]
    """The base URL of a program, without a version; null if the server has the API switched off"""
    phone_number_id: str
    """The phone number id of the Cloud API"""
    business_account_id: str
    """The id of the WhatsApp Business account"""
    app_id: str
    """The number that programs see as the app's number"""
    display_phone_number: Optional[str]
    """The number as programs know it; null: the phone's own"""
    templates_as_text: bool
    """Whether templates are sent as text on a phone whose network has no templates"""


class CloudApiChanges(TypedDict):
    display_phone_number: NotRequired[Optional[str]]
    """The number that programs see, 5 to 15 digits; null shows the phone's own number"""
    templates_as_text: NotRequired[bool]
    """Whether templates are sent as their text if the phone's network has no templates"""


CloudProgram = Literal["generic", "chatwoot", "typebot"]


class CloudToken(Model):
    id: str
    """The token's id"""
    name: str
    """Which program has the token"""
    prefix: str
    """How the token begins"""
    allowed_addresses: List[str]
    """IP addresses and CIDRs that may use the token; without any it works from everywhere"""
    expires_at: Optional[datetime]
    """When the token stops working; null means never"""
    last_used_at: Optional[datetime]
    """When it was last used; null before"""
    created_at: datetime
    """When the token was created"""


class CloudTokens(Model):
    items: List[CloudToken]
    """Every token of the phone"""


class CloudWebhook(Model):
    webhook_id: str
    """The webhook that carries the events"""
    url: str
    """The address of the program that gets the webhooks"""
    program: Union[CloudProgram, str]
    """The program behind the URL: its webhooks have only the fields that it can read. By default, the URL decides"""
    verified_at: Optional[datetime]
    """When the URL last answered the handshake; null before"""
    secret: Optional[str] = None
    """Signs the webhooks (`X-Hub-Signature-256`); only in the answer that sets it"""


class CloudWebhookInput(TypedDict):
    url: str
    """The address of the program that gets the webhooks"""
    verify_token: str
    """The word that the program expects in the handshake"""
    program: NotRequired[CloudProgram]
    """The program behind the URL: its webhooks have only the fields that it can read. By default, the URL decides"""
    secret: NotRequired[str]
    """Signs the webhooks (`X-Hub-Signature-256`); by default one is made"""


class CloudWebhookSecret(Model):
    secret: str
    """The new secret, which is shown only now"""


class ReceivedComment(Model):
    comment_id: str
    """The network's id of the comment"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    text: str
    """The text of the comment"""
    post_id: Optional[str]
    """The network's id of the post; null if it names none"""
    parent_comment_id: Optional[str]
    """The comment that this one answers; null for a comment on the post itself"""


class CommentReceivedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["comment:received"]
    """The type of the event, which decides what `data` has"""
    data: ReceivedComment
    """What happened"""


class CommunityParticipants(Model):
    wa_ids: List[str]
    """Numbers, or ids of people without a known number"""


EventType = Literal[
    "message:received",
    "message:standby",
    "message:status",
    "message:reaction",
    "message:edited",
    "message:transcribed",
    "message:poll-vote",
    "message:pinned",
    "message:kept",
    "message:event-response",
    "message:poll-results",
    "message:operation_failed",
    "message:fallback",
    "status:received",
    "newsletter:received",
    "channel:connected",
    "channel:disconnected",
    "channel:restricted",
    "channel:unrestricted",
    "channel:qrcode",
    "channel:client-expiring",
    "channel:passkey-required",
    "media:available",
    "media:failed",
    "media:expired",
    "template:status",
    "history:progress",
    "message:starred",
    "message:labelled",
    "message:deleted_for_me",
    "message:expired",
    "chat:changed",
    "chat:labelled",
    "chat:operation_failed",
    "label:changed",
    "contact:synced",
    "comment:received",
    "conversation:held",
    "conversation:released",
    "contact:presence",
    "chat:updated",
    "contact:blocked",
    "contact:unblocked",
    "contact:opted-out",
    "contact:opted-in",
    "chat:renamed",
    "channel:delegated",
    "agent:handoff",
    "agent:budget_exhausted",
    "agent:document",
    "agent:worsened",
    "group:lifecycle",
    "group:participants",
    "group:join-requests",
    "group:member-label",
    "group:community",
    "group:settings",
    "group:status",
    "newsletter:changed",
    "newsletter:counts",
    "billing:invoice.paid",
    "billing:invoice.failed",
    "webhook:failed",
    "call:*",
    "call:offer",
    "call:ringing",
    "call:accepted",
    "call:in_progress",
    "call:completed",
    "call:rejected",
    "call:missed",
    "call:failed",
]


class PhoneWebhook(TypedDict):
    url: NotRequired[str]
    """A public HTTPS address, or that of a message broker; missing: no webhook"""
    secret: NotRequired[str]
    """Key of the HMAC signature; required with `url`"""
    events: NotRequired[List[EventType]]
    """Event types; empty means all"""


class ConnectSocialAccountRequest(TypedDict):
    code: str
    """The code that the consent gave"""
    redirect_uri: str
    """One of the configured addresses"""
    label: NotRequired[str]
    """A name for the account's own people"""
    webhook: NotRequired[PhoneWebhook]
    """Where the phone's events go"""


PhoneType = Union[Literal["SESSION", "WABA", "SOCIAL"], str]


PhoneStatus = Literal[
    "PENDING",
    "PENDING_QR",
    "PENDING_WEBHOOK",
    "CONNECTING",
    "CONNECTED",
    "RESTRICTED",
    "DISCONNECTED",
    "TOKEN_EXPIRED",
    "FAILED",
]


class Restriction(Model):
    """The network's restriction of the phone; null if none is known"""

    reason: str
    """One word, in most cases the network's own"""
    until: Optional[datetime]
    """When it ends; null if unknown"""
    allows: Literal["replies", "none"]
    """The messages that may still be sent: `replies` allows only answers"""
    text: Optional[str]
    """The network's text for the owner; null without a text"""


class SendProblem(Model):
    reason: str
    """The restriction, in one word"""
    code: int
    """The network's own number"""
    message: str
    """In the network's words"""
    at: datetime
    """When the network reported it"""


class ConnectSocialAccountResult(Model):
    id: str
    """The phone's id"""
    account_id: str
    """The account that the phone belongs to"""
    type: PhoneType
    """The kind of phone, which decides what it can do"""
    label: str
    """A name for the account's own people"""
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    status: Union[PhoneStatus, str]
    """Whether the phone is connected"""
    webhook_url: Optional[str]
    """The phone's own webhook; null without one"""
    webhook_events: List[str]
    """Event types; empty means all"""
    shared_webhook_id: Optional[str]
    """The linked shared webhook; null without one"""
    disconnected_at: Optional[datetime]
    """When it was disconnected; null while it is connected"""
    state_reason: Optional[str]
    """Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is
    unknown"""
    state_since: Optional[datetime]
    """When the phone got its status; null before the first connection"""
    restriction: Optional[Restriction]
    """The network's current restriction of the phone; null without a restriction"""
    created_at: datetime
    """When the phone was created"""
    updated_at: datetime
    """When the phone last changed"""
    lid: Optional[str] = None
    """The account's own hidden id, by which groups mention it; absent before it is known"""
    proxy: Optional[str] = None
    """The proxy that a session connects through, without its user and password"""
    waba_phone_number_id: Optional[str] = None
    """The network's id of the number; null while unknown"""
    waba_business_account_id: Optional[str] = None
    """The network's id of the business account; null while unknown"""
    waba_throughput_level: Optional[str] = None
    """The speed at which the number may send, in the network's word; null until the network reports it"""
    waba_quality_rating: Optional[str] = None
    """GREEN, YELLOW or RED, as the network rates the number; null while it is not rated"""
    waba_messaging_limit: Optional[str] = None
    """How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown"""
    waba_username: Optional[str] = None
    """The username of the business on the network; null without one"""
    waba_can_send: Optional[str] = None
    """The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it"""
    waba_send_problem: Optional[SendProblem] = None
    """Why the network refuses to send; null if it does not"""
    waba_webhook_configured: Optional[bool] = None
    """Whether the network sends us the number's events"""
    waba_coexistence: Optional[bool] = None
    """Whether the owner's business app goes on with the number"""
    waba_contacts_sync_at: Optional[datetime] = None
    """When the app's contacts were requested; null before"""
    waba_history_sync_at: Optional[datetime] = None
    """When the app's history was requested; null before"""
    ig_user_id: Optional[str] = None
    """The account's id; null for other types"""
    ig_username: Optional[str] = None
    """The account's username; null for other types"""
    ig_account_type: Optional[str] = None
    """The kind of account, in the network's word; null for other types"""
    ig_token_expires_at: Optional[datetime] = None
    """When the account's consent ends; null for other types, and if the end is not known"""
    ig_webhook_configured: Optional[bool] = None
    """Whether the network sends us the account's events"""
    reconnected: bool
    """Whether the phone was known here before"""


ContactOptOutBy = Literal["word", "network", "request"]


class Contact(Model):
    id: str
    """The contact's id"""
    name: Optional[str]
    """Null while no name is known"""
    phone_number: Optional[str]
    """Null if the network hides it"""
    canonical_key: str
    """The recipient of a send to this person"""
    email: Optional[str]
    """The contact's e-mail address; null if none is known"""
    tags: List[str]
    """Words that the account's people gave the contact"""
    metadata: Dict[str, Any]
    """Further data of the client; at most 16 KiB as JSON"""
    opted_out_at: Optional[datetime]
    """Since when the person wants no messages but answers; null if they want all"""
    opted_out_by: Optional[Union[ContactOptOutBy, str]]
    """What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the
    console; null without an opt-out"""
    created_at: datetime
    """When the contact was created"""
    updated_at: datetime
    """When the contact last changed"""


class ContactAbout(Model):
    about: Optional[str]
    """The line beside the name; null without one, or if the phone may not see it"""


class ContactReach(Model):
    chat: Peer
    """The person or group"""
    reason: Optional[str]
    """The network's word; null without one"""
    timestamp: datetime
    """When it happened, as the network says"""


class ContactBlockedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["contact:blocked"]
    """The type of the event, which decides what `data` has"""
    data: ContactReach
    """What happened"""


class ContactBusinessProfile(Model):
    is_business: bool
    """Whether the person has a business profile"""
    profile: Optional[BusinessProfile]
    """What the person's app shows of the business; null without one"""


class ContactCard(TypedDict):
    name: str
    """The name of the person"""
    phone: str
    """The person's telephone number"""
    email: NotRequired[str]
    """The person's e-mail address"""


class ContactContent(TypedDict):
    contacts: List[ContactCard]
    """The cards that are sent"""


class ContactOptOut(Model):
    contact_id: str
    """The person's contact"""
    chat: Peer
    """The person"""
    by: Union[ContactOptOutBy, str]
    """What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the
    console"""
    word: Optional[str]
    """What the person wrote; null without a word"""
    timestamp: datetime
    """When it happened, as the network says"""


class ContactOptedInEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["contact:opted-in"]
    """The type of the event, which decides what `data` has"""
    data: ContactOptOut
    """What happened"""


class ContactOptedOutEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["contact:opted-out"]
    """The type of the event, which decides what `data` has"""
    data: ContactOptOut
    """What happened"""


class ContactPage(Model):
    items: List[Contact]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class ContactPicture(Model):
    url: Optional[str]
    """The address of the picture; null if `reason` says why not"""
    reason: Optional[Union[Literal["none", "hidden"], str]] = None
    """Why there is no address: `none` means no picture, `hidden` that the phone may not see it; absent with an
    address"""


Presence = Literal["available", "unavailable", "composing", "recording", "paused"]


class PresenceChange(Model):
    contact: Peer
    """The person whose presence changed"""
    chat: Peer
    """The chat that the presence holds for"""
    state: Union[Presence, str]
    """The person's presence"""
    timestamp: datetime
    """When it happened, as the network says"""
    last_seen_at: Optional[datetime]
    """When the person was last online; null if it is not shown"""


class ContactPresenceEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["contact:presence"]
    """The type of the event, which decides what `data` has"""
    data: PresenceChange
    """What happened"""


class SyncedContact(Model):
    contact: Peer
    """The person of the entry"""
    name: Optional[str]
    """The whole name in the address book; null without one"""
    first_name: Optional[str]
    """The first name in the address book; null without one"""
    action: Union[Literal["add", "remove"], str]
    """Whether the app has it now, or had it"""


class ContactsSynced(Model):
    contacts: List[SyncedContact]
    """Entries of the address book"""


class ContactSyncedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["contact:synced"]
    """The type of the event, which decides what `data` has"""
    data: ContactsSynced
    """What happened"""


class ContactUnblockedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["contact:unblocked"]
    """The type of the event, which decides what `data` has"""
    data: ContactReach
    """What happened"""


ContentLimitFurtherField = Literal[
    "viewOnce",
    "videoNote",
    "gifPlayback",
    "thumbnail",
    "mentions",
    "linkPreview",
    "quality",
]


class ContentLimit(Model):
    type: str
    """The type of content"""
    text_max_chars: Optional[int]
    """The limit of its text in characters; null without a limit of the network"""
    text_max_bytes: Optional[int]
    """The limit of its text in bytes of UTF-8; null without a limit of the network"""
    caption_max_chars: Optional[int]
    """The limit of its caption in characters; null without a limit of the network"""
    caption_max_bytes: Optional[int]
    """The limit of its caption in bytes of UTF-8; null without a limit of the network"""
    max_file_bytes: Optional[int]
    """The largest file in bytes; null without a limit of the network"""
    mime_types: Optional[List[str]]
    """The media types of its file, such as `image/png` or `audio/*`; null: any"""
    further_fields: List[Union[ContentLimitFurtherField, str]]
    """The fields of its content that few networks have, and this one has"""


class ConversationControl(Model):
    held_by: Optional[Holder]
    """The other app that leads the conversation; null if none does"""


HolderCause = Literal["message", "standby", "handover", "request", "idle"]


class ConversationHeld(Model):
    chat: Peer
    """The chat whose lead changed"""
    held_by: Holder
    """The app that leads the conversation now"""
    cause: Union[HolderCause, str]
    """Why the lead changed"""


class ConversationHeldEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["conversation:held"]
    """The type of the event, which decides what `data` has"""
    data: ConversationHeld
    """What happened"""


class ConversationReleased(Model):
    chat: Peer
    """The chat whose lead changed"""
    since: datetime
    """When the lead changed"""
    cause: Union[HolderCause, str]
    """Why the lead changed"""


class ConversationReleasedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["conversation:released"]
    """The type of the event, which decides what `data` has"""
    data: ConversationReleased
    """What happened"""


class CopyCodeContent(TypedDict):
    text: str
    """The text above the button"""
    footer: NotRequired[str]
    """A line of small print"""
    button_text: str
    """The label of the button"""
    code: str
    """The code that the button copies; 1 to 100 characters"""
    header: NotRequired[MenuHeader]
    """A text or a file above the body"""


class CountryEstimate(Model):
    country: str
    """The recipients' country, by ISO 3166"""
    count: int
    """How many recipients are in the country"""
    amount_micros: int
    """Millionths of the currency"""


class CostEstimate(Model):
    is_charged: bool
    """False if the network does not charge for messages"""
    category: str
    """The network's category of the messages"""
    currency: str
    """The currency of the amounts, by ISO 4217"""
    amount_micros: int
    """Millionths of the currency"""
    rated: int
    """Recipients with a known price"""
    unrated: int
    """Recipients without a known price: they are not in the amount"""
    by_country: List[CountryEstimate]
    """The cost of each country, the most expensive first"""


class CreateAccountRequest(TypedDict):
    name: str
    """The name of the business"""
    plan_code: NotRequired[str]
    """The plan that sets the prices"""
    billing_email: NotRequired[Optional[str]]
    """Where invoices and reminders go; null sends none"""
    waba_markup_pct: NotRequired[Optional[float]]
    """Percent on the network's charge; null is the server's default"""


class CreateCannedReply(TypedDict):
    shortcut: str
    """What people type after `/` to insert it: letters, digits, _ and -; case does not matter"""
    text: str
    """The text, perhaps with variables such as `{{contact.firstName}}`, which the console fills in"""
    shared: NotRequired[bool]
    """Whether everybody in the account has it, by default true; false: the person who asks. A key has shared ones
    alone"""


class CreateCommunityRequest(TypedDict):
    phone_id: str
    """The phone that makes the community"""
    subject: str
    """The name of the community"""
    description: NotRequired[str]
    """A text about the community; at most 2,048 characters"""


class CreateContact(TypedDict):
    phone_number: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""
    name: str
    """The name that the account's people use for the contact"""
    email: NotRequired[Optional[str]]
    """The contact's e-mail address; null removes it"""
    tags: NotRequired[List[str]]
    """Words for finding the contact; they replace those before"""
    metadata: NotRequired[Dict[str, Any]]
    """Your own data, at most 16 KB"""


class CreateFlowRequest(TypedDict):
    phone_id: str
    """The phone whose business account gets the flow"""
    name: str
    """The account's name for the flow"""
    categories: List[str]
    """The purposes of the flow, in the network's words"""
    json: NotRequired[Dict[str, Any]]
    """The flow's screens, in the network's flow JSON"""
    endpoint_url: NotRequired[str]
    """The account's HTTPS address that answers the flow; absent for a flow without data exchange"""


GroupJoinMode = Literal["AUTO_APPROVE", "APPROVAL_REQUIRED"]


class CreateGroupRequest(TypedDict):
    phone_id: str
    """The phone that creates the group"""
    subject: str
    """The name of the group"""
    description: NotRequired[str]
    """A text about the group; at most 2,048 characters"""
    join_approval_mode: NotRequired[GroupJoinMode]
    """Whether administrators approve who joins"""
    participants: NotRequired[List[str]]
    """The numbers or ids of the people"""
    community_id: NotRequired[str]
    """The community to make it in, by its id here or the network's; without one by default"""


class CreateInvoiceRequest(TypedDict):
    period_start: NotRequired[Union[datetime, str]]
    """The beginning of the time that is billed; with `periodEnd`, in place of `totalCents`"""
    period_end: NotRequired[Union[datetime, str]]
    """The end of the time that is billed, exclusive, in the same month in UTC"""
    total_cents: NotRequired[int]
    """A sum in cents of BRL, in place of a period"""
    due_date: NotRequired[Union[datetime, str]]
    """The last day for paying; in 10 days by default"""


class CreateNewsletterRequest(TypedDict):
    phone_id: str
    """The phone that makes it, and owns it"""
    name: str
    """The name of the newsletter"""
    description: NotRequired[str]
    """A text about it; at most 2,048 characters"""


class CreateOwnApiKeyRequest(TypedDict):
    name: str
    """The account's name for the key"""
    scopes: NotRequired[List[str]]
    """The scopes of the key: `.read` or `.write` of phones, messages, chats, media, flows, groups, calls, lookup,
    templates, webhooks, ai, events, billing, keys, audit. With none of these it may do everything. Other texts are
    kept, limit nothing, and are named in `warnings`; with `Prefer: handling=strict` they are refused."""
    read_only: NotRequired[bool]
    """The key reads, and changes nothing, within its scopes"""
    allowed_addresses: NotRequired[List[str]]
    """IP addresses and CIDRs that may use the key; without any it works from everywhere"""
    expires_at: NotRequired[Union[datetime, str]]
    """When the key stops working, in the future; never by default. A key cannot outlive the key that makes it"""


class CreatePairingCodeRequest(TypedDict):
    phone_number: str
    """must be 8 to 20 digits with country code, as `5511999990001` or `+55 11 99999-0001`"""
    force: NotRequired[bool]
    """Also if another phone of the account is linked with the number: the code may end its session"""


class CreatePairingCodeResult(Model):
    status: Union[Literal["pending"], str]
    """The code is made soon"""
    phone_number: str
    """The number that the code is for: digits with country code"""


class CreatePairingLinkRequest(TypedDict):
    label: NotRequired[Optional[str]]
    """The title of the page, which everybody with the link reads; null or absent shows the phone's own label"""
    minutes: NotRequired[int]
    """For how many minutes the link works"""


class CreatePhoneRequestCredentials(TypedDict):
    phone_number_id: NotRequired[str]
    """The network's id of the number"""
    business_account_id: NotRequired[str]
    """The network's id of the business account"""
    access_token: NotRequired[str]
    """A long-lived token without spaces; never shown again"""
    verify_token: NotRequired[str]
    """The token that the handshake of the network's webhook has to name"""


class CreatePhoneRequest(TypedDict):
    type: Union[Literal["SESSION", "WABA"], str]
    """One of the types of `GET /v1/kinds`. It cannot be changed later"""
    label: str
    """A name for the account's own people"""
    webhook: NotRequired[PhoneWebhook]
    """Where the phone's events go"""
    credentials: NotRequired[Union[CreatePhoneRequestCredentials, Dict[str, str]]]
    """What the type needs, as `GET /v1/kinds` lists it; else refused"""
    proxy: NotRequired[str]
    """A proxy that a session connects through: http:// (CONNECT) or socks5://, with host and port, and user:password@
    if the proxy asks for them. User and password are never shown again. Only for SESSION"""
    history: NotRequired[Literal["none", "recent", "full"]]
    """How much of the earlier chats is imported; `none` by default. Only for SESSION"""


PlanKind = Literal["pay_as_you_go", "flat", "free_tier", "custom"]


class PlanMetadata(TypedDict):
    waba_cents: NotRequired[Dict[str, float]]
    """Cents for each message that the network charges for, by its category, with at most four decimals (3.5 is R$
    0.0350). A missing category has the price of the network's list"""


class CreatePlanRequest(TypedDict):
    code: str
    """The short name of the plan: 1 to 60 of a-z, 0-9, _ and -"""
    kind: PlanKind
    """How the plan bills"""
    currency: NotRequired[Literal["BRL"]]
    """The currency of the prices: BRL"""
    per_message_cents: NotRequired[int]
    """Cents of BRL for each message sent"""
    per_phone_month_cents: NotRequired[int]
    """Cents of BRL for each phone and month"""
    monthly_fee_cents: NotRequired[int]
    """Cents of BRL a month"""
    included_messages: NotRequired[int]
    """How many the monthly fee covers"""
    overage_cents: NotRequired[int]
    """Cents of BRL for each further message"""
    metadata: NotRequired[PlanMetadata]
    """Further terms of the plan; at most 16 KiB as JSON"""


DeliveryOrdering = Literal["none", "chat"]


class CreateSharedWebhook(TypedDict):
    label: str
    """A name for the account's own people"""
    url: str
    """A public HTTPS address, or that of a message broker"""
    secret: str
    """The key of the HMAC signature"""
    events: NotRequired[List[EventType]]
    """Event types; empty means all"""
    all_phones: NotRequired[bool]
    """Whether it gets the events of every phone, also of later ones."""
    selected_phone_ids: NotRequired[List[str]]
    """Phones whose events it gets although they do not link to it."""
    active: NotRequired[bool]
    """False pauses the webhook: its events are stored, and sent in order once it is true again."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


TemplateCategory = Literal["MARKETING", "UTILITY", "AUTHENTICATION"]


TemplateComponentType = Literal[
    "HEADER",
    "BODY",
    "FOOTER",
    "BUTTONS",
    "CAROUSEL",
    "LIMITED_TIME_OFFER",
    "CALL_PERMISSION_REQUEST",
]


class NewTemplateComponent(TypedDict):
    """In the form of the official API"""

    type: TemplateComponentType
    """The kind of part"""


class CreateTemplateRequestLibrary(TypedDict):
    name: str
    """The name in the network's library"""
    button_inputs: NotRequired[List[Dict[str, Any]]]
    """The values for the library template's buttons"""


class CreateTemplateRequest(TypedDict):
    phone_id: str
    """The phone whose business account gets the template"""
    name: str
    """The template's name on the network: 1 to 120 lower-case letters, digits and underscores"""
    language: str
    """A language code, such as pt_BR"""
    category: TemplateCategory
    """The network's category"""
    components: NotRequired[List[NewTemplateComponent]]
    """The parts of the template, in the form of the official API; not with `library`"""
    max_price_per1000: NotRequired[int]
    """The most that 1,000 deliveries may cost, in hundredths of the account's currency; only for MARKETING, and for
    phones with `marketingMessages`"""
    message_send_ttl_seconds: NotRequired[int]
    """AUTHENTICATION 30 to 900, UTILITY 30 to 43200, MARKETING 43200 to 2592000; -1 is 30 days"""
    allow_category_change: NotRequired[bool]
    """True by default. Recado passes it on; Meta has ignored it since April 2025"""
    parameter_format: NotRequired[Literal["POSITIONAL", "NAMED"]]
    """How variables are written; POSITIONAL by default"""
    library: NotRequired[CreateTemplateRequestLibrary]
    """A template of the network's library that is used unchanged"""


class CreateUserRequest(TypedDict):
    name: str
    """The user's own name"""
    email: str
    """The e-mail address for signing in"""
    institution_name: str
    """The name of the new institution, which the user owns"""


class CreateUserResult(Model):
    user_id: str
    """The new user"""
    institution_id: str
    """The new institution"""
    email: str
    """The e-mail address for signing in"""
    link: str
    """Opens once; absent if it was mailed"""
    expires_at: datetime
    """The link opens until this time"""


class GroupParticipant(Model):
    wa_id: str
    """The person's number or id"""
    joined_at: Optional[datetime]
    """When the person joined; null if unknown"""
    label: Optional[str] = None
    """The person's own label in this group; absent if none is known"""
    is_admin: Optional[bool] = None
    """Whether the person is an administrator of it"""


class GroupRules(Model):
    only_admins_send: Optional[bool] = None
    """Whether only they write"""
    only_admins_edit: Optional[bool] = None
    """Whether only they change the group"""
    only_admins_add: Optional[bool] = None
    """Whether only they add people"""


class CreatedGroup(Model):
    id: str
    """The group's id"""
    upstream_group_id: str
    """The network's id of the group"""
    phone_id: str
    """The phone that is in the group"""
    subject: str
    """The group's name"""
    description: str
    """A text about the group; empty without one"""
    join_approval_mode: Union[GroupJoinMode, str]
    """Whether administrators approve who joins"""
    invite_link: Optional[str]
    """The link for joining; null while the network has given none"""
    participants: List[GroupParticipant]
    """The people in the group"""
    total_participant_count: int
    """How many people it has"""
    suspended: bool
    """Whether the network suspended it"""
    created_at: datetime
    """When the group was created"""
    community_id: Optional[str] = None
    """The network's id of the community that it is linked to; null without a community, absent if the network has no
    communities"""
    is_community: Optional[bool] = None
    """Whether it is a community itself; absent if the network has no communities"""
    is_announcement_group: Optional[bool] = None
    """Whether it is the group for the announcements of its community; absent if the network has no communities"""
    rules: Optional[GroupRules] = None
    """The rights that only administrators have; absent if the network has no such rules"""
    participant_outcomes: Optional[List[GroupPersonOutcome]] = None
    """`code` is the network's own number"""


class CreatedPhone(Model):
    id: str
    """The phone's id"""
    type: PhoneType
    """The kind of phone, which decides what it can do"""
    status: Union[PhoneStatus, str]
    """Whether the phone is connected"""
    label: str
    """A name for the account's own people"""
    webhook_url: Optional[str]
    """The phone's own webhook; null without one"""
    created_at: datetime
    """When the phone was created"""


ScheduledStatus = Literal["PENDING", "PROCESSING", "SENT", "FAILED", "CANCELED"]


class CreatedScheduledMessage(Model):
    id: str
    """The scheduled message's id"""
    scheduled_at: datetime
    """When it is sent"""
    moved_from: Optional[datetime] = None
    """The requested time, if it was outside business hours"""
    status: Union[ScheduledStatus, str]
    """Whether it still waits to be sent"""
    created_at: datetime
    """When it was scheduled"""


CreationWay = Literal["pairing", "credentials", "signup", "oauth"]


class CtaUrlHeader(TypedDict):
    type: MenuHeaderType
    """The kind of header: `text` needs `text`, the others `mediaUrl`"""
    text: NotRequired[str]
    """The text of a header of type `text`; at most 60 characters"""
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    filename: NotRequired[str]
    """The shown name of a document: the name of a file alone, without folders"""


class CtaUrlContent(TypedDict):
    text: str
    """The text above the button"""
    footer: NotRequired[str]
    """A line of small print"""
    button_text: str
    """The label of the button"""
    url: str
    """The page that the button opens"""
    header: NotRequired[CtaUrlHeader]
    """A text or a file above the body"""


class Period(Model):
    from_: datetime = Field(alias="from")
    """The beginning, inclusive"""
    to: datetime
    """The end, exclusive"""


class CurrentCosts(Model):
    period: Period
    """The time that is counted, in UTC"""
    cost_cents: int
    """The cost in cents of BRL, with the costs that are passed on"""
    waba_passthrough_cents: int
    """BRL cents: the network's charge, with the account's markup"""
    messages_sent: int
    """Messages that were sent in the period"""
    active_phones: int
    """Phones that sent at least one message"""


class CutData(Model):
    message_id: Optional[str] = None
    """The message that the event is about, if there is one"""
    type: Optional[str] = None
    """The type of the message, if it has one"""
    is_cut: Literal[True]
    """True: the event was too large, and its data is left out"""
    size_bytes: int
    """The size of the whole event in bytes"""


class CutEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: str
    """The type of the event"""
    data: CutData
    """The rest of the event: where to read it"""


class DeadLetter(Model):
    id: str
    """The dead letter's id"""
    event_id: str
    """The event that was not delivered"""
    account_id: str
    """The account that the event belongs to"""
    type: str
    """The type of the event that was not delivered"""
    url: str
    """The address to which the delivery went"""
    attempts: int
    """How often delivery was tried"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last attempt failed; null if none did"""
    created_at: datetime
    """When the delivery was given up"""


class DeadLetterPage(Model):
    items: List[DeadLetter]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class PendingRemoval(Model):
    action: Union[Literal["DISCONNECT_IN_BUSINESS_APP"], str]
    """The steps that the number's owner still has to take"""
    reason: str
    """Why the step is needed, for people"""


class DeletedPhone(Model):
    deleted: bool
    """True: the phone is deleted here"""
    pending: PendingRemoval
    """A step that only the number's owner can do"""


DeliveryStatus = Literal["PENDING", "DELIVERED", "DEAD"]


class Delivery(Model):
    id: str
    """The delivery's id"""
    url: str
    """The address to which the delivery goes"""
    status: Union[DeliveryStatus, str]
    """The progress of the delivery; DEAD was given up"""
    attempts: int
    """How often delivery was tried"""
    next_retry_at: Optional[datetime]
    """When it is tried next; null if it is not tried again"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    created_at: datetime
    """When the delivery was created"""


DeliveryState = Literal["WAITING", "HELD", "DELIVERED", "DEAD"]


class DeliveryStats(Model):
    delivered: int
    """Events that reached a webhook"""
    failed_attempts: int
    """Failed attempts, each counted"""
    dead: int
    """Events that were given up after their attempts"""


class DemoteGroupParticipantsResult(Model):
    participants: List[GroupPersonOutcome]
    """`code` is the network's own number"""


class Disk(Model):
    free_bytes: int
    """The remaining room"""
    total_bytes: int
    """The size of the whole disk in bytes"""
    full_at: Optional[datetime]
    """When the disk is full if it fills as in the last week; null while it does not"""


class DoctorCheck(Model):
    name: str
    """The name of the check, as a short word"""
    outcome: Union[CheckOutcome, str]
    """`fault`: it does not work, or soon will not"""
    found: str
    """The finding of the check"""
    remedy: Optional[str]
    """What to do about it; null if there is nothing to do"""


class Document(Model):
    id: str
    """The document's id"""
    source: Union[DocumentSource, str]
    """Which of `url`, `text` and `objectKey` is given"""
    title: Optional[str]
    """The account's name for the document; null without a title"""
    status: Union[DocumentStatus, str]
    """Whether answers already use the document"""
    created_at: datetime
    """When the document was created"""
    source_ref: Optional[str]
    """The address or the object's key; null for inline text"""
    chunk_count: int
    """Into how many pieces it was cut"""
    error_reason: Optional[str]
    """Why the document could not be read: a code and a few words; null if nothing failed"""
    embedding_model: Optional[str] = None
    """The model that learnt it: answers use it with this model alone; null before, while it is learnt anew, and where
    unknown"""
    sendable: bool
    """Whether the agent may send the file to contacts"""
    updated_at: datetime
    """When the document last changed"""


class Thumbnail(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `mediaUrl`"""


class DocumentContent(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `mediaUrl`"""
    mime_type: NotRequired[str]
    """The media type; the file's own by default"""
    caption: NotRequired[str]
    """A text below the document; at most 1,024 characters"""
    mentions: NotRequired[List[str]]
    """The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same
    community, or `all`. `@` and the number in the text becomes the name. If the network has mentions"""
    tag: NotRequired[TextContentTag]
    """How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message
    without a template"""
    filename: NotRequired[str]
    """The shown name: the name of a file alone, without folders"""
    thumbnail: NotRequired[Thumbnail]
    """A picture of the first page, which is shown small, if the network has that; one of `mediaUrl` and `mediaHandle`
    """


RouteContent = Literal["content", "template"]


class RouteCost(Model):
    """By today's price list; null if the network charges nothing"""

    category: str
    """The network's category"""
    currency: str
    """ISO 4217"""
    amount_micros: Optional[int]
    """Millionths of the currency; null if no price is known"""


class RouteWay(Model):
    phone_id: str
    """The phone that sends"""
    by: Union[RouteContent, str]
    """Whether `content` or `template` is sent"""
    cost: Optional[RouteCost]
    """The network's charge; null if no price is known"""
    is_open_chat: bool
    """True: a chat with the person is open on this phone"""


UnableReason = Literal[
    "NOT_CONNECTED",
    "RESTRICTED",
    "RECIPIENT_INVALID",
    "CONTENT_UNSUPPORTED",
    "TEMPLATE_NOT_APPROVED",
    "ANSWER_WINDOW_CLOSED",
]


class UnablePhone(Model):
    phone_id: str
    """The phone that cannot send"""
    reason: Union[UnableReason, str]
    """Why the phone cannot send"""


class DryRunCheapest(Model):
    dry_run: Literal[True]
    """Nothing was done"""
    chosen: RouteWay
    """The phone that sends, with its price"""
    fallback_phone_id: Optional[str]
    """The phone of the fallback; null without one"""
    others: List[RouteWay]
    """Phones that could send it too, cheapest first"""
    unable: List[UnablePhone]
    """Phones that cannot send the message, and why"""


class DryRunCost(Model):
    """Today's price of the message, by the price list"""

    is_charged: bool
    """False if the network does not charge for messages"""
    category: str
    """The network's category of the message"""
    currency: str
    """The currency of the amount, by ISO 4217"""
    amount_micros: Optional[int]
    """Millionths of the currency; null if no price is known"""


class DryRunMessage(Model):
    dry_run: Literal[True]
    """Nothing was done"""
    to: str
    """The recipient as the channel addresses it"""
    is_repeat: bool
    """A message was accepted with this `idempotencyKey`; it would not be sent again"""
    cost: Optional[DryRunCost]
    """The price of the message; null if nothing reaches a network, and for groups"""


class DryRunTemplate(Model):
    dry_run: Literal[True]
    """Nothing was done"""
    action: Literal["submit", "submit-again", "edit", "nothing"]
    """The request to the network; `submit-again` is for a template that it has refused"""
    name: str
    """The template's name on the network"""
    language: str
    """A language code, such as pt_BR"""


class EditMessageRequest(TypedDict):
    phone_id: str
    """The phone that the message went through"""
    text: str
    """The new text; 1 to 4,096 characters"""


class EmbeddedSignupRequestSync(TypedDict):
    contacts: NotRequired[bool]
    """Whether the app's contacts are requested; false by default"""
    history: NotRequired[bool]
    """Whether the app's history is requested; false by default"""


class EmbeddedSignupRequest(TypedDict):
    code: str
    """The code that the sign-up gave"""
    state: NotRequired[str]
    """The `state` of a sign-up that this account began within a day"""
    waba_id: str
    """The network's id of the business account that the sign-up granted"""
    phone_number_id: NotRequired[str]
    """must be an id of the upstream"""
    label: NotRequired[str]
    """A name for the account's own people"""
    pin: NotRequired[str]
    """The 6 digits of the number's two-step verification"""
    permitir_dedicado: NotRequired[bool]
    """Accepts a number without coexistence; false by default"""
    sync: NotRequired[EmbeddedSignupRequestSync]
    """The data that the business app sends of its past; only for coexistence"""
    webhook: NotRequired[PhoneWebhook]
    """Where the phone's events go"""


class Registration(Model):
    ok: bool
    """Whether the number can send"""
    coexistence: bool
    """Whether the owner's business app goes on with the number"""
    reconnected: bool
    """Whether the phone was known here before"""
    platform_type: Optional[str]
    """The number's earlier place, in the network's word; null if unknown"""
    reason: Optional[Union[Literal["ALREADY_ON_OFFICIAL_API", "COEXISTENT", "RECONNECTED", "PIN_REJECTED", "VERIFICATION_REQUIRED", "REGISTER_FAILED"], str]]
    """Why it was not registered, or did not need it; null otherwise"""
    pin: Optional[str] = None
    """The PIN that was made for the number; shown this once"""


class SyncPart(Model):
    ok: bool
    """Whether the network took the request"""
    flag_persisted: bool
    """Whether Recado has stored that the data was requested"""
    request_id: Optional[str]
    """The network's id of the request; null if no request was made"""


class SyncRequest(Model):
    contacts: SyncPart
    """False by default"""
    history: SyncPart
    """False by default"""


class EmbeddedSignupResult(Model):
    id: str
    """The phone's id"""
    account_id: str
    """The account that the phone belongs to"""
    type: PhoneType
    """The kind of phone, which decides what it can do"""
    label: str
    """A name for the account's own people"""
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    status: Union[PhoneStatus, str]
    """Whether the phone is connected"""
    webhook_url: Optional[str]
    """The phone's own webhook; null without one"""
    webhook_events: List[str]
    """Event types; empty means all"""
    shared_webhook_id: Optional[str]
    """The linked shared webhook; null without one"""
    disconnected_at: Optional[datetime]
    """When it was disconnected; null while it is connected"""
    state_reason: Optional[str]
    """Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is
    unknown"""
    state_since: Optional[datetime]
    """When the phone got its status; null before the first connection"""
    restriction: Optional[Restriction]
    """The network's current restriction of the phone; null without a restriction"""
    created_at: datetime
    """When the phone was created"""
    updated_at: datetime
    """When the phone last changed"""
    lid: Optional[str] = None
    """The account's own hidden id, by which groups mention it; absent before it is known"""
    proxy: Optional[str] = None
    """The proxy that a session connects through, without its user and password"""
    waba_phone_number_id: Optional[str] = None
    """The network's id of the number; null while unknown"""
    waba_business_account_id: Optional[str] = None
    """The network's id of the business account; null while unknown"""
    waba_throughput_level: Optional[str] = None
    """The speed at which the number may send, in the network's word; null until the network reports it"""
    waba_quality_rating: Optional[str] = None
    """GREEN, YELLOW or RED, as the network rates the number; null while it is not rated"""
    waba_messaging_limit: Optional[str] = None
    """How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown"""
    waba_username: Optional[str] = None
    """The username of the business on the network; null without one"""
    waba_can_send: Optional[str] = None
    """The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it"""
    waba_send_problem: Optional[SendProblem] = None
    """Why the network refuses to send; null if it does not"""
    waba_webhook_configured: Optional[bool] = None
    """Whether the network sends us the number's events"""
    waba_coexistence: Optional[bool] = None
    """Whether the owner's business app goes on with the number"""
    waba_contacts_sync_at: Optional[datetime] = None
    """When the app's contacts were requested; null before"""
    waba_history_sync_at: Optional[datetime] = None
    """When the app's history was requested; null before"""
    ig_user_id: Optional[str] = None
    """The account's id; null for other types"""
    ig_username: Optional[str] = None
    """The account's username; null for other types"""
    ig_account_type: Optional[str] = None
    """The kind of account, in the network's word; null for other types"""
    ig_token_expires_at: Optional[datetime] = None
    """When the account's consent ends; null for other types, and if the end is not known"""
    ig_webhook_configured: Optional[bool] = None
    """Whether the network sends us the account's events"""
    registration: Registration
    """The network's answer when the number was registered"""
    sync: SyncRequest
    """The progress of the requests to the business app"""


class EnqueuedChatChange(Model):
    status: Union[Literal["enqueued"], str]
    """The phone's app shows it soon"""


class EnqueuedOperation(Model):
    status: Union[Literal["enqueued"], str]
    """The operation is sent soon"""


class EnqueuedPermissionRequest(Model):
    message_id: str
    """The message that asks the person"""
    status: Union[Literal["enqueued"], str]
    """The message is sent soon"""


class EnqueuedRetry(Model):
    id: str
    """The webhook's id"""
    status: Union[Literal["enqueued"], str]
    """The waiting deliveries are tried soon"""


class EntryPoint(Model):
    """The entry that the person tapped to open the chat, in the network's words"""

    source: str
    """Where the person found the chat, in the network's word"""
    app: Optional[str] = None
    """The app that the person came from"""


class Erasure(Model):
    id: str
    """The erasure's id"""
    status: Union[Literal["RUNNING", "DONE"], str]
    """DONE: everything is erased"""
    person: str
    """A keyed hash of the person, as the audit log names them"""
    account_id: Optional[str]
    """The account whose data is erased; null means every account"""
    rows: int
    """Rows erased or changed so far"""
    created_at: datetime
    """When the erasure was requested"""
    finished_at: Optional[datetime]
    """When it ended; null before"""


ErrorCode = Literal[
    "ACCOUNT_INACTIVE",
    "ACCOUNT_NOT_FOUND",
    "ACCOUNT_SUSPENDED",
    "ADAPTER_MISSING",
    "ADMIN_DISABLED",
    "ADMIN_FORBIDDEN",
    "AGENT_NOT_FOUND",
    "AI_BAD_OUTPUT",
    "AI_PROVIDER_ERROR",
    "ALERTS_NOT_CONFIGURED",
    "ALREADY_CONNECTED",
    "ALREADY_DELIVERED",
    "ALREADY_EXISTS",
    "API_KEY_NOT_FOUND",
    "AUTH_EXPIRED",
    "AUTH_INVALID",
    "AUTH_MISSING",
    "AUTH_REVOKED",
    "BATCH_FINISHED",
    "BATCH_LIMIT_REACHED",
    "BATCH_NOT_FOUND",
    "BATCH_TOO_LARGE",
    "CALL_INVALID_STATE",
    "CALL_NOT_FOUND",
    "CANNED_REPLY_EXISTS",
    "CANNED_REPLY_NOT_FOUND",
    "CAPTION_TOO_LARGE",
    "COEXISTENCE_EXPECTED",
    "CONSOLE_OFF",
    "CONTACT_NOT_FOUND",
    "CONVERSATION_CLOSED",
    "CONVERSATION_NOT_FOUND",
    "CONVERSATION_OPEN",
    "CPF_CNPJ_REQUIRED",
    "CREDENTIALS_MISMATCH",
    "CREDENTIALS_NOT_APPLICABLE",
    "DELIVERY_NOT_FOUND",
    "DOC_LIMIT_REACHED",
    "DOC_NOT_FOUND",
    "EMAIL_NOT_VERIFIED",
    "EMPTY_BATCH",
    "ERASURE_NOT_FOUND",
    "FK_VIOLATION",
    "FLOW_ENDPOINT_FAILED",
    "FLOW_NOT_FOUND",
    "FLOW_NOT_SYNCED",
    "FLOW_UNREADABLE",
    "FORBIDDEN",
    "FORBIDDEN_PERMISSION",
    "GROUP_NOT_FOUND",
    "GROUP_SUSPENDED",
    "HANDSHAKE_REFUSED",
    "IDEMPOTENCY_ANSWER_LOST",
    "IDEMPOTENCY_IN_PROGRESS",
    "IDEMPOTENCY_KEY_REUSED",
    "IDENTITY_NOT_FOUND",
    "IG_CREDS_MISSING",
    "IG_NOT_CONFIGURED",
    "INTERNAL_ERROR",
    "INVALID_JID",
    "INVALID_TO",
    "INVALID_TOKEN",
    "INVITATION_LIMIT_REACHED",
    "INVOICE_NOT_FOUND",
    "INVOICE_NOT_OPEN",
    "JOIN_REFUSED",
    "KEYPAIR_INVALID",
    "KEY_ADDRESS_FORBIDDEN",
    "KEY_SCOPE_MISSING",
    "LAST_MEMBER",
    "LAST_OPERATOR",
    "LAST_OWNER",
    "LINK_NOT_FOUND",
    "LLM_BUDGET_EXHAUSTED",
    "LLM_KEY_REQUIRED",
    "LOOKUP_UNSUPPORTED_CHANNEL",
    "MAIL_NOT_CONFIGURED",
    "MEDIA_DELETED",
    "MEDIA_EXPIRED",
    "MEDIA_NOT_FOUND",
    "MESSAGE_KEY_NOT_FOUND",
    "MESSAGE_NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "MISSING_PHONE_ID",
    "NOT_FOUND",
    "NO_INSTITUTION",
    "NO_PHONE_CAN_SEND",
    "NO_PUBLIC_KEY",
    "OPERATOR_NOT_FOUND",
    "OVERLOADED",
    "PAIRING_IN_PROGRESS",
    "PAIRING_NOT_APPLICABLE",
    "PAIRING_NOT_READY",
    "PASSKEY_NOT_FOUND",
    "PASSKEY_NOT_REQUESTED",
    "PASSKEY_REFUSED",
    "PASSKEY_UNUSABLE",
    "PAYLOAD_TOO_LARGE",
    "PHONE_ALREADY_LINKED",
    "PHONE_NOT_CONNECTED",
    "PHONE_NOT_FOUND",
    "PLAN_LIMIT_EXCEEDED",
    "PLAN_NOT_FOUND",
    "PROCESSOR_CONNECTION_ERROR",
    "PROCESSOR_NOT_CONFIGURED",
    "PROXY_UNREACHABLE",
    "QR_NOT_APPLICABLE",
    "QR_NOT_READY",
    "QUOTED_KEY_INVALID",
    "RATE_LIMITED",
    "REAUTHENTICATION_NEEDED",
    "RECIPIENT_OPTED_OUT",
    "RECORDING_EMPTY",
    "RECORDING_NOT_FOUND",
    "REQUEST_TIMEOUT",
    "SCHEDULED_NOT_FOUND",
    "SCHEDULED_NOT_PENDING",
    "SCHEDULE_QUOTA_EXCEEDED",
    "SCHEDULE_TOO_SOON",
    "SECOND_STEP_MISSING",
    "SECOND_STEP_REFUSED",
    "SECOND_STEP_REQUIRED",
    "SESSION_NOT_FOUND",
    "SIGNATURE_INVALID",
    "STORAGE_FULL",
    "STORAGE_QUOTA_EXCEEDED",
    "TASK_NOT_FOUND",
    "TEMPLATE_NOT_APPROVED",
    "TEMPLATE_NOT_FOUND",
    "TEMPLATE_NOT_SUBMITTED",
    "TEMPLATE_NOT_SUPPORTED_SESSION",
    "THREAD_HELD",
    "THREAD_ROLE_REFUSED",
    "TOOL_NOT_FOUND",
    "TRIAL_RUN_NOT_FOUND",
    "UNSUPPORTED_TYPE",
    "UPSTREAM_APP_ID_MISSING",
    "UPSTREAM_APP_NOT_CONFIGURED",
    "UPSTREAM_BAD_REQUEST",
    "UPSTREAM_NO_CALL_ID",
    "UPSTREAM_UNAVAILABLE",
    "UPSTREAM_UNSUPPORTED",
    "URI_TOO_LONG",
    "USER_NOT_FOUND",
    "VALIDATION_ERROR",
    "WABA_CREDENTIALS_REQUIRED",
    "WABA_CREDS_INCOMPLETE",
    "WABA_CREDS_MISSING",
    "WABA_TOKEN_INVALID",
    "WEBHOOK_NOT_FOUND",
]


class ErrorInfo(Model):
    code: Union[ErrorCode, str]
    """The failure, as a word"""
    message: str
    """The failure, for people; the words may change"""
    details: Dict[str, Any]
    """More about the refusal; its fields depend on `code`"""


class Error(Model):
    error: ErrorInfo
    """Why the request was refused"""


class EstimateCostRequestTemplate(TypedDict):
    name: str
    """A template of the phone"""
    language: NotRequired[str]
    """A language code, such as pt_BR"""


class EstimateCostRequest(TypedDict):
    phone_id: str
    """The phone that would send"""
    to: List[str]
    """Numbers of the recipients"""
    template: NotRequired[EstimateCostRequestTemplate]
    """The template that would be sent"""


EventResponse = Literal["going", "maybe", "not_going"]


class EventAnswer(Model):
    message_id: str
    """The message with the event"""
    response: Union[EventResponse, str]
    """The person's answer"""
    extra_guests: int
    """How many people come along"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who did this; absent if the network does not say it"""


EventApi = Literal["gateway", "platform", "cloud", "evolution", "waha", "chatwoot"]


class EventLocation(TypedDict):
    name: NotRequired[str]
    """The name of the place"""
    address: NotRequired[str]
    """The postal address of the place"""
    latitude: NotRequired[float]
    """Degrees north of the equator"""
    longitude: NotRequired[float]
    """Degrees east of Greenwich"""


class EventContent(TypedDict):
    name: str
    """The name of the event; 1 to 255 characters"""
    description: NotRequired[str]
    """What happens there"""
    starts_at: Union[datetime, str]
    """When it begins"""
    ends_at: NotRequired[Union[datetime, str]]
    """When it ends; later than it begins"""
    location: NotRequired[EventLocation]
    """Where it takes place"""
    call_link: NotRequired[str]
    """Where people join it from afar"""
    extra_guests_allowed: NotRequired[bool]
    """Whether people may bring others; false by default"""


EventStatus = Literal["PENDING", "DELIVERED", "DEAD", "NONE"]


class Referral(Model):
    """The advertisement, post or link that led the person here"""

    source_url: Optional[str] = None
    """The post or advertisement that led here"""
    source_id: Optional[str] = None
    """The network's id of the post or advertisement"""
    source_type: Optional[str] = None
    """The kind of source, such as ad, post or link"""
    headline: Optional[str] = None
    """The title of the advertisement"""
    body: Optional[str] = None
    """The text of the advertisement"""
    media_type: Optional[str] = None
    """The kind of its media: an image or a video"""
    image_url: Optional[str] = None
    """The address of the advertisement's image"""
    video_url: Optional[str] = None
    """The address of the advertisement's video"""
    thumbnail_url: Optional[str] = None
    """The preview of its video"""
    ctwa_clid: Optional[str] = None
    """The network's id of the click"""
    ref: Optional[str] = None
    """The business's own word in the link or advertisement"""
    welcome_text: Optional[str] = None
    """The text that greeted the person"""


class ReferredProduct(Model):
    """The product that the person asks about"""

    catalog_id: Optional[str]
    """The network's id of the catalogue; null if it names none"""
    product_id: str
    """The seller's id of the product"""


class Mention(Model):
    """A person whom the message names"""

    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    lid: Optional[str]
    """The hidden id; null if unknown"""
    is_me: bool
    """Whether it is this phone"""


class GroupMention(Model):
    """A group that the message names"""

    id: str
    """The chat address of the group"""
    name: Optional[str] = None
    """The name of the group, as the message has it"""


class QuotedMessage(Model):
    """The message that is answered, if Recado does not know it"""

    id: str
    """The network's id of the quoted message"""
    text: Optional[str] = None
    """The beginning of the quoted message"""


class Story(Model):
    """A story that the message belongs to"""

    relation: Union[Literal["reply", "mention"], str]
    """`reply` answers the story; `mention` is the person's story, which names the account"""
    id: Optional[str] = None
    """The network's id of the story; absent if it names none"""
    url: Optional[str] = None
    """Where the network shows the story, until the story ends after a day"""


class HdOf(Model):
    """The message that came before with the same file in lower quality"""

    id: str
    """The network's id of that message"""


class Topic(Model):
    """A part of a group's chat with a name of its own"""

    id: str
    """The network's id of the topic, as the address of its chat ends with it"""
    name: Optional[str] = None
    """The name of the topic; absent where the message does not bring it"""


class ReceivedLinkPreview(Model):
    url: str
    """The address in the text"""
    title: Optional[str] = None
    """The title of the page"""
    description: Optional[str] = None
    """What the page says of itself"""


class ReceivedText(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    text: str
    """The text of the message"""
    link_preview: Optional[ReceivedLinkPreview] = None
    """The preview of a link, as its sender made it"""


class ReceivedTextMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["text"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedText
    """The content of the message"""


class ReceivedFile(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    caption: Optional[str] = None
    """The text below the file; absent without one"""
    mime_type: str
    """The media type of the file"""
    filename: Optional[str] = None
    """The name of the file, as the sender gave it"""
    voice: Optional[bool] = None
    """Recorded as a voice note"""
    animated: Optional[bool] = None
    """True for a sticker that moves"""
    view_once: Optional[bool] = None
    """True for a file that its sender wants to be opened once"""
    video_note: Optional[bool] = None
    """True for a round video note"""
    gif_playback: Optional[bool] = None
    """True for a film that plays as a GIF"""


class ReceivedMedia(Model):
    media_id: str
    """The file, as `GET /v1/media/{id}` answers it"""
    content_type: str
    """The media type of the file"""
    size_bytes: int
    """The size of the file in bytes"""
    filename: Optional[str]
    """The shown name; null if none is known"""
    download_url: str
    """Leads to the file, with the API key"""
    expires_at: datetime
    """When the file is deleted"""


MediaFailure = Literal["TOO_LARGE", "GONE", "REFUSED", "INVALID", "UNAVAILABLE", "STORAGE_QUOTA_EXCEEDED"]


class MissingMedia(Model):
    download_url: None
    """Always null: there is no file to get"""
    error: Optional[Union[MediaFailure, str]] = None
    """Why there is no file; absent while it waits for good credentials, and for messages of long ago"""


if TYPE_CHECKING:
    ReceivedFileMessageMedia = Union[ReceivedMedia, MissingMedia]
else:
    ReceivedFileMessageMedia = one_of(ReceivedMedia, MissingMedia)


class ReceivedFileMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["image", "video", "audio", "document", "sticker"]
    """The kind of file"""
    content: ReceivedFile
    """The caption and details of the message's file"""
    media: ReceivedFileMessageMedia
    """The stored file, or why it is missing"""


class ReceivedLocation(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    latitude: float
    """Degrees north of the equator, -90 to 90"""
    longitude: float
    """Degrees east of Greenwich, -180 to 180"""
    name: Optional[str] = None
    """The name of the place"""
    address: Optional[str] = None
    """The postal address of the place"""
    url: Optional[str] = None
    """A page about the place"""
    live: Optional[Literal[True]] = None
    """True: where the person was when they began to show where they go. What follows does not come"""


class ReceivedLocationMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["location"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedLocation
    """The content of the message"""


class ReceivedContacts(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    contacts: List[Any]
    """The cards, in the form of the network"""


class ReceivedContactMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["contact"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedContacts
    """The content of the message"""


class ReceivedReply(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    selected_id: str
    """The `id` of the button or row that was chosen"""
    text: str
    """The text of the button or row"""
    description: Optional[str] = None
    """The second line of the row; absent without one"""


class ReceivedReplyMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["button_reply"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedReply
    """The content of the message"""


class ReceivedForm(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    name: str
    """The kind of form"""
    text: Optional[str] = None
    """The text that the message shows of the form"""
    response: Any
    """The entered data; as text if it is not JSON"""


class ReceivedFormMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["flow_reply"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedForm
    """The content of the message"""


class ReceivedOrderItem(Model):
    product_id: str
    """The seller's id of the product"""
    quantity: Optional[float]
    """How many pieces; null if the network does not say it"""
    price: Optional[float]
    """The price of one piece; null if none was given"""
    currency: Optional[str]
    """The currency of the price; null if none was given"""


class ReceivedOrder(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    catalog_id: Optional[str]
    """The network's id of the catalogue; null if it names none"""
    order_id: Optional[str] = None
    """The network's id of the order"""
    order_token: Optional[str] = None
    """What `GET /v1/phones/{id}/orders/{orderId}` wants to read the order's products"""
    text: Optional[str] = None
    """The text that the person wrote with the order"""
    items: List[ReceivedOrderItem]
    """The ordered products"""


class ReceivedOrderMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["order"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedOrder
    """The content of the message"""


class ReceivedCallPermission(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    response: Literal["accept", "reject"]
    """Whether the person allows calls"""
    is_permanent: bool
    """Whether the permission has no end"""
    expires_at: Optional[str]
    """When the permission ends; null for a permission without an end"""
    source: Optional[str] = None
    """The person's answer, in the network's word"""


class ReceivedCallPermissionMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["call_permission_reply"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedCallPermission
    """The content of the message"""


class ReceivedPoll(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    question: str
    """The question of the poll"""
    options: List[str]
    """The answers that can be chosen"""
    max_selections: int
    """How many options each person may choose"""


class ReceivedPollMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["poll"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedPoll
    """The content of the message"""


class EventPlace(Model):
    """The place of a calendar event"""

    name: Optional[str] = None
    """The name of the place"""
    address: Optional[str] = None
    """The postal address of the place"""
    latitude: Optional[float] = None
    """Degrees north of the equator"""
    longitude: Optional[float] = None
    """Degrees east of Greenwich"""


class ReceivedCalendarEntry(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    name: str
    """The name of the event"""
    description: Optional[str] = None
    """What happens there"""
    starts_at: datetime
    """When it begins"""
    ends_at: Optional[datetime] = None
    """When it ends; absent if it says none"""
    location: Optional[EventPlace] = None
    """Where it takes place; absent if it says none"""
    call_link: Optional[str] = None
    """Where people join it from afar; absent without a call"""
    extra_guests_allowed: Optional[bool] = None
    """Whether people may bring others"""
    is_canceled: Optional[bool] = None
    """Whether it was called off"""


class ReceivedEventMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["event"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedCalendarEntry
    """The content of the message"""


class ReceivedNumberRequest(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""


class ReceivedNumberRequestMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["phone_number_request"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedNumberRequest
    """The content of the message"""


class ReceivedNumber(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    phone_number: Optional[str]
    """Digits; null if the network does not name it here"""


class ReceivedNumberMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["phone_number_share"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedNumber
    """The content of the message"""


class ReceivedPaymentMethod(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    reference_id: str
    """The `referenceId` of the order"""
    credential_id: Optional[str]
    """The card that the person chose; null for other methods"""
    last_four_digits: Optional[str]
    """The end of the card's number; null for other methods"""


class ReceivedPaymentMethodMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["payment_method"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedPaymentMethod
    """The content of the message"""


class ReceivedWelcomeRequest(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""


class ReceivedWelcomeRequestMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["request_welcome"]
    """The type of the message, which decides what `content` has"""
    content: ReceivedWelcomeRequest
    """The content of the message"""


class ReceivedError(Model):
    code: float
    """The network's own number"""
    title: str
    """The network's short name of the failure"""
    details: Optional[str] = None
    """More about the failure, in the network's words"""


class UnsupportedContent(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    original_type: str
    """The network's name of the type"""
    url: Optional[str] = None
    """Where the network shows the message, for a while, or where the message leads"""
    title: Optional[str] = None
    """A description of the message, in a few words"""
    text: Optional[str] = None
    """The words that can be read in it"""
    errors: Optional[List[ReceivedError]] = None
    """Why the network did not pass it on"""


class ReceivedUnsupportedMessage(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""
    type: Literal["unsupported"]
    """The type of the message, which decides what `content` has"""
    content: UnsupportedContent
    """The content of the message"""


class MessageStatusError(Model):
    code: int
    """The network's number of the failure"""
    title: str
    """The network's short name of the failure"""
    message: str
    """The network's text"""


class MessagePrice(Model):
    amount_micros: int
    """The amount in millionths of the currency"""
    currency: str
    """The currency, as ISO 4217 has it"""


class MessageStatusChange(Model):
    message_id: str
    """The message whose status changed"""
    status: Literal["sent", "delivered", "read", "failed", "deleted"]
    """It moves only forward; failed is final"""
    timestamp: datetime
    """When it happened, as the network says"""
    to: Peer
    """The person who gets the message"""
    errors: Optional[List[MessageStatusError]] = None
    """Why it failed"""
    quote_dropped: Optional[bool] = None
    """Sent without its quote"""
    sent_as: Optional[Literal["text"]] = None
    """`text`: the network refused the buttons, and the message went out as a text with numbered options; absent
    otherwise"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""


class ReadWatermark(Model):
    status: Literal["read"]
    """Always `read`"""
    watermark: datetime
    """All messages before this time were read"""
    from_: Peer = Field(alias="from")
    """The person who read"""


class MessageReaction(Model):
    message_id: str
    """The message that the reaction is about"""
    emoji: str
    """Empty if the reaction was removed"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who did this; absent if the network does not say it"""


class MessageEdit(Model):
    message_id: str
    """The message that was changed"""
    text: str
    """The new text"""
    edited_at: datetime
    """When the text was changed"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who did this; absent if the network does not say it"""


TranscriptionFailure = Literal[
    "TOO_LONG",
    "UNSUPPORTED_TYPE",
    "SILENT",
    "FILE_GONE",
    "NO_PROVIDER",
    "BUDGET_EXHAUSTED",
    "REFUSED",
    "UNAVAILABLE",
]


class MessageTranscript(Model):
    message_id: str
    """The voice note, as in its message:received"""
    conversation_id: Optional[str]
    """The chat of the note; null if none is known"""
    text: Optional[str]
    """What the note says, as its sender's words; null if it could not be transcribed"""
    reason: Optional[Union[TranscriptionFailure, str]]
    """Why it could not be transcribed; null with a text"""
    detail: Optional[str]
    """The same in the provider's words; null without any"""
    seconds: Optional[int]
    """The length of the note; null if its file does not say it"""
    model: Optional[str]
    """The model that read it; null without a text"""
    timestamp: datetime
    """When it was transcribed, or given up"""
    from_: Peer = Field(alias="from")
    """The person who sent the note"""


class PollTotal(Model):
    option: str
    """The text of the option"""
    votes: int
    """How many chose it"""


class PollVote(Model):
    message_id: str
    """The message with the poll"""
    options: List[str]
    """The options that the person chose; empty if the vote was withdrawn"""
    totals: List[PollTotal]
    """How often each option was chosen"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who did this; absent if the network does not say it"""


class MessagePin(Model):
    message_id: str
    """The message that was pinned"""
    pinned: bool
    """Whether the message is pinned in its chat now"""
    until: Optional[datetime]
    """When the pin ends; null if the message is no longer pinned"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who did this; absent if the network does not say it"""


class MessageKeep(Model):
    message_id: str
    """The message that was kept"""
    kept: bool
    """Whether the message stays when the others of its chat disappear"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Optional[Peer] = Field(None, alias="from")
    """The person who did this; absent if the network does not say it"""


class PollResults(Model):
    message_id: str
    """The message with the poll"""
    totals: List[PollTotal]
    """How often each option was chosen"""
    is_closed: bool
    """Whether nobody can vote any more"""
    timestamp: datetime
    """When it happened, as the network says"""


OperationLimitOperation = Literal[
    "react",
    "edit",
    "delete",
    "read",
    "typing",
    "pin",
    "keep",
    "played",
    "vote",
    "respond",
    "star",
    "label",
    "delete-for-me",
    "forward",
]


class FailedOperation(Model):
    message_id: str
    """The message that the operation was about"""
    operation: Union[OperationLimitOperation, str]
    """The operation that failed"""
    code: str
    """An error code of this API"""
    reason: str
    """Why the network did not carry it out"""


FallbackOutcome = Literal["taken", "withheld", "refused"]


FallbackReason = Literal["lost", "restricted", "silent"]


class FallbackRefusal(Model):
    code: str
    """An error code of this API"""
    message: str
    """The same in words"""


class FallbackDecision(Model):
    message_id: str
    """The message that did not get through"""
    outcome: Union[FallbackOutcome, str]
    """taken: the template is sent; withheld: the first message may have arrived; refused: the template cannot be sent
    """
    reason: Optional[Union[FallbackReason, str]]
    """Why a template replaces the message; null if no reason is known"""
    may_have_arrived: bool
    """Whether the first message may still have arrived"""
    fallback_message_id: Optional[str]
    """The message with the template; null unless it is sent"""
    fallback_phone_id: str
    """The phone that the fallback names"""
    timestamp: datetime
    """When it happened, as the network says"""
    to: Peer
    """The person who gets the message"""
    error: Optional[FallbackRefusal]
    """Why no template was sent; null if nothing failed"""


ReceivedMessageType = Literal[
    "text",
    "image",
    "video",
    "audio",
    "document",
    "sticker",
    "location",
    "contact",
    "button_reply",
    "flow_reply",
    "order",
    "call_permission_reply",
    "poll",
    "event",
    "phone_number_request",
    "phone_number_share",
    "payment_method",
    "request_welcome",
    "unsupported",
]


if TYPE_CHECKING:
    ReceivedStatusContent = Union[
        ReceivedText,
        ReceivedFile,
        ReceivedLocation,
        ReceivedContacts,
        ReceivedReply,
        ReceivedForm,
        ReceivedOrder,
        ReceivedCallPermission,
        ReceivedPoll,
        ReceivedCalendarEntry,
        ReceivedNumberRequest,
        ReceivedNumber,
        ReceivedPaymentMethod,
        ReceivedWelcomeRequest,
        UnsupportedContent,
    ]
else:
    ReceivedStatusContent = one_of(
    ReceivedText,
    ReceivedFile,
    ReceivedLocation,
    ReceivedContacts,
    ReceivedReply,
    ReceivedForm,
    ReceivedOrder,
    ReceivedCallPermission,
    ReceivedPoll,
    ReceivedCalendarEntry,
    ReceivedNumberRequest,
    ReceivedNumber,
    ReceivedPaymentMethod,
    ReceivedWelcomeRequest,
    UnsupportedContent,
)


class ReceivedStatus(Model):
    type: Union[ReceivedMessageType, str]
    """The type of the content"""
    timestamp: datetime
    """When it happened, as the network says"""
    content: ReceivedStatusContent
    """The content of the message, by its type"""
    from_: Peer = Field(alias="from")
    """The person who posted the status"""
    push_name: Optional[str]
    """The name that the person chose; null if unknown"""


if TYPE_CHECKING:
    NewsletterPostContent = Union[
        ReceivedText,
        ReceivedFile,
        ReceivedLocation,
        ReceivedContacts,
        ReceivedReply,
        ReceivedForm,
        ReceivedOrder,
        ReceivedCallPermission,
        ReceivedPoll,
        ReceivedCalendarEntry,
        ReceivedNumberRequest,
        ReceivedNumber,
        ReceivedPaymentMethod,
        ReceivedWelcomeRequest,
        UnsupportedContent,
    ]
else:
    NewsletterPostContent = one_of(
    ReceivedText,
    ReceivedFile,
    ReceivedLocation,
    ReceivedContacts,
    ReceivedReply,
    ReceivedForm,
    ReceivedOrder,
    ReceivedCallPermission,
    ReceivedPoll,
    ReceivedCalendarEntry,
    ReceivedNumberRequest,
    ReceivedNumber,
    ReceivedPaymentMethod,
    ReceivedWelcomeRequest,
    UnsupportedContent,
)


class NewsletterPost(Model):
    newsletter_id: Optional[str]
    """The network's id of the newsletter; null if it names none"""
    type: Union[ReceivedMessageType, str]
    """The type of the content"""
    timestamp: datetime
    """When it happened, as the network says"""
    content: NewsletterPostContent
    """The content of the message, by its type"""


class MessageStar(Model):
    message_id: str
    """The message with the star"""
    starred: bool
    """Whether the message has a star now"""
    chat: Peer
    """The person or group of the chat"""
    timestamp: datetime
    """When it happened, as the network says"""


class LabelledMessage(Model):
    message_id: str
    """The message that got the label, or lost it"""
    label: ChangedLabel
    """Its name and color as they are now"""
    labelled: bool
    """Whether the message has the label now"""
    chat: Peer
    """The person or group of the chat"""
    timestamp: datetime
    """When it happened, as the network says"""


class MessageDeletedForMe(Model):
    message_id: str
    """The message that the phone's app no longer shows"""
    chat: Peer
    """The person or group of the chat"""
    timestamp: datetime
    """When it happened, as the network says"""


class MessageExpiry(Model):
    message_id: str
    """The message that its chat no longer shows"""
    chat: Peer
    """The person or group of the chat"""
    timestamp: datetime
    """When it happened, as the network says"""


class LabelChange(Model):
    label: ChangedLabel
    """The label as it is now; a deleted one as it was"""
    deleted: bool
    """Whether the label was deleted"""
    timestamp: datetime
    """When it happened, as the network says"""


class PhoneConnected(Model):
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""


class PhoneDisconnected(Model):
    reason: str
    """Why it is disconnected"""


class PhoneUnrestricted(Model):
    reason: str
    """The restriction that was lifted"""


class PairingHint(Model):
    """A hint for the person who links the phone; absent without a hint"""

    code: str
    """Such as SCAN_AGAIN or PASSKEY_REQUIRED"""
    en: str
    """The sentence in English"""
    pt: str
    """The sentence in Portuguese"""
    retry_at: Optional[datetime] = None
    """When trying again makes sense"""


class PhoneQrCode(Model):
    qr: str
    """The text of the code"""
    expires_at: datetime
    """The code can be scanned until this time"""
    hint: Optional[PairingHint] = None
    """The step that the owner has to take; absent if scanning is enough"""


class PasskeyRequired(Model):
    bridge_url: str
    """The page for the owner; a secret"""
    expires_at: datetime
    """The owner can confirm until this time"""
    hint: PairingHint
    """The step that the owner has to take"""


class MediaAvailable(Model):
    message_id: str
    """The message that has the file"""
    media_id: str
    """The file, as `GET /v1/media/{id}` answers it"""
    content_type: str
    """The media type of the file"""
    size_bytes: int
    """The size of the file in bytes"""
    filename: Optional[str]
    """The shown name; null if none is known"""
    download_url: str
    """Leads to the file, with the API key"""
    expires_at: datetime
    """When the file is deleted"""


class MediaFailed(Model):
    message_id: str
    """The message without its file, as in its message:received"""
    conversation_id: Optional[str]
    """The chat of the message; null if none is known"""
    chat: Peer
    """The person or group of the chat"""
    content_type: str
    """The media type that the network announced"""
    size_bytes: Optional[int]
    """The announced size; null if it names none"""
    filename: Optional[str]
    """The shown name; null if none is known"""
    error: Union[MediaFailure, str]
    """Why there is no file"""
    reason: str
    """The same in words"""
    timestamp: datetime
    """When it was given up"""


class MediaExpired(Model):
    media_id: str
    """The file that was deleted"""
    message_id: str
    """The message that had the file"""
    expired_at: datetime
    """When the file was deleted"""


ListedTemplateCategory = Literal["MARKETING", "UTILITY", "AUTHENTICATION", "UNKNOWN"]


TemplateStatus = Literal["DRAFT", "PENDING", "APPROVED", "REJECTED", "PAUSED"]


class TemplateStatusChange(Model):
    template_id: str
    """The template, as `GET /v1/templates/{id}` answers it"""
    name: str
    """The template's name on the network"""
    language: str
    """A language code, such as pt_BR"""
    category: Union[ListedTemplateCategory, str]
    """The network's category"""
    status: Union[TemplateStatus, str]
    """The network's decision"""
    rejection_reason: Optional[str]
    """Why the network rejected the template; null if it did not"""


class HistoryProgressed(Model):
    percent: float
    """How much the phone has sent"""
    imported: int
    """How many messages this piece had"""


class PhoneDelegation(Model):
    from_: Peer = Field(alias="from")
    """The person whose chats they are"""
    name: Optional[str]
    """The person's name; null if none is known"""
    connection_id: str
    """The connection, which ends the addresses of these chats"""
    is_active: bool
    """Whether the phone reads these chats now"""
    may_write: bool
    """Whether it may answer in them"""
    timestamp: datetime
    """When it happened, as the network says"""


class GroupLifecycle(Model):
    group_id: str
    """The group that changed"""
    upstream_group_id: str
    """The network's id of the group"""
    action: Literal["created", "deleted", "suspended", "unsuspended"]
    """What happened to the group"""


GroupJoinWay = Literal["invite-link", "community", "member"]


class GroupParticipantsChange(Model):
    group_id: str
    """The group that changed"""
    action: Literal["join", "leave", "remove", "promote", "demote"]
    """What happened to these people"""
    wa_ids: List[str]
    """Numbers or ids; at most 50"""
    way: Optional[Union[GroupJoinWay, str]] = None
    """How people came, or asked to come; absent if the network does not say"""
    by: Optional[str] = None
    """The person who did it; absent if unknown, or if the person did it alone"""


class GroupJoinRequestsChange(Model):
    group_id: str
    """The group that people want to join"""
    action: Literal["requested", "withdrawn", "rejected"]
    """What happened to the requests; approved people are in a group:participants event"""
    wa_ids: List[str]
    """The people who ask"""
    way: Optional[Union[GroupJoinWay, str]] = None
    """How people came, or asked to come; absent if the network does not say"""


class GroupMemberLabelChange(Model):
    group_id: str
    """The group in which the label counts"""
    wa_id: str
    """The member's number or id"""
    label: Optional[str]
    """The label from now on; null if it was removed"""


class GroupCommunityChange(Model):
    group_id: str
    """The group that changed"""
    action: Literal["linked", "unlinked"]
    """Whether the group belongs to the community from now on"""
    community_id: str
    """The network's id of the community"""


class GroupSettingsChange(Model):
    group_id: str
    """The group that changed"""
    subject: Optional[str] = None
    """The group's name"""
    description: Optional[str] = None
    """The new text of the group; absent if it did not change"""
    join_approval_mode: Optional[Union[GroupJoinMode, str]] = None
    """Whether administrators approve who joins"""
    rules: Optional[GroupRules] = None
    """The new rules of the group; absent if they did not change"""
    invite_link: Optional[str] = None
    """The new invite link; absent if it did not change"""
    by: Optional[str] = None
    """The person who did it; absent if unknown, or if the person did it alone"""


class GroupStatusChange(Model):
    group_id: str
    """The group that changed"""
    status: Literal["ACTIVE", "SUSPENDED"]
    """SUSPENDED: nothing can be sent to it"""
    suspended: bool
    """Whether the network has suspended it"""


class WebhookFailure(Model):
    event_id: str
    """The event that was not delivered"""
    event_type: str
    """The type of the event that was given up"""
    url: str
    """The address to which the delivery went"""
    attempts: int
    """How often delivery was tried"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""


NewsletterChangeType = Literal["followed", "unfollowed", "muted", "unmuted", "updated", "deleted"]


class NewsletterChange(Model):
    newsletter_id: str
    """The network's id of the newsletter"""
    change: Union[NewsletterChangeType, str]
    """What happened to it"""
    timestamp: datetime
    """When it happened"""
    name: Optional[str]
    """Its name; null if the network did not report it"""
    description: Optional[str]
    """Its description; null if the network did not report it"""


class NewsletterReactionCount(Model):
    emoji: str
    """The emoji of the reaction"""
    count: int
    """How many people reacted with it"""


class NewsletterPostCounts(Model):
    newsletter_id: str
    """The network's id of the newsletter"""
    server_id: str
    """The number of the post in its newsletter"""
    message_id: Optional[str]
    """The post, if it was sent from here; else null"""
    timestamp: datetime
    """When the network counted"""
    views: Optional[int]
    """How often it was seen; null if the network did not report it"""
    reactions: List[NewsletterReactionCount]
    """The reactions, counted by emoji; the network names nobody"""


if TYPE_CHECKING:
    EventDetailsData = Union[
        ReceivedTextMessage,
        ReceivedFileMessage,
        ReceivedLocationMessage,
        ReceivedContactMessage,
        ReceivedReplyMessage,
        ReceivedFormMessage,
        ReceivedOrderMessage,
        ReceivedCallPermissionMessage,
        ReceivedPollMessage,
        ReceivedEventMessage,
        ReceivedNumberRequestMessage,
        ReceivedNumberMessage,
        ReceivedPaymentMethodMessage,
        ReceivedWelcomeRequestMessage,
        ReceivedUnsupportedMessage,
        MessageStatusChange,
        ReadWatermark,
        MessageReaction,
        MessageEdit,
        MessageTranscript,
        PollVote,
        MessagePin,
        MessageKeep,
        EventAnswer,
        PollResults,
        FailedOperation,
        FallbackDecision,
        ReceivedStatus,
        NewsletterPost,
        MessageStar,
        LabelledMessage,
        MessageDeletedForMe,
        MessageExpiry,
        ChatChange,
        LabelledChat,
        FailedChatOperation,
        LabelChange,
        ChatUpdate,
        ChatAnswering,
        PhoneConnected,
        PhoneDisconnected,
        Restriction,
        PhoneUnrestricted,
        PhoneQrCode,
        PasskeyRequired,
        ClientExpiring,
        MediaAvailable,
        MediaFailed,
        MediaExpired,
        TemplateStatusChange,
        HistoryProgressed,
        ContactsSynced,
        ReceivedComment,
        ConversationHeld,
        ConversationReleased,
        PresenceChange,
        ContactOptOut,
        PhoneDelegation,
        ContactReach,
        ChatRenamed,
        AgentHandoff,
        AgentDocumentChange,
        AgentWorsened,
        AgentBudgetExhausted,
        GroupLifecycle,
        GroupParticipantsChange,
        GroupJoinRequestsChange,
        GroupMemberLabelChange,
        GroupCommunityChange,
        GroupSettingsChange,
        GroupStatusChange,
        InvoicePaid,
        InvoiceFailed,
        WebhookFailure,
        CallOffer,
        CallChange,
        NewsletterChange,
        NewsletterPostCounts,
    ]
else:
    EventDetailsData = one_of(
    ReceivedTextMessage,
    ReceivedFileMessage,
    ReceivedLocationMessage,
    ReceivedContactMessage,
    ReceivedReplyMessage,
    ReceivedFormMessage,
    ReceivedOrderMessage,
    ReceivedCallPermissionMessage,
    ReceivedPollMessage,
    ReceivedEventMessage,
    ReceivedNumberRequestMessage,
    ReceivedNumberMessage,
    ReceivedPaymentMethodMessage,
    ReceivedWelcomeRequestMessage,
    ReceivedUnsupportedMessage,
    MessageStatusChange,
    ReadWatermark,
    MessageReaction,
    MessageEdit,
    MessageTranscript,
    PollVote,
    MessagePin,
    MessageKeep,
    EventAnswer,
    PollResults,
    FailedOperation,
    FallbackDecision,
    ReceivedStatus,
    NewsletterPost,
    MessageStar,
    LabelledMessage,
    MessageDeletedForMe,
    MessageExpiry,
    ChatChange,
    LabelledChat,
    FailedChatOperation,
    LabelChange,
    ChatUpdate,
    ChatAnswering,
    PhoneConnected,
    PhoneDisconnected,
    Restriction,
    PhoneUnrestricted,
    PhoneQrCode,
    PasskeyRequired,
    ClientExpiring,
    MediaAvailable,
    MediaFailed,
    MediaExpired,
    TemplateStatusChange,
    HistoryProgressed,
    ContactsSynced,
    ReceivedComment,
    ConversationHeld,
    ConversationReleased,
    PresenceChange,
    ContactOptOut,
    PhoneDelegation,
    ContactReach,
    ChatRenamed,
    AgentHandoff,
    AgentDocumentChange,
    AgentWorsened,
    AgentBudgetExhausted,
    GroupLifecycle,
    GroupParticipantsChange,
    GroupJoinRequestsChange,
    GroupMemberLabelChange,
    GroupCommunityChange,
    GroupSettingsChange,
    GroupStatusChange,
    InvoicePaid,
    InvoiceFailed,
    WebhookFailure,
    CallOffer,
    CallChange,
    NewsletterChange,
    NewsletterPostCounts,
)


class EventDetails(Model):
    id: str
    """The event's id"""
    type: str
    """The event's type"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the account"""
    status: Union[EventStatus, str]
    """The progress of the event's deliveries"""
    attempts: int
    """How often delivery was tried"""
    next_retry_at: Optional[datetime]
    """When it is tried next; null if it is not tried again"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    created_at: datetime
    """When the event happened"""
    deliveries: List[Delivery]
    """The delivery to each webhook"""
    data: Union[EventDetailsData, Dict[str, Any]]
    """The data of its type, as in GatewayEvent"""


class EventEnvelope(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""


class Examination(Model):
    checked_at: datetime
    """When the checks ended"""
    took_ms: int
    """How long it took, in milliseconds"""
    ok: bool
    """Whether no check found a fault"""
    checks: List[DoctorCheck]
    """Every check with its result"""


class ExportSessionRequest(TypedDict):
    phone: str
    """The id of a phone, or a number that one phone has"""
    stop: NotRequired[bool]
    """Pause the phone first if it is connected"""


class ExportedSession(Model):
    id: str
    """The id of the phone"""
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    format: str
    """How the other program stores it"""
    session: str
    """The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential"""


FallbackStatus = Literal["WAITING", "TAKEN", "NOT_NEEDED", "WITHHELD", "REFUSED"]


class Fallback(Model):
    """The progress of the send's `fallback`; absent for a send without one"""

    phone_id: str
    """The phone that sends the template"""
    status: Union[FallbackStatus, str]
    """The progress of the fallback"""
    reason: Optional[Union[FallbackReason, str]]
    """Why a template replaces the message; null if no reason is known"""
    may_have_arrived: bool
    """Whether the first message may still have arrived"""
    message_id: Optional[str]
    """The message with the template; null before it is sent"""
    error: Optional[FallbackRefusal]
    """Why no template was sent; null if nothing failed"""
    decided_at: Optional[datetime]
    """When it was decided; null while it waits"""


class Flow(Model):
    id: str
    """The flow's id"""
    phone_id: str
    """The phone whose business account has the flow"""
    upstream_flow_id: Optional[str]
    """The network's id; null before it has one"""
    name: str
    """The account's name for the flow"""
    categories: List[str]
    """The purposes of the flow, in the network's words"""
    status: Union[Literal["DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"], str]
    """Only PUBLISHED is sent to everybody"""
    endpoint_url: Optional[str]
    """The account's HTTPS endpoint that answers the flow; null for a flow without data exchange"""
    validation_errors: List[Any]
    """The errors that the network finds in the JSON"""
    created_at: datetime
    """When the flow was created"""
    updated_at: datetime
    """When the flow last changed"""


class FlowPayload(TypedDict):
    screen: str
    """The screen that opens first"""
    data: NotRequired[Dict[str, Any]]
    """The data for the screen"""


class FlowContent(TypedDict):
    text: str
    """The text above the button"""
    footer: NotRequired[str]
    """A line of small print"""
    flow_id: str
    """The flow's id here or at the network"""
    flow_cta: str
    """The label of the button that opens the flow"""
    flow_action: NotRequired[Literal["navigate", "data_exchange"]]
    """The action of the button; `navigate` by default"""
    flow_token: NotRequired[str]
    """The value that comes back with the answer"""
    flow_action_payload: NotRequired[FlowPayload]
    """The first screen and its data"""
    flow_mode: NotRequired[Literal["published", "draft"]]
    """Whether the draft or the published flow opens; `published` by default"""


class FlowPage(Model):
    items: List[Flow]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class FlowsKeypair(Model):
    public_key: str
    """The public key in PEM"""
    uploaded_at: datetime
    """When the network got it"""


class LocalizedText(Model):
    en: str
    """In English"""
    pt: str
    """In Portuguese"""
    es: str
    """In Spanish"""


class FormChoice(Model):
    value: str
    """The value to send"""
    label: Optional[LocalizedText]
    """What people call the value; null: show the value"""


class FormField(Model):
    name: str
    """The name of the field in a request"""
    label: LocalizedText
    """What people call the field"""
    help: Optional[LocalizedText]
    """Where a person finds the value; null without such a text"""
    help_url: Optional[str]
    """The network's page about it; null without one"""
    is_secret: bool
    """Whether the value must not be readable on a screen"""
    is_required: bool
    """Whether the field must be there"""
    pattern: Optional[str]
    """The regular expression of the value; null for any text"""
    min_length: Optional[int]
    """The least number of characters; null without a limit"""
    max_length: Optional[int]
    """The greatest number of characters; null without a limit"""
    choices: Optional[List[FormChoice]]
    """The only values; null if the field is not a choice"""


class ForwardMessage(TypedDict):
    phone_id: NotRequired[str]
    """The phone of the message, which forwards it"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""


if TYPE_CHECKING:
    ReceivedMessage = Union[
        ReceivedTextMessage,
        ReceivedFileMessage,
        ReceivedLocationMessage,
        ReceivedContactMessage,
        ReceivedReplyMessage,
        ReceivedFormMessage,
        ReceivedOrderMessage,
        ReceivedCallPermissionMessage,
        ReceivedPollMessage,
        ReceivedEventMessage,
        ReceivedNumberRequestMessage,
        ReceivedNumberMessage,
        ReceivedPaymentMethodMessage,
        ReceivedWelcomeRequestMessage,
        ReceivedUnsupportedMessage,
        Other,
    ]
else:
    ReceivedMessage = tagged(
        "type",
        {
            "text": ReceivedTextMessage,
            "image": ReceivedFileMessage,
            "video": ReceivedFileMessage,
            "audio": ReceivedFileMessage,
            "document": ReceivedFileMessage,
            "sticker": ReceivedFileMessage,
            "location": ReceivedLocationMessage,
            "contact": ReceivedContactMessage,
            "button_reply": ReceivedReplyMessage,
            "flow_reply": ReceivedFormMessage,
            "order": ReceivedOrderMessage,
            "call_permission_reply": ReceivedCallPermissionMessage,
            "poll": ReceivedPollMessage,
            "event": ReceivedEventMessage,
            "phone_number_request": ReceivedNumberRequestMessage,
            "phone_number_share": ReceivedNumberMessage,
            "payment_method": ReceivedPaymentMethodMessage,
            "request_welcome": ReceivedWelcomeRequestMessage,
            "unsupported": ReceivedUnsupportedMessage,
        },
        Other,
    )


class MessageReceivedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:received"]
    """The type of the event, which decides what `data` has"""
    data: ReceivedMessage
    """What happened"""


class MessageStandbyEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:standby"]
    """The type of the event, which decides what `data` has"""
    data: ReceivedMessage
    """What happened"""


if TYPE_CHECKING:
    MessageStatusEventData = Union[MessageStatusChange, ReadWatermark]
else:
    MessageStatusEventData = one_of(MessageStatusChange, ReadWatermark)


class MessageStatusEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:status"]
    """The type of the event, which decides what `data` has"""
    data: MessageStatusEventData
    """What happened"""


class MessageReactionEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:reaction"]
    """The type of the event, which decides what `data` has"""
    data: MessageReaction
    """What happened"""


class MessageEditedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:edited"]
    """The type of the event, which decides what `data` has"""
    data: MessageEdit
    """What happened"""


class MessageTranscribedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:transcribed"]
    """The type of the event, which decides what `data` has"""
    data: MessageTranscript
    """What happened"""


class MessagePollVoteEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:poll-vote"]
    """The type of the event, which decides what `data` has"""
    data: PollVote
    """What happened"""


class MessagePinnedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:pinned"]
    """The type of the event, which decides what `data` has"""
    data: MessagePin
    """What happened"""


class MessageKeptEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:kept"]
    """The type of the event, which decides what `data` has"""
    data: MessageKeep
    """What happened"""


class MessageEventResponseEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:event-response"]
    """The type of the event, which decides what `data` has"""
    data: EventAnswer
    """What happened"""


class MessagePollResultsEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:poll-results"]
    """The type of the event, which decides what `data` has"""
    data: PollResults
    """What happened"""


class MessageOperationFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:operation_failed"]
    """The type of the event, which decides what `data` has"""
    data: FailedOperation
    """What happened"""


class MessageFallbackEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:fallback"]
    """The type of the event, which decides what `data` has"""
    data: FallbackDecision
    """What happened"""


class StatusReceivedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["status:received"]
    """The type of the event, which decides what `data` has"""
    data: ReceivedStatus
    """What happened"""


class NewsletterReceivedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["newsletter:received"]
    """The type of the event, which decides what `data` has"""
    data: NewsletterPost
    """What happened"""


class MessageStarredEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:starred"]
    """The type of the event, which decides what `data` has"""
    data: MessageStar
    """What happened"""


class MessageLabelledEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:labelled"]
    """The type of the event, which decides what `data` has"""
    data: LabelledMessage
    """What happened"""


class MessageDeletedForMeEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:deleted_for_me"]
    """The type of the event, which decides what `data` has"""
    data: MessageDeletedForMe
    """What happened"""


class MessageExpiredEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["message:expired"]
    """The type of the event, which decides what `data` has"""
    data: MessageExpiry
    """What happened"""


class LabelChangedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["label:changed"]
    """The type of the event, which decides what `data` has"""
    data: LabelChange
    """What happened"""


class PhoneConnectedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:connected"]
    """The type of the event, which decides what `data` has"""
    data: PhoneConnected
    """What happened"""


class PhoneDisconnectedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:disconnected"]
    """The type of the event, which decides what `data` has"""
    data: PhoneDisconnected
    """What happened"""


class PhoneRestrictedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:restricted"]
    """The type of the event, which decides what `data` has"""
    data: Restriction
    """What happened"""


class PhoneUnrestrictedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:unrestricted"]
    """The type of the event, which decides what `data` has"""
    data: PhoneUnrestricted
    """What happened"""


class PhoneQrcodeEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:qrcode"]
    """The type of the event, which decides what `data` has"""
    data: PhoneQrCode
    """What happened"""


class PhonePasskeyRequiredEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:passkey-required"]
    """The type of the event, which decides what `data` has"""
    data: PasskeyRequired
    """What happened"""


class PhoneClientExpiringEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:client-expiring"]
    """The type of the event, which decides what `data` has"""
    data: ClientExpiring
    """What happened"""


class MediaAvailableEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["media:available"]
    """The type of the event, which decides what `data` has"""
    data: MediaAvailable
    """What happened"""


class MediaFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["media:failed"]
    """The type of the event, which decides what `data` has"""
    data: MediaFailed
    """What happened"""


class MediaExpiredEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["media:expired"]
    """The type of the event, which decides what `data` has"""
    data: MediaExpired
    """What happened"""


class TemplateStatusEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["template:status"]
    """The type of the event, which decides what `data` has"""
    data: TemplateStatusChange
    """What happened"""


class HistoryProgressEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["history:progress"]
    """The type of the event, which decides what `data` has"""
    data: HistoryProgressed
    """What happened"""


class PhoneDelegatedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["channel:delegated"]
    """The type of the event, which decides what `data` has"""
    data: PhoneDelegation
    """What happened"""


class GroupLifecycleEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:lifecycle"]
    """The type of the event, which decides what `data` has"""
    data: GroupLifecycle
    """What happened"""


class GroupParticipantsEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:participants"]
    """The type of the event, which decides what `data` has"""
    data: GroupParticipantsChange
    """What happened"""


class GroupJoinRequestsEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:join-requests"]
    """The type of the event, which decides what `data` has"""
    data: GroupJoinRequestsChange
    """What happened"""


class GroupMemberLabelEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:member-label"]
    """The type of the event, which decides what `data` has"""
    data: GroupMemberLabelChange
    """What happened"""


class GroupCommunityEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:community"]
    """The type of the event, which decides what `data` has"""
    data: GroupCommunityChange
    """What happened"""


class GroupSettingsEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:settings"]
    """The type of the event, which decides what `data` has"""
    data: GroupSettingsChange
    """What happened"""


class GroupStatusEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["group:status"]
    """The type of the event, which decides what `data` has"""
    data: GroupStatusChange
    """What happened"""


class WebhookFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["webhook:failed"]
    """The type of the event, which decides what `data` has"""
    data: WebhookFailure
    """What happened"""


class NewsletterChangedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["newsletter:changed"]
    """The type of the event, which decides what `data` has"""
    data: NewsletterChange
    """What happened"""


class NewsletterCountsEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    account_id: str
    """The account that the event belongs to"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the whole account"""
    timestamp: datetime
    """When it was published"""
    type: Literal["newsletter:counts"]
    """The type of the event, which decides what `data` has"""
    data: NewsletterPostCounts
    """What happened"""


if TYPE_CHECKING:
    GatewayEvent = Union[
        MessageReceivedEvent,
        MessageStandbyEvent,
        MessageStatusEvent,
        MessageReactionEvent,
        MessageEditedEvent,
        MessageTranscribedEvent,
        MessagePollVoteEvent,
        MessagePinnedEvent,
        MessageKeptEvent,
        MessageEventResponseEvent,
        MessagePollResultsEvent,
        MessageOperationFailedEvent,
        MessageFallbackEvent,
        StatusReceivedEvent,
        NewsletterReceivedEvent,
        MessageStarredEvent,
        MessageLabelledEvent,
        MessageDeletedForMeEvent,
        MessageExpiredEvent,
        ChatChangedEvent,
        ChatLabelledEvent,
        ChatOperationFailedEvent,
        LabelChangedEvent,
        ChatUpdatedEvent,
        ChatAnsweringEvent,
        PhoneConnectedEvent,
        PhoneDisconnectedEvent,
        PhoneRestrictedEvent,
        PhoneUnrestrictedEvent,
        PhoneQrcodeEvent,
        PhonePasskeyRequiredEvent,
        PhoneClientExpiringEvent,
        MediaAvailableEvent,
        MediaFailedEvent,
        MediaExpiredEvent,
        TemplateStatusEvent,
        HistoryProgressEvent,
        ContactSyncedEvent,
        CommentReceivedEvent,
        ConversationHeldEvent,
        ConversationReleasedEvent,
        ContactPresenceEvent,
        ContactOptedOutEvent,
        ContactOptedInEvent,
        PhoneDelegatedEvent,
        ContactBlockedEvent,
        ContactUnblockedEvent,
        ChatRenamedEvent,
        AgentHandoffEvent,
        AgentDocumentEvent,
        AgentWorsenedEvent,
        AgentBudgetExhaustedEvent,
        GroupLifecycleEvent,
        GroupParticipantsEvent,
        GroupJoinRequestsEvent,
        GroupMemberLabelEvent,
        GroupCommunityEvent,
        GroupSettingsEvent,
        GroupStatusEvent,
        BillingInvoicePaidEvent,
        BillingInvoiceFailedEvent,
        WebhookFailedEvent,
        CallOfferEvent,
        CallRingingEvent,
        CallAcceptedEvent,
        CallInProgressEvent,
        CallCompletedEvent,
        CallRejectedEvent,
        CallMissedEvent,
        CallFailedEvent,
        NewsletterChangedEvent,
        NewsletterCountsEvent,
        OtherEvent,
    ]
else:
    GatewayEvent = tagged(
        "type",
        {
            "message:received": MessageReceivedEvent,
            "message:standby": MessageStandbyEvent,
            "message:status": MessageStatusEvent,
            "message:reaction": MessageReactionEvent,
            "message:edited": MessageEditedEvent,
            "message:transcribed": MessageTranscribedEvent,
            "message:poll-vote": MessagePollVoteEvent,
            "message:pinned": MessagePinnedEvent,
            "message:kept": MessageKeptEvent,
            "message:event-response": MessageEventResponseEvent,
            "message:poll-results": MessagePollResultsEvent,
            "message:operation_failed": MessageOperationFailedEvent,
            "message:fallback": MessageFallbackEvent,
            "status:received": StatusReceivedEvent,
            "newsletter:received": NewsletterReceivedEvent,
            "message:starred": MessageStarredEvent,
            "message:labelled": MessageLabelledEvent,
            "message:deleted_for_me": MessageDeletedForMeEvent,
            "message:expired": MessageExpiredEvent,
            "chat:changed": ChatChangedEvent,
            "chat:labelled": ChatLabelledEvent,
            "chat:operation_failed": ChatOperationFailedEvent,
            "label:changed": LabelChangedEvent,
            "chat:updated": ChatUpdatedEvent,
            "chat:answering": ChatAnsweringEvent,
            "channel:connected": PhoneConnectedEvent,
            "channel:disconnected": PhoneDisconnectedEvent,
            "channel:restricted": PhoneRestrictedEvent,
            "channel:unrestricted": PhoneUnrestrictedEvent,
            "channel:qrcode": PhoneQrcodeEvent,
            "channel:passkey-required": PhonePasskeyRequiredEvent,
            "channel:client-expiring": PhoneClientExpiringEvent,
            "media:available": MediaAvailableEvent,
            "media:failed": MediaFailedEvent,
            "media:expired": MediaExpiredEvent,
            "template:status": TemplateStatusEvent,
            "history:progress": HistoryProgressEvent,
            "contact:synced": ContactSyncedEvent,
            "comment:received": CommentReceivedEvent,
            "conversation:held": ConversationHeldEvent,
            "conversation:released": ConversationReleasedEvent,
            "contact:presence": ContactPresenceEvent,
            "contact:opted-out": ContactOptedOutEvent,
            "contact:opted-in": ContactOptedInEvent,
            "channel:delegated": PhoneDelegatedEvent,
            "contact:blocked": ContactBlockedEvent,
            "contact:unblocked": ContactUnblockedEvent,
            "chat:renamed": ChatRenamedEvent,
            "agent:handoff": AgentHandoffEvent,
            "agent:document": AgentDocumentEvent,
            "agent:worsened": AgentWorsenedEvent,
            "agent:budget_exhausted": AgentBudgetExhaustedEvent,
            "group:lifecycle": GroupLifecycleEvent,
            "group:participants": GroupParticipantsEvent,
            "group:join-requests": GroupJoinRequestsEvent,
            "group:member-label": GroupMemberLabelEvent,
            "group:community": GroupCommunityEvent,
            "group:settings": GroupSettingsEvent,
            "group:status": GroupStatusEvent,
            "billing:invoice.paid": BillingInvoicePaidEvent,
            "billing:invoice.failed": BillingInvoiceFailedEvent,
            "webhook:failed": WebhookFailedEvent,
            "call:offer": CallOfferEvent,
            "call:ringing": CallRingingEvent,
            "call:accepted": CallAcceptedEvent,
            "call:in_progress": CallInProgressEvent,
            "call:completed": CallCompletedEvent,
            "call:rejected": CallRejectedEvent,
            "call:missed": CallMissedEvent,
            "call:failed": CallFailedEvent,
            "newsletter:changed": NewsletterChangedEvent,
            "newsletter:counts": NewsletterCountsEvent,
        },
        OtherEvent,
    )


class MessageCounts(Model):
    sent: int
    """Messages that were sent"""
    received: int
    """Messages of other people"""


class GetUsageResultBreakdown(Model):
    session: MessageCounts = Field(alias="SESSION")
    """The messages of phones of the type SESSION"""
    waba: ChargedCounts = Field(alias="WABA")
    """The messages of phones of the type WABA"""
    social: MessageCounts = Field(alias="SOCIAL")
    """The messages of phones of the type SOCIAL"""


class NetworkCharge(Model):
    category: str
    """The network's category"""
    state: Union[ChargeState, str]
    """Whether a price is known and charged"""
    currency: str
    """ISO 4217"""
    count: int
    """How many messages"""
    amount_micros: int
    """Millionths of the currency"""


class GetUsageResult(Model):
    period: Period
    """The time that is counted, in UTC"""
    cost_cents: int
    """The cost in cents of BRL, with the costs that are passed on"""
    waba_passthrough_cents: int
    """BRL cents: the network's charge, with the account's markup"""
    messages_sent: int
    """Messages that were sent in the period"""
    active_phones: int
    """Phones that sent at least one message"""
    messages_received: int
    """Messages that came in during the period"""
    breakdown: GetUsageResultBreakdown
    """The counts of each type of phone"""
    network_charges: List[NetworkCharge]
    """Delivered messages by category: DUE, FREE, UNRATED (no price is known) or UNPRICED (no report of the network
    yet); and messages whose price the network itself states, on no invoice (STATED)"""


class Group(Model):
    id: str
    """The group's id"""
    upstream_group_id: str
    """The network's id of the group"""
    phone_id: str
    """The phone that is in the group"""
    subject: str
    """The group's name"""
    description: str
    """A text about the group; empty without one"""
    join_approval_mode: Union[GroupJoinMode, str]
    """Whether administrators approve who joins"""
    invite_link: Optional[str]
    """The link for joining; null while the network has given none"""
    participants: List[GroupParticipant]
    """The people in the group"""
    total_participant_count: int
    """How many people it has"""
    suspended: bool
    """Whether the network suspended it"""
    created_at: datetime
    """When the group was created"""
    community_id: Optional[str] = None
    """The network's id of the community that it is linked to; null without a community, absent if the network has no
    communities"""
    is_community: Optional[bool] = None
    """Whether it is a community itself; absent if the network has no communities"""
    is_announcement_group: Optional[bool] = None
    """Whether it is the group for the announcements of its community; absent if the network has no communities"""
    rules: Optional[GroupRules] = None
    """The rights that only administrators have; absent if the network has no such rules"""


class GroupInvite(Model):
    invite_link: str
    """Anyone who has it can join"""


GroupJoinState = Literal["joined", "awaiting-approval"]


class GroupMemberLabelRequest(TypedDict):
    label: Optional[str]
    """The label, such as a role; null or empty removes it"""


class GroupPage(Model):
    items: List[Group]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class GroupPeopleRequest(TypedDict):
    wa_ids: List[str]
    """Numbers or ids; at most 50"""


class GroupRulesInput(TypedDict):
    only_admins_send: NotRequired[bool]
    """Whether only they write"""
    only_admins_edit: NotRequired[bool]
    """Whether only they change the group"""
    only_admins_add: NotRequired[bool]
    """Whether only they add people"""


class HandChatOver(TypedDict):
    to: Literal["app", "agent", "person", "nobody"]
    """The next leader of the chat"""
    role: NotRequired[str]
    """The role of the app that gets the lead; only for `app`"""
    metadata: NotRequired[str]
    """A text for the app that leads the chat next"""
    reason: NotRequired[str]
    """Why the agent hands off; `manual` by default. Only for `person`"""


class HandOffAiConversationRequest(TypedDict):
    reason: NotRequired[str]
    """Why a person takes over; `manual` by default"""


class HangUpCallRequest(TypedDict):
    reason: NotRequired[str]
    """Why the call is refused; it is stored here and not sent to the network"""


class HealthResult(Model):
    status: Union[Literal["ok"], str]
    """The process answers"""


HeldBecause = Literal["WEBHOOK_PAUSED", "EARLIER_DELIVERY"]


class HistoryFile(Model):
    key: str
    """The network's id of the message"""
    content_type: str
    """The media type that the message says"""
    size_bytes: Optional[int]
    """The size that the message says; null if it says none"""
    sha256: Optional[str]
    """The digest that the message says, in hexadecimal; null if it says none"""
    max_bytes: int
    """A larger file is not kept"""


class HistoryCounts(Model):
    messages: int
    """Messages that are new here"""
    contacts: int
    """Contacts that are new here, or get a name"""
    known: int
    """Rows that change nothing, because they are known"""
    left_out: Dict[str, int]
    """How many rows cannot be taken over, by reason"""
    files: Optional[List[HistoryFile]] = None
    """The files that messages of these rows have not got here"""


class HistoryFileTaken(Model):
    size_bytes: Optional[int]
    """The size of the kept file; null if it is not kept"""
    reason: Optional[str]
    """Why the file is not kept; null if it is"""


class HistoryImport(Model):
    phone_id: str
    """The phone that gets the messages"""
    cursor: str
    """The place in the source after which the import goes on; empty at its beginning"""


class HistoryProgress(Model):
    percent: Optional[int]
    """The phone's own estimate; null before it has sent anything"""
    imported: int
    """How many messages came"""
    updated_at: Optional[datetime]
    """When the last part came; null before the first"""


class HistoryRequest(Model):
    status: Union[Literal["answered", "unanswered"], str]
    """`unanswered`: the phone was silent for 30 seconds"""
    imported: int
    """How many messages came, known messages included"""


class IceBreakerQuestion(Model):
    question: str
    """The question that a tap asks; 1 to 80 characters"""
    payload: str
    """The value that comes back when it is tapped"""


class IceBreaker(Model):
    locale: str
    """A locale such as pt_BR, or default"""
    questions: List[IceBreakerQuestion]
    """The questions of this language"""


class IceBreakerQuestionInput(TypedDict):
    question: str
    """The question that a tap asks; 1 to 80 characters"""
    payload: str
    """The value that comes back when it is tapped"""


class IceBreakerInput(TypedDict):
    locale: str
    """A locale such as pt_BR, or default"""
    questions: List[IceBreakerQuestionInput]
    """The questions of this language"""


class IceBreakers(Model):
    ice_breakers: List[IceBreaker]
    """The questions that a new chat offers, one set for each language"""


class Identity(Model):
    canonical_key: str
    """The person's identity on this network, whatever their number"""
    pn: Optional[str]
    """The number as a chat address, or as digits where the network is not WhatsApp; null if unknown"""
    lid: Optional[str]
    """The hidden id; null if unknown"""
    bsuid: Optional[str]
    """The business-scoped user id; null if unknown"""
    username: Optional[str]
    """The person's username on the network; null if none is known"""
    parent_bsuid: Optional[str]
    """The user id for the whole portfolio; null if unknown"""
    type: Union[ContactType, str]
    """The kind of name in `canonicalKey`"""


class ImageLink(TypedDict):
    media_url: str
    """A public HTTPS address of the file"""


class ImageContent(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `mediaUrl`"""
    mime_type: NotRequired[str]
    """The media type; the file's own by default"""
    caption: NotRequired[str]
    """A text below the file; at most 1,024 characters"""
    tag: NotRequired[TextContentTag]
    """How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message
    without a template"""
    mentions: NotRequired[List[str]]
    """The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same
    community, or `all`. `@` and the number in the text becomes the name. If the network has mentions"""
    view_once: NotRequired[bool]
    """Whether it can be opened once only, if the network has that; false by default"""
    images: NotRequired[List[ImageLink]]
    """Several images in one message, in place of mediaUrl, if the network supports it"""
    quality: NotRequired[Literal["standard", "hd"]]
    """`standard`: at most 1600 pixels a side. `hd`: people get that, and the whole picture when they open it. By
    default the picture goes as it is. If the network has that"""


class ImportHistoryRequest(TypedDict):
    account_id: str
    """The account or institution that has the phone"""
    phone: str
    """The id of a phone that was linked before, or a number that one phone of the account has"""
    format: str
    """The program that has written the rows: `evolution` or `waha`"""
    source: str
    """The same for the same source, so that an interrupted import goes on: a hash without secrets"""
    run: str
    """The same for all imports that are undone together; rows are for the import that was begun last"""
    rows: NotRequired[str]
    """Rows of the other program: a line of JSON {name, text} for each, gzipped, in base64. `name` is `message` or
    `person`, `text` the JSON of the row"""
    from_: str
    """The place in the source after which these rows lie: `cursor` of the answer before"""
    to: str
    """The place of the last of these rows"""
    is_last: NotRequired[bool]
    """True if no rows follow"""
    with_files: NotRequired[bool]
    """True to hear in `files` which messages have no file here. If there are some, the place stays at `from`: send
    the files, then no rows with the same `from` and `to`"""


class ImportSessionRequest(TypedDict):
    format: str
    """How the other program stores it: `baileys` or `whatsmeow`"""
    session: str
    """The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential"""
    is_last_state: NotRequired[bool]
    """True only if the other program has not run since: open chats then keep their keys"""
    account_id: str
    """The account or institution that gets the phone"""
    label: NotRequired[str]
    """A name for the account's own people"""
    webhook: NotRequired[PhoneWebhook]
    """Where the events of the new phone go"""
    old_server_stopped: Literal[True]
    """The other program does not run any more"""


class ImportedSession(Model):
    id: str
    """The id of the phone that was made"""
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    keys: Dict[str, int]
    """How many keys were found, by kind"""
    notes: List[str]
    """Further remarks"""
    problems: List[str]
    """Why it cannot be imported; empty if it can"""


class InspectHistoryRequest(TypedDict):
    format: str
    """The program that has written the rows: `evolution` or `waha`"""
    rows: str
    """Rows of the other program: a line of JSON {name, text} for each, gzipped, in base64. `name` is `message` or
    `person`, `text` the JSON of the row"""
    account_id: NotRequired[str]
    """The account or institution that has the phone"""
    phone: NotRequired[str]
    """The id of a phone that was linked before, or a number that one phone of the account has"""
    with_files: NotRequired[bool]
    """True to hear which messages have no file here, though they had one at the network"""


class InspectImportRequest(TypedDict):
    format: str
    """How the other program stores it: `baileys` or `whatsmeow`"""
    session: str
    """The session's files or rows: a line of JSON {name, text} for each, gzipped, in base64. It is a credential"""
    is_last_state: NotRequired[bool]
    """True only if the other program has not run since: open chats then keep their keys"""


InstitutionPlan = Literal["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"]


class InviteMemberRequest(TypedDict):
    email: str
    """The invited person"""
    role: NotRequired[MemberRole]
    """The role of the person; MEMBER by default"""


class InviteMemberResult(Model):
    email: str
    """The invited person"""
    role: Union[MemberRole, str]
    """The role of the person"""
    state: Union[Literal["active", "invited"], str]
    """`invited` until the person accepts"""
    link: Optional[str] = None
    """Opens once; absent if it was mailed"""


class InvitedGroup(Model):
    upstream_group_id: str
    """The network's id of the group"""
    subject: str
    """The group's name"""
    description: str
    """A text about the group; empty without one"""
    total_participant_count: int
    """How many people it has"""
    join_approval_mode: Union[GroupJoinMode, str]
    """Whether administrators approve who joins"""
    picture_url: Optional[str]
    """The address of its picture for some days; null if none is shown"""
    community_id: Optional[str]
    """The network's id of its community; null without a community"""
    is_community: bool
    """Whether it is a community itself"""


class InvoiceBreakdown(Model):
    messages: int
    """The part for messages, in cents of BRL"""
    phone_months: int
    """The part for phones, in cents of BRL"""
    waba_passthrough: int
    """The network's charges in cents"""


InvoiceStatus = Literal["OPEN", "ISSUED", "PAID", "OVERDUE", "FAILED", "REFUNDED", "VOID"]


class Invoice(Model):
    id: str
    """The invoice's id"""
    account_id: str
    """The account that pays"""
    period_start: datetime
    """The beginning of the time that is billed"""
    period_end: datetime
    """The end of the time that is billed, exclusive"""
    total_cents: int
    """The sum in cents of BRL"""
    breakdown: InvoiceBreakdown
    """The parts of the sum, in cents of BRL"""
    status: Union[InvoiceStatus, str]
    """Whether the invoice is paid"""
    due_date: str
    """The last day for paying"""
    paid_at: Optional[datetime]
    """When the payment arrived; null before"""
    paid_cents: Optional[int]
    """The paid amount in cents of BRL, without interest; null before. It differs from `totalCents` if the charge was
    changed at the processor"""
    gateway_provider: Optional[str]
    """The processor; null before a charge"""
    gateway_charge_id: Optional[str]
    """The processor's id of the charge; null before"""
    gateway_invoice_url: Optional[str]
    """The processor's page; null before a charge"""
    pix_qr_code: Optional[str]
    """The Pix QR code as a PNG in base64; null if the charge has none"""
    pix_copy_paste: Optional[str]
    """The Pix code as text; null if the charge has none"""
    boleto_url: Optional[str]
    """The page with the boleto; null if the charge has none"""
    boleto_barcode: Optional[str]
    """The typeable line of the boleto; null if the charge has none"""
    created_at: datetime
    """When the invoice was created"""
    updated_at: datetime
    """When the invoice last changed"""


class InvoiceOfAccountBreakdown(Model):
    messages: int
    """The part for messages, in cents of BRL"""
    phone_months: int
    """The part for phones, in cents of BRL"""
    waba_passthrough: int
    """The network's charges in cents"""


class InvoiceOfAccount(Model):
    id: str
    """The invoice's id"""
    account_id: str
    """The account that pays"""
    period_start: datetime
    """The beginning of the time that is billed"""
    period_end: datetime
    """The end of the time that is billed, exclusive"""
    total_cents: int
    """The sum in cents of BRL"""
    breakdown: InvoiceOfAccountBreakdown
    """The parts of the sum, in cents of BRL"""
    status: Union[InvoiceStatus, str]
    """Whether the invoice is paid"""
    due_date: str
    """The last day for paying"""
    paid_at: Optional[datetime]
    """When the payment arrived; null before"""
    paid_cents: Optional[int]
    """The paid amount in cents of BRL, without interest; null before. It differs from `totalCents` if the charge was
    changed at the processor"""
    gateway_provider: Optional[str]
    """The processor; null before a charge"""
    gateway_charge_id: Optional[str]
    """The processor's id of the charge; null before"""
    gateway_invoice_url: Optional[str]
    """The processor's page; null before a charge"""
    pix_qr_code: Optional[str]
    """The Pix QR code as a PNG in base64; null if the charge has none"""
    pix_copy_paste: Optional[str]
    """The Pix code as text; null if the charge has none"""
    boleto_url: Optional[str]
    """The page with the boleto; null if the charge has none"""
    boleto_barcode: Optional[str]
    """The typeable line of the boleto; null if the charge has none"""
    created_at: datetime
    """When the invoice was created"""
    updated_at: datetime
    """When the invoice last changed"""
    account_name: str
    """The account that pays, as it is called now"""


class InvoiceOfAccountPage(Model):
    items: List[InvoiceOfAccount]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class IssueApiKeyRequest(TypedDict):
    name: str
    """The account's name for the key"""
    scopes: NotRequired[List[str]]
    """The scopes of the key: `.read` or `.write` of phones, messages, chats, media, flows, groups, calls, lookup,
    templates, webhooks, ai, events, billing, keys, audit. With none of these it may do everything. Other texts are
    kept, limit nothing, and are named in `warnings`; with `Prefer: handling=strict` they are refused."""
    read_only: NotRequired[bool]
    """The key reads, and changes nothing, within its scopes"""
    allowed_addresses: NotRequired[List[str]]
    """IP addresses and CIDRs that may use the key; without any it works from everywhere"""
    expires_at: NotRequired[Union[datetime, str]]
    """When the key stops working, in the future; never by default. A key cannot outlive the key that makes it"""


class IssueInvoiceRequest(TypedDict):
    billing_type: NotRequired[Literal["BOLETO", "PIX", "CREDIT_CARD", "UNDEFINED"]]
    """How it is paid; UNDEFINED by default: the payer chooses"""
    due_in_days: NotRequired[int]
    """Days from today; 10 by default"""


class IssuedApiKey(Model):
    id: str
    """The key's id"""
    account_id: str
    """The account that the key opens"""
    name: str
    """The account's name for the key"""
    prefix: str
    """The beginning of the key, to recognise it"""
    scopes: List[str]
    """The permissions of the key or the app"""
    limited_to: Optional[List[str]]
    """The scopes that limit the key; null for a key that may do everything"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """IP addresses and CIDRs that may use the key; empty means everywhere"""
    expires_at: Optional[datetime]
    """When the key stops working; null means never"""
    last_used_at: Optional[datetime]
    """When the key was last used; null before"""
    revoked_at: Optional[datetime]
    """When the key was revoked; null while the key is valid"""
    created_at: datetime
    """When the key was created"""
    key: str
    """The key itself, which is shown only now"""
    warnings: Optional[List[str]] = None
    """The parts of the request without effect; absent if every part has an effect"""


class IssuedInvoice(Model):
    id: str
    """The invoice's id"""
    status: Union[InvoiceStatus, str]
    """Whether the invoice is paid"""
    gateway_charge_id: Optional[str]
    """The processor's id of the charge; null before"""
    gateway_invoice_url: Optional[str]
    """The processor's page; null before a charge"""
    pix_qr_code: Optional[str]
    """The Pix QR code as a PNG in base64; null if the charge has none"""
    pix_copy_paste: Optional[str]
    """The Pix code as text; null if the charge has none"""
    boleto_url: Optional[str]
    """The page with the boleto; null if the charge has none"""
    boleto_barcode: Optional[str]
    """The typeable line of the boleto; null if the charge has none"""
    due_date: str
    """The last day for paying"""


class JoinAccountRequest(TypedDict):
    institution_id: str
    """The institution that takes the account over"""


class JoinCode(Model):
    code: str
    """The code for an owner of the institution; it gives the whole account away"""
    expires_at: datetime
    """When the code stops working"""


class JoinDecisionRequest(TypedDict):
    join_request_ids: List[str]
    """The requests that are decided; at most 100"""


class JoinGroupRequest(TypedDict):
    phone_id: str
    """The phone that joins"""
    code: str
    """The code of the invite link, or the whole link"""


class JoinRequest(Model):
    join_request_id: str
    """The network's id of the request to join"""
    wa_id: str
    """The person's number or id"""
    requested_at: Optional[datetime]
    """When the person asked; null if unknown"""


class JoinRequestPage(Model):
    items: List[JoinRequest]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class JoinedPhone(Model):
    """A phone of the account, which keeps its id"""

    id: str
    """The phone's id"""
    label: str
    """The account's name for the phone"""


class JoinedAccount(Model):
    dry_run: bool
    """True if nothing was done"""
    account_id: str
    """The account; a record of it stays"""
    institution_id: str
    """The institution, which has everything of the account now"""
    phones: List[JoinedPhone]
    """The phones of the account"""
    keys: int
    """API keys, which stay valid"""
    webhooks: int
    """Webhooks, which go on"""
    contacts: int
    """Contacts of the account"""
    merged_contacts: int
    """Contacts that both had: the institution's contact stays, with its id"""
    conversations: int
    """How many conversations the account had"""
    messages: int
    """Messages to and from its phones, counted up to 100,000; they follow within minutes"""
    rows: int
    """Everything that moves immediately, without the history"""


class JoinedGroup(Model):
    status: Union[GroupJoinState, str]
    """`awaiting-approval`: an administrator of the group decides"""
    upstream_group_id: str
    """The network's id of the group"""
    group: Optional[Group]
    """The group; null while an administrator has to approve, or if the network did not describe it in time"""


class KeepEncodedFileRequest(TypedDict):
    base64: str
    """The file in base64"""
    mime_type: NotRequired[str]
    """The media type; the file's own by default"""
    filename: NotRequired[str]
    """The shown name of the file"""


class KeepFileRequest(Model):
    file: str
    """The file itself"""


class KeptFile(Model):
    media_handle: str
    """The value for `content.mediaHandle` of a message"""
    content_type: str
    """The type that the bytes show; otherwise that of the file's name, or the given type"""
    size_bytes: int
    """The size of the file in bytes"""
    filename: Optional[str]
    """The shown name of the file; null without one"""
    expires_at: datetime
    """The handle works until this time"""


class OperationLimit(Model):
    operation: Union[OperationLimitOperation, str]
    """The operation that this limits"""
    types: Optional[List[str]]
    """The types of sent messages that the operation takes; null means all"""
    within_minutes: Optional[float]
    """The age of a message after which the operation is accepted without an effect; null: at no age"""


RecipientForm = Literal["phone-numbers", "ids"]


class KindCapabilities(Model):
    content_types: List[str]
    """The types of content that a send may have"""
    content_limits: List[ContentLimit]
    """The limits of each of these types"""
    on_received: List[Union[OperationLimitOperation, str]]
    """The operations on a received message"""
    on_sent: List[Union[OperationLimitOperation, str]]
    """The operations on a sent message"""
    operation_limits: List[OperationLimit]
    """The operations that only some messages allow"""
    takes_uploads: bool
    """Whether a send may name a file that POST /v1/media/files has kept"""
    newsletter_types: List[str]
    """The types of content that a post of a newsletter may have; empty without newsletters"""
    status_types: List[str]
    """The types of content that a status may have; empty without statuses"""
    images_per_message: int
    """How many images one message may have"""
    quick_replies: int
    """How many quick replies a text may have"""
    tags: List[str]
    """The tags with which a message may go out when its answer window is closed"""
    has_templates: bool
    """Whether the network reviews templates"""
    has_lookups: bool
    """Whether the network can be asked which numbers it knows"""
    answer_window_hours: Optional[float]
    """How many hours after a person's message the phone may answer freely; null means for good"""
    recipients: Union[RecipientForm, str]
    """How a send names a person: by a phone number, or by an id of the network"""


class KnowledgeFile(Model):
    object_key: str
    """The key of the stored file"""
    size_bytes: int
    """The size of the file in bytes"""
    content_type: str
    """The media type of the file"""


class KnownBillingCustomer(Model):
    processor_customer_id: Optional[str]
    """The processor's id of the payer; null before the first charge"""
    cpf_cnpj: Optional[str]
    """The payer's CPF or CNPJ, masked as `***.456.789-**`; null without one"""
    updated_at: Optional[datetime]
    """When it was last saved; null before"""


class LabelChat(TypedDict):
    labels: List[str]
    """All labels that the chat has then, as `GET /v1/phones/{id}/labels` lists them"""


class LabelMessageRequest(TypedDict):
    phone_id: str
    """The phone that the message went through"""
    label: str
    """The label, by its id, as `GET /v1/phones/{id}/labels` lists it"""


class LagStats(Model):
    p50_ms: int
    """Half of the deliveries arrived within this time after their event"""
    p95_ms: int
    """95 % of the deliveries arrived within this time; at most an hour"""
    p99_ms: int
    """99 % of the deliveries arrived within this time; at most an hour"""


class LedgerLine(Model):
    day: str
    """The day of the delivery in `RECADO_BILLING_TZ`"""
    phone_id: str
    """The phone that sent the messages"""
    country: Optional[str]
    """The recipients' country, by ISO 3166; null if the network names none"""
    category: Optional[str]
    """The network's category; null if it names none"""
    type: Optional[str]
    """How the network priced the messages, in its word; null if it names none"""
    currency: str
    """ISO 4217"""
    count: int
    """How many messages"""
    state: Union[ChargeState, str]
    """Whether a price is known and charged"""
    amount_micros: int
    """Millionths of the currency, without tiers and markup"""


class ReportedCharge(Model):
    day: str
    """The day of the delivery in `RECADO_BILLING_TZ`"""
    phone_id: str
    """The phone that sent the messages"""
    country: Optional[str]
    """The recipients' country, by ISO 3166; null if the network names none"""
    category: Optional[str]
    """The network's category; null if it names none"""
    type: Optional[str]
    """How the network priced the messages, in its word; null if it names none"""
    currency: str
    """ISO 4217"""
    count: int
    """How many messages"""
    tier: Optional[str]
    """The network's volume tier; null without one"""
    amount_micros: Optional[int]
    """Millionths of the currency; null if no price is known"""


class LedgerDifference(Model):
    day: str
    """The day of the delivery in `RECADO_BILLING_TZ`"""
    phone_id: str
    """The phone that sent the messages"""
    country: Optional[str]
    """The recipients' country, by ISO 3166; null if the network names none"""
    category: Optional[str]
    """The network's category; null if it names none"""
    type: Optional[str]
    """How the network priced the messages, in its word; null if it names none"""
    counted: int
    """How many messages Recado counted"""
    reported: int
    """How many the network counted"""


class Ledger(Model):
    lines: List[LedgerLine]
    """The cost of the messages, by day, phone, country and category"""
    reported: List[ReportedCharge]
    """The network's own count, if the operator reads it (`RECADO_META_COMPARE`)"""
    differences: List[LedgerDifference]
    """Where the network's count differs from Recado's"""


class Licence(Model):
    name: str
    """The name of the package"""
    version: str
    """The version inside this program"""
    licence: str
    """The name of the licence, as the package declares it"""
    homepage: Optional[str]
    """The page of the package; null if it names none"""


class LinkPreviewImage(TypedDict):
    media_url: str
    """A public HTTPS address of the file"""


class LinkPreview(TypedDict):
    title: str
    """The title of the preview; at most 200 characters"""
    description: NotRequired[str]
    """The text below the title; at most 500 characters"""
    url: NotRequired[str]
    """The address that the preview belongs to, as it stands in the text; the first one by default"""
    image: NotRequired[LinkPreviewImage]
    """The picture, which is shown small"""


class LinkedGroup(Model):
    id: Optional[str]
    """The group's id here; null if the phone is not known to be in it"""
    upstream_group_id: str
    """The network's id of the group"""
    subject: str
    """The group's name"""
    is_announcement_group: bool
    """Whether it is the group for the announcements of the community"""


class ListAdaptersResult(Model):
    items: List[Adapter]
    """Every adapter of the plugin folder"""


ListAuditEntriesAction = Literal[
    "account.create",
    "account.change",
    "account.join",
    "account.make-institution",
    "account.make-join-code",
    "account.suspend",
    "account.reinstate",
    "admin-token.create",
    "alerts.test",
    "audit.prune",
    "backup.create",
    "backup.restore",
    "channel.change-credentials",
    "channel.change-proxy",
    "channel.change-settings",
    "channel.create",
    "channel.delete",
    "channel.disconnect",
    "channel.import-history",
    "channel.logout",
    "channel.move-in",
    "channel.move-out",
    "channel.rotate-token",
    "channel.undo-import",
    "clock.advance",
    "contact.opt-in",
    "contact.opt-out",
    "dead-letters.replay",
    "flow-key.create",
    "hours.change",
    "institution.add-account",
    "institution.change-plan",
    "institution.create",
    "invoice.create",
    "invoice.issue",
    "invoice.mark-paid",
    "invoice.void",
    "job.run",
    "key.create",
    "key.revoke",
    "llm.change",
    "master-key.rotate",
    "mcp.call",
    "member.add",
    "member.change-role",
    "member.invite",
    "member.remove",
    "member.withdraw",
    "pairing-link.create",
    "pairing-link.revoke",
    "person.erase",
    "person.erased",
    "person.export",
    "plan.change",
    "plan.create",
    "operator.change",
    "operator.change-password",
    "operator.create",
    "operator.delete",
    "operator.make-link",
    "operator.reset",
    "passkey.add",
    "passkey.remove",
    "recovery-codes.create",
    "recovery-codes.use",
    "session.begin",
    "session.end",
    "session.end-others",
    "tool.change",
    "tool.create",
    "tool.delete",
    "totp.start",
    "totp.stop",
    "user.change",
    "user.change-password",
    "user.create",
    "user.delete",
    "user.make-link",
    "user.reset-password",
    "user.verify-email",
    "webhook.change",
    "webhook.create",
    "webhook.delete",
]


class ListCommunityGroupsResult(Model):
    items: List[LinkedGroup]
    """The groups of the community"""


class TextHeader(TypedDict):
    type: Literal["text"]
    """Always `text`"""
    text: str
    """The text of the header; 1 to 60 characters"""


class ListRow(TypedDict):
    id: str
    """The value that comes back with the answer"""
    title: str
    """The text of the row; 1 to 24 characters"""
    description: NotRequired[str]
    """A second line of the row; at most 72 characters"""


class ListSection(TypedDict):
    title: str
    """The title above the rows; 1 to 24 characters"""
    rows: List[ListRow]
    """The rows that can be chosen"""


class ListContent(TypedDict):
    text: str
    """The text above the button that opens the list"""
    footer: NotRequired[str]
    """A line of small print"""
    header: NotRequired[TextHeader]
    """A line above the body"""
    button_text: str
    """The label of the button"""
    sections: List[ListSection]
    """The rows in groups; row ids are unique in the whole list"""


class ListLicencesResult(Model):
    items: List[Licence]
    """Every package inside this program"""


class MonthOfAccount(Model):
    month: str
    """A calendar month in UTC"""
    is_over: bool
    """False for the current month, whose numbers still grow"""
    messages_sent: int
    """Messages that were sent in the month"""
    messages_received: int
    """Messages that came in during the month"""
    network_charges: List[NetworkCharge]
    """The network's charges, by category"""
    cost_cents: int
    """BRL cents, passed-on charges included"""
    waba_passthrough_cents: int
    """BRL cents: the network's charge, with the account's markup"""
    active_phones: int
    """Phones that sent at least one message"""


class ListMonthsResult(Model):
    items: List[MonthOfAccount]
    """The months, the oldest first; the current one is the last"""


class Node(Model):
    id: str
    """Every start of a process makes a new id"""
    url: Optional[str]
    """Where other nodes reach it; null if they cannot"""
    started_at: datetime
    """When the process began to run"""
    is_live: bool
    """Whether its lease is valid"""
    is_self: bool
    """Whether it is the process that answers"""
    channels: int
    """How many live links it has"""


class ListNodesResult(Model):
    items: List[Node]
    """Every process that shares the database"""


SettingSource = Literal["default", "environment", "file", "credential"]


class Setting(Model):
    name: str
    """The name of the environment variable"""
    value: str
    """The value in use; of a secret `set` or `unset`"""
    fallback: Optional[str]
    """The value while it is not set; null without a default"""
    source: Union[SettingSource, str]
    """Where the value comes from"""
    is_secret: bool
    """Whether the value is a secret, which is never shown"""
    meaning: str
    """Its purpose"""


class ListSettingsResult(Model):
    items: List[Setting]
    """Every setting, in the order of the documentation"""


class Trouble(Model):
    kind: str
    """The kind of trouble"""
    title: str
    """The problem, in a few words"""
    subject: str
    """The id of the phone or account concerned; empty for the installation"""
    text: str
    """The problem, in a sentence"""
    since: Optional[datetime]
    """When it began; null if it has just begun"""
    announced_at: Optional[datetime]
    """When the operator was notified; null before"""


class ListTroublesResult(Model):
    items: List[Trouble]
    """The current troubles, the oldest first"""
    ways: AlertWays
    """How the operator is notified"""


class ListUsernameSuggestionsResult(Model):
    suggestions: List[str]
    """Usernames that are free"""


class ListedAgentHandoffRules(Model):
    keywords: List[str]
    """Words that hand the conversation over when the last message has one of them"""
    after_turns: Optional[int]
    """How many turns hand the conversation over; null means never"""


class ListedAgentSees(Model):
    images: bool
    """Whether its model is shown pictures"""
    documents: bool
    """Whether its model is given the text of documents"""


class ListedAgentBudget(Model):
    daily_tokens_per_contact: int
    """Tokens per UTC day for one contact"""
    daily_tokens: int
    """Tokens per UTC day for all contacts together"""


class ListedAgent(Model):
    id: str
    """The agent's id"""
    phone_id: str
    """The phone that the agent answers on"""
    system_prompt: str
    """Who the agent is and how it answers"""
    model: str
    """The language model that answers"""
    enabled: bool
    """Whether the agent begins conversations; true by default"""
    handoff_rules: ListedAgentHandoffRules
    """When the agent hands a conversation over to a person"""
    context_window_turns: int
    """How many last turns the model sees; 10 by default"""
    rag_top_k: int
    """How many pieces of knowledge an answer may use; 4 by default"""
    conversation_ttl_days: int
    """Days without a turn after which a conversation closes; 30 by default"""
    greeting: Optional[str]
    """The text that is sent before the first answer to a contact; null sends nothing"""
    respect_hours: bool
    """Whether business hours apply to it"""
    built_in_tools: List[Union[AgentBuiltInTool, str]]
    """Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the
    knowledge, look up the contact, set a tag of it, business hours"""
    closed_text: Optional[str]
    """The text that is sent outside business hours, once per chat and day; null sends nothing"""
    run_trials_on_change: Optional[bool] = None
    """Whether its questions are asked again after each change"""
    transcribes_voice: bool
    """Whether it reads what voice notes say, and answers them"""
    speaks: bool
    """Whether it answers a voice note by a voice note"""
    voice: Optional[str]
    """The voice of its voice notes, by the provider's name; null: `alloy`"""
    sees: ListedAgentSees
    """Which files of contacts the agent reads"""
    budget: ListedAgentBudget
    """How many tokens the agent may use"""
    created_at: datetime
    """When the agent was created"""
    updated_at: datetime
    """When the agent last changed"""
    document_count: int
    """How many documents it has, learnt or not"""
    used_tokens: int
    """Tokens that it has used since midnight UTC"""


class ListedAgentPage(Model):
    items: List[ListedAgent]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class ListedEvent(Model):
    id: str
    """The event's id"""
    type: str
    """The event's type"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the account"""
    status: Union[EventStatus, str]
    """The progress of the event's deliveries"""
    attempts: int
    """How often delivery was tried"""
    next_retry_at: Optional[datetime]
    """When it is tried next; null if it is not tried again"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    created_at: datetime
    """When the event happened"""
    data: Optional[Dict[str, Any]] = None
    """What happened, as the webhook shows it; with include=data"""


class ListedEventPage(Model):
    items: List[ListedEvent]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class NewsletterPollVotes(Model):
    option: str
    """The text of the option"""
    votes: int
    """How many people chose it"""


class ListedNewsletterPost(Model):
    server_id: str
    """The number of the post in its newsletter"""
    message_id: Optional[str]
    """The message, if it was sent through this phone here; else null"""
    own: bool
    """Whether the phone's account wrote it"""
    timestamp: Optional[datetime]
    """When it was posted; null if unknown"""
    type: Optional[Union[ReceivedMessageType, str]]
    """The type of its content; null for a deleted post"""
    content: Optional[Dict[str, Any]]
    """As in newsletter:received; null if deleted"""
    views: Optional[int]
    """How often it was seen; null if the network did not report it"""
    reactions: List[NewsletterReactionCount]
    """The reactions, counted by emoji; the network names nobody"""
    votes: Optional[List[NewsletterPollVotes]] = None
    """The votes of a poll; absent from other posts"""


class LlmIntegration(Model):
    configured: bool
    """Whether there is a key"""
    base_url: str
    """The address of the provider's API"""
    key_hint: Optional[str]
    """The last four characters of the key; null without a key"""
    default_model: str
    """The model for chats if a request names none"""
    embedding_model: str
    """The model that reads knowledge"""
    transcription_model: str
    """The model that turns voice notes into text"""
    transcription_language: Optional[str]
    """The language of voice notes, in two letters; null lets the provider find it"""
    speech_model: str
    """The model that speaks an agent's answers"""
    embedding_base_url: Optional[str] = None
    """Another provider for knowledge; null if it is that of chats"""
    embedding_key_hint: Optional[str] = None
    """The last four characters of its own key; null without an own key"""
    daily_tokens: int
    """The tokens that all calls of the account may use per UTC day"""
    updated_at: Optional[datetime]
    """When the account last changed it; null while all is the server's default"""


class PostbackItem(Model):
    type: Literal["postback"]
    """Always `postback`: tapping sends `payload`"""
    title: str
    """The text of the entry; 1 to 30 characters"""
    payload: str
    """The value that comes back when it is tapped"""


class WebUrlItem(Model):
    type: Literal["web_url"]
    """Always `web_url`: tapping opens `url`"""
    title: str
    """The text of the entry; 1 to 30 characters"""
    url: str
    """The page that tapping opens"""


if TYPE_CHECKING:
    LocaleMenuItem = Union[PostbackItem, WebUrlItem, Other]
else:
    LocaleMenuItem = tagged(
        "type",
        {
            "postback": PostbackItem,
            "web_url": WebUrlItem,
        },
        Other,
    )


class LocaleMenu(Model):
    locale: str
    """A locale such as pt_BR, or default"""
    items: List[LocaleMenuItem]
    """The entries of this language"""


class PostbackItemInput(TypedDict):
    type: Literal["postback"]
    """Always `postback`: tapping sends `payload`"""
    title: str
    """The text of the entry; 1 to 30 characters"""
    payload: str
    """The value that comes back when it is tapped"""


class WebUrlItemInput(TypedDict):
    type: Literal["web_url"]
    """Always `web_url`: tapping opens `url`"""
    title: str
    """The text of the entry; 1 to 30 characters"""
    url: str
    """The page that tapping opens"""


LocaleMenuItemInput = Union[PostbackItemInput, WebUrlItemInput]


class LocaleMenuInput(TypedDict):
    locale: str
    """A locale such as pt_BR, or default"""
    items: List[LocaleMenuItemInput]
    """The entries of this language"""


class LocationContent(TypedDict):
    latitude: float
    """Degrees north of the equator, -90 to 90"""
    longitude: float
    """Degrees east of Greenwich, -180 to 180"""
    name: NotRequired[str]
    """The name of the place"""
    address: NotRequired[str]
    """The postal address of the place"""


class LocationRequestContent(TypedDict):
    text: str
    """The text above the button that sends the location"""


class MessageFile(Model):
    media_id: str
    """The file, as `GET /v1/media/{id}` answers it"""
    content_type: str
    """The media type of the file"""
    size_bytes: int
    """The size of the file in bytes"""
    filename: Optional[str]
    """The shown name; null if none is known"""
    download_url: str
    """A request to it with the API key leads to the file"""
    expires_at: datetime
    """When the file is deleted"""


class ReactionOnMessage(Model):
    emoji: str
    """The reaction, as the network reported it"""
    by: Optional[str]
    """The canonical key of the person; null: the phone itself"""
    at: datetime
    """When the person reacted"""


class VoteOnMessage(Model):
    options: List[str]
    """The options that the person chose"""
    by: Optional[str]
    """The canonical key of the person; null: the phone itself"""
    at: datetime
    """When the person voted"""


class ResponseToEvent(Model):
    response: Union[EventResponse, str]
    """The person's answer"""
    extra_guests: int
    """How many people come along"""
    by: Optional[str]
    """The canonical key of the person; null: the phone itself"""
    at: datetime
    """When the person answered"""


class LoggedMessage(Model):
    id: str
    """The message's id"""
    phone_id: str
    """The phone that sent or received it"""
    chat_id: Optional[str]
    """The chat of the message; null in a group, and for messages from before chats existed"""
    direction: Union[WebhookDirection, str]
    """INBOUND comes from the contact, OUTBOUND goes to the contact"""
    from_: Optional[ChatPerson] = Field(alias="from")
    """The person who wrote; null for a message of the account"""
    to: Optional[ChatPerson]
    """The person who gets it; null for an incoming message"""
    sent_by: Optional[SentBy]
    """The person, key or program that sent it; null for a message of another person, and if it was not recorded"""
    type: str
    """As in a send, or as in message:received"""
    content: Dict[str, Any]
    """The content of the message; its fields depend on `type`. A deleted message has none"""
    media: Optional[MessageFile]
    """The file of the message; null without one"""
    status: Union[ListMessagesStatus, str]
    """The progress of the message; RECEIVED for a message of another person"""
    failed_reason: Optional[str]
    """`[CODE]` and why it failed; null otherwise"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""
    quoted_message_id: Optional[str]
    """The message that this one answers; null if it answers none"""
    is_standby: bool
    """True for a message that came for information: another app leads the chat"""
    created_at: datetime
    """When it was accepted or received"""
    sent_at: Optional[datetime]
    """When the network took it; null before"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    read_at: Optional[datetime]
    """When it was read; null before"""
    transcript: Optional[str]
    """What the voice note says, in words; null if it was not transcribed, and for other messages"""
    reactions: List[ReactionOnMessage]
    """The current reactions"""
    votes: List[VoteOnMessage]
    """The current vote of each person in a poll; empty for other messages"""
    poll_totals: Optional[List[PollTotal]]
    """How often each option of a poll was chosen, by the votes that name their person; null for other messages"""
    responses: List[ResponseToEvent]
    """The current answer of each person to a calendar event"""
    pinned_until: Optional[datetime]
    """When its pin in the chat ends; null if it is not pinned"""
    kept: bool
    """Whether it stays when the others of its chat disappear"""
    edited_at: Optional[datetime]
    """When its text was changed; null if it was not"""
    deleted_at: Optional[datetime]
    """When it was deleted for everyone; null if it was not"""
    starred: bool
    """Whether it has a star in the phone's app"""
    labels: List[ChatLabel]
    """Its labels of WhatsApp Business"""
    deleted_for_me_at: Optional[datetime]
    """When the phone's app stopped showing it; null if it shows it"""
    expired_at: Optional[datetime]
    """When its time was over in a chat whose messages disappear; null before, and for a message that stays"""


class LoggedMessagePage(Model):
    items: List[LoggedMessage]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class LogoutPhoneResult(Model):
    status: Union[Literal["logging_out"], str]
    """The phone is logged out soon"""


class LookupResult(Model):
    phone_number: str
    """The number that was looked up, by E.164 without the plus"""
    exists: bool
    """Whether it is on the network"""
    jid: Optional[str]
    """The chat address of the number; null if the number is not on the network"""


class Lookup(Model):
    status: Union[Literal["pending", "completed"], str]
    """`results` comes with `completed`"""
    results: Optional[List[LookupResult]] = None
    """One result per number, in the given order"""


class MadeInstitution(Model):
    institution_id: str
    """The new institution, which has the same id as the account"""
    plan: Union[InstitutionPlan, str]
    """The plan of the new institution"""
    email: str
    """The address to which the owner's invitation was sent"""
    link: Optional[str] = None
    """Opens once; absent if it was mailed"""


class MakeInstitutionRequest(TypedDict):
    plan: InstitutionPlan
    """The plan of the new institution"""
    owner_email: str
    """The invited owner"""


class MakeLabel(TypedDict):
    name: str
    """The name of the label"""
    color: NotRequired[int]
    """The place in the palette of the app, from 0 to 19"""


class MediaFile(Model):
    id: str
    """The file's id"""
    message_id: str
    """The message that has the file"""
    content_type: str
    """The media type of the file"""
    size_bytes: int
    """The size of the file in bytes"""
    filename: Optional[str]
    """The shown name; null if none is known"""
    expires_at: datetime
    """When the file is deleted"""
    acked_at: Optional[datetime]
    """When the file was taken; null before"""
    deleted_at: Optional[datetime]
    """When it was deleted; null before"""


class MediaHandle(Model):
    media_handle: str
    """The value for `content.mediaHandle` of a message"""


class Menu(Model):
    menu: List[LocaleMenu]
    """The entries that every chat offers, one set for each language"""


MessageStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"]


class Message(Model):
    message_id: str
    """The message, as the request that sent it was answered"""
    status: Union[MessageStatus, str]
    """It moves only forward; FAILED is final"""
    sent_at: Optional[datetime]
    """When the network took it; null before"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    read_at: Optional[datetime]
    """When it was read; null before"""
    failed_reason: Optional[str]
    """`[CODE]` and why it failed; null otherwise"""
    sent_as: Optional[Union[Literal["text"], str]] = None
    """`text`: the network refused the buttons, and the message went out as a text with numbered options; absent
    otherwise"""
    poll_totals: Optional[List[PollTotal]] = None
    """How often each option of a poll was chosen; absent for other messages"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""
    fallback: Optional[Fallback] = None
    """The fallback of the message; absent without one"""
    fallback_of: Optional[str] = None
    """The message in whose place this one was sent; absent for any other"""


class MessageContext(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement, post or link that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    mentions_me: Optional[Literal[True]] = None
    """True: the message mentions this phone, or everybody in the group"""
    mentions_all: Optional[Literal[True]] = None
    """True: the message mentions everybody in the group"""
    group_mentions: Optional[List[GroupMention]] = None
    """The groups of the community that the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    story: Optional[Story] = None
    """The story that the message answers or that mentions the account"""
    album: Optional[Album] = None
    """The album that the file belongs to, or the other contents of the same message"""
    hd_of: Optional[HdOf] = None
    """The message whose file this one is in HD: apps send both"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    ephemeral: Optional[Literal[True]] = None
    """True: in a group, only its writer and this phone see it. An answer that quotes it is seen by them alone; any
    other answer by the whole group."""
    topic: Optional[Topic] = None
    """The topic of the group that the message was written in"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""


class WebhookAttempt(Model):
    id: str
    """The attempt's id"""
    delivery_id: str
    """The delivery that was tried"""
    event_type: str
    """The type of the event that was delivered"""
    attempt: int
    """The number of the attempt, from 1."""
    status: Union[AttemptStatus, str]
    """Whether the endpoint took the event"""
    status_code: Optional[int]
    """The status of the answer; null without one."""
    duration_ms: int
    """How long the attempt took, in milliseconds"""
    response_body: Optional[str]
    """The first 4,096 characters of the answer; null without an answer"""
    error: Optional[str]
    """Why the attempt failed; null if it did not"""
    at: datetime
    """When it was tried"""


class MessageDelivery(Model):
    id: str
    """The delivery's id"""
    webhook_id: str
    """The webhook that the delivery goes to"""
    webhook_name: Optional[str]
    """The account's name for the webhook; null after its deletion"""
    url: str
    """The address to which the delivery goes"""
    state: Union[DeliveryState, str]
    """The progress of the delivery"""
    held_because: Optional[Union[HeldBecause, str]]
    """Why the delivery waits; null if nothing holds it"""
    attempts: int
    """How often delivery was tried"""
    next_retry_at: Optional[datetime]
    """When it is tried next; null if it is not tried again"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    tries: List[WebhookAttempt]
    """The newest attempts, newest first"""


class MessageEvent(Model):
    id: str
    """The event's id"""
    api: Union[EventApi, str]
    """The API whose form the event has"""
    type: str
    """The type of the event"""
    status: Optional[str]
    """The status that a message:status reports, such as delivered; null for other events"""
    created_at: datetime
    """When the event happened"""
    deliveries: List[MessageDelivery]
    """The delivery to each webhook"""


class PersonReceipts(Model):
    person: ChatPerson
    """The person whose receipts these are"""
    delivered_at: Optional[datetime]
    """When the first device of the person got it; null before"""
    read_at: Optional[datetime]
    """When the person read it; null if unread, or if the person hides it"""
    played_at: Optional[datetime]
    """When the person played the voice note; null if not played"""


class MessageReceipts(Model):
    items: List[PersonReceipts]
    """The people with a receipt, in the order of their first receipts"""


class MessageStats(Model):
    accepted: int
    """Messages that were accepted to be sent"""
    sent: int
    """Messages that the network accepted"""
    delivered: int
    """Messages that reached a device"""
    read: int
    """Messages that were read, if the network reports it"""
    failed: int
    """Messages that did not get through"""
    received: int
    """Messages of other people"""


class MessageStatsPoint(Model):
    at: datetime
    """The beginning of the step"""
    accepted: int
    """Messages that were accepted to be sent"""
    sent: int
    """Messages that the network accepted"""
    delivered: int
    """Messages that reached a device"""
    read: int
    """Messages that were read, if the network reports it"""
    failed: int
    """Messages that did not get through"""
    received: int
    """Messages of other people"""


WaitReason = Literal[
    "IN_TURN",
    "SENDING",
    "PHONE_AWAY",
    "ACCOUNT_SUSPENDED",
    "SLOWED_DOWN",
    "TRYING_AGAIN",
    "OUTCOME_UNKNOWN",
]


class MessageWait(Model):
    because: Union[WaitReason, str]
    """The reason for the wait"""
    since: Optional[datetime]
    """When it began to wait; null if unknown"""
    next_try_at: Optional[datetime]
    """When it is tried next; null if unknown"""
    reason: Optional[str]
    """The result of the last attempt; null before the first"""


TimelineStepKind = Literal[
    "ACCEPTED",
    "FALLBACK_FOR",
    "FALLBACK_TAKEN",
    "FALLBACK_WITHHELD",
    "FALLBACK_REFUSED",
    "PHONE_DISCONNECTED",
    "PHONE_CONNECTED",
    "PHONE_RESTRICTED",
    "PHONE_UNRESTRICTED",
    "TRY_REFUSED",
    "TRY_UNCERTAIN",
    "SENT",
    "DELIVERED",
    "READ",
    "FAILED",
    "WRITTEN",
    "RECEIVED",
    "FILE_STORED",
    "ANSWERED",
    "EDITED",
    "REACTED",
    "VOTED",
    "PINNED",
    "KEPT",
    "RESPONDED",
    "OPERATION_FAILED",
    "UNPINNED",
    "UNKEPT",
    "DELETED",
]


class TimelineStep(Model):
    at: datetime
    """When it happened, by the network's clock if the network names it"""
    kind: Union[TimelineStepKind, str]
    """What happened"""
    by: Optional[SentBy]
    """The person or key that did it; null if the server or the network did"""
    code: Optional[str]
    """Why an attempt, a message or an operation failed, as a code; null if nothing failed"""
    reason: Optional[str]
    """The same in words, or the text that a phone or an act reports; null without a text"""
    network_code: Optional[int]
    """The network's own number of the failure; null if it gave none"""
    message_id: Optional[str]
    """The other message that was sent, of an answer or a fallback; null otherwise"""


class MessageTimeline(Model):
    message: LoggedMessage
    """The message itself"""
    request_id: Optional[str]
    """The id of the request that asked for it; null for a received message"""
    network_id: Optional[str]
    """The network's own id of the message; null before the network took it"""
    waiting: Optional[MessageWait]
    """Why the message has not been sent yet; null if it does not wait"""
    steps: List[TimelineStep]
    """What happened to it, oldest first"""
    events: List[MessageEvent]
    """The events about it, with the progress of their deliveries"""


class MonthOfAll(Model):
    month: str
    """A calendar month in UTC"""
    is_over: bool
    """False for the current month, whose numbers still grow"""
    messages_sent: int
    """Messages that were sent in the month"""
    messages_received: int
    """Messages that came in during the month"""
    network_charges: List[NetworkCharge]
    """The network's charges, by category"""
    invoiced_cents: int
    """The invoices of this month, in cents of BRL"""
    paid_cents: int
    """The paid part of them, in cents of BRL"""


class NameChange(Model):
    display_name: Optional[str]
    """The name that customers see now; null until the network reports it"""
    requested_name: Optional[str]
    """The name that was requested; null if none was"""
    status: Union[Literal["NONE", "PENDING", "APPROVED", "REJECTED"], str]
    """The network's decision; NONE if no name was requested"""


class NamedAmount(TypedDict):
    value: int
    """The sum in hundredths of BRL"""
    offset: NotRequired[Literal[100]]
    """Always 100: `value` is in hundredths"""
    description: NotRequired[str]
    """The purpose of the amount; at most 60 characters"""


class NetworkClient(Model):
    kind: str
    """The network that the version is for"""
    version: str
    """The version, in the network's numbering"""
    expires_at: Optional[datetime]
    """When the network ends it; null while it names no end"""


class NewCallLink(TypedDict):
    video: bool
    """True for a call with video, false for one with voice alone"""
    starts_at: NotRequired[Union[datetime, str]]
    """When the call begins; without it, whenever people join"""


class NewCloudToken(Model):
    id: str
    """The token's id"""
    name: str
    """Which program has the token"""
    prefix: str
    """How the token begins"""
    allowed_addresses: List[str]
    """IP addresses and CIDRs that may use the token; without any it works from everywhere"""
    expires_at: Optional[datetime]
    """When the token stops working; null means never"""
    last_used_at: Optional[datetime]
    """When it was last used; null before"""
    created_at: datetime
    """When the token was created"""
    token: str
    """Shown once"""


class NewCloudTokenRequest(TypedDict):
    name: str
    """Which program has the token"""
    allowed_addresses: NotRequired[List[str]]
    """The only IP addresses and CIDRs from which the token may be used; empty means anywhere"""
    expires_at: NotRequired[Union[datetime, str]]
    """A time in the future; by default never, or when the key that makes it ends"""


class NewOperator(TypedDict):
    name: str
    """How the console shows the operator"""
    email: str
    """The e-mail address for signing in"""


PairingLinkState = Literal["open", "paired", "revoked", "expired"]


class NewPairingLink(Model):
    id: str
    """The link's id"""
    label: Optional[str]
    """The title of the page; null shows the phone's own label"""
    state: Union[PairingLinkState, str]
    """`paired`: the phone was connected"""
    created_by: str
    """Who made the link: `key:<id>`, `user:<id>` or `operator:<id>`"""
    created_at: datetime
    """When the link was created"""
    expires_at: datetime
    """The link opens until this time"""
    opened_at: Optional[datetime]
    """When its page was first opened; null before"""
    ended_at: Optional[datetime]
    """When it was used or taken back; null before"""
    url: str
    """The page to send to the owner of the phone; shown only now"""


class NewerRelease(Model):
    version: str
    """The number of the release"""
    date: str
    """When it was released"""
    notes: Optional[str]
    """The page that says what has changed; null if there is no such page"""
    is_urgent: bool
    """Whether the version in use should be replaced"""


NewsletterRole = Literal["owner", "admin", "subscriber", "guest"]


NewsletterReactions = Literal["all", "basic", "none"]


class Newsletter(Model):
    newsletter_id: str
    """The network's id; posts go to `<newsletterId>@newsletter`"""
    name: str
    """What its followers see it called"""
    description: str
    """A text about it; empty without one"""
    invite_link: Optional[str]
    """The link by which everybody can follow it; null if the network names none"""
    role: Union[NewsletterRole, str]
    """What the phone is to it; `guest` does not follow it"""
    muted: bool
    """Whether the phone muted it"""
    subscriber_count: Optional[int]
    """How many people follow it; null if unknown"""
    verified: bool
    """Whether the network verified its owner"""
    reactions: Optional[Union[NewsletterReactions, str]]
    """The emojis with which people may react; null if unknown"""
    has_picture: bool
    """Whether it has a picture"""
    created_at: Optional[datetime]
    """When it was made; null if unknown"""


class NewsletterList(Model):
    items: List[Newsletter]
    """Those that the phone follows or owns, at most 1,000"""


class NewsletterLiveUpdates(Model):
    seconds: int
    """For how many seconds events come"""


class NewsletterPosts(Model):
    items: List[ListedNewsletterPost]
    """The posts, newest first"""
    next_before: Optional[str]
    """The `before` of the next page; null at the end"""


class NewsletterReaction(TypedDict):
    phone_id: str
    """The phone that reacts"""
    emoji: str
    """The emoji; an empty text takes the reaction back"""


class NumberVerification(Model):
    is_registered: bool
    """Whether the number can send now"""
    reason: Optional[Union[Literal["PIN_REJECTED", "REGISTER_FAILED"], str]]
    """Why the number is not registered; null or absent if it is"""


class Operator(Model):
    id: str
    """The operator's id"""
    name: str
    """How the console shows the operator"""
    email: str
    """The e-mail address for signing in"""
    has_password: bool
    """Whether the operator has chosen a password yet"""
    has_second_step: bool
    """Whether signing in takes a code or a passkey too"""
    created_at: datetime
    """When the operator was created"""


class OperatorLink(Model):
    id: str
    """The operator's id"""
    email: str
    """The address that the link was made for"""
    link: str
    """Opens once; absent if it was mailed"""
    expires_at: datetime
    """The link opens until this time"""


class OperatorList(Model):
    items: List[Operator]
    """Every operator, oldest first"""


class OperatorReset(TypedDict):
    email: str
    """The e-mail address of the operator"""


TemplateOrderGoods = Literal["digital-goods", "physical-goods"]


class OrderPayment(TypedDict):
    type: Literal["pix_dynamic_code", "payment_link", "boleto", "offsite_card_pay"]
    """Each needs fields of its own"""
    code: NotRequired[str]
    """The Pix code; only for pix_dynamic_code"""
    merchant_name: NotRequired[str]
    """The receiver of the money; only for pix_dynamic_code"""
    key: NotRequired[str]
    """The Pix key; only for pix_dynamic_code"""
    key_type: NotRequired[Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]]
    """The kind of Pix key"""
    url: NotRequired[str]
    """The page where the order is paid: an https URL; only for payment_link"""
    digitable_line: NotRequired[str]
    """The typeable line of a boleto; only for boleto"""
    last_four_digits: NotRequired[str]
    """The end of the card's number: 4 digits; only for offsite_card_pay"""
    credential_id: NotRequired[str]
    """The id of the stored card; only for offsite_card_pay"""


class OrderItem(TypedDict):
    retailer_id: str
    """The item's own number at the seller"""
    name: str
    """The name of the item; 1 to 60 characters"""
    quantity: int
    """How many pieces"""
    amount: Amount
    """The price of one piece"""
    sale_amount: NotRequired[Amount]
    """The reduced price of one piece"""


class OrderDetailsContent(TypedDict):
    text: str
    """The text above the order"""
    footer: NotRequired[str]
    """A line of small print"""
    reference_id: str
    """The order's own id: 1 to 35 letters, digits, dashes, dots and underscores"""
    goods: TemplateOrderGoods
    """The kind of goods that are sold"""
    total_amount: Amount
    """The total to be paid"""
    payments: List[OrderPayment]
    """How the order can be paid; each way needs the fields of its `type`"""
    items: List[OrderItem]
    """The ordered products"""
    subtotal: Amount
    """The price of all items"""
    tax: NotRequired[NamedAmount]
    """The taxes of the order"""
    shipping: NotRequired[NamedAmount]
    """The price of the delivery"""
    discount: NotRequired[NamedAmount]
    """The discount on the price"""


class OrderStatusContentPayment(TypedDict):
    status: Literal["pending", "captured", "failed"]
    """The status of the payment"""
    timestamp: NotRequired[int]
    """When the payment was made, in seconds since 1970"""


class OrderStatusContent(TypedDict):
    text: str
    """The text with the status"""
    footer: NotRequired[str]
    """A line of small print"""
    reference_id: str
    """The `referenceId` of the order: 1 to 35 letters, digits, dashes, dots and underscores"""
    status: Literal["pending", "processing", "partially-shipped", "shipped", "completed", "canceled"]
    """The status of the order"""
    description: NotRequired[str]
    """The new status of the order"""
    payment: NotRequired[OrderStatusContentPayment]
    """The details of the payment"""


class OriginResult(Model):
    address: str
    """Where the request comes from"""
    is_local: bool
    """Whether it comes from this machine"""
    is_trusted: bool
    """Whether RECADO_TRUSTED_PROXIES names that proxy"""
    is_proxied: bool
    """Whether a proxy passed the request on"""


class Owed(Model):
    count: int
    """How many invoices"""
    cents: int
    """The sum in cents of BRL"""


class OwnAccount(Model):
    id: str
    """The account's id"""
    name: str
    """The name of the business"""
    status: str
    """Always ACTIVE: an account in any other state cannot make requests"""
    dunning_stage: Union[AccountDunningStage, str]
    """The stage of the account's late payment"""
    created_at: datetime
    """When the account was created"""
    plan: Optional[AccountPlan]
    """The plan of the account; null without one"""
    key: AccountKey
    """The key of this request"""
    rates: AccountRates
    """The two limits of requests in a minute, and the rest of each"""
    limits: List[AccountLimit]
    """The number of objects of each kind in the account, and its limit"""


class OwnProfile(Model):
    name: Optional[str]
    """The name of the phone's owner; null until the network reports it"""
    about: Optional[str]
    """The line beside the name; null until the network reports it"""
    picture_url: Optional[str]
    """The address of the picture; null if none is shown"""


PairingState = Literal["asleep", "preparing", "waiting", "linking", "passkey", "paired"]


class Pairing(Model):
    version: str
    """A mark that changes whenever the shown content changes"""
    state: Union[PairingState, str]
    """`asleep`: ask for /reconnect to have codes made. `preparing`: the first code is made. `waiting`: for a scan, or
    a typed code. `linking`: a code was used. `passkey`: the network wants the owner's passkey"""
    qr: Optional[str]
    """The text in the QR code; null without a code"""
    data_url: Optional[str]
    """The QR code as a PNG, a base64 data URL; null without a code"""
    code: Optional[str]
    """The code to type; null if none was requested, or before it is made"""
    hint: Optional[PairingHint]
    """The step that the owner has to take; null if there is none"""
    passkey_url: Optional[str]
    """The page where the owner uses the passkey; null if none is needed"""


class PairingCode(Model):
    code: str
    """The 8 characters that the owner types"""
    formatted: str
    """The code with a dash in the middle"""
    hint: Optional[PairingHint] = None
    """The step that the owner has to take; absent if typing the code is enough"""


class PairingLink(Model):
    id: str
    """The link's id"""
    label: Optional[str]
    """The title of the page; null shows the phone's own label"""
    state: Union[PairingLinkState, str]
    """`paired`: the phone was connected"""
    created_by: str
    """Who made the link: `key:<id>`, `user:<id>` or `operator:<id>`"""
    created_at: datetime
    """When the link was created"""
    expires_at: datetime
    """The link opens until this time"""
    opened_at: Optional[datetime]
    """When its page was first opened; null before"""
    ended_at: Optional[datetime]
    """When it was used or taken back; null before"""


class PairingLinkList(Model):
    items: List[PairingLink]
    """Every link of the phone, newest first"""


class Passkey(Model):
    stage: Union[Literal["ASSERTION_REQUIRED", "CONFIRMATION_REQUIRED", "IN_PROGRESS"], str]
    """The next step"""
    options: Dict[str, Any]
    """WebAuthn's request options as JSON, exactly as the network gave them"""
    code: Optional[str] = None
    """A code that the owner compares with the one on the phone"""
    bridge_url: str
    """The page where the owner can do it; a secret"""
    expires_at: datetime
    """The owner can use the passkey until this time"""


class PasskeyAssertionResponse(TypedDict):
    client_data_json: str
    """must be base64url"""
    authenticator_data: str
    """must be base64url"""
    signature: str
    """must be base64url"""
    user_handle: NotRequired[Optional[Union[str, Literal[""]]]]
    """The user's handle; null or empty if the key gives none"""


class PasskeyAssertion(TypedDict):
    id: str
    """must be base64url"""
    raw_id: str
    """must be base64url"""
    type: Literal["public-key"]
    """Always `public-key`"""
    response: PasskeyAssertionResponse
    """The answer of the owner's passkey"""


class PendingLookup(Model):
    task_id: str
    """The lookup, for `GET /v1/lookup/{taskId}`"""
    status: Union[Literal["pending"], str]
    """The network is asked soon"""


class PersonExport(Model):
    names: List[Dict[str, Any]]
    """The names of the person, by network"""
    tables: Dict[str, List[Dict[str, Any]]]
    """The rows of each table that concern the person"""


class PersonReference(TypedDict):
    to: str
    """A number, canonical key or chat address"""


class PersonRequest(TypedDict):
    person: str
    """A number, a LID, a user id, `@username`, or a canonical key such as `pn:5511999990001`"""
    account_id: NotRequired[str]
    """Only the data that this account or institution has of the person; the data of all if absent"""


class Phone(Model):
    id: str
    """The phone's id"""
    account_id: str
    """The account that the phone belongs to"""
    type: PhoneType
    """The kind of phone, which decides what it can do"""
    label: str
    """A name for the account's own people"""
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    status: Union[PhoneStatus, str]
    """Whether the phone is connected"""
    webhook_url: Optional[str]
    """The phone's own webhook; null without one"""
    webhook_events: List[str]
    """Event types; empty means all"""
    shared_webhook_id: Optional[str]
    """The linked shared webhook; null without one"""
    disconnected_at: Optional[datetime]
    """When it was disconnected; null while it is connected"""
    state_reason: Optional[str]
    """Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is
    unknown"""
    state_since: Optional[datetime]
    """When the phone got its status; null before the first connection"""
    restriction: Optional[Restriction]
    """The network's current restriction of the phone; null without a restriction"""
    created_at: datetime
    """When the phone was created"""
    updated_at: datetime
    """When the phone last changed"""
    lid: Optional[str] = None
    """The account's own hidden id, by which groups mention it; absent before it is known"""
    proxy: Optional[str] = None
    """The proxy that a session connects through, without its user and password"""
    waba_phone_number_id: Optional[str] = None
    """The network's id of the number; null while unknown"""
    waba_business_account_id: Optional[str] = None
    """The network's id of the business account; null while unknown"""
    waba_throughput_level: Optional[str] = None
    """The speed at which the number may send, in the network's word; null until the network reports it"""
    waba_quality_rating: Optional[str] = None
    """GREEN, YELLOW or RED, as the network rates the number; null while it is not rated"""
    waba_messaging_limit: Optional[str] = None
    """How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown"""
    waba_username: Optional[str] = None
    """The username of the business on the network; null without one"""
    waba_can_send: Optional[str] = None
    """The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it"""
    waba_send_problem: Optional[SendProblem] = None
    """Why the network refuses to send; null if it does not"""
    waba_webhook_configured: Optional[bool] = None
    """Whether the network sends us the number's events"""
    waba_coexistence: Optional[bool] = None
    """Whether the owner's business app goes on with the number"""
    waba_contacts_sync_at: Optional[datetime] = None
    """When the app's contacts were requested; null before"""
    waba_history_sync_at: Optional[datetime] = None
    """When the app's history was requested; null before"""
    ig_user_id: Optional[str] = None
    """The account's id; null for other types"""
    ig_username: Optional[str] = None
    """The account's username; null for other types"""
    ig_account_type: Optional[str] = None
    """The kind of account, in the network's word; null for other types"""
    ig_token_expires_at: Optional[datetime] = None
    """When the account's consent ends; null for other types, and if the end is not known"""
    ig_webhook_configured: Optional[bool] = None
    """Whether the network sends us the account's events"""


class PhoneCapabilities(Model):
    content_types: List[str]
    """The types of content that a send may have"""
    content_limits: List[ContentLimit]
    """The limits of each of these types"""
    on_received: List[Union[OperationLimitOperation, str]]
    """The operations on a received message"""
    on_sent: List[Union[OperationLimitOperation, str]]
    """The operations on a sent message"""
    operation_limits: List[OperationLimit]
    """The operations that only some messages allow"""
    takes_uploads: bool
    """Whether a send may name a file that POST /v1/media/files has kept"""
    newsletter_types: List[str]
    """The types of content that a post of a newsletter may have; empty without newsletters"""
    status_types: List[str]
    """The types of content that a status may have; empty without statuses"""
    images_per_message: int
    """How many images one message may have"""
    quick_replies: int
    """How many quick replies a text may have"""
    tags: List[str]
    """The tags with which a message may go out when its answer window is closed"""
    has_templates: bool
    """Whether the network reviews templates"""
    has_lookups: bool
    """Whether the network can be asked which numbers it knows"""
    answer_window_hours: Optional[float]
    """How many hours after a person's message the phone may answer freely; null means for good"""
    recipients: Union[RecipientForm, str]
    """How a send names a person: by a phone number, or by an id of the network"""
    has_groups: bool
    """Whether GET /v1/groups and the other routes of groups work with the phone"""
    has_calls: bool
    """Whether people can be called from the phone, and calls taken here"""
    can_reject_calls: bool
    """Whether a call that rings can be rejected here"""
    has_call_links: bool
    """Whether links of calls can be made"""


class PhoneCount(Model):
    type: str
    """The type of the phones"""
    status: Union[PhoneStatus, str]
    """The state of these phones"""
    count: int
    """How many phones there are"""


class PhoneKind(Model):
    type: PhoneType
    """The `type` of phones of this kind"""
    label: LocalizedText
    """What people call the kind"""
    about: Optional[LocalizedText]
    """One sentence for who chooses a kind; null without one"""
    site: Optional[str]
    """The network's own page about it; null without one"""
    ways: List[Union[CreationWay, str]]
    """How one is made: `pairing` with its owner's device, from `credentials`, by the network's `signup`, or by its
    owner's consent (`oauth`)"""
    credentials: List[FormField]
    """The fields of `credentials`, in the order of a form"""
    send_options: List[FormField]
    """The fields that `options` of a send may have"""
    creation_settings: List[FormField]
    """The further fields that only a new one takes"""
    settings: List[FormField]
    """The settings that may be changed at any time"""
    capabilities: KindCapabilities
    """What one can do, connected or not"""


class PhoneKindList(Model):
    items: List[PhoneKind]
    """Every kind of this server"""


class PhoneNumberRequestContent(TypedDict):
    text: NotRequired[str]
    """The text above the button"""


class PhonePage(Model):
    items: List[Phone]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class PhoneProxy(Model):
    proxy: Optional[str]
    """The proxy without its user and password; null without a proxy"""


class PhoneReference(TypedDict):
    phone_id: str
    """The phone that the message went through"""


PhoneSettingsOptOutWords = Literal["on", "off"]


class PhoneSettings(Model):
    transcribe_voice: Optional[Union[Literal["off", "voice"], str]] = None
    """`voice`: voice notes of people become text at the account's provider of language models, and an event with the
    text follows; null is `off`. An agent with `transcribesVoice` reads them in any case"""
    opt_out_words: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: a person who writes only STOP, PARAR, SAIR, BAJA or a like word opts out, and in again by START, VOLTAR
    or ALTA; null is `on` for a network of SMS, else `off`"""
    own_opt_out_words: Optional[str] = None
    """Further words of an opt-out, with commas between them, beside the usual; null for none"""
    native_buttons: Optional[Union[Literal["off", "try"], str]] = None
    """How buttons and lists go out; null is `off`, a text with numbered options. `try` sends the network's own first,
    whose form it may refuse at any time, and then the text"""
    link_previews: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: a text with a web address gets a preview, for which Recado asks the page; null is `off`. `linkPreview` of
    a text decides otherwise"""
    labels_as_tags: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: a label of WhatsApp Business on a chat is a tag of its contact. A tag with the name of a label labels the
    chats; null is `off`"""
    always_online: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: people see the account as online while the session is connected, and the owner's phone shows no
    notifications; null is `off`"""
    read_automatically: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: received messages of people are marked as read, some seconds after they came; null is `off`"""
    ignore_groups: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: messages in groups, and acts on them, are neither stored nor published; null is `off`"""
    reject_calls: Optional[Union[PhoneSettingsOptOutWords, str]] = None
    """`on`: a call of one person is rejected at once, and stops ringing on the owner's phone; null is `off`"""
    reject_calls_text: Optional[str] = None
    """The text that a rejected caller gets, at most once in ten minutes. It is a send like any other. Null for none"""
    messaging_account_id: Optional[str] = None
    """The messaging account that pays and sends, 1 to 32 digits; null lets the network choose"""
    marketing_messages: Optional[Union[Literal["off", "fallback", "strict"], str]] = None
    """How MARKETING templates go out; null is the default, `off`"""
    marketing_price_factor: Optional[str] = None
    """What the maximum price of a marketing message is multiplied by, with `marketingMessages`; null for none"""
    direct_send_name: Optional[str] = None
    """The name for messages with the tag UTILITY, which go out without a template; null refuses them"""


class PhoneSettingsInput(TypedDict):
    transcribe_voice: NotRequired[Optional[Literal["off", "voice"]]]
    """`voice`: voice notes of people become text at the account's provider of language models, and an event with the
    text follows; null is `off`. An agent with `transcribesVoice` reads them in any case"""
    opt_out_words: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: a person who writes only STOP, PARAR, SAIR, BAJA or a like word opts out, and in again by START, VOLTAR
    or ALTA; null is `on` for a network of SMS, else `off`"""
    own_opt_out_words: NotRequired[Optional[str]]
    """Further words of an opt-out, with commas between them, beside the usual; null for none"""
    native_buttons: NotRequired[Optional[Literal["off", "try"]]]
    """How buttons and lists go out; null is `off`, a text with numbered options. `try` sends the network's own first,
    whose form it may refuse at any time, and then the text"""
    link_previews: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: a text with a web address gets a preview, for which Recado asks the page; null is `off`. `linkPreview` of
    a text decides otherwise"""
    labels_as_tags: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: a label of WhatsApp Business on a chat is a tag of its contact. A tag with the name of a label labels the
    chats; null is `off`"""
    always_online: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: people see the account as online while the session is connected, and the owner's phone shows no
    notifications; null is `off`"""
    read_automatically: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: received messages of people are marked as read, some seconds after they came; null is `off`"""
    ignore_groups: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: messages in groups, and acts on them, are neither stored nor published; null is `off`"""
    reject_calls: NotRequired[Optional[PhoneSettingsOptOutWords]]
    """`on`: a call of one person is rejected at once, and stops ringing on the owner's phone; null is `off`"""
    reject_calls_text: NotRequired[Optional[str]]
    """The text that a rejected caller gets, at most once in ten minutes. It is a send like any other. Null for none"""
    messaging_account_id: NotRequired[Optional[str]]
    """The messaging account that pays and sends, 1 to 32 digits; null lets the network choose"""
    marketing_messages: NotRequired[Optional[Literal["off", "fallback", "strict"]]]
    """How MARKETING templates go out; null is the default, `off`"""
    marketing_price_factor: NotRequired[Optional[str]]
    """What the maximum price of a marketing message is multiplied by, with `marketingMessages`; null for none"""
    direct_send_name: NotRequired[Optional[str]]
    """The name for messages with the tag UTILITY, which go out without a template; null refuses them"""


class PinMessageRequest(TypedDict):
    phone_id: str
    """The phone that the message went through"""
    duration: NotRequired[Literal["24h", "7d", "30d"]]
    """How long it is pinned; `24h` by default"""


class PixContent(TypedDict):
    amount_cents: int
    """The sum in cents of BRL"""
    key: str
    """Where the money goes: a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key"""
    merchant_name: str
    """The receiver, at most 25 Latin characters"""
    merchant_city: NotRequired[str]
    """The receiver's city, at most 15 Latin characters; not needed with `code`"""
    txid: str
    """The charge's own id, 1 to 25 letters and digits; the receiver's bank names it beside the payment"""
    code: NotRequired[str]
    """The code that the receiver's bank made for this charge; without it, Recado makes a code for `key`"""
    text: NotRequired[str]
    """The text before the charge"""


class PlaceCallRequest(TypedDict):
    phone_id: str
    """The phone that wants to call"""
    to: str
    """E.164 number or business-scoped user id"""
    sdp_offer: str
    """The WebRTC offer of your side"""


class Plan(Model):
    code: str
    """The plan's short name"""
    kind: Union[PlanKind, str]
    """How the plan bills"""
    currency: str
    """The currency of the prices: BRL"""
    per_message_cents: int
    """Cents of BRL for each message sent"""
    per_phone_month_cents: int
    """Cents of BRL for each phone and month"""
    monthly_fee_cents: int
    """Cents of BRL a month"""
    included_messages: int
    """How many the monthly fee covers"""
    overage_cents: int
    """Cents of BRL for each further message"""
    metadata: Dict[str, Any]
    """`wabaCents`, and what else was stored"""
    created_at: datetime
    """When the plan was created"""
    updated_at: datetime
    """When the plan last changed"""


class PollContent(TypedDict):
    question: str
    """The question of the poll; 1 to 255 characters"""
    options: List[str]
    """The answers that can be chosen; all different"""
    max_selections: NotRequired[int]
    """How many options one person may choose, 1 by default; no more than there are"""


StatusType = Literal["text", "image", "video", "audio"]


class PostStatus(TypedDict):
    type: StatusType
    """What the status is"""
    content: Dict[str, Any]
    """The content, as in a message of the same type"""
    audience: NotRequired[List[str]]
    """Who may see it: numbers, canonical keys or chat addresses. Without it: everybody the phone knows"""
    background_color: NotRequired[str]
    """The background of a text or voice note; must be # and six hexadecimal digits"""
    font: NotRequired[int]
    """The font of a text, by the network's number"""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account posts nothing"""


PrivacyChangesAbout = Literal["all", "contacts", "contact_blacklist", "none"]


class PrivacyChanges(TypedDict):
    last_seen: NotRequired[PrivacyChangesAbout]
    """Who sees when the account was last online"""
    online: NotRequired[Literal["all", "match_last_seen"]]
    """Who sees that the account is online: all, or who sees the last time"""
    picture: NotRequired[PrivacyChangesAbout]
    """Who sees the picture"""
    about: NotRequired[PrivacyChangesAbout]
    """Who sees the about text"""
    read_receipts: NotRequired[Literal["all", "none"]]
    """Whether people learn that their messages were read; `none` hides theirs from the account too"""
    group_add: NotRequired[Literal["all", "contacts", "contact_blacklist"]]
    """Who may add the account to groups"""
    call_add: NotRequired[Literal["all", "known"]]
    """Who may call: all, or people whom the account knows"""
    default_disappearing_seconds: NotRequired[Union[Literal[0], Literal[86400], Literal[604800], Literal[7776000]]]
    """The seconds after which messages of new chats disappear; 0 if they stay: a day, a week or 90 days"""


PrivacySettingsAbout = Union[Literal["all", "contacts", "contact_blacklist", "none"], str]


class PrivacySettings(Model):
    last_seen: Optional[PrivacySettingsAbout]
    """Who sees when the account was last online; null if the network does not say it"""
    online: Optional[Union[Literal["all", "match_last_seen"], str]]
    """Who sees that the account is online: all, or who sees the last time; null if the network does not say it"""
    picture: Optional[PrivacySettingsAbout]
    """Who sees the picture; null if the network does not say it"""
    about: Optional[PrivacySettingsAbout]
    """Who sees the about text; null if the network does not say it"""
    read_receipts: Optional[Union[Literal["all", "none"], str]]
    """Whether people learn that their messages were read; `none` hides theirs from the account too; null if the
    network does not say it"""
    group_add: Optional[Union[Literal["all", "contacts", "contact_blacklist"], str]]
    """Who may add the account to groups; null if the network does not say it"""
    call_add: Optional[Union[Literal["all", "known"], str]]
    """Who may call: all, or people whom the account knows; null if the network does not say it"""
    default_disappearing_seconds: Optional[int]
    """The seconds after which messages of new chats disappear; 0 if they stay; null if the network does not say it"""


class PromoteGroupParticipantsResult(Model):
    participants: List[GroupPersonOutcome]
    """`code` is the network's own number"""


class ProxyCheck(Model):
    is_reached: bool
    """Whether the network answers through the proxy now; true without a proxy"""
    proxy: Optional[str]
    """The proxy without its user and password; null without a proxy"""
    duration_ms: Optional[float]
    """How long it took; null if it was not reached"""
    reason: Optional[str]
    """Why it was not reached; null if it was"""


class PutIceBreakersRequest(TypedDict):
    ice_breakers: List[IceBreakerInput]
    """The questions that a new chat offers, one set for each language"""


class PutMenuRequest(TypedDict):
    menu: List[LocaleMenuInput]
    """The entries that every chat offers, one set for each language"""


class QrCode(Model):
    qr: str
    """The text in the QR code"""
    data_url: str
    """The code as a PNG, a base64 data URL"""
    hint: Optional[PairingHint] = None
    """The step that the owner has to take; absent if scanning is enough"""


class QuickReply(TypedDict):
    id: str
    """The value that comes back with the answer"""
    text: str
    """The text of the quick reply; 1 to 20 characters"""


class QuotaNetwork(Model):
    """The network's quota of new chats; null if it has none or did not report it"""

    status: str
    """How near the limit is: NONE, FIRST_WARNING, SECOND_WARNING, CAPPED or another word of the network"""
    total: Optional[float]
    """How many new people may be written to in the cycle; null if the network does not say"""
    used: Optional[float]
    """Null if the network does not say"""
    cycle_starts_at: Optional[datetime]
    """When the cycle began; null if the network does not say"""
    cycle_ends_at: Optional[datetime]
    """When the cycle ends; null if the network does not say"""
    asked_at: datetime
    """When the network was asked"""


class QuotaOwn(Model):
    """The limit of RECADO_SESSION_NEW_CHATS_A_DAY and RECADO_SESSION_WARM_UP; null without one"""

    limit: int
    """Chats with new people a day"""
    used: int
    """Chats begun since the count began"""
    resets_at: Optional[datetime]
    """When the count begins anew; null while nothing is counted"""


class Quota(Model):
    network: Optional[QuotaNetwork]
    """The network's own limit of new people in a cycle; null if it has none or did not report it"""
    own: Optional[QuotaOwn]
    """The limit of the operator's settings for a day; null without one"""


class ReactToMessageRequest(TypedDict):
    phone_id: str
    """The phone that the message went through"""
    emoji: str
    """An empty text removes the reaction"""


class SignupMessage(TypedDict):
    type: str
    """The type that the window names, such as WA_EMBEDDED_SIGNUP"""
    event: NotRequired[str]
    """The window's own word"""
    data: NotRequired[Dict[str, Any]]
    """The data that the window sent"""


ReadEmbeddedSignupEventRequestMessage = Union[str, SignupMessage]


class ReadEmbeddedSignupEventRequest(TypedDict):
    message: ReadEmbeddedSignupEventRequestMessage
    """The message that the sign-up window posted: its text, or the object itself"""


class ReadinessChecks(Model):
    database: Union[CheckState, str]
    """The store of everything except media"""
    cache: Union[CheckState, str]
    """The store inside the process"""
    storage: Union[CheckState, str]
    """The store of media"""


class Readiness(Model):
    status: Union[Literal["ready", "not_ready"], str]
    """`not_ready`: something does not work"""
    checks: ReadinessChecks
    """The state of each part"""
    degraded: Optional[List[str]] = None
    """The adapters in the plugin folder that cannot be used; absent if all can"""


class Received(Model):
    received: bool
    """True: the request was stored"""


class ReceivedMessageFields(Model):
    message_id: str
    """The message, for `quotedMessageId` and the routes that act on a message"""
    direction: Union[WebhookDirection, str]
    """`outbound`: the owner wrote it in the network's own app"""
    timestamp: datetime
    """When it happened, as the network says"""
    from_: Peer = Field(alias="from")
    """The person who wrote"""
    chat: Peer
    """The chat that the message was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    quoted_message_id: Optional[str] = None
    """The `messageId` that this message replies to"""
    is_history: Optional[bool] = None
    """Written before the phone was connected"""
    held_by: Optional[Holder] = None
    """The other app that leads the conversation; absent if none does"""


class RecentAttempt(Model):
    at: datetime
    """When the attempt ended"""
    delivered: bool
    """Whether the endpoint answered with a 2xx status"""
    status_code: Optional[int]
    """The answer of the endpoint; null if it was not reached"""
    duration_ms: int
    """How long the attempt took, in milliseconds"""


class ReconnectPhoneResult(Model):
    status: Union[Literal["reconnecting"], str]
    """The phone connects again soon"""


class RejectCallRequest(TypedDict):
    reason: NotRequired[str]
    """Why the call is refused; it is stored here and not sent to the network"""


class RejectGroupJoinRequestsResult(Model):
    success: bool
    """True, even if `failed` names some requests"""
    rejected: List[str]
    """Ids of the requests that were rejected"""
    failed: List[FailedJoinRequest]
    """Requests that the network did not carry out, and why"""


class RemoveGroupParticipantsResult(Model):
    participants: List[GroupPersonOutcome]
    """`code` is the network's own number"""


class RenewAdminTokenResult(Model):
    token: str
    """The token that the header X-Admin-Token needs from now on"""


class RepeatedMessage(Model):
    message_id: str
    """The message that the first request sent"""
    status: Literal["SENT"]
    """The first request had the same key"""


class ReplayDeadLettersRequest(TypedDict):
    account_id: NotRequired[str]
    """Only dead letters of this account; all accounts by default"""


class ReplayDeadLettersResult(Model):
    status: Union[Literal["enqueued"], str]
    """The deliveries are tried again soon"""
    count: int
    """How many deliveries are tried again"""


class ReplayEventResult(Model):
    id: str
    """The id of the event"""
    status: Union[Literal["enqueued"], str]
    """The event is delivered again soon"""


class RequestCallPermissionRequest(TypedDict):
    phone_id: str
    """The phone that wants to call"""
    to: str
    """E.164 number or business-scoped user id"""


class RequestHistoryRequest(TypedDict):
    chat: str
    """A number, canonical key or chat address"""
    count: NotRequired[int]
    """How many messages at most; 50 by default"""


class RequestNameChangeRequest(TypedDict):
    display_name: str
    """The new name that customers see; the network reviews it"""


class RequestNameChangeResult(Model):
    status: Union[Literal["pending"], str]
    """The network reviews the name"""
    display_name: str
    """The name that was requested"""


class RequestNumberCodeRequest(TypedDict):
    method: Literal["SMS", "VOICE"]
    """How the code comes"""
    language: NotRequired[str]
    """The language of the message with the code, such as pt_BR"""


class RequestNumberCodeResult(Model):
    status: Union[Literal["sent", "already"], str]
    """`already`: the number is verified"""


class RescheduleRequest(TypedDict):
    scheduled_at: Union[datetime, str]
    """When it is sent"""
    respect_hours: NotRequired[bool]
    """True: a time outside business hours is moved to the next opening; false by default"""


class ResetUserRequest(TypedDict):
    email: str
    """The e-mail address of the user"""


class ResetUserResult(Model):
    email: str
    """The e-mail address of the user"""
    link: str
    """Opens once; absent if it was mailed"""
    expires_at: datetime
    """The link opens until this time"""


class RespondToEventRequest(TypedDict):
    phone_id: str
    """The phone that the message went through"""
    response: EventResponse
    """The answer"""
    extra_guests: NotRequired[int]
    """How many people come along; 0 by default"""


class ResumableUpload(Model):
    handle: str
    """The handle for the example of a template's header, or for a message"""
    session_id: str
    """The network's id of this upload or sign-up"""


class RetriedDeliveries(Model):
    status: Union[Literal["enqueued"], str]
    """The deliveries are tried again soon"""
    count: int
    """How many deliveries are tried again"""


class RetriedDelivery(Model):
    id: str
    """The delivery's id"""
    status: Union[Literal["enqueued", "held"], str]
    """The next step. held: its webhook is paused, or an earlier delivery of its chat goes first"""


RetriedState = Literal["WAITING", "DEAD"]


class RetryDeliveries(TypedDict):
    state: RetriedState
    """The deliveries that are tried again"""
    webhook_id: NotRequired[str]
    """Only deliveries to this webhook"""
    phone_id: NotRequired[str]
    """Only deliveries of this phone's events"""
    message_id: NotRequired[str]
    """Only deliveries of events about this message"""
    type: NotRequired[str]
    """The name of an event type, of either API"""
    since: NotRequired[Union[datetime, str]]
    """Only deliveries of events from this time on"""
    until: NotRequired[Union[datetime, str]]
    """Only deliveries of events before this time"""


class RevokeApiKeyResult(Model):
    id: str
    """The key's id"""
    revoked_at: datetime
    """When the key was revoked"""


class RevokeOwnApiKeyResult(Model):
    id: str
    """The key's id"""
    revoked_at: datetime
    """When the key was revoked"""


class RichTextButton(TypedDict):
    text: str
    """The text of the button; 1 to 64 characters"""
    id: NotRequired[str]
    """The value that comes back when it is pressed"""
    url: NotRequired[str]
    """The page that it opens"""
    copy_text: NotRequired[str]
    """The text that it copies, such as a code"""
    style: NotRequired[Literal["primary", "success", "danger"]]
    """What it is for; the network's own colour by default"""


class RichTextContent(TypedDict):
    text: str
    """The text in Markdown, with headings, lists, tables and quotations; at most 32,768 characters"""
    buttons: NotRequired[List[List[RichTextButton]]]
    """Rows of buttons. A line [[buttons]] of the text is the place of a row; the others stand below"""


class RotateTokenRequest(TypedDict):
    access_token: str
    """The new token of the business account, without spaces"""


class RunJobResult(Model):
    status: Union[Literal["enqueued"], str]
    """The job runs soon"""


SampleEventType = Literal[
    "message:received",
    "message:standby",
    "message:status",
    "message:reaction",
    "message:edited",
    "message:transcribed",
    "message:poll-vote",
    "message:pinned",
    "message:kept",
    "message:event-response",
    "message:poll-results",
    "message:operation_failed",
    "message:fallback",
    "status:received",
    "newsletter:received",
    "channel:connected",
    "channel:disconnected",
    "channel:restricted",
    "channel:unrestricted",
    "channel:qrcode",
    "channel:client-expiring",
    "channel:passkey-required",
    "media:available",
    "media:failed",
    "media:expired",
    "template:status",
    "history:progress",
    "message:starred",
    "message:labelled",
    "message:deleted_for_me",
    "message:expired",
    "chat:changed",
    "chat:labelled",
    "chat:operation_failed",
    "label:changed",
    "contact:synced",
    "comment:received",
    "conversation:held",
    "conversation:released",
    "contact:presence",
    "chat:updated",
    "contact:blocked",
    "contact:unblocked",
    "contact:opted-out",
    "contact:opted-in",
    "chat:renamed",
    "channel:delegated",
    "agent:handoff",
    "agent:budget_exhausted",
    "agent:document",
    "agent:worsened",
    "group:lifecycle",
    "group:participants",
    "group:join-requests",
    "group:member-label",
    "group:community",
    "group:settings",
    "group:status",
    "newsletter:changed",
    "newsletter:counts",
    "billing:invoice.paid",
    "billing:invoice.failed",
    "webhook:failed",
    "call:offer",
    "call:ringing",
    "call:accepted",
    "call:in_progress",
    "call:completed",
    "call:rejected",
    "call:missed",
    "call:failed",
]


class SaveBillingCustomerRequest(TypedDict):
    cpf_cnpj: NotRequired[Optional[str]]
    """The payer's CPF or CNPJ: 11 or 14 digits, or a CNPJ with letters; null removes it"""
    name: NotRequired[str]
    """Who pays, as invoices name them"""
    phone: NotRequired[str]
    """The payer's telephone number"""
    address_line: NotRequired[str]
    """The street of the payer"""
    address_number: NotRequired[str]
    """The house number of the payer"""
    province: NotRequired[str]
    """The district of the payer"""
    postal_code: NotRequired[str]
    """The payer's CEP"""


class SaveBillingCustomerResult(Model):
    processor_customer_id: str
    """The processor's id of the payer"""


TextContentLinkPreview = Union[bool, LinkPreview]


class TextContent(TypedDict):
    text: str
    """The text to send; 1 to 4,096 characters"""
    quick_replies: NotRequired[List[QuickReply]]
    """Answers to tap, if the network supports them; each with an `id` of its own"""
    tag: NotRequired[TextContentTag]
    """How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message
    without a template"""
    mentions: NotRequired[List[str]]
    """The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same
    community, or `all`. `@` and the number in the text becomes the name. If the network has mentions"""
    link_preview: NotRequired[TextContentLinkPreview]
    """The preview of the first address in the text, if the network has that. True: Recado asks the page for its
    title, text and picture, for five seconds at most. False: none. An object: this one, whose address stands in the
    text. By default the phone's setting `linkPreviews` decides"""


class TemplateHeaderMedia(TypedDict):
    type: Literal["image", "video", "document"]
    """The kind of file"""
    url: NotRequired[str]
    """The address of the header's file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `url`; without variables in a batch"""
    filename: NotRequired[str]
    """The shown name: the name of a file alone, without folders"""


class TemplateHeaderProduct(TypedDict):
    product_id: str
    """The product, by the seller's own number"""
    catalog_id: str
    """The network's id of the catalogue that has it"""


class TemplateHeaderLocation(TypedDict):
    latitude: Union[float, str]
    """Degrees north of the equator, -90 to 90, as a number or its text"""
    longitude: Union[float, str]
    """Degrees east of Greenwich, -180 to 180, as a number or its text"""
    name: NotRequired[str]
    """The name of the place"""
    address: NotRequired[str]
    """The postal address of the place"""


class TemplateSection(TypedDict):
    title: str
    """The heading of these products"""
    product_ids: List[str]
    """Products of the catalogue, by the seller's own numbers"""


class TemplateOrder(TypedDict):
    goods: TemplateOrderGoods
    """The kind of goods that are sold"""
    total_amount: Amount
    """The total to be paid"""
    payments: List[OrderPayment]
    """How the order can be paid; each way needs the fields of its `type`"""
    items: List[OrderItem]
    """The ordered products"""
    subtotal: Amount
    """The price of all items"""
    tax: NotRequired[NamedAmount]
    """The taxes of the order"""
    shipping: NotRequired[NamedAmount]
    """The price of the delivery"""
    discount: NotRequired[NamedAmount]
    """The discount on the price"""
    reference_id: str
    """The order's own id: 1 to 35 letters, digits, dashes, dots and underscores"""


class TemplateButton(TypedDict):
    sub_type: NotRequired[Literal["url", "copy_code", "quick_reply", "flow", "catalog", "mpm", "order_details", "voice_call"]]
    """The action of the button; that of the template's button by default"""
    index: NotRequired[int]
    """The button's place among all, from 0"""
    parameters: NotRequired[List[str]]
    """Values, percent-encoded if they are part of a URL"""
    flow_token: NotRequired[str]
    """Comes back with the answer of a flow; the message's id by default"""
    flow_data: NotRequired[Dict[str, Any]]
    """What the first screen of a flow shows"""
    thumbnail_product_id: NotRequired[str]
    """The product whose picture a catalogue or product list shows"""
    sections: NotRequired[List[TemplateSection]]
    """The products of a product list (mpm)"""
    order: NotRequired[TemplateOrder]
    """The order that a button of the type order_details shows, to be paid in BRL"""


class TemplateCard(TypedDict):
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMedia]
    """The file of the header, if the template has one"""
    header_product: NotRequired[TemplateHeaderProduct]
    """The product of the header, if the template has one"""
    buttons: NotRequired[List[TemplateButton]]
    """The values of the card's buttons"""


class TemplateContent(TypedDict):
    name: str
    """The name of an approved template"""
    language: NotRequired[str]
    """The language of the template; pt_BR by default"""
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMedia]
    """The file of the header, if the template has one"""
    header_product: NotRequired[TemplateHeaderProduct]
    """The product of the header, if the template has one"""
    header_text: NotRequired[str]
    """The value of the variable in a text header, in place of `headerMedia`"""
    header_name: NotRequired[str]
    """The name of the variable in a text header; that of the template by default"""
    header_location: NotRequired[TemplateHeaderLocation]
    """The place of the header, if the template has one"""
    expires_at: NotRequired[str]
    """When a limited-time offer ends, in ISO 8601 with timezone"""
    buttons: NotRequired[List[TemplateButton]]
    """The values of the buttons, if the template has variables in them"""
    cards: NotRequired[List[TemplateCard]]
    """The cards of a carousel, in their order"""


class SendFallback(TypedDict):
    """The template that another phone sends if this phone does not get through"""

    phone_id: str
    """Another phone, which sends the template, such as an official number"""
    template: TemplateContent
    """An approved template of the other phone"""
    after_minutes: int
    """How many minutes the first phone has"""
    when: NotRequired[List[FallbackReason]]
    """The cases in which the second way is used; all by default"""
    may_arrive_twice: NotRequired[bool]
    """True: the template is sent even if the message may have arrived; false by default"""


class SendTextMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["text"]
    """Always `text`: it decides which fields `content` has"""
    content: TextContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendImageMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["image"]
    """Always `image`: it decides which fields `content` has"""
    content: ImageContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class VideoContent(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `mediaUrl`"""
    mime_type: NotRequired[str]
    """The media type; the file's own by default"""
    caption: NotRequired[str]
    """A text below the file; at most 1,024 characters"""
    tag: NotRequired[TextContentTag]
    """How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message
    without a template"""
    mentions: NotRequired[List[str]]
    """The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same
    community, or `all`. `@` and the number in the text becomes the name. If the network has mentions"""
    view_once: NotRequired[bool]
    """Whether it can be opened once only, if the network has that; false by default"""
    video_note: NotRequired[bool]
    """Whether it plays as a round video note, if the network has those; false by default. A note has no caption"""
    gif_playback: NotRequired[bool]
    """Whether the MP4 plays as a GIF, without sound and again and again, if the network has that; false by default"""


class SendVideoMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["video"]
    """Always `video`: it decides which fields `content` has"""
    content: VideoContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendAudioMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["audio"]
    """Always `audio`: it decides which fields `content` has"""
    content: AudioContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendDocumentMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["document"]
    """Always `document`: it decides which fields `content` has"""
    content: DocumentContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class StickerContent(TypedDict):
    media_url: NotRequired[str]
    """A public HTTPS address of the file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `mediaUrl`"""
    mime_type: NotRequired[Literal["image/webp"]]
    """The media type; the file's own by default"""


class SendStickerMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["sticker"]
    """Always `sticker`: it decides which fields `content` has"""
    content: StickerContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendLocationMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["location"]
    """Always `location`: it decides which fields `content` has"""
    content: LocationContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendContactMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["contact"]
    """Always `contact`: it decides which fields `content` has"""
    content: ContactContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendButtonMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["button"]
    """Always `button`: it decides which fields `content` has"""
    content: ButtonContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendListMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["list"]
    """Always `list`: it decides which fields `content` has"""
    content: ListContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendTemplateMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["template"]
    """Always `template`: it decides which fields `content` has"""
    content: TemplateContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendCtaUrlMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["cta_url"]
    """Always `cta_url`: it decides which fields `content` has"""
    content: CtaUrlContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendLocationRequestMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["location_request"]
    """Always `location_request`: it decides which fields `content` has"""
    content: LocationRequestContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendAddressMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["address_message"]
    """Always `address_message`: it decides which fields `content` has"""
    content: AddressContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendFlowMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["flow"]
    """Always `flow`: it decides which fields `content` has"""
    content: FlowContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendPollMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["poll"]
    """Always `poll`: it decides which fields `content` has"""
    content: PollContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendEventMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["event"]
    """Always `event`: it decides which fields `content` has"""
    content: EventContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendCopyCodeMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["copy_code"]
    """Always `copy_code`: it decides which fields `content` has"""
    content: CopyCodeContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendCarouselMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["carousel"]
    """Always `carousel`: it decides which fields `content` has"""
    content: CarouselContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendPhoneNumberRequestMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["phone_number_request"]
    """Always `phone_number_request`: it decides which fields `content` has"""
    content: PhoneNumberRequestContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendPhoneNumberShareMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["phone_number_share"]
    """Always `phone_number_share`: it decides which fields `content` has"""
    content: Dict[str, Any]
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendOrderDetailsMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["order_details"]
    """Always `order_details`: it decides which fields `content` has"""
    content: OrderDetailsContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendOrderStatusMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["order_status"]
    """Always `order_status`: it decides which fields `content` has"""
    content: OrderStatusContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendRichTextMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["rich_text"]
    """Always `rich_text`: it decides which fields `content` has"""
    content: RichTextContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


class SendPixMessage(TypedDict):
    phone_id: str
    """The phone that sends"""
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: Literal["pix"]
    """Always `pix`: it decides which fields `content` has"""
    content: PixContent
    """The content of the message"""
    quoted_message_id: NotRequired[str]
    """The `messageId` that this message replies to"""
    comment_id: NotRequired[str]
    """A comment that this message answers in private; not beside `quotedMessageId`"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""
    idempotency_key: NotRequired[str]
    """A repeat with the same key and account sends nothing"""
    fallback: NotRequired[SendFallback]
    """The fallback, if this phone does not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""


SendMessage = Union[SendTextMessage, SendImageMessage, SendVideoMessage, SendAudioMessage, SendDocumentMessage, SendStickerMessage, SendLocationMessage, SendContactMessage, SendButtonMessage, SendListMessage, SendTemplateMessage, SendCtaUrlMessage, SendLocationRequestMessage, SendAddressMessage, SendFlowMessage, SendPollMessage, SendEventMessage, SendCopyCodeMessage, SendCarouselMessage, SendPhoneNumberRequestMessage, SendPhoneNumberShareMessage, SendOrderDetailsMessage, SendOrderStatusMessage, SendRichTextMessage, SendPixMessage]


class ScheduleMessageRequest(TypedDict):
    scheduled_at: Union[datetime, str]
    """When it is sent"""
    respect_hours: NotRequired[bool]
    """True: a time outside business hours is moved to the next opening; false by default"""
    payload: SendMessage
    """The body of `POST /v1/messages` that is sent at that time"""


class ScheduledMessage(Model):
    id: str
    """The scheduled message's id"""
    scheduled_at: datetime
    """When it is sent"""
    moved_from: Optional[datetime] = None
    """The requested time, if it was outside business hours"""
    status: Union[ScheduledStatus, str]
    """Whether it still waits to be sent"""
    created_at: datetime
    """When it was scheduled"""
    phone_id: str
    """The phone that sends"""
    message_id: Optional[str]
    """The message that was sent; null before"""
    failed_reason: Optional[str]
    """`[CODE]` and why it failed; null otherwise"""
    updated_at: datetime
    """When it last changed"""
    to: str
    """The number of the recipient, or another address"""
    type: str
    """The type of its content"""
    preview: Optional[str]
    """The beginning of its text, its caption or its template's name; null for other content"""


class ScheduledMessageDetails(Model):
    id: str
    """The scheduled message's id"""
    scheduled_at: datetime
    """When it is sent"""
    moved_from: Optional[datetime] = None
    """The requested time, if it was outside business hours"""
    status: Union[ScheduledStatus, str]
    """Whether it still waits to be sent"""
    created_at: datetime
    """When it was scheduled"""
    phone_id: str
    """The phone that sends"""
    message_id: Optional[str]
    """The message that was sent; null before"""
    failed_reason: Optional[str]
    """`[CODE]` and why it failed; null otherwise"""
    updated_at: datetime
    """When it last changed"""
    payload: Dict[str, Any]
    """The body of `POST /v1/messages` that is sent at that time"""


class ScheduledMessagePage(Model):
    items: List[ScheduledMessage]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


ScheduledOrder = Literal["created", "scheduledAt"]


class SendCheapest(TypedDict):
    to: str
    """Digits with country code, a chat address, user id or canonical key"""
    type: MessageType
    """The type of the message, which decides what `content` has"""
    content: Dict[str, Any]
    """The content of the message; its fields depend on `type`"""
    template: NotRequired[TemplateContent]
    """The template that a phone sends in place of the content, if its network takes only a template"""
    phone_ids: NotRequired[List[str]]
    """The phones to choose from; by default the newest 20 of the account"""
    fallback_after_minutes: NotRequired[int]
    """The next cheapest phone sends the template, if the chosen phone does not get through"""


class SendGroupMessageRequest(TypedDict):
    type: Literal["text", "image", "video", "audio", "document", "sticker", "template"]
    """The type of the content, as the network names it"""
    payload: Dict[str, Any]
    """The object that the network's own API takes under the name of the type; sent unchanged"""


class SendGroupMessageResult(Model):
    message_id: str
    """The message that was accepted"""


class SentCheapest(Model):
    message_id: str
    """The message that was accepted"""
    status: Union[Literal["QUEUED"], str]
    """The message waits to be sent"""
    chosen: RouteWay
    """The phone that sends, with its price"""
    fallback_phone_id: Optional[str]
    """The phone of the fallback; null without one"""
    others: List[RouteWay]
    """Phones that could send it too, cheapest first"""
    unable: List[UnablePhone]
    """Phones that cannot send the message, and why"""


class SentHeader(Model):
    name: str
    """The name of the header"""
    value: Optional[str]
    """The value of the header; null for a signature, and for a header of the webhook's owner"""


class SentRequest(Model):
    method: Literal["POST"]
    """The method of the request"""
    url: str
    """Where the request went"""
    headers: List[SentHeader]
    """The headers of the request"""
    body: str
    """The body as it is sent; at most 256 KiB"""


class SessionReport(Model):
    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    keys: Dict[str, int]
    """How many keys were found, by kind"""
    notes: List[str]
    """Further remarks"""
    problems: List[str]
    """Why it cannot be imported; empty if it can"""


class SetChatTimer(TypedDict):
    seconds: Union[Literal[0], Literal[86400], Literal[604800], Literal[7776000]]
    """After how many seconds messages disappear: a day, 7 days or 90 days; 0: they stay"""


class SetPhoneCredentialsRequestCredentials(TypedDict):
    phone_number_id: NotRequired[str]
    """The network's id of the number"""
    business_account_id: NotRequired[str]
    """The network's id of the business account"""
    access_token: NotRequired[str]
    """A long-lived token without spaces; never shown again"""
    verify_token: NotRequired[str]
    """The token that the handshake of the network's webhook has to name"""


class SetPhoneCredentialsRequest(TypedDict):
    credentials: Union[SetPhoneCredentialsRequestCredentials, Dict[str, str]]
    """All credentials of its kind: one that is missing is removed"""


class SetPhoneProxyRequest(TypedDict):
    url: Optional[str]
    """The proxy that the session connects through: http:// (CONNECT) or socks5://, with host and port. It may have
    user:password@, which are never shown again; null removes the proxy"""


class SharedWebhook(Model):
    id: str
    """The webhook's id"""
    label: str
    """A name for the account's own people"""
    url: str
    """Where the events go"""
    events: List[str]
    """The types of events that the webhook gets"""
    phone_ids: List[str]
    """The phones that link to it."""
    all_phones: bool
    """Whether it gets the events of every phone, also of later ones."""
    selected_phone_ids: List[str]
    """Phones whose events it gets although they do not link to it."""
    active: bool
    """False pauses the webhook: its events are stored, and sent in order once it is true again."""
    directions: List[Union[WebhookDirection, str]]
    """Which messages the webhook gets: incoming, outgoing or both"""
    headers: Dict[str, str]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: Union[DeliveryOrdering, str]
    """Whether the events of a chat wait for each other"""
    created_at: datetime
    """When the webhook was created"""
    updated_at: datetime
    """When the webhook last changed"""


class ShowPresenceRequest(TypedDict):
    state: Presence
    """The presence that people see"""
    to: NotRequired[str]
    """A number, canonical key or chat address"""


class SignupConfigExtras(Model):
    setup: Dict[str, Any]
    """Options for the browser's SDK"""
    feature_type: str
    """Empty in the dedicated flow"""
    session_info_version: str
    """An option of the browser's SDK"""
    version: str
    """An option of the browser's SDK"""


class SignupConfig(Model):
    app_id: str
    """The id of the network's app"""
    config_id: Optional[str]
    """The configuration of the sign-up at the network; null if the operator has set none"""
    graph_version: str
    """The version of the network's API"""
    state: str
    """Binds the attempt to this account for a day; send it with the code"""
    extras: SignupConfigExtras
    """Options for the browser's SDK, to be passed on unchanged"""


class SignupEventError(Model):
    code: Optional[str]
    """The window's own code; null if it sent none"""
    message: str
    """The failure, in the window's words"""
    session_id: Optional[str]
    """The network's id of the sign-up; null if the window sent none"""


class SignupEvent(Model):
    result: Union[Literal["FINISHED", "CANCELLED", "FAILED", "OTHER"], str]
    """The result of the sign-up"""
    event: Optional[str]
    """The window's own word; null if it sent none"""
    waba_id: Optional[str]
    """The network's id of the business account; null if the window sent none"""
    phone_number_id: Optional[str]
    """The network's id of the number; null if the window sent none"""
    business_id: Optional[str]
    """The network's id of the business; null if the window sent none"""
    is_coexistent: bool
    """Whether the number stays in the business app too"""
    step: Optional[str]
    """The step at which the owner left the window; null if the sign-up was not left"""
    error: Optional[SignupEventError]
    """The failure; null without one"""


class SnoozeChat(TypedDict):
    until: Union[datetime, str]
    """When the chat comes back: later than now, within a year"""


class SocialConfig(Model):
    app_id: str
    """The id of the network's app"""
    authorize_url: str
    """The address to which the page sends the owner"""
    scopes: List[str]
    """The permissions of the key or the app"""
    redirect_uris: List[str]
    """The addresses to which the consent may return"""


class StartLookupRequest(TypedDict):
    phone_id: str
    """The phone that asks the network"""
    numbers: List[str]
    """The numbers that are looked up"""


class StatsAccounts(Model):
    total: int
    """All accounts that are not deleted"""
    suspended: int
    """How many are suspended"""


class StatsPhones(Model):
    total: int
    """All phones that are not deleted"""
    connected: int
    """How many are connected now"""


class StatsToday(Model):
    sent: int
    """Messages that were sent"""
    received: int
    """Messages of other people"""


class StatsDeliveries(Model):
    pending: int
    """How many deliveries wait"""
    dead: int
    """Deliveries that were given up"""


class StatsJobs(Model):
    waiting: int
    """How many wait to run"""


class StatsInvoices(Model):
    unpaid: int
    """How many wait to be paid"""


StatsStep = Literal["hour", "day"]


class StatsTotal(Model):
    messages: MessageStats
    """What happened to messages"""
    deliveries: DeliveryStats
    """What happened to deliveries"""
    lag: Optional[LagStats]
    """The delays of the deliveries, in fixed steps; null if none arrived"""


class StatsPoint(Model):
    at: datetime
    """The beginning of the step"""
    messages: MessageStats
    """What happened to messages"""
    deliveries: DeliveryStats
    """What happened to deliveries"""
    lag: Optional[LagStats]
    """The delays of the deliveries, in fixed steps; null if none arrived"""


class TypeStats(Model):
    type: str
    """The type of the phones"""
    total: MessageStats
    """Over the whole time"""
    points: List[MessageStatsPoint]
    """Every step in order, also empty steps"""


class StatsSeries(Model):
    step: Union[StatsStep, str]
    """How long a step is"""
    since: datetime
    """The beginning of the first step, in UTC"""
    until: datetime
    """The end of the last step, exclusive"""
    total: StatsTotal
    """Over the whole time"""
    points: List[StatsPoint]
    """Every step in order, also empty steps"""
    types: List[TypeStats]
    """The messages of each type of phone that had any"""


class Stats(Model):
    accounts: StatsAccounts
    """The accounts of the server"""
    phones: StatsPhones
    """The phones of all accounts"""
    today: StatsToday
    """Messages since midnight in UTC"""
    deliveries: StatsDeliveries
    """Deliveries to webhooks"""
    jobs: StatsJobs
    """The background work"""
    invoices: StatsInvoices
    """The invoices of all accounts"""
    activity: StatsSeries
    """What happened, as `GET /v1/stats` answers it for one account"""


class WaitingMessages(Model):
    queued: int
    """Messages that wait to be sent"""


class WaitingDeliveries(Model):
    waiting: int
    """Events that wait to be delivered to a webhook"""
    dead: int
    """Events that were given up"""


class StatsNow(Model):
    at: datetime
    """When it was counted"""
    phones: List[PhoneCount]
    """How many phones of a type are in a state"""
    messages: WaitingMessages
    """Messages that are not sent yet"""
    deliveries: WaitingDeliveries
    """Deliveries that are not done yet"""


class StoredRecording(Model):
    call_id: str
    """The call that was recorded"""
    object_key: str
    """The key of the stored file"""
    size_bytes: int
    """The size of the recording in bytes"""
    content_type: str
    """The media type of the recording"""


class SummariseRequestMessage(TypedDict):
    from_: Literal["user", "assistant"]
    """The person who wrote it"""
    text: str
    """The text of the message"""


class SummariseRequest(TypedDict):
    messages: List[SummariseRequestMessage]
    """The chat, oldest first; not all blank"""
    format: NotRequired[Literal["bullet", "paragraph"]]
    """The form of the summary; `bullet` by default"""
    language: NotRequired[str]
    """The language of the summary; pt_BR by default"""
    model: NotRequired[str]
    """The language model that answers; the account's default without a name"""


class Summary(Model):
    summary: str
    """A summary of the chat, in the requested language"""
    key_topics: List[str]
    """The topics of the chat"""
    open_questions: List[str]
    """Questions without an answer"""
    model: str
    """The language model that answered"""
    usage: TokenUsage
    """The tokens that the answer cost"""


class SyncContactsRequest(TypedDict):
    contacts: NotRequired[bool]
    """Whether the app's contacts are requested; false by default"""
    history: NotRequired[bool]
    """Whether the app's history is requested; false by default"""


class SyncTemplatesRequest(TypedDict):
    phone_id: str
    """The phone whose business account is read"""


class SystemAddresses(Model):
    gateway_url: str
    """The address of the gateway API"""
    listen: str
    """The address and port of this process"""
    data_dir: str
    """The folder of its data"""


class SystemDatabase(Model):
    is_shared: bool
    """Whether several nodes may share it"""
    size_bytes: Optional[int]
    """The size in bytes; null on a database server"""
    log_bytes: Optional[int]
    """The write-ahead log; null on a server"""


class SystemMedia(Model):
    place: Union[Literal["disk", "s3"], str]
    """The folder on this machine, or a bucket"""
    size_bytes: int
    """The size of the stored media of all accounts"""


class Updates(Model):
    is_on: bool
    """Whether the server looks for newer releases"""
    read_at: Optional[datetime]
    """When the list of releases was last read; null before"""
    failure: Optional[str]
    """Why the last try failed; null if it did not"""
    newer: Optional[NewerRelease]
    """The newest release; null if no release is newer than the version in use"""


class System(Model):
    version: str
    """The version of Recado"""
    commit: str
    """The commit that was built"""
    started_at: datetime
    """When this process was started"""
    runtime: str
    """The runtime of the program"""
    platform: str
    """The system and the processor"""
    memory_bytes: int
    """The memory of this process"""
    addresses: SystemAddresses
    """The addresses of the server, and the place of its data"""
    disk: Disk
    """The disk that holds the data"""
    database: SystemDatabase
    """Where everything except media is stored"""
    media: SystemMedia
    """The store of files"""
    clients: List[NetworkClient]
    """The versions spoken to networks"""
    updates: Updates
    """The known newer releases; `RECADO_UPDATE_URL` says where the server looks"""


class Takings(Model):
    unpaid: Owed
    """The unpaid part"""
    overdue: Owed
    """The overdue part"""
    months: List[MonthOfAll]
    """Every month with its sums, the oldest first"""


class TemplateComponent(OpenModel):
    type: str
    """The kind of part: HEADER, BODY, FOOTER, BUTTONS or another one of the official API"""


class Template(Model):
    id: str
    """The template's id"""
    account_id: str
    """The account that has the template"""
    phone_id: str
    """The phone whose business account has the template"""
    name: str
    """The template's name on the network"""
    language: str
    """A language code, such as pt_BR"""
    category: Union[ListedTemplateCategory, str]
    """The network's category"""
    status: Union[TemplateStatus, str]
    """The network's decision"""
    components: List[TemplateComponent]
    """The parts of the template, in the form of the official API"""
    max_price_per1000: Optional[int]
    """The most that 1,000 deliveries may cost, in hundredths of the account's currency, as it was last set here; null
    if it was not"""
    upstream_template_id: Optional[str]
    """The network's id; null before it has one"""
    created_at: datetime
    """When the template was stored here"""
    updated_at: datetime
    """When the template last changed"""
    rejection_reason: Optional[str] = None
    """Why the network rejected it"""


class TemplateSync(Model):
    created: int
    """How many are new here"""
    updated: int
    """How many were changed"""
    total: int
    """How many the business account has"""


class TestAgentRequest(TypedDict):
    message: str
    """A text that a contact might write"""
    system_prompt_override: NotRequired[str]
    """A prompt that replaces the agent's own, for this test alone"""
    with_knowledge: NotRequired[bool]
    """True: answer from the agent's documents, as for a contact; false by default"""
    call_tools: NotRequired[bool]
    """True: HTTP tools are called, marked as tests; false by default, which names the calls alone"""


class TestedAlert(Model):
    way: Union[Literal["mail", "url", "telegram"], str]
    """How it was sent"""
    is_sent: bool
    """Whether it was sent"""
    reason: Optional[str]
    """Why not; null if it was sent"""


class TestAlertsResult(Model):
    sent: List[TestedAlert]
    """The result of each way of notifying"""


class TestWebhook(TypedDict):
    type: NotRequired[SampleEventType]
    """The type of the event that is sent; an example of it is made"""
    forged: NotRequired[bool]
    """Signs it with a wrong secret: an endpoint that checks signatures refuses it"""


TrialChange = Literal["NEW", "SAME", "FIXED", "BROKEN", "ANSWER_CHANGED"]


TrialOutcome = Literal["PENDING", "PASSED", "FAILED", "ERROR"]


class TrialPassage(Model):
    id: str
    """The passage's id"""
    document_id: str
    """The document of the agent"""
    title: Optional[str]
    """The title of the document then; null without one"""


class TrialQuestion(Model):
    text: str
    """The question, as a contact might write it"""
    facts: List[str]
    """Texts that the answer must have"""
    expect_unknown: bool
    """True: the agent is to say that it does not know; such a question has no `facts`"""


class TrialResult(Model):
    question: str
    """The question, as the set had it"""
    facts: List[str]
    """Texts that the answer must have"""
    expect_unknown: bool
    """True: the agent is to say that it does not know; such a question has no `facts`"""
    outcome: Union[TrialOutcome, str]
    """Whether the answer is as expected; ERROR if the provider refused to answer"""
    change: Optional[Union[TrialChange, str]]
    """What became of the question since the run before; null before the answer, or without such a run"""
    answer: Optional[str]
    """The agent's answer; null without one"""
    missing: List[str]
    """The facts that the answer has not"""
    says_unknown: bool
    """Whether the answer says that the agent does not know"""
    passages: List[TrialPassage]
    """The passages of documents that the prompt had"""
    tokens: int
    """The tokens that the answer cost"""
    error_reason: Optional[str]
    """Why there is no answer, in the provider's words; null if none"""


TrialRunStatus = Literal["RUNNING", "DONE", "FAILED"]


class TrialTotals(Model):
    questions: int
    """All questions of the run"""
    pending: int
    """Questions that are still to be asked"""
    passed: int
    """Answers that are as expected"""
    failed: int
    """Answers that are not"""
    errors: int
    """Questions that the provider refused to answer"""
    unknown: int
    """Answers that say that the agent does not know"""
    invented: int
    """Answers that should say so, and do not"""


class TrialRun(Model):
    id: str
    """The run's id"""
    status: Union[TrialRunStatus, str]
    """RUNNING while questions are asked; DONE after the last one; FAILED if it could not go on"""
    cause: Union[TrialCause, str]
    """What began the run: a request, or a change of the agent or of its knowledge"""
    model: str
    """The agent's model when the run began"""
    call_tools: bool
    """Whether the agent's HTTP tools are called"""
    totals: TrialTotals
    """How many questions have which outcome"""
    error_reason: Optional[str]
    """Why the run could not go on: a code and a few words; null if nothing failed"""
    created_at: datetime
    """When the run was created"""
    ended_at: Optional[datetime]
    """When the run ended; null before"""


class TrialRunResults(Model):
    id: str
    """The run's id"""
    status: Union[TrialRunStatus, str]
    """RUNNING while questions are asked; DONE after the last one; FAILED if it could not go on"""
    cause: Union[TrialCause, str]
    """What began the run: a request, or a change of the agent or of its knowledge"""
    model: str
    """The agent's model when the run began"""
    call_tools: bool
    """Whether the agent's HTTP tools are called"""
    totals: TrialTotals
    """How many questions have which outcome"""
    error_reason: Optional[str]
    """Why the run could not go on: a code and a few words; null if nothing failed"""
    created_at: datetime
    """When the run was created"""
    ended_at: Optional[datetime]
    """When the run ended; null before"""
    compared_with: Optional[str]
    """The earlier run that `change` compares with; null without one"""
    results: List[TrialResult]
    """The questions in their order, with their answers"""


class TrialSet(Model):
    questions: List[TrialQuestion]
    """The questions in their order"""
    updated_at: Optional[datetime]
    """When the questions last changed; null before the first ones"""


class TrialSetRequestQuestion(TypedDict):
    """A question with `facts`, or with a true `expectUnknown`"""

    text: str
    """The question, as a contact might write it"""
    facts: NotRequired[List[str]]
    """Texts that the answer must have; case, accents, spaces and spellings of numbers are alike"""
    expect_unknown: NotRequired[bool]
    """True: the agent is to say that it does not know; such a question has no `facts`; false by default"""


class TrialSetRequest(TypedDict):
    questions: List[TrialSetRequestQuestion]
    """All questions of the agent; each text once"""


class UndoHistoryImportRequest(TypedDict):
    account_id: str
    """The account or institution whose last import is taken back, if it can be undone"""


class UndoneImport(Model):
    messages: int
    """Messages that were removed now"""
    contacts: int
    """Contacts that were removed now"""
    conversations: int
    """Conversations that were removed now"""
    files: int
    """Files of messages that were removed now"""
    is_done: bool
    """False if more is left: ask again"""


class UpdateAccountRequest(TypedDict):
    name: NotRequired[str]
    """The new name of the business; absent keeps the present one"""
    status: NotRequired[Literal["ACTIVE", "CANCELLED", "INACTIVE"]]
    """ACTIVE also ends a suspension"""
    plan_code: NotRequired[str]
    """The plan that sets the prices"""
    billing_email: NotRequired[Optional[str]]
    """Where invoices and reminders go; null sends none"""
    waba_markup_pct: NotRequired[Optional[float]]
    """Percent on the network's charge; null is the server's default"""


class UpdateBusinessProfileRequest(TypedDict):
    about: NotRequired[str]
    """The line beside the name; 1 to 139 characters"""
    address: NotRequired[str]
    """The postal address; an empty text removes it"""
    description: NotRequired[str]
    """The description of the business; an empty text removes it"""
    email: NotRequired[str]
    """The e-mail address for customers; an empty text removes it"""
    vertical: NotRequired[str]
    """The line of business, in the network's word"""
    websites: NotRequired[List[str]]
    """The addresses of the business's pages; at most 2"""
    profile_picture_handle: NotRequired[str]
    """The handle of an upload by POST /v1/media/upload/resumable"""


class UpdateFlowRequest(TypedDict):
    name: NotRequired[str]
    """The account's name for the flow"""
    categories: NotRequired[List[str]]
    """The purposes of the flow, in the network's words"""
    json: NotRequired[Dict[str, Any]]
    """The flow's screens, in the network's flow JSON"""
    endpoint_url: NotRequired[str]
    """The account's HTTPS address that answers the flow; absent for a flow without data exchange"""


class UpdateGroupRequest(TypedDict):
    subject: NotRequired[str]
    """The group's name"""
    description: NotRequired[str]
    """A text about the group; at most 2,048 characters"""
    join_approval_mode: NotRequired[GroupJoinMode]
    """Whether administrators approve who joins"""
    rules: NotRequired[GroupRulesInput]
    """The rights that only administrators have; a missing rule stays unchanged"""


class UpdateInstitutionRequest(TypedDict):
    plan: InstitutionPlan
    """The new plan of the institution"""


class UpdateInstitutionResult(Model):
    id: str
    """The institution's id"""
    name: str
    """The name of the business"""
    plan: Union[InstitutionPlan, str]
    """The plan that holds from now on"""


class UpdateLlmIntegrationRequest(TypedDict):
    base_url: NotRequired[Optional[str]]
    """Without fragment, and without a query except Azure's `api-version`; null is the server's default"""
    api_key: NotRequired[Optional[str]]
    """Visible ASCII; null removes it; never shown again"""
    default_model: NotRequired[Optional[str]]
    """The model for chats if a request names none; null is the server's default"""
    embedding_model: NotRequired[Optional[str]]
    """The model that reads knowledge; null is the server's default"""
    transcription_model: NotRequired[Optional[str]]
    """The model that turns voice notes into text; null is the server's default"""
    transcription_language: NotRequired[Optional[str]]
    """The language of voice notes, in two letters; null lets the provider find it"""
    speech_model: NotRequired[Optional[str]]
    """The model that speaks an agent's answers; null is the server's default"""
    embedding_base_url: NotRequired[Optional[str]]
    """Another provider for knowledge, in the same form as `baseUrl`; null is the provider of chats"""
    embedding_api_key: NotRequired[Optional[str]]
    """The key of that provider, visible ASCII; null uses `apiKey`; never shown again"""
    daily_tokens: NotRequired[Optional[int]]
    """Tokens that all calls of the account may use per UTC day; null is the server's default"""


class UpdateNewsletterRequest(TypedDict):
    phone_id: str
    """The phone that changes it"""
    name: NotRequired[str]
    """The name of the newsletter"""
    description: NotRequired[str]
    """A text about it; at most 2,048 characters"""
    picture: NotRequired[Optional[Picture]]
    """One of `mediaUrl` and `base64`; null removes it"""
    reactions: NotRequired[NewsletterReactions]
    """The emojis with which people may react"""


class UpdatePhoneRequest(TypedDict):
    webhook: NotRequired[PhoneWebhook]
    """Where the phone's events go; it replaces the earlier block"""
    shared_webhook_id: NotRequired[Optional[str]]
    """Missing or null unlinks"""
    type: NotRequired[Any]
    """Refused: it cannot be changed"""
    label: NotRequired[Any]
    """Refused: it cannot be changed"""


class UpdatePlanRequest(TypedDict):
    kind: NotRequired[PlanKind]
    """How the plan bills"""
    currency: NotRequired[Literal["BRL"]]
    """The currency of the prices: BRL"""
    per_message_cents: NotRequired[int]
    """Cents of BRL for each message sent"""
    per_phone_month_cents: NotRequired[int]
    """Cents of BRL for each phone and month"""
    monthly_fee_cents: NotRequired[int]
    """Cents of BRL a month"""
    included_messages: NotRequired[int]
    """How many the monthly fee covers"""
    overage_cents: NotRequired[int]
    """Cents of BRL for each further message"""
    metadata: NotRequired[PlanMetadata]
    """Further terms of the plan; at most 16 KiB as JSON"""


class UpdateSharedWebhook(TypedDict):
    label: NotRequired[str]
    """A name for the account's own people"""
    url: NotRequired[str]
    """A public HTTPS address, or that of a message broker"""
    secret: NotRequired[str]
    """The key of the HMAC signature"""
    events: NotRequired[List[EventType]]
    """Event types; empty means all"""
    all_phones: NotRequired[bool]
    """Whether it gets the events of every phone, also of later ones."""
    selected_phone_ids: NotRequired[List[str]]
    """Phones whose events it gets although they do not link to it."""
    active: NotRequired[bool]
    """False pauses the webhook: its events are stored, and sent in order once it is true again."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class UpdateTemplateRequest(TypedDict):
    category: NotRequired[TemplateCategory]
    """The network's category"""
    components: NotRequired[List[NewTemplateComponent]]
    """The parts of the template, in the form of the official API"""
    max_price_per1000: NotRequired[int]
    """The most that 1,000 deliveries may cost, in hundredths of the account's currency; only for MARKETING, and for
    phones with `marketingMessages`"""
    message_send_ttl_seconds: NotRequired[int]
    """AUTHENTICATION 30 to 900, UTILITY 30 to 43200, MARKETING 43200 to 2592000; -1 is 30 days"""


class UploadKnowledgeFileRequest(Model):
    file: str
    """Text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, PPTX, ODT, ODS or ODP"""


class UploadMediaRequest(TypedDict):
    media_url: str
    """A public HTTPS address of the file"""
    mime_type: str
    """The file's media type, such as image/png"""
    filename: NotRequired[str]
    """The shown name of the file"""


class UploadMediaResumableRequest(TypedDict):
    media_url: str
    """A public HTTPS address of the file"""
    mime_type: str
    """The file's media type, such as image/png"""
    file_name: str
    """The name of the file, with its ending"""
    app_id: str
    """The id of the network's app"""


class UsedAccount(Model):
    id: str
    """The account's id"""
    name: str
    """The name of the business"""
    status: str
    """ACTIVE, CANCELLED, INACTIVE or SUSPENDED"""
    dunning_stage: Union[AccountDunningStage, str]
    """The stage of the account's late payment"""
    plan_code: str
    """The plan that sets the prices"""
    billing_email: Optional[str]
    """Where invoices and reminders go; null sends none"""
    waba_markup_pct: Optional[float]
    """Percent on the network's charge; null is the server's default"""
    joined_into: Optional[str] = None
    """The institution that took the account over; absent if no institution did"""
    created_at: datetime
    """When the account was created"""
    updated_at: datetime
    """When the account last changed"""
    is_suspended: bool
    """Whether its sends wait until it has paid"""
    institution_plan: Optional[Union[InstitutionPlan, str]]
    """The plan of an institution; null for another account"""
    phones: int
    """Phones, connected or not"""
    connected_phones: int
    """Phones that are connected"""
    members: int
    """People of the institution"""
    messages_sent: int
    """Sent this month in UTC"""
    messages_received: int
    """Received this month in UTC"""
    owed_cents: int
    """Unpaid invoices, in cents of BRL"""
    overdue_cents: int
    """The overdue part of them, in cents of BRL"""


class UsedAccountPage(Model):
    items: List[UsedAccount]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class Username(Model):
    username: Optional[str]
    """The username of the business; null without one"""
    is_reserved: bool
    """Whether the username is only reserved"""


class VerifyNumberRequest(TypedDict):
    code: NotRequired[str]
    """The 4 to 8 digits that the network sent to the number"""
    pin: NotRequired[str]
    """The 6 digits of the number's new two-step verification"""


class VersionResult(Model):
    servico: str
    """The name of the service"""
    commit: str
    """The commit that was built"""
    subido_em: datetime
    """When it was started"""


class VoteInPollRequest(TypedDict):
    phone_id: str
    """The phone that the message went through"""
    votes: List[Union[str, int]]
    """The chosen options, each by its text or by its place, counted from 0"""


class WebhookAttemptPage(Model):
    items: List[WebhookAttempt]
    """The last attempts, newest first"""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last"""


class WebhookDelivery(Model):
    id: str
    """The delivery's id"""
    event_id: str
    """The event that is delivered"""
    api: Union[EventApi, str]
    """The API whose form the event has"""
    type: str
    """The type of the event"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the account"""
    message_id: Optional[str]
    """The message that the event is about; null for other events"""
    webhook_id: str
    """The webhook that the delivery goes to"""
    webhook_name: Optional[str]
    """The account's name for the webhook; null after its deletion"""
    url: str
    """The address to which the delivery goes"""
    state: Union[DeliveryState, str]
    """The progress of the delivery"""
    held_because: Optional[Union[HeldBecause, str]]
    """Why the delivery waits; null if nothing holds it"""
    attempts: int
    """How often delivery was tried"""
    next_retry_at: Optional[datetime]
    """When it is tried next; null if it is not tried again"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    created_at: datetime
    """When the event happened"""


class WebhookDeliveryDetails(Model):
    id: str
    """The delivery's id"""
    event_id: str
    """The event that is delivered"""
    api: Union[EventApi, str]
    """The API whose form the event has"""
    type: str
    """The type of the event"""
    phone_id: Optional[str]
    """The phone that the event is about; null for an event of the account"""
    message_id: Optional[str]
    """The message that the event is about; null for other events"""
    webhook_id: str
    """The webhook that the delivery goes to"""
    webhook_name: Optional[str]
    """The account's name for the webhook; null after its deletion"""
    url: str
    """The address to which the delivery goes"""
    state: Union[DeliveryState, str]
    """The progress of the delivery"""
    held_because: Optional[Union[HeldBecause, str]]
    """Why the delivery waits; null if nothing holds it"""
    attempts: int
    """How often delivery was tried"""
    next_retry_at: Optional[datetime]
    """When it is tried next; null if it is not tried again"""
    last_status_code: Optional[int]
    """The last answer of the endpoint; null without an answer"""
    last_error: Optional[str]
    """Why the last try failed; null if none did"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    created_at: datetime
    """When the event happened"""
    request: Optional[SentRequest]
    """The request that was sent last; null before the first attempt"""
    tries: List[WebhookAttempt]
    """The newest 50 attempts, newest first"""


class WebhookDeliveryPage(Model):
    items: List[WebhookDelivery]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


WebhookKind = Literal["phone", "shared", "account", "app"]


WebhookState = Literal["OK", "FAILING", "WAITING", "PAUSED", "DISABLED"]


class WebhookHealth(Model):
    webhook_id: str
    """The webhook, as `GET /v1/webhooks` lists it if it is shared"""
    api: Union[EventApi, str]
    """The API whose form the events have"""
    kind: Union[WebhookKind, str]
    """Whether the webhook belongs to one phone, to several, or to the platform API"""
    phone_id: Optional[str]
    """The phone whose own webhook it is; null for a webhook of the account"""
    name: str
    """The account's name for the webhook, or for the phone"""
    url: str
    """Where the events go"""
    state: Union[WebhookState, str]
    """Whether the endpoint takes its events"""
    opens_at: Optional[datetime]
    """When new deliveries are tried again; null: at once"""
    last_failed_at: Optional[datetime]
    """When a delivery last failed; null before"""
    delivered: int
    """Successful attempts of the last 24 hours, counted up to 50,000"""
    failed: int
    """Attempts of the last 24 hours that failed"""
    median_ms: Optional[int]
    """How long an attempt took, of the newest 60; null without one"""
    slowest_ms: Optional[int]
    """How long the slowest of these took, in milliseconds; null without an attempt"""
    waiting: int
    """Deliveries that are still to be sent"""
    paused: int
    """Deliveries that wait until the webhook is active again"""
    dead: int
    """Dead letters, among the account's newest 10,000"""
    recent: List[RecentAttempt]
    """The newest 60 attempts of 24 hours, newest first"""


class WebhookHealthPage(Model):
    items: List[WebhookHealth]
    """The entries of this page, in the order of the list"""
    next_cursor: Optional[str]
    """The cursor of the next page; null on the last page"""


class WebhookTestResult(Model):
    event_id: str
    """The id of the sample event."""
    delivered: bool
    """Whether the endpoint answered with a 2xx status."""
    status_code: Optional[int]
    """The status of the answer; null without one."""
    duration_ms: int
    """How long the attempt took, in milliseconds"""
    response_body: Optional[str]
    """The first 4,096 characters of the answer; null without an answer"""
    error: Optional[str]
    """Why the event was not delivered; null if it was"""


WebhookEvent = GatewayEvent
