ALTER TABLE `groups` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `groups` ADD `told_at` text DEFAULT '{}' NOT NULL;