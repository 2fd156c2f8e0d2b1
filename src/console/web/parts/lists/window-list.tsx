import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The number of rows that are drawn above and below the visible ones, so that quick scrolling shows no gap. */
const SPARE = 6;

/**
 * A list of rows of one height that draws only the rows in view: 10,000 rows scroll like ten. `onEnd` is called when
 * the end is near. `current`: the row that stays in view when it changes.
 */
export const WindowList = <Row,>({
  label,
  rows,
  rowHeight,
  keyOf,
  onEnd,
  current,
  children,
}: {
  label: string;
  rows: readonly Row[];
  rowHeight: number;
  keyOf: (row: Row) => string;
  onEnd?: () => void;
  current?: string | undefined;
  children: (row: Row) => ComponentChildren;
}) => {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const measure = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = box.current ?? {};
    setView((before) => (before.top === top && before.height === height ? before : { top, height }));
  };
  useLayoutEffect(measure, []);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const from = Math.max(0, Math.floor(view.top / rowHeight) - SPARE);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + SPARE);
  useEffect(() => {
    if (to >= rows.length - SPARE) onEnd?.();
  }, [to, rows.length]);
  useEffect(() => {
    const index = rows.findIndex((row) => keyOf(row) === current);
    if (index >= 0 && box.current) keepInView(box.current, index * rowHeight, rowHeight);
  }, [current]);
  return (
    <div ref={box} class="window-list" onScroll={measure}>
      <ul aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(from, to).map((row, offset) => (
          <li
            key={keyOf(row)}
            aria-setsize={rows.length}
            aria-posinset={from + offset + 1}
            style={{ top: `${(from + offset) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </div>
  );
};

const keepInView = (box: HTMLElement, top: number, height: number): void => {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
};
