// Kill -9 at each thing that the bot does for a merge queue, and the loss of all that it stored. Run on each queue by the files beside it.
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../../src/client/create-client.ts'
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { always, type BotWorld, startBotWorld } from '../bot-world.ts'
import { type Running, startProgram } from '../process.ts'
import type { RelayedRequest } from '../relay.ts'
import { known } from '../world.ts'
import { queueRules } from './queue-world.ts'

const program = fileURLToPath(new URL('./serve-process.ts', import.meta.url))
/** For what a process does that has to start first. */
export const within = { timeout: 150_000, interval: 100 }
const changes = ({ method, path }: RelayedRequest) => method !== 'GET' && !path.endsWith('/git-upload-pack')
/** The target is protected from nothing; each build is green at once. */
const ci = [{ branches: 'bellhop/queue/*', kind: 'branch' as const, takes: 10, ends: ['success' as const] }]

interface QueueProcesses extends BotWorld {
  /** `other`: settings of this process alone. */
  start(other?: Record<string, string>): Running & { kill(): Promise<void> }
  states(): Promise<(string | undefined)[]>
  branches(): Promise<(string | undefined)[]>
  /** What the bot's account did to merge requests and their notes, by endpoint. */
  done(): Record<string, number>
}

/** Merge requests that are green, in a project with a hook; nothing runs yet. */
export async function startQueueProcesses(
  queueUrl: string | undefined,
  names: string[],
  settings = '',
): Promise<QueueProcesses> {
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
  await sandbox.within(async (its) => scriptPipelines(its, project, ci))
  const mergeRequests = await Promise.all(
    [...iids.values()].map(async (iid) => (await bot.mergeRequests.get({ id: project, merge_request_iid: iid })).body),
  )
  for (const { sha, source_branch: ref } of mergeRequests)
    await root.repository.statuses.create({
      id: project,
      sha: known(sha),
      ref: known(ref),
      state: 'success',
      name: 'ci',
    })
  const port = await freePort()
  const secret = 'secret-of-the-hook-of-this-test'
  const url = `http://127.0.0.1:${port}/hooks`
  await root.projects.hooks.create({
    id: project,
    url,
    token: secret,
    push_events: true,
    merge_requests_events: true,
    pipeline_events: true,
  })
  const environment = {
    BELLHOP_SERVICE_URL: options.serviceUrl,
    BELLHOP_SERVICE_TOKEN: options.token,
    BELLHOP_SERVICE_NAME: options.service,
    BELLHOP_HOOK_SECRET: secret,
    BELLHOP_ADMIN_TOKEN: 'admin-token-of-this-test-which-is-long',
    BELLHOP_PORT: String(port),
    BELLHOP_QUEUE_URL: options.queueUrl,
    BELLHOP_RULES: join(folder, 'no-rules'),
    BELLHOP_WORK_DIR: join(folder, 'work'),
    BELLHOP_NEW_RULE_LIMIT: '0',
    BELLHOP_SWEEP_EVERY: '2s',
  }
  const all: Running[] = []
  return {
    ...world,
    start(other = {}) {
      const given = JSON.stringify({ ...environment, ...other })
      const running = startProgram([process.execPath, '--import', 'tsx', program, given], {})
      all.push(running)
      const kill = async () => {
        running.child.kill('SIGKILL')
        await running.ended
      }
      return { ...running, kill }
    },
    states: async () =>
      Promise.all(
        [...iids.values()].map(
          async (iid) => (await bot.mergeRequests.get({ id: project, merge_request_iid: iid })).body.state,
        ),
      ),
    branches: async () =>
      (await bot.repository.branches.list({ id: project, search: '^bellhop/' })).body.map(({ name }) => name),
    done() {
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

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export const byAccept: [string, string] = ['by accept', '']
export const byPush: [string, string] = ['by a push', 'land: push']

/** `queueUrl` is asked when a test starts; undefined is the embedded queue. `forget` empties the store. */
export function restartsSuite(
  queueUrl: () => string | undefined,
  forget: (world: BotWorld) => Promise<void>,
  lands: [string, string][],
): void {
  let world: QueueProcesses | undefined
  afterEach(() => world?.close())

  describe('killed before and after everything that it does for the queue', () => {
    test.each(lands)(
      'it lands once %s, and leaves no branch',
      async (_how, settings) => {
        world = await startQueueProcesses(queueUrl(), ['one'], settings)
        const { proxy } = world
        let kills = 0
        const isOver = async () =>
          (await known(world).states())[0] === 'merged' && (await known(world).branches()).length === 0
        for (
          let when: 'before' | 'after' = 'before';
          !(await isOver());
          when = when === 'before' ? 'after' : 'before'
        ) {
          proxy.hold(when, changes)
          const bot = world.start()
          await vi.waitFor(
            async () => expect(proxy.held().length > 0 || (await isOver()), bot.stderr()).toBe(true),
            within,
          )
          await bot.kill()
          kills += 1
        }
        proxy.hold('nothing')
        // The new branch, the landing, and the end of the branch.
        expect(kills).toBeGreaterThanOrEqual(6)
        const { 'mergeRequests.accept': accepts, 'mergeRequests.notes.create': notes = 0 } = world.done()
        expect(accepts).toBe(settings === '' ? 1 : undefined)
        expect(notes).toBeLessThanOrEqual(1)
      },
      400_000,
    )
  })

  test('that lost all it stored, the queue fills again from the rules, and lands everything once', async () => {
    world = await startQueueProcesses(queueUrl(), ['one', 'two'])
    const { proxy } = world
    proxy.hold('before', ({ path, method }) => method === 'PUT' && path.endsWith('/merge'))
    const first = world.start()
    await vi.waitFor(() => expect(proxy.held(), first.stderr()).not.toEqual([]), within)
    await first.kill()
    await forget(world)
    proxy.hold('nothing')
    const second = world.start()
    await vi.waitFor(
      async () =>
        expect([await known(world).states(), await known(world).branches()], second.stderr()).toEqual([
          ['merged', 'merged'],
          [],
        ]),
      within,
    )
    expect(world.done()['mergeRequests.accept']).toBe(2)
  }, 400_000)
}

export const forgetEmbedded = async ({ options }: BotWorld) =>
  rm(options.queueUrl.replace('embedded:', ''), { recursive: true })
