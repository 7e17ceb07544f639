// What is left in the queue once all processes have ended: work that nobody would do, jobs that were given up, and no secret.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openJournal } from '../src/journal/open-journal.ts'
import type { DeliveryRecord } from '../src/journal/types.ts'
import { openQueues } from '../src/queue/open-queue.ts'
import type { HookEntry, SoakRecord, Violation } from './record.ts'

export interface Leftovers {
  /** Jobs that wait or run: there is still something to do. */
  open: number
  givenUp: Violation[]
  /** Hooks that were acknowledged and never read. */
  unread: Violation[]
  uncertain: SoakRecord['uncertain']
}

/** Opens the queue when no process has it open. */
export async function leftoversOf(
  queueUrl: string,
  service: string,
  { changes, hooks }: SoakRecord,
): Promise<Leftovers> {
  const queue = await openQueues({ url: queueUrl })
  try {
    let open = 0
    const givenUp: Violation[] = []
    for (const name of [`deliveries-${service}`, `merge-requests-${service}`, `merge-queues-${service}`]) {
      const lane = queue.queue(name)
      const { waiting, active } = await lane.counts()
      open += waiting + active
      // That of a merge queue loses no event: the next one, or a sweep, adds another.
      if (name.startsWith('merge-queues')) continue
      for (const job of await lane.list(['failed'], 0, 100)) {
        const detail = `${name}: ${JSON.stringify(job.data).slice(0, 120)} was given up: ${job.failure}`
        givenUp.push({ promise: 'no job is given up', detail })
      }
    }
    const journal = await openJournal(queue.store)
    const uncertain: SoakRecord['uncertain'] = []
    const names = new Map(
      changes.map(({ mergeRequest: { project_id: project, iid } }) => [`${project}!${iid}`, { service, project, iid }]),
    )
    for (const [mergeRequest, ref] of names)
      for (const { detail } of (await journal.memory(ref))?.uncertain ?? []) uncertain.push({ mergeRequest, detail })
    const states = new Map<string, DeliveryRecord['state'] | undefined>()
    for (const id of new Set(hooks.flatMap(({ taken }) => taken ?? [])))
      states.set(id, (await journal.delivery(id))?.state)
    return { open, givenUp, uncertain, unread: unreadHooks(hooks, states) }
  } finally {
    await queue.close()
  }
}

/** What the journal knows of every hook that was answered 202, by the id that the answer named. */
export function unreadHooks(
  hooks: readonly HookEntry[],
  states: ReadonlyMap<string, DeliveryRecord['state'] | undefined>,
): Violation[] {
  return hooks.flatMap(({ id, kind, fate, taken = '' }) => {
    const state = states.get(taken)
    if (fate !== 'acknowledged' || state === 'read' || state === 'no_merge_request') return []
    return [
      {
        promise: 'an acknowledged event is never lost',
        detail: `hook ${id} (${kind}) was answered 202, and is ${state ?? 'not known'}`,
      },
    ]
  })
}

/** Secrets in the files of queue and journal; a Redis with an append-only file has all there that was ever written. */
export async function storedSecrets(folder: string, secrets: readonly string[]): Promise<Violation[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  const found: Violation[] = []
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name))
    if (secrets.some((secret) => bytes.includes(secret)))
      found.push({ promise: 'no secret is in the queue', detail: join(parentPath, name) })
  }
  return found
}
