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
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `groups_by_channel` ON `groups` (`channel_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `groups_by_upstream` ON `groups` (`channel_id`,`upstream_group_id`) WHERE upstream_group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_by_upstream_id` ON `groups` (`tenant_id`,`upstream_group_id`) WHERE upstream_group_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `groups_by_request` ON `groups` (`channel_id`,`request_id`) WHERE request_id IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `invoices_unpaid_by_tenant` ON `invoices` (`tenant_id`,`due_date`) WHERE status IN ('OPEN', 'ISSUED', 'OVERDUE');--> statement-breakpoint
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
CREATE TABLE `llm_settings` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`base_url` text,
	`key` text,
	`key_hint` text,
	`default_model` text,
	`embedding_model` text,
	`updated_at` integer NOT NULL
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
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`recipient` text,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`sent_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `mails_by_tenant` ON `mails` (`tenant_id`,`id`);--> statement-breakpoint
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
	`news` text,
	`place` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`applied_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `processor_events_by_charge` ON `processor_events` (`charge_id`) WHERE news IS NOT NULL;--> statement-breakpoint
CREATE INDEX `processor_events_by_age` ON `processor_events` (`received_at`);--> statement-breakpoint
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
ALTER TABLE `tenants` ADD `reactivated_at` integer;--> statement-breakpoint
CREATE INDEX `tenants_dunned` ON `tenants` (`id`) WHERE dunning_stage <> 'NONE';--> statement-breakpoint
-- written by hand: the vectors of chunks in one bit per dimension, together per channel so that all of one are read in a row
CREATE TABLE `chunk_bits` (
	`channel_id` text NOT NULL,
	`seq` integer NOT NULL,
	`bits` blob NOT NULL,
	PRIMARY KEY(`channel_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `plans` (`code`, `kind`, `currency`, `per_message_cents`, `per_phone_month_cents`, `monthly_fee_cents`, `included_messages`, `overage_cents`, `metadata`, `created_at`, `updated_at`) VALUES
	('pay_as_you_go', 'pay_as_you_go', 'BRL', 5, 4900, 0, 0, 0, '{}', 0, 0),
	('flat', 'flat', 'BRL', 0, 0, 29900, 5000, 5, '{}', 0, 0),
	('free_tier', 'free_tier', 'BRL', 0, 0, 0, 0, 0, '{}', 0, 0),
	('custom', 'custom', 'BRL', 0, 0, 0, 0, 0, '{}', 0, 0);
