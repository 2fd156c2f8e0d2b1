ALTER TABLE `stored_items` ADD `name` text;--> statement-breakpoint
ALTER TABLE `stored_items` ADD `hidden_at` integer;--> statement-breakpoint
ALTER TABLE `stored_items` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `queues` ADD `pauses` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `received_messages` ADD `raw` text;--> statement-breakpoint
CREATE INDEX `invoices_paid_otherwise` ON `invoices` (`paid_at`) WHERE status = 'PAID' AND abs(paid_cents - total_cents) > 5;--> statement-breakpoint
CREATE INDEX `documents_with_file` ON `documents` ((source_ref)) WHERE source = 'OBJECT_FILE' AND status IN ('PENDING', 'PROCESSING') AND source_ref IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_with_file` ON `messages` ((content ->> '$.mediaHandle')) WHERE status = 'QUEUED' AND content ->> '$.mediaHandle' IS NOT NULL;--> statement-breakpoint
CREATE INDEX `scheduled_with_file` ON `scheduled` ((payload ->> '$.content.mediaHandle')) WHERE status IN ('PENDING', 'PROCESSING') AND payload ->> '$.content.mediaHandle' IS NOT NULL;