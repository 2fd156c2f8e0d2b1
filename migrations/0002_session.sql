CREATE TABLE `key_rings` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `message_copies` (
	`channel_id` text NOT NULL,
	`native_key` text NOT NULL,
	`sealed` text NOT NULL,
	`kept_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `native_key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `message_copies_by_age` ON `message_copies` (`kept_at`);--> statement-breakpoint
CREATE TABLE `ring_rows` (
	`channel_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`channel_id`, `kind`, `id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `lookups` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`numbers` text NOT NULL,
	`results` text,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `lookups_by_age` ON `lookups` (`expires_at`);--> statement-breakpoint
CREATE INDEX `lookups_by_channel` ON `lookups` (`channel_id`);--> statement-breakpoint
CREATE INDEX `lookups_open` ON `lookups` (`channel_id`) WHERE results IS NULL;--> statement-breakpoint
DROP INDEX `channels_connecting`;--> statement-breakpoint
CREATE INDEX `channels_live` ON `channels` (`id`) WHERE kind = 'SESSION' AND validated_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_connecting` ON `channels` (`state`) WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING');