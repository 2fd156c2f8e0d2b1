DROP INDEX `contacts_by_number`;--> statement-breakpoint
DROP INDEX `contacts_by_alias`;--> statement-breakpoint
ALTER TABLE `contacts` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_test` ON `contacts` (`tenant_id`,`seq`) WHERE environment = 'test';--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_number` ON `contacts` (`tenant_id`,`number_key`,`environment`) WHERE number_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_alias` ON `contacts` (`tenant_id`,`alias`,`environment`) WHERE alias IS NOT NULL;--> statement-breakpoint
DROP INDEX `conversations_open`;--> statement-breakpoint
ALTER TABLE `conversations` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_test` ON `conversations` (`tenant_id`,`id`) WHERE environment = 'test';--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_open` ON `conversations` (`channel_id`,`contact_id`,`environment`) WHERE status = 'OPEN';--> statement-breakpoint
ALTER TABLE `channels` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `is_read_only` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `allowed_addresses` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `previous_secret` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `previous_secret_until` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_rotated` ON `subscriptions` (`previous_secret_until`) WHERE previous_secret_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `batches_test` ON `batches` (`tenant_id`,`id`) WHERE environment = 'test';