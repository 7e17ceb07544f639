// Every command that the README and the pages of docs/ give to type is run by a test, in that form; what cannot be run here has a check that stands in for it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/cli/settings.ts'
import { fencedCommands, inlineCommands, settingsIn } from './commands.ts'
import { namedTests, testsIn } from './named-tests.ts'

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const benches = [
  'NAME',
  ...readdirSync(new URL('bench/', root)).filter((name) => name !== 'burst' && existsSync(new URL(`bench/${name}/run.ts`, root))),
]

/** The test that takes all fenced commands of a page and runs them. */
const wholePages: Record<string, string> = {
  'docs/desk.md': 'test/docs/desk.test.ts: every command of the page is understood and does what it is for',
  'docs/hooks.md': 'test/docs/hooks.test.ts: every command of the page does what the page says',
  'docs/rule-tests.md': 'test/cli/commands/test.test.ts: the example of the page about rule tests passes',
}

const readme = 'test/system/readme.test.ts: deliveries are listed, shown and replayed as the README says'
const scenario =
  'test/system/scenario.test.ts: the pipeline succeeds, and the merge request is labelled, approved and merged by the project’s own rules'
const serve = 'test/cli/commands/serve.test.ts: %j: a process that is told to stop while Redis is away ends with 0'
const contributing = 'test/docs/contributing.test.ts: what is generated and what is formatted are mended by the commands of the page'

/** The test that runs a command in the form that a page gives: its words stand there. Or the file that CI, or a test of the image, runs line by line. */
const runBy: Record<string, string> = {
  'npm ci': '.ci/run',
  'npm test': '.ci/run',
  'npm run demo': '.ci/run',
  'npm run soak -- --minutes 0.5 --faults all --seed 20261121': '.ci/run',
  'npm run build': 'Dockerfile',
  'npm pack': 'test/deploy/package.test.ts: holds what runs and what ships, and nothing of the workshop',
  'npm run fix': contributing,
  'npm run generate': contributing,
  'npm run bench -- burst': 'test/bench/run.test.ts: a small burst is taken and read whole',
  'node bin/bellhop.cjs sandbox --port 3000 --root-token secret --scenario scenarios/dependency-updates.yml': scenario,
  'curl -X POST -H "PRIVATE-TOKEN: secret" "http://127.0.0.1:3000/api/v4/projects/1/statuses/renovate%2Fleft-pad?state=success&name=ci&ref=renovate/left-pad"':
    scenario,
  'curl -H "PRIVATE-TOKEN: secret" http://127.0.0.1:3000/api/v4/projects/1/merge_requests/1': scenario,
  'node bin/bellhop.cjs serve': readme,
  'node bin/bellhop.cjs deliveries list': readme,
  'node bin/bellhop.cjs deliveries show <id>': readme,
  'node bin/bellhop.cjs deliveries replay <id>': readme,
  'node bin/bellhop.cjs deliveries replay <id> --do': readme,
  'node bin/bellhop.cjs check .bellhop.yml':
    'test/system/readme.test.ts: the README’s rules are fine, as check says with the README’s own command',
  'node bin/bellhop.cjs serve --help': 'test/system/readme.test.ts: serve --help lists every setting',
  'node bin/bellhop.cjs openapi': 'test/system/readme.test.ts: openapi prints the API as a document',
  'bellhop --help': 'test/cli/main.test.ts: --help names every command and exits 0',
  'bellhop serve --only receiver': serve,
  'bellhop serve --only worker': serve,
  'bellhop check --online': 'test/cli/commands/check.test.ts: asks no service without --online, and with it needs to know which',
  'bellhop schema': 'test/cli/commands/schema.test.ts: prints the JSON Schema of rule files',
  'bellhop backtest': 'test/cli/commands/backtest.test.ts: wrong usage exits with 2, a project that is not there with 1',
  'bellhop explain PROJECT IID --suppose':
    'test/cli/commands/explain.test.ts: what cannot be supposed is said with what was meant, all at once, with exit code 2',
  'bellhop hooks secret PROJECT_ID': 'test/cli/commands/hooks.test.ts: prints the secret of the newest master key alone, to be piped on',
  'bellhop queue promote LANE ID': 'test/cli/commands/queue.test.ts: shows what waits, counts before it drops, and drops when told to',
  'bellhop sweep hotel/app': 'test/cli/commands/sweep.test.ts: waits for the end and says what was woken',
  'openssl rand -hex 32': 'test/docs/deploy.test.ts: openssl makes a token and a master key that are long enough (needs openssl)',
}

/** What needs a container engine or a cluster, or takes minutes; and what is looked at in its place. */
const notHere: Record<string, string> = {
  'BELLHOP_SERVICE_URL=https://git.example.com docker compose up --build --detach':
    'test/deploy/manifests.test.ts: names settings that are there, and secrets that it declares',
  'npm install --prefix /opt/bellhop bellhop-0.1.0.tgz': 'test/deploy/package.test.ts: sandbox and serve start, and a delivery is taken',
  'kubectl create secret generic bellhop --from-file=service-token --from-file=hook-master-key --from-file=admin-token':
    'test/deploy/manifests.test.ts: name settings that are there, and secrets that the example has',
  'kubectl apply -f deploy/kubernetes': 'test/deploy/manifests.test.ts: are looked at closely: a container without a name is found',
  'kubectl rollout restart':
    'test/system/parts-processes-redis.test.ts: workers that are restarted one after the other, under load, lose nothing and do nothing twice; and all keys are of one slot',
  ...Object.fromEntries(
    benches.map((name) => [`npm run bench -- ${name}`, 'test/bench/run.test.ts: npm run bench -- --help says what each measures']),
  ),
}

/** A built command is typed as `bellhop`, too. */
const plain = (command: string) => command.replace(/^node bin\/bellhop\.cjs/, 'bellhop')
/** Words that stand for others: `ID`, `<id>`, numbers. What is in brackets may be left out. */
function formOf(command: string): string {
  const words = plain(command)
    .replaceAll(/ \[[^\]]*\]/g, '')
    .split(' ')
  return words.map((word) => (/^([A-Z_]+|<.*>|[\d.]+)$/.test(word) ? '…' : word)).join(' ')
}

/** The commands of a page that nothing runs. A sentence may name the beginning of a command, and leave open for what. */
function notRun(page: string, ran: readonly string[]): string[] {
  const forms = ran.map((each) => formOf(each).split(' '))
  const begins = (form: readonly string[], words: readonly string[]) =>
    words.every((word, at) => word === form[at] || (word === '…' && at < form.length))
  const is = (form: readonly string[], words: readonly string[]) => form.length === words.length && begins(form, words)
  const without = (same: typeof begins) => (command: string) => !forms.some((form) => same(form, formOf(command).split(' ')))
  return [...fencedCommands(page).filter(without(is)), ...inlineCommands(page).filter(without(begins))]
}

/** As one string, or as a list of them: `queue promote 7` and `'queue', 'promote', id`. */
function standsIn(source: string, command: string): boolean {
  const words = formOf(command)
    .replace(/^bellhop /, '')
    .split(' ')
    .map((word) => (word === '…' ? '[^\\s,]+?' : word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`(?<![\\w-])${words.join(`['"\`]?,?\\s+['"\`]?`)}(?![\\w-])`).test(source)
}

const ran = [...Object.keys(runBy), ...Object.keys(notHere), ...Object.keys(wholePages).flatMap((page) => fencedCommands(text(page)))]

describe('the pages', () => {
  test.each(pages)('%s: every command is run, and every variable is a setting', (page) => {
    expect(notRun(text(page), ran)).toEqual([])
    const known: string[] = Object.values(settings).map(({ variable }) => variable)
    expect(settingsIn(text(page)).filter((name) => !known.includes(name))).toEqual([])
  })

  test('a command that nothing runs is found, in a fence and in a sentence', () => {
    const page = [
      'Then `bellhop deliveries show ID`, or `bellhop queue`; `bellhop queue fly` and `npm run bench -- flight` not.',
      ...['```sh', 'export BELLHOP_URL=x', 'bellhop hooks rotate hotel  # all of it', 'bellhop hooks rotate', '```'],
      ...['1. Indented:', '   ```console', '   npm ci && docker run x', '   ```', '```yaml', 'bellhop: yaml', '```'],
    ].join('\n')
    expect(notRun(page, ran)).toEqual(['bellhop hooks rotate', 'docker run x', 'bellhop queue fly', 'npm run bench -- flight'])
    expect(settingsIn(page)).toEqual(['BELLHOP_URL'])
  })
})

describe('the lists', () => {
  test.each(Object.entries(wholePages))('%s is taken whole by %s', (page, by) => {
    expectTest(by)
    expect(text(fileOf(by))).toMatch(new RegExp(`fencedCommands\\((readPage\\('${page.replace('docs/', '')}'\\)|page)\\)`))
  })

  test.each(Object.entries(runBy))('`%s` stands in %s', (command, by) => {
    if (by.includes(': ')) expectTest(by)
    expect(standsIn(text(fileOf(by)), command)).toBe(true)
  })

  test.each(Object.entries(notHere))('in place of `%s` there is %s', (_command, by) => expectTest(by))

  test('name no command that no page gives', () => {
    const given = pages.flatMap((page) => [...fencedCommands(text(page)), ...inlineCommands(text(page))]).map(formOf)
    const ofBench = (command: string) => command.startsWith('npm run bench -- ')
    expect(
      [...Object.keys(runBy), ...Object.keys(notHere)].filter(
        (each) => !ofBench(each) && !given.some((one) => `${formOf(each)} `.startsWith(`${one} `)),
      ),
    ).toEqual([])
  })

  test('see whether a test has the words of a command', () => {
    expect(standsIn("run('queue', 'promote', 'timers', id)", 'bellhop queue promote LANE ID')).toBe(true)
    expect(standsIn('node bin/bellhop.cjs deliveries show <id>', 'bellhop deliveries show ID')).toBe(true)
    expect(standsIn("run('queue', 'retry', 'promote', id)", 'bellhop queue promote LANE ID')).toBe(false)
    expect(standsIn('npm run soak -- --minutes 1', 'npm run soak -- --faults all')).toBe(false)
  })
})

function fileOf(by: string): string {
  return by.split(': ')[0] ?? ''
}

function expectTest(by: string): void {
  const [named] = namedTests(`\`${by}\``)
  expect(testsIn(named?.file ?? '')).toContain(named?.name)
}
