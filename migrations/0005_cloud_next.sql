ALTER TABLE `messages` ADD `callback_data` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `profile` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `verified_at` integer;