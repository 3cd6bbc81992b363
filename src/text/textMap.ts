/** Texts by names: labels, or words and their meanings. */
export type TextMap = Readonly<Record<string, string>>;
