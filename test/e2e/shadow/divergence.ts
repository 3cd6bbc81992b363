/** The fields of a line of `shadow -o json` that the soak reads. */
export type Divergence = {
	readonly metadata: {readonly id: string};
	readonly type: 'Late' | 'Early' | 'Missing' | 'Unexpected';
	readonly action: 'SetUnknown' | 'TaintNode' | 'UntaintNode' | 'DeletePod' | 'DeletePodForDevice';
	readonly object: {readonly kind: string; readonly namespace?: string; readonly name: string};
	readonly reason: string;
	readonly because: readonly string[];
	readonly alarm: boolean;
	readonly expected: unknown;
	readonly actual: string | null;
	readonly noticedAt: string;
	readonly endedAt: string | null;
};

/** Splits a stream of indented documents: each ends with a brace in the first column. */
export class Documents {
	#rest = '';

	add(text: string): readonly Divergence[] {
		this.#rest += text;
		const documents: Divergence[] = [];
		for (let end = this.#rest.indexOf('\n}\n'); end >= 0; end = this.#rest.indexOf('\n}\n')) {
			documents.push(JSON.parse(this.#rest.slice(0, end + 2)) as Divergence);
			this.#rest = this.#rest.slice(end + 3);
		}
		return documents;
	}
}

/** A short description. */
export const wordsOf = ({type, action, object, reason, alarm, endedAt}: Divergence): string =>
	`${alarm ? 'ALARM' : 'note '} ${type} ${action} ${object.name}: ${reason}${endedAt === null ? '' : ', over'}`;
