CREATE TABLE `message_labels` (
	`channel_id` text NOT NULL,
	`message_id` text NOT NULL,
	`label_id` text NOT NULL,
	PRIMARY KEY(`message_id`, `label_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `message_labels_by_label` ON `message_labels` (`channel_id`,`label_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `message_acts_starred` ON `message_acts` (`tenant_id`,`message_id`) WHERE kind = 'star' AND text = '1';