// The states of a delivery: the one list of them, by which deliveries are found.

/**
 * `received`: not read yet, or its reading is being retried; `read`: its merge requests are known; `no_merge_request`:
 * none is affected, or no rule can match; `rules_broken`: a push after which a rule file of the default branch has
 * problems; `unreadable`: the body cannot be parsed; `refused`: it came with another project's secret.
 */
export const deliveryStates = ['received', 'read', 'no_merge_request', 'rules_broken', 'unreadable', 'refused'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Whether its record names no merge request: then only its body can be read again, while it is stored. */
export function hasNoMergeRequest(state: DeliveryState): boolean {
  return state === 'no_merge_request' || state === 'rules_broken' || state === 'unreadable'
}
