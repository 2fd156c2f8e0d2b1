ALTER TABLE `alert_notices` ADD `local_title` text;--> statement-breakpoint
ALTER TABLE `alert_notices` ADD `local_text` text;--> statement-breakpoint
ALTER TABLE `troubles` ADD `local_text` text;