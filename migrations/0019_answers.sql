ALTER TABLE `messages` ADD `is_answer` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `messages` SET `is_answer` = true WHERE `status` = 'QUEUED' AND `batch_id` IS NULL;