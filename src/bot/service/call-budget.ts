// Budgets of calls, for background work and for a client.
import type { Client } from '../../client/create-client.ts'
import { asPages } from '../../client/pages.ts'

export interface CallBudget {
  /** False when the budget is used up. */
  take(what: 'call' | 'evaluation'): boolean
  readonly calls: number
  readonly left: number
  /** A part of it: what is taken there is taken here too. */
  part(most: number): CallBudget
}

/** A budget for its own calls and one for each evaluation that it queues. `whole`: the budget it is a part of. */
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

export class OutOfCalls extends Error {
  override readonly name = 'OutOfCalls'
}

export type ClientBudget = ReturnType<typeof createClientBudget>

/** A client that caches shared responses; throws OutOfCalls beyond `most`. `made`: calls so far; each page counts. */
export function createClientBudget(client: Client, most: number) {
  const budget = createCallBudget(most)
  const shared = new Map<string, ReturnType<Client['send']>>()
  const spend = () => {
    if (!budget.take('call')) throw new OutOfCalls(`${most} calls were made`)
  }
  const send: Client['send'] = async (name, params, options) => {
    // The project, its people and milestones are the same for every merge request and issue.
    const key = 'merge_request_iid' in params || 'issue_iid' in params ? undefined : JSON.stringify([name, params])
    const before = key === undefined ? undefined : shared.get(key)
    if (before !== undefined) return before
    spend()
    const response = client.send(name, params, options)
    if (key !== undefined) shared.set(key, response)
    return response
  }
  async function* counted(name: string, params: Record<string, unknown>, maxPages: number) {
    const pages = client.pages(name, params, { maxPages })[Symbol.asyncIterator]()
    for (let read = 0; read < maxPages; read += 1) {
      spend()
      const { done, value } = await pages.next()
      if (done === true) return
      yield value
      if (value.complete) return
    }
  }
  const pages = (
    target: string | { endpoint: string },
    params: Record<string, unknown>,
    { maxPages }: { maxPages: number },
  ) => asPages(() => counted(typeof target === 'string' ? target : target.endpoint, params, maxPages))
  return { client: { ...client, send, pages } as unknown as Client, made: () => budget.calls }
}
