/** Text from elsewhere, with its hidden characters as marks. */
import type { ReactNode } from "react";
import { codePoint, pieces } from "./hidden-characters.js";

export function Marked({ text }: { readonly text: string }): ReactNode {
  const parts = pieces(text);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change their order
      <span key={index} className="mark" title={`invisible character ${codePoint(part)}`}>
        {codePoint(part)}
      </span>
    ) : (
      part
    ),
  );
}
