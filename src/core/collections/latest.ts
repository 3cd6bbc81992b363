/** A function that computes anew only if an argument is another one than in its last call. */
export function latest<Inputs extends readonly unknown[], Result>(make: (...inputs: Inputs) => Result) {
	let last: {readonly inputs: Inputs; readonly result: Result} | undefined;
	return (...inputs: Inputs): Result => {
		const isSame =
			last?.inputs.length === inputs.length && last.inputs.every((input, index) => input === inputs[index]);
		if (!last || !isSame) last = {inputs, result: make(...inputs)};
		return last.result;
	};
}
