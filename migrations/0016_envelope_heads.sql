ALTER TABLE `upstream_envelopes` ADD `head` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `upstream_envelopes` ADD `encoding` text DEFAULT 'utf-8' NOT NULL;