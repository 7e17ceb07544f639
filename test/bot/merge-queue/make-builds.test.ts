// The builds of a round: each on the one before it, one fetch, and one push.
import { makeBuilds } from '../../../src/bot/merge-queue/make-builds.ts'
import type { AttemptState } from '../../../src/merge-queue/observed.ts'
import { plan } from '../../../src/merge-queue/plan.ts'
import { QueueWorld } from '../../merge-queue/queue-world.ts'
import { makeRun } from './run-world.ts'

const leftover: AttemptState = { is: 'made', commit: 'c9', tree: '', pipeline: 'none' }

async function make(conflicting?: string) {
  const world = new QueueWorld({ speculate: { least: 3, most: 3 } }).enter(1, 2, 3)
  const { settings, now } = world
  const observed = { ...world.observe(), attempts: new Map<number, AttemptState>([[9, leftover]]) }
  const planned = plan(world.record, observed, settings, now)
  const built: string[] = []
  const calls: unknown[] = []
  const { run } = makeRun(
    {
      async fetchHeads(members) {
        calls.push(`fetch ${members.map(({ iid }) => iid)}`)
        return new Map(members.map(({ head }) => [head, 'there']))
      },
      heads: async () => ({ target: { commit: 'c0', tree: 'T' }, branches: new Map() }),
      async build({ onto, head }) {
        built.push(`${head} on ${onto}`)
        return head === conflicting ? { is: 'conflict' } : { is: 'built', commit: `${onto}+${head}`, tree: head }
      },
      async pushBranches(made, unneeded = []) {
        calls.push([made.map(({ commit }) => commit), unneeded.map(({ commit }) => commit)])
        return made.map(() => 'pushed')
      },
    },
    {
      ...{ settings: { ...settings, pipelines: 'branch', own_pipeline: false }, entries: [], target: 'c0' },
      ...{ branches: new Map([[9, 'c9']]), drafts: new Map() },
    },
  )
  run.pipelines.set(9, { status: 'success' })
  await makeBuilds(run, planned, observed)
  return { built, calls, made: run.made.size }
}

test('each is built on the one before it; one push makes them all, and deletes what is to be discarded', async () => {
  const { built, calls, made } = await make()
  expect(built).toEqual(['h1 on c0', 'h2 on c0+h1', 'h3 on c0+h1+h2'])
  expect(calls.filter((each) => typeof each !== 'string')).toEqual([[['c0+h1', 'c0+h1+h2', 'c0+h1+h2+h3'], ['c9']]])
  expect([calls[0], made]).toEqual(['fetch 1,2,3', 3])
})

test('what is behind a conflict is built in another round', async () => {
  const { built, calls, made } = await make('h2')
  expect([built.at(1), made]).toEqual(['h2 on c0+h1', 1])
  expect(calls.at(-1)).toEqual([['c0+h1'], ['c9']])
})
