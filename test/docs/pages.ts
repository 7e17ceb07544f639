// The pages of the documentation: their names and texts.
import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The text of a file, by its path from the project's root. */
export function readText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

/** A page of docs/. */
export function readPage(name: string): string {
  return readText(`docs/${name}`)
}

/** Paths of the pages of docs/. */
export const docsPages: readonly string[] = readdirSync(new URL('docs/', root))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
export const rootPages: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
