import { Failure, Notice } from "../../parts/states.tsx";
import { Undone } from "./hand-over.ts";
import { batchesTexts } from "./texts.ts";

/** Why a batch did not start. */
export const RefusedText = ({ error }: { error: unknown }) => {
  if (error === undefined) return null;
  if (!(error instanceof Undone)) return <Failure error={error} />;
  return (
    <>
      <Notice tone="bad">{batchesTexts().send.undone}</Notice>
      <Failure error={error.cause} />
    </>
  );
};
