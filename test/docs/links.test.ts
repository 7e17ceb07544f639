// Links between pages lead to files and headings that exist.
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisionPages, docsPages, readText, rootPages } from './pages.ts'

const root = new URL('../../', import.meta.url)

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
}

test.each([...rootPages, ...docsPages, ...decisionPages])('%s leads to files and headings that exist', (page) => {
  expect(brokenLinks(page)).toEqual([])
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
