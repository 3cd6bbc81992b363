import type {ComparisonOperator} from './comparison.ts';

/** One step of a path. */
export type PathNode =
	| {readonly type: 'field'; readonly name: string}
	| {readonly type: 'wildcard'}
	| {readonly type: 'recursive'}
	/** The end is exclusive. A single index is a slice of one. */
	| {
			readonly type: 'slice';
			readonly from: number | undefined;
			readonly to: number | undefined;
			readonly step: number;
			readonly isIndex: boolean;
	  }
	| {readonly type: 'union'; readonly members: readonly Path[]}
	| {
			readonly type: 'filter';
			readonly left: Path;
			readonly operator: ComparisonOperator | 'exists';
			readonly right: Path;
	  }
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
