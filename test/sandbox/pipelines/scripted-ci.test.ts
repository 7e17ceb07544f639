// The scripted CI: which pipelines a push and a merge request start, how they go, and what can be asked of them.
import { type NewScript, scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import type { PipelineRecord } from '../../../src/sandbox/records/work-records.ts'
import type { SandboxOptions } from '../../../src/sandbox/start-sandbox.ts'
import { mr, openWorld } from '../sandbox-world.ts'
import { openKeptWorld } from '../storage/persisted-world.ts'
import { createVirtualClock } from '../virtual-clock.ts'

const second = 1000
const script = (more: Partial<NewScript> = {}): NewScript => ({
  branches: '*',
  kind: 'branch',
  takes: 10 * second,
  ends: ['success'],
  ...more,
})

/** A project with scripts, a branch `feature`, and a merge request when it is wanted. */
async function openScripted(scripts: NewScript[], options: Pick<SandboxOptions, 'tier'> = {}) {
  const clock = createVirtualClock()
  const world = await openWorld({ clock, ...options })
  await world.project()
  await world.sandbox.within(async (inside) => scriptPipelines(inside, 1, scripts))
  const pipelines = async (): Promise<PipelineRecord[]> => (await world.get('/projects/1/pipelines')).reverse()
  return {
    world,
    pipelines,
    statuses: async () => (await pipelines()).map(({ status }) => status),
    async pass(milliseconds: number) {
      clock.advance(milliseconds)
      await world.idle()
    },
    async openFeature() {
      await world.write('feature', 'feature.txt', 'new')
      return world.open('feature', 'Feature')
    },
  }
}

describe('a pipeline', () => {
  test('is pending at once, then runs, and ends when its time is over', async () => {
    const { world, pass, statuses } = await openScripted([script()])
    const hooks = await world.receiver({ pipeline_events: true })
    await world.write('feature', 'a.txt', 'a')
    const seen = [await statuses()]
    for (const time of [0, second, 8 * second, second]) {
      await pass(time)
      seen.push(await statuses())
    }
    expect(seen.flat()).toEqual(['created', 'pending', 'running', 'running', 'success'])
    expect(await hooks.events()).toEqual(['pipeline pending', 'pipeline running', 'pipeline success'])
  })

  test.each([
    ['failed', ['pending', 'running', 'failed'], true],
    ['manual', ['pending', 'running', 'manual'], false],
    ['skipped', ['skipped'], true],
  ] as const)('that ends %s passes %o', async (end, expected, isOver) => {
    const { world, pass } = await openScripted([script({ ends: [end] })])
    const hooks = await world.receiver({ pipeline_events: true })
    await world.write('feature', 'a.txt', 'a')
    await pass(10 * second)
    const seen = hooks.received.map(({ payload }) => payload.object_attributes)
    expect(seen.map(({ status }) => status)).toEqual(expected)
    expect(seen.at(-1).finished_at !== null).toBe(isOver)
  })

  test('of a push starts for the first script whose pattern fits its branch', async () => {
    const scripts = [script({ branches: 'fix/*', ends: ['failed'] }), script({ branches: 'f*' })]
    const { world, pass, pipelines } = await openScripted(scripts)
    for (const branch of ['fix/one', 'feature', 'other']) await world.write(branch, 'a.txt', 'a')
    await pass(10 * second)
    expect((await pipelines()).map(({ ref, status, source }) => [ref, status, source])).toEqual([
      ['fix/one', 'failed', 'push'],
      ['feature', 'success', 'push'],
    ])
  })

  test('starts for git push as well, and for no deletion', async () => {
    const { world, pipelines } = await openScripted([script()])
    const clone = await world.clone('root/app')
    const sha = await world.commit(clone, 'a.txt', 'a')
    await world.push(clone, 'HEAD:topic')
    await world.push(clone, ':topic')
    expect((await pipelines()).map((each) => [each.ref, each.sha])).toEqual([['topic', sha]])
  })

  test('ends as the next in a list of ends says', async () => {
    const { world, pass, statuses } = await openScripted([script({ ends: ['failed', 'success'] })])
    for (const file of ['a', 'b', 'c']) {
      await world.write('feature', file, file)
      await pass(10 * second)
    }
    expect(await statuses()).toEqual(['failed', 'success', 'failed'])
  })

  test('fails on a commit that has all the files that break each other, whatever its script says', async () => {
    const { world, pass, pipelines } = await openScripted([script({ breaks_with: ['a/one.txt', 'b/two.txt'] })])
    await world.write('one', 'a/one.txt', 'one')
    await world.write('two', 'b/two.txt', 'two')
    const clone = await world.clone('root/app')
    await world.checkout(clone, 'one')
    await world.git(clone, 'merge', '--quiet', '-m', 'Both', 'origin/two')
    await world.push(clone, 'HEAD:bellhop/queue/main/1')
    await pass(10 * second)
    await world.post('/projects/1/pipelines/3/retry')
    await pass(10 * second)
    expect((await pipelines()).map(({ ref, status }) => [ref, status])).toEqual([
      ['one', 'success'],
      ['two', 'success'],
      ['bellhop/queue/main/1', 'failed'],
    ])
  })

  test('is skipped where the commit message asks for it, unless the API starts it', async () => {
    const { world, pass, statuses } = await openScripted([script({ takes: 0 })])
    const actions = [{ action: 'create', file_path: 'a.txt', content: 'a' }]
    const commit = { branch: 'feature', start_branch: 'master', commit_message: 'Add a [CI_skip]', actions }
    await world.post('/projects/1/repository/commits', commit)
    await pass(0)
    await world.post('/projects/1/pipeline', { ref: 'feature' })
    await pass(0)
    expect(await statuses()).toEqual(['skipped', 'success'])
  })

  test('is skipped after git push -o ci.skip', async () => {
    const { world, pass, pipelines } = await openScripted([script({ takes: 0 })])
    const clone = await world.clone('root/app')
    for (const options of [['-o', 'ci.skip'], ['-o', 'ci.skip.not', '-o', 'x'], []]) {
      await world.commit(clone, 'a.txt', `${options.join()}a`)
      expect((await world.git(clone, 'push', ...options, 'origin', 'HEAD:refs/heads/a')).code).toBe(0)
      await pass(0)
    }
    expect((await pipelines()).map(({ status }) => status)).toEqual(['skipped', 'success', 'success'])
  })

  test('does not start where jobs are disabled', async () => {
    const { world, statuses } = await openScripted([script()])
    await world.put('/projects/1', { jobs_enabled: false })
    await world.write('feature', 'a.txt', 'a')
    await world.put('/projects/1', { jobs_enabled: true })
    expect(await statuses()).toEqual([])
  })
})

describe('a merge request', () => {
  test('gets a pipeline on its head when it opens and when it moves', async () => {
    const { world, pass, openFeature } = await openScripted([script({ kind: 'merge_request' })])
    const { sha } = await openFeature()
    const { sha: second } = await world.write('feature', 'b.txt', 'b').then(() => world.get(mr))
    await pass(10_000)
    const list = await world.get(`${mr}/pipelines`)
    const common = { ref: 'refs/merge-requests/1/head', source: 'merge_request_event', status: 'success' }
    expect(list).toMatchObject([
      { ...common, sha: second },
      { ...common, sha },
    ])
    expect((await world.get(mr)).head_pipeline).toMatchObject({ sha: second })
  })

  test('that is a draft gets its pipeline as well', async () => {
    const { world, pass } = await openScripted([
      script({ branches: 'bellhop/queue/**', kind: 'merge_request', takes: 0 }),
    ])
    await world.write('bellhop/queue/main/7', 'a.txt', 'a')
    await world.open('bellhop/queue/main/7', 'Draft: Test !1')
    await pass(0)
    expect((await world.get(mr)).head_pipeline).toMatchObject({ source: 'merge_request_event', status: 'success' })
  })

  test.each([
    ['premium', 'refs/merge-requests/1/merge', 2],
    ['free', 'refs/merge-requests/1/head', 1],
  ] as const)('on %s, its merged results run on %s', async (tier, ref, parents) => {
    const { world, openFeature } = await openScripted([script({ kind: 'merged_results' })], { tier })
    const { sha } = await openFeature()
    const pipeline = (await world.get(mr)).head_pipeline
    expect(pipeline.ref).toBe(ref)
    const { parent_ids } = await world.get(`/projects/1/repository/commits/${pipeline.sha}`)
    expect(parent_ids).toHaveLength(parents)
    expect(pipeline.sha === sha).toBe(tier === 'free')
    // A second one takes the place of the first.
    const again = await world.post(`${mr}/pipelines`)
    expect(again.ref).toBe(ref)
    expect((await world.get(mr)).head_pipeline.id).toBe(again.id)
  })

  test('with a conflict runs on its head instead of merged results', async () => {
    const { world } = await openScripted([script({ kind: 'merged_results' })])
    await world.write('feature', 'README.md', 'feature', 'update')
    await world.write('master', 'README.md', 'master', 'update')
    await world.open('feature', 'Feature')
    expect((await world.get(mr)).head_pipeline.ref).toBe('refs/merge-requests/1/head')
  })
})

describe('by request', () => {
  test('a pipeline of a branch or of a merge request starts, where a script is for it', async () => {
    const { world, openFeature } = await openScripted([script({ branches: 'feature', kind: 'merge_request' })])
    await openFeature()
    expect(await world.post('/projects/1/pipeline', { ref: 'feature' })).toMatchObject({
      ref: 'feature',
      source: 'api',
    })
    expect(await world.post(`${mr}/pipelines`)).toMatchObject({ source: 'merge_request_event' })
    const missing = [400, { message: { base: ['Missing CI config file'] } }]
    expect(await world.answer('POST', '/projects/1/pipeline', { ref: 'master' })).toEqual(missing)
    const none = [400, { message: { base: ['Reference not found'] } }]
    expect(await world.answer('POST', '/projects/1/pipeline', { ref: 'none' })).toEqual(none)
    await world.sandbox.within(async (inside) => scriptPipelines(inside, 1, []))
    expect(await world.answer('POST', `${mr}/pipelines`)).toEqual(missing)
    await world.put(mr, { state_event: 'close' })
    expect(await world.status('POST', `${mr}/pipelines`)).toBe(405)
    const reporter = await world.member('reporter', 20)
    expect(await reporter.status('POST', `${mr}/pipelines`)).toBe(403)
  })

  test('a failed one runs again, a successful one stays', async () => {
    const { world, pass, statuses } = await openScripted([script({ ends: ['failed', 'success'] })])
    await world.write('feature', 'a.txt', 'a')
    await pass(10 * second)
    expect(await statuses()).toEqual(['failed'])
    expect((await world.post('/projects/1/pipelines/1/retry')).id).toBe(1)
    await pass(10 * second)
    expect(await statuses()).toEqual(['success'])
    await world.post('/projects/1/pipelines/1/retry')
    await pass(10 * second)
    expect(await statuses()).toEqual(['success'])
  })

  test('a running one is canceled for good; so are commit statuses', async () => {
    const { world, pass, statuses } = await openScripted([script()])
    const commit = await world.write('feature', 'a.txt', 'a')
    await pass(second)
    expect(await world.post('/projects/1/pipelines/1/cancel')).toMatchObject({ status: 'canceled' })
    await pass(10 * second)
    await world.post(`/projects/1/statuses/${commit.id}`, { state: 'running', ref: 'other' })
    await world.post('/projects/1/pipelines/2/cancel')
    expect(await statuses()).toEqual(['canceled', 'canceled'])
    expect(await world.list('status', `/projects/1/repository/commits/${commit.id}/statuses`)).toEqual(['canceled'])
    expect((await world.post('/projects/1/pipelines/2/cancel')).status).toBe('canceled')
    expect(await world.status('POST', '/projects/1/pipelines/99/cancel')).toBe(404)
  })
})

test('a sandbox that keeps its data goes on with the pipelines of before', async () => {
  const before = createVirtualClock()
  const world = await openKeptWorld(before)
  await world.done('POST', '/projects', { name: 'app' })
  await world.sandbox().within(async (inside) => scriptPipelines(inside, 1, [script()]))
  const actions = [{ action: 'create', file_path: 'a', content: 'a' }]
  await world.done('POST', '/projects/1/repository/commits', { branch: 'master', commit_message: 'A', actions })
  await world.stop()
  const after = createVirtualClock(before.now())
  await world.start(undefined, after)
  after.advance(10 * second)
  await world.sandbox().idle()
  expect(await world.done('GET', '/projects/1/pipelines')).toMatchObject([{ status: 'success' }])
})

test('commit statuses are part of the newest pipeline of their commit and branch, together with its jobs', async () => {
  const { world, pass, statuses } = await openScripted([script()])
  await world.write('feature', 'a.txt', 'a')
  const sha = (await world.get('/projects/1/repository/branches/feature')).commit.id
  const post = (state: string) => world.post(`/projects/1/statuses/${sha}`, { name: 'policy', state, ref: 'feature' })
  await post('pending')
  await pass(10 * second)
  const seen = [await statuses()]
  for (const state of ['success', 'failed', 'success']) {
    await post(state)
    seen.push(await statuses())
  }
  expect(seen).toEqual([['pending'], ['success'], ['failed'], ['success']])
})
