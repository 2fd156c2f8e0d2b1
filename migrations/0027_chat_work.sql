ALTER TABLE `conversations` ADD `waiting_since` integer;--> statement-breakpoint
ALTER TABLE `conversations` ADD `snoozed_until` integer;--> statement-breakpoint
CREATE INDEX `conversations_waiting` ON `conversations` (`tenant_id`,`waiting_since`,`id`) WHERE status = 'OPEN' AND environment = 'live' AND waiting_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_snoozed` ON `conversations` (`tenant_id`,`last_message_at`,`id`) WHERE environment = 'live' AND snoozed_until IS NOT NULL;