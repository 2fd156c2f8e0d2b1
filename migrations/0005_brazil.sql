CREATE TABLE `business_hours` (
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`hours` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `channel_id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `agents` ADD `respects_hours` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `closed_text` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `closed_text_on` text;--> statement-breakpoint
ALTER TABLE `batches` ADD `respects_hours` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` ADD `opens_at` integer;--> statement-breakpoint
ALTER TABLE `billing_customers` ADD `cpf_cnpj` text;--> statement-breakpoint
ALTER TABLE `scheduled` ADD `asked_for` integer;