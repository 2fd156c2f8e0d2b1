import { ShieldMinus, ShieldPlus, UserMinus, UserPlus } from "lucide-preact";
import { useState } from "preact/hooks";
import type {
  Group,
  GroupParticipant,
  GroupPersonOutcome,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { linesIn, personName } from "./numbers.ts";
import { groupsTexts } from "./texts.ts";

/** The people of a group, with the ways to add and remove them. */
export const People = ({ group }: { group: Group }) => {
  const t = groupsTexts();
  const [isAdding, setAdding] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly GroupPersonOutcome[]>([]);
  return (
    <Card
      title={t.people}
      {...(group.totalParticipantCount === 0 ? {} : { hint: t.peopleCount(group.totalParticipantCount) })}
      actions={
        may("groups.write") && (
          <Button icon={UserPlus} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )
      }
    >
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
      {group.participants.length === 0 && <p class="soft">{t.nobody}</p>}
      <ul class="people" aria-label={t.people}>
        {group.participants.map((person) => (
          <Person key={person.waId} groupId={group.id} person={person} />
        ))}
      </ul>
      {isAdding && (
        <AddPeople
          groupId={group.id}
          onClose={() => setAdding(false)}
          onDone={(said) => {
            setOutcomes(said);
            setAdding(false);
          }}
        />
      )}
    </Card>
  );
};

/** The network's answer for each person. */
const Outcomes = ({ outcomes }: { outcomes: readonly GroupPersonOutcome[] }) => {
  const t = groupsTexts();
  const areAllDone = outcomes.every(({ outcome }) => outcome === "done");
  return (
    <Notice tone={areAllDone ? "good" : "warning"}>
      <ul>
        {outcomes.map(({ waId, outcome }) => (
          <li key={waId}>
            {personName(waId)}: {t.outcomes[outcome]}
          </li>
        ))}
      </ul>
    </Notice>
  );
};

const Person = ({ groupId, person: { waId, isAdmin } }: { groupId: string; person: GroupParticipant }) => {
  const t = groupsTexts();
  const [isRemoving, setRemoving] = useState(false);
  const act = useAct(async (verb: "promoteParticipants" | "demoteParticipants" | "removeParticipants") => {
    await gateway.groups[verb](groupId, { waIds: [waId] });
    setRemoving(false);
    refresh("groups/");
    notify(t.asked);
  });
  const name = personName(waId);
  return (
    <li>
      <span class="person-id">{name}</span>
      {isAdmin && <Badge tone="info">{t.admin}</Badge>}
      {may("groups.write") && (
        <span class="person-acts">
          <IconButton
            label={`${isAdmin ? t.demote : t.promote}: ${name}`}
            icon={isAdmin ? ShieldMinus : ShieldPlus}
            onClick={() => void act.run(isAdmin ? "demoteParticipants" : "promoteParticipants")}
          />
          <IconButton label={`${t.take}: ${name}`} icon={UserMinus} onClick={() => setRemoving(true)} />
        </span>
      )}
      {act.error !== undefined && !isRemoving && <Failure error={act.error} />}
      {isRemoving && (
        <Confirm
          title={t.takeTitle}
          yes={t.take}
          act={{ ...act, run: () => act.run("removeParticipants") }}
          onNo={() => setRemoving(false)}
        >
          <p>{t.takeHint(name)}</p>
        </Confirm>
      )}
    </li>
  );
};

const AddPeople = ({
  groupId,
  onClose,
  onDone,
}: {
  groupId: string;
  onClose: () => void;
  onDone: (outcomes: readonly GroupPersonOutcome[]) => void;
}) => {
  const t = groupsTexts();
  const act = useAct(async (form: FormData) => {
    const said = await gateway.groups.addParticipants(groupId, { waIds: linesIn(textIn(form, "waIds")) });
    refresh("groups/");
    if (!said) notify(t.asked);
    onDone(said?.participants ?? []);
  });
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form act={act} submit={t.add} onCancel={onClose}>
        <TextArea label={t.numbers} hint={t.numbersHint} name="waIds" rows={5} placeholder="+55 11 99999-0000" />
      </Form>
    </Dialog>
  );
};
