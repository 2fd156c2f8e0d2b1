CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`person` text NOT NULL,
	`names` text,
	`position` text,
	`rows` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `erasures_finished` ON `erasures` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `ring_rows` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `ring_rows_by_expiry` ON `ring_rows` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ai_conversations_closed` ON `ai_conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `batches_finished` ON `batches` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_closed` ON `conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `groups_deleted` ON `groups` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_deleted` ON `media` (`created_at`) WHERE deleted_at IS NOT NULL;