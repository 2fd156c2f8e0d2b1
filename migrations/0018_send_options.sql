ALTER TABLE `batches` ADD `options` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `options` text;