// A journal that knows project 7 as hotel/app, and its merge request 2; and deliveries that name what they are about.
import type { Journal } from '../../src/journal/journal.ts'
import type { MergeRequestRef } from '../../src/rules/event-types.ts'
import { delivery, ruleFile } from '../suites/journal/records.ts'

export const appUrl = 'https://git.example.com/hotel/app'

export async function nameHotelApp(journal: Journal): Promise<void> {
  const of = { project: 7, iid: 2 }
  await journal.ruleFiles.save(7, [{ ...ruleFile(of), projectPath: 'hotel/app', projectUrl: appUrl }])
  const named = { title: 'Bump left-pad', url: `${appUrl}/-/merge_requests/2` }
  await saveNamed(journal, { id: 'd-named', kind: 'note.create', of, at: '2026-11-21T09:00:00.000Z', ...named })
}

/** Saves a delivery about a merge request or an issue, with its title and page. */
export function saveNamed(
  { deliveries }: Journal,
  given: { id: string; kind: string; of: MergeRequestRef; at: string; title: string; url: string; username?: string },
): Promise<unknown> {
  const { id, kind, of, at, title, url, username } = given
  const event = { kind, actor: { username }, at, ...of }
  const record = delivery({ id, receivedAt: at, state: 'read', event, mergeRequests: [of] })
  return deliveries.save(record, { name: { title, url } })
}
