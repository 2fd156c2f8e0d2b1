import { UserPlus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Operator, OperatorLink } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { session } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { Loaded } from "../../parts/states.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { teamTexts } from "./texts.ts";

const Adding = ({ onMade, onClose }: { onMade: (made: OperatorLink) => void; onClose: () => void }) => {
  const t = teamTexts();
  const act = useAct(async (form: FormData) => {
    const made = await admin.operators.create({ name: textIn(form, "name"), email: textIn(form, "email") });
    refresh("operators");
    onMade(made);
  });
  return (
    <Dialog title={t.addOperator} onClose={onClose}>
      <p>{t.operatorsHint}</p>
      <Form act={act} submit={t.addOperator} onCancel={onClose}>
        <Field label={t.name} name="name" maxLength={200} autocomplete="off" autoFocus />
        <Field label={t.email} name="email" type="email" autocomplete="off" />
      </Form>
    </Dialog>
  );
};

type Asked = { operator: Operator; verb: "reset" | "delete" };

const Asking = ({
  asked,
  onMade,
  onClose,
}: {
  asked: Asked;
  onMade: (made: OperatorLink) => void;
  onClose: () => void;
}) => {
  const t = teamTexts();
  const { operator, verb } = asked;
  const act = useAct(async () => {
    if (verb === "reset") onMade(await admin.operators.reset({ email: operator.email }));
    else await admin.operators.delete(operator.id);
    onClose();
    refresh("operators");
  });
  const isReset = verb === "reset";
  return (
    <Confirm
      title={isReset ? t.resetTitle(operator.name) : t.deleteTitle(operator.name)}
      yes={isReset ? t.resetAct : t.remove}
      act={act}
      onNo={onClose}
    >
      <p>{isReset ? t.resetLoses : t.deleteLoses}</p>
    </Confirm>
  );
};

const List = ({ operators, onAsk }: { operators: readonly Operator[]; onAsk: (asked: Asked) => void }) => {
  const t = teamTexts();
  const ownId = session.value?.person.id;
  return (
    <Table
      label={`${t.operators} (${operators.length})`}
      rows={operators}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.person,
          isMain: true,
          cell: ({ id, name, email }) => (
            <span class="team-person">
              <span>
                {name}
                {id === ownId && <span class="soft"> ({t.you})</span>}
              </span>
              <span class="soft small">{email}</span>
            </span>
          ),
        },
        {
          title: t.secondStep,
          cell: ({ hasPassword, hasSecondStep }) =>
            hasPassword ? (
              <Badge tone={hasSecondStep ? "good" : "warning"}>{hasSecondStep ? t.on : t.off}</Badge>
            ) : (
              <Badge tone="busy">{t.noPassword}</Badge>
            ),
        },
        {
          title: t.action,
          cell: (operator) =>
            operator.id !== ownId && (
              <span class="team-acts">
                <Button onClick={() => onAsk({ operator, verb: "reset" })}>{t.reset}</Button>
                <Button onClick={() => onAsk({ operator, verb: "delete" })}>{t.remove}</Button>
              </span>
            ),
        },
      ]}
    />
  );
};

/** The people who run the server, for operators. */
export const Operators = () => {
  const t = teamTexts();
  const operators = useQuery("operators", async () => (await admin.operators.list().page()).items);
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [made, setMade] = useState<OperatorLink | undefined>(undefined);
  return (
    <Card
      title={t.operators}
      hint={t.operatorsHint}
      actions={
        <Button icon={UserPlus} onClick={() => setAdding(true)}>
          {t.addOperator}
        </Button>
      }
    >
      <Loaded query={operators} lines={2}>
        {(found) => <List operators={found} onAsk={setAsked} />}
      </Loaded>
      {isAdding && !made && <Adding onMade={setMade} onClose={() => setAdding(false)} />}
      {asked && <Asking asked={asked} onMade={setMade} onClose={() => setAsked(undefined)} />}
      {made && (
        <LinkDialog
          link={made.link}
          hint={t.operatorLink(made.email)}
          onClose={() => {
            setMade(undefined);
            setAdding(false);
          }}
        />
      )}
    </Card>
  );
};
