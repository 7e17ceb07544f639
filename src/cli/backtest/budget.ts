// A client that makes a bounded number of calls, and none twice for what all merge requests share.
import type { Client } from '../../client/create-client.ts'

/** No call is left. */
export class OutOfCalls extends Error {
  override readonly name = 'OutOfCalls'
}

export interface Budget {
  client: Client
  /** How many calls were made; each page of a list is one. */
  made(): number
}

/** The client's reading half, held to `most` calls. Throws OutOfCalls before the first one too many. */
export function createBudget(client: Client, most: number): Budget {
  let made = 0
  const shared = new Map<string, ReturnType<Client['send']>>()
  const spend = () => {
    if (made >= most) throw new OutOfCalls(`${most} calls were made`)
    made += 1
  }
  const send: Client['send'] = async (name, params, options) => {
    // Of the project, its people and milestones: the same for every merge request.
    const key = 'merge_request_iid' in params ? undefined : JSON.stringify([name, params])
    const before = key === undefined ? undefined : shared.get(key)
    if (before !== undefined) return before
    spend()
    const answer = client.send(name, params, options)
    if (key !== undefined) shared.set(key, answer)
    return answer
  }
  async function* counted(name: string, params: Record<string, unknown>, maxPages: number) {
    const pages = client.pages(name, params, { maxPages })[Symbol.asyncIterator]()
    for (;;) {
      spend()
      const { done, value } = await pages.next()
      if (done === true) return
      yield value
      if (value.complete) return
    }
  }
  const pages = (target: string | { endpoint: string }, params: Record<string, unknown>, { maxPages }: { maxPages: number }) => {
    const name = typeof target === 'string' ? target : target.endpoint
    return {
      [Symbol.asyncIterator]: () => counted(name, params, maxPages),
      async collect() {
        const items: unknown[] = []
        let complete = false
        let read = 0
        for await (const page of counted(name, params, maxPages)) {
          items.push(...page.body)
          complete = page.complete
          read += 1
          if (read === maxPages) break
        }
        return { items, complete }
      },
    }
  }
  return { client: { ...client, send, pages } as unknown as Client, made: () => made }
}
