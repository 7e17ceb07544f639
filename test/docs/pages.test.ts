// Every page: its length, its links, and the settings and files that it names.
import { existsSync, readdirSync } from 'node:fs'
import { settings } from '../../src/cli/settings/settings.ts'
import { docsPages, readPage, readText, rootPages } from './pages.ts'

const root = new URL('../../', import.meta.url)
const generated = ['docs/rules.md', 'docs/cookbook.md', 'docs/configuration.md']
const written = docsPages.filter((page) => !generated.includes(page))

test.each([
  ['README has', ['README.md'], 900],
  [
    'each page has, generated references and tables of benches aside,',
    ['CONTRIBUTING.md', 'SECURITY.md', ...written],
    1500,
  ],
])('%s at most so many words', (_which, pages, most) => {
  const proseOf = (page: string) => readText(page).replaceAll(/<!-- bench .*?<!-- end -->/gs, '')
  const lengths = pages.map((page) => ({ page, words: proseOf(page).trim().split(/\s+/).length }))
  expect(lengths.filter(({ words }) => words > most)).toEqual([])
})

/** The anchors of a page: headings in lower case, without punctuation, spaces as hyphens. */
function anchors(path: string): string[] {
  return [...readText(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The links of a page that lead nowhere. */
function brokenLinks(page: string): string[] {
  const text = readText(page).replaceAll(/^```.*?^```/gms, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? new URL(page, root) : new URL(path, new URL(page, root))
      if (!existsSync(file)) return true
      const known = file.pathname.slice(root.pathname.length)
      return anchor !== undefined && !anchors(known).includes(anchor)
    })
    .map((target) => `${page}: ${target}`)
}

test('links lead to files and headings that exist', () => {
  expect([...rootPages, ...docsPages].flatMap(brokenLinks)).toEqual([])
})

test('every page is reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const page of reached)
    for (const [, target = ''] of readText(page).matchAll(/\]\(([^)\s#]+\.md)/g))
      if (!/^https?:/.test(target)) {
        const path = new URL(target, new URL(page, root)).pathname.slice(root.pathname.length)
        if (existsSync(new URL(path, root))) reached.add(path)
      }
  expect(docsPages.filter((page) => !reached.has(page))).toEqual([])
})

test('the design names files that exist', () => {
  const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  const named = [...readPage('design.md').matchAll(/`([\w/-]+\.ts)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([])
})

test('the pages on security name settings that exist', () => {
  const known: string[] = Object.values(settings).map(({ variable }) => variable)
  const named = ['security.md', 'threats.md'].flatMap((name) => readPage(name).match(/BELLHOP_[A-Z_]+/g) ?? [])
  expect(named.filter((variable) => !known.includes(variable))).toEqual([])
})
