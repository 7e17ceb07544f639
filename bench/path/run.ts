// What a green pipeline passes until the accept call: files, functions, decisions, journal operations and SQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clone, cloneProject } from '../../src/cli/demo/small-world.ts'
import { type Client, createClient } from '../../src/client/create-client.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { botEnvironment, hookSecret } from '../bot.ts'
import { type Bench, rowOf } from '../row.ts'
import { type Passed, passedIn } from './passed.ts'

const rootToken = 'root-token-of-the-bench'
const target = 'master'
const rules = `version: 1
rules:
  - name: merge what is green
    if: { pipeline: success, draft: false }
    then: { accept: true }
`
/** Nothing else happens in this world: what is left after the merge is the decision's own end. */
const endsWithinMs = 2_000

/** What one delivery may pass at most. */
const most = { files: 120, functions: 380, decisions: 4, journal: 12, transactions: 6 }

export const bench: Bench = {
  about: 'what one green pipeline passes until its merge request is accepted: files, functions, journal, SQL',
  async measure({ say }) {
    const passed = await passedByOneDelivery()
    say(`the ten files with the most calls: ${passed.busiest.join(', ')}`)
    const row = (what: string, value: number, bound: number) =>
      rowOf({ name: 'one green pipeline, accepted', what, beside: 'at most', unit: '', aim: { most: 1 } }, [
        [value, bound],
      ])
    return [
      row('files', passed.files, most.files),
      row('functions', passed.functions, most.functions),
      row('runs of decide', passed.decisions, most.decisions),
      row('journal operations', passed.journal, most.journal),
      row('transactions, without BullMQ’s', passed.transactions, most.transactions),
      rowOf({ name: 'its SQL statements', what: 'Bellhop', beside: 'BullMQ', unit: '' }, [
        [passed.statements, passed.queueStatements],
      ]),
    ]
  },
}

async function passedByOneDelivery(): Promise<Passed> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-path-'))
  const sandbox = await startSandbox({ rootToken, folder: join(folder, 'sandbox') })
  const service = createClient({ baseUrl: sandbox.url, token: rootToken })
  const environment = botEnvironment({ queue: `embedded:${join(folder, 'bot')}`, rules: '', service: sandbox.url })
  const { BELLHOP_RULES: _, ...settings } = environment
  const bot = spawn(process.execPath, [join(import.meta.dirname, 'bot.mjs'), 'serve'], {
    env: { ...settings, BELLHOP_SERVICE_TOKEN: rootToken, BELLHOP_NEW_RULE_LIMIT: '0', BELLHOP_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    const merge = await openMergeRequest(service, { botUrl: await addressOf(bot), folder: join(folder, 'clone') })
    await answerOf(bot, 'start')
    await merge()
    await sleep(endsWithinMs)
    return passedIn((await answerOf(bot, 'take')) as Parameters<typeof passedIn>[0])
  } finally {
    bot.kill('SIGTERM')
    await once(bot, 'close')
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function addressOf(bot: ChildProcess): Promise<string> {
  let printed = ''
  for await (const bytes of bot.stdout ?? []) {
    printed += String(bytes)
    const [, url] = /^bellhop: (\S+)$/m.exec(printed) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the bot ended before it was ready: ${printed}`)
}

async function answerOf(bot: ChildProcess, request: 'start' | 'take'): Promise<unknown> {
  const answer = once(bot, 'message')
  bot.send(request)
  return (await answer)[0]
}

/** Opens one whose rules are known to the bot. Returns what makes its pipeline green, and waits for the merge. */
async function openMergeRequest(
  service: Client,
  { botUrl, folder }: { botUrl: string; folder: string },
): Promise<() => Promise<void>> {
  const { body: project } = await service.projects.create({ name: 'App' })
  const id = Number(project.id)
  const root = { username: 'root', token: rootToken }
  const clone: Clone = await cloneProject(String(project.http_url_to_repo), folder, root)
  const push = (branch: string, path: string, content: string) =>
    clone.push({ as: root, branch, files: { [path]: content }, message: path })
  await push(target, '.bellhop.yml', rules)
  const { body: hook } = await service.projects.hooks.create({
    ...{ id, url: `${botUrl}/hooks`, token: hookSecret },
    ...{ push_events: true, merge_requests_events: true, pipeline_events: true },
  })
  const open = async (branch: string) => {
    await push(branch, `${branch}.txt`, `${branch}\n`)
    const made = await service.mergeRequests.create({ id, source_branch: branch, target_branch: target, title: branch })
    return async () => {
      const { body } = await service.mergeRequests.get({ id, merge_request_iid: Number(made.body.iid) })
      await service.repository.statuses.create({ id, sha: String(body.sha), ref: branch, state: 'success', name: 'ci' })
      while ((await service.mergeRequests.get({ id, merge_request_iid: Number(body.iid) })).body.state !== 'merged')
        await sleep(20)
    }
  }
  // The first one of a process also reads rules, loads modules and makes connections.
  const first = await open('first')
  await first()
  const second = await open('second')
  await sleep(endsWithinMs)
  // The deliveries of the merge are others.
  await service.projects.hooks.update({
    ...{ id, hook_id: Number(hook.id), url: `${botUrl}/hooks` },
    ...{ push_events: false, merge_requests_events: false, pipeline_events: true },
  })
  return second
}
