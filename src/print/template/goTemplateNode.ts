/** An expression that yields a value. */
export type Operand =
	| {readonly type: 'dot'}
	| {readonly type: 'literal'; readonly value: string | number | boolean | null}
	| {readonly type: 'variable'; readonly name: string}
	/** A field of another value; `.a` is a field of the dot. */
	| {readonly type: 'field'; readonly of: Operand; readonly name: string}
	| {readonly type: 'pipeline'; readonly pipeline: Pipeline};

/** A single value, or a function call. */
export type PipelineCommand =
	| {readonly type: 'value'; readonly operand: Operand}
	| {readonly type: 'call'; readonly name: string; readonly arguments: readonly Operand[]};

/** Commands, each of which passes its value to the next as the last argument. */
export type Pipeline = {
	/** The variables that receive the value; a range may have two, the first for the key. */
	readonly variables: readonly string[];
	/** Whether they are declared, as with `:=`. */
	readonly declares: boolean;
	readonly commands: readonly PipelineCommand[];
};

/** A part of a template. */
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
