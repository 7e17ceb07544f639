// What comes in: bursts, two hooks for one event, hooks of single projects, and payloads that point elsewhere. Run on each queue by the files beside it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectSecrets } from '../../../src/bot/webhook/project-secrets.ts'
import { signedBy } from '../../bot/stores.ts'
import { liveMemory } from '../../live-memory.ts'
import { storedText } from '../stored-text.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const masterKey = 'a-master-key-of-thirty-two-characters'
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

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. `burst` is how many deliveries come, fifty at once, and the size of each. */
export function receivingSuite(queueUrl: () => string | undefined, burst: { count: number; bytes: number }): void {
  let world: TestWorld
  let elsewhere: Server
  const heard: string[] = []
  let next = 1

  beforeAll(async () => {
    const url = queueUrl()
    const settings = { BELLHOP_HOOK_MASTER_KEY: masterKey, BELLHOP_SWEEP_EVERY: '0' }
    world = await startTestWorld({ rules, settings, ...(url === undefined ? {} : { queueUrl: url }) })
    elsewhere = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
      response.end('{}')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    elsewhere.closeAllConnections()
    elsewhere.close()
    await world.end()
  })

  const tokenOf = (project: number) => projectSecrets([masterKey], project).tokens[0] ?? ''
  const send = async (path: string, token: string, payload: unknown) => {
    const response = await fetch(`${world.bellhop.url}/hooks${path}`, {
      method: 'POST',
      body: JSON.stringify(payload),
      headers: { 'content-type': 'application/json', 'x-gitlab-token': token },
    })
    const { id = '' } = (await response.json()) as { id?: string }
    return { status: response.status, id }
  }
  const open = async (title: string) => {
    const branch = `topic-${next++}`
    const { iid } = await world.openMergeRequest({
      as: world.people.alice,
      branch,
      title,
      files: { [`${branch}.md`]: title },
    })
    await world.settle()
    return iid
  }

  test('a burst of deliveries: each that is answered 202 is read, and memory stays bounded', async () => {
    const text = 'x'.repeat(burst.bytes)
    const answers: { status: number; id: string }[] = []
    const held: number[] = []
    let next = 0
    const sender = async () => {
      while (next < burst.count) {
        next += 1
        answers.push(await send('', world.hookSecret, { object_kind: 'moonrise', next, text }))
        // To collect garbage takes its time.
        if (answers.length % (burst.count / 10) === 0) held.push(await liveMemory())
      }
    }
    await Promise.all(Array.from({ length: 50 }, sender))
    await world.bellhop.bot.queues.deliveries.settled({ timeoutMs: 240_000 })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    const ids = new Set(answers.map(({ id }) => id))
    expect(ids.size).toBe(burst.count)
    const records = await Promise.all([...ids].map((id) => world.bellhop.journal.delivery(id)))
    expect(new Set(records.map((record) => record?.state))).toEqual(new Set(['no_merge_request']))
    // What the start has left is given back by the first tenth.
    const [first = 0, ...later] = held
    const grown = Math.max(...later) - first
    const sent = burst.count * burst.bytes
    const mb = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
    process.stdout.write(
      `burst: ${burst.count} deliveries of ${mb(sent)} kept and read, ${mb(grown)} of memory held more at most than after a tenth: ${held.map(mb)}\n`,
    )
    expect(grown).toBeLessThan(sent / 2)
  }, 300_000)

  describe.sequential('hooks of one project', () => {
    test('two hooks of one project that report the same comment count once', async () => {
      const iid = await open('Two hooks')
      const hook = await world.service.projects.hooks.create({
        id: world.project,
        url: `${world.bellhop.url}/hooks/${world.project}`,
        token: tokenOf(world.project),
        note_events: true,
        merge_requests_events: true,
      })
      await world
        .as(world.people.alice)
        .mergeRequests.notes.create({ id: world.project, merge_request_iid: iid, body: 'Hello' })
      await world.settle()
      await world.service.projects.hooks.delete({ id: world.project, hook_id: hook.body.id ?? 0 })
      const log = world.log.filter(
        ({ event, mergeRequest }) => event === 'duplicate_event' && mergeRequest?.endsWith(`!${iid}`),
      )
      expect(log.length).toBeGreaterThan(0)
      expect((await world.mergeRequest(iid)).time_stats?.total_time_spent).toBe(300)
      expect(world.calls(iid).filter(({ action }) => action === 'spend')).toHaveLength(1)
    })

    test('two hooks that report the same comment, the second when the first is judged, count once and cost one evaluation', async () => {
      const iid = await open('Two hooks apart')
      const { id, username } = world.people.alice
      const comment = {
        object_kind: 'note',
        ...{ user: { id, username }, project: { id: world.project }, merge_request: { iid } },
        object_attributes: { id: 4711, note: 'Hello', noteable_type: 'MergeRequest', action: 'create' },
      }
      const tell = async (path: string, token: string) => {
        const before = world.log.length
        expect((await send(path, token, comment)).status).toBe(202)
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
      process.stdout.write(
        `two hooks apart: ${first.methods.length} calls for the first, ${second.methods.length} for the second\n`,
      )
      expect(first.methods.filter((method) => method !== 'GET')).toHaveLength(1)
      expect(second).toEqual({ methods: [], enqueued: 0 })
      expect((await world.mergeRequest(iid)).time_stats?.total_time_spent).toBe(300)
    })

    test('a project’s secret opens its own address, and moves nothing in another project', async () => {
      const iid = await open('Label me not')
      const before = (await world.decisions(iid)).length
      const about = {
        object_kind: 'merge_request',
        project: { id: world.project },
        object_attributes: { iid, action: 'update' },
      }
      expect((await send(`/${world.project}`, tokenOf(9_999), about)).status).toBe(401)
      const { status, id } = await send('/9999', tokenOf(9_999), about)
      expect(status).toBe(202)
      await world.settle()
      expect(await world.bellhop.journal.delivery(id)).toMatchObject({ state: 'refused' })
      expect(await world.decisions(iid)).toHaveLength(before)
      expect((await send(`/${world.project}`, tokenOf(world.project), about)).status).toBe(202)
      await world.settle()
      expect((await world.decisions(iid)).length).toBeGreaterThan(before)
    })
  })

  test('no secret is in the queue, the journal or the log', async () => {
    const signing = projectSecrets([masterKey], world.project).signing[0] ?? ''
    const body = JSON.stringify({ object_kind: 'moonrise', text: 'a marked body' })
    const signed = signedBy(signing, { id: 'signed', timestamp: Math.floor(Date.now() / 1000), body })
    const ways: [string, Record<string, string>][] = [
      ['', { 'x-gitlab-token': world.hookSecret }],
      [`/${world.project}`, { 'x-gitlab-token': tokenOf(world.project) }],
      [`/${world.project}`, signed],
    ]
    for (const [path, headers] of ways) {
      const response = await fetch(`${world.bellhop.url}/hooks${path}`, { method: 'POST', body, headers })
      expect(response.status).toBe(202)
      await response.body?.cancel()
    }
    await world.settle()
    const kept = await storedText(world.bellhop.queue.store)
    expect(kept).toContain('a marked body')
    const tokens = Object.values(world.people).map(({ token }) => token)
    const secrets = [
      masterKey,
      signing,
      tokenOf(world.project),
      world.hookSecret,
      world.adminToken,
      world.rootToken,
      ...tokens,
    ]
    for (const secret of [...secrets, signed['webhook-signature']]) {
      expect(kept.includes(secret)).toBe(false)
      expect(world.rawLog.some((line) => line.includes(secret))).toBe(false)
    }
  })

  test('addresses in a payload are never called: the API’s address is of the configuration alone', async () => {
    const iid = await open('Label this')
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
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
    expect((await world.mergeRequest(iid)).labels).toEqual(['seen'])
    expect(heard).toEqual([])
  })
}
