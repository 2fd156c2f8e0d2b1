CREATE TABLE `trial_results` (
	`run_id` text NOT NULL,
	`position` integer NOT NULL,
	`question` text NOT NULL,
	`facts` text NOT NULL,
	`expect_unknown` integer NOT NULL,
	`outcome` text NOT NULL,
	`answer` text,
	`missing` text NOT NULL,
	`says_unknown` integer NOT NULL,
	`passages` text NOT NULL,
	`tokens` integer NOT NULL,
	`error_reason` text,
	PRIMARY KEY(`run_id`, `position`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `trial_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`cause` text NOT NULL,
	`status` text NOT NULL,
	`model` text NOT NULL,
	`error_reason` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `trial_runs_by_channel` ON `trial_runs` (`channel_id`,`id`);--> statement-breakpoint
CREATE TABLE `trial_sets` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`questions` text NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `agents` ADD `runs_trials_on_change` integer DEFAULT false NOT NULL;