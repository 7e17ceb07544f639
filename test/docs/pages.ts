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

const pagesIn = (folder: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name)

/** Paths of the pages of docs/, without the decisions. */
export const docsPages: readonly string[] = pagesIn('docs/')
export const decisionPages: readonly string[] = pagesIn('docs/decisions/')
export const rootPages: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
