// Reads a list of merge requests page by page, for as long as the budget lasts.
import type { Client } from '../client/create-client.ts'
import type { Page, Pages } from '../client/pages.ts'
import type { Budget } from './budget.ts'

/** Of 100 each. A project with more is swept further the next time. */
const maxPages = 50

type ListParams = Parameters<Client['mergeRequests']['list']>[0]
export type Listed = Awaited<ReturnType<Client['mergeRequests']['list']>>['body'][number]

export interface Walk {
  client: Pick<Client, 'mergeRequests' | 'pages'>
  project: number
  budget: Budget
  /** Iids that were listed. */
  looked: Set<number>
}

/** `end`: nothing is left to look at; `cut`: the page with this number was not looked at, or not to its end. */
export type WalkEnd = { is: 'end' } | { is: 'cut'; page: number }

/**
 * Gives each page to `look`, newest `updated_at` first as far as the service orders them, until it has seen enough. Throws what the client throws.
 */
export async function walk(
  { client, project, budget, looked }: Walk,
  params: Pick<ListParams, 'state'> & { page: number },
  look: (entries: Listed[], page: Page<Listed>) => Promise<'on' | 'enough' | 'cut'>,
): Promise<WalkEnd> {
  const list: Pages<Listed> = client.pages(
    client.mergeRequests.list,
    { id: project, scope: 'all', order_by: 'updated_at', sort: 'desc', per_page: 100, ...params },
    { maxPages },
  )
  const pages: AsyncIterator<Page<Listed>> = list[Symbol.asyncIterator]()
  const seen = new Set<number>()
  for (let page = params.page; ; page += 1) {
    if (page - params.page >= maxPages || !budget.take('call')) return { is: 'cut', page }
    const { value, done } = await pages.next()
    if (done === true) return { is: 'end' }
    const fresh = value.body.filter(({ iid }) => iid !== undefined && !seen.has(iid))
    for (const { iid } of fresh) if (iid !== undefined) looked.add(iid) && seen.add(iid)
    // A service that does not know pages answers with the same one for ever.
    if (fresh.length === 0) return { is: 'end' }
    const said = await look(fresh, value)
    if (said === 'cut') return { is: 'cut', page }
    if (said === 'enough' || value.complete) return { is: 'end' }
  }
}
