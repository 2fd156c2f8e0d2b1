ALTER TABLE `contacts` ADD `opted_out_at` integer;--> statement-breakpoint
ALTER TABLE `contacts` ADD `opted_out_by` text;--> statement-breakpoint
CREATE INDEX `contacts_opted_out` ON `contacts` (`tenant_id`,`seq`) WHERE opted_out_at IS NOT NULL;