// The states of a delivery: the one list of them, by which deliveries are found.

/**
 * `received`: not read yet, or its reading is being retried; `read`: its merge requests are known; `no_merge_request`: none is affected, or no
 * rule can match; `rules_broken`: a push after which a rule file of the default branch has problems; `unreadable`: the body cannot be parsed; `refused`: it came with another project's secret.
 */
export const deliveryStates = ['received', 'read', 'no_merge_request', 'rules_broken', 'unreadable', 'refused'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Its record names no merge request: only its body, while it is stored, can be read again. */
export function hasNoMergeRequest(state: DeliveryState): boolean {
  return state === 'no_merge_request' || state === 'rules_broken' || state === 'unreadable'
}
