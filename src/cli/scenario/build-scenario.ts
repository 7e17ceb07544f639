// Builds a scenario in a sandbox through the API; each person acts with their own token.
import { type Client, createClient } from '../../client/create-client.ts'
import { scriptPipelines } from '../../sandbox/pipelines/scripted-ci.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import { buildMergeRequest } from './build-merge-request.ts'
import { known, personNamed, type ScenarioPerson } from './people.ts'
import { hookEvents, projectSettings, type Scenario, type ScenarioProject } from './scenario.ts'

type ScenarioTarget = Pick<Sandbox, 'url' | 'token' | 'within'>
interface Builder {
  service: ScenarioTarget
  root: Client
  people: ReadonlyMap<string, ScenarioPerson>
  groups: Map<string, number>
}

/** In the order of the file. Throws ServiceError. */
export async function buildScenario(scenario: Scenario, service: ScenarioTarget) {
  const root = createClient({ baseUrl: service.url, token: service.token })
  const me = (await root.users.current({})).body
  const people = new Map([['root', { id: known(me.id), username: 'root', token: service.token, client: root }]])
  for (const each of scenario.users) people.set(each.username, await addPerson(root, service.url, each))
  const builder: Builder = { service, root, people, groups: new Map() }
  for (const each of scenario.groups) await addGroup(builder, each)
  const projects: { id: number; path: string }[] = []
  for (const each of scenario.projects) projects.push({ id: await addProject(builder, each), path: each.path })
  return { people: [...people.values()], projects }
}

/** True when root is the only user. */
export async function isNewWorld(service: { url: string; token: string }): Promise<boolean> {
  const users = await createClient({ baseUrl: service.url, token: service.token }).users.list({})
  return users.body.length === 1
}

async function addPerson(
  root: Client,
  url: string,
  { username, name, email, bot }: Scenario['users'][number],
): Promise<ScenarioPerson> {
  const user = { username, name: name ?? username, email: email ?? `${username}@example.com`, bot }
  const id = known((await root.users.create(user)).body.id)
  const token = known((await root.users.createToken({ user_id: id, name: 'scenario', scopes: ['api'] })).body.token)
  return { id, username, token, client: createClient({ baseUrl: url, token }) }
}

async function addGroup(
  { root, people, groups }: Builder,
  { path, name, visibility, members }: Scenario['groups'][number],
): Promise<void> {
  const [own = path, ...above] = path.split('/').reverse()
  const parent =
    above.length === 0
      ? undefined
      : (groups.get(above.reverse().join('/')) ??
        known((await root.groups.get({ id: path.slice(0, -own.length - 1) })).body.id))
  const id = known((await root.groups.create({ name: name ?? own, path: own, visibility, parent_id: parent })).body.id)
  groups.set(path, id)
  for (const [username, access_level] of Object.entries(members)) {
    await root.groups.members.add({ id, user_id: personNamed(people, username).id, access_level })
  }
}

async function addProject({ service, root, people, groups }: Builder, spec: ScenarioProject): Promise<number> {
  const slash = spec.path.lastIndexOf('/')
  const space = spec.path.slice(0, Math.max(0, slash))
  const own = spec.path.slice(slash + 1)
  const owner = people.get(space)
  const body = { path: own, name: spec.name ?? own, visibility: spec.visibility, ...projectSettings.parse(spec) }
  // The default is the namespace of the project's creator.
  const inGroup = owner === undefined && space !== ''
  const namespace_id = inGroup
    ? (groups.get(space) ?? known((await root.groups.get({ id: space })).body.id))
    : undefined
  const id = known((await (owner?.client ?? root).projects.create({ ...body, namespace_id })).body.id)
  for (const [username, access_level] of Object.entries(spec.members)) {
    await root.projects.members.add({ id, user_id: personNamed(people, username).id, access_level })
  }
  await fillProject(root, people, id, spec)
  for (const { name, push, merge, allow_force_push } of spec.protected_branches) {
    const levels = { push_access_level: push, merge_access_level: merge }
    await root.projects.protectedBranches.create({ id, name, allow_force_push, ...levels })
  }
  if (spec.pipelines.length > 0) await service.within(async (world) => scriptPipelines(world, id, spec.pipelines))
  for (const hook of spec.hooks) await addHook(root, id, hook)
  for (const each of spec.merge_requests) await buildMergeRequest(root, people, id, each)
  return id
}

async function fillProject(
  root: Client,
  people: ReadonlyMap<string, ScenarioPerson>,
  id: number,
  spec: ScenarioProject,
): Promise<void> {
  // A merge request needs a branch to go into.
  const files =
    Object.keys(spec.files).length === 0 && spec.merge_requests.length > 0
      ? { 'README.md': `# ${spec.path}\n` }
      : spec.files
  const actions = Object.entries(files).flatMap(([file_path, content]) =>
    content === null ? [] : [{ action: 'create' as const, file_path, content }],
  )
  if (actions.length > 0)
    await root.repository.commits.create({ id, branch: 'master', commit_message: 'Begin', actions })
  for (const name of spec.labels) await root.labels.create({ id, name, color: '#428bca' })
  for (const title of spec.milestones) await root.milestones.create({ id, title })
  for (const { by = 'root', labels, ...issue } of spec.issues)
    await personNamed(people, by).client.issues.create({ id, ...issue, labels: labels.join(',') || undefined })
}

async function addHook(
  root: Client,
  id: number,
  { url, token, events }: ScenarioProject['hooks'][number],
): Promise<void> {
  const flags = hookEvents.map((event) => [`${event}_events`, events.includes(event)] as const)
  await root.projects.hooks.create({ id, url, token, ...Object.fromEntries(flags) })
}
