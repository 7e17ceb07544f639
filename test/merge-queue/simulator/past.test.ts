// What is read of a project's past, and that a simulation follows it.
import { defaultSettings } from '../../../src/merge-queue/simulator/compare.ts'
import { type PastEvent, readPast } from '../../../src/merge-queue/simulator/past.ts'
import { oracle, simulate } from '../../../src/merge-queue/simulator/simulate.ts'
import { createWorkload, undisturbed, usualWorkload } from '../../../src/merge-queue/simulator/workload.ts'

const minuteMs = 60_000
const at = (minute: number) => new Date(minute * minuteMs).toISOString()

const merge = (iid: number, minute: number, target = 'main'): PastEvent => ({
  ...{ kind: 'merge_request.merge', at: at(minute), iid, head: `h${iid}`, target },
})
/** The status of a pipeline, from the minute. */
const pipeline = (id: number, status: string, minute: number, sha = `h${id}`, more: Partial<PastEvent> = {}) => ({
  ...{ kind: `pipeline.${status}`, at: at(minute), ref: 'topic', pipeline: { id, sha }, ...more },
})

test('the target is the branch that most were merged into, or the one that is given', () => {
  const events = [merge(1, 1, 'dev'), merge(2, 2), merge(3, 3)]
  expect(readPast(events)).toMatchObject({ target: 'main', arrivals: [2, 3].map((each) => each * minuteMs) })
  expect(readPast(events, 'dev').arrivals).toEqual([minuteMs])
  expect(readPast([])).toMatchObject({ target: '', arrivals: [], pipelines: [] })
})

test.each<[string, PastEvent[], number]>([
  ['at its last green pipeline', [pipeline(1, 'success', 2), pipeline(1, 'success', 4)], 4],
  ['at its last approval', [pipeline(1, 'success', 2), { kind: 'merge_request.approved', at: at(5), iid: 1 }], 5],
  ['at its pipeline of another commit, which names it', [pipeline(9, 'success', 6, 'merged result', { iid: 1 })], 6],
  ['when it is merged, where nothing else is known', [pipeline(2, 'success', 6), pipeline(1, 'failed', 7)], 10],
])('a merge request is ready %s', (_, before, minute) => {
  expect(readPast([...before, merge(1, 10)]).arrivals).toEqual([minute * minuteMs])
})

test('a pipeline takes from its first event to its end, and a retry is another one', () => {
  const events = [
    pipeline(1, 'pending', 0),
    pipeline(1, 'running', 2),
    pipeline(1, 'failed', 10),
    pipeline(1, 'running', 20),
    pipeline(1, 'success', 25),
    pipeline(2, 'running', 30),
    pipeline(2, 'canceled', 31),
    pipeline(3, 'success', 32),
  ]
  expect(readPast(events).pipelines).toEqual([10, 5].map((each) => each * minuteMs))
})

test('a red pipeline is flaky where its commit has a green one, and a red commit of the target is bad after a green one', () => {
  const onMain = (id: number, status: string, minute: number) =>
    pipeline(id, status, minute, `main${id}`, { ref: 'main' })
  const { flaky, bad } = readPast([
    ...[onMain(1, 'success', 1), onMain(2, 'failed', 2), onMain(3, 'failed', 3), onMain(4, 'success', 4)],
    ...[onMain(5, 'failed', 5), onMain(5, 'success', 6), pipeline(6, 'failed', 7), merge(1, 9)],
  ])
  expect(bad).toEqual({ count: 1, among: 5 })
  expect(flaky).toEqual({ count: 1, among: 4 })
})

test('a simulation has the arrivals and durations of the past', () => {
  const past = { arrivals: [0, 0, 90, 91].map((each) => each * minuteMs), pipelines: [10 * minuteMs] }
  const workload = createWorkload({ ...usualWorkload, ...undisturbed, bad: 0, flaky: 0, conflicts: 0, past })
  const expected = { merged: 4, waitP50: 10 * minuteMs, waitP95: 10 * minuteMs, mergedPerHour: 4 / (101 / 60) }
  expect(simulate(workload, defaultSettings)).toMatchObject(expected)
  expect(oracle(workload)).toMatchObject(expected)
})
