// Kill -9 at each step of the bot for a merge queue, and the loss of all that it stored. Run on each queue.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../../../src/client/create-client.ts'
import { type NewScript, scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { startBuilt } from '../../built-program.ts'
import { eventually } from '../../eventually.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { freePort } from '../../servers/redis-server.ts'
import { always, type BotWorld, startBotWorld } from '../bot-world.ts'
import type { Running } from '../process.ts'
import type { RelayedRequest } from '../relay.ts'
import { known } from '../world.ts'
import { queueRules } from './queue-world.ts'

const changes = ({ method, path }: RelayedRequest) => method !== 'GET' && !path.endsWith('/git-upload-pack')
/** How the pipelines of a project end, and the settings of its queue. */
export interface Setting {
  settings?: string
  /** The first end for each pipeline is that of the first one, and so on. */
  ci?: Partial<NewScript>
  project?: { merge_method: 'ff' }
}

type QueueProcesses = Awaited<ReturnType<typeof startQueueProcesses>>

/** Merge requests that are green, in a project with a hook; nothing runs yet. */
export async function startQueueProcesses(
  queueUrl: string | undefined,
  names: string[],
  { settings = '', ci = {}, project: changes }: Setting = {},
) {
  const world = await startBotWorld(
    Object.fromEntries(names.map((name) => [name, { rule: always, does: 'x' }])),
    queueUrl,
  )
  const { sandbox, project, folder, options, iids, bot } = world
  const root = createClient({ baseUrl: sandbox.url, token: sandbox.token })
  await root.repository.commits.create({
    id: project,
    branch: 'master',
    commit_message: 'Add the rules of Bellhop',
    actions: [{ action: 'create', file_path: '.bellhop.yml', content: queueRules({ queue: settings }) }],
  })
  if (changes !== undefined) await root.projects.update({ id: project, name: 'App', ...changes })
  // The target is protected from nothing; where nothing else is said, each build is green at once.
  const script = { branches: 'bellhop/queue/*', kind: 'branch' as const, takes: 10, ends: ['success' as const], ...ci }
  await sandbox.within(async (its) => scriptPipelines(its, project, [script]))
  const readAll = () =>
    Promise.all(
      [...iids.values()].map(
        async (iid) => (await bot.mergeRequests.get({ id: project, merge_request_iid: iid })).body,
      ),
    )
  for (const { iid, sha, source_branch: ref = '' } of await readAll())
    if (script.kind === 'merge_request')
      await root.mergeRequests.createPipeline({ id: project, merge_request_iid: known(iid) })
    else
      await root.repository.statuses.create({ ...{ id: project, sha: known(sha), ref }, state: 'success', name: 'ci' })
  const { commit } = (await root.repository.branches.get({ id: project, branch: 'master' })).body
  // What is red on top of it is so by itself.
  const green = { id: project, sha: known(commit?.id), ref: 'master', state: 'success' as const, name: 'ci' }
  await root.repository.statuses.create(green)
  const port = await freePort()
  const secret = 'secret-of-the-hook-of-this-test'
  const url = `http://127.0.0.1:${port}/hooks`
  const events = { push_events: true, merge_requests_events: true, pipeline_events: true }
  await root.projects.hooks.create({ id: project, url, token: secret, ...events })
  const environment = {
    BELLHOP_SERVICE_URL: options.serviceUrl,
    BELLHOP_SERVICE_TOKEN: options.token,
    BELLHOP_HOOK_SECRET: secret,
    BELLHOP_ADMIN_TOKEN: 'admin-token-of-this-test-which-is-long',
    BELLHOP_PORT: String(port),
    BELLHOP_QUEUE_URL: options.queueUrl,
    BELLHOP_JOURNAL_URL: options.journalUrl,
    BELLHOP_RULES: join(folder, 'no-rules'),
    BELLHOP_WORK_DIR: join(folder, 'work'),
    BELLHOP_NEW_RULE_LIMIT: '0',
    BELLHOP_SWEEP_EVERY: '2s',
  }
  const all: Running[] = []
  return {
    ...world,
    /** The settings of each process. */
    environment,
    /** `other`: settings of this process alone. */
    async start(other: Record<string, string> = {}) {
      const given = JSON.stringify({ ...environment, ...other })
      const running = await startBuilt('test/system/merge-queue/serve-process.ts', [given])
      all.push(running)
      const kill = async () => {
        running.child.kill('SIGKILL')
        await running.ended
      }
      return { ...running, kill }
    },
    states: async () => (await readAll()).map(({ state }) => state),
    branches: async () =>
      (await bot.repository.branches.list({ id: project, search: '^bellhop/' })).body.map(({ name }) => name),
    /** The notes of all merge requests. */
    notes: async () => {
      const lists = [...iids.values()].map((iid) =>
        bot.mergeRequests.notes.list({ id: project, merge_request_iid: iid, per_page: 100 }),
      )
      return (await Promise.all(lists)).flatMap(({ body }) => body.map((note) => known(note.body)))
    },
    /** How many drafts of the queue are open. */
    drafts: async () =>
      (await bot.mergeRequests.list({ id: project, state: 'opened' })).body.filter(({ source_branch: branch }) =>
        branch?.startsWith('bellhop/'),
      ).length,
    /** What the bot's account did to merge requests and their notes, by endpoint. */
    done(): Record<string, number> {
      const applied = sandbox
        .calls()
        .filter(({ caller, method, applied: isDone }) => caller === world.botId && method !== 'GET' && isDone)
      return Object.fromEntries(
        applied.map(({ endpoint }) => [endpoint, applied.filter((each) => each.endpoint === endpoint).length]),
      )
    },
    async close() {
      for (const { child } of all) child.kill('SIGKILL')
      await Promise.all(all.map(({ ended }) => ended))
      await world.close()
    },
  }
}

export interface Story extends Setting {
  /** What becomes of one merge request, or of two. */
  what: string
  names?: string[]
  /** Where it is killed; before and after each change in turn where nothing is said. */
  kills?: ('before' | 'after')[]
  /** The change that this story alone has; where nothing is said, it is killed at every change. */
  at?: (request: RelayedRequest) => boolean
  leastKills: number
  /** Where nothing is said, everything is merged. */
  isOver?: (world: QueueProcesses) => Promise<boolean>
  accepts?: number
}

const isMerged = async (world: QueueProcesses) => (await world.states()).every((state) => state === 'merged')
/** The new branch, the landing, and the end of the branch. */
const leastKills = 6
export const byAccept: Story = { what: 'it lands once by accept', leastKills, accepts: 1 }
const afterwards = { kills: ['after' as const], leastKills: 3 }
export const byPush: Story = { what: 'it lands once by a push', settings: 'land: push', ...afterwards }
const successes = Array(99).fill('success' as const)
const isNote = ({ path }: RelayedRequest) => path.includes('/notes')
/** Its branch is made, it lands, and the branch is deleted. */
export const byAcceptBriefly: Story = { ...byAccept, at: (request) => changes(request) && !isNote(request) }
/** The push that makes the second branch, that of the first half. */
function makesHalf(): (request: RelayedRequest) => boolean {
  const made: string[] = []
  return ({ body }) => {
    const [, branch] = /0{40} [0-9a-f]{40} refs\/heads\/bellhop\/queue\/main\/(\d+)/.exec(body.toString('latin1')) ?? []
    if (branch !== undefined && !made.includes(branch)) made.push(branch)
    return branch !== undefined && branch === made[1]
  }
}
const otherStories: (Story & Required<Pick<Story, 'at'>>)[] = [
  {
    ...{ what: 'one that fails leaves, with one note', ...afterwards },
    ...{ settings: 'retries: 0', ci: { ends: ['failed'] } },
    at: (request) => isNote(request) && request.body.includes('removed'),
    isOver: async (world) => (await world.notes()).some((text) => text.includes('removed it: its pipeline')),
  },
  {
    ...{ what: 'a red batch is divided, and its halves land', ...afterwards, names: ['one', 'two'] },
    settings: 'land: push\nbatch: { most: 2, wait: 1h }\nspeculate: 1\nretries: 0',
    ci: { ends: ['failed', ...successes] },
    at: makesHalf(),
  },
  {
    ...{ what: 'a draft is opened for it, and it lands', ...afterwards, accepts: 1 },
    ...{ settings: 'pipelines: merge_request\nown_pipeline: false', ci: { branches: '**', kind: 'merge_request' } },
    at: ({ method, path }) => method === 'POST' && path.endsWith('/merge_requests'),
  },
  {
    ...{ what: 'it is rebased, and lands', ...afterwards, leastKills: 2, accepts: 1 },
    ...{ settings: 'test: rebase', ci: { branches: '**' }, project: { merge_method: 'ff' } },
    at: ({ path }) => path.endsWith('/rebase'),
  },
]
/** Killed only before and after the change that no other story has. */
export const brief: Story[] = otherStories.map((story) => ({ ...story, kills: ['before', 'after'], leastKills: 2 }))

/** `queueUrl` is asked when a test starts; undefined is the embedded queue. `forget` empties the store. */
export function restartsSuite(
  queueUrl: () => string | undefined,
  forget: (world: BotWorld) => Promise<void>,
  stories: Story[],
): void {
  let world: QueueProcesses | undefined
  afterEach(() => world?.close())

  test.each(stories)(
    'killed before and after everything that it does for the queue $what, and leaves no branch',
    async ({ names = ['one'], kills: points = ['before', 'after'], at = changes, isOver = isMerged, ...story }) => {
      world = await startQueueProcesses(queueUrl(), names, story)
      const { proxy, branches, drafts } = world
      // It is killed at each but once: what it did not come to store, it does again.
      const seen = new Set<string>()
      let kills = 0
      const isEnded = async () => (await isOver(known(world))) && (await branches()).length + (await drafts()) === 0
      while (!(await isEnded())) {
        const point = known(points[kills % points.length])
        proxy.hold(point, (request) => {
          const place = `${point} ${request.method} ${request.path} ${request.body.toString('latin1')}`
          const isNew = at(request) && !seen.has(place)
          seen.add(place)
          return isNew
        })
        const bot = await world.start()
        // Each look at the end takes git of the sandbox some time.
        let looks = 0
        const isAtEnd = async () => proxy.held().length > 0 || (++looks % 8 === 0 && (await isEnded()))
        await eventually(async () => expect(await isAtEnd(), bot.stderr()).toBe(true), 100)
        await bot.kill()
        kills += 1
      }
      proxy.hold('nothing')
      expect(kills).toBeGreaterThanOrEqual(story.leastKills)
      const { 'mergeRequests.accept': accepts, 'mergeRequests.notes.create': notes = 0 } = world.done()
      expect(accepts).toBe(story.accepts)
      expect(notes).toBeLessThanOrEqual(names.length)
      // What it said while it was tested is not left behind.
      const stale = async () => (await known(world).notes()).filter((text) => text.startsWith('Merge queue: Position'))
      if ((await stale()).length > 0) await world.start()
      await eventually(async () => expect(await stale()).toEqual([]), 100)
    },
    400_000,
  )

  test('that lost all it stored, the queue fills again from the rules, waits for an operator, and lands everything once', async () => {
    world = await startQueueProcesses(queueUrl(), ['one', 'two'])
    const { proxy } = world
    proxy.hold('before', ({ path, method }) => method === 'PUT' && path.endsWith('/merge'))
    const first = await world.start()
    await eventually(() => expect(proxy.held(), first.stderr()).not.toEqual([]), 100)
    await first.kill()
    await forget(world)
    proxy.hold('nothing')
    const second = await world.start()
    const { states, branches, environment } = world
    const ask = (path: string, method: string) =>
      fetch(`http://127.0.0.1:${environment.BELLHOP_PORT}/admin/api/merge-queues${path}`, {
        method,
        headers: { authorization: `Bearer ${environment.BELLHOP_ADMIN_TOKEN}` },
      })
    await eventually(async () => {
      const { items } = (await (await ask('', 'GET')).json()) as { items: { project: number; paused: object | null }[] }
      expect(items, second.stderr()).toMatchObject([{ paused: { reason: 'journal_new' } }])
      expect((await ask(`/${items[0]?.project}/master/resume`, 'POST')).status).toBe(202)
    }, 100)
    await eventually(async () => {
      expect([...(await states()), ...(await branches())], second.stderr()).toEqual(['merged', 'merged'])
    }, 100)
    expect(world.done()['mergeRequests.accept']).toBe(2)
  })
}

export async function forgetEmbedded({ options }: BotWorld): Promise<void> {
  const directory = options.queueUrl.replace('embedded:', '')
  await rm(directory, { recursive: true })
  await prepareQueue(directory)
}
