ALTER TABLE `ring_rows` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `ring_rows_by_expiry` ON `ring_rows` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ai_conversations_closed` ON `ai_conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `batches_finished` ON `batches` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_closed` ON `conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `groups_deleted` ON `groups` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_deleted` ON `media` (`created_at`) WHERE deleted_at IS NOT NULL;