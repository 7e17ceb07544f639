// `bellhop test`: what it prints and its exit codes; the example of docs/rule-tests.md passes.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { isFine, runJson, runLines } from '../../../src/cli/commands/test.ts'
import { findTests, runTests } from '../../../src/cli/rule-tests/run-tests.ts'
import { fencedCommands, readPage } from '../../docs/pages.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop, refuses } from '../run-here.ts'

const rules =
  'rules:\n  - name: docs\n    if: { changed_files: { all: "docs/**" } }\n    then: { label: { add: documentation } }\n'
const good =
  'tests:\n  - name: labelled\n    given: { changed_files: [docs/a.md] }\n    then: { label: { add: documentation } }\n'
const bad = 'tests:\n  - name: never labelled\n    given: { changed_files: [docs/a.md] }\n    nothing: true\n'

const { folder, write } = ownFolder()

/** A folder of its own with these files. */
function files(name: string, contents: Record<string, string>): string {
  for (const [path, text] of Object.entries(contents)) write(join(name, path), text)
  return join(folder, name)
}
/** Who sent the recorded deliveries, and of which project. */
const [user, project] = [{ id: 5, username: 'carol' }, { id: 1 }]
const inFolder = async (own: string) => runTests(await findTests([own], 'rules'))

describe('bellhop test', () => {
  test('all pass: exit 0; with --coverage, what is not covered', async () => {
    const own = files('good', { 'a.yml': rules, 'a.test.yml': good })
    const brief = [join(own, 'a.test.yml'), '  ✓ labelled', '', '1 test: all pass', ''].join('\n')
    expect(await bellhop(['test', own])).toEqual({ code: 0, out: brief, err: '' })
    const { code, out, err } = await bellhop(['test', join(own, 'a.yml'), '--coverage'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(
      [
        join(own, 'a.test.yml'),
        '  ✓ labelled',
        '',
        'not covered:',
        `  ${join(own, 'a.yml')}: rule docs was never seen false`,
        `  ${join(own, 'a.yml')}: rule docs: condition changed_files: all of "docs/**" was never seen false`,
        'coverage: 50 % (rules and conditions seen true and seen false: 2 of 4)',
        '1 test: all pass',
        '',
      ].join('\n'),
    )
  })
  test('one fails: exit 1, with what was expected and found, as JSON too', async () => {
    const own = files('bad', { 'a.yml': rules, 'a.test.yml': bad })
    const { code, out } = await bellhop(['test', '--format', 'json', own])
    expect(code).toBe(1)
    const found = ['mergeRequests.update add_labels: "documentation"']
    const tests = [{ name: 'never labelled', line: 2, passed: false, expected: ['nothing'], found }]
    expect(JSON.parse(out)).toMatchObject({ passed: 0, failed: 1, percent: 50, files: [{ tests }] })
  })
  test('a failure shows the difference in at most fifteen lines', async () => {
    const label = (name: string) => `  - { name: ${name}, if: { draft: false }, then: { comment: "${name}" } }\n`
    const many = `rules:\n${Array.from({ length: 30 }, (_, n) => label(`note ${n}`)).join('')}`
    const expected = 'tests:\n  - { name: a, then: { comment: [note 1, other], label: { add: x } } }\n'
    const { out } = await bellhop(['test', files('long', { 'a.yml': many, 'a.test.yml': expected })])
    const lines = out.split('\n').slice(2, -3)
    expect(lines).toHaveLength(15)
    expect(lines).toContain('      - mergeRequests.notes.create body: "other"')
    expect(lines).toContain('      + mergeRequests.notes.create body: "note 0"')
    expect(out).not.toContain('"note 1"')
    expect(lines.at(-1)).toMatch(/^ +… and \d+ lines more$/)
  })
  test('less is covered than is asked for: exit 1', async () => {
    const own = files('uncovered', { 'a.yml': rules, 'a.test.yml': good })
    const { code, err } = await bellhop(['test', own, '--coverage-at-least', '90'])
    expect([code, err]).toEqual([1, 'bellhop: coverage is 50 %, below 90 %.\n'])
  })
  test('wrong usage: exit 2', async () => {
    const empty = files('empty', { 'a.yml': rules })
    expect(await bellhop(['test', empty])).toEqual(
      refuses(2, /^bellhop: There are no rule tests \(\*\.test\.yml\) in .*\n$/),
    )
    expect((await bellhop(['test', '--coverage-at-least', 'all'])).code).toBe(2)
  })
})

describe('which tests are run', () => {
  test('those of a folder and the folders in it, but not of packages', async () => {
    const found = { 'b.test.yml': good, 'x/a.test.yaml': good }
    const own = files('many', { ...found, 'node_modules/p/c.test.yml': good, '.git/d.test.yml': good, 'e.yml': rules })
    expect(await findTests([own], 'rules')).toEqual([join(own, 'b.test.yml'), join(own, 'x/a.test.yaml')])
    expect(await findTests([own, join(own, 'b.test.yml')], 'rules')).toHaveLength(2)
  })
  test('those next to a rule file; one without tests is refused', async () => {
    const own = files('next to', { '.bellhop.yml': rules, '.bellhop.test.yml': good, 'e.yml': rules })
    expect(await findTests([join(own, '.bellhop.yml')], 'rules')).toEqual([join(own, '.bellhop.test.yml')])
    await expect(findTests([join(own, 'e.yml')], 'rules')).rejects.toThrow(
      `expected them in ${join(own, 'e.test.yml')}.`,
    )
    await expect(findTests([join(own, 'none.yml')], 'rules')).rejects.toThrow('does not exist')
  })
  test('without a name, those of the rules folder', async () => {
    expect(await findTests([], files('usual', { 'a.test.yml': good }))).toEqual([join(folder, 'usual/a.test.yml')])
    await expect(findTests([], join(folder, 'no such folder'))).rejects.toThrow('.bellhop.test.yml or ')
  })
  test('a folder that this user may not read is refused', async () => {
    const own = files('shut', { 'a.test.yml': good })
    for (const above of [folder, dirname(folder)]) chmodSync(above, 0o711)
    chmodSync(own, 0o000)
    const isRoot = process.getuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    await expect(findTests([own], 'rules').finally(() => isRoot && process.seteuid?.(0))).rejects.toThrow(
      `${own} cannot be read.`,
    )
    chmodSync(own, 0o700)
  })
})

describe('a run', () => {
  test('tells of files that cannot be run, and runs the others', async () => {
    const own = files('broken', {
      ...{ 'a.yml': 'rules:\n  - nam: x\n', 'a.test.yml': good },
      ...{ 'b.yml': rules, 'b.test.yml': 'tests: []\n', 'c.yml': rules, 'c.test.yml': good },
    })
    const run = await inFolder(own)
    expect(run.files.map(({ problems }) => problems.length > 0)).toEqual([true, true, false])
    expect(run.files[0]?.problems[0]).toMatch(/a\.yml:2:5: /)
    expect(run.files[1]?.problems[0]).toMatch(/b\.test\.yml:1:8: /)
    expect([isFine(run), runJson(run).passed]).toEqual([false, 1])
    expect(runLines(run).at(-1)).toBe('1 test: 2 files could not be run')
  })
  test('takes the coverage of one rule file from all of its tests', async () => {
    const other = 'rules: a.yml\ntests:\n  - { name: other, given: { changed_files: [a] }, nothing: true }\n'
    const run = await inFolder(files('shared', { 'a.yml': rules, 'a.test.yml': good, 'more.test.yml': other }))
    expect([runJson(run).percent, run.coverage]).toEqual([100, [expect.objectContaining({ seen: 4, of: 4 })]])
  })
  test('takes a recorded delivery as the event, with what it says of the merge request', async () => {
    const events =
      'rules:\n  - name: relabelled\n    on: { merge_request.update: { changed: [labels] } }\n    if: { labels: { any: ready }, actor: carol, title: { matches: Paint } }\n    then: { todo: true }\n'
    const delivery = {
      ...{ object_kind: 'merge_request', user, project, labels: [{ title: 'ready' }], changes: { labels: {} } },
      object_attributes: {
        ...{ iid: 3, target_project_id: 1, source_project_id: 1, action: 'update', title: 'Paint the door' },
        ...{ state: 'opened', last_commit: { id: 'b'.repeat(40) } },
      },
    }
    const text =
      'tests:\n  - { name: a, delivery: update.json, then: { todo: true } }\n  - { name: b, delivery: update.json, given: { labels: [] }, nothing: true }\n'
    const own = files('delivery', { 'a.yml': events, 'a.test.yml': text, 'update.json': JSON.stringify(delivery) })
    expect(runLines(await inFolder(own)).at(-1)).toBe('2 tests: all pass')
    writeFileSync(join(own, 'update.json'), '{')
    await expect(inFolder(own)).rejects.toThrow('update.json: The body is not JSON')
    rmSync(join(own, 'update.json'))
    await expect(inFolder(own)).rejects.toThrow(/There is no file .*update.json/)
  })
  test('takes a recorded delivery about an issue for a test with for: issues, and for no other', async () => {
    const events = [
      'rules:',
      '  - name: opened',
      '    for: issues',
      '    on: [issue.open, note.create]',
      '    if: { labels: { any: ready }, title: { matches: Paint }, confidential: false, weight: 3 }',
      '    then: { todo: true }',
      '  - { name: new, if: { title: { matches: Paint } }, then: { todo: true } }',
    ].join('\n')
    const issue = { iid: 3, title: 'Paint the door', state: 'opened', confidential: false, weight: 3 }
    const opened = {
      ...{ object_kind: 'issue', user, project, labels: [{ title: 'ready' }] },
      object_attributes: { ...issue, action: 'open' },
    }
    const noted = {
      ...{ object_kind: 'note', user, project, issue: { ...issue, labels: [{ title: 'ready' }] } },
      object_attributes: { id: 4, note: 'Which colour?', noteable_type: 'Issue', action: 'create' },
    }
    const text = [
      'tests:',
      '  - { name: a, for: issues, delivery: open.json, then: { todo: true } }',
      '  - { name: b, for: issues, delivery: note.json, then: { todo: true } }',
      '  - { name: c, for: issues, delivery: open.json, given: { weight: 1 }, nothing: true, blocker: { opened: weight } }',
      '  - { name: d, delivery: note.json, nothing: true, blocker: { new: title } }',
    ].join('\n')
    const deliveries = { 'open.json': JSON.stringify(opened), 'note.json': JSON.stringify(noted) }
    const run = await inFolder(files('of-issue', { 'a.yml': events, 'a.test.yml': text, ...deliveries }))
    expect(runLines(run).at(-1), runLines(run).join('\n')).toBe('4 tests: all pass')
  })
  test('of a repository’s file is with the repository’s rights', async () => {
    const merge = 'rules:\n  - { name: merge, if: { state: opened }, then: { accept: true } }\n'
    const text =
      'tests:\n  - { name: a, given: { changed_files: [.bellhop.yml] }, nothing: true, blocker: accept }\n  - { name: b, given: { target_branch: stable }, nothing: true, blocker: accept }\n'
    expect(isFine(await inFolder(files('repository', { '.bellhop.yml': merge, '.bellhop.test.yml': text })))).toBe(true)
    expect(isFine(await inFolder(files('operator', { 'a.yml': merge, 'a.test.yml': text })))).toBe(false)
  })
})

describe('the page about rule tests', () => {
  const page = readPage('rule-tests.md')
  const fences = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, fence = '']) => fence)
  const [job = '', hook = '', ruleText = '', testText = ''] = fences

  async function codesOf(commands: readonly string[], contents: Record<string, string>) {
    const before = process.cwd()
    process.chdir(files('page', { '.bellhop.yml': ruleText, '.bellhop.test.yml': testText, ...contents }))
    try {
      const codes: (number | null)[] = []
      for (const command of commands) {
        const [name, ...args] = command.replace('node /app/bin/bellhop.cjs', 'bellhop').split(' ')
        expect(name).toBe('bellhop')
        codes.push((await bellhop(args)).code)
      }
      return codes
    } finally {
      process.chdir(before)
    }
  }

  test('its example passes', async () => {
    expect(await codesOf(fencedCommands(page), {})).toEqual([0])
  })
  test('its job of the CI, and its hook before a commit, pass with the example and fail with a mistake', async () => {
    const { script } = parse(job).bellhop as { script: string[] }
    const [{ entry, files: pattern }] = parse(hook).repos[0].hooks as [{ entry: string; files: string }]
    expect(new RegExp(pattern).test('.bellhop.yml')).toBe(true)
    const commands = [...script, `${entry} .bellhop.yml`]
    expect(await codesOf(commands, {})).toEqual([0, 0, 0])
    expect(await codesOf(commands, { '.bellhop.yml': 'rules: 12\n' })).toEqual([1, 1, 1])
  })
})
