DROP INDEX `channels_live`;--> statement-breakpoint
ALTER TABLE `channels` ADD `holds_connection` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `channels` SET `holds_connection` = 1 WHERE `kind` = 'SESSION';--> statement-breakpoint
CREATE INDEX `channels_live` ON `channels` (`id`) WHERE holds_connection = 1 AND validated_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `departed_channels` ADD `kind` text DEFAULT 'DELETED' NOT NULL;--> statement-breakpoint
ALTER TABLE `identities` ADD `uid` text;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_uid` ON `identities` (`channel_id`,`uid`) WHERE uid IS NOT NULL;--> statement-breakpoint
ALTER TABLE `upstream_envelopes` ADD `channel_id` text;
