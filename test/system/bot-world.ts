// Shared by tests that kill or freeze the bot: a service with a merge request for each case, and the bot as a process.
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneProject } from '../../src/cli/demo/small-world.ts'
import { createClient } from '../../src/client/create-client.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { botJournalUrl } from '../bot-journal.ts'
import { startBuilt } from '../built-program.ts'
import { prepareQueue } from '../prepared-database.ts'
import type { BotProcessOptions } from './bot-process.ts'
import { startHoldingRelay } from './holding-relay.ts'

export interface Case {
  /** `onEvent` or `always`. */
  rule: (branch: string, does: string) => string
  does: string
}

export const onEvent = (branch: string, does: string) => `
  - name: ${branch}
    on: merge_request.update
    if: { source_branch: ${branch} }
    then: ${does}`
export const always = (branch: string, does: string) => `
  - name: ${branch}
    if: { source_branch: ${branch} }
    then: ${does}`

export type BotWorld = Awaited<ReturnType<typeof startBotWorld>>

/** Nothing runs yet. Each case names its merge request's source branch. Without `queueUrl` the queue is embedded. */
export async function startBotWorld(cases: Readonly<Record<string, Case>>, queueUrl: string | undefined) {
  const names = Object.keys(cases)
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-killed-'))
  const rootToken = 'root-token-of-this-test'
  const sandbox = await startSandbox({ rootToken, folder: join(folder, 'sandbox'), recordCalls: true })
  const root = createClient({ baseUrl: sandbox.url, token: rootToken })
  const person = async (username: string) => {
    const { id = 0 } = (await root.users.create({ username, name: username, email: `${username}@example.com` })).body
    const { token = '' } = (await root.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
    return { id, username, token }
  }
  const [bellhop, alice, other] = [await person('bellhop'), await person('alice'), await person('doorman')]
  const { id: project = 0, http_url_to_repo: url = '' } = (
    await root.projects.create({ name: 'App', path: 'app', visibility: 'public' })
  ).body
  for (const { id } of [bellhop, alice, other])
    await root.projects.members.add({ id: project, user_id: id, access_level: 40 })
  const clone = await cloneProject(url, join(folder, 'clone'), alice)
  await clone.push({ as: alice, branch: 'master', files: { 'README.md': '# App\n' }, message: 'Begin' })
  const author = createClient({ baseUrl: sandbox.url, token: alice.token })
  const iids = new Map<string, number>()
  for (const branch of names) {
    await clone.push({ as: alice, branch, from: 'master', files: { [`${branch}.md`]: `${branch}\n` }, message: branch })
    const made = await author.mergeRequests.create({
      id: project,
      source_branch: branch,
      target_branch: 'master',
      title: branch,
    })
    iids.set(branch, made.body.iid ?? 0)
  }
  await sandbox.idle()

  const rules = join(folder, 'rules')
  await mkdir(rules)
  const all = Object.entries(cases).map(([branch, { rule, does }]) => rule(branch, does))
  await writeFile(join(rules, 'test.yml'), `version: 1\nrules:${all.join('\n')}\n`)
  const proxy = await startHoldingRelay(sandbox.url)
  const event = {
    kind: 'merge_request.update',
    actor: { id: alice.id, username: 'alice' },
    at: new Date().toISOString(),
    project,
  }
  const mail = [...iids.values()].map((iid) => ({
    mergeRequest: { project, iid },
    entry: { deliveryId: `d-${iid}`, event: { ...event, iid } },
  }))
  const close = async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    proxy.close()
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    ...{ folder, sandbox, proxy, botId: bellhop.id, project, iids, close },
    /** Another user of the service that may approve. */
    other,
    bot: createClient({ baseUrl: sandbox.url, token: bellhop.token }),
    options: {
      queueUrl: queueUrl ?? (await prepareQueue(join(folder, 'queue'))),
      journalUrl: await botJournalUrl(queueUrl),
      ...{ serviceUrl: proxy.url, token: bellhop.token, rules, mail },
    },
  }
}

const children: ChildProcess[] = []

/** Starts the bot as a process, which ends when nothing is left to do. */
export async function startBotProcess(options: BotProcessOptions) {
  const running = await startBuilt('test/system/bot-process.ts', [JSON.stringify(options)])
  const { child, stdout, stderr } = running
  children.push(child)
  const ended = running.ended.then(({ code }) => code)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { child, ended, kill, stdout, stderr }
}
