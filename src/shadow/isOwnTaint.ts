import {type Taint, taintNotReady, taintUnreachable} from '../core/model/taint.ts';

/** Whether a taint is of those that the node lifecycle controller gives and takes by itself. */
export const isOwnTaint = ({key}: Taint): boolean => key === taintNotReady || key === taintUnreachable;
