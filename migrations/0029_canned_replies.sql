CREATE TABLE `canned_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`owner` text NOT NULL,
	`shortcut` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`text` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `canned_replies_by_shortcut` ON `canned_replies` (`tenant_id`,`owner`,`shortcut`);--> statement-breakpoint
CREATE INDEX `canned_replies_by_owner` ON `canned_replies` (`owner`) WHERE owner <> '';