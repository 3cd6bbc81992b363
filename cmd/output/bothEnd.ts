/**
 * Waits until both have ended, and only then tells of a failure: what is printed before the screen is gone is lost with it.
 *
 * @returns what the screen ended with
 */
export async function bothEnd<End>(work: Promise<unknown>, screen: Promise<End>): Promise<End> {
	const [worked, shown] = await Promise.allSettled([work, screen]);
	if (worked.status === 'rejected') throw worked.reason;
	if (shown.status === 'rejected') throw shown.reason;
	return shown.value;
}
