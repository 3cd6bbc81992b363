/** `; did you mean eu/b?` for a zone that is named without its region; empty where no name ends so. */
export function didYouMean(name: string, known: Iterable<string>): string {
	const near = [...new Set(known)].filter((one) => one.endsWith(`/${name}`));
	return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}
