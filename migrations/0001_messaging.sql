CREATE TABLE `flows` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`native_id` text,
	`name` text NOT NULL,
	`categories` text NOT NULL,
	`status` text NOT NULL,
	`endpoint_url` text,
	`validation_errors` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `flows_by_tenant` ON `flows` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `flows_by_channel` ON `flows` (`channel_id`);--> statement-breakpoint
CREATE INDEX `flows_by_native_id` ON `flows` (`native_id`) WHERE native_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `identities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`pn` text,
	`lid` text,
	`bsuid` text,
	`parent_bsuid` text,
	`igsid` text,
	`username` text,
	`name` text,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `identities_by_channel` ON `identities` (`channel_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_pn` ON `identities` (`channel_id`,`pn`) WHERE pn IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_lid` ON `identities` (`channel_id`,`lid`) WHERE lid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_bsuid` ON `identities` (`channel_id`,`bsuid`) WHERE bsuid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_parent_bsuid` ON `identities` (`channel_id`,`parent_bsuid`) WHERE parent_bsuid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_igsid` ON `identities` (`channel_id`,`igsid`) WHERE igsid IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_username` ON `identities` (`channel_id`,`username`) WHERE username IS NOT NULL;--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`message_id` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer,
	`filename` text,
	`sha256` text,
	`created_at` integer NOT NULL,
	`stored_at` integer,
	`expires_at` integer NOT NULL,
	`acked_at` integer,
	`deleted_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `media_by_channel` ON `media` (`channel_id`);--> statement-breakpoint
CREATE INDEX `media_by_message` ON `media` (`message_id`);--> statement-breakpoint
CREATE INDEX `media_by_expiry` ON `media` (`expires_at`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `scheduled` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`scheduled_at` integer NOT NULL,
	`status` text NOT NULL,
	`message_id` text,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`payload` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `scheduled_by_tenant` ON `scheduled` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_by_status` ON `scheduled` (`tenant_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_by_channel` ON `scheduled` (`tenant_id`,`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_finished` ON `scheduled` (`updated_at`) WHERE status IN ('SENT', 'FAILED', 'CANCELED');--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`category` text NOT NULL,
	`status` text NOT NULL,
	`components` text NOT NULL,
	`native_id` text,
	`rejection_reason` text,
	`told_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `templates_by_name` ON `templates` (`channel_id`,`name`,`language`);--> statement-breakpoint
CREATE INDEX `templates_by_tenant` ON `templates` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_native_id` ON `templates` (`channel_id`,`native_id`);--> statement-breakpoint
CREATE INDEX `templates_in_flight` ON `templates` (`status`) WHERE status = 'DRAFT';--> statement-breakpoint
ALTER TABLE `inbox` ADD `chat` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `inbox` ADD `sender` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `inbox` ADD `is_own` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `inbox` ADD `is_placeholder` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `pricing` text;--> statement-breakpoint
CREATE INDEX `messages_uncertain` ON `messages` (`channel_id`,`recipient`) WHERE status = 'QUEUED' AND intent <> 'NONE';