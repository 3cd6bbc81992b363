import type {After, PodVerdict} from '../forecast/podForecast.ts';

/** What each verdict of a pod means, in a few words. */
export const podVerdicts: Readonly<Record<PodVerdict, string>> = {
	Scheduled: 'its countdown runs',
	Expected: 'no countdown yet; it follows if nothing changes',
	Overdue: 'it should have been evicted already',
	Held: 'not safe: it is evicted once evictions resume',
	Unsure: 'it may be evicted: that depends on what the API does not show',
	Stays: 'nothing evicts it, though its node is in trouble',
	Terminating: 'it is deleted already',
	Safe: 'its node is healthy',
};

/** What follows of the deletion of a pod: the column AFTER. */
export const outcomes: Readonly<Record<After['outcome'], string>> = {
	Replaced: 'its owner makes another pod',
	StuckTerminating: 'it stays Terminating: its node is dead, and nobody ends it',
	Blocked: 'its owner makes no other pod before it is gone',
	Lost: 'nothing makes another pod',
	Restarted: 'its kubelet runs it again',
	Stays: 'it is not deleted',
	Unknown: 'the controller of its owner decides',
};
