CREATE TABLE `wrapped_keys` (
	`purpose` text NOT NULL,
	`id` text NOT NULL,
	`wrapped` text NOT NULL,
	`retired_at` integer,
	PRIMARY KEY(`purpose`, `id`)
) STRICT;
