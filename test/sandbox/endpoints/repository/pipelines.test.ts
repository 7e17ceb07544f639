// Commit statuses and pipelines through the API.
import { scriptPipelines } from '../../../../src/sandbox/pipelines/scripted-ci.ts'
import { eachCase, openProject } from '../../sandbox-world.ts'

/** A project whose head has statuses of two names, one of them tried twice. */
async function withStatuses() {
  const world = await openProject({ visibility: 'public' })
  const { id: sha } = (await world.get('/projects/1/repository/branches/master')).commit
  const post = (body: Record<string, unknown>) => world.post(`/projects/1/statuses/${sha}`, body)
  await post({ name: 'build', state: 'failed' })
  await post({ name: 'build', state: 'success' })
  await post({ name: 'test', state: 'running' })
  return { world, sha, post }
}

describe('statuses of a commit', () => {
  test('statuses are filtered by name, ref and retries', async () => {
    const { world, sha } = await withStatuses()
    await eachCase(
      [
        ['', ['build success', 'test running']],
        ['?all=true', ['build failed', 'build success', 'test running']],
        ['?name=test', ['test running']],
        ['?ref=refs/heads/master&name=build', ['build success']],
        ['?ref=other', []],
        ['?all=true&per_page=1&page=2', ['build success']],
      ],
      async ([query, wanted]) => {
        const found = await world.get(`/projects/1/repository/commits/${sha}/statuses${query}`)
        expect(found.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual(wanted)
      },
    )
  })

  test('of an unknown commit are not found', async () => {
    const { world } = await withStatuses()
    expect(await world.status('GET', '/projects/1/repository/commits/none/statuses')).toBe(404)
  })

  test('are posted to the pipeline that is named, and to no other', async () => {
    const { world, sha, post } = await withStatuses()
    const other = await post({ name: 'lint', state: 'success', ref: 'release' })
    expect(other.pipeline_id).toBe(2)
    expect((await post({ name: 'docs', state: 'success', pipeline_id: 2 })).ref).toBe('release')
    expect(
      await world.answer('POST', `/projects/1/statuses/${sha}`, {
        state: 'success',
        pipeline_id: 2,
        ref: 'master',
      }),
    ).toEqual([404, { message: '404 Pipeline for pipeline_id, sha and ref Not Found' }])
    expect(await world.status('POST', `/projects/1/statuses/${sha}`, { state: 'success', pipeline_id: 99 })).toBe(404)
  })

  test('do not begin twice', async () => {
    const { world, sha, post } = await withStatuses()
    const answer = (state: string) => world.answer('POST', `/projects/1/statuses/${sha}`, { name: 'test', state })
    for (const [state, event] of [
      ['running', 'run'],
      ['pending', 'enqueue'],
    ])
      expect(await answer(String(state))).toEqual([
        400,
        {
          message: `Cannot transition status via :${event} from :running (Reason(s): Status cannot transition via "${event}")`,
        },
      ])
    expect((await post({ name: 'test', state: 'success' })).status).toBe('success')
    expect((await post({ name: 'test', state: 'pending' })).status).toBe('pending')
  })
})

describe('pipelines', () => {
  test('are listed newest first, filtered, and read one by one', async () => {
    const { world, sha, post } = await withStatuses()
    await post({ name: 'lint', state: 'success', ref: 'release' })
    const ids = async (query: string) => await world.list('id', `/projects/1/pipelines${query}`)
    expect(await ids('')).toEqual([2, 1])
    expect(await ids('?ref=master')).toEqual([1])
    expect(await ids('?status=success')).toEqual([2])
    expect(await ids(`?sha=${sha}&ref=refs/heads/release`)).toEqual([2])
    expect(await ids(`?sha=${'0'.repeat(40)}`)).toEqual([])
    expect(await world.get('/projects/1/pipelines/1')).toEqual({
      web_url: expect.stringMatching(/\/root\/app\/-\/pipelines\/1$/),
      project_id: 1,
      id: 1,
      sha,
      ref: 'master',
      status: 'running',
      source: 'external',
      iid: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await world.status('GET', '/projects/1/pipelines/3')).toBe(404)
  })

  test('of a script have one job, which ends as they do; those of statuses have none', async () => {
    const { world } = await withStatuses()
    const script = { branches: 'topic', kind: 'branch' as const, takes: 0, ends: ['failed' as const] }
    await world.sandbox.within(async (inside) => scriptPipelines(inside, 1, [script]))
    await world.write('topic', 'a.txt', 'a')
    await world.idle()
    const [{ id }] = await world.get('/projects/1/pipelines?ref=topic')
    const jobs = (query = '', of = id) => world.get(`/projects/1/pipelines/${of}/jobs${query}`)
    await vi.waitFor(async () =>
      expect(await jobs('?scope[]=failed&scope[]=canceled')).toEqual([
        {
          id,
          name: 'test',
          status: 'failed',
          allow_failure: false,
          web_url: expect.stringMatching(/app\/-\/jobs\/\d+$/),
        },
      ]),
    )
    expect([await jobs('?scope[]=success'), await jobs('', 1)]).toEqual([[], []])
    expect(await world.status('GET', '/projects/1/pipelines/99/jobs')).toBe(404)
  })

  test('of a public project are for everyone, unless public_jobs is off: then for members', async () => {
    const { world, sha } = await withStatuses()
    const paths = [
      '/projects/1/pipelines',
      '/projects/1/pipelines/1',
      '/projects/1/pipelines/1/jobs',
      `/projects/1/repository/commits/${sha}/statuses`,
    ]
    const ann = await world.user('ann')
    const statuses = async (token: string | null) =>
      Promise.all(paths.map(async (path) => await world.status('GET', path, undefined, token)))
    expect(await statuses(null)).toEqual([200, 200, 200, 200])
    await world.put('/projects/1', { name: 'app', public_jobs: false })
    expect(await statuses(null)).toEqual([403, 403, 403, 403])
    expect(await statuses(ann.token)).toEqual([403, 403, 403, 403])
    await world.join(ann, 10)
    expect(await statuses(ann.token)).toEqual([200, 200, 200, 200])
  })
})
