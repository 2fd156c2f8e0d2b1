CREATE TABLE `chatwoot_chats` (
	`subscription_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`chat` text NOT NULL,
	`contact_id` integer NOT NULL,
	`conversation_id` integer NOT NULL,
	`is_named` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `chat`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `chatwoot_chats_by_conversation` ON `chatwoot_chats` (`subscription_id`,`conversation_id`);--> statement-breakpoint
CREATE INDEX `chatwoot_chats_by_channel` ON `chatwoot_chats` (`channel_id`);--> statement-breakpoint
CREATE TABLE `chatwoot_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`chat` text NOT NULL,
	`conversation_id` integer NOT NULL,
	`chatwoot_id` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `chatwoot_messages_by_chatwoot_id` ON `chatwoot_messages` (`subscription_id`,`chatwoot_id`);--> statement-breakpoint
CREATE INDEX `chatwoot_messages_by_channel` ON `chatwoot_messages` (`channel_id`);