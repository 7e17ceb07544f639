// Every command of the README and of the pages of docs/ is run by a test, in that form. What cannot be run here has a
// reason.
import { existsSync, readdirSync } from 'node:fs'
import { settings } from '../../src/cli/settings/settings.ts'
import { docsPages, fencedCommands, inlineCommands, readText, rootPages, settingsIn } from './pages.ts'

const root = new URL('../../', import.meta.url)
const pages = [...rootPages.filter((page) => page !== 'CHANGELOG.md'), ...docsPages]

const benches = [
  'NAME',
  ...readdirSync(new URL('bench/', root)).filter(
    (name) => name !== 'burst' && existsSync(new URL(`bench/${name}/run.ts`, root)),
  ),
]

/** The test that runs all fenced commands of a page. */
const wholePages: Record<string, string> = {
  'docs/coming-from-gitlab-triage.md': 'test/docs/coming-from.test.ts',
  'docs/coming-from-marge-bot.md': 'test/docs/coming-from.test.ts',
  'docs/dashboard.md': 'test/docs/dashboard.test.ts',
  'docs/hooks.md': 'test/docs/hooks.test.ts',
  'docs/merge-queue.md': 'test/cli/admin/merge-queues.test.ts',
  'docs/merge-queue-operating.md': 'test/cli/admin/merge-queues.test.ts',
  'docs/rule-tests.md': 'test/cli/commands/test.test.ts',
  'docs/without-a-server.md': 'test/docs/without-a-server.test.ts',
  'docs/sandbox-for-bots.md': 'test/docs/sandbox-for-bots.test.ts',
}

const readme = 'test/system/flow/readme.test.ts'
const backup = 'test/system/backup/stores.ts'
const scenario = 'test/system/flow/scenario.test.ts'
const contributing = 'test/docs/contributing.test.ts'

/** The file that runs a command in the form that a page gives: its words stand there. */
const runBy: Record<string, string> = {
  'npm ci': '.ci/run',
  'npm test': '.ci/run',
  'npm run demo': '.ci/run',
  'npm run soak -- --minutes 0.5 --faults all --seed 20261121': '.ci/run',
  'npm run test:rest': '.ci/run',
  'npm run build': 'Dockerfile',
  'npm pack': 'test/deploy/package.test.ts',
  'npm run fix': contributing,
  'npm run generate': contributing,
  'npm run weight': 'test/scripts/weight.test.ts',
  'npm run bench -- burst': 'test/bench/run.test.ts',
  'npm run bench -- --help': 'test/bench/run.test.ts',
  'node bin/bellhop.cjs sandbox --port 3000 --root-token secret --scenario demo': scenario,
  'curl -X POST -H "PRIVATE-TOKEN: secret" "http://127.0.0.1:3000/api/v4/projects/1/statuses/renovate%2Fleft-pad?state=success&name=ci&ref=renovate/left-pad"':
    scenario,
  'curl -H "PRIVATE-TOKEN: secret" http://127.0.0.1:3000/api/v4/projects/1/merge_requests/1': scenario,
  'node bin/bellhop.cjs serve': readme,
  'node bin/bellhop.cjs deliveries list': readme,
  'node bin/bellhop.cjs deliveries show <id>': readme,
  'node bin/bellhop.cjs deliveries replay <id>': readme,
  'node bin/bellhop.cjs deliveries replay <id> --apply': readme,
  'node bin/bellhop.cjs check .bellhop.yml': readme,
  'node bin/bellhop.cjs serve --help': 'test/cli/main.test.ts',
  'node bin/bellhop.cjs openapi': 'test/cli/main.test.ts',
  'bellhop serve --only receiver': 'test/cli/commands/serve.test.ts',
  'bellhop serve --only worker': 'test/cli/commands/serve.test.ts',
  'bellhop check --online': 'test/cli/commands/check.test.ts',
  'bellhop sandbox --tier free': 'test/cli/commands/sandbox.test.ts',
  'bellhop schema': 'test/cli/commands/schema.test.ts',
  'bellhop backtest': 'test/cli/commands/backtest.test.ts',
  'bellhop explain PROJECT IID --what-if': 'test/cli/commands/explain.test.ts',
  'bellhop hooks secret PROJECT_ID': 'test/cli/commands/hooks.test.ts',
  'bellhop queue promote QUEUE ID': 'test/cli/commands/queue.test.ts',
  'bellhop token rotate': 'test/cli/commands/token.test.ts',
  'bellhop decisions show ID --receipt': 'test/cli/admin/receipt.test.ts',
  'redis-cli -u redis://127.0.0.1:6379 DEL bellhop:journal:id': 'test/journal/database/journal-id-redis.test.ts',
  'bellhop sweep hotel/app': 'test/cli/commands/sweep.test.ts',
  'tar -czf bellhop-queue.tar.gz -C /var/lib/bellhop queue': backup,
  'tar -xzf bellhop-queue.tar.gz -C /var/lib/bellhop': backup,
  'redis-cli -u redis://127.0.0.1:6379 --rdb bellhop.rdb': backup,
  'cp bellhop.rdb /var/lib/redis/dump.rdb': backup,
  'redis-cli -u redis://127.0.0.1:6379 CONFIG SET appendonly yes': backup,
  'redis-cli -u redis://127.0.0.1:6379 INFO persistence': backup,
  'redis-cli -u redis://127.0.0.1:6379 DBSIZE': backup,
  'pg_dump --format=custom --file=bellhop.pgdump postgres://bellhop@127.0.0.1/bellhop': backup,
  'pg_restore --no-owner --single-transaction --dbname=postgres://bellhop@127.0.0.1/bellhop bellhop.pgdump': backup,
  'openssl rand -hex 32': 'test/docs/deploy.test.ts',
}

/** What needs a container engine or a cluster, or takes minutes; and what is tested in its place. */
const notRunHere: Record<string, string> = {
  'BELLHOP_SERVICE_URL=https://git.example.com docker compose up --build --detach':
    'needs Docker; test/deploy/compose.test.ts checks compose.yaml',
  'npm install --prefix /opt/bellhop bellhop-0.1.0.tgz':
    'writes to /opt; test/deploy/package.test.ts installs the package elsewhere',
  'kubectl create secret generic bellhop --from-file=service-token --from-file=hook-master-key --from-file=admin-token --from-file=journal-url':
    'needs a cluster; test/deploy/kubernetes.test.ts checks the secrets',
  'kubectl apply -f deploy/kubernetes': 'needs a cluster; test/deploy/kubernetes.test.ts checks the manifests',
  'kubectl apply -f deploy/kubernetes/autoscaling':
    'needs a cluster; test/deploy/kubernetes.test.ts checks the manifest',
  'kubectl rollout restart':
    'needs a cluster; test/system/crashes/parts-processes-redis.test.ts restarts workers under load',
  'npm run test:unit': 'would run this test again',
  'npm run test:all': 'would run this test again',
  'npm run arrows': 'is a part of npm test; test/arrows.test.ts plants violations',
  ...Object.fromEntries(
    benches.map((name) => [`npm run bench -- ${name}`, 'takes minutes; test/bench/run.test.ts runs its --help']),
  ),
}

/** The built command is written as `bellhop`, too. */
const plain = (command: string) => command.replace(/^node bin\/bellhop\.cjs/, 'bellhop')
/** Placeholders (`ID`, `<id>`, numbers) become `…`. What is in brackets may be left out. */
function formOf(command: string): string {
  const words = plain(command)
    .replaceAll(/ \[[^\]]*\]/g, '')
    .split(' ')
  return words.map((word) => (/^([A-Z_]+|<.*>|[\d.]+)$/.test(word) ? '…' : word)).join(' ')
}

/** The commands of a page that nothing runs. A sentence may name the beginning of a command only. */
function notRun(page: string, ran: readonly string[]): string[] {
  const forms = ran.map((each) => formOf(each).split(' '))
  const begins = (form: readonly string[], words: readonly string[]) =>
    words.every((word, at) => word === form[at] || (word === '…' && at < form.length))
  const is = (form: readonly string[], words: readonly string[]) => form.length === words.length && begins(form, words)
  const without = (same: typeof begins) => (command: string) =>
    !forms.some((form) => same(form, formOf(command).split(' ')))
  return [...fencedCommands(page).filter(without(is)), ...inlineCommands(page).filter(without(begins))]
}

/** Whether a source has a command as one string or as a list: `queue promote 7`, `'queue', 'promote', id`. */
function standsIn(source: string, command: string): boolean {
  const words = formOf(command)
    .replace(/^bellhop /, '')
    .split(' ')
    .map((word) => (word === '…' ? '[^\\s,]+?' : word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`(?<![\\w-])${words.join(`['"\`]?,?\\s+['"\`]?`)}(?![\\w-])`).test(source)
}

const ran = [
  ...Object.keys(runBy),
  ...Object.keys(notRunHere),
  ...Object.keys(wholePages).flatMap((page) => fencedCommands(readText(page))),
]

describe('the pages', () => {
  test('every command is run, and every variable is a setting', () => {
    const traced = readText('test/system/tracing/tracing.suite.ts').matchAll(/\bOTEL_[A-Z_]+/g)
    const ofTracing = [...traced].map(([name]) => name)
    const known: string[] = [...Object.values(settings).map(({ variable }) => variable), ...ofTracing]
    const unknown = (text: string) => settingsIn(text).filter((name) => !known.includes(name))
    const wrong = (text: string) => [...notRun(text, ran), ...unknown(text)]
    expect(pages.flatMap((page) => wrong(readText(page)).map((words) => `${page}: ${words}`))).toEqual([])
  })

  test('a command that nothing runs is found, in a fence and in a sentence', () => {
    const page = [
      'Then `bellhop deliveries show ID`, or `bellhop queue`; `bellhop queue fly` and `npm run bench -- flight` not.',
      ...['```sh', 'export BELLHOP_URL=x', 'bellhop hooks rotate hotel  # all of it', 'bellhop hooks rotate', '```'],
      ...['1. Indented:', '   ```console', '   npm ci && docker run x', '   ```', '```yaml', 'bellhop: yaml', '```'],
    ].join('\n')
    expect(notRun(page, ran)).toEqual([
      'bellhop hooks rotate',
      'docker run x',
      'bellhop queue fly',
      'npm run bench -- flight',
    ])
    expect(settingsIn(page)).toEqual(['BELLHOP_URL'])
  })
})

describe('the lists', () => {
  test('each command is in the test that runs it, and each whole page is read by its test', () => {
    for (const [page, by] of Object.entries(wholePages))
      expect(readText(by)).toMatch(
        new RegExp(`fencedCommands\\((readPage\\('${page.replace('docs/', '')}'\\)|page)\\)`),
      )
    expect(Object.entries(runBy).filter(([command, by]) => !standsIn(readText(by), command))).toEqual([])
  })

  test('name no command that no page has', () => {
    const given = pages.flatMap((page) => [...fencedCommands(readText(page)), ...inlineCommands(readText(page))])
    const forms = given.map(formOf)
    const ofBench = (command: string) => command.startsWith('npm run bench -- ')
    expect(
      [...Object.keys(runBy), ...Object.keys(notRunHere)].filter(
        (each) => !ofBench(each) && !forms.some((one) => `${formOf(each)} `.startsWith(`${one} `)),
      ),
    ).toEqual([])
  })

  test('see whether a source has the words of a command', () => {
    expect(standsIn("run('queue', 'promote', 'scheduledEvaluations', id)", 'bellhop queue promote QUEUE ID')).toBe(true)
    expect(standsIn('node bin/bellhop.cjs deliveries show <id>', 'bellhop deliveries show ID')).toBe(true)
    expect(standsIn("run('queue', 'retry', 'promote', id)", 'bellhop queue promote QUEUE ID')).toBe(false)
    expect(standsIn('npm run soak -- --minutes 1', 'npm run soak -- --faults all')).toBe(false)
  })
})
