CREATE TABLE `passkey_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`channel_id` text NOT NULL,
	`ceremony_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `passkey_links_by_expiry` ON `passkey_links` (`expires_at`);