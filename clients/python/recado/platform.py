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
    """A mail is sent if the address is known"""


class AccountDay(Model):
    """Live messages of this day in UTC"""

    limit: Optional[int]
    """How many messages the institution may send in a day; null without a limit"""
    used: int
    """How many were sent today in UTC"""


class AccountLimit(Model):
    name: str
    """The kind of thing that is counted"""
    used: int
    """How many there are"""
    limit: int
    """How many there may be"""
    left: int
    """How many are left"""


class AccountRate(Model):
    """The requests that the institution has left in this minute"""

    limit: int
    """How many are allowed until `resetsAt`"""
    left: int
    """How many are left"""
    resets_at: datetime
    """When the count begins anew"""


class BatchRecipient(TypedDict):
    to: str
    """The number of the recipient"""
    variables: NotRequired[Dict[str, str]]
    """A value for each variable of the text or the template"""


AddBatchRecipientsRequestRecipient = Union[BatchRecipient, str]
"""8 to 15 digits with country code, alone or as `to`"""


class AddBatchRecipientsRequest(TypedDict):
    recipients: List[AddBatchRecipientsRequestRecipient]
    """Numbers, or `{to, variables}`; at most 1,000"""


MemberRole = Literal["OWNER", "ADMIN", "MEMBER", "VIEWER"]


class AddMemberRequest(TypedDict):
    email: str
    """The invited person"""
    role: NotRequired[MemberRole]
    """The role of the person; MEMBER by default"""


class Album(Model):
    """Files of one album have the same id, and so have the contents of a message that had several"""

    id: str
    """The id of the album"""


class Amount(Model):
    value: int
    """The sum in hundredths of BRL"""
    offset: Optional[Literal[100]] = None
    """Always 100: `value` is in hundredths"""


class AmountInput(TypedDict):
    value: int
    """The sum in hundredths of BRL"""
    offset: NotRequired[Literal[100]]
    """Always 100: `value` is in hundredths"""


Environment = Literal["live", "test"]


class ApiKey(Model):
    id: str
    """The key's id"""
    name: str
    """The institution's name for the key"""
    prefix: str
    """The beginning of the key, to recognise it"""
    permissions: List[str]
    """The permissions of the key"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    expires_at: Optional[datetime] = None
    """When the key stops working; absent means never"""
    allowed_addresses: Optional[List[str]] = None
    """IP addresses and CIDRs that may use the key; empty means everywhere"""
    created_at: datetime
    """When the key was created"""
    last_used_at: Optional[datetime]
    """When the key was last used; null before"""


class ApiKeyList(Model):
    data: List[ApiKey]
    """Every key of the institution"""


class AssignConversationRequest(TypedDict):
    user_id: Optional[str]
    """The member who answers; null removes the assignment"""


AttemptStatus = Literal["DELIVERED", "FAILED"]


BatchStatus = Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]


class Batch(Model):
    batch_id: str
    """The batch, for `GET /v1/bulk/{batchId}`"""
    channel_id: str
    """The channel that sends"""
    name: Optional[str]
    """The institution's name for the batch; null without a name"""
    status: Union[BatchStatus, str]
    """The progress of the batch"""
    total: int
    """How many recipients the batch has"""
    sent: int
    """Messages that the network accepted"""
    failed: int
    """Refused, or never accepted by the network"""
    pending: int
    """Recipients whose message is not sent yet"""
    cancelled: int
    """Recipients who get nothing, because the batch was cancelled"""
    delay: int
    """Milliseconds between two messages"""
    jitter: float
    """The share by which each delay varies at random"""
    created_at: datetime
    """When the batch was created"""
    starts_at: Optional[datetime]
    """The chosen time of the first message; null starts at once"""
    paused_at: Optional[datetime]
    """When the batch was paused; null while it is not"""
    started_at: Optional[datetime]
    """When it began; null before"""
    finished_at: Optional[datetime]
    """When it ended; null before"""
    respect_hours: bool
    """True: it sends in business hours alone"""
    opens_at: Optional[datetime]
    """Outside business hours, when sending resumes; null otherwise"""
    waiting_since: Optional[datetime]
    """When its channel was disconnected; null while it is connected. After 24 hours the batch fails"""


class TemplateHeaderMedia(Model):
    type: Union[Literal["image", "video", "document"], str]
    """The kind of file"""
    url: Optional[str] = None
    """The address of the header's file"""
    media_handle: Optional[str] = None
    """The handle of an uploaded file, in place of `url`; without variables in a batch"""
    filename: Optional[str] = None
    """The shown name: the name of a file alone, without folders"""


class TemplateHeaderProduct(Model):
    product_id: str
    """The product, by the seller's own number"""
    catalog_id: str
    """The network's id of the catalogue that has it"""


class TemplateHeaderLocation(Model):
    latitude: Union[float, str]
    """Degrees north of the equator, -90 to 90, as a number or its text"""
    longitude: Union[float, str]
    """Degrees east of Greenwich, -180 to 180, as a number or its text"""
    name: Optional[str] = None
    """The name of the place"""
    address: Optional[str] = None
    """The postal address of the place"""


class TemplateSection(Model):
    title: str
    """The heading of these products"""
    product_ids: List[str]
    """Products of the catalogue, by the seller's own numbers"""


class OrderPayment(Model):
    type: Union[Literal["pix_dynamic_code", "payment_link", "boleto", "offsite_card_pay"], str]
    """Each needs fields of its own"""
    code: Optional[str] = None
    """The Pix code; only for pix_dynamic_code"""
    merchant_name: Optional[str] = None
    """The receiver of the money; only for pix_dynamic_code"""
    key: Optional[str] = None
    """The Pix key; only for pix_dynamic_code"""
    key_type: Optional[Union[Literal["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"], str]] = None
    """The kind of Pix key"""
    url: Optional[str] = None
    """The page where the order is paid: an https URL; only for payment_link"""
    digitable_line: Optional[str] = None
    """The typeable line of a boleto; only for boleto"""
    last_four_digits: Optional[str] = None
    """The end of the card's number: 4 digits; only for offsite_card_pay"""
    credential_id: Optional[str] = None
    """The id of the stored card; only for offsite_card_pay"""


class OrderItem(Model):
    retailer_id: str
    """The item's own number at the seller"""
    name: str
    """The name of the item; 1 to 60 characters"""
    quantity: int
    """How many pieces"""
    amount: Amount
    """The price of one piece"""
    sale_amount: Optional[Amount] = None
    """The reduced price of one piece"""


class NamedAmount(Model):
    value: int
    """The sum in hundredths of BRL"""
    offset: Optional[Literal[100]] = None
    """Always 100: `value` is in hundredths"""
    description: Optional[str] = None
    """The purpose of the amount; at most 60 characters"""


class TemplateOrder(Model):
    goods: Union[Literal["digital-goods", "physical-goods"], str]
    """The kind of goods that are sold"""
    total_amount: Amount
    """The total to be paid"""
    payments: List[OrderPayment]
    """How the order can be paid; each way needs the fields of its `type`"""
    items: List[OrderItem]
    """The ordered products"""
    subtotal: Amount
    """The price of all items"""
    tax: Optional[NamedAmount] = None
    """The taxes of the order"""
    shipping: Optional[NamedAmount] = None
    """The price of the delivery"""
    discount: Optional[NamedAmount] = None
    """The discount on the price"""
    reference_id: str
    """The order's own id: 1 to 35 letters, digits, dashes, dots and underscores"""


class TemplateButton(Model):
    sub_type: Optional[Union[Literal["url", "copy_code", "quick_reply", "flow", "catalog", "mpm", "order_details", "voice_call"], str]] = None
    """The action of the button; that of the template's button by default"""
    index: Optional[int] = None
    """The button's place among all, from 0"""
    parameters: Optional[List[str]] = None
    """Values, percent-encoded if they are part of a URL"""
    flow_token: Optional[str] = None
    """Comes back with the answer of a flow; the message's id by default"""
    flow_data: Optional[Dict[str, Any]] = None
    """What the first screen of a flow shows"""
    thumbnail_product_id: Optional[str] = None
    """The product whose picture a catalogue or product list shows"""
    sections: Optional[List[TemplateSection]] = None
    """The products of a product list (mpm)"""
    order: Optional[TemplateOrder] = None
    """The order that a button of the type order_details shows, to be paid in BRL"""


class TemplateCard(Model):
    variables: Optional[List[str]] = None
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: Optional[Dict[str, str]] = None
    """Values by name, in place of `variables`"""
    header_media: Optional[TemplateHeaderMedia] = None
    """The file of the header, if the template has one"""
    header_product: Optional[TemplateHeaderProduct] = None
    """The product of the header, if the template has one"""
    buttons: Optional[List[TemplateButton]] = None
    """The values of the card's buttons"""


class TemplateContent(Model):
    name: str
    """The name of an approved template"""
    language: Optional[str] = None
    """The language of the template; pt_BR by default"""
    variables: Optional[List[str]] = None
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: Optional[Dict[str, str]] = None
    """Values by name, in place of `variables`"""
    header_media: Optional[TemplateHeaderMedia] = None
    """The file of the header, if the template has one"""
    header_product: Optional[TemplateHeaderProduct] = None
    """The product of the header, if the template has one"""
    header_text: Optional[str] = None
    """The value of the variable in a text header, in place of `headerMedia`"""
    header_name: Optional[str] = None
    """The name of the variable in a text header; that of the template by default"""
    header_location: Optional[TemplateHeaderLocation] = None
    """The place of the header, if the template has one"""
    expires_at: Optional[str] = None
    """When a limited-time offer ends, in ISO 8601 with timezone"""
    buttons: Optional[List[TemplateButton]] = None
    """The values of the buttons, if the template has variables in them"""
    cards: Optional[List[TemplateCard]] = None
    """The cards of a carousel, in their order"""


FallbackReason = Literal["lost", "restricted", "silent"]


class BatchFallback(Model):
    """The template that another channel sends to people whom this channel does not reach; its values may hold
    variables"""

    channel_id: str
    """The official channel that sends the template"""
    template: TemplateContent
    """An approved template of the other phone"""
    after_minutes: int
    """How many minutes the first phone has"""
    when: Optional[List[Union[FallbackReason, str]]] = None
    """The cases in which the second way is used; all by default"""
    may_arrive_twice: Optional[bool] = None
    """True: the template is sent even if the message may have arrived; false by default"""


class BatchFailure(Model):
    to: str
    """The number of the recipient"""
    code: str
    """Why the message failed, as a code"""
    message: str
    """Why the message failed, for people"""


class BatchDetails(Model):
    batch_id: str
    """The batch, for `GET /v1/bulk/{batchId}`"""
    channel_id: str
    """The channel that sends"""
    name: Optional[str]
    """The institution's name for the batch; null without a name"""
    status: Union[BatchStatus, str]
    """The progress of the batch"""
    total: int
    """How many recipients the batch has"""
    sent: int
    """Messages that the network accepted"""
    failed: int
    """Refused, or never accepted by the network"""
    pending: int
    """Recipients whose message is not sent yet"""
    cancelled: int
    """Recipients who get nothing, because the batch was cancelled"""
    delay: int
    """Milliseconds between two messages"""
    jitter: float
    """The share by which each delay varies at random"""
    created_at: datetime
    """When the batch was created"""
    starts_at: Optional[datetime]
    """The chosen time of the first message; null starts at once"""
    paused_at: Optional[datetime]
    """When the batch was paused; null while it is not"""
    started_at: Optional[datetime]
    """When it began; null before"""
    finished_at: Optional[datetime]
    """When it ended; null before"""
    respect_hours: bool
    """True: it sends in business hours alone"""
    opens_at: Optional[datetime]
    """Outside business hours, when sending resumes; null otherwise"""
    waiting_since: Optional[datetime]
    """When its channel was disconnected; null while it is connected. After 24 hours the batch fails"""
    text: Optional[str]
    """The text that every recipient gets; null for a template"""
    template: Optional[Dict[str, Any]]
    """The template as it was given; null for a text"""
    fallback: Optional[BatchFallback]
    """The fallback for messages that do not get through; null without one"""
    send_options: Optional[Dict[str, Any]]
    """What the network lets you say of each send; null without"""
    errors: List[BatchFailure]
    """The first 1,000 of them"""


class TemplateHeaderMediaInput(TypedDict):
    type: Literal["image", "video", "document"]
    """The kind of file"""
    url: NotRequired[str]
    """The address of the header's file"""
    media_handle: NotRequired[str]
    """The handle of an uploaded file, in place of `url`; without variables in a batch"""
    filename: NotRequired[str]
    """The shown name: the name of a file alone, without folders"""


class TemplateHeaderProductInput(TypedDict):
    product_id: str
    """The product, by the seller's own number"""
    catalog_id: str
    """The network's id of the catalogue that has it"""


class TemplateHeaderLocationInput(TypedDict):
    latitude: Union[float, str]
    """Degrees north of the equator, -90 to 90, as a number or its text"""
    longitude: Union[float, str]
    """Degrees east of Greenwich, -180 to 180, as a number or its text"""
    name: NotRequired[str]
    """The name of the place"""
    address: NotRequired[str]
    """The postal address of the place"""


class TemplateSectionInput(TypedDict):
    title: str
    """The heading of these products"""
    product_ids: List[str]
    """Products of the catalogue, by the seller's own numbers"""


class OrderPaymentInput(TypedDict):
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


class OrderItemInput(TypedDict):
    retailer_id: str
    """The item's own number at the seller"""
    name: str
    """The name of the item; 1 to 60 characters"""
    quantity: int
    """How many pieces"""
    amount: AmountInput
    """The price of one piece"""
    sale_amount: NotRequired[AmountInput]
    """The reduced price of one piece"""


class NamedAmountInput(TypedDict):
    value: int
    """The sum in hundredths of BRL"""
    offset: NotRequired[Literal[100]]
    """Always 100: `value` is in hundredths"""
    description: NotRequired[str]
    """The purpose of the amount; at most 60 characters"""


class TemplateOrderInput(TypedDict):
    goods: Literal["digital-goods", "physical-goods"]
    """The kind of goods that are sold"""
    total_amount: AmountInput
    """The total to be paid"""
    payments: List[OrderPaymentInput]
    """How the order can be paid; each way needs the fields of its `type`"""
    items: List[OrderItemInput]
    """The ordered products"""
    subtotal: AmountInput
    """The price of all items"""
    tax: NotRequired[NamedAmountInput]
    """The taxes of the order"""
    shipping: NotRequired[NamedAmountInput]
    """The price of the delivery"""
    discount: NotRequired[NamedAmountInput]
    """The discount on the price"""
    reference_id: str
    """The order's own id: 1 to 35 letters, digits, dashes, dots and underscores"""


class TemplateButtonInput(TypedDict):
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
    sections: NotRequired[List[TemplateSectionInput]]
    """The products of a product list (mpm)"""
    order: NotRequired[TemplateOrderInput]
    """The order that a button of the type order_details shows, to be paid in BRL"""


class TemplateCardInput(TypedDict):
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMediaInput]
    """The file of the header, if the template has one"""
    header_product: NotRequired[TemplateHeaderProductInput]
    """The product of the header, if the template has one"""
    buttons: NotRequired[List[TemplateButtonInput]]
    """The values of the card's buttons"""


class TemplateContentInput(TypedDict):
    name: str
    """The name of an approved template"""
    language: NotRequired[str]
    """The language of the template; pt_BR by default"""
    variables: NotRequired[List[str]]
    """Values of {{1}}, {{2}} …, in order"""
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMediaInput]
    """The file of the header, if the template has one"""
    header_product: NotRequired[TemplateHeaderProductInput]
    """The product of the header, if the template has one"""
    header_text: NotRequired[str]
    """The value of the variable in a text header, in place of `headerMedia`"""
    header_name: NotRequired[str]
    """The name of the variable in a text header; that of the template by default"""
    header_location: NotRequired[TemplateHeaderLocationInput]
    """The place of the header, if the template has one"""
    expires_at: NotRequired[str]
    """When a limited-time offer ends, in ISO 8601 with timezone"""
    buttons: NotRequired[List[TemplateButtonInput]]
    """The values of the buttons, if the template has variables in them"""
    cards: NotRequired[List[TemplateCardInput]]
    """The cards of a carousel, in their order"""


class BatchFallbackInput(TypedDict):
    """The template that another channel sends to people whom this channel does not reach; its values may hold
    variables"""

    channel_id: str
    """The official channel that sends the template"""
    template: TemplateContentInput
    """An approved template of the other phone"""
    after_minutes: int
    """How many minutes the first phone has"""
    when: NotRequired[List[FallbackReason]]
    """The cases in which the second way is used; all by default"""
    may_arrive_twice: NotRequired[bool]
    """True: the template is sent even if the message may have arrived; false by default"""


ForecastRefusalCode = Literal[
    "RECIPIENT_INVALID",
    "DUPLICATE_RECIPIENT",
    "TEMPLATE_NOT_APPROVED",
    "ANSWER_WINDOW_CLOSED",
    "RECIPIENT_OPTED_OUT",
    "DAY_LIMIT_REACHED",
    "NEW_PEOPLE_LIMIT_REACHED",
    "BATCH_LIMIT_REACHED",
]


class ForecastRefusal(Model):
    code: Union[ForecastRefusalCode, str]
    """Why the batch would be refused"""
    count: int
    """The number of recipients; for a limit, the number above the limit"""
    is_whole: bool
    """True: the batch is refused whole"""


class ForecastCountry(Model):
    country: str
    """The recipients' country, by ISO 3166"""
    count: int
    """How many recipients are in the country"""
    amount_micros: int
    """Millionths of the currency"""


class ForecastCost(Model):
    """By the price list of today: an estimate, and never an amount that is due"""

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
    by_country: List[ForecastCountry]
    """The cost of each country, the most expensive first"""


class BatchForecast(Model):
    recipients: int
    """How many people would get a message"""
    refused: List[ForecastRefusal]
    """Recipients who would be refused, by reason"""
    cost: ForecastCost
    """The network's charge for all messages"""
    fallback_cost: Optional[ForecastCost]
    """The maximum price of the fallback, for every recipient; null without a fallback"""
    starts_at: datetime
    """When the first message would be sent"""
    ends_at: datetime
    """When the last message is sent, at the pace and in business hours"""
    latest_ends_at: Optional[datetime]
    """The end if everybody is new to the phone and its daily limit of new chats applies; null without such a limit"""


BatchMessageStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"]


class PageInfo(Model):
    total: int
    """How many entries the whole list has"""
    limit: int
    """How many entries a page has at most"""
    offset: int
    """Items before this page"""
    has_more: bool
    """Whether a further page follows"""


class BatchPage(Model):
    data: List[Batch]
    """The batches of this page, newest first"""
    meta: PageInfo
    """The place of this page in the whole list"""


class BatchRecipientError(Model):
    code: str
    """Why, as a code"""
    message: str
    """Why, for people"""


BatchRecipientStatus = Literal["PENDING", "QUEUED", "SENT", "FAILED", "CANCELLED"]


class BatchRecipientState(Model):
    position: int
    """The place of the recipient in the batch, from 0"""
    to: str
    """The number of the recipient"""
    variables: Optional[Dict[str, str]]
    """The values of its variables; null without any"""
    status: Union[BatchRecipientStatus, str]
    """PENDING: not handled yet; QUEUED: accepted, and its outcome is not known yet"""
    message_id: Optional[str]
    """The message of the recipient; null if none was sent"""
    message_status: Optional[Union[BatchMessageStatus, str]]
    """The progress of the message; null without a message, and after the message is deleted"""
    error: Optional[BatchRecipientError]
    """Why it got no message; null: nothing failed"""


class BatchRecipientPage(Model):
    data: List[BatchRecipientState]
    """The recipients of this page, in the order of the batch"""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last"""


class BulkCompletedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["bulk.completed"]
    """The type of the event, which decides its other fields"""
    batch_id: str
    """The batch, for `GET /v1/bulk/{batchId}`"""
    status: Union[BatchStatus, str]
    """How the batch ended"""
    total: int
    """How many recipients the batch has"""
    sent: int
    """Messages that the network accepted"""
    failed: int
    """Messages that were refused, or never accepted by the network"""


class BulkFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["bulk.failed"]
    """The type of the event, which decides its other fields"""
    batch_id: str
    """The batch, for `GET /v1/bulk/{batchId}`"""
    status: Union[BatchStatus, str]
    """How the batch ended"""
    total: int
    """How many recipients the batch has"""
    sent: int
    """Messages that the network accepted"""
    failed: int
    """Messages that were refused, or never accepted by the network"""


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


class CancelledBatch(Model):
    batch_id: str
    """The batch that was cancelled"""
    status: Union[Literal["CANCELLED"], str]
    """The batch sends nothing more"""
    sent: int
    """Messages that the network accepted before"""
    cancelled: int
    """Not sent, because the batch was cancelled"""


class ChangeMemberRoleRequest(TypedDict):
    role: MemberRole
    """The new role of the member"""


class ChangePasswordRequest(TypedDict):
    current_password: str
    """The present password of the user"""
    new_password: str
    """At least 8 characters"""


class ChangePasswordResult(Model):
    token: str
    """The value for `Authorization: Bearer` from now on"""


ChannelType = Union[Literal["CHAT_SESSION", "CHAT_WABA"], str]


ChannelStatus = Literal["DISCONNECTED", "CONNECTING", "CONNECTED"]


class Channel(Model):
    id: str
    """The channel's id"""
    name: str
    """The institution's name for the channel"""
    type: ChannelType
    """The kind of channel, which decides what it can do"""
    status: Union[ChannelStatus, str]
    """Whether the channel is connected"""
    phone_number: Optional[str] = None
    """Digits with country code; absent if unknown"""
    connected_at: Optional[datetime] = None
    """When the channel last connected; present while it is connected"""
    status_reason: Optional[str] = None
    """Why it is not connected, such as PARTNER_REMOVED"""
    status_since: Optional[datetime] = None
    """When it got its status"""
    created_at: datetime
    """When the channel was created"""


class ChannelConnectedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["channel.connected"]
    """The type of the event, which decides its other fields"""
    status: Literal["CONNECTED"]
    """Whether the channel is connected now"""
    phone_number: Optional[str]
    """The number of the channel: digits with country code; null while unknown"""
    reason: Optional[str]
    """Why the channel is not connected; null while it is"""


class ChannelConnection(Model):
    status: Union[Literal["CONNECTING"], str]
    """The channel connects soon"""
    qr_code: str
    """The QR code as a PNG, a base64 data URL; empty if no scan is needed"""
    qr: Optional[str] = None
    """The text in the QR code"""
    message: str
    """What happens next, for people; the words may change"""


class ChannelDelegatedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["channel.delegated"]
    """The type of the event, which decides its other fields"""
    from_: str = Field(alias="from")
    """The number of the person, or another address"""
    name: Optional[str]
    """The person's name; null if none is known"""
    connection_id: str
    """The connection, which ends the addresses of these chats"""
    is_active: bool
    """Whether the channel reads these chats now"""
    may_write: bool
    """Whether it may answer in them"""
    happened_at: datetime
    """When it happened, as the network says"""


class ChannelDisconnectedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["channel.disconnected"]
    """The type of the event, which decides its other fields"""
    status: Literal["DISCONNECTED"]
    """Whether the channel is connected now"""
    phone_number: Optional[str]
    """The number of the channel: digits with country code; null while unknown"""
    reason: Optional[str]
    """Why the channel is not connected; null while it is"""


class ChannelList(Model):
    data: List[Channel]
    """Every channel of the institution"""


class LocalizedText(Model):
    en: str
    """In English"""
    pt: str
    """In Portuguese"""
    es: str
    """In Spanish"""


CreationWay = Literal["pairing", "credentials", "signup", "oauth"]


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


class ChannelTypeInfo(Model):
    type: ChannelType
    """The `type` of channels of this kind"""
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


class ChannelTypeList(Model):
    data: List[ChannelTypeInfo]
    """Every type of this server"""


class ChatRenamedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["chat.renamed"]
    """The type of the event, which decides its other fields"""
    chat: str
    """The group, with its new address"""
    before: str
    """The same group, as it was called before"""
    happened_at: datetime
    """When it happened, as the network says"""


ContactOptedOutBy = Literal["word", "network", "request"]


class Contact(Model):
    id: str
    """The contact's id"""
    name: Optional[str]
    """Null while no name is known"""
    phone_number: Optional[str]
    """Digits with country code; null if the network hides the number"""
    email: Optional[str]
    """The contact's e-mail address; null if none is known"""
    tags: List[str]
    """Words that the account's people gave the contact"""
    metadata: Dict[str, Any]
    """Further data of the client; at most 16 KiB as JSON"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    opted_out_at: Optional[datetime]
    """Since when the person wants no messages but answers; null if they want all"""
    opted_out_by: Optional[Union[ContactOptedOutBy, str]]
    """What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the
    console; null without an opt-out"""
    created_at: datetime
    """When the contact was created"""
    updated_at: datetime
    """When the contact last changed"""


class ContactBlockedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["contact.blocked"]
    """The type of the event, which decides its other fields"""
    chat: str
    """The number of the person, or another address"""
    reason: Optional[str]
    """The network's word; null without one"""
    happened_at: datetime
    """When it happened, as the network says"""


class ContactCard(TypedDict):
    name: str
    """The name of the person"""
    phone: str
    """The person's telephone number"""
    email: NotRequired[str]
    """The person's e-mail address"""


class ContactCreatedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["contact.created"]
    """The type of the event, which decides its other fields"""
    contact: Contact
    """The contact as it is now"""


class ContactOptedInEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["contact.opted_in"]
    """The type of the event, which decides its other fields"""
    contact_id: str
    """The person's contact, for `GET /v1/contacts/{contactId}`"""
    chat: str
    """The number of the person, or another address"""
    by: Union[ContactOptedOutBy, str]
    """What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the
    console"""
    word: Optional[str]
    """What the person wrote; null without a word"""
    happened_at: datetime
    """When it happened, as the network says"""


class ContactOptedOutEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["contact.opted_out"]
    """The type of the event, which decides its other fields"""
    contact_id: str
    """The person's contact, for `GET /v1/contacts/{contactId}`"""
    chat: str
    """The number of the person, or another address"""
    by: Union[ContactOptedOutBy, str]
    """What recorded it: `word`, which the person wrote; `network`, which reported it; `request`, of an API or the
    console"""
    word: Optional[str]
    """What the person wrote; null without a word"""
    happened_at: datetime
    """When it happened, as the network says"""


class ContactPage(Model):
    data: List[Contact]
    """The contacts of this page"""
    meta: PageInfo
    """The place of this page in the whole list"""


class ContactUnblockedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["contact.unblocked"]
    """The type of the event, which decides its other fields"""
    chat: str
    """The number of the person, or another address"""
    reason: Optional[str]
    """The network's word; null without one"""
    happened_at: datetime
    """When it happened, as the network says"""


class ContactUpdatedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["contact.updated"]
    """The type of the event, which decides its other fields"""
    contact: Contact
    """The contact as it is now"""


ConversationStatus = Literal["OPEN", "CLOSED"]


class ConversationHolder(Model):
    """Present while another app of the same number leads the conversation, such as Meta's Business Agent"""

    role: Optional[str]
    """The app's role at the network; null if unknown"""
    since: datetime
    """When the app got the lead"""


class Conversation(Model):
    id: str
    """The conversation's id"""
    channel_id: str
    """The channel that has the conversation"""
    contact_id: str
    """The other person, as `GET /v1/contacts/{contactId}` answers"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    status: Union[ConversationStatus, str]
    """Whether the conversation is open or closed"""
    assigned_user_id: Optional[str]
    """The member who answers; null without one"""
    transfer_note: Optional[str]
    """The note of the last transfer; null without one"""
    last_message_at: datetime
    """When the newest message was sent or came in"""
    created_at: datetime
    """When the conversation was created"""
    closed_at: Optional[datetime]
    """When it was closed; null while it is open"""
    held_by: Optional[ConversationHolder] = None
    """The other app that leads the conversation; absent if none does"""


class ConversationClosedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["conversation.closed"]
    """The type of the event, which decides its other fields"""
    conversation: Conversation
    """The conversation as it is now"""


class ConversationCreatedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["conversation.created"]
    """The type of the event, which decides its other fields"""
    conversation: Conversation
    """The conversation as it is now"""


class ConversationPage(Model):
    data: List[Conversation]
    """The conversations of this page, the latest message first"""
    meta: PageInfo
    """The place of this page in the whole list"""


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
    """The institution's name for the key; 3 to 100 characters"""
    permissions: List[Permission]
    """The permissions of the key"""
    rate_limit: NotRequired[int]
    """Requests a minute; 60 by default"""
    expires_at: NotRequired[Union[datetime, str]]
    """When the key stops working, in the future; never by default"""
    environment: NotRequired[Environment]
    """`live` by default; with `test` nothing reaches a network"""
    allowed_addresses: NotRequired[List[str]]
    """The only IP addresses and CIDRs from which the key may be used"""


CreateBatchRequestRecipient = Union[BatchRecipient, str]
"""8 to 15 digits with country code, alone or as `to`"""


class CreateBatchRequest(TypedDict):
    channel_id: str
    """The channel that sends"""
    name: NotRequired[str]
    """A name for the institution's own people"""
    text: NotRequired[str]
    """The text, which may hold variables: {{name}}"""
    template: NotRequired[TemplateContentInput]
    """The template that every recipient gets, in place of `text`; each value but `mediaHandle` may hold {{name}}"""
    starts_at: NotRequired[Union[datetime, str]]
    """When the first message is sent, at most a year ahead; at once by default"""
    paused: NotRequired[bool]
    """True: nothing is sent until it is resumed"""
    respect_hours: NotRequired[bool]
    """True: outside business hours it waits, and resumes at the opening; false by default"""
    recipients: List[CreateBatchRequestRecipient]
    """Numbers, or `{to, variables}`"""
    fallback: NotRequired[BatchFallbackInput]
    """The fallback for messages that do not get through"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of each send of the batch"""
    delay: NotRequired[int]
    """Milliseconds between two messages; 3000 by default"""
    jitter: NotRequired[float]
    """The share by which each delay varies at random; 0.3 by default"""


class CreateChannelRequestCredentials(TypedDict):
    phone_number_id: NotRequired[str]
    """The network's id of the number"""
    business_account_id: NotRequired[str]
    """The network's id of the business account"""
    access_token: NotRequired[str]
    """A long-lived token without spaces; never shown again"""
    verify_token: NotRequired[str]
    """The token that the handshake of the network's webhook has to name"""


class CreateChannelRequest(TypedDict):
    name: str
    """The institution's name for the channel"""
    history: NotRequired[Literal["none", "recent", "full"]]
    """How much of the earlier chats is imported; `none` by default. Only for CHAT_SESSION"""
    type: ChannelType
    """One of the types of `GET /v1/channel-types`. It cannot be changed later"""
    credentials: NotRequired[Union[CreateChannelRequestCredentials, Dict[str, str]]]
    """The credentials of the channel's type"""


class CreateContactRequest(TypedDict):
    phone_number: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""
    name: str
    """The institution's name for the contact"""
    email: NotRequired[Optional[str]]
    """The contact's e-mail address; null removes it"""
    tags: NotRequired[List[str]]
    """Words for finding the contact; they replace those before"""
    metadata: NotRequired[Dict[str, Any]]
    """Further data of the client; at most 16 KiB as JSON"""


class CreateGatewayKeyRequest(TypedDict):
    name: str
    """The account's name for the key"""
    scopes: NotRequired[List[str]]
    """The permissions of the key, as the gateway API names them; without any it may do everything"""
    read_only: NotRequired[bool]
    """The key reads, and changes nothing"""
    allowed_addresses: NotRequired[List[str]]
    """IP addresses and CIDRs that may use the key; without any it works from everywhere"""
    expires_at: NotRequired[Union[datetime, str]]
    """When the key stops working, in the future; never by default"""


class CreateInstitutionRequest(TypedDict):
    name: str
    """The name of the business"""


class CreateInstitutionResult(Model):
    id: str
    """The institution's id"""
    name: str
    """The name of the business"""


EventType = Literal[
    "message.received",
    "message.sent",
    "message.delivered",
    "message.read",
    "conversation.created",
    "conversation.closed",
    "channel.connected",
    "channel.disconnected",
    "message.poll_results",
    "media.failed",
    "channel.delegated",
    "contact.blocked",
    "contact.unblocked",
    "contact.opted_out",
    "contact.opted_in",
    "chat.renamed",
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
    """The institution's name for the webhook; 3 to 100 characters"""
    url: str
    """A public HTTPS address, or that of a message broker"""
    events: List[EventType]
    """The types of events that the webhook gets"""
    secret: str
    """The key of the signatures; never shown again"""
    active: NotRequired[bool]
    """Whether events are delivered; true by default"""
    retry_policy: NotRequired[RetryPolicyRequest]
    """How failed deliveries are retried"""
    channel_ids: NotRequired[List[str]]
    """The channels whose events it gets; empty for all."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class CreatedApiKey(Model):
    id: str
    """The key's id"""
    name: str
    """The institution's name for the key"""
    prefix: str
    """The beginning of the key, to recognise it"""
    permissions: List[str]
    """The permissions of the key"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    expires_at: Optional[datetime] = None
    """When the key stops working; absent means never"""
    allowed_addresses: Optional[List[str]] = None
    """IP addresses and CIDRs that may use the key; empty means everywhere"""
    created_at: datetime
    """When the key was created"""
    key: str
    """The key itself, which is shown only now"""


class CreatedBatch(Model):
    batch_id: str
    """The batch, for `GET /v1/bulk/{batchId}`"""
    channel_id: str
    """The channel that sends"""
    status: Union[Literal["QUEUED"], str]
    """The batch waits to be sent"""
    total: int
    """How many recipients the batch has"""
    created_at: datetime
    """When the batch was created"""


class CreatedChannel(Model):
    id: str
    """The channel's id"""
    name: str
    """The institution's name for the channel"""
    type: ChannelType
    """The kind of channel, which decides what it can do"""
    status: Union[ChannelStatus, str]
    """Whether the channel is connected"""
    created_at: datetime
    """When the channel was created"""


class RetryPolicy(Model):
    max_retries: int
    """Tries after the first; 5 by default"""
    retry_delay: int
    """Milliseconds between tries; 30000 by default"""


class CreatedWebhook(Model):
    id: str
    """The webhook's id"""
    name: str
    """The institution's name for the webhook"""
    url: str
    """Where the events go"""
    events: List[str]
    """The types of events that the webhook gets"""
    active: bool
    """Whether events are delivered; true by default"""
    retry_policy: RetryPolicy
    """How failed deliveries are retried"""
    channel_ids: List[str]
    """The channels whose events it gets; empty for all."""
    directions: List[Union[WebhookDirection, str]]
    """Which messages the webhook gets: incoming, outgoing or both"""
    headers: Dict[str, str]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: Union[DeliveryOrdering, str]
    """Whether the events of a chat wait for each other"""
    created_at: datetime
    """When the webhook was created"""
    secret: str
    """Shown only now"""


class CreatedWebhookResult(Model):
    data: CreatedWebhook
    """The webhook, with its secret"""


class DeleteUserRequest(TypedDict):
    password: str
    """The present password of the user"""


class DisconnectedChannel(Model):
    status: Union[Literal["DISCONNECTED"], str]
    """The channel is not connected"""
    message: str
    """What happened, for people; the words may change"""


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
    """Recipients that would be left out, because the batch already has them"""


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


class EntryPoint(Model):
    """The entry that the person tapped to open the chat, in the network's words"""

    source: str
    """Where the person found the chat, in the network's word"""
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
    "CANNED_REPLY_EXISTS",
    "CANNED_REPLY_NOT_FOUND",
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
    "CREDENTIALS_MISMATCH",
    "CREDENTIALS_NOT_APPLICABLE",
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
    "RECIPIENT_OPTED_OUT",
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
    "TOOL_NOT_FOUND",
    "TRIAL_RUN_NOT_FOUND",
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
    """The problem"""
    validation: str
    """The short name of the broken rule"""


class Error(Model):
    message: str
    """The failure, for people; the words may change"""
    code: Union[ErrorCode, str]
    """The failure, as a word"""
    errors: Optional[List[FieldError]] = None
    """One for each faulty field"""


class EventEnvelope(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""


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


class ForecastTemplate(TypedDict):
    """One of the channel's templates; without one, a text is sent"""

    name: str
    """The name of an approved template"""
    language: NotRequired[str]
    """A language code, such as pt_BR"""


class ForecastFallback(TypedDict):
    """The template that another channel may send in place of each message"""

    channel_id: str
    """The official channel that would send the template"""
    template: ForecastTemplate
    """The template that would be sent"""


class ForecastBatchRequest(TypedDict):
    channel_id: str
    """The channel that would send"""
    to: List[str]
    """The numbers of the recipients"""
    template: NotRequired[ForecastTemplate]
    """The template that would be sent"""
    starts_at: NotRequired[Union[datetime, str]]
    """When the first message would be sent, in the future and at most a year ahead"""
    delay: NotRequired[int]
    """Milliseconds between two messages"""
    respect_hours: NotRequired[bool]
    """Whether business hours apply to it"""
    fallback: NotRequired[ForecastFallback]
    """The fallback for messages that do not get through"""


class ForgotPasswordRequest(TypedDict):
    email: str
    """The e-mail address of the user"""


class GatewayKey(Model):
    id: str
    """The key's id"""
    name: str
    """The account's name for the key"""
    prefix: str
    """The beginning of the key, to recognise it"""
    scopes: List[str]
    """The permissions of the key or the app"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """IP addresses and CIDRs that may use the key; empty means everywhere"""
    expires_at: Optional[datetime] = None
    """When the key stops working; absent means never"""
    last_used_at: Optional[datetime]
    """When it was last used; null before"""
    created_at: datetime
    """When the key was created"""


class GatewayKeyList(Model):
    data: List[GatewayKey]
    """Every key of the account"""


class GroupMention(Model):
    """A group that the message names"""

    id: str
    """The chat address of the group"""
    name: Optional[str] = None
    """The name of the group, as the message has it"""


class HdOf(Model):
    """The message that came before with the same file in lower quality"""

    id: str
    """The network's id of that message"""


class Institution(Model):
    id: str
    """The institution's id"""
    name: str
    """The name of the business"""


class InvalidNumber(Model):
    number: str
    """The number as it was given"""
    reason: Union[Literal["invalid_format", "not_on_network"], str]
    """Why it cannot be written to"""


MemberState = Literal["active", "invited"]


class InvitedMember(Model):
    user_id: Optional[str]
    """The user id of the member; null while the person is only invited"""
    name: Optional[str]
    """The name of the member; null while the person is only invited"""
    email: str
    """The e-mail address of the member"""
    role: Union[MemberRole, str]
    """The role of the member"""
    state: Union[MemberState, str]
    """`invited` until the person accepts"""
    invitation_id: Optional[str] = None
    """The id of the invitation; present while the person is only invited"""
    expires_at: Optional[datetime] = None
    """When the invitation ends; present while the person is only invited"""
    link: Optional[str] = None
    """Opens once; absent if it was mailed"""


class IssuedGatewayKey(Model):
    id: str
    """The key's id"""
    name: str
    """The account's name for the key"""
    prefix: str
    """The beginning of the key, to recognise it"""
    scopes: List[str]
    """The permissions of the key or the app"""
    read_only: bool
    """The key reads, and changes nothing"""
    allowed_addresses: List[str]
    """IP addresses and CIDRs that may use the key; empty means everywhere"""
    expires_at: Optional[datetime] = None
    """When the key stops working; absent means never"""
    last_used_at: Optional[datetime]
    """When it was last used; null before"""
    created_at: datetime
    """When the key was created"""
    key: str
    """The key itself, which is shown only now"""
    warnings: Optional[List[str]] = None
    """The parts of the request without effect; absent if every part has an effect"""


class JoinAccountRequest(TypedDict):
    code: str
    """The code that a key of the account made"""


class JoinRequest(TypedDict):
    token: str
    """The token of the mailed link"""
    name: str
    """The name of the user"""
    password: str
    """At least 8 characters"""


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


class ListInstitutionsResult(Model):
    institutions: List[Institution]
    """Every institution of the user"""


ListedTemplateCategory = Literal["MARKETING", "UTILITY", "AUTHENTICATION", "UNKNOWN"]


class User(Model):
    id: str
    """The user's id"""
    name: str
    """The name of the user"""
    email: str
    """The e-mail address for signing in"""


class LoggedIn(Model):
    requires_institution_selection: Optional[bool] = None
    """The token is good only for choosing one"""
    token: str
    """The value for `Authorization: Bearer`"""
    user: Optional[User] = None
    """The user; absent if several institutions can be chosen"""
    institutions: Optional[List[Institution]] = None
    """The institutions of the user; absent if there is only one"""


class LoginRequest(TypedDict):
    email: str
    """The e-mail address of the user"""
    password: str
    """The password of the user"""
    totp: NotRequired[str]
    """A code of the user's app, if the user has a second step of sign-in"""
    recovery: NotRequired[str]
    """A recovery code, instead of a code of the app"""


MediaFailure = Literal["TOO_LARGE", "GONE", "REFUSED", "INVALID", "UNAVAILABLE", "STORAGE_QUOTA_EXCEEDED"]


class MediaFailedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["media.failed"]
    """The type of the event, which decides its other fields"""
    message_id: str
    """The message without its file"""
    conversation_id: Optional[str]
    """The conversation of the message; null for a message to a group"""
    chat: str
    """The number of the person, or another address"""
    content_type: str
    """The media type that the network announced"""
    size_bytes: Optional[int]
    """The announced size; null if it names none"""
    filename: Optional[str]
    """The shown name; null if none is known"""
    media_error: Union[MediaFailure, str]
    """Why the file is not there"""
    reason: str
    """The same in words"""


class Member(Model):
    user_id: Optional[str]
    """The user id of the member; null while the person is only invited"""
    name: Optional[str]
    """The name of the member; null while the person is only invited"""
    email: str
    """The e-mail address of the member"""
    role: Union[MemberRole, str]
    """The role of the member"""
    state: Union[MemberState, str]
    """`invited` until the person accepts"""
    invitation_id: Optional[str] = None
    """The id of the invitation; present while the person is only invited"""
    expires_at: Optional[datetime] = None
    """When the invitation ends; present while the person is only invited"""


class MemberList(Model):
    data: List[Member]
    """Every member and every invited person"""


class Mention(Model):
    """A person whom the message names"""

    phone_number: Optional[str]
    """Digits with country code; null or absent if unknown"""
    lid: Optional[str]
    """The hidden id; null if unknown"""
    is_me: bool
    """Whether it is this phone"""


SenderKind = Literal["key", "user", "operator", "schedule", "batch", "agent", "other", "phone", "chatwoot"]


class SentBy(Model):
    kind: Union[SenderKind, str]
    """The source of the request for the message"""
    id: str
    """The id of the key, person, schedule or batch; of an agent, that of its phone; empty for programs without one"""
    name: Optional[str]
    """The name of the sender; null if no name is known"""


class MessageMedia(Model):
    """The file that came with the message: `url` is the call that leads to it, with the key. Null while no file is
    available"""

    url: str
    """The call that leads to the file, with the key"""
    mime_type: str
    """The media type of the file"""
    size_bytes: int
    """The size of the file in bytes"""
    filename: Optional[str]
    """The name of the file, as its sender gave it; null without one"""
    expires_at: datetime
    """When the file is deleted"""


MessageStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ", "FAILED", "RECEIVED"]


class MessageHeldBy(Model):
    """Another app led the conversation: the message was for information"""

    role: Optional[str]
    """The app's role at the network; null if unknown"""


class MessagePrice(Model):
    amount_micros: int
    """The amount in millionths of the currency"""
    currency: str
    """The currency, as ISO 4217 has it"""


class Message(Model):
    id: str
    """The message's id"""
    channel_id: str
    """The channel that sent or received it"""
    conversation_id: Optional[str]
    """The conversation of the message; null for a message to a group"""
    batch_id: Optional[str] = None
    """The batch that sent it; absent for other messages"""
    sent_by: Optional[SentBy] = None
    """The person, key or program that sent it; absent for an incoming message, and if it was not recorded"""
    direction: Union[Literal["INBOUND", "OUTBOUND"], str]
    """INBOUND comes from the contact, OUTBOUND goes to the contact"""
    type: str
    """The type of the content, such as text"""
    from_: Optional[str] = Field(alias="from")
    """The number of the sender, or another address; null while the channel's number is not known"""
    to: Optional[str]
    """The number of the recipient, or another address; null for an incoming message"""
    text: Optional[str] = None
    """The text of the message; absent for other types"""
    content: Any = None
    """The content of the message; absent for a text"""
    media: Optional[MessageMedia] = None
    """The file of the message; null or absent without one"""
    status: Union[MessageStatus, str]
    """It moves only forward; FAILED is final"""
    failed_reason: Optional[str]
    """`[CODE]` and why it failed; null otherwise"""
    held_by: Optional[MessageHeldBy] = None
    """The other app that leads the conversation; absent if none does"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    created_at: datetime
    """When it was accepted or came in: the order of a conversation"""
    sent_at: Optional[datetime]
    """When the network took it; null before. For an incoming message: when it was sent, as the network says"""
    delivered_at: Optional[datetime]
    """When it was delivered; null before"""
    read_at: Optional[datetime]
    """When it was read; null before"""
    deleted_at: Optional[datetime]
    """When it was deleted for everyone; null if it was not. Its content is empty then"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""


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


class Topic(Model):
    """A part of a group's chat with a name of its own"""

    id: str
    """The network's id of the topic, as the address of its chat ends with it"""
    name: Optional[str] = None
    """The name of the topic; absent where the message does not bring it"""


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


class MessageDeliveredEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["message.delivered"]
    """The type of the event, which decides its other fields"""
    message_id: str
    """The message, for `GET /v1/messages/{messageId}`"""
    conversation_id: Optional[str]
    """The conversation of the message; null for a message to a group"""
    message_type: str
    """The type of the content, such as text"""
    text: Optional[str] = None
    """The text of the message; absent for other types"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    """The size of the file in bytes; absent without a file"""
    status: Literal["delivered"]
    """The progress of the message"""
    to: str
    """The number of the recipient, or another address"""
    content: Any = None
    """The content that was sent; absent for a text"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""


class MessagePage(Model):
    data: List[Message]
    """The messages of this page, newest first"""
    meta: PageInfo
    """The place of this page in the whole list"""


class PollTotal(Model):
    option: str
    """The text of the option"""
    votes: int
    """How many chose it"""


class MessagePollResultsEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["message.poll_results"]
    """The type of the event, which decides its other fields"""
    message_id: str
    """The message with the poll, for `GET /v1/messages/{messageId}`"""
    totals: List[PollTotal]
    """How often each option was chosen"""
    is_closed: bool
    """Whether nobody can vote any more"""


class MessageReadEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["message.read"]
    """The type of the event, which decides its other fields"""
    message_id: str
    """The message, for `GET /v1/messages/{messageId}`"""
    conversation_id: Optional[str]
    """The conversation of the message; null for a message to a group"""
    message_type: str
    """The type of the content, such as text"""
    text: Optional[str] = None
    """The text of the message; absent for other types"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    """The size of the file in bytes; absent without a file"""
    status: Literal["read"]
    """The progress of the message"""
    to: str
    """The number of the recipient, or another address"""
    content: Any = None
    """The content that was sent; absent for a text"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""


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
        ReceivedCalendarEntry,
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
    ReceivedCalendarEntry,
    ReceivedNumberRequest,
    ReceivedNumber,
    ReceivedPaymentMethod,
    ReceivedWelcomeRequest,
    UnsupportedContent,
)


class MessageReceivedEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["message.received"]
    """The type of the event, which decides its other fields"""
    message_id: str
    """The message, for `GET /v1/messages/{messageId}`"""
    conversation_id: Optional[str]
    """The conversation of the message; null for a message to a group"""
    message_type: str
    """The type of the content, such as text"""
    text: Optional[str] = None
    """The text of the message; absent for other types"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    """The size of the file in bytes; absent without a file"""
    status: Literal["received"]
    """Always `received`"""
    from_: str = Field(alias="from")
    """The number of the person who wrote, or another address"""
    to: Optional[str]
    """The number of the channel; null if unknown"""
    chat: Optional[str] = None
    """The group that it was written in"""
    push_name: Optional[str]
    """The name that the person chose; null if none is known"""
    content: Optional[MessageReceivedEventContent] = None
    """The content of the message, by its type"""
    media: Optional[MessageMedia] = None
    """The file of the message; null or absent without one"""
    media_error: Optional[Union[MediaFailure, str]] = None
    """Why the file is not there; absent if it is, or while it waits for good credentials"""


class MessageSentEvent(Model):
    id: str
    """The event's id; the same for every delivery of the event"""
    event: str
    """The type with a colon, as `message:received`"""
    timestamp: datetime
    """When it was published"""
    institution_id: str
    """The institution that the event belongs to"""
    channel_id: Optional[str]
    """The channel that the event is about; null for an event of the institution"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    type: Literal["message.sent"]
    """The type of the event, which decides its other fields"""
    message_id: str
    """The message, for `GET /v1/messages/{messageId}`"""
    conversation_id: Optional[str]
    """The conversation of the message; null for a message to a group"""
    message_type: str
    """The type of the content, such as text"""
    text: Optional[str] = None
    """The text of the message; absent for other types"""
    is_cut: Optional[Literal[True]] = None
    """The event has more than 256 KiB: its content is left out"""
    size_bytes: Optional[int] = None
    """The size of the file in bytes; absent without a file"""
    status: Literal["sent"]
    """The progress of the message"""
    to: str
    """The number of the recipient, or another address"""
    content: Any = None
    """The content that was sent; absent for a text"""
    parts: Optional[int] = None
    """How many parts the network made of it, such as segments of an SMS; absent until it says so"""
    price: Optional[MessagePrice] = None
    """What the network charges the account for it; absent until it says so"""


class OwnAccount(Model):
    id: str
    """The institution's id"""
    name: str
    """The name of the business"""
    status: str
    """ACTIVE, or why the institution does not work"""
    plan: Optional[Union[Literal["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"], str]]
    """Null without one"""
    created_at: datetime
    """When the institution was created"""
    role: Optional[str]
    """The user's role; null for an API key"""
    permissions: List[str]
    """The permissions of the key"""
    environment: Union[Environment, str]
    """`live`, or `test`, which reaches no network"""
    key: Optional[ApiKey]
    """The key of this request; null for a request with a user's token"""
    requests_per_minute: AccountRate
    """All requests of the institution in a minute"""
    messages_per_day: AccountDay
    """The institution's sending limits for a day"""
    limits: List[AccountLimit]
    """The number of objects of each kind in the account, and its limit"""


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
        MessagePollResultsEvent,
        MediaFailedEvent,
        ChannelDelegatedEvent,
        ContactBlockedEvent,
        ContactUnblockedEvent,
        ContactOptedOutEvent,
        ContactOptedInEvent,
        ChatRenamedEvent,
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
            "message.poll_results": MessagePollResultsEvent,
            "media.failed": MediaFailedEvent,
            "channel.delegated": ChannelDelegatedEvent,
            "contact.blocked": ContactBlockedEvent,
            "contact.unblocked": ContactUnblockedEvent,
            "contact.opted_out": ContactOptedOutEvent,
            "contact.opted_in": ContactOptedInEvent,
            "chat.renamed": ChatRenamedEvent,
            "contact.created": ContactCreatedEvent,
            "contact.updated": ContactUpdatedEvent,
            "bulk.completed": BulkCompletedEvent,
            "bulk.failed": BulkFailedEvent,
        },
        OtherEvent,
    )


class QuickReply(TypedDict):
    id: str
    """The value that comes back with the answer"""
    text: str
    """The text of the quick reply; 1 to 20 characters"""


class RegisterRequest(TypedDict):
    name: str
    """The name of the user"""
    email: str
    """The e-mail address for signing in"""
    password: str
    """At least 8 characters"""
    institution_name: str
    """The name of the new institution, which the user owns"""


class ReplaceWebhookRequest(TypedDict):
    name: NotRequired[str]
    """The institution's name for the webhook; 3 to 100 characters"""
    url: NotRequired[str]
    """A public HTTPS address, or that of a message broker"""
    events: NotRequired[List[EventType]]
    """The types of events that the webhook gets"""
    secret: NotRequired[str]
    """The key of the signatures; never shown again"""
    active: NotRequired[bool]
    """Whether events are delivered; true by default"""
    retry_policy: NotRequired[RetryPolicyRequest]
    """How failed deliveries are retried"""
    channel_ids: NotRequired[List[str]]
    """The channels whose events it gets; empty for all."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class ResetPasswordRequest(TypedDict):
    token: str
    """The token of the mailed link"""
    password: str
    """The new one, of at least 8 characters"""
    totp: NotRequired[str]
    """A code of the user's app, if the user has a second step of sign-in"""
    recovery: NotRequired[str]
    """A recovery code, instead of a code of the app"""


class SelectInstitutionRequest(TypedDict):
    institution_id: str
    """One of the institutions that the login named"""


class SendAudioRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    ptt: NotRequired[bool]
    """Whether it plays as a voice note; false by default"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


class SendContactRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    contacts: List[ContactCard]
    """The cards that are sent"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


class SendDocumentRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    filename: NotRequired[str]
    """The shown name: the name of a file alone, without folders"""
    caption: NotRequired[str]
    """A text below the document; at most 1,024 characters"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


class SendImageRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    caption: NotRequired[str]
    """A text below the image; at most 1,024 characters"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


class SendPixRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
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
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


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
    named_variables: NotRequired[Dict[str, str]]
    """Values by name, in place of `variables`"""
    header_media: NotRequired[TemplateHeaderMediaInput]
    """The file of the header, if the template has one"""
    header_product: NotRequired[TemplateHeaderProductInput]
    """The product of the header, if the template has one"""
    header_text: NotRequired[str]
    """The value of the variable in a text header, in place of `headerMedia`"""
    header_name: NotRequired[str]
    """The name of the variable in a text header; that of the template by default"""
    header_location: NotRequired[TemplateHeaderLocationInput]
    """The place of the header, if the template has one"""
    expires_at: NotRequired[str]
    """When a limited-time offer ends, in ISO 8601 with timezone"""
    buttons: NotRequired[List[TemplateButtonInput]]
    """The values of the buttons, if the template has variables in them"""
    cards: NotRequired[List[TemplateCardInput]]
    """The cards of a carousel, in their order"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


SendTextRequestLinkPreview = Union[bool, LinkPreview]


class SendTextRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    text: str
    """The text to send; 1 to 4,096 characters"""
    quick_replies: NotRequired[List[QuickReply]]
    """Answers to tap, if the network supports them; each with an `id` of its own"""
    tag: NotRequired[Literal["HUMAN_AGENT", "UTILITY"]]
    """How it goes out after the network's 24 hours: HUMAN_AGENT is a person's answer, UTILITY a utility message
    without a template"""
    mentions: NotRequired[List[str]]
    """The people that the text names: numbers, chat addresses or canonical keys, at most 5 groups of the same
    community, or `all`. `@` and the number in the text becomes the name. If the network has mentions"""
    link_preview: NotRequired[SendTextRequestLinkPreview]
    """The preview of the first address in the text, if the network has that. True: Recado asks the page for its
    title, text and picture, for five seconds at most. False: none. An object: this one, whose address stands in the
    text. By default the phone's setting `linkPreviews` decides"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


class SendVideoRequest(TypedDict):
    to: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus; or the address of a person without a number, as `98765432@lid`"""
    media_url: str
    """Where the file is, by HTTPS"""
    caption: NotRequired[str]
    """A text below the video; at most 1,024 characters"""
    send_options: NotRequired[Dict[str, Any]]
    """What the network lets you say of this send; `sendOptions` of its kind lists the fields"""
    is_answer: NotRequired[bool]
    """Whether the message answers the person. Only an answer is sent to a person who opted out. A message that quotes
    the person is an answer too."""


class SentMessage(Model):
    success: bool
    """True: a refusal has another status"""
    message: str
    """What happened, for people; the words may change"""
    message_id: str
    """The message, for `GET /v1/messages/{messageId}`"""


class Session(Model):
    id: str
    """The session's id"""
    is_current: bool
    """Whether it is the session of this request"""
    address: str
    """The IP address of the sign-in"""
    user_agent: Optional[str]
    """The browser that logged in; null if unknown"""
    created_at: datetime
    """When the user signed in"""
    expires_at: datetime
    """When the session ends"""


class SessionList(Model):
    data: List[Session]
    """Every session of the user that has not ended"""


class SetChannelCredentialsRequestCredentials(TypedDict):
    phone_number_id: NotRequired[str]
    """The network's id of the number"""
    business_account_id: NotRequired[str]
    """The network's id of the business account"""
    access_token: NotRequired[str]
    """A long-lived token without spaces; never shown again"""
    verify_token: NotRequired[str]
    """The token that the handshake of the network's webhook has to name"""


class SetChannelCredentialsRequest(TypedDict):
    credentials: Union[SetChannelCredentialsRequestCredentials, Dict[str, str]]
    """All credentials of its kind: one that is missing is removed"""


class SignedIn(Model):
    token: str
    """The value for `Authorization: Bearer`"""
    user: User
    """Who signed in"""
    institution: Institution
    """The institution that the token is good for"""


class SimulateConnectRequest(TypedDict):
    phone_number: NotRequired[str]
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""


class SimulateMessageRequest(TypedDict):
    from_: str
    """must be 8 to 15 digits with country code, as `5511999990001` or `+55 11 99999-0001`; digits alone without the
    plus"""
    text: str
    """The text of the contact"""


class SimulateStatusRequest(TypedDict):
    status: Literal["sent", "delivered", "read", "failed"]
    """The next report of the network"""


class SimulatedConnection(Model):
    status: Union[Literal["CONNECTED"], str]
    """The channel is connected"""
    phone_number: str
    """Digits with country code"""


class SimulatedDisconnection(Model):
    status: Union[Literal["DISCONNECTED"], str]
    """The channel is not connected"""


class SimulatedMessage(Model):
    success: bool
    """True: a refusal has another status"""
    message_id: str
    """The message, for `GET /v1/messages/{messageId}`"""


TemplateStatus = Literal["DRAFT", "PENDING", "APPROVED", "REJECTED", "PAUSED"]


class TemplateComponent(OpenModel):
    type: str
    """The kind of part: HEADER, BODY, FOOTER, BUTTONS or another one of the official API"""


class Template(Model):
    id: str
    """The template's id"""
    channel_id: str
    """The channel whose business account has the template"""
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
    rejection_reason: Optional[str]
    """Why the network rejected the template; null if it did not"""
    created_at: datetime
    """When the template was stored here"""
    updated_at: datetime
    """When the template last changed"""


class TemplatePage(Model):
    data: List[Template]
    """The templates of this page, newest first"""
    meta: PageInfo
    """The place of this page in the whole list"""


class TemplateSync(Model):
    created: int
    """How many are new here"""
    updated: int
    """How many were changed"""
    total: int
    """Templates that the business account has at the network"""


class TestWebhook(TypedDict):
    type: NotRequired[EventType]
    """The type of the event that is sent; an example of it is made"""


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


class TestedWebhook(Model):
    data: WebhookTestResult
    """The outcome at the endpoint"""


class TextError(Model):
    error: str
    """The failure, for people; the words may change"""
    code: Optional[str] = None
    """Only if a client can act on it"""


class TransferConversationRequest(TypedDict):
    user_id: str
    """The member who takes over"""
    note: NotRequired[str]
    """A note for the member who takes over"""


class UpdateContactRequest(TypedDict):
    name: NotRequired[str]
    """The institution's name for the contact"""
    email: NotRequired[Optional[str]]
    """The contact's e-mail address; null removes it"""
    tags: NotRequired[List[str]]
    """Words for finding the contact; they replace those before"""
    metadata: NotRequired[Dict[str, Any]]
    """Further data of the client; at most 16 KiB as JSON"""


class UpdateWebhookRequest(TypedDict):
    name: NotRequired[str]
    """The institution's name for the webhook; 3 to 100 characters"""
    url: NotRequired[str]
    """A public HTTPS address, or that of a message broker"""
    events: NotRequired[List[EventType]]
    """The types of events that the webhook gets"""
    secret: NotRequired[str]
    """The key of the signatures; never shown again"""
    active: NotRequired[bool]
    """Whether events are delivered; true by default"""
    retry_policy: NotRequired[RetryPolicyRequest]
    """How failed deliveries are retried"""
    channel_ids: NotRequired[List[str]]
    """The channels whose events it gets; empty for all."""
    directions: NotRequired[List[WebhookDirection]]
    """Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent
    """
    headers: NotRequired[Dict[str, str]]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: NotRequired[DeliveryOrdering]
    """Whether the events of a chat wait for each other"""


class ValidateNumbersRequest(TypedDict):
    numbers: List[str]
    """The numbers that are checked; at most 1,000"""
    channel_id: NotRequired[str]
    """The channel that asks the network; without it only the form is checked"""


class ValidatedNumbers(Model):
    total: int
    """How many numbers were checked"""
    valid: List[str]
    """Numbers that can be written to"""
    invalid: List[InvalidNumber]
    """Numbers that cannot be written to"""
    unchecked: Optional[List[str]] = None
    """Valid numbers about which the network gives no answer now; absent if it was not asked"""


class VerifyEmailRequest(TypedDict):
    token: str
    """The token of the mailed link"""


class Webhook(Model):
    id: str
    """The webhook's id"""
    name: str
    """The institution's name for the webhook"""
    url: str
    """Where the events go"""
    events: List[str]
    """The types of events that the webhook gets"""
    active: bool
    """Whether events are delivered; true by default"""
    retry_policy: RetryPolicy
    """How failed deliveries are retried"""
    channel_ids: List[str]
    """The channels whose events it gets; empty for all."""
    directions: List[Union[WebhookDirection, str]]
    """Which messages the webhook gets: incoming, outgoing or both"""
    headers: Dict[str, str]
    """Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have
    asterisks in place of the values. Sending asterisks back keeps the value."""
    ordering: Union[DeliveryOrdering, str]
    """Whether the events of a chat wait for each other"""
    created_at: datetime
    """When the webhook was created"""
    consecutive_failures: int
    """Failed deliveries in a row; at 5 the webhook is disabled"""
    last_failed_at: Optional[datetime]
    """When a delivery last failed; null before"""
    updated_at: datetime
    """When the webhook last changed"""


class WebhookFieldError(Model):
    field: str
    """Nested names are joined by dots"""
    message: str
    """The problem"""


class WebhookError(Model):
    error: Union[ErrorCode, str]
    """The code of the refusal"""
    message: str
    """The failure, for people; the words may change"""
    details: Optional[List[WebhookFieldError]] = None
    """One for each faulty field"""
    retry_after: Optional[int] = None
    """How many seconds to wait before the next request"""


class WebhookList(Model):
    data: List[Webhook]
    """Every webhook of the institution"""


class WebhookLog(Model):
    id: str
    """The attempt's id"""
    webhook_id: str
    """The webhook that was tried"""
    event: str
    """The event's type"""
    status: Union[AttemptStatus, str]
    """Whether the endpoint took the event"""
    status_code: int
    """The answer of the endpoint"""
    response_time: int
    """Milliseconds until the answer"""
    attempt: int
    """Which attempt it is, from 1"""
    error: Optional[str]
    """Why the attempt failed; null if it did not"""
    delivered_at: Optional[datetime]
    """When the endpoint took the event; null for a failed attempt"""
    failed_at: Optional[datetime]
    """When it failed; null otherwise"""


class WebhookLogPage(Model):
    data: List[WebhookLog]
    """The attempts of this page, newest first"""
    meta: PageInfo
    """The place of this page in the whole list"""


class WebhookResult(Model):
    data: Webhook
    """The webhook as it is now"""


class WebhookRetry(Model):
    id: str
    """The webhook's id"""
    status: Union[Literal["enqueued"], str]
    """The waiting deliveries are tried soon"""


class WebhookRetryResult(Model):
    data: WebhookRetry
    """The webhook whose waiting deliveries are tried"""


WebhookEvent = PlatformEvent
