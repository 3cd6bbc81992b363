import type {ComparisonOperator} from './comparison.ts';

/** One step of a path. */
export type PathNode =
	| {readonly type: 'field'; readonly name: string}
	| {readonly type: 'wildcard'}
	| {readonly type: 'recursive'}
	/** The end is exclusive. A single index is a slice of one. */
	| Readonly<{
			type: 'slice';
			from: number | undefined;
			to: number | undefined;
			step: number;
			isIndex: boolean;
	  }>
	| {readonly type: 'union'; readonly members: readonly Path[]}
	| Readonly<{
			type: 'filter';
			left: Path;
			operator: ComparisonOperator | 'exists';
			right: Path;
	  }>
	/** A string, number or boolean, independent of the value it is applied to. */
	| {readonly type: 'literal'; readonly value: string | number | boolean}
	| {readonly type: 'word'; readonly word: 'range' | 'end'};

/** Steps that are applied from left to right. */
export type Path = readonly PathNode[];

/** A part of a template. */
export type Piece =
	| {readonly type: 'text'; readonly text: string}
	| {readonly type: 'path'; readonly path: Path}
	| {readonly type: 'range'; readonly over: Path; readonly body: readonly Piece[]};
