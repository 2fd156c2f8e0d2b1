CREATE TABLE `activity_hours` (
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`hour` integer NOT NULL,
	`kind` text NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`read` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`notified` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`dead` integer DEFAULT 0 NOT NULL,
	`lag_50` integer DEFAULT 0 NOT NULL,
	`lag_100` integer DEFAULT 0 NOT NULL,
	`lag_250` integer DEFAULT 0 NOT NULL,
	`lag_500` integer DEFAULT 0 NOT NULL,
	`lag_1000` integer DEFAULT 0 NOT NULL,
	`lag_2500` integer DEFAULT 0 NOT NULL,
	`lag_5000` integer DEFAULT 0 NOT NULL,
	`lag_15000` integer DEFAULT 0 NOT NULL,
	`lag_60000` integer DEFAULT 0 NOT NULL,
	`lag_300000` integer DEFAULT 0 NOT NULL,
	`lag_3600000` integer DEFAULT 0 NOT NULL,
	`lag_more` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `channel_id`, `hour`, `kind`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_hours_by_hour` ON `activity_hours` (`hour`);--> statement-breakpoint
CREATE TABLE `console_people` (
	`person` text PRIMARY KEY NOT NULL,
	`language` text,
	`theme` text,
	`totp` text,
	`totp_since` integer,
	`totp_step` integer,
	`recovery_codes` text DEFAULT '[]' NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `passkeys_by_person` ON `passkeys` (`person`);--> statement-breakpoint
CREATE TABLE `console_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`person` text NOT NULL,
	`address` text NOT NULL,
	`source` text NOT NULL,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`strong_at` integer NOT NULL,
	`challenge` text,
	`challenge_until` integer,
	`ended_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_id_unique` ON `console_sessions` (`id`);--> statement-breakpoint
CREATE INDEX `console_sessions_by_person` ON `console_sessions` (`person`,`source`);--> statement-breakpoint
CREATE INDEX `console_sessions_by_expiry` ON `console_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_steps` (
	`hash` text PRIMARY KEY NOT NULL,
	`person` text,
	`challenge` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_steps_by_expiry` ON `sign_in_steps` (`expires_at`);--> statement-breakpoint
CREATE TABLE `message_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`message_id` text NOT NULL,
	`kind` text NOT NULL,
	`author` text NOT NULL,
	`chat` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `message_acts_by_message` ON `message_acts` (`message_id`,`kind`,`author`);--> statement-breakpoint
CREATE TABLE `operator_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `operator_links_by_operator` ON `operator_links` (`operator_id`);--> statement-breakpoint
CREATE INDEX `operator_links_by_expiry` ON `operator_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_email_key_unique` ON `operators` (`email_key`);--> statement-breakpoint
CREATE TABLE `pairing_links` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`label` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`opened_at` integer,
	`ended_at` integer,
	`is_revoked` integer DEFAULT false NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `pairing_links_hash_unique` ON `pairing_links` (`hash`);--> statement-breakpoint
CREATE INDEX `pairing_links_by_channel` ON `pairing_links` (`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `pairing_links_by_expiry` ON `pairing_links` (`expires_at`);--> statement-breakpoint
DROP INDEX `conversations_assigned`;--> statement-breakpoint
CREATE INDEX `conversations_assigned` ON `conversations` (`tenant_id`,`assigned_user_id`,`last_message_at`,`id`) WHERE status = 'OPEN' AND assigned_user_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` ADD `starts_at` integer;--> statement-breakpoint
ALTER TABLE `batches` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `batches` ADD `template` text;--> statement-breakpoint
ALTER TABLE `events` ADD `message_id` text;--> statement-breakpoint
CREATE INDEX `events_by_message` ON `events` (`message_id`,`seq`) WHERE message_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `accepted_by` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `failed_tries` text;--> statement-breakpoint
CREATE INDEX `attempts_failed_by_delivery` ON `attempts` (`delivery_id`,`id`) WHERE is_delivered = 0;--> statement-breakpoint
CREATE INDEX `deliveries_paused_by_tenant` ON `deliveries` (`tenant_id`,`event_seq`) WHERE status = 'PAUSED';--> statement-breakpoint
CREATE INDEX `scheduled_by_time` ON `scheduled` (`tenant_id`,`scheduled_at`,`id`);