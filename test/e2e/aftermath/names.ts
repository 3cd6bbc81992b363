export const namespace = 'shop';
/** The zone that fails. */
export const deadZone = 'b';
