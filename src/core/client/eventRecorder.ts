import type {Instant} from '../time/instant.ts';
import type {ApiClient} from './apiClient.ts';
import type {ClusterApi, PostedEvent, RecordedEvent} from './clusterApi.ts';

type EventPorts = {
	readonly api: Pick<ClusterApi, 'eventPosted'>;
	readonly wakeAt: (at: Instant, wake: {readonly type: 'postEvent'}) => void;
};

/** How many events wait at most; later ones are dropped. */
const maxQueuedEvents = 1000;

/**
 * A controller's event recorder: one goroutine posts events through the controller's client, one after another.
 *
 * @quirk events that come while a thousand wait are dropped
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/record/event.go eventBroadcasterImpl
 */
export class EventRecorder {
	readonly #waiting: RecordedEvent[] = [];
	#isPosting = false;

	/** Queues an event; returns when to call `post`, or undefined if a call is already scheduled or the event is dropped. */
	record(event: PostedEvent, client: ApiClient, now: Instant): Instant | undefined {
		if (this.#waiting.length >= maxQueuedEvents) return undefined;
		this.#waiting.push({...event, recordedAt: now});
		if (this.#isPosting) return undefined;
		this.#isPosting = true;
		return client.turn(now);
	}

	/** Posts the first queued event; `nextAt` is when to post the next one. */
	post(client: ApiClient, now: Instant): {event: RecordedEvent | undefined; nextAt: Instant | undefined} {
		const event = this.#waiting.shift();
		this.#isPosting = this.#waiting.length > 0;
		return {event, nextAt: this.#isPosting ? client.turn(now) : undefined};
	}

	/** Queues an event of a controller and schedules the wake-up that posts it. */
	recordFor({wakeAt}: EventPorts, event: PostedEvent, client: ApiClient, now: Instant) {
		const turn = this.record(event, client, now);
		if (turn !== undefined) wakeAt(turn, {type: 'postEvent'});
	}

	/** Posts a controller's first queued event and schedules the next wake-up. */
	postFor({api, wakeAt}: EventPorts, client: ApiClient, now: Instant) {
		const {event, nextAt} = this.post(client, now);
		if (event) api.eventPosted(event);
		if (nextAt !== undefined) wakeAt(nextAt, {type: 'postEvent'});
	}

	fork(): EventRecorder {
		const copy = new EventRecorder();
		copy.#waiting.push(...this.#waiting);
		copy.#isPosting = this.#isPosting;
		return copy;
	}
}
