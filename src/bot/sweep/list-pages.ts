// Reads a list of merge requests page by page, within the budget.
import type { Client } from '../../client/create-client.ts'
import type { ListPage, Pages } from '../../client/pages.ts'
import type { CallBudget } from '../service/call-budget.ts'

/** Of 100 each; the next sweep continues a longer list. */
const maxPages = 50

type ListParams = Parameters<Client['mergeRequests']['list']>[0]
export type ListedMergeRequest = Awaited<ReturnType<Client['mergeRequests']['list']>>['body'][number]

export interface ListReading {
  client: Pick<Client, 'mergeRequests' | 'pages'>
  project: number
  budget: CallBudget
  looked: Set<number>
}

/** `cut`: the page with this number was not read to its end. */
export type ListReadingEnd = { is: 'end' } | { is: 'cut'; page: number }

/**
 * Passes each page to `look`, newest `updated_at` first as far as the service orders them. Throws what the client
 * throws.
 */
export async function readList(
  { client, project, budget, looked }: ListReading,
  params: Pick<ListParams, 'state'> & { page: number },
  look: (entries: ListedMergeRequest[], page: ListPage<ListedMergeRequest>) => Promise<'on' | 'enough' | 'cut'>,
): Promise<ListReadingEnd> {
  const list: Pages<ListedMergeRequest> = client.pages(
    client.mergeRequests.list,
    { id: project, scope: 'all', order_by: 'updated_at', sort: 'desc', per_page: 100, ...params },
    { maxPages },
  )
  const pages: AsyncIterator<ListPage<ListedMergeRequest>> = list[Symbol.asyncIterator]()
  const seen = new Set<number>()
  for (let page = params.page; ; page += 1) {
    if (page - params.page >= maxPages || !budget.take('call')) return { is: 'cut', page }
    const { value, done } = await pages.next()
    if (done === true) return { is: 'end' }
    const fresh = value.body.filter(({ iid }) => iid !== undefined && !seen.has(iid))
    for (const { iid } of fresh) if (iid !== undefined) looked.add(iid) && seen.add(iid)
    // A service without paging returns the same page forever.
    if (fresh.length === 0) return { is: 'end' }
    const next = await look(fresh, value)
    if (next === 'cut') return { is: 'cut', page }
    if (next === 'enough' || value.complete) return { is: 'end' }
  }
}
