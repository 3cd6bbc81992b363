/** What looking has cost the API server so far. */
export type Cost = {
	/** Requests of any kind, watches among them. */
	readonly requests: number;
	/** Bytes of answers as they came. */
	readonly bytes: number;
	/** Watches that are open. */
	readonly watches: number;
};

/** In a few words: `41 requests, 4 watches, 1.2 MB`. */
export function formatCost({requests, bytes, watches}: Cost): string {
	const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
	return [
		counted(requests, 'request', 'requests'),
		counted(watches, 'watch', 'watches'),
		`${(bytes / 1e6).toFixed(1)} MB`,
	].join(', ');
}
