CREATE TABLE `early_acts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` text NOT NULL,
	`environment` text NOT NULL,
	`native_key` text NOT NULL,
	`act_key` text NOT NULL,
	`expires_at` integer NOT NULL,
	`act` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `early_acts_by_message` ON `early_acts` (`channel_id`,`native_key`,`act_key`);--> statement-breakpoint
CREATE INDEX `early_acts_by_channel` ON `early_acts` (`channel_id`,`seq`);--> statement-breakpoint
CREATE INDEX `early_acts_by_expiry` ON `early_acts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `llm_spending` (
	`day` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`tokens` integer NOT NULL,
	`told_at` integer,
	PRIMARY KEY(`day`, `tenant_id`, `channel_id`, `conversation_id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `agents` ADD `daily_tokens` integer;--> statement-breakpoint
ALTER TABLE `agents` ADD `daily_tokens_per_contact` integer;--> statement-breakpoint
ALTER TABLE `channels` ADD `templates_asked_at` integer;--> statement-breakpoint
ALTER TABLE `invoices` ADD `paid_cents` integer;--> statement-breakpoint
CREATE INDEX `invoices_paid` ON `invoices` (`id`) WHERE status = 'PAID' AND gateway_charge_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `daily_tokens` integer;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `fingerprint` text;--> statement-breakpoint
ALTER TABLE `tenants` ADD `reprieved_on` text;--> statement-breakpoint
CREATE INDEX `ai_turns_by_sent` ON `ai_turns` (`sent_message_id`);