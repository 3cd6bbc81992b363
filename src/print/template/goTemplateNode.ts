/** What gives a value. */
export type Operand =
	| {readonly type: 'dot'}
	| {readonly type: 'literal'; readonly value: string | number | boolean | null}
	| {readonly type: 'variable'; readonly name: string}
	/** A field of another value, `.a` of the dot. */
	| {readonly type: 'field'; readonly of: Operand; readonly name: string}
	| {readonly type: 'pipeline'; readonly pipeline: Pipeline};

/** A value by itself, or a function and its arguments. */
export type PipelineCommand =
	| {readonly type: 'value'; readonly operand: Operand}
	| {readonly type: 'call'; readonly name: string; readonly arguments: readonly Operand[]};

/** Commands of which each hands its value to the next, as the last argument. */
export type Pipeline = {
	/** What takes its value: one name; for a range also two, of which the first takes the key. */
	readonly variables: readonly string[];
	/** Whether they are new, as with `:=`. */
	readonly declares: boolean;
	readonly commands: readonly PipelineCommand[];
};

/** A piece of a template. */
export type Statement =
	| {readonly type: 'text'; readonly text: string}
	| {readonly type: 'print'; readonly pipeline: Pipeline}
	| {
			readonly type: 'if' | 'with' | 'range';
			readonly pipeline: Pipeline;
			readonly body: readonly Statement[];
			readonly otherwise: readonly Statement[];
	  }
	| {readonly type: 'break' | 'continue'};
