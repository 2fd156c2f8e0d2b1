import { Link2, Pencil, RotateCw } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Group } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, onlyTouched, Select, TextArea, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Failure, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { Endings } from "./endings.tsx";
import { People } from "./people.tsx";
import { Requests } from "./requests.tsx";
import { SendToGroup } from "./send.tsx";
import { groupsTexts } from "./texts.ts";

/** One group of a phone: its people, its requests to join, its data, and the possible acts. */
export const GroupView = ({ id }: { id: string }) => {
  const t = groupsTexts();
  const group = useQuery(`groups/one/${id}`, (signal) => gateway.groups.get(id, { signal }), { on: ["group:"] });
  const { data } = group;
  const path = data ? `/groups?phoneId=${data.phoneId}` : "/groups";
  return (
    <>
      <PageHeader
        title={data ? data.subject || t.unnamed : pageNames().groups}
        back={{ path, name: pageNames().groups }}
      >
        {data && may("groups.write") && <Endings group={data} />}
      </PageHeader>
      <Loaded query={group}>
        {(found) => (
          <div class="grid top-aligned">
            <div class="stack">
              <Requests group={found} />
              <People group={found} />
            </div>
            <div class="stack">
              <About group={found} />
              {!found.suspended && may("messages.write") && <SendToGroup id={found.id} />}
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
};

const About = ({ group }: { group: Group }) => {
  const t = groupsTexts();
  const [isChanging, setChanging] = useState(false);
  return (
    <Card
      title={t.description}
      actions={
        may("groups.write") && (
          <Button icon={Pencil} onClick={() => setChanging(true)}>
            {t.change}
          </Button>
        )
      }
    >
      <div class="stack">
        {group.description !== "" && <p class="group-description">{group.description}</p>}
        <Details
          items={[
            [
              t.state,
              <Badge key="state" tone={group.suspended ? "bad" : "good"}>
                {group.suspended ? t.suspended : t.active}
              </Badge>,
            ],
            [t.join, t.modes[group.joinApprovalMode]],
            [t.phone, <PhoneName key="phone" id={group.phoneId} />],
            [t.created, <When key="created" at={group.createdAt} isFull />],
          ]}
        />
        <Invite group={group} />
      </div>
      {isChanging && <ChangeGroup group={group} onClose={() => setChanging(false)} />}
    </Card>
  );
};

const ChangeGroup = ({ group, onClose }: { group: Group; onClose: () => void }) => {
  const t = groupsTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const fields = {
      subject: textIn(form, "subject"),
      description: textIn(form, "description"),
      // a network without this choice refuses it, also if it stays the same
      joinApprovalMode: textIn(form, "joinApprovalMode") as Group["joinApprovalMode"],
    };
    await gateway.groups.update(group.id, onlyTouched(touched, fields));
    refresh("groups/");
    notify(t.saved);
    onClose();
  });
  return (
    <Dialog title={t.change} onClose={onClose}>
      <Form act={act} submit={t.save} onCancel={onClose}>
        <Field label={t.subject} name="subject" defaultValue={group.subject} maxLength={128} />
        <TextArea
          label={t.description}
          name="description"
          rows={4}
          defaultValue={group.description}
          maxLength={2048}
          isOptional
        />
        <Select
          label={t.join}
          name="joinApprovalMode"
          defaultValue={group.joinApprovalMode}
          options={Object.entries(t.modes)}
        />
      </Form>
    </Dialog>
  );
};

const Invite = ({ group: { id, inviteLink } }: { group: Group }) => {
  const t = groupsTexts();
  const [link, setLink] = useState(inviteLink);
  const [isResetting, setResetting] = useState(false);
  const act = useAct(async (verb: "getInviteLink" | "resetInviteLink") => {
    setLink((await gateway.groups[verb](id)).inviteLink);
    setResetting(false);
  });
  return (
    <div class="stack">
      <h3>{t.invite}</h3>
      {link !== null && <CopyLine text={link} />}
      {act.error !== undefined && !isResetting && <Failure error={act.error} />}
      <p class="actions">
        {link === null && (
          <Button icon={Link2} isBusy={act.isRunning} onClick={() => void act.run("getInviteLink")}>
            {t.getInvite}
          </Button>
        )}
        {link !== null && may("groups.write") && (
          <Button icon={RotateCw} onClick={() => setResetting(true)}>
            {t.reset}
          </Button>
        )}
      </p>
      {isResetting && (
        <Confirm
          title={t.resetTitle}
          yes={t.reset}
          act={{ ...act, run: () => act.run("resetInviteLink") }}
          onNo={() => setResetting(false)}
        >
          <p>{t.resetHint}</p>
        </Confirm>
      )}
    </div>
  );
};
