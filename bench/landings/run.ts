// What the merge queue needs for 20 merge requests that are green on an old target, one pair of them red together:
// time, calls, git operations and pipelines, beside what the design allows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type SmallWorld, startSmallWorld } from '../../src/cli/demo/small-world.ts'
import { createLog } from '../../src/cli/output/log.ts'
import { known } from '../../src/cli/scenario/build-scenario.ts'
import { scriptPipelines } from '../../src/sandbox/pipelines/scripted-ci.ts'
import type { World } from '../../src/sandbox/storage/world.ts'
import { startRedis } from '../../test/servers/redis-server.ts'
import { requireRedis } from '../needs.ts'
import { type Bench, type Row, rowOf } from '../row.ts'

const mergeRequests = { whole: 20, part: 8 }
const pipelineMs = 5_000
/** The design's figures for 20, 19 of which land. */
const most = { seconds: 40, calls: 14, git: 8, pipelines: 30, greenToLanding: 3 }
const giveUpMs = 180_000
/** The files of the pair that is red together. */
const pair = ['src/work-3.ts', 'src/work-7.ts']
const rules = `version: 1
queues:
  - name: main
    target: master
rules:
  - name: merge what is ready
    if: { pipeline: success, labels: { any: [ready] } }
    then: { accept: { queue: main } }
`

export const bench: Bench = {
  about:
    'the merge queue with 20 merge requests, two of them red together: time, calls, git operations and pipelines for each landing',
  async measure({ say, part }) {
    requireRedis()
    const redis = await startRedis([
      ['appendonly', 'no'],
      ['maxmemory-policy', 'noeviction'],
    ])
    const folder = await mkdtemp(join(tmpdir(), 'bench-landings-'))
    try {
      return await measureIn(folder, redis.url, { say, part })
    } finally {
      await rm(folder, { recursive: true, force: true })
      await redis.stop()
    }
  },
}

type Measured = Pick<Parameters<Bench['measure']>[0], 'say' | 'part'>

async function measureIn(folder: string, queueUrl: string, { say, part }: Measured): Promise<Row[]> {
  const count = part ? mergeRequests.part : mergeRequests.whole
  const world = await startSmallWorld({
    folder,
    queueUrl,
    rules,
    createLog: (secrets) => createLog({ level: 'warn', secrets, write: (line) => process.stderr.write(line) }),
    onProgress: () => {},
    sandbox: { recordCalls: true },
    settings: { BELLHOP_NEW_RULE_LIMIT: '0', BELLHOP_SWEEP_EVERY: '0' },
  })
  try {
    const opened = await openGreenOnes(world, count)
    say(`${count} merge requests are green on a target that moved since`)
    const before = await countsOf(world)
    const began = Date.now()
    for (const iid of opened)
      await world.service.mergeRequests.update({ id: world.project, merge_request_iid: iid, add_labels: 'ready' })
    const landed = await waitForLandings(world, count - 1, say)
    const seconds = (Date.now() - began) / 1000
    await world.settle()
    const after = await countsOf(world)
    const byEndpoint = new Map<string, number>()
    for (const endpoint of after.calls.slice(before.calls.length))
      byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + 1)
    const untested = await countUntested(world, after.tested)
    const calls = after.calls.length - before.calls.length
    const git = after.git.length - before.git.length
    const pushes = after.git.slice(before.git.length).filter(({ service }) => service === 'git-receive-pack').length
    const pipelines = after.pipelines - before.pipelines
    say(
      `${landed} landed in ${seconds.toFixed(1)} s, ${untested} untested, ${calls} calls, ${git} git operations (${pushes} pushes), ${pipelines} pipelines`,
    )
    say(
      [...byEndpoint]
        .sort(([, one], [, other]) => other - one)
        .map((each) => each.join(' '))
        .join(', '),
    )
    const alone = await greenToLanding(world)
    say(`one alone landed ${alone.toFixed(1)} s after its pipeline was green`)
    const named = { name: `${count} merge requests, two red together, pipelines of 5 s`, beside: 'the most to reach' }
    const row = (what: string, value: number, limit: number) =>
      rowOf({ ...named, what, unit: '', aim: { most: 1 } }, [[value, limit]])
    return [
      row(`seconds until ${landed} landed`, seconds, (most.seconds * count) / mergeRequests.whole),
      row('calls for each landing', calls / landed, most.calls),
      row('git operations for each landing', git / landed, most.git),
      row('pipelines', pipelines, (most.pipelines * count) / mergeRequests.whole),
      row('seconds from a green pipeline to its landing', alone, most.greenToLanding),
      rowOf({ ...named, what: 'landed untested', beside: 'landed', unit: '', aim: { most: 0 } }, [[untested, landed]]),
    ]
  } finally {
    await world.close()
  }
}

/** Their pipelines are of the target as it was: it moves afterwards. */
async function openGreenOnes(world: SmallWorld, count: number): Promise<number[]> {
  const { people, clone, project, sandbox } = world
  const opened: number[] = []
  for (let n = 1; n <= count; n += 1) {
    const files = { [`src/work-${n}.ts`]: `${n}\n` }
    const made = await world.openMergeRequest({ as: people.alice, branch: `work-${n}`, title: `Work ${n}`, files })
    await world.pipeline(made.sha, `work-${n}`, 'success')
    opened.push(made.iid)
  }
  await clone.push({ as: people.renovate, branch: 'master', files: { 'more.md': 'More\n' }, message: 'Move on' })
  await sandbox.within(async (inside) =>
    scriptPipelines(inside, project, [
      { branches: 'bellhop/queue/*', kind: 'branch', takes: pipelineMs, ends: ['success'], breaks_with: pair },
    ]),
  )
  await world.settle()
  return opened
}

/** What happened so far: the bot's calls and git operations, all pipelines, and the trees that were green. */
async function countsOf({ sandbox, people, project, service }: SmallWorld) {
  const calls = sandbox.calls().flatMap(({ caller, endpoint }) => (caller === people.bellhop.id ? [endpoint] : []))
  const git = sandbox.gitOperations().filter(({ caller }) => caller === people.bellhop.id)
  const { items } = await service
    .pages(service.repository.pipelines.list, { id: project, per_page: 100 }, { maxPages: 20 })
    .collect()
  const tested = items.flatMap(({ sha, status }) => (status === 'success' && sha !== undefined ? [sha] : []))
  return { calls, git, pipelines: items.length, tested }
}

async function waitForLandings(world: SmallWorld, wanted: number, say: (sentence: string) => void): Promise<number> {
  const { service, project } = world
  const until = Date.now() + giveUpMs
  for (let last = 0; ; ) {
    const merged = await service
      .pages(service.mergeRequests.list, { id: project, state: 'merged', per_page: 100 }, { maxPages: 5 })
      .collect()
    if (merged.items.length !== last) say(`${merged.items.length} of ${wanted} landed`)
    last = merged.items.length
    if (last >= wanted || Date.now() > until) return last
    await wait(250)
  }
}

/** For one merge request alone in the queue: seconds from the end of its pipeline until it is merged. */
async function greenToLanding(world: SmallWorld): Promise<number> {
  const { service, project, people } = world
  const branch = 'work-alone'
  const files = { [`src/${branch}.ts`]: '0\n' }
  const { iid, sha } = await world.openMergeRequest({ as: people.alice, branch, title: 'Work alone', files })
  await world.pipeline(sha, branch, 'success')
  const before = new Set((await countsOf(world)).tested)
  const isGreen = async () => (await countsOf(world)).tested.some((tested) => !before.has(tested))
  const isMerged = async () =>
    (await service.mergeRequests.get({ id: project, merge_request_iid: iid })).body.state === 'merged'
  await service.mergeRequests.update({ id: project, merge_request_iid: iid, add_labels: 'ready' })
  await until(isGreen)
  const began = Date.now()
  await until(isMerged)
  return (Date.now() - began) / 1000
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + giveUpMs; !(await isSo()); await wait(50))
    if (Date.now() > end) throw new Error('nothing landed in time')
}

/** Landings whose tree no green pipeline tested, by the service's own repository. */
async function countUntested(world: SmallWorld, tested: readonly string[]): Promise<number> {
  const { sandbox, project, service } = world
  const merged = await service
    .pages(service.mergeRequests.list, { id: project, state: 'merged', per_page: 100 }, { maxPages: 5 })
    .collect()
  const commits = merged.items.map((each) => known(each.merge_commit_sha ?? undefined))
  return sandbox.within(async (inside) => {
    const trees = new Set(await Promise.all(tested.map((sha) => treeOf(inside, project, sha))))
    const landed = await Promise.all(commits.map((sha) => treeOf(inside, project, sha)))
    return landed.filter((tree) => !trees.has(tree)).length
  })
}

const treeOf = (inside: World, project: number, commit: string) =>
  inside.git.line(project, ['rev-parse', `${commit}^{tree}`])
