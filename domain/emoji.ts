/** What counts as an emoji: by the properties of Unicode, so that keycaps and flags pass and letters and digits don't. */

const FLAG = "\\p{Regional_Indicator}{2}";
const KEYCAP = "[0-9#*]\\uFE0F?\\u20E3";
/** A sign with its skin tone, its way of being shown, and the tags of the flags that are made of them. */
const SIGN = "\\p{Extended_Pictographic}\\p{Emoji_Modifier}?[\\uFE0E\\uFE0F]?(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?";
const JOINED = `${SIGN}(?:\\u200D${SIGN})*`;
const EMOJI = new RegExp(`^(?:${FLAG}|${KEYCAP}|${JOINED}|\\p{Emoji_Modifier})+$`, "u");

/** One or more emoji and nothing else. */
export function isEmoji(text: string): boolean {
  return EMOJI.test(text);
}
