/**
 * Texts come from repositories that nobody here has read. Characters that show nothing or turn the direction of a line can hide words
 * from a reader that a model still reads, so each is shown as a mark with its code point.
 */
const INVISIBLE = String.raw`[\u00AD\u061C\u115F\u1160\u200B\u200C\u200E\u200F\u3164\uFEFF\uFFA0]|[\u2028-\u202E\u2060-\u206F\uFFF0-\uFFFB]|\u034F|[\u17B4\u17B5]|[\u180B-\u180F]|[\u{1D173}-\u{1D17A}]|[\u{E0000}-\u{E0FFF}]`;
const CONTROL = String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]`;
/** A joiner between two pictographs makes one emoji of them and hides nothing; any other is a hidden character. */
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}`;
const JOINER = String.raw`(?<!${PICTOGRAPH}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D|\u200D(?!${PICTOGRAPH})`;
const HIDDEN = new RegExp(`(${INVISIBLE}|${CONTROL}|${JOINER})`, "u");

export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The text in pieces: every second one is an invisible character. */
export function pieces(text: string): string[] {
  return text.split(HIDDEN);
}

/** The text as plain characters, marks included; for labels and titles. */
export function markedText(text: string): string {
  return pieces(text)
    .map((part, index) => (index % 2 === 1 ? `⟨${codePoint(part)}⟩` : part))
    .join("");
}
