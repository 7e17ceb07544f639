// The audit log of a Bellhop that works for several services, over real HTTP on a real journal.
import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../../src/journal/types.ts'
import { useStores } from '../../../bot/stores.ts'
import { useAdmin } from '../../serve-admin.ts'

const stores = useStores()
const admin = useAdmin(() => ({ journal: stores.journal }))

test('is of all services, or of one alone where that is asked, page by page', async () => {
  for (const [second, service] of ['one', 'two', 'one'].entries())
    await stores.journal.saveAudit({
      ...{ id: `a-${second}`, at: `2026-11-21T10:00:0${second}.000Z`, by: 'ann', operation: 'pause' },
      to: { service },
    })
  const ids = async (query: string) => {
    const found: string[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { body } = await admin.ask(`/audit?limit=1${query}${after === '' ? '' : `&after=${after}`}`)
      const page = body as { items: AuditEntry[]; next?: string }
      found.push(...page.items.map(({ id }) => id))
      after = page.next
    }
    return found
  }
  expect([await ids(''), await ids('&service=one'), await ids('&service=two'), await ids('&service=three')]).toEqual([
    ['a-2', 'a-1', 'a-0'],
    ['a-2', 'a-0'],
    ['a-1'],
    [],
  ])
})
