// A journal that knows project 7 as hotel/app, and its merge request 2.
import type { Journal } from '../../src/journal/types.ts'
import { ruleFile } from '../suites/journal/records.ts'

export const appUrl = 'https://git.example.com/hotel/app'

export async function nameHotelApp(journal: Journal): Promise<void> {
  const at = '2026-11-21T09:00:00.000Z'
  await journal.ruleFiles.save(7, [{ ...ruleFile({ project: 7 }), projectPath: 'hotel/app', projectUrl: appUrl }])
  await journal.deliveries.save(
    {
      ...{ id: 'd-named', receivedAt: at, header: 'Note Hook', bytes: 2, state: 'read' },
      mergeRequests: [{ project: 7, iid: 2 }],
      event: { kind: 'note.create', actor: {}, at, project: 7, iid: 2 },
    },
    { name: { title: 'Bump left-pad', url: `${appUrl}/-/merge_requests/2` } },
  )
}
