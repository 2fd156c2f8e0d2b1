ALTER TABLE `invoices` ADD `paid_cents` integer;--> statement-breakpoint
CREATE INDEX `invoices_paid` ON `invoices` (`id`) WHERE status = 'PAID' AND gateway_charge_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `reprieved_on` text;