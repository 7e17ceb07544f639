// The facts of a merge request when it was last evaluated open.
import type { Json, MergeRequestRef } from '../rules/types.ts'
import type { Journal } from './journal.ts'

export interface OpenState {
  /** ISO 8601: when it was evaluated. */
  at: string
  head: string | null
  /** The facts by name; only those that its rules needed. */
  facts: Record<string, Json>
}

// A decision has the traces of all rules. Few follow the end of a merge request, so the first page mostly suffices.
const pageSize = 20

/** Null if no stored decision saw it open. Found by the evaluated state, not by time: bot and service clocks differ. */
export async function lastOpenState(journal: Pick<Journal, 'decisions'>, mergeRequest: MergeRequestRef) {
  let after: string | undefined
  do {
    const page = await journal.decisions.list({ mergeRequest, limit: pageSize, after })
    const found = page.items.find(({ facts }) => facts?.state === 'opened')
    if (found !== undefined) return { at: found.at, head: found.head, facts: found.facts ?? {} }
    after = page.next
  } while (after !== undefined)
  return null
}
