// A backup is taken, work goes on, the stores are lost, and the backup is restored on another machine: what is there, what
// is done again, and what is not, as docs/backup.md says.
import { expect, test } from 'vitest'
import { known } from '../world.ts'
import { type Installation, startInstallation } from './installation.ts'
import type { BackedUpStore } from './stores.ts'

const rules = `
version: 1
rules:
  - name: greet
    if: { state: opened }
    then: { label: { add: seen }, comment: "Thank you, {{ author }}." }
  - name: approve what is ready
    if: { labels: { any: [ready] } }
    then: { approve: true, label: { while: [approved] } }
  - { name: book, on: note.create, command: book, then: { spend: 15m } }
`

/** Where the stores do not end as the backup: whether memory is that of the loss, and whether what waited is done again. */
export interface Outcome {
  memory: 'of the backup' | 'of the loss'
  waiting: 'done again' | 'not done again'
}

function verbs({ world, settle }: Installation) {
  const { service, people, ref } = world
  const alice = world.as(people.alice)
  let branches = 0
  return {
    async open(title: string): Promise<number> {
      branches += 1
      return (await world.openMergeRequest({ branch: `topic-${branches}`, title })).iid
    },
    say: async (iid: number, body: string) => void (await alice.mergeRequests.notes.create({ ...ref(iid), body })),
    /** Adds and removes labels, as alice. */
    label: async (iid: number, change: { add_labels?: string; remove_labels?: string }) =>
      void (await alice.mergeRequests.update({ ...ref(iid), ...change })),
    labels: async (iid: number) => (await world.labels(iid))?.toSorted(),
    greetings: async (iid: number) =>
      (await service.mergeRequests.notes.list(ref(iid))).body.filter(({ body }) => body?.startsWith('Thank you')),
    booked: async (iid: number) => (await service.mergeRequests.timeStats(ref(iid))).body.total_time_spent,
    isApproved: async (iid: number) => known((await service.mergeRequests.approvals(ref(iid))).body.approved_by).length === 1,
    deleteGreeting: async (iid: number) => {
      const [note] = (await service.mergeRequests.notes.list(ref(iid))).body.filter(({ body }) => body?.startsWith('Thank'))
      await service.mergeRequests.notes.delete({ ...ref(iid), note_id: known(note?.id) })
    },
    settle,
  }
}

const decisionsOf = async ({ world, bellhop }: Installation, iid: number) =>
  (
    await bellhop().journal.decisions({
      mergeRequest: { service: world.serviceName, project: world.project, iid },
      limit: 100,
    })
  ).items.map(({ id }) => id)

/** `isShared`: several processes may use the stores, so a delivery can wait for a worker while the backup is taken. */
export function backupSuite(makeStore: () => Promise<BackedUpStore>, outcome: Outcome, { isShared = true } = {}): void {
  test('what is there, and what is done again, is what the page says', async () => {
    const store = await makeStore()
    const installation = await startInstallation(rules, store.settings)
    try {
      await restoreAndCompare(installation, store, outcome, isShared)
    } finally {
      await installation.end()
      await store.end()
    }
  })
}

async function restoreAndCompare(
  installation: Installation,
  store: BackedUpStore,
  outcome: Outcome,
  isShared: boolean,
): Promise<void> {
  const { world, start, stop } = installation
  const { open, say, label, labels, greetings, booked, isApproved, deleteGreeting, settle } = verbs(installation)

  // Before the backup.
  const [first, waited] = [await open('First'), await open('Waited')]
  await settle()
  await say(first, '@bellhop book')
  await label(first, { add_labels: 'ready', remove_labels: 'seen' })
  await settle()
  expect([await labels(first), await booked(first), await isApproved(first)]).toEqual([['approved', 'ready'], 900, true])
  // Its first sweep.
  await stop()
  await start(store.settings)
  await settle()
  const history = await decisionsOf(installation, first)
  expect(history.length).toBeGreaterThan(1)

  await stop()
  if (isShared) {
    await start({ ...store.settings, BELLHOP_ONLY: 'receiver' })
    await say(waited, '@bellhop book')
    await world.sandbox.idle()
  }
  await store.backUp()
  await stop()

  // After the backup.
  await start(store.settings)
  const [unlabelled, uncommented, approved] = [await open('Unlabelled'), await open('Uncommented'), await open('Approved')]
  await settle()
  expect(await booked(waited)).toBe(isShared ? 900 : 0)
  await label(unlabelled, { remove_labels: 'seen' })
  await deleteGreeting(uncommented)
  await label(approved, { add_labels: 'ready' })
  await say(first, '@bellhop book')
  await settle()
  expect([await booked(first), await isApproved(approved)]).toEqual([1800, true])
  const body = await bodyOfCommand(installation)
  await stop()

  await store.lose()
  // Their hooks are lost.
  const missed = await open('Missed')
  await say(first, '@bellhop book')
  await world.sandbox.idle()

  await start(await store.restore())
  await settle()

  // (1) History.
  expect((await decisionsOf(installation, first)).slice(-history.length)).toEqual(history)
  // (2) Nothing of before the backup is done again, and events of after it are not worked on.
  expect([await labels(first), (await greetings(first)).length]).toEqual([['approved', 'ready'], 1])
  expect(await booked(first)).toBe(1800)
  // (3) What changed since is evaluated.
  expect([await labels(missed), (await greetings(missed)).length]).toEqual([['seen'], 1])
  // (4) What is done again.
  const isOld = outcome.memory === 'of the backup'
  expect(await labels(unlabelled)).toEqual(isOld ? ['seen'] : [])
  expect((await greetings(unlabelled)).length).toBe(1)
  expect((await greetings(uncommented)).length).toBe(isOld ? 1 : 0)
  expect(await booked(waited)).toBe(!isShared ? 0 : outcome.waiting === 'done again' ? 1800 : 900)
  // What Bellhop holds: it forgot the approval and the label of after the backup, and not those of before it.
  await label(first, { remove_labels: 'ready' })
  await label(approved, { remove_labels: 'ready' })
  await settle()
  expect([await isApproved(first), await labels(first)]).toEqual([false, []])
  expect([await isApproved(approved), await labels(approved)]).toEqual([isOld, isOld ? ['approved', 'seen'] : ['seen']])
  // Of a delivery of after the backup that the service sends again, memory alone knows that it was worked on.
  expect(await world.deliver(body, { ...noteHook, 'x-gitlab-token': world.hookSecret })).toBe(202)
  await settle()
  expect(await booked(first)).toBe(isOld ? 2700 : 1800)
}

const noteHook = { 'x-gitlab-event': 'Note Hook' }

/** As the service sent it; of alice, for Bellhop's own notes are deliveries too. */
async function bodyOfCommand({ bellhop }: Installation): Promise<string> {
  const { journal } = bellhop()
  const { items } = await journal.deliveries({ limit: 100 })
  const bodies = await Promise.all(
    items.filter(({ header }) => header === noteHook['x-gitlab-event']).map(({ id }) => journal.body(id)),
  )
  return known(bodies.find((body) => body?.includes('@bellhop book') === true))
}
