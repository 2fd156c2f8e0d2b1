CREATE TABLE `departed_channels` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`webhook_id` text,
	`shared_webhook_id` text
) STRICT;
--> statement-breakpoint
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
ALTER TABLE `channels` ADD `state_since` integer;--> statement-breakpoint
ALTER TABLE `channels` ADD `templates_asked_at` integer;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `fingerprint` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `quoted_message_id` text;--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`subscription_id`,`event_seq`) WHERE status = 'PENDING';