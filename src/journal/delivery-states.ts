// What has become of a delivery: the one list of its states, by which deliveries are found.

/** `received`: not read yet; `uninteresting`: it concerns no merge request; `refused`: it came with another project's secret. */
export const deliveryStates = ['received', 'read', 'uninteresting', 'unreadable', 'refused'] as const
export type DeliveryState = (typeof deliveryStates)[number]
