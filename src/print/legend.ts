import type {NodeVerdict} from '../forecast/nodeForecast.ts';
import type {After, PodVerdict} from '../forecast/podForecast.ts';
import type {DrainedPod} from '../impact/drain.ts';

/** Short meaning of each verdict of a pod. */
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

/** What follows the deletion of a pod: the column THEN. */
export const outcomes: Readonly<Record<After['outcome'] | 'Pending', string>> = {
	Replaced: 'its owner makes another pod, or has made it',
	Pending: 'its owner makes another pod, but no node takes it',
	StuckTerminating: 'it stays Terminating, because its node is dead, and has no replacement',
	Blocked: 'its owner waits for it, or for another pod',
	Lost: 'nothing makes another pod',
	NotNeeded: 'its owner wants no other pod: it has ended, or wants fewer',
	Restarted: 'its kubelet runs it again',
	Stays: 'it is not deleted',
	Unknown: 'the controller of its owner decides',
};

/** The outcome word of a pod; undefined if nothing follows. */
export const outcomeWord = (after: After | null): keyof typeof outcomes | undefined =>
	after?.placement === 'None' ? 'Pending' : after?.outcome;

/** Short meaning of each verdict of a node, the one closest to losing its pods first. */
export const nodeMeanings: Readonly<Record<NodeVerdict, string>> = {
	Tainted: "it has the NoExecute taint: its pods' countdowns run",
	Evicted: 'its pods were deleted directly (until v1.26, where nodes are not tainted)',
	Queued: 'it waits for its NoExecute taint',
	Unknown: 'its Ready condition is Unknown, and it is not queued for the taint',
	NotReady: 'its Ready condition is False, and it is not queued for the taint',
	Silent: 'it has not renewed its lease for two intervals (20s), and is still Ready',
	Held: 'it would get the taint, but evictions are stopped',
	Recovering: 'it renews again; the next monitor pass removes its taint',
	Late: 'one renewal of its lease is overdue: it may be dead or healthy',
	Unsure: 'it is Ready, but its lease cannot be read: it may be dead or healthy',
	Healthy: 'it renews its lease',
};

/** Explanations of the columns of the pods table. */
export const podColumns = {
	'LIKELY (-o wide, or if there is room)':
		'when it goes in 8 of 10 cases, if its range is wide; 13% 39s-41s: it goes at all in 13% of the cases',
	CAUSE:
		'the taint that evicts it, and in brackets how long it tolerates that; what holds it; or another cause',
	'THEN (-o wide)': 'what follows its deletion (below)',
	'BECAUSE (-o wide)': 'the first reason; explain tells all',
} as const;

/** How tables write ranges of time, in columns such as IN and AT. */
export const timeForms = {
	'4m10s-5m2s': 'IN: from now, at the earliest and at the latest',
	'14:04:10Z/14:05:02Z': 'AT: the same by the clock, from the one to the other',
	'4m10s or later': 'not before that; nothing bounds how late',
	'about 31s': 'most likely then; it may come any moment, and need not come at all',
	now: 'any moment',
	'-': 'not foreseen',
} as const;

/** Explanations of the columns of the zones table. */
export const zoneColumns = {
	READY: 'ready nodes of all; silent ones turn Unknown, late ones have missed a renewal and may be lost too',
	RATE: 'nodes that may be tainted per second; stopped: none, evictions are stopped; stopping: the pass under way stops them at its end; stopped?: it may evict, by flags or nodes that are not seen; 0.1/s?: nothing shows the rate yet, and the default is assumed; -: the rules of its release are not known',
	'NEXT-TAINT':
		'when the zone taints one more node; -: none waits for that; ready: at once; never: evictions are stopped; unsure: a pass that stops them is under way, or flags or nodes that are not seen may let the zone evict',
	WAITING: 'its nodes that wait for their NoExecute taint; <none>: no node waits',
	'NEXT-STATE':
		'which state its silent nodes bring, and when; how many more nodes down or back change it then, and what evictions do; <none>: nothing does',
} as const;

/** A stop of evictions keeps nodes from being tainted; pods of tainted ones are evicted. */
export const continueWords = 'Where a zone stops evicting, running countdowns continue';

/** @param host the node of the only controller manager */
export const controllersLostWords = (host: string) =>
	`if ${host} fails, the only controller manager is lost: nothing more is tainted or evicted until one runs again`;

/** Explanations of the columns of the nodes table. */
export const nodeColumns = {
	READY: 'its Ready condition, and the pressure conditions that are True',
	HEARTBEAT: 'how long ago it renewed its lease',
	'UNKNOWN-IN': 'when its Ready condition turns Unknown',
	'TAINT-IN': 'when it gets its NoExecute taint; TAINT-AT: the same by the clock',
	QUEUE:
		'the chance that it is the next node of its zone to get the taint: the order is random; `waiting` while its zone is stopped',
} as const;

/** Explanations of the columns of the workloads table. */
export const workloadColumns = {
	READY: 'how many of its pods are ready, and how many there should be',
	LOWEST: 'the fewest ready pods that it will have, if no replacement becomes ready in time',
	'IN, AT':
		'when it has so few; a pod is not ready from when its node turns Unknown, before it is evicted; at zero: it has none now; -: it loses no more ready pod',
	EVICTING:
		'how many of its pods will be, or might be, evicted; (3 held): and how many once evictions resume',
	BUDGET:
		'how many healthy pods its PodDisruptionBudget wants; below: there are or will be fewer, as evictions by taints do not ask it',
	ENDPOINTS: 'of each service, how many ready pods it has, and the fewest that it will have (-o wide)',
} as const;

/** The values of the column EVICTION of a drain. */
export const drainWords: Readonly<Record<DrainedPod['eviction'], string>> = {
	AtOnce: 'it is granted at once',
	SomeAtOnce: 'of the pods of its budget some are granted at once, and chance chooses which',
	Waits: 'its budget allows none now: kubectl tries again every 5s',
	Error: 'the Eviction API refuses it with an error, and kubectl leaves it',
	Ignored: 'a pod of a DaemonSet, or a static one',
};

/** Explanations of the columns of a drain. */
export const drainColumns = {
	NEEDS: 'the flags without which kubectl evicts no pod of its node',
	BUDGET: 'the PodDisruptionBudgets that cover it',
	GRACE: 'how long it may take to end',
};

/** Explanations of the columns of a rehearsal. */
export const lossColumns = {
	EVICTED: 'how many more pods are evicted; 3-5: 3 surely, 2 more perhaps',
	HELD: 'how many would be, but evictions are stopped',
	STUCK: 'how many of the evicted ones get no replacement (THEN: Pending, StuckTerminating, Blocked or Lost)',
	'TO-ZERO':
		'how many workloads have no ready pod left by it; 0-2: of two this is not known; -o wide names those known',
	'BELOW-BUDGET': 'how many others fall below their PodDisruptionBudget',
	'FIRST, LAST': 'when the first and the last of these pods are evicted',
} as const;

/** The values of the column CHANGE of a what-if. */
export const podChanges = {
	added: 'it is evicted because of the change',
	released: 'it was Held, and is evicted: evictions resume',
	avoided: 'it is not evicted any more',
	moved: 'it is evicted either way: earlier (-), later (+), or more or less surely',
	'wider, narrower': 'it is evicted at about the same time, in another range',
	held: 'it becomes Held: evictions are stopped',
	saved: 'it was Held, and is not evicted when evictions resume',
} as const;

/** The values of the column DIFFERENCE of deletions. */
export const differences = {
	inside: 'it came within the predicted range',
	'5s early, 5s late': 'it came before or after that',
	'not predicted': 'nothing had predicted it',
	'no eviction': 'somebody deleted it otherwise',
	'before this command': 'it came before this command started, so there is no prediction; -w predicts',
	'by its kubelet': 'its kubelet evicted it, and nothing had predicted that; also: preempted, Eviction API',
} as const;

/** Explanations of the columns of a rescue. */
export const rescueColumns = {
	IN: 'when it is evicted, if nothing is done; of several pods, from the first to the last',
	VERDICT: 'as in pods; pods of one workload whose countdowns run have a row of their own',
	'NODE MUST RECOVER BY':
		'a return of its node until then surely saves it, of several pods the first; at least: a later return may save it as well; see rescue POD: that tells, for a pod by itself; at once: less than 5s are left for that, or it is not sure that there is time; may be too late: it is evicted within seconds, though a return may still save it',
	LEFT: 'how long that is from now; not sure: a return now may be in time or too late',
} as const;

/** Explanations of the columns of the pressure tables. */
export const pressureColumns = {
	LEFT: 'what is available above the threshold; negative: it is crossed',
	TREND: 'how that changes per minute; <unknown> before three measurements',
	CROSSED:
		'when the threshold is crossed, on this trend; grace: how long it must be crossed before a pod is evicted',
	'NEXT, IN, AT': 'the pods that are evicted next, and when; about: most likely, on the trend so far',
	'TERMINATION-GRACE': 'how long the pod has to end then, by its kubelet',
	CERTAIN: 'yes: it is evicted in any case; no: only if the trend is steeper, or chance chooses it',
	PLACE:
		'its place in the order of eviction: those that use more than they request (OVER BY), then those of lower PRIORITY, then those most over; tied: in random order',
} as const;
