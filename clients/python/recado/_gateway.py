# Written by npm run clients from the description of the gateway API. Do not edit.
"""The functions of the gateway API."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, Union, overload

from httpx import Response

from . import gateway as t
from ._models import one_of
from ._pages import AsyncPages, Pages
from ._requests import RequestOptions, Upload
from ._routes import NOT_GIVEN, AsyncResource, AsyncRun, Resource, Route, Run, Shape, Tagged


GATEWAY_ROUTES: Dict[str, Route] = {
    "account.get": Route("GET", "/v1/account", answer=t.OwnAccount),
    "ai.get_llm_integration": Route("GET", "/v1/account/integrations/llm", answer=t.LlmIntegration),
    "ai.update_llm_integration": Route(
        "PATCH",
        "/v1/account/integrations/llm",
        body="json",
        shape="UpdateLlmIntegrationRequest",
        answer=t.LlmIntegration,
    ),
    "ai.list_agents": Route(
        "GET",
        "/v1/ai/agents",
        query={"phone_id": "phoneId", "limit": "limit", "cursor": "cursor"},
        answer=t.ListedAgentPage,
        item=t.ListedAgent,
    ),
    "ai.classify": Route("POST", "/v1/ai/classify", body="json", answer=t.Classification),
    "ai.summarise": Route("POST", "/v1/ai/summary", body="json", shape="SummariseRequest", answer=t.Summary),
    "ai.put_agent": Route("PUT", "/v1/phones/{id}/ai-agent", body="json", shape="AgentRequest", answer=t.Agent),
    "ai.get_agent": Route("GET", "/v1/phones/{id}/ai-agent", answer=t.Agent),
    "ai.delete_agent": Route("DELETE", "/v1/phones/{id}/ai-agent"),
    "ai.list_conversations": Route(
        "GET",
        "/v1/phones/{id}/ai-agent/conversations",
        query={"status": "status", "limit": "limit", "cursor": "cursor"},
        answer=t.AiConversationPage,
        item=t.AiConversation,
    ),
    "ai.get_conversation": Route(
        "GET",
        "/v1/phones/{id}/ai-agent/conversations/{contact_key}",
        answer=t.AiConversation,
    ),
    "ai.close_conversation": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/conversations/{contact_key}/close",
        answer=t.AiConversation,
    ),
    "ai.hand_off_conversation": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/conversations/{contact_key}/handoff",
        body="optional",
        answer=t.AiConversation,
    ),
    "ai.list_turns": Route(
        "GET",
        "/v1/phones/{id}/ai-agent/conversations/{contact_key}/messages",
        query={"limit": "limit", "before": "before"},
        answer=List[t.AiTurn],
        item=t.AiTurn,
    ),
    "ai.release_conversation": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/conversations/{contact_key}/release",
        answer=t.AiConversation,
    ),
    "ai.disable_agent": Route("POST", "/v1/phones/{id}/ai-agent/disable", answer=t.Agent),
    "ai.enable_agent": Route("POST", "/v1/phones/{id}/ai-agent/enable", answer=t.Agent),
    "ai.add_document": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/knowledge",
        body="json",
        shape="AddDocumentRequest",
        answer=t.AddedDocument,
    ),
    "ai.list_documents": Route("GET", "/v1/phones/{id}/ai-agent/knowledge", answer=List[t.Document], item=t.Document),
    "ai.upload_knowledge_file": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/knowledge/files",
        body="file",
        answer=t.KnowledgeFile,
    ),
    "ai.get_document": Route("GET", "/v1/phones/{id}/ai-agent/knowledge/{doc_id}", answer=t.Document),
    "ai.delete_document": Route("DELETE", "/v1/phones/{id}/ai-agent/knowledge/{doc_id}"),
    "ai.test_agent": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/test",
        body="json",
        shape="TestAgentRequest",
        answer=t.AgentReply,
    ),
    "ai.list_agent_tools": Route("GET", "/v1/phones/{id}/ai-agent/tools", answer=List[t.AgentTool], item=t.AgentTool),
    "ai.create_agent_tool": Route("POST", "/v1/phones/{id}/ai-agent/tools", body="json", answer=t.AgentTool),
    "ai.get_agent_tool": Route("GET", "/v1/phones/{id}/ai-agent/tools/{tool_id}", answer=t.AgentTool),
    "ai.replace_agent_tool": Route("PUT", "/v1/phones/{id}/ai-agent/tools/{tool_id}", body="json", answer=t.AgentTool),
    "ai.delete_agent_tool": Route("DELETE", "/v1/phones/{id}/ai-agent/tools/{tool_id}"),
    "ai.test_agent_tool": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/tools/{tool_id}/test",
        body="json",
        answer=t.AgentToolTestResult,
    ),
    "ai.get_trial_set": Route("GET", "/v1/phones/{id}/ai-agent/trials", answer=t.TrialSet),
    "ai.put_trial_set": Route(
        "PUT",
        "/v1/phones/{id}/ai-agent/trials",
        body="json",
        shape="TrialSetRequest",
        answer=t.TrialSet,
    ),
    "ai.begin_trial_run": Route(
        "POST",
        "/v1/phones/{id}/ai-agent/trials/runs",
        query={"call_tools": "callTools"},
        answer=t.TrialRun,
    ),
    "ai.list_trial_runs": Route(
        "GET",
        "/v1/phones/{id}/ai-agent/trials/runs",
        answer=List[t.TrialRun],
        item=t.TrialRun,
    ),
    "ai.get_trial_run": Route("GET", "/v1/phones/{id}/ai-agent/trials/runs/{run_id}", answer=t.TrialRunResults),
    "ai.delete_trial_run": Route("DELETE", "/v1/phones/{id}/ai-agent/trials/runs/{run_id}"),
    "audit.list_account_entries": Route(
        "GET",
        "/v1/audit",
        query={"action": "action", "actor": "actor", "since": "since", "until": "until", "search": "search", "cursor": "cursor", "limit": "limit"},
        answer=t.AccountAuditEntryPage,
        item=t.AccountAuditEntry,
    ),
    "billing.get_current": Route("GET", "/v1/billing/current", answer=t.CurrentCosts),
    "billing.get_customer": Route("GET", "/v1/billing/customer", answer=t.KnownBillingCustomer),
    "billing.save_customer": Route(
        "POST",
        "/v1/billing/customer",
        body="optional",
        shape="SaveBillingCustomerRequest",
        answer=t.SaveBillingCustomerResult,
    ),
    "billing.estimate_cost": Route(
        "POST",
        "/v1/billing/estimate",
        body="json",
        shape="EstimateCostRequest",
        answer=t.CostEstimate,
    ),
    "billing.list_invoices": Route("GET", "/v1/billing/invoices", answer=List[t.Invoice], item=t.Invoice),
    "billing.get_invoice": Route("GET", "/v1/billing/invoices/{id}", answer=t.Invoice),
    "billing.issue_invoice": Route(
        "POST",
        "/v1/billing/invoices/{id}/issue",
        body="optional",
        shape="IssueInvoiceRequest",
        answer=t.IssuedInvoice,
    ),
    "billing.get_ledger": Route("GET", "/v1/billing/ledger", query={"from_": "from", "to": "to"}, answer=t.Ledger),
    "billing.list_months": Route(
        "GET",
        "/v1/billing/months",
        query={"months": "months"},
        answer=t.ListMonthsResult,
        item=t.MonthOfAccount,
    ),
    "billing.get_usage": Route("GET", "/v1/usage", query={"from_": "from", "to": "to"}, answer=t.GetUsageResult),
    "business_hours.get": Route("GET", "/v1/business-hours", answer=t.BusinessHours),
    "business_hours.set": Route(
        "PUT",
        "/v1/business-hours",
        body="json",
        shape="BusinessHoursRequest",
        answer=t.BusinessHours,
    ),
    "business_hours.delete": Route("DELETE", "/v1/business-hours"),
    "calls.get_recording_file": Route(
        "GET",
        "/files/{account_id}/recordings/{call_id}/{file_id}",
        query={"exp": "exp", "sig": "sig"},
        is_file=True,
    ),
    "calls.place": Route("POST", "/v1/calls", body="json", shape="PlaceCallRequest", answer=t.Call),
    "calls.list": Route(
        "GET",
        "/v1/calls",
        query={"phone_id": "phoneId", "status": "status", "limit": "limit", "cursor": "cursor"},
        answer=t.CallPage,
        item=t.Call,
    ),
    "calls.request_permission": Route(
        "POST",
        "/v1/calls/permission-request",
        body="json",
        shape="RequestCallPermissionRequest",
        answer=t.EnqueuedPermissionRequest,
    ),
    "calls.get_permission": Route(
        "GET",
        "/v1/calls/permissions",
        query={"phone_id": "phoneId", "to": "to"},
        answer=t.CallPermission,
    ),
    "calls.get": Route("GET", "/v1/calls/{id}", answer=t.Call),
    "calls.accept": Route("POST", "/v1/calls/{id}/accept", body="json", shape="AcceptCallRequest", answer=t.Call),
    "calls.hang_up": Route("POST", "/v1/calls/{id}/hangup", body="optional", answer=t.Call),
    "calls.upload_recording": Route("POST", "/v1/calls/{id}/recording", body="file", answer=t.StoredRecording),
    "calls.get_recording": Route("GET", "/v1/calls/{id}/recording", is_file=True),
    "calls.reject": Route("POST", "/v1/calls/{id}/reject", body="optional", answer=t.Call),
    "calls.create_link": Route(
        "POST",
        "/v1/phones/{id}/call-links",
        body="json",
        shape="NewCallLink",
        answer=t.CallLink,
    ),
    "chats.list_canned_replies": Route(
        "GET",
        "/v1/canned-replies",
        query={"q": "q", "owner": "owner", "limit": "limit", "cursor": "cursor"},
        answer=t.CannedReplyPage,
        item=t.CannedReply,
    ),
    "chats.create_canned_reply": Route("POST", "/v1/canned-replies", body="json", answer=t.CannedReply),
    "chats.get_canned_reply": Route("GET", "/v1/canned-replies/{id}", answer=t.CannedReply),
    "chats.update_canned_reply": Route("PATCH", "/v1/canned-replies/{id}", body="json", answer=t.CannedReply),
    "chats.delete_canned_reply": Route("DELETE", "/v1/canned-replies/{id}"),
    "chats.list": Route(
        "GET",
        "/v1/chats",
        query={"phone_id": "phoneId", "state": "state", "unread": "unread", "archived": "archived", "label": "label", "leader": "leader", "assignee": "assignee", "contact_id": "contactId", "q": "q", "tag": "tag", "snoozed": "snoozed", "waiting_hours": "waitingHours", "sort": "sort", "limit": "limit", "cursor": "cursor"},
        answer=t.ChatPage,
        item=t.Chat,
    ),
    "chats.list_assignees": Route("GET", "/v1/chats/assignees", answer=t.ChatAssignees, item=t.PossibleAssignee),
    "chats.count": Route("GET", "/v1/chats/counts", query={"assignee": "assignee"}, answer=t.ChatCounts),
    "chats.get": Route("GET", "/v1/chats/{id}", answer=t.Chat),
    "chats.change": Route("PATCH", "/v1/chats/{id}", body="json", shape="ChangeChat", answer=t.EnqueuedChatChange),
    "chats.delete": Route("DELETE", "/v1/chats/{id}", answer=t.EnqueuedChatChange),
    "chats.note_answering": Route("POST", "/v1/chats/{id}/answering", body="optional"),
    "chats.assign": Route("POST", "/v1/chats/{id}/assign", body="json", shape="AssignChat", answer=t.Chat),
    "chats.clear": Route("POST", "/v1/chats/{id}/clear", body="optional", answer=t.EnqueuedChatChange),
    "chats.close": Route("POST", "/v1/chats/{id}/close", body="optional", answer=t.Chat),
    "chats.hand_over": Route("POST", "/v1/chats/{id}/handover", body="json", answer=t.Chat),
    "chats.set_labels": Route("PUT", "/v1/chats/{id}/labels", body="json", answer=t.EnqueuedChatChange),
    "chats.list_messages": Route(
        "GET",
        "/v1/chats/{id}/messages",
        query={"direction": "direction", "status": "status", "type": "type", "sent_by": "sentBy", "since": "since", "until": "until", "q": "q", "limit": "limit", "cursor": "cursor"},
        answer=t.LoggedMessagePage,
        item=t.LoggedMessage,
    ),
    "chats.answer": Route(
        "POST",
        "/v1/chats/{id}/messages",
        query={"dry_run": "dryRun"},
        body="json",
        shape="AnswerChat",
        answer=one_of(t.RepeatedMessage, t.DryRunMessage, t.AcceptedMessage),
    ),
    "chats.read": Route("POST", "/v1/chats/{id}/read", body="optional", answer=t.ChatRead),
    "chats.reopen": Route("POST", "/v1/chats/{id}/reopen", body="optional", answer=t.Chat),
    "chats.snooze": Route("PUT", "/v1/chats/{id}/snooze", body="json", answer=t.Chat),
    "chats.unsnooze": Route("DELETE", "/v1/chats/{id}/snooze", answer=t.Chat),
    "contacts.list": Route(
        "GET",
        "/v1/contacts",
        query={"q": "q", "limit": "limit", "opted_out": "optedOut", "cursor": "cursor"},
        answer=t.ContactPage,
        item=t.Contact,
    ),
    "contacts.create": Route("POST", "/v1/contacts", body="json", shape="CreateContact", answer=t.Contact),
    "contacts.get": Route("GET", "/v1/contacts/{id}", answer=t.Contact),
    "contacts.update": Route("PATCH", "/v1/contacts/{id}", body="json", answer=t.Contact),
    "contacts.delete": Route("DELETE", "/v1/contacts/{id}"),
    "contacts.opt_out": Route("PUT", "/v1/contacts/{id}/opt-out", answer=t.Contact),
    "contacts.opt_in": Route("DELETE", "/v1/contacts/{id}/opt-out", answer=t.Contact),
    "events.list_deliveries": Route(
        "GET",
        "/v1/deliveries",
        query={"state": "state", "webhook_id": "webhookId", "phone_id": "phoneId", "message_id": "messageId", "type": "type", "since": "since", "until": "until", "limit": "limit", "cursor": "cursor"},
        answer=t.WebhookDeliveryPage,
        item=t.WebhookDelivery,
    ),
    "events.retry_deliveries": Route(
        "POST",
        "/v1/deliveries/retry",
        body="json",
        shape="RetryDeliveries",
        answer=t.RetriedDeliveries,
    ),
    "events.get_delivery": Route("GET", "/v1/deliveries/{id}", answer=t.WebhookDeliveryDetails),
    "events.retry_delivery": Route("POST", "/v1/deliveries/{id}/retry", answer=t.RetriedDelivery),
    "events.list": Route(
        "GET",
        "/v1/events",
        query={"status": "status", "type": "type", "types": "types", "phone_id": "phoneId", "since": "since", "until": "until", "include": "include", "limit": "limit", "cursor": "cursor"},
        answer=t.ListedEventPage,
        item=t.ListedEvent,
    ),
    "events.get": Route("GET", "/v1/events/{id}", answer=t.EventDetails),
    "events.replay": Route("POST", "/v1/events/{id}/replay", answer=t.ReplayEventResult),
    "flows.create": Route("POST", "/v1/flows", body="json", shape="CreateFlowRequest", answer=t.Flow),
    "flows.list": Route(
        "GET",
        "/v1/flows",
        query={"phone_id": "phoneId", "limit": "limit", "cursor": "cursor"},
        answer=t.FlowPage,
        item=t.Flow,
    ),
    "flows.get": Route("GET", "/v1/flows/{id}", answer=t.Flow),
    "flows.update": Route("PATCH", "/v1/flows/{id}", body="json", shape="UpdateFlowRequest", answer=t.Flow),
    "flows.delete": Route("DELETE", "/v1/flows/{id}"),
    "flows.deprecate": Route("POST", "/v1/flows/{id}/deprecate", answer=t.Flow),
    "flows.publish": Route("POST", "/v1/flows/{id}/publish", answer=t.Flow),
    "flows.sync": Route("POST", "/v1/flows/{id}/sync", answer=t.Flow),
    "flows.create_keypair": Route("POST", "/v1/phones/{id}/flows-keypair", answer=t.FlowsKeypair),
    "flows.get_keypair": Route("GET", "/v1/phones/{id}/flows-keypair", answer=t.FlowsKeypair),
    "groups.create_community": Route(
        "POST",
        "/v1/communities",
        body="json",
        shape="CreateCommunityRequest",
        answer=t.Group,
    ),
    "groups.list_communities": Route(
        "GET",
        "/v1/communities",
        query={"phone_id": "phoneId", "limit": "limit", "cursor": "cursor"},
        answer=t.GroupPage,
        item=t.Group,
    ),
    "groups.deactivate_community": Route("DELETE", "/v1/communities/{id}"),
    "groups.list_community": Route(
        "GET",
        "/v1/communities/{id}/groups",
        answer=t.ListCommunityGroupsResult,
        item=t.LinkedGroup,
    ),
    "groups.link_community": Route("PUT", "/v1/communities/{id}/groups/{group_id}"),
    "groups.unlink_community": Route("DELETE", "/v1/communities/{id}/groups/{group_id}"),
    "groups.list_community_participants": Route(
        "GET",
        "/v1/communities/{id}/participants",
        answer=t.CommunityParticipants,
        item=str,
    ),
    "groups.create": Route("POST", "/v1/groups", body="json", shape="CreateGroupRequest", answer=t.CreatedGroup),
    "groups.list": Route(
        "GET",
        "/v1/groups",
        query={"phone_id": "phoneId", "include_suspended": "includeSuspended", "refresh": "refresh", "limit": "limit", "cursor": "cursor"},
        answer=t.GroupPage,
        item=t.Group,
    ),
    "groups.get_invitation": Route(
        "GET",
        "/v1/groups/invitations/{message_id}",
        query={"phone_id": "phoneId"},
        answer=t.InvitedGroup,
    ),
    "groups.accept_invitation": Route(
        "POST",
        "/v1/groups/invitations/{message_id}/accept",
        body="json",
        shape="AcceptGroupInvitationRequest",
        answer=t.JoinedGroup,
    ),
    "groups.get_invited": Route(
        "GET",
        "/v1/groups/invites/{invite_code}",
        query={"phone_id": "phoneId"},
        answer=t.InvitedGroup,
    ),
    "groups.join": Route("POST", "/v1/groups/join", body="json", shape="JoinGroupRequest", answer=t.JoinedGroup),
    "groups.get": Route("GET", "/v1/groups/{id}", query={"refresh": "refresh"}, answer=t.Group),
    "groups.update": Route("PATCH", "/v1/groups/{id}", body="json", shape="UpdateGroupRequest", answer=t.Group),
    "groups.delete": Route("DELETE", "/v1/groups/{id}"),
    "groups.promote_participants": Route(
        "POST",
        "/v1/groups/{id}/admins",
        body="json",
        shape="GroupPeopleRequest",
        answer=t.PromoteGroupParticipantsResult,
    ),
    "groups.demote_participants": Route(
        "DELETE",
        "/v1/groups/{id}/admins",
        body="json",
        shape="GroupPeopleRequest",
        answer=t.DemoteGroupParticipantsResult,
    ),
    "groups.change_chat": Route(
        "PATCH",
        "/v1/groups/{id}/chat",
        body="json",
        shape="ChangeChat",
        answer=t.EnqueuedChatChange,
    ),
    "groups.get_invite_link": Route("GET", "/v1/groups/{id}/invite-link", answer=t.GroupInvite),
    "groups.reset_invite_link": Route("POST", "/v1/groups/{id}/invite-link/reset", answer=t.GroupInvite),
    "groups.list_join_requests": Route(
        "GET",
        "/v1/groups/{id}/join-requests",
        query={"limit": "limit", "after": "after"},
        answer=t.JoinRequestPage,
        item=t.JoinRequest,
        cursor="after",
    ),
    "groups.approve_join_requests": Route(
        "POST",
        "/v1/groups/{id}/join-requests/approve",
        body="json",
        shape="JoinDecisionRequest",
        answer=t.ApproveGroupJoinRequestsResult,
    ),
    "groups.reject_join_requests": Route(
        "POST",
        "/v1/groups/{id}/join-requests/reject",
        body="json",
        shape="JoinDecisionRequest",
        answer=t.RejectGroupJoinRequestsResult,
    ),
    "groups.leave": Route("POST", "/v1/groups/{id}/leave"),
    "groups.set_member_label": Route("PUT", "/v1/groups/{id}/member-label", body="json"),
    "groups.send_message": Route(
        "POST",
        "/v1/groups/{id}/messages",
        query={"dry_run": "dryRun"},
        body="json",
        answer=one_of(t.DryRunMessage, t.SendGroupMessageResult),
    ),
    "groups.add_participants": Route(
        "POST",
        "/v1/groups/{id}/participants",
        body="json",
        shape="GroupPeopleRequest",
        answer=t.AddGroupParticipantsResult,
    ),
    "groups.remove_participants": Route(
        "DELETE",
        "/v1/groups/{id}/participants",
        body="json",
        shape="GroupPeopleRequest",
        answer=t.RemoveGroupParticipantsResult,
    ),
    "groups.set_picture": Route("PUT", "/v1/groups/{id}/picture", body="json", shape="Picture"),
    "groups.remove_picture": Route("DELETE", "/v1/groups/{id}/picture"),
    "groups.list_newsletters": Route(
        "GET",
        "/v1/newsletters",
        query={"phone_id": "phoneId"},
        answer=t.NewsletterList,
        item=t.Newsletter,
    ),
    "groups.create_newsletter": Route(
        "POST",
        "/v1/newsletters",
        body="json",
        shape="CreateNewsletterRequest",
        answer=t.Newsletter,
    ),
    "groups.get_newsletter": Route(
        "GET",
        "/v1/newsletters/{newsletter_id}",
        query={"phone_id": "phoneId"},
        answer=t.Newsletter,
    ),
    "groups.update_newsletter": Route(
        "PATCH",
        "/v1/newsletters/{newsletter_id}",
        body="json",
        shape="UpdateNewsletterRequest",
    ),
    "groups.delete_newsletter": Route("DELETE", "/v1/newsletters/{newsletter_id}", query={"phone_id": "phoneId"}),
    "groups.follow_newsletter": Route("PUT", "/v1/newsletters/{newsletter_id}/follow", query={"phone_id": "phoneId"}),
    "groups.unfollow_newsletter": Route(
        "DELETE",
        "/v1/newsletters/{newsletter_id}/follow",
        query={"phone_id": "phoneId"},
    ),
    "groups.watch_newsletter": Route(
        "POST",
        "/v1/newsletters/{newsletter_id}/live-updates",
        query={"phone_id": "phoneId"},
        answer=t.NewsletterLiveUpdates,
    ),
    "groups.list_newsletter_messages": Route(
        "GET",
        "/v1/newsletters/{newsletter_id}/messages",
        query={"phone_id": "phoneId", "limit": "limit", "before": "before"},
        answer=t.NewsletterPosts,
        item=t.ListedNewsletterPost,
    ),
    "groups.react_to_newsletter_message": Route(
        "PUT",
        "/v1/newsletters/{newsletter_id}/messages/{server_id}/reaction",
        body="json",
        shape="NewsletterReaction",
    ),
    "groups.mute_newsletter": Route("PUT", "/v1/newsletters/{newsletter_id}/mute", query={"phone_id": "phoneId"}),
    "groups.unmute_newsletter": Route("DELETE", "/v1/newsletters/{newsletter_id}/mute", query={"phone_id": "phoneId"}),
    "keys.create_join_code": Route("POST", "/v1/account/join-codes", answer=t.JoinCode),
    "keys.create": Route("POST", "/v1/api-keys", body="json", shape="CreateOwnApiKeyRequest", answer=t.IssuedApiKey),
    "keys.list": Route(
        "GET",
        "/v1/api-keys",
        query={"revoked": "revoked", "limit": "limit", "cursor": "cursor"},
        answer=t.ApiKeyPage,
        item=t.ApiKey,
    ),
    "keys.revoke": Route("POST", "/v1/api-keys/{id}/revoke", answer=t.RevokeOwnApiKeyResult),
    "keys.create_cloud_token": Route(
        "POST",
        "/v1/phones/{id}/cloud-api/tokens",
        body="json",
        shape="NewCloudTokenRequest",
        answer=t.NewCloudToken,
    ),
    "keys.list_cloud_tokens": Route("GET", "/v1/phones/{id}/cloud-api/tokens", answer=t.CloudTokens, item=t.CloudToken),
    "keys.revoke_cloud_token": Route("DELETE", "/v1/phones/{id}/cloud-api/tokens/{token_id}"),
    "lookup.start": Route(
        "POST",
        "/v1/lookup",
        body="json",
        shape="StartLookupRequest",
        answer=one_of(t.CachedLookup, t.PendingLookup),
    ),
    "lookup.get": Route("GET", "/v1/lookup/{task_id}", answer=t.Lookup),
    "media.get_file": Route("GET", "/files/{account_id}/{media_id}", query={"exp": "exp", "sig": "sig"}, is_file=True),
    "media.get_sent_file": Route(
        "GET",
        "/sent-files/{message_id}",
        query={"file": "file", "exp": "exp", "sig": "sig"},
        is_file=True,
    ),
    "media.keep_file": Route("POST", "/v1/media/files", body="file", answer=t.KeptFile),
    "media.keep_encoded_file": Route(
        "POST",
        "/v1/media/files/base64",
        body="json",
        shape="KeepEncodedFileRequest",
        answer=t.KeptFile,
    ),
    "media.get_kept_file_content": Route("GET", "/v1/media/files/{handle}/content", is_file=True),
    "media.upload": Route(
        "POST",
        "/v1/media/upload",
        headers={"x_phone_id": "X-Phone-Id"},
        body="json",
        shape="UploadMediaRequest",
        answer=t.MediaHandle,
    ),
    "media.upload_resumable": Route(
        "POST",
        "/v1/media/upload/resumable",
        headers={"x_phone_id": "X-Phone-Id"},
        body="json",
        shape="UploadMediaResumableRequest",
        answer=t.ResumableUpload,
    ),
    "media.delete_upstream": Route("DELETE", "/v1/media/upstream/{upstream_id}", headers={"x_phone_id": "X-Phone-Id"}),
    "media.get": Route("GET", "/v1/media/{id}", is_file=True),
    "media.ack": Route("POST", "/v1/media/{id}/ack"),
    "media.get_content": Route("GET", "/v1/media/{id}/content", is_file=True),
    "media.get_info": Route("GET", "/v1/media/{id}/info", answer=t.MediaFile),
    "messages.send": Route(
        "POST",
        "/v1/messages",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendMessage",
        answer=one_of(t.RepeatedMessage, t.DryRunMessage, t.AcceptedMessage),
    ),
    "messages.list": Route(
        "GET",
        "/v1/messages",
        query={"direction": "direction", "status": "status", "type": "type", "sent_by": "sentBy", "since": "since", "until": "until", "q": "q", "limit": "limit", "cursor": "cursor", "phone_id": "phoneId", "contact": "contact", "chat_id": "chatId"},
        answer=t.LoggedMessagePage,
        item=t.LoggedMessage,
    ),
    "messages.send_cheapest": Route(
        "POST",
        "/v1/messages/cheapest",
        query={"dry_run": "dryRun"},
        body="json",
        shape="SendCheapest",
        answer=one_of(t.DryRunCheapest, t.SentCheapest),
    ),
    "messages.schedule": Route(
        "POST",
        "/v1/messages/scheduled",
        query={"dry_run": "dryRun"},
        body="json",
        shape="ScheduleMessageRequest",
        answer=one_of(t.DryRunMessage, t.CreatedScheduledMessage),
    ),
    "messages.list_scheduled": Route(
        "GET",
        "/v1/messages/scheduled",
        query={"status": "status", "from_": "from", "to": "to", "phone_id": "phoneId", "contact": "contact", "sort": "sort", "limit": "limit", "cursor": "cursor"},
        answer=t.ScheduledMessagePage,
        item=t.ScheduledMessage,
    ),
    "messages.get_scheduled": Route("GET", "/v1/messages/scheduled/{id}", answer=t.ScheduledMessageDetails),
    "messages.reschedule": Route(
        "PATCH",
        "/v1/messages/scheduled/{id}",
        body="json",
        shape="RescheduleRequest",
        answer=t.ScheduledMessageDetails,
    ),
    "messages.cancel_scheduled": Route("DELETE", "/v1/messages/scheduled/{id}"),
    "messages.get": Route("GET", "/v1/messages/{id}", answer=t.Message),
    "messages.delete": Route(
        "DELETE",
        "/v1/messages/{id}",
        query={"phone_id": "phoneId", "for_": "for"},
        answer=t.EnqueuedOperation,
    ),
    "messages.edit": Route(
        "POST",
        "/v1/messages/{id}/edit",
        body="json",
        shape="EditMessageRequest",
        answer=t.EnqueuedOperation,
    ),
    "messages.forward": Route(
        "POST",
        "/v1/messages/{id}/forward",
        query={"dry_run": "dryRun"},
        body="json",
        shape="ForwardMessage",
        answer=one_of(t.RepeatedMessage, t.DryRunMessage, t.AcceptedMessage),
    ),
    "messages.keep": Route(
        "POST",
        "/v1/messages/{id}/keep",
        body="json",
        shape="PhoneReference",
        answer=t.EnqueuedOperation,
    ),
    "messages.unkeep": Route(
        "DELETE",
        "/v1/messages/{id}/keep",
        query={"phone_id": "phoneId"},
        answer=t.EnqueuedOperation,
    ),
    "messages.label": Route(
        "POST",
        "/v1/messages/{id}/label",
        body="json",
        shape="LabelMessageRequest",
        answer=t.EnqueuedOperation,
    ),
    "messages.unlabel": Route(
        "DELETE",
        "/v1/messages/{id}/label",
        query={"phone_id": "phoneId", "label": "label"},
        answer=t.EnqueuedOperation,
    ),
    "messages.pin": Route(
        "POST",
        "/v1/messages/{id}/pin",
        body="json",
        shape="PinMessageRequest",
        answer=t.EnqueuedOperation,
    ),
    "messages.unpin": Route(
        "DELETE",
        "/v1/messages/{id}/pin",
        query={"phone_id": "phoneId"},
        answer=t.EnqueuedOperation,
    ),
    "messages.mark_played": Route(
        "POST",
        "/v1/messages/{id}/played",
        body="json",
        shape="PhoneReference",
        answer=t.EnqueuedOperation,
    ),
    "messages.react": Route(
        "POST",
        "/v1/messages/{id}/react",
        body="json",
        shape="ReactToMessageRequest",
        answer=t.EnqueuedOperation,
    ),
    "messages.mark_read": Route(
        "POST",
        "/v1/messages/{id}/read",
        body="json",
        shape="PhoneReference",
        answer=t.EnqueuedOperation,
    ),
    "messages.list_receipts": Route(
        "GET",
        "/v1/messages/{id}/receipts",
        answer=t.MessageReceipts,
        item=t.PersonReceipts,
    ),
    "messages.respond_to_event": Route(
        "POST",
        "/v1/messages/{id}/respond",
        body="json",
        shape="RespondToEventRequest",
        answer=t.EnqueuedOperation,
    ),
    "messages.star": Route(
        "POST",
        "/v1/messages/{id}/star",
        body="json",
        shape="PhoneReference",
        answer=t.EnqueuedOperation,
    ),
    "messages.unstar": Route(
        "DELETE",
        "/v1/messages/{id}/star",
        query={"phone_id": "phoneId"},
        answer=t.EnqueuedOperation,
    ),
    "messages.get_timeline": Route("GET", "/v1/messages/{id}/timeline", answer=t.MessageTimeline),
    "messages.show_typing": Route(
        "POST",
        "/v1/messages/{id}/typing",
        body="json",
        shape="PhoneReference",
        answer=t.EnqueuedOperation,
    ),
    "messages.vote_in_poll": Route(
        "POST",
        "/v1/messages/{id}/vote",
        body="json",
        shape="VoteInPollRequest",
        answer=t.EnqueuedOperation,
    ),
    "messages.withdraw_vote": Route(
        "DELETE",
        "/v1/messages/{id}/vote",
        query={"phone_id": "phoneId"},
        answer=t.EnqueuedOperation,
    ),
    "messages.get_conversation_control": Route(
        "GET",
        "/v1/phones/{id}/conversations/{to}/control",
        answer=t.ConversationControl,
    ),
    "messages.change_conversation_control": Route(
        "POST",
        "/v1/phones/{id}/conversations/{to}/control",
        body="json",
        shape="ChangeConversationControlRequest",
        answer=t.ConversationControl,
    ),
    "phones.list_kinds": Route("GET", "/v1/kinds", answer=t.PhoneKindList, item=t.PhoneKind),
    "phones.create": Route("POST", "/v1/phones", body="json", shape="CreatePhoneRequest", answer=t.CreatedPhone),
    "phones.list": Route("GET", "/v1/phones", answer=List[t.Phone], item=t.Phone),
    "phones.search": Route(
        "GET",
        "/v1/phones/search",
        query={"q": "q", "ids": "ids", "type": "type", "status": "status", "limit": "limit", "cursor": "cursor"},
        answer=t.PhonePage,
        item=t.Phone,
    ),
    "phones.connect_social_account": Route(
        "POST",
        "/v1/phones/social/oauth",
        body="json",
        shape="ConnectSocialAccountRequest",
        answer=t.ConnectSocialAccountResult,
    ),
    "phones.get_social_oauth_config": Route("GET", "/v1/phones/social/oauth/config", answer=t.SocialConfig),
    "phones.embedded_signup": Route(
        "POST",
        "/v1/phones/waba/embedded-signup",
        body="json",
        shape="EmbeddedSignupRequest",
        answer=t.EmbeddedSignupResult,
    ),
    "phones.get_embedded_signup_config": Route("GET", "/v1/phones/waba/embedded-signup/config", answer=t.SignupConfig),
    "phones.read_embedded_signup_event": Route(
        "POST",
        "/v1/phones/waba/embedded-signup/events",
        body="json",
        answer=t.SignupEvent,
    ),
    "phones.get": Route("GET", "/v1/phones/{id}", answer=t.Phone),
    "phones.update": Route("PATCH", "/v1/phones/{id}", body="json", shape="UpdatePhoneRequest", answer=t.Phone),
    "phones.delete": Route("DELETE", "/v1/phones/{id}", query={"deregister": "deregister"}, answer=t.DeletedPhone),
    "phones.list_blocks": Route("GET", "/v1/phones/{id}/blocks", answer=t.BlockList, item=t.BlockedContact),
    "phones.block": Route("POST", "/v1/phones/{id}/blocks", body="json"),
    "phones.unblock": Route("DELETE", "/v1/phones/{id}/blocks", body="json"),
    "phones.get_business_hours": Route("GET", "/v1/phones/{id}/business-hours", answer=t.BusinessHours),
    "phones.set_business_hours": Route(
        "PUT",
        "/v1/phones/{id}/business-hours",
        body="json",
        shape="BusinessHoursRequest",
        answer=t.BusinessHours,
    ),
    "phones.delete_business_hours": Route("DELETE", "/v1/phones/{id}/business-hours"),
    "phones.get_business_profile": Route("GET", "/v1/phones/{id}/business-profile", answer=t.BusinessProfile),
    "phones.update_business_profile": Route(
        "PATCH",
        "/v1/phones/{id}/business-profile",
        body="json",
        shape="UpdateBusinessProfileRequest",
        answer=t.BusinessProfile,
    ),
    "phones.get_capabilities": Route("GET", "/v1/phones/{id}/capabilities", answer=t.PhoneCapabilities),
    "phones.list_catalog_collections": Route(
        "GET",
        "/v1/phones/{id}/catalog/collections",
        query={"of": "of", "limit": "limit"},
        answer=t.CatalogCollections,
        item=t.CatalogCollection,
    ),
    "phones.list_catalog_products": Route(
        "GET",
        "/v1/phones/{id}/catalog/products",
        query={"of": "of", "limit": "limit", "cursor": "cursor"},
        answer=t.CatalogProductPage,
        item=t.CatalogProduct,
    ),
    "phones.resync_chats": Route("POST", "/v1/phones/{id}/chats/resync", body="optional"),
    "phones.get_chat_timer": Route("GET", "/v1/phones/{id}/chats/{to}/timer", answer=t.ChatTimer),
    "phones.set_chat_timer": Route("PUT", "/v1/phones/{id}/chats/{to}/timer", body="json", answer=t.ChatTimer),
    "phones.get_chatwoot": Route("GET", "/v1/phones/{id}/chatwoot", answer=t.Chatwoot),
    "phones.set_chatwoot": Route(
        "PUT",
        "/v1/phones/{id}/chatwoot",
        body="json",
        shape="ChatwootInput",
        answer=t.Chatwoot,
    ),
    "phones.remove_chatwoot": Route("DELETE", "/v1/phones/{id}/chatwoot"),
    "phones.get_cloud_api": Route("GET", "/v1/phones/{id}/cloud-api", answer=t.CloudApi),
    "phones.update_cloud_api": Route(
        "PATCH",
        "/v1/phones/{id}/cloud-api",
        body="json",
        shape="CloudApiChanges",
        answer=t.CloudApi,
    ),
    "phones.get_cloud_webhook": Route("GET", "/v1/phones/{id}/cloud-api/webhook", answer=t.CloudWebhook),
    "phones.set_cloud_webhook": Route(
        "PUT",
        "/v1/phones/{id}/cloud-api/webhook",
        body="json",
        shape="CloudWebhookInput",
        answer=t.CloudWebhook,
    ),
    "phones.remove_cloud_webhook": Route("DELETE", "/v1/phones/{id}/cloud-api/webhook"),
    "phones.renew_cloud_webhook_secret": Route(
        "POST",
        "/v1/phones/{id}/cloud-api/webhook/secret",
        answer=t.CloudWebhookSecret,
    ),
    "phones.sync_contacts": Route("POST", "/v1/phones/{id}/contacts/sync", body="optional", answer=t.SyncRequest),
    "phones.get_contact_about": Route("GET", "/v1/phones/{id}/contacts/{to}/about", answer=t.ContactAbout),
    "phones.get_contact_business_profile": Route(
        "GET",
        "/v1/phones/{id}/contacts/{to}/business-profile",
        answer=t.ContactBusinessProfile,
    ),
    "phones.get_contact_picture": Route(
        "GET",
        "/v1/phones/{id}/contacts/{to}/profile-picture",
        answer=t.ContactPicture,
    ),
    "phones.set_credentials": Route(
        "PUT",
        "/v1/phones/{id}/credentials",
        body="json",
        shape="SetPhoneCredentialsRequest",
        answer=t.Phone,
    ),
    "phones.get_history_progress": Route("GET", "/v1/phones/{id}/history", answer=t.HistoryProgress),
    "phones.request_history": Route("POST", "/v1/phones/{id}/history", body="json", answer=t.HistoryRequest),
    "phones.get_ice_breakers": Route("GET", "/v1/phones/{id}/ice-breakers", answer=t.IceBreakers),
    "phones.put_ice_breakers": Route(
        "PUT",
        "/v1/phones/{id}/ice-breakers",
        body="json",
        shape="PutIceBreakersRequest",
        answer=t.IceBreakers,
    ),
    "phones.delete_ice_breakers": Route("DELETE", "/v1/phones/{id}/ice-breakers"),
    "phones.resolve_identity": Route(
        "GET",
        "/v1/phones/{id}/identities/resolve",
        query={"key": "key"},
        answer=t.Identity,
    ),
    "phones.list_labels": Route("GET", "/v1/phones/{id}/labels", answer=t.ChatLabels, item=t.ChatLabel),
    "phones.make_label": Route("POST", "/v1/phones/{id}/labels", body="json", answer=t.ChatLabel),
    "phones.change_label": Route("PATCH", "/v1/phones/{id}/labels/{label}", body="json", answer=t.ChatLabel),
    "phones.delete_label": Route("DELETE", "/v1/phones/{id}/labels/{label}"),
    "phones.logout": Route("POST", "/v1/phones/{id}/logout", answer=t.LogoutPhoneResult),
    "phones.get_menu": Route("GET", "/v1/phones/{id}/menu", answer=t.Menu),
    "phones.put_menu": Route("PUT", "/v1/phones/{id}/menu", body="json", answer=t.Menu),
    "phones.delete_menu": Route("DELETE", "/v1/phones/{id}/menu"),
    "phones.request_name_change": Route(
        "POST",
        "/v1/phones/{id}/name-change",
        body="json",
        shape="RequestNameChangeRequest",
        answer=t.RequestNameChangeResult,
    ),
    "phones.get_name_change": Route("GET", "/v1/phones/{id}/name-change", answer=t.NameChange),
    "phones.get_order": Route(
        "GET",
        "/v1/phones/{id}/orders/{order_id}",
        query={"token": "token"},
        answer=t.CatalogOrder,
    ),
    "phones.get_pairing": Route(
        "GET",
        "/v1/phones/{id}/pairing",
        query={"seen": "seen", "wait": "wait"},
        answer=t.Pairing,
    ),
    "phones.get_pairing_code": Route(
        "GET",
        "/v1/phones/{id}/pairing-code",
        query={"wait": "wait"},
        answer=t.PairingCode,
    ),
    "phones.create_pairing_code": Route(
        "POST",
        "/v1/phones/{id}/pairing-code",
        body="json",
        shape="CreatePairingCodeRequest",
        answer=t.CreatePairingCodeResult,
    ),
    "phones.create_pairing_link": Route(
        "POST",
        "/v1/phones/{id}/pairing-links",
        body="optional",
        answer=t.NewPairingLink,
    ),
    "phones.list_pairing_links": Route(
        "GET",
        "/v1/phones/{id}/pairing-links",
        answer=t.PairingLinkList,
        item=t.PairingLink,
    ),
    "phones.revoke_pairing_link": Route("DELETE", "/v1/phones/{id}/pairing-links/{link_id}"),
    "phones.get_passkey": Route("GET", "/v1/phones/{id}/passkey", answer=t.Passkey),
    "phones.assert_passkey": Route(
        "POST",
        "/v1/phones/{id_}/passkey",
        body="json",
        shape="PasskeyAssertion",
        answer=t.AcceptedPasskey,
    ),
    "phones.confirm_passkey": Route("POST", "/v1/phones/{id}/passkey/confirm", answer=t.AcceptedPasskey),
    "phones.show_presence": Route("POST", "/v1/phones/{id}/presence", body="json"),
    "phones.watch_presence": Route("POST", "/v1/phones/{id}/presence/subscriptions", body="json"),
    "phones.get_privacy_settings": Route("GET", "/v1/phones/{id}/privacy", answer=t.PrivacySettings),
    "phones.update_privacy_settings": Route(
        "PATCH",
        "/v1/phones/{id}/privacy",
        body="json",
        shape="PrivacyChanges",
        answer=t.PrivacySettings,
    ),
    "phones.get_own_profile": Route("GET", "/v1/phones/{id}/profile", answer=t.OwnProfile),
    "phones.change_own_profile": Route(
        "PUT",
        "/v1/phones/{id}/profile",
        body="json",
        shape="ChangeOwnProfileRequest",
        answer=t.OwnProfile,
    ),
    "phones.set_proxy": Route("PUT", "/v1/phones/{id}/proxy", body="json", answer=t.PhoneProxy),
    "phones.check_proxy": Route("POST", "/v1/phones/{id}/proxy/check", answer=t.ProxyCheck),
    "phones.get_qr_code": Route("GET", "/v1/phones/{id}/qrcode", query={"wait": "wait"}, answer=t.QrCode),
    "phones.get_quota": Route("GET", "/v1/phones/{id}/quota", answer=t.Quota),
    "phones.reconnect": Route("POST", "/v1/phones/{id}/reconnect", answer=t.ReconnectPhoneResult),
    "phones.rotate_token": Route(
        "POST",
        "/v1/phones/{id}/rotate-token",
        body="json",
        shape="RotateTokenRequest",
        answer=t.Phone,
    ),
    "phones.get_settings": Route("GET", "/v1/phones/{id}/settings", answer=t.PhoneSettings),
    "phones.update_settings": Route(
        "PATCH",
        "/v1/phones/{id}/settings",
        body="json",
        shape="PhoneSettings",
        answer=t.PhoneSettings,
    ),
    "phones.post_status": Route(
        "POST",
        "/v1/phones/{id}/statuses",
        query={"dry_run": "dryRun"},
        body="json",
        shape="PostStatus",
        answer=one_of(t.RepeatedMessage, t.DryRunMessage, t.AcceptedMessage),
    ),
    "phones.get_username": Route("GET", "/v1/phones/{id}/username", answer=t.Username),
    "phones.claim_username": Route("POST", "/v1/phones/{id}/username", body="json", answer=t.Username),
    "phones.release_username": Route("DELETE", "/v1/phones/{id}/username"),
    "phones.list_username_suggestions": Route(
        "GET",
        "/v1/phones/{id}/username/suggestions",
        answer=t.ListUsernameSuggestionsResult,
        item=str,
    ),
    "phones.request_number_code": Route(
        "POST",
        "/v1/phones/{id}/verification",
        body="json",
        answer=t.RequestNumberCodeResult,
    ),
    "phones.verify_number": Route(
        "POST",
        "/v1/phones/{id}/verification/confirm",
        body="optional",
        answer=t.NumberVerification,
    ),
    "phones.list_webhook_attempts": Route(
        "GET",
        "/v1/phones/{id}/webhook/attempts",
        query={"status": "status", "limit": "limit", "cursor": "cursor"},
        answer=t.WebhookAttemptPage,
        item=t.WebhookAttempt,
    ),
    "phones.retry_webhook": Route("POST", "/v1/phones/{id}/webhook/retry", answer=t.EnqueuedRetry),
    "phones.test_webhook": Route("POST", "/v1/phones/{id}/webhook/test", body="optional", answer=t.WebhookTestResult),
    "stats.get": Route(
        "GET",
        "/v1/stats",
        query={"since": "since", "until": "until", "step": "step", "phone_id": "phoneId"},
        answer=t.StatsSeries,
    ),
    "stats.now": Route("GET", "/v1/stats/now", answer=t.StatsNow),
    "system.health": Route("GET", "/health", answer=t.HealthResult),
    "system.ready": Route("GET", "/health/ready", answer=t.Readiness),
    "system.origin": Route("GET", "/origin", answer=t.OriginResult),
    "system.version": Route("GET", "/versao", answer=t.VersionResult),
    "templates.create": Route(
        "POST",
        "/v1/templates",
        query={"dry_run": "dryRun"},
        body="json",
        shape="CreateTemplateRequest",
        answer=one_of(t.DryRunTemplate, t.Template),
    ),
    "templates.list": Route(
        "GET",
        "/v1/templates",
        query={"phone_id": "phoneId", "status": "status", "name": "name", "language": "language"},
        answer=List[t.Template],
        item=t.Template,
    ),
    "templates.sync": Route(
        "POST",
        "/v1/templates/sync",
        body="json",
        shape="SyncTemplatesRequest",
        answer=t.TemplateSync,
    ),
    "templates.get": Route("GET", "/v1/templates/{id}", answer=t.Template),
    "templates.update": Route(
        "PATCH",
        "/v1/templates/{id}",
        query={"dry_run": "dryRun"},
        body="json",
        shape="UpdateTemplateRequest",
        answer=one_of(t.Template, t.DryRunTemplate),
    ),
    "templates.delete": Route("DELETE", "/v1/templates/{id}"),
    "webhooks.create": Route("POST", "/v1/webhooks", body="json", shape="CreateSharedWebhook", answer=t.SharedWebhook),
    "webhooks.list": Route("GET", "/v1/webhooks", answer=List[t.SharedWebhook], item=t.SharedWebhook),
    "webhooks.list_health": Route(
        "GET",
        "/v1/webhooks/health",
        query={"webhook_id": "webhookId", "limit": "limit", "cursor": "cursor"},
        answer=t.WebhookHealthPage,
        item=t.WebhookHealth,
    ),
    "webhooks.get": Route("GET", "/v1/webhooks/{id}", answer=t.SharedWebhook),
    "webhooks.update": Route(
        "PATCH",
        "/v1/webhooks/{id}",
        body="json",
        shape="UpdateSharedWebhook",
        answer=t.SharedWebhook,
    ),
    "webhooks.delete": Route("DELETE", "/v1/webhooks/{id}"),
    "webhooks.list_attempts": Route(
        "GET",
        "/v1/webhooks/{id}/attempts",
        query={"status": "status", "limit": "limit", "cursor": "cursor"},
        answer=t.WebhookAttemptPage,
        item=t.WebhookAttempt,
    ),
    "webhooks.retry": Route("POST", "/v1/webhooks/{id}/retry", answer=t.EnqueuedRetry),
    "webhooks.test": Route("POST", "/v1/webhooks/{id}/test", body="optional", answer=t.WebhookTestResult),
}


ADMIN_ROUTES: Dict[str, Route] = {
    "accounts.create": Route("POST", "/v1/admin/accounts", body="json", shape="CreateAccountRequest", answer=t.Account),
    "accounts.list": Route(
        "GET",
        "/v1/admin/accounts",
        query={"status": "status", "search": "search", "kind": "kind", "cursor": "cursor", "limit": "limit"},
        answer=t.UsedAccountPage,
        item=t.UsedAccount,
    ),
    "accounts.get_by_id": Route("GET", "/v1/admin/accounts/{id}", answer=t.Account),
    "accounts.update": Route(
        "PATCH",
        "/v1/admin/accounts/{id}",
        body="json",
        shape="UpdateAccountRequest",
        answer=t.Account,
    ),
    "accounts.issue_api_key": Route(
        "POST",
        "/v1/admin/accounts/{id}/api-keys",
        body="json",
        shape="IssueApiKeyRequest",
        answer=t.IssuedApiKey,
    ),
    "accounts.list_api_keys": Route("GET", "/v1/admin/accounts/{id}/api-keys", answer=List[t.ApiKey], item=t.ApiKey),
    "accounts.make_institution": Route(
        "POST",
        "/v1/admin/accounts/{id}/institution",
        body="json",
        shape="MakeInstitutionRequest",
        answer=t.MadeInstitution,
    ),
    "accounts.create_invoice": Route(
        "POST",
        "/v1/admin/accounts/{id}/invoices",
        body="json",
        shape="CreateInvoiceRequest",
        answer=t.Invoice,
    ),
    "accounts.join": Route(
        "POST",
        "/v1/admin/accounts/{id}/join",
        query={"dry_run": "dryRun"},
        body="json",
        shape="JoinAccountRequest",
        answer=t.JoinedAccount,
    ),
    "accounts.get_use": Route("GET", "/v1/admin/accounts/{id}/use", answer=t.UsedAccount),
    "adapters.list": Route("GET", "/v1/admin/adapters", answer=t.ListAdaptersResult, item=t.Adapter),
    "alerts.test": Route("POST", "/v1/admin/alerts/test", answer=t.TestAlertsResult),
    "api_keys.revoke": Route("POST", "/v1/admin/api-keys/{id}/revoke", answer=t.RevokeApiKeyResult),
    "audit.list": Route(
        "GET",
        "/v1/admin/audit",
        query={"tenant_id": "tenantId", "action": "action", "actor": "actor", "since": "since", "until": "until", "search": "search", "cursor": "cursor", "limit": "limit"},
        answer=t.AuditEntryPage,
        item=t.AuditEntry,
    ),
    "backups.list": Route("GET", "/v1/admin/backups", answer=t.Backups, item=t.StoredBackup),
    "backups.make": Route("POST", "/v1/admin/backups", answer=t.Backups),
    "billing.get_takings": Route("GET", "/v1/admin/billing", query={"months": "months"}, answer=t.Takings),
    "dead_letters.list": Route(
        "GET",
        "/v1/admin/dead-letters",
        query={"account_id": "accountId", "limit": "limit", "cursor": "cursor"},
        answer=t.DeadLetterPage,
        item=t.DeadLetter,
    ),
    "dead_letters.replay": Route(
        "POST",
        "/v1/admin/dead-letters/replay",
        body="optional",
        shape="ReplayDeadLettersRequest",
        answer=t.ReplayDeadLettersResult,
    ),
    "doctor.examine": Route("GET", "/v1/admin/doctor", answer=t.Examination),
    "exports.create": Route("POST", "/v1/admin/exports", body="json", answer=t.ExportedSession),
    "imports.create": Route(
        "POST",
        "/v1/admin/imports",
        body="json",
        shape="ImportSessionRequest",
        answer=t.ImportedSession,
    ),
    "imports.begin_history": Route(
        "POST",
        "/v1/admin/imports/history",
        body="json",
        shape="BeginHistoryImportRequest",
        answer=t.HistoryImport,
    ),
    "imports.import_history_file": Route(
        "POST",
        "/v1/admin/imports/history/files",
        query={"account_id": "accountId", "phone": "phone", "format": "format", "source": "source", "run": "run", "key": "key", "sha256": "sha256"},
        body="file",
        answer=t.HistoryFileTaken,
    ),
    "imports.inspect_history": Route(
        "POST",
        "/v1/admin/imports/history/inspect",
        body="json",
        shape="InspectHistoryRequest",
        answer=t.HistoryCounts,
    ),
    "imports.import_history": Route(
        "POST",
        "/v1/admin/imports/history/rows",
        body="json",
        shape="ImportHistoryRequest",
        answer=t.HistoryCounts,
    ),
    "imports.undo_history": Route(
        "POST",
        "/v1/admin/imports/history/undo",
        body="json",
        shape="UndoHistoryImportRequest",
        answer=t.UndoneImport,
    ),
    "imports.inspect": Route(
        "POST",
        "/v1/admin/imports/inspect",
        body="json",
        shape="InspectImportRequest",
        answer=t.SessionReport,
    ),
    "institutions.update": Route("PATCH", "/v1/admin/institutions/{id}", body="json", answer=t.UpdateInstitutionResult),
    "institutions.invite_member": Route(
        "POST",
        "/v1/admin/institutions/{id}/members",
        body="json",
        answer=t.InviteMemberResult,
    ),
    "invoices.list_all": Route(
        "GET",
        "/v1/admin/invoices",
        query={"account_id": "accountId", "status": "status", "cursor": "cursor", "limit": "limit"},
        answer=t.InvoiceOfAccountPage,
        item=t.InvoiceOfAccount,
    ),
    "invoices.issue": Route("POST", "/v1/admin/invoices/{id}/issue", answer=t.Invoice),
    "invoices.mark_paid": Route("POST", "/v1/admin/invoices/{id}/mark-paid", answer=t.Invoice),
    "invoices.void": Route("POST", "/v1/admin/invoices/{id}/void", answer=t.Invoice),
    "jobs.run": Route("POST", "/v1/admin/jobs/{name}/run", answer=t.RunJobResult),
    "licences.list": Route("GET", "/v1/admin/licences", answer=t.ListLicencesResult, item=t.Licence),
    "nodes.list": Route("GET", "/v1/admin/nodes", answer=t.ListNodesResult, item=t.Node),
    "operators.list": Route("GET", "/v1/admin/operators", answer=t.OperatorList, item=t.Operator),
    "operators.create": Route("POST", "/v1/admin/operators", body="json", answer=t.OperatorLink),
    "operators.reset": Route("POST", "/v1/admin/operators/reset", body="json", answer=t.OperatorLink),
    "operators.delete": Route("DELETE", "/v1/admin/operators/{id}"),
    "people.erase": Route("POST", "/v1/admin/people/erase", body="json", shape="PersonRequest", answer=t.Erasure),
    "people.get_erasure": Route("GET", "/v1/admin/people/erasures/{id}", answer=t.Erasure),
    "people.export": Route(
        "POST",
        "/v1/admin/people/export",
        body="json",
        shape="PersonRequest",
        answer=t.PersonExport,
    ),
    "plans.list": Route("GET", "/v1/admin/plans", answer=List[t.Plan], item=t.Plan),
    "plans.create": Route("POST", "/v1/admin/plans", body="json", shape="CreatePlanRequest", answer=t.Plan),
    "plans.update": Route("PATCH", "/v1/admin/plans/{code}", body="json", shape="UpdatePlanRequest", answer=t.Plan),
    "settings.list": Route("GET", "/v1/admin/settings", answer=t.ListSettingsResult, item=t.Setting),
    "stats.get": Route(
        "GET",
        "/v1/admin/stats",
        query={"since": "since", "until": "until", "step": "step"},
        answer=t.Stats,
    ),
    "system.get": Route("GET", "/v1/admin/system", answer=t.System),
    "token.renew": Route("POST", "/v1/admin/token", answer=t.RenewAdminTokenResult),
    "troubles.list": Route("GET", "/v1/admin/troubles", answer=t.ListTroublesResult, item=t.Trouble),
    "users.create": Route("POST", "/v1/admin/users", body="json", shape="CreateUserRequest", answer=t.CreateUserResult),
    "users.reset": Route("POST", "/v1/admin/users/reset", body="json", answer=t.ResetUserResult),
}


SHAPES: Dict[str, Shape] = {
    "AcceptCallRequest": {"sdp_answer": ("sdpAnswer", None)},
    "AcceptGroupInvitationRequest": {"phone_id": ("phoneId", None)},
    "AddDocumentRequest": {"object_key": ("objectKey", None)},
    "AddressContent": {"saved_addresses": ("savedAddresses", None)},
    "AgentRequest": {
        "system_prompt": ("systemPrompt", None),
        "handoff_rules": ("handoffRules", "AgentRequestHandoffRules"),
        "context_window_turns": ("contextWindowTurns", None),
        "rag_top_k": ("ragTopK", None),
        "conversation_ttl_days": ("conversationTtlDays", None),
        "respect_hours": ("respectHours", None),
        "built_in_tools": ("builtInTools", None),
        "closed_text": ("closedText", None),
        "run_trials_on_change": ("runTrialsOnChange", None),
        "transcribes_voice": ("transcribesVoice", None),
        "budget": ("budget", "AgentRequestBudget"),
    },
    "AgentRequestBudget": {
        "daily_tokens_per_contact": ("dailyTokensPerContact", None),
        "daily_tokens": ("dailyTokens", None),
    },
    "AgentRequestHandoffRules": {"after_turns": ("afterTurns", None)},
    "AnswerChat": {
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "idempotency_key": ("idempotencyKey", None),
        "send_options": ("sendOptions", None),
    },
    "AssignChat": {"user_id": ("userId", None)},
    "AudioContent": {
        "media_url": ("mediaUrl", None),
        "media_handle": ("mediaHandle", None),
        "mime_type": ("mimeType", None),
        "view_once": ("viewOnce", None),
    },
    "BeginHistoryImportRequest": {"account_id": ("accountId", None)},
    "BusinessHoursRequest": {
        "time_zone": ("timeZone", None),
        "weekly": ("weekly", "WeeklyHours"),
        "dates": ("dates", "OwnDate"),
    },
    "ButtonContent": {"header": ("header", "MenuHeader")},
    "Card": {"header": ("header", "CardHeader")},
    "CardHeader": {"media_url": ("mediaUrl", None)},
    "CarouselContent": {"cards": ("cards", "Card")},
    "ChangeChat": {"muted_until": ("mutedUntil", None), "marked_unread": ("markedUnread", None)},
    "ChangeConversationControlRequest": {"target_role": ("targetRole", None)},
    "ChangeOwnProfileRequest": {"picture": ("picture", "Picture")},
    "ChatwootInput": {
        "chatwoot_account_id": ("chatwootAccountId", None),
        "inbox_name": ("inboxName", None),
        "import_days": ("importDays", None),
        "mark_read": ("markRead", None),
    },
    "CloudApiChanges": {
        "display_phone_number": ("displayPhoneNumber", None),
        "templates_as_text": ("templatesAsText", None),
    },
    "CloudWebhookInput": {"verify_token": ("verifyToken", None)},
    "ConnectSocialAccountRequest": {"redirect_uri": ("redirectUri", None)},
    "CopyCodeContent": {"button_text": ("buttonText", None), "header": ("header", "MenuHeader")},
    "CreateAccountRequest": {
        "plan_code": ("planCode", None),
        "billing_email": ("billingEmail", None),
        "waba_markup_pct": ("wabaMarkupPct", None),
    },
    "CreateCommunityRequest": {"phone_id": ("phoneId", None)},
    "CreateContact": {"phone_number": ("phoneNumber", None)},
    "CreateFlowRequest": {"phone_id": ("phoneId", None), "endpoint_url": ("endpointUrl", None)},
    "CreateGroupRequest": {
        "phone_id": ("phoneId", None),
        "join_approval_mode": ("joinApprovalMode", None),
        "community_id": ("communityId", None),
    },
    "CreateInvoiceRequest": {
        "period_start": ("periodStart", None),
        "period_end": ("periodEnd", None),
        "total_cents": ("totalCents", None),
        "due_date": ("dueDate", None),
    },
    "CreateNewsletterRequest": {"phone_id": ("phoneId", None)},
    "CreateOwnApiKeyRequest": {
        "read_only": ("readOnly", None),
        "allowed_addresses": ("allowedAddresses", None),
        "expires_at": ("expiresAt", None),
    },
    "CreatePairingCodeRequest": {"phone_number": ("phoneNumber", None)},
    "CreatePhoneRequest": {"credentials": ("credentials", "CreatePhoneRequestCredentials")},
    "CreatePhoneRequestCredentials": {
        "phone_number_id": ("phoneNumberId", None),
        "business_account_id": ("businessAccountId", None),
        "access_token": ("accessToken", None),
        "verify_token": ("verifyToken", None),
    },
    "CreatePlanRequest": {
        "per_message_cents": ("perMessageCents", None),
        "per_phone_month_cents": ("perPhoneMonthCents", None),
        "monthly_fee_cents": ("monthlyFeeCents", None),
        "included_messages": ("includedMessages", None),
        "overage_cents": ("overageCents", None),
        "metadata": ("metadata", "PlanMetadata"),
    },
    "CreateSharedWebhook": {"all_phones": ("allPhones", None), "selected_phone_ids": ("selectedPhoneIds", None)},
    "CreateTemplateRequest": {
        "phone_id": ("phoneId", None),
        "max_price_per1000": ("maxPricePer1000", None),
        "message_send_ttl_seconds": ("messageSendTtlSeconds", None),
        "allow_category_change": ("allowCategoryChange", None),
        "parameter_format": ("parameterFormat", None),
        "library": ("library", "CreateTemplateRequestLibrary"),
    },
    "CreateTemplateRequestLibrary": {"button_inputs": ("buttonInputs", None)},
    "CreateUserRequest": {"institution_name": ("institutionName", None)},
    "CtaUrlContent": {"button_text": ("buttonText", None), "header": ("header", "CtaUrlHeader")},
    "CtaUrlHeader": {"media_url": ("mediaUrl", None)},
    "DocumentContent": {
        "media_url": ("mediaUrl", None),
        "media_handle": ("mediaHandle", None),
        "mime_type": ("mimeType", None),
        "thumbnail": ("thumbnail", "Thumbnail"),
    },
    "EditMessageRequest": {"phone_id": ("phoneId", None)},
    "EmbeddedSignupRequest": {
        "waba_id": ("wabaId", None),
        "phone_number_id": ("phoneNumberId", None),
        "permitir_dedicado": ("permitirDedicado", None),
    },
    "EstimateCostRequest": {"phone_id": ("phoneId", None)},
    "EventContent": {
        "starts_at": ("startsAt", None),
        "ends_at": ("endsAt", None),
        "call_link": ("callLink", None),
        "extra_guests_allowed": ("extraGuestsAllowed", None),
    },
    "FlowContent": {
        "flow_id": ("flowId", None),
        "flow_cta": ("flowCta", None),
        "flow_action": ("flowAction", None),
        "flow_token": ("flowToken", None),
        "flow_action_payload": ("flowActionPayload", None),
        "flow_mode": ("flowMode", None),
    },
    "ForwardMessage": {"phone_id": ("phoneId", None), "idempotency_key": ("idempotencyKey", None)},
    "GroupPeopleRequest": {"wa_ids": ("waIds", None)},
    "GroupRules": {
        "only_admins_send": ("onlyAdminsSend", None),
        "only_admins_edit": ("onlyAdminsEdit", None),
        "only_admins_add": ("onlyAdminsAdd", None),
    },
    "ImageContent": {
        "media_url": ("mediaUrl", None),
        "media_handle": ("mediaHandle", None),
        "mime_type": ("mimeType", None),
        "view_once": ("viewOnce", None),
        "images": ("images", "ImageLink"),
    },
    "ImageLink": {"media_url": ("mediaUrl", None)},
    "ImportHistoryRequest": {
        "account_id": ("accountId", None),
        "from_": ("from", None),
        "is_last": ("isLast", None),
        "with_files": ("withFiles", None),
    },
    "ImportSessionRequest": {
        "is_last_state": ("isLastState", None),
        "account_id": ("accountId", None),
        "old_server_stopped": ("oldServerStopped", None),
    },
    "InspectHistoryRequest": {"account_id": ("accountId", None), "with_files": ("withFiles", None)},
    "InspectImportRequest": {"is_last_state": ("isLastState", None)},
    "IssueApiKeyRequest": {
        "read_only": ("readOnly", None),
        "allowed_addresses": ("allowedAddresses", None),
        "expires_at": ("expiresAt", None),
    },
    "IssueInvoiceRequest": {"billing_type": ("billingType", None), "due_in_days": ("dueInDays", None)},
    "JoinAccountRequest": {"institution_id": ("institutionId", None)},
    "JoinDecisionRequest": {"join_request_ids": ("joinRequestIds", None)},
    "JoinGroupRequest": {"phone_id": ("phoneId", None)},
    "KeepEncodedFileRequest": {"mime_type": ("mimeType", None)},
    "LabelMessageRequest": {"phone_id": ("phoneId", None)},
    "LinkPreviewImage": {"media_url": ("mediaUrl", None)},
    "ListContent": {"button_text": ("buttonText", None)},
    "MakeInstitutionRequest": {"owner_email": ("ownerEmail", None)},
    "MenuHeader": {"media_url": ("mediaUrl", None)},
    "NewCallLink": {"starts_at": ("startsAt", None)},
    "NewCloudTokenRequest": {"allowed_addresses": ("allowedAddresses", None), "expires_at": ("expiresAt", None)},
    "NewsletterReaction": {"phone_id": ("phoneId", None)},
    "OpeningTimes": {"from_": ("from", None)},
    "OrderDetailsContent": {
        "reference_id": ("referenceId", None),
        "total_amount": ("totalAmount", None),
        "payments": ("payments", "OrderPayment"),
        "items": ("items", "OrderItem"),
    },
    "OrderItem": {"retailer_id": ("retailerId", None), "sale_amount": ("saleAmount", None)},
    "OrderPayment": {
        "merchant_name": ("merchantName", None),
        "key_type": ("keyType", None),
        "digitable_line": ("digitableLine", None),
        "last_four_digits": ("lastFourDigits", None),
        "credential_id": ("credentialId", None),
    },
    "OrderStatusContent": {"reference_id": ("referenceId", None)},
    "OwnDate": {"times": ("times", "OpeningTimes")},
    "PasskeyAssertion": {"raw_id": ("rawId", None), "response": ("response", "PasskeyAssertionResponse")},
    "PasskeyAssertionResponse": {
        "client_data_json": ("clientDataJSON", None),
        "authenticator_data": ("authenticatorData", None),
        "user_handle": ("userHandle", None),
    },
    "PersonRequest": {"account_id": ("accountId", None)},
    "PhoneReference": {"phone_id": ("phoneId", None)},
    "PhoneSettings": {
        "transcribe_voice": ("transcribeVoice", None),
        "opt_out_words": ("optOutWords", None),
        "own_opt_out_words": ("ownOptOutWords", None),
        "native_buttons": ("nativeButtons", None),
        "link_previews": ("linkPreviews", None),
        "labels_as_tags": ("labelsAsTags", None),
        "always_online": ("alwaysOnline", None),
        "read_automatically": ("readAutomatically", None),
        "ignore_groups": ("ignoreGroups", None),
        "reject_calls": ("rejectCalls", None),
        "reject_calls_text": ("rejectCallsText", None),
        "messaging_account_id": ("messagingAccountId", None),
        "marketing_messages": ("marketingMessages", None),
        "marketing_price_factor": ("marketingPriceFactor", None),
        "direct_send_name": ("directSendName", None),
    },
    "Picture": {"media_url": ("mediaUrl", None)},
    "PinMessageRequest": {"phone_id": ("phoneId", None)},
    "PixContent": {
        "amount_cents": ("amountCents", None),
        "merchant_name": ("merchantName", None),
        "merchant_city": ("merchantCity", None),
    },
    "PlaceCallRequest": {"phone_id": ("phoneId", None), "sdp_offer": ("sdpOffer", None)},
    "PlanMetadata": {"waba_cents": ("wabaCents", None)},
    "PollContent": {"max_selections": ("maxSelections", None)},
    "PostStatus": {"background_color": ("backgroundColor", None), "idempotency_key": ("idempotencyKey", None)},
    "PrivacyChanges": {
        "last_seen": ("lastSeen", None),
        "read_receipts": ("readReceipts", None),
        "group_add": ("groupAdd", None),
        "call_add": ("callAdd", None),
        "default_disappearing_seconds": ("defaultDisappearingSeconds", None),
    },
    "PutIceBreakersRequest": {"ice_breakers": ("iceBreakers", None)},
    "ReactToMessageRequest": {"phone_id": ("phoneId", None)},
    "ReplayDeadLettersRequest": {"account_id": ("accountId", None)},
    "RequestCallPermissionRequest": {"phone_id": ("phoneId", None)},
    "RequestNameChangeRequest": {"display_name": ("displayName", None)},
    "RescheduleRequest": {"scheduled_at": ("scheduledAt", None), "respect_hours": ("respectHours", None)},
    "RespondToEventRequest": {"phone_id": ("phoneId", None), "extra_guests": ("extraGuests", None)},
    "RetryDeliveries": {
        "webhook_id": ("webhookId", None),
        "phone_id": ("phoneId", None),
        "message_id": ("messageId", None),
    },
    "RichTextButton": {"copy_text": ("copyText", None)},
    "RichTextContent": {"buttons": ("buttons", "RichTextButton")},
    "RotateTokenRequest": {"access_token": ("accessToken", None)},
    "SaveBillingCustomerRequest": {
        "cpf_cnpj": ("cpfCnpj", None),
        "address_line": ("addressLine", None),
        "address_number": ("addressNumber", None),
        "postal_code": ("postalCode", None),
    },
    "ScheduleMessageRequest": {
        "scheduled_at": ("scheduledAt", None),
        "respect_hours": ("respectHours", None),
        "payload": ("payload", "SendMessage"),
    },
    "SendAddressMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "AddressContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendAudioMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "AudioContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendButtonMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "ButtonContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendCarouselMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "CarouselContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendCheapest": {
        "template": ("template", "TemplateContent"),
        "phone_ids": ("phoneIds", None),
        "fallback_after_minutes": ("fallbackAfterMinutes", None),
    },
    "SendContactMessage": {
        "phone_id": ("phoneId", None),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendCopyCodeMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "CopyCodeContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendCtaUrlMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "CtaUrlContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendDocumentMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "DocumentContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendEventMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "EventContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendFallback": {
        "phone_id": ("phoneId", None),
        "template": ("template", "TemplateContent"),
        "after_minutes": ("afterMinutes", None),
        "may_arrive_twice": ("mayArriveTwice", None),
    },
    "SendFlowMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "FlowContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendImageMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "ImageContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendListMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "ListContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendLocationMessage": {
        "phone_id": ("phoneId", None),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendLocationRequestMessage": {
        "phone_id": ("phoneId", None),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendMessage": Tagged("type", {
        "text": "SendTextMessage",
        "image": "SendImageMessage",
        "video": "SendVideoMessage",
        "audio": "SendAudioMessage",
        "document": "SendDocumentMessage",
        "sticker": "SendStickerMessage",
        "location": "SendLocationMessage",
        "contact": "SendContactMessage",
        "button": "SendButtonMessage",
        "list": "SendListMessage",
        "template": "SendTemplateMessage",
        "cta_url": "SendCtaUrlMessage",
        "location_request": "SendLocationRequestMessage",
        "address_message": "SendAddressMessage",
        "flow": "SendFlowMessage",
        "poll": "SendPollMessage",
        "event": "SendEventMessage",
        "copy_code": "SendCopyCodeMessage",
        "carousel": "SendCarouselMessage",
        "phone_number_request": "SendPhoneNumberRequestMessage",
        "phone_number_share": "SendPhoneNumberShareMessage",
        "order_details": "SendOrderDetailsMessage",
        "order_status": "SendOrderStatusMessage",
        "rich_text": "SendRichTextMessage",
        "pix": "SendPixMessage",
    }),
    "SendOrderDetailsMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "OrderDetailsContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendOrderStatusMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "OrderStatusContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendPhoneNumberRequestMessage": {
        "phone_id": ("phoneId", None),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendPhoneNumberShareMessage": {
        "phone_id": ("phoneId", None),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendPixMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "PixContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendPollMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "PollContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendRichTextMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "RichTextContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendStickerMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "StickerContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendTemplateMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "TemplateContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendTextMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "TextContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SendVideoMessage": {
        "phone_id": ("phoneId", None),
        "content": ("content", "VideoContent"),
        "quoted_message_id": ("quotedMessageId", None),
        "comment_id": ("commentId", None),
        "is_answer": ("isAnswer", None),
        "idempotency_key": ("idempotencyKey", None),
        "fallback": ("fallback", "SendFallback"),
        "send_options": ("sendOptions", None),
    },
    "SetPhoneCredentialsRequest": {"credentials": ("credentials", "SetPhoneCredentialsRequestCredentials")},
    "SetPhoneCredentialsRequestCredentials": {
        "phone_number_id": ("phoneNumberId", None),
        "business_account_id": ("businessAccountId", None),
        "access_token": ("accessToken", None),
        "verify_token": ("verifyToken", None),
    },
    "StartLookupRequest": {"phone_id": ("phoneId", None)},
    "StickerContent": {
        "media_url": ("mediaUrl", None),
        "media_handle": ("mediaHandle", None),
        "mime_type": ("mimeType", None),
    },
    "SummariseRequest": {"messages": ("messages", "SummariseRequestMessage")},
    "SummariseRequestMessage": {"from_": ("from", None)},
    "SyncTemplatesRequest": {"phone_id": ("phoneId", None)},
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
    "TestAgentRequest": {
        "system_prompt_override": ("systemPromptOverride", None),
        "with_knowledge": ("withKnowledge", None),
        "call_tools": ("callTools", None),
    },
    "TextContent": {"quick_replies": ("quickReplies", None), "link_preview": ("linkPreview", "TextContentLinkPreview")},
    "TextContentLinkPreview": {"image": ("image", "LinkPreviewImage")},
    "Thumbnail": {"media_url": ("mediaUrl", None), "media_handle": ("mediaHandle", None)},
    "TrialSetRequest": {"questions": ("questions", "TrialSetRequestQuestion")},
    "TrialSetRequestQuestion": {"expect_unknown": ("expectUnknown", None)},
    "UndoHistoryImportRequest": {"account_id": ("accountId", None)},
    "UpdateAccountRequest": {
        "plan_code": ("planCode", None),
        "billing_email": ("billingEmail", None),
        "waba_markup_pct": ("wabaMarkupPct", None),
    },
    "UpdateBusinessProfileRequest": {"profile_picture_handle": ("profilePictureHandle", None)},
    "UpdateFlowRequest": {"endpoint_url": ("endpointUrl", None)},
    "UpdateGroupRequest": {"join_approval_mode": ("joinApprovalMode", None), "rules": ("rules", "GroupRules")},
    "UpdateLlmIntegrationRequest": {
        "base_url": ("baseUrl", None),
        "api_key": ("apiKey", None),
        "default_model": ("defaultModel", None),
        "embedding_model": ("embeddingModel", None),
        "transcription_model": ("transcriptionModel", None),
        "transcription_language": ("transcriptionLanguage", None),
        "speech_model": ("speechModel", None),
        "embedding_base_url": ("embeddingBaseUrl", None),
        "embedding_api_key": ("embeddingApiKey", None),
        "daily_tokens": ("dailyTokens", None),
    },
    "UpdateNewsletterRequest": {"phone_id": ("phoneId", None), "picture": ("picture", "Picture")},
    "UpdatePhoneRequest": {"shared_webhook_id": ("sharedWebhookId", None)},
    "UpdatePlanRequest": {
        "per_message_cents": ("perMessageCents", None),
        "per_phone_month_cents": ("perPhoneMonthCents", None),
        "monthly_fee_cents": ("monthlyFeeCents", None),
        "included_messages": ("includedMessages", None),
        "overage_cents": ("overageCents", None),
        "metadata": ("metadata", "PlanMetadata"),
    },
    "UpdateSharedWebhook": {"all_phones": ("allPhones", None), "selected_phone_ids": ("selectedPhoneIds", None)},
    "UpdateTemplateRequest": {
        "max_price_per1000": ("maxPricePer1000", None),
        "message_send_ttl_seconds": ("messageSendTtlSeconds", None),
    },
    "UploadMediaRequest": {"media_url": ("mediaUrl", None), "mime_type": ("mimeType", None)},
    "UploadMediaResumableRequest": {
        "media_url": ("mediaUrl", None),
        "mime_type": ("mimeType", None),
        "file_name": ("fileName", None),
        "app_id": ("appId", None),
    },
    "VideoContent": {
        "media_url": ("mediaUrl", None),
        "media_handle": ("mediaHandle", None),
        "mime_type": ("mimeType", None),
        "view_once": ("viewOnce", None),
        "video_note": ("videoNote", None),
        "gif_playback": ("gifPlayback", None),
    },
    "VoteInPollRequest": {"phone_id": ("phoneId", None)},
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


class AccountResource(Resource):
    def get(self, *, options: Optional[RequestOptions] = None) -> t.OwnAccount:
        """Get the account and the key of this request, with their limits. `GET /v1/account`"""
        return self._call("account.get", locals())


class AiResource(Resource):
    def get_llm_integration(self, *, options: Optional[RequestOptions] = None) -> t.LlmIntegration:
        """Get the account's provider of language models. `GET /v1/account/integrations/llm`"""
        return self._call("ai.get_llm_integration", locals())

    def update_llm_integration(
        self,
        *,
        base_url: Optional[str] = NOT_GIVEN,
        api_key: Optional[str] = NOT_GIVEN,
        default_model: Optional[str] = NOT_GIVEN,
        embedding_model: Optional[str] = NOT_GIVEN,
        transcription_model: Optional[str] = NOT_GIVEN,
        transcription_language: Optional[str] = NOT_GIVEN,
        speech_model: Optional[str] = NOT_GIVEN,
        embedding_base_url: Optional[str] = NOT_GIVEN,
        embedding_api_key: Optional[str] = NOT_GIVEN,
        daily_tokens: Optional[int] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.LlmIntegration:
        """Set the account's provider of language models. `PATCH /v1/account/integrations/llm`"""
        return self._call("ai.update_llm_integration", locals())

    def list_agents(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.ListedAgent]:
        """List the agents of the account's phones. `GET /v1/ai/agents`"""
        return self._pages("ai.list_agents", locals())

    def classify(
        self,
        *,
        text: str,
        categories: List[str],
        language: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Classification:
        """Find the category of a text. `POST /v1/ai/classify`"""
        return self._call("ai.classify", locals())

    def summarise(
        self,
        *,
        messages: List[t.SummariseRequestMessage],
        format: Literal["bullet", "paragraph"] = NOT_GIVEN,
        language: str = NOT_GIVEN,
        model: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Summary:
        """Summarise a chat. `POST /v1/ai/summary`"""
        return self._call("ai.summarise", locals())

    def put_agent(
        self,
        id: str,
        *,
        system_prompt: str,
        model: str = NOT_GIVEN,
        enabled: bool = NOT_GIVEN,
        handoff_rules: t.AgentRequestHandoffRules = NOT_GIVEN,
        context_window_turns: int = NOT_GIVEN,
        rag_top_k: int = NOT_GIVEN,
        conversation_ttl_days: int = NOT_GIVEN,
        greeting: Optional[str] = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        built_in_tools: List[t.AgentBuiltInTool] = NOT_GIVEN,
        closed_text: Optional[str] = NOT_GIVEN,
        run_trials_on_change: bool = NOT_GIVEN,
        transcribes_voice: bool = NOT_GIVEN,
        speaks: bool = NOT_GIVEN,
        voice: Optional[str] = NOT_GIVEN,
        sees: t.AgentRequestSees = NOT_GIVEN,
        budget: t.AgentRequestBudget = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Agent:
        """Set a phone's agent, or replace its configuration. `PUT /v1/phones/{id}/ai-agent`"""
        return self._call("ai.put_agent", locals())

    def get_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Agent:
        """Get a phone's agent. `GET /v1/phones/{id}/ai-agent`"""
        return self._call("ai.get_agent", locals())

    def delete_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a phone's agent with its knowledge and conversations. `DELETE /v1/phones/{id}/ai-agent`"""
        return self._call("ai.delete_agent", locals())

    def list_conversations(
        self,
        id: str,
        *,
        status: t.AiConversationStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.AiConversation]:
        """List the agent's conversations, newest first. `GET /v1/phones/{id}/ai-agent/conversations`"""
        return self._pages("ai.list_conversations", locals())

    def get_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """Get an agent's conversation by its contact. `GET /v1/phones/{id}/ai-agent/conversations/{contactKey}`"""
        return self._call("ai.get_conversation", locals())

    def close_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """End a conversation until its contact writes again. `POST
        /v1/phones/{id}/ai-agent/conversations/{contactKey}/close`"""
        return self._call("ai.close_conversation", locals())

    def hand_off_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        reason: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """Let a person take over a conversation. `POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/handoff`"""
        return self._call("ai.hand_off_conversation", locals())

    def list_turns(
        self,
        id: str,
        contact_key: str,
        *,
        limit: int = NOT_GIVEN,
        before: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.AiTurn]:
        """List the turns of a conversation, in the order of time. `GET
        /v1/phones/{id}/ai-agent/conversations/{contactKey}/messages`"""
        return self._pages("ai.list_turns", locals())

    def release_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """Give a conversation back to the agent. `POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/release`"""
        return self._call("ai.release_conversation", locals())

    def disable_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Agent:
        """Stop the agent from beginning conversations. `POST /v1/phones/{id}/ai-agent/disable`"""
        return self._call("ai.disable_agent", locals())

    def enable_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Agent:
        """Switch the agent on. `POST /v1/phones/{id}/ai-agent/enable`"""
        return self._call("ai.enable_agent", locals())

    def add_document(
        self,
        id: str,
        *,
        source: t.DocumentSource,
        title: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        object_key: str = NOT_GIVEN,
        sendable: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AddedDocument:
        """Teach an agent a page, a text or an uploaded file. `POST /v1/phones/{id}/ai-agent/knowledge`"""
        return self._call("ai.add_document", locals())

    def list_documents(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.Document]:
        """List the documents of an agent, newest first. `GET /v1/phones/{id}/ai-agent/knowledge`"""
        return self._pages("ai.list_documents", locals())

    def upload_knowledge_file(
        self,
        id: str,
        file: Upload,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.KnowledgeFile:
        """Upload a file for an agent to learn. `POST /v1/phones/{id}/ai-agent/knowledge/files`"""
        return self._call("ai.upload_knowledge_file", locals())

    def get_document(self, id: str, doc_id: str, *, options: Optional[RequestOptions] = None) -> t.Document:
        """Get a document of an agent. `GET /v1/phones/{id}/ai-agent/knowledge/{docId}`"""
        return self._call("ai.get_document", locals())

    def delete_document(self, id: str, doc_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a document of an agent. `DELETE /v1/phones/{id}/ai-agent/knowledge/{docId}`"""
        return self._call("ai.delete_document", locals())

    def test_agent(
        self,
        id: str,
        *,
        message: str,
        system_prompt_override: str = NOT_GIVEN,
        with_knowledge: bool = NOT_GIVEN,
        call_tools: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AgentReply:
        """Get the agent's answer to a test message. `POST /v1/phones/{id}/ai-agent/test`"""
        return self._call("ai.test_agent", locals())

    def list_agent_tools(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.AgentTool]:
        """List the HTTP tools of an agent, by name. `GET /v1/phones/{id}/ai-agent/tools`"""
        return self._pages("ai.list_agent_tools", locals())

    def create_agent_tool(
        self,
        id: str,
        *,
        name: str,
        description: str,
        parameters: Dict[str, Any],
        url: str,
        secret: str,
        headers: Dict[str, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AgentTool:
        """Let an agent call an HTTP tool. `POST /v1/phones/{id}/ai-agent/tools`"""
        return self._call("ai.create_agent_tool", locals())

    def get_agent_tool(self, id: str, tool_id: str, *, options: Optional[RequestOptions] = None) -> t.AgentTool:
        """Get an HTTP tool of an agent. `GET /v1/phones/{id}/ai-agent/tools/{toolId}`"""
        return self._call("ai.get_agent_tool", locals())

    def replace_agent_tool(
        self,
        id: str,
        tool_id: str,
        *,
        name: str,
        description: str,
        parameters: Dict[str, Any],
        url: str,
        headers: Dict[str, str] = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AgentTool:
        """Replace an HTTP tool of an agent. `PUT /v1/phones/{id}/ai-agent/tools/{toolId}`"""
        return self._call("ai.replace_agent_tool", locals())

    def delete_agent_tool(self, id: str, tool_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete an HTTP tool of an agent. `DELETE /v1/phones/{id}/ai-agent/tools/{toolId}`"""
        return self._call("ai.delete_agent_tool", locals())

    def test_agent_tool(
        self,
        id: str,
        tool_id: str,
        *,
        arguments: Dict[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> t.AgentToolTestResult:
        """Call an HTTP tool once, and see its answer. `POST /v1/phones/{id}/ai-agent/tools/{toolId}/test`"""
        return self._call("ai.test_agent_tool", locals())

    def get_trial_set(self, id: str, *, options: Optional[RequestOptions] = None) -> t.TrialSet:
        """Get the questions that an agent is tried with. `GET /v1/phones/{id}/ai-agent/trials`"""
        return self._call("ai.get_trial_set", locals())

    def put_trial_set(
        self,
        id: str,
        *,
        questions: List[t.TrialSetRequestQuestion],
        options: Optional[RequestOptions] = None,
    ) -> t.TrialSet:
        """Replace the questions that an agent is tried with. `PUT /v1/phones/{id}/ai-agent/trials`"""
        return self._call("ai.put_trial_set", locals())

    def begin_trial_run(
        self,
        id: str,
        *,
        call_tools: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.TrialRun:
        """Ask the agent its questions. `POST /v1/phones/{id}/ai-agent/trials/runs`"""
        return self._call("ai.begin_trial_run", locals())

    def list_trial_runs(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.TrialRun]:
        """List the runs of an agent's questions, newest first. `GET /v1/phones/{id}/ai-agent/trials/runs`"""
        return self._pages("ai.list_trial_runs", locals())

    def get_trial_run(self, id: str, run_id: str, *, options: Optional[RequestOptions] = None) -> t.TrialRunResults:
        """Get a run with its answers, and what changed since the run before. `GET
        /v1/phones/{id}/ai-agent/trials/runs/{runId}`"""
        return self._call("ai.get_trial_run", locals())

    def delete_trial_run(self, id: str, run_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a run. `DELETE /v1/phones/{id}/ai-agent/trials/runs/{runId}`"""
        return self._call("ai.delete_trial_run", locals())


class AuditResource(Resource):
    def list_account_entries(
        self,
        *,
        action: t.ListAuditEntriesAction = NOT_GIVEN,
        actor: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        search: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.AccountAuditEntry]:
        """List who changed what in the account, newest first. `GET /v1/audit`"""
        return self._pages("audit.list_account_entries", locals())


class BillingResource(Resource):
    def get_current(self, *, options: Optional[RequestOptions] = None) -> t.CurrentCosts:
        """Get the cost of the current month so far. `GET /v1/billing/current`"""
        return self._call("billing.get_current", locals())

    def get_customer(self, *, options: Optional[RequestOptions] = None) -> t.KnownBillingCustomer:
        """Get the payer. `GET /v1/billing/customer`"""
        return self._call("billing.get_customer", locals())

    def save_customer(
        self,
        *,
        cpf_cnpj: Optional[str] = NOT_GIVEN,
        name: str = NOT_GIVEN,
        phone: str = NOT_GIVEN,
        address_line: str = NOT_GIVEN,
        address_number: str = NOT_GIVEN,
        province: str = NOT_GIVEN,
        postal_code: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SaveBillingCustomerResult:
        """Set the payer. `POST /v1/billing/customer`"""
        return self._call("billing.save_customer", locals())

    def estimate_cost(
        self,
        *,
        phone_id: str,
        to: List[str],
        template: t.EstimateCostRequestTemplate = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CostEstimate:
        """Get today's cost of one message to each recipient. `POST /v1/billing/estimate`"""
        return self._call("billing.estimate_cost", locals())

    def list_invoices(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Invoice]:
        """List the last 24 invoices, newest first. `GET /v1/billing/invoices`"""
        return self._pages("billing.list_invoices", locals())

    def get_invoice(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Get an invoice. `GET /v1/billing/invoices/{id}`"""
        return self._call("billing.get_invoice", locals())

    def issue_invoice(
        self,
        id: str,
        *,
        billing_type: Literal["BOLETO", "PIX", "CREDIT_CARD", "UNDEFINED"] = NOT_GIVEN,
        due_in_days: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedInvoice:
        """Charge an invoice through the processor. `POST /v1/billing/invoices/{id}/issue`"""
        return self._call("billing.issue_invoice", locals())

    def get_ledger(
        self,
        *,
        from_: Union[datetime, str] = NOT_GIVEN,
        to: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Ledger:
        """Get the network's charges for delivered messages, by day. `GET /v1/billing/ledger`"""
        return self._call("billing.get_ledger", locals())

    def list_months(
        self,
        *,
        months: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.MonthOfAccount]:
        """Get the cost of each of the last months, the oldest first. `GET /v1/billing/months`"""
        return self._pages("billing.list_months", locals())

    def get_usage(
        self,
        *,
        from_: Union[datetime, str] = NOT_GIVEN,
        to: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.GetUsageResult:
        """Get the usage of a period, and its cost. `GET /v1/usage`"""
        return self._call("billing.get_usage", locals())


class BusinessHoursResource(Resource):
    def get(self, *, options: Optional[RequestOptions] = None) -> t.BusinessHours:
        """Get the account's business hours, and whether it is open now. `GET /v1/business-hours`"""
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
        """Set the account's business hours. `PUT /v1/business-hours`"""
        return self._call("business_hours.set", locals())

    def delete(self, *, options: Optional[RequestOptions] = None) -> None:
        """Remove the account's business hours: always open. `DELETE /v1/business-hours`"""
        return self._call("business_hours.delete", locals())


class CallsResource(Resource):
    def get_recording_file(
        self,
        account_id: str,
        call_id: str,
        file_id: str,
        *,
        exp: str = NOT_GIVEN,
        sig: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Get the sound of a signed address. `GET /files/{accountId}/recordings/{callId}/{fileId}`"""
        return self._call("calls.get_recording_file", locals())

    def place(self, *, phone_id: str, to: str, sdp_offer: str, options: Optional[RequestOptions] = None) -> t.Call:
        """Call a person who has allowed it. `POST /v1/calls`"""
        return self._call("calls.place", locals())

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        status: t.CallStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Call]:
        """List calls, newest first. `GET /v1/calls`"""
        return self._pages("calls.list", locals())

    def request_permission(
        self,
        *,
        phone_id: str,
        to: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedPermissionRequest:
        """Ask a person for permission to call. `POST /v1/calls/permission-request`"""
        return self._call("calls.request_permission", locals())

    def get_permission(self, *, phone_id: str, to: str, options: Optional[RequestOptions] = None) -> t.CallPermission:
        """Get whether a person may be called. `GET /v1/calls/permissions`"""
        return self._call("calls.get_permission", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Call:
        """Get a call by its id, or by the network's. `GET /v1/calls/{id}`"""
        return self._call("calls.get", locals())

    def accept(self, id: str, *, sdp_answer: str, options: Optional[RequestOptions] = None) -> t.Call:
        """Accept an incoming call. `POST /v1/calls/{id}/accept`"""
        return self._call("calls.accept", locals())

    def hang_up(self, id: str, *, reason: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Call:
        """End a call. `POST /v1/calls/{id}/hangup`"""
        return self._call("calls.hang_up", locals())

    def upload_recording(self, id: str, file: Upload, *, options: Optional[RequestOptions] = None) -> t.StoredRecording:
        """Store the recording of a call. `POST /v1/calls/{id}/recording`"""
        return self._call("calls.upload_recording", locals())

    def get_recording(self, id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the address of a call's recording. `GET /v1/calls/{id}/recording`"""
        return self._call("calls.get_recording", locals())

    def reject(self, id: str, *, reason: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Call:
        """Reject an incoming call. `POST /v1/calls/{id}/reject`"""
        return self._call("calls.reject", locals())

    def create_link(
        self,
        id: str,
        *,
        video: bool,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CallLink:
        """Make a link by which people join a call. `POST /v1/phones/{id}/call-links`"""
        return self._call("calls.create_link", locals())


class ChatsResource(Resource):
    def list_canned_replies(
        self,
        *,
        q: str = NOT_GIVEN,
        owner: Literal["shared", "own"] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.CannedReply]:
        """List canned replies by shortcut. `GET /v1/canned-replies`"""
        return self._pages("chats.list_canned_replies", locals())

    def create_canned_reply(
        self,
        *,
        shortcut: str,
        text: str,
        shared: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CannedReply:
        """Create a canned reply. `POST /v1/canned-replies`"""
        return self._call("chats.create_canned_reply", locals())

    def get_canned_reply(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CannedReply:
        """Get a canned reply. `GET /v1/canned-replies/{id}`"""
        return self._call("chats.get_canned_reply", locals())

    def update_canned_reply(
        self,
        id: str,
        *,
        shortcut: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        shared: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CannedReply:
        """Change a canned reply. `PATCH /v1/canned-replies/{id}`"""
        return self._call("chats.update_canned_reply", locals())

    def delete_canned_reply(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a canned reply. `DELETE /v1/canned-replies/{id}`"""
        return self._call("chats.delete_canned_reply", locals())

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        state: t.ChatState = NOT_GIVEN,
        unread: bool = NOT_GIVEN,
        archived: bool = NOT_GIVEN,
        label: str = NOT_GIVEN,
        leader: t.ChatLeader = NOT_GIVEN,
        assignee: str = NOT_GIVEN,
        contact_id: str = NOT_GIVEN,
        q: str = NOT_GIVEN,
        tag: str = NOT_GIVEN,
        snoozed: bool = NOT_GIVEN,
        waiting_hours: int = NOT_GIVEN,
        sort: Literal["activity", "waiting"] = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Chat]:
        """List chats, the one with the newest message first. `GET /v1/chats`"""
        return self._pages("chats.list", locals())

    def list_assignees(self, *, options: Optional[RequestOptions] = None) -> Pages[t.PossibleAssignee]:
        """List the members to whom chats may be assigned. `GET /v1/chats/assignees`"""
        return self._pages("chats.list_assignees", locals())

    def count(self, *, assignee: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.ChatCounts:
        """Count the chats, as the tabs of an inbox show them. `GET /v1/chats/counts`"""
        return self._call("chats.count", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Get a chat, with the app or person that leads it. `GET /v1/chats/{id}`"""
        return self._call("chats.get", locals())

    def change(
        self,
        id: str,
        *,
        archived: bool = NOT_GIVEN,
        pinned: bool = NOT_GIVEN,
        muted: bool = NOT_GIVEN,
        muted_until: Optional[Union[datetime, str]] = NOT_GIVEN,
        marked_unread: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedChatChange:
        """Change a chat in the phone's own app: archive, pin, mute, mark as unread. `PATCH /v1/chats/{id}`"""
        return self._call("chats.change", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedChatChange:
        """Delete a chat from the phone's own app. `DELETE /v1/chats/{id}`"""
        return self._call("chats.delete", locals())

    def note_answering(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Tell colleagues that you are writing an answer in a chat. `POST /v1/chats/{id}/answering`"""
        return self._call("chats.note_answering", locals())

    def assign(
        self,
        id: str,
        *,
        user_id: Optional[str],
        note: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Chat:
        """Assign a chat to a member, or remove the assignment. `POST /v1/chats/{id}/assign`"""
        return self._call("chats.assign", locals())

    def clear(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedChatChange:
        """Remove the messages of a chat from the phone's own app. `POST /v1/chats/{id}/clear`"""
        return self._call("chats.clear", locals())

    def close(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Close a chat. `POST /v1/chats/{id}/close`"""
        return self._call("chats.close", locals())

    def hand_over(
        self,
        id: str,
        *,
        to: Literal["app", "agent", "person", "nobody"],
        role: str = NOT_GIVEN,
        metadata: str = NOT_GIVEN,
        reason: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Chat:
        """Hand a chat over to a person, the phone's agent, another app, or nobody. `POST /v1/chats/{id}/handover`"""
        return self._call("chats.hand_over", locals())

    def set_labels(
        self,
        id: str,
        *,
        labels: List[str],
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedChatChange:
        """Give a chat these labels of WhatsApp Business, and no others. `PUT /v1/chats/{id}/labels`"""
        return self._call("chats.set_labels", locals())

    def list_messages(
        self,
        id: str,
        *,
        direction: t.WebhookDirection = NOT_GIVEN,
        status: t.ListMessagesStatus = NOT_GIVEN,
        type: str = NOT_GIVEN,
        sent_by: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        q: str = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.LoggedMessage]:
        """List the messages of a chat, newest first. `GET /v1/chats/{id}/messages`"""
        return self._pages("chats.list_messages", locals())

    @overload
    def answer(
        self,
        id: str,
        *,
        type: t.MessageType,
        content: Dict[str, Any],
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def answer(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        type: t.MessageType,
        content: Dict[str, Any],
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def answer(self, id: str, **given: Any) -> Any:
        """Answer in a chat. `POST /v1/chats/{id}/messages`"""
        return self._call("chats.answer", {"id": id, **given})

    def read(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ChatRead:
        """Mark a chat as read. `POST /v1/chats/{id}/read`"""
        return self._call("chats.read", locals())

    def reopen(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Open a closed chat again. `POST /v1/chats/{id}/reopen`"""
        return self._call("chats.reopen", locals())

    def snooze(self, id: str, *, until: Union[datetime, str], options: Optional[RequestOptions] = None) -> t.Chat:
        """Put an open chat off until a time. `PUT /v1/chats/{id}/snooze`"""
        return self._call("chats.snooze", locals())

    def unsnooze(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Bring a snoozed chat back now. `DELETE /v1/chats/{id}/snooze`"""
        return self._call("chats.unsnooze", locals())


class ContactsResource(Resource):
    def list(
        self,
        *,
        q: str = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        opted_out: bool = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Contact]:
        """List contacts, newest first. `GET /v1/contacts`"""
        return self._pages("contacts.list", locals())

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

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Get a contact. `GET /v1/contacts/{id}`"""
        return self._call("contacts.get", locals())

    def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        email: Optional[str] = NOT_GIVEN,
        tags: List[str] = NOT_GIVEN,
        metadata: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Contact:
        """Change a contact. `PATCH /v1/contacts/{id}`"""
        return self._call("contacts.update", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a contact. `DELETE /v1/contacts/{id}`"""
        return self._call("contacts.delete", locals())

    def opt_out(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact no messages but answers. `PUT /v1/contacts/{id}/opt-out`"""
        return self._call("contacts.opt_out", locals())

    def opt_in(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact messages again. `DELETE /v1/contacts/{id}/opt-out`"""
        return self._call("contacts.opt_in", locals())


class EventsResource(Resource):
    def list_deliveries(
        self,
        *,
        state: t.DeliveryState = NOT_GIVEN,
        webhook_id: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        message_id: str = NOT_GIVEN,
        type: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.WebhookDelivery]:
        """List deliveries to webhooks, newest event first. `GET /v1/deliveries`"""
        return self._pages("events.list_deliveries", locals())

    def retry_deliveries(
        self,
        *,
        state: t.RetriedState,
        webhook_id: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        message_id: str = NOT_GIVEN,
        type: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.RetriedDeliveries:
        """Send all matching deliveries again. `POST /v1/deliveries/retry`"""
        return self._call("events.retry_deliveries", locals())

    def get_delivery(self, id: str, *, options: Optional[RequestOptions] = None) -> t.WebhookDeliveryDetails:
        """Get a delivery with its request and its attempts. `GET /v1/deliveries/{id}`"""
        return self._call("events.get_delivery", locals())

    def retry_delivery(self, id: str, *, options: Optional[RequestOptions] = None) -> t.RetriedDelivery:
        """Send a delivery again at once. `POST /v1/deliveries/{id}/retry`"""
        return self._call("events.retry_delivery", locals())

    def list(
        self,
        *,
        status: t.EventStatus = NOT_GIVEN,
        type: Literal["message:received", "message:standby", "message:status", "message:reaction", "message:edited", "message:transcribed", "message:poll-vote", "message:pinned", "message:kept", "message:event-response", "message:poll-results", "message:operation_failed", "message:fallback", "status:received", "newsletter:received", "channel:connected", "channel:disconnected", "channel:restricted", "channel:unrestricted", "channel:qrcode", "channel:client-expiring", "channel:passkey-required", "media:available", "media:failed", "media:expired", "template:status", "history:progress", "message:starred", "message:labelled", "message:deleted_for_me", "message:expired", "chat:changed", "chat:labelled", "chat:operation_failed", "label:changed", "contact:synced", "comment:received", "conversation:held", "conversation:released", "contact:presence", "chat:updated", "chat:answering", "contact:blocked", "contact:unblocked", "contact:opted-out", "contact:opted-in", "chat:renamed", "channel:delegated", "agent:handoff", "agent:budget_exhausted", "agent:document", "agent:worsened", "group:lifecycle", "group:participants", "group:join-requests", "group:member-label", "group:community", "group:settings", "group:status", "newsletter:changed", "newsletter:counts", "billing:invoice.paid", "billing:invoice.failed", "webhook:failed", "call:*", "call:offer", "call:ringing", "call:accepted", "call:in_progress", "call:completed", "call:rejected", "call:missed", "call:failed"] = NOT_GIVEN,
        types: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        include: Literal["data"] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.ListedEvent]:
        """List events with the progress of their deliveries, newest first. `GET /v1/events`"""
        return self._pages("events.list", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EventDetails:
        """Get an event with its deliveries. `GET /v1/events/{id}`"""
        return self._call("events.get", locals())

    def replay(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ReplayEventResult:
        """Send an event again to the targets that have not received it. `POST /v1/events/{id}/replay`"""
        return self._call("events.replay", locals())


class FlowsResource(Resource):
    def create(
        self,
        *,
        phone_id: str,
        name: str,
        categories: List[str],
        json: Dict[str, Any] = NOT_GIVEN,
        endpoint_url: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Flow:
        """Create a flow as a draft. `POST /v1/flows`"""
        return self._call("flows.create", locals())

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Flow]:
        """List flows, newest first. `GET /v1/flows`"""
        return self._pages("flows.list", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Get a flow. `GET /v1/flows/{id}`"""
        return self._call("flows.get", locals())

    def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        categories: List[str] = NOT_GIVEN,
        json: Dict[str, Any] = NOT_GIVEN,
        endpoint_url: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Flow:
        """Change a flow that is a draft. `PATCH /v1/flows/{id}`"""
        return self._call("flows.update", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a flow. `DELETE /v1/flows/{id}`"""
        return self._call("flows.delete", locals())

    def deprecate(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Deprecate a published flow. `POST /v1/flows/{id}/deprecate`"""
        return self._call("flows.deprecate", locals())

    def publish(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Publish a flow, so that it can be sent. `POST /v1/flows/{id}/publish`"""
        return self._call("flows.publish", locals())

    def sync(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Update a flow from the network. `POST /v1/flows/{id}/sync`"""
        return self._call("flows.sync", locals())

    def create_keypair(self, id: str, *, options: Optional[RequestOptions] = None) -> t.FlowsKeypair:
        """Make a key pair and give the network its public half. `POST /v1/phones/{id}/flows-keypair`"""
        return self._call("flows.create_keypair", locals())

    def get_keypair(self, id: str, *, options: Optional[RequestOptions] = None) -> t.FlowsKeypair:
        """Get the public key of a phone's flows. `GET /v1/phones/{id}/flows-keypair`"""
        return self._call("flows.get_keypair", locals())


class GroupsResource(Resource):
    def create_community(
        self,
        *,
        phone_id: str,
        subject: str,
        description: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Group:
        """Make a community, with its announcement group. `POST /v1/communities`"""
        return self._call("groups.create_community", locals())

    def list_communities(
        self,
        *,
        phone_id: str,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Group]:
        """List a phone's communities, newest first. `GET /v1/communities`"""
        return self._pages("groups.list_communities", locals())

    def deactivate_community(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """End a community. `DELETE /v1/communities/{id}`"""
        return self._call("groups.deactivate_community", locals())

    def list_community(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.LinkedGroup]:
        """List the groups of a community. `GET /v1/communities/{id}/groups`"""
        return self._pages("groups.list_community", locals())

    def link_community(self, id: str, group_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Link a group to a community. `PUT /v1/communities/{id}/groups/{groupId}`"""
        return self._call("groups.link_community", locals())

    def unlink_community(self, id: str, group_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Unlink a group from a community. `DELETE /v1/communities/{id}/groups/{groupId}`"""
        return self._call("groups.unlink_community", locals())

    def list_community_participants(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[str]:
        """List the people in the groups of a community. `GET /v1/communities/{id}/participants`"""
        return self._pages("groups.list_community_participants", locals())

    def create(
        self,
        *,
        phone_id: str,
        subject: str,
        description: str = NOT_GIVEN,
        join_approval_mode: t.GroupJoinMode = NOT_GIVEN,
        participants: List[str] = NOT_GIVEN,
        community_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedGroup:
        """Create a group. `POST /v1/groups`"""
        return self._call("groups.create", locals())

    def list(
        self,
        *,
        phone_id: str,
        include_suspended: bool = NOT_GIVEN,
        refresh: bool = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Group]:
        """List a phone's groups, newest first. `GET /v1/groups`"""
        return self._pages("groups.list", locals())

    def get_invitation(
        self,
        message_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.InvitedGroup:
        """See what an invitation in a message leads to, without joining. `GET /v1/groups/invitations/{messageId}`"""
        return self._call("groups.get_invitation", locals())

    def accept_invitation(
        self,
        message_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.JoinedGroup:
        """Join a group by an invitation that a member sent to the phone. `POST
        /v1/groups/invitations/{messageId}/accept`"""
        return self._call("groups.accept_invitation", locals())

    def get_invited(
        self,
        invite_code: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.InvitedGroup:
        """See what an invite link leads to, without joining. `GET /v1/groups/invites/{inviteCode}`"""
        return self._call("groups.get_invited", locals())

    def join(self, *, phone_id: str, code: str, options: Optional[RequestOptions] = None) -> t.JoinedGroup:
        """Join a group by its invite link. `POST /v1/groups/join`"""
        return self._call("groups.join", locals())

    def get(self, id: str, *, refresh: bool = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Group:
        """Get a group. `GET /v1/groups/{id}`"""
        return self._call("groups.get", locals())

    def update(
        self,
        id: str,
        *,
        subject: str = NOT_GIVEN,
        description: str = NOT_GIVEN,
        join_approval_mode: t.GroupJoinMode = NOT_GIVEN,
        rules: t.GroupRulesInput = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Group:
        """Change a group's subject, description, join mode or rules. `PATCH /v1/groups/{id}`"""
        return self._call("groups.update", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a group. `DELETE /v1/groups/{id}`"""
        return self._call("groups.delete", locals())

    def promote_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.PromoteGroupParticipantsResult, None]:
        """Make people administrators of a group. `POST /v1/groups/{id}/admins`"""
        return self._call("groups.promote_participants", locals())

    def demote_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.DemoteGroupParticipantsResult, None]:
        """Remove the administrator role from people in a group. `DELETE /v1/groups/{id}/admins`"""
        return self._call("groups.demote_participants", locals())

    def change_chat(
        self,
        id: str,
        *,
        archived: bool = NOT_GIVEN,
        pinned: bool = NOT_GIVEN,
        muted: bool = NOT_GIVEN,
        muted_until: Optional[Union[datetime, str]] = NOT_GIVEN,
        marked_unread: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedChatChange:
        """Change a group's chat in the phone's own app: archive, pin, mute, mark as unread. `PATCH
        /v1/groups/{id}/chat`"""
        return self._call("groups.change_chat", locals())

    def get_invite_link(self, id: str, *, options: Optional[RequestOptions] = None) -> t.GroupInvite:
        """Get the invite link of a group from the network. `GET /v1/groups/{id}/invite-link`"""
        return self._call("groups.get_invite_link", locals())

    def reset_invite_link(self, id: str, *, options: Optional[RequestOptions] = None) -> t.GroupInvite:
        """Get a new invite link. `POST /v1/groups/{id}/invite-link/reset`"""
        return self._call("groups.reset_invite_link", locals())

    def list_join_requests(
        self,
        id: str,
        *,
        limit: int = NOT_GIVEN,
        after: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.JoinRequest]:
        """List the requests to join a group. `GET /v1/groups/{id}/join-requests`"""
        return self._pages("groups.list_join_requests", locals())

    def approve_join_requests(
        self,
        id: str,
        *,
        join_request_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> t.ApproveGroupJoinRequestsResult:
        """Approve requests to join a group. `POST /v1/groups/{id}/join-requests/approve`"""
        return self._call("groups.approve_join_requests", locals())

    def reject_join_requests(
        self,
        id: str,
        *,
        join_request_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> t.RejectGroupJoinRequestsResult:
        """Reject requests to join a group. `POST /v1/groups/{id}/join-requests/reject`"""
        return self._call("groups.reject_join_requests", locals())

    def leave(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Leave a group. `POST /v1/groups/{id}/leave`"""
        return self._call("groups.leave", locals())

    def set_member_label(self, id: str, *, label: Optional[str], options: Optional[RequestOptions] = None) -> None:
        """Set the phone's own label in a group. `PUT /v1/groups/{id}/member-label`"""
        return self._call("groups.set_member_label", locals())

    @overload
    def send_message(
        self,
        id: str,
        *,
        type: Literal["text", "image", "video", "audio", "document", "sticker", "template"],
        payload: Dict[str, Any],
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SendGroupMessageResult: ...

    @overload
    def send_message(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        type: Literal["text", "image", "video", "audio", "document", "sticker", "template"],
        payload: Dict[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send_message(self, id: str, **given: Any) -> Any:
        """Send a message to a group, in the network's own format. `POST /v1/groups/{id}/messages`"""
        return self._call("groups.send_message", {"id": id, **given})

    def add_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.AddGroupParticipantsResult, None]:
        """Add people to a group, or invite people who require an invitation. `POST /v1/groups/{id}/participants`"""
        return self._call("groups.add_participants", locals())

    def remove_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RemoveGroupParticipantsResult, None]:
        """Remove people from a group. `DELETE /v1/groups/{id}/participants`"""
        return self._call("groups.remove_participants", locals())

    def set_picture(
        self,
        id: str,
        *,
        media_url: str = NOT_GIVEN,
        base64: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Set a group's picture. `PUT /v1/groups/{id}/picture`"""
        return self._call("groups.set_picture", locals())

    def remove_picture(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove a group's picture. `DELETE /v1/groups/{id}/picture`"""
        return self._call("groups.remove_picture", locals())

    def list_newsletters(self, *, phone_id: str, options: Optional[RequestOptions] = None) -> Pages[t.Newsletter]:
        """List the newsletters that a phone follows or owns. `GET /v1/newsletters`"""
        return self._pages("groups.list_newsletters", locals())

    def create_newsletter(
        self,
        *,
        phone_id: str,
        name: str,
        description: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Newsletter:
        """Make a newsletter. `POST /v1/newsletters`"""
        return self._call("groups.create_newsletter", locals())

    def get_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.Newsletter:
        """Look at a newsletter, followed or not. `GET /v1/newsletters/{newsletterId}`"""
        return self._call("groups.get_newsletter", locals())

    def update_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        name: str = NOT_GIVEN,
        description: str = NOT_GIVEN,
        picture: Optional[t.Picture] = NOT_GIVEN,
        reactions: t.NewsletterReactions = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Change the name, description, picture or reactions of a newsletter. `PATCH /v1/newsletters/{newsletterId}`"""
        return self._call("groups.update_newsletter", locals())

    def delete_newsletter(self, newsletter_id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> None:
        """Delete a newsletter for everybody. `DELETE /v1/newsletters/{newsletterId}`"""
        return self._call("groups.delete_newsletter", locals())

    def follow_newsletter(self, newsletter_id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> None:
        """Follow a newsletter. `PUT /v1/newsletters/{newsletterId}/follow`"""
        return self._call("groups.follow_newsletter", locals())

    def unfollow_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Unfollow a newsletter. `DELETE /v1/newsletters/{newsletterId}/follow`"""
        return self._call("groups.unfollow_newsletter", locals())

    def watch_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.NewsletterLiveUpdates:
        """Get newsletter:counts events for some minutes. `POST /v1/newsletters/{newsletterId}/live-updates`"""
        return self._call("groups.watch_newsletter", locals())

    def list_newsletter_messages(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        limit: int = NOT_GIVEN,
        before: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.ListedNewsletterPost]:
        """List the posts of a newsletter with their views and reactions. `GET
        /v1/newsletters/{newsletterId}/messages`"""
        return self._pages("groups.list_newsletter_messages", locals())

    def react_to_newsletter_message(
        self,
        newsletter_id: str,
        server_id: str,
        *,
        phone_id: str,
        emoji: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """React to a post of any newsletter. `PUT /v1/newsletters/{newsletterId}/messages/{serverId}/reaction`"""
        return self._call("groups.react_to_newsletter_message", locals())

    def mute_newsletter(self, newsletter_id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> None:
        """Mute a newsletter. `PUT /v1/newsletters/{newsletterId}/mute`"""
        return self._call("groups.mute_newsletter", locals())

    def unmute_newsletter(self, newsletter_id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> None:
        """Unmute a newsletter. `DELETE /v1/newsletters/{newsletterId}/mute`"""
        return self._call("groups.unmute_newsletter", locals())


class KeysResource(Resource):
    def create_join_code(self, *, options: Optional[RequestOptions] = None) -> t.JoinCode:
        """Make a code with which an institution takes the account over. `POST /v1/account/join-codes`"""
        return self._call("keys.create_join_code", locals())

    def create(
        self,
        *,
        name: str,
        scopes: List[str] = NOT_GIVEN,
        read_only: bool = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedApiKey:
        """Make an API key for the account. `POST /v1/api-keys`"""
        return self._call("keys.create", locals())

    def list(
        self,
        *,
        revoked: bool = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.ApiKey]:
        """List the account's API keys, newest first. `GET /v1/api-keys`"""
        return self._pages("keys.list", locals())

    def revoke(self, id: str, *, options: Optional[RequestOptions] = None) -> t.RevokeOwnApiKeyResult:
        """Revoke an API key of the account at once. `POST /v1/api-keys/{id}/revoke`"""
        return self._call("keys.revoke", locals())

    def create_cloud_token(
        self,
        id: str,
        *,
        name: str,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.NewCloudToken:
        """Make a token with which a program for the Cloud API uses a phone. `POST /v1/phones/{id}/cloud-api/tokens`"""
        return self._call("keys.create_cloud_token", locals())

    def list_cloud_tokens(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.CloudToken]:
        """List the tokens of a phone for the Cloud API. `GET /v1/phones/{id}/cloud-api/tokens`"""
        return self._pages("keys.list_cloud_tokens", locals())

    def revoke_cloud_token(self, id: str, token_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Revoke a token of a phone for the Cloud API at once. `DELETE /v1/phones/{id}/cloud-api/tokens/{tokenId}`"""
        return self._call("keys.revoke_cloud_token", locals())


class LookupResource(Resource):
    def start(
        self,
        *,
        phone_id: str,
        numbers: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.CachedLookup, t.PendingLookup]:
        """Ask which numbers are on the network. `POST /v1/lookup`"""
        return self._call("lookup.start", locals())

    def get(self, task_id: str, *, options: Optional[RequestOptions] = None) -> t.Lookup:
        """Get a lookup's answer. `GET /v1/lookup/{taskId}`"""
        return self._call("lookup.get", locals())


class MediaResource(Resource):
    def get_file(
        self,
        account_id: str,
        media_id: str,
        *,
        exp: str = NOT_GIVEN,
        sig: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Get the file of a signed address. `GET /files/{accountId}/{mediaId}`"""
        return self._call("media.get_file", locals())

    def get_sent_file(
        self,
        message_id: str,
        *,
        file: str = NOT_GIVEN,
        exp: str = NOT_GIVEN,
        sig: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Get the file of a message that a network sends by its link. `GET /sent-files/{messageId}`"""
        return self._call("media.get_sent_file", locals())

    def keep_file(self, file: Upload, *, options: Optional[RequestOptions] = None) -> t.KeptFile:
        """Upload a file to be sent by its handle. `POST /v1/media/files`"""
        return self._call("media.keep_file", locals())

    def keep_encoded_file(
        self,
        *,
        base64: str,
        mime_type: str = NOT_GIVEN,
        filename: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.KeptFile:
        """Upload a file in base64 to be sent by its handle. `POST /v1/media/files/base64`"""
        return self._call("media.keep_encoded_file", locals())

    def get_kept_file_content(self, handle: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the bytes of a file that was uploaded to be sent. `GET /v1/media/files/{handle}/content`"""
        return self._call("media.get_kept_file_content", locals())

    def upload(
        self,
        *,
        media_url: str,
        mime_type: str,
        x_phone_id: str,
        filename: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.MediaHandle:
        """Upload a file to the phone's network, to be sent by its handle. `POST /v1/media/upload`"""
        return self._call("media.upload", locals())

    def upload_resumable(
        self,
        *,
        media_url: str,
        mime_type: str,
        file_name: str,
        app_id: str,
        x_phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.ResumableUpload:
        """Upload a large file to the network in parts. `POST /v1/media/upload/resumable`"""
        return self._call("media.upload_resumable", locals())

    def delete_upstream(self, upstream_id: str, *, x_phone_id: str, options: Optional[RequestOptions] = None) -> None:
        """Delete an uploaded file at the network. `DELETE /v1/media/upstream/{upstreamId}`"""
        return self._call("media.delete_upstream", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the address of a file that came with a message. `GET /v1/media/{id}`"""
        return self._call("media.get", locals())

    def ack(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Confirm that the file was taken, so that it is deleted. `POST /v1/media/{id}/ack`"""
        return self._call("media.ack", locals())

    def get_content(self, id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the bytes of a file that came with a message. `GET /v1/media/{id}/content`"""
        return self._call("media.get_content", locals())

    def get_info(self, id: str, *, options: Optional[RequestOptions] = None) -> t.MediaFile:
        """Get the details of a file, also of a deleted file. `GET /v1/media/{id}/info`"""
        return self._call("media.get_info", locals())


class MessagesResource(Resource):
    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["text"],
        content: t.TextContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["image"],
        content: t.ImageContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["video"],
        content: t.VideoContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["audio"],
        content: t.AudioContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["document"],
        content: t.DocumentContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["sticker"],
        content: t.StickerContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["location"],
        content: t.LocationContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["contact"],
        content: t.ContactContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["button"],
        content: t.ButtonContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["list"],
        content: t.ListContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["template"],
        content: t.TemplateContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["cta_url"],
        content: t.CtaUrlContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["location_request"],
        content: t.LocationRequestContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["address_message"],
        content: t.AddressContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["flow"],
        content: t.FlowContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["poll"],
        content: t.PollContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["event"],
        content: t.EventContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["copy_code"],
        content: t.CopyCodeContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["carousel"],
        content: t.CarouselContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["phone_number_request"],
        content: t.PhoneNumberRequestContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["phone_number_share"],
        content: Dict[str, Any],
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["order_details"],
        content: t.OrderDetailsContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["order_status"],
        content: t.OrderStatusContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["rich_text"],
        content: t.RichTextContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["pix"],
        content: t.PixContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def send(
        self,
        *,
        dry_run: Literal[True],
        phone_id: str,
        to: str,
        type: Any,
        content: Any,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def send(self, **given: Any) -> Any:
        """Send a message through any phone. `POST /v1/messages`"""
        return self._call("messages.send", {**given})

    def list(
        self,
        *,
        direction: t.WebhookDirection = NOT_GIVEN,
        status: t.ListMessagesStatus = NOT_GIVEN,
        type: str = NOT_GIVEN,
        sent_by: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        q: str = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        contact: str = NOT_GIVEN,
        chat_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.LoggedMessage]:
        """List sent and received messages, newest first. `GET /v1/messages`"""
        return self._pages("messages.list", locals())

    @overload
    def send_cheapest(
        self,
        *,
        to: str,
        type: t.MessageType,
        content: Dict[str, Any],
        template: t.TemplateContent = NOT_GIVEN,
        phone_ids: List[str] = NOT_GIVEN,
        fallback_after_minutes: int = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentCheapest: ...

    @overload
    def send_cheapest(
        self,
        *,
        dry_run: Literal[True],
        to: str,
        type: t.MessageType,
        content: Dict[str, Any],
        template: t.TemplateContent = NOT_GIVEN,
        phone_ids: List[str] = NOT_GIVEN,
        fallback_after_minutes: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunCheapest: ...

    def send_cheapest(self, **given: Any) -> Any:
        """Send a message through the cheapest phone that can send it. `POST /v1/messages/cheapest`"""
        return self._call("messages.send_cheapest", {**given})

    @overload
    def schedule(
        self,
        *,
        scheduled_at: Union[datetime, str],
        payload: t.SendMessage,
        respect_hours: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedScheduledMessage: ...

    @overload
    def schedule(
        self,
        *,
        dry_run: Literal[True],
        scheduled_at: Union[datetime, str],
        payload: t.SendMessage,
        respect_hours: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def schedule(self, **given: Any) -> Any:
        """Send a message later. `POST /v1/messages/scheduled`"""
        return self._call("messages.schedule", {**given})

    def list_scheduled(
        self,
        *,
        status: t.ScheduledStatus = NOT_GIVEN,
        from_: Union[datetime, str] = NOT_GIVEN,
        to: Union[datetime, str] = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        contact: str = NOT_GIVEN,
        sort: t.ScheduledOrder = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.ScheduledMessage]:
        """List scheduled messages. `GET /v1/messages/scheduled`"""
        return self._pages("messages.list_scheduled", locals())

    def get_scheduled(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ScheduledMessageDetails:
        """Get a scheduled message with its payload. `GET /v1/messages/scheduled/{id}`"""
        return self._call("messages.get_scheduled", locals())

    def reschedule(
        self,
        id: str,
        *,
        scheduled_at: Union[datetime, str],
        respect_hours: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ScheduledMessageDetails:
        """Change when a pending message is sent. `PATCH /v1/messages/scheduled/{id}`"""
        return self._call("messages.reschedule", locals())

    def cancel_scheduled(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Cancel a pending message. `DELETE /v1/messages/scheduled/{id}`"""
        return self._call("messages.cancel_scheduled", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Message:
        """Get a message that was sent through the gateway. `GET /v1/messages/{id}`"""
        return self._call("messages.get", locals())

    def delete(
        self,
        id: str,
        *,
        phone_id: str,
        for_: Literal["everyone", "me"] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Delete a message for everyone, or in the phone's own app alone. `DELETE /v1/messages/{id}`"""
        return self._call("messages.delete", locals())

    def edit(
        self,
        id: str,
        *,
        phone_id: str,
        text: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Change the text or the caption of a message that was sent. `POST /v1/messages/{id}/edit`"""
        return self._call("messages.edit", locals())

    @overload
    def forward(
        self,
        id: str,
        *,
        to: str,
        phone_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def forward(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        to: str,
        phone_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def forward(self, id: str, **given: Any) -> Any:
        """Forward a sent or received message to another chat. `POST /v1/messages/{id}/forward`"""
        return self._call("messages.forward", {"id": id, **given})

    def keep(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Keep a message in a chat whose messages disappear. `POST /v1/messages/{id}/keep`"""
        return self._call("messages.keep", locals())

    def unkeep(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Let a kept message disappear. `DELETE /v1/messages/{id}/keep`"""
        return self._call("messages.unkeep", locals())

    def label(
        self,
        id: str,
        *,
        phone_id: str,
        label: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Give a message a label of WhatsApp Business. `POST /v1/messages/{id}/label`"""
        return self._call("messages.label", locals())

    def unlabel(
        self,
        id: str,
        *,
        phone_id: str,
        label: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Take a label of WhatsApp Business from a message. `DELETE /v1/messages/{id}/label`"""
        return self._call("messages.unlabel", locals())

    def pin(
        self,
        id: str,
        *,
        phone_id: str,
        duration: Literal["24h", "7d", "30d"] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Pin a message in its chat, for everyone. `POST /v1/messages/{id}/pin`"""
        return self._call("messages.pin", locals())

    def unpin(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Take the pin of a message back. `DELETE /v1/messages/{id}/pin`"""
        return self._call("messages.unpin", locals())

    def mark_played(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Mark a received voice note as played. `POST /v1/messages/{id}/played`"""
        return self._call("messages.mark_played", locals())

    def react(
        self,
        id: str,
        *,
        phone_id: str,
        emoji: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """React to a message, or take the reaction back. `POST /v1/messages/{id}/react`"""
        return self._call("messages.react", locals())

    def mark_read(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Mark a received message as read. `POST /v1/messages/{id}/read`"""
        return self._call("messages.mark_read", locals())

    def list_receipts(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.PersonReceipts]:
        """List the people who got, read and played a sent message. `GET /v1/messages/{id}/receipts`"""
        return self._pages("messages.list_receipts", locals())

    def respond_to_event(
        self,
        id: str,
        *,
        phone_id: str,
        response: t.EventResponse,
        extra_guests: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Answer a calendar event. `POST /v1/messages/{id}/respond`"""
        return self._call("messages.respond_to_event", locals())

    def star(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Mark a message with a star in the phone's own app. `POST /v1/messages/{id}/star`"""
        return self._call("messages.star", locals())

    def unstar(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Take the star of a message away. `DELETE /v1/messages/{id}/star`"""
        return self._call("messages.unstar", locals())

    def get_timeline(self, id: str, *, options: Optional[RequestOptions] = None) -> t.MessageTimeline:
        """Get every step in the life of a sent or received message. `GET /v1/messages/{id}/timeline`"""
        return self._call("messages.get_timeline", locals())

    def show_typing(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Show that an answer to a received message is being written. `POST /v1/messages/{id}/typing`"""
        return self._call("messages.show_typing", locals())

    def vote_in_poll(
        self,
        id: str,
        *,
        phone_id: str,
        votes: List[Union[str, int]],
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Vote in a poll that was sent or received. `POST /v1/messages/{id}/vote`"""
        return self._call("messages.vote_in_poll", locals())

    def withdraw_vote(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Withdraw the phone's vote in a poll. `DELETE /v1/messages/{id}/vote`"""
        return self._call("messages.withdraw_vote", locals())

    def get_conversation_control(
        self,
        id: str,
        to: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.ConversationControl:
        """Get the app that leads the conversation with a person. `GET /v1/phones/{id}/conversations/{to}/control`"""
        return self._call("messages.get_conversation_control", locals())

    def change_conversation_control(
        self,
        id: str,
        to: str,
        *,
        action: Literal["pass", "take", "release"],
        target_role: str = NOT_GIVEN,
        metadata: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ConversationControl:
        """Pass a conversation to another app, take it, or release it. `POST
        /v1/phones/{id}/conversations/{to}/control`"""
        return self._call("messages.change_conversation_control", locals())


class PhonesResource(Resource):
    def list_kinds(self, *, options: Optional[RequestOptions] = None) -> Pages[t.PhoneKind]:
        """List the kinds of phones that this server has. `GET /v1/kinds`"""
        return self._pages("phones.list_kinds", locals())

    def create(
        self,
        *,
        type: Union[Literal["SESSION", "WABA"], str],
        label: str,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        credentials: Union[t.CreatePhoneRequestCredentials, Dict[str, str]] = NOT_GIVEN,
        proxy: str = NOT_GIVEN,
        history: Literal["none", "recent", "full"] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedPhone:
        """Create a phone. `POST /v1/phones`"""
        return self._call("phones.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Phone]:
        """List the account's phones, newest first. `GET /v1/phones`"""
        return self._pages("phones.list", locals())

    def search(
        self,
        *,
        q: str = NOT_GIVEN,
        ids: str = NOT_GIVEN,
        type: t.PhoneType = NOT_GIVEN,
        status: t.PhoneStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Phone]:
        """Search the account's phones, newest first. `GET /v1/phones/search`"""
        return self._pages("phones.search", locals())

    def connect_social_account(
        self,
        *,
        code: str,
        redirect_uri: str,
        label: str = NOT_GIVEN,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ConnectSocialAccountResult:
        """Make a phone for an account with its owner's consent. `POST /v1/phones/social/oauth`"""
        return self._call("phones.connect_social_account", locals())

    def get_social_oauth_config(self, *, options: Optional[RequestOptions] = None) -> t.SocialConfig:
        """Get the configuration with which a page asks an account's owner for consent. `GET
        /v1/phones/social/oauth/config`"""
        return self._call("phones.get_social_oauth_config", locals())

    def embedded_signup(
        self,
        *,
        code: str,
        waba_id: str,
        state: str = NOT_GIVEN,
        phone_number_id: str = NOT_GIVEN,
        label: str = NOT_GIVEN,
        pin: str = NOT_GIVEN,
        permitir_dedicado: bool = NOT_GIVEN,
        sync: t.EmbeddedSignupRequestSync = NOT_GIVEN,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EmbeddedSignupResult:
        """Add the number that was just signed up. `POST /v1/phones/waba/embedded-signup`"""
        return self._call("phones.embedded_signup", locals())

    def get_embedded_signup_config(self, *, options: Optional[RequestOptions] = None) -> t.SignupConfig:
        """Get the configuration with which a browser opens the network's sign-up. `GET
        /v1/phones/waba/embedded-signup/config`"""
        return self._call("phones.get_embedded_signup_config", locals())

    def read_embedded_signup_event(
        self,
        *,
        message: t.ReadEmbeddedSignupEventRequestMessage,
        options: Optional[RequestOptions] = None,
    ) -> t.SignupEvent:
        """Read an event that the sign-up window sent to the page that opened it. `POST
        /v1/phones/waba/embedded-signup/events`"""
        return self._call("phones.read_embedded_signup_event", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Phone:
        """Get a phone. `GET /v1/phones/{id}`"""
        return self._call("phones.get", locals())

    def update(
        self,
        id: str,
        *,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        shared_webhook_id: Optional[str] = NOT_GIVEN,
        type: Any = NOT_GIVEN,
        label: Any = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Phone:
        """Replace a phone's webhook, link or unlink a shared one. `PATCH /v1/phones/{id}`"""
        return self._call("phones.update", locals())

    def delete(
        self,
        id: str,
        *,
        deregister: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.DeletedPhone, None]:
        """Delete a phone for good. `DELETE /v1/phones/{id}`"""
        return self._call("phones.delete", locals())

    def list_blocks(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.BlockedContact]:
        """List the people whom the phone has blocked. `GET /v1/phones/{id}/blocks`"""
        return self._pages("phones.list_blocks", locals())

    def block(self, id: str, *, to: str, options: Optional[RequestOptions] = None) -> None:
        """Block a person. `POST /v1/phones/{id}/blocks`"""
        return self._call("phones.block", locals())

    def unblock(self, id: str, *, to: str, options: Optional[RequestOptions] = None) -> None:
        """Unblock a person. `DELETE /v1/phones/{id}/blocks`"""
        return self._call("phones.unblock", locals())

    def get_business_hours(self, id: str, *, options: Optional[RequestOptions] = None) -> t.BusinessHours:
        """Get the business hours that count for a phone, and whether it is open now. `GET
        /v1/phones/{id}/business-hours`"""
        return self._call("phones.get_business_hours", locals())

    def set_business_hours(
        self,
        id: str,
        *,
        time_zone: str,
        weekly: t.WeeklyHours,
        holidays: t.BusinessHolidays = NOT_GIVEN,
        dates: List[t.OwnDate] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BusinessHours:
        """Set a phone's own business hours, in place of the account's. `PUT /v1/phones/{id}/business-hours`"""
        return self._call("phones.set_business_hours", locals())

    def delete_business_hours(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove a phone's own hours: the account's count again. `DELETE /v1/phones/{id}/business-hours`"""
        return self._call("phones.delete_business_hours", locals())

    def get_business_profile(self, id: str, *, options: Optional[RequestOptions] = None) -> t.BusinessProfile:
        """Get the profile that customers see of the business. `GET /v1/phones/{id}/business-profile`"""
        return self._call("phones.get_business_profile", locals())

    def update_business_profile(
        self,
        id: str,
        *,
        about: str = NOT_GIVEN,
        address: str = NOT_GIVEN,
        description: str = NOT_GIVEN,
        email: str = NOT_GIVEN,
        vertical: str = NOT_GIVEN,
        websites: List[str] = NOT_GIVEN,
        profile_picture_handle: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BusinessProfile:
        """Change the profile that customers see of the business. `PATCH /v1/phones/{id}/business-profile`"""
        return self._call("phones.update_business_profile", locals())

    def get_capabilities(self, id: str, *, options: Optional[RequestOptions] = None) -> t.PhoneCapabilities:
        """Get the capabilities of a phone's network. `GET /v1/phones/{id}/capabilities`"""
        return self._call("phones.get_capabilities", locals())

    def list_catalog_collections(
        self,
        id: str,
        *,
        of: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.CatalogCollection]:
        """List the collections of a business's catalogue. `GET /v1/phones/{id}/catalog/collections`"""
        return self._pages("phones.list_catalog_collections", locals())

    def list_catalog_products(
        self,
        id: str,
        *,
        of: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.CatalogProduct]:
        """List the products of a business's catalogue. `GET /v1/phones/{id}/catalog/products`"""
        return self._pages("phones.list_catalog_products", locals())

    def resync_chats(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Read again how the phone's app shows its chats. `POST /v1/phones/{id}/chats/resync`"""
        return self._call("phones.resync_chats", locals())

    def get_chat_timer(self, id: str, to: str, *, options: Optional[RequestOptions] = None) -> t.ChatTimer:
        """Get the time after which the messages of a chat disappear. `GET /v1/phones/{id}/chats/{to}/timer`"""
        return self._call("phones.get_chat_timer", locals())

    def set_chat_timer(
        self,
        id: str,
        to: str,
        *,
        seconds: Union[Literal[0], Literal[86400], Literal[604800], Literal[7776000]],
        options: Optional[RequestOptions] = None,
    ) -> t.ChatTimer:
        """Set the time after which the messages of a chat disappear. `PUT /v1/phones/{id}/chats/{to}/timer`"""
        return self._call("phones.set_chat_timer", locals())

    def get_chatwoot(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chatwoot:
        """Show the Chatwoot that a phone is connected with. `GET /v1/phones/{id}/chatwoot`"""
        return self._call("phones.get_chatwoot", locals())

    def set_chatwoot(
        self,
        id: str,
        *,
        url: str,
        chatwoot_account_id: int,
        token: str = NOT_GIVEN,
        inbox_name: str = NOT_GIVEN,
        import_days: int = NOT_GIVEN,
        mark_read: bool = NOT_GIVEN,
        typing: bool = NOT_GIVEN,
        batches: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Chatwoot:
        """Connect a phone with an inbox of a Chatwoot. `PUT /v1/phones/{id}/chatwoot`"""
        return self._call("phones.set_chatwoot", locals())

    def remove_chatwoot(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Disconnect a phone from its Chatwoot. `DELETE /v1/phones/{id}/chatwoot`"""
        return self._call("phones.remove_chatwoot", locals())

    def get_cloud_api(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CloudApi:
        """Show how programs for the Cloud API reach a phone. `GET /v1/phones/{id}/cloud-api`"""
        return self._call("phones.get_cloud_api", locals())

    def update_cloud_api(
        self,
        id: str,
        *,
        display_phone_number: Optional[str] = NOT_GIVEN,
        templates_as_text: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CloudApi:
        """Change how a phone is shown to programs for the Cloud API. `PATCH /v1/phones/{id}/cloud-api`"""
        return self._call("phones.update_cloud_api", locals())

    def get_cloud_webhook(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CloudWebhook:
        """Show where the Cloud-API webhooks of a phone go. `GET /v1/phones/{id}/cloud-api/webhook`"""
        return self._call("phones.get_cloud_webhook", locals())

    def set_cloud_webhook(
        self,
        id: str,
        *,
        url: str,
        verify_token: str,
        program: t.CloudProgram = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CloudWebhook:
        """Set where the Cloud-API webhooks of a phone go. `PUT /v1/phones/{id}/cloud-api/webhook`"""
        return self._call("phones.set_cloud_webhook", locals())

    def remove_cloud_webhook(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove the Cloud-API webhook of a phone. `DELETE /v1/phones/{id}/cloud-api/webhook`"""
        return self._call("phones.remove_cloud_webhook", locals())

    def renew_cloud_webhook_secret(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CloudWebhookSecret:
        """Make a new secret that signs the Cloud-API webhooks. `POST /v1/phones/{id}/cloud-api/webhook/secret`"""
        return self._call("phones.renew_cloud_webhook_secret", locals())

    def sync_contacts(
        self,
        id: str,
        *,
        contacts: bool = NOT_GIVEN,
        history: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SyncRequest:
        """Request the business app's contacts and history. `POST /v1/phones/{id}/contacts/sync`"""
        return self._call("phones.sync_contacts", locals())

    def get_contact_about(self, id: str, to: str, *, options: Optional[RequestOptions] = None) -> t.ContactAbout:
        """Get the about text of a person, as the phone may see it. `GET /v1/phones/{id}/contacts/{to}/about`"""
        return self._call("phones.get_contact_about", locals())

    def get_contact_business_profile(
        self,
        id: str,
        to: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.ContactBusinessProfile:
        """Get the business profile of a person. `GET /v1/phones/{id}/contacts/{to}/business-profile`"""
        return self._call("phones.get_contact_business_profile", locals())

    def get_contact_picture(self, id: str, to: str, *, options: Optional[RequestOptions] = None) -> t.ContactPicture:
        """Get a person's profile picture, as the phone may see it. `GET
        /v1/phones/{id}/contacts/{to}/profile-picture`"""
        return self._call("phones.get_contact_picture", locals())

    def set_credentials(
        self,
        id: str,
        *,
        credentials: Union[t.SetPhoneCredentialsRequestCredentials, Dict[str, str]],
        options: Optional[RequestOptions] = None,
    ) -> t.Phone:
        """Replace a phone's credentials. `PUT /v1/phones/{id}/credentials`"""
        return self._call("phones.set_credentials", locals())

    def get_history_progress(self, id: str, *, options: Optional[RequestOptions] = None) -> t.HistoryProgress:
        """Get the progress of the import of a phone's history. `GET /v1/phones/{id}/history`"""
        return self._call("phones.get_history_progress", locals())

    def request_history(
        self,
        id: str,
        *,
        chat: str,
        count: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryRequest:
        """Ask the owner's phone for older messages of a chat. `POST /v1/phones/{id}/history`"""
        return self._call("phones.request_history", locals())

    def get_ice_breakers(self, id: str, *, options: Optional[RequestOptions] = None) -> t.IceBreakers:
        """Get the questions that people are offered, by language. `GET /v1/phones/{id}/ice-breakers`"""
        return self._call("phones.get_ice_breakers", locals())

    def put_ice_breakers(
        self,
        id: str,
        *,
        ice_breakers: List[t.IceBreakerInput],
        options: Optional[RequestOptions] = None,
    ) -> t.IceBreakers:
        """Replace the questions that people are offered. `PUT /v1/phones/{id}/ice-breakers`"""
        return self._call("phones.put_ice_breakers", locals())

    def delete_ice_breakers(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Offer no questions. `DELETE /v1/phones/{id}/ice-breakers`"""
        return self._call("phones.delete_ice_breakers", locals())

    def resolve_identity(self, id: str, *, key: str, options: Optional[RequestOptions] = None) -> t.Identity:
        """Look up a person whom the phone has met. `GET /v1/phones/{id}/identities/resolve`"""
        return self._call("phones.resolve_identity", locals())

    def list_labels(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.ChatLabel]:
        """List the labels of WhatsApp Business on a phone. `GET /v1/phones/{id}/labels`"""
        return self._pages("phones.list_labels", locals())

    def make_label(
        self,
        id: str,
        *,
        name: str,
        color: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ChatLabel:
        """Make a label on a phone. `POST /v1/phones/{id}/labels`"""
        return self._call("phones.make_label", locals())

    def change_label(
        self,
        id: str,
        label: str,
        *,
        name: str = NOT_GIVEN,
        color: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ChatLabel:
        """Rename or recolour a label. `PATCH /v1/phones/{id}/labels/{label}`"""
        return self._call("phones.change_label", locals())

    def delete_label(self, id: str, label: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a label. `DELETE /v1/phones/{id}/labels/{label}`"""
        return self._call("phones.delete_label", locals())

    def logout(self, id: str, *, options: Optional[RequestOptions] = None) -> t.LogoutPhoneResult:
        """End a phone's connection. `POST /v1/phones/{id}/logout`"""
        return self._call("phones.logout", locals())

    def get_menu(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Menu:
        """Get the menu beside the messages, by language. `GET /v1/phones/{id}/menu`"""
        return self._call("phones.get_menu", locals())

    def put_menu(self, id: str, *, menu: List[t.LocaleMenuInput], options: Optional[RequestOptions] = None) -> t.Menu:
        """Replace the menu beside the messages. `PUT /v1/phones/{id}/menu`"""
        return self._call("phones.put_menu", locals())

    def delete_menu(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Show no menu. `DELETE /v1/phones/{id}/menu`"""
        return self._call("phones.delete_menu", locals())

    def request_name_change(
        self,
        id: str,
        *,
        display_name: str,
        options: Optional[RequestOptions] = None,
    ) -> t.RequestNameChangeResult:
        """Ask the network for another display name. `POST /v1/phones/{id}/name-change`"""
        return self._call("phones.request_name_change", locals())

    def get_name_change(self, id: str, *, options: Optional[RequestOptions] = None) -> t.NameChange:
        """Get the status of the requested display name. `GET /v1/phones/{id}/name-change`"""
        return self._call("phones.get_name_change", locals())

    def get_order(
        self,
        id: str,
        order_id: str,
        *,
        token: str,
        options: Optional[RequestOptions] = None,
    ) -> t.CatalogOrder:
        """Get what a customer has ordered. `GET /v1/phones/{id}/orders/{orderId}`"""
        return self._call("phones.get_order", locals())

    def get_pairing(
        self,
        id: str,
        *,
        seen: str = NOT_GIVEN,
        wait: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Pairing:
        """Get the pairing of a phone as a page shows it: the codes and the state. `GET /v1/phones/{id}/pairing`"""
        return self._call("phones.get_pairing", locals())

    def get_pairing_code(
        self,
        id: str,
        *,
        wait: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PairingCode:
        """Get the code to type on the phone instead of scanning. `GET /v1/phones/{id}/pairing-code`"""
        return self._call("phones.get_pairing_code", locals())

    def create_pairing_code(
        self,
        id: str,
        *,
        phone_number: str,
        force: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatePairingCodeResult:
        """Ask for a code to type on the phone instead of scanning. `POST /v1/phones/{id}/pairing-code`"""
        return self._call("phones.create_pairing_code", locals())

    def create_pairing_link(
        self,
        id: str,
        *,
        label: Optional[str] = NOT_GIVEN,
        minutes: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.NewPairingLink:
        """Make a link with which another person pairs the phone. `POST /v1/phones/{id}/pairing-links`"""
        return self._call("phones.create_pairing_link", locals())

    def list_pairing_links(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.PairingLink]:
        """List the phone's pairing links, newest first. `GET /v1/phones/{id}/pairing-links`"""
        return self._pages("phones.list_pairing_links", locals())

    def revoke_pairing_link(self, id: str, link_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Revoke a pairing link at once. `DELETE /v1/phones/{id}/pairing-links/{linkId}`"""
        return self._call("phones.revoke_pairing_link", locals())

    def get_passkey(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Passkey:
        """Get the passkey request to sign, or the code to compare. `GET /v1/phones/{id}/passkey`"""
        return self._call("phones.get_passkey", locals())

    def assert_passkey(
        self,
        id_: str,
        *,
        id: str,
        raw_id: str,
        type: Literal["public-key"],
        response: t.PasskeyAssertionResponse,
        options: Optional[RequestOptions] = None,
    ) -> t.AcceptedPasskey:
        """Submit the signature of the owner's passkey. `POST /v1/phones/{id}/passkey`"""
        return self._call("phones.assert_passkey", locals())

    def confirm_passkey(self, id: str, *, options: Optional[RequestOptions] = None) -> t.AcceptedPasskey:
        """Confirm that the phone shows the same code. `POST /v1/phones/{id}/passkey/confirm`"""
        return self._call("phones.confirm_passkey", locals())

    def show_presence(
        self,
        id: str,
        *,
        state: t.Presence,
        to: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Show that the phone is online, or writing in a chat. `POST /v1/phones/{id}/presence`"""
        return self._call("phones.show_presence", locals())

    def watch_presence(self, id: str, *, to: str, options: Optional[RequestOptions] = None) -> None:
        """Get a person's contact:presence events for an hour. `POST /v1/phones/{id}/presence/subscriptions`"""
        return self._call("phones.watch_presence", locals())

    def get_privacy_settings(self, id: str, *, options: Optional[RequestOptions] = None) -> t.PrivacySettings:
        """Get the privacy settings of the phone's account. `GET /v1/phones/{id}/privacy`"""
        return self._call("phones.get_privacy_settings", locals())

    def update_privacy_settings(
        self,
        id: str,
        *,
        last_seen: t.PrivacyChangesAbout = NOT_GIVEN,
        online: Literal["all", "match_last_seen"] = NOT_GIVEN,
        picture: t.PrivacyChangesAbout = NOT_GIVEN,
        about: t.PrivacyChangesAbout = NOT_GIVEN,
        read_receipts: Literal["all", "none"] = NOT_GIVEN,
        group_add: Literal["all", "contacts", "contact_blacklist"] = NOT_GIVEN,
        call_add: Literal["all", "known"] = NOT_GIVEN,
        default_disappearing_seconds: Union[Literal[0], Literal[86400], Literal[604800], Literal[7776000]] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PrivacySettings:
        """Change privacy settings of the phone's account. `PATCH /v1/phones/{id}/privacy`"""
        return self._call("phones.update_privacy_settings", locals())

    def get_own_profile(self, id: str, *, options: Optional[RequestOptions] = None) -> t.OwnProfile:
        """Get the profile of the phone's account, as the network shows it. `GET /v1/phones/{id}/profile`"""
        return self._call("phones.get_own_profile", locals())

    def change_own_profile(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        about: str = NOT_GIVEN,
        picture: Optional[t.Picture] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.OwnProfile:
        """Change the name, the about text or the picture of the phone's account. `PUT /v1/phones/{id}/profile`"""
        return self._call("phones.change_own_profile", locals())

    def set_proxy(self, id: str, *, url: Optional[str], options: Optional[RequestOptions] = None) -> t.PhoneProxy:
        """Set or remove a session's proxy. `PUT /v1/phones/{id}/proxy`"""
        return self._call("phones.set_proxy", locals())

    def check_proxy(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ProxyCheck:
        """Check whether the network answers through the phone's proxy. `POST /v1/phones/{id}/proxy/check`"""
        return self._call("phones.check_proxy", locals())

    def get_qr_code(self, id: str, *, wait: int = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.QrCode:
        """Get the QR code of a session that waits to be paired. `GET /v1/phones/{id}/qrcode`"""
        return self._call("phones.get_qr_code", locals())

    def get_quota(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Quota:
        """Get how many chats with new people the phone may begin. `GET /v1/phones/{id}/quota`"""
        return self._call("phones.get_quota", locals())

    def reconnect(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ReconnectPhoneResult:
        """Reconnect a phone with its stored credentials. `POST /v1/phones/{id}/reconnect`"""
        return self._call("phones.reconnect", locals())

    def rotate_token(self, id: str, *, access_token: str, options: Optional[RequestOptions] = None) -> t.Phone:
        """Replace the phone's token. `POST /v1/phones/{id}/rotate-token`"""
        return self._call("phones.rotate_token", locals())

    def get_settings(self, id: str, *, options: Optional[RequestOptions] = None) -> t.PhoneSettings:
        """Get the settings that the phone's type has. `GET /v1/phones/{id}/settings`"""
        return self._call("phones.get_settings", locals())

    def update_settings(
        self,
        id: str,
        *,
        transcribe_voice: Optional[Literal["off", "voice"]] = NOT_GIVEN,
        opt_out_words: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        own_opt_out_words: Optional[str] = NOT_GIVEN,
        native_buttons: Optional[Literal["off", "try"]] = NOT_GIVEN,
        link_previews: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        labels_as_tags: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        always_online: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        read_automatically: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        ignore_groups: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        reject_calls: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        reject_calls_text: Optional[str] = NOT_GIVEN,
        messaging_account_id: Optional[str] = NOT_GIVEN,
        marketing_messages: Optional[Literal["off", "fallback", "strict"]] = NOT_GIVEN,
        marketing_price_factor: Optional[str] = NOT_GIVEN,
        direct_send_name: Optional[str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PhoneSettings:
        """Change settings of the phone. `PATCH /v1/phones/{id}/settings`"""
        return self._call("phones.update_settings", locals())

    @overload
    def post_status(
        self,
        id: str,
        *,
        type: t.StatusType,
        content: Dict[str, Any],
        audience: List[str] = NOT_GIVEN,
        background_color: str = NOT_GIVEN,
        font: int = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    def post_status(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        type: t.StatusType,
        content: Dict[str, Any],
        audience: List[str] = NOT_GIVEN,
        background_color: str = NOT_GIVEN,
        font: int = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    def post_status(self, id: str, **given: Any) -> Any:
        """Post a status (story) of the phone's account. `POST /v1/phones/{id}/statuses`"""
        return self._call("phones.post_status", {"id": id, **given})

    def get_username(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Username:
        """Get the username of the number. `GET /v1/phones/{id}/username`"""
        return self._call("phones.get_username", locals())

    def claim_username(
        self,
        id: str,
        *,
        username: str,
        transfer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Username:
        """Claim a username for the number, or reserve it. `POST /v1/phones/{id}/username`"""
        return self._call("phones.claim_username", locals())

    def release_username(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Release the number's username. `DELETE /v1/phones/{id}/username`"""
        return self._call("phones.release_username", locals())

    def list_username_suggestions(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[str]:
        """List usernames that the network suggests. `GET /v1/phones/{id}/username/suggestions`"""
        return self._pages("phones.list_username_suggestions", locals())

    def request_number_code(
        self,
        id: str,
        *,
        method: Literal["SMS", "VOICE"],
        language: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.RequestNumberCodeResult:
        """Request the code that proves who owns the number. `POST /v1/phones/{id}/verification`"""
        return self._call("phones.request_number_code", locals())

    def verify_number(
        self,
        id: str,
        *,
        code: str = NOT_GIVEN,
        pin: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.NumberVerification:
        """Verify the number by its code, and register it. `POST /v1/phones/{id}/verification/confirm`"""
        return self._call("phones.verify_number", locals())

    def list_webhook_attempts(
        self,
        id: str,
        *,
        status: t.AttemptStatus = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.WebhookAttempt]:
        """List the attempts to deliver to the phone's webhook, newest first. `GET /v1/phones/{id}/webhook/attempts`"""
        return self._pages("phones.list_webhook_attempts", locals())

    def retry_webhook(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedRetry:
        """Try all waiting deliveries of the phone's webhook now. `POST /v1/phones/{id}/webhook/retry`"""
        return self._call("phones.retry_webhook", locals())

    def test_webhook(
        self,
        id: str,
        *,
        type: t.SampleEventType = NOT_GIVEN,
        forged: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookTestResult:
        """Send a sample event to the phone's webhook. `POST /v1/phones/{id}/webhook/test`"""
        return self._call("phones.test_webhook", locals())


class StatsResource(Resource):
    def get(
        self,
        *,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        step: t.StatsStep = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.StatsSeries:
        """Count messages and deliveries, by hour or day. `GET /v1/stats`"""
        return self._call("stats.get", locals())

    def now(self, *, options: Optional[RequestOptions] = None) -> t.StatsNow:
        """Get the states of phones, and the work that waits now. `GET /v1/stats/now`"""
        return self._call("stats.now", locals())


class SystemResource(Resource):
    def health(self, *, options: Optional[RequestOptions] = None) -> t.HealthResult:
        """Check that the process is alive. `GET /health`"""
        return self._call("system.health", locals())

    def ready(self, *, options: Optional[RequestOptions] = None) -> t.Readiness:
        """Check that database, in-process store and media storage work. `GET /health/ready`"""
        return self._call("system.ready", locals())

    def origin(self, *, options: Optional[RequestOptions] = None) -> t.OriginResult:
        """Show the origin of this request, as the server sees it. `GET /origin`"""
        return self._call("system.origin", locals())

    def version(self, *, options: Optional[RequestOptions] = None) -> t.VersionResult:
        """Get the commit that this instance serves. `GET /versao`"""
        return self._call("system.version", locals())


class TemplatesResource(Resource):
    @overload
    def create(
        self,
        *,
        phone_id: str,
        name: str,
        language: str,
        category: t.TemplateCategory,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        allow_category_change: bool = NOT_GIVEN,
        parameter_format: Literal["POSITIONAL", "NAMED"] = NOT_GIVEN,
        library: t.CreateTemplateRequestLibrary = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Template: ...

    @overload
    def create(
        self,
        *,
        dry_run: Literal[True],
        phone_id: str,
        name: str,
        language: str,
        category: t.TemplateCategory,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        allow_category_change: bool = NOT_GIVEN,
        parameter_format: Literal["POSITIONAL", "NAMED"] = NOT_GIVEN,
        library: t.CreateTemplateRequestLibrary = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunTemplate: ...

    def create(self, **given: Any) -> Any:
        """Submit a template for review. `POST /v1/templates`"""
        return self._call("templates.create", {**given})

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        status: t.TemplateStatus = NOT_GIVEN,
        name: str = NOT_GIVEN,
        language: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.Template]:
        """List templates, newest first. `GET /v1/templates`"""
        return self._pages("templates.list", locals())

    def sync(self, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.TemplateSync:
        """Import all templates of the phone's business account. `POST /v1/templates/sync`"""
        return self._call("templates.sync", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Template:
        """Get a template. `GET /v1/templates/{id}`"""
        return self._call("templates.get", locals())

    @overload
    def update(
        self,
        id: str,
        *,
        category: t.TemplateCategory = NOT_GIVEN,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Template: ...

    @overload
    def update(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        category: t.TemplateCategory = NOT_GIVEN,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunTemplate: ...

    def update(self, id: str, **given: Any) -> Any:
        """Change a template, which is then reviewed anew. `PATCH /v1/templates/{id}`"""
        return self._call("templates.update", {"id": id, **given})

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a template here and at the network. `DELETE /v1/templates/{id}`"""
        return self._call("templates.delete", locals())


class WebhooksResource(Resource):
    def create(
        self,
        *,
        label: str,
        url: str,
        secret: str,
        events: List[t.EventType] = NOT_GIVEN,
        all_phones: bool = NOT_GIVEN,
        selected_phone_ids: List[str] = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SharedWebhook:
        """Create a shared webhook. `POST /v1/webhooks`"""
        return self._call("webhooks.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.SharedWebhook]:
        """List shared webhooks. `GET /v1/webhooks`"""
        return self._pages("webhooks.list", locals())

    def list_health(
        self,
        *,
        webhook_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.WebhookHealth]:
        """List all webhooks of the account with their health. `GET /v1/webhooks/health`"""
        return self._pages("webhooks.list_health", locals())

    def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.SharedWebhook:
        """Get a shared webhook. `GET /v1/webhooks/{id}`"""
        return self._call("webhooks.get", locals())

    def update(
        self,
        id: str,
        *,
        label: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        events: List[t.EventType] = NOT_GIVEN,
        all_phones: bool = NOT_GIVEN,
        selected_phone_ids: List[str] = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SharedWebhook:
        """Change a shared webhook. `PATCH /v1/webhooks/{id}`"""
        return self._call("webhooks.update", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a shared webhook and unlink its phones. `DELETE /v1/webhooks/{id}`"""
        return self._call("webhooks.delete", locals())

    def list_attempts(
        self,
        id: str,
        *,
        status: t.AttemptStatus = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.WebhookAttempt]:
        """List the attempts to deliver to a shared webhook, newest first. `GET /v1/webhooks/{id}/attempts`"""
        return self._pages("webhooks.list_attempts", locals())

    def retry(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedRetry:
        """Try all waiting deliveries of a shared webhook now. `POST /v1/webhooks/{id}/retry`"""
        return self._call("webhooks.retry", locals())

    def test(
        self,
        id: str,
        *,
        type: t.SampleEventType = NOT_GIVEN,
        forged: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookTestResult:
        """Send a sample event to a shared webhook. `POST /v1/webhooks/{id}/test`"""
        return self._call("webhooks.test", locals())


class GatewayResources:
    account: AccountResource
    ai: AiResource
    audit: AuditResource
    billing: BillingResource
    business_hours: BusinessHoursResource
    calls: CallsResource
    chats: ChatsResource
    contacts: ContactsResource
    events: EventsResource
    flows: FlowsResource
    groups: GroupsResource
    keys: KeysResource
    lookup: LookupResource
    media: MediaResource
    messages: MessagesResource
    phones: PhonesResource
    stats: StatsResource
    system: SystemResource
    templates: TemplatesResource
    webhooks: WebhooksResource

    def _attach(self, run: Run) -> None:
        self.account = AccountResource(run)
        self.ai = AiResource(run)
        self.audit = AuditResource(run)
        self.billing = BillingResource(run)
        self.business_hours = BusinessHoursResource(run)
        self.calls = CallsResource(run)
        self.chats = ChatsResource(run)
        self.contacts = ContactsResource(run)
        self.events = EventsResource(run)
        self.flows = FlowsResource(run)
        self.groups = GroupsResource(run)
        self.keys = KeysResource(run)
        self.lookup = LookupResource(run)
        self.media = MediaResource(run)
        self.messages = MessagesResource(run)
        self.phones = PhonesResource(run)
        self.stats = StatsResource(run)
        self.system = SystemResource(run)
        self.templates = TemplatesResource(run)
        self.webhooks = WebhooksResource(run)


class AsyncAccountResource(AsyncResource):
    async def get(self, *, options: Optional[RequestOptions] = None) -> t.OwnAccount:
        """Get the account and the key of this request, with their limits. `GET /v1/account`"""
        return await self._call("account.get", locals())


class AsyncAiResource(AsyncResource):
    async def get_llm_integration(self, *, options: Optional[RequestOptions] = None) -> t.LlmIntegration:
        """Get the account's provider of language models. `GET /v1/account/integrations/llm`"""
        return await self._call("ai.get_llm_integration", locals())

    async def update_llm_integration(
        self,
        *,
        base_url: Optional[str] = NOT_GIVEN,
        api_key: Optional[str] = NOT_GIVEN,
        default_model: Optional[str] = NOT_GIVEN,
        embedding_model: Optional[str] = NOT_GIVEN,
        transcription_model: Optional[str] = NOT_GIVEN,
        transcription_language: Optional[str] = NOT_GIVEN,
        speech_model: Optional[str] = NOT_GIVEN,
        embedding_base_url: Optional[str] = NOT_GIVEN,
        embedding_api_key: Optional[str] = NOT_GIVEN,
        daily_tokens: Optional[int] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.LlmIntegration:
        """Set the account's provider of language models. `PATCH /v1/account/integrations/llm`"""
        return await self._call("ai.update_llm_integration", locals())

    def list_agents(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.ListedAgent]:
        """List the agents of the account's phones. `GET /v1/ai/agents`"""
        return self._pages("ai.list_agents", locals())

    async def classify(
        self,
        *,
        text: str,
        categories: List[str],
        language: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Classification:
        """Find the category of a text. `POST /v1/ai/classify`"""
        return await self._call("ai.classify", locals())

    async def summarise(
        self,
        *,
        messages: List[t.SummariseRequestMessage],
        format: Literal["bullet", "paragraph"] = NOT_GIVEN,
        language: str = NOT_GIVEN,
        model: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Summary:
        """Summarise a chat. `POST /v1/ai/summary`"""
        return await self._call("ai.summarise", locals())

    async def put_agent(
        self,
        id: str,
        *,
        system_prompt: str,
        model: str = NOT_GIVEN,
        enabled: bool = NOT_GIVEN,
        handoff_rules: t.AgentRequestHandoffRules = NOT_GIVEN,
        context_window_turns: int = NOT_GIVEN,
        rag_top_k: int = NOT_GIVEN,
        conversation_ttl_days: int = NOT_GIVEN,
        greeting: Optional[str] = NOT_GIVEN,
        respect_hours: bool = NOT_GIVEN,
        built_in_tools: List[t.AgentBuiltInTool] = NOT_GIVEN,
        closed_text: Optional[str] = NOT_GIVEN,
        run_trials_on_change: bool = NOT_GIVEN,
        transcribes_voice: bool = NOT_GIVEN,
        speaks: bool = NOT_GIVEN,
        voice: Optional[str] = NOT_GIVEN,
        sees: t.AgentRequestSees = NOT_GIVEN,
        budget: t.AgentRequestBudget = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Agent:
        """Set a phone's agent, or replace its configuration. `PUT /v1/phones/{id}/ai-agent`"""
        return await self._call("ai.put_agent", locals())

    async def get_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Agent:
        """Get a phone's agent. `GET /v1/phones/{id}/ai-agent`"""
        return await self._call("ai.get_agent", locals())

    async def delete_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a phone's agent with its knowledge and conversations. `DELETE /v1/phones/{id}/ai-agent`"""
        return await self._call("ai.delete_agent", locals())

    def list_conversations(
        self,
        id: str,
        *,
        status: t.AiConversationStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.AiConversation]:
        """List the agent's conversations, newest first. `GET /v1/phones/{id}/ai-agent/conversations`"""
        return self._pages("ai.list_conversations", locals())

    async def get_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """Get an agent's conversation by its contact. `GET /v1/phones/{id}/ai-agent/conversations/{contactKey}`"""
        return await self._call("ai.get_conversation", locals())

    async def close_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """End a conversation until its contact writes again. `POST
        /v1/phones/{id}/ai-agent/conversations/{contactKey}/close`"""
        return await self._call("ai.close_conversation", locals())

    async def hand_off_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        reason: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """Let a person take over a conversation. `POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/handoff`"""
        return await self._call("ai.hand_off_conversation", locals())

    def list_turns(
        self,
        id: str,
        contact_key: str,
        *,
        limit: int = NOT_GIVEN,
        before: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.AiTurn]:
        """List the turns of a conversation, in the order of time. `GET
        /v1/phones/{id}/ai-agent/conversations/{contactKey}/messages`"""
        return self._pages("ai.list_turns", locals())

    async def release_conversation(
        self,
        id: str,
        contact_key: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.AiConversation:
        """Give a conversation back to the agent. `POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/release`"""
        return await self._call("ai.release_conversation", locals())

    async def disable_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Agent:
        """Stop the agent from beginning conversations. `POST /v1/phones/{id}/ai-agent/disable`"""
        return await self._call("ai.disable_agent", locals())

    async def enable_agent(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Agent:
        """Switch the agent on. `POST /v1/phones/{id}/ai-agent/enable`"""
        return await self._call("ai.enable_agent", locals())

    async def add_document(
        self,
        id: str,
        *,
        source: t.DocumentSource,
        title: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        object_key: str = NOT_GIVEN,
        sendable: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AddedDocument:
        """Teach an agent a page, a text or an uploaded file. `POST /v1/phones/{id}/ai-agent/knowledge`"""
        return await self._call("ai.add_document", locals())

    def list_documents(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Document]:
        """List the documents of an agent, newest first. `GET /v1/phones/{id}/ai-agent/knowledge`"""
        return self._pages("ai.list_documents", locals())

    async def upload_knowledge_file(
        self,
        id: str,
        file: Upload,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.KnowledgeFile:
        """Upload a file for an agent to learn. `POST /v1/phones/{id}/ai-agent/knowledge/files`"""
        return await self._call("ai.upload_knowledge_file", locals())

    async def get_document(self, id: str, doc_id: str, *, options: Optional[RequestOptions] = None) -> t.Document:
        """Get a document of an agent. `GET /v1/phones/{id}/ai-agent/knowledge/{docId}`"""
        return await self._call("ai.get_document", locals())

    async def delete_document(self, id: str, doc_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a document of an agent. `DELETE /v1/phones/{id}/ai-agent/knowledge/{docId}`"""
        return await self._call("ai.delete_document", locals())

    async def test_agent(
        self,
        id: str,
        *,
        message: str,
        system_prompt_override: str = NOT_GIVEN,
        with_knowledge: bool = NOT_GIVEN,
        call_tools: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AgentReply:
        """Get the agent's answer to a test message. `POST /v1/phones/{id}/ai-agent/test`"""
        return await self._call("ai.test_agent", locals())

    def list_agent_tools(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.AgentTool]:
        """List the HTTP tools of an agent, by name. `GET /v1/phones/{id}/ai-agent/tools`"""
        return self._pages("ai.list_agent_tools", locals())

    async def create_agent_tool(
        self,
        id: str,
        *,
        name: str,
        description: str,
        parameters: Dict[str, Any],
        url: str,
        secret: str,
        headers: Dict[str, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AgentTool:
        """Let an agent call an HTTP tool. `POST /v1/phones/{id}/ai-agent/tools`"""
        return await self._call("ai.create_agent_tool", locals())

    async def get_agent_tool(self, id: str, tool_id: str, *, options: Optional[RequestOptions] = None) -> t.AgentTool:
        """Get an HTTP tool of an agent. `GET /v1/phones/{id}/ai-agent/tools/{toolId}`"""
        return await self._call("ai.get_agent_tool", locals())

    async def replace_agent_tool(
        self,
        id: str,
        tool_id: str,
        *,
        name: str,
        description: str,
        parameters: Dict[str, Any],
        url: str,
        headers: Dict[str, str] = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.AgentTool:
        """Replace an HTTP tool of an agent. `PUT /v1/phones/{id}/ai-agent/tools/{toolId}`"""
        return await self._call("ai.replace_agent_tool", locals())

    async def delete_agent_tool(self, id: str, tool_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete an HTTP tool of an agent. `DELETE /v1/phones/{id}/ai-agent/tools/{toolId}`"""
        return await self._call("ai.delete_agent_tool", locals())

    async def test_agent_tool(
        self,
        id: str,
        tool_id: str,
        *,
        arguments: Dict[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> t.AgentToolTestResult:
        """Call an HTTP tool once, and see its answer. `POST /v1/phones/{id}/ai-agent/tools/{toolId}/test`"""
        return await self._call("ai.test_agent_tool", locals())

    async def get_trial_set(self, id: str, *, options: Optional[RequestOptions] = None) -> t.TrialSet:
        """Get the questions that an agent is tried with. `GET /v1/phones/{id}/ai-agent/trials`"""
        return await self._call("ai.get_trial_set", locals())

    async def put_trial_set(
        self,
        id: str,
        *,
        questions: List[t.TrialSetRequestQuestion],
        options: Optional[RequestOptions] = None,
    ) -> t.TrialSet:
        """Replace the questions that an agent is tried with. `PUT /v1/phones/{id}/ai-agent/trials`"""
        return await self._call("ai.put_trial_set", locals())

    async def begin_trial_run(
        self,
        id: str,
        *,
        call_tools: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.TrialRun:
        """Ask the agent its questions. `POST /v1/phones/{id}/ai-agent/trials/runs`"""
        return await self._call("ai.begin_trial_run", locals())

    def list_trial_runs(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.TrialRun]:
        """List the runs of an agent's questions, newest first. `GET /v1/phones/{id}/ai-agent/trials/runs`"""
        return self._pages("ai.list_trial_runs", locals())

    async def get_trial_run(
        self,
        id: str,
        run_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.TrialRunResults:
        """Get a run with its answers, and what changed since the run before. `GET
        /v1/phones/{id}/ai-agent/trials/runs/{runId}`"""
        return await self._call("ai.get_trial_run", locals())

    async def delete_trial_run(self, id: str, run_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a run. `DELETE /v1/phones/{id}/ai-agent/trials/runs/{runId}`"""
        return await self._call("ai.delete_trial_run", locals())


class AsyncAuditResource(AsyncResource):
    def list_account_entries(
        self,
        *,
        action: t.ListAuditEntriesAction = NOT_GIVEN,
        actor: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        search: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.AccountAuditEntry]:
        """List who changed what in the account, newest first. `GET /v1/audit`"""
        return self._pages("audit.list_account_entries", locals())


class AsyncBillingResource(AsyncResource):
    async def get_current(self, *, options: Optional[RequestOptions] = None) -> t.CurrentCosts:
        """Get the cost of the current month so far. `GET /v1/billing/current`"""
        return await self._call("billing.get_current", locals())

    async def get_customer(self, *, options: Optional[RequestOptions] = None) -> t.KnownBillingCustomer:
        """Get the payer. `GET /v1/billing/customer`"""
        return await self._call("billing.get_customer", locals())

    async def save_customer(
        self,
        *,
        cpf_cnpj: Optional[str] = NOT_GIVEN,
        name: str = NOT_GIVEN,
        phone: str = NOT_GIVEN,
        address_line: str = NOT_GIVEN,
        address_number: str = NOT_GIVEN,
        province: str = NOT_GIVEN,
        postal_code: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SaveBillingCustomerResult:
        """Set the payer. `POST /v1/billing/customer`"""
        return await self._call("billing.save_customer", locals())

    async def estimate_cost(
        self,
        *,
        phone_id: str,
        to: List[str],
        template: t.EstimateCostRequestTemplate = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CostEstimate:
        """Get today's cost of one message to each recipient. `POST /v1/billing/estimate`"""
        return await self._call("billing.estimate_cost", locals())

    def list_invoices(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Invoice]:
        """List the last 24 invoices, newest first. `GET /v1/billing/invoices`"""
        return self._pages("billing.list_invoices", locals())

    async def get_invoice(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Get an invoice. `GET /v1/billing/invoices/{id}`"""
        return await self._call("billing.get_invoice", locals())

    async def issue_invoice(
        self,
        id: str,
        *,
        billing_type: Literal["BOLETO", "PIX", "CREDIT_CARD", "UNDEFINED"] = NOT_GIVEN,
        due_in_days: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedInvoice:
        """Charge an invoice through the processor. `POST /v1/billing/invoices/{id}/issue`"""
        return await self._call("billing.issue_invoice", locals())

    async def get_ledger(
        self,
        *,
        from_: Union[datetime, str] = NOT_GIVEN,
        to: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Ledger:
        """Get the network's charges for delivered messages, by day. `GET /v1/billing/ledger`"""
        return await self._call("billing.get_ledger", locals())

    def list_months(
        self,
        *,
        months: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.MonthOfAccount]:
        """Get the cost of each of the last months, the oldest first. `GET /v1/billing/months`"""
        return self._pages("billing.list_months", locals())

    async def get_usage(
        self,
        *,
        from_: Union[datetime, str] = NOT_GIVEN,
        to: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.GetUsageResult:
        """Get the usage of a period, and its cost. `GET /v1/usage`"""
        return await self._call("billing.get_usage", locals())


class AsyncBusinessHoursResource(AsyncResource):
    async def get(self, *, options: Optional[RequestOptions] = None) -> t.BusinessHours:
        """Get the account's business hours, and whether it is open now. `GET /v1/business-hours`"""
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
        """Set the account's business hours. `PUT /v1/business-hours`"""
        return await self._call("business_hours.set", locals())

    async def delete(self, *, options: Optional[RequestOptions] = None) -> None:
        """Remove the account's business hours: always open. `DELETE /v1/business-hours`"""
        return await self._call("business_hours.delete", locals())


class AsyncCallsResource(AsyncResource):
    async def get_recording_file(
        self,
        account_id: str,
        call_id: str,
        file_id: str,
        *,
        exp: str = NOT_GIVEN,
        sig: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Get the sound of a signed address. `GET /files/{accountId}/recordings/{callId}/{fileId}`"""
        return await self._call("calls.get_recording_file", locals())

    async def place(
        self,
        *,
        phone_id: str,
        to: str,
        sdp_offer: str,
        options: Optional[RequestOptions] = None,
    ) -> t.Call:
        """Call a person who has allowed it. `POST /v1/calls`"""
        return await self._call("calls.place", locals())

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        status: t.CallStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Call]:
        """List calls, newest first. `GET /v1/calls`"""
        return self._pages("calls.list", locals())

    async def request_permission(
        self,
        *,
        phone_id: str,
        to: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedPermissionRequest:
        """Ask a person for permission to call. `POST /v1/calls/permission-request`"""
        return await self._call("calls.request_permission", locals())

    async def get_permission(
        self,
        *,
        phone_id: str,
        to: str,
        options: Optional[RequestOptions] = None,
    ) -> t.CallPermission:
        """Get whether a person may be called. `GET /v1/calls/permissions`"""
        return await self._call("calls.get_permission", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Call:
        """Get a call by its id, or by the network's. `GET /v1/calls/{id}`"""
        return await self._call("calls.get", locals())

    async def accept(self, id: str, *, sdp_answer: str, options: Optional[RequestOptions] = None) -> t.Call:
        """Accept an incoming call. `POST /v1/calls/{id}/accept`"""
        return await self._call("calls.accept", locals())

    async def hang_up(self, id: str, *, reason: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Call:
        """End a call. `POST /v1/calls/{id}/hangup`"""
        return await self._call("calls.hang_up", locals())

    async def upload_recording(
        self,
        id: str,
        file: Upload,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.StoredRecording:
        """Store the recording of a call. `POST /v1/calls/{id}/recording`"""
        return await self._call("calls.upload_recording", locals())

    async def get_recording(self, id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the address of a call's recording. `GET /v1/calls/{id}/recording`"""
        return await self._call("calls.get_recording", locals())

    async def reject(self, id: str, *, reason: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Call:
        """Reject an incoming call. `POST /v1/calls/{id}/reject`"""
        return await self._call("calls.reject", locals())

    async def create_link(
        self,
        id: str,
        *,
        video: bool,
        starts_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CallLink:
        """Make a link by which people join a call. `POST /v1/phones/{id}/call-links`"""
        return await self._call("calls.create_link", locals())


class AsyncChatsResource(AsyncResource):
    def list_canned_replies(
        self,
        *,
        q: str = NOT_GIVEN,
        owner: Literal["shared", "own"] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.CannedReply]:
        """List canned replies by shortcut. `GET /v1/canned-replies`"""
        return self._pages("chats.list_canned_replies", locals())

    async def create_canned_reply(
        self,
        *,
        shortcut: str,
        text: str,
        shared: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CannedReply:
        """Create a canned reply. `POST /v1/canned-replies`"""
        return await self._call("chats.create_canned_reply", locals())

    async def get_canned_reply(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CannedReply:
        """Get a canned reply. `GET /v1/canned-replies/{id}`"""
        return await self._call("chats.get_canned_reply", locals())

    async def update_canned_reply(
        self,
        id: str,
        *,
        shortcut: str = NOT_GIVEN,
        text: str = NOT_GIVEN,
        shared: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CannedReply:
        """Change a canned reply. `PATCH /v1/canned-replies/{id}`"""
        return await self._call("chats.update_canned_reply", locals())

    async def delete_canned_reply(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a canned reply. `DELETE /v1/canned-replies/{id}`"""
        return await self._call("chats.delete_canned_reply", locals())

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        state: t.ChatState = NOT_GIVEN,
        unread: bool = NOT_GIVEN,
        archived: bool = NOT_GIVEN,
        label: str = NOT_GIVEN,
        leader: t.ChatLeader = NOT_GIVEN,
        assignee: str = NOT_GIVEN,
        contact_id: str = NOT_GIVEN,
        q: str = NOT_GIVEN,
        tag: str = NOT_GIVEN,
        snoozed: bool = NOT_GIVEN,
        waiting_hours: int = NOT_GIVEN,
        sort: Literal["activity", "waiting"] = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Chat]:
        """List chats, the one with the newest message first. `GET /v1/chats`"""
        return self._pages("chats.list", locals())

    def list_assignees(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.PossibleAssignee]:
        """List the members to whom chats may be assigned. `GET /v1/chats/assignees`"""
        return self._pages("chats.list_assignees", locals())

    async def count(self, *, assignee: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.ChatCounts:
        """Count the chats, as the tabs of an inbox show them. `GET /v1/chats/counts`"""
        return await self._call("chats.count", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Get a chat, with the app or person that leads it. `GET /v1/chats/{id}`"""
        return await self._call("chats.get", locals())

    async def change(
        self,
        id: str,
        *,
        archived: bool = NOT_GIVEN,
        pinned: bool = NOT_GIVEN,
        muted: bool = NOT_GIVEN,
        muted_until: Optional[Union[datetime, str]] = NOT_GIVEN,
        marked_unread: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedChatChange:
        """Change a chat in the phone's own app: archive, pin, mute, mark as unread. `PATCH /v1/chats/{id}`"""
        return await self._call("chats.change", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedChatChange:
        """Delete a chat from the phone's own app. `DELETE /v1/chats/{id}`"""
        return await self._call("chats.delete", locals())

    async def note_answering(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Tell colleagues that you are writing an answer in a chat. `POST /v1/chats/{id}/answering`"""
        return await self._call("chats.note_answering", locals())

    async def assign(
        self,
        id: str,
        *,
        user_id: Optional[str],
        note: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Chat:
        """Assign a chat to a member, or remove the assignment. `POST /v1/chats/{id}/assign`"""
        return await self._call("chats.assign", locals())

    async def clear(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedChatChange:
        """Remove the messages of a chat from the phone's own app. `POST /v1/chats/{id}/clear`"""
        return await self._call("chats.clear", locals())

    async def close(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Close a chat. `POST /v1/chats/{id}/close`"""
        return await self._call("chats.close", locals())

    async def hand_over(
        self,
        id: str,
        *,
        to: Literal["app", "agent", "person", "nobody"],
        role: str = NOT_GIVEN,
        metadata: str = NOT_GIVEN,
        reason: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Chat:
        """Hand a chat over to a person, the phone's agent, another app, or nobody. `POST /v1/chats/{id}/handover`"""
        return await self._call("chats.hand_over", locals())

    async def set_labels(
        self,
        id: str,
        *,
        labels: List[str],
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedChatChange:
        """Give a chat these labels of WhatsApp Business, and no others. `PUT /v1/chats/{id}/labels`"""
        return await self._call("chats.set_labels", locals())

    def list_messages(
        self,
        id: str,
        *,
        direction: t.WebhookDirection = NOT_GIVEN,
        status: t.ListMessagesStatus = NOT_GIVEN,
        type: str = NOT_GIVEN,
        sent_by: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        q: str = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.LoggedMessage]:
        """List the messages of a chat, newest first. `GET /v1/chats/{id}/messages`"""
        return self._pages("chats.list_messages", locals())

    @overload
    async def answer(
        self,
        id: str,
        *,
        type: t.MessageType,
        content: Dict[str, Any],
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def answer(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        type: t.MessageType,
        content: Dict[str, Any],
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def answer(self, id: str, **given: Any) -> Any:
        """Answer in a chat. `POST /v1/chats/{id}/messages`"""
        return await self._call("chats.answer", {"id": id, **given})

    async def read(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ChatRead:
        """Mark a chat as read. `POST /v1/chats/{id}/read`"""
        return await self._call("chats.read", locals())

    async def reopen(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Open a closed chat again. `POST /v1/chats/{id}/reopen`"""
        return await self._call("chats.reopen", locals())

    async def snooze(self, id: str, *, until: Union[datetime, str], options: Optional[RequestOptions] = None) -> t.Chat:
        """Put an open chat off until a time. `PUT /v1/chats/{id}/snooze`"""
        return await self._call("chats.snooze", locals())

    async def unsnooze(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chat:
        """Bring a snoozed chat back now. `DELETE /v1/chats/{id}/snooze`"""
        return await self._call("chats.unsnooze", locals())


class AsyncContactsResource(AsyncResource):
    def list(
        self,
        *,
        q: str = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        opted_out: bool = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Contact]:
        """List contacts, newest first. `GET /v1/contacts`"""
        return self._pages("contacts.list", locals())

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

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Get a contact. `GET /v1/contacts/{id}`"""
        return await self._call("contacts.get", locals())

    async def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        email: Optional[str] = NOT_GIVEN,
        tags: List[str] = NOT_GIVEN,
        metadata: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Contact:
        """Change a contact. `PATCH /v1/contacts/{id}`"""
        return await self._call("contacts.update", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a contact. `DELETE /v1/contacts/{id}`"""
        return await self._call("contacts.delete", locals())

    async def opt_out(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact no messages but answers. `PUT /v1/contacts/{id}/opt-out`"""
        return await self._call("contacts.opt_out", locals())

    async def opt_in(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Contact:
        """Send a contact messages again. `DELETE /v1/contacts/{id}/opt-out`"""
        return await self._call("contacts.opt_in", locals())


class AsyncEventsResource(AsyncResource):
    def list_deliveries(
        self,
        *,
        state: t.DeliveryState = NOT_GIVEN,
        webhook_id: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        message_id: str = NOT_GIVEN,
        type: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.WebhookDelivery]:
        """List deliveries to webhooks, newest event first. `GET /v1/deliveries`"""
        return self._pages("events.list_deliveries", locals())

    async def retry_deliveries(
        self,
        *,
        state: t.RetriedState,
        webhook_id: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        message_id: str = NOT_GIVEN,
        type: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.RetriedDeliveries:
        """Send all matching deliveries again. `POST /v1/deliveries/retry`"""
        return await self._call("events.retry_deliveries", locals())

    async def get_delivery(self, id: str, *, options: Optional[RequestOptions] = None) -> t.WebhookDeliveryDetails:
        """Get a delivery with its request and its attempts. `GET /v1/deliveries/{id}`"""
        return await self._call("events.get_delivery", locals())

    async def retry_delivery(self, id: str, *, options: Optional[RequestOptions] = None) -> t.RetriedDelivery:
        """Send a delivery again at once. `POST /v1/deliveries/{id}/retry`"""
        return await self._call("events.retry_delivery", locals())

    def list(
        self,
        *,
        status: t.EventStatus = NOT_GIVEN,
        type: Literal["message:received", "message:standby", "message:status", "message:reaction", "message:edited", "message:transcribed", "message:poll-vote", "message:pinned", "message:kept", "message:event-response", "message:poll-results", "message:operation_failed", "message:fallback", "status:received", "newsletter:received", "channel:connected", "channel:disconnected", "channel:restricted", "channel:unrestricted", "channel:qrcode", "channel:client-expiring", "channel:passkey-required", "media:available", "media:failed", "media:expired", "template:status", "history:progress", "message:starred", "message:labelled", "message:deleted_for_me", "message:expired", "chat:changed", "chat:labelled", "chat:operation_failed", "label:changed", "contact:synced", "comment:received", "conversation:held", "conversation:released", "contact:presence", "chat:updated", "chat:answering", "contact:blocked", "contact:unblocked", "contact:opted-out", "contact:opted-in", "chat:renamed", "channel:delegated", "agent:handoff", "agent:budget_exhausted", "agent:document", "agent:worsened", "group:lifecycle", "group:participants", "group:join-requests", "group:member-label", "group:community", "group:settings", "group:status", "newsletter:changed", "newsletter:counts", "billing:invoice.paid", "billing:invoice.failed", "webhook:failed", "call:*", "call:offer", "call:ringing", "call:accepted", "call:in_progress", "call:completed", "call:rejected", "call:missed", "call:failed"] = NOT_GIVEN,
        types: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        include: Literal["data"] = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.ListedEvent]:
        """List events with the progress of their deliveries, newest first. `GET /v1/events`"""
        return self._pages("events.list", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EventDetails:
        """Get an event with its deliveries. `GET /v1/events/{id}`"""
        return await self._call("events.get", locals())

    async def replay(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ReplayEventResult:
        """Send an event again to the targets that have not received it. `POST /v1/events/{id}/replay`"""
        return await self._call("events.replay", locals())


class AsyncFlowsResource(AsyncResource):
    async def create(
        self,
        *,
        phone_id: str,
        name: str,
        categories: List[str],
        json: Dict[str, Any] = NOT_GIVEN,
        endpoint_url: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Flow:
        """Create a flow as a draft. `POST /v1/flows`"""
        return await self._call("flows.create", locals())

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Flow]:
        """List flows, newest first. `GET /v1/flows`"""
        return self._pages("flows.list", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Get a flow. `GET /v1/flows/{id}`"""
        return await self._call("flows.get", locals())

    async def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        categories: List[str] = NOT_GIVEN,
        json: Dict[str, Any] = NOT_GIVEN,
        endpoint_url: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Flow:
        """Change a flow that is a draft. `PATCH /v1/flows/{id}`"""
        return await self._call("flows.update", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a flow. `DELETE /v1/flows/{id}`"""
        return await self._call("flows.delete", locals())

    async def deprecate(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Deprecate a published flow. `POST /v1/flows/{id}/deprecate`"""
        return await self._call("flows.deprecate", locals())

    async def publish(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Publish a flow, so that it can be sent. `POST /v1/flows/{id}/publish`"""
        return await self._call("flows.publish", locals())

    async def sync(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Flow:
        """Update a flow from the network. `POST /v1/flows/{id}/sync`"""
        return await self._call("flows.sync", locals())

    async def create_keypair(self, id: str, *, options: Optional[RequestOptions] = None) -> t.FlowsKeypair:
        """Make a key pair and give the network its public half. `POST /v1/phones/{id}/flows-keypair`"""
        return await self._call("flows.create_keypair", locals())

    async def get_keypair(self, id: str, *, options: Optional[RequestOptions] = None) -> t.FlowsKeypair:
        """Get the public key of a phone's flows. `GET /v1/phones/{id}/flows-keypair`"""
        return await self._call("flows.get_keypair", locals())


class AsyncGroupsResource(AsyncResource):
    async def create_community(
        self,
        *,
        phone_id: str,
        subject: str,
        description: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Group:
        """Make a community, with its announcement group. `POST /v1/communities`"""
        return await self._call("groups.create_community", locals())

    def list_communities(
        self,
        *,
        phone_id: str,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Group]:
        """List a phone's communities, newest first. `GET /v1/communities`"""
        return self._pages("groups.list_communities", locals())

    async def deactivate_community(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """End a community. `DELETE /v1/communities/{id}`"""
        return await self._call("groups.deactivate_community", locals())

    def list_community(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.LinkedGroup]:
        """List the groups of a community. `GET /v1/communities/{id}/groups`"""
        return self._pages("groups.list_community", locals())

    async def link_community(self, id: str, group_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Link a group to a community. `PUT /v1/communities/{id}/groups/{groupId}`"""
        return await self._call("groups.link_community", locals())

    async def unlink_community(self, id: str, group_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Unlink a group from a community. `DELETE /v1/communities/{id}/groups/{groupId}`"""
        return await self._call("groups.unlink_community", locals())

    def list_community_participants(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[str]:
        """List the people in the groups of a community. `GET /v1/communities/{id}/participants`"""
        return self._pages("groups.list_community_participants", locals())

    async def create(
        self,
        *,
        phone_id: str,
        subject: str,
        description: str = NOT_GIVEN,
        join_approval_mode: t.GroupJoinMode = NOT_GIVEN,
        participants: List[str] = NOT_GIVEN,
        community_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedGroup:
        """Create a group. `POST /v1/groups`"""
        return await self._call("groups.create", locals())

    def list(
        self,
        *,
        phone_id: str,
        include_suspended: bool = NOT_GIVEN,
        refresh: bool = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Group]:
        """List a phone's groups, newest first. `GET /v1/groups`"""
        return self._pages("groups.list", locals())

    async def get_invitation(
        self,
        message_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.InvitedGroup:
        """See what an invitation in a message leads to, without joining. `GET /v1/groups/invitations/{messageId}`"""
        return await self._call("groups.get_invitation", locals())

    async def accept_invitation(
        self,
        message_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.JoinedGroup:
        """Join a group by an invitation that a member sent to the phone. `POST
        /v1/groups/invitations/{messageId}/accept`"""
        return await self._call("groups.accept_invitation", locals())

    async def get_invited(
        self,
        invite_code: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.InvitedGroup:
        """See what an invite link leads to, without joining. `GET /v1/groups/invites/{inviteCode}`"""
        return await self._call("groups.get_invited", locals())

    async def join(self, *, phone_id: str, code: str, options: Optional[RequestOptions] = None) -> t.JoinedGroup:
        """Join a group by its invite link. `POST /v1/groups/join`"""
        return await self._call("groups.join", locals())

    async def get(self, id: str, *, refresh: bool = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Group:
        """Get a group. `GET /v1/groups/{id}`"""
        return await self._call("groups.get", locals())

    async def update(
        self,
        id: str,
        *,
        subject: str = NOT_GIVEN,
        description: str = NOT_GIVEN,
        join_approval_mode: t.GroupJoinMode = NOT_GIVEN,
        rules: t.GroupRulesInput = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Group:
        """Change a group's subject, description, join mode or rules. `PATCH /v1/groups/{id}`"""
        return await self._call("groups.update", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a group. `DELETE /v1/groups/{id}`"""
        return await self._call("groups.delete", locals())

    async def promote_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.PromoteGroupParticipantsResult, None]:
        """Make people administrators of a group. `POST /v1/groups/{id}/admins`"""
        return await self._call("groups.promote_participants", locals())

    async def demote_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.DemoteGroupParticipantsResult, None]:
        """Remove the administrator role from people in a group. `DELETE /v1/groups/{id}/admins`"""
        return await self._call("groups.demote_participants", locals())

    async def change_chat(
        self,
        id: str,
        *,
        archived: bool = NOT_GIVEN,
        pinned: bool = NOT_GIVEN,
        muted: bool = NOT_GIVEN,
        muted_until: Optional[Union[datetime, str]] = NOT_GIVEN,
        marked_unread: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedChatChange:
        """Change a group's chat in the phone's own app: archive, pin, mute, mark as unread. `PATCH
        /v1/groups/{id}/chat`"""
        return await self._call("groups.change_chat", locals())

    async def get_invite_link(self, id: str, *, options: Optional[RequestOptions] = None) -> t.GroupInvite:
        """Get the invite link of a group from the network. `GET /v1/groups/{id}/invite-link`"""
        return await self._call("groups.get_invite_link", locals())

    async def reset_invite_link(self, id: str, *, options: Optional[RequestOptions] = None) -> t.GroupInvite:
        """Get a new invite link. `POST /v1/groups/{id}/invite-link/reset`"""
        return await self._call("groups.reset_invite_link", locals())

    def list_join_requests(
        self,
        id: str,
        *,
        limit: int = NOT_GIVEN,
        after: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.JoinRequest]:
        """List the requests to join a group. `GET /v1/groups/{id}/join-requests`"""
        return self._pages("groups.list_join_requests", locals())

    async def approve_join_requests(
        self,
        id: str,
        *,
        join_request_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> t.ApproveGroupJoinRequestsResult:
        """Approve requests to join a group. `POST /v1/groups/{id}/join-requests/approve`"""
        return await self._call("groups.approve_join_requests", locals())

    async def reject_join_requests(
        self,
        id: str,
        *,
        join_request_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> t.RejectGroupJoinRequestsResult:
        """Reject requests to join a group. `POST /v1/groups/{id}/join-requests/reject`"""
        return await self._call("groups.reject_join_requests", locals())

    async def leave(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Leave a group. `POST /v1/groups/{id}/leave`"""
        return await self._call("groups.leave", locals())

    async def set_member_label(
        self,
        id: str,
        *,
        label: Optional[str],
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Set the phone's own label in a group. `PUT /v1/groups/{id}/member-label`"""
        return await self._call("groups.set_member_label", locals())

    @overload
    async def send_message(
        self,
        id: str,
        *,
        type: Literal["text", "image", "video", "audio", "document", "sticker", "template"],
        payload: Dict[str, Any],
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SendGroupMessageResult: ...

    @overload
    async def send_message(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        type: Literal["text", "image", "video", "audio", "document", "sticker", "template"],
        payload: Dict[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send_message(self, id: str, **given: Any) -> Any:
        """Send a message to a group, in the network's own format. `POST /v1/groups/{id}/messages`"""
        return await self._call("groups.send_message", {"id": id, **given})

    async def add_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.AddGroupParticipantsResult, None]:
        """Add people to a group, or invite people who require an invitation. `POST /v1/groups/{id}/participants`"""
        return await self._call("groups.add_participants", locals())

    async def remove_participants(
        self,
        id: str,
        *,
        wa_ids: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RemoveGroupParticipantsResult, None]:
        """Remove people from a group. `DELETE /v1/groups/{id}/participants`"""
        return await self._call("groups.remove_participants", locals())

    async def set_picture(
        self,
        id: str,
        *,
        media_url: str = NOT_GIVEN,
        base64: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Set a group's picture. `PUT /v1/groups/{id}/picture`"""
        return await self._call("groups.set_picture", locals())

    async def remove_picture(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove a group's picture. `DELETE /v1/groups/{id}/picture`"""
        return await self._call("groups.remove_picture", locals())

    def list_newsletters(self, *, phone_id: str, options: Optional[RequestOptions] = None) -> AsyncPages[t.Newsletter]:
        """List the newsletters that a phone follows or owns. `GET /v1/newsletters`"""
        return self._pages("groups.list_newsletters", locals())

    async def create_newsletter(
        self,
        *,
        phone_id: str,
        name: str,
        description: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Newsletter:
        """Make a newsletter. `POST /v1/newsletters`"""
        return await self._call("groups.create_newsletter", locals())

    async def get_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.Newsletter:
        """Look at a newsletter, followed or not. `GET /v1/newsletters/{newsletterId}`"""
        return await self._call("groups.get_newsletter", locals())

    async def update_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        name: str = NOT_GIVEN,
        description: str = NOT_GIVEN,
        picture: Optional[t.Picture] = NOT_GIVEN,
        reactions: t.NewsletterReactions = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Change the name, description, picture or reactions of a newsletter. `PATCH /v1/newsletters/{newsletterId}`"""
        return await self._call("groups.update_newsletter", locals())

    async def delete_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a newsletter for everybody. `DELETE /v1/newsletters/{newsletterId}`"""
        return await self._call("groups.delete_newsletter", locals())

    async def follow_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Follow a newsletter. `PUT /v1/newsletters/{newsletterId}/follow`"""
        return await self._call("groups.follow_newsletter", locals())

    async def unfollow_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Unfollow a newsletter. `DELETE /v1/newsletters/{newsletterId}/follow`"""
        return await self._call("groups.unfollow_newsletter", locals())

    async def watch_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.NewsletterLiveUpdates:
        """Get newsletter:counts events for some minutes. `POST /v1/newsletters/{newsletterId}/live-updates`"""
        return await self._call("groups.watch_newsletter", locals())

    def list_newsletter_messages(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        limit: int = NOT_GIVEN,
        before: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.ListedNewsletterPost]:
        """List the posts of a newsletter with their views and reactions. `GET
        /v1/newsletters/{newsletterId}/messages`"""
        return self._pages("groups.list_newsletter_messages", locals())

    async def react_to_newsletter_message(
        self,
        newsletter_id: str,
        server_id: str,
        *,
        phone_id: str,
        emoji: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """React to a post of any newsletter. `PUT /v1/newsletters/{newsletterId}/messages/{serverId}/reaction`"""
        return await self._call("groups.react_to_newsletter_message", locals())

    async def mute_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Mute a newsletter. `PUT /v1/newsletters/{newsletterId}/mute`"""
        return await self._call("groups.mute_newsletter", locals())

    async def unmute_newsletter(
        self,
        newsletter_id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Unmute a newsletter. `DELETE /v1/newsletters/{newsletterId}/mute`"""
        return await self._call("groups.unmute_newsletter", locals())


class AsyncKeysResource(AsyncResource):
    async def create_join_code(self, *, options: Optional[RequestOptions] = None) -> t.JoinCode:
        """Make a code with which an institution takes the account over. `POST /v1/account/join-codes`"""
        return await self._call("keys.create_join_code", locals())

    async def create(
        self,
        *,
        name: str,
        scopes: List[str] = NOT_GIVEN,
        read_only: bool = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedApiKey:
        """Make an API key for the account. `POST /v1/api-keys`"""
        return await self._call("keys.create", locals())

    def list(
        self,
        *,
        revoked: bool = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.ApiKey]:
        """List the account's API keys, newest first. `GET /v1/api-keys`"""
        return self._pages("keys.list", locals())

    async def revoke(self, id: str, *, options: Optional[RequestOptions] = None) -> t.RevokeOwnApiKeyResult:
        """Revoke an API key of the account at once. `POST /v1/api-keys/{id}/revoke`"""
        return await self._call("keys.revoke", locals())

    async def create_cloud_token(
        self,
        id: str,
        *,
        name: str,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.NewCloudToken:
        """Make a token with which a program for the Cloud API uses a phone. `POST /v1/phones/{id}/cloud-api/tokens`"""
        return await self._call("keys.create_cloud_token", locals())

    def list_cloud_tokens(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.CloudToken]:
        """List the tokens of a phone for the Cloud API. `GET /v1/phones/{id}/cloud-api/tokens`"""
        return self._pages("keys.list_cloud_tokens", locals())

    async def revoke_cloud_token(self, id: str, token_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Revoke a token of a phone for the Cloud API at once. `DELETE /v1/phones/{id}/cloud-api/tokens/{tokenId}`"""
        return await self._call("keys.revoke_cloud_token", locals())


class AsyncLookupResource(AsyncResource):
    async def start(
        self,
        *,
        phone_id: str,
        numbers: List[str],
        options: Optional[RequestOptions] = None,
    ) -> Union[t.CachedLookup, t.PendingLookup]:
        """Ask which numbers are on the network. `POST /v1/lookup`"""
        return await self._call("lookup.start", locals())

    async def get(self, task_id: str, *, options: Optional[RequestOptions] = None) -> t.Lookup:
        """Get a lookup's answer. `GET /v1/lookup/{taskId}`"""
        return await self._call("lookup.get", locals())


class AsyncMediaResource(AsyncResource):
    async def get_file(
        self,
        account_id: str,
        media_id: str,
        *,
        exp: str = NOT_GIVEN,
        sig: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Get the file of a signed address. `GET /files/{accountId}/{mediaId}`"""
        return await self._call("media.get_file", locals())

    async def get_sent_file(
        self,
        message_id: str,
        *,
        file: str = NOT_GIVEN,
        exp: str = NOT_GIVEN,
        sig: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Get the file of a message that a network sends by its link. `GET /sent-files/{messageId}`"""
        return await self._call("media.get_sent_file", locals())

    async def keep_file(self, file: Upload, *, options: Optional[RequestOptions] = None) -> t.KeptFile:
        """Upload a file to be sent by its handle. `POST /v1/media/files`"""
        return await self._call("media.keep_file", locals())

    async def keep_encoded_file(
        self,
        *,
        base64: str,
        mime_type: str = NOT_GIVEN,
        filename: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.KeptFile:
        """Upload a file in base64 to be sent by its handle. `POST /v1/media/files/base64`"""
        return await self._call("media.keep_encoded_file", locals())

    async def get_kept_file_content(self, handle: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the bytes of a file that was uploaded to be sent. `GET /v1/media/files/{handle}/content`"""
        return await self._call("media.get_kept_file_content", locals())

    async def upload(
        self,
        *,
        media_url: str,
        mime_type: str,
        x_phone_id: str,
        filename: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.MediaHandle:
        """Upload a file to the phone's network, to be sent by its handle. `POST /v1/media/upload`"""
        return await self._call("media.upload", locals())

    async def upload_resumable(
        self,
        *,
        media_url: str,
        mime_type: str,
        file_name: str,
        app_id: str,
        x_phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.ResumableUpload:
        """Upload a large file to the network in parts. `POST /v1/media/upload/resumable`"""
        return await self._call("media.upload_resumable", locals())

    async def delete_upstream(
        self,
        upstream_id: str,
        *,
        x_phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete an uploaded file at the network. `DELETE /v1/media/upstream/{upstreamId}`"""
        return await self._call("media.delete_upstream", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the address of a file that came with a message. `GET /v1/media/{id}`"""
        return await self._call("media.get", locals())

    async def ack(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Confirm that the file was taken, so that it is deleted. `POST /v1/media/{id}/ack`"""
        return await self._call("media.ack", locals())

    async def get_content(self, id: str, *, options: Optional[RequestOptions] = None) -> Response:
        """Get the bytes of a file that came with a message. `GET /v1/media/{id}/content`"""
        return await self._call("media.get_content", locals())

    async def get_info(self, id: str, *, options: Optional[RequestOptions] = None) -> t.MediaFile:
        """Get the details of a file, also of a deleted file. `GET /v1/media/{id}/info`"""
        return await self._call("media.get_info", locals())


class AsyncMessagesResource(AsyncResource):
    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["text"],
        content: t.TextContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["image"],
        content: t.ImageContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["video"],
        content: t.VideoContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["audio"],
        content: t.AudioContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["document"],
        content: t.DocumentContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["sticker"],
        content: t.StickerContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["location"],
        content: t.LocationContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["contact"],
        content: t.ContactContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["button"],
        content: t.ButtonContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["list"],
        content: t.ListContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["template"],
        content: t.TemplateContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["cta_url"],
        content: t.CtaUrlContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["location_request"],
        content: t.LocationRequestContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["address_message"],
        content: t.AddressContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["flow"],
        content: t.FlowContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["poll"],
        content: t.PollContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["event"],
        content: t.EventContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["copy_code"],
        content: t.CopyCodeContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["carousel"],
        content: t.CarouselContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["phone_number_request"],
        content: t.PhoneNumberRequestContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["phone_number_share"],
        content: Dict[str, Any],
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["order_details"],
        content: t.OrderDetailsContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["order_status"],
        content: t.OrderStatusContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["rich_text"],
        content: t.RichTextContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        phone_id: str,
        to: str,
        type: Literal["pix"],
        content: t.PixContent,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def send(
        self,
        *,
        dry_run: Literal[True],
        phone_id: str,
        to: str,
        type: Any,
        content: Any,
        quoted_message_id: str = NOT_GIVEN,
        comment_id: str = NOT_GIVEN,
        is_answer: bool = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        fallback: t.SendFallback = NOT_GIVEN,
        send_options: Dict[str, Any] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def send(self, **given: Any) -> Any:
        """Send a message through any phone. `POST /v1/messages`"""
        return await self._call("messages.send", {**given})

    def list(
        self,
        *,
        direction: t.WebhookDirection = NOT_GIVEN,
        status: t.ListMessagesStatus = NOT_GIVEN,
        type: str = NOT_GIVEN,
        sent_by: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        q: str = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        contact: str = NOT_GIVEN,
        chat_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.LoggedMessage]:
        """List sent and received messages, newest first. `GET /v1/messages`"""
        return self._pages("messages.list", locals())

    @overload
    async def send_cheapest(
        self,
        *,
        to: str,
        type: t.MessageType,
        content: Dict[str, Any],
        template: t.TemplateContent = NOT_GIVEN,
        phone_ids: List[str] = NOT_GIVEN,
        fallback_after_minutes: int = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SentCheapest: ...

    @overload
    async def send_cheapest(
        self,
        *,
        dry_run: Literal[True],
        to: str,
        type: t.MessageType,
        content: Dict[str, Any],
        template: t.TemplateContent = NOT_GIVEN,
        phone_ids: List[str] = NOT_GIVEN,
        fallback_after_minutes: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunCheapest: ...

    async def send_cheapest(self, **given: Any) -> Any:
        """Send a message through the cheapest phone that can send it. `POST /v1/messages/cheapest`"""
        return await self._call("messages.send_cheapest", {**given})

    @overload
    async def schedule(
        self,
        *,
        scheduled_at: Union[datetime, str],
        payload: t.SendMessage,
        respect_hours: bool = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedScheduledMessage: ...

    @overload
    async def schedule(
        self,
        *,
        dry_run: Literal[True],
        scheduled_at: Union[datetime, str],
        payload: t.SendMessage,
        respect_hours: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def schedule(self, **given: Any) -> Any:
        """Send a message later. `POST /v1/messages/scheduled`"""
        return await self._call("messages.schedule", {**given})

    def list_scheduled(
        self,
        *,
        status: t.ScheduledStatus = NOT_GIVEN,
        from_: Union[datetime, str] = NOT_GIVEN,
        to: Union[datetime, str] = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        contact: str = NOT_GIVEN,
        sort: t.ScheduledOrder = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.ScheduledMessage]:
        """List scheduled messages. `GET /v1/messages/scheduled`"""
        return self._pages("messages.list_scheduled", locals())

    async def get_scheduled(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ScheduledMessageDetails:
        """Get a scheduled message with its payload. `GET /v1/messages/scheduled/{id}`"""
        return await self._call("messages.get_scheduled", locals())

    async def reschedule(
        self,
        id: str,
        *,
        scheduled_at: Union[datetime, str],
        respect_hours: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ScheduledMessageDetails:
        """Change when a pending message is sent. `PATCH /v1/messages/scheduled/{id}`"""
        return await self._call("messages.reschedule", locals())

    async def cancel_scheduled(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Cancel a pending message. `DELETE /v1/messages/scheduled/{id}`"""
        return await self._call("messages.cancel_scheduled", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Message:
        """Get a message that was sent through the gateway. `GET /v1/messages/{id}`"""
        return await self._call("messages.get", locals())

    async def delete(
        self,
        id: str,
        *,
        phone_id: str,
        for_: Literal["everyone", "me"] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Delete a message for everyone, or in the phone's own app alone. `DELETE /v1/messages/{id}`"""
        return await self._call("messages.delete", locals())

    async def edit(
        self,
        id: str,
        *,
        phone_id: str,
        text: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Change the text or the caption of a message that was sent. `POST /v1/messages/{id}/edit`"""
        return await self._call("messages.edit", locals())

    @overload
    async def forward(
        self,
        id: str,
        *,
        to: str,
        phone_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def forward(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        to: str,
        phone_id: str = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def forward(self, id: str, **given: Any) -> Any:
        """Forward a sent or received message to another chat. `POST /v1/messages/{id}/forward`"""
        return await self._call("messages.forward", {"id": id, **given})

    async def keep(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Keep a message in a chat whose messages disappear. `POST /v1/messages/{id}/keep`"""
        return await self._call("messages.keep", locals())

    async def unkeep(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Let a kept message disappear. `DELETE /v1/messages/{id}/keep`"""
        return await self._call("messages.unkeep", locals())

    async def label(
        self,
        id: str,
        *,
        phone_id: str,
        label: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Give a message a label of WhatsApp Business. `POST /v1/messages/{id}/label`"""
        return await self._call("messages.label", locals())

    async def unlabel(
        self,
        id: str,
        *,
        phone_id: str,
        label: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Take a label of WhatsApp Business from a message. `DELETE /v1/messages/{id}/label`"""
        return await self._call("messages.unlabel", locals())

    async def pin(
        self,
        id: str,
        *,
        phone_id: str,
        duration: Literal["24h", "7d", "30d"] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Pin a message in its chat, for everyone. `POST /v1/messages/{id}/pin`"""
        return await self._call("messages.pin", locals())

    async def unpin(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Take the pin of a message back. `DELETE /v1/messages/{id}/pin`"""
        return await self._call("messages.unpin", locals())

    async def mark_played(
        self,
        id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Mark a received voice note as played. `POST /v1/messages/{id}/played`"""
        return await self._call("messages.mark_played", locals())

    async def react(
        self,
        id: str,
        *,
        phone_id: str,
        emoji: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """React to a message, or take the reaction back. `POST /v1/messages/{id}/react`"""
        return await self._call("messages.react", locals())

    async def mark_read(
        self,
        id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Mark a received message as read. `POST /v1/messages/{id}/read`"""
        return await self._call("messages.mark_read", locals())

    def list_receipts(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.PersonReceipts]:
        """List the people who got, read and played a sent message. `GET /v1/messages/{id}/receipts`"""
        return self._pages("messages.list_receipts", locals())

    async def respond_to_event(
        self,
        id: str,
        *,
        phone_id: str,
        response: t.EventResponse,
        extra_guests: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Answer a calendar event. `POST /v1/messages/{id}/respond`"""
        return await self._call("messages.respond_to_event", locals())

    async def star(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Mark a message with a star in the phone's own app. `POST /v1/messages/{id}/star`"""
        return await self._call("messages.star", locals())

    async def unstar(self, id: str, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.EnqueuedOperation:
        """Take the star of a message away. `DELETE /v1/messages/{id}/star`"""
        return await self._call("messages.unstar", locals())

    async def get_timeline(self, id: str, *, options: Optional[RequestOptions] = None) -> t.MessageTimeline:
        """Get every step in the life of a sent or received message. `GET /v1/messages/{id}/timeline`"""
        return await self._call("messages.get_timeline", locals())

    async def show_typing(
        self,
        id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Show that an answer to a received message is being written. `POST /v1/messages/{id}/typing`"""
        return await self._call("messages.show_typing", locals())

    async def vote_in_poll(
        self,
        id: str,
        *,
        phone_id: str,
        votes: List[Union[str, int]],
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Vote in a poll that was sent or received. `POST /v1/messages/{id}/vote`"""
        return await self._call("messages.vote_in_poll", locals())

    async def withdraw_vote(
        self,
        id: str,
        *,
        phone_id: str,
        options: Optional[RequestOptions] = None,
    ) -> t.EnqueuedOperation:
        """Withdraw the phone's vote in a poll. `DELETE /v1/messages/{id}/vote`"""
        return await self._call("messages.withdraw_vote", locals())

    async def get_conversation_control(
        self,
        id: str,
        to: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.ConversationControl:
        """Get the app that leads the conversation with a person. `GET /v1/phones/{id}/conversations/{to}/control`"""
        return await self._call("messages.get_conversation_control", locals())

    async def change_conversation_control(
        self,
        id: str,
        to: str,
        *,
        action: Literal["pass", "take", "release"],
        target_role: str = NOT_GIVEN,
        metadata: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ConversationControl:
        """Pass a conversation to another app, take it, or release it. `POST
        /v1/phones/{id}/conversations/{to}/control`"""
        return await self._call("messages.change_conversation_control", locals())


class AsyncPhonesResource(AsyncResource):
    def list_kinds(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.PhoneKind]:
        """List the kinds of phones that this server has. `GET /v1/kinds`"""
        return self._pages("phones.list_kinds", locals())

    async def create(
        self,
        *,
        type: Union[Literal["SESSION", "WABA"], str],
        label: str,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        credentials: Union[t.CreatePhoneRequestCredentials, Dict[str, str]] = NOT_GIVEN,
        proxy: str = NOT_GIVEN,
        history: Literal["none", "recent", "full"] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatedPhone:
        """Create a phone. `POST /v1/phones`"""
        return await self._call("phones.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Phone]:
        """List the account's phones, newest first. `GET /v1/phones`"""
        return self._pages("phones.list", locals())

    def search(
        self,
        *,
        q: str = NOT_GIVEN,
        ids: str = NOT_GIVEN,
        type: t.PhoneType = NOT_GIVEN,
        status: t.PhoneStatus = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Phone]:
        """Search the account's phones, newest first. `GET /v1/phones/search`"""
        return self._pages("phones.search", locals())

    async def connect_social_account(
        self,
        *,
        code: str,
        redirect_uri: str,
        label: str = NOT_GIVEN,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ConnectSocialAccountResult:
        """Make a phone for an account with its owner's consent. `POST /v1/phones/social/oauth`"""
        return await self._call("phones.connect_social_account", locals())

    async def get_social_oauth_config(self, *, options: Optional[RequestOptions] = None) -> t.SocialConfig:
        """Get the configuration with which a page asks an account's owner for consent. `GET
        /v1/phones/social/oauth/config`"""
        return await self._call("phones.get_social_oauth_config", locals())

    async def embedded_signup(
        self,
        *,
        code: str,
        waba_id: str,
        state: str = NOT_GIVEN,
        phone_number_id: str = NOT_GIVEN,
        label: str = NOT_GIVEN,
        pin: str = NOT_GIVEN,
        permitir_dedicado: bool = NOT_GIVEN,
        sync: t.EmbeddedSignupRequestSync = NOT_GIVEN,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.EmbeddedSignupResult:
        """Add the number that was just signed up. `POST /v1/phones/waba/embedded-signup`"""
        return await self._call("phones.embedded_signup", locals())

    async def get_embedded_signup_config(self, *, options: Optional[RequestOptions] = None) -> t.SignupConfig:
        """Get the configuration with which a browser opens the network's sign-up. `GET
        /v1/phones/waba/embedded-signup/config`"""
        return await self._call("phones.get_embedded_signup_config", locals())

    async def read_embedded_signup_event(
        self,
        *,
        message: t.ReadEmbeddedSignupEventRequestMessage,
        options: Optional[RequestOptions] = None,
    ) -> t.SignupEvent:
        """Read an event that the sign-up window sent to the page that opened it. `POST
        /v1/phones/waba/embedded-signup/events`"""
        return await self._call("phones.read_embedded_signup_event", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Phone:
        """Get a phone. `GET /v1/phones/{id}`"""
        return await self._call("phones.get", locals())

    async def update(
        self,
        id: str,
        *,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        shared_webhook_id: Optional[str] = NOT_GIVEN,
        type: Any = NOT_GIVEN,
        label: Any = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Phone:
        """Replace a phone's webhook, link or unlink a shared one. `PATCH /v1/phones/{id}`"""
        return await self._call("phones.update", locals())

    async def delete(
        self,
        id: str,
        *,
        deregister: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.DeletedPhone, None]:
        """Delete a phone for good. `DELETE /v1/phones/{id}`"""
        return await self._call("phones.delete", locals())

    def list_blocks(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.BlockedContact]:
        """List the people whom the phone has blocked. `GET /v1/phones/{id}/blocks`"""
        return self._pages("phones.list_blocks", locals())

    async def block(self, id: str, *, to: str, options: Optional[RequestOptions] = None) -> None:
        """Block a person. `POST /v1/phones/{id}/blocks`"""
        return await self._call("phones.block", locals())

    async def unblock(self, id: str, *, to: str, options: Optional[RequestOptions] = None) -> None:
        """Unblock a person. `DELETE /v1/phones/{id}/blocks`"""
        return await self._call("phones.unblock", locals())

    async def get_business_hours(self, id: str, *, options: Optional[RequestOptions] = None) -> t.BusinessHours:
        """Get the business hours that count for a phone, and whether it is open now. `GET
        /v1/phones/{id}/business-hours`"""
        return await self._call("phones.get_business_hours", locals())

    async def set_business_hours(
        self,
        id: str,
        *,
        time_zone: str,
        weekly: t.WeeklyHours,
        holidays: t.BusinessHolidays = NOT_GIVEN,
        dates: List[t.OwnDate] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BusinessHours:
        """Set a phone's own business hours, in place of the account's. `PUT /v1/phones/{id}/business-hours`"""
        return await self._call("phones.set_business_hours", locals())

    async def delete_business_hours(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove a phone's own hours: the account's count again. `DELETE /v1/phones/{id}/business-hours`"""
        return await self._call("phones.delete_business_hours", locals())

    async def get_business_profile(self, id: str, *, options: Optional[RequestOptions] = None) -> t.BusinessProfile:
        """Get the profile that customers see of the business. `GET /v1/phones/{id}/business-profile`"""
        return await self._call("phones.get_business_profile", locals())

    async def update_business_profile(
        self,
        id: str,
        *,
        about: str = NOT_GIVEN,
        address: str = NOT_GIVEN,
        description: str = NOT_GIVEN,
        email: str = NOT_GIVEN,
        vertical: str = NOT_GIVEN,
        websites: List[str] = NOT_GIVEN,
        profile_picture_handle: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.BusinessProfile:
        """Change the profile that customers see of the business. `PATCH /v1/phones/{id}/business-profile`"""
        return await self._call("phones.update_business_profile", locals())

    async def get_capabilities(self, id: str, *, options: Optional[RequestOptions] = None) -> t.PhoneCapabilities:
        """Get the capabilities of a phone's network. `GET /v1/phones/{id}/capabilities`"""
        return await self._call("phones.get_capabilities", locals())

    def list_catalog_collections(
        self,
        id: str,
        *,
        of: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.CatalogCollection]:
        """List the collections of a business's catalogue. `GET /v1/phones/{id}/catalog/collections`"""
        return self._pages("phones.list_catalog_collections", locals())

    def list_catalog_products(
        self,
        id: str,
        *,
        of: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.CatalogProduct]:
        """List the products of a business's catalogue. `GET /v1/phones/{id}/catalog/products`"""
        return self._pages("phones.list_catalog_products", locals())

    async def resync_chats(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Read again how the phone's app shows its chats. `POST /v1/phones/{id}/chats/resync`"""
        return await self._call("phones.resync_chats", locals())

    async def get_chat_timer(self, id: str, to: str, *, options: Optional[RequestOptions] = None) -> t.ChatTimer:
        """Get the time after which the messages of a chat disappear. `GET /v1/phones/{id}/chats/{to}/timer`"""
        return await self._call("phones.get_chat_timer", locals())

    async def set_chat_timer(
        self,
        id: str,
        to: str,
        *,
        seconds: Union[Literal[0], Literal[86400], Literal[604800], Literal[7776000]],
        options: Optional[RequestOptions] = None,
    ) -> t.ChatTimer:
        """Set the time after which the messages of a chat disappear. `PUT /v1/phones/{id}/chats/{to}/timer`"""
        return await self._call("phones.set_chat_timer", locals())

    async def get_chatwoot(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Chatwoot:
        """Show the Chatwoot that a phone is connected with. `GET /v1/phones/{id}/chatwoot`"""
        return await self._call("phones.get_chatwoot", locals())

    async def set_chatwoot(
        self,
        id: str,
        *,
        url: str,
        chatwoot_account_id: int,
        token: str = NOT_GIVEN,
        inbox_name: str = NOT_GIVEN,
        import_days: int = NOT_GIVEN,
        mark_read: bool = NOT_GIVEN,
        typing: bool = NOT_GIVEN,
        batches: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Chatwoot:
        """Connect a phone with an inbox of a Chatwoot. `PUT /v1/phones/{id}/chatwoot`"""
        return await self._call("phones.set_chatwoot", locals())

    async def remove_chatwoot(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Disconnect a phone from its Chatwoot. `DELETE /v1/phones/{id}/chatwoot`"""
        return await self._call("phones.remove_chatwoot", locals())

    async def get_cloud_api(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CloudApi:
        """Show how programs for the Cloud API reach a phone. `GET /v1/phones/{id}/cloud-api`"""
        return await self._call("phones.get_cloud_api", locals())

    async def update_cloud_api(
        self,
        id: str,
        *,
        display_phone_number: Optional[str] = NOT_GIVEN,
        templates_as_text: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CloudApi:
        """Change how a phone is shown to programs for the Cloud API. `PATCH /v1/phones/{id}/cloud-api`"""
        return await self._call("phones.update_cloud_api", locals())

    async def get_cloud_webhook(self, id: str, *, options: Optional[RequestOptions] = None) -> t.CloudWebhook:
        """Show where the Cloud-API webhooks of a phone go. `GET /v1/phones/{id}/cloud-api/webhook`"""
        return await self._call("phones.get_cloud_webhook", locals())

    async def set_cloud_webhook(
        self,
        id: str,
        *,
        url: str,
        verify_token: str,
        program: t.CloudProgram = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CloudWebhook:
        """Set where the Cloud-API webhooks of a phone go. `PUT /v1/phones/{id}/cloud-api/webhook`"""
        return await self._call("phones.set_cloud_webhook", locals())

    async def remove_cloud_webhook(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Remove the Cloud-API webhook of a phone. `DELETE /v1/phones/{id}/cloud-api/webhook`"""
        return await self._call("phones.remove_cloud_webhook", locals())

    async def renew_cloud_webhook_secret(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.CloudWebhookSecret:
        """Make a new secret that signs the Cloud-API webhooks. `POST /v1/phones/{id}/cloud-api/webhook/secret`"""
        return await self._call("phones.renew_cloud_webhook_secret", locals())

    async def sync_contacts(
        self,
        id: str,
        *,
        contacts: bool = NOT_GIVEN,
        history: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SyncRequest:
        """Request the business app's contacts and history. `POST /v1/phones/{id}/contacts/sync`"""
        return await self._call("phones.sync_contacts", locals())

    async def get_contact_about(self, id: str, to: str, *, options: Optional[RequestOptions] = None) -> t.ContactAbout:
        """Get the about text of a person, as the phone may see it. `GET /v1/phones/{id}/contacts/{to}/about`"""
        return await self._call("phones.get_contact_about", locals())

    async def get_contact_business_profile(
        self,
        id: str,
        to: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.ContactBusinessProfile:
        """Get the business profile of a person. `GET /v1/phones/{id}/contacts/{to}/business-profile`"""
        return await self._call("phones.get_contact_business_profile", locals())

    async def get_contact_picture(
        self,
        id: str,
        to: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> t.ContactPicture:
        """Get a person's profile picture, as the phone may see it. `GET
        /v1/phones/{id}/contacts/{to}/profile-picture`"""
        return await self._call("phones.get_contact_picture", locals())

    async def set_credentials(
        self,
        id: str,
        *,
        credentials: Union[t.SetPhoneCredentialsRequestCredentials, Dict[str, str]],
        options: Optional[RequestOptions] = None,
    ) -> t.Phone:
        """Replace a phone's credentials. `PUT /v1/phones/{id}/credentials`"""
        return await self._call("phones.set_credentials", locals())

    async def get_history_progress(self, id: str, *, options: Optional[RequestOptions] = None) -> t.HistoryProgress:
        """Get the progress of the import of a phone's history. `GET /v1/phones/{id}/history`"""
        return await self._call("phones.get_history_progress", locals())

    async def request_history(
        self,
        id: str,
        *,
        chat: str,
        count: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryRequest:
        """Ask the owner's phone for older messages of a chat. `POST /v1/phones/{id}/history`"""
        return await self._call("phones.request_history", locals())

    async def get_ice_breakers(self, id: str, *, options: Optional[RequestOptions] = None) -> t.IceBreakers:
        """Get the questions that people are offered, by language. `GET /v1/phones/{id}/ice-breakers`"""
        return await self._call("phones.get_ice_breakers", locals())

    async def put_ice_breakers(
        self,
        id: str,
        *,
        ice_breakers: List[t.IceBreakerInput],
        options: Optional[RequestOptions] = None,
    ) -> t.IceBreakers:
        """Replace the questions that people are offered. `PUT /v1/phones/{id}/ice-breakers`"""
        return await self._call("phones.put_ice_breakers", locals())

    async def delete_ice_breakers(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Offer no questions. `DELETE /v1/phones/{id}/ice-breakers`"""
        return await self._call("phones.delete_ice_breakers", locals())

    async def resolve_identity(self, id: str, *, key: str, options: Optional[RequestOptions] = None) -> t.Identity:
        """Look up a person whom the phone has met. `GET /v1/phones/{id}/identities/resolve`"""
        return await self._call("phones.resolve_identity", locals())

    def list_labels(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.ChatLabel]:
        """List the labels of WhatsApp Business on a phone. `GET /v1/phones/{id}/labels`"""
        return self._pages("phones.list_labels", locals())

    async def make_label(
        self,
        id: str,
        *,
        name: str,
        color: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ChatLabel:
        """Make a label on a phone. `POST /v1/phones/{id}/labels`"""
        return await self._call("phones.make_label", locals())

    async def change_label(
        self,
        id: str,
        label: str,
        *,
        name: str = NOT_GIVEN,
        color: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ChatLabel:
        """Rename or recolour a label. `PATCH /v1/phones/{id}/labels/{label}`"""
        return await self._call("phones.change_label", locals())

    async def delete_label(self, id: str, label: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a label. `DELETE /v1/phones/{id}/labels/{label}`"""
        return await self._call("phones.delete_label", locals())

    async def logout(self, id: str, *, options: Optional[RequestOptions] = None) -> t.LogoutPhoneResult:
        """End a phone's connection. `POST /v1/phones/{id}/logout`"""
        return await self._call("phones.logout", locals())

    async def get_menu(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Menu:
        """Get the menu beside the messages, by language. `GET /v1/phones/{id}/menu`"""
        return await self._call("phones.get_menu", locals())

    async def put_menu(
        self,
        id: str,
        *,
        menu: List[t.LocaleMenuInput],
        options: Optional[RequestOptions] = None,
    ) -> t.Menu:
        """Replace the menu beside the messages. `PUT /v1/phones/{id}/menu`"""
        return await self._call("phones.put_menu", locals())

    async def delete_menu(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Show no menu. `DELETE /v1/phones/{id}/menu`"""
        return await self._call("phones.delete_menu", locals())

    async def request_name_change(
        self,
        id: str,
        *,
        display_name: str,
        options: Optional[RequestOptions] = None,
    ) -> t.RequestNameChangeResult:
        """Ask the network for another display name. `POST /v1/phones/{id}/name-change`"""
        return await self._call("phones.request_name_change", locals())

    async def get_name_change(self, id: str, *, options: Optional[RequestOptions] = None) -> t.NameChange:
        """Get the status of the requested display name. `GET /v1/phones/{id}/name-change`"""
        return await self._call("phones.get_name_change", locals())

    async def get_order(
        self,
        id: str,
        order_id: str,
        *,
        token: str,
        options: Optional[RequestOptions] = None,
    ) -> t.CatalogOrder:
        """Get what a customer has ordered. `GET /v1/phones/{id}/orders/{orderId}`"""
        return await self._call("phones.get_order", locals())

    async def get_pairing(
        self,
        id: str,
        *,
        seen: str = NOT_GIVEN,
        wait: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Pairing:
        """Get the pairing of a phone as a page shows it: the codes and the state. `GET /v1/phones/{id}/pairing`"""
        return await self._call("phones.get_pairing", locals())

    async def get_pairing_code(
        self,
        id: str,
        *,
        wait: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PairingCode:
        """Get the code to type on the phone instead of scanning. `GET /v1/phones/{id}/pairing-code`"""
        return await self._call("phones.get_pairing_code", locals())

    async def create_pairing_code(
        self,
        id: str,
        *,
        phone_number: str,
        force: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.CreatePairingCodeResult:
        """Ask for a code to type on the phone instead of scanning. `POST /v1/phones/{id}/pairing-code`"""
        return await self._call("phones.create_pairing_code", locals())

    async def create_pairing_link(
        self,
        id: str,
        *,
        label: Optional[str] = NOT_GIVEN,
        minutes: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.NewPairingLink:
        """Make a link with which another person pairs the phone. `POST /v1/phones/{id}/pairing-links`"""
        return await self._call("phones.create_pairing_link", locals())

    def list_pairing_links(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.PairingLink]:
        """List the phone's pairing links, newest first. `GET /v1/phones/{id}/pairing-links`"""
        return self._pages("phones.list_pairing_links", locals())

    async def revoke_pairing_link(self, id: str, link_id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Revoke a pairing link at once. `DELETE /v1/phones/{id}/pairing-links/{linkId}`"""
        return await self._call("phones.revoke_pairing_link", locals())

    async def get_passkey(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Passkey:
        """Get the passkey request to sign, or the code to compare. `GET /v1/phones/{id}/passkey`"""
        return await self._call("phones.get_passkey", locals())

    async def assert_passkey(
        self,
        id_: str,
        *,
        id: str,
        raw_id: str,
        type: Literal["public-key"],
        response: t.PasskeyAssertionResponse,
        options: Optional[RequestOptions] = None,
    ) -> t.AcceptedPasskey:
        """Submit the signature of the owner's passkey. `POST /v1/phones/{id}/passkey`"""
        return await self._call("phones.assert_passkey", locals())

    async def confirm_passkey(self, id: str, *, options: Optional[RequestOptions] = None) -> t.AcceptedPasskey:
        """Confirm that the phone shows the same code. `POST /v1/phones/{id}/passkey/confirm`"""
        return await self._call("phones.confirm_passkey", locals())

    async def show_presence(
        self,
        id: str,
        *,
        state: t.Presence,
        to: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Show that the phone is online, or writing in a chat. `POST /v1/phones/{id}/presence`"""
        return await self._call("phones.show_presence", locals())

    async def watch_presence(self, id: str, *, to: str, options: Optional[RequestOptions] = None) -> None:
        """Get a person's contact:presence events for an hour. `POST /v1/phones/{id}/presence/subscriptions`"""
        return await self._call("phones.watch_presence", locals())

    async def get_privacy_settings(self, id: str, *, options: Optional[RequestOptions] = None) -> t.PrivacySettings:
        """Get the privacy settings of the phone's account. `GET /v1/phones/{id}/privacy`"""
        return await self._call("phones.get_privacy_settings", locals())

    async def update_privacy_settings(
        self,
        id: str,
        *,
        last_seen: t.PrivacyChangesAbout = NOT_GIVEN,
        online: Literal["all", "match_last_seen"] = NOT_GIVEN,
        picture: t.PrivacyChangesAbout = NOT_GIVEN,
        about: t.PrivacyChangesAbout = NOT_GIVEN,
        read_receipts: Literal["all", "none"] = NOT_GIVEN,
        group_add: Literal["all", "contacts", "contact_blacklist"] = NOT_GIVEN,
        call_add: Literal["all", "known"] = NOT_GIVEN,
        default_disappearing_seconds: Union[Literal[0], Literal[86400], Literal[604800], Literal[7776000]] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PrivacySettings:
        """Change privacy settings of the phone's account. `PATCH /v1/phones/{id}/privacy`"""
        return await self._call("phones.update_privacy_settings", locals())

    async def get_own_profile(self, id: str, *, options: Optional[RequestOptions] = None) -> t.OwnProfile:
        """Get the profile of the phone's account, as the network shows it. `GET /v1/phones/{id}/profile`"""
        return await self._call("phones.get_own_profile", locals())

    async def change_own_profile(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        about: str = NOT_GIVEN,
        picture: Optional[t.Picture] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.OwnProfile:
        """Change the name, the about text or the picture of the phone's account. `PUT /v1/phones/{id}/profile`"""
        return await self._call("phones.change_own_profile", locals())

    async def set_proxy(self, id: str, *, url: Optional[str], options: Optional[RequestOptions] = None) -> t.PhoneProxy:
        """Set or remove a session's proxy. `PUT /v1/phones/{id}/proxy`"""
        return await self._call("phones.set_proxy", locals())

    async def check_proxy(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ProxyCheck:
        """Check whether the network answers through the phone's proxy. `POST /v1/phones/{id}/proxy/check`"""
        return await self._call("phones.check_proxy", locals())

    async def get_qr_code(
        self,
        id: str,
        *,
        wait: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.QrCode:
        """Get the QR code of a session that waits to be paired. `GET /v1/phones/{id}/qrcode`"""
        return await self._call("phones.get_qr_code", locals())

    async def get_quota(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Quota:
        """Get how many chats with new people the phone may begin. `GET /v1/phones/{id}/quota`"""
        return await self._call("phones.get_quota", locals())

    async def reconnect(self, id: str, *, options: Optional[RequestOptions] = None) -> t.ReconnectPhoneResult:
        """Reconnect a phone with its stored credentials. `POST /v1/phones/{id}/reconnect`"""
        return await self._call("phones.reconnect", locals())

    async def rotate_token(self, id: str, *, access_token: str, options: Optional[RequestOptions] = None) -> t.Phone:
        """Replace the phone's token. `POST /v1/phones/{id}/rotate-token`"""
        return await self._call("phones.rotate_token", locals())

    async def get_settings(self, id: str, *, options: Optional[RequestOptions] = None) -> t.PhoneSettings:
        """Get the settings that the phone's type has. `GET /v1/phones/{id}/settings`"""
        return await self._call("phones.get_settings", locals())

    async def update_settings(
        self,
        id: str,
        *,
        transcribe_voice: Optional[Literal["off", "voice"]] = NOT_GIVEN,
        opt_out_words: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        own_opt_out_words: Optional[str] = NOT_GIVEN,
        native_buttons: Optional[Literal["off", "try"]] = NOT_GIVEN,
        link_previews: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        labels_as_tags: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        always_online: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        read_automatically: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        ignore_groups: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        reject_calls: Optional[t.PhoneSettingsOptOutWords] = NOT_GIVEN,
        reject_calls_text: Optional[str] = NOT_GIVEN,
        messaging_account_id: Optional[str] = NOT_GIVEN,
        marketing_messages: Optional[Literal["off", "fallback", "strict"]] = NOT_GIVEN,
        marketing_price_factor: Optional[str] = NOT_GIVEN,
        direct_send_name: Optional[str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PhoneSettings:
        """Change settings of the phone. `PATCH /v1/phones/{id}/settings`"""
        return await self._call("phones.update_settings", locals())

    @overload
    async def post_status(
        self,
        id: str,
        *,
        type: t.StatusType,
        content: Dict[str, Any],
        audience: List[str] = NOT_GIVEN,
        background_color: str = NOT_GIVEN,
        font: int = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[t.RepeatedMessage, t.AcceptedMessage]: ...

    @overload
    async def post_status(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        type: t.StatusType,
        content: Dict[str, Any],
        audience: List[str] = NOT_GIVEN,
        background_color: str = NOT_GIVEN,
        font: int = NOT_GIVEN,
        idempotency_key: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunMessage: ...

    async def post_status(self, id: str, **given: Any) -> Any:
        """Post a status (story) of the phone's account. `POST /v1/phones/{id}/statuses`"""
        return await self._call("phones.post_status", {"id": id, **given})

    async def get_username(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Username:
        """Get the username of the number. `GET /v1/phones/{id}/username`"""
        return await self._call("phones.get_username", locals())

    async def claim_username(
        self,
        id: str,
        *,
        username: str,
        transfer: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Username:
        """Claim a username for the number, or reserve it. `POST /v1/phones/{id}/username`"""
        return await self._call("phones.claim_username", locals())

    async def release_username(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Release the number's username. `DELETE /v1/phones/{id}/username`"""
        return await self._call("phones.release_username", locals())

    def list_username_suggestions(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[str]:
        """List usernames that the network suggests. `GET /v1/phones/{id}/username/suggestions`"""
        return self._pages("phones.list_username_suggestions", locals())

    async def request_number_code(
        self,
        id: str,
        *,
        method: Literal["SMS", "VOICE"],
        language: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.RequestNumberCodeResult:
        """Request the code that proves who owns the number. `POST /v1/phones/{id}/verification`"""
        return await self._call("phones.request_number_code", locals())

    async def verify_number(
        self,
        id: str,
        *,
        code: str = NOT_GIVEN,
        pin: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.NumberVerification:
        """Verify the number by its code, and register it. `POST /v1/phones/{id}/verification/confirm`"""
        return await self._call("phones.verify_number", locals())

    def list_webhook_attempts(
        self,
        id: str,
        *,
        status: t.AttemptStatus = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.WebhookAttempt]:
        """List the attempts to deliver to the phone's webhook, newest first. `GET /v1/phones/{id}/webhook/attempts`"""
        return self._pages("phones.list_webhook_attempts", locals())

    async def retry_webhook(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedRetry:
        """Try all waiting deliveries of the phone's webhook now. `POST /v1/phones/{id}/webhook/retry`"""
        return await self._call("phones.retry_webhook", locals())

    async def test_webhook(
        self,
        id: str,
        *,
        type: t.SampleEventType = NOT_GIVEN,
        forged: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookTestResult:
        """Send a sample event to the phone's webhook. `POST /v1/phones/{id}/webhook/test`"""
        return await self._call("phones.test_webhook", locals())


class AsyncStatsResource(AsyncResource):
    async def get(
        self,
        *,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        step: t.StatsStep = NOT_GIVEN,
        phone_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.StatsSeries:
        """Count messages and deliveries, by hour or day. `GET /v1/stats`"""
        return await self._call("stats.get", locals())

    async def now(self, *, options: Optional[RequestOptions] = None) -> t.StatsNow:
        """Get the states of phones, and the work that waits now. `GET /v1/stats/now`"""
        return await self._call("stats.now", locals())


class AsyncSystemResource(AsyncResource):
    async def health(self, *, options: Optional[RequestOptions] = None) -> t.HealthResult:
        """Check that the process is alive. `GET /health`"""
        return await self._call("system.health", locals())

    async def ready(self, *, options: Optional[RequestOptions] = None) -> t.Readiness:
        """Check that database, in-process store and media storage work. `GET /health/ready`"""
        return await self._call("system.ready", locals())

    async def origin(self, *, options: Optional[RequestOptions] = None) -> t.OriginResult:
        """Show the origin of this request, as the server sees it. `GET /origin`"""
        return await self._call("system.origin", locals())

    async def version(self, *, options: Optional[RequestOptions] = None) -> t.VersionResult:
        """Get the commit that this instance serves. `GET /versao`"""
        return await self._call("system.version", locals())


class AsyncTemplatesResource(AsyncResource):
    @overload
    async def create(
        self,
        *,
        phone_id: str,
        name: str,
        language: str,
        category: t.TemplateCategory,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        allow_category_change: bool = NOT_GIVEN,
        parameter_format: Literal["POSITIONAL", "NAMED"] = NOT_GIVEN,
        library: t.CreateTemplateRequestLibrary = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Template: ...

    @overload
    async def create(
        self,
        *,
        dry_run: Literal[True],
        phone_id: str,
        name: str,
        language: str,
        category: t.TemplateCategory,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        allow_category_change: bool = NOT_GIVEN,
        parameter_format: Literal["POSITIONAL", "NAMED"] = NOT_GIVEN,
        library: t.CreateTemplateRequestLibrary = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunTemplate: ...

    async def create(self, **given: Any) -> Any:
        """Submit a template for review. `POST /v1/templates`"""
        return await self._call("templates.create", {**given})

    def list(
        self,
        *,
        phone_id: str = NOT_GIVEN,
        status: t.TemplateStatus = NOT_GIVEN,
        name: str = NOT_GIVEN,
        language: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.Template]:
        """List templates, newest first. `GET /v1/templates`"""
        return self._pages("templates.list", locals())

    async def sync(self, *, phone_id: str, options: Optional[RequestOptions] = None) -> t.TemplateSync:
        """Import all templates of the phone's business account. `POST /v1/templates/sync`"""
        return await self._call("templates.sync", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Template:
        """Get a template. `GET /v1/templates/{id}`"""
        return await self._call("templates.get", locals())

    @overload
    async def update(
        self,
        id: str,
        *,
        category: t.TemplateCategory = NOT_GIVEN,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        dry_run: Literal[False] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Template: ...

    @overload
    async def update(
        self,
        id: str,
        *,
        dry_run: Literal[True],
        category: t.TemplateCategory = NOT_GIVEN,
        components: List[t.NewTemplateComponent] = NOT_GIVEN,
        max_price_per1000: int = NOT_GIVEN,
        message_send_ttl_seconds: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.DryRunTemplate: ...

    async def update(self, id: str, **given: Any) -> Any:
        """Change a template, which is then reviewed anew. `PATCH /v1/templates/{id}`"""
        return await self._call("templates.update", {"id": id, **given})

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a template here and at the network. `DELETE /v1/templates/{id}`"""
        return await self._call("templates.delete", locals())


class AsyncWebhooksResource(AsyncResource):
    async def create(
        self,
        *,
        label: str,
        url: str,
        secret: str,
        events: List[t.EventType] = NOT_GIVEN,
        all_phones: bool = NOT_GIVEN,
        selected_phone_ids: List[str] = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SharedWebhook:
        """Create a shared webhook. `POST /v1/webhooks`"""
        return await self._call("webhooks.create", locals())

    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.SharedWebhook]:
        """List shared webhooks. `GET /v1/webhooks`"""
        return self._pages("webhooks.list", locals())

    def list_health(
        self,
        *,
        webhook_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.WebhookHealth]:
        """List all webhooks of the account with their health. `GET /v1/webhooks/health`"""
        return self._pages("webhooks.list_health", locals())

    async def get(self, id: str, *, options: Optional[RequestOptions] = None) -> t.SharedWebhook:
        """Get a shared webhook. `GET /v1/webhooks/{id}`"""
        return await self._call("webhooks.get", locals())

    async def update(
        self,
        id: str,
        *,
        label: str = NOT_GIVEN,
        url: str = NOT_GIVEN,
        secret: str = NOT_GIVEN,
        events: List[t.EventType] = NOT_GIVEN,
        all_phones: bool = NOT_GIVEN,
        selected_phone_ids: List[str] = NOT_GIVEN,
        active: bool = NOT_GIVEN,
        directions: List[t.WebhookDirection] = NOT_GIVEN,
        headers: Dict[str, str] = NOT_GIVEN,
        ordering: t.DeliveryOrdering = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SharedWebhook:
        """Change a shared webhook. `PATCH /v1/webhooks/{id}`"""
        return await self._call("webhooks.update", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete a shared webhook and unlink its phones. `DELETE /v1/webhooks/{id}`"""
        return await self._call("webhooks.delete", locals())

    def list_attempts(
        self,
        id: str,
        *,
        status: t.AttemptStatus = NOT_GIVEN,
        limit: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.WebhookAttempt]:
        """List the attempts to deliver to a shared webhook, newest first. `GET /v1/webhooks/{id}/attempts`"""
        return self._pages("webhooks.list_attempts", locals())

    async def retry(self, id: str, *, options: Optional[RequestOptions] = None) -> t.EnqueuedRetry:
        """Try all waiting deliveries of a shared webhook now. `POST /v1/webhooks/{id}/retry`"""
        return await self._call("webhooks.retry", locals())

    async def test(
        self,
        id: str,
        *,
        type: t.SampleEventType = NOT_GIVEN,
        forged: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.WebhookTestResult:
        """Send a sample event to a shared webhook. `POST /v1/webhooks/{id}/test`"""
        return await self._call("webhooks.test", locals())


class AsyncGatewayResources:
    account: AsyncAccountResource
    ai: AsyncAiResource
    audit: AsyncAuditResource
    billing: AsyncBillingResource
    business_hours: AsyncBusinessHoursResource
    calls: AsyncCallsResource
    chats: AsyncChatsResource
    contacts: AsyncContactsResource
    events: AsyncEventsResource
    flows: AsyncFlowsResource
    groups: AsyncGroupsResource
    keys: AsyncKeysResource
    lookup: AsyncLookupResource
    media: AsyncMediaResource
    messages: AsyncMessagesResource
    phones: AsyncPhonesResource
    stats: AsyncStatsResource
    system: AsyncSystemResource
    templates: AsyncTemplatesResource
    webhooks: AsyncWebhooksResource

    def _attach(self, run: AsyncRun) -> None:
        self.account = AsyncAccountResource(run)
        self.ai = AsyncAiResource(run)
        self.audit = AsyncAuditResource(run)
        self.billing = AsyncBillingResource(run)
        self.business_hours = AsyncBusinessHoursResource(run)
        self.calls = AsyncCallsResource(run)
        self.chats = AsyncChatsResource(run)
        self.contacts = AsyncContactsResource(run)
        self.events = AsyncEventsResource(run)
        self.flows = AsyncFlowsResource(run)
        self.groups = AsyncGroupsResource(run)
        self.keys = AsyncKeysResource(run)
        self.lookup = AsyncLookupResource(run)
        self.media = AsyncMediaResource(run)
        self.messages = AsyncMessagesResource(run)
        self.phones = AsyncPhonesResource(run)
        self.stats = AsyncStatsResource(run)
        self.system = AsyncSystemResource(run)
        self.templates = AsyncTemplatesResource(run)
        self.webhooks = AsyncWebhooksResource(run)


class AdminAccountsResource(Resource):
    def create(
        self,
        *,
        name: str,
        plan_code: str = NOT_GIVEN,
        billing_email: Optional[str] = NOT_GIVEN,
        waba_markup_pct: Optional[float] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Account:
        """Create an account. `POST /v1/admin/accounts`"""
        return self._call("accounts.create", locals())

    def list(
        self,
        *,
        status: Literal["ACTIVE", "CANCELLED", "INACTIVE", "SUSPENDED"] = NOT_GIVEN,
        search: str = NOT_GIVEN,
        kind: Literal["account", "institution"] = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.UsedAccount]:
        """List accounts, newest first. `GET /v1/admin/accounts`"""
        return self._pages("accounts.list", locals())

    def get_by_id(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Account:
        """Get an account. `GET /v1/admin/accounts/{id}`"""
        return self._call("accounts.get_by_id", locals())

    def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        status: Literal["ACTIVE", "CANCELLED", "INACTIVE"] = NOT_GIVEN,
        plan_code: str = NOT_GIVEN,
        billing_email: Optional[str] = NOT_GIVEN,
        waba_markup_pct: Optional[float] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Account:
        """Change an account. `PATCH /v1/admin/accounts/{id}`"""
        return self._call("accounts.update", locals())

    def issue_api_key(
        self,
        id: str,
        *,
        name: str,
        scopes: List[str] = NOT_GIVEN,
        read_only: bool = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedApiKey:
        """Issue an API key. `POST /v1/admin/accounts/{id}/api-keys`"""
        return self._call("accounts.issue_api_key", locals())

    def list_api_keys(self, id: str, *, options: Optional[RequestOptions] = None) -> Pages[t.ApiKey]:
        """List an account's API keys. `GET /v1/admin/accounts/{id}/api-keys`"""
        return self._pages("accounts.list_api_keys", locals())

    def make_institution(
        self,
        id: str,
        *,
        plan: t.InstitutionPlan,
        owner_email: str,
        options: Optional[RequestOptions] = None,
    ) -> t.MadeInstitution:
        """Make an account an institution of the platform too. `POST /v1/admin/accounts/{id}/institution`"""
        return self._call("accounts.make_institution", locals())

    def create_invoice(
        self,
        id: str,
        *,
        period_start: Union[datetime, str] = NOT_GIVEN,
        period_end: Union[datetime, str] = NOT_GIVEN,
        total_cents: int = NOT_GIVEN,
        due_date: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Invoice:
        """Invoice the cost of a period, or a sum. `POST /v1/admin/accounts/{id}/invoices`"""
        return self._call("accounts.create_invoice", locals())

    def join(self, id: str, *, institution_id: str, options: Optional[RequestOptions] = None) -> t.JoinedAccount:
        """Move everything of an account to an institution. `POST /v1/admin/accounts/{id}/join`"""
        return self._call("accounts.join", locals())

    def get_use(self, id: str, *, options: Optional[RequestOptions] = None) -> t.UsedAccount:
        """Get an account with its resources and its debts. `GET /v1/admin/accounts/{id}/use`"""
        return self._call("accounts.get_use", locals())


class AdminAdaptersResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Adapter]:
        """List the adapters of the plugin folder. `GET /v1/admin/adapters`"""
        return self._pages("adapters.list", locals())


class AdminAlertsResource(Resource):
    def test(self, *, options: Optional[RequestOptions] = None) -> t.TestAlertsResult:
        """Send the operator a test message by every way. `POST /v1/admin/alerts/test`"""
        return self._call("alerts.test", locals())


class AdminApiKeysResource(Resource):
    def revoke(self, id: str, *, options: Optional[RequestOptions] = None) -> t.RevokeApiKeyResult:
        """Revoke an API key at once. `POST /v1/admin/api-keys/{id}/revoke`"""
        return self._call("api_keys.revoke", locals())


class AdminAuditResource(Resource):
    def list(
        self,
        *,
        tenant_id: str = NOT_GIVEN,
        action: t.ListAuditEntriesAction = NOT_GIVEN,
        actor: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        search: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.AuditEntry]:
        """List administrative acts, newest first. `GET /v1/admin/audit`"""
        return self._pages("audit.list", locals())


class AdminBackupsResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.StoredBackup]:
        """List the stored backups, and how far the current one is. `GET /v1/admin/backups`"""
        return self._pages("backups.list", locals())

    def make(self, *, options: Optional[RequestOptions] = None) -> t.Backups:
        """Make a backup now. `POST /v1/admin/backups`"""
        return self._call("backups.make", locals())


class AdminBillingResource(Resource):
    def get_takings(self, *, months: int = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Takings:
        """Get the debts of all accounts, and their usage by month. `GET /v1/admin/billing`"""
        return self._call("billing.get_takings", locals())


class AdminDeadLettersResource(Resource):
    def list(
        self,
        *,
        account_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.DeadLetter]:
        """List dead letters, newest first. `GET /v1/admin/dead-letters`"""
        return self._pages("dead_letters.list", locals())

    def replay(
        self,
        *,
        account_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ReplayDeadLettersResult:
        """Send dead letters again. `POST /v1/admin/dead-letters/replay`"""
        return self._call("dead_letters.replay", locals())


class AdminDoctorResource(Resource):
    def examine(self, *, options: Optional[RequestOptions] = None) -> t.Examination:
        """Find present and coming faults, with their remedies. `GET /v1/admin/doctor`"""
        return self._call("doctor.examine", locals())


class AdminExportsResource(Resource):
    def create(
        self,
        *,
        phone: str,
        stop: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ExportedSession:
        """Export the session of a phone for another program. `POST /v1/admin/exports`"""
        return self._call("exports.create", locals())


class AdminImportsResource(Resource):
    def create(
        self,
        *,
        format: str,
        session: str,
        account_id: str,
        old_server_stopped: Literal[True],
        is_last_state: bool = NOT_GIVEN,
        label: str = NOT_GIVEN,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ImportedSession:
        """Make a phone from a session of another program. `POST /v1/admin/imports`"""
        return self._call("imports.create", locals())

    def begin_history(
        self,
        *,
        account_id: str,
        phone: str,
        format: str,
        source: str,
        run: str,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryImport:
        """Begin to import messages and contacts of another program into a phone. `POST /v1/admin/imports/history`"""
        return self._call("imports.begin_history", locals())

    def import_history_file(
        self,
        file: Upload,
        *,
        account_id: str,
        phone: str,
        format: str,
        source: str,
        run: str,
        key: str,
        sha256: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryFileTaken:
        """Import the file of a message of another program. `POST /v1/admin/imports/history/files`"""
        return self._call("imports.import_history_file", locals())

    def inspect_history(
        self,
        *,
        format: str,
        rows: str,
        account_id: str = NOT_GIVEN,
        phone: str = NOT_GIVEN,
        with_files: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryCounts:
        """Look into messages and contacts of another program. `POST /v1/admin/imports/history/inspect`"""
        return self._call("imports.inspect_history", locals())

    def import_history(
        self,
        *,
        account_id: str,
        phone: str,
        format: str,
        source: str,
        run: str,
        from_: str,
        to: str,
        rows: str = NOT_GIVEN,
        is_last: bool = NOT_GIVEN,
        with_files: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryCounts:
        """Import the next messages and contacts of another program. `POST /v1/admin/imports/history/rows`"""
        return self._call("imports.import_history", locals())

    def undo_history(self, *, account_id: str, options: Optional[RequestOptions] = None) -> t.UndoneImport:
        """Take back what the last import of histories has added to an account. `POST /v1/admin/imports/history/undo`"""
        return self._call("imports.undo_history", locals())

    def inspect(
        self,
        *,
        format: str,
        session: str,
        is_last_state: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SessionReport:
        """Look into a session of another program. `POST /v1/admin/imports/inspect`"""
        return self._call("imports.inspect", locals())


class AdminInstitutionsResource(Resource):
    def update(
        self,
        id: str,
        *,
        plan: t.InstitutionPlan,
        options: Optional[RequestOptions] = None,
    ) -> t.UpdateInstitutionResult:
        """Change the plan of an institution of the platform. `PATCH /v1/admin/institutions/{id}`"""
        return self._call("institutions.update", locals())

    def invite_member(
        self,
        id: str,
        *,
        email: str,
        role: t.MemberRole = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.InviteMemberResult:
        """Invite a person to an institution. `POST /v1/admin/institutions/{id}/members`"""
        return self._call("institutions.invite_member", locals())


class AdminInvoicesResource(Resource):
    def list_all(
        self,
        *,
        account_id: str = NOT_GIVEN,
        status: Literal["OPEN", "ISSUED", "PAID", "OVERDUE", "FAILED", "REFUNDED", "VOID", "UNPAID"] = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[t.InvoiceOfAccount]:
        """List the invoices of all accounts, newest first. `GET /v1/admin/invoices`"""
        return self._pages("invoices.list_all", locals())

    def issue(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Charge any account's invoice through the processor. `POST /v1/admin/invoices/{id}/issue`"""
        return self._call("invoices.issue", locals())

    def mark_paid(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Record that an invoice was paid elsewhere. `POST /v1/admin/invoices/{id}/mark-paid`"""
        return self._call("invoices.mark_paid", locals())

    def void(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Cancel an unpaid invoice and its charge. `POST /v1/admin/invoices/{id}/void`"""
        return self._call("invoices.void", locals())


class AdminJobsResource(Resource):
    def run(self, name: str, *, options: Optional[RequestOptions] = None) -> t.RunJobResult:
        """Run a scheduled job now. `POST /v1/admin/jobs/{name}/run`"""
        return self._call("jobs.run", locals())


class AdminLicencesResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Licence]:
        """List the packages in this program, and their licences. `GET /v1/admin/licences`"""
        return self._pages("licences.list", locals())


class AdminNodesResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Node]:
        """List the processes that serve this database. `GET /v1/admin/nodes`"""
        return self._pages("nodes.list", locals())


class AdminOperatorsResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Operator]:
        """List the operators, in the order of their creation. `GET /v1/admin/operators`"""
        return self._pages("operators.list", locals())

    def create(self, *, name: str, email: str, options: Optional[RequestOptions] = None) -> t.OperatorLink:
        """Make an operator, who signs in to the console. `POST /v1/admin/operators`"""
        return self._call("operators.create", locals())

    def reset(self, *, email: str, options: Optional[RequestOptions] = None) -> t.OperatorLink:
        """Make a link with which an operator signs in again. `POST /v1/admin/operators/reset`"""
        return self._call("operators.reset", locals())

    def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete an operator. `DELETE /v1/admin/operators/{id}`"""
        return self._call("operators.delete", locals())


class AdminPeopleResource(Resource):
    def erase(self, *, person: str, account_id: str = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Erasure:
        """Erase all that is stored of one person. `POST /v1/admin/people/erase`"""
        return self._call("people.erase", locals())

    def get_erasure(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Erasure:
        """Get the progress of an erasure. `GET /v1/admin/people/erasures/{id}`"""
        return self._call("people.get_erasure", locals())

    def export(
        self,
        *,
        person: str,
        account_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PersonExport:
        """Get all that is stored of one person. `POST /v1/admin/people/export`"""
        return self._call("people.export", locals())


class AdminPlansResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Plan]:
        """List the plans that accounts can have. `GET /v1/admin/plans`"""
        return self._pages("plans.list", locals())

    def create(
        self,
        *,
        code: str,
        kind: t.PlanKind,
        currency: Literal["BRL"] = NOT_GIVEN,
        per_message_cents: int = NOT_GIVEN,
        per_phone_month_cents: int = NOT_GIVEN,
        monthly_fee_cents: int = NOT_GIVEN,
        included_messages: int = NOT_GIVEN,
        overage_cents: int = NOT_GIVEN,
        metadata: t.PlanMetadata = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Plan:
        """Create a plan. `POST /v1/admin/plans`"""
        return self._call("plans.create", locals())

    def update(
        self,
        code: str,
        *,
        kind: t.PlanKind = NOT_GIVEN,
        currency: Literal["BRL"] = NOT_GIVEN,
        per_message_cents: int = NOT_GIVEN,
        per_phone_month_cents: int = NOT_GIVEN,
        monthly_fee_cents: int = NOT_GIVEN,
        included_messages: int = NOT_GIVEN,
        overage_cents: int = NOT_GIVEN,
        metadata: t.PlanMetadata = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Plan:
        """Change a plan. `PATCH /v1/admin/plans/{code}`"""
        return self._call("plans.update", locals())


class AdminSettingsResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Setting]:
        """List the settings, and where each value comes from. `GET /v1/admin/settings`"""
        return self._pages("settings.list", locals())


class AdminStatsResource(Resource):
    def get(
        self,
        *,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        step: t.StatsStep = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Stats:
        """Get the totals of all accounts. `GET /v1/admin/stats`"""
        return self._call("stats.get", locals())


class AdminSystemResource(Resource):
    def get(self, *, options: Optional[RequestOptions] = None) -> t.System:
        """Get the versions, the disk and the sizes of this machine. `GET /v1/admin/system`"""
        return self._call("system.get", locals())


class AdminTokenResource(Resource):
    def renew(self, *, options: Optional[RequestOptions] = None) -> t.RenewAdminTokenResult:
        """Make a new admin token. `POST /v1/admin/token`"""
        return self._call("token.renew", locals())


class AdminTroublesResource(Resource):
    def list(self, *, options: Optional[RequestOptions] = None) -> Pages[t.Trouble]:
        """List the current troubles, and how the operator is notified. `GET /v1/admin/troubles`"""
        return self._pages("troubles.list", locals())


class AdminUsersResource(Resource):
    def create(
        self,
        *,
        name: str,
        email: str,
        institution_name: str,
        options: Optional[RequestOptions] = None,
    ) -> t.CreateUserResult:
        """Make a user of the platform, with an institution. `POST /v1/admin/users`"""
        return self._call("users.create", locals())

    def reset(self, *, email: str, options: Optional[RequestOptions] = None) -> t.ResetUserResult:
        """Make a link with which a user chooses a new password. `POST /v1/admin/users/reset`"""
        return self._call("users.reset", locals())


class AdminResources:
    accounts: AdminAccountsResource
    adapters: AdminAdaptersResource
    alerts: AdminAlertsResource
    api_keys: AdminApiKeysResource
    audit: AdminAuditResource
    backups: AdminBackupsResource
    billing: AdminBillingResource
    dead_letters: AdminDeadLettersResource
    doctor: AdminDoctorResource
    exports: AdminExportsResource
    imports: AdminImportsResource
    institutions: AdminInstitutionsResource
    invoices: AdminInvoicesResource
    jobs: AdminJobsResource
    licences: AdminLicencesResource
    nodes: AdminNodesResource
    operators: AdminOperatorsResource
    people: AdminPeopleResource
    plans: AdminPlansResource
    settings: AdminSettingsResource
    stats: AdminStatsResource
    system: AdminSystemResource
    token: AdminTokenResource
    troubles: AdminTroublesResource
    users: AdminUsersResource

    def _attach(self, run: Run) -> None:
        self.accounts = AdminAccountsResource(run)
        self.adapters = AdminAdaptersResource(run)
        self.alerts = AdminAlertsResource(run)
        self.api_keys = AdminApiKeysResource(run)
        self.audit = AdminAuditResource(run)
        self.backups = AdminBackupsResource(run)
        self.billing = AdminBillingResource(run)
        self.dead_letters = AdminDeadLettersResource(run)
        self.doctor = AdminDoctorResource(run)
        self.exports = AdminExportsResource(run)
        self.imports = AdminImportsResource(run)
        self.institutions = AdminInstitutionsResource(run)
        self.invoices = AdminInvoicesResource(run)
        self.jobs = AdminJobsResource(run)
        self.licences = AdminLicencesResource(run)
        self.nodes = AdminNodesResource(run)
        self.operators = AdminOperatorsResource(run)
        self.people = AdminPeopleResource(run)
        self.plans = AdminPlansResource(run)
        self.settings = AdminSettingsResource(run)
        self.stats = AdminStatsResource(run)
        self.system = AdminSystemResource(run)
        self.token = AdminTokenResource(run)
        self.troubles = AdminTroublesResource(run)
        self.users = AdminUsersResource(run)


class AsyncAdminAccountsResource(AsyncResource):
    async def create(
        self,
        *,
        name: str,
        plan_code: str = NOT_GIVEN,
        billing_email: Optional[str] = NOT_GIVEN,
        waba_markup_pct: Optional[float] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Account:
        """Create an account. `POST /v1/admin/accounts`"""
        return await self._call("accounts.create", locals())

    def list(
        self,
        *,
        status: Literal["ACTIVE", "CANCELLED", "INACTIVE", "SUSPENDED"] = NOT_GIVEN,
        search: str = NOT_GIVEN,
        kind: Literal["account", "institution"] = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.UsedAccount]:
        """List accounts, newest first. `GET /v1/admin/accounts`"""
        return self._pages("accounts.list", locals())

    async def get_by_id(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Account:
        """Get an account. `GET /v1/admin/accounts/{id}`"""
        return await self._call("accounts.get_by_id", locals())

    async def update(
        self,
        id: str,
        *,
        name: str = NOT_GIVEN,
        status: Literal["ACTIVE", "CANCELLED", "INACTIVE"] = NOT_GIVEN,
        plan_code: str = NOT_GIVEN,
        billing_email: Optional[str] = NOT_GIVEN,
        waba_markup_pct: Optional[float] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Account:
        """Change an account. `PATCH /v1/admin/accounts/{id}`"""
        return await self._call("accounts.update", locals())

    async def issue_api_key(
        self,
        id: str,
        *,
        name: str,
        scopes: List[str] = NOT_GIVEN,
        read_only: bool = NOT_GIVEN,
        allowed_addresses: List[str] = NOT_GIVEN,
        expires_at: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.IssuedApiKey:
        """Issue an API key. `POST /v1/admin/accounts/{id}/api-keys`"""
        return await self._call("accounts.issue_api_key", locals())

    def list_api_keys(self, id: str, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.ApiKey]:
        """List an account's API keys. `GET /v1/admin/accounts/{id}/api-keys`"""
        return self._pages("accounts.list_api_keys", locals())

    async def make_institution(
        self,
        id: str,
        *,
        plan: t.InstitutionPlan,
        owner_email: str,
        options: Optional[RequestOptions] = None,
    ) -> t.MadeInstitution:
        """Make an account an institution of the platform too. `POST /v1/admin/accounts/{id}/institution`"""
        return await self._call("accounts.make_institution", locals())

    async def create_invoice(
        self,
        id: str,
        *,
        period_start: Union[datetime, str] = NOT_GIVEN,
        period_end: Union[datetime, str] = NOT_GIVEN,
        total_cents: int = NOT_GIVEN,
        due_date: Union[datetime, str] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Invoice:
        """Invoice the cost of a period, or a sum. `POST /v1/admin/accounts/{id}/invoices`"""
        return await self._call("accounts.create_invoice", locals())

    async def join(self, id: str, *, institution_id: str, options: Optional[RequestOptions] = None) -> t.JoinedAccount:
        """Move everything of an account to an institution. `POST /v1/admin/accounts/{id}/join`"""
        return await self._call("accounts.join", locals())

    async def get_use(self, id: str, *, options: Optional[RequestOptions] = None) -> t.UsedAccount:
        """Get an account with its resources and its debts. `GET /v1/admin/accounts/{id}/use`"""
        return await self._call("accounts.get_use", locals())


class AsyncAdminAdaptersResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Adapter]:
        """List the adapters of the plugin folder. `GET /v1/admin/adapters`"""
        return self._pages("adapters.list", locals())


class AsyncAdminAlertsResource(AsyncResource):
    async def test(self, *, options: Optional[RequestOptions] = None) -> t.TestAlertsResult:
        """Send the operator a test message by every way. `POST /v1/admin/alerts/test`"""
        return await self._call("alerts.test", locals())


class AsyncAdminApiKeysResource(AsyncResource):
    async def revoke(self, id: str, *, options: Optional[RequestOptions] = None) -> t.RevokeApiKeyResult:
        """Revoke an API key at once. `POST /v1/admin/api-keys/{id}/revoke`"""
        return await self._call("api_keys.revoke", locals())


class AsyncAdminAuditResource(AsyncResource):
    def list(
        self,
        *,
        tenant_id: str = NOT_GIVEN,
        action: t.ListAuditEntriesAction = NOT_GIVEN,
        actor: str = NOT_GIVEN,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        search: str = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.AuditEntry]:
        """List administrative acts, newest first. `GET /v1/admin/audit`"""
        return self._pages("audit.list", locals())


class AsyncAdminBackupsResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.StoredBackup]:
        """List the stored backups, and how far the current one is. `GET /v1/admin/backups`"""
        return self._pages("backups.list", locals())

    async def make(self, *, options: Optional[RequestOptions] = None) -> t.Backups:
        """Make a backup now. `POST /v1/admin/backups`"""
        return await self._call("backups.make", locals())


class AsyncAdminBillingResource(AsyncResource):
    async def get_takings(self, *, months: int = NOT_GIVEN, options: Optional[RequestOptions] = None) -> t.Takings:
        """Get the debts of all accounts, and their usage by month. `GET /v1/admin/billing`"""
        return await self._call("billing.get_takings", locals())


class AsyncAdminDeadLettersResource(AsyncResource):
    def list(
        self,
        *,
        account_id: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.DeadLetter]:
        """List dead letters, newest first. `GET /v1/admin/dead-letters`"""
        return self._pages("dead_letters.list", locals())

    async def replay(
        self,
        *,
        account_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ReplayDeadLettersResult:
        """Send dead letters again. `POST /v1/admin/dead-letters/replay`"""
        return await self._call("dead_letters.replay", locals())


class AsyncAdminDoctorResource(AsyncResource):
    async def examine(self, *, options: Optional[RequestOptions] = None) -> t.Examination:
        """Find present and coming faults, with their remedies. `GET /v1/admin/doctor`"""
        return await self._call("doctor.examine", locals())


class AsyncAdminExportsResource(AsyncResource):
    async def create(
        self,
        *,
        phone: str,
        stop: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ExportedSession:
        """Export the session of a phone for another program. `POST /v1/admin/exports`"""
        return await self._call("exports.create", locals())


class AsyncAdminImportsResource(AsyncResource):
    async def create(
        self,
        *,
        format: str,
        session: str,
        account_id: str,
        old_server_stopped: Literal[True],
        is_last_state: bool = NOT_GIVEN,
        label: str = NOT_GIVEN,
        webhook: t.PhoneWebhook = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.ImportedSession:
        """Make a phone from a session of another program. `POST /v1/admin/imports`"""
        return await self._call("imports.create", locals())

    async def begin_history(
        self,
        *,
        account_id: str,
        phone: str,
        format: str,
        source: str,
        run: str,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryImport:
        """Begin to import messages and contacts of another program into a phone. `POST /v1/admin/imports/history`"""
        return await self._call("imports.begin_history", locals())

    async def import_history_file(
        self,
        file: Upload,
        *,
        account_id: str,
        phone: str,
        format: str,
        source: str,
        run: str,
        key: str,
        sha256: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryFileTaken:
        """Import the file of a message of another program. `POST /v1/admin/imports/history/files`"""
        return await self._call("imports.import_history_file", locals())

    async def inspect_history(
        self,
        *,
        format: str,
        rows: str,
        account_id: str = NOT_GIVEN,
        phone: str = NOT_GIVEN,
        with_files: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryCounts:
        """Look into messages and contacts of another program. `POST /v1/admin/imports/history/inspect`"""
        return await self._call("imports.inspect_history", locals())

    async def import_history(
        self,
        *,
        account_id: str,
        phone: str,
        format: str,
        source: str,
        run: str,
        from_: str,
        to: str,
        rows: str = NOT_GIVEN,
        is_last: bool = NOT_GIVEN,
        with_files: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.HistoryCounts:
        """Import the next messages and contacts of another program. `POST /v1/admin/imports/history/rows`"""
        return await self._call("imports.import_history", locals())

    async def undo_history(self, *, account_id: str, options: Optional[RequestOptions] = None) -> t.UndoneImport:
        """Take back what the last import of histories has added to an account. `POST /v1/admin/imports/history/undo`"""
        return await self._call("imports.undo_history", locals())

    async def inspect(
        self,
        *,
        format: str,
        session: str,
        is_last_state: bool = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.SessionReport:
        """Look into a session of another program. `POST /v1/admin/imports/inspect`"""
        return await self._call("imports.inspect", locals())


class AsyncAdminInstitutionsResource(AsyncResource):
    async def update(
        self,
        id: str,
        *,
        plan: t.InstitutionPlan,
        options: Optional[RequestOptions] = None,
    ) -> t.UpdateInstitutionResult:
        """Change the plan of an institution of the platform. `PATCH /v1/admin/institutions/{id}`"""
        return await self._call("institutions.update", locals())

    async def invite_member(
        self,
        id: str,
        *,
        email: str,
        role: t.MemberRole = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.InviteMemberResult:
        """Invite a person to an institution. `POST /v1/admin/institutions/{id}/members`"""
        return await self._call("institutions.invite_member", locals())


class AsyncAdminInvoicesResource(AsyncResource):
    def list_all(
        self,
        *,
        account_id: str = NOT_GIVEN,
        status: Literal["OPEN", "ISSUED", "PAID", "OVERDUE", "FAILED", "REFUNDED", "VOID", "UNPAID"] = NOT_GIVEN,
        cursor: str = NOT_GIVEN,
        limit: int = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[t.InvoiceOfAccount]:
        """List the invoices of all accounts, newest first. `GET /v1/admin/invoices`"""
        return self._pages("invoices.list_all", locals())

    async def issue(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Charge any account's invoice through the processor. `POST /v1/admin/invoices/{id}/issue`"""
        return await self._call("invoices.issue", locals())

    async def mark_paid(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Record that an invoice was paid elsewhere. `POST /v1/admin/invoices/{id}/mark-paid`"""
        return await self._call("invoices.mark_paid", locals())

    async def void(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Invoice:
        """Cancel an unpaid invoice and its charge. `POST /v1/admin/invoices/{id}/void`"""
        return await self._call("invoices.void", locals())


class AsyncAdminJobsResource(AsyncResource):
    async def run(self, name: str, *, options: Optional[RequestOptions] = None) -> t.RunJobResult:
        """Run a scheduled job now. `POST /v1/admin/jobs/{name}/run`"""
        return await self._call("jobs.run", locals())


class AsyncAdminLicencesResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Licence]:
        """List the packages in this program, and their licences. `GET /v1/admin/licences`"""
        return self._pages("licences.list", locals())


class AsyncAdminNodesResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Node]:
        """List the processes that serve this database. `GET /v1/admin/nodes`"""
        return self._pages("nodes.list", locals())


class AsyncAdminOperatorsResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Operator]:
        """List the operators, in the order of their creation. `GET /v1/admin/operators`"""
        return self._pages("operators.list", locals())

    async def create(self, *, name: str, email: str, options: Optional[RequestOptions] = None) -> t.OperatorLink:
        """Make an operator, who signs in to the console. `POST /v1/admin/operators`"""
        return await self._call("operators.create", locals())

    async def reset(self, *, email: str, options: Optional[RequestOptions] = None) -> t.OperatorLink:
        """Make a link with which an operator signs in again. `POST /v1/admin/operators/reset`"""
        return await self._call("operators.reset", locals())

    async def delete(self, id: str, *, options: Optional[RequestOptions] = None) -> None:
        """Delete an operator. `DELETE /v1/admin/operators/{id}`"""
        return await self._call("operators.delete", locals())


class AsyncAdminPeopleResource(AsyncResource):
    async def erase(
        self,
        *,
        person: str,
        account_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Erasure:
        """Erase all that is stored of one person. `POST /v1/admin/people/erase`"""
        return await self._call("people.erase", locals())

    async def get_erasure(self, id: str, *, options: Optional[RequestOptions] = None) -> t.Erasure:
        """Get the progress of an erasure. `GET /v1/admin/people/erasures/{id}`"""
        return await self._call("people.get_erasure", locals())

    async def export(
        self,
        *,
        person: str,
        account_id: str = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.PersonExport:
        """Get all that is stored of one person. `POST /v1/admin/people/export`"""
        return await self._call("people.export", locals())


class AsyncAdminPlansResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Plan]:
        """List the plans that accounts can have. `GET /v1/admin/plans`"""
        return self._pages("plans.list", locals())

    async def create(
        self,
        *,
        code: str,
        kind: t.PlanKind,
        currency: Literal["BRL"] = NOT_GIVEN,
        per_message_cents: int = NOT_GIVEN,
        per_phone_month_cents: int = NOT_GIVEN,
        monthly_fee_cents: int = NOT_GIVEN,
        included_messages: int = NOT_GIVEN,
        overage_cents: int = NOT_GIVEN,
        metadata: t.PlanMetadata = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Plan:
        """Create a plan. `POST /v1/admin/plans`"""
        return await self._call("plans.create", locals())

    async def update(
        self,
        code: str,
        *,
        kind: t.PlanKind = NOT_GIVEN,
        currency: Literal["BRL"] = NOT_GIVEN,
        per_message_cents: int = NOT_GIVEN,
        per_phone_month_cents: int = NOT_GIVEN,
        monthly_fee_cents: int = NOT_GIVEN,
        included_messages: int = NOT_GIVEN,
        overage_cents: int = NOT_GIVEN,
        metadata: t.PlanMetadata = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Plan:
        """Change a plan. `PATCH /v1/admin/plans/{code}`"""
        return await self._call("plans.update", locals())


class AsyncAdminSettingsResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Setting]:
        """List the settings, and where each value comes from. `GET /v1/admin/settings`"""
        return self._pages("settings.list", locals())


class AsyncAdminStatsResource(AsyncResource):
    async def get(
        self,
        *,
        since: Union[datetime, str] = NOT_GIVEN,
        until: Union[datetime, str] = NOT_GIVEN,
        step: t.StatsStep = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> t.Stats:
        """Get the totals of all accounts. `GET /v1/admin/stats`"""
        return await self._call("stats.get", locals())


class AsyncAdminSystemResource(AsyncResource):
    async def get(self, *, options: Optional[RequestOptions] = None) -> t.System:
        """Get the versions, the disk and the sizes of this machine. `GET /v1/admin/system`"""
        return await self._call("system.get", locals())


class AsyncAdminTokenResource(AsyncResource):
    async def renew(self, *, options: Optional[RequestOptions] = None) -> t.RenewAdminTokenResult:
        """Make a new admin token. `POST /v1/admin/token`"""
        return await self._call("token.renew", locals())


class AsyncAdminTroublesResource(AsyncResource):
    def list(self, *, options: Optional[RequestOptions] = None) -> AsyncPages[t.Trouble]:
        """List the current troubles, and how the operator is notified. `GET /v1/admin/troubles`"""
        return self._pages("troubles.list", locals())


class AsyncAdminUsersResource(AsyncResource):
    async def create(
        self,
        *,
        name: str,
        email: str,
        institution_name: str,
        options: Optional[RequestOptions] = None,
    ) -> t.CreateUserResult:
        """Make a user of the platform, with an institution. `POST /v1/admin/users`"""
        return await self._call("users.create", locals())

    async def reset(self, *, email: str, options: Optional[RequestOptions] = None) -> t.ResetUserResult:
        """Make a link with which a user chooses a new password. `POST /v1/admin/users/reset`"""
        return await self._call("users.reset", locals())


class AsyncAdminResources:
    accounts: AsyncAdminAccountsResource
    adapters: AsyncAdminAdaptersResource
    alerts: AsyncAdminAlertsResource
    api_keys: AsyncAdminApiKeysResource
    audit: AsyncAdminAuditResource
    backups: AsyncAdminBackupsResource
    billing: AsyncAdminBillingResource
    dead_letters: AsyncAdminDeadLettersResource
    doctor: AsyncAdminDoctorResource
    exports: AsyncAdminExportsResource
    imports: AsyncAdminImportsResource
    institutions: AsyncAdminInstitutionsResource
    invoices: AsyncAdminInvoicesResource
    jobs: AsyncAdminJobsResource
    licences: AsyncAdminLicencesResource
    nodes: AsyncAdminNodesResource
    operators: AsyncAdminOperatorsResource
    people: AsyncAdminPeopleResource
    plans: AsyncAdminPlansResource
    settings: AsyncAdminSettingsResource
    stats: AsyncAdminStatsResource
    system: AsyncAdminSystemResource
    token: AsyncAdminTokenResource
    troubles: AsyncAdminTroublesResource
    users: AsyncAdminUsersResource

    def _attach(self, run: AsyncRun) -> None:
        self.accounts = AsyncAdminAccountsResource(run)
        self.adapters = AsyncAdminAdaptersResource(run)
        self.alerts = AsyncAdminAlertsResource(run)
        self.api_keys = AsyncAdminApiKeysResource(run)
        self.audit = AsyncAdminAuditResource(run)
        self.backups = AsyncAdminBackupsResource(run)
        self.billing = AsyncAdminBillingResource(run)
        self.dead_letters = AsyncAdminDeadLettersResource(run)
        self.doctor = AsyncAdminDoctorResource(run)
        self.exports = AsyncAdminExportsResource(run)
        self.imports = AsyncAdminImportsResource(run)
        self.institutions = AsyncAdminInstitutionsResource(run)
        self.invoices = AsyncAdminInvoicesResource(run)
        self.jobs = AsyncAdminJobsResource(run)
        self.licences = AsyncAdminLicencesResource(run)
        self.nodes = AsyncAdminNodesResource(run)
        self.operators = AsyncAdminOperatorsResource(run)
        self.people = AsyncAdminPeopleResource(run)
        self.plans = AsyncAdminPlansResource(run)
        self.settings = AsyncAdminSettingsResource(run)
        self.stats = AsyncAdminStatsResource(run)
        self.system = AsyncAdminSystemResource(run)
        self.token = AsyncAdminTokenResource(run)
        self.troubles = AsyncAdminTroublesResource(run)
        self.users = AsyncAdminUsersResource(run)
