CREATE TABLE `chat_labels` (
	`channel_id` text NOT NULL,
	`chat` text NOT NULL,
	`label_id` text NOT NULL,
	PRIMARY KEY(`channel_id`, `chat`, `label_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `chat_labels_by_label` ON `chat_labels` (`channel_id`,`label_id`);--> statement-breakpoint
CREATE TABLE `chat_states` (
	`channel_id` text NOT NULL,
	`chat` text NOT NULL,
	`is_archived` integer NOT NULL,
	`is_pinned` integer NOT NULL,
	`is_marked_unread` integer NOT NULL,
	`muted_until` integer,
	PRIMARY KEY(`channel_id`, `chat`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `labels` (
	`channel_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`color` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `id`)
) STRICT;
