CREATE TABLE `keyed_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`fingerprint` text NOT NULL,
	`claim` text NOT NULL,
	`process_id` text NOT NULL,
	`sealed` text,
	`claimed_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `keyed_requests_by_expiry` ON `keyed_requests` (`expires_at`);--> statement-breakpoint
ALTER TABLE `conversations` ADD `unread_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_by_activity` ON `conversations` (`tenant_id`,`status`,`last_message_at`,`id`) WHERE environment = 'live';--> statement-breakpoint
CREATE INDEX `conversations_by_channel_activity` ON `conversations` (`channel_id`,`status`,`last_message_at`,`id`) WHERE environment = 'live';--> statement-breakpoint
CREATE INDEX `conversations_unread` ON `conversations` (`tenant_id`,`last_message_at`,`id`) WHERE environment = 'live' AND unread_count > 0;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `chat` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_of_chat` ON `deliveries` (`subscription_id`,`chat`,`event_seq`) WHERE status = 'PENDING';--> statement-breakpoint
ALTER TABLE `events` ADD `direction` text;--> statement-breakpoint
ALTER TABLE `received_messages` ADD `quoted_message_id` text;--> statement-breakpoint
CREATE INDEX `received_by_tenant` ON `received_messages` (`tenant_id`,`id`) WHERE environment = 'live';--> statement-breakpoint
CREATE INDEX `received_by_channel` ON `received_messages` (`channel_id`,`id`) WHERE environment = 'live';--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `sealed_url` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `directions` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `channel_ids` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `all_channels` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `headers` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `ordering` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_wide` ON `subscriptions` (`tenant_id`,`id`) WHERE kind = 'shared' AND (all_channels = 1 OR channel_ids IS NOT NULL);--> statement-breakpoint
CREATE INDEX `messages_by_tenant` ON `messages` (`tenant_id`,`id`) WHERE environment = 'live';--> statement-breakpoint
CREATE INDEX `messages_by_channel` ON `messages` (`channel_id`,`id`) WHERE environment = 'live';