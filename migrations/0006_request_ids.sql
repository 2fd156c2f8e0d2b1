ALTER TABLE `batches` ADD `request_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `request_id` text;--> statement-breakpoint
ALTER TABLE `scheduled` ADD `request_id` text;