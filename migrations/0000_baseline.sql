CREATE TABLE `agents` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`system_prompt` text NOT NULL,
	`model` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`disabled_at` integer,
	`keywords` text NOT NULL,
	`after_turns` integer,
	`context_window_turns` integer NOT NULL,
	`rag_top_k` integer NOT NULL,
	`conversation_ttl_days` integer NOT NULL,
	`greeting` text,
	`daily_tokens` integer,
	`daily_tokens_per_contact` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_id_unique` ON `agents` (`id`);--> statement-breakpoint
CREATE INDEX `agents_by_tenant` ON `agents` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `ai_conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`contact_key` text NOT NULL,
	`status` text NOT NULL,
	`turn_count` integer NOT NULL,
	`handoff_reason` text,
	`handoff_at` integer,
	`last_turn_at` integer,
	`closed_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ai_conversations_by_contact` ON `ai_conversations` (`channel_id`,`contact_key`);--> statement-breakpoint
CREATE INDEX `ai_conversations_by_channel` ON `ai_conversations` (`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `ai_conversations_by_status` ON `ai_conversations` (`channel_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `ai_conversations_closed` ON `ai_conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `ai_conversations_by_turn` ON `ai_conversations` (`channel_id`,`status`,`last_turn_at`);--> statement-breakpoint
CREATE TABLE `ai_turns` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`tokens_estimate` integer NOT NULL,
	`chat_message_id` text,
	`message_id` text,
	`sent_message_id` text,
	`retrieved_chunk_ids` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `ai_turns_by_conversation` ON `ai_turns` (`conversation_id`,`id`);--> statement-breakpoint
CREATE INDEX `ai_turns_by_sent` ON `ai_turns` (`sent_message_id`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`event_type` text NOT NULL,
	`attempt` integer NOT NULL,
	`is_delivered` integer NOT NULL,
	`status_code` integer NOT NULL,
	`failure` text,
	`error` text,
	`response` text,
	`duration_ms` integer NOT NULL,
	`at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `attempts_by_subscription` ON `attempts` (`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_failed` ON `attempts` (`subscription_id`,`id`) WHERE is_delivered = 0;--> statement-breakpoint
CREATE INDEX `attempts_by_age` ON `attempts` (`at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`target` text,
	`tenant_id` text,
	`details` text NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entries_by_tenant` ON `audit_entries` (`tenant_id`,`id`) WHERE tenant_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE TABLE `batch_recipients` (
	`batch_id` text NOT NULL,
	`position` integer NOT NULL,
	`recipient` text NOT NULL,
	`variables` text,
	`status` text NOT NULL,
	`message_id` text,
	`error_code` text,
	`error_message` text,
	PRIMARY KEY(`batch_id`, `position`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `batch_recipients_by_status` ON `batch_recipients` (`batch_id`,`status`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `batch_recipients_by_message` ON `batch_recipients` (`message_id`) WHERE message_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `batches` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`environment` text NOT NULL,
	`name` text,
	`delay_ms` integer NOT NULL,
	`jitter` real NOT NULL,
	`status` text NOT NULL,
	`next_at` integer NOT NULL,
	`tried_at` integer,
	`waiting_since` integer,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`text` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `batches_by_tenant` ON `batches` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `batches_by_status` ON `batches` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `batches_by_channel` ON `batches` (`tenant_id`,`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `batches_test` ON `batches` (`tenant_id`,`id`) WHERE environment = 'test';--> statement-breakpoint
CREATE INDEX `batches_finished` ON `batches` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `batches_running` ON `batches` (`channel_id`) WHERE status IN ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE TABLE `call_permissions` (
	`channel_id` text NOT NULL,
	`peer` text NOT NULL,
	`is_granted` integer NOT NULL,
	`granted_at` integer,
	`expires_at` integer,
	PRIMARY KEY(`channel_id`, `peer`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `calls` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`upstream_call_id` text,
	`direction` text NOT NULL,
	`status` text NOT NULL,
	`peer` text NOT NULL,
	`sdp_offer` text,
	`started_at` integer,
	`accepted_at` integer,
	`ended_at` integer,
	`duration_seconds` integer,
	`end_reason` text,
	`recording` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `calls_by_tenant` ON `calls` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `calls_by_channel` ON `calls` (`tenant_id`,`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `calls_by_status` ON `calls` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calls_by_upstream` ON `calls` (`channel_id`,`upstream_call_id`) WHERE upstream_call_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_by_upstream_id` ON `calls` (`tenant_id`,`upstream_call_id`) WHERE upstream_call_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calls_recorded` ON `calls` (`id`) WHERE recording IS NOT NULL;--> statement-breakpoint
CREATE TABLE `channels` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`holds_connection` integer NOT NULL,
	`label` text NOT NULL,
	`environment` text DEFAULT 'live' NOT NULL,
	`state` text NOT NULL,
	`phone_number` text,
	`number_id` text,
	`account_id` text,
	`verify_token_hash` text,
	`is_webhook_configured` integer NOT NULL,
	`profile` text NOT NULL,
	`shared_webhook_id` text,
	`validated_at` integer,
	`connected_at` integer,
	`disconnected_at` integer,
	`state_since` integer,
	`templates_asked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `channels_by_tenant` ON `channels` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `channels_by_number` ON `channels` (`number_id`) WHERE number_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_account` ON `channels` (`account_id`) WHERE account_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_verify_token` ON `channels` (`verify_token_hash`) WHERE verify_token_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_shared_webhook` ON `channels` (`shared_webhook_id`) WHERE shared_webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_live` ON `channels` (`id`) WHERE holds_connection = 1 AND validated_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_state` ON `channels` (`state`,`kind`);--> statement-breakpoint
CREATE INDEX `channels_away` ON `channels` (`disconnected_at`) WHERE disconnected_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `vault` (
	`channel_id` text NOT NULL,
	`field` text NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`channel_id`, `field`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `stored_items` (
	`key` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`size_bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tenant_counts` (
	`tenant_id` text NOT NULL,
	`collection` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `collection`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `tenant_counts_largest` ON `tenant_counts` (`collection`,`n`);--> statement-breakpoint
CREATE TABLE `contacts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`environment` text DEFAULT 'live' NOT NULL,
	`phone_number` text,
	`number_key` text,
	`alias` text,
	`name` text,
	`email` text,
	`tags` text NOT NULL,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_id_unique` ON `contacts` (`id`);--> statement-breakpoint
CREATE INDEX `contacts_by_tenant` ON `contacts` (`tenant_id`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_number` ON `contacts` (`tenant_id`,`number_key`,`environment`) WHERE number_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_alias` ON `contacts` (`tenant_id`,`alias`,`environment`) WHERE alias IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_test` ON `contacts` (`tenant_id`,`seq`) WHERE environment = 'test';--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`environment` text DEFAULT 'live' NOT NULL,
	`status` text NOT NULL,
	`assigned_user_id` text,
	`transfer_note` text,
	`last_message_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_open` ON `conversations` (`channel_id`,`contact_id`,`environment`) WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX `conversations_by_tenant` ON `conversations` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_status` ON `conversations` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_channel` ON `conversations` (`tenant_id`,`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_channel_status` ON `conversations` (`tenant_id`,`channel_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_test` ON `conversations` (`tenant_id`,`id`) WHERE environment = 'test';--> statement-breakpoint
CREATE INDEX `conversations_by_contact` ON `conversations` (`contact_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_closed` ON `conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `conversations_assigned` ON `conversations` (`tenant_id`,`assigned_user_id`) WHERE status = 'OPEN' AND assigned_user_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`name` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`name`, `at`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `departed_channels` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`webhook_id` text,
	`shared_webhook_id` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `early_acts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` text NOT NULL,
	`environment` text NOT NULL,
	`provider_message_id` text NOT NULL,
	`act_key` text NOT NULL,
	`expires_at` integer NOT NULL,
	`act` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `early_acts_by_message` ON `early_acts` (`channel_id`,`provider_message_id`,`act_key`);--> statement-breakpoint
CREATE INDEX `early_acts_by_channel` ON `early_acts` (`channel_id`,`seq`);--> statement-breakpoint
CREATE INDEX `early_acts_by_expiry` ON `early_acts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`person` text NOT NULL,
	`names` text,
	`position` text,
	`rows` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `erasures_finished` ON `erasures` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event_seq` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`status` text NOT NULL,
	`url` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`last_status_code` integer,
	`last_error` text,
	`delivered_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_seq`);--> statement-breakpoint
CREATE INDEX `deliveries_paused` ON `deliveries` (`subscription_id`,`event_seq`) WHERE status = 'PAUSED';--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`subscription_id`,`event_seq`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `deliveries_pending` ON `deliveries` (`tenant_id`,`event_seq`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `deliveries_dead` ON `deliveries` (`event_seq`) WHERE status = 'DEAD';--> statement-breakpoint
CREATE INDEX `deliveries_dead_by_tenant` ON `deliveries` (`tenant_id`,`event_seq`) WHERE status = 'DEAD';--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text,
	`chat` text NOT NULL,
	`call_id` text,
	`audience` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_id` ON `events` (`id`,`audience`);--> statement-breakpoint
CREATE INDEX `events_by_tenant` ON `events` (`tenant_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_type` ON `events` (`tenant_id`,`audience`,`type`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_channel` ON `events` (`tenant_id`,`channel_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_age` ON `events` (`created_at`);--> statement-breakpoint
CREATE TABLE `flows` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`native_id` text,
	`name` text NOT NULL,
	`categories` text NOT NULL,
	`status` text NOT NULL,
	`endpoint_url` text,
	`validation_errors` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `flows_by_tenant` ON `flows` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `flows_by_channel` ON `flows` (`channel_id`);--> statement-breakpoint
CREATE INDEX `flows_by_native_id` ON `flows` (`native_id`) WHERE native_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`upstream_group_id` text,
	`request_id` text,
	`subject` text NOT NULL,
	`description` text NOT NULL,
	`join_approval_mode` text NOT NULL,
	`invite_link` text,
	`participants` text NOT NULL,
	`total_participant_count` integer NOT NULL,
	`is_suspended` integer NOT NULL,
	`is_deleting` integer NOT NULL,
	`deleted_at` integer,
	`provider_updated_at` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `groups_by_tenant` ON `groups` (`tenant_id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `groups_by_channel` ON `groups` (`channel_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `groups_by_upstream` ON `groups` (`channel_id`,`upstream_group_id`) WHERE upstream_group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_by_upstream_id` ON `groups` (`tenant_id`,`upstream_group_id`) WHERE upstream_group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_deleted` ON `groups` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `groups_by_request` ON `groups` (`channel_id`,`request_id`) WHERE request_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `identities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`pn` text,
	`lid` text,
	`bsuid` text,
	`parent_bsuid` text,
	`igsid` text,
	`uid` text,
	`username` text,
	`name` text,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `identities_by_channel` ON `identities` (`channel_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_pn` ON `identities` (`channel_id`,`pn`) WHERE pn IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_lid` ON `identities` (`channel_id`,`lid`) WHERE lid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_bsuid` ON `identities` (`channel_id`,`bsuid`) WHERE bsuid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_parent_bsuid` ON `identities` (`channel_id`,`parent_bsuid`) WHERE parent_bsuid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_igsid` ON `identities` (`channel_id`,`igsid`) WHERE igsid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_uid` ON `identities` (`channel_id`,`uid`) WHERE uid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_username` ON `identities` (`channel_id`,`username`) WHERE username IS NOT NULL;--> statement-breakpoint
CREATE TABLE `inbox` (
	`channel_id` text NOT NULL,
	`provider_message_id` text NOT NULL,
	`message_id` text NOT NULL,
	`chat` text DEFAULT '' NOT NULL,
	`sender` text DEFAULT '' NOT NULL,
	`is_own` integer DEFAULT false NOT NULL,
	`is_placeholder` integer DEFAULT false NOT NULL,
	`received_at` integer NOT NULL,
	`environment` text DEFAULT 'live' NOT NULL,
	PRIMARY KEY(`channel_id`, `provider_message_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `inbox_by_message` ON `inbox` (`message_id`);--> statement-breakpoint
CREATE INDEX `inbox_by_age` ON `inbox` (`received_at`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`is_mailed` integer NOT NULL,
	`invited_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_of_email` ON `invitations` (`tenant_id`,`email_key`);--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`is_manual` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`breakdown` text NOT NULL,
	`status` text NOT NULL,
	`due_date` text NOT NULL,
	`paid_at` integer,
	`paid_cents` integer,
	`gateway_provider` text,
	`gateway_charge_id` text,
	`gateway_invoice_url` text,
	`pix_qr_code` text,
	`pix_copy_paste` text,
	`boleto_url` text,
	`boleto_barcode` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_of_period` ON `invoices` (`tenant_id`,`period_start`) WHERE is_manual = 0;--> statement-breakpoint
CREATE INDEX `invoices_by_tenant` ON `invoices` (`tenant_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_by_charge` ON `invoices` (`gateway_charge_id`) WHERE gateway_charge_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_unpaid` ON `invoices` (`due_date`) WHERE status IN ('OPEN', 'ISSUED', 'OVERDUE');--> statement-breakpoint
CREATE INDEX `invoices_charged` ON `invoices` (`id`) WHERE status IN ('OPEN', 'ISSUED', 'OVERDUE') AND gateway_provider IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_paid` ON `invoices` (`id`) WHERE status = 'PAID' AND gateway_charge_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_unpaid_by_tenant` ON `invoices` (`tenant_id`,`due_date`) WHERE status IN ('OPEN', 'ISSUED', 'OVERDUE');--> statement-breakpoint
CREATE TABLE `discarded_jobs` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`queue` text NOT NULL,
	`payload` text NOT NULL,
	`payload_version` integer DEFAULT 1 NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text NOT NULL,
	`discarded_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `discarded_jobs_by_age` ON `discarded_jobs` (`discarded_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`queue` text NOT NULL,
	`priority` integer NOT NULL,
	`payload` text NOT NULL,
	`payload_version` integer DEFAULT 1 NOT NULL,
	`unique_key` text,
	`run_at` integer NOT NULL,
	`owner` text,
	`claims` integer NOT NULL,
	`attempts` integer NOT NULL,
	`crashes` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `jobs_waiting` ON `jobs` (`queue`,`priority`,`run_at`,`id`) WHERE owner IS NULL;--> statement-breakpoint
CREATE INDEX `jobs_running` ON `jobs` (`owner`) WHERE owner IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_crashed` ON `jobs` (`crashes`) WHERE crashes > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_unique` ON `jobs` (`unique_key`) WHERE unique_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `cached_messages` (
	`channel_id` text NOT NULL,
	`provider_message_id` text NOT NULL,
	`sealed` text NOT NULL,
	`cached_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `provider_message_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `cached_messages_by_age` ON `cached_messages` (`cached_at`);--> statement-breakpoint
CREATE TABLE `key_rows` (
	`channel_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`channel_id`, `kind`, `id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `key_rows_by_expiry` ON `key_rows` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `key_stores` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`api` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`permissions` text NOT NULL,
	`environment` text NOT NULL,
	`requests_per_minute` integer,
	`is_read_only` integer DEFAULT false NOT NULL,
	`allowed_addresses` text DEFAULT '[]' NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_tenant` ON `api_keys` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_live` ON `api_keys` (`tenant_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE TABLE `chunks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`channel_id` text NOT NULL,
	`document_id` text NOT NULL,
	`position` integer NOT NULL,
	`body` text NOT NULL,
	`vector` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `chunks_id_unique` ON `chunks` (`id`);--> statement-breakpoint
CREATE INDEX `chunks_by_document` ON `chunks` (`document_id`,`position`);--> statement-breakpoint
CREATE INDEX `chunks_by_channel` ON `chunks` (`channel_id`);--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`source` text NOT NULL,
	`source_ref` text,
	`title` text,
	`status` text NOT NULL,
	`chunk_count` integer NOT NULL,
	`error_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`inline_text` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `documents_by_channel` ON `documents` (`channel_id`,`id`);--> statement-breakpoint
CREATE TABLE `leases` (
	`key` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `leases_by_owner` ON `leases` (`owner`);--> statement-breakpoint
CREATE TABLE `llm_settings` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`base_url` text,
	`key` text,
	`key_hint` text,
	`default_model` text,
	`embedding_model` text,
	`daily_tokens` integer,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `llm_spending` (
	`day` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`tokens` integer NOT NULL,
	`notified_at` integer,
	PRIMARY KEY(`day`, `tenant_id`, `channel_id`, `conversation_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `llm_usage` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`calls` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`completion_tokens` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `model`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `lookups` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`numbers` text NOT NULL,
	`results` text,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `lookups_by_age` ON `lookups` (`expires_at`);--> statement-breakpoint
CREATE INDEX `lookups_by_channel` ON `lookups` (`channel_id`);--> statement-breakpoint
CREATE INDEX `lookups_open` ON `lookups` (`channel_id`) WHERE results IS NULL;--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`recipient` text,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`sealed_body` text,
	`sent_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `mails_by_tenant` ON `mails` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`message_id` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer,
	`filename` text,
	`sha256` text,
	`created_at` integer NOT NULL,
	`stored_at` integer,
	`expires_at` integer NOT NULL,
	`acked_at` integer,
	`deleted_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `media_by_channel` ON `media` (`channel_id`);--> statement-breakpoint
CREATE INDEX `media_by_message` ON `media` (`message_id`);--> statement-breakpoint
CREATE INDEX `media_by_expiry` ON `media` (`expires_at`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_deleted` ON `media` (`created_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` text NOT NULL,
	`key` text NOT NULL,
	`message_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`fingerprint` text,
	PRIMARY KEY(`tenant_id`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`recipient` text NOT NULL,
	`content` text NOT NULL,
	`quoted_key` text,
	`quoted_message_id` text,
	`status` text NOT NULL,
	`send_state` text NOT NULL,
	`uncertain_attempts` integer NOT NULL,
	`provider_message_id` text,
	`failed_reason` text,
	`pricing` text,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`delivered_at` integer,
	`read_at` integer,
	`failed_at` integer,
	`conversation_id` text,
	`batch_id` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `messages_by_conversation` ON `messages` (`conversation_id`,`id`) WHERE conversation_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_by_provider_message_id` ON `messages` (`channel_id`,`provider_message_id`) WHERE provider_message_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_queued` ON `messages` (`channel_id`) WHERE status = 'QUEUED';--> statement-breakpoint
CREATE INDEX `messages_uncertain` ON `messages` (`channel_id`,`recipient`) WHERE status = 'QUEUED' AND send_state <> 'NONE';--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `processes` (
	`id` text PRIMARY KEY NOT NULL,
	`lease_until` integer NOT NULL,
	`started_at` integer DEFAULT 0 NOT NULL,
	`url` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `plans` (
	`code` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`currency` text NOT NULL,
	`per_message_cents` integer NOT NULL,
	`per_phone_month_cents` integer NOT NULL,
	`monthly_fee_cents` integer NOT NULL,
	`included_messages` integer NOT NULL,
	`overage_cents` integer NOT NULL,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`processor_customer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `processor_events` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`charge_id` text,
	`reference` text,
	`value_cents` integer,
	`change` text,
	`place` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`applied_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `processor_events_by_charge` ON `processor_events` (`charge_id`) WHERE change IS NOT NULL;--> statement-breakpoint
CREATE INDEX `processor_events_by_age` ON `processor_events` (`received_at`);--> statement-breakpoint
CREATE TABLE `queues` (
	`key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`channel_id` text,
	`concurrency_limit` integer NOT NULL,
	`running` integer NOT NULL,
	`next_at` integer,
	`paused_until` integer NOT NULL,
	`owner` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `queues_due` ON `queues` (`next_at`) WHERE running < concurrency_limit AND next_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `queues_paused` ON `queues` (`paused_until`,`kind`) WHERE paused_until > 0;--> statement-breakpoint
CREATE TABLE `rate_windows` (
	`key` text PRIMARY KEY NOT NULL,
	`minute` integer NOT NULL,
	`used` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `received_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`conversation_id` text,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`sender` text NOT NULL,
	`recipient` text,
	`created_at` integer NOT NULL,
	`content` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `received_by_conversation` ON `received_messages` (`conversation_id`,`id`) WHERE conversation_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `scheduled` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`scheduled_at` integer NOT NULL,
	`status` text NOT NULL,
	`message_id` text,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`payload` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `scheduled_by_tenant` ON `scheduled` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_by_status` ON `scheduled` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_by_channel` ON `scheduled` (`tenant_id`,`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_finished` ON `scheduled` (`updated_at`) WHERE status IN ('SENT', 'FAILED', 'CANCELED');--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`audience` text NOT NULL,
	`kind` text NOT NULL,
	`channel_id` text,
	`environment` text DEFAULT 'live' NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_until` integer,
	`events` text NOT NULL,
	`is_active` integer NOT NULL,
	`disabled_at` integer,
	`max_retries` integer NOT NULL,
	`retry_delay_ms` integer NOT NULL,
	`consecutive_failures` integer NOT NULL,
	`last_failed_at` integer,
	`breaker_failures` integer NOT NULL,
	`breaker_since` integer NOT NULL,
	`breaker_trips` integer NOT NULL,
	`breaker_open_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `subscriptions_by_tenant` ON `subscriptions` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_of_account` ON `subscriptions` (`tenant_id`,`id`) WHERE kind = 'account';--> statement-breakpoint
CREATE INDEX `subscriptions_by_channel` ON `subscriptions` (`channel_id`) WHERE channel_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_rotated` ON `subscriptions` (`previous_secret_until`) WHERE previous_secret_until IS NOT NULL;--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`category` text NOT NULL,
	`status` text NOT NULL,
	`components` text NOT NULL,
	`native_id` text,
	`rejection_reason` text,
	`provider_updated_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `templates_by_name` ON `templates` (`channel_id`,`name`,`language`);--> statement-breakpoint
CREATE INDEX `templates_by_tenant` ON `templates` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_native_id` ON `templates` (`channel_id`,`native_id`);--> statement-breakpoint
CREATE INDEX `templates_in_flight` ON `templates` (`status`) WHERE status = 'DRAFT';--> statement-breakpoint
CREATE TABLE `daily_sends` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`sends` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`dunning_stage` text NOT NULL,
	`plan_code` text NOT NULL,
	`platform_plan` text,
	`created_by` text,
	`billing_email` text,
	`waba_markup_pct` real,
	`reactivated_at` integer,
	`reprieved_on` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `tenants_by_creator` ON `tenants` (`created_by`) WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tenants_dunned` ON `tenants` (`id`) WHERE dunning_stage <> 'NONE';--> statement-breakpoint
CREATE TABLE `upstream_envelopes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`plugin` text NOT NULL,
	`channel_id` text,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `upstream_envelopes_hash_unique` ON `upstream_envelopes` (`hash`);--> statement-breakpoint
CREATE INDEX `upstream_envelopes_by_age` ON `upstream_envelopes` (`received_at`);--> statement-breakpoint
CREATE TABLE `charge_windows` (
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`recipient` text NOT NULL,
	`category` text NOT NULL,
	`started_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `recipient`, `category`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `charge_windows_by_start` ON `charge_windows` (`started_at`);--> statement-breakpoint
CREATE TABLE `usage_conversations` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`category` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `category`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`channel_id` text NOT NULL,
	`kind` text NOT NULL,
	`sent` integer NOT NULL,
	`received` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `channel_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `user_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`is_mailed` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `user_links_by_user` ON `user_links` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `user_links_by_expiry` ON `user_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `user_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`source` text NOT NULL,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `user_sessions_by_user` ON `user_sessions` (`user_id`,`source`);--> statement-breakpoint
CREATE INDEX `user_sessions_by_expiry` ON `user_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `members` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text DEFAULT 'MEMBER' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tenant_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `members_by_tenant` ON `members` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE TABLE `wrapped_keys` (
	`purpose` text NOT NULL,
	`id` text NOT NULL,
	`wrapped` text NOT NULL,
	`retired_at` integer,
	PRIMARY KEY(`purpose`, `id`)
) STRICT;
--> statement-breakpoint
-- written by hand: drizzle knows no tables without rowid
CREATE TABLE `chunk_bits` (
	`channel_id` text NOT NULL,
	`seq` integer NOT NULL,
	`bits` blob NOT NULL,
	PRIMARY KEY(`channel_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- written by hand: drizzle knows no virtual tables
CREATE VIRTUAL TABLE contacts_search USING fts5(words, content='', contentless_delete=1, tokenize='ascii');
--> statement-breakpoint
-- written by hand: the plans that every installation begins with
INSERT INTO `plans` (`code`, `kind`, `currency`, `per_message_cents`, `per_phone_month_cents`, `monthly_fee_cents`, `included_messages`, `overage_cents`, `metadata`, `created_at`, `updated_at`) VALUES
	('pay_as_you_go', 'pay_as_you_go', 'BRL', 5, 4900, 0, 0, 0, '{}', 0, 0),
	('flat', 'flat', 'BRL', 0, 0, 29900, 5000, 5, '{}', 0, 0),
	('free_tier', 'free_tier', 'BRL', 0, 0, 0, 0, 0, '{}', 0, 0),
	('custom', 'custom', 'BRL', 0, 0, 0, 0, 0, '{}', 0, 0);
