// Of Unicode's private use area, one column wide. Text from the API may have them, too: ink is never given that.
const firstSign = 0xe000;
const signCount = 0xf900 - firstSign;
/** Many times what the tallest screen has. */
const mostRows = 2048;
const anySign = /[\ue000-\uf8ff]/g;

/**
 * Short names for the rows of a screen. ink takes every letter of a frame apart and puts it together again, twice, to
 * know how wide it is and where its colours end, and keeps an object for every cell of the terminal. Rows are as wide as
 * they should be already: ink lays out one sign for each, on a terminal that is one column wide, and the sign becomes the
 * row on its way to the real one. Two rows are the same exactly if their signs are.
 */
export class RowSigns {
	#next = 0;
	/** By sign, those of the latest frames last: whichever ink still holds are among them. */
	readonly #rows = new Map<string, string>();
	readonly #signs = new Map<string, string>();
	#columns: number | undefined;

	/**
	 * The signs of a frame's rows. A terminal that changes its width moves or cuts what is on it, which ink does not see:
	 * all rows have new signs then, and are written anew.
	 */
	signsOf(rows: readonly string[], columns: number): readonly string[] {
		if (this.#columns !== columns) this.#signs.clear();
		this.#columns = columns;
		return rows.map((row) => this.signOf(row));
	}

	/** The sign of a row. */
	signOf(row: string): string {
		const known = this.#signs.get(row);
		if (known !== undefined) {
			this.#rows.delete(known);
			this.#rows.set(known, row);
			return known;
		}
		if (this.#rows.size >= mostRows) this.#forgetOldest();
		const sign = this.#freeSign();
		this.#rows.set(sign, row);
		this.#signs.set(row, sign);
		return sign;
	}

	/** What ink wrote, with the rows in place of their signs. */
	written(text: string): string {
		return text.replaceAll(anySign, (sign) => this.#rows.get(sign) ?? '');
	}

	#freeSign(): string {
		for (;;) {
			const sign = String.fromCharCode(firstSign + this.#next);
			this.#next = (this.#next + 1) % signCount;
			if (!this.#rows.has(sign)) return sign;
		}
	}

	#forgetOldest(): void {
		const half = [...this.#rows].slice(0, mostRows / 2);
		for (const [sign, row] of half) {
			this.#rows.delete(sign);
			this.#signs.delete(row);
		}
	}
}

/** A terminal that shows rows where ink writes their signs, and that is as narrow as those. */
export function showingRows(stdout: NodeJS.WriteStream, signs: RowSigns): NodeJS.WriteStream {
	const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) =>
		Reflect.apply(stdout.write, stdout, [
			typeof chunk === 'string' ? signs.written(chunk) : chunk,
			...rest,
		]) as boolean;
	return new Proxy(stdout, {
		get: (target, name) => {
			if (name === 'write') return write;
			const value: unknown = Reflect.get(target, name);
			// One of no width has none to tell: ink finds it out by other means.
			if (name === 'columns') return value ? 1 : value;
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}
