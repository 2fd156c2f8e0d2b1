CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`target` text,
	`tenant_id` text,
	`details` text NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entries_by_tenant` ON `audit_entries` (`tenant_id`,`id`) WHERE tenant_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE TABLE `holdings` (
	`key` text PRIMARY KEY NOT NULL,
	`boot` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `holdings_by_boot` ON `holdings` (`boot`);--> statement-breakpoint
DROP INDEX `channels_connecting`;--> statement-breakpoint
CREATE INDEX `channels_by_state` ON `channels` (`state`,`kind`);--> statement-breakpoint
CREATE INDEX `channels_away` ON `channels` (`disconnected_at`) WHERE disconnected_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `boots` ADD `started_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `boots` ADD `url` text;--> statement-breakpoint
ALTER TABLE `lanes` ADD `boot` text;--> statement-breakpoint
CREATE INDEX `lanes_held` ON `lanes` (`not_before`,`key`) WHERE not_before > 0;