// A client with a limit on calls, which caches what all merge requests and issues share.
import type { Client } from '../../client/create-client.ts'
import { asPages } from '../../client/pages.ts'

export class OutOfCalls extends Error {
  override readonly name = 'OutOfCalls'
}

export type ClientBudget = ReturnType<typeof createClientBudget>

/** Throws OutOfCalls instead of a call beyond `most`. `made`: the calls so far; each page counts. */
export function createClientBudget(client: Client, most: number) {
  let made = 0
  const shared = new Map<string, ReturnType<Client['send']>>()
  const spend = () => {
    if (made >= most) throw new OutOfCalls(`${most} calls were made`)
    made += 1
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
  return { client: { ...client, send, pages } as unknown as Client, made: () => made }
}
