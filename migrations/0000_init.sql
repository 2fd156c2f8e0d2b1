CREATE TABLE `attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`event_type` text NOT NULL,
	`attempt` integer NOT NULL,
	`is_delivered` integer NOT NULL,
	`status_code` integer NOT NULL,
	`failure` text,
	`error` text,
	`response` text,
	`duration_ms` integer NOT NULL,
	`at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `attempts_by_subscription` ON `attempts` (`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_failed` ON `attempts` (`subscription_id`,`id`) WHERE is_delivered = 0;--> statement-breakpoint
CREATE INDEX `attempts_by_age` ON `attempts` (`at`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`state` text NOT NULL,
	`phone_number` text,
	`number_id` text,
	`account_id` text,
	`verify_token_hash` text,
	`is_webhook_configured` integer NOT NULL,
	`profile` text NOT NULL,
	`shared_webhook_id` text,
	`validated_at` integer,
	`connected_at` integer,
	`disconnected_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `channels_by_tenant` ON `channels` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `channels_by_number` ON `channels` (`number_id`) WHERE number_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_account` ON `channels` (`account_id`) WHERE account_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_verify_token` ON `channels` (`verify_token_hash`) WHERE verify_token_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_by_shared_webhook` ON `channels` (`shared_webhook_id`) WHERE shared_webhook_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_connecting` ON `channels` (`state`) WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING', 'PENDING_QR');--> statement-breakpoint
CREATE TABLE `vault` (
	`channel_id` text NOT NULL,
	`field` text NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`channel_id`, `field`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event_seq` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`url` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`last_status_code` integer,
	`last_error` text,
	`delivered_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `deliveries_by_event` ON `deliveries` (`event_seq`);--> statement-breakpoint
CREATE INDEX `deliveries_parked` ON `deliveries` (`subscription_id`,`event_seq`) WHERE status = 'PARKED';--> statement-breakpoint
CREATE INDEX `deliveries_pending` ON `deliveries` (`tenant_id`,`event_seq`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `deliveries_dead` ON `deliveries` (`event_seq`) WHERE status = 'DEAD';--> statement-breakpoint
CREATE INDEX `deliveries_dead_by_tenant` ON `deliveries` (`tenant_id`,`event_seq`) WHERE status = 'DEAD';--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text,
	`chat` text NOT NULL,
	`gateway_type` text,
	`gateway_body` text,
	`platform_type` text,
	`platform_body` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id_unique` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_by_tenant` ON `events` (`tenant_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_type` ON `events` (`tenant_id`,`gateway_type`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_channel` ON `events` (`tenant_id`,`channel_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_by_age` ON `events` (`created_at`);--> statement-breakpoint
CREATE TABLE `boots` (
	`boot` text PRIMARY KEY NOT NULL,
	`lease_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`name` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`name`, `at`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `dead_jobs` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`lane` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text NOT NULL,
	`died_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `dead_jobs_by_age` ON `dead_jobs` (`died_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`lane` text NOT NULL,
	`priority` integer NOT NULL,
	`payload` text NOT NULL,
	`unique_key` text,
	`run_at` integer NOT NULL,
	`boot` text,
	`claims` integer NOT NULL,
	`attempts` integer NOT NULL,
	`crashes` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `jobs_waiting` ON `jobs` (`lane`,`priority`,`run_at`,`id`) WHERE boot IS NULL;--> statement-breakpoint
CREATE INDEX `jobs_running` ON `jobs` (`boot`) WHERE boot IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_crashed` ON `jobs` (`crashes`) WHERE crashes > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_unique` ON `jobs` (`unique_key`) WHERE unique_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `lanes` (
	`key` text PRIMARY KEY NOT NULL,
	`cap` integer NOT NULL,
	`running` integer NOT NULL,
	`next_at` integer,
	`not_before` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `lanes_due` ON `lanes` (`next_at`) WHERE running < cap AND next_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`face` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`permissions` text NOT NULL,
	`environment` text NOT NULL,
	`requests_per_minute` integer,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_tenant` ON `api_keys` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` text NOT NULL,
	`key` text NOT NULL,
	`message_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inbox` (
	`channel_id` text NOT NULL,
	`native_key` text NOT NULL,
	`message_id` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `native_key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `inbox_by_message` ON `inbox` (`message_id`);--> statement-breakpoint
CREATE INDEX `inbox_by_age` ON `inbox` (`received_at`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`recipient` text NOT NULL,
	`content` text NOT NULL,
	`quoted_key` text,
	`status` text NOT NULL,
	`intent` text NOT NULL,
	`uncertain_tries` integer NOT NULL,
	`native_key` text,
	`failed_reason` text,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`delivered_at` integer,
	`read_at` integer,
	`failed_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_by_native_key` ON `messages` (`channel_id`,`native_key`) WHERE native_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_queued` ON `messages` (`channel_id`) WHERE status = 'QUEUED';--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`channel_id` text,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`events` text NOT NULL,
	`is_active` integer NOT NULL,
	`disabled_at` integer,
	`max_retries` integer NOT NULL,
	`retry_delay_ms` integer NOT NULL,
	`consecutive_failures` integer NOT NULL,
	`last_failed_at` integer,
	`breaker_failures` integer NOT NULL,
	`breaker_since` integer NOT NULL,
	`breaker_trips` integer NOT NULL,
	`breaker_open_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `subscriptions_by_tenant` ON `subscriptions` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_channel` ON `subscriptions` (`channel_id`) WHERE channel_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `daily_sends` (
	`tenant_id` text NOT NULL,
	`day` integer NOT NULL,
	`sends` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `members` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `tenant_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `members_by_tenant` ON `members` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`dunning_stage` text NOT NULL,
	`plan_code` text NOT NULL,
	`platform_plan` text,
	`billing_email` text,
	`waba_markup_pct` real,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE TABLE `upstream_envelopes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`plugin` text NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `upstream_envelopes_hash_unique` ON `upstream_envelopes` (`hash`);--> statement-breakpoint
CREATE INDEX `upstream_envelopes_by_age` ON `upstream_envelopes` (`received_at`);