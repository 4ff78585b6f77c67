/**
 * Where a programmer joined words: between a small letter or digit and a capital, and before the last capital of an acronym that a word
 * follows. The s of several acronyms is no word: getURLs is get and URLs.
 */
export const SEGMENT_BORDER = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/u;
