// A backup is taken, work goes on, the stores are lost, and the backup is restored on another machine: what is there,
// what is done again, and what is not, as docs/journal.md says.
import { known } from '../world.ts'
import { type Installation, startInstallation } from './installation.ts'
import type { BackedUpStore, StoreSettings } from './stores.ts'

const rules = `
version: 1
rules:
  - name: greet
    if: { state: opened }
    then: { label: { add: seen }, comment: "Thank you, {{ author }}." }
  - name: approve what is ready
    if: { labels: { any: [ready] } }
    then: { approve: true, label: { while: [approved] }, notify: { to: team, text: "{{ title }} is ready" } }
  - name: close what nobody wants
    if: { labels: { any: [unwanted] } }
    then: { close: true }
  - { name: book, on: note.create, command: book, then: { spend: 15m } }
  - { name: merge, on: note.create, command: merge, then: { accept: true } }
  - { name: stop, on: note.create, command: stop, then: { cancel_accept: true } }
`

/** What may differ from the backup: whether memory is that of the loss, and whether what waited is done again. */
export interface Outcome {
  memory: 'of the backup' | 'of the loss'
  waiting: 'done again' | 'not done again'
  /** A queue that was not lost knows what it posted to chats. */
  posts?: 'not done again'
}

function verbs({ world, settle }: Installation) {
  const { service, people, ref } = world
  const alice = world.as(people.alice)
  const greetingsOf = async (iid: number) =>
    (await service.mergeRequests.notes.list(ref(iid))).body.filter(({ body }) => body?.startsWith('Thank you'))
  let branches = 0
  return {
    async open(title: string): Promise<number> {
      branches += 1
      return (await world.openMergeRequest({ branch: `topic-${branches}-${title.toLowerCase()}`, title })).iid
    },
    /** Its pipeline succeeds. */
    async succeed(iid: number): Promise<void> {
      const { sha, source_branch: branch } = await world.mergeRequest(iid)
      await world.pipeline(known(sha), known(branch), 'success')
    },
    reopen: async (iid: number) => void (await alice.mergeRequests.update({ ...ref(iid), state_event: 'reopen' })),
    state: async (iid: number) => (await world.mergeRequest(iid)).state,
    /** As a Maintainer. */
    say: async (iid: number, body: string) =>
      void (await world.as(people.renovate).mergeRequests.notes.create({ ...ref(iid), body })),
    /** Adds and removes labels, as alice. */
    label: async (iid: number, change: { add_labels?: string; remove_labels?: string }) =>
      void (await alice.mergeRequests.update({ ...ref(iid), ...change })),
    labels: async (iid: number) => (await world.labels(iid))?.toSorted(),
    greetings: async (iid: number) => (await greetingsOf(iid)).length,
    booked: async (iid: number) => (await service.mergeRequests.timeStats(ref(iid))).body.total_time_spent,
    isApproved: async (iid: number) =>
      known((await service.mergeRequests.approvals(ref(iid))).body.approved_by).length === 1,
    deleteGreeting: async (iid: number) => {
      const [note] = await greetingsOf(iid)
      await service.mergeRequests.notes.delete({ ...ref(iid), note_id: known(note?.id) })
    },
    settle,
  }
}

const decisionsOf = async ({ world, bellhop }: Installation, iid: number) =>
  (
    await bellhop().journal.decisions.list({
      mergeRequest: { project: world.project, iid },
      limit: 100,
    })
  ).items.map(({ id }) => id)

export interface Way {
  /** `one waits`: for a worker, which needs stores that several processes use. */
  during?: 'one waits' | 'the bot runs' | 'the bot is stopped'
}

/** It takes ten seconds where nothing else runs. */
const MOST_MS = 180_000

type Verbs = ReturnType<typeof verbs>
type Numbers = Awaited<ReturnType<typeof actBefore>> & Awaited<ReturnType<typeof actAfter>>

export function backupSuite(makeStore: () => Promise<BackedUpStore>, outcome: Outcome, way: Way = {}): void {
  test('what is there, and what is done again, is what the page says', { timeout: MOST_MS }, () =>
    afterRestore(makeStore, way, async (installation, restored, numbers) => {
      await installation.start(restored)
      await installation.settle()
      await compare(installation, numbers, outcome, way)
    }),
  )
}

/** Observe mode withdraws what is held, and forgets what rules have done. */
export function observedBackupSuite(makeStore: () => Promise<BackedUpStore>): void {
  test('observe mode after a restore is not harmless', { timeout: MOST_MS }, () =>
    afterRestore(makeStore, {}, async (installation, restored, { first, missed }) => {
      const { labels, isApproved, settle } = verbs(installation)
      await installation.start({ ...restored, BELLHOP_MODE: 'observe' })
      await settle()
      expect([await isApproved(first), await labels(first), await labels(missed)]).toEqual([false, ['ready'], []])
      await installation.stop()
      await installation.start(restored)
      await settle()
      expect(await labels(first)).toEqual(['approved', 'ready', 'seen'])
    }),
  )
}

/** Acts, backs up, acts, loses the stores, and restores them; nothing runs yet. */
async function afterRestore(
  makeStore: () => Promise<BackedUpStore>,
  { during = 'one waits' }: Way,
  act: (installation: Installation, restored: StoreSettings, numbers: Numbers & { missed: number }) => Promise<void>,
): Promise<void> {
  const store = await makeStore()
  const installation = await startInstallation(rules, store.settings)
  const { world, start, stop } = installation
  const does = verbs(installation)
  try {
    const before = await actBefore(installation, does, store.settings)
    if (during !== 'the bot runs') await stop()
    if (during === 'one waits') {
      await start({ ...store.settings, BELLHOP_ONLY: 'receiver' })
      await does.say(before.waited, '@bellhop book')
      await world.sandbox.idle()
    }
    await store.backUp()
    await stop()
    await start(store.settings)
    const after = await actAfter(installation, does, before)
    expect(await does.booked(before.waited)).toBe(during === 'one waits' ? 900 : 0)
    await stop()
    await store.lose()
    // Their hooks are lost.
    const missed = await does.open('Missed')
    await does.say(before.first, '@bellhop book')
    await does.label(before.changed, { add_labels: 'unwanted' })
    await world.sandbox.idle()
    await act(installation, await store.restore(), { ...before, ...after, missed })
  } finally {
    await installation.end()
    await store.end()
  }
}

async function actBefore(installation: Installation, does: Verbs, settings: StoreSettings) {
  const { open, say, label, labels, booked, isApproved, settle } = does
  const [first, waited, stopped] = [await open('First'), await open('Waited'), await open('Stopped')]
  const changed = await open('Changed')
  await settle()
  await say(stopped, '@bellhop merge')
  await say(first, '@bellhop book')
  await label(first, { add_labels: 'ready', remove_labels: 'seen' })
  await settle()
  const made = [await labels(first), await booked(first), await isApproved(first)]
  expect(made).toEqual([['approved', 'ready'], 900, true])
  // Its first sweep.
  await installation.stop()
  await installation.start(settings)
  await settle()
  const history = await decisionsOf(installation, first)
  expect(history.length).toBeGreaterThan(1)
  return { first, waited, stopped, changed, history }
}

/** What Bellhop does, and what persons undo. */
async function actAfter(installation: Installation, does: Verbs, given: { first: number; stopped: number }) {
  const { open, say, label, booked, isApproved, deleteGreeting, reopen, state, settle } = does
  const [unlabelled, uncommented] = [await open('Unlabelled'), await open('Uncommented')]
  const [approved, reopened] = [await open('Approved'), await open('Reopened')]
  await settle()
  await label(unlabelled, { remove_labels: 'seen' })
  await deleteGreeting(uncommented)
  await label(approved, { add_labels: 'ready' })
  await label(reopened, { add_labels: 'unwanted' })
  await say(given.first, '@bellhop book')
  await say(given.stopped, '@bellhop stop')
  await settle()
  expect([await booked(given.first), await isApproved(approved), await state(reopened)]).toEqual([1800, true, 'closed'])
  await reopen(reopened)
  await settle()
  expect(await state(reopened)).toBe('opened')
  return { unlabelled, uncommented, approved, reopened, body: await bodyOfCommand(installation) }
}

async function compare(
  installation: Installation,
  numbers: Numbers & { missed: number },
  { memory, waiting, posts }: Outcome,
  { during = 'one waits' }: Way,
): Promise<void> {
  const { world, posted } = installation
  const { label, labels, greetings, booked, isApproved, succeed, state, settle } = verbs(installation)
  const { first, waited, stopped, changed, history, unlabelled, uncommented, approved, reopened, body, missed } =
    numbers
  const isOld = memory === 'of the backup'

  // History up to the backup.
  expect((await decisionsOf(installation, first)).slice(-history.length)).toEqual(history)
  // Nothing of before the backup is done again, and lost events are not worked on.
  expect([await labels(first), await greetings(first), posted('First')]).toEqual([['approved', 'ready'], 1, 1])
  expect(await booked(first)).toBe(1800)
  // What changed since is evaluated.
  expect([await labels(missed), await greetings(missed)]).toEqual([['seen'], 1])
  expect(await state(changed)).toBe('closed')
  // What is done again.
  expect([await labels(unlabelled), await greetings(unlabelled)]).toEqual([isOld ? ['seen'] : [], 1])
  expect(await greetings(uncommented)).toBe(isOld ? 1 : 0)
  expect(await state(reopened)).toBe(isOld ? 'closed' : 'opened')
  expect(posted('Approved')).toBe(isOld && posts === undefined ? 2 : 1)
  expect(await booked(waited)).toBe(during !== 'one waits' ? 0 : waiting === 'done again' ? 1800 : 900)
  // A request to merge that was withdrawn after the backup stands again.
  await succeed(stopped)
  await settle()
  expect(await state(stopped)).toBe(isOld ? 'merged' : 'opened')
  // What Bellhop holds: it forgot the approval and the label of after the backup, and not those of before it.
  await label(first, { remove_labels: 'ready' })
  await label(approved, { remove_labels: 'ready' })
  await settle()
  expect([await isApproved(first), await labels(first)]).toEqual([false, []])
  expect([await isApproved(approved), await labels(approved)]).toEqual([isOld, isOld ? ['approved', 'seen'] : ['seen']])
  // Of a delivery of after the backup that the service sends again, the journal alone knows that it was worked on.
  expect(await world.deliver(body, { ...noteHook, 'x-gitlab-token': world.hookSecret })).toBe(202)
  await settle()
  expect(await booked(first)).toBe(isOld ? 2700 : 1800)
}

const noteHook = { 'x-gitlab-event': 'Note Hook' }

/** As the service sent it; of alice, for Bellhop's own notes are deliveries too. */
async function bodyOfCommand({ bellhop }: Installation): Promise<string> {
  const { journal } = bellhop()
  const { items } = await journal.deliveries.list({ limit: 100 })
  const bodies = await Promise.all(
    items.filter(({ header }) => header === noteHook['x-gitlab-event']).map(({ id }) => journal.deliveries.body(id)),
  )
  return known(bodies.find((body) => body?.includes('@bellhop book') === true))
}
