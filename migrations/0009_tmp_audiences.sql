CREATE TABLE `tmp_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text,
	`chat` text NOT NULL,
	`audience` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `tmp_events` SELECT seq, id, tenant_id, channel_id, chat, 'gateway', gateway_type, gateway_body, created_at FROM events WHERE gateway_type IS NOT NULL;--> statement-breakpoint
INSERT INTO `tmp_events` SELECT seq, id, tenant_id, channel_id, chat, 'platform', platform_type, platform_body, created_at FROM events WHERE gateway_type IS NULL AND platform_type IS NOT NULL;--> statement-breakpoint
INSERT INTO `tmp_events` SELECT NULL, id, tenant_id, channel_id, chat, 'platform', platform_type, platform_body, created_at FROM events WHERE gateway_type IS NOT NULL AND platform_type IS NOT NULL ORDER BY seq;--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_id` ON `tmp_events` (`id`,`audience`);--> statement-breakpoint
UPDATE deliveries SET event_seq = (SELECT n.seq FROM events e JOIN tmp_events n ON n.id = e.id AND n.audience = 'platform' WHERE e.seq = deliveries.event_seq) WHERE kind = 'platform' AND EXISTS (SELECT 1 FROM events e JOIN tmp_events n ON n.id = e.id AND n.audience = 'platform' WHERE e.seq = deliveries.event_seq);--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `tmp_events` RENAME TO `events`;--> statement-breakpoint
CREATE INDEX `events_by_tenant` ON `events` (`tenant_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_type` ON `events` (`tenant_id`,`audience`,`type`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_channel` ON `events` (`tenant_id`,`channel_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_age` ON `events` (`created_at`);--> statement-breakpoint
ALTER TABLE `deliveries` DROP COLUMN `kind`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `audience` text NOT NULL DEFAULT 'gateway';--> statement-breakpoint
UPDATE subscriptions SET audience = 'platform', kind = 'account' WHERE kind = 'platform';--> statement-breakpoint
DROP INDEX `subscriptions_of_platform`;--> statement-breakpoint
CREATE INDEX `subscriptions_of_account` ON `subscriptions` (`tenant_id`,`id`) WHERE kind = 'account';
