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
ALTER TABLE `api_keys` ADD `channel_id` text;--> statement-breakpoint
CREATE INDEX `api_keys_by_channel` ON `api_keys` (`channel_id`,`id`) WHERE channel_id IS NOT NULL;