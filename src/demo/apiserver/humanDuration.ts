import {type Duration, minute, second} from '../../core/time/instant.ts';
import {withRest} from '../../dates/duration.ts';

const hour = 60 * minute;

/**
 * Formats a duration as kubectl writes ages: `45s`, `4m30s`, `3h`, `2d5h`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go HumanDuration
 */
export function humanDuration(duration: Duration): string {
	const seconds = Math.trunc(duration / second);
	const minutes = Math.trunc(duration / minute);
	const hours = Math.trunc(duration / hour);
	const days = Math.trunc(hours / 24);
	if (seconds < -1) return '<invalid>';
	if (seconds < 120) return `${Math.max(0, seconds)}s`;
	if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
	if (minutes < 180) return `${minutes}m`;
	if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
	if (hours < 48) return `${hours}h`;
	if (days < 8) return withRest(days, 'd', hours % 24, 'h');
	if (days < 2 * 365) return `${days}d`;
	if (days < 8 * 365) return withRest(Math.trunc(days / 365), 'y', days % 365, 'd');
	return `${Math.trunc(days / 365)}y`;
}
