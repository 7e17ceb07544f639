// The world of the system tests: the demo's small world in a folder of its own, with the log kept for what was called.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RetryDelays } from '../../src/bot/service/retry-policy.ts'
import { type Clone, type DemoPerson, type SmallWorld, startSmallWorld } from '../../src/cli/demo/small-world.ts'
import { createLog } from '../../src/cli/output/log.ts'
import { QueueNotSettled } from '../../src/queue/errors.ts'
import { refName } from '../../src/rules/facts/definition/subject-ref.ts'
import type { Tier } from '../../src/sandbox/installation.ts'
import type { SandboxOptions } from '../../src/sandbox/start-sandbox.ts'
import { journalSettings, ownDatabase } from '../bot-journal.ts'
import { prepareQueue } from '../prepared-database.ts'

export interface LogLine {
  event?: string
  mergeRequest?: string
  action?: string
  endpoint?: string
  result?: string
  status?: number | null
  [key: string]: unknown
}

type MergeRequestChange = Omit<
  Parameters<SmallWorld['service']['mergeRequests']['update']>[0],
  'id' | 'merge_request_iid'
>

/** Whose calls, and of which project. */
type CallsOf = { username?: string; project?: number }

interface NewMergeRequest {
  branch: string
  /** alice without it. */
  as?: DemoPerson
  /** Its branch's name without it. */
  title?: string
  /** A file named like the branch without it. */
  files?: Record<string, string>
  description?: string
}

export type TestWorld = Awaited<ReturnType<typeof startTestWorld>>

/** What a service in trouble is given time with, shortened. */
const shortPauses = { outageMs: 300, badTokenMs: 300, storeMs: 300, firstBackoffMs: 40 }

/** Starts a world on the given queue (embedded in the world's folder without one). */
export async function startTestWorld(options: {
  rules: string
  queueUrl?: string | undefined
  settings?: Record<string, string>
  /** Writes files of the operator into the folder; gives settings that name them. */
  prepare?: (folder: string) => Promise<Record<string, string>>
  /** What fault switches with a chance draw from. */
  random?: () => number
  disableFailingHooks?: boolean
  /** The tier of the sandbox. */
  tier?: Tier
  retryDelays?: Partial<RetryDelays>
  /** The address through which the bot reaches the sandbox. */
  relay?: (sandboxUrl: string) => Promise<string>
}) {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-test-'))
  const prepared = await options.prepare?.(folder)
  const queueUrl = options.queueUrl === undefined ? undefined : await ownDatabase(options.queueUrl)
  const rawLog: string[] = []
  let pending: ({ endpoint: string; action: () => Promise<unknown> } & CallsOf)[] = []
  const gate: SandboxOptions['gate'] = async ({ endpoint, caller, params }) => {
    const due = pending.filter(
      ({ username = caller, project = params.id, ...each }) =>
        each.endpoint === endpoint && username === caller && String(project) === String(params.id),
    )
    pending = pending.filter((each) => !due.includes(each))
    for (const { action } of due) await action()
  }
  const small = await startSmallWorld({
    folder,
    queueUrl: queueUrl ?? (await prepareQueue(join(folder, 'queue'))),
    rules: options.rules,
    createLog: (secrets) => createLog({ level: 'debug', secrets, write: (line) => rawLog.push(line) }),
    onProgress: () => {},
    relay: options.relay,
    gate,
    sandbox: {
      recordCalls: true,
      disableFailingHooks: options.disableFailingHooks === true,
      ...(options.tier !== undefined && { tier: options.tier }),
      ...(options.random === undefined ? {} : { random: options.random }),
    },
    retryDelays: { ...shortPauses, ...options.retryDelays },
    // Every rule here is new, so the new-rule limit would interfere. And no hook is lost unless a test says so.
    settings: {
      BELLHOP_NEW_RULE_LIMIT: '0',
      BELLHOP_SWEEP_EVERY: '0',
      ...(await journalSettings(queueUrl)),
      ...options.settings,
      ...prepared,
    },
  })
  const world: SmallWorld = {
    ...small,
    // On a busy machine it takes long; what never settles ends with the test's time.
    async settle() {
      for (let isSettled = false; !isSettled; )
        isSettled = await small.settle().then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof QueueNotSettled)) throw error
            return false
          },
        )
    },
  }
  const parsed = (): LogLine[] => rawLog.map((line) => JSON.parse(line))
  return {
    ...world,
    ...verbsOf(world, { project: world.project, path: 'hotel/app' }, parsed),
    /** The folder of everything that the world stores. */
    folder,
    /** Every line of the log, as written. */
    rawLog,
    get log() {
      return parsed()
    },
    /** Runs once, just before the service handles the endpoint's next call, by the person or of the project if given. */
    before: (endpoint: string, action: () => Promise<unknown>, of?: CallsOf) =>
      void pending.push({ endpoint, action, ...of }),
    /** Sends a delivery by hand; gives the status. */
    deliver: async (body: string, headers: Record<string, string> = { 'x-gitlab-token': world.hookSecret }) => {
      const response = await fetch(`${world.bellhop.url}/hooks`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      await response.body?.cancel()
      return response.status
    },
    async end() {
      await world.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same world with another project, whose hook is that of the first, and whose first commit has the rules. */
export async function inNewProject(world: TestWorld, rules: string): Promise<TestWorld> {
  const { service } = world
  const { namespace } = (await service.projects.get({ id: world.project })).body
  const path = `app-${randomBytes(6).toString('hex')}`
  const made = await service.projects.create({ name: path, path, namespace_id: known(namespace?.id) })
  const project = known(made.body.id)
  const verbs = verbsOf(world, { project, path: known(made.body.path_with_namespace) }, () => world.log)
  await verbs.clone.push({
    as: world.people.renovate,
    branch: 'master',
    files: { 'README.md': '# App\n', '.bellhop.yml': rules },
    message: 'Begin, with the rules of Bellhop',
  })
  const hook = (await service.projects.hooks.get({ id: world.project, hook_id: world.hookId })).body
  const events = Object.entries(hook).filter(([name, value]) => name.endsWith('_events') && value === true)
  await service.projects.hooks.create({
    id: project,
    url: `${world.bellhop.url}/hooks`,
    token: world.hookSecret,
    ...Object.fromEntries(events),
  })
  return {
    ...world,
    ...verbs,
    project,
    get log() {
      return world.log
    },
    before: (endpoint, action, of) => world.before(endpoint, action, { project, ...of }),
  }
}

function verbsOf(world: SmallWorld, { project, path }: { project: number; path: string }, log: () => LogLine[]) {
  const commit = commitsOf(world, project)
  const { alice, bellhop } = world.people
  const ref = (iid: number) => ({ id: project, merge_request_iid: iid })
  const openMergeRequest = async ({ branch, ...more }: NewMergeRequest) => {
    const { as = alice, title = branch, files = { [`${branch.replaceAll('/', '-')}.md`]: `${title}\n` } } = more
    const sha = await commit({ as, branch, files, message: title })
    const body = { source_branch: branch, target_branch: 'master', title, description: more.description ?? '' }
    return { iid: known((await world.as(as).mergeRequests.create({ id: project, ...body })).body.iid), sha, branch }
  }
  const mergeRequest = async (iid: number) => (await world.as(bellhop).mergeRequests.get(ref(iid))).body
  const callsOf = (iid: number) =>
    log().filter(
      ({ event, mergeRequest }) =>
        event === 'call' && [refName({ project, iid, path }), refName({ project, iid })].includes(mergeRequest ?? ''),
    )
  let opened = 0
  return {
    clone: { push: commit },
    openMergeRequest,
    /** The parameters that name it in a call. */
    ref,
    /** alice opens one from a new branch with a file of its own, and all settles. */
    async open(title: string, more: Partial<NewMergeRequest> = {}) {
      const made = await openMergeRequest({ branch: `topic-${++opened}`, title, ...more })
      await world.settle()
      return made
    },
    /** alice changes it, and all settles. */
    async update(iid: number, change: MergeRequestChange) {
      await world.as(alice).mergeRequests.update({ ...ref(iid), ...change })
      await world.settle()
    },
    /** Somebody writes a note, and all settles. */
    async say(iid: number, body: string, as: DemoPerson = alice) {
      await world.as(as).mergeRequests.notes.create({ ...ref(iid), body })
      await world.settle()
    },
    async pipeline(sha: string, branch: string, state: Parameters<SmallWorld['pipeline']>[2]) {
      await world.service.repository.statuses.create({ id: project, sha, ref: branch, state, name: 'ci' })
    },
    labels: async (iid: number) => (await mergeRequest(iid)).labels,
    mergeRequest,
    /** Calls that were sent for one merge request. */
    calls: callsOf,
    /** Those of one merge request, newest first; for 0, of the project itself. */
    decisions: async (iid: number) =>
      (
        await world.bellhop.journal.decisions.list({
          mergeRequest: { project, iid },
          limit: 200,
        })
      ).items,
  }
}

/** Commits files to a branch (if new: from master) by the API: a clone and `git push` take a dozen processes more. */
export function commitsOf({ as, service }: Pick<SmallWorld, 'as' | 'service'>, project: number): Clone['push'] {
  const branches = new Set(['master'])
  return async ({ as: person, branch, from = 'master', files, message }) => {
    const start = branches.has(branch) ? {} : { start_branch: from }
    const send = async (isThere: (file_path: string) => Promise<boolean>) => {
      const actions = await Promise.all(
        Object.entries(files).map(async ([file_path, content]) => {
          const action = (await isThere(file_path)) ? ('update' as const) : ('create' as const)
          return { action, file_path, content }
        }),
      )
      const made = await as(person).repository.commits.create({
        ...{ id: project, branch, commit_message: message, actions },
        ...start,
      })
      return known(made.body.id)
    }
    const ref = branches.has(branch) ? branch : from
    const has = (file_path: string) =>
      service.repository.files.get({ id: project, file_path, ref }).then(
        () => true,
        () => false,
      )
    // Most files are new.
    const sha = await send(async () => false).catch(() => send(has))
    branches.add(branch)
    return sha
  }
}

/** The sandbox answers in full; what is missing is a defect of it. */
export function known<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error('the sandbox left out a field that it must answer')
  return value
}
