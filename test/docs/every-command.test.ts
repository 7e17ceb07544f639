// Every page with commands to type has a test that reads it and runs them; a page that is new, or a command in a page without one, is found here.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The test that runs the commands of a page, each as it stands there. */
const runBy: Record<string, string> = {
  'README.md': 'test/system/readme.test.ts',
  'docs/desk.md': 'test/docs/desk.test.ts',
  'docs/hooks.md': 'test/docs/hooks.test.ts',
  'docs/rule-tests.md': 'test/cli/commands/test.test.ts',
}

test('every page with fenced commands is run by a test that reads it', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(new URL('docs/', root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  expect(pages.filter((page) => /^```(sh|bash|shell)$/m.test(text(page)) && runBy[page] === undefined)).toEqual([])
  for (const [page, file] of Object.entries(runBy)) expect([page, text(file).includes(page.replace('docs/', ''))]).toEqual([page, true])
})

test('what no test can run is what needs a container engine or a cluster, and says so by its fence', () => {
  const consoles = [...text('docs/deploy.md').matchAll(/```console\n(.*?)```/gs)].flatMap(([, fence = '']) => fence.trim().split('\n'))
  expect(consoles.filter((line) => !/\b(docker|kubectl) /.test(line))).toEqual([])
})
