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
CREATE INDEX `batches_running` ON `batches` (`channel_id`) WHERE status IN ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE TABLE `contacts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
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
CREATE UNIQUE INDEX `contacts_by_number` ON `contacts` (`tenant_id`,`number_key`) WHERE number_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_alias` ON `contacts` (`tenant_id`,`alias`) WHERE alias IS NOT NULL;--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`status` text NOT NULL,
	`assigned_user_id` text,
	`transfer_note` text,
	`last_message_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_open` ON `conversations` (`channel_id`,`contact_id`) WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX `conversations_by_tenant` ON `conversations` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_status` ON `conversations` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_channel` ON `conversations` (`tenant_id`,`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_channel_status` ON `conversations` (`tenant_id`,`channel_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_by_contact` ON `conversations` (`contact_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_assigned` ON `conversations` (`tenant_id`,`assigned_user_id`) WHERE status = 'OPEN' AND assigned_user_id IS NOT NULL;--> statement-breakpoint
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
ALTER TABLE `inbox` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `conversation_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `batch_id` text;--> statement-breakpoint
CREATE INDEX `messages_by_conversation` ON `messages` (`conversation_id`,`id`) WHERE conversation_id IS NOT NULL;--> statement-breakpoint
-- written by hand, for drizzle-kit knows no virtual tables: what contacts are found by; each word begins with its tenant's 32 digits
CREATE VIRTUAL TABLE `contacts_search` USING fts5(`words`, content='', contentless_delete=1, tokenize='ascii', prefix='36 37');
