// A world for cookbook recipes: each has its own project, whose default branch has the recipe as `.bellhop.yml`.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoPerson } from '../../../src/cli/demo/small-world.ts'
import type { SandboxOptions } from '../../../src/sandbox/start-sandbox.ts'
import { type NoticeReceiver, startNoticeReceiver } from '../../notice-receiver.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

type Tier = NonNullable<SandboxOptions['tier']>
type Person = DemoPerson & { id: number }
const developer = 30
const maintainer = 40

export type RecipeProject = ReturnType<typeof projectVerbs>
export type RecipeWorld = Awaited<ReturnType<typeof startRecipeWorld>>

/** The group `team` with the groups that recipes name: bob in team/backend and team/release, carol in team/security. */
export async function startRecipeWorld(tier: Tier, queueUrl: string) {
  const chat = await startNoticeReceiver()
  let chats = ''
  const world = await startTestWorld({
    rules: 'version: 1\nrules: []\n',
    queueUrl,
    tier,
    prepare: async (folder) => {
      chats = join(folder, 'chats.yml')
      await writeFile(join(folder, 'chat'), chat.url)
      const url = `{ file: ${join(folder, 'chat')} }`
      await writeFile(chats, `version: 1\nchats:\n  team-chat: { kind: slack, url: ${url}, projects: team/** }\n`)
      return { BELLHOP_CHATS: chats }
    },
  })
  const { service } = world
  const newPerson = async (username: string): Promise<Person> => {
    const made = await service.users.create({ username, name: username, email: `${username}@example.com` })
    const id = known(made.body.id)
    const { token } = (await service.users.createToken({ user_id: id, name: 'recipes', scopes: ['api'] })).body
    return { id, username, token: known(token) }
  }
  const people = { alice: world.people.alice, bob: await newPerson('bob'), carol: await newPerson('carol') }
  const newGroup = async (path: string, members: Person[], parent_id?: number) => {
    const made = await service.groups.create({ name: path, path, ...(parent_id === undefined ? {} : { parent_id }) })
    const id = known(made.body.id)
    for (const { id: user_id } of members) await service.groups.members.add({ id, user_id, access_level: developer })
    return id
  }
  const team = await newGroup('team', [])
  await service.groups.members.add({ id: team, user_id: world.people.bellhop.id, access_level: maintainer })
  await newGroup('backend', [people.bob, people.carol], team)
  await newGroup('security', [people.carol], team)
  await newGroup('release', [people.bob], team)

  let made = 0
  return {
    /** `recipe` undefined: a project without rules. */
    async project(recipe?: string, files: Record<string, string> = {}) {
      made += 1
      const path = `app-${made}`
      const { body } = await service.projects.create({ name: path, path, namespace_id: team, default_branch: 'main' })
      const id = known(body.id)
      const user_ids = Object.values(people).map((each) => each.id)
      for (const user_id of user_ids) await service.projects.members.add({ id, user_id, access_level: developer })
      const project = projectVerbs(world, { id, path: `team/${path}`, people, chat, tier })
      const text = recipe === undefined ? undefined : await readFile(recipeFile(recipe), 'utf8')
      await project.write('main', {
        'README.md': '# App\n',
        ...files,
        ...(text === undefined ? {} : { '.bellhop.yml': text }),
      })
      await service.projects.hooks.create({
        ...{ id, url: `${world.bellhop.url}/hooks`, token: world.hookSecret },
        ...{ push_events: true, merge_requests_events: true, pipeline_events: true, note_events: true },
        ...{ issues_events: true, confidential_issues_events: true, confidential_note_events: true },
        releases_events: true,
      })
      return project
    },
    async close() {
      await world.end()
      await chat.close()
    },
  }
}

const recipeFile = (recipe: string) => new URL(`../../../rules/examples/${recipe}.yml`, import.meta.url)

interface ProjectOptions {
  id: number
  path: string
  people: Record<'alice' | 'bob' | 'carol', Person>
  chat: NoticeReceiver
  tier: Tier
}

/** One project with its recipe, and what people do in it; `service` is called as root. */
function projectVerbs(world: TestWorld, { id, path, people, chat, tier }: ProjectOptions) {
  const { service, as, settle } = world
  const ref = (iid: number) => ({ id, merge_request_iid: iid })
  const alice = as(people.alice)
  const write = async (branch: string, files: Record<string, string>, from?: string) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({
      ...{ action: 'create' as const, file_path, content },
    }))
    const start = from === undefined ? {} : { start_branch: from }
    const commit = { id, branch, commit_message: `Write ${Object.keys(files).join()}`, actions, ...start }
    return known((await service.repository.commits.create(commit)).body.id)
  }
  return {
    ...{ id, path, service, world, people, as, tier, ref, write, settle },
    /** What the chat heard of the project. */
    posts: () =>
      chat.taken
        .filter(({ body }) => new RegExp(`/${path}[|/]`).test(body))
        .map(({ body }) => String(JSON.parse(body).text).split(' (')[0] ?? ''),
    /** alice opens one into main, its pipeline is green unless it is said otherwise, and all settles. */
    async open({ branch = 'topic', labels = '', description = '', file = '', isGreen = true } = {}) {
      const sha = await write(branch, { [file || `${branch}.txt`]: `${branch}\n` }, 'main')
      const title = `Add ${branch}`
      const request = { id, source_branch: branch, target_branch: 'main', title, description, labels }
      const iid = known((await alice.mergeRequests.create(request)).body.iid)
      if (isGreen) await service.repository.statuses.create({ id, sha, ref: branch, state: 'success', name: 'ci' })
      await settle()
      return { iid, sha, branch }
    },
    get: async (iid: number) => (await service.mergeRequests.get(ref(iid))).body,
    names: (users: readonly { username?: string | undefined }[] | undefined) =>
      (users ?? []).map(({ username }) => username).sort(),
  }
}
