CREATE TABLE `charge_days` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`local_day` text NOT NULL,
	`channel_id` text NOT NULL,
	`country` text NOT NULL,
	`category` text NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`currency` text NOT NULL,
	`count` integer NOT NULL,
	`micros` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `local_day`, `channel_id`, `country`, `category`, `type`, `state`, `currency`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `reported_charges` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`local_day` text NOT NULL,
	`channel_id` text NOT NULL,
	`country` text NOT NULL,
	`category` text NOT NULL,
	`type` text NOT NULL,
	`tier` text NOT NULL,
	`currency` text NOT NULL,
	`count` integer NOT NULL,
	`micros` integer,
	PRIMARY KEY(`tenant_id`, `day`, `channel_id`, `country`, `category`, `type`, `tier`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `conversation_holders` (
	`channel_id` text NOT NULL,
	`chat` text NOT NULL,
	`is_held` integer NOT NULL,
	`role` text,
	`since` integer NOT NULL,
	`at` integer NOT NULL,
	`last_user_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `chat`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `passkey_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`channel_id` text NOT NULL,
	`ceremony_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `passkey_links_by_expiry` ON `passkey_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `alert_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`troubles` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `alert_notices_by_age` ON `alert_notices` (`created_at`);--> statement-breakpoint
CREATE TABLE `troubles` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`opened_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`announced_at` integer,
	`closed_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `troubles_open` ON `troubles` (`kind`,`subject`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `troubles_closed` ON `troubles` (`closed_at`) WHERE closed_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `answers_after` text;--> statement-breakpoint
ALTER TABLE `groups` ADD `rules` text;--> statement-breakpoint
ALTER TABLE `inbox` ADD `is_held` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `received_messages` ADD `is_own` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `received_messages` ADD `held_by` text;