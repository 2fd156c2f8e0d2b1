import { Plus, RefreshCw, UsersRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Group, ListGroupsQuery } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { noPhones } from "../../parts/phones/no-phones.tsx";
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
            <Empty {...noPhones(t.noPhones, t.noPhonesHint)} />
          </>
        );
      }}
    </Loaded>
  );
};

const useGroups = (phoneId: string, cursor: string) =>
  useQuery(
    `groups/${phoneId}/${cursor}`,
    async (signal) => {
      const [phone, { hasGroups }] = await Promise.all([
        gateway.phones.get(phoneId, { signal }),
        gateway.phones.getCapabilities(phoneId, { signal }),
      ]);
      // the phone's network has no groups, or no device of its owner is linked
      if (!hasGroups || phone.status === "PENDING_QR") return { items: [], nextCursor: null, hasGroups: false };
      const asked = given<ListGroupsQuery>({ phoneId, includeSuspended: true, cursor });
      return { ...(await gateway.groups.list(asked, { signal }).page()), hasGroups: true };
    },
    { on: ["group:"] },
  );

const GroupsOfPhone = ({ first }: { first: string }) => {
  const t = groupsTexts();
  const list = useListState({ phoneId: "" });
  const { phoneId: chosen, cursor } = list.filters;
  const phoneId = chosen || first;
  const groups = useGroups(phoneId, cursor);
  const [isCreating, setCreating] = useState(false);
  const ask = useAct(async () => {
    await gateway.groups.list({ phoneId, refresh: true }).page();
    refresh("groups/");
    notify(t.refreshed);
  });
  const hasGroups = groups.data?.hasGroups ?? false;
  return (
    <ListPage
      name="groups"
      lead={t.lead}
      actions={
        <>
          {hasGroups && (
            <Button icon={RefreshCw} isBusy={ask.isRunning} onClick={() => void ask.run()}>
              {t.refresh}
            </Button>
          )}
          {hasGroups && may("groups.write") && (
            <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
              {t.create}
            </Button>
          )}
        </>
      }
      above={ask.error !== undefined && <Failure error={ask.error} />}
      state={list}
      filters={<PhoneFilter {...list.field("phoneId")} value={phoneId} isRequired />}
      query={groups}
      columns={columns()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/groups/${id}`}
      empty={{
        icon: UsersRound,
        ...(hasGroups ? { title: t.empty, hint: t.emptyHint } : { title: t.notHere, hint: t.notHereHint }),
      }}
    >
      {isCreating && <CreateGroup chosen={chosen} onClose={() => setCreating(false)} />}
    </ListPage>
  );
};

const columns = (): Column<Group>[] => {
  const t = groupsTexts();
  return [
    { title: t.subject, isMain: true, cell: ({ subject }) => subject || t.unnamed },
    { title: t.people, isNumber: true, cell: ({ totalParticipantCount }) => number(totalParticipantCount) },
    { title: t.join, cell: ({ joinApprovalMode }) => t.modes[joinApprovalMode] },
    {
      title: t.state,
      cell: ({ suspended }) => <Badge tone={suspended ? "bad" : "good"}>{suspended ? t.suspended : t.active}</Badge>,
    },
    { title: t.created, isMinor: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
};

/** `chosen`: the phone that a person has chosen before; empty if the page chose the phone. */
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
