// Two hooks for one event, a project's own hook, payloads that point elsewhere. On Redis only (backend-independent).
import { createServer, type Server } from 'node:http'
import { listening } from '../../listening.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'
import { masterKey, send, tokenOf } from './receiving.suite.ts'

const rules = `
version: 1
rules:
  - name: charge each comment
    on: note.create
    then: { spend: 5m }
  - name: label
    if: { title: { matches: "^Label" } }
    then: { label: { add: seen } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  let elsewhere: Server
  let url: string
  const heard: string[] = []

  beforeAll(async () => {
    const settings = { BELLHOP_HOOK_MASTER_KEY: masterKey }
    world = await startTestWorld({ rules, settings, queueUrl: queueUrl() })
    elsewhere = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
      response.end('{}')
    })
    url = await listening(elsewhere)
  })
  afterAll(async () => {
    elsewhere.closeAllConnections()
    elsewhere.close()
    await world.end()
  })

  describe.sequential('hooks of one project', () => {
    test('two hooks that report the same comment, the second when the first is evaluated, count once and cost one evaluation', async () => {
      const { iid } = await world.open('Two hooks apart')
      const { id, username } = world.people.alice
      const comment = {
        object_kind: 'note',
        ...{ user: { id, username }, project: { id: world.project }, merge_request: { iid } },
        object_attributes: { id: 4711, note: 'Hello', noteable_type: 'MergeRequest', action: 'create' },
      }
      const tell = async (path: string, token: string) => {
        const before = world.log.length
        expect((await send(world, path, token, comment)).status).toBe(202)
        await world.settle()
        const since = world.log.slice(before)
        const methods = since.filter(({ event }) => event === 'request').map(({ method }) => method)
        return {
          methods,
          enqueued: since.filter(({ event, mergeRequest }) => event === 'decided' && mergeRequest?.endsWith(`!${iid}`))
            .length,
        }
      }
      const first = await tell('', world.hookSecret)
      const second = await tell(`/${world.project}`, tokenOf(world.project))
      expect(first.methods.filter((method) => method !== 'GET')).toHaveLength(1)
      expect(second).toEqual({ methods: [], enqueued: 0 })
      expect((await world.mergeRequest(iid)).time_stats?.total_time_spent).toBe(300)
    })

    test('a project’s secret opens its own address, and moves nothing in another project', async () => {
      const { iid } = await world.open('Label me not')
      const before = (await world.decisions(iid)).length
      const about = {
        object_kind: 'merge_request',
        project: { id: world.project },
        object_attributes: { iid, action: 'update' },
      }
      expect((await send(world, `/${world.project}`, tokenOf(9_999), about)).status).toBe(401)
      const { status, id } = await send(world, '/9999', tokenOf(9_999), about)
      expect(status).toBe(202)
      await world.settle()
      expect(await world.bellhop.journal.deliveries.find(id)).toMatchObject({ state: 'refused' })
      expect(await world.decisions(iid)).toHaveLength(before)
      expect((await send(world, `/${world.project}`, tokenOf(world.project), about)).status).toBe(202)
      await world.settle()
      expect((await world.decisions(iid)).length).toBeGreaterThan(before)
    })
  })

  test('addresses in a payload are never called: the API’s address is of the configuration alone', async () => {
    const { iid } = await world.open('Label this')
    const urls = {
      url,
      web_url: url,
      git_http_url: url,
      git_ssh_url: url,
      http_url: url,
      homepage: url,
      avatar_url: url,
      namespace: url,
    }
    const pointing = (kind: string, more: object) => ({
      object_kind: kind,
      ...{
        user: { id: 1, username: 'root', ...urls },
        project: { id: world.project, path_with_namespace: url, ...urls },
      },
      ...{ repository: urls, instance: url, ...more },
    })
    const payloads = [
      pointing('merge_request', { object_attributes: { iid, action: 'update', source: urls, target: urls, ...urls } }),
      pointing('note', {
        object_attributes: { id: 1, noteable_type: 'MergeRequest', note: '@bellhop why', ...urls },
        merge_request: { iid, ...urls },
      }),
      pointing('push', { ref: 'refs/heads/master', before: 'a'.repeat(40), after: 'b'.repeat(40), ...urls }),
      pointing('pipeline', {
        object_attributes: { id: 1, ref: 'x', sha: 'a'.repeat(40), status: 'success', ...urls },
        commit: urls,
      }),
    ]
    for (const payload of payloads) {
      const response = await fetch(`${world.bellhop.url}/hooks`, {
        method: 'POST',
        body: JSON.stringify(payload),
        headers: {
          'x-gitlab-token': world.hookSecret,
          'x-gitlab-instance': url,
          origin: url,
          referer: url,
          'x-forwarded-host': url,
        },
      })
      expect(response.status).toBe(202)
      await response.body?.cancel()
    }
    await world.settle()
    // They were read, and led to calls of the service that is configured.
    expect(await world.labels(iid)).toEqual(['seen'])
    expect(heard).toEqual([])
  })
})
