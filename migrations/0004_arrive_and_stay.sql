CREATE TABLE `business_hours` (
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`hours` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `channel_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `cloud_numbers` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`number_id` text NOT NULL,
	`account_id` text NOT NULL,
	`app_id` text NOT NULL,
	`display_number` text,
	`templates_as_text` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_numbers_number_id_unique` ON `cloud_numbers` (`number_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_numbers_account_id_unique` ON `cloud_numbers` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_numbers_app_id_unique` ON `cloud_numbers` (`app_id`);--> statement-breakpoint
CREATE INDEX `cloud_numbers_by_tenant` ON `cloud_numbers` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `fallbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`recipient` text NOT NULL,
	`after_ms` integer NOT NULL,
	`reasons` text NOT NULL,
	`may_arrive_twice` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`is_uncertain` integer NOT NULL,
	`second_id` text,
	`error_code` text,
	`error_message` text,
	`decided_at` integer,
	`template` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `fallbacks_by_second` ON `fallbacks` (`second_id`) WHERE second_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `respects_hours` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `closed_text` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `closed_text_on` text;--> statement-breakpoint
ALTER TABLE `batches` ADD `respects_hours` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` ADD `opens_at` integer;--> statement-breakpoint
ALTER TABLE `batches` ADD `fallback` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `channel_id` text;--> statement-breakpoint
CREATE INDEX `api_keys_by_channel` ON `api_keys` (`channel_id`,`id`) WHERE channel_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `folder` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `callback_data` text;--> statement-breakpoint
ALTER TABLE `billing_customers` ADD `cpf_cnpj` text;--> statement-breakpoint
ALTER TABLE `scheduled` ADD `asked_for` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `profile` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `verified_at` integer;--> statement-breakpoint
ALTER TABLE `tenants` ADD `joined_into` text;--> statement-breakpoint
CREATE INDEX `tenants_joined` ON `tenants` (`joined_into`) WHERE joined_into IS NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_notices` ADD `local_title` text;--> statement-breakpoint
ALTER TABLE `alert_notices` ADD `local_text` text;--> statement-breakpoint
ALTER TABLE `troubles` ADD `local_text` text;