// A budget for background work: its own calls, and one for each evaluation that it queues.

export interface CallBudget {
  /** False when the budget is used up. */
  take(what: 'call' | 'evaluation'): boolean
  readonly calls: number
  readonly left: number
  /** A part of it: what is taken there is taken here too. */
  part(most: number): CallBudget
}

/** `whole`: the budget it is a part of. */
export function createCallBudget(most: number, whole?: CallBudget): CallBudget {
  let calls = 0
  let left = most
  const budget: CallBudget = {
    take(what) {
      if (left <= 0 || whole?.take(what) === false) return false
      left -= 1
      if (what === 'call') calls += 1
      return true
    },
    get calls() {
      return calls
    },
    get left() {
      return whole === undefined ? left : Math.min(left, whole.left)
    },
    part: (share) => createCallBudget(share, budget),
  }
  return budget
}
