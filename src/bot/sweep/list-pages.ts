// Reads a list of merge requests or issues page by page, within the budget.
import type { Client } from '../../client/create-client.ts'
import type { ListPage, Pages } from '../../client/pages.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import type { Context } from '../context.ts'
import type { CallBudget } from '../service/call-budget.ts'

/** Pages of 100 entries. The next sweep continues a longer list. */
const maxPages = 50

/** What both lists show; `iid` is that of the ref, so below 0 for an issue. */
export interface ListedEntry {
  iid?: number | undefined
  state?: string | undefined
  updated_at?: string | undefined
}

export interface ListReading {
  of: 'merge requests' | 'issues'
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
  { client }: Context,
  where: ListReading,
  params: { state: 'all' | 'opened'; page: number },
  look: (entries: ListedEntry[], page: Pick<ListPage<unknown>, 'date'>) => Promise<'on' | 'enough' | 'cut'>,
): Promise<ListReadingEnd> {
  const { budget, looked } = where
  const pages = pagesOf(client, where, params)[Symbol.asyncIterator]()
  const seen = new Set<number>()
  for (let page = params.page; ; page += 1) {
    if (page - params.page >= maxPages || !budget.take('call')) return { is: 'cut', page }
    const { value, done } = await pages.next()
    if (done === true) return { is: 'end' }
    const entries = value.body.map((each) => ({ ...each, iid: iidOf(where, each) }))
    const fresh = entries.filter(({ iid }) => iid !== undefined && !seen.has(iid))
    for (const { iid } of fresh) if (iid !== undefined) looked.add(iid) && seen.add(iid)
    // A service without paging returns the same page forever.
    if (fresh.length === 0) return { is: 'end' }
    const next = await look(fresh, value)
    if (next === 'cut') return { is: 'cut', page }
    if (next === 'enough' || value.complete) return { is: 'end' }
  }
}

function pagesOf(client: Client, { of, project }: ListReading, params: { state: 'all' | 'opened'; page: number }) {
  const all = { id: project, scope: 'all', order_by: 'updated_at', sort: 'desc', per_page: 100, ...params } as const
  const pages: Pages<ListedEntry> =
    of === 'issues'
      ? client.pages(client.issues.list, all, { maxPages })
      : client.pages(client.mergeRequests.list, all, { maxPages })
  return pages
}

function iidOf({ of, project }: ListReading, { iid }: ListedEntry): number | undefined {
  return of === 'issues' && iid !== undefined ? issueRef(project, iid).iid : iid
}
