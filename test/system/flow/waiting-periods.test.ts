// Waiting periods on the sandbox: what is merged when enough time has passed, and by which times of the service.
import { enqueueEvaluation } from '../../../src/bot/queues.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: merge a day after the last push
    if: { source_branch: { glob: "wait/*" }, since: { pushed: { older_than: 24h } } }
    then: { accept: true }
  - name: everything is new
    if:
      source_branch: { glob: "new/*" }
      since:
        ready: { newer_than: 1h }
        approved: { newer_than: 1h }
        review_requested: { newer_than: 1h }
        labelled: { label: door, newer_than: 1h }
    then: { label: { add: new } }
`
const DAY = 24 * 60 * 60_000

let world: TestWorld
beforeAll(async () => {
  world = await startTestWorld({ rules })
})
afterAll(() => world?.end())
afterEach(() => void vi.restoreAllMocks())

/** The clock of this process, and so of bot and service, goes on from here. */
function setClock(time: number): void {
  const ahead = time - performance.now()
  vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(performance.now() + ahead))
}

/** Starts what waits for a time that has come, as the bot does every minute. */
async function startDue(): Promise<void> {
  const { journal, bot } = world.bellhop
  const due = await journal.mergeRequests.takeDue(new Date(Date.now()), { limit: 9, nextAt: new Date('2200-01-01') })
  for (const each of due) await enqueueEvaluation(bot.queues.mergeRequests, each)
  await world.settle()
}

/** When the newest version came, and when its last decision changes. */
async function times(iid: number): Promise<[number, number]> {
  const [newest] = (await world.service.mergeRequests.versions.list(world.ref(iid))).body
  const [decision] = await world.decisions(iid)
  return [Date.parse(known(newest?.created_at)), Date.parse(known(decision?.changesAt))]
}

test('a rule merges a day after the last push, when that time has come', async () => {
  const { alice } = world.people
  const branch = 'wait/a'
  const { iid, sha } = await world.openMergeRequest({ branch })
  await world.pipeline(sha, branch, 'success')
  await world.settle()
  const [opened, first] = await times(iid)
  expect(first).toBe(opened + DAY + 1)

  setClock(opened + DAY / 2)
  const second = await world.clone.push({ as: alice, branch, files: { 'b.md': 'b\n' }, message: 'More' })
  await world.settle()
  await world.pipeline(second, branch, 'success')
  await world.settle()
  const [pushed, turns] = await times(iid)
  expect(pushed).toBeGreaterThan(opened + DAY / 2)
  expect(turns).toBe(pushed + DAY + 1)

  setClock(turns - 60_000)
  await startDue()
  await world.say(iid, 'Is it merged now?')
  expect((await world.mergeRequest(iid)).state).toBe('opened')

  setClock(turns + 1)
  await startDue()
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged', sha: second })
})

test('the service’s notes, approvals and label events say when the rest happened', async () => {
  const { alice, renovate } = world.people
  const { iid } = await world.openMergeRequest({ branch: 'new/a', title: 'Draft: a door' })
  const reviewer = known((await world.as(renovate).users.current({})).body.id)
  await world.as(alice).mergeRequests.update({ ...world.ref(iid), title: 'A door', add_labels: 'door' })
  await world.service.mergeRequests.update({ ...world.ref(iid), reviewer_ids: [reviewer] })
  await world.settle()
  const unknown = async () =>
    (await world.decisions(iid))[0]?.rules
      .find(({ name }) => name === 'everything is new')
      ?.conditions.children?.filter(({ verdict }) => verdict !== 'true')
      .flatMap(({ children = [], ...own }) => (children.length === 0 ? [own] : children))
      .map(({ condition, actual }) => `${condition}: ${actual}`)
  expect(await unknown()).toContain('since_approved: unknown: nobody has approved it')
  await world.as(renovate).mergeRequests.approve(world.ref(iid))
  await world.settle()
  expect(await unknown()).toEqual([])
  expect(await world.labels(iid)).toContain('new')
  const notes = (await world.service.mergeRequests.notes.list(world.ref(iid))).body
  expect(notes.filter(({ system }) => system).map(({ body }) => body)).toEqual([
    'approved this merge request',
    'requested review from @renovate-bot',
    'marked this merge request as **ready**',
  ])
})
