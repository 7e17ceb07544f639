// `bellhop explain` without a bot while a repository's rule file is broken: by the last good version in its history.
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop } from '../run-here.ts'
import { useScenario } from '../scenario-service.ts'

const rule = (name: string) =>
  `version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { label: { add: x } }\n`
const own = `${rule('own rule')}include: { project: hotel/rules, file: shared.yml }\n`
const broken = 'version: 1\nrules: 12\n'
const scenario = `
version: 1
users: [{ username: alice }, { username: bellhop, bot: true }]
groups: [{ path: hotel, members: { alice: owner, bellhop: maintainer } }]
projects:
  - path: hotel/rules
    files: { shared.yml: ${JSON.stringify(rule('shared rule'))}, never.yml: ${JSON.stringify(broken)} }
  - path: hotel/app
    files: { .bellhop.yml: ${JSON.stringify(own)} }
    merge_requests: [&work { title: Work, author: alice, source_branch: work, files: { a.txt: a } }]
  - path: hotel/new
    files: { .bellhop.yml: ${JSON.stringify(broken)} }
    merge_requests: [*work]
  - path: hotel/include
    files: { .bellhop.yml: ${JSON.stringify(own.replace('shared.yml', 'never.yml'))} }
    merge_requests: [*work]
`
const fixed = 'nothing is approved or accepted until it is fixed'

const service = useScenario({ text: scenario })
const { folder, write } = ownFolder()
write('policy.yml', 'version: 1\npolicy:\n  - include_from: [hotel/rules]\n')
beforeEach(async () => {
  await push('hotel/app', '.bellhop.yml', own)
  await push('hotel/rules', 'shared.yml', rule('shared rule'))
})

async function push(
  project: string,
  path: string,
  content: string | null,
  action: 'create' | 'update' = 'update',
): Promise<void> {
  const change =
    content === null ? { action: 'delete' as const, file_path: path } : { action, file_path: path, content }
  const commit = { branch: 'master', commit_message: 'Rules', actions: [change] }
  await service.root.repository.commits.create({ id: project, ...commit })
}

async function explain(project = 'hotel/app', ...flags: string[]): Promise<string> {
  const given = ['explain', project, '1', '--rules-folder', folder, ...flags]
  const { code, out, err } = await bellhop(given, service.environment)
  expect([code, err]).toEqual([0, ''])
  return out
}

test('while an included file is broken, explains by its last good version', async () => {
  await push('hotel/rules', 'shared.yml', broken)
  const out = await explain()
  expect(out).toContain('\nproblem: hotel/rules:shared.yml:2:')
  expect(out).toContain(fixed)
  expect(out).toContain('own rule (.bellhop.yml:3)')
  expect(out).toContain('shared rule (hotel/rules:shared.yml:3)')
})

test('while both are broken, explains by the last good versions of both', async () => {
  await push('hotel/rules', 'shared.yml', broken)
  await push('hotel/app', '.bellhop.yml', broken)
  const out = await explain()
  expect(out).toContain('own rule (.bellhop.yml:3)')
  expect(out).toContain('shared rule (hotel/rules:shared.yml:3)')
  expect(out).toContain('The version in force is the newest one without problems in the history')
})

test('while an included file is deleted, explains by its last good version', async () => {
  await push('hotel/rules', 'shared.yml', null)
  expect(await explain()).toContain('shared rule (hotel/rules:shared.yml:3)')
  await push('hotel/rules', 'shared.yml', rule('shared rule'), 'create')
})

test('where no version without problems is found, says that the rules in force are not known', async () => {
  for (const [project, path] of [
    ['hotel/new', '.bellhop.yml'],
    ['hotel/include', 'hotel/rules:never.yml'],
  ] as const) {
    const out = await explain(project)
    expect(out).toContain(`Which rules of ${path} are in force is not known here: no version without problems`)
    expect(out).not.toContain('No rules are in force')
    expect(out).not.toContain('The version in force is the newest one')
  }
  expect(JSON.parse(await explain('hotel/new', '--format', 'json')).unknown).toContainEqual(
    expect.stringContaining('Which rules of .bellhop.yml are in force is not known here'),
  )
})
