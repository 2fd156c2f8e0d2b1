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
ALTER TABLE `batches` ADD `fallback` text;