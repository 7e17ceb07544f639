// Every command of the README and of the pages of docs/ stands in a test that runs it. What cannot be run here has a
// reason.
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
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
  'docs/dashboard.md': 'test/docs/dashboard.test.ts',
  'docs/hooks.md': 'test/docs/hooks.test.ts',
  'docs/merge-queue.md': 'test/cli/admin/merge-queues.test.ts',
  'docs/merge-queue-operating.md': 'test/cli/admin/merge-queues.test.ts',
  'docs/rule-tests.md': 'test/cli/commands/test.test.ts',
}

/** What runs commands: the tests, and what builds and checks the project. */
const sources = [
  ...readdirSync(new URL('test/', root), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
    path.endsWith('.ts') && !path.endsWith('every-command.test.ts') ? [`test/${path}`] : [],
  ),
  ...['.ci/run', 'Dockerfile'],
]
  .map(readText)
  .join('\n')

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

/** Whether the sources have a command as one string or as a list: `queue promote 7`, `'queue', 'promote', id`. */
function isRun(command: string): boolean {
  const words = formOf(command)
    .replace(/^bellhop /, '')
    .split(' ')
    .map((word) => (word === '…' ? '[^\\s,]+?' : word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`(?<![\\w-])${words.join(`['"\`]?,?\\s+['"\`]?`)}(?![\\w-])`).test(sources)
}

const others = [
  ...Object.keys(notRunHere),
  ...Object.keys(wholePages).flatMap((page) => fencedCommands(readText(page))),
].map(formOf)

/** The commands of a page that nothing runs. */
function notRun(page: string): string[] {
  const isKnown = (command: string) => others.some((other) => `${other} `.startsWith(`${formOf(command)} `))
  return [...fencedCommands(page), ...inlineCommands(page)].filter((each) => !isKnown(each) && !isRun(each))
}

describe('the pages', () => {
  test('every command is run, and every variable is a setting', () => {
    const traced = readText('test/system/tracing/tracing.suite.ts').matchAll(/\bOTEL_[A-Z_]+/g)
    const ofTracing = [...traced].map(([name]) => name)
    const known: string[] = [...Object.values(settings).map(({ variable }) => variable), ...ofTracing]
    const unknown = (text: string) => settingsIn(text).filter((name) => !known.includes(name))
    const wrong = (text: string) => [...notRun(text), ...unknown(text)]
    expect(pages.flatMap((page) => wrong(readText(page)).map((words) => `${page}: ${words}`))).toEqual([])
  })

  test('a command that nothing runs is found, in a fence and in a sentence', () => {
    const page = [
      'Then `bellhop deliveries show ID`, or `bellhop queue`; `bellhop queue fly` and `npm run bench -- swim` not.',
      ...['```sh', 'export BELLHOP_URL=x', 'bellhop hooks fly hotel  # all of it', 'bellhop hooks rotate hotel', '```'],
      ...['1. Indented:', '   ```console', '   npm ci && docker run x', '   ```', '```yaml', 'bellhop: yaml', '```'],
    ].join('\n')
    expect(notRun(page)).toEqual([
      'bellhop hooks fly hotel',
      'docker run x',
      'bellhop queue fly',
      'npm run bench -- swim',
    ])
    expect(settingsIn(page)).toEqual(['BELLHOP_URL'])
  })

  test('a page that is run as a whole is read by its test', () => {
    for (const [page, by] of Object.entries(wholePages))
      expect(readText(by)).toMatch(
        new RegExp(`fencedCommands\\((readPage\\('${page.replace('docs/', '')}'\\)|page)\\)`),
      )
  })

  test('no excuse is for a command that no page has', () => {
    const given = pages.flatMap((page) => [...fencedCommands(readText(page)), ...inlineCommands(readText(page))])
    const forms = given.map(formOf)
    const ofBench = (command: string) => command.startsWith('npm run bench -- ')
    expect(
      Object.keys(notRunHere).filter(
        (each) => !ofBench(each) && !forms.some((one) => `${formOf(each)} `.startsWith(`${one} `)),
      ),
    ).toEqual([])
  })
})
