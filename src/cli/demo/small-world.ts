// A small world for demo and tests: sandbox, bot, people, a project with a hook, and verbs.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { type Client, createClient } from '../../client/create-client.ts'
import { runGit } from '../../git/start-git.ts'
import { isRedisUrl } from '../../queue/redis/target.ts'
import { gitEnvironment, textOf } from '../../sandbox/git/git.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts'
import { buildScenario, known } from '../scenario/build-scenario.ts'
import { scenarioSchema } from '../scenario/scenario.ts'
import { type Bellhop, type StartOptions, startBellhop } from '../server/start-bellhop.ts'
import { readConfig } from '../settings/settings.ts'

interface SmallWorldOptions {
  /** The folder for all data; the caller removes it. */
  folder: string
  queueUrl: string
  /** The project's `.bellhop.yml`. */
  rules: string
  /** Creates the bot's log; it must not show the secrets. */
  createLog: (secrets: readonly string[]) => Logger
  onProgress: (sentence: string) => void
  gate?: SandboxOptions['gate']
  sandbox?: Pick<SandboxOptions, 'recordCalls' | 'random' | 'disableFailingHooks' | 'tier'>
  settings?: Record<string, string>
  /** The sandbox's address for the bot; for tests. */
  relay?: (sandboxUrl: string) => Promise<string>
  /** For tests. */
  retryDelays?: StartOptions['retryDelays']
}

export type SmallWorld = Awaited<ReturnType<typeof setUp>>

const inhabitants = scenarioSchema.parse({
  version: 1,
  users: [{ username: 'bellhop', bot: true }, { username: 'renovate-bot', bot: true }, { username: 'alice' }],
  groups: [
    {
      path: 'hotel',
      name: 'Hotel',
      members: { bellhop: 'maintainer', 'renovate-bot': 'maintainer', alice: 'developer' },
    },
  ],
  projects: [{ path: 'hotel/app', name: 'App' }],
})

/** Stops what it started when a later step fails. */
export async function startSmallWorld(options: SmallWorldOptions): Promise<SmallWorld> {
  const { folder, onProgress, gate } = options
  const given = { rootToken: newSecret(), folder: join(folder, 'sandbox'), gate }
  const sandbox = await startSandbox({ ...given, ...options.sandbox })
  onProgress(`sandbox hosting service on ${sandbox.url}`)
  try {
    return await setUp(options, sandbox)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

async function setUp(options: SmallWorldOptions, sandbox: Sandbox) {
  const { folder, onProgress } = options
  const { people: all, projects } = await buildScenario(inhabitants, sandbox)
  const named = (username: string) => known(all.find((each) => each.username === username))
  const people = { bellhop: named('bellhop'), renovate: named('renovate-bot'), alice: named('alice') }
  const project = known(projects[0]).id
  onProgress('group hotel and project hotel/app made through the API')

  const url = (await options.relay?.(sandbox.url)) ?? sandbox.url
  const config = worldConfig(options, { url, token: people.bellhop.token })
  const log = options.createLog([config.serviceToken, config.adminToken, ...config.hookSecrets])
  const bellhop = await startBellhop(config, { log, onProgress, retryDelays: options.retryDelays })
  try {
    const [hookSecret = ''] = config.hookSecrets
    const clone = await cloneProject(`${sandbox.url}/hotel/app.git`, join(folder, 'clone'), people.alice)
    const files = {
      'README.md': '# App\n',
      'package.json': '{ "dependencies": { "left-pad": "1.0.0" } }\n',
      '.bellhop.yml': options.rules,
    }
    const message = 'Begin, with the rules of Bellhop'
    await clone.push({ as: people.renovate, branch: 'master', files, message })
    onProgress('first commit and .bellhop.yml pushed with git push')
    const { client: service } = named('root')
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
    const hookId = known(hook.body.id)
    return {
      ...{ sandbox, bellhop, project, hookId, hookSecret, adminToken: config.adminToken, people, clone },
      /** Calls as root. */
      service,
      ...verbs({ sandbox, bellhop, project, people, clone, service }),
    }
  } catch (error) {
    await bellhop.stop()
    throw error
  }
}

interface Parts {
  sandbox: Sandbox
  bellhop: Bellhop
  project: number
  people: { bellhop: DemoPerson }
  clone: Clone
  service: Client
}

function verbs({ sandbox, bellhop, project, people, clone, service }: Parts) {
  /** Calls as one person. */
  const as = ({ token }: DemoPerson) => createClient({ baseUrl: sandbox.url, token })
  const ref = (iid: number) => ({ id: project, merge_request_iid: iid })
  async function openMergeRequest({ title, ...pushed }: Omit<Push, 'message'> & { title: string }) {
    const sha = await clone.push({ ...pushed, message: title })
    const branches = { source_branch: pushed.branch, target_branch: 'master' }
    const { iid } = (await as(pushed.as).mergeRequests.create({ id: project, ...branches, title })).body
    return { iid: known(iid), sha }
  }
  /** As Bellhop sees it. */
  const mergeRequest = async (iid: number) => (await as(people.bellhop).mergeRequests.get(ref(iid))).body
  async function pipeline(sha: string, branch: string, state: 'pending' | 'running' | 'success' | 'failed') {
    await service.repository.statuses.create({ id: project, sha, ref: branch, state, name: 'ci' })
  }
  /** Resolves when all hooks are delivered and the bot is idle. */
  async function settle() {
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
  async function close() {
    await sandbox.idle()
    await bellhop.stop()
    await sandbox.close()
  }
  return { as, ref, openMergeRequest, mergeRequest, pipeline, settle, close }
}

async function accepted({ bot }: Bellhop): Promise<number> {
  const { waiting, active, delayed, failed, completed } = await bot.queues.deliveries.counts()
  return waiting + active + delayed + failed + completed
}

function worldConfig({ folder, queueUrl, settings }: SmallWorldOptions, service: { url: string; token: string }) {
  const environment = {
    BELLHOP_SERVICE_URL: service.url,
    BELLHOP_SERVICE_TOKEN: service.token,
    BELLHOP_HOOK_SECRET: newSecret(),
    BELLHOP_ADMIN_TOKEN: newSecret(),
    BELLHOP_PORT: '0',
    BELLHOP_QUEUE_URL: queueUrl,
    BELLHOP_JOURNAL_URL: isRedisUrl(queueUrl) ? `embedded:${join(folder, 'journal')}` : '',
    BELLHOP_RULES: join(folder, 'rules'),
    BELLHOP_WORK_DIR: join(folder, 'work'),
  }
  const read = readConfig({ ...environment, ...settings }, {})
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return read.config
}

const newSecret = () => randomBytes(24).toString('hex')

/** Bytes. */
const mostOutput = 1024 * 1024

export interface DemoPerson {
  username: string
  token: string
}

interface Push {
  as: DemoPerson
  branch: string
  from?: string
  files: Record<string, string>
  message: string
}

export type Clone = Awaited<ReturnType<typeof cloneProject>>

export async function cloneProject(url: string, folder: string, reader: DemoPerson) {
  await mkdir(folder, { recursive: true })
  await git(folder, reader, ['init', '--quiet', '--initial-branch=master'])
  await git(folder, reader, ['remote', 'add', 'origin', url])

  async function push({ as, branch, from = 'master', files, message }: Push): Promise<string> {
    await git(folder, as, ['fetch', '--quiet', '--prune', 'origin'])
    const remote = (await git(folder, as, ['branch', '--remotes', '--format=%(refname:short)'])).split('\n')
    const start = [`origin/${branch}`, `origin/${from}`].find((each) => remote.includes(each))
    const to = start === undefined ? ['--orphan', branch] : ['--force', '-B', branch, start]
    await git(folder, as, ['checkout', '--quiet', ...to])
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    await git(folder, as, ['add', '--all'])
    await git(folder, as, ['commit', '--quiet', '--message', message])
    await git(folder, as, ['push', '--quiet', 'origin', branch])
    return (await git(folder, as, ['rev-parse', 'HEAD'])).trim()
  }

  return { push }
}

/** Runs git as one person; the token is in the environment, since command lines are public. */
async function git(cwd: string, { username, token }: DemoPerson, args: readonly string[]): Promise<string> {
  const env = gitEnvironment(
    { author: { name: username, email: `${username}@example.com` } },
    { 'http.extraHeader': `Authorization: Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` },
  )
  return textOf(await runGit({ args: ['-C', cwd, ...args], env, mostOutput }).output, args)
}
