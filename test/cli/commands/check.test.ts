// `bellhop check`: its output and exit codes.
import { join } from 'node:path'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop, prints, refuses } from '../run-here.ts'
import { type ScenarioService, startScenario, useScenario } from '../scenario-service.ts'

const { folder, write: file } = ownFolder()

const good =
  'version: 1\nrules:\n  - name: docs\n    if: { labels: { any: [docs] } }\n    then: { label: { add: documentation } }\n'
const bad =
  'version: 1\nrules:\n  - name: docs\n    if: { labels: { any: [docs] } }\n    then: { accept: { squash: "yes" } }\n'

describe('check', () => {
  test('exits 0 for files without problems', async () => {
    const paths = [file('one.yml', good), file('two.yml', good)]
    expect(await bellhop(['check', ...paths])).toEqual(prints('2 files without problems.\n'))
  })

  test('names file, line and column of a problem, what was expected and what was found, and exits 1', async () => {
    const path = file('bad.yml', bad)
    const { code, out, err } = await bellhop(['check', file('good.yml', good), path])
    expect(out).toBe(`${path}:5:31: rules[0].then.accept.squash: expected true or false, found "yes"\n`)
    expect([code, err]).toEqual([1, ''])
    const json = await bellhop(['check', '--format', 'json', path])
    expect([json.code, JSON.parse(json.out)]).toMatchObject([
      1,
      { files: [path], problems: [{ file: path, line: 5, path: 'rules[0].then.accept.squash' }] },
    ])
  })

  test('wrong usage exits 2 with one line that says what is wrong', async () => {
    const missing = await bellhop(['check', join(folder, 'missing.yml')])
    expect(missing).toEqual(refuses(2, /^bellhop: .*missing\.yml\.\n$/))
    const directory = await bellhop(['check', folder])
    expect(directory).toEqual(refuses(2, 'is a folder: name a file'))
    expect((await bellhop(['check', '--format', 'xml', 'x'])).code).toBe(2)
  })

  test('warns of events that no run without hooks sees, where it is asked for', async () => {
    const path = file('events.yml', good.replace('if: { labels: { any: [docs] } }', 'on: note.update'))
    expect(await bellhop(['check', path])).toEqual(prints('1 file without problems.\n'))
    const warning = `${path}:4:5: warning: rules[0].on: note.update: bellhop run does not see it: only hooks tell\n`
    expect(await bellhop(['check', '--for', 'run', path])).toEqual(
      prints(`${warning}1 file without problems, 1 warning.\n`),
    )
  })

  test('shows the line with a caret where text is asked for', async () => {
    const path = file('frame.yml', bad)
    const { out } = await bellhop(['check', '--format', 'text', path])
    expect(out.split('\n')).toEqual([
      `${path}:5:31: rules[0].then.accept.squash: expected true or false, found "yes"`,
      '  4 │     if: { labels: { any: [docs] } }',
      '  5 │     then: { accept: { squash: "yes" } }',
      '    │                               ^',
      '',
    ])
  })

  test('warns of rules that can never match; only --strict treats that as a problem', async () => {
    const path = file('never.yml', good.replace('any: [docs]', 'any: [docs], none: [docs]'))
    const warning = `${path}:4:5: warning: rules[0].if: never matches: labels any of "docs" and labels none of "docs" exclude each other\n`
    expect(await bellhop(['check', path])).toEqual(prints(`${warning}1 file without problems, 1 warning.\n`))
    expect(await bellhop(['check', '--strict', path])).toEqual({
      code: 1,
      out: `${warning}1 warning, which --strict treats as problems.\n`,
      err: '',
    })
    const json = await bellhop(['check', '--format', 'json', path])
    expect([json.code, JSON.parse(json.out)]).toEqual([
      0,
      { files: [path], problems: [], warnings: [expect.objectContaining({ line: 4, column: 5, path: 'rules[0].if' })] },
    ])
  })

  test('takes the owner from the file’s name or from --as', async () => {
    const included = `${good}include: { project: hotel/rules, file: merge.yml }\n`
    const ofOperator = `${good}projects: hotel/*\n`
    const policy = 'policy:\n  - repository_rules: { deny: acept }\n'
    expect((await bellhop(['check', file('.bellhop.yml', included), file('operator.yml', ofOperator)])).code).toBe(0)
    expect((await bellhop(['check', '--as', 'repository', file('operator.yml', ofOperator)])).out).toMatch(
      /projects in a repository's rule file/,
    )
    expect((await bellhop(['check', '--as', 'included', file('included.yml', included)])).code).toBe(1)
    expect((await bellhop(['check', file('policy.yml', policy)])).out).toMatch(
      /policy\.yml:2:31: .*did you mean "accept"\?/,
    )
  })

  test('leaves rule tests to their own command', async () => {
    const tests = file('one.test.yml', 'tests: []\n')
    expect((await bellhop(['check', file('with-test.yml', good), tests])).out).toBe('1 file without problems.\n')
    expect(await bellhop(['check', tests])).toEqual(refuses(2, 'run them with bellhop test'))
  })

  test('reads .bellhop.yml where no file is named', async () => {
    expect(await bellhop(['check'])).toEqual(refuses(2, 'There is no file .bellhop.yml. bellhop init writes one.\n'))
  })

  test.each([
    ['--online', 'needs --project'],
    ['--online --project hotel/app', 'BELLHOP_SERVICE_URL is missing'],
    ['--project hotel/app', '--online'],
  ])('calls no service without --online, and needs its settings with it: %s', async (flags, message) => {
    const run = await bellhop(['check', ...flags.split(' '), file('offline.yml', good)])
    expect(run).toEqual(refuses(2, message))
  })
})

describe('check --online', () => {
  const text = `version: 1
users: [{ username: alice }, { username: sam }, { username: bellhop, bot: true }]
groups:
  - { path: hotel, members: { alice: maintainer, bellhop: developer } }
  - { path: secret, members: { sam: maintainer } }
projects:
  - path: hotel/owned
    files:
      docs/CODEOWNERS: |
        * @alice @nobody
        *.md
        [Web
        [Docs][2] @hotel alice
        docs/
  - { path: hotel/app, labels: [hold, docs], milestones: ["1.0"], files: { a: b } }
  - path: hotel/busy
    merge_requests: [{ author: alice, source_branch: door, title: Add a door, files: { door: open } }]
`
  const service = useScenario({ text })
  beforeAll(async () => {
    await service.root.groups.milestones.create({ id: 'hotel', title: '3.0' })
    await service.root.repository.branches.create({ id: 'hotel/app', branch: 'releases', ref: 'master' })
  })

  const online = (path: string, project = 'hotel/app', environment: Record<string, string> = {}) =>
    bellhop(['check', '--online', '--project', project, path], { ...service.environment, ...environment })

  test('warns of unknown labels, users, milestones, branches and groups with their places', async () => {
    const path = file(
      'online.yml',
      `version: 1
rules:
  - name: one
    if: { labels: { any: [docs], none: [hodl, "blocked::*"] }, author: [Alice, carol] }
    then: { label: { add: docs, remove: triage }, assign: alice, milestone: "2.0" }
  - name: two
    if: { labels: [hodl], milestone: ["1.0", "3.0"] }
    then: { subscribe: true }
  - name: three
    if: { target_branch: [main, release], group: hotels, not: { group: hotel } }
    then: { subscribe: true, comment: "@alice, @hotel and @carl: mail desk@hotels.example" }
`,
    )
    const { code, out, err } = await online(path)
    expect(err).toBe('')
    expect(out.split('\n')).toEqual([
      `${path}:4:41: warning: rules[0].if.labels.none[0]: the project has no label "hodl"; did you mean "hold"?`,
      `${path}:4:80: warning: rules[0].if.author[1]: there is no user "carol"`,
      `${path}:5:41: warning: rules[0].then.label.remove: the project has no label "triage"`,
      `${path}:5:77: warning: rules[0].then.milestone: the project and its groups have no milestone "2.0"`,
      `${path}:10:27: warning: rules[2].if.target_branch[0]: the project has no branch "main"`,
      `${path}:10:33: warning: rules[2].if.target_branch[1]: the project has no branch "release"; did you mean "releases"?`,
      `${path}:10:50: warning: rules[2].if.group: there is no group "hotels" that the bot can see`,
      `${path}:11:39: warning: rules[2].then.comment: @carl is neither a user nor a group that the bot can see`,
      '1 file without problems, 8 warnings.',
      '',
    ])
    expect(code).toBe(0)
    expect(service.writes()).toEqual([])
  })

  test('warns of groups and people that cannot be seen, and of each bad line of CODEOWNERS', async () => {
    const path = file(
      'owners.yml',
      `version: 1
rules:
  - name: owners
    if: { approved_by: { members_of: secret, at_least: 1 } }
    then: { review: { from: code_owners } }
  - name: team
    if: { author: { not: { members_of: hotel } } }
    then: { review: { pick: 1, from: { members_of: hotel/none } } }
  - name: people
    if: { draft: false }
    then: { review: { pick: 1, from: [alice, wendy] } }
`,
    )
    const warnings = async (project: string) => {
      const { out } = await online(path, project)
      return out.split('\n').flatMap((line) => (line.includes('warning: ') ? [line.replace(`${path}:`, '')] : []))
    }
    expect(await warnings('hotel/owned')).toEqual([
      '4:38: warning: rules[0].if.approved_by.members_of: the group secret does not exist, or Bellhop cannot see it',
      ...[
        'docs/CODEOWNERS:1: @nobody is neither a user nor a group that the bot can see',
        'docs/CODEOWNERS:2: "*.md" has no owner',
        'docs/CODEOWNERS:3: a section heading without a name in brackets is read as an entry',
        'docs/CODEOWNERS:3: "[Web" has no owner',
        'docs/CODEOWNERS:4: "alice" is no owner: write @name, @group, @@role or an address',
      ].map((message) => `5:29: warning: rules[0].then.review.from: ${message}`),
      '8:52: warning: rules[1].then.review.from.members_of: the group hotel/none does not exist, or Bellhop cannot see it',
      '11:46: warning: rules[2].then.review.from[1]: there is no user "wendy"',
    ])
    expect((await warnings('hotel/app')).filter((line) => line.includes('CODEOWNERS'))).toEqual([
      '5:29: warning: rules[0].then.review.from: the default branch has no CODEOWNERS file: CODEOWNERS, docs/CODEOWNERS, .gitlab/CODEOWNERS are looked for',
    ])
  })

  test('says that facts of Premium cannot be checked without a merge request', async () => {
    const path = file(
      'unseen.yml',
      'version: 1\nrules:\n  - { name: one, if: { approvals_left: 0 }, then: { subscribe: true } }\n',
    )
    const warning = `${path}:3:24: warning: rules[0].if.approvals_left: approvals_left cannot be checked: it needs`
    expect((await online(path)).out).toContain(warning)
  })

  test('warns of chats that the project may not use, where the operator’s chats are known', async () => {
    const post = (to: string) =>
      `  - { name: ${to}, if: { draft: false }, then: { notify: { to: ${to}, text: Hello } } }\n`
    const path = file('chats.yml', `version: 1\nrules:\n${['team', 'others', 'teams'].map(post).join('')}`)
    const chats = file(
      'operator-chats.yml',
      'version: 1\nchats:\n  team: { kind: json, url: { variable: CHAT }, projects: hotel/* }\n  others: { kind: json, url: { variable: CHAT }, projects: motel/* }\n',
    )
    const CHAT = 'https://chat.example.com/x'
    const unknown = (line: number, name: string, hint = '') =>
      `${path}:${line}:${name === 'teams' ? 64 : 65}: warning: rules[${line - 3}].then.notify.to: the operator names no chat "${name}" for this project${hint}`
    expect((await online(path, 'hotel/app', { CHAT, BELLHOP_CHATS: chats })).out.split('\n')).toEqual([
      unknown(4, 'others'),
      unknown(5, 'teams', '; did you mean "team"?'),
      '1 file without problems, 2 warnings.',
      '',
    ])
    expect((await online(path)).out).toBe('1 file without problems.\n')
  })

  test('reports why the service cannot be read', async () => {
    const run = await online(file('refused.yml', good), 'hotel/none')
    expect(run).toEqual(refuses(1, 'There is no project hotel/none'))
  })

  test('warns on Free, not on Premium, of each place that names a fact which needs Premium', async () => {
    const path = file(
      'tiers.yml',
      `version: 1
defs:
  ready: { approvals_left: 0, approved: true }
rules:
  - name: one
    if: { use: ready, any: [{ approvals_required: { at_least: 1 } }, { approvals_given: { at_least: 1 } }] }
    then: { comment: "{{ approvals_left }} of {{ approvals_given }}" }
`,
    )
    const free = await startScenario({ text }, { tier: 'free' })
    onTestFinished(() => free.close())
    const checkOn = async ({ environment }: ScenarioService) => {
      const { out } = await online(path, 'hotel/busy', environment)
      return out.trim().replaceAll(path, 'FILE').split('\n')
    }
    const why = 'is never known: this installation does not show it; it needs Premium'
    expect(await checkOn(free)).toEqual([
      `FILE:3:12: warning: defs.ready.approvals_left: approvals_left ${why}`,
      `FILE:6:31: warning: rules[0].if.any[0].approvals_required: approvals_required ${why}`,
      `FILE:7:22: warning: rules[0].then.comment: approvals_left ${why}`,
      '1 file without problems, 3 warnings.',
    ])
    expect(await checkOn(service)).toEqual(['1 file without problems.'])
  })
})
