/** Why something cannot be tried on this machine. */
export class Skipped {
	readonly reason: string;

	constructor(reason: string) {
		this.reason = reason;
	}
}
