CREATE TABLE `history_import_items` (
	`channel_id` text NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `kind`, `ref`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `history_import_items_by_age` ON `history_import_items` (`added_at`);--> statement-breakpoint
CREATE TABLE `history_imports` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`source` text NOT NULL,
	`run` text NOT NULL,
	`cursor` text NOT NULL,
	`is_done` integer NOT NULL,
	`started_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
