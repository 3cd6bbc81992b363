/** The first row to show, so that the cursor stays where it is on the screen, as far as there are rows. */
export function topRow(index: number, offset: number, count: number, height: number): number {
	const room = Math.max(1, height);
	const top = index - Math.min(offset, room - 1);
	return Math.max(0, Math.min(top, count - room));
}
