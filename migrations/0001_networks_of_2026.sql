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
