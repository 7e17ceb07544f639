// Kill -9 between a call and what is remembered of it: each effect is there exactly once in the end. Run on each queue by the files beside it.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cloneProject } from '../../src/cli/demo/git-work.ts'
import { type Client, createClient } from '../../src/client/create-client.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import type { BotProcessOptions } from './bot-process.ts'
import { type HoldingProxy, startHoldingProxy } from './holding-proxy.ts'

const onEvent = (branch: string, does: string) => `
  - name: ${branch}
    on: merge_request.update
    if: { source_branch: ${branch} }
    then: ${does}`
const always = (branch: string, does: string) => `
  - name: ${branch}
    if: { source_branch: ${branch} }
    then: ${does}`

/** A merge request for each, whose source branch has its name, and what is seen of it in the end. */
const cases: Record<string, { rule: (branch: string, does: string) => string; does: string; shows: object }> = {
  spend: { rule: onEvent, does: '{ spend: 15m }', shows: { time_stats: { total_time_spent: 900 } } },
  comment: { rule: always, does: '{ comment: "Thank you." }', shows: { user_notes_count: 1 } },
  'comment-on': { rule: onEvent, does: '{ comment: "Seen: {{ title }}" }', shows: { user_notes_count: 1 } },
  label: { rule: always, does: '{ label: { add: seen } }', shows: { labels: ['seen'] } },
  'label-on': { rule: onEvent, does: '{ label: { set: seen } }', shows: { labels: ['seen'] } },
  approve: { rule: always, does: '{ approve: true }', shows: { state: 'opened' } },
  subscribe: { rule: always, does: '{ subscribe: true }', shows: { subscribed: true } },
  'todo-on': { rule: onEvent, does: '{ todo: true }', shows: { state: 'opened' } },
  'update-on': { rule: onEvent, does: '{ update: { title: "Draft: {{ title }}" } }', shows: { title: 'Draft: update-on' } },
  'close-on': { rule: onEvent, does: '{ close: true }', shows: { state: 'closed' } },
  accept: { rule: always, does: '{ accept: { pipeline: none } }', shows: { state: 'merged' } },
}
const names = Object.keys(cases)

interface World {
  folder: string
  sandbox: Sandbox
  proxy: HoldingProxy
  bot: Client
  botId: number
  project: number
  iids: Map<string, number>
  options: BotProcessOptions
}

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function killedSuite(queueUrl: () => string | undefined): void {
  let world: World
  beforeAll(async () => {
    world = await startWorld(queueUrl())
  })
  afterAll(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    world.proxy.close()
    await world.sandbox.close()
    await rm(world.folder, { recursive: true, force: true })
  })

  test('what was interrupted by kill -9, before or after the service did it, is done once in the end', async () => {
    const { proxy, options, sandbox } = world
    let kills = 0
    let mail = options.mail
    for (const hold of ['before', 'after'] as const) {
      proxy.hold(hold)
      const left = names.length - effects(world).size
      const killed = start({ ...options, mail })
      // Each waits for its own call, and has made no other.
      await vi.waitFor(() => expect(proxy.held(), killed.stderr()).toHaveLength(left), { timeout: 150_000, interval: 20 })
      await killed.kill()
      kills += proxy.held().length
      mail = []
    }
    proxy.hold('nothing')
    const last = start({ ...options, mail })
    expect(await last.ended, last.stderr()).toBe(0)
    expect(JSON.parse(last.stdout())).toEqual({ failed: 0 })

    for (const name of names) {
      const { body } = await world.bot.mergeRequests.get({ id: world.project, merge_request_iid: world.iids.get(name) ?? 0 })
      expect(body, name).toMatchObject(cases[name]?.shows ?? {})
    }
    const done = effects(world)
    const doubled = names.filter((name) => (done.get(name) ?? 0) > 1)
    const lost = names.filter((name) => !done.has(name))
    process.stdout.write(
      `${queueUrl() === undefined ? 'embedded' : 'Redis'}: ${kills} kills, ${doubled.length} doubled, ${lost.length} lost (${sandbox.calls().length} calls)\n`,
    )
    expect({ doubled, lost }).toEqual({ doubled: [], lost: [] })
    expect(kills).toBe(2 * names.length)

    // Woken once more by an event that counted before: nothing is left to do.
    const before = sandbox.calls().length
    const again = start(options)
    expect(await again.ended, again.stderr()).toBe(0)
    expect(sandbox.calls().length).toBeGreaterThan(before)
    expect(effects(world)).toEqual(done)
  }, 400_000)
}

/** How often the bot changed each merge request, by the service's own record; what was so already is no change. */
function effects({ sandbox, botId, iids }: World): Map<string, number> {
  const done = new Map<string, number>()
  for (const { caller, method, applied, status, params } of sandbox.calls()) {
    if (caller !== botId || method === 'GET' || !applied || status === 304) continue
    const name = names.find((each) => iids.get(each) === params.merge_request_iid) ?? `of ${String(params.merge_request_iid)}`
    done.set(name, (done.get(name) ?? 0) + 1)
  }
  return done
}

async function startWorld(queueUrl: string | undefined): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-killed-'))
  const rootToken = 'root-token-of-this-test'
  const sandbox = await startSandbox({ rootToken, folder: join(folder, 'sandbox'), recordCalls: true })
  const root = createClient({ baseUrl: sandbox.url, token: rootToken })
  const person = async (username: string) => {
    const { id = 0 } = (await root.users.create({ username, name: username, email: `${username}@example.com` })).body
    const { token = '' } = (await root.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
    return { id, username, token }
  }
  const [bellhop, alice] = [await person('bellhop'), await person('alice')]
  const { id: project = 0, http_url_to_repo: url = '' } = (await root.projects.create({ name: 'App', path: 'app' })).body
  for (const { id } of [bellhop, alice]) await root.projects.members.add({ id: project, user_id: id, access_level: 40 })
  const clone = await cloneProject(url, join(folder, 'clone'), alice)
  await clone.push({ as: alice, branch: 'master', files: { 'README.md': '# App\n' }, message: 'Begin' })
  const author = createClient({ baseUrl: sandbox.url, token: alice.token })
  const iids = new Map<string, number>()
  for (const branch of names) {
    await clone.push({ as: alice, branch, from: 'master', files: { [`${branch}.md`]: `${branch}\n` }, message: branch })
    const made = await author.mergeRequests.create({ id: project, source_branch: branch, target_branch: 'master', title: branch })
    iids.set(branch, made.body.iid ?? 0)
  }
  await sandbox.idle()

  const rules = join(folder, 'rules')
  await mkdir(rules)
  const all = Object.entries(cases).map(([branch, { rule, does }]) => rule(branch, does))
  await writeFile(join(rules, 'test.yml'), `version: 1\nrules:${all.join('\n')}\n`)
  const proxy = await startHoldingProxy(sandbox.url)
  const service = 'killed'
  const event = { kind: 'merge_request.update', actor: { id: alice.id, username: 'alice' }, at: new Date().toISOString(), project }
  const mail = [...iids.values()].map((iid) => ({
    mergeRequest: { service, project, iid },
    entry: { deliveryId: `d-${iid}`, event: { ...event, iid } },
  }))
  return {
    ...{ folder, sandbox, proxy, botId: bellhop.id, project, iids },
    bot: createClient({ baseUrl: sandbox.url, token: bellhop.token }),
    options: {
      queueUrl: queueUrl ?? `embedded:${join(folder, 'queue')}`,
      ...{ serviceUrl: proxy.url, token: bellhop.token, service, rules, mail },
    },
  }
}

const children: ChildProcess[] = []
const program = fileURLToPath(new URL('./bot-process.ts', import.meta.url))

function start(options: BotProcessOptions) {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (bytes) => {
    stdout += String(bytes)
  })
  child.stderr?.on('data', (bytes) => {
    stderr += String(bytes)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { ended, kill, stdout: () => stdout, stderr: () => stderr }
}
