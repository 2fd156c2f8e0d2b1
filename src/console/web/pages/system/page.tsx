import type { PageProps } from "../../frame/routes.tsx";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Tabs } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { adapterTexts } from "./adapter-texts.ts";
import { AdaptersTab } from "./adapters.tsx";
import { BackupsCard } from "./backups.tsx";
import { FindingsCard } from "./findings.tsx";
import { LicencesTab } from "./licences.tsx";
import { NodesCard, ProgramCard, StorageCard } from "./machine.tsx";
import { SettingsTab } from "./settings.tsx";
import { systemTexts } from "./texts.ts";
import { TroublesCard } from "./troubles.tsx";

const Health = () => (
  <div class="stack">
    <FindingsCard />
    <div class="grid">
      <BackupsCard />
      <StorageCard />
      <TroublesCard />
      <ProgramCard />
    </div>
    <NodesCard />
  </div>
);

const Tab = ({ id }: { id: string | undefined }) => {
  if (id === "settings") return <SettingsTab />;
  if (id === "adapters") return <AdaptersTab />;
  return id === "licences" ? <LicencesTab /> : <Health />;
};

/** The machine: what the doctor finds, backups, disk, versions and nodes; its settings; its adapters; its licences. */
export const SystemPage = ({ id }: PageProps) => {
  const t = systemTexts();
  const tabs = [
    { name: t.health, path: "/system" },
    { name: t.settings, path: "/system/settings" },
    { name: adapterTexts().adapters, path: "/system/adapters" },
    { name: t.licences, path: "/system/licences" },
  ];
  return (
    <>
      <PageHeader title={pageNames().system} lead={t.lead} />
      <Tabs label={t.tabs} tabs={tabs} current={id === undefined ? "/system" : `/system/${id}`} />
      <Tab id={id} />
    </>
  );
};
