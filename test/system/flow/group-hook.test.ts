// A group's hook, or the installation's, serves projects that are created later, without another command.
import { bellhopHere } from '../../cli/run-here.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = 'version: 1\nrules: [{ name: mark, if: { state: opened }, then: { label: { add: served } } }]\n'

let world: TestWorld
let group: number
beforeAll(async () => {
  world = await startTestWorld({ rules: 'version: 1\nrules: []\n' })
  const { service, people } = world
  group = Number((await service.groups.create({ name: 'Later', path: 'later' })).body.id)
  await service.groups.members.add({ id: group, user_id: people.bellhop.id, access_level: 40 })
})
afterAll(() => world.end())

const install = (...args: string[]) =>
  bellhopHere(['hooks', 'install', ...args], {
    BELLHOP_SERVICE_URL: world.sandbox.url,
    BELLHOP_SERVICE_TOKEN: world.sandbox.token,
    BELLHOP_URL: world.bellhop.url,
    BELLHOP_HOOK_SECRET: world.hookSecret,
    BELLHOP_RULES: '/nowhere',
  })

/** A new project with a rule file and a merge request: its labels once all is quiet. */
async function labelsInNewProject(name: string, namespace_id: number): Promise<string[] | undefined> {
  const { service } = world
  const id = Number((await service.projects.create({ name, namespace_id })).body.id)
  const write = (branch: string, file_path: string, content: string, start_branch?: string) =>
    service.repository.commits.create({
      ...{ id, branch, commit_message: `Write ${file_path}`, actions: [{ action: 'create', file_path, content }] },
      ...(start_branch === undefined ? {} : { start_branch }),
    })
  await write('master', '.bellhop.yml', rules)
  await write('topic', 'topic.md', 'new', 'master')
  await service.mergeRequests.create({ id, source_branch: 'topic', target_branch: 'master', title: 'Topic' })
  await world.settle()
  return (await service.mergeRequests.get({ id, merge_request_iid: 1 })).body.labels
}

test('a group hook serves a project of the group and of a new subgroup that are created later', async () => {
  expect(await labelsInNewProject('before', group)).toEqual([])
  expect((await install('--group', 'later')).code).toBe(0)
  expect(await labelsInNewProject('after', group)).toEqual(['served'])
  const { body } = await world.service.groups.create({ name: 'Inner', path: 'inner', parent_id: group })
  expect(await labelsInNewProject('deep', Number(body.id))).toEqual(['served'])
  const [hook] = (await world.service.groups.hooks.list({ id: group })).body
  await world.service.groups.hooks.delete({ id: group, hook_id: Number(hook?.id) })
})

test('a system hook serves a project that is created later', async () => {
  expect(await labelsInNewProject('unserved', group)).toEqual([])
  expect((await install('--system')).code).toBe(0)
  expect(await labelsInNewProject('served', group)).toEqual(['served'])
})
