import type {Range} from '../../src/forecast/range.ts';
import type {RangeJson, TimestampJson} from '../../src/print/contract/common.ts';

/** What is printed of a value of the contract. */
export type Json<Value> = Value extends Range
	? RangeJson
	: Value extends bigint
		? number
		: Value extends string | number | boolean | null | undefined
			? Value
			: Value extends readonly (infer Item)[]
				? readonly Json<Item>[]
				: {readonly [Name in keyof Value]: FieldJson<Name, Value[Name]>};

type FieldJson<Name, Value> = Name extends
	| 'at'
	| 'evictsBy'
	| 'from'
	| 'lastRenewal'
	| 'since'
	| 'to'
	| 'until'
	| `${string}At`
	? Value extends number
		? TimestampJson
		: Json<Value>
	: Json<Value>;
