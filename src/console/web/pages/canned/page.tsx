import { MessageSquareQuote, Pencil, Plus, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import type { CannedReply, ListCannedRepliesQuery } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Check, Field, Form, onlyTouched, TextArea, type Touched, textIn } from "../../parts/forms/form.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { notify } from "../../parts/toasts.tsx";
import { cannedPageTexts } from "./texts.ts";

const ON_A_PAGE = 50;
const MAX_SHORTCUT = 40;
const MAX_TEXT = 4096;

/** The canned replies of the account and of the person. */
export const CannedPage = () => {
  const t = cannedPageTexts();
  const list = useListState({ q: "", owner: "" });
  const { q, owner, cursor } = list.filters;
  const [asked, setAsked] = useState<"make" | { change: CannedReply } | { remove: CannedReply } | undefined>(undefined);
  const close = (): void => setAsked(undefined);
  const page = useQuery(
    `canned/list/${owner}/${q}/${cursor}`,
    (signal) =>
      gateway.chats
        .listCannedReplies(given<ListCannedRepliesQuery>({ limit: ON_A_PAGE, q, owner, cursor }), { signal })
        .page(),
    { everyMs: 60_000 },
  );
  const nothing = { icon: MessageSquareQuote, title: t.noneFound };
  return (
    <ListPage
      name="canned"
      lead={t.lead}
      actions={
        may("chats.write") && (
          <Button tone="primary" icon={Plus} onClick={() => setAsked("make")}>
            {t.make}
          </Button>
        )
      }
      state={list}
      filters={
        <>
          <FilterSearch label={t.search} {...list.field("q")} />
          <FilterSelect
            label={t.owner}
            {...list.field("owner")}
            options={[
              ["", t.owners.all],
              ["shared", t.owners.shared],
              ["own", t.owners.own],
            ]}
          />
        </>
      }
      query={page}
      columns={columns(setAsked)}
      keyOf={({ id }) => id}
      empty={{ icon: MessageSquareQuote, title: t.empty, hint: t.emptyHint }}
      notFound={nothing}
    >
      {asked === "make" && <ReplyDialog onClose={close} />}
      {asked !== undefined && asked !== "make" && "change" in asked && (
        <ReplyDialog reply={asked.change} onClose={close} />
      )}
      {asked !== undefined && asked !== "make" && "remove" in asked && (
        <RemoveDialog reply={asked.remove} onClose={close} />
      )}
    </ListPage>
  );
};

const columns = (ask: (asked: { change: CannedReply } | { remove: CannedReply }) => void): Column<CannedReply>[] => {
  const t = cannedPageTexts();
  return [
    { title: t.shortcut, isMain: true, cell: ({ shortcut }) => <span class="mono">/{shortcut}</span> },
    { title: t.text, cell: ({ text }) => <span class="cut">{text}</span> },
    { title: t.owner, cell: ({ shared }) => (shared ? t.owners.shared : t.owners.own) },
    { title: t.by, isMinor: true, cell: ({ createdBy }) => createdBy.name ?? createdBy.id },
    {
      title: t.acts,
      cell: (reply) =>
        may("chats.write") && (
          <>
            <IconButton
              label={`${t.change}: /${reply.shortcut}`}
              icon={Pencil}
              onClick={() => ask({ change: reply })}
            />
            <IconButton
              label={`${t.remove}: /${reply.shortcut}`}
              icon={Trash2}
              onClick={() => ask({ remove: reply })}
            />
          </>
        ),
    },
  ];
};

const ReplyDialog = ({ reply, onClose }: { reply?: CannedReply; onClose: () => void }) => {
  const t = cannedPageTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const body = { shortcut: textIn(form, "shortcut"), text: textIn(form, "text"), shared: form.has("shared") };
    await (reply === undefined
      ? gateway.chats.createCannedReply(body)
      : gateway.chats.updateCannedReply(reply.id, onlyTouched(touched, body)));
    notify(t.saved);
    refresh("canned/");
    onClose();
  });
  return (
    <Dialog title={reply === undefined ? t.make : t.change} onClose={onClose}>
      <Form act={act} submit={t.save} onCancel={onClose}>
        <Field
          label={t.shortcut}
          hint={t.shortcutHint}
          name="shortcut"
          maxLength={MAX_SHORTCUT}
          autocomplete="off"
          defaultValue={reply?.shortcut ?? ""}
        />
        <TextArea label={t.text} hint={t.textHint} name="text" maxLength={MAX_TEXT} defaultValue={reply?.text ?? ""} />
        <Check label={t.shared} hint={t.sharedHint} name="shared" defaultChecked={reply?.shared ?? true} />
      </Form>
    </Dialog>
  );
};

const RemoveDialog = ({ reply, onClose }: { reply: CannedReply; onClose: () => void }) => {
  const t = cannedPageTexts();
  const act = useAct(async () => {
    await gateway.chats.deleteCannedReply(reply.id);
    notify(t.removed);
    refresh("canned/");
    onClose();
  });
  return (
    <Confirm title={t.removeTitle} yes={t.remove} act={act} onNo={onClose}>
      <p>{t.removeText(reply.shortcut)}</p>
    </Confirm>
  );
};
