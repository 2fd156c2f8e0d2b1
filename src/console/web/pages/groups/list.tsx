import { Plus, RefreshCw, Smartphone, UsersRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Group, GroupPage } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Filters, Pager } from "../../parts/lists/filters.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneFilter, PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { usePhonesFound } from "../../parts/phones/phones.tsx";
import { Empty, Failure, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { linesIn } from "./numbers.ts";
import { groupsTexts } from "./texts.ts";

export const GroupList = () => {
  const t = groupsTexts();
  const phones = usePhonesFound();
  return (
    <Loaded query={phones}>
      {({ items }) => {
        const first = items.find(({ status }) => status === "CONNECTED") ?? items[0];
        return first ? (
          <GroupsOfPhone first={first.id} />
        ) : (
          <>
            <PageHeader title={pageNames().groups} lead={t.lead} />
            <Empty icon={Smartphone} title={t.noPhones} hint={t.noPhonesHint}>
              <ButtonLink tone="primary" path="/phones">
                {t.toPhones}
              </ButtonLink>
            </Empty>
          </>
        );
      }}
    </Loaded>
  );
};

/** `null`: the phone's network has no groups, or no device of its owner is linked. */
const useGroups = (phoneId: string, cursor: string) =>
  useQuery(
    `groups/${phoneId}/${cursor}`,
    async (signal): Promise<GroupPage | null> => {
      const [phone, { hasGroups }] = await Promise.all([
        gateway.phones.get(phoneId, { signal }),
        gateway.phones.getCapabilities(phoneId, { signal }),
      ]);
      if (!hasGroups || phone.status === "PENDING_QR") return null;
      const query = { phoneId, includeSuspended: true, ...(cursor === "" ? {} : { cursor }) };
      return gateway.groups.list(query, { signal }).page();
    },
    { on: ["group:"] },
  );

const GroupsOfPhone = ({ first }: { first: string }) => {
  const t = groupsTexts();
  const [{ phoneId: chosen, cursor }, setFilters] = useFilters({ phoneId: "", cursor: "" });
  const phoneId = chosen || first;
  const groups = useGroups(phoneId, cursor);
  const [isCreating, setCreating] = useState(false);
  const ask = useAct(async () => {
    await gateway.groups.list({ phoneId, refresh: true }).page();
    refresh("groups/");
    notify(t.refreshed);
  });
  return (
    <>
      <PageHeader title={pageNames().groups} lead={t.lead}>
        {groups.data && (
          <Button icon={RefreshCw} isBusy={ask.isRunning} onClick={() => void ask.run()}>
            {t.refresh}
          </Button>
        )}
        {groups.data && may("groups.write") && (
          <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        )}
      </PageHeader>
      {ask.error !== undefined && <Failure error={ask.error} />}
      <Filters>
        <PhoneFilter value={phoneId} isRequired onChange={(next) => setFilters({ phoneId: next, cursor: "" })} />
      </Filters>
      <Loaded query={groups}>
        {(page) => (
          <>
            <Groups page={page} />
            <Pager cursor={cursor} nextCursor={page?.nextCursor} onCursor={(next) => setFilters({ cursor: next })} />
          </>
        )}
      </Loaded>
      {isCreating && <CreateGroup chosen={chosen} onClose={() => setCreating(false)} />}
    </>
  );
};

const Groups = ({ page }: { page: GroupPage | null }) => {
  const t = groupsTexts();
  if (page === null) return <Empty icon={UsersRound} title={t.notHere} hint={t.notHereHint} />;
  if (page.items.length === 0) return <Empty icon={UsersRound} title={t.empty} hint={t.emptyHint} />;
  return (
    <Table<Group>
      label={pageNames().groups}
      rows={page.items}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/groups/${id}`}
      columns={[
        { title: t.subject, isMain: true, cell: ({ subject }) => subject || t.unnamed },
        { title: t.people, isNumber: true, cell: ({ totalParticipantCount }) => number(totalParticipantCount) },
        { title: t.join, cell: ({ joinApprovalMode }) => t.modes[joinApprovalMode] },
        {
          title: t.state,
          cell: ({ suspended }) => (
            <Badge tone={suspended ? "bad" : "good"}>{suspended ? t.suspended : t.active}</Badge>
          ),
        },
        { title: t.created, isMinor: true, cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  );
};

/** `chosen`: the phone that a person has chosen before; empty where the page chose what it shows. */
const CreateGroup = ({ chosen, onClose }: { chosen: string; onClose: () => void }) => {
  const t = groupsTexts();
  const { route } = useLocation();
  const act = useAct(async (form: FormData) => {
    const participants = linesIn(textIn(form, "participants"));
    const description = textIn(form, "description");
    const { id } = await gateway.groups.create({
      phoneId: textIn(form, "phoneId"),
      subject: textIn(form, "subject"),
      ...(description === "" ? {} : { description }),
      ...(participants.length === 0 ? {} : { participants }),
    });
    route(href(`/groups/${id}`));
  });
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form act={act} submit={t.create} onCancel={onClose}>
        <PhoneSelect label={t.phone} name="phoneId" initial={chosen} />
        <Field label={t.subject} name="subject" maxLength={128} />
        <TextArea label={t.description} name="description" rows={3} maxLength={2048} isOptional />
        <TextArea label={t.members} hint={t.membersHint} name="participants" rows={3} isOptional />
      </Form>
    </Dialog>
  );
};
