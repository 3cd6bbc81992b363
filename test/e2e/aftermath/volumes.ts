import type {ClaimedVolume} from '../boundVolume.ts';
import {deadZone} from './names.ts';

/** A volume on a node of the failed zone, and one that all nodes can reach. */
export const claimedVolumes: readonly ClaimedVolume[] = [
	{name: 'local', source: {local: {path: '/data'}}, mode: 'ReadWriteOnce', nodes: [`${deadZone}-3`]},
	{name: 'shared', source: {nfs: {server: 'nfs.example', path: '/'}}, mode: 'ReadWriteMany'},
];
