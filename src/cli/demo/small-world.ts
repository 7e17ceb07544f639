// A small world for demo and tests: sandbox, bot, people, a project with a hook, and verbs.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Client, createClient } from '../../client/create-client.ts'
import { isRedisUrl } from '../../queue/redis/target.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts'
import { known } from '../scenario/people.ts'
import { type Bellhop, type StartOptions, startBellhop } from '../server/start-bellhop.ts'
import { readConfig } from '../settings/config.ts'
import type { Config } from '../settings/settings.ts'
import { type Clone, cloneProject, type DemoPerson } from './git-work.ts'

interface SmallWorldOptions {
  /** The folder for all data; the caller removes it. */
  folder: string
  queueUrl: string
  /** The project's `.bellhop.yml`. */
  rules: string
  /** Creates the bot's log; it must not show the secrets. */
  createLog: (secrets: readonly string[]) => Logger
  /** Called with a sentence for each step. */
  onProgress: (sentence: string) => void
  gate?: SandboxOptions['gate']
  /** Options of the sandbox: its tier, and what tests need. */
  sandbox?: Pick<SandboxOptions, 'recordCalls' | 'random' | 'disableFailingHooks' | 'tier'>
  settings?: Record<string, string>
  /** The sandbox's address for the bot; for tests. */
  relay?: (sandboxUrl: string) => Promise<string>
  /** For tests. */
  retryDelays?: StartOptions['retryDelays']
}

export interface SmallWorld {
  sandbox: Sandbox
  bellhop: Bellhop
  project: number
  hookId: number
  hookSecret: string
  adminToken: string
  rootToken: string
  /** Calls as root. */
  service: Client
  people: {
    bellhop: DemoPerson & { id: number }
    renovate: DemoPerson & { id: number }
    alice: DemoPerson & { id: number }
  }
  clone: Clone
  /** Calls as one person. */
  as(person: DemoPerson): Client
  openMergeRequest(options: {
    as: DemoPerson
    branch: string
    title: string
    files: Record<string, string>
    description?: string
  }): Promise<{ iid: number; sha: string }>
  pipeline(sha: string, branch: string, state: 'pending' | 'running' | 'success' | 'failed'): Promise<void>
  /** Resolves when all hooks are delivered and the bot is idle. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Stops what it started when a later step fails. */
export async function startSmallWorld(options: SmallWorldOptions): Promise<SmallWorld> {
  const { folder, onProgress } = options
  const rootToken = newSecret()
  const sandbox = await startSandbox({
    rootToken,
    folder: join(folder, 'sandbox'),
    ...options.sandbox,
    gate: options.gate,
  })
  onProgress(`sandbox hosting service on ${sandbox.url}`)
  try {
    return await setUp(options, sandbox, rootToken)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

async function setUp(options: SmallWorldOptions, sandbox: Sandbox, rootToken: string): Promise<SmallWorld> {
  const { folder, onProgress } = options
  const service = createClient({ baseUrl: sandbox.url, token: rootToken })
  const as = ({ token }: DemoPerson) => createClient({ baseUrl: sandbox.url, token })
  const people = {
    bellhop: await newPerson(service, 'bellhop', true),
    renovate: await newPerson(service, 'renovate-bot', true),
    alice: await newPerson(service, 'alice', false),
  }
  const group = known((await service.groups.create({ name: 'Hotel', path: 'hotel' })).body.id)
  for (const person of [people.bellhop, people.renovate])
    await service.groups.members.add({ id: group, user_id: person.id, access_level: 40 })
  await service.groups.members.add({ id: group, user_id: people.alice.id, access_level: 30 })
  const created = (await service.projects.create({ name: 'App', path: 'app', namespace_id: group })).body
  const project = known(created.id)
  onProgress('group hotel and project hotel/app made through the API')

  const serviceUrl = (await options.relay?.(sandbox.url)) ?? sandbox.url
  const config = worldConfig(options, serviceUrl, people.bellhop.token)
  const log = options.createLog([config.serviceToken, config.adminToken, ...config.hookSecrets])
  const bellhop = await startBellhop(config, { log, onProgress, retryDelays: options.retryDelays })
  try {
    const [hookSecret = ''] = config.hookSecrets
    const clone = await cloneProject(known(created.http_url_to_repo), join(folder, 'clone'), people.alice)
    await clone.push({
      as: people.renovate,
      branch: 'master',
      files: {
        'README.md': '# App\n',
        'package.json': '{ "dependencies": { "left-pad": "1.0.0" } }\n',
        '.bellhop.yml': options.rules,
      },
      message: 'Begin, with the rules of Bellhop',
    })
    onProgress('first commit and .bellhop.yml pushed with git push')
    const hook = await service.projects.hooks.create({
      id: project,
      url: `${bellhop.url}/hooks`,
      token: hookSecret,
      push_events: true,
      merge_requests_events: true,
      pipeline_events: true,
      note_events: true,
      emoji_events: true,
    })
    onProgress(`Bellhop on ${bellhop.url} registered as the project’s hook`)
    return {
      sandbox,
      bellhop,
      project,
      hookId: known(hook.body.id),
      hookSecret,
      adminToken: config.adminToken,
      rootToken,
      service,
      people,
      clone,
      as,
      ...verbs({ sandbox, bellhop, project, service, clone, as }),
    }
  } catch (error) {
    await bellhop.stop()
    throw error
  }
}

function verbs({
  sandbox,
  bellhop,
  project,
  service,
  clone,
  as,
}: Pick<SmallWorld, 'sandbox' | 'bellhop' | 'project' | 'service' | 'clone' | 'as'>) {
  const openMergeRequest: SmallWorld['openMergeRequest'] = async ({
    as: person,
    branch,
    title,
    files,
    description,
  }) => {
    const sha = await clone.push({ as: person, branch, files, message: title })
    const made = await as(person).mergeRequests.create({
      id: project,
      source_branch: branch,
      target_branch: 'master',
      title,
      description,
    })
    return { iid: known(made.body.iid), sha }
  }
  const pipeline: SmallWorld['pipeline'] = async (sha, branch, state) => {
    await service.repository.statuses.create({ id: project, sha, ref: branch, state, name: 'ci' })
  }
  const settle = async () => {
    let before: number
    // The bot's actions raise hooks too: repeat until no delivery is new.
    do {
      before = await accepted(bellhop)
      await sandbox.idle()
      await bellhop.bot.settled()
      await sandbox.idle()
    } while ((await accepted(bellhop)) !== before)
    await bellhop.bot.settled()
  }
  const close = async () => {
    await sandbox.idle()
    await bellhop.stop()
    await sandbox.close()
  }
  return { openMergeRequest, pipeline, settle, close }
}

async function accepted({ bot }: Bellhop): Promise<number> {
  const { waiting, active, delayed, failed, completed } = await bot.queues.deliveries.counts()
  return waiting + active + delayed + failed + completed
}

function worldConfig(
  { folder, queueUrl, settings }: SmallWorldOptions,
  serviceUrl: string,
  serviceToken: string,
): Config {
  const read = readConfig(
    {
      BELLHOP_SERVICE_URL: serviceUrl,
      BELLHOP_SERVICE_TOKEN: serviceToken,
      BELLHOP_HOOK_SECRET: newSecret(),
      BELLHOP_ADMIN_TOKEN: newSecret(),
      BELLHOP_PORT: '0',
      BELLHOP_QUEUE_URL: queueUrl,
      BELLHOP_JOURNAL_URL: isRedisUrl(queueUrl) ? `embedded:${join(folder, 'journal')}` : '',
      BELLHOP_RULES: join(folder, 'rules'),
      BELLHOP_WORK_DIR: join(folder, 'work'),
      ...settings,
    },
    {},
  )
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return read.config
}

async function newPerson(service: Client, username: string, bot: boolean): Promise<DemoPerson & { id: number }> {
  const id = known(
    (await service.users.create({ username, name: username, email: `${username}@example.com`, bot })).body.id,
  )
  const made = await service.users.createToken({ user_id: id, name: 'small world', scopes: ['api'] })
  return { id, username, token: known(made.body.token) }
}

function newSecret(): string {
  return randomBytes(24).toString('hex')
}
