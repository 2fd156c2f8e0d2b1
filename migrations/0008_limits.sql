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
ALTER TABLE `tenants` ADD `created_by` text;--> statement-breakpoint
CREATE INDEX `tenants_by_creator` ON `tenants` (`created_by`) WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_by_tenant` ON `groups` (`tenant_id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `api_keys_live` ON `api_keys` (`tenant_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_of_platform` ON `subscriptions` (`tenant_id`,`id`) WHERE kind = 'platform';
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
