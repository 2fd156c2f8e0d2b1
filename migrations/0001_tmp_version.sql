CREATE TABLE `alert_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`troubles` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `alert_notices_by_age` ON `alert_notices` (`created_at`);--> statement-breakpoint
CREATE TABLE `troubles` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`opened_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`announced_at` integer,
	`closed_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `troubles_open` ON `troubles` (`kind`,`subject`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `troubles_closed` ON `troubles` (`closed_at`) WHERE closed_at IS NOT NULL;