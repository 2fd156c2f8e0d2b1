ALTER TABLE `channels` ADD `templates_asked_at` integer;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `fingerprint` text;