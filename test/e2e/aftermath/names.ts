export const namespace = 'shop';
/** The zone that loses its power. */
export const deadZone = 'b';
