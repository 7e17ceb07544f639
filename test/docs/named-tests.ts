// The tests that a page names, as `test/….ts: what it says`.
import { existsSync, readFileSync } from 'node:fs'

export interface NamedTest {
  file: string
  name: string
}

const root = new URL('../../', import.meta.url)

/** A page of docs/. */
export function readPage(name: string): string {
  return readFileSync(new URL(`docs/${name}`, root), 'utf8')
}

/** Every test that a text names. */
export function namedTests(text: string): NamedTest[] {
  return [...text.matchAll(/`(test\/[\w./-]+\.ts): ([^`]+)`/g)].map(([, file = '', name = '']) => ({ file, name }))
}

/** What the tests of a file are called; undefined where there is no such file. */
export function testsIn(file: string): string[] | undefined {
  const place = new URL(file, root)
  if (!existsSync(place)) return undefined
  // The first argument of test, it or what each() gives; a formatter may have put it on a line of its own.
  return [...readFileSync(place, 'utf8').matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1/g)].map(([, , text = '']) => text)
}
