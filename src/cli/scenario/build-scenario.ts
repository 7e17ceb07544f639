// Builds a scenario in a sandbox through the API; each person acts with their own token. Also the command for its bot.

import { randomBytes } from 'node:crypto'
import { basename, relative } from 'node:path'
import { ifNotFound } from '../../bot/service/retry-policy.ts'
import { type Client, createClient } from '../../client/create-client.ts'
import { scriptPipelines } from '../../sandbox/pipelines/scripted-ci.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import {
  hookEvents,
  projectSettings,
  type Scenario,
  type ScenarioMergeRequest,
  type ScenarioProject,
} from './scenario.ts'

type ScenarioTarget = Pick<Sandbox, 'url' | 'token' | 'within'>
export interface ScenarioPerson {
  id: number
  username: string
  token: string
  client: Client
}

interface Builder {
  service: ScenarioTarget
  root: Client
  personNamed(username: string): ScenarioPerson
  /** The id of a group by its path: of the scenario, or one that was there. */
  groupNamed(path: string): Promise<number>
}

/** In the order of the file. Throws ServiceError. */
export async function buildScenario(scenario: Scenario, service: ScenarioTarget) {
  const root = createClient({ baseUrl: service.url, token: service.token })
  const id = known((await root.users.current({})).body.id)
  const people = new Map([['root', { id, username: 'root', token: service.token, client: root }]])
  for (const each of scenario.users) people.set(each.username, await addPerson(root, service.url, each))
  const builder: Builder = {
    service,
    root,
    personNamed: (username) => known(people.get(username)),
    groupNamed: async (path) => known((await root.groups.get({ id: path })).body.id),
  }
  for (const each of scenario.groups) await addGroup(builder, each)
  const projects: { id: number; path: string }[] = []
  for (const each of scenario.projects)
    projects.push({ id: await addProject(builder, each, [...people.keys()]), path: each.path })
  return { people: [...people.values()], projects }
}

/** True when root is the only user. */
export async function isNewWorld(service: { url: string; token: string }): Promise<boolean> {
  const users = await createClient({ baseUrl: service.url, token: service.token }).users.list({})
  return users.body.length === 1
}

async function addPerson(root: Client, url: string, { username, name, email, bot }: Scenario['users'][number]) {
  const user = { username, name: name ?? username, email: email ?? `${username}@example.com`, bot }
  const id = known((await root.users.create(user)).body.id)
  const token = known((await root.users.createToken({ user_id: id, name: 'scenario', scopes: ['api'] })).body.token)
  return { id, username, token, client: createClient({ baseUrl: url, token }) }
}

async function addGroup(
  { root, personNamed, groupNamed }: Builder,
  { path, name, visibility, members }: Scenario['groups'][number],
): Promise<void> {
  const { above, own } = partsOf(path)
  const parent_id = above === '' ? undefined : await groupNamed(above)
  const id = known((await root.groups.create({ name: name ?? own, path: own, visibility, parent_id })).body.id)
  for (const [username, access_level] of Object.entries(members))
    await root.groups.members.add({ id, user_id: personNamed(username).id, access_level })
}

function partsOf(path: string): { above: string; own: string } {
  const slash = path.lastIndexOf('/')
  return { above: path.slice(0, Math.max(0, slash)), own: path.slice(slash + 1) }
}

async function addProject(builder: Builder, spec: ScenarioProject, users: readonly string[]): Promise<number> {
  const { service, root, personNamed, groupNamed } = builder
  const { above, own } = partsOf(spec.path)
  const isOwn = users.includes(above)
  const body = { path: own, name: spec.name ?? own, visibility: spec.visibility, ...projectSettings.parse(spec) }
  // The default is the namespace of the project's creator.
  const namespace_id = isOwn || above === '' ? undefined : await groupNamed(above)
  const creator = isOwn ? personNamed(above).client : root
  const id = known((await creator.projects.create({ ...body, namespace_id })).body.id)
  for (const [username, access_level] of Object.entries(spec.members))
    await root.projects.members.add({ id, user_id: personNamed(username).id, access_level })
  await fillProject(builder, id, spec)
  for (const { name, push, merge, allow_force_push } of spec.protected_branches) {
    const levels = { push_access_level: push, merge_access_level: merge }
    await root.projects.protectedBranches.create({ id, name, allow_force_push, ...levels })
  }
  if (spec.pipelines.length > 0) await service.within(async (world) => scriptPipelines(world, id, spec.pipelines))
  for (const { url, token, events } of spec.hooks) {
    const flags = hookEvents.map((event) => [`${event}_events`, events.includes(event)] as const)
    await root.projects.hooks.create({ id, url, token, ...Object.fromEntries(flags) })
  }
  for (const each of spec.merge_requests) await buildMergeRequest(builder, id, each)
  return id
}

async function fillProject({ root, personNamed }: Builder, id: number, spec: ScenarioProject): Promise<void> {
  // A merge request needs a branch to go into.
  const needsFile = Object.keys(spec.files).length === 0 && spec.merge_requests.length > 0
  const files = needsFile ? { 'README.md': `# ${spec.path}\n` } : spec.files
  const actions = Object.entries(files).flatMap(([file_path, content]) =>
    content === null ? [] : [{ action: 'create' as const, file_path, content }],
  )
  if (actions.length > 0)
    await root.repository.commits.create({ id, branch: 'master', commit_message: 'Begin', actions })
  for (const name of spec.labels) await root.labels.create({ id, name, color: '#428bca' })
  for (const title of spec.milestones) await root.milestones.create({ id, title })
  for (const { by = 'root', labels, ...issue } of spec.issues)
    await personNamed(by).client.issues.create({ id, ...issue, labels: labels.join(',') || undefined })
}

/** The author pushes and opens it; comments, approvals and the pipeline follow, then its state. */
async function buildMergeRequest(builder: Builder, id: number, spec: ScenarioMergeRequest): Promise<void> {
  const { root, personNamed } = builder
  const author = personNamed(spec.author).client
  const target = spec.target_branch ?? known((await root.projects.get({ id })).body.default_branch)
  const commit = await pushBranch(author, id, target, spec)
  const { title, description, source_branch, squash, remove_source_branch } = spec
  const made = await author.mergeRequests.create({
    id,
    source_branch,
    target_branch: target,
    title,
    description,
    squash,
    remove_source_branch,
    labels: spec.labels.join(',') || undefined,
    assignee_id: spec.assignee === undefined ? undefined : personNamed(spec.assignee).id,
    ...(spec.reviewers.length > 0 && { reviewer_ids: spec.reviewers.map((name) => personNamed(name).id) }),
    milestone_id: spec.milestone === undefined ? undefined : await milestoneNamed(root, id, spec.milestone),
  })
  const mr = { id, merge_request_iid: known(made.body.iid) }
  for (const { by, text } of spec.comments)
    await personNamed(by).client.mergeRequests.notes.create({ ...mr, body: text })
  for (const name of spec.approved_by) await personNamed(name).client.mergeRequests.approve(mr)
  if (spec.pipeline !== undefined) {
    const status = { sha: commit, ref: spec.source_branch, state: spec.pipeline, name: 'ci' }
    await root.repository.statuses.create({ id, ...status })
  }
  if (spec.state === 'closed') await author.mergeRequests.update({ ...mr, state_event: 'close' })
  if (spec.state === 'merged') await root.mergeRequests.accept(mr)
}

async function pushBranch(author: Client, id: number, target: string, spec: ScenarioMergeRequest): Promise<string> {
  const present = await existingFiles(author, id, target, Object.keys(spec.files))
  const actions = Object.entries(spec.files).map(([file_path, content]) => ({
    action: content === null ? ('delete' as const) : present.has(file_path) ? ('update' as const) : ('create' as const),
    file_path,
    content: content ?? undefined,
  }))
  const { source_branch: branch, title: commit_message } = spec
  const change = { id, branch, start_branch: target, commit_message, actions }
  return known((await author.repository.commits.create(change)).body.id)
}

async function existingFiles(author: Client, id: number, ref: string, paths: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  for (const file_path of paths) {
    const found = await author.repository.files.get({ id, file_path, ref }).catch(ifNotFound(undefined))
    if (found !== undefined) present.add(file_path)
  }
  return present
}

async function milestoneNamed(root: Client, id: number, title: string): Promise<number> {
  const [found] = (await root.milestones.list({ id, title })).body
  return found?.id ?? known((await root.milestones.create({ id, title })).body.id)
}

export function known<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error('the sandbox omitted a field')
  return value
}

type Person = Pick<ScenarioPerson, 'username' | 'token'>

const usualPort = '8080'
const botName = 'bellhop'

/** Lines to print: what to do, and the command, with a new admin token. */
export async function botCommand(
  service: Pick<Sandbox, 'url' | 'token'>,
  scenario: Scenario | undefined,
  people: readonly Person[],
): Promise<string[]> {
  const hook = scenario?.projects.flatMap(({ hooks }) => hooks)[0]
  const port = (hook === undefined ? '' : new URL(hook.url).port) || usualPort
  const adminToken = randomBytes(15).toString('base64url')
  const settings = {
    BELLHOP_SERVICE_URL: service.url,
    BELLHOP_SERVICE_TOKEN: await tokenOfBot(service, scenario, people),
    BELLHOP_HOOK_SECRET: hook?.token ?? 'hook-secret',
    BELLHOP_ADMIN_TOKEN: adminToken,
    ...(port === usualPort ? {} : { BELLHOP_PORT: port }),
  }
  const words = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`)
  return [
    `admin token: ${adminToken}`,
    '',
    `Run Bellhop for it in another terminal, then log in at http://127.0.0.1:${port}/admin with the admin token:`,
    `${words.join(' ')} ${commandName()} serve`,
  ]
}

/** The token of the scenario's user bellhop (a new one if the user existed before); without that user, root's. */
async function tokenOfBot(
  service: Pick<Sandbox, 'url' | 'token'>,
  scenario: Scenario | undefined,
  people: readonly Person[],
): Promise<string> {
  const built = people.find(({ username }) => username === botName)
  if (built !== undefined) return built.token
  if (scenario?.users.every(({ username }) => username !== botName) ?? true) return service.token
  const root = createClient({ baseUrl: service.url, token: service.token })
  const [user] = (await root.users.list({ username: botName })).body
  if (user === undefined) return service.token
  const scopes = ['api' as const]
  return known((await root.users.createToken({ user_id: known(user.id), name: 'sandbox', scopes })).body.token)
}

/** Quotes a word for POSIX shells. */
const quoted = (value: string) => (/^[\w:/.@%+,=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`)

/** How this process was started: from a checkout, or as the installed command. */
function commandName(): string {
  const [, script = ''] = process.argv
  return basename(script) === 'bellhop.cjs' ? `node ${quoted(relative('', script))}` : 'bellhop'
}
