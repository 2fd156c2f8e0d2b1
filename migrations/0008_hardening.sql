CREATE TABLE `stored_items` (
	`key` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`size_bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tenant_counts` (
	`tenant_id` text NOT NULL,
	`collection` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `collection`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `tenant_counts_largest` ON `tenant_counts` (`collection`,`n`);--> statement-breakpoint
CREATE TABLE `departed_channels` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`webhook_id` text,
	`shared_webhook_id` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `early_acts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` text NOT NULL,
	`environment` text NOT NULL,
	`native_key` text NOT NULL,
	`act_key` text NOT NULL,
	`expires_at` integer NOT NULL,
	`act` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `early_acts_by_message` ON `early_acts` (`channel_id`,`native_key`,`act_key`);--> statement-breakpoint
CREATE INDEX `early_acts_by_channel` ON `early_acts` (`channel_id`,`seq`);--> statement-breakpoint
CREATE INDEX `early_acts_by_expiry` ON `early_acts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`person` text NOT NULL,
	`names` text,
	`position` text,
	`rows` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `erasures_finished` ON `erasures` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`is_mailed` integer NOT NULL,
	`invited_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_of_email` ON `invitations` (`tenant_id`,`email_key`);--> statement-breakpoint
CREATE TABLE `llm_spending` (
	`day` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`tokens` integer NOT NULL,
	`told_at` integer,
	PRIMARY KEY(`day`, `tenant_id`, `channel_id`, `conversation_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `user_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`is_mailed` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `user_links_by_user` ON `user_links` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `user_links_by_expiry` ON `user_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `user_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`source` text NOT NULL,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `user_sessions_by_user` ON `user_sessions` (`user_id`,`source`);--> statement-breakpoint
CREATE INDEX `user_sessions_by_expiry` ON `user_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `wrapped_keys` (
	`purpose` text NOT NULL,
	`id` text NOT NULL,
	`wrapped` text NOT NULL,
	`retired_at` integer,
	PRIMARY KEY(`purpose`, `id`)
) STRICT;
--> statement-breakpoint
DROP INDEX `contacts_by_number`;--> statement-breakpoint
DROP INDEX `contacts_by_alias`;--> statement-breakpoint
ALTER TABLE `contacts` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_test` ON `contacts` (`tenant_id`,`seq`) WHERE environment = 'test';--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_number` ON `contacts` (`tenant_id`,`number_key`,`environment`) WHERE number_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_alias` ON `contacts` (`tenant_id`,`alias`,`environment`) WHERE alias IS NOT NULL;--> statement-breakpoint
DROP INDEX `conversations_open`;--> statement-breakpoint
ALTER TABLE `conversations` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_test` ON `conversations` (`tenant_id`,`id`) WHERE environment = 'test';--> statement-breakpoint
CREATE INDEX `conversations_closed` ON `conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_open` ON `conversations` (`channel_id`,`contact_id`,`environment`) WHERE status = 'OPEN';--> statement-breakpoint
ALTER TABLE `agents` ADD `daily_tokens` integer;--> statement-breakpoint
ALTER TABLE `agents` ADD `daily_tokens_per_contact` integer;--> statement-breakpoint
ALTER TABLE `channels` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE `channels` ADD `state_since` integer;--> statement-breakpoint
ALTER TABLE `channels` ADD `templates_asked_at` integer;--> statement-breakpoint
ALTER TABLE `invoices` ADD `paid_cents` integer;--> statement-breakpoint
CREATE INDEX `invoices_paid` ON `invoices` (`id`) WHERE status = 'PAID' AND gateway_charge_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `ring_rows` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `ring_rows_by_expiry` ON `ring_rows` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `is_read_only` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `allowed_addresses` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_live` ON `api_keys` (`tenant_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `daily_tokens` integer;--> statement-breakpoint
ALTER TABLE `mails` ADD `sealed_body` text;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `fingerprint` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `quoted_message_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `environment` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `previous_secret` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `previous_secret_until` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_of_platform` ON `subscriptions` (`tenant_id`,`id`) WHERE kind = 'platform';--> statement-breakpoint
CREATE INDEX `subscriptions_rotated` ON `subscriptions` (`previous_secret_until`) WHERE previous_secret_until IS NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `role` text DEFAULT 'MEMBER' NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `tenants` ADD `reprieved_on` text;--> statement-breakpoint
CREATE INDEX `tenants_by_creator` ON `tenants` (`created_by`) WHERE created_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `verified_at` integer;--> statement-breakpoint
CREATE INDEX `ai_conversations_closed` ON `ai_conversations` (`closed_at`) WHERE status = 'CLOSED';--> statement-breakpoint
CREATE INDEX `ai_turns_by_sent` ON `ai_turns` (`sent_message_id`);--> statement-breakpoint
CREATE INDEX `batches_test` ON `batches` (`tenant_id`,`id`) WHERE environment = 'test';--> statement-breakpoint
CREATE INDEX `batches_finished` ON `batches` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`subscription_id`,`event_seq`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `groups_by_tenant` ON `groups` (`tenant_id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `groups_deleted` ON `groups` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_deleted` ON `media` (`created_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
-- written by hand: who made an institution owns it; all others could do everything until now
UPDATE `members` SET `role` = 'ADMIN';--> statement-breakpoint
-- written by hand
UPDATE `members` SET `role` = 'OWNER' WHERE `user_id` = (SELECT first.user_id FROM members AS first WHERE first.tenant_id = `members`.`tenant_id` ORDER BY first.created_at, first.user_id LIMIT 1);
--> statement-breakpoint
-- written by hand: the limit of institutions per user counts those of before, too
UPDATE `tenants` SET `created_by` = (SELECT owner.user_id FROM members AS owner WHERE owner.tenant_id = `tenants`.`id` AND owner.role = 'OWNER');
--> statement-breakpoint
-- Written by hand: what lies here already is counted.
INSERT INTO stored_items (key, tenant_id, size_bytes) SELECT tenant_id || '/' || id, tenant_id, size_bytes FROM media WHERE stored_at IS NOT NULL AND deleted_at IS NULL;
--> statement-breakpoint
INSERT INTO stored_items (key, tenant_id, size_bytes) SELECT json_extract(recording, '$.objectKey'), tenant_id, json_extract(recording, '$.sizeBytes') FROM calls WHERE recording IS NOT NULL;
--> statement-breakpoint
INSERT INTO stored_items (key, tenant_id, size_bytes) SELECT 'document/' || id, tenant_id, chunk_count * 7000 FROM documents WHERE status = 'READY';
--> statement-breakpoint
INSERT INTO tenant_counts (tenant_id, collection, n) SELECT tenant_id, 'stored-bytes', sum(size_bytes) FROM stored_items GROUP BY tenant_id;
--> statement-breakpoint
INSERT INTO tenant_counts (tenant_id, collection, n) SELECT tenant_id, 'contacts', count(*) FROM contacts GROUP BY tenant_id;
--> statement-breakpoint
DROP TABLE contacts_search;
--> statement-breakpoint
CREATE VIRTUAL TABLE contacts_search USING fts5(words, content='', contentless_delete=1, tokenize='ascii');
--> statement-breakpoint
INSERT INTO jobs (kind, lane, priority, payload, unique_key, run_at, claims, attempts, crashes, created_at) SELECT 'contacts.index', 'housekeeping', 2, '{"after":0}', 'contacts.index', 0, 0, 0, 0, 0 WHERE EXISTS (SELECT 1 FROM contacts);
--> statement-breakpoint
INSERT INTO lanes (key, cap, running, next_at, not_before) SELECT 'housekeeping', 4, 0, 0, 0 WHERE EXISTS (SELECT 1 FROM contacts) ON CONFLICT (key) DO UPDATE SET next_at = 0;
