# Written by npm run clients from the description of the platform API. Do not edit.
"""The functions of the platform API."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, Union, overload

from httpx import Response

from . import platform as t
from ._models import one_of
from ._pages import AsyncPages, Pages
from ._requests import RequestOptions, Upload
from ._routes import NOT_GIVEN, AsyncResource, AsyncRun, Resource, Route, Run, Shape, Tagged


PLATFORM_ROUTES: Dict[str, Route] = {
    "api_keys.create": Route("POST", "/v1/api-keys", body="json", shape="CreateApiKeyRequest", answer=t.CreatedApiKey),
    "api_keys.list": Route("GET", "/v1/api-keys", answer=t.ApiKeyList, item=t.ApiKey),
    "api_keys.revoke": Route("DELETE", "/v1/api-keys/{api_key_id}"),
    "auth.accept_invitation": Route("POST", "/v1/auth/accept-invitation", body="json", answer=t.SignedIn),
    "auth.change_password": Route(
        "POST",
        "/v1/auth/change-password",
        body="json",
        shape="ChangePasswordRequest",
        answer=t.ChangePasswordResult,
    ),
    "auth.delete_user": Route("POST", "/v1/auth/delete-user", body="json"),
    "auth.forgot_password": Route("POST", "/v1/auth/forgot-password", body="json", answer=t.AcceptedMail),
    "auth.list_institutions": Route(
        "GET",
        "/v1/auth/institutions",
        answer=t.ListInstitutionsResult,
        item=t.Institution,
    ),
    "auth.join": Route("POST", "/v1/auth/join", body="json", answer=t.SignedIn),
    "auth.login": Route("POST", "/v1/auth/login", body="json", answer=t.LoggedIn),
    "auth.register": Route("POST", "/v1/auth/register", body="json", shape="RegisterRequest", answer=t.SignedIn),
    "auth.request_verification": Route("POST", "/v1/auth/request-verification", answer=t.AcceptedMail),
    "auth.reset_password": Route("POST", "/v1/auth/reset-password", body="json", answer=t.LoggedIn),
    "auth.select_institution": Route(
        "POST",
        "/v1/auth/select-institution",
        body="json",
        shape="SelectInstitutionRequest",
        answer=t.SignedIn,
    ),
    "auth.list_sessions": Route("GET", "/v1/auth/sessions", answer=t.SessionList, item=t.Session),
    "auth.end_session": Route("DELETE", "/v1/auth/sessions/{session_id}"),
    "auth.verify_email": Route("POST", "/v1/auth/verify-email", body="json"),
    "bulk.create": Route(
        "POST",
        "/v1/bulk",
        query={"dry_run": "dryRun"},
        body="json",
        shape="CreateBatchRequest",
        answer=one_of(t.DryRunBatch, t.CreatedBatch),
    ),
    "bulk.list": Route(
        "GET",
        "/v1/bulk",
        query={"page": "page", "limit": "limit", "status": "status", "channel_id": "channelId"},
        answer=t.BatchPage,
        item=t.Batch,
    ),
    "bulk.forecast": Route(
        "POST",
        "/v1/bulk/forecast",
        body="json",
        shape="ForecastBatchRequest",
        answer=t.BatchForecast,
    ),
    "bulk.validate_numbers": Route(
        "POST",
        "/v1/bulk/validate",
        body="json",
        shape="ValidateNumbersRequest",
        answer=t.ValidatedNumbers,
    ),
    "bulk.get": Route("GET", "/v1/bulk/{batch_id}", answer=t.BatchDetails),
    "bulk.cancel": Route("POST", "/v1/bulk/{batch_id}/cancel", answer=t.CancelledBatch),
    "bulk.pause": Route("POST", "/v1/bulk/{batch_id}/pause", answer=t.Batch),
    "bulk.add_recipients": Route("POST", "/v1/bulk/{batch_id}/recipients", body="json", answer=t.Batch),
    "bulk.list_recipients": Route(
        "GET",
        "/v1/bulk/{batch_id}/recipients",
        query={"status": "status", "limit": "limit", "cursor": "cursor"},
        answer=t.BatchRecipientPage,
        item=t.BatchRecipientState,
    ),
    "bulk.resume": Route("POST", "/v1/bulk/{batch_id}/resume", answer=t.Batch),
    "business_hours.get": Route("GET", "/v1/business-hours", answer=t.BusinessHours),
    "business_hours.set": Route(
        "PUT",
        "/v1/business-hours",
        body="json",
        shape="BusinessHoursRequest",
        answer=t.BusinessHours,
    ),
    "channels.list_types": Route("GET", "/v1/channel-types", answer=t.ChannelTypeList, item=t.ChannelTypeInfo),
    "channels.create": Route(
        "POST",
        "/v1/channels",
        body="json",
        shape="CreateChannelRequest",
        answer=t.CreatedChannel,
    ),
    "channels.list": Route("GET", "/v1/channels", answer=t.ChannelList, item=t.Channel),
    "channels.get": Route("GET", "/v1/channels/{channel_id}", answer=t.Channel),
    "channels.delete": Route("DELETE", "/v1/channels/{channel_id}"),
    "channels.connect": Route("POST", "/v1/channels/{channel_id}/connect", answer=t.ChannelConnection),
    "channels.set_credentials": Route(
        "PUT",
        "/v1/channels/{channel_id}/credentials",
        body="json",
        shape="SetChannelCredentialsRequest",
        answer=t.Channel,
    ),
    "channels.disconnect": Route("POST", "/v1/channels/{channel_id}/disconnect", answer=t.DisconnectedChannel),
    "contacts.create": Route("POST", "/v1/contacts", body="json", shape="CreateContactRequest", answer=t.Contact),
    "contacts.list": Route(
        "GET",
        "/v1/contacts",
        query={"page": "page", "limit": "limit", "search": "search", "opted_out": "optedOut"},
        answer=t.ContactPage,
        item=t.Contact,
    ),
    "contacts.get": Route("GET", "/v1/contacts/{contact_id}", answer=t.Contact),
    "contacts.update": Route("PATCH", "/v1/contacts/{contact_id}", body="json", answer=t.Contact),
    "contacts.delete": Route("DELETE", "/v1/contacts/{contact_id}"),
    "contacts.opt_out": Route("PUT", "/v1/contacts/{contact_id}/opt-out", answer=t.Contact),
    "contacts.opt_in": Route("DELETE", "/v1/contacts/{contact_id}/opt-out", answer=t.Contact),
    "conversations.list": Route(
        "GET",
        "/v1/conversations",
        query={"page": "page", "limit": "limit", "status": "status", "channel_id": "channelId", "contact_id": "contactId"},
        answer=t.ConversationPage,
        item=t.Conversation,
    ),
    "conversations.get": Route("GET", "/v1/conversations/{conversation_id}", answer=t.Conversation),
    "conversations.assign": Route(
        "POST",
        "/v1/conversations/{conversation_id}/assign",
        body="json",
        shape="AssignConversationRequest",
        answer=t.Conversation,
    ),
    "conversations.close": Route("POST", "/v1/conversations/{conversation_id}/close", answer=t.Conversation),
    "conversations.transfer": Route(
        "POST",
        "/v1/conversations/{conversation_id}/transfer",
        body="json",
        shape="TransferConversationRequest",
        answer=t.Conversation,
    ),
    "institutions.get_account": Route("GET", "/v1/account", answer=t.OwnAccount),
    "institutions.create": Route("POST", "/v1/institutions", body="json", answer=t.CreateInstitutionResult),
    "institutions.join_account": Route(
        "POST",
        "/v1/institutions/{institution_id}/accounts",
        query={"dry_run": "dryRun"},
        body="json",
        answer=t.JoinedAccount,
    ),
    "institutions.create_gateway_key": Route(
        "POST",
        "/v1/institutions/{institution_id}/gateway-keys",
        body="json",
        shape="CreateGatewayKeyRequest",
        answer=t.IssuedGatewayKey,
    ),
    "institutions.list_gateway_keys": Route(
        "GET",
        "/v1/institutions/{institution_id}/gateway-keys",
        answer=t.GatewayKeyList,
        item=t.GatewayKey,
    ),
    "institutions.revoke_gateway_key": Route("DELETE", "/v1/institutions/{institution_id}/gateway-keys/{api_key_id}"),
    "institutions.withdraw_invitation": Route(
        "DELETE",
        "/v1/institutions/{institution_id}/invitations/{invitation_id}",
    ),
    "institutions.add_member": Route(
        "POST",
        "/v1/institutions/{institution_id}/members",
        body="json",
        answer=t.InvitedMember,
    ),
    "institutions.list_members": Route(
        "GET",
        "/v1/institutions/{institution_id}/members",
        answer=t.MemberList,
        item=t.Member,
    ),
    "institutions.change_member_role": Route(
        "PATCH",
        "/v1/institutions/{institution_id}/members/{user_id}",
        body="json",
        answer=t.Member,
    ),
    "institutions.remove_member": Route("DELETE", "/v1/institutions/{institution_id}/members/{user_id}"),
    "messages.send_audio": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/audio",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendAudioRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_contact": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/contact",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendContactRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_document": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/document",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendDocumentRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_image": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/image",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendImageRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_pix": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/pix",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendPixRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_template": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/template",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendTemplateRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_text": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/text",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendTextRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.send_video": Route(
        "POST",
        "/v1/channels/{channel_id}/messages/video",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendVideoRequest",
        answer=one_of(t.DryRunMessage, t.SentMessage),
    ),
    "messages.list": Route(
        "GET",
        "/v1/conversations/{conversation_id}/messages",
        query={"page": "page", "limit": "limit"},
        answer=t.MessagePage,
        item=t.Message,
    ),
    "messages.get": Route("GET", "/v1/messages/{message_id}", answer=t.Message),
    "messages.get_media": Route("GET", "/v1/messages/{message_id}/media", is_file=True),
    "sandbox.simulate_connect": Route(
        "POST",
        "/v1/sandbox/channels/{channel_id}/connect",
        body="optional",
        shape="SimulateConnectRequest",
        answer=t.SimulatedConnection,
    ),
    "sandbox.simulate_disconnect": Route(
        "POST",
        "/v1/sandbox/channels/{channel_id}/disconnect",
        answer=t.SimulatedDisconnection,
    ),
    "sandbox.simulate_message": Route(
        "POST",
        "/v1/sandbox/channels/{channel_id}/messages",
        body="json",
        shape="SimulateMessageRequest",
        answer=t.SimulatedMessage,
    ),
    "sandbox.simulate_status": Route("POST", "/v1/sandbox/messages/{message_id}/status", body="json", answer=t.Message),
    "templates.list": Route(
        "GET",
        "/v1/channels/{channel_id}/templates",
        query={"page": "page", "limit": "limit", "status": "status", "name": "name"},
        answer=t.TemplatePage,
        item=t.Template,
    ),
    "templates.sync": Route("POST", "/v1/channels/{channel_id}/templates/sync", answer=t.TemplateSync),
    "webhooks.list": Route("GET", "/v1/webhooks", answer=t.WebhookList, item=t.Webhook),
    "webhooks.create": Route(
        "POST",
        "/v1/webhooks",
        body="json",
        shape="CreateWebhookRequest",
        answer=t.CreatedWebhookResult,
    ),
    "webhooks.get": Route("GET", "/v1/webhooks/{id}", answer=t.WebhookResult),
    "webhooks.update": Route(
        "PATCH",
        "/v1/webhooks/{id}",
        body="json",
        shape="UpdateWebhookRequest",
        answer=t.WebhookResult,
    ),
    "webhooks.replace": Route(
        "PUT",
        "/v1/webhooks/{id}",
        body="json",
        shape="ReplaceWebhookRequest",
        answer=t.WebhookResult,
    ),
    "webhooks.delete": Route("DELETE", "/v1/webhooks/{id}"),
    "webhooks.list_logs": Route(
        "GET",
        "/v1/webhooks/{id}/logs",
        query={"page": "page", "limit": "limit", "status": "status", "since": "since", "until": "until"},
        answer=t.WebhookLogPage,
        item=t.WebhookLog,
    ),
    "webhooks.retry": Route("POST", "/v1/webhooks/{id}/retry", answer=t.WebhookRetryResult),
    "webhooks.test": Route("POST", "/v1/webhooks/{id}/test", body="optional", answer=t.TestedWebhook),
}


SHAPES: Dict[str, Shape] = {
    "AssignConversationRequest": {"user_id": ("userId", None)},
    "BatchFallback": {
        "channel_id": ("channelId", None),
        "template": ("template", "TemplateContent"),
        "after_minutes": ("afterMinutes", None),
        "may_arrive_twice": ("mayArriveTwice", None),
    },
    "BusinessHoursRequest": {
        "time_zone": ("timeZone", None),
        "weekly": ("weekly", "WeeklyHours"),
        "dates": ("dates", "OwnDate"),
    },
    "ChangePasswordRequest": {"current_password": ("currentPassword", None), "new_password": ("newPassword", None)},
    "CreateApiKeyRequest": {
        "rate_limit": ("rateLimit", None),
        "expires_at": ("expiresAt", None),
        "allowed_addresses": ("allowedAddresses", None),
    },
    "CreateBatchRequest": {
        "channel_id": ("channelId", None),
        "template": ("template", "TemplateContent"),
        "starts_at": ("startsAt", None),
        "respect_hours": ("respectHours", None),
        "fallback": ("fallback", "BatchFallback"),
        "send_options": ("sendOptions", None),
    },
    "CreateChannelRequest": {"credentials": ("credentials", "CreateChannelRequestCredentials")},
    "CreateChannelRequestCredentials": {
        "phone_number_id": ("phoneNumberId", None),
        "business_account_id": ("businessAccountId", None),
        "access_token": ("accessToken", None),
        "verify_token": ("verifyToken", None),
    },
    "CreateContactRequest": {"phone_number": ("phoneNumber", None)},
    "CreateGatewayKeyRequest": {
        "read_only": ("readOnly", None),
        "allowed_addresses": ("allowedAddresses", None),
        "expires_at": ("expiresAt", None),
    },
    "CreateWebhookRequest": {
        "retry_policy": ("retryPolicy", "RetryPolicyRequest"),
        "channel_ids": ("channelIds", None),
    },
    "ForecastBatchRequest": {
        "channel_id": ("channelId", None),
        "starts_at": ("startsAt", None),
        "respect_hours": ("respectHours", None),
        "fallback": ("fallback", "ForecastFallback"),
    },
    "ForecastFallback": {"channel_id": ("channelId", None)},
    "LinkPreviewImage": {"media_url": ("mediaUrl", None)},
    "OpeningTimes": {"from_": ("from", None)},
    "OrderItem": {"retailer_id": ("retailerId", None), "sale_amount": ("saleAmount", None)},
    "OrderPayment": {
        "merchant_name": ("merchantName", None),
        "key_type": ("keyType", None),
        "digitable_line": ("digitableLine", None),
        "last_four_digits": ("lastFourDigits", None),
        "credential_id": ("credentialId", None),
    },
    "OwnDate": {"times": ("times", "OpeningTimes")},
    "RegisterRequest": {"institution_name": ("institutionName", None)},
    "ReplaceWebhookRequest": {
        "retry_policy": ("retryPolicy", "RetryPolicyRequest"),
        "channel_ids": ("channelIds", None),
    },
    "RetryPolicyRequest": {"max_retries": ("maxRetries", None), "retry_delay": ("retryDelay", None)},
    "SelectInstitutionRequest": {"institution_id": ("institutionId", None)},
    "SendAudioRequest": {
        "media_url": ("mediaUrl", None),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SendContactRequest": {"send_options": ("sendOptions", None), "is_answer": ("isAnswer", None)},
    "SendDocumentRequest": {
        "media_url": ("mediaUrl", None),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SendImageRequest": {
        "media_url": ("mediaUrl", None),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SendPixRequest": {
        "amount_cents": ("amountCents", None),
        "merchant_name": ("merchantName", None),
        "merchant_city": ("merchantCity", None),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SendTemplateRequest": {
        "named_variables": ("namedVariables", None),
        "header_media": ("headerMedia", "TemplateHeaderMedia"),
        "header_product": ("headerProduct", "TemplateHeaderProduct"),
        "header_text": ("headerText", None),
        "header_name": ("headerName", None),
        "header_location": ("headerLocation", None),
        "expires_at": ("expiresAt", None),
        "buttons": ("buttons", "TemplateButton"),
        "cards": ("cards", "TemplateCard"),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SendTextRequest": {
        "quick_replies": ("quickReplies", None),
        "link_preview": ("linkPreview", "SendTextRequestLinkPreview"),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SendTextRequestLinkPreview": {"image": ("image", "LinkPreviewImage")},
    "SendVideoRequest": {
        "media_url": ("mediaUrl", None),
        "send_options": ("sendOptions", None),
        "is_answer": ("isAnswer", None),
    },
    "SetChannelCredentialsRequest": {"credentials": ("credentials", "SetChannelCredentialsRequestCredentials")},
    "SetChannelCredentialsRequestCredentials": {
        "phone_number_id": ("phoneNumberId", None),
        "business_account_id": ("businessAccountId", None),
        "access_token": ("accessToken", None),
        "verify_token": ("verifyToken", None),
    },
    "SimulateConnectRequest": {"phone_number": ("phoneNumber", None)},
    "SimulateMessageRequest": {"from_": ("from", None)},
    "TemplateButton": {
        "sub_type": ("subType", None),
        "flow_token": ("flowToken", None),
        "flow_data": ("flowData", None),
        "thumbnail_product_id": ("thumbnailProductId", None),
        "sections": ("sections", "TemplateSection"),
        "order": ("order", "TemplateOrder"),
    },
    "TemplateCard": {
        "named_variables": ("namedVariables", None),
        "header_media": ("headerMedia", "TemplateHeaderMedia"),
        "header_product": ("headerProduct", "TemplateHeaderProduct"),
        "buttons": ("buttons", "TemplateButton"),
    },
    "TemplateContent": {
        "named_variables": ("namedVariables", None),
        "header_media": ("headerMedia", "TemplateHeaderMedia"),
        "header_product": ("headerProduct", "TemplateHeaderProduct"),
        "header_text": ("headerText", None),
        "header_name": ("headerName", None),
        "header_location": ("headerLocation", None),
        "expires_at": ("expiresAt", None),
        "buttons": ("buttons", "TemplateButton"),
        "cards": ("cards", "TemplateCard"),
    },
    "TemplateHeaderMedia": {"media_handle": ("mediaHandle", None)},
    "TemplateHeaderProduct": {"product_id": ("productId", None), "catalog_id": ("catalogId", None)},
    "TemplateOrder": {
        "total_amount": ("totalAmount", None),
        "payments": ("payments", "OrderPayment"),
        "items": ("items", "OrderItem"),
        "reference_id": ("referenceId", None),
    },
    "TemplateSection": {"product_ids": ("productIds", None)},
    "TransferConversationRequest": {"user_id": ("userId", None)},
    "UpdateWebhookRequest": {
        "retry_policy": ("retryPolicy", "RetryPolicyRequest"),
        "channel_ids": ("channelIds", None),
    },
    "ValidateNumbersRequest": {"channel_id": ("channelId", None)},
    "WeeklyHours": {
        "sunday": ("sunday", "OpeningTimes"),
        "monday": ("monday", "OpeningTimes"),
        "tuesday": ("tuesday", "OpeningTimes"),
        "wednesday": ("wednesday", "OpeningTimes"),
        "thursday": ("thursday", "OpeningTimes"),
        "friday": ("friday", "OpeningTimes"),
        "saturday": ("saturday", "OpeningTimes"),
    },
}


class ApiKeysResource(Resource):
    def create(
        self,
        *,
        name: str,
        permissions: List[t.Permission],
        rate_limit: int = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        environment: t.Environment = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedApiKey:
        """Create an API key. `POST /v1/api-keys`"""
        return self._call("api_keys.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.ApiKey]:
        """List the institution's API keys. `GET /v1/api-keys`"""
        return self._pages("api_keys.list", locals())

    def revoke(self, api_key_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Revoke an API key at once. `DELETE /v1/api-keys/{apiKeyId}`"""
        return self._call("api_keys.revoke", locals())


class AuthResource(Resource):
    def accept_invitation(self, *, token: str, options: Optional[RequestOptions] = None) -> t.SignedIn:
        """Accept an invitation to the user's own e-mail. `POST /v1/auth/accept-invitation`"""
        return self._call("auth.accept_invitation", locals())

    def change_password(
        self,
        *,
        current_password: str,
        new_password: str,
        options: Optional[RequestOptions] = None,
    ) -> t.ChangePasswordResult:
        """Change the password. `POST /v1/auth/change-password`"""
        return self._call("auth.change_password", locals())

    def delete_user(self, *, password: str, options: Optional[RequestOptions] = None) -> None:
        """Delete the user itself. `POST /v1/auth/delete-user`"""
        return self._call("auth.delete_user", locals())

    def forgot_password(self, *, email: str, options: Optional[RequestOptions] = None) -> t.AcceptedMail:
        """Mail a link with which a user chooses a new password. `POST /v1/auth/forgot-password`"""
        return self._call("auth.forgot_password", locals())

    def list_institutions(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Institution]:
        """List the user's institutions. `GET /v1/auth/institutions`"""
        return self._pages("auth.list_institutions", locals())

    def join(self, *, token: str, name: str, password: str, options: Optional[RequestOptions] = None) -> t.SignedIn:
        """Register by the link of an invitation, and accept it. `POST /v1/auth/join`"""
        return self._call("auth.join", locals())

    def login(
        self,
        *,
        email: str,
        password: str,
        totp: str = NOT_GIVEN,
        recovery: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.LoggedIn:
        """Log in. `POST /v1/auth/login`"""
        return self._call("auth.login", locals())

    def register(
        self,
        *,
        name: str,
        email: str,
        password: str,
        institution_name: str,
        options: Optional[RequestOptions] = None,
    ) -> t.SignedIn:
        """Register a user together with an institution. `POST /v1/auth/register`"""
        return self._call("auth.register", locals())

    def request_verification(self, *, options: Optional[RequestOptions] = None) -> t.AcceptedMail:
        """Mail the link that verifies the user's e-mail again. `POST /v1/auth/request-verification`"""
        return self._call("auth.request_verification", locals())

    def reset_password(
        self,
        *,
        token: str,
        password: str,
        totp: str = NOT_GIVEN,
        recovery: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.LoggedIn:
        """Choose a new password by a link. `POST /v1/auth/reset-password`"""
        return self._call("auth.reset_password", locals())

    def select_institution(self, *, institution_id: str, options: Optional[RequestOptions] = None) -> t.SignedIn:
        """Choose an institution and get a complete token. `POST /v1/auth/select-institution`"""
        return self._call("auth.select_institution", locals())

    def list_sessions(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Session]:
        """List the user's sessions. `GET /v1/auth/sessions`"""
        return self._pages("auth.list_sessions", locals())

    def end_session(self, session_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """End a session. `DELETE /v1/auth/sessions/{sessionId}`"""
        return self._call("auth.end_session", locals())

    def verify_email(self, *, token: str, options: Optional[RequestOptions] = None) -> None:
        """Verify the user's e-mail by the link in a mail. `POST /v1/auth/verify-email`"""
        return self._call("auth.verify_email", locals())


class BulkResource(Resource):
    @overload
    def create(
        self,
        *,
        channel_id: str,
        recipients: List[t.CreateBatchRequestRecipient],
        name: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        template: t.TemplateContentInput = NOT_GIVEN,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        fallback: t.BatchFallbackInput = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        delay: int = NOT_GIVEN,
        jitter: float = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedBatch: ...

    @overload
    def create(
        self,
        *,
        dry_run: Literal[True],
        channel_id: str,
        recipients: List[t.CreateBatchRequestRecipient],
        name: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        template: t.TemplateContentInput = NOT_GIVEN,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        fallback: t.BatchFallbackInput = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        delay: int = NOT_GIVEN,
        jitter: float = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunBatch: ...

    def create(self, **given: Any) -> Any:
        """Send a text or a template to many people, one after the other. `POST /v1/bulk`"""
        return self._call("bulk.create", {**given})

    def list(
        self,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.BatchStatus = NOT_GIVEN,
        channel_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Batch]:
        """List batches, newest first. `GET /v1/bulk`"""
        return self._pages("bulk.list", locals())

    def forecast(
        self,
        *,
        channel_id: str,
        to: List[str],
        template: t.ForecastTemplate = NOT_GIVEN,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        delay: int = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        fallback: t.ForecastFallback = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BatchForecast:
        """Forecast a batch: its price, its time, and what would be refused. `POST /v1/bulk/forecast`"""
        return self._call("bulk.forecast", locals())

    def validate_numbers(
        self,
        *,
        numbers: List[str],
        channel_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ValidatedNumbers:
        """Check numbers before a batch. `POST /v1/bulk/validate`"""
        return self._call("bulk.validate_numbers", locals())

    def get(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.BatchDetails:
        """Get a batch, with the recipients who got nothing. `GET /v1/bulk/{batchId}`"""
        return self._call("bulk.get", locals())

    def cancel(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.CancelledBatch:
        """Cancel a batch. `POST /v1/bulk/{batchId}/cancel`"""
        return self._call("bulk.cancel", locals())

    def pause(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.Batch:
        """Pause a batch until it is resumed. `POST /v1/bulk/{batchId}/pause`"""
        return self._call("bulk.pause", locals())

    def add_recipients(
        self,
        batch_id: str,
        *,
        recipients: List[t.AddBatchRecipientsRequestRecipient],
        options: Optional[RequestOptions] = None,
    ) -> t.Batch:
        """Add recipients to a batch, up to 10,000 in all. `POST /v1/bulk/{batchId}/recipients`"""
        return self._call("bulk.add_recipients", locals())

    def list_recipients(
        self,
        batch_id: str,
        *,
        status: t.BatchRecipientStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.BatchRecipientState]:
        """List the recipients of a batch in their order, with the outcome of each. `GET
        /v1/bulk/{batchId}/recipients`"""
        return self._pages("bulk.list_recipients", locals())

    def resume(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.Batch:
        """Resume a paused batch. `POST /v1/bulk/{batchId}/resume`"""
        return self._call("bulk.resume", locals())


class BusinessHoursResource(Resource):
    def get(self, *, options: Optional[RequestOptions] = None) -> t.BusinessHours:
        """Get the institution's business hours, and whether it is open now. `GET /v1/business-hours`"""
        return self._call("business_hours.get", locals())

    def set(
        self,
        *,
        time_zone: str,
        weekly: t.WeeklyHours,
        holidays: t.BusinessHolidays = NOT_GIVEN,
        dates: List[t.OwnDate] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BusinessHours:
        """Set the institution's business hours. `PUT /v1/business-hours`"""
        return self._call("business_hours.set", locals())


class ChannelsResource(Resource):
    def list_types(self, *, options: Optional[RequestOptions] = None) -> Pages[t.ChannelTypeInfo]:
        """List the types of channels that this server has. `GET /v1/channel-types`"""
        return self._pages("channels.list_types", locals())

    def create(
        self,
        *,
        name: str,
        type: t.ChannelType,
        history: Literal["none", "recent", "full"] = NOT_GIVEN,
        credentials: Union[t.CreateChannelRequestCredentials, Dict[str, str]] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedChannel:
        """Create a channel. `POST /v1/channels`"""
        return self._call("channels.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Channel]:
        """List channels, newest first. `GET /v1/channels`"""
        return self._pages("channels.list", locals())

    def get(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.Channel:
        """Get a channel and its status. `GET /v1/channels/{channelId}`"""
        return self._call("channels.get", locals())

    def delete(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a channel. `DELETE /v1/channels/{channelId}`"""
        return self._call("channels.delete", locals())

    def connect(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.ChannelConnection:
        """Connect a channel. `POST /v1/channels/{channelId}/connect`"""
        return self._call("channels.connect", locals())

    def set_credentials(
        self,
        channel_id: str,
        *,
        credentials: Union[t.SetChannelCredentialsRequestCredentials, Dict[str, str]],
        options: Optional[RequestOptions] = None,
    ) -> t.Channel:
        """Replace a channel's credentials. `PUT /v1/channels/{channelId}/credentials`"""
        return self._call("channels.set_credentials", locals())

    def disconnect(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.DisconnectedChannel:
        """Disconnect a channel. `POST /v1/channels/{channelId}/disconnect`"""
        return self._call("channels.disconnect", locals())


class ContactsResource(Resource):
    def create(
        self,
        *,
        phone_number: str,
        name: str,
        email: Optional[str] = NOT_GIVEN,
        tags: List[str] = NOT_GIVEN,
        metadata: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Contact:
        """Create a contact. `POST /v1/contacts`"""
        return self._call("contacts.create", locals())

    def list(
        self,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        search: str = NOT_GIVEN,
        opted_out: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Contact]:
        """List contacts, newest first, or search them. `GET /v1/contacts`"""
        return self._pages("contacts.list", locals())

    def get(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Get a contact. `GET /v1/contacts/{contactId}`"""
        return self._call("contacts.get", locals())

    def update(
        self,
        contact_id: str,
        *,
        name: str = NOT_GIVEN,
        email: Optional[str] = NOT_GIVEN,
        tags: List[str] = NOT_GIVEN,
        metadata: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Contact:
        """Change a contact. `PATCH /v1/contacts/{contactId}`"""
        return self._call("contacts.update", locals())

    def delete(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a contact. `DELETE /v1/contacts/{contactId}`"""
        return self._call("contacts.delete", locals())

    def opt_out(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact no messages but answers. `PUT /v1/contacts/{contactId}/opt-out`"""
        return self._call("contacts.opt_out", locals())

    def opt_in(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact messages again. `DELETE /v1/contacts/{contactId}/opt-out`"""
        return self._call("contacts.opt_in", locals())


class ConversationsResource(Resource):
    def list(
        self,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.ConversationStatus = NOT_GIVEN,
        channel_id: str = NOT_GIVEN,
        contact_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Conversation]:
        """List conversations, newest first. `GET /v1/conversations`"""
        return self._pages("conversations.list", locals())

    def get(self, conversation_id: str, *, options: Optional[RequestOptions] = None) -> t.Conversation:
        """Get a conversation. `GET /v1/conversations/{conversationId}`"""
        return self._call("conversations.get", locals())

    def assign(
        self,
        conversation_id: str,
        *,
        user_id: Optional[str],
        options: Optional[RequestOptions] = None,
    ) -> t.Conversation:
        """Assign a conversation to a member, or remove the assignment. `POST
        /v1/conversations/{conversationId}/assign`"""
        return self._call("conversations.assign", locals())

    def close(self, conversation_id: str, *, options: Optional[RequestOptions] = None) -> t.Conversation:
        """Close a conversation. `POST /v1/conversations/{conversationId}/close`"""
        return self._call("conversations.close", locals())

    def transfer(
        self,
        conversation_id: str,
        *,
        user_id: str,
        note: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Conversation:
        """Assign a conversation to another member, with a note. `POST /v1/conversations/{conversationId}/transfer`"""
        return self._call("conversations.transfer", locals())


class InstitutionsResource(Resource):
    def get_account(self, *, options: Optional[RequestOptions] = None) -> t.OwnAccount:
        """Get the institution and the credentials of this request, with their limits. `GET /v1/account`"""
        return self._call("institutions.get_account", locals())

    def create(self, *, name: str, options: Optional[RequestOptions] = None) -> t.CreateInstitutionResult:
        """Create a further institution. `POST /v1/institutions`"""
        return self._call("institutions.create", locals())

    def join_account(
        self,
        institution_id: str,
        *,
        code: str,
        options: Optional[RequestOptions] = None,
    ) -> t.JoinedAccount:
        """Take over an account of the gateway. `POST /v1/institutions/{institutionId}/accounts`"""
        return self._call("institutions.join_account", locals())

    def create_gateway_key(
        self,
        institution_id: str,
        *,
        name: str,
        scopes: List[str] = NOT_GIVEN,
        read_only: bool = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedGatewayKey:
        """Make an API key of the gateway for the institution. `POST /v1/institutions/{institutionId}/gateway-keys`"""
        return self._call("institutions.create_gateway_key", locals())

    def list_gateway_keys(
        self,
        institution_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.GatewayKey]:
        """List the institution's API keys of the gateway. `GET /v1/institutions/{institutionId}/gateway-keys`"""
        return self._pages("institutions.list_gateway_keys", locals())

    def revoke_gateway_key(
        self,
        institution_id: str,
        api_key_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Revoke an API key of the gateway at once. `DELETE /v1/institutions/{institutionId}/gateway-keys/{apiKeyId}`
        """
        return self._call("institutions.revoke_gateway_key", locals())

    def withdraw_invitation(
        self,
        institution_id: str,
        invitation_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Revoke an invitation. `DELETE /v1/institutions/{institutionId}/invitations/{invitationId}`"""
        return self._call("institutions.withdraw_invitation", locals())

    def add_member(
        self,
        institution_id: str,
        *,
        email: str,
        role: t.MemberRole = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.InvitedMember:
        """Invite a person to the institution. `POST /v1/institutions/{institutionId}/members`"""
        return self._call("institutions.add_member", locals())

    def list_members(self, institution_id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.Member]:
        """List the institution's members and invited people. `GET /v1/institutions/{institutionId}/members`"""
        return self._pages("institutions.list_members", locals())

    def change_member_role(
        self,
        institution_id: str,
        user_id: str,
        *,
        role: t.MemberRole,
        options: Optional[RequestOptions] = None,
    ) -> t.Member:
        """Change what a member may do. `PATCH /v1/institutions/{institutionId}/members/{userId}`"""
        return self._call("institutions.change_member_role", locals())

    def remove_member(self, institution_id: str, user_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove a member, or leave. `DELETE /v1/institutions/{institutionId}/members/{userId}`"""
        return self._call("institutions.remove_member", locals())


class MessagesResource(Resource):
    @overload
    def send_audio(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        ptt: bool = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_audio(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        ptt: bool = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_audio(self, channel_id: str, **given: Any) -> Any:
        """Send a recording. `POST /v1/channels/{channelId}/messages/audio`"""
        return self._call("messages.send_audio", {"channel_id": channel_id, **given})

    @overload
    def send_contact(
        self,
        channel_id: str,
        *,
        to: str,
        contacts: List[t.ContactCard],
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_contact(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        contacts: List[t.ContactCard],
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_contact(self, channel_id: str, **given: Any) -> Any:
        """Send contacts. `POST /v1/channels/{channelId}/messages/contact`"""
        return self._call("messages.send_contact", {"channel_id": channel_id, **given})

    @overload
    def send_document(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        filename: str = NOT_GIVEN,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_document(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        filename: str = NOT_GIVEN,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_document(self, channel_id: str, **given: Any) -> Any:
        """Send a document. `POST /v1/channels/{channelId}/messages/document`"""
        return self._call("messages.send_document", {"channel_id": channel_id, **given})

    @overload
    def send_image(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_image(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_image(self, channel_id: str, **given: Any) -> Any:
        """Send an image. `POST /v1/channels/{channelId}/messages/image`"""
        return self._call("messages.send_image", {"channel_id": channel_id, **given})

    @overload
    def send_pix(
        self,
        channel_id: str,
        *,
        to: str,
        amount_cents: int,
        key: str,
        merchant_name: str,
        txid: str,
        merchant_city: str = NOT_GIVEN,
        code: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_pix(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        amount_cents: int,
        key: str,
        merchant_name: str,
        txid: str,
        merchant_city: str = NOT_GIVEN,
        code: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_pix(self, channel_id: str, **given: Any) -> Any:
        """Ask for a payment by Pix. `POST /v1/channels/{channelId}/messages/pix`"""
        return self._call("messages.send_pix", {"channel_id": channel_id, **given})

    @overload
    def send_template(
        self,
        channel_id: str,
        *,
        to: str,
        name: str,
        language: str = NOT_GIVEN,
        variables: List[str] = NOT_GIVEN,
        named_variables: Dict[str, str] = NOT_GIVEN,
        header_media: t.TemplateHeaderMediaInput = NOT_GIVEN,
        header_product: t.TemplateHeaderProductInput = NOT_GIVEN,
        header_text: str = NOT_GIVEN,
        header_name: str = NOT_GIVEN,
        header_location: t.TemplateHeaderLocationInput = NOT_GIVEN,
        expires_at: str = NOT_GIVEN,
        buttons: List[t.TemplateButtonInput] = NOT_GIVEN,
        cards: List[t.TemplateCardInput] = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_template(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        name: str,
        language: str = NOT_GIVEN,
        variables: List[str] = NOT_GIVEN,
        named_variables: Dict[str, str] = NOT_GIVEN,
        header_media: t.TemplateHeaderMediaInput = NOT_GIVEN,
        header_product: t.TemplateHeaderProductInput = NOT_GIVEN,
        header_text: str = NOT_GIVEN,
        header_name: str = NOT_GIVEN,
        header_location: t.TemplateHeaderLocationInput = NOT_GIVEN,
        expires_at: str = NOT_GIVEN,
        buttons: List[t.TemplateButtonInput] = NOT_GIVEN,
        cards: List[t.TemplateCardInput] = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_template(self, channel_id: str, **given: Any) -> Any:
        """Send an approved template. `POST /v1/channels/{channelId}/messages/template`"""
        return self._call("messages.send_template", {"channel_id": channel_id, **given})

    @overload
    def send_text(
        self,
        channel_id: str,
        *,
        to: str,
        text: str,
        quick_replies: List[t.QuickReply] = NOT_GIVEN,
        tag: Literal["HUMAN_AGENT", "UTILITY"] = NOT_GIVEN,
        mentions: List[str] = NOT_GIVEN,
        link_preview: t.SendTextRequestLinkPreview = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_text(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        text: str,
        quick_replies: List[t.QuickReply] = NOT_GIVEN,
        tag: Literal["HUMAN_AGENT", "UTILITY"] = NOT_GIVEN,
        mentions: List[str] = NOT_GIVEN,
        link_preview: t.SendTextRequestLinkPreview = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_text(self, channel_id: str, **given: Any) -> Any:
        """Send a text. `POST /v1/channels/{channelId}/messages/text`"""
        return self._call("messages.send_text", {"channel_id": channel_id, **given})

    @overload
    def send_video(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    def send_video(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_video(self, channel_id: str, **given: Any) -> Any:
        """Send a video. `POST /v1/channels/{channelId}/messages/video`"""
        return self._call("messages.send_video", {"channel_id": channel_id, **given})

    def list(
        self,
        conversation_id: str,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Message]:
        """List the messages of a conversation, newest first. `GET /v1/conversations/{conversationId}/messages`"""
        return self._pages("messages.list", locals())

    def get(self, message_id: str, *, options: Optional[RequestOptions] = None) -> t.Message:
        """Get a message that was sent or received. `GET /v1/messages/{messageId}`"""
        return self._call("messages.get", locals())

    def get_media(self, message_id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the address of a message's file. `GET /v1/messages/{messageId}/media`"""
        return self._call("messages.get_media", locals())


class SandboxResource(Resource):
    def simulate_connect(
        self,
        channel_id: str,
        *,
        phone_number: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SimulatedConnection:
        """Simulate that a channel connects. `POST /v1/sandbox/channels/{channelId}/connect`"""
        return self._call("sandbox.simulate_connect", locals())

    def simulate_disconnect(
        self,
        channel_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.SimulatedDisconnection:
        """End a simulated connection. `POST /v1/sandbox/channels/{channelId}/disconnect`"""
        return self._call("sandbox.simulate_disconnect", locals())

    def simulate_message(
        self,
        channel_id: str,
        *,
        from_: str,
        text: str,
        options: Optional[RequestOptions] = None,
    ) -> t.SimulatedMessage:
        """Simulate an incoming message on a channel. `POST /v1/sandbox/channels/{channelId}/messages`"""
        return self._call("sandbox.simulate_message", locals())

    def simulate_status(
        self,
        message_id: str,
        *,
        status: Literal["sent", "delivered", "read", "failed"],
        options: Optional[RequestOptions] = None,
    ) -> t.Message:
        """Simulate the outcome of a message that a test key sent. `POST /v1/sandbox/messages/{messageId}/status`"""
        return self._call("sandbox.simulate_status", locals())


class TemplatesResource(Resource):
    def list(
        self,
        channel_id: str,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.TemplateStatus = NOT_GIVEN,
        name: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Template]:
        """List the templates of a channel, newest first. `GET /v1/channels/{channelId}/templates`"""
        return self._pages("templates.list", locals())

    def sync(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.TemplateSync:
        """Import all templates of a channel's business account. `POST /v1/channels/{channelId}/templates/sync`"""
        return self._call("templates.sync", locals())


class WebhooksResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Webhook]:
        """List the institution's webhooks. `GET /v1/webhooks`"""
        return self._pages("webhooks.list", locals())

    def create(
        self,
        *,
        name: str,
        url: str,
        events: List[t.EventType],
        secret: str,
        active: bool = NOT_GIVEN,
        retry_policy: t.RetryPolicyRequest = NOT_GIVEN,
        channel_ids: List[str] = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedWebhookResult:
        """Create a webhook. `POST /v1/webhooks`"""
        return self._call("webhooks.create", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.WebhookResult:
        """Get a webhook. `GET /v1/webhooks/{id}`"""
        return self._call("webhooks.get", locals())

    def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        events: List[t.EventType] = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        retry_policy: t.RetryPolicyRequest = NOT_GIVEN,
        channel_ids: List[str] = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookResult:
        """Change a webhook. `PATCH /v1/webhooks/{id}`"""
        return self._call("webhooks.update", locals())

    def replace(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        events: List[t.EventType] = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        retry_policy: t.RetryPolicyRequest = NOT_GIVEN,
        channel_ids: List[str] = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookResult:
        """Change a webhook, as PATCH does. `PUT /v1/webhooks/{id}`"""
        return self._call("webhooks.replace", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a webhook. `DELETE /v1/webhooks/{id}`"""
        return self._call("webhooks.delete", locals())

    def list_logs(
        self,
        id: str,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.AttemptStatus = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.WebhookLog]:
        """List the attempts to deliver, newest first. `GET /v1/webhooks/{id}/logs`"""
        return self._pages("webhooks.list_logs", locals())

    def retry(self, id: str, *, options: Optional[RequestOptions] = None) -> t.WebhookRetryResult:
        """Try all waiting deliveries of a webhook now. `POST /v1/webhooks/{id}/retry`"""
        return self._call("webhooks.retry", locals())

    def test(
        self,
        id: str,
        *,
        type: t.EventType = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.TestedWebhook:
        """Send a sample event to a webhook. `POST /v1/webhooks/{id}/test`"""
        return self._call("webhooks.test", locals())


class PlatformResources:
    api_keys: ApiKeysResource
    auth: AuthResource
    bulk: BulkResource
    business_hours: BusinessHoursResource
    channels: ChannelsResource
    contacts: ContactsResource
    conversations: ConversationsResource
    institutions: InstitutionsResource
    messages: MessagesResource
    sandbox: SandboxResource
    templates: TemplatesResource
    webhooks: WebhooksResource

    def _attach(self, run: Run) -> None:
        self.api_keys = ApiKeysResource(run)
        self.auth = AuthResource(run)
        self.bulk = BulkResource(run)
        self.business_hours = BusinessHoursResource(run)
        self.channels = ChannelsResource(run)
        self.contacts = ContactsResource(run)
        self.conversations = ConversationsResource(run)
        self.institutions = InstitutionsResource(run)
        self.messages = MessagesResource(run)
        self.sandbox = SandboxResource(run)
        self.templates = TemplatesResource(run)
        self.webhooks = WebhooksResource(run)


class AsyncApiKeysResource(AsyncResource):
    async def create(
        self,
        *,
        name: str,
        permissions: List[t.Permission],
        rate_limit: int = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        environment: t.Environment = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedApiKey:
        """Create an API key. `POST /v1/api-keys`"""
        return await self._call("api_keys.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.ApiKey]:
        """List the institution's API keys. `GET /v1/api-keys`"""
        return self._pages("api_keys.list", locals())

    async def revoke(self, api_key_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Revoke an API key at once. `DELETE /v1/api-keys/{apiKeyId}`"""
        return await self._call("api_keys.revoke", locals())


class AsyncAuthResource(AsyncResource):
    async def accept_invitation(self, *, token: str, options: Optional[RequestOptions] = None) -> t.SignedIn:
        """Accept an invitation to the user's own e-mail. `POST /v1/auth/accept-invitation`"""
        return await self._call("auth.accept_invitation", locals())

    async def change_password(
        self,
        *,
        current_password: str,
        new_password: str,
        options: Optional[RequestOptions] = None,
    ) -> t.ChangePasswordResult:
        """Change the password. `POST /v1/auth/change-password`"""
        return await self._call("auth.change_password", locals())

    async def delete_user(self, *, password: str, options: Optional[RequestOptions] = None) -> None:
        """Delete the user itself. `POST /v1/auth/delete-user`"""
        return await self._call("auth.delete_user", locals())

    async def forgot_password(self, *, email: str, options: Optional[RequestOptions] = None) -> t.AcceptedMail:
        """Mail a link with which a user chooses a new password. `POST /v1/auth/forgot-password`"""
        return await self._call("auth.forgot_password", locals())

    def list_institutions(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Institution]:
        """List the user's institutions. `GET /v1/auth/institutions`"""
        return self._pages("auth.list_institutions", locals())

    async def join(
        self,
        *,
        token: str,
        name: str,
        password: str,
        options: Optional[RequestOptions] = None,
    ) -> t.SignedIn:
        """Register by the link of an invitation, and accept it. `POST /v1/auth/join`"""
        return await self._call("auth.join", locals())

    async def login(
        self,
        *,
        email: str,
        password: str,
        totp: str = NOT_GIVEN,
        recovery: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.LoggedIn:
        """Log in. `POST /v1/auth/login`"""
        return await self._call("auth.login", locals())

    async def register(
        self,
        *,
        name: str,
        email: str,
        password: str,
        institution_name: str,
        options: Optional[RequestOptions] = None,
    ) -> t.SignedIn:
        """Register a user together with an institution. `POST /v1/auth/register`"""
        return await self._call("auth.register", locals())

    async def request_verification(self, *, options: Optional[RequestOptions] = None) -> t.AcceptedMail:
        """Mail the link that verifies the user's e-mail again. `POST /v1/auth/request-verification`"""
        return await self._call("auth.request_verification", locals())

    async def reset_password(
        self,
        *,
        token: str,
        password: str,
        totp: str = NOT_GIVEN,
        recovery: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.LoggedIn:
        """Choose a new password by a link. `POST /v1/auth/reset-password`"""
        return await self._call("auth.reset_password", locals())

    async def select_institution(self, *, institution_id: str, options: Optional[RequestOptions] = None) -> t.SignedIn:
        """Choose an institution and get a complete token. `POST /v1/auth/select-institution`"""
        return await self._call("auth.select_institution", locals())

    def list_sessions(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Session]:
        """List the user's sessions. `GET /v1/auth/sessions`"""
        return self._pages("auth.list_sessions", locals())

    async def end_session(self, session_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """End a session. `DELETE /v1/auth/sessions/{sessionId}`"""
        return await self._call("auth.end_session", locals())

    async def verify_email(self, *, token: str, options: Optional[RequestOptions] = None) -> None:
        """Verify the user's e-mail by the link in a mail. `POST /v1/auth/verify-email`"""
        return await self._call("auth.verify_email", locals())


class AsyncBulkResource(AsyncResource):
    @overload
    async def create(
        self,
        *,
        channel_id: str,
        recipients: List[t.CreateBatchRequestRecipient],
        name: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        template: t.TemplateContentInput = NOT_GIVEN,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        fallback: t.BatchFallbackInput = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        delay: int = NOT_GIVEN,
        jitter: float = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedBatch: ...

    @overload
    async def create(
        self,
        *,
        dry_run: Literal[True],
        channel_id: str,
        recipients: List[t.CreateBatchRequestRecipient],
        name: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        template: t.TemplateContentInput = NOT_GIVEN,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        paused: bool = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        fallback: t.BatchFallbackInput = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        delay: int = NOT_GIVEN,
        jitter: float = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunBatch: ...

    async def create(self, **given: Any) -> Any:
        """Send a text or a template to many people, one after the other. `POST /v1/bulk`"""
        return await self._call("bulk.create", {**given})

    def list(
        self,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.BatchStatus = NOT_GIVEN,
        channel_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Batch]:
        """List batches, newest first. `GET /v1/bulk`"""
        return self._pages("bulk.list", locals())

    async def forecast(
        self,
        *,
        channel_id: str,
        to: List[str],
        template: t.ForecastTemplate = NOT_GIVEN,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        delay: int = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        fallback: t.ForecastFallback = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BatchForecast:
        """Forecast a batch: its price, its time, and what would be refused. `POST /v1/bulk/forecast`"""
        return await self._call("bulk.forecast", locals())

    async def validate_numbers(
        self,
        *,
        numbers: List[str],
        channel_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ValidatedNumbers:
        """Check numbers before a batch. `POST /v1/bulk/validate`"""
        return await self._call("bulk.validate_numbers", locals())

    async def get(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.BatchDetails:
        """Get a batch, with the recipients who got nothing. `GET /v1/bulk/{batchId}`"""
        return await self._call("bulk.get", locals())

    async def cancel(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.CancelledBatch:
        """Cancel a batch. `POST /v1/bulk/{batchId}/cancel`"""
        return await self._call("bulk.cancel", locals())

    async def pause(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.Batch:
        """Pause a batch until it is resumed. `POST /v1/bulk/{batchId}/pause`"""
        return await self._call("bulk.pause", locals())

    async def add_recipients(
        self,
        batch_id: str,
        *,
        recipients: List[t.AddBatchRecipientsRequestRecipient],
        options: Optional[RequestOptions] = None,
    ) -> t.Batch:
        """Add recipients to a batch, up to 10,000 in all. `POST /v1/bulk/{batchId}/recipients`"""
        return await self._call("bulk.add_recipients", locals())

    def list_recipients(
        self,
        batch_id: str,
        *,
        status: t.BatchRecipientStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.BatchRecipientState]:
        """List the recipients of a batch in their order, with the outcome of each. `GET
        /v1/bulk/{batchId}/recipients`"""
        return self._pages("bulk.list_recipients", locals())

    async def resume(self, batch_id: str, *, options: Optional[RequestOptions] = None) -> t.Batch:
        """Resume a paused batch. `POST /v1/bulk/{batchId}/resume`"""
        return await self._call("bulk.resume", locals())


class AsyncBusinessHoursResource(AsyncResource):
    async def get(self, *, options: Optional[RequestOptions] = None) -> t.BusinessHours:
        """Get the institution's business hours, and whether it is open now. `GET /v1/business-hours`"""
        return await self._call("business_hours.get", locals())

    async def set(
        self,
        *,
        time_zone: str,
        weekly: t.WeeklyHours,
        holidays: t.BusinessHolidays = NOT_GIVEN,
        dates: List[t.OwnDate] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BusinessHours:
        """Set the institution's business hours. `PUT /v1/business-hours`"""
        return await self._call("business_hours.set", locals())


class AsyncChannelsResource(AsyncResource):
    def list_types(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.ChannelTypeInfo]:
        """List the types of channels that this server has. `GET /v1/channel-types`"""
        return self._pages("channels.list_types", locals())

    async def create(
        self,
        *,
        name: str,
        type: t.ChannelType,
        history: Literal["none", "recent", "full"] = NOT_GIVEN,
        credentials: Union[t.CreateChannelRequestCredentials, Dict[str, str]] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedChannel:
        """Create a channel. `POST /v1/channels`"""
        return await self._call("channels.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Channel]:
        """List channels, newest first. `GET /v1/channels`"""
        return self._pages("channels.list", locals())

    async def get(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.Channel:
        """Get a channel and its status. `GET /v1/channels/{channelId}`"""
        return await self._call("channels.get", locals())

    async def delete(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a channel. `DELETE /v1/channels/{channelId}`"""
        return await self._call("channels.delete", locals())

    async def connect(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.ChannelConnection:
        """Connect a channel. `POST /v1/channels/{channelId}/connect`"""
        return await self._call("channels.connect", locals())

    async def set_credentials(
        self,
        channel_id: str,
        *,
        credentials: Union[t.SetChannelCredentialsRequestCredentials, Dict[str, str]],
        options: Optional[RequestOptions] = None,
    ) -> t.Channel:
        """Replace a channel's credentials. `PUT /v1/channels/{channelId}/credentials`"""
        return await self._call("channels.set_credentials", locals())

    async def disconnect(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.DisconnectedChannel:
        """Disconnect a channel. `POST /v1/channels/{channelId}/disconnect`"""
        return await self._call("channels.disconnect", locals())


class AsyncContactsResource(AsyncResource):
    async def create(
        self,
        *,
        phone_number: str,
        name: str,
        email: Optional[str] = NOT_GIVEN,
        tags: List[str] = NOT_GIVEN,
        metadata: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Contact:
        """Create a contact. `POST /v1/contacts`"""
        return await self._call("contacts.create", locals())

    def list(
        self,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        search: str = NOT_GIVEN,
        opted_out: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Contact]:
        """List contacts, newest first, or search them. `GET /v1/contacts`"""
        return self._pages("contacts.list", locals())

    async def get(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Get a contact. `GET /v1/contacts/{contactId}`"""
        return await self._call("contacts.get", locals())

    async def update(
        self,
        contact_id: str,
        *,
        name: str = NOT_GIVEN,
        email: Optional[str] = NOT_GIVEN,
        tags: List[str] = NOT_GIVEN,
        metadata: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Contact:
        """Change a contact. `PATCH /v1/contacts/{contactId}`"""
        return await self._call("contacts.update", locals())

    async def delete(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a contact. `DELETE /v1/contacts/{contactId}`"""
        return await self._call("contacts.delete", locals())

    async def opt_out(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact no messages but answers. `PUT /v1/contacts/{contactId}/opt-out`"""
        return await self._call("contacts.opt_out", locals())

    async def opt_in(self, contact_id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact messages again. `DELETE /v1/contacts/{contactId}/opt-out`"""
        return await self._call("contacts.opt_in", locals())


class AsyncConversationsResource(AsyncResource):
    def list(
        self,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.ConversationStatus = NOT_GIVEN,
        channel_id: str = NOT_GIVEN,
        contact_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Conversation]:
        """List conversations, newest first. `GET /v1/conversations`"""
        return self._pages("conversations.list", locals())

    async def get(self, conversation_id: str, *, options: Optional[RequestOptions] = None) -> t.Conversation:
        """Get a conversation. `GET /v1/conversations/{conversationId}`"""
        return await self._call("conversations.get", locals())

    async def assign(
        self,
        conversation_id: str,
        *,
        user_id: Optional[str],
        options: Optional[RequestOptions] = None,
    ) -> t.Conversation:
        """Assign a conversation to a member, or remove the assignment. `POST
        /v1/conversations/{conversationId}/assign`"""
        return await self._call("conversations.assign", locals())

    async def close(self, conversation_id: str, *, options: Optional[RequestOptions] = None) -> t.Conversation:
        """Close a conversation. `POST /v1/conversations/{conversationId}/close`"""
        return await self._call("conversations.close", locals())

    async def transfer(
        self,
        conversation_id: str,
        *,
        user_id: str,
        note: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Conversation:
        """Assign a conversation to another member, with a note. `POST /v1/conversations/{conversationId}/transfer`"""
        return await self._call("conversations.transfer", locals())


class AsyncInstitutionsResource(AsyncResource):
    async def get_account(self, *, options: Optional[RequestOptions] = None) -> t.OwnAccount:
        """Get the institution and the credentials of this request, with their limits. `GET /v1/account`"""
        return await self._call("institutions.get_account", locals())

    async def create(self, *, name: str, options: Optional[RequestOptions] = None) -> t.CreateInstitutionResult:
        """Create a further institution. `POST /v1/institutions`"""
        return await self._call("institutions.create", locals())

    async def join_account(
        self,
        institution_id: str,
        *,
        code: str,
        options: Optional[RequestOptions] = None,
    ) -> t.JoinedAccount:
        """Take over an account of the gateway. `POST /v1/institutions/{institutionId}/accounts`"""
        return await self._call("institutions.join_account", locals())

    async def create_gateway_key(
        self,
        institution_id: str,
        *,
        name: str,
        scopes: List[str] = NOT_GIVEN,
        read_only: bool = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedGatewayKey:
        """Make an API key of the gateway for the institution. `POST /v1/institutions/{institutionId}/gateway-keys`"""
        return await self._call("institutions.create_gateway_key", locals())

    def list_gateway_keys(
        self,
        institution_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.GatewayKey]:
        """List the institution's API keys of the gateway. `GET /v1/institutions/{institutionId}/gateway-keys`"""
        return self._pages("institutions.list_gateway_keys", locals())

    async def revoke_gateway_key(
        self,
        institution_id: str,
        api_key_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Revoke an API key of the gateway at once. `DELETE /v1/institutions/{institutionId}/gateway-keys/{apiKeyId}`
        """
        return await self._call("institutions.revoke_gateway_key", locals())

    async def withdraw_invitation(
        self,
        institution_id: str,
        invitation_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Revoke an invitation. `DELETE /v1/institutions/{institutionId}/invitations/{invitationId}`"""
        return await self._call("institutions.withdraw_invitation", locals())

    async def add_member(
        self,
        institution_id: str,
        *,
        email: str,
        role: t.MemberRole = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.InvitedMember:
        """Invite a person to the institution. `POST /v1/institutions/{institutionId}/members`"""
        return await self._call("institutions.add_member", locals())

    def list_members(self, institution_id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Member]:
        """List the institution's members and invited people. `GET /v1/institutions/{institutionId}/members`"""
        return self._pages("institutions.list_members", locals())

    async def change_member_role(
        self,
        institution_id: str,
        user_id: str,
        *,
        role: t.MemberRole,
        options: Optional[RequestOptions] = None,
    ) -> t.Member:
        """Change what a member may do. `PATCH /v1/institutions/{institutionId}/members/{userId}`"""
        return await self._call("institutions.change_member_role", locals())

    async def remove_member(
        self,
        institution_id: str,
        user_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Remove a member, or leave. `DELETE /v1/institutions/{institutionId}/members/{userId}`"""
        return await self._call("institutions.remove_member", locals())


class AsyncMessagesResource(AsyncResource):
    @overload
    async def send_audio(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        ptt: bool = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_audio(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        ptt: bool = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_audio(self, channel_id: str, **given: Any) -> Any:
        """Send a recording. `POST /v1/channels/{channelId}/messages/audio`"""
        return await self._call("messages.send_audio", {"channel_id": channel_id, **given})

    @overload
    async def send_contact(
        self,
        channel_id: str,
        *,
        to: str,
        contacts: List[t.ContactCard],
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_contact(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        contacts: List[t.ContactCard],
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_contact(self, channel_id: str, **given: Any) -> Any:
        """Send contacts. `POST /v1/channels/{channelId}/messages/contact`"""
        return await self._call("messages.send_contact", {"channel_id": channel_id, **given})

    @overload
    async def send_document(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        filename: str = NOT_GIVEN,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_document(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        filename: str = NOT_GIVEN,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_document(self, channel_id: str, **given: Any) -> Any:
        """Send a document. `POST /v1/channels/{channelId}/messages/document`"""
        return await self._call("messages.send_document", {"channel_id": channel_id, **given})

    @overload
    async def send_image(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_image(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_image(self, channel_id: str, **given: Any) -> Any:
        """Send an image. `POST /v1/channels/{channelId}/messages/image`"""
        return await self._call("messages.send_image", {"channel_id": channel_id, **given})

    @overload
    async def send_pix(
        self,
        channel_id: str,
        *,
        to: str,
        amount_cents: int,
        key: str,
        merchant_name: str,
        txid: str,
        merchant_city: str = NOT_GIVEN,
        code: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_pix(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        amount_cents: int,
        key: str,
        merchant_name: str,
        txid: str,
        merchant_city: str = NOT_GIVEN,
        code: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_pix(self, channel_id: str, **given: Any) -> Any:
        """Ask for a payment by Pix. `POST /v1/channels/{channelId}/messages/pix`"""
        return await self._call("messages.send_pix", {"channel_id": channel_id, **given})

    @overload
    async def send_template(
        self,
        channel_id: str,
        *,
        to: str,
        name: str,
        language: str = NOT_GIVEN,
        variables: List[str] = NOT_GIVEN,
        named_variables: Dict[str, str] = NOT_GIVEN,
        header_media: t.TemplateHeaderMediaInput = NOT_GIVEN,
        header_product: t.TemplateHeaderProductInput = NOT_GIVEN,
        header_text: str = NOT_GIVEN,
        header_name: str = NOT_GIVEN,
        header_location: t.TemplateHeaderLocationInput = NOT_GIVEN,
        expires_at: str = NOT_GIVEN,
        buttons: List[t.TemplateButtonInput] = NOT_GIVEN,
        cards: List[t.TemplateCardInput] = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_template(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        name: str,
        language: str = NOT_GIVEN,
        variables: List[str] = NOT_GIVEN,
        named_variables: Dict[str, str] = NOT_GIVEN,
        header_media: t.TemplateHeaderMediaInput = NOT_GIVEN,
        header_product: t.TemplateHeaderProductInput = NOT_GIVEN,
        header_text: str = NOT_GIVEN,
        header_name: str = NOT_GIVEN,
        header_location: t.TemplateHeaderLocationInput = NOT_GIVEN,
        expires_at: str = NOT_GIVEN,
        buttons: List[t.TemplateButtonInput] = NOT_GIVEN,
        cards: List[t.TemplateCardInput] = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_template(self, channel_id: str, **given: Any) -> Any:
        """Send an approved template. `POST /v1/channels/{channelId}/messages/template`"""
        return await self._call("messages.send_template", {"channel_id": channel_id, **given})

    @overload
    async def send_text(
        self,
        channel_id: str,
        *,
        to: str,
        text: str,
        quick_replies: List[t.QuickReply] = NOT_GIVEN,
        tag: Literal["HUMAN_AGENT", "UTILITY"] = NOT_GIVEN,
        mentions: List[str] = NOT_GIVEN,
        link_preview: t.SendTextRequestLinkPreview = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_text(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        text: str,
        quick_replies: List[t.QuickReply] = NOT_GIVEN,
        tag: Literal["HUMAN_AGENT", "UTILITY"] = NOT_GIVEN,
        mentions: List[str] = NOT_GIVEN,
        link_preview: t.SendTextRequestLinkPreview = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_text(self, channel_id: str, **given: Any) -> Any:
        """Send a text. `POST /v1/channels/{channelId}/messages/text`"""
        return await self._call("messages.send_text", {"channel_id": channel_id, **given})

    @overload
    async def send_video(
        self,
        channel_id: str,
        *,
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentMessage: ...

    @overload
    async def send_video(
        self,
        channel_id: str,
        *,
        dry_run: Literal[True],
        to: str,
        media_url: str,
        caption: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_video(self, channel_id: str, **given: Any) -> Any:
        """Send a video. `POST /v1/channels/{channelId}/messages/video`"""
        return await self._call("messages.send_video", {"channel_id": channel_id, **given})

    def list(
        self,
        conversation_id: str,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Message]:
        """List the messages of a conversation, newest first. `GET /v1/conversations/{conversationId}/messages`"""
        return self._pages("messages.list", locals())

    async def get(self, message_id: str, *, options: Optional[RequestOptions] = None) -> t.Message:
        """Get a message that was sent or received. `GET /v1/messages/{messageId}`"""
        return await self._call("messages.get", locals())

    async def get_media(self, message_id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the address of a message's file. `GET /v1/messages/{messageId}/media`"""
        return await self._call("messages.get_media", locals())


class AsyncSandboxResource(AsyncResource):
    async def simulate_connect(
        self,
        channel_id: str,
        *,
        phone_number: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SimulatedConnection:
        """Simulate that a channel connects. `POST /v1/sandbox/channels/{channelId}/connect`"""
        return await self._call("sandbox.simulate_connect", locals())

    async def simulate_disconnect(
        self,
        channel_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.SimulatedDisconnection:
        """End a simulated connection. `POST /v1/sandbox/channels/{channelId}/disconnect`"""
        return await self._call("sandbox.simulate_disconnect", locals())

    async def simulate_message(
        self,
        channel_id: str,
        *,
        from_: str,
        text: str,
        options: Optional[RequestOptions] = None,
    ) -> t.SimulatedMessage:
        """Simulate an incoming message on a channel. `POST /v1/sandbox/channels/{channelId}/messages`"""
        return await self._call("sandbox.simulate_message", locals())

    async def simulate_status(
        self,
        message_id: str,
        *,
        status: Literal["sent", "delivered", "read", "failed"],
        options: Optional[RequestOptions] = None,
    ) -> t.Message:
        """Simulate the outcome of a message that a test key sent. `POST /v1/sandbox/messages/{messageId}/status`"""
        return await self._call("sandbox.simulate_status", locals())


class AsyncTemplatesResource(AsyncResource):
    def list(
        self,
        channel_id: str,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.TemplateStatus = NOT_GIVEN,
        name: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Template]:
        """List the templates of a channel, newest first. `GET /v1/channels/{channelId}/templates`"""
        return self._pages("templates.list", locals())

    async def sync(self, channel_id: str, *, options: Optional[RequestOptions] = None) -> t.TemplateSync:
        """Import all templates of a channel's business account. `POST /v1/channels/{channelId}/templates/sync`"""
        return await self._call("templates.sync", locals())


class AsyncWebhooksResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Webhook]:
        """List the institution's webhooks. `GET /v1/webhooks`"""
        return self._pages("webhooks.list", locals())

    async def create(
        self,
        *,
        name: str,
        url: str,
        events: List[t.EventType],
        secret: str,
        active: bool = NOT_GIVEN,
        retry_policy: t.RetryPolicyRequest = NOT_GIVEN,
        channel_ids: List[str] = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedWebhookResult:
        """Create a webhook. `POST /v1/webhooks`"""
        return await self._call("webhooks.create", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.WebhookResult:
        """Get a webhook. `GET /v1/webhooks/{id}`"""
        return await self._call("webhooks.get", locals())

    async def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        events: List[t.EventType] = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        retry_policy: t.RetryPolicyRequest = NOT_GIVEN,
        channel_ids: List[str] = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookResult:
        """Change a webhook. `PATCH /v1/webhooks/{id}`"""
        return await self._call("webhooks.update", locals())

    async def replace(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        events: List[t.EventType] = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        retry_policy: t.RetryPolicyRequest = NOT_GIVEN,
        channel_ids: List[str] = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookResult:
        """Change a webhook, as PATCH does. `PUT /v1/webhooks/{id}`"""
        return await self._call("webhooks.replace", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a webhook. `DELETE /v1/webhooks/{id}`"""
        return await self._call("webhooks.delete", locals())

    def list_logs(
        self,
        id: str,
        *,
        page: int = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        status: t.AttemptStatus = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.WebhookLog]:
        """List the attempts to deliver, newest first. `GET /v1/webhooks/{id}/logs`"""
        return self._pages("webhooks.list_logs", locals())

    async def retry(self, id: str, *, options: Optional[RequestOptions] = None) -> t.WebhookRetryResult:
        """Try all waiting deliveries of a webhook now. `POST /v1/webhooks/{id}/retry`"""
        return await self._call("webhooks.retry", locals())

    async def test(
        self,
        id: str,
        *,
        type: t.EventType = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.TestedWebhook:
        """Send a sample event to a webhook. `POST /v1/webhooks/{id}/test`"""
        return await self._call("webhooks.test", locals())


class AsyncPlatformResources:
    api_keys: AsyncApiKeysResource
    auth: AsyncAuthResource
    bulk: AsyncBulkResource
    business_hours: AsyncBusinessHoursResource
    channels: AsyncChannelsResource
    contacts: AsyncContactsResource
    conversations: AsyncConversationsResource
    institutions: AsyncInstitutionsResource
    messages: AsyncMessagesResource
    sandbox: AsyncSandboxResource
    templates: AsyncTemplatesResource
    webhooks: AsyncWebhooksResource

    def _attach(self, run: AsyncRun) -> None:
        self.api_keys = AsyncApiKeysResource(run)
        self.auth = AsyncAuthResource(run)
        self.bulk = AsyncBulkResource(run)
        self.business_hours = AsyncBusinessHoursResource(run)
        self.channels = AsyncChannelsResource(run)
        self.contacts = AsyncContactsResource(run)
        self.conversations = AsyncConversationsResource(run)
        self.institutions = AsyncInstitutionsResource(run)
        self.messages = AsyncMessagesResource(run)
        self.sandbox = AsyncSandboxResource(run)
        self.templates = AsyncTemplatesResource(run)
        self.webhooks = AsyncWebhooksResource(run)
