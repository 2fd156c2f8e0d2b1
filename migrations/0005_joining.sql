ALTER TABLE `media` ADD `folder` text;--> statement-breakpoint
ALTER TABLE `tenants` ADD `joined_into` text;--> statement-breakpoint
CREATE INDEX `tenants_joined` ON `tenants` (`joined_into`) WHERE joined_into IS NOT NULL;