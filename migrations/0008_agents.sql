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
ALTER TABLE `llm_settings` ADD `daily_tokens` integer;--> statement-breakpoint
CREATE INDEX `ai_turns_by_sent` ON `ai_turns` (`sent_message_id`);