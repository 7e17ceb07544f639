// What work in the background may cost: its own calls, and one for each merge request that it wakes, whose judging begins with a call.

export interface Budget {
  /** False, and nothing taken, when nothing is left. */
  take(what: 'call' | 'wake'): boolean
  /** Calls taken so far. */
  readonly calls: number
  readonly left: number
  /** A share of it: what is taken there is taken here. */
  part(most: number): Budget
}

/** Of so many calls; `whole` is what it is a share of. */
export function createBudget(most: number, whole?: Budget): Budget {
  let calls = 0
  let left = most
  const budget: Budget = {
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
    part: (share) => createBudget(share, budget),
  }
  return budget
}
