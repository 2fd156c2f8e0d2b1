import { Plus, X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "../../button.tsx";

type RowsProps = {
  legend: string;
  least: number;
  most: number;
  add: string;
  /** The name of the button that removes a row, by its place from 1. */
  remove: (place: number) => string;
  /** The fields of a row. Their names have its place from 0. */
  children: (at: number) => ComponentChildren;
};

/** Fields that stand several times in a form. Rows keep what was typed when one before them goes. */
export const Rows = ({ legend, least, most, add, remove, children }: RowsProps) => {
  const group = useRef<HTMLFieldSetElement>(null);
  const made = useRef(least);
  const [ids, setIds] = useState(() => Array.from({ length: least }, (_, at) => at));
  const next = useRef<number | "add" | undefined>(undefined);
  useLayoutEffect(() => {
    // the focus goes to what was added; after a removal it must not leave the form
    const target = next.current;
    next.current = undefined;
    const row = typeof target === "number" ? group.current?.children.item(target + 1) : undefined;
    if (row) row.querySelector<HTMLElement>("input, textarea, select")?.focus();
    else if (target === "add") group.current?.querySelector<HTMLElement>(":scope > .content-add > button")?.focus();
  }, [ids]);
  return (
    <fieldset class="content-rows" ref={group}>
      <legend>{legend}</legend>
      {ids.map((id, at) => (
        <div class="content-row" key={id}>
          <div class="content-row-fields">{children(at)}</div>
          {ids.length > least && (
            <IconButton
              label={remove(at + 1)}
              icon={X}
              onClick={() => {
                next.current = "add";
                setIds(ids.filter((one) => one !== id));
              }}
            />
          )}
        </div>
      ))}
      {ids.length < most && (
        <div class="content-add">
          <Button
            icon={Plus}
            onClick={() => {
              next.current = ids.length;
              setIds([...ids, made.current++]);
            }}
          >
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
};
