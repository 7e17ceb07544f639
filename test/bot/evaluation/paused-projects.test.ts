// Paused projects: no held merge request is lost, also when one pauses, resumes and evaluates at once.
import { createPausedProjects, isHeldBack, pausedProjectsMark } from '../../../src/bot/evaluation/paused-projects.ts'
import type { BotQueues, MergeRequestJob } from '../../../src/bot/queues.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import type { JobQueue } from '../../../src/queue/types.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
const at = '2026-11-21T12:00:00.000Z'

/** Queues of renewed stores, and the iids that were evaluated. */
function world(given: { queues?: BotQueues; journal?: Journal; queue?: JobQueue<MergeRequestJob> } = {}) {
  const { queues = testQueues(stores), journal = stores.journal } = given
  const { queue = queues.mergeRequests } = given
  const context = testContext({ journal, queues: { ...queues, mergeRequests: queue } })
  const paused = createPausedProjects(context)
  const evaluated: number[] = []
  return {
    ...{ queues, evaluated },
    ...paused,
    pauseOne: (project: number, by = 'ann') => paused.pause({ project, at, by }),
    async run(iid: number, project = 7) {
      const ref = { project, iid }
      const { marks } = await journal.load(ref, [pausedProjectsMark])
      if (!(await isHeldBack(context, queue, ref, marks))) evaluated.push(iid)
    },
    waiting: async () =>
      (await queues.mergeRequests.list(['waiting', 'prioritized'], 0, 10)).map(({ data }) => data.iid).sort(),
  }
}

test('a paused project is not evaluated, and its merge requests are enqueued once when it is resumed', async () => {
  const { pauseOne, run, evaluated, resume, waiting, list } = world()
  await pauseOne(7)
  for (const iid of [1, 2, 1]) await run(iid)
  await run(3, 8)
  expect([evaluated, await waiting(), await list()]).toEqual([[3], [], [{ project: 7, at, by: 'ann' }]])
  expect([await resume(7), await waiting(), await list()]).toEqual([2, [1, 2], []])
  await run(1)
  expect([evaluated, await resume(7)]).toEqual([[3, 1], 0])
})

test('a second pause changes nothing, and a resume leaves other projects paused', async () => {
  const { pauseOne, resume, list } = world()
  await pauseOne(7)
  await pauseOne(8, 'bob')
  await pauseOne(7, 'carol')
  await resume(8)
  expect(await list()).toEqual([{ project: 7, at, by: 'ann' }])
})

test('a merge request that is being held while the project is resumed is evaluated at once', async () => {
  const queues = testQueues(stores)
  let resumed = false
  const journal: Journal = {
    ...stores.journal,
    marks: {
      ...stores.journal.marks,
      async change(project, mark, to) {
        await stores.journal.marks.change(project, mark, to)
        if (!mark.startsWith('held') || resumed) return
        resumed = true
        await beside.resume(7)
      },
    },
  }
  const beside = world({ queues })
  const { pauseOne, run, evaluated } = world({ queues, journal })
  await pauseOne(7)
  await run(1)
  expect([resumed, evaluated]).toEqual([true, [1]])
})

test('a merge request that is held during a resume is enqueued by the next resume', async () => {
  const queues = testQueues(stores)
  const beside = world({ queues })
  const queue: JobQueue<MergeRequestJob> = {
    ...queues.mergeRequests,
    async add(job) {
      await beside.pauseOne(7)
      await beside.run(2)
      return queues.mergeRequests.add(job)
    },
  }
  const { resume } = world({ queues, queue })
  await beside.pauseOne(7)
  await beside.run(1)
  expect(await resume(7)).toBe(1)
  expect([await beside.resume(7), await beside.waiting()]).toEqual([1, [1, 2]])
})
