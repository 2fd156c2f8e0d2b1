# Written by npm run clients from the description of the platform API. Do not edit.
"""What the platform API answers, as models, and what it takes, as dictionaries."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from ._models import Model, OpenModel, Other, OtherEvent, one_of, tagged


class AcceptInvitationRequest(TypedDict):
    token: str
    """The token of the mailed link"""


class AcceptedMail(Model):
    status: Union[Literal["accepted"], str]


class AccountDay(Model):
    """Live messages of this day in UTC"""

    limit: Optional[int]
    """Null without a limit"""
    used: int
    """How many were sent today in UTC"""


class AccountLimit(Model):
    name: str
    used: int
    """How many there are"""
    limit: int
    """How many there may be"""
    left: int
    """How many are left"""


class AccountRate(Model):
    """What the institution may still do in this minute"""

    limit: int
    """How many are allowed until `resetsAt`"""
    left: int
    """How many are left"""
    resets_at: datetime
    """When the count begins anew"""


class BatchRecipient(TypedDict):
    to: str
    variables: NotRequired[Dict[str, str]]
    """A value for each variable of the text or the template"""


AddBatchRecipientsRequestRecipient = Union[BatchRecipient, str]
"""8 to 15 digits with country code, alone or as to"""


class AddBatchRecipientsRequest(TypedDict):
    recipients: List[AddBatchRecipientsRequestRecipient]
    """Numbers, or `{to, variables}`; at most 1,000"""


MemberRole = Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"]


class AddMemberRequest(TypedDict):
    email: str
    role: NotRequired[MemberRole]


class Album(Model):
    """Files of one album have the same id"""

    id: str
    """The network's id of the album"""


Environment = Literal["live", "test"]


class ApiKey(Model):
    id: str
    name: str
    prefix: str
    """The beginning of the key, to recognise it"""
    permissions: List[str]
    """What the key may do"""
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    expires_at: Optional[datetime] = None
    """Null or absent: never"""
    allowed_addresses: Optional[List[str]] = None
    """Where alone it may be used; empty: anywhere"""
    created_at: datetime
    last_used_at: Optional[datetime]
    """Null: never"""


class ApiKeyList(Model):
    data: List[ApiKey]


class AssignConversationRequest(TypedDict):
    user_id: Optional[str]
    """A member; null: nobody"""


AttemptStatus = Literal["DELIVERED", "FAILED"]


BatchStatus = Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]


class Batch(Model):
    batch_id: str
    channel_id: str
    name: Optional[str]
    status: Union[BatchStatus, str]
    total: int
    sent: int
    """Taken by the network"""
    failed: int
    """Refused, or never taken by the network"""
    pending: int
    """Not sent yet, or being sent"""
    cancelled: int
    """Not sent, because the batch was cancelled"""
    delay: int
    """Milliseconds between two messages"""
    jitter: float
    """By which share each delay varies"""
    created_at: datetime
    starts_at: Optional[datetime]
    """The time that was chosen for the first message; null: at once"""
    paused_at: Optional[datetime]
    """Since when it is paused; null: it is not"""
    started_at: Optional[datetime]
    """When it began; null before"""
    finished_at: Optional[datetime]
    """When it ended; null before"""
    respect_hours: bool
    """True: it sends in business hours alone"""
    opens_at: Optional[datetime]
    """Outside business hours: when it goes on; null otherwise"""
    waiting_since: Optional[datetime]
    """Since when its channel has not been connected; after 24 hours the batch fails"""


class TemplateHeaderMedia(Model):
    type: Union[Literal["image", "video", "document"], str]
    """The kind of file"""
    url: str
    """Where the file of the header is read"""
    filename: Optional[str] = None
    """The shown name: the name of a file alone, without folders"""


class TemplateButton(Model):
    sub_type: Optional[Union[Literal["url", "copy_code", "quick_reply"], str]] = None
    """What the button does; `url` by default"""
    index: Optional[int] = None
    """The button's place among all, from 0"""
    parameters: List[str]
    """Values, percent-encoded where they go into a URL"""


class FallbackTemplate(Model):
    """An approved template of the other phone"""

    name: str
    """The name of an approved template"""
    language: Optional[str] = None
    """The language of the template; pt_BR by default"""
    variables: Optional[List[str]] = None
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: Optional[Dict[str, str]] = None
    """Values by name, in place of `variables`"""
    header_media: Optional[TemplateHeaderMedia] = None
    """The file of the header, where the template has one"""
    header_text: Optional[str] = None
    """The value of the variable in a text header, in place of `headerMedia`"""
    buttons: Optional[List[TemplateButton]] = None
    """The values of the buttons, where the template has variables in them"""


FallbackReason = Literal["lost", "restricted", "silent"]


class BatchFallback(Model):
    """The template that another channel sends to whom this one does not reach; its values may hold variables"""

    channel_id: str
    template: FallbackTemplate
    """The approved template that is sent in place of the message"""
    after_minutes: int
    """How many minutes the first phone has"""
    when: Optional[List[Union[FallbackReason, str]]] = None
    """The cases in which the second way is used; all by default"""
    may_arrive_twice: Optional[bool] = None
    """True: the template is sent even where the message may have arrived; false by default"""


class BatchFailure(Model):
    to: str
    code: str
    """Why, as a code"""
    message: str
    """Why, for people"""


class BatchDetails(Model):
    batch_id: str
    channel_id: str
    name: Optional[str]
    status: Union[BatchStatus, str]
    total: int
    sent: int
    """Taken by the network"""
    failed: int
    """Refused, or never taken by the network"""
    pending: int
    """Not sent yet, or being sent"""
    cancelled: int
    """Not sent, because the batch was cancelled"""
    delay: int
    """Milliseconds between two messages"""
    jitter: float
    """By which share each delay varies"""
    created_at: datetime
    starts_at: Optional[datetime]
    """The time that was chosen for the first message; null: at once"""
    paused_at: Optional[datetime]
    """Since when it is paused; null: it is not"""
    started_at: Optional[datetime]
    """When it began; null before"""
    finished_at: Optional[datetime]
    """When it ended; null before"""
    respect_hours: bool
    """True: it sends in business hours alone"""
    opens_at: Optional[datetime]
    """Outside business hours: when it goes on; null otherwise"""
    waiting_since: Optional[datetime]
    """Since when its channel has not been connected; after 24 hours the batch fails"""
    text: Optional[str]
    """Null for a template"""
    template: Optional[Dict[str, Any]]
    """As it was given; null for a text"""
    fallback: Optional[BatchFallback]
    """What holds while it is not set; null: nothing"""
    errors: List[BatchFailure]
    """The first 1,000 of them"""


class TemplateHeaderMediaInput(TypedDict):
    type: Literal["image", "video", "document"]
    """The kind of file"""
    url: str
    """Where the file of the header is read"""
    filename: NotRequired[str]
    """The shown name: the name of a file alone, without folders"""


class TemplateButtonInput(TypedDict):
    sub_type: NotRequired[Literal["url", "copy_code", "quick_reply"]]
    """What the button does; `url` by default"""
    index: NotRequired[int]
    """The button's place among all, from 0"""
    parameters: List[str]
    """Values, percent-encoded where they go into a URL"""


class FallbackTemplateInput(TypedDict):
    """An approved template of the other phone"""

    name: str
    """The name of an approved template"""
    language: NotRequired[str]
    """The language of the template; pt_BR by default"""
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMediaInput]
    """The file of the header, where the template has one"""
    header_text: NotRequired[str]
    """The value of the variable in a text header, in place of `headerMedia`"""
    buttons: NotRequired[List[TemplateButtonInput]]
    """The values of the buttons, where the template has variables in them"""


class BatchFallbackInput(TypedDict):
    """The template that another channel sends to whom this one does not reach; its values may hold variables"""

    channel_id: str
    template: FallbackTemplateInput
    """The approved template that is sent in place of the message"""
    after_minutes: int
    """How many minutes the first phone has"""
    when: NotRequired[List[FallbackReason]]
    """The cases in which the second way is used; all by default"""
    may_arrive_twice: NotRequired[bool]
    """True: the template is sent even where the message may have arrived; false by default"""


ForecastRefusalCode = Literal[
    "RECIPIENT_INVALID",
    "DUPLICATE_RECIPIENT",
    "TEMPLATE_NOT_APPROVED",
    "ANSWER_WINDOW_CLOSED",
    "DAY_LIMIT_REACHED",
    "NEW_PEOPLE_LIMIT_REACHED",
    "BATCH_LIMIT_REACHED",
]


class ForecastRefusal(Model):
    code: Union[ForecastRefusalCode, str]
    count: int
    """How many recipients; of a limit: by how many it is exceeded"""
    is_whole: bool
    """True: the batch is refused whole"""


class ForecastCountry(Model):
    country: str
    """ISO 3166"""
    count: int
    """How many recipients"""
    amount_micros: int
    """Millionths of the currency"""


class ForecastCost(Model):
    """By the price list of today: an estimate, and never an amount that is due"""

    is_charged: bool
    """False where the network does not charge for messages"""
    category: str
    """The network's category"""
    currency: str
    """ISO 4217"""
    amount_micros: int
    """Millionths of the currency"""
    rated: int
    """Recipients with a known price"""
    unrated: int
    """Recipients without one: they are not in the amount"""
    by_country: List[ForecastCountry]


class BatchForecast(Model):
    recipients: int
    """How many people would get a message"""
    refused: List[ForecastRefusal]
    """What is going to be refused, by reason"""
    cost: ForecastCost
    fallback_cost: Optional[ForecastCost]
    """What the fallback costs at most besides: for every recipient; null without one"""
    starts_at: datetime
    ends_at: datetime
    """When the last message is sent, at the pace and in business hours"""
    latest_ends_at: Optional[datetime]
    """The same when everybody is new to the phone, and its daily number of new chats counts; null without one"""


BatchMessageStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"]


class PageInfo(Model):
    total: int
    limit: int
    """Items a page"""
    offset: int
    """Items before this page"""
    has_more: bool
    """Whether a further page follows"""


class BatchPage(Model):
    data: List[Batch]
    meta: PageInfo


class BatchRecipientError(Model):
    code: str
    """Why, as a code"""
    message: str
    """Why, for people"""


BatchRecipientStatus = Literal["PENDING", "QUEUED", "SENT", "FAILED", "CANCELLED"]


class BatchRecipientState(Model):
    position: int
    """Its place in the batch, from 0"""
    to: str
    variables: Optional[Dict[str, str]]
    """The values of its variables"""
    status: Union[BatchRecipientStatus, str]
    """PENDING: not handled yet; QUEUED: accepted, and its outcome is not known yet"""
    message_id: Optional[str]
    message_status: Optional[Union[BatchMessageStatus, str]]
    """How far its message is; null: it has none, or the message is no longer kept"""
    error: Optional[BatchRecipientError]
    """Why it got no message; null: nothing failed"""


class BatchRecipientPage(Model):
    data: List[BatchRecipientState]
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last"""


class BulkCompletedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["bulk.completed"]
    batch_id: str
    status: Union[BatchStatus, str]
    total: int
    sent: int
    failed: int


class BulkFailedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["bulk.failed"]
    batch_id: str
    status: Union[BatchStatus, str]
    total: int
    sent: int
    failed: int


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
    """When it is open on sundays; nothing means closed"""
    monday: List[OpeningTimes]
    """When it is open on mondays; nothing means closed"""
    tuesday: List[OpeningTimes]
    """When it is open on tuesdays; nothing means closed"""
    wednesday: List[OpeningTimes]
    """When it is open on wednesdays; nothing means closed"""
    thursday: List[OpeningTimes]
    """When it is open on thursdays; nothing means closed"""
    friday: List[OpeningTimes]
    """When it is open on fridays; nothing means closed"""
    saturday: List[OpeningTimes]
    """When it is open on saturdays; nothing means closed"""


class WorkingTimes(Model):
    time_zone: str
    """A time zone of the IANA database"""
    weekly: Week
    """The times of each weekday; a day without times is closed"""
    holidays: Union[BusinessHolidays, str]
    """The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's
    Tuesday and Corpus Christi too"""
    dates: List[BusinessDate]
    """Days with times of their own, before the week and the holidays; without times closed"""


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
    """When it is open on sundays; nothing means closed"""
    monday: NotRequired[List[OpeningTimesInput]]
    """When it is open on mondays; nothing means closed"""
    tuesday: NotRequired[List[OpeningTimesInput]]
    """When it is open on tuesdays; nothing means closed"""
    wednesday: NotRequired[List[OpeningTimesInput]]
    """When it is open on wednesdays; nothing means closed"""
    thursday: NotRequired[List[OpeningTimesInput]]
    """When it is open on thursdays; nothing means closed"""
    friday: NotRequired[List[OpeningTimesInput]]
    """When it is open on fridays; nothing means closed"""
    saturday: NotRequired[List[OpeningTimesInput]]
    """When it is open on saturdays; nothing means closed"""


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
    """Days with times of their own, before the week and the holidays; without times closed"""


class CancelledBatch(Model):
    batch_id: str
    status: Union[Literal["CANCELLED"], str]
    sent: int
    cancelled: int
    """Not sent, because the batch was cancelled"""


class ChangeMemberRoleRequest(TypedDict):
    role: MemberRole


class ChangePasswordRequest(TypedDict):
    current_password: str
    """The present password of the user"""
    new_password: str


class ChangePasswordResult(Model):
    token: str
    """For `Authorization: Bearer`"""


ChannelType = Literal["CHAT_SESSION", "CHAT_WABA"]


ChannelStatus = Literal["DISCONNECTED", "CONNECTING", "CONNECTED"]


class Channel(Model):
    id: str
    name: str
    type: Union[ChannelType, str]
    status: Union[ChannelStatus, str]
    phone_number: Optional[str] = None
    """Digits with country code; null or absent while not known"""
    connected_at: Optional[datetime] = None
    """Present while it is connected"""
    status_reason: Optional[str] = None
    """Why it is not connected, such as PARTNER_REMOVED"""
    status_since: Optional[datetime] = None
    """Since when it has had its status"""
    created_at: datetime


class ChannelConnectedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["channel.connected"]
    status: Literal["CONNECTED"]
    phone_number: Optional[str]
    reason: Optional[str]


class ChannelConnection(Model):
    status: Union[Literal["CONNECTING"], str]
    qr_code: str
    """The QR code to scan as a PNG, a base64 data URL; empty where none is needed"""
    qr: Optional[str] = None
    """What the QR code says"""
    message: str
    """For people: it may change"""


class ChannelDisconnectedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["channel.disconnected"]
    status: Literal["DISCONNECTED"]
    phone_number: Optional[str]
    reason: Optional[str]


class ChannelList(Model):
    data: List[Channel]


class Contact(Model):
    id: str
    name: Optional[str]
    """Null while nobody has said it"""
    phone_number: Optional[str]
    """Null for somebody whose number the network keeps to itself"""
    email: Optional[str]
    tags: List[str]
    metadata: Dict[str, Any]
    """At most 16 KiB as JSON"""
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    created_at: datetime
    updated_at: datetime


class ContactCard(TypedDict):
    name: str
    """What the person is called"""
    phone: str
    """The person's telephone number"""
    email: NotRequired[str]
    """The person's e-mail address"""


class ContactCreatedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["contact.created"]
    contact: Contact


class ContactPage(Model):
    data: List[Contact]
    meta: PageInfo


class ContactUpdatedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["contact.updated"]
    contact: Contact


ConversationStatus = Literal["OPEN", "CLOSED"]


class ConversationHolder(Model):
    """Present while another app of the same number leads the conversation, as Meta's Business Agent"""

    role: Optional[str]
    """The app's role at the network; null unknown"""
    since: datetime
    """Since when"""


class Conversation(Model):
    id: str
    channel_id: str
    contact_id: str
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    status: Union[ConversationStatus, str]
    assigned_user_id: Optional[str]
    """The member who answers; null: nobody"""
    transfer_note: Optional[str]
    """The note of the last transfer"""
    last_message_at: datetime
    created_at: datetime
    closed_at: Optional[datetime]
    """Null while it is open"""
    held_by: Optional[ConversationHolder] = None


class ConversationClosedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["conversation.closed"]
    conversation: Conversation


class ConversationCreatedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["conversation.created"]
    conversation: Conversation


class ConversationPage(Model):
    data: List[Conversation]
    meta: PageInfo


Permission = Literal[
    "channels.read",
    "channels.write",
    "messages.send",
    "messages.read",
    "conversations.read",
    "conversations.write",
    "contacts.read",
    "contacts.write",
    "webhooks.read",
    "webhooks.write",
    "bulk-send.write",
    "bulk-send.read",
    "sandbox.write",
]


class CreateApiKeyRequest(TypedDict):
    name: str
    permissions: List[Permission]
    """What the key may do"""
    rate_limit: NotRequired[int]
    """Requests a minute; 60 by default"""
    expires_at: NotRequired[Union[datetime, str]]
    """In the future; never by default"""
    environment: NotRequired[Environment]
    """`live` by default; with `test` nothing reaches a network"""
    allowed_addresses: NotRequired[List[str]]
    """IP addresses and CIDRs from which alone the key may be used"""


class TemplateContent(TypedDict):
    """In place of text; each of its values may hold variables: {{name}}"""

    name: str
    """The name of an approved template"""
    language: NotRequired[str]
    """The language of the template; pt_BR by default"""
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMediaInput]
    """The file of the header, where the template has one"""
    header_text: NotRequired[str]
    """The value of the variable in a text header, in place of `headerMedia`"""
    buttons: NotRequired[List[TemplateButtonInput]]
    """The values of the buttons, where the template has variables in them"""


CreateBatchRequestRecipient = Union[BatchRecipient, str]
"""8 to 15 digits with country code, alone or as to"""


class CreateBatchRequest(TypedDict):
    channel_id: str
    name: NotRequired[str]
    """A name for the institution's own people"""
    text: NotRequired[str]
    """May hold variables: {{name}}"""
    template: NotRequired[TemplateContent]
    """The approved template that is sent in place of the message"""
    starts_at: NotRequired[Union[datetime, str]]
    """When the first message is sent, at most a year ahead; at once unless said otherwise"""
    paused: NotRequired[bool]
    """True: nothing is sent until it is resumed"""
    respect_hours: NotRequired[bool]
    """True: outside business hours it waits, and goes on at the opening; false unless said otherwise"""
    recipients: List[CreateBatchRequestRecipient]
    """Numbers, or `{to, variables}`"""
    fallback: NotRequired[BatchFallbackInput]
    delay: NotRequired[int]
    """Milliseconds between two messages; 3000 unless said otherwise"""
    jitter: NotRequired[float]
    """By which share of it each delay varies, at random; 0.3 unless said otherwise"""


class CreateChannelRequestCredentials(TypedDict):
    phone_number_id: NotRequired[str]
    """The network's id of the number"""
    business_account_id: NotRequired[str]
    """The network's id of the business account"""
    access_token: NotRequired[str]
    """A long-lived token without spaces; never shown again"""
    verify_token: NotRequired[str]
    """What the handshake of the network's webhook has to name"""


class CreateChannelRequest(TypedDict):
    name: str
    history: NotRequired[Literal["none", "recent", "full"]]
    """How much of earlier chats is taken over, `none` by default; CHAT_SESSION only"""
    type: ChannelType
    credentials: NotRequired[CreateChannelRequestCredentials]


class CreateContactRequest(TypedDict):
    phone_number: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""
    name: str
    email: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]
    metadata: NotRequired[Dict[str, Any]]
    """At most 16 KiB as JSON"""


class CreateGatewayKeyRequest(TypedDict):
    name: str
    scopes: NotRequired[List[str]]
    """What the key is limited to, as the gateway API names it; none: everything"""
    read_only: NotRequired[bool]
    """The key reads, and changes nothing"""
    allowed_addresses: NotRequired[List[str]]
    """IP addresses and CIDRs from which alone the key may be used; none: from anywhere"""
    expires_at: NotRequired[Union[datetime, str]]
    """In the future; never by default"""


class CreateInstitutionRequest(TypedDict):
    name: str


class CreateInstitutionResult(Model):
    id: str
    name: str


EventType = Literal[
    "message.received",
    "message.sent",
    "message.delivered",
    "message.read",
    "conversation.created",
    "conversation.closed",
    "channel.connected",
    "channel.disconnected",
    "contact.created",
    "contact.updated",
    "bulk.completed",
    "bulk.failed",
]


class RetryPolicyRequest(TypedDict):
    max_retries: NotRequired[int]
    """Tries after the first; 5 by default"""
    retry_delay: NotRequired[int]
    """Milliseconds between tries; 30000 by default"""


WebhookDirection = Literal["inbound", "outbound"]


DeliveryOrdering = Literal["none", "chat"]


class CreateWebhookRequest(TypedDict):
    name: str
    url: str
    """A public HTTPS address, or that of a message broker"""
    events: List[EventType]
    """Event types"""
    secret: str
    """The key of the signatures; never shown again"""
    active: NotRequired[bool]
    """Whether events are delivered; true by default"""
    retry_policy: NotRequired[RetryPolicyRequest]
    channel_ids: NotRequired[List[str]]
    """The channels whose events it gets; empty for all."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery, by name; a change replaces all of them. Answers have asterisks in
    place of the values. Asterisks given back keep the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class CreatedApiKey(Model):
    id: str
    name: str
    prefix: str
    """The beginning of the key, to recognise it"""
    permissions: List[str]
    """What the key may do"""
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    expires_at: Optional[datetime] = None
    """Absent: never"""
    allowed_addresses: Optional[List[str]] = None
    """Where alone it may be used; empty: anywhere"""
    created_at: datetime
    key: str
    """Shown only now"""


class CreatedBatch(Model):
    batch_id: str
    channel_id: str
    status: Union[Literal["QUEUED"], str]
    total: int
    created_at: datetime


class CreatedChannel(Model):
    id: str
    name: str
    type: Union[ChannelType, str]
    status: Union[ChannelStatus, str]
    created_at: datetime


class RetryPolicy(Model):
    max_retries: int
    """Tries after the first; 5 by default"""
    retry_delay: int
    """Milliseconds between tries; 30000 by default"""


class CreatedWebhook(Model):
    id: str
    name: str
    url: str
    events: List[str]
    """Event types"""
    active: bool
    """Whether events are delivered; true by default"""
    retry_policy: RetryPolicy
    channel_ids: List[str]
    """The channels whose events it gets; empty for all."""
    directions: List[Union[WebhookDirection, str]]
    """Which messages the webhook gets: incoming, outgoing or both"""
    headers: Dict[str, str]
    """Request headers to send with each delivery, by name; a change replaces all of them. Answers have asterisks in
    place of the values. Asterisks given back keep the value."""
    ordering: Union[DeliveryOrdering, str]
    """Whether the events of a chat wait for each other"""
    created_at: datetime
    secret: str
    """Shown only now"""


class CreatedWebhookResult(Model):
    data: CreatedWebhook


class DeleteUserRequest(TypedDict):
    password: str
    """The present password of the user"""


class DisconnectedChannel(Model):
    status: Union[Literal["DISCONNECTED"], str]
    message: str
    """For people: it may change"""


class DryRunBatch(Model):
    dry_run: Literal[True]
    """Nothing was done"""
    channel_id: str
    """The channel that would send"""
    total: int
    """Recipients of the batch"""
    valid: int
    """Recipients that would be written to"""
    invalid: int
    """Recipients that would be left out, because they stand in the batch before"""


class DryRunCost(Model):
    """What the message would cost today, by the price list"""

    is_charged: bool
    """False where the network does not charge for messages"""
    category: str
    """The network's category of the message"""
    currency: str
    """The currency of the amount, by ISO 4217"""
    amount_micros: Optional[int]
    """Millionths of the currency; null where no price is known"""


class DryRunMessage(Model):
    dry_run: Literal[True]
    """Nothing was done"""
    to: str
    """The recipient as the channel addresses it"""
    is_repeat: bool
    """A message was accepted with this `idempotencyKey`; it would not be sent again"""
    cost: Optional[DryRunCost]
    """What the message would cost; null where nothing reaches a network, and for groups"""


class EntryPoint(Model):
    """What the person tapped to open the chat, in the network's words"""

    source: str
    """Which of `url`, `text` and `objectKey` is given"""
    app: Optional[str] = None
    """The app that the person came from"""


ErrorCode = Literal[
    "ACCOUNT_INACTIVE",
    "ADAPTER_MISSING",
    "AGENT_NOT_FOUND",
    "AI_BAD_OUTPUT",
    "AI_PROVIDER_ERROR",
    "ALERTS_NOT_CONFIGURED",
    "ALREADY_DELIVERED",
    "ALREADY_EXISTS",
    "ALREADY_MEMBER",
    "API_KEY_NOT_FOUND",
    "AUTHENTICATION_REQUIRED",
    "BATCH_FINISHED",
    "BATCH_LIMIT_REACHED",
    "BATCH_NOT_FOUND",
    "BATCH_TOO_LARGE",
    "CALL_INVALID_STATE",
    "CALL_NOT_FOUND",
    "CHANNEL_ALREADY_CONNECTED",
    "CHANNEL_EXISTS",
    "CHANNEL_NOT_CONNECTED",
    "CHANNEL_NOT_FOUND",
    "COEXISTENCE_EXPECTED",
    "CONSOLE_OFF",
    "CONTACT_ALREADY_EXISTS",
    "CONTACT_NOT_FOUND",
    "CONVERSATION_CLOSED",
    "CONVERSATION_NOT_FOUND",
    "CONVERSATION_OPEN",
    "CPF_CNPJ_REQUIRED",
    "DOC_LIMIT_REACHED",
    "DOC_NOT_FOUND",
    "EMAIL_IN_USE",
    "EMAIL_NOT_VERIFIED",
    "EMPTY_BATCH",
    "ERASURE_NOT_FOUND",
    "EVENT_NOT_FOUND",
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
    "INSTITUTION_NOT_FOUND",
    "INTERNAL_ERROR",
    "INVALID_API_KEY",
    "INVALID_TOKEN",
    "INVITATION_LIMIT_REACHED",
    "INVOICE_NOT_FOUND",
    "INVOICE_NOT_OPEN",
    "JOIN_REFUSED",
    "KEYPAIR_INVALID",
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
    "MESSAGE_NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "NOT_CONFIGURED",
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
    "PLAN_LIMIT_EXCEEDED",
    "PLAN_NOT_FOUND",
    "PROCESSOR_CONNECTION_ERROR",
    "PROCESSOR_NOT_CONFIGURED",
    "PROXY_UNREACHABLE",
    "QR_NOT_APPLICABLE",
    "QR_NOT_AVAILABLE",
    "QUOTED_KEY_INVALID",
    "RATE_LIMIT_EXCEEDED",
    "REAUTHENTICATION_NEEDED",
    "RECORDING_EMPTY",
    "RECORDING_NOT_FOUND",
    "REGISTRATION_CLOSED",
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
    "TEMPLATE_EXISTS",
    "TEMPLATE_NOT_FOUND",
    "TEMPLATE_NOT_SUBMITTED",
    "THREAD_HELD",
    "THREAD_ROLE_REFUSED",
    "UNAUTHORIZED",
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
    "WABA_CREDS_INCOMPLETE",
    "WABA_CREDS_MISSING",
    "WEBHOOK_NOT_FOUND",
]


class FieldError(Model):
    path: str
    """Nested names are joined by dots"""
    message: str
    """What is wrong"""
    validation: str
    """The short name of the broken rule"""


class Error(Model):
    message: str
    """For people: it may change"""
    code: Union[ErrorCode, str]
    """What went wrong, as a word"""
    errors: Optional[List[FieldError]] = None
    """One for each faulty field"""


class EventEnvelope(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""


class ForecastTemplate(TypedDict):
    """One of the channel's templates; without one, a text is sent"""

    name: str
    language: NotRequired[str]
    """A language code, such as pt_BR"""


class ForecastFallback(TypedDict):
    """The template that another channel may send in place of each message"""

    channel_id: str
    template: ForecastTemplate


class ForecastBatchRequest(TypedDict):
    channel_id: str
    to: List[str]
    template: NotRequired[ForecastTemplate]
    starts_at: NotRequired[Union[datetime, str]]
    """When the first message would be sent, in the future and at most a year ahead"""
    delay: NotRequired[int]
    """Milliseconds between two messages"""
    respect_hours: NotRequired[bool]
    """Whether business hours count for it"""
    fallback: NotRequired[ForecastFallback]


class ForgotPasswordRequest(TypedDict):
    email: str


class GatewayKey(Model):
    id: str
    name: str
    prefix: str
    """The beginning of the key, to recognise it"""
    scopes: List[str]
    """What the key or the app may do"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """From where alone it may be used; empty: anywhere"""
    expires_at: Optional[datetime] = None
    last_used_at: Optional[datetime]
    """Null: never"""
    created_at: datetime


class GatewayKeyList(Model):
    data: List[GatewayKey]


class Institution(Model):
    id: str
    name: str


class InvalidNumber(Model):
    number: str
    """As it was given"""
    reason: Union[Literal["invalid_format", "not_on_network"], str]
    """Why it cannot be written to"""


MemberState = Literal["active", "invited"]


class InvitedMember(Model):
    user_id: Optional[str]
    """Null for a person who is no user yet"""
    name: Optional[str]
    email: str
    role: Union[MemberRole, str]
    state: Union[MemberState, str]
    """`invited` until the person accepts"""
    invitation_id: Optional[str] = None
    """Present while the person is only invited"""
    expires_at: Optional[datetime] = None
    """Until when the invitation is good"""
    link: Optional[str] = None
    """Opens once; absent where it was mailed"""


class IssuedGatewayKey(Model):
    id: str
    name: str
    prefix: str
    """The beginning of the key, to recognise it"""
    scopes: List[str]
    """What the key or the app may do"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """From where alone it may be used; empty: anywhere"""
    expires_at: Optional[datetime] = None
    last_used_at: Optional[datetime]
    """Null: never"""
    created_at: datetime
    key: str
    """Shown only now"""
    warnings: Optional[List[str]] = None
    """What of the request has no effect; absent where all of it has"""


class JoinAccountRequest(TypedDict):
    code: str
    """The code that a key of the account made"""


class JoinRequest(TypedDict):
    token: str
    """The token of the mailed link"""
    name: str
    password: str


class JoinedPhone(Model):
    """A phone of the account, which keeps its id"""

    id: str
    """The phone's id"""
    label: str
    """What the account calls the phone"""


class JoinedAccount(Model):
    dry_run: bool
    """True where nothing was done"""
    account_id: str
    """The account, of which a record stays"""
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
    """Contacts whom both had: that of the institution stays, with its id"""
    conversations: int
    """How many, by category"""
    messages: int
    """Messages to and from its phones, counted up to 100,000; they follow within minutes"""
    rows: int
    """Everything that moves at once, without the history"""


class ListInstitutionsResult(Model):
    institutions: List[Institution]


ListedTemplateCategory = Literal["MARKETING", "UTILITY", "AUTHENTICATION", "UNKNOWN"]


class User(Model):
    id: str
    name: str
    email: str


class LoggedIn(Model):
    requires_institution_selection: Optional[bool] = None
    """The token is good only for choosing one"""
    token: str
    """For `Authorization: Bearer`"""
    user: Optional[User] = None
    """Absent with several institutions"""
    institutions: Optional[List[Institution]] = None


class LoginRequest(TypedDict):
    email: str
    password: str
    totp: NotRequired[str]
    """A code of the user's app, for who has a second step of sign-in"""
    recovery: NotRequired[str]
    """A recovery code, instead of a code of the app"""


class Member(Model):
    user_id: Optional[str]
    """Null while the person is only invited"""
    name: Optional[str]
    email: str
    role: Union[MemberRole, str]
    state: Union[MemberState, str]
    """`invited` until the person accepts"""
    invitation_id: Optional[str] = None
    """Present while the person is only invited"""
    expires_at: Optional[datetime] = None
    """Until when the invitation is good"""


class MemberList(Model):
    data: List[Member]


class Mention(Model):
    """A person whom the message names"""

    phone_number: Optional[str]
    """Digits with country code; null or absent while not known"""
    lid: Optional[str]
    """The hidden id; null unknown"""
    is_me: bool
    """Whether it is this phone"""


class MessageMedia(Model):
    """The file that came with the message: `url` is the call that leads to it, with the key. Null while there is none
    to be had"""

    url: str
    """The call that leads to the file, with the key"""
    mime_type: str
    """The media type"""
    size_bytes: int
    filename: Optional[str]
    """As its sender named it; null unknown"""
    expires_at: datetime
    """When the file is deleted"""


MessageStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED", "RECEIVED"]


class MessageHeldBy(Model):
    """Another app led the conversation: the message was for information"""

    role: Optional[str]
    """The app's role at the network; null unknown"""


class Message(Model):
    id: str
    channel_id: str
    conversation_id: Optional[str]
    """Null for what is written in a group"""
    batch_id: Optional[str] = None
    direction: Union[Literal["INBOUND", "OUTBOUND"], str]
    """INBOUND: from the contact"""
    type: str
    from_: Optional[str] = Field(alias="from")
    """Null while the channel's number is not known"""
    to: Optional[str]
    text: Optional[str] = None
    """Of a text"""
    content: Any = None
    """Of any other message"""
    media: Optional[MessageMedia] = None
    status: Union[MessageStatus, str]
    """It moves only forward; FAILED is final"""
    failed_reason: Optional[str]
    """`[CODE]` and why it failed; null otherwise"""
    held_by: Optional[MessageHeldBy] = None
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    created_at: datetime
    """When it was accepted or came in: the order of a conversation"""
    sent_at: Optional[datetime]
    """When it was sent; of one that came in, as the network says"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    read_at: Optional[datetime]
    """When it was read; null before"""


class Referral(Model):
    """The advertisement or post that led the person here"""

    source_url: Optional[str] = None
    """The post or advertisement that led here"""
    source_id: Optional[str] = None
    """The network's id of the post or advertisement"""
    source_type: Optional[str] = None
    """What it is, such as ad or post"""
    headline: Optional[str] = None
    """What the advertisement is called"""
    body: Optional[str] = None
    """What the advertisement says"""
    media_type: Optional[str] = None
    """What it shows: an image or a video"""
    image_url: Optional[str] = None
    """Where the image of the advertisement can be read"""
    video_url: Optional[str] = None
    """Where the video of the advertisement can be read"""
    thumbnail_url: Optional[str] = None
    """The preview of its video"""
    ctwa_clid: Optional[str] = None
    """The network's id of the click"""
    welcome_text: Optional[str] = None
    """The text that greeted the person"""


class ReferredProduct(Model):
    """The product that the person asks about"""

    catalog_id: Optional[str]
    """The network's id of the catalogue; null where it names none"""
    product_id: str
    """The seller's id of the product"""


class QuotedMessage(Model):
    """The message that is answered, where Recado does not know it"""

    id: str
    """The network's id of the quoted message"""
    text: Optional[str] = None
    """The beginning of what was quoted"""


class MessageContext(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""


class MessageDeliveredEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["message.delivered"]
    message_id: str
    conversation_id: Optional[str]
    message_type: str
    text: Optional[str] = None
    """Of a text"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    status: Literal["delivered"]
    to: str
    content: Any = None
    """What was sent, of any message but a text"""


class MessagePage(Model):
    data: List[Message]
    meta: PageInfo


class MessageReadEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["message.read"]
    message_id: str
    conversation_id: Optional[str]
    message_type: str
    text: Optional[str] = None
    """Of a text"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    status: Literal["read"]
    to: str
    content: Any = None
    """What was sent, of any message but a text"""


class ReceivedText(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    text: str
    """What was written"""


class ReceivedFile(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
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


class ReceivedLocation(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    latitude: float
    """Degrees north of the equator, -90 to 90"""
    longitude: float
    """Degrees east of Greenwich, -180 to 180"""
    name: Optional[str] = None
    """What the place is called"""
    address: Optional[str] = None
    """The postal address of the place"""
    url: Optional[str] = None
    """A page about the place"""


class ReceivedContacts(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    contacts: List[Any]
    """The cards, in the form of the network"""


class ReceivedReply(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    selected_id: str
    """The `id` of the button or row that was chosen"""
    text: str
    """What the button or row shows"""
    description: Optional[str] = None
    """The second line of the row; absent without one"""


class ReceivedForm(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    name: str
    """The kind of form"""
    text: Optional[str] = None
    """What the message shows of the form"""
    response: Any
    """What was entered; as text where it is not JSON"""


class ReceivedOrderItem(Model):
    product_id: str
    """The seller's id of the product"""
    quantity: Optional[float]
    """How many pieces; null where the network does not say it"""
    price: Optional[float]
    """The price of one piece; null where none was given"""
    currency: Optional[str]
    """The currency of the price; null where none was given"""


class ReceivedOrder(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    catalog_id: Optional[str]
    """The network's id of the catalogue; null where it names none"""
    order_id: Optional[str] = None
    """The network's id of the order"""
    text: Optional[str] = None
    """What the person wrote with the order"""
    items: List[ReceivedOrderItem]
    """What was ordered"""


class ReceivedCallPermission(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    response: Literal["accept", "reject"]
    """Whether the person allows calls"""
    is_permanent: bool
    """Whether the permission has no end"""
    expires_at: Optional[str]
    """When the permission ends; null for a permission without an end"""
    source: Optional[str] = None
    """What the person answered, in the network's word"""


class ReceivedPoll(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    question: str
    """What the poll asks"""
    options: List[str]
    """The answers that can be chosen"""
    max_selections: int
    """How many options each person may choose"""


class ReceivedNumberRequest(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""


class ReceivedNumber(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    phone_number: Optional[str]
    """Digits; null where the network does not name it here"""


class ReceivedPaymentMethod(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    reference_id: str
    """The `referenceId` of the order"""
    credential_id: Optional[str]
    """The card that the person chose; null for other methods"""
    last_four_digits: Optional[str]
    """The end of the card's number; null for other methods"""


class ReceivedWelcomeRequest(Model):
    origin: Optional[str] = None
    """Why the person sends a contact: `contact_request` answers a request for the number"""
    forwarded: Optional[Literal[True]] = None
    """True: the message was forwarded"""
    frequently_forwarded: Optional[Literal[True]] = None
    """Forwarded more than five times"""
    referral: Optional[Referral] = None
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""


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
    """The advertisement or post that led to the message"""
    referred_product: Optional[ReferredProduct] = None
    """The product that the message is about"""
    mentions: Optional[List[Mention]] = None
    """The people whom the message mentions"""
    quoted: Optional[QuotedMessage] = None
    """The message that this one answers"""
    album: Optional[Album] = None
    """The album that the file belongs to"""
    entry_point: Optional[EntryPoint] = None
    """Where the person found the chat"""
    disappears_after: Optional[int] = None
    """Seconds after which the message disappears from the chat"""
    original_type: str
    """The network's name of the type"""
    url: Optional[str] = None
    """Where the network shows the message, for a while, or where the message leads"""
    title: Optional[str] = None
    """What the message was, in a few words"""
    text: Optional[str] = None
    """The words that can be read in it"""
    errors: Optional[List[ReceivedError]] = None
    """Why the network did not pass it on"""


if TYPE_CHECKING:
    MessageReceivedEventContent = Union[
        ReceivedText,
        ReceivedFile,
        ReceivedLocation,
        ReceivedContacts,
        ReceivedReply,
        ReceivedForm,
        ReceivedOrder,
        ReceivedCallPermission,
        ReceivedPoll,
        ReceivedNumberRequest,
        ReceivedNumber,
        ReceivedPaymentMethod,
        ReceivedWelcomeRequest,
        UnsupportedContent,
    ]
else:
    MessageReceivedEventContent = one_of(
    ReceivedText,
    ReceivedFile,
    ReceivedLocation,
    ReceivedContacts,
    ReceivedReply,
    ReceivedForm,
    ReceivedOrder,
    ReceivedCallPermission,
    ReceivedPoll,
    ReceivedNumberRequest,
    ReceivedNumber,
    ReceivedPaymentMethod,
    ReceivedWelcomeRequest,
    UnsupportedContent,
)


class MessageReceivedEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["message.received"]
    message_id: str
    conversation_id: Optional[str]
    message_type: str
    text: Optional[str] = None
    """Of a text"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    status: Literal["received"]
    from_: str = Field(alias="from")
    to: Optional[str]
    chat: Optional[str] = None
    """The group that it was written in"""
    push_name: Optional[str]
    content: Optional[MessageReceivedEventContent] = None
    media: Optional[MessageMedia] = None
    media_error: Optional[Literal["STORAGE_QUOTA_EXCEEDED"]] = None


class MessageSentEvent(Model):
    id: str
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    channel_id: Optional[str]
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    type: Literal["message.sent"]
    message_id: str
    conversation_id: Optional[str]
    message_type: str
    text: Optional[str] = None
    """Of a text"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    status: Literal["sent"]
    to: str
    content: Any = None
    """What was sent, of any message but a text"""


class OwnAccount(Model):
    id: str
    name: str
    status: str
    """ACTIVE, or why the institution does not work"""
    plan: Optional[Union[Literal["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"], str]]
    """Null without one"""
    created_at: datetime
    role: Optional[str]
    """The user's role; null for an API key"""
    permissions: List[str]
    """What the key may do"""
    environment: Union[Environment, str]
    """`test`: nothing reaches a network"""
    key: Optional[ApiKey]
    requests_per_minute: AccountRate
    messages_per_day: AccountDay
    limits: List[AccountLimit]


if TYPE_CHECKING:
    PlatformEvent = Union[
        MessageReceivedEvent,
        MessageSentEvent,
        MessageDeliveredEvent,
        MessageReadEvent,
        ConversationCreatedEvent,
        ConversationClosedEvent,
        ChannelConnectedEvent,
        ChannelDisconnectedEvent,
        ContactCreatedEvent,
        ContactUpdatedEvent,
        BulkCompletedEvent,
        BulkFailedEvent,
        OtherEvent,
    ]
else:
    PlatformEvent = tagged(
        "type",
        {
            "message.received": MessageReceivedEvent,
            "message.sent": MessageSentEvent,
            "message.delivered": MessageDeliveredEvent,
            "message.read": MessageReadEvent,
            "conversation.created": ConversationCreatedEvent,
            "conversation.closed": ConversationClosedEvent,
            "channel.connected": ChannelConnectedEvent,
            "channel.disconnected": ChannelDisconnectedEvent,
            "contact.created": ContactCreatedEvent,
            "contact.updated": ContactUpdatedEvent,
            "bulk.completed": BulkCompletedEvent,
            "bulk.failed": BulkFailedEvent,
        },
        OtherEvent,
    )


class RegisterRequest(TypedDict):
    name: str
    email: str
    password: str
    institution_name: str


class ReplaceWebhookRequest(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    """A public HTTPS address, or that of a message broker"""
    events: NotRequired[List[EventType]]
    """Event types"""
    secret: NotRequired[str]
    """The key of the signatures; never shown again"""
    active: NotRequired[bool]
    """Whether events are delivered; true by default"""
    retry_policy: NotRequired[RetryPolicyRequest]
    channel_ids: NotRequired[List[str]]
    """The channels whose events it gets; empty for all."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery, by name; a change replaces all of them. Answers have asterisks in
    place of the values. Asterisks given back keep the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class ResetPasswordRequest(TypedDict):
    token: str
    """The token of the mailed link"""
    password: str
    totp: NotRequired[str]
    """A code of the user's app, for who has a second step of sign-in"""
    recovery: NotRequired[str]
    """A recovery code, instead of a code of the app"""


class SelectInstitutionRequest(TypedDict):
    institution_id: str


class SendAudioRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    ptt: NotRequired[bool]
    """Whether it plays as a voice note; false by default"""


class SendContactRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    contacts: List[ContactCard]
    """The cards that are sent"""


class SendDocumentRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    filename: NotRequired[str]
    """The shown name: the name of a file alone, without folders"""
    caption: NotRequired[str]
    """A text below the file; at most 1,024 characters"""


class SendImageRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    caption: NotRequired[str]
    """A text below the file; at most 1,024 characters"""


class SendPixRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    amount_cents: int
    """In cents of BRL"""
    key: str
    """Where the money goes: a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key"""
    merchant_name: str
    """The receiver, at most 25 Latin characters"""
    merchant_city: NotRequired[str]
    """The receiver's city, at most 15 Latin characters; not needed with `code`"""
    txid: str
    """The charge's own id, 1 to 25 letters and digits; the receiver's bank names it beside the payment"""
    code: NotRequired[str]
    """The code that the receiver's bank made for this charge; without it one to `key` is made"""
    text: NotRequired[str]
    """What is written before the charge"""


class SendTemplateRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    name: str
    """The name of an approved template"""
    language: NotRequired[str]
    """A language code, such as pt_BR"""
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""


class SendTextRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    text: str
    """What is sent; 1 to 4,096 characters"""
    tag: NotRequired[Literal["HUMAN_AGENT"]]
    """Allows a person's answer after the network's 24 hours"""


class SendVideoRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    caption: NotRequired[str]
    """A text below the file; at most 1,024 characters"""


class SentMessage(Model):
    success: bool
    """True: a refusal has another status"""
    message: str
    """For people: it may change"""
    message_id: str


class Session(Model):
    id: str
    is_current: bool
    """Whether it is the session of this request"""
    address: str
    """From where the user logged in"""
    user_agent: Optional[str]
    """The browser that logged in; null unknown"""
    created_at: datetime
    expires_at: datetime
    """When the session ends"""


class SessionList(Model):
    data: List[Session]


class SignedIn(Model):
    token: str
    """For `Authorization: Bearer`"""
    user: User
    institution: Institution


class SimulateConnectRequest(TypedDict):
    phone_number: NotRequired[str]
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""


class SimulateMessageRequest(TypedDict):
    from_: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""
    text: str


class SimulateStatusRequest(TypedDict):
    status: Literal["sent", "delivered", "read", "failed"]
    """The next status"""


class SimulatedConnection(Model):
    status: Union[Literal["CONNECTED"], str]
    phone_number: str
    """Digits with country code; null or absent while not known"""


class SimulatedDisconnection(Model):
    status: Union[Literal["DISCONNECTED"], str]


class SimulatedMessage(Model):
    success: bool
    """True: a refusal has another status"""
    message_id: str


TemplateStatus = Literal["DRAFT", "PENDING", "APPROVED", "REJECTED", "PAUSED"]


class TemplateComponent(OpenModel):
    type: str


class Template(Model):
    id: str
    channel_id: str
    name: str
    language: str
    """A language code, such as pt_BR"""
    category: Union[ListedTemplateCategory, str]
    """The network's category"""
    status: Union[TemplateStatus, str]
    components: List[TemplateComponent]
    """In the network's own form"""
    rejection_reason: Optional[str]
    """Why the network rejected it"""
    created_at: datetime
    updated_at: datetime


class TemplatePage(Model):
    data: List[Template]
    meta: PageInfo


class TemplateSync(Model):
    created: int
    """How many are new here"""
    updated: int
    """How many were changed"""
    total: int
    """Templates that the business account has at the network"""


class TestWebhook(TypedDict):
    type: NotRequired[EventType]


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
    """Why the event was not delivered; null where it was"""


class TestedWebhook(Model):
    data: WebhookTestResult


class TextError(Model):
    error: str
    """For people: it may change"""
    code: Optional[str] = None
    """Only where a client can act on it"""


class TransferConversationRequest(TypedDict):
    user_id: str
    """The member who takes over"""
    note: NotRequired[str]
    """For the member who takes over"""


class UpdateContactRequest(TypedDict):
    name: NotRequired[str]
    email: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]
    metadata: NotRequired[Dict[str, Any]]
    """At most 16 KiB as JSON"""


class UpdateWebhookRequest(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    """A public HTTPS address, or that of a message broker"""
    events: NotRequired[List[EventType]]
    """Event types"""
    secret: NotRequired[str]
    """The key of the signatures; never shown again"""
    active: NotRequired[bool]
    """Whether events are delivered; true by default"""
    retry_policy: NotRequired[RetryPolicyRequest]
    channel_ids: NotRequired[List[str]]
    """The channels whose events it gets; empty for all."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery, by name; a change replaces all of them. Answers have asterisks in
    place of the values. Asterisks given back keep the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class ValidateNumbersRequest(TypedDict):
    numbers: List[str]
    channel_id: NotRequired[str]


class ValidatedNumbers(Model):
    total: int
    valid: List[str]
    """Numbers that can be written to"""
    invalid: List[InvalidNumber]
    """Numbers that cannot be written to"""
    unchecked: Optional[List[str]] = None
    """Valid ones of which the network says nothing now; absent where it was not asked"""


class VerifyEmailRequest(TypedDict):
    token: str
    """The token of the mailed link"""


class Webhook(Model):
    id: str
    name: str
    url: str
    events: List[str]
    """Event types"""
    active: bool
    """Whether events are delivered; true by default"""
    retry_policy: RetryPolicy
    channel_ids: List[str]
    """The channels whose events it gets; empty for all."""
    directions: List[Union[WebhookDirection, str]]
    """Which messages the webhook gets: incoming, outgoing or both"""
    headers: Dict[str, str]
    """Request headers to send with each delivery, by name; a change replaces all of them. Answers have asterisks in
    place of the values. Asterisks given back keep the value."""
    ordering: Union[DeliveryOrdering, str]
    """Whether the events of a chat wait for each other"""
    created_at: datetime
    consecutive_failures: int
    """At 5 the webhook is disabled"""
    last_failed_at: Optional[datetime]
    """Null while no delivery has failed"""
    updated_at: datetime


class WebhookFieldError(Model):
    field: str
    """Nested names are joined by dots"""
    message: str
    """What is wrong"""


class WebhookError(Model):
    error: Union[ErrorCode, str]
    """The code"""
    message: str
    """For people: it may change"""
    details: Optional[List[WebhookFieldError]] = None
    """One for each faulty field"""
    retry_after: Optional[int] = None
    """In how many seconds to try again"""


class WebhookList(Model):
    data: List[Webhook]


class WebhookLog(Model):
    id: str
    webhook_id: str
    event: str
    """The event's type"""
    status: Union[AttemptStatus, str]
    status_code: int
    """What the endpoint answered"""
    response_time: int
    """Milliseconds until the answer"""
    attempt: int
    """1 is the first"""
    error: Optional[str]
    """Null on success"""
    delivered_at: Optional[datetime]
    """Null for a failed attempt"""
    failed_at: Optional[datetime]
    """When it failed; null otherwise"""


class WebhookLogPage(Model):
    data: List[WebhookLog]
    meta: PageInfo


class WebhookResult(Model):
    data: Webhook


class WebhookRetry(Model):
    id: str
    status: Union[Literal["enqueued"], str]


class WebhookRetryResult(Model):
    data: WebhookRetry


WebhookEvent = PlatformEvent
