// The pages of the lists of projects: each project once.
import { randomUUID } from 'node:crypto'
import { useStores } from '../../../bot/stores.ts'
import { useAdmin } from '../../serve-admin.ts'

const stores = useStores({ own: true })
const admin = useAdmin(() => ({
  journal: stores.journal,
  rulesInProject: async () => ({
    ...{ files: [], policy: { mode: 'act' }, problems: [], branch: 'main', projectPath: 'hotel/app' },
    readAt: '2026-11-21T10:00:00.000Z',
  }),
}))

test('each project is on one page, the highest id first, and the last page names no next', async () => {
  for (const project of [1, 2, 3, 4]) {
    const [id, of, receivedAt] = [randomUUID(), { project, iid: 1 }, '2026-11-21T10:00:00.000Z']
    await stores.journal.deliveries.save(
      { id, receivedAt, header: 'Push Hook', bytes: 2, state: 'read', mergeRequests: [of] },
      { pending: { of: [of], event: { deliveryId: id, event: { kind: 'push', actor: {}, at: receivedAt } } } },
    )
  }
  const page = async (query: string) => {
    const { items, next } = (await admin.ask(`/rules?limit=2${query}`)).body as {
      items: { project: number }[]
      next?: string
    }
    return [items.map(({ project }) => project), next]
  }
  expect(await page('')).toEqual([[4, 3], '3'])
  expect(await page('&after=3')).toEqual([[2, 1], undefined])
  expect(await page('&after=1')).toEqual([[], undefined])
})
