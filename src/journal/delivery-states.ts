// What has become of a delivery: the one list of its states, by which deliveries are found.

/** `received`: a run could not read it, or it is tried again; `read`: what it concerns is known, and is being woken; `uninteresting`: it concerns no merge request; `refused`: it came with another project's secret. */
export const deliveryStates = ['received', 'read', 'uninteresting', 'unreadable', 'refused'] as const
export type DeliveryState = (typeof deliveryStates)[number]
