CREATE TABLE `charge_windows` (
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`recipient` text NOT NULL,
	`category` text NOT NULL,
	`started_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `recipient`, `category`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `charge_windows_by_start` ON `charge_windows` (`started_at`);